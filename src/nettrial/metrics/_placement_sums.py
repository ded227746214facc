"""Sums of DeLong's placements and of their squares, in whole numbers.

The variance of an AUC needs no placement by itself. So the scores of a long row are sorted as whole
numbers of 64 bits that hold a score and, in the lowest bit, whether it is a positive's.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..numeric import ranks
from ..numeric.magnitude import largest_size
from ..numeric.rounding import BLOCK, ROUNDING
from ._check import Floats

Bools: TypeAlias = NDArray[np.bool_]
Ints: TypeAlias = NDArray[np.int64]
Keys: TypeAlias = NDArray[Any]  # int64 where there are negative scores, else uint64

MAGNITUDE = np.int64(2**63 - 1)
SAFE = 2**30  # four times its square has 63 bits


class PlacementSums(NamedTuple):
    """Sums over the observations of a class, of twice those of the other class below each.

    Equal ones count half, so that twice their number is whole.
    """

    n: int  # observations of the class
    others: int  # of the other class
    total: int
    squares: int

    @property
    def share(self) -> float:
        """The mean share of the other class that is below."""
        return self.total / (2 * self.n * self.others)

    @property
    def variance(self) -> float:
        spread = self.n * self.squares - self.total**2
        return spread / ((2 * self.n * self.others) ** 2 * (self.n - 1))


def placement_sums(truth: Bools, scores: Floats) -> tuple[PlacementSums, PlacementSums]:
    """Return the sums of the positives and of the negatives; rounding noise breaks no ties.

    Parameters
    ----------
    truth : ndarray of bool, shape (n,)
        Which are positive, at least one and not all.
    scores : ndarray of float, shape (n,)

    Examples
    --------
    >>> positives, negatives = placement_sums(np.array([True, False, False]),
    ...                                       np.array([0.5, 0.5, 0.2]))
    >>> positives.share, negatives.total
    (0.75, 1)
    """
    if scores.size >= ranks.LONG and (keys := _sorted_keys(truth, scores)) is not None:
        return _of_keys(*keys)
    doubled = ranks.doubled_placements(truth, scores)
    return _of_each(doubled[truth], doubled[~truth])


def _of_each(of_positives: Ints, of_negatives: Ints) -> tuple[PlacementSums, PlacementSums]:
    m, n = of_positives.size, of_negatives.size
    return (
        PlacementSums(m, n, int(of_positives.sum(dtype=np.int64)), inner(of_positives)),
        PlacementSums(n, m, int(of_negatives.sum(dtype=np.int64)), inner(of_negatives)),
    )


def inner(values: Ints) -> int:
    """Return the sum of squares of whole numbers."""
    step = summed_at_once(int(values.max(initial=1)))
    parts = (values[i : i + step] for i in range(0, values.size, step))
    return sum(int(np.square(part, dtype=np.int64).sum()) for part in parts)


def compared_areas(truth: Bools, a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Return two AUCs and their difference, and DeLong's variances of these three.

    Parameters
    ----------
    truth : ndarray of bool, shape (n,)
    a, b : ndarray of float, shape (..., n)
        Two scorings.

    Returns
    -------
    areas, variances : ndarray, shape (3, ...)
        Variances are NaN with fewer than two observations of a class.
    """
    m = int(np.count_nonzero(truth))
    n = truth.size - m
    sums: list[Any]
    if truth.size * 2 * max(m, n) < SAFE:
        doubled = (ranks.doubled_placements(truth, scores) for scores in (a, b))
        sums = _products(truth.astype(np.int64), *doubled)
    else:
        sums = [np.zeros(a.shape[:-1], dtype=object) for _ in range(8)]
        for row in np.ndindex(a.shape[:-1]):
            for whole, found in zip(sums, _long_products(truth, a[row], b[row]), strict=True):
                whole[row] = found
    pairs = 2 * m * n  # which the placements of a class add up to, less those of the other one
    of_positives, of_negatives = sums[:5], [pairs - sums[0], pairs - sums[1]]
    of_negatives += [whole - part for whole, part in zip(sums[5:], sums[2:5], strict=True)]
    areas = np.array([sums[0], sums[1], sums[0] - sums[1]]) / pairs
    if min(m, n) < 2:
        return areas.astype(np.float64), np.full(areas.shape, np.nan)
    above, below = _spreads(m, *of_positives), _spreads(n, *of_negatives)
    return areas.astype(np.float64), (above / (m - 1) + below / (n - 1)) / float(pairs**2)


def _long_products(truth: Bools, a: Floats, b: Floats) -> list[int]:
    """Return `_products` of two long scorings' placements."""
    tags = ranks.doubled_placements(truth, a)  # and the label, so that both are read at once
    tags *= 2
    tags += truth
    sums = [0] * 8
    step = summed_at_once(2 * truth.size)
    for _, tag, placed in ranks.ordered_placements(tags, b):
        for start in range(0, placed.size, step):
            part = slice(start, start + step)
            labeled = tag[part].astype(np.int64)
            found = _products(labeled & 1, labeled >> 1, placed[part])
            sums = [whole + int(more) for whole, more in zip(sums, found, strict=True)]
    return sums


