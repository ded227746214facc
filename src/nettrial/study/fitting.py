"""Fit one model on one or more splits and predict: what a worker process does."""

from __future__ import annotations

import copy
import inspect
import multiprocessing
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core.errors import NettrialError, NettrialWarning, shown
from ..core.model_warnings import capture_warnings
from ..core.plain_text import encodable, error_text
from ..metrics.regression import LARGEST
from ..models.base import AnyModel, BatchModel, BatchRegressor
from ..network.network import Network
from ..network.network_parts import MISSING
from ..store.units import Outcome, Unit
from .exit_guard import interrupts, noted_interrupts
from .isolation import checksum, seeded, watched_threads
from .limits import one_unit
from .process_state import FilesClosedError

LONGEST_TRACE = 100_000  # letters of a traceback that are kept
CrossLinks: TypeAlias = Literal["keep", "drop"]


class ModelError(NettrialError):
    """A model failed, or gave something other than class probabilities."""


class InputsChangedError(ModelError):
    """A model wrote into what other models are handed too, so that the run cannot go on."""


class ModelTask(Protocol):
    """Units of one model that are run in one go, whatever it predicts."""

    @property
    def units(self) -> tuple[Unit, ...]: ...

    @property
    def name(self) -> str: ...

    @property
    def model(self) -> Any: ...

    @property
    def seeds(self) -> tuple[int, ...]: ...


@dataclass(frozen=True, slots=True)
class Task:
    """Units of one model that are run in one go.

    Attributes
    ----------
    units : tuple of Unit
    name : str
        The model's.
    model : Model
    nodes : tuple of (train, test)
        Node indices for each unit.
    seeds : tuple of int
        A seed for each unit.
    cross_links : {"keep", "drop"}
    """

    units: tuple[Unit, ...]
    name: str
    model: AnyModel
    nodes: tuple[tuple[NDArray[np.intp], NDArray[np.intp]], ...]
    seeds: tuple[int, ...]
    cross_links: CrossLinks

    def run(self, network: Network) -> list[Outcome]:
        """Run the units."""
        return attempt(network, self)


def in_batches(network: Network, model: AnyModel, cross_links: CrossLinks) -> bool:
    """Return whether a model runs many splits of a network in one call."""
    kind = BatchModel if network.targets is None else BatchRegressor
    return isinstance(model, kind) and cross_links == "keep"


def attempt(network: Network, task: Task) -> list[Outcome]:
    """Run a task; a unit that fails is recorded as failed and never stops the others."""
    if in_batches(network, task.model, task.cross_links):
        return _attempt_batch(network, task)
    return [_attempt_unit(network, task, place) for place in range(len(task.units))]


def _attempt_unit(network: Network, task: Task, place: int) -> Outcome:
    (train, test), seed = task.nodes[place], task.seeds[place]
    shape = prediction_shape(network, test)
    return attempt_one(
        network,
        task,
        place,
        lambda: fit_predict(network, task.model, train, test, seed, task.cross_links),
        lambda proba, where: checked(proba, shape, task.name, where),
    )


def attempt_one(
    network: Network,
    task: ModelTask,
    place: int,
    fit: Callable[[], Any],
    check: Callable[[Any, str], NDArray[np.floating]],
) -> Outcome:
    """Run one unit of a task by itself; whatever its model does is recorded.

    Parameters
    ----------
    network : Network
    task : ModelTask
    place : int
        Of the unit in the task.
    fit : callable
        Returns what a fresh copy of the model predicts.
    check : callable
        Returns it as an array, or refuses it; told where it was predicted.
    """
    seed, where = task.seeds[place], f"split {task.units[place].split}"
    begin = time.perf_counter()
    with noted_interrupts() as noted:
        try:
            with capture_warnings() as given, _watched(network, task), one_unit():
                predicted, _ = seeded(seed, fit)
            found = check(predicted, where)
        except BaseException as error:  # noqa: BLE001 - a model may raise anything
            error = _of_model(error, task.name, noted)
            return _failed(task, place, where, error, time.perf_counter() - begin)
    seconds = time.perf_counter() - begin
    return Outcome(task.units[place], seconds, found, warnings=_words(given))


