"""Fit one model on one or more splits and predict: what a worker process does."""

from __future__ import annotations

import copy
import inspect
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core.clock import Clock
from ..core.errors import InputError, NettrialError, NettrialWarning, shown
from ..core.model_warnings import capture_warnings
from ..core.plain_text import encodable, error_text
from ..models.base import AnyModel, is_ours
from ..network.network import Network
from ..numeric.checks import to_floats
from ..store.units import Outcome, Unit
from .guards import Isolation, checksum, isolated
from .limits import limit_units
from .task import Task

LONGEST_TRACE = 100_000  # letters of a traceback that are kept
# the last: a model learns from the network of training nodes, and predicts on the whole one
CrossLinks: TypeAlias = Literal["keep", "drop", "inductive"]


class ModelError(NettrialError):
    """A model failed, or gave something other than class probabilities."""


class InputsChangedError(ModelError):
    """A model wrote into what other models are handed too, so that the run cannot go on."""


def numbers_said(said: Any, name: str, where: str) -> NDArray[np.float64]:
    """Return what a model said as numbers; refuse text, complex and masked ones, and others."""
    try:
        return to_floats("", said, exact=False)
    except InputError as error:
        raise ModelError(f"model {shown(name)}, {where}: {error}") from error


@dataclass(frozen=True, slots=True)
class ModelWork:
    """Units of one model that are run in one go."""

    units: tuple[Unit, ...]
    name: str  # the model's
    model: Any
    splits: tuple[Any, ...]  # one for each unit
    seeds: tuple[int, ...]  # likewise
    cross_links: CrossLinks | None  # {"keep", "drop"} or None
    task: Task  # what is predicted

    @property
    def is_ours(self) -> bool:
        """Whether the model is built in."""
        return is_ours(self.model)

    def run(self, network: Network) -> list[Outcome]:
        """Run the units; one that fails does not stop the others."""
        return attempt(network, self)

    def only(self, place: int) -> ModelWork:
        one = slice(place, place + 1)
        return replace(self, units=self.units[one], splits=self.splits[one], seeds=self.seeds[one])


def attempt(network: Network, work: ModelWork) -> list[Outcome]:
    """Run units of a model; whatever it does is recorded, and none stops the others."""
    with _kept_apart(network, work) as isolation:
        if work.task.in_batches(network, work.model, work.cross_links):
            return _attempt_batch(network, work, isolation)
        return [_attempt_one(network, work, place, isolation) for place in range(len(work.units))]


def _attempt_one(network: Network, work: ModelWork, place: int, isolation: Isolation) -> Outcome:
    unit, split, seed = work.units[place], work.splits[place], work.seeds[place]

    def fit() -> Any:
        with limit_units([unit]):
            return work.task.predict(network, work.model, split, seed, work.cross_links)

    clock = Clock()
    try:
        with capture_warnings() as given:
            said = isolation.run(seed, fit)
        found = work.task.checked(said, network, split, work.name, f"split {unit.split}")
    except BaseException as error:  # noqa: BLE001 - a model may raise anything
        _end_if_interrupted(isolation)
        return _failed(work, place, error, clock.seconds())
    _end_if_interrupted(isolation)
    return Outcome(unit, clock.seconds(), found, warnings=_words(given))


def _attempt_batch(network: Network, work: ModelWork, isolation: Isolation) -> list[Outcome]:
    count = len(work.units)

    def fit() -> Any:
        with limit_units(work.units):
            return work.task.predict_batch(network, work.model, work.splits, work.seeds)

    clock = Clock()
    try:
        with capture_warnings() as given:
            tables = isolation.run(work.seeds[0], fit, watch=count > 1)
        alone = isolation.drew  # what it drew depends on what else is in the batch
        if not alone and len(tables) != count:
            raise ModelError(
                f"model {shown(work.name)}: expected {count} tables of probabilities, one for each "
                f"label set, got {len(tables)}"
            )
    except BaseException as error:  # noqa: BLE001 - a model may raise anything
        _end_if_interrupted(isolation)
        if count == 1:
            return [_failed(work, 0, error, clock.seconds())]
        alone = True
    _end_if_interrupted(isolation)
    if alone:
        parts = [work.only(place) for place in range(count)]
        return [found for each in parts for found in _attempt_batch(network, each, isolation)]
    seconds = clock.seconds() / count
    outcomes = []
    for place, (unit, split, table) in enumerate(zip(work.units, work.splits, tables)):
        where = f"split {unit.split}"
        try:
            found = work.task.checked(table[split.test], network, split, work.name, where)
            outcomes.append(Outcome(unit, seconds, found, warnings=_words(given, place)))
        except Exception as error:  # noqa: BLE001 - a model may return anything
            outcomes.append(_failed(work, place, error, seconds))
    return outcomes


def _end_if_interrupted(isolation: Isolation) -> None:
    """Raise what a signal raised that ends the program; a worker gets none.

    A model that raises `KeyboardInterrupt` by itself has failed.
    """
    if isolation.interrupts:
        raise isolation.interrupts[0]


@contextmanager
def _kept_apart(network: Network, work: ModelWork) -> Iterator[Isolation]:
    """Run a model; refuse to go on where it wrote into what other models are handed too."""
    ours = type(work.model).__module__.partition(".")[0] == __name__.partition(".")[0]
    before = None if ours else checksum(network)  # ours hand copies to other libraries
    with isolated(work.name) as isolation:
        yield isolation
    if before is not None and checksum(network) != before:
        raise InputsChangedError(
            f"model {shown(work.name)} wrote into the network's own arrays (features, links, "
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


def _failed(work: ModelWork, place: int, error: BaseException, seconds: float) -> Outcome:
    unit = work.units[place]
    return failure(unit, f"model {work.name!r} failed on split {unit.split}", error, seconds)


def failure(unit: Unit, what: str, error: BaseException, seconds: float) -> Outcome:
    """Record the error that is being handled as what came of a unit."""
    text, trace = error_text(error), encodable(traceback.format_exc())
    if len(trace) > LONGEST_TRACE:
        half = LONGEST_TRACE // 2
        trace = f"{trace[:half]}\n...\n{trace[-half:]}"
    if isinstance(error, InputError) and error.args != (text,):  # what it is about stands in `what`
        text = text.removeprefix(f"{error.where}: ")
        error = ModelError(encodable(f"{what}: ") + text)
    elif not isinstance(error, NettrialError) or error.args != (text,):
        error = ModelError(encodable(f"{what}: {type(error).__name__}: ") + text)
    return Outcome(unit, seconds, error=error, traceback=trace)
