"""Which nodes lie at which distance from each other, by breadth-first search up to a depth."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .compiled import kernel

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class RingLimits(NamedTuple):
    """How much a search over all nodes may cost.

    Attributes
    ----------
    links : int
        Links that are followed.
    pairs : int
        Ordered pairs that are found.
    """

    links: int
    pairs: int


@njit(inline="always")
def search(indptr, indices, source, depth, seen, stamp, queue, ends, followed):
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
    followed : ndarray of int, shape (depth + 1,)
        Added to here: the links that lead to nodes at distance s, or nearer ones.
    """
    queue[0] = source
    seen[source] = stamp
    ends[0] = 1
    start, end = 0, 1
    for distance in range(1, depth + 1):
        last = end
        for place in range(start, last):
            node = queue[place]
            followed[distance] += indptr[node + 1] - indptr[node]
            for link in range(indptr[node], indptr[node + 1]):
                other = indices[link]
                if seen[other] != stamp:
                    seen[other] = stamp
                    queue[end] = other
                    end += 1
        start = last
        ends[distance] = end


@kernel
def add_rings(indptr, indices, nodes, values, value, counted, limits, scratch, pairs, sums):
    """Add up pairs and products by distance; return the depth for which the limits suffice."""
    seen, queue, ends, followed = scratch
    depth = pairs.size - 1
    for i in range(nodes.size):
        search(indptr, indices, nodes[i], depth, seen, i, queue, ends, followed)
        start = 0
        for distance in range(depth + 1):
            for place in range(start, ends[distance]):
                other = queue[place]
                if counted[other]:
                    pairs[distance] += 1
                    sums[distance] += values[i] * value[other]
            start = ends[distance]
        # what was found nearer stays as it is
        reached, links, found = 0, followed[0], pairs[0]
        while reached < depth:
            links += followed[reached + 1]
            found += pairs[reached + 1]
            if links > limits.links or found > limits.pairs:
                break
            reached += 1
        depth = reached
    return depth


def ring_sums(
    indptr: Ints, indices: NDArray[Any], nodes: Ints, values: Floats, depth: int, limits: RingLimits
) -> tuple[Ints, Floats]:
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
    limits : RingLimits
        Where they do not suffice for all distances, the greatest ones are left out.

    Returns
    -------
    pairs : ndarray of int, shape (depth + 1,) or shorter
        Ordered pairs at each distance.
    sums : ndarray of float, likewise
        Sum of the products of their values.
    """
    size = indptr.size - 1
    value, counted = np.zeros(size), np.zeros(size, dtype=np.bool_)
    value[nodes] = values
    counted[nodes] = True
    pairs, sums = np.zeros(depth + 1, dtype=np.int64), np.zeros(depth + 1)
    scratch = _scratch(size, depth)
    reached = add_rings(
        indptr, indices, nodes, values, value, counted, limits, scratch, pairs, sums
    )
    return pairs[: reached + 1], sums[: reached + 1]


class Scratch(NamedTuple):
    """What `search` writes to."""

    seen: NDArray[np.int32]
    queue: NDArray[np.int32]
    ends: Ints
    followed: Ints


def _scratch(size: int, depth: int) -> Scratch:
    return Scratch(
        seen=np.full(size, -1, dtype=np.int32),
        queue=np.empty(size, dtype=np.int32),
        ends=np.empty(depth + 1, dtype=np.int64),
        followed=np.zeros(depth + 1, dtype=np.int64),
    )


@kernel
def fill_rings(indptr, indices, nodes, place_of, weights, scratch, starts, columns, entries):
    """Write the rows of `ring_matrix`."""
    seen, queue, ends, followed = scratch
    filled = 0
    for i in range(nodes.size):
        search(indptr, indices, nodes[i], weights.size - 1, seen, i, queue, ends, followed)
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
) -> tuple[NDArray[np.int32], NDArray[np.int32], Floats]:
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
    starts = np.zeros(nodes.size + 1, dtype=np.int32)  # as its columns: scipy would copy them
    columns, entries = np.empty(n_pairs, dtype=np.int32), np.empty(n_pairs)
    scratch = _scratch(size, weights.size - 1)
    fill_rings(indptr, indices, nodes, place_of, weights, scratch, starts, columns, entries)
    return starts, columns, entries
