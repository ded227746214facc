"""The loop of the Louvain method in which its time goes: moving nodes."""

from __future__ import annotations

import numpy as np

from .compiled import kernel

F = np.float32


@kernel(error_model="numpy")
def move_nodes(
    indptr, indices, weights, loops, share, of_group, resolution, least, toward, touched, group
):
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
    toward : ndarray of float32, shape (n,)
        Zeros; scratch: the node's weight to each group.
    touched : ndarray of int32, shape (n,)
        Scratch: the groups among the node's neighbors.
    group : ndarray of int32, shape (n,)
        Set here: each node's group; of equally good ones that with the smallest number.

    Returns
    -------
    float32
        What modularity has grown by.
    """
    n = group.size
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
