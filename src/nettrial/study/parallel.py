"""Run tasks here, in worker processes, or on a cluster: whatever joblib's configuration says.

The network goes to worker processes as a folder of arrays that they map into memory, so that one
copy in the page cache serves all processes of a machine. Where workers run on other machines, it
is sent to each of them once.
"""

from __future__ import annotations

import contextlib
import math
import sys
import time
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from ..core.atomic import own_folder
from ..core.clock import Clock
from ..core.errors import InputError, NettrialError, shown
from ..core.peak_memory import PeakMemory
from ..core.plain_text import error_text
from ..core.processes import end_with_parent, start_tracker
from ..core.progress import Progress
from ..network.network import Network
from ..store.units import Outcome, Unit
from .fitting import ModelError, ModelWork
from .guards import TURN, seed_all
from .limits import Limits, current_limits, enforce_limits, overdue_units
from .records import Record
from .settings import receive_settings, settings_to_send

if TYPE_CHECKING:
    from .shared_network import Source

WORKERS = 10_000  # at most
START = 2.0  # seconds that workers take to start
SMALL = 10_000  # nodes and links of a network on which a unit takes much less
PAUSE = 0.2  # seconds between looks at what other processes have left to do
LOSSES = 3  # times that the workers may be lost without a unit done or failed in between
WORTH = 0.2  # seconds of work that a task should hold
LARGEST = 64  # units of a task
_loaded: set[str] = set()  # models that have run in this worker
_own_worker = False  # whether this process is one of `own_workers`
WAVE = 8  # tasks a worker in one go, where a backend gives results only all together


class Work(Protocol):
    """Units of work that are done in one go."""

    @property
    def units(self) -> tuple[Unit, ...]: ...

    @property
    def is_ours(self) -> bool:
        """Whether only built-in models run."""
        ...

    def run(self, network: Network) -> list[Outcome]:
        """Run the units; one that fails does not stop the others."""
        ...


Plan: TypeAlias = Callable[[Sequence[Unit]], Work]
Blocks: TypeAlias = Sequence[Sequence[Unit]]
Do: TypeAlias = Callable[[Iterator[Work]], Iterator[list[Outcome]]]


class TimeLimitError(ModelError):
    """A model went on when its time was over, until its process was ended."""


class Conditions(NamedTuple):
    """Under what workers do a task."""

    limits: Limits
    traces: str  # the folder for traces of units that go on when their time is over
    settings: dict[str, Any]  # those of this process for computing


class WorkersLostError(Exception):
    """The workers, or one of them, ended in the middle of their work.

    Attributes
    ----------
    overdue : mapping of Unit to str
        The units with which they were ended because their time was over, with their traces.
    """

    def __init__(self, text: str, overdue: Mapping[Unit, str] | None = None) -> None:
        super().__init__(text)
        self.overdue = overdue or {}


def work(
    network: Network, plan: Plan, blocks: Blocks, record: Record, n_jobs: int | None
) -> Generator[list[Outcome]]:
    """Run all units that are open in a record, and give what comes of them as it comes.

    Units are taken from the record one block at a time, as workers become free, so that several
    processes can share a record. A unit whose worker dies runs again; if it then dies alone,
    it has failed.

    Parameters
    ----------
    plan : callable
        Gives the task for some units of a block.
    blocks : sequence of sequences of Unit
        All units; those of one block are run together.
    record : Record
        Must hear of each outcome before the next one is asked for.
    n_jobs : int, optional
        As for `run`.
    """
    if n_jobs not in (None, 1) and is_small(network) and not _workers_started():
        yield from short_jobs(network, plan, blocks, record)
        if not record.open_units():
            return
    with pool(network, n_jobs) as do:
        losses, pace = 0, Pace()
        while (open_units := record.open_units()) or record.waits():
            if not open_units:
                time.sleep(PAUSE)
                continue
            try:
                for outcomes in do(tasks(plan, blocks, record, open_units, pace)):
                    losses = 0
                    pace.note(outcomes)
                    yield outcomes
            except WorkersLostError as loss:
                losses += 1
                if losses == LOSSES:
                    raise ModelError(f"the workers failed {LOSSES} times: {loss}") from loss
                suspects = set(record.taken())
                record.free()
                late = record.take(sorted(suspects & loss.overdue.keys()))
                known = iter([[too_late(plan, unit, loss)] for unit in late])
                for outcomes in known if late else one_by_one(do, plan, record, suspects):
                    losses = 0  # a unit that has failed has ended too: its rival's turn comes
                    yield outcomes
                    yield from given_up(record, outcomes)


def is_small(network: Network) -> bool:
    """Return whether built-in models take less time on a network than workers to start."""
    return network.n_nodes + network.n_links <= SMALL


def _workers_started() -> bool:
    """Return whether workers run, or somebody wants others than those of this machine."""
    if "joblib" not in sys.modules:
        return bool(current_limits())
    from joblib.externals.loky import reusable_executor
    from joblib.parallel import get_active_backend

    ours = type(get_active_backend()[0]).__module__.startswith("joblib._parallel")
    return not ours or bool(current_limits()) or reusable_executor._executor is not None


