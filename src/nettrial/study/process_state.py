"""Put back what a model changes of its process.

That is its folder, paths, variables, signals and streams, and the settings of Python, PyTorch and
other libraries, which hold for all models.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..core.errors import NettrialError
from ..core.option_names import option
from .process_settings import kept_settings

SIGNALS = ("SIGALRM", "SIGHUP", "SIGINT", "SIGTERM")
STREAMS = ("stdin", "stdout", "stderr")
TINY = np.array([1e-310])  # 0 where numbers below the normal range count as that


class FilesClosedError(NettrialError):
    """A model closed files of the process in which it works."""


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
        # put back from the last to the first: the time zone follows a variable
        for keep in (kept_settings, _lists, _folder, _signals, _streams, _torch):
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
        closed = False
        for number, copy in copies.items():
            try:
                if not _same(number, copy):
                    os.dup2(copy, number)
                os.close(copy)
            except OSError:
                closed = True
        for name, stream in streams.items():
            setattr(sys, name, _reopened(name, stream))
        if closed:
            raise FilesClosedError(
                "it closed files that it had not opened (os.closerange?), among them those of this "
                f"process, which cannot go on; {option('n_jobs', 2)} keeps it apart from the others"
            )

    return back


def _torch() -> Callable[[], None]:
    """Keep how PyTorch computes; where it is not imported yet, that is as it comes."""
    before = _settings(loaded_torch())
    small = _keeps_small_numbers()

    def back() -> None:
        torch = loaded_torch()
        fresh = {} if before else _as_imported(torch)
        for name, value in _settings(torch).items():
            wanted = (before or fresh).get(name, value)
            if value != wanted:
                # None rather than the processor, for which PyTorch would look at every call
                none = getattr(wanted, "type", "") == "cpu"
                getattr(torch, name)(None if none else wanted)
        if small and not _keeps_small_numbers():
            torch.set_flush_denormal(False)  # nothing else here sets it

    return back


def _as_imported(torch: Any) -> dict[str, Any]:
    """Return the settings that PyTorch begins with."""
    if torch is None:
        return {}
    return {
        "set_grad_enabled": True,
        "use_deterministic_algorithms": False,
        "set_default_dtype": torch.float32,
        "set_default_device": torch.device("cpu"),
        "set_float32_matmul_precision": "highest",
    }


def loaded_torch() -> Any:
    """Return PyTorch where it is imported, and not only half so, in another thread; else None.

    Examples
    --------
    >>> loaded_torch() is sys.modules.get("torch")
    True
    """
    torch = sys.modules.get("torch")
    return torch if hasattr(torch, "set_rng_state") else None


def _settings(torch: Any) -> dict[str, Any]:
    """Return PyTorch's settings by the name of the function that sets each."""
    if torch is None:
        return {}
    return {
        "set_grad_enabled": torch.is_grad_enabled(),
        "use_deterministic_algorithms": torch.are_deterministic_algorithms_enabled(),
        "set_default_dtype": torch.get_default_dtype(),
        "set_default_device": torch.empty(0).device,
        "set_float32_matmul_precision": torch.get_float32_matmul_precision(),
        "set_num_threads": torch.get_num_threads(),
    }


def _keeps_small_numbers() -> bool:
    return bool(TINY * 1 > 0)


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
