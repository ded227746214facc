"""plan(): how many nodes, labels or splits it takes to see a difference."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import optimize, special

from ..bootstrap.reference import size_correction
from ..comparison.compare import check_network
from ..comparison.rerun import community_warnings
from ..comparison.told import communities_told, versions
from ..errors import InputError
from ..models.base import Model
from ..network import Network
from ..numeric import scalar
from ..progress import Progress
from ..results import Reading, plain_table
from ..seeds import Seed
from ..splits.checks import check_count, check_extent, check_labeled, training_size
from ..stats.power import _above
from .audit import FEWEST, LEVEL, checked_chances
from .pace import check_minutes, refuse_slow, seconds_of
from .source import Source

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
SIZES = (1, 2, 4, 8)
RATES = (0.1, 0.2, 0.3, 0.5)
SPLITS = (5, 10, 30, 100)
TEST_REPLICATES = 200  # of the bootstrap in `compare`
TWO_SIDED = 1.959963984540054


class Spot(NamedTuple):
    """Power of the bootstrap for one size, proportion of labels and number of splits.

    Attributes
    ----------
    multiple : int
        Size of the network, in networks like the user's.
    n_nodes : int
    labeled : float
    n_splits : int
    standard_error, df : float
        Of the mean difference from network to network, and its degrees of freedom.
    power, low, high : float
        Probability of p < 0.05 at the difference planned for; 95% interval for the Monte Carlo
        error of the standard error.
    """

    multiple: int
    n_nodes: int
    labeled: float
    n_splits: int
    standard_error: float
    df: float
    power: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Plan(Reading):
    """What it takes to see a difference between two models on networks like the user's own.

    Attributes
    ----------
    network : Network
        The user's own.
    models : tuple of str
        Names of A and B.
    difference, wanted : float
        The true difference of the error rates; the power wanted.
    labeled : float
        Proportion of labelled nodes that is planned from.
    n_splits : int
        Number of splits that is planned from.
    seed : int
        The frozen seed.
    spots : tuple of Spot
        All combinations of size, proportion of labels, and number of splits.
    nodes : float or None
        Nodes that it takes with the given proportion of labels and number of splits, by
        interpolation between the sizes tried; None where the largest does not suffice.
    rate : float or None
        The smallest proportion of labels tried that suffices at the network's size.
    splits : int or None
        The smallest number of splits tried that suffices at the network's size.
    ceiling : float
        Power at the network's size with splits without end.
    detectable : float
        The smallest difference that is seen with the wanted power as things are.
    n_replicates : int
        Networks drawn for each size and proportion of labels.
    warnings : tuple of Warning
        What makes the plan unsure.
    settings : mapping
        Further settings, and versions.
    """

    network: Network
    models: tuple[str, str]
    difference: float
    wanted: float
    labeled: float
    n_splits: int
    seed: int
    spots: tuple[Spot, ...]
    nodes: float | None
    rate: float | None
    splits: int | None
    ceiling: float
    detectable: float
    n_replicates: int
    warnings: tuple[Warning, ...]
    settings: Mapping[str, Any]

    @property
    def now(self) -> Spot:
        """The network as it is, with the given labels and splits."""
        return self.spot(1, self.labeled, self.n_splits)

    def spot(self, multiple: int, labeled: float, n_splits: int) -> Spot:
        """Give one combination.

        Raises
        ------
        InputError
            Where it was not tried.
        """
        for found in self.spots:
            if (found.multiple, found.labeled, found.n_splits) == (multiple, labeled, n_splits):
                return found
        raise InputError(
            f"plan: {multiple} times the size, labeled={labeled:g} and {n_splits} splits were not "
            "tried; see to_frame() for what was"
        )

    @property
    def together(self) -> Spot | None:
        """The smallest network that suffices with more labels and splits, the fewest of them."""
        enough = [
            spot
            for spot in self.spots
            if spot.power >= self.wanted
            and spot.labeled >= self.labeled
            and spot.n_splits >= self.n_splits
        ]
        order = [(spot.multiple, spot.n_splits, spot.labeled) for spot in enough]
        return enough[order.index(min(order))] if enough else None

    @property
    def verdict(self) -> str:
        """The answer in plain words."""
        from .plan_text import verdict

        return verdict(self)

    def to_frame(self) -> pd.DataFrame:
        """Give one row a combination."""
        import pandas as pd

        return pd.DataFrame([spot._asdict() for spot in self.spots])

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain Python values that JSON can hold."""
        from .plan_text import limits

        plain = (
            "models", "difference", "wanted", "labeled", "n_splits", "seed", "nodes", "rate",
            "splits", "ceiling", "detectable", "n_replicates", "settings",
        )  # fmt: skip
        return plain_table(
            {
                "verdict": self.verdict,
                "network": self.network.name,
                "n_nodes": self.network.n_nodes,
                "n_links": self.network.n_links,
                "n_classes": self.network.n_classes,
            }
            | {name: getattr(self, name) for name in plain}
            | {
                "together": None if self.together is None else self.together._asdict(),
                "spots": self.to_frame().to_dict("records"),
                "limits": limits(self),
                "warnings": [str(warning) for warning in self.warnings],
            }
        )

    def __str__(self) -> str:
        from .plan_text import full_text

        return full_text(self)


