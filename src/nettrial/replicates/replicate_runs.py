"""Running models on replicates: compiled for a pair of built-in ones, else one at a time.

What comes of a replicate is one row of numbers, which a study file can hold: the measure (error
rate) of every model on every split, the tests in a copy of each community, and what these
contribute to the measure of every model. A row of NaN stands for a replicate that cannot be used.
"""

from __future__ import annotations

import contextlib
import copy
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core import seeds
from ..core.errors import InputError, ModelWarning
from ..core.progress import Progress
from ..core.seeds import Stream
from ..kernels.keys import key_of
from ..kernels.kinds import NBC as NBC_KIND
from ..kernels.kinds import WVRN as WVRN_KIND
from ..kernels.kinds import ModelPair, RowForm
from ..metrics.measures import MEASURES, Measure
from ..models.base import AnyModel
from ..models.nbc import NBC
from ..models.relaxation import RelaxationLabeling
from ..models.wvrn import WVRN
from ..network.network import Direction, Network
from ..splits.base import Design
from ..splits.resampling import RandomResampling
from ..store.units import ALL, Expected, Outcome, Reader, Unit
from ..study.fitting import failure
from ..study.measured import handed_of
from ..study.node_study import CrossLinks, Predictions, run
from ..study.parallel import complete
from ..study.records import Record
from .blocks import Blocks, BootstrapError
from .replicate import assemble

Floats = NDArray[np.float64]
Records: TypeAlias = Callable[[Sequence[Unit]], Record]  # gives what keeps the outcomes of units
ERROR = MEASURES["error"]
CHUNK = 20  # replicates that the compiled path takes in one go
LEAST_SPLITS = 16  # a vector of splits costs the same however many of them are used


class ReplicateScores(NamedTuple):
    """What models did on replicates.

    Attributes
    ----------
    values : ndarray of float, shape (n_replicates, n_models, n_splits)
        The measure, for example the error rate.
    totals : ndarray of float, shape (n_models, n_communities)
        What a copy of each community contributes to the measure (its errors, for example), a
        test of each of its nodes taken once; the mean over the replicates. Only differences
        between models have a meaning.
    independent : bool
        Whether the splits of one network are drawn independently of each other.
    compiled : bool
        Whether the compiled path was taken.
    """

    values: Floats
    totals: Floats
    independent: bool
    compiled: bool

    def of(self, first: int, second: int) -> ReplicateScores:
        """Return what two of the models did."""
        both = [first, second]
        return self._replace(values=self.values[:, both], totals=self.totals[both])


class CompiledPair(NamedTuple):
    """What the compiled path needs to know of two built-in models."""

    models: ModelPair
    direction: Direction

    def row_form(self, network: Network) -> RowForm:
        """Return how the links of a replicate become the rows that the models walk along."""
        return RowForm(network.weighted, self.direction != "in", self.direction != "out")


def compiled_pair(network: Network, models: Sequence[AnyModel]) -> CompiledPair | None:
    """Describe two built-in models for the compiled path; None where it does not serve them."""
    if len(models) != 2:
        return None
    kinds, smoothing, betas, directions = [], [], [], []
    for model in models:
        if getattr(model, "local", None) is not None:
            return None
        if type(model) is WVRN:
            kinds.append(WVRN_KIND)
            smoothing.append(1.0)
        elif type(model) is NBC and model.counts == "paper" and model.smoothing > 0:
            kinds.append(NBC_KIND)
            smoothing.append(float(model.smoothing))
        else:
            return None
        inference = model.inference
        if type(inference) is not RelaxationLabeling or inference.tolerance is not None:
            return None
        betas.append(inference.weights())
        directions.append(model.direction if network.directed else "both")
    if directions[0] != directions[1] or network.n_classes < 2:
        return None
    padded = np.zeros((2, max(map(len, betas))), dtype=np.float32)
    for row, values in zip(padded, betas):
        row[: len(values)] = values
    both = ModelPair(np.array(kinds), np.array(smoothing), padded)
    return CompiledPair(both, directions[0])


def is_independent(design: Design) -> bool:
    """Return whether the splits of one network are drawn independently of each other."""
    return type(design) is RandomResampling and design.stratify is None


def is_compiled(
    network: Network,
    models: Sequence[AnyModel],
    design: Design,
    cross_links: CrossLinks,
    measure: Measure = ERROR,
) -> bool:
    """Return whether the compiled path, which counts errors, serves these models and splits."""
    return (
        measure is ERROR
        and network.times is None
        and is_independent(design)
        and cross_links == "keep"
        and compiled_pair(network, models) is not None
    )


