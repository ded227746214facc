"""Running two models on replicates: compiled where both are built in, else one at a time.

What comes of a replicate is one row of numbers, which a study file can hold: the difference of
the error rates on every split, the tests in a copy of each community, and the excess of errors
there. A row of NaN stands for a replicate that cannot be used.
"""

from __future__ import annotations

import contextlib
import copy
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .. import seeds
from ..errors import ConvergenceWarning, InputError
from ..fitting import failure
from ..kernels.small_models import NBC as NBC_KIND
from ..kernels.small_models import WVRN as WVRN_KIND
from ..kernels.streams import key_of
from ..kernels.trials import run_replicates
from ..models.base import Model
from ..models.nbc import NBC
from ..models.relaxation import RelaxationLabeling
from ..models.wvrn import WVRN
from ..network import Direction, Network
from ..parallel import complete
from ..progress import Progress
from ..records import Record
from ..splits.base import Design
from ..splits.resampling import RandomResampling
from ..store.units import ALL, Expected, Outcome, Reader, Unit
from ..study import NOT_TESTED, CrossLinks, Predictions, run
from .blocks import Blocks, BootstrapError
from .replicate import assemble

Floats = NDArray[np.float64]
Records: TypeAlias = Callable[[Sequence[Unit]], Record]  # gives what keeps the outcomes of units
MODEL, SPLITS = 1, 2  # what the seeds derived for one replicate are for
CHUNK = 20  # replicates that the compiled path takes in one go
LEAST_SPLITS = 16  # a vector of splits costs the same however many of them are used


class Drawn(NamedTuple):
    """What two models did on replicates.

    Attributes
    ----------
    differences : ndarray of float, shape (n_replicates, n_splits)
        Error rate of a minus that of b on every split.
    totals : ndarray of float, shape (n_communities,)
        Errors of a minus those of b in a copy of each community, a test of each of its nodes
        taken once; the mean over the replicates.
    independent : bool
        Whether the splits of one network are drawn independently of each other.
    compiled : bool
        Whether the compiled path was taken.
    """

    differences: Floats
    totals: Floats
    independent: bool
    compiled: bool


class CompiledPair(NamedTuple):
    """What the compiled path needs to know of two built-in models."""

    kinds: NDArray[np.int64]
    smoothing: NDArray[np.float64]
    betas: NDArray[np.float32]
    direction: Direction


def compiled_pair(network: Network, models: tuple[Model, Model]) -> CompiledPair | None:
    """Describe two built-in models for the compiled path; None where it does not serve them."""
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
    return CompiledPair(np.array(kinds), np.array(smoothing), padded, directions[0])


def is_independent(design: Design) -> bool:
    """Whether the splits of one network are drawn independently of each other."""
    return type(design) is RandomResampling and design.stratify is None


def is_compiled(
    network: Network, models: tuple[Model, Model], design: Design, cross_links: CrossLinks
) -> bool:
    """Whether the compiled path serves these models and splits."""
    return (
        is_independent(design)
        and cross_links == "keep"
        and compiled_pair(network, models) is not None
    )


@dataclass(frozen=True, slots=True)
class Trial:
    """What replicates are drawn from, and what is done on each.

    Attributes
    ----------
    blocks : Blocks
    models : tuple of two Models
    design : Design
    cross_links : {"keep", "drop"}
    entropy : int
        Together with a replicate's number it decides everything random.
    n_splits : int
        Splits of a replicate.
    """

    blocks: Blocks
    models: tuple[Model, Model]
    design: Design
    cross_links: CrossLinks
    entropy: int
    n_splits: int

    def task(self, units: Sequence[Unit]) -> Replicates:
        """Give the task of running some replicates."""
        return Replicates(self, tuple(units))


@dataclass(frozen=True, slots=True)
class Replicates:
    """Replicates that are run in one go."""

    trial: Trial
    units: tuple[Unit, ...]

    def run(self, network: Network) -> list[Outcome]:
        """Run both models on them; a replicate that fails does not stop the others."""
        trial = self.trial
        if is_compiled(network, trial.models, trial.design, trial.cross_links):
            begin = time.perf_counter()
            rows = compiled_rows(network, trial, [unit.replicate for unit in self.units])
            seconds = (time.perf_counter() - begin) / len(self.units)
            return [Outcome(unit, seconds, row) for unit, row in zip(self.units, rows)]
        return [self._attempt(network, unit) for unit in self.units]

    def _attempt(self, network: Network, unit: Unit) -> Outcome:
        begin = time.perf_counter()
        try:
            row = general_row(network, self.trial, unit.replicate)
        except Exception as error:  # noqa: BLE001 - a model may raise anything
            what = f"drawn network {unit.replicate}"
            return failure(unit, what, error, time.perf_counter() - begin)
        return Outcome(unit, time.perf_counter() - begin, row)