def short_jobs(
    network: Network, plan: Plan, blocks: Blocks, record: Record
) -> Iterator[list[Outcome]]:
    """Run units of built-in models here, for no longer than workers take to start.

    Other models go to workers, which is what keeps this process safe from them.
    """
    clock, pace = Clock(), Pace()
    for task in tasks(plan, blocks, record, record.open_units(), pace):
        if not task.is_ours:
            record.free()
            return
        outcomes = task.run(network)
        pace.note(outcomes)
        yield outcomes
        if clock.seconds() > START:
            return


def complete(
    network: Network,
    plan: Plan,
    blocks: Blocks,
    record: Record,
    n_jobs: int | None,
    progress: Progress,
) -> None:
    """Run all units that are open in a record, and keep in it what comes of them."""
    progress.advance(record.count_done())
    with contextlib.closing(work(network, plan, blocks, record, n_jobs)) as found:
        for outcomes in found:
            record.keep(outcomes)
            progress.advance(len(outcomes))


class Pace:
    """How long a unit of each model takes, so that tasks are worth their overhead."""

    def __init__(self) -> None:
        self._seconds: dict[int, float] = {}

    def note(self, outcomes: Sequence[Outcome]) -> None:
        """Learn from finished units."""
        for found in outcomes:
            self._seconds[found.unit.model] = found.seconds

    def size(self, model: int) -> int:
        """Return the number of units of a model that make a task."""
        return int(min(LARGEST, max(1, WORTH / max(self._seconds.get(model, WORTH), 1e-9))))


def tasks(
    plan: Plan, blocks: Blocks, record: Record, wanted: set[Unit], pace: Pace
) -> Iterator[Work]:
    """Return the tasks for those units that can be taken; blocks of one unit are put together."""
    left = deque(block for block in blocks if not wanted.isdisjoint(block))
    while left:
        group = list(left.popleft())
        size = pace.size(group[0].model) if len(group) == 1 else 0
        while (
            left and len(group) < size and len(left[0]) == 1 and left[0][0].model == group[0].model
        ):
            group += left.popleft()
        units = record.take(group)
        if units:
            yield plan(units)


def one_by_one(do: Do, plan: Plan, record: Record, suspects: set[Unit]) -> Iterator[list[Outcome]]:
    """Run units alone; one whose worker dies once more has failed."""
    for unit in sorted(suspects):
        for taken in record.take([unit]):
            begin, task = time.perf_counter(), plan([taken])
            try:
                yield from do(iter([task]))
            except WorkersLostError as loss:
                if taken in loss.overdue:
                    yield [too_late(plan, taken, loss)]
                    continue
                error = ModelError(
                    f"{model_of(task)}its worker ended twice, the second time alone: {loss}"
                )
                yield [Outcome(taken, time.perf_counter() - begin, error=error)]


def too_late(plan: Plan, unit: Unit, loss: WorkersLostError) -> Outcome:
    """Return the failure of a unit that had to be ended with its worker."""
    limit = current_limits().seconds or 0.0
    error = TimeLimitError(
        f"{model_of(plan([unit]))}it took longer than the {limit:g} seconds that it may take, did "
        "not react, and was ended with its worker"
    )
    return Outcome(unit, limit, error=error, traceback=loss.overdue[unit])


def model_of(task: Work) -> str:
    """Return the beginning of an error that names the model of a task, if it is of one."""
    return f"model {shown(task.name)}: " if hasattr(task, "name") else ""


def given_up(record: Record, outcomes: Sequence[Outcome]) -> Iterator[list[Outcome]]:
    """Let the other units of a model fail unseen that did not end when its time was over.

    Each would take its time and a new worker, and a model that lacks one split cannot be compared.
    """
    for deaf in outcomes:
        if isinstance(deaf.error, TimeLimitError):
            text = "it was not run, because it did not end when its time was over on another split"
            wanted = [unit for unit in record.open_units() if unit.model == deaf.unit.model]
            if units := record.take(sorted(wanted)):
                yield [Outcome(unit, 0.0, error=ModelError(text)) for unit in units]


def check_n_jobs(n_jobs: int | None) -> None:
    """Refuse what is no number of worker processes."""
    if n_jobs is None:
        return
    whole = isinstance(n_jobs, (int, np.integer)) and not isinstance(n_jobs, bool)
    if not whole or not 0 < abs(n_jobs) <= WORKERS:
        raise InputError(
            parameter="n_jobs",
            expected=f"an integer except 0, at most {WORKERS:,}",
            got=shown(n_jobs),
            hint="-1 means all cores",
        )


def joblib_counts() -> bool:
    """Return whether anybody can have set joblib up, or limits need it; importing it takes .2 s."""
    return "joblib" in sys.modules or bool(current_limits())


def n_workers(n_jobs: int | None) -> int:
    """Return how many units run at a time."""
    if n_jobs in (None, 1) and not joblib_counts():
        return 1
    from joblib import effective_n_jobs

    return int(effective_n_jobs(n_jobs))


