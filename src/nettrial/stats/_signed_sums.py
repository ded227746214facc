"""Sums of the ranks of absolute differences, by the signs of these."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..numeric.ranks import LONG, ranks
from ..numeric.rounding import BLOCK, sizes, surely_noise, without_noise
from ._arrays import Array

SIGN = np.uint64(1)  # the lowest bit of a key
Zeros: TypeAlias = Literal["drop", "pratt", "split", "demsar"]
Keys: TypeAlias = NDArray[np.uint64]
Places: TypeAlias = NDArray[np.intp]


class SignedSums(NamedTuple):
    """What Wilcoxon's test needs of the ranks, an array of shape (...) each."""

    signed: Array | None  # the ranks that have a sign, else 0, shape (..., k); None of long rows
    n: Array  # differences that are not zero
    ranked: Array  # differences that have a rank
    plus: Array  # ranks of the positive ones, and half of those that zeros have
    minus: Array
    share: Array  # what each of both got from zeros
    squares: Array  # of the ranks that have a sign
    fourths: Array  # their fourth powers
    ties: Array  # whether differences that are not zero share a rank
    median: Array  # of the differences


def signed_ranks(d: Array, samples: list[Array], zeros: Zeros) -> Array:
    """Return the ranks of |d| that have a sign, and 0 for zeros."""
    return np.where(d != 0, _ranks(d, samples, zeros)[0], 0.0)


def signed_sums(d: Array, level: Array, samples: list[Array], zeros: Zeros) -> SignedSums:
    """Return the sums along the last axis; those of long rows mostly without single ranks.

    `level` is above the rounding noise of each row, as of `differences`.
    """
    if d.shape[-1] < LONG:
        return _of_ranks(d, samples, zeros)
    rows = [
        _of_long_row(d[row], float(level[row]), [sample[row] for sample in samples], zeros)
        for row in np.ndindex(d.shape[:-1])
    ]
    if d.ndim == 1:
        return rows[0]
    fields = (np.reshape(field, d.shape[:-1]) for field in list(zip(*rows, strict=True))[1:])
    return SignedSums(None, *fields)


def _of_ranks(d: Array, samples: list[Array], zeros: Zeros) -> SignedSums:
    found, share = _ranks(d, samples, zeros)
    signed = np.where(d != 0, found, 0.0)
    ordered, squares = np.sort(signed, axis=-1), np.square(signed)
    return SignedSums(
        signed=signed,
        n=(d != 0).sum(axis=-1),
        ranked=(found > 0).sum(axis=-1),
        plus=np.where(d > 0, found, 0.0).sum(axis=-1) + share,
        minus=np.where(d < 0, found, 0.0).sum(axis=-1) + share,
        share=share,
        squares=squares.sum(axis=-1),
        fourths=np.square(squares).sum(axis=-1),
        ties=((np.diff(ordered, axis=-1) == 0) & (ordered[..., 1:] > 0)).any(axis=-1),
        median=np.asarray(np.median(d, axis=-1)),
    )


def _ranks(d: Array, samples: list[Array], zeros: Zeros) -> tuple[Array, Array]:
    """Return ranks of |d| (0 for values left out), and what each sum gets from the zeros."""
    is_zero = d == 0
    found = ranks(np.abs(d), *samples)
    if zeros == "drop":
        # zeros are the smallest values, so leaving them out lowers the other ranks equally
        found = found - is_zero.sum(axis=-1)[..., None]
        return np.where(is_zero, 0.0, found), np.zeros(d.shape[:-1])
    if zeros == "pratt":
        return np.where(is_zero, 0.0, found), np.zeros(d.shape[:-1])
    if zeros == "demsar":
        odd = is_zero.sum(axis=-1) % 2 == 1
        dropped = is_zero & (np.cumsum(is_zero, axis=-1) == 1) & odd[..., None]
        # one zero less lowers the others by 1 and the mean rank of the zeros by 1/2
        found = found - np.where(is_zero, 0.5, 1.0) * odd[..., None]
        found = np.where(dropped, 0.0, found)
    return found, np.where(is_zero, found, 0.0).sum(axis=-1) / 2


