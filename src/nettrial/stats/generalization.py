"""Tests of an expected error whose standard error allows for the choice of the training set."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..numeric.centering import from_origin, variance
from ..numeric.rounding import settled
from ._arrays import Array, broadcast, floats, noise, to_python
from ._means import mean_test
from .result import Alternative, TestResult

LEARNED = (
    "Is the expected error after learning from so many cases (or the difference of two "
    "algorithms) the given value? It does not ask about other networks."
)


@check_arguments
def conservative_z_test(
    values: ArrayLike,
    halves: ArrayLike,
    *,
    null_value: ArrayLike = 0.0,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    r"""Test the mean of several splits by what disjoint halves of the data show of its variance.

    Use it where the data can be divided and the models run again on each half. It assumes
    independent cases (nodes of one network are not; `nettrial.compare` has a test by halves of
    communities) and enough splits for a normal approximation. Learning from half as many cases
    varies more, so that the interval is too wide rather than too narrow. It does not answer
    whether one trained model is better.

    Parameters
    ----------
    values : array_like, shape (..., J)
        Error rates of one algorithm, or differences of two, on J random splits of all cases.
    halves : array_like, shape (..., M, 2)
        Means of as many random splits of each half, for M random divisions of the cases in two;
        their test sets are as large as those of `values`.
    null_value : float or array_like
        The mean if the hypothesis holds.
    alternative : {"two-sided", "less", "greater"}
        "greater": the mean is larger.
    confidence : float
        Level of the interval.

    Returns
    -------
    TestResult
        A z test, without degrees of freedom. `details` hold the numbers of splits and divisions.

    Raises
    ------
    InputError
        For other shapes, fewer than two divisions, or values that are not finite.

    Notes
    -----
    The standard error is the root of :math:`\sum_m (h_{m1} - h_{m2})^2 / (2 M)`. Both halves of
    a division have no case in common, so that it estimates the variance of the mean on half the
    data without bias.

    References
    ----------
    Nadeau and Bengio (2003), Machine Learning 52, 239-281, section 4.2.

    Examples
    --------
    >>> halves = [[0.21, 0.26], [0.25, 0.19], [0.24, 0.22], [0.18, 0.24]]
    >>> found = conservative_z_test([0.20, 0.21, 0.19], halves)
    >>> round(found.estimate, 3), round(found.standard_error, 4)
    (0.2, 0.0355)
    """
    of_all, parts = floats("values", values), floats("halves", halves)
    if not of_all.ndim or not of_all.shape[-1]:
        raise InputError(parameter="values", expected="at least one value", got="none")
    if parts.ndim < 2 or parts.shape[-1] != 2 or parts.shape[-2] < 2:
        raise InputError(
            parameter="halves",
            expected="shape (..., M, 2), with two divisions or more",
            got=f"{parts.shape}",
        )
    null = floats("null_value", null_value)
    broadcast(values=of_all[..., 0], halves=parts[..., 0, 0], null_value=null)
    rounding = noise(of_all, parts.reshape(*parts.shape[:-2], -1))
    rounding = np.maximum(rounding, noise(null[..., None]))
    origin, (less,) = from_origin(of_all)
    square = np.square(np.diff(parts, axis=-1)[..., 0]).mean(axis=-1) / 2
    return mean_test(
        method="conservative z test (Nadeau and Bengio)",
        question=LEARNED,
        estimate=less.mean(axis=-1),
        standard_error=np.sqrt(square),
        df=None,
        null=null - origin[..., 0],
        origin=origin[..., 0],
        rounding=rounding,
        alternative=alternative,
        confidence=confidence,
        details={
            "n_splits": of_all.shape[-1],
            "n_divisions": parts.shape[-2],
            "null_value": to_python(null),
        },
    )


@check_arguments
def nested_cv_test(
    values: ArrayLike,
    inner: ArrayLike,
    *,
    null_value: ArrayLike = 0.0,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    r"""Test the mean of a cross-validation by the error that nested cross-validations make.

    Use it where a K-fold cross-validation can be repeated with two folds held out at a time, a
    few times at least (the authors take 200). It assumes independent cases (nodes of one network
    are not) and a mean over cases, such as an error rate or a squared error. It does not answer
    whether one trained model is better.

    Parameters
    ----------
    values : array_like, shape (..., R, K, m)
        In R repetitions, losses of the m cases of each of K folds, by the model that has learned
        from the K - 1 others; or differences of the losses of two models. Leave out cases of
        which there are not enough for a further one in each fold.
    inner : array_like, shape (..., R, K, K - 1, m)
        Losses of the cases of the K - 1 other folds where a fold is held out, each by the model
        that has learned from the K - 2 remaining ones.
    null_value : float or array_like
        The mean if the hypothesis holds.
    alternative : {"two-sided", "less", "greater"}
        "greater": the mean is larger.
    confidence : float
        Level of the interval.

    Returns
    -------
    TestResult
        A z test of the estimate with its bias removed. `details` hold the mean of the
        cross-validation, that of the nested ones, the bias, the standard error that ignores
        that losses depend on each other, and by how much the one here is larger.

    Raises
    ------
    InputError
        For other shapes, fewer than three folds, fewer than two cases in a fold, or values that
        are not finite.

    Notes
    -----
    With the mean e of a held-out fold, the variance v of its losses and the mean i of the inner
    losses, the mean squared error is estimated by the mean of :math:`(i - e)^2 - v / m` over
    folds and repetitions, times (K - 1) / K for n = K m cases. Its root is kept between
    s / sqrt(n), s being the standard deviation of the inner losses, and sqrt(K) times that. The
    bias is (1 + (K - 2) / K) times the mean of i less the mean of e.

    References
    ----------
    Bates, Hastie and Tibshirani (2024), Journal of the American Statistical Association 119,
    1434-1445.

    Examples
    --------
    >>> losses = np.random.default_rng(0).random((2, 3, 10))
    >>> inner = np.random.default_rng(1).random((2, 3, 2, 10))
    >>> found = nested_cv_test(losses, inner, null_value=0.5)
    >>> 1 <= found.details["inflation"] <= 3**0.5
    True
    """
    outer, nested = floats("values", values), floats("inner", inner)
    folds = outer.shape[-2] if outer.ndim >= 3 else 0
    if folds < 3 or outer.shape[-1] < 2 or not outer.shape[-3]:
        raise InputError(
            parameter="values",
            expected="shape (..., R, K, m), with three folds or more of two cases or more",
            got=f"{outer.shape}",
        )
    wanted = (*outer.shape[:-1], folds - 1, outer.shape[-1])
    if nested.shape != wanted:
        raise InputError(
            parameter="inner", expected=f"shape {wanted}, as `values`", got=f"{nested.shape}"
        )
    null = floats("null_value", null_value)
    shape, size = outer.shape[:-3], outer.shape[-1]
    broadcast(values=outer[..., 0, 0, 0], null_value=null)
    flat = [part.reshape(*shape, -1) for part in (outer, nested)]
    rounding = np.maximum(noise(*flat), noise(null[..., None]))
    origin, (first, second) = from_origin(*flat)
    own, within = first.reshape(outer.shape), second.reshape(nested.shape)
    gaps = within.mean(axis=(-2, -1)) - own.mean(axis=-1)
    squares = (np.square(gaps) - variance(own) / size).mean(axis=(-2, -1)) * (folds - 1) / folds
    naive = settled(np.sqrt(variance(second) / (folds * size)), rounding)
    error: Array = np.clip(np.sqrt(np.maximum(squares, 0.0)), naive, naive * np.sqrt(folds))
    bias = settled((1 + (folds - 2) / folds) * gaps.mean(axis=(-2, -1)), rounding)
    mean, start = second.mean(axis=-1), origin[..., 0]
    return mean_test(
        method="nested cross-validation (Bates, Hastie and Tibshirani)",
        question=LEARNED,
        estimate=mean - bias,
        standard_error=error,
        df=None,
        null=null - start,
        origin=start,
        rounding=rounding,
        alternative=alternative,
        confidence=confidence,
        details={
            "error_cv": to_python(start + first.mean(axis=-1)),
            "error_nested": to_python(start + mean),
            "bias": to_python(bias),
            "naive_standard_error": to_python(naive),
            "inflation": to_python(error / np.where(naive <= rounding, np.nan, naive)),
            "null_value": to_python(null),
        },
    )
