"""Samples less a value of their own, so that digits that all values share do not cost others."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]


def from_origin(*samples: Floats, axis: int | tuple[int, ...] = -1) -> tuple[Floats, list[Floats]]:
    """Return the value of all samples that is nearest to zero, and the samples less that value.

    Means and sums of squares of values such as 1,000,000.2 lose the digits that count. The
    subtraction is exact where all values are within a factor of two of each other, and costs no
    value more than its own rounding elsewhere. The value is 0 where there are both signs.

    Parameters
    ----------
    *samples : ndarray
        Without NaN, not empty, and alike on all axes but `axis`.
    axis : int or tuple of int
        The axes that hold a sample. The value keeps them, each with length 1.

    Examples
    --------
    >>> value, (less,) = from_origin(np.array([2.0**40 + 3, 2.0**40 + 1]))
    >>> (value == 2.0**40 + 1).tolist(), less.tolist()
    ([True], [2.0, 0.0])
    """
    low = np.minimum.reduce([x.min(axis=axis, keepdims=True) for x in samples])
    high = np.maximum.reduce([x.max(axis=axis, keepdims=True) for x in samples])
    value = np.clip(0.0, low, high)
    return value, [x - value for x in samples]


def deviations(sample: Floats, axis: int = -1) -> Floats:
    """Return a sample less its mean along an axis.

    Examples
    --------
    >>> deviations(np.array([1e15 + 1, 1e15 + 2, 1e15 + 6])).tolist()
    [-2.0, -1.0, 3.0]
    """
    less = from_origin(sample, axis=axis)[1][0]
    centered: Any = less - less.mean(axis=axis, keepdims=True)
    return np.asarray(centered)


def variance(sample: Floats, axis: int = -1) -> Floats:
    """Return the sum of squares about the mean along an axis over its length less 1.

    Examples
    --------
    >>> variance(np.array([1e15 + 1, 1e15 + 2, 1e15 + 6])).tolist()
    7.0
    """
    squares = np.square(deviations(sample, axis)).sum(axis=axis)
    return np.asarray(squares / (sample.shape[axis] - 1))
