"""Small graphs as the compiled models walk through them, and sets of splits as bits.

Rows are sorted by their length: where one follows another of the same length, the processor
foresees the end of each, which on short rows saves more time than the sums themselves take.
Sets of splits are the bits of a 16-bit word for each node.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .lanes import VECTORS

WIDTH = 16
ALL = np.uint16(0xFFFF)
NONE = np.uint16(0)
OPTIONS = {"nogil": True, "cache": VECTORS, "error_model": "numpy"}


class Graph(NamedTuple):
    """Compressed rows as given, and again in order of their length.

    Attributes
    ----------
    indptr, indices : ndarray of int
        Node i has the neighbours ``indices[indptr[i]:indptr[i + 1]]``; one may occur twice.
    order : ndarray of int, shape (n,)
        The nodes in order of the length of their rows.
    runs : ndarray of int, shape (n_runs, 2)
        Length of rows, and how many have it, in that order.
    places : ndarray of int32
        The neighbours, row by row in that order: the number of the row of each, times 16.
    weights : ndarray of float32
        Weights of the links, likewise; empty where every link weighs 1.
    shares : ndarray of float32, shape (n,)
        One over the sum of the weights of a row; 0 for an empty one.
    """

    indptr: NDArray[np.int32]
    indices: NDArray[np.int32]
    order: NDArray[np.int64]
    runs: NDArray[np.int64]
    places: NDArray[np.int32]
    weights: NDArray[np.float32]
    shares: NDArray[np.float32]


@njit(**OPTIONS)
def _by_length(indptr):
    """Give the rows by length, and the runs of rows of one length."""
    n = indptr.size - 1
    longest = 0
    for i in range(n):
        longest = max(longest, indptr[i + 1] - indptr[i])
    start = np.zeros(longest + 2, dtype=np.int64)
    for i in range(n):
        start[indptr[i + 1] - indptr[i] + 1] += 1
    runs = np.empty((longest + 1, 2), dtype=np.int64)
    found = 0
    for length in range(longest + 1):
        if start[length + 1] > 0:
            runs[found, 0], runs[found, 1] = length, start[length + 1]
            found += 1
        start[length + 1] += start[length]
    order = np.empty(n, dtype=np.int64)
    for i in range(n):
        length = indptr[i + 1] - indptr[i]
        order[start[length]] = i
        start[length] += 1
    return order, runs[:found].copy()


@njit(**OPTIONS)
def graph_of(indptr, indices, weights):
    """Prepare compressed rows; `weights` has no entries where every link weighs 1."""
    n = indptr.size - 1
    order, runs = _by_length(indptr)
    rank = np.empty(n, dtype=np.int32)
    for k in range(n):
        rank[order[k]] = k
    places = np.empty(indices.size, dtype=np.int32)
    sorted_weights = np.empty(weights.size, dtype=np.float32)
    shares = np.zeros(n, dtype=np.float32)
    at = 0
    for k in range(n):
        total = 0.0
        for e in range(indptr[order[k]], indptr[order[k] + 1]):
            places[at] = rank[indices[e]] * WIDTH
            weight = 1.0
            if weights.size:
                weight = weights[e]
                sorted_weights[at] = weight
            total += weight
            at += 1
        if total > 0:
            shares[k] = 1.0 / total
    return Graph(indptr, indices, order, runs, places, sorted_weights, shares)


@njit(**OPTIONS)
def spread(indptr, indices, reached):
    """Add to `reached` every split in which a chain of links leads to a reached node."""
    n = indptr.size - 1
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


@njit(**OPTIONS)
def lines(n):
    """Allocate n lines of 16 float32, each in one cache line, not initialised."""
    room = np.empty((n + 1) * WIDTH, dtype=np.float32)
    skip = (-(room.ctypes.data // room.itemsize)) % WIDTH
    return room[skip : skip + n * WIDTH]
