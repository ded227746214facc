"""Measures of predicted numbers, as means of what each tested node contributes.

Targets come first, predictions second; the third argument, the predicted class of classifiers, is
the prediction once more.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
LARGEST = 1e100  # number of which squares, and their squares, can still be added up


def squared(targets: Floats, predicted: Floats, _: Any) -> Floats:
    """Return the squared distance of each prediction from its target.

    Examples
    --------
    >>> squared(np.array([1.0, 3]), np.array([2.0, 1]), None).tolist()
    [1.0, 4.0]
    """
    return np.asarray((targets - predicted) ** 2)


def absolute(targets: Floats, predicted: Floats, _: Any) -> Floats:
    """Return the distance of each prediction from its target.

    Examples
    --------
    >>> absolute(np.array([1.0, 3]), np.array([2.0, 1]), None).tolist()
    [1.0, 2.0]
    """
    return np.abs(targets - predicted)


def determination(targets: Floats, predicted: Floats, _: Any) -> Floats:
    """Return the influence values of R2 = 1 - A / B, the share of the variance that is explained.

    A is the mean squared error and B the variance of the targets, each within the test set. A
    node of squared error a and squared distance b from the mean target adds (A b / B - a) / B.
    NaN where the targets are all alike.

    Examples
    --------
    >>> psi = determination(np.array([1.0, 2, 3]), np.array([1.0, 2, 2]), None)
    >>> psi.round(3).tolist(), round(float(psi.mean()), 3)
    ([1.25, 0.5, -0.25], 0.5)
    """
    loss, apart = (targets - predicted) ** 2, (targets - targets.mean()) ** 2
    total, spread = loss.mean(), apart.mean()
    if targets.min() == targets.max():
        return np.full(targets.size, np.nan)
    return np.asarray(1 - total / spread + (total * apart / spread - loss) / spread)


def rank_correlation(targets: Floats, predicted: Floats, _: Any) -> Floats:
    """Return the influence values of Spearman's rank correlation, ties sharing their mean rank.

    It is C / sqrt(S T), the correlation of the shares U and V of nodes that lie below a node's
    target and its prediction, ties counted by half. A node moves its own place, and by being
    there the shares of all nodes above it: the influence of node i on E[U V] is U_i V_i + E[V;
    target above i] + E[U; prediction above i] - 3 E[U V], ties counted by half, and those on E[U^2]
    and E[V^2] are the same with both variables alike. NaN where targets or predictions are all
    alike.

    Examples
    --------
    >>> psi = rank_correlation(np.array([1.0, 2, 3, 4]), np.array([1.0, 3, 2, 9]), None)
    >>> round(float(psi.mean()), 4)
    0.8
    """
    if any(values.min() == values.max() for values in (targets, predicted)):
        return np.full(targets.size, np.nan)
    from scipy.stats import rankdata  # slow to load

    n = targets.size
    u, v = ((rankdata(values) - 0.5) / n for values in (targets, predicted))

    def influence(one: Floats, other: Floats) -> tuple[float, Floats]:
        mean = float(one @ other / n)
        return mean - 0.25, one * other + _above(one, other) + _above(other, one) - 3 * mean

    (c, dc), (s, ds), (t, dt) = influence(u, v), influence(u, u), influence(v, v)
    value = c / np.sqrt(s * t)
    return np.asarray(value + dc / np.sqrt(s * t) - value / 2 * (ds / s + dt / t))


def _above(places: Floats, values: Floats) -> Floats:
    """Return the mean over all nodes of the values of those placed above each; ties by half."""
    _, place = np.unique(places, return_inverse=True)
    sums = np.bincount(place, values)
    above = np.cumsum(sums[::-1])[::-1] - sums / 2
    return np.asarray(above[place] / values.size)
