"""Precision-recall and ROC curves: one point for each distinct score."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..results import Result
from ._check import Floats, weighted
from .rates import ratio


@dataclass(frozen=True, slots=True)
class PrecisionRecallCurve(Result):
    """Precision and recall when everything scored at least `thresholds` is called positive.

    Attributes
    ----------
    thresholds, precision, recall : ndarray of shape (number of distinct scores,)
        Thresholds fall, recall rises to 1.
    """

    thresholds: Floats
    precision: Floats
    recall: Floats


@dataclass(frozen=True, slots=True)
class RocCurve(Result):
    """False and true positive rates; the first point, at threshold infinity, is (0, 0).

    Attributes
    ----------
    thresholds, false_positive_rate, true_positive_rate : ndarray
        One value for each distinct score and one more at the start.
    """

    thresholds: Floats
    false_positive_rate: Floats
    true_positive_rate: Floats


def threshold_counts(
    truth: NDArray[np.bool_], scores: Floats, weights: Floats | None = None
) -> tuple[Floats, Floats, Floats]:
    """Count (or add the weights of) all and the positive observations at each distinct score.

    The highest score comes first.
    """
    values, place = np.unique(-scores, return_inverse=True)
    w = np.ones(truth.size) if weights is None else weights
    size = np.bincount(place, w, minlength=values.size)
    hits = np.bincount(place[truth], w[truth], minlength=values.size)
    return -values, size.astype(np.float64), hits.astype(np.float64)


def precision_recall_curve(
    labels: ArrayLike,
    scores: ArrayLike,
    *,
    positive: Hashable | None = None,
    weights: ArrayLike | None = None,
) -> PrecisionRecallCurve:
    """Compute precision against recall over all thresholds.

    Use it to choose a threshold where positives are rare. It assumes that the share of
    positives is that of interest, and does not say which threshold is best. The curve depends
    on the share of positives, so curves from different populations cannot be compared.

    Parameters
    ----------
    labels : array_like of shape (n,)
        Classes; 0/1, or any with `positive` given.
    scores : array_like of shape (n,)
        Higher means more likely positive.
    positive : hashable, optional
        The positive class.
    weights : array_like of shape (n,), optional
        Non-negative weight of each observation.

    Returns
    -------
    PrecisionRecallCurve
        Recall is NaN where there are no positives.

    Raises
    ------
    InputError
        For unequal lengths, missing labels or NaN scores.

    References
    ----------
    Manning, Raghavan and Schuetze (2008), Introduction to Information Retrieval, chapter 8.

    Examples
    --------
    >>> curve = precision_recall_curve([1, 0, 1], [0.9, 0.8, 0.7])
    >>> curve.precision.round(3).tolist(), curve.recall.tolist()
    ([1.0, 0.5, 0.667], [0.5, 0.5, 1.0])
    """
    thresholds, size, hits = threshold_counts(*weighted(labels, scores, positive, weights))
    found = hits.cumsum()
    return PrecisionRecallCurve(
        thresholds=thresholds,
        precision=found / size.cumsum(),
        recall=ratio(found, np.full(found.shape, float(hits.sum())), "nan"),
    )


def roc_curve(
    labels: ArrayLike,
    scores: ArrayLike,
    *,
    positive: Hashable | None = None,
    weights: ArrayLike | None = None,
) -> RocCurve:
    """Compute the true positive rate against the false positive rate over all thresholds.

    Use it to see the trade of hits for false alarms; it does not depend on the share of
    positives. It assumes independent cases only for its uncertainty, and does not say how
    precise the alarms are. With few positives a curve that looks good can still mean low
    precision. Parameters and errors are those of `precision_recall_curve`; a rate is NaN where
    its class is missing.

    References
    ----------
    Fawcett (2006), Pattern Recognition Letters 27, 861-874.

    Examples
    --------
    >>> curve = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> curve.true_positive_rate.tolist()
    [0.0, 0.5, 0.5, 1.0, 1.0]
    """
    truth, values, w = weighted(labels, scores, positive, weights)
    thresholds, _, hits = threshold_counts(truth, values, w)
    _, _, misses = threshold_counts(~truth, values, w)
    found = np.concatenate(([0.0], hits.cumsum()))
    alarms = np.concatenate(([0.0], misses.cumsum()))
    return RocCurve(
        thresholds=np.concatenate(([np.inf], thresholds)),
        false_positive_rate=ratio(alarms, np.full(alarms.shape, alarms[-1]), "nan"),
        true_positive_rate=ratio(found, np.full(found.shape, found[-1]), "nan"),
    )
