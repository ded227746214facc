"""The confusion matrix of any number of classes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from ..results import Result
from ._check import Floats, Undefined, label_array, observation_weights, same_length
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
        """Give true positives, false positives, false negatives, true negatives by class."""
        tp = np.diag(self.counts).copy()
        fp = self.counts.sum(axis=0) - tp
        fn = self.counts.sum(axis=1) - tp
        return tp, fp, fn, self.counts.sum() - tp - fp - fn

    def rates(self, *, beta: float = 1.0, undefined: Undefined = "nan") -> BinaryRates:
        """Give the rates of every class against the rest, as arrays of shape (K,)."""
        return binary_rates(*self.one_vs_rest(), beta=beta, undefined=undefined)


def class_order(*arrays: NDArray[Any]) -> list[Any]:
    """Give all classes, sorted where they can be, else in order of appearance."""
    found = list(dict.fromkeys(x for array in arrays for x in array.tolist()))
    try:
        return sorted(found)
    except TypeError:
        return found


def class_codes(what: str, labels: NDArray[Any], classes: Sequence[Any]) -> NDArray[np.intp]:
    """Number the labels by their place in `classes`."""
    place = {name: i for i, name in enumerate(classes)}
    if len(place) != len(classes):
        raise InputError("classes: received a class twice, allowed is each once")
    unknown = [x for x in labels.tolist() if x not in place]
    if unknown:
        raise InputError(
            f"{what}: received {unknown[0]!r}, which is not one of the classes "
            f"{', '.join(map(repr, list(classes)[:8]))}"
        )
    return np.array([place[x] for x in labels.tolist()], dtype=np.intp)


def confusion_matrix(
    labels: ArrayLike,
    predictions: ArrayLike,
    *,
    classes: Sequence[Hashable] | None = None,
    weights: ArrayLike | None = None,
) -> ConfusionMatrix:
    """Count how often each true class was predicted as each class.

    Use it first: it shows which classes are mistaken for which. It does not say whether two
    classifiers differ by more than chance.

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
        For unequal lengths, missing labels, or a label outside `classes`.

    Examples
    --------
    >>> confusion_matrix(["a", "b", "b"], ["a", "a", "b"]).counts.tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    truth, guess = label_array("labels", labels), label_array("predictions", predictions)
    same_length("labels", truth.size, "predictions", guess.size)
    order = class_order(truth, guess) if classes is None else list(classes)
    k = len(order)
    cells = class_codes("labels", truth, order) * k + class_codes("predictions", guess, order)
    w = observation_weights(weights, truth.size)
    counts = np.bincount(cells, weights=w, minlength=k * k).reshape(k, k)
    return ConfusionMatrix(tuple(order), counts.astype(np.float64))
