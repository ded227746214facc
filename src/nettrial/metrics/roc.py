"""The area under the ROC curve with its DeLong variance."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ..core.results import Result
from ..numeric.checks import scalar
from ..numeric.magnitude import without_unit
from ._check import Floats, choice, scored, weighted
from ._placement_sums import placement_sums

AucInterval: TypeAlias = Literal["newcombe", "normal", "clipped", "logit"]


@dataclass(frozen=True, slots=True)
class AreaUnderCurve(Result):
    """AUC with variance and interval.

    Attributes
    ----------
    auc : float
        Probability that a random positive scores above a random negative, ties half.
    standard_error, variance : float
        DeLong's; NaN with fewer than two observations of a class.
    hanley_mcneil_standard_error : float
        The older formula, from the AUC and the class sizes alone.
    ci_low, ci_high, confidence : float
        Confidence interval of kind `interval`.
    interval : str
        "newcombe", "normal", "clipped" or "logit".
    u_statistic : float
        The Mann-Whitney U of the positives.
    n_positive, n_negative : int
        Class sizes.
    notes : tuple of str
        Why a value is undefined.
    """

    auc: float
    standard_error: float
    variance: float
    hanley_mcneil_standard_error: float
    ci_low: float
    ci_high: float
    confidence: float
    interval: str
    u_statistic: float
    n_positive: int
    n_negative: int
    notes: tuple[str, ...] = ()


def weighted_placements(
    truth: NDArray[np.bool_], scores: Floats, weights: Floats
) -> tuple[Floats, Floats]:
    """Return the placements where a share is one of weights instead of counts."""
    _, place = np.unique(scores, return_inverse=True)

    def share_below(one: NDArray[np.bool_], other: NDArray[np.bool_]) -> Floats:
        mass = np.bincount(place[other], weights[other], minlength=place.max() + 1)
        below = mass.cumsum() - mass / 2
        return np.asarray(below[place[one]] / mass.sum(), dtype=np.float64)

    return share_below(truth, ~truth), 1 - share_below(~truth, truth)


@check_arguments
def auc(
    labels: ArrayLike,
    scores: ArrayLike,
    *,
    positive: Hashable | None = None,
    weights: ArrayLike | None = None,
    confidence: float = 0.95,
    interval: AucInterval = "newcombe",
) -> AreaUnderCurve:
    """Compute the area under the ROC curve, DeLong's variance and a confidence interval.

    Use it to sum up a ranking by how often a positive outranks a negative. The variance
    assumes independent observations: on one network it is too small. It does not say whether
    the probabilities are right (see `calibration`), nor how good the top of the ranking is.
    An AUC below one half stays below one half.

    Parameters
    ----------
    labels : array_like of shape (n,)
        Classes; 0/1, or any with `positive` given.
    scores : array_like of shape (n,)
        Higher means more likely positive.
    positive : hashable, optional
        The positive class.
    weights : array_like of shape (n,), optional
        Non-negative weight of each observation. The variance is that of a ratio of weighted
        sums, ``Σ w²(V - AUC)² / ((Σw)² - Σw²)`` for each class, which is DeLong's where all
        weights are equal; Hanley and McNeil's formula knows counts only and is left out.
    confidence : float
        Level of the interval.
    interval : {"newcombe", "normal", "clipped", "logit"}
        The areas that differ from AUC by no more than z of their own standard errors by Hanley
        and McNeil's formula (Newcombe 2006, method 5), which stays in [0, 1] and has width at 0
        and 1 (with weights, for classes of effective sizes ``(Σw)²/Σw²``); ``AUC ± z·se`` with
        DeLong's se, which may leave [0, 1]; that cut to [0, 1] (pROC); the normal interval of
        logit AUC turned back. The last three are undefined where DeLong's se is 0, as at 0
        and 1.

    Returns
    -------
    AreaUnderCurve
        Undefined values are NaN and `notes` says why.

    Raises
    ------
    InputError
        For unequal lengths, missing labels, NaN scores, a `positive` that does not occur or an
        unknown option.

    References
    ----------
    E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), Biometrics 44; J. A. Hanley,
    B. J. McNeil (1982), Radiology 143, equations 1 and 2; R. G. Newcombe (2006), Statistics in
    Medicine 25, 559-573.

    Examples
    --------
    >>> result = auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], interval="clipped")
    >>> result.auc, result.variance, result.ci_high
    (0.75, 0.125, 1.0)
    """
    choice("interval", interval, get_args(AucInterval))
    if not 0 < scalar("confidence", confidence) < 1:
        raise InputError(
            parameter="confidence", expected="a level between 0 and 1", got=shown(confidence)
        )
    if weights is None:
        truth, values = scored(labels, scores, positive, noise=True)
        w_positive = w_negative = None
        m = int(truth.sum())
        n = truth.size - m
    else:
        truth, values, w = weighted(labels, scores, positive, weights)
        w_positive, w_negative = w[truth], w[~truth]
        m, n = w_positive.size, w_negative.size
    nan = float("nan")
    notes: tuple[str, ...] = ()
    area = variance = older = u = nan
    if m == 0 or n == 0:
        notes = (f"undefined: {m} positives and {n} negatives; the AUC needs both classes",)
    else:
        if w_positive is None or w_negative is None:
            positives, negatives = placement_sums(truth, values)
            area, u = positives.share, positives.total / 2  # pairs and halves of pairs
            older = _hanley_mcneil(area, m, n)
            if min(m, n) > 1:
                variance = positives.variance + negatives.variance
        else:
            above, below = weighted_placements(truth, values, w)
            u = float((above @ w_positive) * w_negative.sum())
            area = float(np.average(above, weights=w_positive))
            if min(m, n) > 1:
                variance = _variance(above, w_positive, area) + _variance(below, w_negative, area)
        if min(m, n) < 2:
            notes = (f"no DeLong variance: {m} positives, {n} negatives; it needs two of each",)
    se = variance**0.5
    z = float(scipy.special.ndtri((1 + confidence) / 2))
    if interval == "newcombe" and not np.isnan(area):
        low, high = score_interval(area, _effective(w_positive, m), _effective(w_negative, n), z)
    else:
        low, high = _interval(area, se, z, interval)
    if variance == 0:
        notes += ("DeLong variance 0: no spread was seen, which does not mean that there is none",)
    return AreaUnderCurve(
        area, se, variance, older, low, high, float(confidence), interval, u, m, n, notes
    )


def _variance(placed: Floats, weights: Floats, area: float) -> float:
    """Return the variance of the weighted mean of the placements, whose mean is the area."""
    weights = without_unit(weights)
    squares = (weights**2).sum()
    return float((weights**2 * (placed - area) ** 2).sum() / (weights.sum() ** 2 - squares))


def _effective(weights: Floats | None, n: int) -> float:
    """Return how many observations of equal weight these n are worth."""
    if weights is None:
        return float(n)
    weights = without_unit(weights)
    return float(weights.sum() ** 2 / (weights**2).sum())


def _hanley_mcneil(area: float, m: int, n: int) -> float:
    q1, q2 = area / (2 - area), 2 * area**2 / (1 + area)
    total = area * (1 - area) + (m - 1) * (q1 - area**2) + (n - 1) * (q2 - area**2)
    return float((max(total, 0.0) / (m * n)) ** 0.5)


def score_interval(area: float, m: float, n: float, z: float) -> tuple[float, float]:
    """Return the areas within z standard errors of `area`, each with its own (Newcombe 2006).

    The variance of an area t is t(1-t)(1 + ((m+n)/2 - 1)((1-t)/(2-t) + t/(1+t)))/(mn).
    """
    from scipy import optimize  # slow to import

    extra = (m + n) / 2 - 1
    area = min(max(area, 0.0), 1.0)  # which weighted means may leave by rounding

    def gap(theta: float) -> float:
        spread = 1 + extra * ((1 - theta) / (2 - theta) + theta / (1 + theta))
        return (area - theta) ** 2 - z**2 * theta * (1 - theta) * spread / (m * n)

    # at 0 and 1 the estimate itself is a root, so the search for the other one starts beside it
    below, beyond = min(area, 1 - 1e-9), max(area, 1e-9)
    low = 0.0 if area == 0 else float(optimize.brentq(gap, 0.0, below, xtol=1e-14))
    high = 1.0 if area == 1 else float(optimize.brentq(gap, beyond, 1.0, xtol=1e-14))
    return low, high


def _interval(area: float, se: float, z: float, kind: str) -> tuple[float, float]:
    if se == 0:  # no spread was seen, which is no certainty
        return float("nan"), float("nan")
    if kind == "logit":
        if not 0 < area < 1:
            return float("nan"), float("nan")
        center, half = float(scipy.special.logit(area)), z * se / (area * (1 - area))
        return float(scipy.special.expit(center - half)), float(scipy.special.expit(center + half))
    low, high = area - z * se, area + z * se
    if kind == "clipped" and not np.isnan(low):
        return max(low, 0.0), min(high, 1.0)
    return low, high