class Components(NamedTuple):
    """What the variance of a mean difference is made of, for one size and share of labels.

    Attributes
    ----------
    networks : float
        Variance from network to network.
    splits : float
        Variance from split to split of one network.
    effective : float
        Communities in the network, counted as equal ones.
    unsure : float
        Monte Carlo standard error of `networks`.
    """

    networks: float
    splits: float
    effective: float
    unsure: float

    @classmethod
    def of(cls, differences: Floats, sizes: Floats, multiple: int) -> Components:
        """Take the components from differences on replicates, shape (n_replicates, r)."""
        within = float(differences.var(axis=1, ddof=1).mean())
        between = float(differences.mean(axis=1).var(ddof=1))
        spread = max(between - within / differences.shape[1], 0.0)
        correction = size_correction(sizes)
        return cls(
            networks=spread * correction,
            splits=within,
            effective=multiple * float(sizes.sum() ** 2 / (sizes**2).sum()),
            # a variance of R values is known to sqrt(2 / (R - 1)) of itself
            unsure=between * correction * float(np.sqrt(2 / (len(differences) - 1))),
        )

    def power(self, difference: float, n_splits: float, shift: float = 0.0) -> float:
        """Give the power of the bootstrap, `shift` Monte Carlo errors of `networks` away."""
        moved = self._replace(networks=max(self.networks + shift * self.unsure, 0.0))
        return t_power(difference, moved.error(n_splits), moved.df(n_splits))

    def error(self, n_splits: float) -> float:
        """Give the standard error of the mean difference over so many splits."""
        return float(np.sqrt(self.networks + self.splits / n_splits))

    def df(self, n_splits: float) -> float:
        """Give the degrees of freedom of the bootstrap, after Satterthwaite."""
        rest = self.splits / n_splits
        total = self.networks + rest
        communities = max(self.effective - 1, 1.0)
        if total == 0:
            return communities
        inverse = (self.networks / total) ** 2 * (1 / communities + 1 / (TEST_REPLICATES - 1))
        return 1 / (inverse + (rest / total) ** 2 / (n_splits - 1))


def t_power(difference: float, error: float, df: float) -> float:
    """Give the power of a two-sided t test at the 0.05 level.

    Examples
    --------
    >>> round(t_power(0.028, 0.01, 1e6), 3), round(t_power(0.028, 0.01, 10), 3)
    (0.8, 0.714)
    """
    if error == 0:
        return 1.0
    point = float(special.stdtrit(df, 1 - LEVEL / 2))
    shift = difference / error
    return min(_above(point, df, shift) + _above(point, df, -shift), 1.0)


