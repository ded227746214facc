"""Small graphs as the compiled models walk through them, and sets of splits as bits.

Rows are sorted by their length: where one follows another of the same length, the processor
foresees the end of each, which on short rows saves more time than the sums themselves take.
Sets of splits are the bits of a 16-bit word for each node.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .lanes import lane_kernel, pointer

WIDTH = 16
ALL = np.uint16(0xFFFF)
NONE = np.uint16(0)
# a plain 0 has a type of its own, for which all that it is handed to is compiled once more
START: Any = np.int64(0)


class Graph(NamedTuple):
    """Compressed rows as given, and again in order of their length.

    Attributes
    ----------
    indptr, indices : ndarray of int
        Node i has the neighbors ``indices[indptr[i]:indptr[i + 1]]``; one may occur twice.
    order : ndarray of int, shape (n,)
        The nodes in order of the length of their rows.
    runs : ndarray of int, shape (2 n_runs,)
        Length of rows, and how many have it, by turns in that order.
    places : ndarray of int32
        The neighbors, row by row in that order: the number of the row of each, times 16.
    weights : ndarray of float32 or None
        Weights of the links, likewise; None where every link weighs 1.
    shares : ndarray of float32, shape (n,)
        One over the sum of the weights of a row; 0 for an empty one.
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    order: NDArray[np.int64]
    runs: NDArray[np.int64]
    places: NDArray[np.int32]
    weights: NDArray[np.float32] | None
    shares: NDArray[np.float32]


def graph_of(
    indptr: NDArray[np.integer], indices: NDArray[np.int32], weights: NDArray[np.floating]
) -> Graph:
    """Prepare compressed rows; `weights` has no entries where every link weighs 1."""
    n = indptr.size - 1
    lengths = np.diff(indptr)
    order = np.argsort(lengths, kind="stable")
    ranked = lengths[order]
    changes = np.flatnonzero(np.diff(ranked, prepend=-1))
    runs = np.empty((changes.size, 2), dtype=np.int64)
    runs[:, 0], runs[:, 1] = ranked[changes], np.diff(changes, append=n)
    rank = np.empty(n, dtype=np.int32)
    rank[order] = np.arange(n, dtype=np.int32)
    link = spans(indptr[order], ranked)
    places = rank[indices[link]] * np.int32(WIDTH)
    total = ranked.astype(float)
    if weights.size:
        weights = weights[link]
        total = np.bincount(np.repeat(np.arange(n), ranked), weights=weights, minlength=n)
    shares = np.zeros(n, dtype=np.float32)
    np.divide(1.0, total, out=shares, where=total > 0, casting="same_kind")
    return Graph(
        indptr.astype(np.int64, copy=False),
        indices,
        order,
        runs.ravel(),
        places,
        weights.astype(np.float32) if weights.size else None,
        shares,
    )


def spans(starts: NDArray[np.integer], lengths: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return the ranges of these starts and lengths one after the other.

    Examples
    --------
    >>> spans(np.array([7, 0]), np.array([2, 3])).tolist()
    [7, 8, 0, 1, 2]
    """
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if ends.size else 0
    return np.repeat(starts - (ends - lengths), lengths) + np.arange(total)


def bits_by_split(words: NDArray[np.uint16]) -> NDArray[np.bool_]:
    """Return which splits' bits are set in each word, with a last axis of 16 splits.

    Examples
    --------
    >>> bits_by_split(np.array([5], dtype=np.uint16))[0, :4].tolist()
    [True, False, True, False]
    """
    pairs = np.ascontiguousarray(words, dtype="<u2").view(np.uint8)
    bits = np.unpackbits(pairs, bitorder="little").view(np.bool_)
    return bits.reshape(*words.shape, WIDTH)


@lane_kernel
def spread(indptr, indices, reached):
    """Add to `reached` every split in which a chain of links leads to a reached node."""
    n = reached.size
    indptr, indices, reached = pointer(indptr), pointer(indices), pointer(reached)
    changed = True
    while changed:
        changed = False
        for step in range(2 * n):
            i = step if step < n else 2 * n - 1 - step
            bits = reached[i]
            if bits != ALL:
                for e in range(indptr[i], indptr[i + 1]):
                    bits |= reached[indices[e]]
                if bits != reached[i]:
                    reached[i] = bits
                    changed = True
