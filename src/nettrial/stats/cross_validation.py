"""Tests of a paired difference measured by cross-validation or resampling of one data set."""

from __future__ import annotations

import dataclasses

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ..numeric.checks import scalar
from ..numeric.rounding import settled
from ._arrays import Array, as_result, count_note, noise, pairs, sequence, t_quantile, to_python
from ._means import CONSTANT, IDENTICAL, mean_test, moments, ratio, scaled
from .paired import paired_t_test
from .result import Alternative, TestResult, check_confidence

ALGORITHMS = (
    "Do the two learning algorithms differ in error on this data set, over random choices of "
    "training and test data? It does not ask about other networks."
)


@check_arguments
def kfold_t_test(
    a: ArrayLike,
    b: ArrayLike = 0.0,
    *,
    axis: int = -1,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    """Paired t test over the folds of one k-fold cross-validation.

    When to use: to repeat older work. The test sets are disjoint but the training sets share
    (k - 2) / (k - 1) of their cases, so that the test is liberal (Dietterich 1998);
    `corrected_repeated_kfold_t_test` takes that into account. Assumes independent, roughly
    normal differences. Does not answer whether a beats b on other networks.

    Parameters
    ----------
    a, b, axis, alternative, confidence
        As in `paired_t_test`, one value per fold.

    Returns
    -------
    TestResult
        As from `paired_t_test`.

    Raises
    ------
    InputError
        As `paired_t_test`.

    References
    ----------
    Dietterich (1998), Neural Computation 10, 1895-1923.

    Examples
    --------
    >>> result = kfold_t_test([0.21, 0.19, 0.25, 0.22], [0.19, 0.18, 0.22, 0.21])
    >>> round(result.pvalue, 4), len(result.notes)
    (0.0354, 1)
    """
    r = paired_t_test(a, b, axis=axis, alternative=alternative, confidence=confidence)
    return dataclasses.replace(
        r,
        method="k-fold cross-validated paired t test",
        question=ALGORITHMS,
        notes=(
            "the folds' training sets overlap, so the p-value is too small; "
            "corrected_repeated_kfold_t_test corrects for it",
            *r.notes,
        ),
    )


@check_arguments
def corrected_resampled_t_test(
    a: ArrayLike,
    b: ArrayLike = 0.0,
    *,
    n_train: float,
    n_test: float,
    axis: int = -1,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    """Paired t test over J random splits, corrected for their overlap.

    t = mean(d) / sqrt((1/J + n_test / n_train) s_d^2), J - 1 degrees of freedom
    (Nadeau & Bengio 2003, section 5.2).

    When to use: two algorithms on the same J random train/test splits of one data set.
    Assumes that the correlation of two splits is n_test / (n_train + n_test), a rule of thumb,
    and independent cases: `nettrial.compare` lists it under other networks, where linked nodes
    break that assumption.

    Parameters
    ----------
    a, b : array_like, shape (..., J)
        Error rates of both algorithms, J >= 2 splits along `axis`; or differences as `a` and
        one number as `b`.
    n_train, n_test : float
        Sizes of the training and test sets.
    axis : int, default -1
        The axis that holds the splits.
    alternative : {"two-sided", "less", "greater"}
        "greater": a is larger, that is worse for error rates.
    confidence : float
        Level of the interval of the mean difference.

    Returns
    -------
    TestResult
        `details` hold the mean difference in units of s_d with the same interval.

    Raises
    ------
    InputError
        For fewer than two splits, sizes that are not positive, or unequal shapes.

    References
    ----------
    Nadeau and Bengio (2003), Machine Learning 52, 239-281.

    Examples
    --------
    >>> d = [0.009, -0.02, -0.005, 0.031, 0.022, 0.007, 0.008, 0.055, -0.02, 0.034]
    >>> result = corrected_resampled_t_test(d, n_train=90, n_test=10)
    >>> round(result.statistic, 3), round(result.pvalue, 3)
    (1.098, 0.301)
    """
    n_train, n_test = scalar("n_train", n_train), scalar("n_test", n_test)
    if not (n_train > 0 and n_test > 0 and np.isfinite(n_train) and np.isfinite(n_test)):
        raise InputError(
            parameter=("n_train", "n_test"),
            expected="positive sizes",
            got=f"{shown(n_train)} and {shown(n_test)}",
        )
    first, second = pairs(a, b, axis, least=2)
    return _corrected(
        first,
        second,
        n_test / n_train,
        method="corrected resampled t test (Nadeau & Bengio)",
        alternative=alternative,
        confidence=confidence,
    )


@check_arguments
def corrected_repeated_kfold_t_test(
    a: ArrayLike,
    b: ArrayLike = 0.0,
    *,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    """Paired t test over r times k folds, corrected for their overlap.

    t = mean(d) / sqrt((1/(kr) + 1/(k-1)) s_d^2), kr - 1 degrees of freedom
    (Bouckaert & Frank 2004).

    When to use: two algorithms on the same r repetitions of k-fold cross-validation of one
    data set; r = 1 is allowed. Assumes independent cases and the correlation 1/k between
    folds, a rule of thumb. Does not answer whether a beats b on other networks.

    Parameters
    ----------
    a, b : array_like, shape (..., r, k)
        Error rates, repetitions in rows and folds in columns, k >= 2; or differences as `a`
        and one number as `b`. Leading axes are separate trials.
    alternative, confidence
        As in `corrected_resampled_t_test`.

    Returns
    -------
    TestResult
        `details` hold the mean difference in units of s_d with the same interval.

    Raises
    ------
    InputError
        For arrays without two axes, fewer than two folds, or unequal shapes.

    References
    ----------
    Bouckaert and Frank (2004), Lecture Notes in Computer Science 3056, 3-12. Nadeau and Bengio
    (2003), Machine Learning 52, 239-281.

    Examples
    --------
    >>> d = [[0.02, 0.03], [0.01, 0.04], [0.03, 0.02], [0.05, 0.01], [0.02, 0.02]]
    >>> result = corrected_repeated_kfold_t_test(d)
    >>> round(result.statistic, 3), result.df
    (1.878, 9)
    """
    first, second = pairs(a, b, -1, least=2)
    if first.ndim < 2 or first.shape[-2] < 1:
        raise InputError(
            parameter="a", expected="shapes (..., repetitions, folds)", got=f"shape {first.shape}"
        )
    repeats, folds = first.shape[-2:]
    flat = (*first.shape[:-2], repeats * folds)
    return _corrected(
        first.reshape(flat),
        second.reshape(flat),
        1 / (folds - 1),
        method="corrected repeated k-fold t test (Bouckaert & Frank)",
        alternative=alternative,
        confidence=confidence,
    )


def _corrected(
    first: Array,
    second: Array,
    overlap: float,
    *,
    method: str,
    alternative: Alternative,
    confidence: float,
) -> TestResult:
    check_confidence(confidence)
    n = first.shape[-1]
    rounding = noise(first, second)
    mean, sd = moments(first - second, rounding)
    se = np.sqrt(1 / n + overlap) * sd
    half = t_quantile(n - 1, confidence, "two-sided") * se
    return mean_test(
        method=method,
        question=ALGORITHMS,
        estimate=mean,
        standard_error=se,
        df=n - 1,
        rounding=rounding,
        alternative=alternative,
        confidence=confidence,
        details={
            "n": n,
            "sd": to_python(sd),
            "ratio": overlap,
            "uncorrected_t": to_python(ratio(mean, sd / np.sqrt(n), rounding)),
            **scaled("standardized_difference", mean, sd, half, rounding),
        },
    )


def _five_by_two(a: ArrayLike, b: ArrayLike) -> tuple[Array, Array, Array, Array]:
    """Return differences (..., 5, 2), their means and variances by repetition, and the noise."""
    first, second = pairs(a, b, -1, least=2)
    if first.shape[-2:] != (5, 2):
        raise InputError(
            parameter="a",
            expected="shape (..., 5, 2), five repetitions of twofold cross-validation",
            got=f"{first.shape}",
        )
    flat = (*first.shape[:-2], 10)
    rounding = noise(first.reshape(flat), second.reshape(flat))
    d = settled(first - second, rounding[..., None, None])
    means = d.mean(axis=-1)
    variances = np.square(d - means[..., None]).sum(axis=-1)
    return d, means, variances, rounding


@check_arguments
def cv5x2_t_test(
    a: ArrayLike,
    b: ArrayLike = 0.0,
    *,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    """Dietterich's paired t test over five repetitions of twofold cross-validation.

    t = d_11 / sqrt(mean of s_i^2), s_i^2 = (d_i1 - m_i)^2 + (d_i2 - m_i)^2, 5 degrees of
    freedom (Dietterich 1998, section 3.5; both signs are minus).

    When to use: two algorithms on one data set where training twice on halves is affordable
    and Type I error matters more than power; `cv5x2_f_test` does not hang on the first fold.
    Assumes independent cases. Does not answer whether a beats b after training on all data,
    nor on other networks.

    Parameters
    ----------
    a, b : array_like, shape (..., 5, 2)
        Error rates, repetitions in rows; or differences as `a` and one number as `b`. Leading
        axes are separate trials.
    alternative : {"two-sided", "less", "greater"}
        "greater": a is larger, that is worse for error rates.
    confidence : float
        Level of the interval of the first difference.

    Returns
    -------
    TestResult
        `estimate` is the first difference, which the statistic tests. `details` hold the mean
        of all ten, also in units of the pooled s with the interval's half width taken from the
        first difference, which is conservative.

    Raises
    ------
    InputError
        For another shape or values that are not finite.

    References
    ----------
    Dietterich (1998), Neural Computation 10, 1895-1923.

    Examples
    --------
    >>> d = [[0.02, 0.03], [0.01, 0.04], [0.03, 0.02], [0.05, 0.01], [0.02, 0.02]]
    >>> result = cv5x2_t_test(d)
    >>> round(result.statistic, 3), result.df
    (1.217, 5)
    """
    check_confidence(confidence)
    d, means, variances, rounding = _five_by_two(a, b)
    se = np.sqrt(variances.mean(axis=-1))
    mean = d.mean(axis=(-2, -1))
    half = t_quantile(5, confidence, "two-sided") * se
    return mean_test(
        method="5x2cv paired t test (Dietterich)",
        question=ALGORITHMS,
        estimate=d[..., 0, 0],
        standard_error=se,
        df=5,
        largest=np.abs(d).max(axis=(-2, -1)),
        rounding=rounding,
        alternative=alternative,
        confidence=confidence,
        details={
            "mean_difference": to_python(mean),
            "means": sequence(means),
            "variances": sequence(variances),
            **scaled("standardized_difference", mean, se, half, rounding),
        },
    )


@check_arguments
def cv5x2_f_test(a: ArrayLike, b: ArrayLike = 0.0, *, confidence: float = 0.95) -> TestResult:
    """Alpaydin's combined F test over five repetitions of twofold cross-validation.

    F = sum d_ij^2 / (2 sum s_i^2), 10 and 5 degrees of freedom (Alpaydin 1999).

    When to use: as `cv5x2_t_test`, with more power and no dependence on the order of folds.
    It is two-sided only. Assumes independent cases. Does not answer whether a beats b after
    training on all data, nor on other networks.

    Parameters
    ----------
    a, b : array_like, shape (..., 5, 2)
        Error rates, repetitions in rows; or differences as `a` and one number as `b`. Leading
        axes are separate trials.
    confidence : float
        Level of the interval in `details`; F itself gives no interval of the difference.

    Returns
    -------
    TestResult
        `estimate` is the mean difference; `details` hold it in units of the pooled s, as
        `cv5x2_t_test` does.

    Raises
    ------
    InputError
        For another shape or values that are not finite.

    References
    ----------
    Alpaydın (1999), Neural Computation 11, 1885-1892.

    Examples
    --------
    >>> d = [[0.02, 0.03], [0.01, 0.04], [0.03, 0.02], [0.05, 0.01], [0.02, 0.02]]
    >>> round(cv5x2_f_test(d).statistic, 3)
    2.852
    """
    check_confidence(confidence)
    d, means, variances, rounding = _five_by_two(a, b)
    scale = np.sqrt(variances.mean(axis=-1))
    flat = scale <= rounding
    identical = flat & (np.abs(d).max(axis=(-2, -1)) <= rounding)
    squares = np.square(d).sum(axis=(-2, -1))
    f = squares / np.where(flat, np.nan, 2 * variances.sum(axis=-1))
    mean = d.mean(axis=(-2, -1))
    half = t_quantile(5, confidence, "two-sided") * scale
    nothing = np.full(f.shape, np.nan)
    return as_result(
        method="5x2cv combined F test (Alpaydin)",
        question=ALGORITHMS,
        estimate=mean,
        standard_error=nothing,
        statistic=f,
        df=(10, 5),
        pvalue=np.where(identical, 1.0, scipy.special.fdtrc(10, 5, f)),
        ends=(nothing, nothing),
        confidence=confidence,
        alternative="two-sided",
        degenerate=flat,
        details={
            "means": sequence(means),
            "variances": sequence(variances),
            **scaled("standardized_difference", mean, scale, half, rounding),
        },
        notes=count_note(identical, IDENTICAL) + count_note(flat & ~identical, CONSTANT),
    )
