"""Sums over links and communities for many splits at once.

`errors` has the shape (n_splits, n_nodes): 1 where a test node is misclassified, 0 where it is
right, negative where the node is not in the test set. Each split is computed on its own, in the
order of the links, so that the result has the same bits for any number of threads.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .lanes import add, equal, fma, lane_kernel, pointer, prefetch_far, splat, store
from .neighbor_sums import INSIDE
from .packing import LANES
from .threads import each

RIGHT, WRONG, UNTESTED = 0, 1, 2
FAR = 32  # links between asking for a row and its use
EXACT = 2**23  # links that float32 counts exactly
F = np.float32


def by_node(errors: NDArray[np.int8], first: int, stop: int) -> NDArray[np.uint8]:
    """Turn splits first to stop into rows of nodes, a byte a split."""
    block = errors[first:stop].T
    out = np.full((errors.shape[1], LANES), UNTESTED, dtype=np.uint8)
    out[:, : stop - first] = np.where(block < 0, UNTESTED, block > 0)
    return out.ravel()


@njit(**INSIDE)
def neighbors_by_error(rows, indices, link, stop, size):
    """Count the neighbors of a node that are wrong, and those that are right, in each split."""
    wrong, right = splat(F(0)), splat(F(0))
    far = min(FAR, size - stop)
    while link < stop:
        prefetch_far(rows, np.int64(indices[link + far]) * LANES)
        place = np.int64(indices[link]) * LANES
        wrong = add(wrong, equal(rows, place, WRONG))
        right = add(right, equal(rows, place, RIGHT))
        link += 1
    return wrong, right


@lane_kernel
def pairs_of_part(rows, indptr, indices, node, first, stop, counts):
    """Count the directed linked test pairs by the two errors, of the links from first to stop.

    `node` is the one that link `first` belongs to.
    """
    size = indices.size
    rows, indptr, indices = pointer(rows), pointer(indptr), pointer(indices)
    n11, n10, n01, n00 = splat(F(0)), splat(F(0)), splat(F(0)), splat(F(0))
    while first < stop:
        end = min(indptr[node + 1], stop)
        wrong, right = neighbors_by_error(rows, indices, first, end, size)
        own = equal(rows, node * LANES, WRONG)
        n11, n10 = fma(own, wrong, n11), fma(own, right, n10)
        own = equal(rows, node * LANES, RIGHT)
        n01, n00 = fma(own, wrong, n01), fma(own, right, n00)
        node, first = node + 1, end
    store(counts, 0, n11)
    store(counts, LANES, n10)
    store(counts, 2 * LANES, n01)
    store(counts, 3 * LANES, n00)


def pairs_in_block(
    rows: NDArray[np.uint8], indptr: NDArray[np.int64], indices: NDArray[np.int32]
) -> NDArray[np.int64]:
    """Count pairs in parts whose links float32 counts exactly; shape (LANES, 4)."""
    total = np.zeros((4, LANES), dtype=np.int64)
    counts = np.zeros(4 * LANES, dtype=np.float32)
    for first in range(0, indices.size, EXACT):
        node = int(np.searchsorted(indptr, first, side="right")) - 1
        stop = min(first + EXACT, indices.size)
        pairs_of_part(rows, indptr, indices, node, first, stop, counts)
        total += counts.reshape(4, LANES).astype(np.int64)
    return total.T


def link_contingency(
    errors: NDArray[np.int8], indptr: NDArray[np.int64], indices: NDArray[np.int32]
) -> NDArray[np.int64]:
    """Count the directed links with both ends in the test set by the errors of their ends.

    Parameters
    ----------
    errors : ndarray, shape (n_splits, n_nodes)
        1 wrong, 0 right, negative not tested.
    indptr, indices : ndarray
        Neighbors of each node as compressed rows, each undirected link in both directions.

    Returns
    -------
    ndarray of int, shape (n_splits, 4)
        n11, n10, n01 and n00: source and target wrong, source only, target only, none.
    """
    n_splits = errors.shape[0]
    out = np.zeros((n_splits, 4), dtype=np.int64)

    def block(first: int) -> None:
        stop = min(first + LANES, n_splits)
        rows = by_node(errors, first, stop)
        out[first:stop] = pairs_in_block(rows, indptr, indices)[: stop - first]

    each(block, range(0, n_splits, LANES))
    return out


def phi(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the phi coefficient of each row n11, n10, n01, n00; NaN where an error is constant.

    phi = (n11 n00 - n10 n01) / sqrt of the product of the four margins.

    Examples
    --------
    >>> phi(np.array([[2, 0, 0, 3], [1, 1, 1, 1], [0, 0, 0, 5]])).tolist()
    [1.0, 0.0, nan]
    """
    n11, n10, n01, n00 = counts.astype(float).T
    margins = (n11 + n10) * (n01 + n00) * (n11 + n01) * (n10 + n00)
    above = n11 * n00 - n10 * n01
    known = margins > 0
    out = np.full(above.shape, np.nan)
    np.divide(above, np.sqrt(margins), where=known, out=out)
    return out


def error_phi(
    errors: NDArray[np.int8], indptr: NDArray[np.int64], indices: NDArray[np.int32]
) -> NDArray[np.float64]:
    """Return phi of the errors over the directed linked test pairs of each split."""
    return phi(link_contingency(errors, indptr, indices))