def _of_long_row(d: Array, level: float, samples: list[Array], zeros: Zeros) -> SignedSums:
    """Return the sums of one row, whose signs are sorted along with the sizes."""
    keys, n_zero = _sorted_keys(d)
    negative, places, smallest = _scan(keys)
    median = _median(keys, negative, n_zero)
    start = length = np.zeros(0, dtype=np.intp)
    n, n_negative = keys.size, int(negative.sum())
    kept = {"drop": 0, "demsar": n_zero - n_zero % 2}.get(zeros, n_zero)  # zeros with a rank
    share = kept * (kept + 1) / 4 if zeros in ("split", "demsar") else 0.0
    doubled = 2 * (places + n_negative * (kept + 1))
    beside_zeros = n_zero > 0 and bool((_sizes(keys[:1]) <= level).any())
    if smallest <= level or beside_zeros:
        start, close = _runs(keys, level)
        if beside_zeros or (close and not surely_noise(np.asarray(close), *samples)):
            clean = without_noise(np.abs(d), sizes(*samples))
            if np.count_nonzero(clean) < n:  # some tie with the zeros of larger pairs
                return _of_ranks(d, samples, zeros)
            keys, _ = _sorted_keys(np.copysign(clean, d))
            start, _ = _runs(keys, 0.0)
        length = np.diff(start, append=n)
        upto = np.cumsum((keys & SIGN).astype(bool), dtype=np.int64)  # of booleans, which is fast
        among = np.diff(upto[start + length - 1], prepend=0)
        doubled = int((among * (2 * (start + kept) + length + 1)).sum())
        several = np.flatnonzero(length > 1)  # of which NumPy takes values sooner than by a mask
        start, length = start[several], length[several]
    # a run of t equal ones takes (t^3 - t) / 12 from the squares, and likewise from fourth powers
    t = length.astype(np.float64)
    spread, middle = t * (t * t - 1) / 12, kept + start + (t + 1) / 2
    lost = 6 * middle**2 * spread + spread * (3 * t**2 - 7) / 20
    minus = doubled / 2
    squares = 12 * (_squares(kept + n) - _squares(kept)) - int((12 * spread).sum())
    return SignedSums(
        signed=None,
        n=np.asarray(n),
        ranked=np.asarray(n + kept if zeros in ("split", "demsar") else n),
        plus=np.asarray(n * kept + n * (n + 1) // 2 - minus + share),
        minus=np.asarray(minus + share),
        share=np.asarray(share),
        squares=np.asarray(squares / 12),
        fourths=np.asarray(_fourths(kept + n) - _fourths(kept) - lost.sum()),
        ties=np.asarray(start.size > 0),
        median=np.asarray(median),
    )


def _sorted_keys(d: Array) -> tuple[Keys, int]:
    """Return the number of zeros, and sorted keys of the other differences.

    A key holds the size of a difference and, in the lowest bit, whether it is negative.
    """
    bits = np.ascontiguousarray(d).view(np.uint64)
    keys = np.empty_like(bits)
    for start in range(0, keys.size, BLOCK):
        part = slice(start, start + BLOCK)
        np.left_shift(bits[part], SIGN, out=keys[part])
        keys[part] |= bits[part] >> np.uint64(63)
    keys.sort()
    n_zero = int(np.searchsorted(keys, np.uint64(2)))
    return keys[n_zero:], n_zero


def _sizes(keys: Keys) -> Array:
    return (keys >> SIGN).view(np.float64)


def _scan(keys: Keys) -> tuple[Places, int, float]:
    """Return how many of each block are negative, the sum of their places, and the smallest gap."""
    negative, places, smallest = [], 0, np.inf
    # one sum counts the negative ones in its upper bits and adds up their places in the lower ones
    one_here = np.arange(2**32, 2**32 + BLOCK, dtype=np.uint64)
    for start in range(0, keys.size, BLOCK):
        part = keys[start : start + BLOCK + 1]
        smallest = np.diff(_sizes(part)).min(initial=smallest)
        sign = part[:BLOCK] & SIGN
        sign *= one_here[: sign.size]
        count, within = divmod(int(sign.sum()), 2**32)
        negative.append(count)
        places += start * count + within
    return np.array(negative, dtype=np.intp), places, float(smallest)


def _runs(keys: Keys, level: float) -> tuple[Places, float]:
    """Return where runs of sizes begin that are no more than `level` apart, and the largest gap.

    The gap is that of neighbors in one run.
    """
    new, largest = np.ones(keys.size, dtype=bool), 0.0
    for start in range(0, keys.size - 1, BLOCK):
        gaps = np.diff(_sizes(keys[start : start + BLOCK + 1]))
        apart = np.greater(gaps, level, out=new[start + 1 : start + 1 + gaps.size])
        gaps *= ~apart
        largest = gaps.max(initial=largest)
    return np.flatnonzero(new), float(largest)


def _median(keys: Keys, negative: Places, n_zero: int) -> float:
    """Return the median of all differences, of which so many in each block are negative."""
    n = keys.size + n_zero
    positive = np.minimum(BLOCK, keys.size - BLOCK * np.arange(negative.size)) - negative
    zeros_from = int(negative.sum())

    def ranked(place: int) -> float:
        if place < zeros_from:
            return -size(negative, 1, zeros_from - 1 - place)
        place -= zeros_from + n_zero
        return size(positive, 0, place) if place >= 0 else 0.0

    def size(counts: Places, sign: int, number: int) -> float:
        """Return the size of one of those of a sign, which are numbered from the smallest."""
        before = np.cumsum(counts) - counts
        block = int(np.searchsorted(before, number, side="right")) - 1
        part = keys[block * BLOCK : (block + 1) * BLOCK]
        return float(_sizes(part[part & SIGN == sign])[number - before[block]])

    low, high = (n - 1) // 2, n // 2
    return (ranked(low) + ranked(high)) / 2 if low < high else ranked(low)


def _squares(n: int) -> int:
    """Return 1^2 + ... + n^2."""
    return n * (n + 1) * (2 * n + 1) // 6


def _fourths(n: int) -> int:
    """Return 1^4 + ... + n^4."""
    return n * (n + 1) * (2 * n + 1) * (3 * n * n + 3 * n - 1) // 30
