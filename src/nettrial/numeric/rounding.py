"""What rounding leaves of equal numbers, which is taken for equal, and rounding to digits."""

from __future__ import annotations

from functools import reduce
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.errors import InputError, shown
from .magnitude import largest_size

Floats: TypeAlias = NDArray[np.float64]

BLOCK = 2**15  # numbers that stay in the processor's cache between one operation and the next
_LEAST = 330
_POWERS = np.array([float(f"1e{k}") for k in range(-_LEAST, 330)])
# The one rule for rounding noise: what rounding can leave of a number, relative to the numbers
# that it was computed from. R's t.test calls data essentially constant by the same 10 epsilons.
ROUNDING = 10 * float(np.finfo(np.float64).eps)
SPARE = 4  # units in the last place of the largest number of which exact numbers are multiples


def noise(*samples: Floats) -> Floats:
    """Return how much rounding can change means and mean differences of these samples.

    It is `ROUNDING` times the largest finite size along the last axis of all samples, all of
    which go into a mean, or times their `exact_range`. A standard deviation no larger than that
    is none.

    Examples
    --------
    >>> bool(np.std([0.3, 0.1 + 0.2]) <= noise(np.array([0.3, 0.1 + 0.2])))
    True
    """
    return np.asarray(ROUNDING * scale(*samples))


def scale(*samples: Floats) -> Floats:
    """Return the size along the last axis of what `noise` is relative to."""
    largest = reduce(np.maximum, map(_largest_size, samples))
    return np.asarray(np.minimum(largest, exact_range(*samples)))


def exact_range(*samples: Floats) -> Floats:
    """Return the range along the last axis of samples without rounded numbers, else infinity.

    Numbers that all are whole multiples of a power of two, `SPARE` units in the last place of the
    largest or more, are what was meant, as whole numbers and fractions with 1024 are. What they
    have in common does not round their differences, so that rounding is judged by their range.

    Examples
    --------
    >>> float(exact_range(2.0**40 + np.array([0, 1 / 1024]), np.array([2.0**40])))
    0.0009765625
    >>> float(exact_range(np.array([0.5, 0.1 + 0.2])))
    inf
    """
    largest = reduce(np.maximum, map(_largest_size, samples))
    unit = 2 * SPARE * np.spacing(largest / 2)[..., np.newaxis]  # which no largest number overflows
    exact = np.ones(largest.shape, dtype=bool)
    blocks = ((x, start) for x in samples for start in range(0, x.shape[-1], BLOCK))
    for part in (*(x[..., :SPARE] for x in samples), *(x[..., i : i + BLOCK] for x, i in blocks)):
        with np.errstate(over="ignore"):  # infinite numbers are no multiples either way
            units = part / unit
        exact &= (units == np.rint(units)).all(axis=-1)
        if not exact.any():  # as of most decimals, by the first of them
            return np.full(largest.shape, np.inf)
    high = reduce(np.maximum, (x.max(axis=-1, initial=-np.inf) for x in samples))
    low = reduce(np.minimum, (x.min(axis=-1, initial=np.inf) for x in samples))
    with np.errstate(invalid="ignore", over="ignore"):  # equal infinities have no difference
        apart = high - low
    return np.where(exact & (apart >= 0), apart, np.inf)


def _largest_size(sample: Floats) -> Floats:
    """Return the largest finite size along the last axis."""
    largest = largest_size(sample, axis=-1)
    if np.isfinite(largest).all():  # which spares a copy of the sample
        return largest
    return np.asarray(_finite_sizes(sample).max(axis=-1, initial=0.0))


def settled(values: Floats, rounding: ArrayLike) -> Floats:
    """Return the values, and 0 for those that are no more than `rounding` from it.

    Examples
    --------
    >>> settled(np.array([0.1, 0.1 + 0.2 - 0.3]), noise(np.array([0.3]))).tolist()
    [0.1, 0.0]
    """
    return np.where(np.abs(values) <= rounding, 0.0, values)


def sizes(*samples: Floats) -> Floats:
    """Return the size against which the rounding noise of each value, or pair, is judged.

    It is that of the value itself (of the larger one of a pair, since 0.3 - 0.2 carries the
    rounding of 0.3) or, if larger, the median along the last axis: 1 - 0.9999999999999999 beside
    error rates is 0. The median and not the largest, so that one value of 1e16 does not make
    noise of all others. None is above the `exact_range`.

    Examples
    --------
    >>> sizes(np.array([0.1, 0.2, 1e16]), np.array([0.3, 0.2, 0.0])).tolist()
    [0.3, 0.3, 1e+16]
    """
    own = np.maximum.reduce([_finite_sizes(sample) for sample in samples])
    if own.size:
        own = np.maximum(own, np.median(own, axis=-1, keepdims=True))
    return np.asarray(np.minimum(own, exact_range(*samples)[..., np.newaxis]))