def splits_of_replicates(n_splits: int, compiled: bool) -> int:
    """Give the number of splits of a replicate of a network with so many."""
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
) -> Drawn:
    """Draw a set of replicates and run both models on the splits of each.

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

    compiled = is_compiled(network, trial.models, trial.design, trial.cross_links)
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
            reader, trial.blocks, place, n_replicates=n_replicates, n_splits=trial.n_splits,
            independent=is_independent(trial.design), compiled=compiled,
        )  # fmt: skip


def units_of(place: int, n_replicates: int) -> list[Unit]:
    """Name the replicates of a set as units of work."""
    return [Unit(ALL, place, number) for number in range(n_replicates)]


def drawn_from(
    reader: Reader,
    blocks: Blocks,
    place: int,
    *,
    n_replicates: int,
    n_splits: int,
    independent: bool,
    compiled: bool,
) -> Drawn:
    """Read the rows of a set of replicates and add up what communities contribute.

    Raises
    ------
    BootstrapError
        Where a replicate could not be used.
    """
    groups = blocks.sizes.size
    shape = (n_splits + 2 * groups,)
    wanted: list[Expected] = [(unit, shape) for unit in units_of(place, n_replicates)]
    rows = np.array(list(reader(wanted)))
    differences, tests, excess = np.split(rows, [n_splits, n_splits + groups], axis=1)
    unusable = int(np.isnan(differences).any(axis=1).sum())
    if unusable:
        raise BootstrapError(
            f"bootstrap_test: {unusable} of {n_replicates} drawn networks cannot be split, or the "
            "models not be run on them (too few labelled nodes?); use communities with more "
            "labels, or a network with more of them"
        )
    return Drawn(differences, totals_of(blocks, tests, excess), independent, compiled)


def totals_of(blocks: Blocks, tests: Floats, excess: Floats) -> Floats:
    """Average over the replicates what communities contribute."""
    times = tests.sum(axis=0)
    rate = np.divide(excess.sum(axis=0), times, where=times > 0, out=np.zeros(times.size))
    return np.asarray(rate * blocks.sizes)


def compiled_rows(network: Network, trial: Trial, numbers: Sequence[int]) -> Floats:
    """Give the rows of some replicates of two built-in models."""
    blocks, design, pair = trial.blocks, trial.design, compiled_pair(network, trial.models)
    assert pair is not None  # noqa: S101 - is_compiled says so
    assert isinstance(design, RandomResampling)  # noqa: S101 - likewise
    rates, tests, excess = run_replicates(
        tuple(blocks), blocks.community, network.weighted, pair.direction != "in",
        pair.direction != "out", network.labels, network.n_classes, design.labeled,
        trial.n_splits, pair.kinds, pair.smoothing, pair.betas, np.zeros((1, 2)),
        key_of(trial.entropy), np.array(numbers),
    )  # fmt: skip
    return np.hstack([rates[:, 0, 0] - rates[:, 0, 1], tests, excess[:, 0]])


def general_row(network: Network, trial: Trial, number: int) -> Floats:
    """Give the row of one replicate; NaN where it cannot be used."""
    from joblib import parallel_config

    blocks, entropy = trial.blocks, trial.entropy
    drawn = assemble(network, blocks, key_of(entropy), number)
    again = copy.copy(trial.design)
    if hasattr(again, "seed"):
        again.seed = seeds.derive(entropy, number, SPLITS)
    with warnings.catch_warnings(), parallel_config(backend="sequential"):
        # whoever runs the models on the network itself is told there
        warnings.simplefilter("ignore", ConvergenceWarning)
        try:
            predictions = run(
                drawn.network, {"a": trial.models[0], "b": trial.models[1]},
                again.split_network(drawn.network), seed=seeds.derive(entropy, number, MODEL),
                cross_links=trial.cross_links, progress=False,
            )  # fmt: skip
        except InputError:
            return np.full(trial.n_splits + 2 * blocks.sizes.size, np.nan)
    differences, times, excess = differences_of(predictions)
    group = blocks.community[drawn.origin]

    def by_community(values: Floats) -> Floats:
        return np.bincount(group, weights=values, minlength=blocks.sizes.size).astype(float)

    return np.concatenate([differences, by_community(times), by_community(excess)])


def differences_of(predictions: Predictions) -> tuple[Floats, Floats, Floats]:
    """Give the difference on every split, and for every node its tests and excess of errors."""
    a, b = (predictions.errors(name) for name in predictions.models)
    tested = a != NOT_TESTED
    excess = (a == 1).astype(float) - (b == 1)
    times = tested.sum(axis=0).astype(float)
    return excess.sum(axis=1) / tested.sum(axis=1), times, excess.sum(axis=0)
