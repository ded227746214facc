"""The order in which nodes become labeled: every beginning of it is a training sample.

Since a larger sample only goes on in the same order, samples of different sizes are nested.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError
from .pool import Codes

Order: TypeAlias = NDArray[np.int32]


def _shuffled(size: int, rng: np.random.Generator) -> Order:
    # twice as fast as rng.permutation for a million nodes
    order = np.arange(size, dtype=np.int32)
    rng.shuffle(order)
    return order


def sampling_order(
    size: int, strata: Codes | None, rng: np.random.Generator, *, both_sides: bool = True
) -> Order:
    """Return positions 0 to size - 1 in random order, stratified if `strata` are given.

    The n-th node of a stratum of N nodes has the rank (n - 1/2)/N, so that each beginning of
    the order divides its seats among the strata by the method of Webster and Sainte-Laguë.
    With `both_sides`, one node of every stratum comes first and one last, so that training and
    test set both see it.

    Examples
    --------
    >>> order = sampling_order(6, np.array([0, 0, 0, 0, 1, 1]), np.random.default_rng(0))
    >>> np.bincount(np.array([0, 0, 0, 0, 1, 1])[order[:3]]).tolist()
    [2, 1]
    """
    shuffled = _shuffled(size, rng)
    if strata is None:
        return shuffled
    inside = np.argsort(strata[shuffled], kind="stable")
    counts = np.unique(strata, return_counts=True)[1]
    first = np.repeat(np.cumsum(counts) - counts, counts)
    number = np.repeat(counts, counts)
    place = np.arange(size) - first
    rank = (place + 0.5) / number
    if both_sides:
        rank[place == 0] = 0.0
        rank[place == number - 1] = 1.0
    # ties between strata fall as the first shuffle left them
    by_node = np.empty(size)
    by_node[inside] = rank
    return shuffled[np.argsort(by_node, kind="stable")]


def deal_folds(
    size: int, n_folds: int, strata: Codes | None, rng: np.random.Generator
) -> NDArray[np.intp]:
    """Return each position its fold; folds, and their shares of a stratum, differ by at most 1.

    Examples
    --------
    >>> np.bincount(deal_folds(10, 3, None, np.random.default_rng(0))).tolist()
    [4, 3, 3]
    """
    order = _shuffled(size, rng)
    if strata is not None:
        order = order[np.argsort(strata[order], kind="stable")]
    folds = np.empty(size, dtype=np.intp)
    folds[order] = np.arange(size) % n_folds
    return folds


def check_strata(
    design: str, strata: Codes | None, names: Sequence[Any], least: int, sides: tuple[int, ...]
) -> None:
    """Refuse strata that are too small, or too many for the smaller of the two sets.

    Parameters
    ----------
    design : str
        Named in the error.
    strata : ndarray of int or None
        Codes of the labeled nodes; -1 is the stratum of those without a value.
    names : sequence
        Meaning of the codes.
    least : int
        Fewest nodes allowed in a stratum.
    sides : tuple of int
        Sizes of the sets of which each has to hold a node of every stratum.
    """
    if strata is None:
        return
    codes, counts = np.unique(strata, return_counts=True)
    small = int(np.argmin(counts))
    if counts[small] < least:
        name = repr(names[codes[small]]) if codes[small] >= 0 else "of nodes without a value"
        raise InputError(
            expected=f"at least {least} labeled nodes in each stratum",
            got=f"{counts[small]} in {name}",
            hint="merge small strata, or use stratify=None",
            where=design,
        )
    if sides and codes.size > min(sides):
        raise InputError(
            f"{design}: {codes.size} strata do not fit in a set of {min(sides)} nodes; change "
            "labeled, merge strata, or use stratify=None"
        )
