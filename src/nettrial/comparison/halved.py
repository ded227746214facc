"""Running the models of a comparison again on halves of the communities, within a budget."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from ..core.errors import AssumptionWarning, warn_user
from ..core.option_names import option
from ..core.progress import Progress
from ..core.seeds import Stream, derive
from ..core.wording import df_text
from ..inference.outcome import FEWEST_DEGREES
from ..inference.scores import Scores
from ..network.communities import effective_number
from ..replicates.blocks import Blocks
from ..replicates.half_samples import HalvesTrial, run_on_halves
from ..replicates.halving_plan import MOST, HalvingPlan, plan_halvings
from ..replicates.kept_plan import agreed, kept_plan, seconds_on_network, too_long
from ..replicates.replicate_runs import Records
from ..replicates.rerun_results import WORTH, Halved
from ..study.records import MemoryRecord
from .analysis import Analysis
from .setup import Setup

TRIES, QUICK = 2, 0.05  # times that halvings are timed, where that takes 5% of what is left
THREADS = 1.3  # cores that are kept busy by more than one thread
Pairs: TypeAlias = Sequence[tuple[int, int]]


def halves_seed(analysis: Analysis) -> int:
    """Return the seed of halvings and of what is run on them."""
    return derive(derive(analysis.entropy, Stream.REPLICATES), Stream.BOOTSTRAP_HALVES)


def halves_trial(setup: Setup, blocks: Blocks) -> HalvesTrial:
    """Return what is halved, and what runs on the parts."""
    return HalvesTrial(
        blocks,
        tuple(setup.models.values()),
        tuple(setup.models),
        tuple(setup.splits),
        len(setup.splits),
        setup.options.links_shown,
        setup.analysis.measure,
        halves_seed(setup.analysis),
        setup.options.n_seeds,
    )


def run_halved(
    setup: Setup,
    scores: Scores,
    blocks: Blocks,
    pairs: Pairs,
    records: Records,
    spent: float,
    budget: float,
) -> Halved:
    """Run all models on as many halvings as were asked for, or as the budget allows.

    Parameters
    ----------
    setup : Setup
    scores : Scores
        Of the models on the network itself.
    blocks : Blocks
        The network taken apart.
    pairs : sequence of (int, int)
    records : callable
        Gives what keeps the outcomes of units.
    spent, budget : float
        Seconds that the models took on the network, and that both may take together.

    Raises
    ------
    BootstrapError
        Where no split can be used; where the user did not name the test, and the fewest halvings
        would take longer than the budget and than the models took on the network itself.
    """
    choice = setup.analysis.choice
    trial = halves_trial(setup, blocks)
    plan = HalvingPlan(choice.n_replicates, len(setup.splits))
    if not choice.n_replicates:
        plan = _planned(setup, trial, _noise(scores, blocks, pairs), spent, budget)
        if not plan.n_halvings:
            raise too_long(plan)
    if plan.df < FEWEST_DEGREES:
        warn_user(AssumptionWarning(_few_expected(plan, blocks, len(setup.models))))
    plan = plan._replace(n_seeds=setup.options.n_seeds)
    total = 2 * plan.n_halvings
    with Progress(plan.note(), total=total, enabled=setup.options.progress) as bar:
        found = run_on_halves(
            setup.network,
            replace(trial, n_splits=plan.n_splits),
            n_halvings=plan.n_halvings,
            records=records,
            n_jobs=setup.options.n_jobs,
            progress=bar,
        )
    return Halved.of(
        found, scores.values, scores.models, pairs, blocks, plan, independent=choice.independent
    )


def _few_expected(plan: HalvingPlan, blocks: Blocks, n_models: int) -> str:
    """Return that few degrees of freedom are expected, and what brings more."""
    most = effective_number(blocks.sizes) - 1
    expected = f"{plan.note()} are expected to leave {df_text(plan.df)} degrees of freedom"
    if most < FEWEST_DEGREES:
        return (
            f"{expected}: the communities weigh as {most + 1:.1f} of equal size, and no budget "
            f"brings {FEWEST_DEGREES:g}; larger networks, or several of them (across), do"
        )
    fewer = f", fewer models or {option('control')}" if n_models > 2 else ""
    twice = ""
    if plan.df_at_twice > WORTH * plan.df:
        twice = f"; twice the budget brings about {df_text(plan.df_at_twice)}"
    return (
        f"{expected}, and a verdict takes {FEWEST_DEGREES:g}: give a much larger "
        f"{option('budget')}{fewer}{twice}"
    )


def _planned(
    setup: Setup, trial: HalvesTrial, noise: float, spent: float, budget: float
) -> HalvingPlan:
    """Plan halvings, see `run_halved`, or follow the plan that a study file holds.

    What does not fit is a plan without halvings.
    """
    from joblib import effective_n_jobs

    workers = effective_n_jobs(setup.options.n_jobs)
    if setup.options.store is None:
        return _fitting(setup, trial, noise, spent, budget, workers)
    found = kept_plan(setup.options.store)
    if found is None or not found.n_halvings:
        # what an earlier run left in the file takes no time now
        before = seconds_on_network(setup.options.store) / workers
        found = _fitting(setup, trial, noise, max(spent, before), budget, workers)
        found = agreed(setup.options.store, found)
    return found


def _fitting(
    setup: Setup, trial: HalvesTrial, noise: float, spent: float, budget: float, workers: int
) -> HalvingPlan:
    k, more = len(setup.splits), 0
    left, per_split = budget - spent, spent / k
    if MOST * k * per_split > left:
        # what ran on the network may have been compiled or loaded first: one halving tells, or as
        # many as keep all workers busy; where these are quick, so may they, and others tell better
        number = max(1, workers // 2)
        for _ in range(TRIES):
            begin, used = time.perf_counter(), time.process_time()
            _try(setup, trial, number)
            took, used = time.perf_counter() - begin, time.process_time() - used
            left, per_split = left - took, min(per_split, took / (number * k))
            if took > QUICK * left:
                break
        more = more_workers(workers, used / took)
    plan = plan_halvings(
        left,
        per_split,
        k=k,
        communities=effective_number(trial.blocks.sizes),
        noise=noise,
        budget=budget,
        whole=not setup.analysis.choice.independent,
    )
    if not setup.analysis.choice.forced and plan.seconds > max(budget, spent):
        return plan._replace(n_halvings=0)
    return plan._replace(more_workers=more)


def more_workers(workers: int, busy: float) -> int:
    """Return twice as many workers where this machine has cores for them that do nothing; else 0.

    Parameters
    ----------
    workers : int
        That ran; one is this process itself.
    busy : float
        Cores that this process kept busy.
    """
    from joblib import cpu_count

    idle = 2 * workers <= cpu_count() and (workers > 1 or busy < THREADS)
    return 2 * workers if idle else 0


def _try(setup: Setup, trial: HalvesTrial, n_halvings: int) -> None:
    """Run all models on some halvings with all splits."""
    with Progress("", total=2 * n_halvings, enabled=False) as bar:
        run_on_halves(
            setup.network,
            trial,
            n_halvings=n_halvings,
            records=MemoryRecord,
            n_jobs=setup.options.n_jobs,
            progress=bar,
        )


def _noise(scores: Scores, blocks: Blocks, pairs: Pairs) -> float:
    """Return the variance between splits in units of that of the mean, the largest of all pairs.

    The latter is not known yet; that of sums over communities stands for it.
    """
    k, found = scores.values.shape[1], [0.0]
    groups = blocks.community[scores.nodes]
    for i, j in pairs:
        splits = float((scores.values[i] - scores.values[j]).var(ddof=1))
        clustered, _ = scores.over_communities(scores.means[i] - scores.means[j], groups)
        found.append(splits / max(clustered, splits / k, 1e-300))
    return max(found)
