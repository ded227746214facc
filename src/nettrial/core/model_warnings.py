"""Capture the warnings that one piece of work gives, whatever other threads do meanwhile."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .errors import NettrialWarning, SlowWarning

# meant for programmers: Python itself keeps them quiet
QUIET = (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning)

AT_ONCE = (SlowWarning,)  # shown as they come: not about one piece of work

_thread = threading.local()
_lock = threading.Lock()
_open: list[warnings.catch_warnings[None]] = []  # one for all threads that listen
_listeners = 0


@contextmanager
def capture_warnings() -> Iterator[list[Warning]]:
    """Collect the warnings of this thread; those of the kinds AT_ONCE are shown instead.

    Examples
    --------
    >>> with capture_warnings() as found:
    ...     warnings.warn("not settled")
    >>> [str(warning) for warning in found]
    ['not settled']
    """
    _listen()
    outer, _thread.found = getattr(_thread, "found", None), []
    try:
        yield _thread.found
    finally:
        _thread.found = outer
        _leave()


def note(text: str) -> None:
    """Add a text to what is collected now; where nothing is collected it is dropped.

    Examples
    --------
    >>> with capture_warnings() as found:
    ...     note("took the first")
    >>> [str(warning) for warning in found]
    ['took the first']
    """
    found = getattr(_thread, "found", None)
    if found is not None:
        found.append(NettrialWarning(text))


def _listen() -> None:
    """Send warnings to the threads that give them: filters and hooks belong to all threads."""
    global _listeners
    with _lock:
        _listeners += 1
        if _listeners > 1:
            return
        silent = [kind for kind in AT_ONCE if _ignored(kind)]
        _open.append(warnings.catch_warnings())
        _open[0].__enter__()
        shown = warnings.showwarning

        def route(
            message: Warning | str, category: type[Warning], *where: Any, **more: Any
        ) -> None:
            found = getattr(_thread, "found", None)
            if found is None or issubclass(category, AT_ONCE):
                shown(message, category, *where, **more)
            else:
                found.append(message if isinstance(message, Warning) else category(message))

        warnings.simplefilter("always")
        for category in (*QUIET, *silent):
            warnings.simplefilter("ignore", category)
        warnings.showwarning = route


def _leave() -> None:
    global _listeners
    with _lock:
        _listeners -= 1
        if _listeners == 0:
            _open.pop().__exit__(None, None, None)


def _ignored(kind: type[Warning]) -> bool:
    """Return whether the user has silenced a kind of warning everywhere."""
    rules = (rule for rule in warnings.filters if rule[1] is None and rule[3] is None)
    return next((rule[0] for rule in rules if issubclass(kind, rule[2])), "") == "ignore"
