"""How long a run will take, estimated before it begins."""

from __future__ import annotations

from collections.abc import Callable

from ..core.clock import Clock
from ..core.errors import InputError, shown
from ..core.option_names import option
from ..core.wording import duration
from ..numeric.checks import scalar


def seconds_of(work: Callable[[], object]) -> float:
    """Measure one repetition of a piece of work; the first one may compile and does not count."""
    work()
    clock = Clock()
    work()
    return clock.seconds()


def refuse_slow(what: str, seconds: float, minutes: float, advice: str) -> None:
    """Refuse what would take longer than the user allows.

    Examples
    --------
    >>> refuse_slow("audit", 30.0, 1.0, "use fewer replicates")
    >>> refuse_slow("audit", 7200.0, 60.0, "use fewer replicates")
    Traceback (most recent call last):
    nettrial.InputError: audit: expected at most ..., got work for about 2 hours; ...
    """
    if seconds > 60 * minutes:
        raise InputError(
            parameter=what,
            expected=f"at most {duration(60 * minutes)} ({option('minutes', minutes)})",
            got=f"work for about {duration(seconds)}",
            hint=f"{advice}, or allow more minutes",
        )


def check_minutes(what: str, minutes: float) -> float:
    """Refuse a limit that is no positive number."""
    limit = scalar("minutes", minutes)
    if not limit > 0:
        raise InputError(
            parameter="minutes",
            expected="a number above 0, such as 60",
            got=shown(minutes),
            where=what,
        )
    return limit
