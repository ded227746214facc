"""Sign test: in how many pairs is one of two classifiers larger?"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ..core.arguments import check_arguments
from ..numeric.input_alignment import refuse_other_index
from ._arrays import (
    as_integer_array,
    as_result,
    broadcast,
    count_note,
    differences,
    pairs,
    to_python,
)
from ._binomial import clopper_pearson, half_pvalue
from .result import Alternative, TestResult, check_confidence


@check_arguments
def sign_test(
    a: ArrayLike,
    b: ArrayLike = 0.0,
    *,
    ties: Literal["drop", "split"] = "drop",
    digits: int | None = None,
    axis: int = -1,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    """Sign test of pairs: how often is a larger than b?

    Exact binomial test of the number of pairs with a > b against one half.

    When to use: paired measurements on disjoint test sets or data sets whose differences are
    not comparable in size. Assumes independent pairs, nothing about their distribution. Does
    not answer how large the difference is, nor whether a beats b on other networks if all
    pairs come from one. Pairs that differ by rounding noise alone are tied.

    Parameters
    ----------
    a, b : array_like, shape (..., k)
        Error rates of both classifiers, pairs along `axis`; or differences as `a` and one
        number as `b`.
    ties : {"drop", "split"}
        "split" gives half of the ties to each side and drops one if their number is odd
        (Demsar 2006, section 3.1.4).
    digits : int or None
        Round the values to so many significant digits first.
    axis : int, default -1
        The axis that holds the pairs of one test.
    alternative : {"two-sided", "less", "greater"}
        "greater": a is larger, that is worse for error rates, in most pairs.
    confidence : float
        Level of the Clopper-Pearson interval.

    Returns
    -------
    TestResult
        `estimate` is the proportion of pairs with a > b among those used. `details` hold the
        counts and, as effect size, the proportion with a > b less that with a < b.

    Raises
    ------
    InputError
        For no pairs, unequal shapes, or values that are not finite.

    References
    ----------
    Dixon and Mood (1946), J. American Statistical Association 41, 557-566. Demšar (2006), J.
    of Machine Learning Research 7, 1-30, section 3.1.4, for ties that are split.

    Examples
    --------
    >>> result = sign_test([0.35, 0.37, 0.09, 0.06], [0.30, 0.31, 0.08, 0.07])
    >>> result.estimate, round(result.pvalue, 3)
    (0.75, 0.625)
    """
    d, *_ = differences(*pairs(a, b, axis, least=1), digits)
    wins, losses = (d > 0).sum(axis=-1), (d < 0).sum(axis=-1)
    return sign_test_counts(
        wins,
        losses,
        d.shape[-1] - wins - losses,
        ties=ties,
        alternative=alternative,
        confidence=confidence,
    )


@check_arguments
def sign_test_counts(
    larger: ArrayLike,
    smaller: ArrayLike,
    equal: ArrayLike = 0,
    *,
    ties: Literal["drop", "split"] = "drop",
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    """Sign test from the numbers of pairs with a > b, a < b and a = b.

    When to use, assumptions, what it does not answer: see `sign_test`.

    Parameters
    ----------
    larger, smaller, equal : int or array_like
        Counts of one shape, or scalars.
    ties, alternative, confidence
        As in `sign_test`.

    Returns
    -------
    TestResult
        As from `sign_test`; p = 1 where all pairs are tied.

    Raises
    ------
    InputError
        For counts that are not whole or negative.

    References
    ----------
    Dixon and Mood (1946), J. American Statistical Association 41, 557-566.

    Examples
    --------
    >>> round(sign_test_counts(8, 3, 4).pvalue, 4)
    0.2266
    >>> round(sign_test_counts(8, 3, 4, ties="split").pvalue, 4)
    0.3018
    >>> sign_test_counts(0, 0, 5).pvalue
    1.0
    """
    check_confidence(confidence)
    refuse_other_index(larger=larger, smaller=smaller, equal=equal)
    wins, losses, tied = broadcast(
        larger=as_integer_array("larger", larger),
        smaller=as_integer_array("smaller", smaller),
        equal=as_integer_array("equal", equal),
    )
    half_of_ties = np.floor(tied / 2) if ties == "split" else np.zeros(tied.shape)
    x = wins + half_of_ties
    n = x + losses + half_of_ties
    none = n == 0
    p = half_pvalue(x, n, alternative)
    low, high = clopper_pearson(x, n, confidence, alternative)
    safe_n = np.where(none, 1, n)
    estimate = np.where(none, 0.5, x / safe_n)
    effect_low, effect_high = (
        (low, high) if alternative == "two-sided" else clopper_pearson(x, n, confidence)
    )
    return as_result(
        method=f"sign test (ties {'dropped' if ties == 'drop' else 'split'})",
        question=(
            "Is a larger than b in more than half of such pairs? It does not ask how much "
            "larger, nor about other networks."
        ),
        estimate=estimate,
        standard_error=np.sqrt(0.25 / safe_n),
        statistic=x,
        pvalue=p,
        ends=(low, high),
        confidence=confidence,
        alternative=alternative,
        degenerate=none,
        details={
            "null_value": 0.5,
            "n_larger": to_python(wins),
            "n_smaller": to_python(losses),
            "n_ties": to_python(tied),
            "n_used": to_python(n),
            "z": to_python(np.where(none, np.nan, (2 * x - n) / np.sqrt(safe_n))),
            "net_proportion": to_python(2 * estimate - 1),
            "net_proportion_low": to_python(2 * effect_low - 1),
            "net_proportion_high": to_python(2 * effect_high - 1),
        },
        notes=count_note(none, "all pairs are tied, so nothing speaks against equality (p = 1)"),
    )