def _products(truth: Ints, a: Ints, b: Ints) -> list[Any]:
    """Return sums of a, b, aa, bb and ab over the positives, and of aa, bb and ab over all."""
    a, b = a.astype(np.int64, copy=False), b.astype(np.int64, copy=False)
    mask = -truth  # all bits or none
    a_positive, b_positive = a & mask, b & mask
    of_positives = (a_positive, a), (b_positive, b), (a_positive, b)
    pairs = (*of_positives, (a, a), (b, b), (a, b))
    products = [np.einsum("...i,...i->...", x, y) for x, y in pairs]
    return [a_positive.sum(axis=-1), b_positive.sum(axis=-1), *products]


def _spreads(n: int, a: Any, b: Any, aa: Any, bb: Any, ab: Any) -> Floats:
    """Return n times the sum of squares less the square of the sum, of a, of b and of a - b."""
    differences = n * (aa + bb - 2 * ab) - (a - b) ** 2
    return np.array([n * aa - a**2, n * bb - b**2, differences], dtype=np.float64)


def summed_at_once(largest: int) -> int:
    """Return how many products of two such whole numbers can be added up in 63 bits."""
    return max(1, min(BLOCK, 2**62 // max(largest, 1) ** 2))


def _sorted_keys(truth: Bools, scores: Floats) -> tuple[Keys, float, float] | None:
    """Return sorted keys of scores and labels, and the power of two that scores are multiplied by.

    With them comes what is above the rounding noise of each score. None where a score is infinite,
    or a difference may be, or the smallest one is too small to be multiplied.
    """
    largest = float(largest_size(scores))  # of Python, of which twice may be infinite
    if not np.isfinite(2 * largest):
        return None
    signed = float(scores.min()) < 0
    # below 2 the two upper bits of a number are equal, so that one of them is free for the label
    scale = 2.0 ** min(0, 1 - int(np.frexp(largest)[1])) if signed else 1.0
    keys: Keys = np.empty(scores.size, dtype=np.int64 if signed else np.uint64)
    for start in range(0, scores.size, BLOCK):
        part, key = scores[start : start + BLOCK], keys[start : start + BLOCK]
        values = key.view(np.float64)
        np.multiply(part, scale, out=values)
        if scale < 1 and (values / scale != part).any():
            return None
        values += 0.0  # which makes 0 of -0
        if signed:
            key ^= (key >> 63) & MAGNITUDE  # in the order of the values
        key <<= key.dtype.type(1)
        key |= truth[start : start + BLOCK]
    keys.sort()
    return keys, scale, ROUNDING * largest


def _values(keys: Keys, scale: float) -> Floats:
    values = keys >> keys.dtype.type(1)
    if values.dtype == np.int64:
        values ^= (values >> 63) & MAGNITUDE
    scaled: Floats = values.view(np.float64)
    return scaled / scale if scale < 1 else scaled


def _of_keys(keys: Keys, scale: float, level: float) -> tuple[PlacementSums, PlacementSums]:
    found = _of_distinct(keys, scale, level)
    if found is not None:
        return found
    new = np.ones(keys.size, dtype=bool)
    for at in range(0, keys.size - 1, BLOCK):
        values = _values(keys[at : at + BLOCK + 1], scale)
        gaps, size = np.diff(values), np.abs(values)
        # as `rounding.without_noise` tells rounding noise
        noise = ROUNDING * np.maximum(size[1:], size[:-1])
        np.greater(gaps, noise, out=new[at + 1 : at + 1 + gaps.size])
    start = np.flatnonzero(new)
    end = np.append(start[1:], keys.size)
    upto = np.cumsum((keys & keys.dtype.type(1)).astype(bool), dtype=np.int64)[end - 1]
    positives = np.diff(upto, prepend=0)
    before = upto - positives
    negatives = end - start - positives
    return _of_each(
        np.repeat(2 * (start - before) + negatives, positives),
        np.repeat(2 * before + positives, negatives),
    )


def _of_distinct(
    keys: Keys, scale: float, level: float
) -> tuple[PlacementSums, PlacementSums] | None:
    """Return the sums where all neighbors differ by over `level`, else None."""
    m = total = squares = crossed = 0
    step = summed_at_once(2 * keys.size)
    for start in range(0, keys.size, step):
        part = keys[start : start + step + 1]
        if part.size > 1 and not np.diff(_values(part, scale)).min() > level:
            return None
        negatives = np.flatnonzero((part[:step] & part.dtype.type(1)).astype(bool))
        number = np.arange(m, m + negatives.size)
        negatives += start
        negatives -= number  # from the place of each positive, what is left of it is negatives
        total += int(negatives.sum())
        squares += int(np.square(negatives).sum())
        number *= 2
        number += 1
        number *= negatives
        crossed += int(number.sum())
        m += negatives.size
    n = keys.size - m
    # a negative with r positives below has r^2 = 1 + 3 + ... + (2r - 1), an odd number from each
    of_negatives = n * m**2 - crossed
    return (
        PlacementSums(m, n, 2 * total, 4 * squares),
        PlacementSums(n, m, 2 * (m * n - total), 4 * of_negatives),
    )
