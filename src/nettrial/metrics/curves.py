"""Precision-recall and ROC curves: one point for each distinct score."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arguments import check_arguments
from ..core.results import Result
from ._check import Floats, weighted
from ._drawing import REFERENCE, line_style, open_axes, unit_square
from .rates import binary_rates, ratio

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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

    @check_arguments
    def plot(self, ax: Axes | None = None, *, name: str = "", number: int = 0) -> Axes:
        """Draw precision against recall, as the steps of which the average precision is the area.

        `number` chooses the line's look where several curves share the axes; the gray line is
        the share of positives, the precision of a random ranking.
        """
        axes = open_axes(ax)
        recall = np.concatenate(([0.0], self.recall))
        precision = np.concatenate((self.precision[:1], self.precision))
        if number == 0 and precision.size:
            axes.axhline(precision[-1], **REFERENCE)
        axes.step(recall, precision, where="pre", label=name or None, **line_style(number))
        unit_square(axes, "recall", "precision")
        axes.set_aspect("equal")
        return axes


@dataclass(frozen=True, slots=True)
class ThresholdCurve(Result):
    """Precision, recall and F when everything scored at least `thresholds` is called positive.

    Attributes
    ----------
    thresholds, precision, recall, f_beta : ndarray of shape (number of distinct scores,)
        Thresholds fall.
    beta : float
        The weight of recall in F.
    best_threshold, best_f : float
        Where F is largest (the highest such threshold), and its value there; NaN where there
        are no positives.
    """

    thresholds: Floats
    precision: Floats
    recall: Floats
    f_beta: Floats
    beta: float
    best_threshold: float
    best_f: float

    @check_arguments
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw precision, recall and F against the threshold, with the largest F marked."""
        axes = open_axes(ax)
        lines = {"precision": self.precision, "recall": self.recall, f"F{self.beta:g}": self.f_beta}
        order = np.argsort(self.thresholds)
        for number, (name, values) in enumerate(lines.items()):
            # a threshold between two scores calls positive what the next higher score does
            axes.step(
                self.thresholds[order],
                values[order],
                where="pre",
                label=name,
                **line_style(number),
            )
        if not np.isnan(self.best_f):
            axes.axvline(self.best_threshold, **REFERENCE)
            axes.plot(self.best_threshold, self.best_f, "o", color="black", markersize=4, zorder=4)
        unit_square(axes, "threshold of the score", "proportion")
        low, high = self.thresholds[order[0]], self.thresholds[order[-1]]
        margin = 0.02 * (high - low) or 0.5
        axes.set_xlim(low - margin, high + margin)
        axes.legend(frameon=False)
        return axes


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

    @check_arguments
    def plot(self, ax: Axes | None = None, *, name: str = "", number: int = 0) -> Axes:
        """Draw the true positive rate against the false positive rate, tied scores as slopes.

        `number` chooses the line's look where several curves share the axes; the gray diagonal
        is a random ranking.
        """
        axes = open_axes(ax)
        if number == 0:
            axes.plot([0, 1], [0, 1], **REFERENCE)
        axes.plot(
            self.false_positive_rate,
            self.true_positive_rate,
            label=name or None,
            **line_style(number),
        )
        unit_square(axes, "false positive rate", "true positive rate")
        axes.set_aspect("equal")
        return axes


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


@check_arguments
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
    Manning, Raghavan and Schütze (2008), Introduction to Information Retrieval, chapter 8.

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


@check_arguments
def threshold_curve(
    labels: ArrayLike,
    scores: ArrayLike,
    *,
    positive: Hashable | None = None,
    weights: ArrayLike | None = None,
    beta: float = 1.0,
) -> ThresholdCurve:
    """Compute precision, recall and F over all thresholds, and where F is largest.

    Use it to choose a threshold, on data that are not used to judge the classifier afterwards:
    the largest F of a test set promises too much. It assumes that the share of positives is
    that of interest, and does not say how the best threshold would vary on other data.

    Parameters
    ----------
    labels, scores, positive, weights
        As for `precision_recall_curve`.
    beta : float
        F weighs recall `beta` times as much as precision; positive.

    Returns
    -------
    ThresholdCurve

    Raises
    ------
    InputError
        As `precision_recall_curve`, and for a `beta` that is not positive.

    References
    ----------
    C. J. van Rijsbergen (1979), Information Retrieval, chapter 7.

    Examples
    --------
    >>> curve = threshold_curve([1, 0, 1], [0.9, 0.8, 0.7])
    >>> curve.f_beta.round(3).tolist(), curve.best_threshold
    ([0.667, 0.5, 0.8], 0.7)
    """
    truth, values, w = weighted(labels, scores, positive, weights)
    thresholds, size, hits = threshold_counts(truth, values, w)
    found, called = hits.cumsum(), size.cumsum()
    total = float(hits.sum())
    rates = binary_rates(
        found,
        np.maximum(called - found, 0.0),
        np.maximum(total - found, 0.0),
        np.zeros_like(found),
        beta=beta,
    )
    # one rate per threshold
    precision, recall, f = map(np.asarray, (rates.precision, rates.recall, rates.f_beta))
    f = f if total > 0 else np.full(found.shape, np.nan)
    best = int(np.argmax(f)) if total > 0 else -1
    return ThresholdCurve(
        thresholds=thresholds,
        precision=precision,
        recall=recall,
        f_beta=f,
        beta=float(beta),
        best_threshold=float(thresholds[best]) if total > 0 else float("nan"),
        best_f=float(f[best]) if total > 0 else float("nan"),
    )


@check_arguments
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
