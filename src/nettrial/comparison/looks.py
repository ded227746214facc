"""What a verdict is worth to whoever looked at the same test set before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core.errors import AssumptionWarning, InputError, shown
from ..core.wording import plural
from ..stats.comparisons import Comparisons

Numbers: TypeAlias = float | NDArray[np.float64]
Parts: TypeAlias = tuple[Numbers, Numbers, Numbers]  # p-value and the ends of the interval
SMALLEST = 1e-12  # error rates below it are not asked of a t distribution


@dataclass(frozen=True, slots=True)
class Worth:
    """A verdict as one of so many comparisons.

    Attributes
    ----------
    comparisons : float
        That could have been the one that is reported.
    pvalue : float, or ndarray with one value a pair
        At most this is the probability of so small a p-value among them where nothing differs.
    ci_low, ci_high : float or ndarray
        The interval that holds for all of them together at the level of confidence; infinite
        where its level would be beyond 1 - 1e-12.
    """

    comparisons: float
    pvalue: Numbers
    ci_low: Numbers
    ci_high: Numbers


@dataclass(frozen=True, slots=True)
class Looks:
    """What a verdict is worth as one of several looks at one test set.

    Attributes
    ----------
    number : int
        Looks, this one included.
    alone : Worth
        As if it were the only one.
    fixed : Worth
        Where all comparisons were fixed before the first look: one of `number`.
    chosen : Worth
        Where each look decided, by yes or no, what was compared next: one of 2^number - 1.
    """

    number: int
    alone: Worth
    fixed: Worth
    chosen: Worth


def possible(looks: int) -> float:
    """Return the number of comparisons that can be reached by yes or no at every look.

    They are the nodes of a binary tree of that depth; infinite beyond what a float holds.

    Examples
    --------
    >>> possible(1), possible(7)
    (1.0, 127.0)
    """
    return float(2**looks - 1) if looks < 1024 else float("inf")


def one_of(pvalue: Numbers, comparisons: float) -> Numbers:
    """Return a p-value as one of so many comparisons (Bonferroni, under any dependence).

    Examples
    --------
    >>> one_of(0.01, 7.0), one_of(0.01, 127.0), one_of(0.0, float("inf"))
    (0.07, 1.0, 1.0)
    """
    values = np.asarray(pvalue, dtype=float)
    if np.isinf(comparisons):
        found = np.where(np.isnan(values), np.nan, 1.0)
    else:
        found = np.minimum(1.0, values * comparisons)
    return float(found) if found.ndim == 0 else found


def check_looks(looks: int | None) -> None:
    """Refuse what is no number of looks at a test set."""
    if looks is None:
        return
    if isinstance(looks, bool) or not isinstance(looks, (int, np.integer)) or looks < 1:
        raise InputError(
            parameter="looks",
            expected="an integer of at least 1, how often models were compared on this test set "
            "with this time",
            got=shown(looks),
        )


def looks_at(
    looks: int | None, confidence: float, alone: Parts, at: Callable[[float], Parts]
) -> Looks | None:
    """Return what a verdict is worth; None where no looks were told.

    Parameters
    ----------
    looks : int or None
    confidence : float
        Level of the intervals.
    alone : tuple
        p-value and interval as if this look were the only one.
    at : callable
        Gives the same with the interval of another level.
    """
    if looks is None:
        return None

    def worth(comparisons: float) -> Worth:
        if comparisons == 1:
            return Worth(comparisons, *alone)
        pvalue, error = one_of(alone[0], comparisons), (1 - confidence) / comparisons
        if error < SMALLEST:
            none = np.where(np.isnan(alone[1]), np.nan, np.inf)[()]
            return Worth(comparisons, pvalue, -none, none)
        return Worth(comparisons, pvalue, *at(1 - error)[1:])

    return Looks(looks, worth(1.0), worth(float(looks)), worth(possible(looks)))


def with_looks(pairs: Comparisons, looks: Looks | None) -> Comparisons:
    """Return pairs whose adjusted p-values and intervals allow for looks fixed beforehand."""
    if looks is None or looks.number == 1:
        return pairs
    worth = looks.fixed
    holm = one_of(pairs.details["holm_pvalue"], worth.comparisons)
    return replace(
        pairs,
        adjusted_pvalue=np.asarray(worth.pvalue),
        ci_low=np.asarray(worth.ci_low),
        ci_high=np.asarray(worth.ci_high),
        adjustment=f"{pairs.adjustment}, times {looks.number} looks",
        details=MappingProxyType({**pairs.details, "holm_pvalue": holm}),
    )


def looks_note(looks: Looks | None) -> tuple[Warning, ...]:
    """Return the warning that a verdict with several looks carries."""
    if looks is None or looks.number == 1:
        return ()
    return (
        AssumptionWarning(
            f"this is one of {plural(looks.number, 'look')} at this test set; its p-values hold "
            "only if the other comparisons were fixed beforehand, or if nothing but yes or no at "
            "each look decided what was compared next. Where scores or the nodes that were wrong "
            "were used in any other way no p-value holds: confirm the verdict on labels that "
            "nobody has looked at"
        ),
    )