def surely_noise(gap: Floats, *samples: Floats) -> bool:
    """Return whether `gap` is rounding noise for every pair of the samples, of whatever `sizes`.

    No size is below the median, or the `exact_range`. So it is if it is noise for more than half
    of the pairs, which they are counted for: that takes a small part of the time that the median
    does.

    Parameters
    ----------
    gap : ndarray, shape (...)
        The largest gap in question of each row; a smaller one is noise too.
    *samples : ndarray, shape (..., n)

    Examples
    --------
    >>> surely_noise(np.array(5e-16), np.array([0.1, 0.3, 1e16]), np.array([0.3, 0.2, 0.0]))
    True
    >>> surely_noise(np.array(5e-12), np.array([0.1, 0.3, 1e16]), np.array([0.3, 0.2, 0.0]))
    False
    """
    n, found = samples[0].shape[-1], np.zeros(gap.shape, dtype=np.int64)
    most = exact_range(*samples)[..., np.newaxis]
    for start in range(0, n, BLOCK):
        own = [_finite_sizes(sample[..., start : start + BLOCK]) for sample in samples]
        noise = gap[..., np.newaxis] <= ROUNDING * np.minimum(np.maximum.reduce(own), most)
        found += np.count_nonzero(noise, axis=-1)
    return bool((found > n // 2).all())


def _finite_sizes(sample: Floats) -> Floats:
    size = np.abs(sample)
    finite = np.isfinite(size)
    if not finite.all():  # which is rare, and takes ten times as long
        size[~finite] = 0.0
    return size


def without_noise(values: Floats, size: Floats | None = None) -> Floats:
    """Return the values with neighbors that differ by rounding alone made equal.

    Parameters
    ----------
    values : ndarray, shape (..., n)
        NaN is not expected; infinities equal each other.
    size : ndarray, shape (..., n), optional
        Two values along the last axis count as one if they differ by no more than `ROUNDING`
        times the larger of their sizes; `sizes` of the samples that they come from, or by default
        their own, up to the `exact_range`.

    Examples
    --------
    >>> without_noise(np.array([0.3, 1.0, 0.1 + 0.2])).tolist()
    [0.3, 1.0, 0.3]
    """
    if size is None:
        size = np.minimum(_finite_sizes(values), exact_range(values)[..., np.newaxis])
    if _all_apart(values, size):
        return values
    order = np.argsort(values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=-1)
    level = ROUNDING * np.take_along_axis(size, order, axis=-1)
    with np.errstate(invalid="ignore", over="ignore"):
        gaps = np.diff(ordered, axis=-1)  # NaN between equal infinities, which are not apart
        apart = gaps > np.maximum(level[..., 1:], level[..., :-1])
    if (apart | (gaps == 0)).all():
        return values
    starts = np.zeros(ordered.shape, dtype=np.intp)
    starts[..., 1:] = np.where(apart, np.arange(1, ordered.shape[-1]), 0)
    first = np.maximum.accumulate(starts, axis=-1)
    out = np.empty_like(values)
    np.put_along_axis(out, order, np.take_along_axis(ordered, first, axis=-1), axis=-1)
    return out


def _all_apart(values: Floats, size: Floats) -> bool:
    """Return whether the smallest gap is above the noise of the largest size: most data's case.

    NumPy sorts values several times as fast as it finds their order.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        gaps = np.diff(np.sort(values, axis=-1), axis=-1)  # NaN between equal infinities
    smallest = np.min(gaps, axis=-1, initial=np.inf, where=gaps > 0)
    return bool((smallest > ROUNDING * size.max(axis=-1, initial=0.0)).all())


def rounded(values: Floats, digits: int | None) -> Floats:
    """Return the values rounded to so many significant digits, or as they are for None.

    Examples
    --------
    >>> rounded(np.array([0.12345, 678.9]), 3).tolist()
    [0.123, 679.0]
    """
    if digits is None:
        return values
    if not 1 <= digits <= 15:
        raise InputError(
            parameter="digits", expected="a whole number from 1 to 15", got=shown(digits)
        )
    size = np.abs(values)
    # infinities stay, and the power of ten that belongs to tiny values is no longer a double
    keep = (size < 1e-290) | ~np.isfinite(size)
    plain, size = np.where(keep, 0.0, values), np.where(keep, 1.0, size)
    place = np.floor(np.log10(size)).astype(np.intp)
    # a logarithm may be off by a bit, and so may a power that is computed
    place += (size >= ten_to(place + 1)).astype(np.intp) - (size < ten_to(place))
    shift = digits - 1 - place
    up, down = ten_to(np.maximum(shift, 0)), ten_to(np.maximum(-shift, 0))
    return np.where(keep, values, np.rint(plain * up / down) / up * down)


def ten_to(power: NDArray[np.intp]) -> Floats:
    """Return the doubles nearest to powers of ten, infinite beyond them.

    Examples
    --------
    >>> ten_to(np.array([-2, 0, 3, 309])).tolist()
    [0.01, 1.0, 1000.0, inf]
    """
    return _POWERS[power + _LEAST]
