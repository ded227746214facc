"""Ranks and placements along the last axis, by one sort.

`scipy.stats.rankdata` gives the same ranks, but importing scipy.stats takes longer than most of
the tests that need them, and placements by it take three sorts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def _ordered(x: NDArray[np.floating]) -> tuple[Ints, tuple[Ints, Ints] | None]:
    """Return the order of the values, and where the values equal to each begin and end in it.

    None stands for the places themselves, where no two values are equal.
    """
    order = np.argsort(x, axis=-1)
    ranked = np.take_along_axis(x, order, axis=-1)
    new = ranked[..., 1:] != ranked[..., :-1]
    if new.all():
        return order, None
    place = np.arange(x.shape[-1])
    first, last = np.zeros(x.shape, dtype=np.int64), np.full(x.shape, x.shape[-1])
    first[..., 1:] = np.where(new, place[1:], 0)
    last[..., :-1] = np.where(new, place[1:], x.shape[-1])
    first = np.maximum.accumulate(first, axis=-1)
    return order, (first, np.minimum.accumulate(last[..., ::-1], axis=-1)[..., ::-1])


def _put_back(values: Floats, order: Ints) -> Floats:
    found = np.empty(order.shape)
    np.put_along_axis(found, order, values, axis=-1)
    return found


def average_ranks(x: NDArray[np.floating]) -> Floats:
    """Return ranks 1 to n along the last axis, equal values sharing their mean rank.

    Examples
    --------
    >>> average_ranks(np.array([0.5, 0.1, 0.5, 0.9])).tolist()
    [2.5, 1.0, 2.5, 4.0]
    """
    order, equal = _ordered(x)
    if equal is None:
        return _put_back(np.broadcast_to(np.arange(1.0, x.shape[-1] + 1), x.shape), order)
    return _put_back((equal[0] + equal[1] + 1) / 2, order)


def placements(truth: NDArray[np.bool_], scores: NDArray[np.floating]) -> tuple[Floats, Floats]:
    """Return each positive's share of negatives below it, each negative's of positives above.

    Equal scores count half. These are DeLong's structural components, in O(n log n).

    Parameters
    ----------
    truth : ndarray of bool, shape (n,)
        Which are positive, at least one and not all.
    scores : ndarray of float, shape (..., n)

    Returns
    -------
    above : ndarray, shape (..., n_positive)
    below : ndarray, shape (..., n_negative)

    References
    ----------
    X. Sun, W. Xu (2014), IEEE Signal Processing Letters 21, equations 6 to 8.

    Examples
    --------
    >>> above, below = placements(np.array([True, False, False]), np.array([0.5, 0.5, 0.2]))
    >>> above.tolist(), below.tolist()
    ([0.75], [0.5, 1.0])
    """
    order, equal = _ordered(scores)
    positive = truth[order]
    m = int(truth.sum())
    # twice the positives below each score, and twice all observations, equal ones half
    if equal is None:
        beneath = 2 * np.cumsum(positive, axis=-1) - positive
        all_beneath = np.arange(1, 2 * truth.size, 2)
    else:
        before = np.zeros((*scores.shape[:-1], scores.shape[-1] + 1), dtype=np.int64)
        np.cumsum(positive, axis=-1, out=before[..., 1:])
        below, upto = (np.take_along_axis(before, place, -1) for place in equal)
        beneath, all_beneath = below + upto, equal[0] + equal[1]
    negatives = all_beneath - beneath
    found = np.where(positive, negatives / (2 * (truth.size - m)), 1 - beneath / (2 * m))
    found = _put_back(found, order)
    # rows one after the other in memory, so that sums over them have the bits of single rows
    return np.compress(truth, found, axis=-1), np.compress(~truth, found, axis=-1)
