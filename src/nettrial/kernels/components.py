"""Connected components without a copy of the links: for networks that lie on disk."""

from __future__ import annotations

import numpy as np
from numba import njit

from .compiled import kernel


@kernel
def connected(indptr, indices):
    """Number the components of rows that hold each link at both ends, by first appearance.

    Union and find with path halving; memory for two integers a node.
    """
    n = indptr.size - 1
    parent = np.arange(n).astype(np.int32)
    for i in range(n):
        a = _root(parent, i)
        for link in range(indptr[i], indptr[i + 1]):
            if indices[link] < i:
                b = _root(parent, indices[link])
                # the smaller number is the root, so that numbers ascend by first appearance
                if b < a:
                    parent[a] = b
                    a = b
                elif a < b:
                    parent[b] = a
    number = np.full(n, -1, dtype=np.int32)
    count = 0
    for i in range(n):
        root = _root(parent, i)
        if number[root] < 0:
            number[root] = count
            count += 1
        number[i] = number[root]
    return number


@njit
def _root(parent, i):
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i
