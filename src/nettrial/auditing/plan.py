"""plan(): how many nodes, labels or splits it takes to see a difference."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import optimize

from ..arguments import check_arguments
from ..communities import effective_number
from ..comparison.notes import communities_note, versions
from ..comparison.setup import check_network
from ..errors import InputError
from ..inference.community_bootstrap import community_warnings
from ..models.base import AnyModel
from ..network import Network
from ..numeric import scalar
from ..progress import Progress
from ..seeds import Seed
from ..splits.checks import check_count, check_extent, check_labeled, training_size
from .audit import FEWEST, checked_chances
from .audit_result import LEVEL
from .components import Components, t_power
from .handicaps import noise_for
from .plan_result import Plan, PlanPoint
from .source import Source
from .time_budget import check_minutes, refuse_slow, seconds_of

Floats = NDArray[np.float64]
SIZES = (1, 2, 4, 8)
RATES = (0.1, 0.2, 0.3, 0.5)
SPLITS = (5, 10, 30, 100)
FARTHEST = 1e6  # standard errors beyond which no difference is looked for
TWO_SIDED = 1.959963984540054


@check_arguments
def plan(
    network: Network,
    a: str | AnyModel,
    b: str | AnyModel,
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
    """Estimate how many nodes, labels or splits it takes to detect a difference of two models.

    Draws networks of 1, 2, 4 and 8 times the size out of the communities of this one, makes the
    difference true by turning predictions (adding noise to predicted numbers) at random, and
    takes from its spread the power of the community bootstrap for several proportions of labels
    and numbers of splits.

    Parameters
    ----------
    network, a, b, positive, communities, minutes, seed, progress
        As for `audit`.
    difference : float
        The true difference of the error rates that is to be seen; of predicted numbers that of
        the squared errors, as a share of the larger one.
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
        As for `audit`, and for models that may notice copies of a node.

    Notes
    -----
    On replicates with r splits each the variance of their mean differences is N + S/r, S being
    the mean variance within them. With k splits the standard error is the root of c N + S/k,
    c = `size_correction`, and the power that of a t test with the bootstrap's degrees of freedom
    (Ge - 1 and 199 for the part N, k - 1 for the rest; Satterthwaite 1946), from the noncentral t
    distribution. Larger networks have more communities of the same kind and as many links a
    node. Held against the simulated power of the bootstrap in the calibration table, this is off
    by 0.02 on average and by 0.10 at most.

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
            raise InputError(f"plan: {what}: expected a number above 0 and below 1, got {value!r}")
    if positive is not None:
        network = network.one_against_rest(positive)
    source = Source.of(network, a, b, communities, seed)
    if not source.copies:
        raise InputError(
            "plan: expected models that cannot notice copies of a node (wvrn, nbc, cdrn, prior; of "
            f"numbers relational_mean, mean), got {' and '.join(source.models)}; larger networks "
            "can only be drawn with copies. compare tells what twice its budget would bring"
        )
    training_size("plan", labeled, network.labeled.size)
    check_extent("plan", n_splits, network.labeled.size)
    rates = tuple(sorted({*RATES, float(labeled)}))
    _check_rates(rates, network.labeled.size)
    numbers = tuple(sorted({*SPLITS, n_splits}))
    few: dict[str, Any] = {"labeled": labeled, "n_splits": n_splits}
    one = seconds_of(lambda: source.rates(np.zeros((1, 2)), 0, n_replicates=1, **few))
    refuse_slow(
        "plan",
        2 * one * n_replicates * len(rates) * sum(SIZES),
        limit,
        "use fewer replicates or splits",
    )
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
                if network.targets is None:
                    what, scale = f"plan, at {rate:.0%} labeled", 1.0
                    chances = checked_chances(what, errors, network.n_classes, (difference,))
                else:
                    chances, scale = noise_for(errors, (difference,)), float(errors.max())
                drawn = source.rates(chances, place + 1, **few)[:, 0] / scale
                parts[multiple, rate] = Components.of(drawn[:, 0] - drawn[:, 1], sizes, multiple)
    spots = tuple(
        _spot(parts[multiple, rate], multiple, rate, k, difference, network.n_nodes)
        for multiple in SIZES
        for rate in rates
        for k in numbers
    )
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
        rate=_first(
            [s for s in spots if (s.multiple, s.n_splits) == (1, n_splits)], power, "labeled"
        ),
        splits=_first(
            [s for s in spots if (s.multiple, s.labeled) == (1, labeled)], power, "n_splits"
        ),
        ceiling=now.power(difference, np.inf),
        detectable=_detectable(now, n_splits, power),
        n_replicates=n_replicates,
        warnings=tuple(community_warnings(group)),
        settings=communities_note(communities, group, network, source.entropy)
        | {
            "effective_communities": effective_number(sizes),
            "compiled": source.pair is not None,
            "versions": versions(),
        },
    )


def _check_rates(rates: tuple[float, ...], size: int) -> None:
    """Refuse a network so small that one of the proportions that are tried is no node of it."""
    for rate in rates:
        try:
            training_size("plan", rate, size)
        except InputError as error:
            tried = ", ".join(f"{each:.0%}" for each in RATES)
            raise InputError(
                f"plan: {tried} labeled are tried beside the proportion that is given, but the "
                f"network has {size} labeled nodes, and {rate:.0%} of them leave no training or "
                "no test node; use a network with more labeled nodes"
            ) from error


def _spot(
    parts: Components, multiple: int, rate: float, k: int, difference: float, n_nodes: int
) -> PlanPoint:
    power = parts.power(difference, k)
    # the degrees of freedom change with the share of the splits, so neither end need be the lower
    ends = [power, *(parts.power(difference, k, shift) for shift in (-TWO_SIDED, TWO_SIDED))]
    return PlanPoint(
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


def _nodes(spots: list[PlanPoint], power: float) -> float | None:
    """Interpolate the lower end of the power between sizes, linearly in the logarithm of the size.

    The network's own size is given where it suffices.
    """
    for before, spot in zip([None, *spots], spots):
        if not spot.suffices(power):
            continue
        if before is None:
            return float(spot.n_nodes)
        share = (power - before.low) / (spot.low - before.low)
        return float(before.n_nodes * (spot.n_nodes / before.n_nodes) ** share)
    return None


def _first(spots: list[PlanPoint], power: float, what: str) -> Any:
    return next((getattr(spot, what) for spot in spots if spot.suffices(power)), None)


def _detectable(parts: Components, n_splits: int, power: float) -> float:
    error, df = parts.error(n_splits), parts.df(n_splits)
    if error == 0 or power <= LEVEL:
        return 0.0
    most = 30 * error
    while t_power(most, error, df) < power and most < FARTHEST * error:
        most *= 2
    if t_power(most, error, df) < power:
        return float("inf")
    return float(optimize.brentq(lambda d: t_power(d, error, df) - power, 0.0, most))