def _attempt_batch(network: Network, task: Task) -> list[Outcome]:
    begin = time.perf_counter()
    with noted_interrupts() as noted:
        try:
            count = len(task.units)
            with capture_warnings() as given, _watched(network, task), one_unit(count):
                tables, drew = seeded(task.seeds[0], lambda: _predict_batch(network, task))
            if drew and count > 1:  # what it drew depends on what else is in the batch
                return _one_by_one(network, task)
            if len(tables) != len(task.units):
                raise ModelError(
                    f"model {shown(task.name)}: expected {len(task.units)} tables of "
                    f"probabilities, one for each label set, got {len(tables)}"
                )
        except BaseException as error:  # noqa: BLE001 - a model may raise anything
            error = _of_model(error, task.name, noted)
            if len(task.units) == 1:
                where = f"split {task.units[0].split}"
                return [_failed(task, 0, where, error, time.perf_counter() - begin)]
            return _one_by_one(network, task)
    seconds = (time.perf_counter() - begin) / len(task.units)
    outcomes = []
    for place, (unit, table) in enumerate(zip(task.units, tables)):
        test = task.nodes[place][1]
        where = f"split {unit.split}"
        try:
            proba = checked(table[test], prediction_shape(network, test), task.name, where)
            outcomes.append(Outcome(unit, seconds, proba, warnings=_words(given, place)))
        except Exception as error:  # noqa: BLE001 - a model may return anything
            outcomes.append(_failed(task, place, where, error, seconds))
    return outcomes


def _one_by_one(network: Network, task: Task) -> list[Outcome]:
    return [
        found
        for place in range(len(task.units))
        for found in _attempt_batch(network, part(task, place))
    ]


def _of_model(error: BaseException, name: str, noted: Sequence[int]) -> BaseException:
    """Return an error that a model raised; raise again what interrupts this process.

    Workers ignore the interrupt from the keyboard, so that none is `noted` there.
    """
    if isinstance(error, InputsChangedError):
        raise error
    worker = multiprocessing.parent_process() is not None
    if interrupts(error, noted) and not worker:
        raise error
    if isinstance(error, FilesClosedError):
        told = FilesClosedError(f"model {shown(name)}: {error}")
        if not worker:
            raise told from None
        sys.stderr.write(f"nettrial: {told}\n")
        os._exit(1)  # it cannot answer any more
    return error


@contextmanager
def _watched(network: Network, task: ModelTask) -> Iterator[None]:
    with watched_threads(task.name), _unchanged(network, task):
        yield


@contextmanager
def _unchanged(network: Network, task: ModelTask) -> Iterator[None]:
    """Refuse to go on where a model has written into what other models are handed too."""
    if type(task.model).__module__.partition(".")[0] == __name__.partition(".")[0]:
        yield  # ours, which hands copies to other libraries
        return
    before = checksum(network)
    try:
        yield
    finally:
        if checksum(network) != before:
            raise InputsChangedError(
                f"model {shown(task.name)} wrote into the network's own arrays (features, links, "
                "ids or node columns), which other models are handed too, so that nothing more can "
                "be run on it; let the model work on a copy, and read the network again"
            )


def _words(given: Sequence[Warning], place: int | None = None) -> tuple[str, ...]:
    """Return the texts of warnings, of one label set alone, so that none depends on the others."""
    found = []
    for warning in given:
        places = getattr(warning, "places", None)
        if place is not None and places is not None and place not in places:
            continue
        text = error_text(getattr(warning, "general", warning))
        kind = "" if isinstance(warning, NettrialWarning) else f"{type(warning).__name__}: "
        found.append(encodable(kind) + " ".join(text.split()))
    return tuple(dict.fromkeys(found))


def part(task: Task, place: int) -> Task:
    """Return the task of one unit."""
    return Task(
        (task.units[place],),
        task.name,
        task.model,
        (task.nodes[place],),
        (task.seeds[place],),
        task.cross_links,
    )


def _predict_batch(network: Network, task: Task) -> Any:
    hidden = network.mask_labels(np.empty(0, dtype=np.intp))
    model: Any = copy.deepcopy(task.model)
    if network.targets is not None:
        targets = np.full((len(task.units), network.n_nodes), np.nan)
        for known, (train, _) in zip(targets, task.nodes):
            known[train] = network.targets[train]
        return model.predict_batch(hidden, targets, task.seeds)
    labels = np.full((len(task.units), network.n_nodes), MISSING, dtype=np.int32)
    for row, (train, _) in zip(labels, task.nodes):
        row[train] = network.labels[train]
    return model.predict_proba_batch(hidden, labels, task.seeds)


