"""Losses of predicted probabilities: squared loss (Brier) and log loss."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ..numeric.checks import as_array, scalar
from ..numeric.input_alignment import refuse_other_index
from ..numeric.rounding import ROUNDING
from ._check import (
    ClassTable,
    Floats,
    binary,
    choice,
    class_columns,
    numbers,
    observation_weights,
    same_length,
)
from .confusion import class_codes

WHAT = "probabilities"
# room for probabilities stored as 32-bit floats
SUM_TOLERANCE = 1e-5


def probability_table(
    labels: ArrayLike,
    probabilities: ClassTable,
    classes: Sequence[Hashable] | None,
    positive: Hashable | None,
) -> tuple[NDArray[np.intp], Floats, bool]:
    """Return true columns, the (n, K) probabilities, and whether those of one class were given."""
    alone = not isinstance(probabilities, Mapping) and as_array(WHAT, probabilities).ndim < 2
    if alone:
        refuse_other_index(labels=labels, probabilities=probabilities)
        table = numbers(WHAT, probabilities)
    else:
        table, order, array = class_columns(WHAT, probabilities, classes, labels)
    if table.ndim not in (1, 2) or (table.ndim == 2 and table.shape[1] == 0):
        raise InputError(
            parameter=WHAT,
            expected="shape (n,) for the positive class or (n, K) for all classes",
            got=f"{table.shape}",
        )
    if ((table < -ROUNDING) | (table > 1 + ROUNDING)).any():
        raise InputError(parameter=WHAT, expected="values in [0, 1]", got="some outside")
    table = np.clip(table, 0.0, 1.0)
    if alone:
        truth = binary(labels, positive)
        same_length("labels", truth.size, WHAT, table.size)
        return truth.astype(np.intp), np.column_stack((1 - table, table)), True
    if positive is not None:
        raise InputError(
            parameter="positive",
            expected="only with probabilities of shape (n,)",
            got=f"shape {table.shape}",
            hint="leave it out, or pass the probabilities of the positive class alone",
        )
    same_length("labels", array.size, WHAT, table.shape[0])
    sums = table.sum(axis=1)
    if table.size and np.abs(sums - 1).max() > SUM_TOLERANCE:
        raise InputError(
            parameter=WHAT,
            expected="rows that sum to 1",
            got=f"one that sums to {sums[np.abs(sums - 1).argmax()]:g}",
            hint="normalize them first",
        )
    if len(order) != table.shape[1]:
        raise InputError(
            parameter="classes",
            expected=f"{table.shape[1]}, as many as columns of probabilities",
            got=f"{len(order)}",
            hint="give classes= in the order of the columns",
        )
    return class_codes("labels", array, order), table, False


@check_arguments
def squared_losses(
    labels: ArrayLike,
    probabilities: ClassTable,
    *,
    classes: Sequence[Hashable] | None = None,
    positive: Hashable | None = None,
    scale: Literal["positive", "all"] = "positive",
) -> Floats:
    """Compute the squared loss (Brier) of each observation.

    Use the values of two classifiers in a paired test. It assumes probabilities, not scores.
    They do not separate calibration from sharpness.

    Parameters
    ----------
    labels : array_like of shape (n,)
        True classes.
    probabilities : array_like of shape (n,) or (n, K), or mapping of class to (n,)
        Probability of the positive class, or of every class. Columns that have names are paired
        with the classes by them.
    classes : sequence, optional
        Classes in the order of the columns; by default those that the columns are called, or
        those of `labels`, sorted.
    positive : hashable, optional
        The positive class of one-dimensional probabilities; 1 by default.
    scale : {"positive", "all"}
        For one-dimensional probabilities: ``(p - y)²``, in [0, 1], or the sum over both
        classes, twice that (Brier 1950). Tables always take the sum over all classes.

    Returns
    -------
    ndarray of shape (n,)

    Raises
    ------
    InputError
        For probabilities outside [0, 1] or not summing to 1, or labels without a column.

    References
    ----------
    G. W. Brier (1950), Monthly Weather Review 78, equation 2.

    Examples
    --------
    >>> squared_losses([1, 0], [0.5, 0.25]).tolist()
    [0.25, 0.0625]
    """
    choice("scale", scale, ("positive", "all"))
    code, table, alone = probability_table(labels, probabilities, classes, positive)
    true = np.zeros(table.shape)
    true[np.arange(code.size), code] = 1
    both: Floats = ((table - true) ** 2).sum(axis=1)
    return both / 2 if alone and scale == "positive" else both


@check_arguments
def squared_loss(
    labels: ArrayLike,
    probabilities: ClassTable,
    *,
    classes: Sequence[Hashable] | None = None,
    positive: Hashable | None = None,
    scale: Literal["positive", "all"] = "positive",
    weights: ArrayLike | None = None,
) -> float:
    """Compute the (weighted) mean of `squared_losses`, the Brier score; NaN for no data.

    Use it to judge probabilities by a proper score that stays finite. Assumptions, formula and
    what it does not answer are those of `squared_losses`.

    References
    ----------
    Brier (1950), Monthly Weather Review 78, 1-3.

    Examples
    --------
    >>> squared_loss([1, 0], [0.5, 0.25])
    0.15625
    """
    refuse_other_index(labels=labels, probabilities=probabilities, weights=weights)
    losses = squared_losses(labels, probabilities, classes=classes, positive=positive, scale=scale)
    return _mean(losses, weights)


@check_arguments
def log_losses(
    labels: ArrayLike,
    probabilities: ClassTable,
    *,
    classes: Sequence[Hashable] | None = None,
    positive: Hashable | None = None,
    clip: float = 2.0**-52,
) -> Floats:
    """Compute ``-log p(true class)`` of each observation, in nats.

    Use it where confident mistakes should cost much. It assumes probabilities, not scores, and
    does not say how often the prediction is wrong. With `clip` the loss of a probability of 0
    depends on the clip alone (36.04 by default), so one such case can decide a comparison.
    Parameters and errors are those of `squared_losses`, and:

    Parameters
    ----------
    clip : float
        Probabilities are moved into [clip, 1 - clip] (scikit-learn's value for 64-bit floats
        by default); 0 leaves them, and a probability of 0 for the true class costs infinity.
        It is the same for 32-bit floats, where scikit-learn clips at 1.2e-7: what a mistake costs
        does not depend on how numbers are stored.

    References
    ----------
    Good (1952), J. Royal Statistical Society B 14, 107-114.

    Examples
    --------
    >>> log_losses([1, 0], [0.5, 0.0]).round(4).tolist()
    [0.6931, 0.0]
    >>> log_losses([1], [0.0], clip=0).tolist()
    [inf]
    """
    if not 0 <= scalar("clip", clip) < 0.5:
        raise InputError(parameter="clip", expected="from 0 to below 0.5", got=shown(clip))
    code, table, _ = probability_table(labels, probabilities, classes, positive)
    chosen = np.clip(table[np.arange(code.size), code], clip, 1 - clip)
    with np.errstate(divide="ignore"):
        losses: Floats = -np.log(chosen)
    return losses + 0.0  # no negative zero


@check_arguments
def log_loss(
    labels: ArrayLike,
    probabilities: ClassTable,
    *,
    classes: Sequence[Hashable] | None = None,
    positive: Hashable | None = None,
    clip: float = 2.0**-52,
    weights: ArrayLike | None = None,
) -> float:
    """Compute the (weighted) mean of `log_losses`, the cross-entropy; NaN for no data.

    Use it to judge probabilities where a confident mistake should cost much. Assumptions,
    formula and what it does not answer are those of `log_losses`.

    References
    ----------
    Good (1952), J. of the Royal Statistical Society B 14, 107-114.

    Examples
    --------
    >>> round(log_loss([1, 0], [0.5, 0.5]), 4)
    0.6931
    """
    refuse_other_index(labels=labels, probabilities=probabilities, weights=weights)
    losses = log_losses(labels, probabilities, classes=classes, positive=positive, clip=clip)
    return _mean(losses, weights)


def _mean(losses: Floats, weights: ArrayLike | None) -> float:
    w = observation_weights(weights, losses.size)
    if losses.size == 0:
        return float("nan")
    counted = w > 0  # an infinite loss of weight zero would be NaN
    return float(np.average(losses[counted], weights=w[counted]))
