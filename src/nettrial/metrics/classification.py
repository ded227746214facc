"""Measures of hard predictions: error, precision, recall, F, specificity, MCC."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ..core.arguments import check_arguments
from ..numeric.magnitude import without_unit
from ._check import Floats, choice, one_of_labels
from .confusion import ConfusionMatrix, confusion_matrix
from .rates import binary_rates

Average: TypeAlias = Literal["macro", "micro", "weighted"]
UndefinedClass: TypeAlias = Literal["nan", "zero", "skip"]


def _averaged(
    measure: str,
    matrix: ConfusionMatrix,
    positive: Hashable | None,
    average: str,
    undefined: str,
    beta: float = 1.0,
) -> float:
    choice("average", average, ("macro", "micro", "weighted"))
    choice("undefined", undefined, ("nan", "zero", "skip"))
    blank: Literal["nan", "zero"] = "zero" if undefined == "zero" else "nan"
    if average == "micro" and positive is None:
        tp, fp, fn, tn = (x.sum() for x in matrix.one_vs_rest())
        return float(getattr(binary_rates(tp, fp, fn, tn, beta=beta, undefined=blank), measure))
    by_class: Floats = getattr(matrix.rates(beta=beta, undefined=blank), measure)
    if positive is not None:
        one_of_labels(positive, matrix.classes)
        return float(by_class[matrix.classes.index(positive)])
    w = matrix.counts.sum(axis=1) if average == "weighted" else np.ones(by_class.size)
    # a class without weight cannot make the average undefined
    keep = w > 0
    if undefined == "skip":
        keep &= ~np.isnan(by_class)
    if not keep.any():
        return 0.0 if undefined == "zero" else float("nan")
    return float(np.average(by_class[keep], weights=w[keep]))


@check_arguments
def error(labels: ArrayLike, predictions: ArrayLike, *, weights: ArrayLike | None = None) -> float:
    """Compute the proportion of wrong predictions; NaN for no predictions.

    Use it where all mistakes cost the same. It assumes that the cases stand for those of
    interest, and does not tell which classes are mistaken, and a small error may only mirror
    one large class.

    Parameters
    ----------
    labels, predictions : array_like of shape (n,)
        True and predicted classes.
    weights : array_like of shape (n,), optional
        Weight of each observation.

    Raises
    ------
    InputError
        For unequal lengths, missing labels, or labels of different types ("0" and 0).

    References
    ----------
    Mitchell (1997), Machine Learning, section 5.2.1.

    Examples
    --------
    >>> error([0, 1, 2, 2], [0, 1, 1, 2])
    0.25
    """
    matrix = confusion_matrix(labels, predictions, weights=weights)
    total = float(matrix.counts.sum())
    return float("nan") if total == 0 else 1 - float(np.trace(matrix.counts)) / total


@check_arguments
def precision(
    labels: ArrayLike,
    predictions: ArrayLike,
    *,
    positive: Hashable | None = None,
    average: Average = "macro",
    undefined: UndefinedClass = "nan",
    weights: ArrayLike | None = None,
) -> float:
    """Compute TP / (TP + FP): how many of those called positive are positive.

    Use it where false alarms are costly. It assumes that the share of positives is that of
    interest, and does not see the positives that were missed.

    Parameters
    ----------
    labels, predictions : array_like of shape (n,)
        True and predicted classes.
    positive : hashable, optional
        The class to measure; by default the average over all classes, each against the rest.
    average : {"macro", "micro", "weighted"}
        Mean over classes; from the summed counts; mean weighted by the true class sizes.
    undefined : {"nan", "zero", "skip"}
        What a class with 0/0 counts as: NaN (so the average is NaN), 0 (the default of
        scikit-learn), or left out of the average (scikit-learn's ``zero_division=nan``).
    weights : array_like of shape (n,), optional
        Weight of each observation.

    Raises
    ------
    InputError
        For unequal lengths, missing labels, labels of different types ("0" and 0), a
        `positive` that does not occur, or unknown names.

    References
    ----------
    Manning, Raghavan and Schütze (2008), Introduction to Information Retrieval, chapter 8.

    Examples
    --------
    >>> precision([1, 1, 0, 0], [1, 0, 1, 0], positive=1)
    0.5
    """
    matrix = confusion_matrix(labels, predictions, weights=weights)
    return _averaged("precision", matrix, positive, average, undefined)


@check_arguments
def recall(
    labels: ArrayLike,
    predictions: ArrayLike,
    *,
    positive: Hashable | None = None,
    average: Average = "macro",
    undefined: UndefinedClass = "nan",
    weights: ArrayLike | None = None,
) -> float:
    """Compute TP / (TP + FN): how many of the positives were found.

    Use it where misses are costly. It assumes that the positives stand for those of interest,
    and does not see false alarms. Parameters and errors are those of `precision`.

    References
    ----------
    Manning, Raghavan and Schütze (2008), Introduction to Information Retrieval, chapter 8.

    Examples
    --------
    >>> recall([1, 1, 1, 0], [1, 0, 1, 0], positive=1, undefined="zero")
    0.6666666666666666
    """
    matrix = confusion_matrix(labels, predictions, weights=weights)
    return _averaged("recall", matrix, positive, average, undefined)


@check_arguments
def specificity(
    labels: ArrayLike,
    predictions: ArrayLike,
    *,
    positive: Hashable | None = None,
    average: Average = "macro",
    undefined: UndefinedClass = "nan",
    weights: ArrayLike | None = None,
) -> float:
    """Compute TN / (TN + FP): how many of the negatives were called negative.

    Use it beside recall. It assumes that the negatives stand for those of interest, does not
    see missed positives, and is near 1 for any rare class. Parameters and errors are those of
    `precision`.

    References
    ----------
    Altman and Bland (1994), British Medical Journal 308, 1552.

    Examples
    --------
    >>> specificity([1, 0, 0, 0], [1, 1, 0, 0], positive=1)
    0.6666666666666666
    """
    matrix = confusion_matrix(labels, predictions, weights=weights)
    return _averaged("specificity", matrix, positive, average, undefined)


@check_arguments
def f_beta(
    labels: ArrayLike,
    predictions: ArrayLike,
    *,
    beta: float = 1.0,
    positive: Hashable | None = None,
    average: Average = "macro",
    undefined: UndefinedClass = "nan",
    weights: ArrayLike | None = None,
) -> float:
    """Compute ``(1+β²)TP / ((1+β²)TP + β²FN + FP)``, the weighted harmonic mean of P and R.

    Use it for one number where positives are rare. It assumes that the share of positives is
    that of interest. It does not see the true negatives and is 0 where nothing was found. The
    macro average is the mean of the classes' F, not the F of mean precision and mean recall.
    Parameters and errors are those of `precision`, and `beta` of `binary_rates`.

    References
    ----------
    van Rijsbergen (1979), Information Retrieval, chapter 7.

    Examples
    --------
    >>> f_beta([0, 1, 2, 0, 1, 2], [0, 2, 1, 0, 0, 1])
    0.26666666666666666
    """
    matrix = confusion_matrix(labels, predictions, weights=weights)
    return _averaged("f_beta", matrix, positive, average, undefined, beta)


@check_arguments
def balanced_accuracy(
    labels: ArrayLike,
    predictions: ArrayLike,
    *,
    weights: ArrayLike | None = None,
) -> float:
    """Compute the mean recall over the classes that occur.

    Use it where classes are unequal and equally important. It assumes independent cases only
    where it is compared, not to be computed, and does not see which class the false alarms come
    from. A class that is predicted but never true has no recall and does not count, as in
    scikit-learn and in the measure of the same name.

    References
    ----------
    Brodersen, Ong, Stephan and Buhmann (2010), ICPR, 3121-3124.

    Examples
    --------
    >>> balanced_accuracy([0, 0, 0, 1], [0, 0, 0, 0])
    0.5
    >>> balanced_accuracy([0, 0, 1, 1], [0, 0, 1, 2])
    0.75
    """
    return recall(labels, predictions, undefined="skip", weights=weights)


@check_arguments
def matthews_correlation(
    labels: ArrayLike,
    predictions: ArrayLike,
    *,
    undefined: Literal["nan", "zero"] = "nan",
    weights: ArrayLike | None = None,
) -> float:
    """Compute the Matthews correlation of true and predicted classes, in [-1, 1].

    Use it for one number that needs all four cells. For K classes it is Gorodkin's R_K, ``(c·s
    - Σ t_k p_k) / √((s² - Σ p_k²)(s² - Σ t_k²))`` with c right of s, t_k true and p_k predicted
    in class k. It assumes nothing about the share of classes, though its value depends on it.
    It is undefined where all are true, or predicted, in one class. It does not say which
    mistakes are made.

    References
    ----------
    J. Gorodkin (2004), Computational Biology and Chemistry 28, equation 8.

    Examples
    --------
    >>> matthews_correlation([1, 1, 0, 0], [1, 1, 0, 1])
    0.5773502691896258
    """
    choice("undefined", undefined, ("nan", "zero"))
    counts = without_unit(confusion_matrix(labels, predictions, weights=weights).counts)
    true, guessed, total = counts.sum(axis=1), counts.sum(axis=0), counts.sum()
    spread = (total**2 - guessed @ guessed) * (total**2 - true @ true)
    if spread <= 0:
        return 0.0 if undefined == "zero" else float("nan")
    return float((np.trace(counts) * total - true @ guessed) / np.sqrt(spread))
