"""Limits of time and memory for a model's work on one split.

They hold in worker processes, which can be ended: where limits are set, models run in these
also with one worker.
"""

from __future__ import annotations

import contextlib
import faulthandler
import signal
import threading
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ..store.units import Unit

MOST = 10**9  # seconds or gigabytes; clocks and systems count no further
GRACE = 1.0  # seconds after which a model that does not react is ended with its process
GIGABYTE = 10**9


@dataclass(frozen=True, slots=True)
class Limits:
    """What one unit of work may take."""

    seconds: float | None = None
    # memory that it may take beside what its process has when it begins
    gigabytes: float | None = None

    def __bool__(self) -> bool:
        return self.seconds is not None or self.gigabytes is not None


NONE = Limits()
_current: ContextVar[Limits] = ContextVar("current", default=NONE)
_enforced: ContextVar[Limits] = ContextVar("enforced", default=NONE)
_traces: ContextVar[tuple[str, Sequence[Unit]]] = ContextVar("traces", default=("", ()))


@contextlib.contextmanager
def unit_limits(*, timeout: float | None = None, memory: float | None = None) -> Iterator[None]:
    """Limit what a model may take for one split, in everything that is run within.

    A unit of work that takes more has failed, as one that raises an error has; the others go on.

    Parameters
    ----------
    timeout : float, optional
        Seconds for fitting and predicting. Where neither is given, an enclosing limit holds.
    memory : float, optional
        Gigabytes, beside what its process has when it begins; on Linux only.

    Examples
    --------
    >>> with unit_limits(timeout=60):
    ...     current_limits()
    Limits(seconds=60.0, gigabytes=None)
    """
    for name, value in (("timeout", timeout), ("memory", memory)):
        if value is not None and (
            isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= MOST
        ):
            raise InputError(
                parameter=name, expected=f"a positive number up to {MOST:,}", got=shown(value)
            )
    if memory is not None and not Path("/proc/self/status").exists():
        raise InputError(
            "only Linux can limit it for one process", parameter="memory", hint="leave it out here"
        )
    outer = _current.get()
    limits = Limits(
        outer.seconds if timeout is None else float(timeout),
        outer.gigabytes if memory is None else float(memory),
    )
    token = _current.set(limits)
    try:
        yield
    finally:
        _current.reset(token)


@check_arguments
def current_limits() -> Limits:
    """Return the limits that hold for what is run now."""
    return _current.get()


@contextlib.contextmanager
def enforce_limits(limits: Limits, traces: str, units: Sequence[Unit]) -> Iterator[None]:
    """Hold every unit of work within to limits: what a worker process does.

    An interrupt from the keyboard goes to the main process alone, which ends its workers.

    Parameters
    ----------
    traces : str
        A folder for traces of units with which this process had to be ended, see `overdue_units`.
    units : sequence of Unit
        Those of the task, which may run others within.
    """
    main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN) if main else None
    tokens = _enforced.set(limits if main else NONE), _traces.set((traces, units))
    try:
        yield
    finally:
        _enforced.reset(tokens[0])
        _traces.reset(tokens[1])
        if main:
            signal.signal(signal.SIGINT, before or signal.SIG_DFL)


@contextlib.contextmanager
def limit_units(units: Sequence[Unit]) -> Iterator[None]:
    """Hold units that are done in one go to the limits of this process.

    Examples
    --------
    >>> with limit_units([Unit(0, 0)]):
    ...     pass
    """
    limits = _enforced.get()
    with contextlib.ExitStack() as stack:
        if limits.gigabytes is not None:
            stack.enter_context(_memory(limits.gigabytes))
        if limits.seconds is not None:
            folder, known = _traces.get()
            unit = units[0] if units[0] in known else known[0]
            trace = Path(folder) / ",".join(map(str, unit))
            stack.enter_context(_time(limits.seconds * len(units), trace))
        yield


@contextlib.contextmanager
def _time(seconds: float, trace: Path) -> Iterator[None]:
    def ring(_number: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"it took longer than the {seconds:g} seconds that it may take")

    with trace.open("w") as file:
        before = signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        # compiled code that does not come back to Python never hears the alarm
        faulthandler.dump_traceback_later(seconds + GRACE, exit=True, file=file)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            faulthandler.cancel_dump_traceback_later()
            signal.signal(signal.SIGALRM, before)


def overdue_units(traces: str) -> dict[Unit, str]:
    """Return the units with which workers were ended when their time was over, with their traces.

    Of units that were done in one go it is the first. What the folder holds is removed.
    """
    found = {}
    for path in Path(traces).iterdir():
        if trace := path.read_text(errors="replace"):
            found[Unit(*map(int, path.name.split(",")))] = trace
        path.unlink()
    return found


@contextlib.contextmanager
def _memory(gigabytes: float) -> Iterator[None]:
    import resource

    status = Path("/proc/self/status").read_text()
    data = int(status.partition("VmData:")[2].split()[0]) * 1024
    before = resource.getrlimit(resource.RLIMIT_DATA)
    most = data + int(gigabytes * GIGABYTE)
    if before[1] != resource.RLIM_INFINITY:
        most = min(most, before[1])
    resource.setrlimit(resource.RLIMIT_DATA, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)