def fit_predict(
    network: Network,
    model: AnyModel,
    train: NDArray[np.intp],
    test: NDArray[np.intp],
    seed: int,
    cross_links: CrossLinks = "keep",
) -> Any:
    """Fit a fresh copy of the model on training nodes and predict the test nodes."""
    seen = network.mask_labels(train)
    if cross_links == "drop":
        seen = seen.without_links_between(train)
    model = copy.deepcopy(model)
    fit: Callable[..., Any] = model.fit
    # copies: a model may write into them, and keep them
    options = {"seed": seed} if "seed" in inspect.signature(fit).parameters else {}
    fitted = fit(seen, train.copy(), **options)
    predict = fitted.predict_proba if network.targets is None else fitted.predict
    return predict(seen, test.copy())


def _failed(
    task: ModelTask, place: int, where: str, error: BaseException, seconds: float
) -> Outcome:
    return failure(task.units[place], f"model {task.name!r} failed on {where}", error, seconds)


def failure(unit: Unit, what: str, error: BaseException, seconds: float) -> Outcome:
    """Record the error that is being handled as what came of a unit."""
    told, trace = error_text(error), encodable(traceback.format_exc())
    if len(trace) > LONGEST_TRACE:
        half = LONGEST_TRACE // 2
        trace = f"{trace[:half]}\n...\n{trace[-half:]}"
    if not isinstance(error, NettrialError) or error.args != (told,):
        error = ModelError(encodable(f"{what}: {type(error).__name__}: ") + told)
    return Outcome(unit, seconds, error=error, traceback=trace)


def prediction_shape(network: Network, nodes: NDArray[np.intp]) -> tuple[int, ...]:
    """Return the shape of predictions: a column a class, or one number for each node."""
    return (nodes.size, network.n_classes) if network.targets is None else (nodes.size,)


def checked(proba: Any, shape: tuple[int, ...], name: str, where: str) -> NDArray[np.floating]:
    """Refuse what is not a table of class probabilities, or a number for each node."""
    if len(shape) == 1:
        return checked_numbers(proba, shape, name, where)
    _refuse_complex(proba, name, where)
    array = np.array(proba, dtype=np.float32)  # a copy: the model may go on writing into its own
    if array.shape != shape:
        raise ModelError(
            f"model {shown(name)}, {where}: expected probabilities of shape {shape}, "
            f"got {array.shape}: a row for each node asked for, a column for each class"
        )
    totals = array.sum(axis=1)
    if not (np.isfinite(array).all() and (array >= -1e-6).all() and (abs(totals - 1) < 1e-3).all()):
        raise ModelError(
            f"model {shown(name)}, {where}: rows of predict_proba must be probabilities that "
            f"add up to 1; got values from {array.min()} to {array.max()} and row sums from "
            f"{totals.min()} to {totals.max()}"
        )
    return array


def _refuse_complex(values: Any, name: str, where: str) -> None:
    if np.iscomplexobj(values):  # of which NumPy would keep the real parts
        raise ModelError(
            f"model {shown(name)}, {where}: expected real numbers, got complex ones; give "
            "probabilities, or their real parts on purpose"
        )


def checked_numbers(
    values: Any, shape: tuple[int, ...], name: str, where: str
) -> NDArray[np.float64]:
    """Refuse what is not a number for each node whose square can be added up."""
    _refuse_complex(values, name, where)
    array = np.array(values, dtype=np.float64)
    if array.shape != shape:
        raise ModelError(
            f"model {shown(name)}, {where}: expected predictions of shape {shape}, one number for "
            f"each node asked for, got {array.shape}"
        )
    bad = np.count_nonzero(~(np.abs(array) <= LARGEST))
    if bad:
        raise ModelError(
            f"model {shown(name)}, {where}: expected numbers from predict, got {bad} of "
            f"{array.size} that are missing or infinite, or beyond {LARGEST:g}"
        )
    return array
