"""plan(): how many nodes, labels, splits or training seeds it takes to see a difference."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..comparison.options import BUDGET, takes_options
from ..comparison.setup import named_models
from ..comparison.setup_checks import check_comparable
from ..core.errors import AssumptionWarning, InputError, shown
from ..core.seeds import Seed
from ..models.base import AnyModel
from ..network.network import Network
from ..numeric.checks import scalar
from ..replicates.halving import may_see_copies
from ..splits.checks import MOST, check_count, check_extent, check_labeled, training_size
from .audit import FEWEST
from .components import Components
from .plan_result import Plan, PlanPoint
from .planned import by_drawn_networks, by_halves
from .time_budget import check_minutes

SPLITS = (5, 10, 30, 100)
SEEDS = (1, 2, 5, 10)
GROWS = (
    "A network that grows in time, as those of citations do, keeps its few topics as it grows; on "
    "such networks the power at larger sizes is lower than planned."
)


@takes_options
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
    n_replicates: int | None = None,
    n_seeds: int = 1,
    budget: str | float = BUDGET,
    minutes: float = 60.0,
    seed: Seed = 0,
    progress: bool | None = None,
) -> Plan:
    """Estimate how many nodes, labels, splits or seeds it takes to detect a difference.

    Where neither model can notice copies of a node: draws networks of 1, 2, 4 and 8 times the size
    out of the communities of this one, makes the difference true by turning predictions (adding
    noise to predicted numbers) at random, and takes from its spread the power of the community
    bootstrap for several proportions of labels and numbers of splits.

    For all other models, and wherever several training seeds are asked for: runs both models on
    halves of the communities, as ``compare(test="halves")`` does, and takes from the variance
    between networks, splits and training seeds the power of that test on networks of 1, 2, 4 and
    8 times the size, with several numbers of splits, and of seeds.

    Parameters
    ----------
    network, a, b
        As for `compare`.
    difference : float
        The true difference of the error rates that is to be seen; of predicted numbers that of
        the squared errors, as a share of the larger one.
    power : float
        The probability with which it is to be seen.
    labeled, n_splits : float, int
        What is planned from; 5, 10, 30 and 100 splits are tried beside, and where networks are
        drawn 10, 20, 30 and 50% labeled. Halves of the communities tell nothing of other
        proportions.
    n_replicates : int, optional
        Networks drawn for each size and proportion of labels, at least 20, by default 200, 100,
        50 or 20, whatever the budget allows; or halvings, at least 10, by default as many as the
        budget allows, up to 40.
    n_seeds : int
        Training seeds for each split. With two or more, 1, 2, 5 and 10 are tried.
    budget : str or float
        Seconds that all runs may take together, or a text such as "90s". The fewest networks or
        halvings are run in any case.
    minutes : float
        For drawn networks: what would take longer is refused, after a short measurement.

    Returns
    -------
    Plan

    Raises
    ------
    InputError
        As for `compare`; where a difference cannot be made, or drawing would take too long.

    Notes
    -----
    On replicates with r splits each the variance of their mean differences is N + S/r, S being
    the mean variance within them. With k splits the standard error is the root of c N + S/k,
    c = `size_correction`, and the power that of a t test with the bootstrap's degrees of freedom
    (Ge - 1 and 199 for the part N, k - 1 for the rest; Satterthwaite 1946), from the noncentral t
    distribution. Larger networks have more communities of the same kind and as many links a
    node. Held against the simulated power of the bootstrap in the calibration table, this is off
    by 0.02 on average and by 0.10 at most.

    By halves the variance V of the mean difference over k splits with s seeds each is
    N + (S + Z/s) / k, with S between splits and Z between seeds of one split from the network's own
    runs (random effects); with one seed Z is part of S. A network of m times the communities has
    N/m, S/m and Z: what a seed moves may move all nodes alike. The degrees of freedom are
    those of the test, with m times the communities and as many halvings.

    Examples
    --------
    >>> from nettrial.synth.latent_groups import latent_group_network
    >>> net = latent_group_network(120, seed=1)
    >>> found = plan(net, "wvrn", "nbc", difference=0.05, n_replicates=20, seed=1)
    >>> len(found.spots), 0 < found.now.power < 1
    (64, True)
    """
    check_labeled("plan", labeled)
    check_count("plan", "n_splits", n_splits, 2)
    check_count("plan", "n_seeds", n_seeds, 1, MOST)
    limit = check_minutes("plan", minutes)
    for what, value in (("difference", difference), ("power", power)):
        if not 0 < scalar(what, value) < 1:
            raise InputError(
                parameter=what,
                expected="a number above 0 and below 1",
                got=shown(value),
                where="plan",
            )
    models = named_models((a, b))  # first: link predictors, which it refuses, need no labels
    if positive is not None:
        network = network.one_against_rest(positive)
    check_comparable(network)
    training_size("plan", labeled, network.labeled.size)
    check_extent("plan", n_splits * n_seeds, network.labeled.size)
    asked: dict[str, Any] = {
        "labeled": labeled, "n_splits": n_splits, "communities": communities, "seed": seed,
        "progress": progress,
    }  # fmt: skip
    if n_seeds == 1 and all(may_see_copies(model) for model in models.values()):
        if n_replicates is not None:
            check_count("plan", "n_replicates", n_replicates, FEWEST, MOST)
        found = by_drawn_networks(
            network, a, b, difference=difference, n_replicates=n_replicates, limit=limit,
            budget=budget, **asked,
        )  # fmt: skip
    else:
        found = by_halves(
            network, a, b, n_seeds=n_seeds, n_replicates=n_replicates, budget=budget, **asked
        )
    seeds = tuple(sorted({*SEEDS, n_seeds})) if n_seeds > 1 else (1,)
    spots = tuple(
        _spot(parts, multiple, rate, k, s, difference, power, network.n_nodes)
        for (multiple, rate), parts in found.parts.items()
        for k in sorted({*SPLITS, n_splits})
        for s in seeds
    )
    given: dict[str, Any] = {
        "multiple": 1, "labeled": float(labeled), "n_splits": n_splits, "n_seeds": n_seeds,
    }  # fmt: skip

    def along(what: str) -> list[PlanPoint]:
        """Return the combinations that have the rest as it is given."""
        rest = {name: value for name, value in given.items() if name != what}
        return [s for s in spots if all(getattr(s, name) == rest[name] for name in rest)]

    now = found.parts[1, float(labeled)]
    return Plan(
        network=network,
        models=found.models,
        difference=float(difference),
        wanted=float(power),
        labeled=float(labeled),
        n_splits=n_splits,
        n_seeds=n_seeds,
        seed=found.seed,
        test=found.test,
        spots=spots,
        nodes=_nodes(along("multiple"), power),
        rate=_first(along("labeled"), power, "labeled"),
        splits=_first(along("n_splits"), power, "n_splits"),
        seeds=_first(along("n_seeds"), power, "n_seeds"),
        ceiling=now.power(difference, np.inf),
        detectable=now.detectable(power, n_splits, n_seeds),
        n_replicates=found.n_replicates,
        sources=found.sources,
        warnings=found.warnings + (AssumptionWarning(_grown(network)),) * bool(_grown(network)),
        settings=found.settings,
    )


def _grown(network: Network) -> str:
    """Return why links by time, or with a direction, make sizes above this one doubtful."""
    seen = "its links have times" if network.times is not None else "its links have a direction"
    if network.times is None and not network.directed:
        return ""
    return f"this network may be one that grew in time, since {seen}. {GROWS}"


def _spot(
    parts: Components,
    multiple: int,
    rate: float,
    k: int,
    n_seeds: int,
    difference: float,
    wanted: float,
    n_nodes: int,
) -> PlanPoint:
    power = parts.power(difference, k, n_seeds=n_seeds)
    low, high = parts.interval(difference, k, n_seeds)
    return PlanPoint(
        multiple=multiple,
        n_nodes=multiple * n_nodes,
        labeled=rate,
        n_splits=k,
        standard_error=parts.error(k, n_seeds),
        df=parts.df(k),
        power=power,
        low=low,
        high=high,
        detectable=parts.detectable(wanted, k, n_seeds),
        n_seeds=n_seeds,
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
