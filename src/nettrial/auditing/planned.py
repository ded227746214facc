"""What a plan stands on: components of variance, from drawn networks or from halves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..comparison.judge import run_and_judge
from ..comparison.notes import communities_note, versions
from ..comparison.options import Options
from ..comparison.pair import settings_of
from ..comparison.setup import Setup
from ..core.errors import InputError, SlowWarning, warn_user
from ..core.progress import Progress
from ..core.seeds import Seed
from ..core.wording import duration, plural
from ..inference.choice import BOOTSTRAP, HALVES
from ..inference.community_bootstrap import community_warnings
from ..inference.community_halves import spread_on_halves
from ..inference.variance_sources import Effects, Sources, effects_of
from ..models.base import AnyModel
from ..network.communities import effective_number
from ..network.network import Network
from ..replicates.half_samples import HalfSamples
from ..replicates.halving_plan import seconds_of_budget
from ..splits.checks import training_size
from ..study.tasks import task_of
from .audit import worsened
from .components import Components
from .handicaps import HANDICAPS
from .source import Source
from .time_budget import refuse_slow, seconds_of

SIZES = (1, 2, 4, 8)
RATES = (0.1, 0.2, 0.3, 0.5)
DRAWN = (200, 100, 50, 20)  # networks of each size; few numbers, so that plans repeat


class Planned(NamedTuple):
    """What a plan stands on."""

    test: str  # whose power it is
    models: tuple[str, str]
    parts: Mapping[tuple[int, float], Components]  # by size, in networks, and proportion of labels
    n_replicates: int  # drawn networks of each, or halvings
    seed: int
    warnings: tuple[Warning, ...]
    settings: Mapping[str, Any]
    sources: tuple[Sources, ...] = ()  # where the variance comes from, where that is known


def by_drawn_networks(
    network: Network,
    a: str | AnyModel,
    b: str | AnyModel,
    *,
    difference: float,
    labeled: float,
    n_splits: int,
    communities: str | ArrayLike,
    n_replicates: int | None,
    budget: str | float,
    limit: float,
    seed: Seed,
    progress: bool | None,
) -> Planned:
    """Run both models on networks of several sizes that are drawn with replacement."""
    source = Source.of(network, a, b, communities, seed)
    rates = tuple(sorted({*RATES, float(labeled)}))
    _check_rates(rates, network.labeled.size)
    few: dict[str, Any] = {"labeled": labeled, "n_splits": n_splits}
    seconds = seconds_of_budget(budget)
    one = seconds_of(lambda: source.rates(np.zeros((1, 2)), 0, n_replicates=1, **few))
    each = 2 * one * len(rates) * sum(SIZES)
    slow: tuple[Warning, ...] = ()
    if n_replicates is None:
        n_replicates = next((n for n in DRAWN if each * n <= seconds), DRAWN[-1])
        if each * n_replicates > seconds:
            slow = (_beyond(f"{n_replicates} networks of each size and proportion", seconds),)
    refuse_slow("plan", each * n_replicates, limit, "use fewer replicates or splits")
    for warning in slow:
        warn_user(warning)
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
                what = f"plan, at {rate:.0%} labeled"
                chances, scale = worsened(what, network, errors, (difference,))
                drawn = source.rates(chances, place + 1, **few)[:, 0] / scale
                parts[multiple, rate] = Components.of(drawn[:, 0] - drawn[:, 1], sizes, multiple)
    group = source.blocks.community.astype(np.int32)
    first, second = source.models
    return Planned(
        BOOTSTRAP,
        (first, second),
        parts,
        n_replicates,
        source.entropy,
        (*community_warnings(group), *slow),
        communities_note(source.by, group, source.network, source.entropy)
        | {
            "effective_communities": effective_number(sizes),
            "compiled": source.pair is not None,
            "versions": versions(),
        },
    )


def _beyond(fewest: str, seconds: float) -> SlowWarning:
    """Return what is said where the fewest runs take longer than the budget."""
    return SlowWarning(
        f"{fewest}, the fewest that are run, take longer than the budget of {duration(seconds)}"
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
                f"network has {size:,} labeled nodes, and {rate:.0%} of them leave no training or "
                "no test node; use a network with more labeled nodes"
            ) from error


def by_halves(
    network: Network,
    a: str | AnyModel,
    b: str | AnyModel,
    *,
    labeled: float,
    n_splits: int,
    n_seeds: int,
    communities: str | ArrayLike,
    n_replicates: int | None,
    budget: str | float,
    seed: Seed,
    progress: bool | None,
) -> Planned:
    """Run both models as ``compare(test="halves")`` does, and take its variance apart."""
    options = Options(
        labeled=labeled,
        n_splits=n_splits,
        communities=communities,
        test=HALVES,
        n_replicates=n_replicates,
        budget=budget,
        n_seeds=n_seeds,
        seed=seed,
        progress=progress,
    )
    setup = Setup.of(network, (a, b), options)
    judgment = run_and_judge([setup])[0]
    found, scores = judgment.evidence[0], judgment.scores
    first, second = scores.by_seed
    own = first - second
    effects = (
        effects_of(own)
        if n_seeds > 1
        else Effects(float(own.mean(axis=1).var(ddof=1)), 0.0)  # seeds are part of the splits
    )
    details, halves = judgment.tests[0].details, found.ran_again().replicates
    assert isinstance(halves, HalfSamples)  # noqa: S101 - the test is that by halves
    slow = halves.plan.seconds > halves.plan.budget
    sizes = np.bincount(judgment.analysis.groups).astype(float)
    now = Components.of_halves(spread_on_halves(found), effects, n_splits, n_seeds, sizes)
    now = now.of_shares(HANDICAPS[task_of(network).name].unit(scores.values.mean(axis=1)))
    ran = ("n_halvings", "fits", "budget_seconds", "effective_communities")
    return Planned(
        HALVES,
        (found.a, found.b),
        {(multiple, float(labeled)): now.times(multiple) for multiple in SIZES},
        judgment.analysis.choice.n_replicates,
        judgment.analysis.entropy,
        judgment.warnings()
        + (_beyond(plural(halves.plan.n_halvings, "halving"), halves.plan.budget),) * slow,
        settings_of(setup.network, judgment.analysis)
        | {name: details[name] for name in ran}
        | {"splits_of_a_halving": details["n_splits"]},
        judgment.sources(),
    )
