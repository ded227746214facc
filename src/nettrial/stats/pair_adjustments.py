"""Adjustments that know that p-values are of all pairs: not all hypotheses can be true alone."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Literal, TypeAlias, cast, get_args

import numpy as np
from numpy.typing import ArrayLike

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..numeric.checks import to_floats
from ._names import with_labels_of
from .omnibus import Floats

PairAdjustment: TypeAlias = Literal["shaffer", "bergmann-hommel"]
PAIR_ADJUSTMENTS = get_args(PairAdjustment)
MOST = 9  # algorithms whose 21,147 partitions Bergmann and Hommel's procedure goes through


@check_arguments
def adjust_pairs(pvalues: ArrayLike, *, method: PairAdjustment = "shaffer") -> Floats:
    r"""Adjust the p-values of all pairs of k algorithms for their number.

    Use it instead of `adjust` for the comparisons of all pairs: where one algorithm differs from
    two that are alike, it differs from both, so that fewer hypotheses can be true at once, and
    more pairs are found. The chance of any false rejection is held under any dependence. It assumes
    that each p-value is valid alone, and does not make it so.

    Parameters
    ----------
    pvalues : array_like of shape (k (k - 1) / 2,)
        In the order 1-2, 1-3, ..., 2-3, ..., as every `Comparisons` has them. NaN stays NaN and
        counts as 1.
    method : {"shaffer", "bergmann-hommel"}
        Shaffer's static procedure multiplies the i-th smallest of the m p-values by the largest
        number of hypotheses, at most m - i + 1, that can be true at once. Bergmann and Hommel's
        goes through all partitions of the algorithms into groups that are alike:
        :math:`\max |I| \min_{j \in I} p_j` over the sets I of all pairs inside groups; it has
        more power, for up to nine algorithms.

    Returns
    -------
    ndarray
        Adjusted p-values in the order of `pvalues`, with the index of a Series.

    Raises
    ------
    InputError
        For values outside [0, 1], a number of p-values that no number of algorithms has, or more
        than nine algorithms for Bergmann and Hommel's.

    References
    ----------
    Shaffer (1986), J. American Statistical Association 81, 826-831. Bergmann and Hommel (1988),
    in: Multiple Hypotheses Testing, 100-115. García and Herrera (2008), J. of Machine Learning
    Research 9, 2677-2694.

    Examples
    --------
    >>> adjust_pairs([0.01, 0.02, 0.30]).round(3).tolist()
    [0.03, 0.03, 0.3]
    >>> adjust_pairs([0.01, 0.02, 0.30], method="bergmann-hommel").round(3).tolist()
    [0.03, 0.03, 0.3]
    """
    p = to_floats("pvalues", pvalues)
    k = (1 + math.isqrt(1 + 8 * p.size)) // 2
    if p.ndim != 1 or p.size == 0 or k * (k - 1) // 2 != p.size:
        raise InputError(
            f"pvalues: expected those of all pairs, 1, 3, 6, 10, ... in number, got shape {p.shape}"
        )
    if ((p < 0) | (p > 1)).any():
        raise InputError(f"pvalues: expected numbers from 0 to 1, got {p[(p < 0) | (p > 1)][0]:g}")
    known = np.where(np.isnan(p), 1.0, p)
    if method == "shaffer":
        adjusted = _shaffer(known, k)
    elif k > MOST:
        raise InputError(
            f"method: expected at most {MOST} algorithms for 'bergmann-hommel', got {k}; use "
            "'shaffer'"
        )
    else:
        adjusted = _bergmann_hommel(known, k)
    found = np.where(np.isnan(p), np.nan, np.minimum(adjusted, 1.0))
    return cast(Floats, with_labels_of(pvalues, found))


def _shaffer(p: Floats, k: int) -> Floats:
    m, order = p.size, np.argsort(p, kind="stable")
    possible = np.array(sorted(_true_at_once(k)))
    factors = possible[np.searchsorted(possible, np.arange(m, 0, -1), side="right") - 1]
    adjusted = np.empty(m)
    adjusted[order] = np.maximum.accumulate(factors * p[order])
    return adjusted


@lru_cache(maxsize=256)
def _true_at_once(k: int) -> frozenset[int]:
    """Return the numbers of hypotheses about pairs of k algorithms that can be true at once."""
    if k < 2:
        return frozenset({0})
    return frozenset(
        math.comb(group, 2) + rest for group in range(1, k + 1) for rest in _true_at_once(k - group)
    )


def _bergmann_hommel(p: Floats, k: int) -> Floats:
    place = {pair: i for i, pair in enumerate(combinations(range(k), 2))}
    adjusted = np.zeros(p.size)
    for groups in _partitions(list(range(k))):
        inside = [place[pair] for group in groups for pair in combinations(group, 2)]
        if inside:
            adjusted[inside] = np.maximum(adjusted[inside], len(inside) * p[inside].min())
    return adjusted


def _partitions(items: list[int]) -> Iterator[list[list[int]]]:
    """Yield the partitions of sorted items into groups, each of which is sorted."""
    if not items:
        yield []
        return
    *others, last = items
    for groups in _partitions(others):
        for i, group in enumerate(groups):
            yield [*groups[:i], [*group, last], *groups[i + 1 :]]
        yield [*groups, [last]]
