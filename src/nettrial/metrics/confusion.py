"""The confusion matrix of any number of classes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ..core.option_names import written
from ..core.results import Result
from ..numeric.input_alignment import refuse_other_index
from ..numeric.rounding import ROUNDING
from ._check import (
    Floats,
    Undefined,
    label_arrays,
    observation_weights,
    same_length,
    sorted_labels,
)
from .rates import BinaryRates, binary_rates


@dataclass(frozen=True, slots=True)
class ConfusionMatrix(Result):
    """Counts of true against predicted classes.

    Attributes
    ----------
    classes : tuple
        The classes, in the order of rows and columns.
    counts : ndarray of shape (K, K)
        Row: true class; column: predicted class. Sums of weights where weights were given.
    """

    classes: tuple[Any, ...]
    counts: Floats

    def one_vs_rest(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Return true positives, false positives, false negatives, true negatives by class."""
        tp = np.diag(self.counts).copy()
        # sums of what is off the diagonal: a difference of sums of weights may fall below 0
        off = self.counts - np.diag(tp)
        fp, fn, total = off.sum(axis=0), off.sum(axis=1), self.counts.sum()
        rest = total - tp - fp - fn
        return tp, fp, fn, np.where(rest <= ROUNDING * total, 0.0, rest)

    @check_arguments
    def rates(self, *, beta: float = 1.0, undefined: Undefined = "nan") -> BinaryRates:
        """Return the rates of every class against the rest, as arrays of shape (K,)."""
        return binary_rates(*self.one_vs_rest(), beta=beta, undefined=undefined)


def class_codes(what: str, labels: NDArray[Any], classes: Sequence[Any]) -> NDArray[np.intp]:
    place = {name: i for i, name in enumerate(classes)}
    if len(place) != len(classes):
        raise InputError(parameter="classes", expected="each class once", got="one twice")
    unknown = [x for x in labels.tolist() if x not in place]
    if unknown:
        raise InputError(
            parameter=what,
            expected=f"the classes {', '.join(map(written, list(classes)[:8]))}",
            got=shown(unknown[0]),
        )
    return np.array([place[x] for x in labels.tolist()], dtype=np.intp)


@check_arguments
def confusion_matrix(
    labels: ArrayLike,
    predictions: ArrayLike,
    *,
    classes: Sequence[Hashable] | None = None,
    weights: ArrayLike | None = None,
) -> ConfusionMatrix:
    """Count how often each true class was predicted as each class.

    Use it first: it shows which classes are mistaken for which. It assumes that every case has
    one true class, and does not say whether two classifiers differ by more than chance.

    Parameters
    ----------
    labels, predictions : array_like of shape (n,)
        True and predicted classes, of any hashable type.
    classes : sequence, optional
        All classes in the order wanted; by default those that occur, sorted.
    weights : array_like of shape (n,), optional
        Non-negative weight of each observation.

    Returns
    -------
    ConfusionMatrix

    Raises
    ------
    InputError
        For unequal lengths, missing labels, labels of different types ("0" and 0), or a label
        outside `classes`.

    References
    ----------
    Kohavi and Provost (1998), Machine Learning 30, 271-274.

    Examples
    --------
    >>> confusion_matrix(["a", "b", "b"], ["a", "a", "b"]).counts.tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    truth, guess = label_arrays({"labels": labels, "predictions": predictions})
    refuse_other_index(labels=labels, predictions=predictions, weights=weights)
    same_length("labels", truth.size, "predictions", guess.size)
    order = sorted_labels([*truth.tolist(), *guess.tolist()]) if classes is None else list(classes)
    k = len(order)
    cells = class_codes("labels", truth, order) * k + class_codes("predictions", guess, order)
    w = observation_weights(weights, truth.size)
    counts = np.bincount(cells, weights=w, minlength=k * k).reshape(k, k)
    return ConfusionMatrix(tuple(order), counts.astype(np.float64))
