"""Halves of the communities of a network, and what models do there on the network's own splits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ..core.clock import Clock
from ..core.errors import InputError
from ..core.option_names import option
from ..core.progress import Progress
from ..core.seeds import Stream, derive
from ..core.wording import df_text
from ..metrics.measures import Measure
from ..network.communities import effective_number
from ..network.network import Network
from ..splits.base import Design, Split
from ..store.units import Unit
from ..study.records import MemoryRecord
from ..study.task import Task
from .base import Budget, DrawnSet, ReplicateRunner, Replicates, Rerun, run_quietly, units_of
from .blocks import BootstrapError
from .by_community import values_of
from .half_sample_variance import HalfSampleVariance, spread_of_halves
from .halving import halve, part_network, restricted
from .halving_plan import MOST, WORTH, HalvingPlan, plan_halvings
from .kept_plan import agreed, kept_plan, plan_to_read, too_long
from .replicate import Replicate

Floats = NDArray[np.float64]
SET = 0  # the one set of drawn networks in a study file
TRIES, QUICK = 2, 0.05  # times that halvings are timed, where that takes 5% of what is left
THREADS = 1.3  # cores that are kept busy by more than one thread


class HalfSampleScores(NamedTuple):
    """What models did on both parts of every halving."""

    # shape (n_halvings, 2, n_models, n_splits): the measure; NaN where a split leaves a part
    # without training or test nodes
    values: Floats
    shares: Floats  # shape (n_halvings,): share of the nodes in the first part


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts(DrawnSet[HalfSampleScores]):
    """The parts of halvings; part 2 h + s is side s of halving h. Splits take turns in halvings."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The measure of every model on every split."""
        return (self.n_models * self.n_splits,)

    def name(self, number: int) -> str:
        return f"halving {number // 2}, part {number % 2}"

    def turn(self, number: int, n_splits: int) -> list[int]:
        """Return which splits of the network a part uses."""
        first = number // 2 * self.n_splits
        return [i % n_splits for i in range(first, first + self.n_splits)]

    def drawn(
        self, network: Network, splits: Sequence[Split], number: int
    ) -> tuple[Replicate, list[Split]]:
        """Draw a part, and return it with the splits that it uses, without nodes outside."""
        halving, side = divmod(number, 2)
        part = halve(self.blocks.sizes, self.seed, halving)[side]
        drawn = part_network(network, self.blocks, part, self.seed, number)
        turn = [splits[i] for i in self.turn(number, len(splits))]
        return drawn, restricted(turn, drawn.origin, network.n_nodes)

    def row(self, network: Network, rerun: Rerun, number: int) -> Floats:
        """Draw a part, and run the models on it; the mean over several training seeds."""
        assert not isinstance(rerun.divided, Design)  # noqa: S101 - they divide this network alone
        drawn, splits = self.drawn(network, rerun.divided, number)
        usable = [
            i
            for i, each in enumerate(splits)
            if is_usable(drawn.network, each, rerun.measure, rerun.task)
        ]
        found = np.full((self.n_models, len(splits)), np.nan)
        if usable:
            some = [splits[i] for i in usable]
            seeds = [(), *((seed,) for seed in range(1, rerun.n_seeds))]
            with run_quietly():
                runs = [
                    rerun.on(
                        drawn.network,
                        some,
                        derive(self.seed, number, Stream.REPLICATE_MODELS, *more),
                    )
                    for more in seeds
                ]
            values = [values_of(each, rerun.measure, drawn.origin) for each in runs]
            found[:, usable] = np.mean(values, axis=0)
        return found.ravel()

    def found(self, rows: Floats) -> HalfSampleScores:
        """Return what models did on the parts."""
        n_halvings, sizes = len(rows) // 2, self.blocks.sizes
        values = rows.reshape(n_halvings, 2, self.n_models, self.n_splits)
        # what cannot be used in one part is not used in the other one either
        values = np.where(np.isnan(values).any(axis=(1, 2), keepdims=True), np.nan, values)
        unusable = int(np.isnan(values).all(axis=(1, 2, 3)).sum())
        if unusable:
            raise BootstrapError(
                f"halves: {unusable:,} of {n_halvings:,} halvings of the communities leave a part "
                "without training or test nodes (or test nodes of two classes) in every split; "
                "use communities with more labels, a network with more of them, or more labeled "
                "nodes for training"
            )
        first = [halve(sizes, self.seed, number)[0] for number in range(n_halvings)]
        return HalfSampleScores(
            values, np.array([sizes[part].sum() / sizes.sum() for part in first])
        )