@dataclass(frozen=True, slots=True)
class Trial:
    """What replicates are drawn from, and what is done on each.

    Attributes
    ----------
    blocks : Blocks
    models : tuple of Model
    names : tuple of str
        Of the models.
    design : Design
    cross_links : {"keep", "drop"}
    measure : Measure
    entropy : int
        Together with a replicate's number it decides everything random.
    n_splits : int
        Splits of a replicate.
    adds_up : bool
        Whether it is asked what communities contribute; else those numbers are 0.
    """

    blocks: Blocks
    models: tuple[AnyModel, ...]
    names: tuple[str, ...]
    design: Design
    cross_links: CrossLinks
    measure: Measure
    entropy: int
    n_splits: int
    adds_up: bool = True

    def is_compiled(self, network: Network) -> bool:
        """Return whether the compiled path serves it."""
        return is_compiled(network, self.models, self.design, self.cross_links, self.measure)

    def task(self, units: Sequence[Unit]) -> Replicates:
        """Return the task of running some replicates."""
        return Replicates(self, tuple(units))


@dataclass(frozen=True, slots=True)
class Replicates:
    """Replicates that are run in one go."""

    trial: Trial
    units: tuple[Unit, ...]

    def run(self, network: Network) -> list[Outcome]:
        """Run the models on them; a replicate that fails does not stop the others."""
        trial = self.trial
        if trial.is_compiled(network):
            begin = time.perf_counter()
            rows = compiled_rows(network, trial, [unit.replicate for unit in self.units])
            seconds = (time.perf_counter() - begin) / len(self.units)
            return [Outcome(unit, seconds, row) for unit, row in zip(self.units, rows)]
        return attempted(
            self.units,
            lambda number: general_row(network, trial, number),
            lambda number: f"drawn network {number}",
        )


def attempted(
    units: Sequence[Unit], row: Callable[[int], Floats], name: Callable[[int], str]
) -> list[Outcome]:
    """Return what comes of units by the numbers of their networks; none stops the others.

    Parameters
    ----------
    units : sequence of Unit
    row : callable
        Gives the row of a number.
    name : callable
        Says in an error which network it was.
    """
    found = []
    for unit in units:
        begin = time.perf_counter()
        try:
            result = row(unit.replicate)
        except Exception as error:  # noqa: BLE001 - a model may raise anything
            seconds = time.perf_counter() - begin
            found.append(failure(unit, name(unit.replicate), error, seconds))
        else:
            found.append(Outcome(unit, time.perf_counter() - begin, result))
    return found


def splits_of_replicates(n_splits: int, compiled: bool) -> int:
    """Return the number of splits of a replicate of a network with so many."""
    return max(n_splits, LEAST_SPLITS) if compiled else n_splits


def run_on_replicates(
    network: Network,
    trial: Trial,
    place: int,
    *,
    n_replicates: int,
    records: Records,
    n_jobs: int | None,
    progress: Progress,
) -> ReplicateScores:
    """Draw a set of replicates and run all models on the splits of each.

    Parameters
    ----------
    network : Network
    trial : Trial
    place : int
        Number of the set.
    n_replicates : int
    records : callable
        Gives what keeps the outcomes of units.
    n_jobs : int, optional
        Worker processes; the compiled path has threads of its own instead.
    progress : Progress
        Counts replicates.
    """
    from joblib import parallel_config

    compiled = trial.is_compiled(network)
    units = units_of(place, n_replicates)
    size = CHUNK if compiled else 1
    blocks = [units[i : i + size] for i in range(0, len(units), size)]
    with contextlib.ExitStack() as stack:
        record = stack.enter_context(records(units))
        if compiled:
            stack.enter_context(parallel_config(backend="sequential"))
        complete(network, trial.task, blocks, record, None if compiled else n_jobs, progress)
        reader = record.reader()
        return drawn_from(
            reader,
            trial.blocks,
            place,
            n_models=len(trial.models),
            n_replicates=n_replicates,
            n_splits=trial.n_splits,
            independent=is_independent(trial.design),
            compiled=compiled,
        )


def units_of(place: int, n_replicates: int) -> list[Unit]:
    """Return the replicates of a set as units of work."""
    return [Unit(ALL, place, number) for number in range(n_replicates)]


def drawn_from(
    reader: Reader,
    blocks: Blocks,
    place: int,
    *,
    n_models: int,
    n_replicates: int,
    n_splits: int,
    independent: bool,
    compiled: bool,
) -> ReplicateScores:
    """Read the rows of a set of replicates and add up what communities contribute.

    Raises
    ------
    BootstrapError
        Where a replicate could not be used.
    """
    groups = blocks.sizes.size
    ends = n_models * n_splits, n_models * n_splits + groups
    shape = (ends[1] + n_models * groups,)
    wanted: list[Expected] = [(unit, shape) for unit in units_of(place, n_replicates)]
    rows = np.array(list(reader(wanted)))
    values, tests, parts = np.split(rows, ends, axis=1)
    unusable = int(np.isnan(values).any(axis=1).sum())
    if unusable:
        raise BootstrapError(
            f"bootstrap: {unusable:,} of {n_replicates:,} drawn networks cannot be split, the "
            "models not be run on them, or the measure is not defined there (too few labeled "
            "nodes, or test nodes of one class?); use communities with more labels, a network with "
            "more of them, or another measure"
        )
    totals = [totals_of(blocks, tests, part) for part in np.split(parts, n_models, axis=1)]
    return ReplicateScores(
        values.reshape(n_replicates, n_models, n_splits), np.array(totals), independent, compiled
    )


