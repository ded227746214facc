"""An order of the nodes in which neighbors lie near each other in memory."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .compiled import kernel


@kernel(error_model="numpy")
def spread_groups(indptr, indices, group, size, most, votes, sweeps):
    """Label propagation with bounded groups, in place: each node joins most of its neighbors."""
    for _ in range(sweeps):
        for i in range(group.size):
            best, most_votes = group[i], votes.dtype.type(0)
            for link in range(indptr[i], indptr[i + 1]):
                g = group[indices[link]]
                votes[g] += 1
                if votes[g] > most_votes and (size[g] < most or g == group[i]):
                    best, most_votes = g, votes[g]
            for link in range(indptr[i], indptr[i + 1]):
                votes[group[indices[link]]] = 0
            size[group[i]] -= 1
            size[best] += 1
            group[i] = best


@kernel(error_model="numpy")
def linked_order(indptr, indices, group, members, first):
    """Visit groups in breadth-first order over the links, each group's nodes together.

    Group g has the nodes ``members[first[g]:first[g + 1]]``.
    """
    n = group.size
    seen = np.zeros(n, dtype=np.bool_)
    queue = np.empty(n, dtype=np.int32)
    order = np.empty(n, dtype=np.int32)
    done = 0
    for seed in range(n):
        if seen[group[seed]]:
            continue
        head, tail = 0, 1
        queue[0] = group[seed]
        seen[group[seed]] = True
        while head < tail:
            g = queue[head]
            head += 1
            for position in range(first[g], first[g + 1]):
                node = members[position]
                order[done] = node
                done += 1
                for link in range(indptr[node], indptr[node + 1]):
                    other = group[indices[link]]
                    if not seen[other]:
                        seen[other] = True
                        queue[tail] = other
                        tail += 1
    return order


@kernel(error_model="numpy")
def permute(indptr, indices, weights, order):
    """Write the rows in a new order; `order[i]` is the old index of row i."""
    n = order.size
    place = np.empty(n, dtype=np.int32)
    for i in range(n):
        place[order[i]] = i
    rows = np.zeros(n + 1, dtype=np.int64)
    for i in range(n):
        rows[i + 1] = rows[i] + indptr[order[i] + 1] - indptr[order[i]]
    targets = np.empty(indices.size, dtype=np.int32)
    moved = np.empty(0 if weights is None else indices.size)
    for i in range(n):
        shift = indptr[order[i]] - rows[i]
        for link in range(rows[i], rows[i + 1]):
            targets[link] = place[indices[link + shift]]
            if weights is not None:
                moved[link] = weights[link + shift]
    return rows, targets, moved


@kernel(error_model="numpy")
def share_inside(indptr, indices, group):
    """Return the share of the links that lead to the node's own group."""
    inside = 0
    for i in range(group.size):
        for link in range(indptr[i], indptr[i + 1]):
            inside += group[i] == group[indices[link]]
    return inside / max(indices.size, 1)


def local_order(
    indptr: NDArray[np.int64], indices: NDArray[np.int32], *, most: int = 4096, least: float = 0.3
) -> NDArray[np.int32] | None:
    """Return an order by capped label propagation, or None where it finds no groups to speak of.

    Groups hold up to `most` nodes, whose lines fit into one core's cache; with less than a share
    of `least` of the links inside groups, the order gains less than it costs.
    """
    n = indptr.size - 1
    group = np.arange(n, dtype=np.int32)
    size = np.ones(n, dtype=np.int32)
    spread_groups(indptr, indices, group, size, most, np.zeros(n, dtype=np.int32), 3)
    if share_inside(indptr, indices, group) < least:
        return None
    # by numpy, since a sort takes numba ten times as long to compile as the loop
    members = np.argsort(group, kind="stable")
    first = np.concatenate([[0], np.cumsum(np.bincount(group, minlength=n))])
    return np.asarray(linked_order(indptr, indices, group, members, first))


def by_degree(
    indptr: NDArray[np.int64], order: NDArray[np.int32], *, block: int = 1024
) -> NDArray[np.int32]:
    """Sort each block of an order by the number of links, so that nodes keep their place nearly."""
    return np.asarray(order[np.lexsort((np.diff(indptr)[order], np.arange(order.size) // block))])
