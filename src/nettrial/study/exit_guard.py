"""Keep a model from ending the program: at once, from a thread, or when the program ends."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import faulthandler
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from types import FrameType
from typing import Any, NoReturn

from ..core.errors import shown
from ..core.plain_text import error_text, printable

WAYS = ("_exit", "execv", "execve")  # whatever else of Python's ends or replaces a process


class ModelExit(SystemExit):
    """A model asked the system to end its process."""


def catch_endings(at_work: list[int], attempts: list[ModelExit]) -> Callable[[], None]:
    """Turn what ends this process into errors, and return what puts it back.

    Processes that are forked, and threads that live already, may end as they like; the functions
    that are registered for the end of the program are run as a model's work.

    Parameters
    ----------
    at_work : list of int
        The threads in which a model is at work.
    attempts : list of ModelExit
        Takes what threads have tried that a model has started, whose errors nobody hears.
    """
    process, old = os.getpid(), {thread.ident for thread in threading.enumerate()}
    places = [os, sys.modules[os.name]]
    before = [(place, name, getattr(place, name)) for place in places for name in WAYS]

    def refusing(name: str, leave: Callable[..., NoReturn]) -> Callable[..., NoReturn]:
        def refuse(*args: Any) -> NoReturn:
            thread = threading.get_ident()
            if os.getpid() != process or (thread in old and thread not in at_work):
                leave(*args)
            error = ModelExit(f"os.{name}({', '.join(map(shown, args))})")
            if thread in at_work:
                raise error
            attempts.append(error)
            raise SystemExit  # Python is silent about this kind alone where a thread ends by it

        return refuse

    for place, name, leave in before:
        setattr(place, name, refusing(name, leave))
    register = atexit.register

    def registered(function: Callable[..., Any], *args: Any, **options: Any) -> Any:
        register(AtEnd(function, at_work), *args, **options)
        return function

    atexit.register = registered  # type: ignore[assignment]

    def back() -> None:
        atexit.register = register
        for place, name, leave in before:
            setattr(place, name, leave)

    return back


@contextlib.contextmanager
def noted_interrupts() -> Iterator[list[int]]:
    """Note each interrupt from the keyboard (Ctrl-C) that comes meanwhile; it interrupts as ever.

    So a `KeyboardInterrupt` that a model raises by itself can be told from one by a signal, which
    only the main thread receives.

    Examples
    --------
    >>> with noted_interrupts() as noted:
    ...     pass
    >>> noted
    []
    """
    noted: list[int] = []
    handler = signal.getsignal(signal.SIGINT)
    main = threading.current_thread() is threading.main_thread()
    if not main or not callable(handler):  # else the signal raises nothing
        yield noted
        return

    def note(number: int, frame: FrameType | None) -> None:
        noted.append(number)
        handler(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        yield noted
    finally:
        signal.signal(signal.SIGINT, handler)


def interrupts(error: BaseException, noted: Sequence[int]) -> bool:
    """Return whether an error is to end the program, rather than one of a model.

    Kinds of `KeyboardInterrupt` of our own, which other signals raise, always are.

    Examples
    --------
    >>> interrupts(KeyboardInterrupt(), []), interrupts(KeyboardInterrupt(), [signal.SIGINT])
    (False, True)
    """
    return isinstance(error, KeyboardInterrupt) and (
        bool(noted) or type(error) is not KeyboardInterrupt
    )


class AtEnd:
    """What a model, or a library that it loads, wants to be done when the program ends."""

    def __init__(self, function: Callable[..., Any], at_work: list[int]) -> None:
        self._function, self._at_work = function, at_work

    def __call__(self, *args: Any, **options: Any) -> None:
        """Do it; whatever comes of it, the program ends as it would have."""
        self._at_work.append(threading.get_ident())
        back = catch_endings(self._at_work, [])
        try:
            with contextlib.redirect_stdout(sys.stderr):
                self._function(*args, **options)
        except BaseException as error:  # noqa: BLE001 - of a model, which may raise anything
            told = f"{type(error).__name__}: {error_text(error)}"
            with contextlib.suppress(OSError, ValueError, AttributeError):
                sys.stderr.write(
                    printable(f"nettrial: what a model left for the end failed: {told}\n")
                )
        finally:
            back()
            self._at_work.pop()

    def __eq__(self, other: object) -> bool:
        return other is self or other == self._function  # how `atexit.unregister` finds it

    def __hash__(self) -> int:
        return hash(self._function)


@lru_cache(maxsize=1)
def hear_of_exits() -> None:
    """Let a library that ends the program by C's own ``exit`` abort it instead, from now on.

    It would look like success without a word; where `faulthandler` is on, an abort is told with the
    line that led to it. Python's own end is left as it is.
    """
    library = ctypes.CDLL(None) if os.name == "posix" else None
    if not hasattr(library, "__cxa_atexit"):
        return
    at_exit, throw = getattr(library, "__cxa_atexit"), getattr(library, "raise")
    at_exit.argtypes = [ctypes.c_void_p] * 3
    if at_exit(ctypes.cast(throw, ctypes.c_void_p), int(signal.SIGABRT), None) == 0:
        atexit.register(_ignore_aborts)


def _ignore_aborts() -> None:
    faulthandler.disable()  # which would put back in the end what it found
    signal.signal(signal.SIGABRT, signal.SIG_IGN)
