"""The errors and warnings that nettrial raises, so that callers can catch them by kind."""

from __future__ import annotations

import difflib
import os
import sys
import warnings
from collections.abc import Iterable
from pathlib import Path
from types import FrameType

LISTED = 20  # names that an error lists
LONGEST = 60  # letters of a value that a message shows
PACKAGE = f"{Path(__file__).parent}{os.sep}"


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


class TuningNote(NettrialWarning):
    """What a tuned model chose; nothing to worry about, and so in results only."""


class RandomStateWarning(NettrialWarning):
    """A model draws from a random state that threads share, so that results may vary."""


def warn_user(warning: Warning) -> None:
    """Give a warning at the line that called nettrial, from however deep inside."""
    frame: FrameType | None = sys._getframe()
    depth = level = 2
    while frame is not None:
        if frame.f_code.co_filename.startswith(PACKAGE):
            level = depth  # of the caller of this frame
        frame, depth = frame.f_back, depth + 1
    warnings.warn(warning, stacklevel=level)


def shown(value: object) -> str:
    """Write a value for a message; where it is too long for one, what is left out is told.

    Examples
    --------
    >>> shown(10**18), shown("a" * 100)[-6:]
    ('1000000000000000000', "aa...'")
    """
    if isinstance(value, str) and len(value) > LONGEST:
        value = f"{value[: LONGEST - 5]}..."
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - any object may come here
        text = f"a {type(value).__name__}"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def unknown_choice(what: str, given: object, allowed: Iterable[object]) -> InputError:
    """Build the error for a name that is not one of `allowed`, with the nearest one suggested.

    Examples
    --------
    >>> print(unknown_choice("design", "rss", ["rrs", "ers", "ncv"]))
    design: expected one of rrs, ers, ncv, got 'rss'; did you mean 'rrs'?
    """
    names = list(allowed)
    shown, hint = _listed(given, names)
    one = "one of " * (len(names) > 1)
    return InputError(f"{what}: expected {one}{shown}, got {given!r}{hint}")


def not_found(what: str, name: object, present: Iterable[object], where: str = "") -> InputError:
    """Build the error for something that should be there and is not, listing what is there.

    Examples
    --------
    >>> print(not_found("column", "node", ["fold", "node_id"], "p.csv"))
    p.csv: column 'node' not found; the columns are fold, node_id; did you mean 'node_id'?
    """
    shown, hint = _listed(name, present)
    return InputError(
        f"{where}{': ' * bool(where)}{what} {name!r} not found; the {what}s are {shown}{hint}"
    )


def _listed(given: object, names: Iterable[object]) -> tuple[str, str]:
    """List names, the first of them if there are many, and suggest the nearest."""
    texts = [str(name) for name in names]
    more = f", ... ({len(texts)} in all)" if len(texts) > LISTED else ""
    near = difflib.get_close_matches(str(given), texts, n=1, cutoff=0.6)
    return ", ".join(texts[:LISTED]) + more, f"; did you mean {near[0]!r}?" if near else ""
