"""Compiled loops on several threads.

Threads are Python's own: numba's thread pools do not survive a fork or a second caller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


def n_threads() -> int:
    """Return numba's number of threads, which its environment variable and function set."""
    import numba

    return int(numba.get_num_threads())


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Keep the threads of BLAS asleep within.

    They wait for each other by spinning, which for vectors and small matrices takes many times
    the work; and sums have the same bits on any number of cores.
    """
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1, "blas"):
        yield


@contextmanager
def team(most: int) -> Iterator[Callable[[Callable[[T], None], Sequence[T]], None]]:
    """Hold up to `most` threads ready; yields a function that runs a task for every item.

    The task must release the interpreter lock.
    """
    threads = min(n_threads(), most)
    if threads <= 1:
        yield _alone
        return
    with ThreadPoolExecutor(threads) as pool:

        def together(task: Callable[[T], None], items: Sequence[T]) -> None:
            begun: list[Future[None]] = []
            try:
                for item in items:
                    begun.append(pool.submit(task, item))
            except RuntimeError as error:  # "can't start new thread"
                wait(begun)
                raise MemoryError(
                    f"{error}: the system has no memory for it, or allows no more threads; "
                    "NUMBA_NUM_THREADS=1 makes do with one"
                ) from error
            for each_one in begun:
                each_one.result()

        yield together


def _alone(task: Callable[[T], None], items: Sequence[T]) -> None:
    for item in items:
        task(item)


def each(task: Callable[[T], None], items: Sequence[T]) -> None:
    """Run a task that releases the interpreter lock for every item."""
    with team(len(items)) as run:
        run(task, items)