def plan(
    network: Network,
    a: str | Model,
    b: str | Model,
    *,
    difference: float = 0.02,
    power: float = 0.8,
    labeled: float = 0.3,
    n_splits: int = 10,
    positive: Hashable | None = None,
    communities: str | ArrayLike = "louvain",
    n_replicates: int = 200,
    minutes: float = 60.0,
    seed: Seed = 0,
    progress: bool | None = None,
) -> Plan:
    """Say how many nodes, labels or splits it takes to see a difference of two models.

    Draws networks of 1, 2, 4 and 8 times the size out of the communities of this one, makes the
    difference true by turning predictions at random, and takes from its spread the power of the
    community bootstrap for several proportions of labels and numbers of splits.

    Parameters
    ----------
    network, a, b, positive, communities, minutes, seed, progress
        As for `audit`.
    difference : float
        The true difference of the error rates that is to be seen.
    power : float
        The probability with which it is to be seen.
    labeled, n_splits : float, int
        What is planned from; 10, 20, 30 and 50% and 5, 10, 30 and 100 splits are tried beside.
    n_replicates : int
        Networks drawn for each size and proportion of labels, at least 20.

    Returns
    -------
    Plan

    Raises
    ------
    InputError
        As for `audit`.

    Notes
    -----
    On replicates with r splits each the variance of their mean differences is N + S/r, S being
    the mean variance within them. With k splits the standard error is the root of c N + S/k,
    c = `size_correction`, and the power that of a t test with the bootstrap's degrees of freedom
    (Ge - 1 and 199 for the part N, k - 1 for the rest; Satterthwaite 1946), from the noncentral t
    distribution. Larger networks have more communities of the same kind and as many links a
    node. Held against the simulated power of the bootstrap in the calibration table, this is off
    by 0.03 on average and by 0.10 at most.

    Examples
    --------
    >>> from nettrial.synth.latent_groups import latent_group_network
    >>> net = latent_group_network(120, seed=1)
    >>> found = plan(net, "wvrn", "nbc", difference=0.05, n_replicates=20, seed=1)
    >>> len(found.spots), 0 < found.now.power < 1
    (64, True)
    """
    check_network(network)
    check_labeled("plan", labeled)
    check_count("plan", "n_splits", n_splits, 2)
    check_count("plan", "n_replicates", n_replicates, FEWEST)
    limit = check_minutes("plan", minutes)
    for what, value in (("difference", difference), ("power", power)):
        if not 0 < scalar(what, value) < 1:
            raise InputError(f"plan: {what}={value!r}, allowed is a number above 0 and below 1")
    if positive is not None:
        network = network.one_against_rest(positive)
    source = Source.of(network, a, b, communities, seed)
    training_size("plan", labeled, network.labelled.size)
    check_extent("plan", n_splits, network.labelled.size)
    rates = tuple(sorted({*RATES, float(labeled)}))
    _check_rates(rates, network.labelled.size)
    numbers = tuple(sorted({*SPLITS, n_splits}))
    few: dict[str, Any] = {"labeled": labeled, "n_splits": n_splits}
    one = seconds_of(lambda: source.rates(np.zeros((1, 2)), 0, n_replicates=1, **few))
    refuse_slow(
        "plan", 2 * one * n_replicates * len(rates) * sum(SIZES), limit,
        "use fewer replicates or splits",
    )  # fmt: skip
    sizes = source.blocks.sizes.astype(float)
    parts: dict[tuple[int, float], Components] = {}
    total = 2 * n_replicates * len(rates) * len(SIZES)
    with Progress("drawn networks", total=total, enabled=progress) as bar:
        for i, multiple in enumerate(SIZES):
            for j, rate in enumerate(rates):
                place = 2 * (len(rates) * i + j)
                few |= {"labeled": rate, "n_replicates": n_replicates, "multiple": multiple}
                few["progress"] = bar
                errors = source.rates(np.zeros((1, 2)), place, **few)[:, 0].mean(axis=(0, 2))
                chances = checked_chances(
                    f"plan, at {rate:.0%} labelled", errors, network.n_classes, (difference,)
                )
                drawn = source.rates(chances, place + 1, **few)[:, 0]
                parts[multiple, rate] = Components.of(drawn[:, 0] - drawn[:, 1], sizes, multiple)
    spots = tuple(
        _spot(parts[multiple, rate], multiple, rate, k, difference, network.n_nodes)
        for multiple in SIZES for rate in rates for k in numbers
    )  # fmt: skip
    now = parts[1, float(labeled)]
    group = source.blocks.community.astype(np.int32)
    first, second = source.models
    return Plan(
        network=network,
        models=(first, second),
        difference=float(difference),
        wanted=float(power),
        labeled=float(labeled),
        n_splits=n_splits,
        seed=source.entropy,
        spots=spots,
        nodes=_nodes([s for s in spots if (s.labeled, s.n_splits) == (labeled, n_splits)], power),
        rate=_first([s for s in spots if (s.multiple, s.n_splits) == (1, n_splits)], power,
                    "labeled"),
        splits=_first([s for s in spots if (s.multiple, s.labeled) == (1, labeled)], power,
                      "n_splits"),
        ceiling=now.power(difference, np.inf),
        detectable=_detectable(now, n_splits, power),
        n_replicates=n_replicates,
        warnings=tuple(community_warnings(group)),
        settings=communities_told(communities, group, network, source.entropy)
        | {
            "effective_communities": float(sizes.sum() ** 2 / (sizes**2).sum()),
            "compiled": source.pair is not None,
            "versions": versions(),
        },
    )  # fmt: skip


