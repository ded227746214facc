"""Compiled loops on several threads, and a word to the user while they are compiled.

Threads are Python's own: numba's thread pools do not survive a fork or a second caller.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")
PATIENCE = 0.7  # seconds; loading compiled code from the cache takes less


def n_threads() -> int:
    """Give numba's number of threads, which its environment variable and function set."""
    import numba

    return int(numba.get_num_threads())


def each(task: Callable[[T], None], items: Sequence[T]) -> None:
    """Run a task that releases the interpreter lock for every item."""
    threads = min(n_threads(), len(items))
    if threads <= 1:
        for item in items:
            task(item)
        return
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(task, items))


@contextmanager
def telling_of_compilation() -> Iterator[None]:
    """Tell on a terminal that compiling takes a moment, once it has taken one."""

    def tell() -> None:
        sys.stderr.write("nettrial: compiling its loops for this machine, once (some seconds)\n")

    timer = threading.Timer(PATIENCE, tell)
    timer.daemon = True
    if sys.stderr.isatty():
        timer.start()
    try:
        yield
    finally:
        timer.cancel()
