"""One error rate from one test set, and the difference of two from separate test sets."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ..core.arguments import check_arguments
from ..numeric.input_alignment import refuse_other_index
from ._arrays import (
    Array,
    as_result,
    broadcast,
    count_note,
    interval,
    to_python,
    within,
    z_pvalue,
    z_quantile,
)
from ._binomial import at_least, at_most, clopper_pearson, likelihood_pvalue
from .intervals import check_counts, newcombe, wald, wilson
from .result import Alternative, TestResult, check_confidence

TwoSided: TypeAlias = Literal["likelihood", "doubled", "midp"]
TWO_SIDED: tuple[TwoSided, ...] = ("likelihood", "doubled", "midp")
ONE_RATE = (
    "Is the error rate of this classifier on cases like those of this test set different from "
    "null_value? It does not ask about another training set or another network."
)
TWO_RATES = (
    "Do two classifiers, each tested on its own independent sample of cases, have different "
    "error rates? It does not ask about other training sets or networks."
)


@check_arguments
def binomial_test(
    errors: ArrayLike,
    n: ArrayLike,
    *,
    null_value: ArrayLike = 0.5,
    two_sided: TwoSided = "likelihood",
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    """Exact test of one error rate against a given one.

    When to use: one classifier, one test set of independent cases, any n. Assumes that the
    cases err independently with one probability; the errors of linked nodes do not. Does not
    answer whether the learning algorithm does well after training on other data, or on
    another network.

    Parameters
    ----------
    errors, n : int or array_like
        Number of errors and number of test cases; arrays are broadcast.
    null_value : float or array_like, default 0.5
        The error rate under the null hypothesis, in [0, 1].
    two_sided : {"likelihood", "doubled", "midp"}
        "likelihood" sums all outcomes no more likely than the observed one (R, SciPy);
        "doubled" doubles the smaller tail, the only rule that always agrees with the
        Clopper-Pearson interval; "midp" doubles the tail with half of the observed outcome's
        probability, and halves that probability in one-sided tests too.
    alternative : {"two-sided", "less", "greater"}
        "greater": the error rate is larger than `null_value`.
    confidence : float
        Level of the interval, which is Clopper and Pearson's (1934).

    Returns
    -------
    TestResult
        `statistic` is the number of errors; `details` hold both tails.

    Raises
    ------
    InputError
        For counts that are not whole, n < 1, errors > n, or null_value outside [0, 1].

    References
    ----------
    Clopper and Pearson (1934), Biometrika 26, 404-413, for the interval.

    Examples
    --------
    >>> result = binomial_test(12, 40, null_value=0.35)
    >>> round(result.pvalue, 4), round(result.ci_low, 4), round(result.ci_high, 4)
    (0.6197, 0.1656, 0.4653)
    """
    check_confidence(confidence)
    refuse_other_index(errors=errors, n=n, null_value=null_value)
    x, size = check_counts(errors, n)
    x, size, null = broadcast(
        errors=x, n=size, null_value=within("null_value", null_value, 0, 1, open_ends=False)
    )
    less, greater = at_most(x, size, null), at_least(x, size, null)
    half = (less - at_most(x - 1, size, null)) / 2 if two_sided == "midp" else 0.0
    if alternative == "less":
        p = less - half
    elif alternative == "greater":
        p = greater - half
    elif two_sided == "likelihood":
        p = likelihood_pvalue(x, size, null)
    else:
        p = np.minimum(1.0, 2 * (np.minimum(less, greater) - half))
    low, high = clopper_pearson(x, size, confidence, alternative)
    rate = x / size
    return as_result(
        method="exact binomial test",
        question=ONE_RATE,
        estimate=rate,
        standard_error=np.sqrt(null * (1 - null) / size),
        statistic=x,
        pvalue=p,
        ends=(low, high),
        confidence=confidence,
        alternative=alternative,
        details={
            "n": to_python(size),
            "null_value": to_python(null),
            "two_sided": two_sided,
            "prob_at_most": to_python(less),
            "prob_at_least": to_python(greater),
            **cohens_h(rate, null, 1 / np.sqrt(size), confidence),
        },
    )


def cohens_h(rate: Array, other: Array, error: Array, confidence: float) -> dict[str, object]:
    """Cohen's h = 2 asin sqrt(p1) - 2 asin sqrt(p2) with its normal interval.

    The arcsine makes the variance of each sample's rate 1/n whatever the rate (Cohen 1988,
    chapter 6).
    """
    h = 2 * (np.arcsin(np.sqrt(rate)) - np.arcsin(np.sqrt(other)))
    half = z_quantile(confidence) * error
    return {
        "cohens_h": to_python(h),
        "cohens_h_low": to_python(h - half),
        "cohens_h_high": to_python(h + half),
    }


@check_arguments
def proportion_z_test(
    errors: ArrayLike,
    n: ArrayLike,
    *,
    null_value: ArrayLike = 0.5,
    standard_error: Literal["null", "sample"] = "null",
    continuity_correction: bool = False,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    """Normal approximation of the test of one error rate against a given one.

    z = (errors / n - p0) / sqrt(p0 (1 - p0) / n), where p0 is `null_value`.

    When to use: as `binomial_test`, for large n by hand; the exact test is never worse. The
    rule of thumb N p0 >= 5, N (1 - p0) >= 5, N > 30 is checked and a breach is reported in
    `notes`. Assumes independent errors. Does not answer whether the algorithm does well on
    other training data or another network.

    Parameters
    ----------
    errors, n : int or array_like
        Number of errors and number of test cases; arrays are broadcast.
    null_value : float or array_like, default 0.5
        The error rate under the null hypothesis, in (0, 1).
    standard_error : {"null", "sample"}
        From null_value (R's prop.test) or from the observed rate (statsmodels' default).
    continuity_correction : bool, default False
        Move the count by min(1/2, abs(errors - n null)) toward n null, as R's prop.test does.
    alternative : {"two-sided", "less", "greater"}
        "greater": the error rate is larger than `null_value`.
    confidence : float
        Level of the interval: Wilson's for the null standard error, Wald's for the sample's,
        the ones that invert the test without correction.

    Returns
    -------
    TestResult
        Degenerate with p = nan if the sample's standard error is 0.

    Raises
    ------
    InputError
        For counts that are not whole, n < 1, errors > n, or null_value outside (0, 1).

    References
    ----------
    Mitchell (1997), Machine Learning, chapter 5.

    Examples
    --------
    >>> result = proportion_z_test(12, 40, null_value=0.35)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (-0.663, 0.5073)
    """
    check_confidence(confidence)
    refuse_other_index(errors=errors, n=n, null_value=null_value)
    x, size = check_counts(errors, n)
    x, size, null = broadcast(
        errors=x, n=size, null_value=within("null_value", null_value, 0, 1, open_ends=True)
    )
    rate = x / size
    spread = null if standard_error == "null" else rate
    se = np.sqrt(spread * (1 - spread) / size)
    excess = x - size * null
    if continuity_correction:
        excess = np.sign(excess) * np.maximum(np.abs(excess) - 0.5, 0)
    degenerate = se == 0
    z = np.where(degenerate, np.nan, excess / size / np.where(degenerate, 1, se))
    rule = (size * null >= 5) & (size * (1 - null) >= 5) & (size > 30)
    ends = wilson if standard_error == "null" else wald
    low, high = ends(x, size, confidence, alternative)
    return as_result(
        method="normal approximation test of a proportion",
        question=ONE_RATE,
        estimate=rate,
        standard_error=se,
        statistic=z,
        pvalue=z_pvalue(z, alternative),
        ends=(np.maximum(low, 0), np.minimum(high, 1)),
        confidence=confidence,
        alternative=alternative,
        degenerate=degenerate,
        details={
            "n": to_python(size),
            "null_value": to_python(null),
            "rule_of_thumb": to_python(rule),
            "rule_np0_at_least_5": to_python((size * null >= 5) & (size * (1 - null) >= 5)),
            **cohens_h(rate, null, 1 / np.sqrt(size), confidence),
        },
        notes=count_note(
            ~rule,
            "the normal approximation asks for N p0 >= 5, N (1 - p0) >= 5 and N > 30, which does "
            "not hold; use binomial_test",
        )
        + count_note(degenerate, "the sample's standard error is 0, so z is undefined (p = nan)"),
    )


@check_arguments
def two_proportion_test(
    errors_a: ArrayLike,
    n_a: ArrayLike,
    errors_b: ArrayLike,
    n_b: ArrayLike,
    *,
    standard_error: Literal["unpooled", "pooled"] = "unpooled",
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    """Difference of two error rates measured on two independent test sets.

    z = (p_a - p_b) / sqrt(p_a (1 - p_a) / n_a + p_b (1 - p_b) / n_b); "pooled" puts the common
    rate in both terms of the error, for the test only. Where one rate is 0 and the other 1 the
    unpooled error is 0 and the pooled one takes its place.

    When to use: two classifiers, each on its own test set. On one common test set the errors
    are paired: use `mcnemar_test`. Assumes independent errors and large samples (five errors
    and five successes each, with a note). Does not answer which algorithm is better on
    other training data or another network.

    Parameters
    ----------
    errors_a, n_a, errors_b, n_b : int or array_like
        Numbers of errors and of test cases; arrays are broadcast.
    standard_error : {"unpooled", "pooled"}
        "pooled" is the test of R's prop.test without correction. The interval always takes
        the unpooled error, so that with "pooled" test and interval can disagree; where that
        error is 0 it is Newcombe's.
    alternative : {"two-sided", "less", "greater"}
        "greater": a errs more often.
    confidence : float
        Level of the interval, cut to [-1, 1]. `details` hold Newcombe's (1998, method 10)
        hybrid score interval too, which needs no large samples.

    Returns
    -------
    TestResult
        With p = 1, degenerate, if both rates are 0 or both 1.

    Raises
    ------
    InputError
        For counts that are not whole, n < 1, or errors > n.

    References
    ----------
    Fleiss, Levin and Paik (2003), Statistical Methods for Rates and Proportions, chapter 3.
    Newcombe (1998), Statistics in Medicine 17, 873-890, for the hybrid score interval.

    Examples
    --------
    >>> result = two_proportion_test(90, 100, 80, 100)
    >>> round(result.pvalue, 4)
    0.0455
    >>> round(two_proportion_test(90, 100, 80, 100, standard_error="pooled").pvalue, 4)
    0.0477
    """
    check_confidence(confidence)
    refuse_other_index(errors_a=errors_a, n_a=n_a, errors_b=errors_b, n_b=n_b)
    xa, na = check_counts(errors_a, n_a, "errors_a", "n_a")
    xb, nb = check_counts(errors_b, n_b, "errors_b", "n_b")
    xa, na, xb, nb = broadcast(errors_a=xa, n_a=na, errors_b=xb, n_b=nb)
    pa, pb, pooled = xa / na, xb / nb, (xa + xb) / (na + nb)
    difference = pa - pb
    unpooled_se = np.sqrt(pa * (1 - pa) / na + pb * (1 - pb) / nb)
    pooled_se = np.sqrt(pooled * (1 - pooled) * (1 / na + 1 / nb))
    certain = unpooled_se == 0
    apart = certain & (difference != 0)
    se = np.where(apart, pooled_se, unpooled_se) if standard_error == "unpooled" else pooled_se
    flat = se == 0
    z = np.where(flat, np.nan, difference / np.where(flat, 1, se))
    p = np.where(flat, 1.0, z_pvalue(z, alternative))
    low, high = interval(
        difference, z_quantile(confidence, alternative) * unpooled_se, alternative, -1.0, 1.0
    )
    score_low, score_high = newcombe(xa, na, xb, nb, confidence, alternative)
    low, high = np.where(certain, score_low, low), np.where(certain, score_high, high)
    both_low, both_high = newcombe(xa, na, xb, nb, confidence)
    few = np.minimum.reduce([xa, na - xa, xb, nb - xb]) < 5
    return as_result(
        method=f"two-proportion z test ({standard_error} standard error)",
        question=TWO_RATES,
        estimate=difference,
        standard_error=se,
        statistic=z,
        pvalue=p,
        ends=(np.maximum(low, -1), np.minimum(high, 1)),
        confidence=confidence,
        alternative=alternative,
        degenerate=flat,
        details={
            "rate_a": to_python(pa),
            "rate_b": to_python(pb),
            "newcombe_low": to_python(both_low),
            "newcombe_high": to_python(both_high),
            **cohens_h(pa, pb, np.sqrt(1 / na + 1 / nb), confidence),
        },
        notes=count_note(few, "fewer than 5 errors or successes in a sample: z is a rough guide")
        + count_note(flat, "both samples have the same rate of 0 or 1: p = 1")
        + count_note(
            apart & (standard_error == "unpooled"),
            "one rate is 0 and the other 1, where the unpooled standard error is 0: the pooled "
            "one takes its place",
        ),
    )
