"""What a comparison is asked to do, checked once, before any model runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, shown, unknown_choice
from ..core.option_names import option
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
from ..inference.estimates import check_q
from ..inference.margins import check_margin
from ..metrics.measures import Measure, measure_of
from ..metrics.regression import LARGEST
from ..models.adapted import as_model, check_predicts
from ..models.base import AnyModel
from ..models.names import listed_name
from ..network.network import Network
from ..network.summary import check_classes
from ..replicates.base import ReplicateRunner, Replicates, Rerun
from ..replicates.blocks import Blocks
from ..replicates.halving_plan import seconds_of_budget
from ..replicates.kept_plan import BY_BUDGET, number_in
from ..splits.base import Design, Split
from ..splits.checks import MOST, check_count, check_extent
from ..splits.given import given_splits
from ..splits.names import by_name as design_by_name
from ..splits.names import listed_design
from ..splits.names import options as design_options
from ..stats.result import check_confidence
from ..store.inputs import describe_drawing
from ..store.units import Unit
from ..study.measured import check_defined, kind_of
from ..study.node_study import Plan, Predictions, run
from ..study.parallel import check_n_jobs
from ..study.records import Record
from .analysis import Analysis, are_by_features, communities_for
from .joint_measures import Loss, are_several, check_enough_communities
from .options import Options
from .prior_tests import check_prior_tests

T = TypeVar("T")
UNSAFE = re.compile(r"[^\w.+=-]+")  # in the name of a file


@dataclass(frozen=True, slots=True)
class Setup:
    """A comparison on one network with one proportion of labels, ready to run.

    Attributes
    ----------
    network : Network
    models : dict of str to Model
    design : Design or sequence of Split
    splits : list of Split
    analysis : Analysis
    options : Options
        As they were given; how the models are run.
    """

    network: Network
    models: dict[str, AnyModel]
    design: Design | Sequence[Split]
    splits: list[Split]
    analysis: Analysis
    options: Options

    @classmethod
    def of(cls, network: Network, models: Sequence[Any], options: Options) -> Setup:
        """Check everything that can be checked before any model runs, see `compare`.

        Raises
        ------
        InputError
            For whatever cannot be used.
        """
        check_confidence(options.confidence)
        check_q(options.q)
        check_n_jobs(options.n_jobs)
        check_prior_tests_with(options.n_prior_tests, options.measures)
        seconds_of_budget(options.budget)
        check_retry(options.retry, options.store)
        check_network(network)
        check_seeds(options.n_seeds, options.store)
        built = named_models(models)
        if options.positive is not None:
            network = network.one_against_rest(options.positive)
        check_comparable(network)
        entropy, what = freeze(options.seed), measure_of(options.measure, kind_of(network))
        check_margin(options.margin, what, options.confidence)
        check_several(network, options.measures)
        check_storable(what, options.store)
        control = check_models(tuple(built), options.control, listed_name)
        check_predicts(network, built)
        name, found = resolve_design(options, entropy)
        splits = splits_of(found, network)
        check_extent("compare", options.n_seeds * len(splits), network.labeled.size)
        check_defined(network, splits, what)
        groups = communities_for(network, options.communities, entropy)
        if are_several(options.measures):
            check_enough_communities(options.measures, len(built), groups, splits)
        analysis = Analysis(
            design=name,
            labeled=getattr(found, "labeled", None),
            communities=options.communities,
            groups=groups,
            measure=what,
            measures=tuple(options.measures),
            control=control,
            q=options.q,
            confidence=options.confidence,
            choice=TestChoice("", "", False),
            entropy=entropy,
            settings={"cross_links": options.cross_links}
            | positive_note(options.positive)
            | ({"n_seeds": options.n_seeds} if options.n_seeds > 1 else {}),
            n_prior_tests=options.n_prior_tests,
            margin=options.margin,
        )
        choice = choose(
            options.test,
            network,
            tuple(built.values()),
            analysis.pairs(tuple(built)),
            found,
            cross_links=options.cross_links,
            n_replicates=options.n_replicates,
            measure=what,
        )
        if are_by_features(network, options.communities, choice):
            analysis = analysis.with_features(network)
        check_drawing(choice, analysis.groups, options.n_replicates)
        analysis = replace(analysis, choice=choice)
        setup = cls(network, built, found, splits, analysis, options.but(store=None))
        return setup.kept_in(options.store)

    def kept_in(self, store: str | PathLike[str] | None) -> Setup:
        """Return the same setup with a study file, which may tell the number of halvings."""
        analysis, choice = self.analysis, self.analysis.choice
        if choice.name == HALVES and not choice.n_replicates:
            choice = replace(choice, n_replicates=number_in(store))
        analysis = replace(analysis, choice=choice)
        return replace(self, options=self.options.but(store=store), analysis=analysis)

    def at(self, labeled: float) -> Setup:
        """Return the same setup with another proportion of labels.

        Raises
        ------
        InputError
            Where the network cannot be split so, or the measure is not defined on a test set.
        """
        design = copy(self.design)
        design.labeled = labeled  # type: ignore[union-attr]  # of a design with proportions
        splits = splits_of(design, self.network)
        check_defined(self.network, splits, self.analysis.measure)
        analysis = replace(self.analysis, labeled=labeled)
        return replace(self, design=design, splits=splits, analysis=analysis)

    def plan(self) -> Plan:
        """Return the units of work on the network itself."""
        entropy = derive(self.analysis.entropy, Stream.MODELS)
        return Plan(
            self.network, self.models, tuple(self.splits), entropy, self.options.cross_links
        )

    def replicates(self, blocks: Blocks) -> Replicates[Any]:
        """Return the networks on which the models run again, of the network taken apart."""
        how = self.analysis
        again = Rerun(
            self.models,
            self.design if how.choice.name == BOOTSTRAP else self.splits,
            self.options.cross_links,
            how.measure,
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

    def predictions(self) -> Predictions:
        """Run every model on every split, with every training seed."""
        entropy = self.analysis.entropy
        more = (derive(entropy, Stream.MODELS, number) for number in range(1, self.options.n_seeds))
        first, *others = map(self._run, (derive(entropy, Stream.MODELS), *more))
        return replace(first, reseeded=tuple(others))

    def _run(self, seed: int) -> Predictions:
        """Run every model on every split with one training seed."""
        return run(
            self.network,
            self.models,
            self.splits,
            seed=seed,
            n_jobs=self.options.n_jobs,
            cross_links=self.options.cross_links,
            store=self.options.store,
            retry=self.options.retry,
            analysis=self.analysis.to_dict(),
            drawn=self.drawn(),
            progress=self.options.progress,
        )


def study_in(folder: str | PathLike[str] | None, name: str) -> Path | None:
    """Return the study file of one condition of several in a folder; None without a folder.

    Raises
    ------
    InputError
        Where the folder cannot be made, or is a file.
    """
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
) -> Analysis:
    """Check how predictions are to be judged that were made before, see `compare_predictions`."""
    check_confidence(options.confidence)
    check_q(options.q)
    check_prior_tests_with(options.n_prior_tests, options.measures)
    check_models(predictions.models, options.control)
    network, entropy = predictions.network, freeze(options.seed)
    what = measure_of(options.measure, kind_of(network))
    check_margin(options.margin, what, options.confidence)
    check_several(network, options.measures)
    groups = communities_for(network, options.communities, entropy)
    if are_several(options.measures):
        check_enough_communities(
            options.measures, len(predictions.models), groups, predictions.splits
        )
    return Analysis(
        design=design,
        labeled=options.labeled,
        communities=options.communities,
        groups=groups,
        measure=what,
        measures=tuple(options.measures),
        control=options.control,
        q=options.q,
        confidence=options.confidence,
        choice=choose_on_predictions(options.test, network, what),
        entropy=entropy,
        settings=dict(settings or {}),
        n_prior_tests=options.n_prior_tests,
        margin=options.margin,
    )


def positive_note(positive: Hashable | None) -> dict[str, str]:
    """Return which class was taken against all others."""
    return {} if positive is None else {"positive": str(positive)}


def check_retry(retry: bool, store: str | PathLike[str] | None) -> None:
    """Refuse to run again what failed where nothing tells what that was."""
    if retry and store is None:
        raise InputError(
            parameter="retry",
            expected=f"{option('store')} beside it, the study file whose runs failed",
        )


def check_storable(measure: Measure, store: str | PathLike[str] | None) -> None:
    """Refuse to store a study whose measure is a function."""
    if measure.is_custom and store is not None:
        raise InputError(
            f"a study file cannot hold the function that is the measure {shown(measure.name)}",
            parameter="store",
            hint=f"leave {option('store')} out, or store a study of a measure by name and "
            "compare its stored predictions by the function",
        )


def check_seeds(n_seeds: int, store: str | PathLike[str] | None) -> None:
    """Refuse a number of training seeds that cannot be run, or kept."""
    check_count("compare", "n_seeds", n_seeds, 1, MOST)
    if n_seeds > 1 and store is not None:
        raise InputError(
            "a study file keeps one training seed for each split, got "
            f"{option('n_seeds', n_seeds)}",
            parameter="n_seeds",
            hint=f"leave {option('store')} or {option('n_seeds')} out",
        )


def check_prior_tests_with(number: int | None, measures: Sequence[Loss]) -> None:
    """Refuse what is no number of comparisons, and several measures at once with one."""
    check_prior_tests(number)
    if number is not None and are_several(measures):
        raise InputError(
            "cannot be used with several measures at once",
            parameter="n_prior_tests",
            hint="leave one out",
        )


def check_network(network: Network) -> None:
    """Refuse what is no network."""
    if not isinstance(network, Network):
        raise InputError(
            parameter="network",
            expected="a nettrial.Network",
            got=f"a {type(network).__name__}",
            hint="nettrial.read(path) returns one from a file",
        )


def check_comparable(network: Network) -> None:
    """Refuse a network on which no two models can be compared.

    Raises
    ------
    InputError
        Where there are no links, no labels, fewer than two classes, or targets that are all alike.
    """
    check_network(network)
    if network.n_links == 0:
        raise InputError(
            f"has {network.n_nodes:,} nodes but no links",
            parameter="network",
            hint="relational models need at least one",
        )
    present = np.unique(network.labels[network.labeled])
    if network.targets is not None:
        check_spread(network.targets)
        return
    if present.size == 0:
        raise InputError(
            "no node has a label",
            parameter="network",
            hint=f"name the column that holds the classes with {option('label')}, or one that "
            f"holds numbers to predict with {option('target')}",
        )
    if present.size == 1:
        raise InputError(
            f"all labeled nodes have the class {shown(network.classes[present[0]])}",
            parameter="network",
            hint="expected at least two classes",
        )
    check_classes(network)


def check_spread(targets: NDArray[np.float64]) -> None:
    """Refuse targets of which fewer than two differ, and whose squares cannot be added up."""
    known = targets[~np.isnan(targets)]
    if known.size == 0:
        raise InputError(
            "no node has a target",
            parameter="network",
            hint=f"name a column of numbers with {option('target')}",
        )
    spread = known.max() - known.min()
    if spread == 0:
        note = f"all {known.size:,} targets are" if known.size > 1 else "the only target is"
        raise InputError(
            f"{note} {known[0]:g}", parameter="network", hint="expected at least two values"
        )
    if np.abs(known).max() > LARGEST or spread < 1 / LARGEST:
        raise InputError(
            f"targets lie between {known.min():g} and {known.max():g}",
            parameter="network",
            hint=f"expected numbers up to {LARGEST:g} that differ by {1 / LARGEST:g} or more, "
            "whose squares can be added up; give them in another unit",
        )


def check_several(network: Network, measures: Sequence[Loss]) -> None:
    """Refuse several measures at once of which one is not of what the models predict."""
    if are_several(measures):
        named = [measure_of(measure, kind_of(network)).name for measure in measures]
        if len(set(named)) < len(named):
            raise InputError(
                parameter="measures",
                expected="different ones",
                got=", ".join(measures),
                hint="error means squared_error for a numeric target",
            )


def check_models(
    names: Sequence[str], control: str | None, listed: Callable[[str], str] = str
) -> str | None:
    """Refuse fewer than two models, and return the control by the name that is listed for it."""
    if len(names) < 2:
        raise InputError(parameter="models", expected="at least two", got=f"{len(names)}")
    if isinstance(control, str):
        control = listed(control)
    if control is not None and control not in names:
        raise unknown_choice("control", control, names)
    return control


def named_models(given: Sequence[Any]) -> dict[str, AnyModel]:
    """Build the models and give each a name of its own."""
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise InputError(
            parameter="models", expected="a list such as ['wvrn', 'nbc']", got=shown(given)
        )
    return unique_names(given, as_model, listed_name)


def unique_names(
    given: Sequence[Any], make: Callable[[Any], T], listed: Callable[[str], str]
) -> dict[str, T]:
    """Build models by names of their own: as they are listed, or what they are called."""
    models: dict[str, T] = {}
    for one in given:
        named = listed(one) if isinstance(one, str) else one
        model = make(named)
        name = named if isinstance(named, str) else getattr(model, "name", type(model).__name__)
        chosen, number = name, 2
        while chosen in models:
            chosen, number = f"{name} ({number})", number + 1
        models[chosen] = model
    return models


def resolve_design(options: Options, entropy: int) -> tuple[str, Design | Sequence[Split]]:
    """Return the name of a design and the design itself, or the splits that were given."""
    design, given = options.design, options_given(options)
    if isinstance(design, str):
        if "seed" in design_options(design):
            given["seed"] = entropy
        return listed_design(design), design_by_name(design, **given)
    refuse_options(given)
    return type(design).__name__ if isinstance(design, Design) else "given", design


def options_given(options: Options) -> dict[str, Any]:
    """Return the options of a design that were given."""
    given = {"labeled": options.labeled, "n_splits": options.n_splits}
    return {name: value for name, value in given.items() if value is not None}


def refuse_options(given: Mapping[str, Any]) -> None:
    """Refuse options of a design beside one that brings its own."""
    if given:
        raise InputError(
            f"got {' and '.join(given)} beside a design that brings its own",
            parameter="design",
            hint="give a design's name, or set them on the design",
        )


def splits_of(design: Design | Sequence[Split], network: Network) -> list[Split]:
    """Split a network, or take the splits that were given."""
    if isinstance(design, Design):
        splits = design.split_network(network)
    else:
        splits = given_splits(design, network)
    if len(splits) < 2:
        raise InputError(
            parameter="splits",
            expected="at least 2",
            got=f"{len(splits)}: one does not show how much the difference varies with the "
            "training set",
            hint=f"draw more ({option('design', 'rrs')}), or hand the predictions on this one "
            "to compare_predictions",
        )
    return splits
