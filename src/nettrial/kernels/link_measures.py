"""Sums over links and communities for many splits at once.

`errors` has the shape (n_splits, n_nodes): 1 where a test node is misclassified, 0 where it is
right, negative where the node is not in the test set. Each split is computed on its own, in the
order of the links, so that the result has the same bits for any number of threads.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .threads import each

OPTIONS = {"nogil": True, "cache": True, "error_model": "numpy"}
LINES = 32  # splits that are held together, one byte each


@njit(**OPTIONS)
def by_node(errors, first, stop):
    """Turn splits first to stop into rows of nodes: 0 right, 1 wrong, 2 not tested."""
    out = np.full((errors.shape[1], LINES), 2, dtype=np.uint8)
    for s in range(first, stop):
        for i in range(errors.shape[1]):
            if errors[s, i] >= 0:
                out[i, s - first] = 1 if errors[s, i] > 0 else 0
    return out


@njit(**OPTIONS)
def pairs_in_block(rows, indptr, indices, n_splits, out):
    """Count directed linked test pairs by the two errors."""
    wrong_wrong = np.zeros(LINES, dtype=np.int64)
    wrong_right = np.zeros(LINES, dtype=np.int64)
    right_wrong = np.zeros(LINES, dtype=np.int64)
    all_pairs = np.zeros(LINES, dtype=np.int64)
    for i in range(rows.shape[0]):
        for link in range(indptr[i], indptr[i + 1]):
            j = np.int64(indices[link])
            for s in range(LINES):
                a, b = rows[i, s], rows[j, s]
                both = np.int64(a < 2) & np.int64(b < 2)
                all_pairs[s] += both
                wrong_wrong[s] += np.int64(a == 1) & np.int64(b == 1)
                wrong_right[s] += np.int64(a == 1) & np.int64(b == 0)
                right_wrong[s] += np.int64(a == 0) & np.int64(b == 1)
    for s in range(n_splits):
        out[s, 0] = wrong_wrong[s]
        out[s, 1] = wrong_right[s]
        out[s, 2] = right_wrong[s]
        out[s, 3] = all_pairs[s] - wrong_wrong[s] - wrong_right[s] - right_wrong[s]


def link_contingency(errors: NDArray[np.int8], indptr: NDArray[np.int64],
                     indices: NDArray[np.int32]) -> NDArray[np.int64]:  # fmt: skip
    """Count the directed links with both ends in the test set by the errors of their ends.

    Parameters
    ----------
    errors : ndarray, shape (n_splits, n_nodes)
        1 wrong, 0 right, negative not tested.
    indptr, indices : ndarray
        Neighbours of each node as compressed rows, each undirected link in both directions.

    Returns
    -------
    ndarray of int, shape (n_splits, 4)
        n11, n10, n01 and n00: source and target wrong, source only, target only, none.
    """
    n_splits = errors.shape[0]
    out = np.zeros((n_splits, 4), dtype=np.int64)

    def block(first: int) -> None:
        stop = min(first + LINES, n_splits)
        rows = by_node(errors, first, stop)
        pairs_in_block(rows, indptr, indices, stop - first, out[first:stop])

    each(block, range(0, n_splits, LINES))
    return out


def phi(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Give the phi coefficient of each row n11, n10, n01, n00; NaN where an error is constant.

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


def error_phi(errors: NDArray[np.int8], indptr: NDArray[np.int64],
              indices: NDArray[np.int32]) -> NDArray[np.float64]:  # fmt: skip
    """Give phi of the errors over the directed linked test pairs of each split."""
    return phi(link_contingency(errors, indptr, indices))


def linked_test_pairs(errors: NDArray[np.int8], indptr: NDArray[np.int64],
                      indices: NDArray[np.int32]) -> NDArray[np.int64]:  # fmt: skip
    """Give |L| of each split: directed links with both ends in the test set."""
    return np.asarray(link_contingency(errors, indptr, indices).sum(axis=1))


@njit(**OPTIONS)
def community_sums(values: NDArray[np.float64], tested: NDArray[np.bool_],
                   community: NDArray[np.int32], n_communities: int
                   ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:  # fmt: skip
    """Add up a value of the test nodes by community, for every split.

    Parameters
    ----------
    values, tested : ndarray, shape (n_splits, n_nodes)
        For example the difference of two models' errors, and the test sets.
    community : ndarray of int, shape (n_nodes,)
        Codes below `n_communities`; nodes with a negative code are left out.

    Returns
    -------
    sums, counts : ndarray, shape (n_splits, n_communities)
    """
    n_splits, n = values.shape
    sums = np.zeros((n_splits, n_communities))
    counts = np.zeros((n_splits, n_communities), dtype=np.int64)
    for s in range(n_splits):
        for i in range(n):
            if tested[s, i] and community[i] >= 0:
                sums[s, community[i]] += values[s, i]
                counts[s, community[i]] += 1
    return sums, counts
