"""Ranks and placements along the last axis, by one sort.

`scipy.stats.rankdata` gives the same ranks, but importing scipy.stats takes longer than most of
the tests that need them, and placements by it take three sorts.

NumPy sorts numbers several times as fast as it finds their order. So the order of a long row comes
from sorting whole numbers of 64 bits: each holds a value, scaled, in its upper bits and the value's
place in the lower ones. Values whose upper bits are equal are put in order afterward.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import rounding
from .rounding import BLOCK

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LONG = 2**13  # values from which on a row is sorted by itself, as scaled numbers
FRACTION = 52  # bits of the fraction of a double


def ranks(values: Floats, *samples: Floats) -> Floats:
    """Return ranks from 1 along the last axis; values that differ by rounding alone tie.

    Tied values share their mean rank.

    Parameters
    ----------
    values : ndarray, shape (..., n)
    *samples : ndarray, shape (..., n)
        What the values were computed from, by whose `rounding.sizes` rounding noise is judged;
        without any, the values' own sizes.

    Examples
    --------
    >>> ranks(np.array([0.3, 1.0, 0.1 + 0.2])).tolist()
    [1.5, 3.0, 1.5]
    """
    order, equal = _ordered(values, samples, noise=True)
    if equal is None:
        return _put_back(np.broadcast_to(np.arange(1.0, values.shape[-1] + 1), values.shape), order)
    return _put_back((equal[0] + equal[1] + 1) / 2, order)


def placements(
    truth: NDArray[np.bool_], scores: Floats, *, noise: bool = True
) -> tuple[Floats, Floats]:
    """Return each positive's share of negatives below it, each negative's of positives above.

    Equal scores count half. These are DeLong's structural components, in O(n log n).

    Parameters
    ----------
    truth : ndarray of bool, shape (n,)
        Which are positive, at least one and not all.
    scores : ndarray of float, shape (..., n)
    noise : bool
        Whether scores that differ by rounding alone are equal.

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
    doubled = doubled_placements(truth, scores, noise=noise)
    positives, negatives = np.flatnonzero(truth), np.flatnonzero(~truth)
    # rows one after the other in memory, so that sums over them have the bits of single rows
    above, below = (np.take(doubled, chosen, axis=-1) for chosen in (positives, negatives))
    return above / (2 * negatives.size), 1 - below / (2 * positives.size)


def doubled_placements(
    truth: NDArray[np.bool_], scores: Floats, *, noise: bool = True
) -> NDArray[np.signedinteger[Any]]:
    """Return twice the negatives below each positive, and twice the positives below each negative.

    They are whole, as equal scores count half, and stay in the order of the scores. Parameters as
    of `placements`.

    Examples
    --------
    >>> doubled_placements(np.array([False, True, False]), np.array([0.2, 0.5, 0.5])).tolist()
    [0, 3, 1]
    """
    found = np.empty(scores.shape, dtype=_whole(truth.size))
    for at, _, part in ordered_placements(truth.view(np.int8), scores, noise=noise):
        if found.ndim == 1:
            found[at] = part  # which is faster than the general way
        else:
            np.put_along_axis(found, at, part, axis=-1)
    return found