@contextlib.contextmanager
def pool(network: Network, n_jobs: int | None) -> Iterator[Do]:
    """Return a function that runs tasks in the way that joblib is set up for."""
    check_n_jobs(n_jobs)
    if n_jobs in (None, 1) and not joblib_counts():
        yield lambda queue: (task.run(network) for task in queue)
        return
    from joblib import effective_n_jobs, parallel_config
    from joblib.parallel import get_active_backend

    backend, configured = get_active_backend()
    number, limits = effective_n_jobs(n_jobs), current_limits()
    if number == 1 and type(backend).__module__.startswith("joblib._parallel") and not limits:
        yield lambda queue: (task.run(network) for task in queue)
        return
    from .shared_network import share, temporary_folder

    if limits and not getattr(backend, "supports_inner_max_num_threads", False):
        raise InputError(
            "timeout, memory: only worker processes of this machine can be held to them, not the "
            f"{type(backend).__name__} of joblib's configuration; leave them out, or use its loky"
        )
    with contextlib.ExitStack() as stack:
        source = stack.enter_context(share(network, backend))
        if getattr(backend, "supports_inner_max_num_threads", False):  # processes of this machine
            jobs = configured if n_jobs is None else n_jobs
            if number == 1:  # joblib would take one worker as none
                n_jobs = jobs = 2
            stack.enter_context(
                parallel_config(backend=own_workers(), n_jobs=jobs, inner_max_num_threads=1)
            )
        traces = str(stack.enter_context(own_folder(temporary_folder()))) if limits else ""
        conditions = Conditions(limits, traces, settings_to_send())
        as_they_come = bool(getattr(backend, "supports_return_generator", False))
        yield lambda queue: through_joblib(queue, source, conditions, n_jobs, number, as_they_come)


def begin_worker() -> None:
    """Begin as a worker, which imports the user's modules anew: as they were imported first."""
    global _own_worker
    _own_worker = True
    end_with_parent()
    seed_all(0)


def own_workers() -> Any:
    """Return joblib's backend of processes, which do not outlive this one, from their start on."""
    from joblib._parallel_backends import LokyBackend

    start_tracker()

    class Workers(LokyBackend):  # type: ignore[misc]
        def configure(self, *args: Any, **options: Any) -> Any:
            return super().configure(*args, initializer=begin_worker, **options)

    return Workers()


def through_joblib(
    queue: Iterator[Work],
    source: Source,
    conditions: Conditions,
    n_jobs: int | None,
    number: int,
    as_they_come: bool,
) -> Iterator[list[Outcome]]:
    """Run tasks by joblib; results come as they end, else in waves."""
    from joblib import Parallel, delayed

    guard = Guard(queue)
    calls = (delayed(do_task)(source, task, conditions) for task in guard)
    ahead = 1 if number == 1 else "2 * n_jobs"
    try:
        if as_they_come:
            workers = Parallel(n_jobs=n_jobs, return_as="generator_unordered", pre_dispatch=ahead)
            results = workers(calls)
            try:
                for outcomes in results:  # noqa: UP028 - closing ours must not close it unseen
                    yield outcomes
            finally:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # it tells of tasks that end for nothing
                    results.close()
        else:
            with Parallel(n_jobs=n_jobs) as workers:
                while wave := list(islice(calls, WAVE * number)):
                    yield from workers(wave)
    except NettrialError:
        raise
    except Exception as error:
        text = " ".join(error_text(error).split())  # joblib's own hold empty lines
        overdue = overdue_units(conditions.traces) if conditions.traces else {}
        raise WorkersLostError(f"{type(error).__name__}: {text}", overdue) from error
    if guard.error is not None:
        raise guard.error


class Guard:
    """Hand tasks to joblib's threads, in which an error would be lost: keep it for ours."""

    def __init__(self, queue: Iterator[Work]) -> None:
        self._queue = queue
        self.error: Exception | None = None

    def __iter__(self) -> Iterator[Work]:
        try:
            yield from self._queue
        except Exception as error:  # noqa: BLE001 - raised again by through_joblib
            self.error = error


def do_task(source: Source, task: Work, conditions: Conditions) -> list[Outcome]:
    """Run a task in a worker."""
    end_with_parent()  # where they are not `own_workers`
    with TURN:
        receive_settings(conditions.settings)
    with enforce_limits(conditions.limits, conditions.traces, task.units):
        network = source.open()
        if _own_worker and isinstance(task, ModelWork):
            return run_and_measure(task, network)
        return task.run(network)


def run_and_measure(task: ModelWork, network: Network) -> list[Outcome]:
    """Run a task in a worker of our own, and measure the memory that it takes at its peak.

    What a model loads and compiles in a worker on first use is no part of that: the first unit is
    not measured, and first of several units one runs once more.
    """
    if task.name not in _loaded:
        _loaded.add(task.name)
        if len(task.units) == 1:
            return task.run(network)
        task.only(0).run(network)
    peak = PeakMemory()
    outcomes, taken = task.run(network), peak.megabytes()
    if math.isnan(taken):
        return outcomes
    return [replace(each, megabytes=max(taken, 0.0)) for each in outcomes]