def is_usable(network: Network, split: Split, measure: Measure, task: Task) -> bool:
    """Return whether a part has training and test nodes, and the measure a meaning there."""
    if not split.train.size or not split.test.size:
        return False
    try:
        task.check_defined(network, [split], measure)
    except InputError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class HalfSamples(Replicates[HalfSampleScores]):
    """Random halves of the communities, as many as the plan says."""

    plan: HalvingPlan  # without halvings where a budget is to set their number

    @property
    def n_replicates(self) -> int:
        return self.plan.n_halvings

    @property
    def title(self) -> str:
        """What is planned."""
        return self.plan.note()

    @property
    def note(self) -> str:
        """What was run, and what twice the budget would bring."""
        return self.plan.account(len(self.names))

    def rounds(self) -> tuple[list[Unit], ...]:
        """Return the parts of halvings as units of work."""
        return (units_of(SET, 2 * self.plan.n_halvings),)

    def sets(self, number: int, found: Mapping[int, HalfSampleScores]) -> list[Parts]:
        return [
            Parts(
                place=SET,
                size=2 * self.plan.n_halvings,
                blocks=self.blocks,
                n_models=len(self.names),
                n_splits=self.plan.n_splits,
                seed=derive(self.seed, Stream.BOOTSTRAP_HALVES),
                rerun=self.rerun,
            )
        ]

    def variances(
        self, own: Floats, found: Mapping[int, HalfSampleScores]
    ) -> dict[tuple[str, str], HalfSampleVariance]:
        """Return the variance of every pair, and of every model alone."""
        values, shares = found[SET]
        sizes, names = self.blocks.sizes.astype(float), self.names

        def spread(on_parts: Floats, on_network: Floats) -> HalfSampleVariance:
            return spread_of_halves(
                on_parts, shares, on_network, sizes, independent=self.independent
            )

        return {
            (names[i], names[j]): spread(values[:, :, i] - values[:, :, j], own[i] - own[j])
            for i, j in self.pairs
        } | {(name, ""): spread(values[:, :, i], own[i]) for i, name in enumerate(names)}

    def planned(self, budget: Budget, network: Network, n_jobs: int | None) -> Self:
        """Return the same with as many halvings as a budget allows, or as a study file holds."""
        plan = self._agreed(budget, network, n_jobs)
        if not plan.n_halvings:
            raise too_long(plan)
        return replace(self, plan=plan._replace(n_seeds=self.plan.n_seeds))

    def as_stored(self, store: Any) -> Self:
        """Return the same with the plan that a study file holds."""
        return self if self.plan.n_halvings else replace(self, plan=plan_to_read(store))

    def _agreed(self, budget: Budget, network: Network, n_jobs: int | None) -> HalvingPlan:
        store = budget.store
        if store is None:
            return self._fitting(budget, network, n_jobs)
        found = kept_plan(store)
        if found is None or not found.n_halvings:
            found = agreed(store, self._fitting(budget, network, n_jobs))
        return found

    def _fitting(self, budget: Budget, network: Network, n_jobs: int | None) -> HalvingPlan:
        """Time halvings, and plan as many as fit; what does not fit is a plan without any."""
        from joblib import effective_n_jobs

        k, more, workers = self.n_splits, 0, effective_n_jobs(n_jobs)
        left, per_split = budget.seconds - budget.spent, budget.per_split
        if MOST * k * per_split > left:
            # what ran on the network may have been compiled or loaded first: one halving tells, or
            # as many as keep all workers busy, with splits that take a small part of what is left;
            # where these are quick, so may they, and others tell better
            number = max(1, workers // 2)
            for _ in range(TRIES):
                r = max(1, min(k, int(QUICK * left / (number * per_split))))
                clock = Clock()
                seconds, ran = self._try(network, n_jobs, number, r)
                took, busy = seconds / workers, clock.cores()
                left -= took
                per_split = min(per_split, took / (number * r)) if ran else per_split
                if took > QUICK * left:
                    break
            more = more_workers(workers, busy)
        plan = plan_halvings(
            left,
            per_split,
            k=k,
            communities=effective_number(self.blocks.sizes),
            noise=budget.noise,
            budget=budget.seconds,
            whole=not self.independent,
        )
        if not budget.forced and plan.seconds > max(budget.seconds, budget.spent):
            return plan._replace(n_halvings=0)
        return plan._replace(more_workers=more)

    def _try(
        self, network: Network, n_jobs: int | None, n_halvings: int, n_splits: int
    ) -> tuple[float, bool]:
        """Run all models on some halvings and splits; return seconds, and if all could be used."""
        kept: list[MemoryRecord] = []

        def records(units: Sequence[Unit]) -> MemoryRecord:
            kept.append(MemoryRecord(units))
            return kept[-1]

        tried = replace(self, plan=HalvingPlan(n_halvings, n_splits))
        with Progress("", total=2 * n_halvings, enabled=False) as bar:
            runner = ReplicateRunner(network, bar, n_jobs, records)
            rows = [runner(each) for each in tried.sets(0, {})]
        seconds = sum(sum(record.seconds().values()) for record in kept)
        return seconds, not np.isnan(rows).any()

    def shortfall(self, least: float) -> str:
        """Return that few degrees of freedom are expected, and what brings more."""
        plan, most = self.plan, effective_number(self.blocks.sizes) - 1
        if not plan.df < least:
            return ""
        expected = f"{plan.note()} are expected to leave {df_text(plan.df)} degrees of freedom"
        if most < least:
            return (
                f"{expected}: the communities weigh as {most + 1:.1f} of equal size, and no budget "
                f"brings {least:g}; larger networks, or several of them (across), do"
            )
        fewer = f", fewer models or {option('control')}" if len(self.names) > 2 else ""
        twice = ""
        if plan.df_at_twice > WORTH * plan.df:
            twice = f"; twice the budget brings about {df_text(plan.df_at_twice)}"
        return (
            f"{expected}, and a verdict takes {least:g}: give a much larger "
            f"{option('budget')}{fewer}{twice}"
        )


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
