"""Limits of time and memory for a model's work on one split.

They hold in worker processes, which can be ended: where limits are set, models run in these
also with one worker.
"""

from __future__ import annotations

import contextlib
import faulthandler
import signal
import threading
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown

MOST = 10**9  # seconds or gigabytes; clocks and systems count no further
GRACE = 5.0  # seconds after which a model that does not react is ended with its process
GIGABYTE = 10**9


@dataclass(frozen=True, slots=True)
class Limits:
    """What one unit of work may take.

    Attributes
    ----------
    seconds : float or None
    gigabytes : float or None
        Memory that it may take beside what its process has when it begins.
    """

    seconds: float | None = None
    gigabytes: float | None = None

    def __bool__(self) -> bool:
        return self.seconds is not None or self.gigabytes is not None


NONE = Limits()
_asked: ContextVar[Limits] = ContextVar("asked", default=NONE)
_held: ContextVar[Limits] = ContextVar("held", default=NONE)


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

    Raises
    ------
    InputError
        For what is no positive number, or where the system has no such limit.

    Examples
    --------
    >>> with unit_limits(timeout=60):
    ...     asked()
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
    outer = _asked.get()
    limits = Limits(
        outer.seconds if timeout is None else float(timeout),
        outer.gigabytes if memory is None else float(memory),
    )
    token = _asked.set(limits)
    try:
        yield
    finally:
        _asked.reset(token)


@check_arguments
def asked() -> Limits:
    """Return the limits that hold for what is run now."""
    return _asked.get()


@contextlib.contextmanager
def held(limits: Limits) -> Iterator[None]:
    """Hold every unit of work within to limits: what a worker process does.

    An interrupt from the keyboard goes to the main process alone, which ends its workers.
    """
    main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN) if main else None
    token = _held.set(limits if main else NONE)
    try:
        yield
    finally:
        _held.reset(token)
        if main:
            signal.signal(signal.SIGINT, before or signal.SIG_DFL)


@contextlib.contextmanager
def one_unit(count: int = 1) -> Iterator[None]:
    """Hold `count` units that are done in one go to the limits of this process."""
    limits = _held.get()
    with contextlib.ExitStack() as stack:
        if limits.gigabytes is not None:
            stack.enter_context(_memory(limits.gigabytes))
        if limits.seconds is not None:
            stack.enter_context(_time(limits.seconds * count))
        yield


@contextlib.contextmanager
def _time(seconds: float) -> Iterator[None]:
    def ring(_number: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"it took longer than the {seconds:g} seconds that it may take")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    # compiled code that does not come back to Python never hears the alarm
    faulthandler.dump_traceback_later(seconds + GRACE, exit=True, file=2)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        faulthandler.cancel_dump_traceback_later()
        signal.signal(signal.SIGALRM, before)


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
