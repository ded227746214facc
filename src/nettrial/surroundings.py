"""Put back what a model changes of its process: folder, paths, variables, signals, streams."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

SIGNALS = ("SIGALRM", "SIGHUP", "SIGINT", "SIGTERM")
STREAMS = ("stdin", "stdout", "stderr")


@contextmanager
def kept_surroundings() -> Iterator[None]:
    """Put the process back as it was, whatever is done to it within.

    Examples
    --------
    >>> with kept_surroundings():
    ...     sys.argv.clear()
    >>> bool(sys.argv)
    True
    """
    with contextlib.ExitStack() as stack:
        for keep in (_lists, _folder, _recursion, _signals, _streams):
            stack.callback(keep())
        yield


def _lists() -> Callable[[], None]:
    path, argv, environ = list(sys.path), list(sys.argv), dict(os.environ)

    def back() -> None:
        # only what was changed: setting a variable is not safe beside threads that read it
        if sys.path != path:
            sys.path[:] = path
        if sys.argv != argv:
            sys.argv[:] = argv
        if dict(os.environ) != environ:
            for name in os.environ.keys() - environ.keys():
                del os.environ[name]
            os.environ.update(environ)

    return back


def _folder() -> Callable[[], None]:
    try:
        folder = os.getcwd()
    except OSError:  # it is gone
        return lambda: None

    def back() -> None:
        with contextlib.suppress(OSError):
            os.chdir(folder)

    return back


def _recursion() -> Callable[[], None]:
    limit = sys.getrecursionlimit()
    return lambda: sys.setrecursionlimit(limit)


def _signals() -> Callable[[], None]:
    numbers = [getattr(signal, name) for name in SIGNALS if hasattr(signal, name)]
    handlers = {number: signal.getsignal(number) for number in numbers}
    timed = hasattr(signal, "getitimer") and signal.getitimer(signal.ITIMER_REAL)[0] > 0

    def back() -> None:
        if hasattr(signal, "setitimer") and not timed:  # else it is the limit of the unit
            signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in handlers.items():
            if handler is not None and signal.getsignal(number) != handler:
                with contextlib.suppress(ValueError):  # not in the main thread
                    signal.signal(number, handler)

    return back


def _streams() -> Callable[[], None]:
    streams = {name: getattr(sys, name) for name in STREAMS}
    copies = {}
    for number in range(3):
        with contextlib.suppress(OSError):  # it was closed before
            copies[number] = os.dup(number)

    def back() -> None:
        for number, copy in copies.items():
            with contextlib.suppress(OSError):
                if not _same(number, copy):
                    os.dup2(copy, number)
                os.close(copy)
        for name, stream in streams.items():
            setattr(sys, name, _reopened(name, stream))

    return back


def _same(one: int, other: int) -> bool:
    try:
        return os.path.sameopenfile(one, other)
    except OSError:
        return False


def _reopened(name: str, stream: Any) -> Any:
    """Return a stream, or a new one where a model has closed a standard one."""
    if stream is None or not stream.closed or stream is not getattr(sys, f"__{name}__"):
        return stream
    number = STREAMS.index(name)
    fresh = open(  # noqa: SIM115 - it stays open as long as the process
        number, "w" if number else "r", encoding="utf-8", errors="backslashreplace", closefd=False
    )
    setattr(sys, f"__{name}__", fresh)
    return fresh
