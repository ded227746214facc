"""The errors and warnings that nettrial raises, so that callers can catch them by kind."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

LISTED = 20  # names that an error lists


class NettrialError(Exception):
    """Base class of every error that nettrial raises on purpose."""


class InputError(NettrialError, ValueError):
    """What was given cannot be used; the message says what is allowed and what to do next."""


class NettrialWarning(UserWarning):
    """Base class of every warning that nettrial gives."""


class ReadWarning(NettrialWarning):
    """Something that was decided while a network was read may be wrong."""


class OverlappingTestSetsWarning(NettrialWarning):
    """A test that assumes disjoint test sets was applied to overlapping ones."""


class AssumptionWarning(NettrialWarning):
    """Another assumption of a test does not hold for the data that it was given."""


class SlowWarning(NettrialWarning):
    """What was asked for takes minutes or more."""


class ConvergenceWarning(NettrialWarning):
    """An iteration ended before it settled.

    Attributes
    ----------
    general : str
        The message without what depends on the label sets that were inferred together.
    places : tuple of int or None
        Which of these label sets it is about; None where it is about all.
    """

    def __init__(
        self, message: str, general: str = "", places: tuple[int, ...] | None = None
    ) -> None:
        super().__init__(message)
        self.general, self.places = general or message, places


class ModelWarning(NettrialWarning):
    """A model warned while it was trained or made predictions."""


def unknown_choice(what: str, received: object, allowed: Iterable[object]) -> InputError:
    """Build the error for a name that is not one of `allowed`, with the nearest one suggested.

    Examples
    --------
    >>> print(unknown_choice("design", "rss", ["rrs", "ers", "ncv"]))
    design: received 'rss', allowed are rrs, ers, ncv; did you mean 'rrs'?
    """
    names = [str(name) for name in allowed]
    shown = ", ".join(names[:LISTED]) + (f", ... ({len(names)} in all)" * (len(names) > LISTED))
    near = difflib.get_close_matches(str(received), names, n=1, cutoff=0.6)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return InputError(f"{what}: received {received!r}, allowed are {shown}{hint}")
