"""Links added up by node and by class."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .compiled import kernel
from .lanes import pointer

PART = 4096  # nodes that are added up at once


@kernel
def add_links(indptr, indices, weights, labels, n_classes, by_node, total):
    """Add the links between labeled nodes to ``total[row, class of target]``.

    Rows are nodes where `by_node` holds, else the classes of the sources.
    """
    n = labels.size
    indptr, indices, worth = pointer(indptr), pointer(indices), pointer(weights)
    labels, total = pointer(labels), pointer(total)
    for i in range(n):
        if labels[i] >= 0:
            row = (i if by_node else np.int64(labels[i])) * n_classes
            for link in range(indptr[i], indptr[i + 1]):
                other = labels[indices[link]]
                if other >= 0:
                    total[row + other] += 1.0 if weights is None else worth[link]


def _added(
    indptr: NDArray[Any],
    indices: NDArray[Any],
    weights: NDArray[Any] | None,
    labels: NDArray[np.int32],
    n_classes: int,
    by_node: bool,
) -> NDArray[np.float64]:
    total = np.zeros((labels.size if by_node else n_classes, n_classes))
    add_links(indptr, indices, weights, labels, n_classes, by_node, total.ravel())
    return total


def count_classes(
    indptr: NDArray[Any],
    indices: NDArray[Any],
    weights: NDArray[Any] | None,
    labels: NDArray[np.int32],
    n_classes: int,
) -> NDArray[np.float64]:
    """Add up the links between labeled nodes, shape (class of source, class of target)."""
    return _added(indptr, indices, weights, labels, n_classes, False)


def count_neighbors(
    indptr: NDArray[Any],
    indices: NDArray[Any],
    weights: NDArray[Any] | None,
    labels: NDArray[np.int32],
    n_classes: int,
) -> NDArray[np.float64]:
    """Add up each labeled node's links to labeled nodes, shape (n_nodes, n_classes)."""
    return _added(indptr, indices, weights, labels, n_classes, True)


def scales(indptr: NDArray[Any], weights: NDArray[Any] | None) -> NDArray[np.float32]:
    """Return 1 / the sum of each node's link weights, 1 for nodes without links."""
    n = indptr.size - 1
    out = np.ones(n, dtype=np.float32)
    for begin in range(0, n, PART):
        ends = indptr[begin : begin + PART + 1]
        lengths = np.diff(ends)
        total = lengths.astype(float)
        if weights is not None:
            row = np.repeat(np.arange(lengths.size), lengths)
            total = np.bincount(row, weights[ends[0] : ends[-1]], minlength=lengths.size)
        part = out[begin : begin + PART]
        np.divide(1.0, total, out=part, where=total > 0, casting="same_kind")
    return out
