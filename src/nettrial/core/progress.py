"""A progress bar with the time left, shown on a terminal's stderr for work over two seconds."""

from __future__ import annotations

import sys
import threading
import time
from typing import Any, Self

PATIENCE = 2.0  # seconds of work before a bar appears


class Progress:
    """Count units of work; silent where stderr is not a terminal.

    Parameters
    ----------
    description : str
        What is being done.
    total : int
        Number of units.
    enabled : bool, optional
        By default whether stderr is a terminal.

    Examples
    --------
    >>> with Progress("running", total=3, enabled=False) as progress:
    ...     for _ in range(3):
    ...         progress.advance()
    >>> progress.done
    3
    """

    def __init__(self, description: str, *, total: int, enabled: bool | None = None) -> None:
        self.description = description
        self.total = total
        self.done = 0
        self._enabled = sys.stderr.isatty() if enabled is None else enabled
        self._lock = threading.Lock()
        self._begun = time.time()
        self._bar: Any = None
        self._timer: threading.Timer | None = None

    def __enter__(self) -> Self:
        if self._enabled:
            self._timer = threading.Timer(PATIENCE, self._show)
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._timer is not None:
            self._timer.cancel()
        with self._lock:
            if self._bar is not None:
                self._bar.finish()
                sys.stderr.write("\r\x1b[K")  # it stood for the time of the work only

    def _show(self) -> None:
        import click

        with self._lock:
            self._bar = click.progressbar(
                length=self.total, label=self.description, show_pos=self.total > 1, file=sys.stderr
            )
            # what was done until now took its time, too
            self._bar.start = self._bar.last_eta = self._begun
            self._bar.update(self.done)

    def advance(self, units: int = 1) -> None:
        """Count `units` more as done."""
        with self._lock:
            self.done += units
            if self._bar is not None:
                self._bar.update(units)
