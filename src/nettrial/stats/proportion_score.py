"""Score test of a given difference of two error rates, and their equivalence within a margin."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from ..core.arguments import check_arguments
from ..numeric.input_alignment import refuse_other_index
from ._arrays import (
    Array,
    as_result,
    broadcast,
    count_note,
    tail_level,
    to_python,
    within,
    z_pvalue,
)
from .equivalence import above_half, both_sides, margin_ends
from .intervals import check_counts
from .result import Alternative, TestResult

QUESTION = (
    "Does the difference of the error rates of these classifiers, on cases like those of both test "
    "sets, differ from {null}? It does not ask about other training sets or networks."
)


@check_arguments
def two_proportion_score_test(
    errors_a: ArrayLike,
    n_a: ArrayLike,
    errors_b: ArrayLike,
    n_b: ArrayLike,
    *,
    null: ArrayLike = 0.0,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    r"""Score test of the difference of two error rates against a given one.

    When to use: two classifiers, each on its own test set, also where errors are few or rates
    are 0 or 1, where `two_proportion_test` has no standard error; with `null` at a margin and a
    one-sided alternative it is the test of non-inferiority. Assumes independent errors and test
    sets. Does not answer which algorithm is better on other training data or another network.

    Parameters
    ----------
    errors_a, n_a, errors_b, n_b : int or array_like
        Numbers of errors and of test cases; arrays are broadcast.
    null : float or array_like
        Difference of the rates, a minus b, under the null hypothesis; inside (-1, 1).
    alternative : {"two-sided", "less", "greater"}
        "less": the difference lies below `null`.
    confidence : float
        Level of the interval.

    Returns
    -------
    TestResult
        :math:`z = (\hat p_a - \hat p_b - \delta) / \sqrt{\tilde p_a (1 - \tilde p_a) / n_a +
        \tilde p_b (1 - \tilde p_b) / n_b}` with the rates :math:`\tilde p` most likely among
        those that differ by :math:`\delta`. The interval holds the differences that the test
        does not reject, and has width at 0 and 1. Where both rates are 0 or both 1, p at a
        null of 0 is 1.

    Raises
    ------
    InputError
        For counts that are not whole, n < 1, errors > n, or a null outside (-1, 1).

    References
    ----------
    Farrington and Manning (1990), Statistics in Medicine 9, 1447-1454. Mee (1984), Biometrics
    40, 1175-1176.

    Examples
    --------
    >>> round(two_proportion_score_test(12, 100, 10, 100, null=0.1, alternative="less").pvalue, 4)
    0.0413
    >>> result = two_proportion_score_test(0, 40, 0, 50)
    >>> result.pvalue, round(result.ci_low, 3), round(result.ci_high, 3)
    (1.0, -0.071, 0.088)
    """
    refuse_other_index(errors_a=errors_a, n_a=n_a, errors_b=errors_b, n_b=n_b, null=null)
    counts = _counts(errors_a, n_a, errors_b, n_b)
    xa, na, xb, nb, delta = broadcast(**counts, null=within("null", null, -1, 1, open_ends=True))
    z, se = _score(xa, na, xb, nb, delta)
    z = np.where(se == 0, np.nan, z)
    p = np.where(se == 0, 1.0, z_pvalue(z, alternative))
    low, high = _interval(xa, na, xb, nb, confidence, alternative)
    return as_result(
        method="two-proportion score test",
        question=QUESTION.format(null=to_python(delta)),
        estimate=xa / na - xb / nb,
        standard_error=se,
        statistic=z,
        pvalue=p,
        ends=(low, high),
        confidence=confidence,
        alternative=alternative,
        degenerate=se == 0,
        details=MappingProxyType(
            {"null": to_python(delta), "rate_a": to_python(xa / na), "rate_b": to_python(xb / nb)}
        ),
        notes=count_note(se == 0, "both samples have the same rate of 0 or 1: p = 1"),
    )


@check_arguments
def proportion_equivalence_test(
    errors_a: ArrayLike,
    n_a: ArrayLike,
    errors_b: ArrayLike,
    n_b: ArrayLike,
    *,
    margin: float | tuple[float, float],
    confidence: float = 0.95,
) -> TestResult:
    """Test whether two error rates differ by less than a margin, by two score tests (TOST).

    When to use: two classifiers on separate test sets, to show that their error rates are as
    good as equal; the margin must be chosen beforehand. Assumes independent errors and test
    sets. Does not say that the rates are equal, nor anything about other networks.

    Parameters
    ----------
    errors_a, n_a, errors_b, n_b : int or array_like
        Numbers of errors and of test cases; arrays are broadcast.
    margin : float or (float, float)
        Half width of the region of equivalence, or its two ends, inside (-1, 1).
    confidence : float
        1 - the level of the test, above 0.5.

    Returns
    -------
    TestResult
        The p-value is the larger of those of `two_proportion_score_test` above the lower and
        below the upper end; `ci_low` and `ci_high` are one-sided ends of level `confidence`,
        together an interval of level 2 confidence - 1, which is the result's `confidence`;
        ``details["level"]`` is that of the test.

    Raises
    ------
    InputError
        As `two_proportion_score_test`, and for a margin that is not positive.

    References
    ----------
    Schuirmann (1987), J. Pharmacokinetics and Biopharmaceutics 15, 657-680. Farrington and
    Manning (1990), Statistics in Medicine 9, 1447-1454.

    Examples
    --------
    >>> result = proportion_equivalence_test(50, 500, 52, 500, margin=0.05)
    >>> round(result.pvalue, 4)
    0.0091
    """
    level = above_half(confidence)
    ends = margin_ends(margin)
    counts = (errors_a, n_a, errors_b, n_b)
    above = two_proportion_score_test(
        *counts, null=ends[0], alternative="greater", confidence=level
    )
    below = two_proportion_score_test(*counts, null=ends[1], alternative="less", confidence=level)
    upper = np.asarray(above.pvalue) >= np.asarray(below.pvalue)
    return TestResult(
        method="two one-sided score tests of equivalence of two proportions",
        question=f"Does the difference of the error rates lie within {ends[0]:g} to {ends[1]:g}, "
        "on cases like those of both test sets? It does not ask about other networks.",
        estimate=above.estimate,
        standard_error=to_python(np.where(upper, above.standard_error, below.standard_error)),
        statistic=to_python(np.where(upper, above.statistic, below.statistic)),
        df=None,
        pvalue=to_python(np.maximum(above.pvalue, below.pvalue)),
        ci_low=above.ci_low,
        ci_high=below.ci_high,
        confidence=both_sides(level),
        alternative="two-sided",
        details=MappingProxyType(
            {
                "margin_low": ends[0],
                "margin_high": ends[1],
                "level": 1 - level,
                "p_above": above.pvalue,
                "p_below": below.pvalue,
                "rate_a": above.details["rate_a"],
                "rate_b": above.details["rate_b"],
            }
        ),
    )


def _counts(errors_a: Any, n_a: Any, errors_b: Any, n_b: Any) -> dict[str, Array]:
    xa, na = check_counts(errors_a, n_a, "errors_a", "n_a")
    xb, nb = check_counts(errors_b, n_b, "errors_b", "n_b")
    return {"errors_a": xa, "n_a": na, "errors_b": xb, "n_b": nb}


def _score(xa: Array, na: Array, xb: Array, nb: Array, delta: Array) -> tuple[Array, Array]:
    """Return z against a difference of delta, and the standard error under it."""
    pa, pb = xa / na, xb / nb
    ra = _most_likely(pa, pb, nb / na, delta)
    rb = np.clip(ra - delta, 0.0, 1.0)
    se = np.sqrt(ra * (1 - ra) / na + rb * (1 - rb) / nb)
    se = np.where(se < 1e-12, 0.0, se)
    excess = pa - pb - delta
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(se > 0, excess / se, np.where(np.abs(excess) < 1e-12, 0.0, np.inf * excess))
    return z, se


def _most_likely(pa: Array, pb: Array, theta: Array, delta: Array) -> Array:
    """Return the rate of a that is most likely where the rates differ by delta.

    The root of a cubic in closed form (Farrington and Manning 1990, appendix).
    """
    a = 1 + theta
    b = -(1 + theta + pa + theta * pb + delta * (theta + 2))
    c = delta**2 + delta * (2 * pa + theta + 1) + pa + theta * pb
    d = -pa * delta * (1 + delta)
    v = b**3 / (27 * a**3) - b * c / (6 * a**2) + d / (2 * a)
    u = np.where(v < 0, -1.0, 1.0) * np.sqrt(np.maximum(b**2 / (9 * a**2) - c / (3 * a), 0.0))
    ratio = np.divide(v, u**3, out=np.ones_like(v), where=np.abs(u) > 1e-100)
    w = (np.pi + np.arccos(np.clip(ratio, -1.0, 1.0))) / 3
    root = 2 * u * np.cos(w) - b / (3 * a)
    most: Array = np.clip(root, np.maximum(0.0, delta), np.minimum(1.0, 1 + delta))
    return most


def _interval(
    xa: Array, na: Array, xb: Array, nb: Array, confidence: float, alternative: Alternative
) -> tuple[Array, Array]:
    """Return the differences at which z reaches its quantiles; z falls with the difference."""
    quantile = -float(special.ndtri(tail_level(confidence, alternative)))
    estimate = xa / na - xb / nb

    def search(inside: Array, outside: float, level: float) -> Array:
        near, far = inside, np.full(inside.shape, outside)
        for _ in range(60):
            middle = (near + far) / 2
            z, _ = _score(xa, na, xb, nb, middle)
            kept = np.abs(z) <= level
            near, far = np.where(kept, middle, near), np.where(kept, far, middle)
        return near

    low, high = search(estimate, -1.0, quantile), search(estimate, 1.0, quantile)
    if alternative == "less":
        low = np.full(low.shape, -1.0)
    elif alternative == "greater":
        high = np.full(high.shape, 1.0)
    return low, high