def ordered_placements(
    tags: Ints, scores: Floats, *, noise: bool = True
) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Yield the places of scores, their tags and `doubled_placements`, in the scores' order.

    Parameters
    ----------
    tags : ndarray of int, shape (n,)
        Odd where positive.
    """
    n = tags.size
    order, equal = _ordered(scores, (), noise=noise)
    whole = _whole(n)
    if equal is not None:
        before = np.zeros((*order.shape[:-1], n + 1), dtype=whole)
        np.cumsum(np.take(tags, order) & 1, axis=-1, out=before[..., 1:])
    seen = np.zeros((*order.shape[:-1], 1), dtype=whole)  # twice the positives before the block
    for start in range(0, n, BLOCK):
        part = slice(start, start + BLOCK)
        at = order[..., part]
        tag = np.take(tags, at)
        # twice the positives below each score, equal ones half; and what the negatives below a
        # positive have more, whose product with 0, 1 or 2 is faster than `where`
        if equal is None:
            two = ((tag << 1) & 2).astype(whole, copy=False)  # of a positive
            beneath = np.cumsum(two, axis=-1, dtype=whole)  # with a positive itself
            beneath += seen
            seen = beneath[..., -1:].copy()
            more = np.arange(start + 1, start + 1 + at.shape[-1], dtype=whole) - beneath
            more *= two
        else:
            first, last = (place[..., part] for place in equal)
            below, upto = (np.take_along_axis(before, place, axis=-1) for place in (first, last))
            beneath = below + upto
            more = (first + last).astype(whole) - 2 * beneath
            more *= tag & 1
        beneath += more
        yield at, tag, beneath


def _whole(n: int) -> Any:
    """Return the type of whole numbers up to four times n."""
    return np.int32 if n < 2**28 else np.int64


def _put_back(values: Floats, order: Ints) -> Floats:
    found = np.empty(order.shape)
    np.put_along_axis(found, order, values, axis=-1)
    return found


def _ordered(
    x: Floats, samples: tuple[Floats, ...], *, noise: bool
) -> tuple[Ints, tuple[Ints, Ints] | None]:
    """Return the order of the values, and where the values equal to each begin and end in it.

    None stands for the places themselves, where no two values are equal.
    """
    ranked: Floats | None
    if x.shape[-1] < LONG:
        x = _clean(x, samples) if noise else x
        order = np.argsort(x, axis=-1)
        ranked = np.take_along_axis(x, order, axis=-1)
    else:
        level = rounding.noise(*samples or (x,)) if noise else np.zeros(x.shape[:-1])
        order, ranked = _order_of_rows(x, level)
        if ranked is not None and noise and _close(ranked, level):
            order, ranked = _order_of_rows(_clean(x, samples), level)
        if ranked is None:
            return order, None
    new = ranked[..., 1:] != ranked[..., :-1]
    if new.all():
        return order, None
    place = np.arange(x.shape[-1])
    first, last = np.zeros(x.shape, dtype=np.int64), np.full(x.shape, x.shape[-1])
    first[..., 1:] = np.where(new, place[1:], 0)
    last[..., :-1] = np.where(new, place[1:], x.shape[-1])
    first = np.maximum.accumulate(first, axis=-1)
    return order, (first, np.minimum.accumulate(last[..., ::-1], axis=-1)[..., ::-1])


def _clean(x: Floats, samples: tuple[Floats, ...]) -> Floats:
    return rounding.without_noise(x, rounding.sizes(*samples) if samples else None)


def _close(ranked: Floats, level: Floats) -> bool:
    """Return whether some neighbors differ, but by no more than `level`."""
    with np.errstate(invalid="ignore", over="ignore"):
        gaps = np.diff(ranked, axis=-1)  # NaN between equal infinities
    return bool(((gaps > 0) & (gaps <= level[..., np.newaxis])).any())


def _order_of_rows(x: Floats, level: Floats) -> tuple[Ints, Floats | None]:
    """Return the order of each row, and its values in it or, if all are apart, None."""
    if x.ndim == 1:
        return _order_of_row(x, float(level))
    order, apart = np.empty(x.shape, dtype=np.int64), True
    for row in np.ndindex(x.shape[:-1]):
        order[row], ranked = _order_of_row(x[row], float(level[row]))
        apart = apart and ranked is None
    return order, None if apart else np.take_along_axis(x, order, axis=-1)


def _order_of_row(x: Floats, level: float) -> tuple[Ints, Floats | None]:
    """Return the order, and the values in it or, if all surely differ by over `level`, None."""
    bits = max((x.size - 1).bit_length(), 65 - FRACTION)  # of a place
    low, high = float(x.min()), float(x.max())
    # values become whole numbers below 2^(64 - bits), in their order but for rounding
    scale = (2.0 ** (64 - bits) - 2) / (high - low) if high > low else np.inf
    if not 0 < scale < np.inf:  # infinities, equal values, or a range beyond all doubles
        order = np.argsort(x)
        return order, np.take(x, order)
    scaled = np.empty(x.size)
    keys, shift = scaled.view(np.uint64), np.uint64(bits)
    places = np.arange(BLOCK, dtype=np.uint64)
    for start in range(0, x.size, BLOCK):
        part, key = scaled[start : start + BLOCK], keys[start : start + BLOCK]
        np.subtract(x[start : start + BLOCK], low, out=part, dtype=np.float64)
        part *= scale
        part += 2.0**FRACTION  # so that the fraction holds the whole number
        key <<= shift  # which drops the exponent
        key |= places[: key.size]
        key += np.uint64(start)
    keys.sort()
    step = min(np.diff(keys[i : i + BLOCK + 1]).min() for i in range(0, x.size - 1, BLOCK))
    places_only = np.uint64(2**bits - 1)
    if level * scale < 2 and step >= 4 << bits:  # two in truth: rounding moves no value by over one
        keys &= places_only
        return keys.view(np.int64), None
    order = (keys & places_only).view(np.int64)
    ranked = np.take(x, order)
    if (ranked[1:] < ranked[:-1]).any():
        alike = (keys[1:] ^ keys[:-1]) <= places_only
        unsure = np.flatnonzero(np.append(alike, False) | np.insert(alike, 0, False))
        among = order[unsure]
        # values that are scaled to other numbers are in order already: one sort serves all runs
        order[unsure] = among[np.argsort(x[among])]
        ranked = np.take(x, order)
    return order, ranked
