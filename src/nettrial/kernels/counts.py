"""Links added up by node and by class."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def count_classes(indptr, indices, weights, labels, n_classes):
    """Add up the links between labelled nodes, shape (class of source, class of target)."""
    total = np.zeros((n_classes, n_classes))
    for i in range(labels.size):
        if labels[i] >= 0:
            for link in range(indptr[i], indptr[i + 1]):
                other = labels[indices[link]]
                if other >= 0:
                    total[labels[i], other] += 1.0 if weights is None else weights[link]
    return total


@njit(nogil=True, cache=True)
def count_neighbours(indptr, indices, weights, labels, n_classes):
    """Add up each labelled node's links to labelled nodes, shape (n_nodes, n_classes)."""
    total = np.zeros((labels.size, n_classes))
    for i in range(labels.size):
        if labels[i] >= 0:
            for link in range(indptr[i], indptr[i + 1]):
                other = labels[indices[link]]
                if other >= 0:
                    total[i, other] += 1.0 if weights is None else weights[link]
    return total


@njit(nogil=True, cache=True)
def scales(indptr, weights):
    """Give 1 / the sum of each node's link weights, 1 for nodes without links."""
    out = np.ones(indptr.size - 1, dtype=np.float32)
    for i in range(out.size):
        total = 0.0
        for link in range(indptr[i], indptr[i + 1]):
            total += 1.0 if weights is None else weights[link]
        if total > 0:
            out[i] = 1 / total
    return out
