"""What a verdict is worth after other comparisons on the same test set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core.errors import AssumptionWarning, InputError, shown
from ..stats.comparisons import Comparisons

Numbers: TypeAlias = float | NDArray[np.float64]
Parts: TypeAlias = tuple[Numbers, Numbers, Numbers]  # p-value and the ends of the interval
SMALLEST = 1e-12  # error rates below it are not asked of a t distribution


@dataclass(frozen=True, slots=True)
class AdjustedVerdict:
    """A verdict as one of so many comparisons.

    Attributes
    ----------
    comparisons : float
        That could have been the one that is reported.
    pvalue : float, or ndarray with one value per pair
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
class PriorTests:
    """What a verdict is worth after other comparisons on one test set.

    Attributes
    ----------
    number : int
        Comparisons before this one.
    alone : AdjustedVerdict
        As if there were none.
    fixed : AdjustedVerdict
        Where all comparisons were fixed before the first one: one of `number` + 1.
    adaptive : AdjustedVerdict
        Where the verdict of each, yes or no, decided what was compared next: one of
        2^(`number` + 1) - 1.
    """

    number: int
    alone: AdjustedVerdict
    fixed: AdjustedVerdict
    adaptive: AdjustedVerdict

    @property
    def total(self) -> int:
        """Comparisons with this one."""
        return self.number + 1


def adaptive_comparisons(total: int) -> float:
    """Return the number of comparisons that the verdicts of so many, yes or no, can lead to.

    They are the nodes of a binary tree of that depth; infinite beyond what a float holds.

    Examples
    --------
    >>> adaptive_comparisons(1), adaptive_comparisons(7)
    (1.0, 127.0)
    """
    return float(2**total - 1) if total < 1024 else float("inf")


def bonferroni(pvalue: Numbers, comparisons: float) -> Numbers:
    """Return a p-value as one of so many comparisons, under any dependence.

    Examples
    --------
    >>> bonferroni(0.01, 7.0), bonferroni(0.01, 127.0), bonferroni(0.0, float("inf"))
    (0.07, 1.0, 1.0)
    """
    values = np.asarray(pvalue, dtype=float)
    if np.isinf(comparisons):
        found = np.where(np.isnan(values), np.nan, 1.0)
    else:
        found = np.minimum(1.0, values * comparisons)
    return float(found) if found.ndim == 0 else found


def check_prior_tests(number: int | None) -> None:
    """Refuse what is no number of comparisons."""
    if number is not None and number < 0:
        raise InputError(
            parameter="n_prior_tests",
            expected="an integer of 0 or more, how often models were compared on this test set "
            "before",
            got=shown(number),
        )


def adjusted(
    number: int | None, confidence: float, alone: Parts, at: Callable[[float], Parts]
) -> PriorTests | None:
    """Return what a verdict is worth after so many others; None where their number is not known.

    Parameters
    ----------
    confidence : float
        Level of the intervals.
    alone : tuple
        p-value and interval as if this comparison were the only one.
    at : callable
        Gives the same with the interval of another level.
    """
    if number is None:
        return None

    def worth(comparisons: float) -> AdjustedVerdict:
        if comparisons == 1:
            return AdjustedVerdict(comparisons, *alone)
        pvalue, error = bonferroni(alone[0], comparisons), (1 - confidence) / comparisons
        if error < SMALLEST:
            none = np.where(np.isnan(alone[1]), np.nan, np.inf)[()]
            return AdjustedVerdict(comparisons, pvalue, -none, none)
        return AdjustedVerdict(comparisons, pvalue, *at(1 - error)[1:])

    total = number + 1
    return PriorTests(number, worth(1.0), worth(float(total)), worth(adaptive_comparisons(total)))


def with_prior_tests(pairs: Comparisons, prior: PriorTests | None) -> Comparisons:
    """Return pairs whose adjusted p-values and intervals allow for comparisons fixed beforehand."""
    if prior is None or not prior.number:
        return pairs
    worth = prior.fixed
    holm = bonferroni(pairs.details["holm_pvalue"], worth.comparisons)
    return replace(
        pairs,
        adjusted_pvalue=np.asarray(worth.pvalue),
        ci_low=np.asarray(worth.ci_low),
        ci_high=np.asarray(worth.ci_high),
        adjustment=f"{pairs.adjustment}, times {prior.total} comparisons",
        details=MappingProxyType({**pairs.details, "holm_pvalue": holm}),
    )


def prior_tests_note(prior: PriorTests | None) -> tuple[Warning, ...]:
    """Return the warning that a verdict after other comparisons carries."""
    if prior is None or not prior.number:
        return ()
    return (
        AssumptionWarning(
            f"this is comparison {prior.total} on this test set; its p-values hold only if the "
            "others were fixed beforehand, or if nothing but the yes or no of each decided what "
            "was compared next. Where scores or the nodes that were wrong were used in any other "
            "way no p-value holds: confirm the verdict on labels that nobody has used"
        ),
    )
