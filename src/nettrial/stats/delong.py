"""DeLong's test of two areas under ROC curves of the same observations."""

from __future__ import annotations

from collections.abc import Hashable
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from ..errors import InputError
from ..metrics._check import Floats, binary, numbers, same_length
from ..metrics.roc import placements
from .result import Alternative, Number, TestResult, check_alternative, check_confidence

# a standard error of this size beside values in [0, 1] is rounding
ROUNDING = 10 * np.finfo(float).eps


def delong_test(
    labels: ArrayLike,
    scores_a: ArrayLike,
    scores_b: ArrayLike,
    *,
    positive: Hashable | None = None,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    """Test whether two scorings of the same observations have the same AUC.

    Use it for two classifiers scored on one test set. It assumes independent observations
    (nodes of one network are not) and enough of each class for a normal approximation. It
    takes the trained models as given: it does not answer whether one learning algorithm is
    better, nor is it meant for models one of which contains the other and was fitted to the
    same observations.

    Parameters
    ----------
    labels : array_like of shape (n,)
        Classes; 0/1, or any with `positive` given.
    scores_a, scores_b : array_like of shape (..., n)
        Higher means more likely positive; leading axes are separate trials.
    positive : hashable, optional
        The positive class.
    alternative : {"two-sided", "less", "greater"}
        "greater": A has the larger AUC.
    confidence : float
        Level of the interval, one-sided for a one-sided alternative.

    Returns
    -------
    TestResult
        The estimate is AUC of A minus AUC of B (not an error rate: larger is better). With
        fewer than two observations of a class, or no spread, the result is degenerate; equal
        AUCs without spread, as of identical scores, have p = 1.

    Raises
    ------
    InputError
        For NaN scores, missing labels, unequal lengths.

    Notes
    -----
    ``z = (AUC_a - AUC_b) / se`` with se² = var(V10_a - V10_b)/m + var(V01_a - V01_b)/n over
    the m positives' and n negatives' placements, in O(n log n).

    References
    ----------
    E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), Biometrics 44; X. Sun, W. Xu
    (2014), IEEE Signal Processing Letters 21.

    Examples
    --------
    >>> result = delong_test([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], [0.3, 0.2, 0.4, 0.6])
    >>> result.estimate, round(result.pvalue, 4)
    (-0.25, 0.4795)
    """
    alternative, confidence = check_alternative(alternative), check_confidence(confidence)
    truth = binary(labels, positive)
    a = numbers("scores_a", scores_a, infinite=True)
    b = numbers("scores_b", scores_b, infinite=True)
    for name, scores in (("scores_a", a), ("scores_b", b)):
        if scores.ndim == 0:
            raise InputError(f"{name}: received one number, allowed is one score a label")
        same_length("labels", truth.size, name, scores.shape[-1])
    try:
        a, b = np.broadcast_arrays(a, b)
    except ValueError as error:
        raise InputError(f"scores_a and scores_b: {a.shape}, {b.shape} do not match") from error
    m, n = int(truth.sum()), int((~truth).sum())
    notes: tuple[str, ...] = ()
    shape = a.shape[:-1]
    auc_a = auc_b = var_a = var_b = variance = np.full(shape, np.nan)
    if min(m, n) > 0:
        above_a, below_a = placements(truth, a)
        above_b, below_b = placements(truth, b)
        auc_a, auc_b = above_a.mean(axis=-1), above_b.mean(axis=-1)
        if min(m, n) > 1:
            var_a, var_b = _variance(above_a, below_a), _variance(above_b, below_b)
            variance = _variance(above_a - above_b, below_a - below_b)
    estimate, se = np.asarray(auc_a - auc_b), np.sqrt(variance)
    flat = ~(se > ROUNDING)
    same = (se <= ROUNDING) & (np.abs(estimate) <= ROUNDING)
    if min(m, n) < 2:
        notes += (f"degenerate: {m} positives, {n} negatives; the test needs two of each",)
    elif flat.any():
        notes += (
            "degenerate: the placements do not vary; p is 1 where the AUCs are equal and "
            "undefined elsewhere",
        )
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(flat, np.where(same, 0.0, np.nan), estimate / se)
    if alternative == "two-sided":
        p = 2 * special.ndtr(-np.abs(z))
    else:
        p = special.ndtr(z if alternative == "less" else -z)
    level = (1 + confidence) / 2 if alternative == "two-sided" else confidence
    half = special.ndtri(level) * se
    low = np.full(shape, -np.inf) if alternative == "less" else estimate - half
    high = np.full(shape, np.inf) if alternative == "greater" else estimate + half
    undefined = np.isnan(se)
    return TestResult(
        method="DeLong's test of two correlated AUCs",
        question="Would these two scorings rank other observations like these equally well?",
        estimate=_number(estimate),
        standard_error=_number(se),
        statistic=_number(z),
        df=None,
        pvalue=_number(np.where(same, 1.0, p)),
        ci_low=_number(np.where(undefined, np.nan, low)),
        ci_high=_number(np.where(undefined, np.nan, high)),
        confidence=confidence,
        alternative=alternative,
        degenerate=bool(flat) if flat.ndim == 0 else flat,
        details=MappingProxyType(
            {
                "auc_a": _number(auc_a),
                "auc_b": _number(auc_b),
                "variance_a": _number(var_a),
                "variance_b": _number(var_b),
                "covariance": _number((var_a + var_b - variance) / 2),
                "variance_difference": _number(variance),
                "positives": m,
                "negatives": n,
            }
        ),
        notes=notes,
    )


def _variance(above: Floats, below: Floats) -> Floats:
    return np.asarray(
        above.var(axis=-1, ddof=1) / above.shape[-1] + below.var(axis=-1, ddof=1) / below.shape[-1]
    )


def _number(values: Floats) -> Number:
    array = np.asarray(values, dtype=np.float64)
    return float(array) if array.ndim == 0 else array
