"""describe(): what a report on a result says; each kind of result registers its own."""

from __future__ import annotations

import importlib
from functools import singledispatch

from ...core.errors import InputError, shown
from ..document import Document

# kind of result -> module that registers it; loaded at the first result of the kind
KINDS = {
    "AcrossNetworks": "across",
    "Audit": "audit",
    "Check": "check",
    "Comparison": "two",
    "GroupedComparison": "grouped",
    "Leaderboard": "leaderboard",
    "MultipleComparison": "multiple",
    "MultipleGroupedComparison": "grouped",
    "Network": "network",
    "OverDataSets": "over",
    "Plan": "plan",
    "Sweep": "sweep",
}


@singledispatch
def describe(found: object) -> Document:
    """Return what a report on a result says, for any renderer.

    Parameters
    ----------
    found : Finding
        A result, such as that of `compare` or `audit`.

    Examples
    --------
    >>> import nettrial
    >>> found = nettrial.compare_grouped([1, 0, 1, 1], [0, 0, 1, 1], list("ppqr"))
    >>> describe(found).verdict.headline
    'No evidence that A beats B on groups like these'
    """
    module = KINDS.get(type(found).__name__)
    if module is not None:
        importlib.import_module(f".{module}", __package__)
        known = describe.dispatch(type(found))
        if known is not describe.dispatch(object):
            return known(found)
    raise InputError(
        expected="a result, such as that of compare() or audit()",
        got=f"{shown(found)} of type {type(found).__name__}",
        where="report",
    )
