"""DeLong's test of two areas under ROC curves of the same observations."""

from __future__ import annotations

from collections.abc import Hashable
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..metrics._check import Floats, binary, numbers, same_length
from ..metrics._placement_sums import compared_areas
from ..numeric.checks import axis_of
from ..numeric.input_alignment import refuse_other_index
from ..numeric.rounding import ROUNDING
from ._arrays import as_result, to_python
from .result import Alternative, TestResult, check_confidence


@check_arguments
def delong_test(
    labels: ArrayLike,
    scores_a: ArrayLike,
    scores_b: ArrayLike,
    *,
    positive: Hashable | None = None,
    axis: int = -1,
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
    labels : array_like of shape (..., n)
        Classes; 0/1, or any with `positive` given. One list belongs to all trials.
    scores_a, scores_b : array_like of shape (..., n)
        Higher means more likely positive.
    positive : hashable, optional
        The positive class.
    axis : int, default -1
        The axis of all three that holds the observations; the others are separate trials and
        must broadcast.
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
        For NaN scores, missing labels, unequal lengths, a `positive` that does not occur.

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
    confidence = check_confidence(confidence)
    refuse_other_index(labels=labels, scores_a=scores_a, scores_b=scores_b)
    m, truth, a, b = _positives_first(labels, scores_a, scores_b, positive, axis)
    n = truth.shape[-1] - m
    auc_a, auc_b, estimate, var_a, var_b, variance = _moments(truth, a, b)
    shape = a.shape[:-1]
    se = np.sqrt(variance)
    flat = ~(se > ROUNDING)  # placements lie in [0, 1]
    same = (se <= ROUNDING) & (np.abs(estimate) <= ROUNDING)
    notes: tuple[str, ...] = ()
    few = np.asarray(np.minimum(m, n) < 2)
    if few.any():
        first = tuple(np.argwhere(few)[0].tolist())
        where = f" (trial {first}, {int(few.sum())} such trials)" if first else ""
        notes += (
            f"degenerate: {m[first]} positives, {n[first]} negatives{where}; the test needs two "
            "of each",
        )
    if (flat & ~few).any():
        notes += (
            "degenerate: the placements do not vary; p is 1 where the AUCs are equal and "
            "undefined elsewhere",
        )
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(flat, np.nan, estimate / se)
    if alternative == "two-sided":
        p = 2 * special.ndtr(-np.abs(z))
    else:
        p = special.ndtr(z if alternative == "less" else -z)
    level = (1 + confidence) / 2 if alternative == "two-sided" else confidence
    half = special.ndtri(level) * se
    low = np.full(shape, -np.inf) if alternative == "less" else estimate - half
    high = np.full(shape, np.inf) if alternative == "greater" else estimate + half
    return as_result(
        method="DeLong's test of two correlated AUCs",
        question="Would these two scorings rank other observations like these equally well?",
        estimate=estimate,
        standard_error=se,
        statistic=z,
        pvalue=np.where(same, 1.0, p),
        ends=(np.where(flat, np.nan, low), np.where(flat, np.nan, high)),
        confidence=confidence,
        alternative=alternative,
        degenerate=flat,
        details=MappingProxyType(
            {
                "auc_a": to_python(auc_a),
                "auc_b": to_python(auc_b),
                "variance_a": to_python(var_a),
                "variance_b": to_python(var_b),
                "covariance": to_python((var_a + var_b - variance) / 2),
                "variance_difference": to_python(variance),
                "positives": to_python(m),
                "negatives": to_python(n),
            }
        ),
        notes=notes,
    )


def _positives_first(
    labels: ArrayLike,
    scores_a: ArrayLike,
    scores_b: ArrayLike,
    positive: Hashable | None,
    axis: int,
) -> tuple[NDArray[np.intp], NDArray[np.bool_], Floats, Floats]:
    """Return the number of positives of each trial, and all three inputs, trials first.

    Where trials have labels of their own, their positives come first.
    """
    truth = binary(labels, positive, stacked=True)
    truth = np.moveaxis(truth, axis_of("labels", truth, axis), -1)
    scores = []
    for name, given in (("scores_a", scores_a), ("scores_b", scores_b)):
        array = numbers(name, given, infinite=True)
        if array.ndim == 0:
            raise InputError(parameter=name, expected="one score a label", got="one number")
        array = np.moveaxis(array, axis_of(name, array, axis), -1)
        same_length("labels", truth.shape[-1], name, array.shape[-1])
        scores.append(array)
    if truth.ndim == 1 and scores[0].shape == scores[1].shape:
        return np.asarray(np.count_nonzero(truth)), truth, scores[0], scores[1]
    order = np.argsort(~truth, axis=-1, kind="stable")
    try:
        truth_all, order, a, b = np.broadcast_arrays(truth, order, *scores)
    except ValueError as error:
        raise InputError(
            parameter=("labels", "scores_a", "scores_b"),
            expected="equal axes but for that of the observations",
            got=f"shapes {np.shape(labels)}, {np.shape(scores_a)} and {np.shape(scores_b)}",
            hint="give each trial its labels and scores, or all trials one line of labels",
        ) from error
    ordered = [np.take_along_axis(array, order, axis=-1) for array in (truth_all, a, b)]
    return truth.sum(axis=-1), ordered[0], ordered[1], ordered[2]


def _moments(truth: NDArray[np.bool_], a: Floats, b: Floats) -> tuple[Floats, ...]:
    """Return both AUCs and their difference, and the variances of all three."""
    size = truth.shape[-1]
    found = np.full((2, 3, *a.shape[:-1]), np.nan)
    counts = np.broadcast_to(np.count_nonzero(truth, axis=-1), a.shape[:-1])
    for m in np.unique(counts[(counts > 0) & (counts < size)]):
        trials = counts == m
        positive = truth if truth.ndim == 1 else np.arange(size) < m
        chosen = ... if trials.all() else trials  # all of them need no copy
        found[:, :, chosen] = compared_areas(positive, a[chosen], b[chosen])
    return *found[0], *found[1]
