"""Dealing nodes to test sets so that every node is tested equally often."""

from __future__ import annotations

import numpy as np
from numba import njit

from .compiled import kernel
from .philox import below, fill_words

BUFFER_BLOCKS = 1024


@njit(inline="always")
def deal_node(ring, taken, copies, words, at, chosen):
    """Deal the copies of one node to the smallest sets that do not hold it, ties at random.

    ``ring[:taken]`` are the sets that are one node larger than the others. Uses at most
    `copies` words from `at` on, and gives the new `taken` and `at`.
    """
    rest = ring.size - taken
    first = min(copies, rest)
    if copies < rest:
        for i in range(first):
            j = taken + i + below(words[at + i], rest - i)
            ring[taken + i], ring[j] = ring[j], ring[taken + i]
        at += first
    for i in range(first):
        chosen[i] = ring[taken + i]
    if copies < rest:
        return taken + copies, at
    # all sets are of one size again, and those that hold the node stand at the ring's end
    more = copies - rest
    for i in range(more):
        j = i + below(words[at + i], taken - i)
        ring[i], ring[j] = ring[j], ring[i]
        chosen[rest + i] = ring[i]
    return more, at + more


@kernel
def deal_copies(order, copies, n_sets, k0, k1):
    """Deal `copies[node]` copies of every node, in the given order, to `n_sets` sets.

    Returns
    -------
    ndarray of bool, shape (n_sets, n_nodes)
        Whether a set holds a node. Row sums differ by at most 1, column sums are `copies`.
    """
    held = np.zeros((n_sets, order.size), dtype=np.bool_)
    ring = np.arange(n_sets)
    chosen = np.empty(n_sets, dtype=np.int64)
    n_blocks = BUFFER_BLOCKS + n_sets // 4 + 1
    words = np.empty(4 * n_blocks, dtype=np.uint32)
    at, block, taken = words.size, 0, 0
    for node in order:
        if at + copies[node] > words.size:
            fill_words(words, n_blocks, block, 0, 0, k0, k1)
            block += n_blocks
            at = 0
        taken, at = deal_node(ring, taken, copies[node], words, at, chosen)
        for i in range(copies[node]):
            held[chosen[i], node] = True
    return held
