"""Tests of mean error rates: one sample, pairs, and two independent samples."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..numeric.centering import deviations, from_origin
from ..numeric.input_alignment import refuse_other_precision
from ..numeric.rounding import settled
from ._arrays import Array, along, broadcast, floats, noise, pairs, to_python
from ._means import mean_test, moments, ratio, standardized
from .result import Alternative, TestResult

ONE_SAMPLE = (
    "Is the mean error rate over such test sets different from the null value? The p-value counts "
    "the test sets as independent; it does not ask about other networks."
)
OF_PAIRS = (
    "over test sets like these? The p-value counts the pairs as "
    "independent; splits of one network are not, and it does not ask about other networks."
)
OF_SAMPLES = "It does not ask about other networks, and pairs, where they exist, are not used."
PAIRED = f"Does a's mean differ from b's {OF_PAIRS}"
UNPAIRED = f"Do two independent samples of error rates have different means? {OF_SAMPLES}"


@check_arguments
def one_sample_t_test(
    x: ArrayLike,
    *,
    null_value: ArrayLike = 0.0,
    axis: int = -1,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    """Student's t test of the mean error rate against a given value.

    t = (mean - null_value) / (s / sqrt(k)), k - 1 degrees of freedom.

    When to use: one classifier, k disjoint test sets. Assumes independent, roughly normal
    error rates; folds share training data, so the test is somewhat liberal. Does not answer
    how the classifier does on other networks.

    Parameters
    ----------
    x : array_like, shape (..., k)
        Error rates, k >= 2 along `axis`.
    null_value : float or array_like, default 0
        Mean under the null hypothesis.
    axis : int, default -1
        The axis that holds the values of one test.
    alternative : {"two-sided", "less", "greater"}
        "greater": the mean is larger than the null value.
    confidence : float
        Level of the interval of the mean.

    Returns
    -------
    TestResult
        `details` hold Cohen's d = (mean - null_value) / s with the interval of its large-sample
        variance 1/k + d^2 / (2k). Constant data: degenerate, p = 1 at the null value and nan
        elsewhere.

    Raises
    ------
    InputError
        For fewer than two values, or values that are not finite.

    References
    ----------
    Student (1908), Biometrika 6, 1-25.

    Examples
    --------
    >>> x = [0.21, 0.19, 0.25, 0.22, 0.18, 0.24, 0.20, 0.23, 0.26, 0.17]
    >>> result = one_sample_t_test(x, null_value=0.2, alternative="greater")
    >>> round(result.statistic, 3), round(result.pvalue, 4)
    (1.567, 0.0758)
    """
    values = along("x", x, axis, least=2)
    null = floats("null_value", null_value)
    broadcast(x=values[..., 0], null_value=null)
    k = values.shape[-1]
    rounding = np.maximum(noise(values), noise(null[..., None]))
    origin, (less,) = from_origin(values)
    origin = origin[..., 0]
    mean, sd = moments(less, rounding)
    d = ratio(mean - (null - origin), sd, rounding)
    return mean_test(
        method="one-sample t test",
        question=ONE_SAMPLE,
        estimate=mean,
        standard_error=sd / np.sqrt(k),
        df=k - 1,
        null=null - origin,
        origin=origin,
        rounding=rounding,
        alternative=alternative,
        confidence=confidence,
        details={
            "n": k,
            "null_value": to_python(null),
            "sd": to_python(sd),
            **standardized("cohens_d", d, 1 / k + d**2 / (2 * k), confidence),
        },
    )


@check_arguments
def paired_t_test(
    a: ArrayLike,
    b: ArrayLike = 0.0,
    *,
    axis: int = -1,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    """Student's t test of the mean difference of pairs.

    t = mean(d) / (s_d / sqrt(k)) with d = a - b, k - 1 degrees of freedom.

    When to use: two classifiers measured on the same k disjoint test sets or on k data sets.
    Assumes independent, roughly normal differences. Overlapping test sets or shared training
    data break that: use `corrected_resampled_t_test`. Does not answer whether a beats b on
    other networks if all pairs come from one.

    Parameters
    ----------
    a, b : array_like, shape (..., k)
        Error rates of both classifiers, k >= 2 pairs along `axis`; or differences as `a` and
        one number as `b`.
    axis : int, default -1
        The axis that holds the pairs of one test.
    alternative : {"two-sided", "less", "greater"}
        "greater": a is larger, that is worse for error rates.
    confidence : float
        Level of the interval of the mean difference.

    Returns
    -------
    TestResult
        `details` hold Cohen's d_z = mean(d) / s_d with the interval of its large-sample
        variance 1/k + d_z^2 / (2k). All differences zero: p = 1; constant otherwise, also up
        to rounding: p = nan; both are marked degenerate.

    Raises
    ------
    InputError
        For fewer than two pairs, unequal shapes, or values that are not finite.

    References
    ----------
    Student (1908), Biometrika 6, 1-25.

    Examples
    --------
    >>> result = paired_t_test([0.21, 0.19, 0.25, 0.22], [0.19, 0.18, 0.22, 0.21])
    >>> round(result.statistic, 3), round(result.pvalue, 4)
    (3.656, 0.0354)
    >>> paired_t_test([0.31, 0.32, 0.33], [0.30, 0.31, 0.32]).pvalue
    nan
    """
    return _paired(a, b, axis, alternative, confidence, normal=False)


@check_arguments
def paired_z_test(
    a: ArrayLike,
    b: ArrayLike = 0.0,
    *,
    axis: int = -1,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    """Test of the mean difference of many pairs against the normal distribution.

    z = mean(d) / (s_d / sqrt(k)) with d = a - b.

    When to use: as `paired_t_test`, for more than 30 disjoint test sets; for fewer it is too
    liberal, which `notes` tell. Assumes independent differences. Does not answer whether a
    beats b on other networks if all pairs come from one.

    Parameters
    ----------
    a, b, axis, alternative, confidence
        As in `paired_t_test`.

    Returns
    -------
    TestResult
        As from `paired_t_test`, without degrees of freedom.

    Raises
    ------
    InputError
        For fewer than two pairs, unequal shapes, or values that are not finite.

    References
    ----------
    Mitchell (1997), Machine Learning, chapter 5.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> a, b = rng.normal(0.2, 0.05, 40), rng.normal(0.2, 0.05, 40)
    >>> result = paired_z_test(a, b)
    >>> 0 < result.pvalue < 1, result.notes
    (True, ())
    """
    return _paired(a, b, axis, alternative, confidence, normal=True)


def _paired(
    a: ArrayLike,
    b: ArrayLike,
    axis: int,
    alternative: Alternative,
    confidence: float,
    *,
    normal: bool,
) -> TestResult:
    first, second = pairs(a, b, axis, least=2)
    k = first.shape[-1]
    rounding = noise(first, second)
    mean, sd = moments(first - second, rounding)
    d = ratio(mean, sd, rounding)
    few = normal and k <= 30
    return mean_test(
        method="paired z test" if normal else "paired t test",
        question=PAIRED,
        estimate=mean,
        standard_error=sd / np.sqrt(k),
        df=None if normal else k - 1,
        rounding=rounding,
        alternative=alternative,
        confidence=confidence,
        details={
            "n": k,
            "sd": to_python(sd),
            **standardized("cohens_dz", d, 1 / k + d**2 / (2 * k), confidence),
        },
        notes=(f"only {k} pairs, more than 30 are needed; use paired_t_test",) if few else (),
    )


@check_arguments
def pooled_t_test(
    a: ArrayLike,
    b: ArrayLike,
    *,
    axis: int = -1,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    """Student's t test of two independent samples with one common variance.

    t = (mean(a) - mean(b)) / (s_p sqrt(1/n_a + 1/n_b)), n_a + n_b - 2 degrees of freedom.

    When to use: error rates of two classifiers on separate, disjoint test sets, with equal
    spread. Assumes independent, roughly normal values. Does not answer whether a beats b on
    other networks if all test sets come from one.

    Parameters
    ----------
    a, b : array_like, shapes (..., n_a) and (..., n_b)
        Both samples along `axis`; n_a + n_b >= 3.
    axis, alternative, confidence
        As in `paired_t_test`.

    Returns
    -------
    TestResult
        `details` hold Cohen's d = difference / s_p with the interval of its large-sample
        variance 1/n_a + 1/n_b + d^2 / (2 (n_a + n_b)) (Hedges & Olkin 1985, chapter 5).

    Raises
    ------
    InputError
        For an empty sample, fewer than three values in all, or values that are not finite.

    References
    ----------
    Student (1908), Biometrika 6, 1-25. Hedges and Olkin (1985), Statistical Methods for
    Meta-Analysis, chapter 5, for the interval of d.

    Examples
    --------
    >>> result = pooled_t_test([0.20, 0.25, 0.22, 0.30], [0.18, 0.16, 0.21, 0.17, 0.19])
    >>> round(result.statistic, 3), result.df
    (2.821, 7)
    """
    first, second, origin, rounding = two_samples(a, b, axis, least=1)
    na, nb = first.shape[-1], second.shape[-1]
    if na + nb < 3:
        raise InputError(
            parameter=("a", "b"), expected="at least three values in all", got=f"{na} and {nb}"
        )
    mean_a, mean_b = first.mean(axis=-1), second.mean(axis=-1)
    squares = np.square(deviations(first)).sum(axis=-1) + np.square(deviations(second)).sum(axis=-1)
    sd = settled(np.sqrt(squares / (na + nb - 2)), rounding)
    difference = mean_a - mean_b
    d = ratio(difference, sd, rounding)
    return mean_test(
        method="pooled t test",
        question=UNPAIRED,
        estimate=difference,
        standard_error=sd * np.sqrt(1 / na + 1 / nb),
        df=na + nb - 2,
        rounding=rounding,
        alternative=alternative,
        confidence=confidence,
        details={
            "n_a": na,
            "n_b": nb,
            "mean_a": to_python(origin + mean_a),
            "mean_b": to_python(origin + mean_b),
            "sd_pooled": to_python(sd),
            **standardized("cohens_d", d, 1 / na + 1 / nb + d**2 / (2 * (na + nb)), confidence),
        },
    )


@check_arguments
def welch_t_test(
    a: ArrayLike,
    b: ArrayLike,
    *,
    axis: int = -1,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    """Welch's t test of two independent samples with their own variances.

    t = (mean(a) - mean(b)) / sqrt(v_a + v_b) with v = s^2 / n, and the Welch-Satterthwaite
    degrees of freedom (v_a + v_b)^2 / (v_a^2 / (n_a - 1) + v_b^2 / (n_b - 1)).

    When to use: error rates of two classifiers on separate, disjoint test sets. Assumes
    independent, roughly normal values. Does not answer whether a beats b on other networks if
    all test sets come from one.

    Parameters
    ----------
    a, b : array_like, shapes (..., n_a) and (..., n_b)
        Both samples along `axis`, each with at least two values.
    axis, alternative, confidence
        As in `paired_t_test`.

    Returns
    -------
    TestResult
        `details` hold Cohen's d with the root of the mean variance, and its interval after
        Bonett (2008), which does not ask for equal variances.

    Raises
    ------
    InputError
        For fewer than two values in a sample, or values that are not finite.

    References
    ----------
    Welch (1947), Biometrika 34, 28-35.

    Examples
    --------
    >>> result = welch_t_test([0.20, 0.25, 0.22, 0.30], [0.18, 0.16, 0.21, 0.17, 0.19])
    >>> round(result.statistic, 3), round(result.df, 3)
    (2.587, 3.94)
    """
    first, second, origin, rounding = two_samples(a, b, axis, least=2)
    na, nb = first.shape[-1], second.shape[-1]
    mean_a, mean_b = first.mean(axis=-1), second.mean(axis=-1)
    sd_a, sd_b = moments(first, rounding)[1], moments(second, rounding)[1]
    va, vb = sd_a**2 / na, sd_b**2 / nb
    se = np.sqrt(va + vb)
    # fractions of the variance: no overflow or underflow whatever the scale of the data
    fa, fb = (
        ratio(sd_a / np.sqrt(na), se, rounding) ** 2,
        ratio(sd_b / np.sqrt(nb), se, rounding) ** 2,
    )
    scale = np.sqrt((sd_a**2 + sd_b**2) / 2)
    difference = mean_a - mean_b
    d, ra, rb = (ratio(x, scale, rounding) for x in (difference, sd_a, sd_b))
    variance = ra**2 / (na - 1) + rb**2 / (nb - 1)
    variance += d**2 * (ra**4 / (na - 1) + rb**4 / (nb - 1)) / 8
    return mean_test(
        method="Welch's t test",
        question=UNPAIRED,
        estimate=difference,
        standard_error=se,
        df=1 / (fa**2 / (na - 1) + fb**2 / (nb - 1)),
        rounding=rounding,
        alternative=alternative,
        confidence=confidence,
        details={
            "n_a": na,
            "n_b": nb,
            "mean_a": to_python(origin + mean_a),
            "mean_b": to_python(origin + mean_b),
            "sd_a": to_python(sd_a),
            "sd_b": to_python(sd_b),
            **standardized("cohens_d", d, variance, confidence),
        },
    )


def two_samples(
    a: ArrayLike, b: ArrayLike, axis: int, *, least: int
) -> tuple[Array, Array, Array, Array]:
    """Return both samples less a value of theirs, that value, and the noise of rounding."""
    refuse_other_precision(a=a, b=b)
    first, second = along("a", a, axis, least=least), along("b", b, axis, least=least)
    if first.shape[:-1] != second.shape[:-1]:
        raise InputError(
            parameter=("a", "b"),
            expected=f"shapes that are equal but for axis {axis}",
            got=f"{np.shape(a)} and {np.shape(b)}",
        )
    rounding = noise(first, second)
    origin, (first, second) = from_origin(first, second)
    return first, second, origin[..., 0], rounding