def _check_rates(rates: tuple[float, ...], size: int) -> None:
    """Refuse a network so small that one of the proportions that are tried is no node of it."""
    for rate in rates:
        try:
            training_size("plan", rate, size)
        except InputError as error:
            tried = ", ".join(f"{each:.0%}" for each in RATES)
            raise InputError(
                f"plan: {tried} labelled are tried beside the proportion that is given, but the "
                f"network has {size} labelled nodes, and {rate:.0%} of them leave no training or "
                "no test node; use a network with more labelled nodes"
            ) from error


def _spot(
    parts: Components, multiple: int, rate: float, k: int, difference: float, n_nodes: int
) -> Spot:
    power = parts.power(difference, k)
    # the degrees of freedom change with the share of the splits, so neither end need be the lower
    ends = [power, *(parts.power(difference, k, shift) for shift in (-TWO_SIDED, TWO_SIDED))]
    return Spot(
        multiple=multiple,
        n_nodes=multiple * n_nodes,
        labeled=rate,
        n_splits=k,
        standard_error=parts.error(k),
        df=parts.df(k),
        power=power,
        low=min(ends),
        high=max(ends),
    )


def _nodes(spots: list[Spot], power: float) -> float | None:
    """Interpolate between sizes, linearly in the logarithm of the size.

    The network's own size is given where it suffices.
    """
    for before, spot in zip([None, *spots], spots):
        if spot.power < power:
            continue
        if before is None:
            return float(spot.n_nodes)
        share = (power - before.power) / (spot.power - before.power)
        return float(before.n_nodes * (spot.n_nodes / before.n_nodes) ** share)
    return None


def _first(spots: list[Spot], power: float, what: str) -> Any:
    return next((getattr(spot, what) for spot in spots if spot.power >= power), None)


def _detectable(parts: Components, n_splits: int, power: float) -> float:
    error, df = parts.error(n_splits), parts.df(n_splits)
    if error == 0:
        return 0.0
    return float(
        optimize.brentq(lambda d: t_power(d, error, df) - power, 0.0, 30 * error)
        if power > LEVEL else 0.0
    )  # fmt: skip
