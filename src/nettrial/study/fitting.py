"""Fit one model on one or more splits and predict: what a worker process does."""

from __future__ import annotations

import copy
import inspect
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
from .guards import Isolation, checksum, isolated
from .limits import limit_units

LONGEST_TRACE = 100_000  # letters of a traceback that are kept
# the last: a model learns from the network of training nodes, and predicts on the whole one
CrossLinks: TypeAlias = Literal["keep", "drop", "inductive"]


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
    cross_links : {"keep", "drop", "inductive"}
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
    return isinstance(model, kind) and cross_links == "keep" and network.times is None


def attempt(network: Network, task: Task) -> list[Outcome]:
    """Run a task; a unit that fails is recorded as failed and never stops the others."""
    if in_batches(network, task.model, task.cross_links):
        with _kept_apart(network, task) as isolation:
            return _attempt_batch(network, task, isolation)

    def fit(place: int) -> Any:
        train, test = task.nodes[place]
        return fit_predict(network, task.model, train, test, task.seeds[place], task.cross_links)

    def check(place: int, proba: Any, where: str) -> NDArray[np.floating]:
        shape = prediction_shape(network, task.nodes[place][1])
        return checked(proba, shape, task.name, where)

    return attempt_each(network, task, fit, check)


def attempt_each(
    network: Network,
    task: ModelTask,
    fit: Callable[[int], Any],
    check: Callable[[int, Any, str], NDArray[np.floating]],
) -> list[Outcome]:
    """Run the units of a task one by one; whatever its model does is recorded.

    Parameters
    ----------
    network : Network
    task : ModelTask
    fit : callable
        Called with the place of a unit in the task, returns what a fresh copy of the model
        predicts there.
    check : callable
        Called with the place, the predictions and where they were made, returns them as an array,
        or raises an error.
    """
    with _kept_apart(network, task) as isolation:
        return [
            _attempt_one(task, place, isolation, fit, check) for place in range(len(task.units))
        ]


def _attempt_one(
    task: ModelTask,
    place: int,
    isolation: Isolation,
    fit: Callable[[int], Any],
    check: Callable[[int, Any, str], NDArray[np.floating]],
) -> Outcome:
    unit = task.units[place]

    def work() -> Any:
        with limit_units([unit]):
            return fit(place)

    begin = time.perf_counter()
    try:
        with capture_warnings() as given:
            predicted = isolation.run(task.seeds[place], work)
        found = check(place, predicted, f"split {unit.split}")
    except BaseException as error:  # noqa: BLE001 - a model may raise anything
        _end_if_interrupted(isolation)
        return _failed(task, place, error, time.perf_counter() - begin)
    _end_if_interrupted(isolation)
    return Outcome(unit, time.perf_counter() - begin, found, warnings=_words(given))


def _attempt_batch(network: Network, task: Task, isolation: Isolation) -> list[Outcome]:
    count = len(task.units)

    def work() -> Any:
        with limit_units(task.units):
            return _predict_batch(network, task)

    begin = time.perf_counter()
    try:
        with capture_warnings() as given:
            tables = isolation.run(task.seeds[0], work, watch=count > 1)
        alone = isolation.drew  # what it drew depends on what else is in the batch
        if not alone and len(tables) != count:
            raise ModelError(
                f"model {shown(task.name)}: expected {count} tables of probabilities, one for each "
                f"label set, got {len(tables)}"
            )
    except BaseException as error:  # noqa: BLE001 - a model may raise anything
        _end_if_interrupted(isolation)
        if count == 1:
            return [_failed(task, 0, error, time.perf_counter() - begin)]
        alone = True
    _end_if_interrupted(isolation)
    if alone:
        parts = [part(task, place) for place in range(count)]
        return [found for each in parts for found in _attempt_batch(network, each, isolation)]
    seconds = (time.perf_counter() - begin) / count
    outcomes = []
    for place, (unit, table) in enumerate(zip(task.units, tables)):
        test = task.nodes[place][1]
        shape, where = prediction_shape(network, test), f"split {unit.split}"
        try:
            proba = checked(table[test], shape, task.name, where)
            outcomes.append(Outcome(unit, seconds, proba, warnings=_words(given, place)))
        except Exception as error:  # noqa: BLE001 - a model may return anything
            outcomes.append(_failed(task, place, error, seconds))
    return outcomes


def _end_if_interrupted(isolation: Isolation) -> None:
    """Raise what a signal raised that ends the program; a worker gets none.

    A model that raises `KeyboardInterrupt` by itself has failed.
    """
    if isolation.interrupts:
        raise isolation.interrupts[0]


@contextmanager
def _kept_apart(network: Network, task: ModelTask) -> Iterator[Isolation]:
    """Run a model; refuse to go on where it wrote into what other models are handed too."""
    ours = type(task.model).__module__.partition(".")[0] == __name__.partition(".")[0]
    before = None if ours else checksum(network)  # ours hand copies to other libraries
    with isolated(task.name) as isolation:
        yield isolation
    if before is not None and checksum(network) != before:
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
    seen = network.mask_labels(train).imputed(train)
    if network.times is not None:  # nobody sees what comes after the last node that is tested
        seen = seen.until(float(np.fmax.reduce(network.first_links()[test], initial=-np.inf)))
    learned_from, nodes, asked = seen, train, test
    if cross_links == "drop":
        learned_from = seen = seen.without_links_between(train)
    elif cross_links == "inductive":
        learned_from, nodes = seen.among(train), np.arange(train.size)
        seen, asked = training_nodes_first(seen, train, test)
    model = copy.deepcopy(model)
    fit: Callable[..., Any] = model.fit
    # copies: a model may write into them, and keep them
    options = {"seed": seed} if "seed" in inspect.signature(fit).parameters else {}
    fitted = fit(learned_from, nodes.copy(), **options)
    predict = fitted.predict_proba if network.targets is None else fitted.predict
    return predict(seen, asked.copy())


def training_nodes_first(
    network: Network, train: NDArray[np.intp], test: NDArray[np.intp]
) -> tuple[Network, NDArray[np.intp]]:
    """Return a network whose first nodes are those of `train`, and where `test` are in it.

    Examples
    --------
    >>> whole, asked = training_nodes_first(Network([0], [2], n_nodes=3), np.array([2]),
    ...                                     np.array([0, 1]))
    >>> whole.ids.tolist(), asked.tolist()
    ([2, 0, 1], [1, 2])
    """
    outside = np.ones(network.n_nodes, dtype=bool)
    outside[train] = False
    order = np.concatenate([train, np.flatnonzero(outside)])
    place = np.empty(order.size, dtype=np.intp)
    place[order] = np.arange(order.size)
    return network.among(order), place[test]


def _failed(task: ModelTask, place: int, error: BaseException, seconds: float) -> Outcome:
    unit = task.units[place]
    return failure(unit, f"model {task.name!r} failed on split {unit.split}", error, seconds)


def failure(unit: Unit, what: str, error: BaseException, seconds: float) -> Outcome:
    """Record the error that is being handled as what came of a unit."""
    text, trace = error_text(error), encodable(traceback.format_exc())
    if len(trace) > LONGEST_TRACE:
        half = LONGEST_TRACE // 2
        trace = f"{trace[:half]}\n...\n{trace[-half:]}"
    if not isinstance(error, NettrialError) or error.args != (text,):
        error = ModelError(encodable(f"{what}: {type(error).__name__}: ") + text)
    return Outcome(unit, seconds, error=error, traceback=trace)


def prediction_shape(network: Network, nodes: NDArray[np.intp]) -> tuple[int, ...]:
    """Return the shape of predictions: one column per class, or one number for each node."""
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
