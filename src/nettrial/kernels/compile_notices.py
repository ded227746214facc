"""A word to the user while loops are compiled: which ones, and how long it took.

On the command line always, in a library only on a terminal, since compiling is seen as a hang.
"""

from __future__ import annotations

import atexit
import sys
import time
from functools import cache
from multiprocessing import parent_process

from numba.core import event

from .. import kernels
from . import places

OURS = "nettrial."
MOST_NAMED = 6


class Watch(event.Listener):
    """Times the outermost compilations of our functions."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}  # function -> time it took, what it calls included
        self._depth = 0
        self._begin = 0.0

    def on_start(self, found: event.Event) -> None:
        """Note the start of a compilation, and tell of the first one."""
        self._depth += 1
        if self._depth == 1:
            self._begin = time.perf_counter()
            if _aloud() and not self.seconds and _name(found):
                sys.stderr.write("nettrial: compiling loops for this processor, once ...\n")

    def on_end(self, found: event.Event) -> None:
        """Note the end of a compilation."""
        self._depth -= 1
        name = _name(found)
        if self._depth == 0 and name:
            took = time.perf_counter() - self._begin
            self.seconds[name] = self.seconds.get(name, 0.0) + took

    def tell(self) -> None:
        """Report what was compiled since the last time."""
        if self.seconds and _aloud():
            sys.stderr.write(f"nettrial: {summary(self.seconds)}\n")
        self.seconds = {}


def _aloud() -> bool:
    return (kernels.announce or sys.stderr.isatty()) and parent_process() is None


def _name(found: event.Event) -> str:
    function = found.data["dispatcher"].py_func
    return str(function.__name__) if function.__module__.startswith(OURS) else ""


def summary(seconds: dict[str, float]) -> str:
    """Describe which loops were compiled, how long that took and where they are kept.

    Examples
    --------
    >>> summary({"sweep": 1.25, "draw": 0.5})[:56]
    'compiled 2 loops in 1.8 s: sweep 1.2 s, draw 0.5 s; kept'
    """
    longest = sorted(seconds, key=lambda name: -seconds[name])[:MOST_NAMED]
    text = ", ".join(f"{name} {seconds[name]:.1f} s" for name in longest)
    rest = len(seconds) - len(longest)
    more = f" and {rest} more" if rest else ""
    place = places.folder()
    kept = f"kept in {place}" if place else "kept nowhere"
    many = "1 loop" if len(seconds) == 1 else f"{len(seconds)} loops"
    return f"compiled {many} in {sum(seconds.values()):.1f} s: {text}{more}; {kept}"


@cache
def watch() -> Watch:
    """Watch all compilations of this process, and report them when it ends."""
    found = Watch()
    event.register("numba:compile", found)
    atexit.register(found.tell)
    return found
