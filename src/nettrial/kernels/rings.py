"""Which nodes lie at which distance from each other, by breadth-first search up to a depth."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .compiled import kernel

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@njit(forceinline=True)
def search(indptr, indices, source, depth, seen, stamp, queue, ends):
    """Find the nodes at distances 0 to `depth` from one node.

    Parameters
    ----------
    indptr, indices : ndarray of int
        Neighbors of every node.
    source, depth : int
    seen : ndarray of int, shape (n_nodes,)
        Scratch; holds the last stamp with which a node was found.
    stamp : int
        Another one than in any search before with the same scratch.
    queue : ndarray of int, shape (n_nodes,)
        Set here: the nodes in order of their distance.
    ends : ndarray of int, shape (depth + 1,)
        Set here: the nodes at distance s end before ``queue[ends[s]]``.

    Returns
    -------
    int
        Links that were followed.
    """
    queue[0] = source
    seen[source] = stamp
    ends[0] = 1
    start, end, steps = 0, 1, 0
    for distance in range(1, depth + 1):
        last = end
        for place in range(start, last):
            node = queue[place]
            steps += indptr[node + 1] - indptr[node]
            for link in range(indptr[node], indptr[node + 1]):
                other = indices[link]
                if seen[other] != stamp:
                    seen[other] = stamp
                    queue[end] = other
                    end += 1
        start = last
        ends[distance] = end
    return steps


@kernel
def add_rings(
    indptr, indices, nodes, values, value, counted, depth, most, seen, queue, ends, pairs, sums
):
    """Add up pairs and products by distance; return whether `most` links sufficed."""
    steps = 0
    for i in range(nodes.size):
        steps += search(indptr, indices, nodes[i], depth, seen, i, queue, ends)
        if steps > most:
            return False
        start = 0
        for distance in range(depth + 1):
            for place in range(start, ends[distance]):
                other = queue[place]
                if counted[other]:
                    pairs[distance] += 1
                    sums[distance] += values[i] * value[other]
            start = ends[distance]
    return True


def ring_sums(
    indptr: Ints, indices: NDArray[Any], nodes: Ints, values: Floats, depth: int, most: int
) -> tuple[Ints, Floats, bool]:
    """Add up products of values over all pairs of nodes by their distance.

    Parameters
    ----------
    indptr, indices : ndarray of int
        Neighbors of every node, both ways.
    nodes : ndarray of int, shape (n,)
        The nodes that count, each once; paths may lead through others.
    values : ndarray of float, shape (n,)
    depth : int
        Greatest distance.
    most : int
        Links that are followed at most.

    Returns
    -------
    pairs : ndarray of int, shape (depth + 1,)
        Ordered pairs at each distance.
    sums : ndarray of float, shape (depth + 1,)
        Sum of the products of their values.
    finished : bool
        False where `most` links did not suffice.
    """
    size = indptr.size - 1
    value, counted = np.zeros(size), np.zeros(size, dtype=np.bool_)
    value[nodes] = values
    counted[nodes] = True
    seen, queue, ends = _scratch(size, depth)
    pairs, sums = np.zeros(depth + 1, dtype=np.int64), np.zeros(depth + 1)
    finished = add_rings(
        indptr, indices, nodes, values, value, counted, depth, most, seen, queue, ends, pairs, sums
    )
    return pairs, sums, finished


def _scratch(size: int, depth: int) -> tuple[Ints, Ints, Ints]:
    seen = np.full(size, -1, dtype=np.int64)
    return seen, np.empty(size, dtype=np.int64), np.empty(depth + 1, dtype=np.int64)


@kernel
def fill_rings(
    indptr, indices, nodes, place_of, weights, seen, queue, ends, starts, columns, entries
):
    """Write the rows of `ring_matrix`."""
    filled = 0
    for i in range(nodes.size):
        search(indptr, indices, nodes[i], weights.size - 1, seen, i, queue, ends)
        start = 0
        for distance in range(weights.size):
            for at in range(start, ends[distance]):
                other = place_of[queue[at]]
                if other >= 0:
                    columns[filled] = other
                    entries[filled] = weights[distance]
                    filled += 1
            start = ends[distance]
        starts[i + 1] = filled


def ring_matrix(
    indptr: Ints, indices: NDArray[Any], nodes: Ints, weights: Floats, n_pairs: int
) -> tuple[Ints, NDArray[np.int32], Floats]:
    """Return a sparse matrix that depends on the distance of two nodes.

    Parameters
    ----------
    indptr, indices, nodes
        As for `ring_sums`.
    weights : ndarray of float, shape (depth + 1,)
        The entry for nodes at each distance.
    n_pairs : int
        Ordered pairs up to that depth, as `ring_sums` counts them.

    Returns
    -------
    starts, columns : ndarray of int
    entries : ndarray of float
        Rows and columns stand for `nodes` in their order.
    """
    size = indptr.size - 1
    place_of = np.full(size, -1, dtype=np.int64)
    place_of[nodes] = np.arange(nodes.size)
    starts = np.zeros(nodes.size + 1, dtype=np.int64)
    columns, entries = np.empty(n_pairs, dtype=np.int32), np.empty(n_pairs)
    scratch = _scratch(size, weights.size - 1)
    fill_rings(indptr, indices, nodes, place_of, weights, *scratch, starts, columns, entries)
    return starts, columns, entries