def totals_of(blocks: Blocks, tests: Floats, excess: Floats) -> Floats:
    """Average over the replicates what communities contribute."""
    times = tests.sum(axis=0)
    rate = np.divide(excess.sum(axis=0), times, where=times > 0, out=np.zeros(times.size))
    return np.asarray(rate * blocks.sizes)


def compiled_rows(network: Network, trial: Trial, numbers: Sequence[int]) -> Floats:
    """Return the rows of some replicates of two built-in models."""
    from ..kernels.trials import Replicating, run_replicates

    blocks, design, pair = trial.blocks, trial.design, compiled_pair(network, trial.models)
    assert pair is not None  # noqa: S101 - is_compiled says so
    assert isinstance(design, RandomResampling)  # noqa: S101 - likewise
    task = Replicating(
        blocks,
        blocks.community,
        pair.row_form(network),
        network.labels,
        network.n_classes,
        design.labeled,
        trial.n_splits,
        pair.models,
        np.zeros((1, 2)),
        key_of(trial.entropy),
    )
    rates, tests, excess = run_replicates(task, np.array(numbers))
    # the excess of errors of the first model stands for its errors: only differences are used
    values = rates[:, 0].reshape(len(numbers), -1)
    return np.hstack([values, tests, excess[:, 0], np.zeros_like(excess[:, 0])])


def general_row(network: Network, trial: Trial, number: int) -> Floats:
    """Return the row of one replicate; NaN where it cannot be used."""
    from joblib import parallel_config

    blocks, entropy = trial.blocks, trial.entropy
    drawn = assemble(network, blocks, key_of(entropy), number)
    again = copy.copy(trial.design)
    if hasattr(again, "seed"):
        again.seed = seeds.derive(entropy, number, Stream.REPLICATE_SPLITS)
    with warnings.catch_warnings(), parallel_config(backend="sequential"):
        # whoever runs the models on the network itself is reported there
        warnings.simplefilter("ignore", ModelWarning)
        try:
            predictions = run(
                drawn.network,
                dict(zip(trial.names, trial.models)),
                again.split_network(drawn.network),
                seed=seeds.derive(entropy, number, Stream.REPLICATE_MODELS),
                cross_links=trial.cross_links,
                progress=False,
            )
        except InputError:
            n_models, groups = len(trial.models), blocks.sizes.size
            return np.full(n_models * trial.n_splits + (1 + n_models) * groups, np.nan)
    sizes = blocks.sizes.size
    if not trial.adds_up:
        values = values_of(predictions, trial.measure, drawn.origin)
        return np.concatenate([values.ravel(), np.zeros((1 + len(trial.models)) * sizes)])
    found = by_communities(predictions, trial.measure, blocks.community, drawn.origin, sizes)
    return np.concatenate([part.ravel() for part in found])


def values_of(
    predictions: Predictions,
    measure: Measure = ERROR,
    origin: NDArray[np.integer[Any]] | None = None,
) -> Floats:
    """Measure every model on every split, (n_models, n_splits); `origin` as in `contributions`."""
    return np.array(
        [
            [
                measure.value(*handed_of(predictions, model, number, measure, origin))
                for number in range(len(predictions.splits))
            ]
            for model in predictions.models
        ]
    )


def by_communities(
    predictions: Predictions,
    measure: Measure,
    community: NDArray[np.integer[Any]],
    origin: NDArray[np.integer[Any]],
    n_communities: int,
) -> tuple[Floats, Floats, Floats]:
    """Measure predictions on a replicate, and add up by communities what its nodes contribute.

    Returns
    -------
    values : ndarray, shape (n_models, n_splits)
    times : ndarray, shape (n_communities,)
        Tests of the nodes drawn from each, over all splits.
    sums : ndarray, shape (n_models, n_communities)
        What these contributed to the measure.
    """
    models, splits = predictions.models, predictions.splits
    values = np.empty((len(models), len(splits)))
    times, sums = np.zeros(n_communities), np.zeros((len(models), n_communities))
    for number, split in enumerate(splits):
        groups = community[origin[split.test]].astype(np.intp)
        times += np.bincount(groups, minlength=n_communities)
        for place, model in enumerate(models):
            handed = handed_of(predictions, model, number, measure, origin)
            values[place, number], found = measure.by_groups(groups, *handed)
            sums[place, : found.size] += found
    return values, times, sums
