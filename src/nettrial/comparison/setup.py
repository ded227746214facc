"""What a comparison is asked to do, checked once, before any model runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ..core.errors import InputError
from ..core.progress import Progress
from ..core.seeds import Stream, derive, freeze
from ..inference.choice import (
    BOOTSTRAP,
    HALVES,
    RERUNS,
    TestChoice,
    check_drawing,
    choose,
    choose_on_predictions,
)
from ..inference.margins import check_margin
from ..models.base import AnyModel
from ..network.canonical_order import Order, canonical_order
from ..network.communities import communities_in_order, effective_number
from ..network.network import Network
from ..replicates.base import ReplicateRunner, Replicates, Rerun
from ..replicates.blocks import Blocks
from ..replicates.halving_plan import plan_splits, seconds_of_budget
from ..replicates.kept_plan import BY_BUDGET, number_in
from ..splits.base import Design, Split
from ..splits.checks import check_extent
from ..stats.result import check_confidence
from ..store.inputs import describe_drawing
from ..store.units import Unit
from ..study.node_study import Predictions, run
from ..study.node_task import splits_of
from ..study.parallel import check_n_jobs
from ..study.records import Record
from ..study.study_plan import Plan
from ..study.task import Task
from ..study.tasks import CLASSES, task_for
from .analysis import Analysis, are_by_features, communities_for
from .joint_measures import are_several, check_enough_communities
from .options import Options
from .setup_checks import (
    check_models,
    check_prior_tests_with,
    check_retry,
    check_seeds,
    check_several,
    check_storable,
)

T = TypeVar("T")
AUTO = "auto"  # as many splits as pay
UNSAFE = re.compile(r"[^\w.+=-]+")  # in the name of a file


@dataclass(frozen=True, slots=True)
class Setup:
    """A comparison on one network with one proportion of labels, ready to run."""

    network: Network  # in canonical order
    models: dict[str, AnyModel]
    design: Design | Sequence[Split]
    splits: list[Split]
    analysis: Analysis
    options: Options  # as they were given; how the models are run
    task: Task  # what is predicted

    @classmethod
    def of(
        cls, network: Network, models: Sequence[Any] | Mapping[str, Any], options: Options
    ) -> Setup:
        """Check everything that can be checked before any model runs, see `compare`."""
        check_confidence(options.confidence)
        task = task_for(network, models)
        options.refuse_for(task)
        check_n_jobs(options.n_jobs)
        seconds_of_budget(options.budget)
        check_retry(options.retry, options.store)
        check_seeds(options.n_seeds, options.store)
        built = named_models(models, task)
        if options.positive is not None:
            network = network.one_against_rest(options.positive)
        task.check(network)
        entropy, given = freeze(options.seed), options_given(options)
        check_storable(task.measure(options.measure), options.store)
        check_models(tuple(built), options.control, task.listed)
        task.check_models(network, built)
        name, found, splits, labeled = task.divide(network, options.design, given, entropy)
        check_extent("compare", options.n_seeds * len(splits), network.labeled.size)
        settings = (
            task.seen(network, built, options.links_shown)
            | positive_note(options.positive)
            | ({"n_seeds": options.n_seeds} if options.n_seeds > 1 else {})
        )
        order = canonical_order(network)
        if order is not None:
            network = order.network
            splits = [split for split, _ in task.in_order(splits, order)]
            options = options.but(communities=communities_in_order(options.communities, order))
        analysis = _analysis(
            task,
            network,
            splits,
            tuple(built),
            options.but(labeled=labeled, seed=entropy),
            name,
            settings,
            order,
        )
        choice = choose(
            options.test,
            task,
            network,
            tuple(built.values()),
            analysis.pairs(tuple(built)),
            found,
            analysis.groups,
            cross_links=options.cross_links,
            n_replicates=options.n_replicates,
            measure=analysis.measure,
        )
        if are_by_features(network, options.communities, choice):
            analysis = analysis.with_features(network)
        if options.n_splits == AUTO and name == "rrs" and choice.name == BOOTSTRAP:
            choice = replace(choice, n_splits=len(splits))
        check_drawing(choice, analysis.groups, options.n_replicates)
        analysis = replace(analysis, choice=choice)
        setup = cls(network, built, found, splits, analysis, options.but(store=None), task)
        return setup.kept_in(options.store)

    def kept_in(self, store: str | PathLike[str] | None) -> Setup:
        """Return the same setup with a study file, which may tell the number of halvings."""
        analysis, choice = self.analysis, self.analysis.choice
        if choice.name == HALVES and not choice.n_replicates:
            choice = replace(choice, n_replicates=number_in(store))
        analysis = replace(analysis, choice=choice)
        return replace(self, options=self.options.but(store=store), analysis=analysis)

    def at(self, labeled: float) -> Setup:
        """Return the same setup with another proportion of labels."""
        design = copy(self.design)
        design.labeled = labeled  # type: ignore[union-attr]  # of a design with proportions
        splits = splits_of(design, self.network)
        self.task.check_defined(self.network, splits, self.analysis.measure)
        analysis = replace(self.analysis, labeled=labeled)
        return replace(self, design=design, splits=splits, analysis=analysis)

    def plan(self) -> Plan:
        """Return the units of work on the network itself."""
        entropy = derive(self.analysis.entropy, Stream.MODELS)
        return Plan(
            self.network,
            self.models,
            tuple(self.splits),
            entropy,
            self.options.cross_links,
            self.task,
        )

    def replicates(self, blocks: Blocks) -> Replicates[Any]:
        """Return the networks on which the models run again, of the network taken apart."""
        how = self.analysis
        again = Rerun(
            self.models,
            self.design if how.choice.name == BOOTSTRAP else self.splits,
            self.options.links_shown,
            how.measure,
            self.task,
            self.options.n_seeds,
        )
        return how.replicates(blocks, tuple(self.models), len(self.splits), again)

    def runner(self, progress: Progress, *, retry: bool = False) -> ReplicateRunner:
        """Return what runs the models on drawn networks, and keeps what comes of it."""
        plan, drawn, store = self.plan(), self.drawn(), self.options.store

        def records(units: Sequence[Unit]) -> Record:
            return plan.record(store, units, drawn=drawn, retry=retry)

        return ReplicateRunner(self.network, progress, self.options.n_jobs, records)

    def drawn(self) -> dict[str, Any] | None:
        """Describe the replicates that a study file will hold; None where it holds none.

        A file with other replicates is refused before the models run.
        """
        choice, how = self.analysis.choice, self.analysis
        if self.options.store is None or choice.name not in RERUNS:
            return None
        number = choice.n_replicates or BY_BUDGET
        seed = derive(how.entropy, Stream.REPLICATES)
        return describe_drawing(self.design, how.groups, how.measure.name, number, seed)

    def predictions_on(self, number: int) -> Predictions | None:
        """Run every model on more splits of the same sequence; those of `splits` come first.

        None where the measure is not defined on some of them.
        """
        design = copy(self.design)
        design.n_splits = number  # type: ignore[union-attr]  # of a design by name
        more = replace(self, splits=splits_of(design, self.network))
        try:
            self.task.check_defined(self.network, more.splits, self.analysis.measure)
        except InputError:
            return None
        return more.predictions(first=len(self.splits))

    def within(self, seconds: float) -> tuple[Setup, Predictions]:
        """Run every model; return the setup with the splits for which a budget had time.

        Halvings of the communities need time as well. Where the budget sets their number, and
        nobody that of the splits, `plan_splits` sets it when the first ones have been timed.
        """
        how, options, k = self.analysis, self.options, len(self.splits)
        fixed = options.store is not None or options.n_splits not in (None, AUTO)
        if (
            fixed
            or how.choice.name != HALVES
            or how.choice.n_replicates
            or not how.choice.independent
        ):
            return self, self.predictions()
        communities = effective_number(np.bincount(how.groups))

        def number(one: float) -> int:
            fits = seconds / max(one * options.n_seeds, 1e-9)
            return plan_splits(fits, k=k, communities=communities)

        found = self.predictions(number=number)
        ran = len(found.splits)
        if ran == k:
            return self, found
        reason = f"{how.choice.reason} The budget left time for {ran} splits in place of {k}."
        analysis = replace(how, choice=replace(how.choice, reason=reason))
        return replace(self, splits=self.splits[:ran], analysis=analysis), found

    def predictions(
        self, first: int | None = None, number: Callable[[float], int] | None = None
    ) -> Predictions:
        """Run every model on every split, with every training seed.

        `first` of the splits are those with which a study file was begun, by default all. `number`
        gives how many run by the seconds that one takes, by default all.
        """
        entropy = self.analysis.entropy
        more = (derive(entropy, Stream.MODELS, number) for number in range(1, self.options.n_seeds))
        seeds = chain([derive(entropy, Stream.MODELS)], more)
        found = self._run(next(seeds), first, number)
        same = replace(self, splits=self.splits[: len(found.splits)])
        return replace(found, reseeded=tuple(same._run(seed, first) for seed in seeds))

    def _run(
        self, seed: int, first: int | None, number: Callable[[float], int] | None = None
    ) -> Predictions:
        """Run every model on every split with one training seed."""
        return run(
            self.network,
            self.models,
            self.splits,
            seed=seed,
            n_jobs=self.options.n_jobs,
            cross_links=self.options.links_shown,
            store=self.options.store,
            retry=self.options.retry,
            analysis=self.analysis.to_dict(),
            drawn=self.drawn(),
            progress=self.options.progress,
            task=self.task,
            first=first,
            number=number,
        )


def study_in(folder: str | PathLike[str] | None, name: str) -> Path | None:
    """Return the study file of one condition of several in a folder; None without a folder."""
    if folder is None:
        return None
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"{place} cannot be a folder of study files, one for each network or proportion of "
            f"labels ({error.strerror or error})",
            parameter="store",
            hint="name another",
        ) from error
    return place / (UNSAFE.sub("_", name) + ".nettrial")


def analysis_of(
    predictions: Predictions,
    options: Options,
    *,
    design: str = "given",
    settings: Mapping[str, Any] | None = None,
    order: Order | None = None,
) -> Analysis:
    """Check how predictions are to be judged that were made before, see `compare_predictions`."""
    task, network = predictions.task, predictions.network
    analysis = _analysis(
        task,
        network,
        predictions.splits,
        predictions.models,
        options,
        design,
        settings or {},
        order,
    )
    choice = choose_on_predictions(options.test, task, network, analysis.groups, analysis.measure)
    return replace(analysis, choice=choice)


def _analysis(
    task: Task,
    network: Network,
    splits: Sequence[Any],
    names: tuple[str, ...],
    options: Options,
    design: str,
    settings: Mapping[str, Any],
    order: Order | None,
) -> Analysis:
    """Check how predictions are to be judged; the choice of the test is left open."""
    check_confidence(options.confidence)
    check_prior_tests_with(options.n_prior_tests, options.measures)
    control = check_models(names, options.control, task.listed)
    what, entropy = task.measure(options.measure), freeze(options.seed)
    check_margin(options.margin, what, options.confidence)
    check_several(task, options.measures)
    task.check_defined(network, splits, what)
    groups = communities_for(task.linked(network, design), options.communities, entropy)
    if are_several(options.measures):
        check_enough_communities(options.measures, len(names), groups, splits)
    return Analysis(
        design=design,
        labeled=options.labeled,
        communities=options.communities,
        groups=groups,
        measure=what,
        measures=tuple(options.measures),
        control=control,
        q=options.q,
        confidence=options.confidence,
        choice=TestChoice("", "", False),
        entropy=entropy,
        settings=dict(settings),
        n_prior_tests=options.n_prior_tests,
        margin=options.margin,
        order=order,
    )


def positive_note(positive: Hashable | None) -> dict[str, str]:
    """Return which class was taken against all others."""
    return {} if positive is None else {"positive": str(positive)}


def named_models(given: Sequence[Any] | Mapping[str, Any], task: Task = CLASSES) -> dict[str, Any]:
    """Build models by names of their own: as they were given, are listed, or what they are called.

    Examples
    --------
    >>> list(named_models({"first": "wvrn", "second": "wvrn"}))
    ['first', 'second']
    >>> list(named_models(["wvrn", "wvRN"]))
    ['wvrn', 'wvrn (2)']
    """
    models: dict[str, Any] = {}
    pairs = given.items() if isinstance(given, Mapping) else ((None, one) for one in given)
    for called, one in pairs:
        named = task.listed(one) if isinstance(one, str) else one
        model = task.model(named)
        name = named if isinstance(named, str) else getattr(model, "name", type(model).__name__)
        name = name if called is None else called
        chosen, number = name, 2
        while chosen in models:
            chosen, number = f"{name} ({number})", number + 1
        models[chosen] = model
    return models


def options_given(options: Options) -> dict[str, Any]:
    """Return the options of a design that were given."""
    given = {"labeled": options.labeled, "n_splits": options.n_splits}
    return {name: value for name, value in given.items() if value not in (None, AUTO)}
