"""The two loops of the Louvain method in which its time goes: shuffling links, moving nodes."""

from __future__ import annotations

import numpy as np

from .compiled import kernel

F = np.float32


@kernel
def shuffled(indptr, indices, weights, order):
    """Return symmetric rows with node `order[i]` in place i, each row's columns ascending.

    The matrix is its own transpose, so writing every row into the columns sorts it.
    """
    n = order.size
    place = np.empty(n, dtype=np.int32)
    rows = np.zeros(n + 1, dtype=indptr.dtype)
    for i in range(n):
        place[order[i]] = i
        rows[i + 1] = rows[i] + indptr[order[i] + 1] - indptr[order[i]]
    filled = rows[:-1].copy()
    columns = np.empty(indices.size, dtype=np.int32)
    moved = np.empty(weights.size, dtype=weights.dtype)
    for i in range(n):
        for link in range(indptr[order[i]], indptr[order[i] + 1]):
            row = place[indices[link]]
            columns[filled[row]] = i
            moved[filled[row]] = weights[link]
            filled[row] += 1
    return rows, columns, moved


@kernel(error_model="numpy")
def move_nodes(indptr, indices, weights, loops, share, of_group, resolution, least, group):
    """Move nodes into neighbors' groups as long as modularity grows by more than `least` a pass.

    Parameters
    ----------
    indptr, indices, weights
        Symmetric rows whose weights add up to 1.
    loops, share : ndarray of float32, shape (n,)
        Each node's weight to itself, and the sum of its row.
    of_group : ndarray of float32, shape (n,)
        Set here: the sum of `share` in each group; at first every node is its own.
    resolution, least : float32
    group : ndarray of int32, shape (n,)
        Set here: each node's group; of equally good ones that with the smallest number.

    Returns
    -------
    float32
        What modularity has grown by.
    """
    n = group.size
    toward = np.zeros(n, dtype=np.float32)  # the node's weight to each group
    touched = np.empty(n, dtype=np.int32)
    total = F(0)
    while True:
        gain = F(0)
        for i in range(n):
            own, count = group[i], 0
            for link in range(indptr[i], indptr[i + 1]):
                g = group[indices[link]]
                if toward[g] == 0:
                    touched[count] = g
                    count += 1
                toward[g] += weights[link]
            mine = share[i]
            leaving = F(2) * (toward[own] - loops[i])
            # two terms as for directed links, out and in, so that rounding is the same
            expected = resolution * mine * (of_group[own] - mine)
            leaving = leaving - expected - expected
            most, best = F(0), own
            for k in range(count):
                g = touched[k]
                expected = resolution * mine * of_group[g]
                better = F(2) * toward[g] - expected - expected - leaving
                if g != own and (better > most or (better == most > 0 and g < best)):
                    most, best = better, g
            for k in range(count):
                toward[touched[k]] = 0
            if best != own:
                gain += most
                group[i] = best
                of_group[own] -= mine
                of_group[best] += mine
        total += gain
        if gain <= least:
            return total
