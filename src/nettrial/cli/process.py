"""What the command line does with its process: standard output, signals, limits of models."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import faulthandler
import gc
import os
import signal
import sys
import time
from collections.abc import Iterator
from functools import cache
from types import FrameType
from typing import Any

import click

from ..core.errors import InputError
from ..core.plain_text import printable

SIGNALS = ("SIGTERM", "SIGHUP")
DEAF = 10.0  # seconds in which a signal that comes again does not disturb the work of ending
# the commands that run models of the user
RUNNING = ("across", "audit", "compare", "plan", "sweep", "transfer")


_lost: list[OSError] = []  # why standard output could not be written
_inherited: dict[int, Any] = {}  # the handlers of signals before ours


class Stopped(KeyboardInterrupt):
    """A signal asks the program to end; what was finished is kept, as after Ctrl-C."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


@contextlib.contextmanager
def stopped_by_signals() -> Iterator[None]:
    """Turn the signals by which schedulers and containers end a program into an exception.

    Processes that a model forks, such as a pool's, are ended by them as ever.
    """
    last = -DEAF

    def stop(number: int, _frame: FrameType | None) -> None:
        nonlocal last
        if time.monotonic() - last < DEAF:
            return
        last = time.monotonic()
        raise Stopped(number)

    numbers = [getattr(signal, name) for name in SIGNALS if hasattr(signal, name)]
    try:
        before = {number: signal.signal(number, stop) for number in numbers}
    except ValueError:  # called in another thread than the main one
        yield
        return
    _inherited.update(before)
    _reset_in_forks()
    try:
        yield
    finally:
        _inherited.clear()
        for number, handler in before.items():
            signal.signal(number, handler)


@cache
def _reset_in_forks() -> None:
    def reset() -> None:
        for number, handler in _inherited.items():
            signal.signal(number, handler)

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=reset)


def keep_font_list() -> None:
    """Give matplotlib a folder of our own where its usual ones cannot be written.

    Else it makes another one in every run, where it lists all fonts anew, and warns of it.
    """
    if "MPLCONFIGDIR" in os.environ or not sys.platform.startswith("linux"):
        return
    for variable, usual in (("XDG_CONFIG_HOME", ".config"), ("XDG_CACHE_HOME", ".cache")):
        place = os.path.abspath(os.environ.get(variable) or os.path.expanduser(f"~/{usual}"))
        while not os.path.exists(place):  # it would be made
            place = os.path.dirname(place)
        if not os.access(place, os.W_OK):
            from ..kernels import places

            own = places.temporary()
            if own is not None:
                os.environ["MPLCONFIGDIR"] = str(own / "matplotlib")
            return


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Search nothing for cyclic garbage within, nor later what was made within.

    For work that mostly imports modules, which stay: a tenth of a short command was such a search.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def open_closed_streams() -> None:
    """Give the program those of its three standard streams that it was started without.

    Otherwise the next files that it opens take their numbers, and what is meant for people is
    written into a study. What should go to a closed output fails with an error.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            # the lowest number that is free; and for reading, so that nothing can be put out there
            os.open(os.devnull, os.O_WRONLY if name == "stderr" else os.O_RDONLY)
            os.set_inheritable(number, True)  # workers have it too
            if getattr(sys, name) is None:
                mode = "r" if name == "stdin" else "w"
                stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
                setattr(sys, name, stream)
                setattr(sys, f"__{name}__", stream)


@contextlib.contextmanager
def own_output() -> Iterator[None]:
    """Keep standard output for what nettrial says.

    What models and the libraries under them print there goes to standard error, so that the
    output can be read by a program.
    """
    stream: Any = sys.stdout
    kept = None
    # otherwise it is closed, or something else already
    if stream is sys.__stdout__ and getattr(stream, "fileno", lambda: None)() == 1:
        with contextlib.suppress(OSError):
            kept = os.dup(1)
            os.dup2(2, 1)
    if kept is None:
        yield
        return
    buffered = 1 if stream.isatty() else -1  # line by line for people
    sys.stdout = os.fdopen(kept, "w", buffered, encoding=stream.encoding, errors=stream.errors)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):  # a model may have closed it
            os.dup2(kept, 1)
        with contextlib.suppress(OSError):
            sys.stdout.close()
        sys.stdout = stream


def show_crashes() -> None:
    """Let a model whose compiled code crashes say on standard error in which line it did."""
    if not faulthandler.is_enabled():
        with contextlib.suppress(OSError):
            faulthandler.enable(2, all_threads=False)


@cache
def abort_on_exit() -> None:
    """Let a library that ends the program by C's own ``exit`` abort it instead, from now on.

    It would look like success without a word. An abort shows the line that led to it. Python's own
    end stays as it is.
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


def finish_output() -> None:
    """Write out what is left in the buffer."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        lose_output(error)
    if _lost:
        why = _lost.pop()
        if isinstance(why, BrokenPipeError):
            raise why
        raise InputError(f"the output cannot be written ({why.strerror or why})") from why


def leave_threads(code: int) -> None:
    """End the program at once where models left threads behind, for which Python would wait."""
    guards = sys.modules.get("nettrial.study.guards")  # not loaded where no model has run
    names = guards.left_behind() if guards else []
    if not names:
        return
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(
            printable(
                f"nettrial: threads that were left running by {', '.join(names)} are ended; a "
                "model should end its own threads\n"
            )
        )
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)


def lose_output(error: OSError) -> None:
    """Go on without standard output: files are written, and in the end an error says so."""
    if not _lost:
        _lost.append(error)
    # what is left in the buffer must not fail again
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def add_limits(command: click.Command) -> None:
    """Add the options that limit what a model may take for one split."""

    def limit(context: click.Context, option: click.Parameter, value: float | None) -> None:
        from ..study.limits import unit_limits

        if value is not None:
            chosen: dict[str, Any] = {str(option.name): value}
            context.with_resource(unit_limits(**chosen))

    words = {
        "timeout": ("SECONDS", "Time that a model may take for one split; else it has failed."),
        "memory": ("GB", "Memory that a model may take for one split; else it has failed."),
    }
    for name, (unit, meaning) in words.items():
        command.params.append(
            click.Option(
                [f"--{name}"],
                type=float,
                metavar=unit,
                help=meaning,
                expose_value=False,
                callback=limit,
            )
        )
