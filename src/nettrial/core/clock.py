"""The one clock of work: the time that it would take on a machine that does nothing else."""

from __future__ import annotations

import time
from pathlib import Path

WAITING = 0.1  # of the wall clock: work that keeps processors less busy waits for something else
QUEUE = Path("/proc/thread-self/schedstat")  # Linux: how long this thread waited for a processor


class Clock:
    """Measures how long the current thread has worked since the clock was made.

    Budgets, and the seconds of models in results, are processor time: another program that keeps
    the machine busy does not count. Threads that work at the same time count once. Work that
    waits for a graphics card, a service or another program counts as long as it waits. So it is
    the wall clock less the time in which the thread waited for a processor; where the system does
    not say that, processor time, or the wall clock of work that hardly uses a processor. What runs
    in a worker process is measured there.

    Examples
    --------
    >>> clock = Clock()
    >>> time.sleep(0.01)
    >>> clock.seconds() > 0.009
    True
    """

    def __init__(self) -> None:
        self._queue = _seconds_in_queue()
        self._wall, self._processor = time.perf_counter(), time.process_time()
        self._thread = time.thread_time()

    def seconds(self) -> float:
        """Return the seconds of work."""
        own = time.thread_time() - self._thread  # the queue holds that for reading its length too
        wall, processor = self._spent()
        if self._queue is not None and (queue := _seconds_in_queue()) is not None:
            return max(wall - (queue - self._queue), own)
        return wall if processor < WAITING * wall else min(processor, wall)

    def cores(self) -> float:
        """Return how many cores this process has kept busy."""
        wall, processor = self._spent()
        return processor / max(wall, 1e-9)

    def _spent(self) -> tuple[float, float]:
        return time.perf_counter() - self._wall, time.process_time() - self._processor


def _seconds_in_queue() -> float | None:
    try:
        return int(QUEUE.read_bytes().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return None
