"""Sums of the ranks of absolute differences, by the signs of these."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..numeric import noise, sizes, without_noise
from ..ranks import BLOCK, LONG, ranks
from ._arrays import Array

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


def signed_sums(d: Array, samples: list[Array], zeros: Zeros) -> SignedSums:
    """Return the sums along the last axis; those of long rows mostly without single ranks."""
    if d.shape[-1] < LONG:
        return _of_ranks(d, samples, zeros)
    rows = [
        _of_long_row(d[row], [sample[row] for sample in samples], zeros)
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


def _of_long_row(d: Array, samples: list[Array], zeros: Zeros) -> SignedSums:
    """Return the sums of one row, whose signs are sorted along with the sizes."""
    level = float(noise(*samples))
    keys = _sorted_keys(d)
    negative, tied, close = _scan(keys, level)
    if close:
        clean = without_noise(np.abs(d), sizes(*samples))
        if np.count_nonzero(clean) < np.count_nonzero(d):  # some tie with the zeros of larger pairs
            return _of_ranks(d, samples, zeros)
        keys = _sorted_keys(np.copysign(clean, d))
        negative, tied, _ = _scan(keys, 0.0)
    n_zero = int(np.searchsorted(keys, np.uint64(2)))
    n, n_negative = keys.size - n_zero, negative.size
    kept = {"drop": 0, "demsar": n_zero - n_zero % 2}.get(zeros, n_zero)  # zeros with a rank
    share = kept * (kept + 1) / 4 if zeros in ("split", "demsar") else 0.0
    start, length = _runs(tied[tied >= n_zero])
    # without ties the negative ones of a run would have its last ranks
    before = np.zeros(keys.size + 1, dtype=np.int64)
    doubled = 2 * (int(negative.sum()) + n_negative * (1 + kept - n_zero))
    if start.size:
        before[negative + 1] = 1
        before = before.cumsum()
        among = before[start + length] - before[start]
        doubled -= int((among * (length - among)).sum())
    # a run of t equal ones takes (t^3 - t) / 12 from the squares, and likewise from fourth powers
    t = length.astype(np.float64)
    spread, middle = (t**3 - t) / 12, kept - n_zero + start + (t + 1) / 2
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
        median=np.asarray(np.median(d) if close else _median(keys, negative, n_zero)),
    )


def _sorted_keys(d: Array) -> Keys:
    """Return sorted numbers that hold the size of a difference and, in the lowest bit, its sign."""
    bits = np.ascontiguousarray(d).view(np.uint64)
    keys = np.empty_like(bits)
    for start in range(0, keys.size, BLOCK):
        part = slice(start, start + BLOCK)
        np.left_shift(bits[part], np.uint64(1), out=keys[part])
        keys[part] |= bits[part] >> np.uint64(63)
    keys.sort()
    return keys


def _scan(keys: Keys, level: float) -> tuple[Places, Places, bool]:
    """Return the places of negative ones, those whose next is equal, and whether any is close.

    Close are sizes that differ, but by no more than `level`.
    """
    negative, tied, close = [], [], False
    for start in range(0, keys.size, BLOCK):
        part = keys[start : start + BLOCK + 1]
        signs = (part[:BLOCK] & np.uint64(1)).astype(bool)  # of which NumPy finds places sooner
        negative.append(np.flatnonzero(signs) + start)
        gaps = np.diff((part >> np.uint64(1)).view(np.float64))
        if gaps.min(initial=np.inf) <= level:
            tied.append(np.flatnonzero(gaps == 0) + start)
            close = close or bool(((gaps > 0) & (gaps <= level)).any())
    none = np.zeros(0, dtype=np.intp)
    return np.concatenate(negative), np.concatenate([none, *tied]), close


def _runs(tied: Places) -> tuple[Places, Places]:
    """Return where runs of equal values begin and how long they are, by all but their last."""
    first = np.flatnonzero(np.diff(tied, prepend=-2) > 1)
    return tied[first], np.diff(np.append(first, tied.size)) + 1


def _median(keys: Keys, negative: Places, n_zero: int) -> float:
    """Return the median of all differences."""

    def ranked(place: int) -> float:
        if place < negative.size:
            return -size(negative[negative.size - 1 - place])
        place -= negative.size
        if place < n_zero:
            return 0.0
        return size(np.flatnonzero(~keys & np.uint64(1))[place])

    def size(place: Any) -> float:
        return float((keys[place : place + 1] >> np.uint64(1)).view(np.float64)[0])

    low, high = (keys.size - 1) // 2, keys.size // 2
    return (ranked(low) + ranked(high)) / 2 if low < high else ranked(low)


def _squares(n: int) -> int:
    """Return 1^2 + ... + n^2."""
    return n * (n + 1) * (2 * n + 1) // 6


def _fourths(n: int) -> int:
    """Return 1^4 + ... + n^4."""
    return n * (n + 1) * (2 * n + 1) * (3 * n * n + 3 * n - 1) // 30
