"""The Louvain method, its loops compiled."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..kernels.louvain import move_nodes

# growth of modularity for which another pass, or another level, is worth it
LEAST = np.float32(1e-3)


def find_groups(
    adjacency: sp.csr_array, order: NDArray[np.intp], resolution: float
) -> NDArray[np.intp]:
    """Find groups of high modularity.

    Nodes move one after the other into the group of a neighbor; then each group becomes a node,
    until modularity hardly grows. Sums are in single precision and in the order in which
    scikit-network 0.33 computes them, so the groups are the same as those of its `Louvain`.

    Parameters
    ----------
    adjacency : csr_array of float, shape (n_nodes, n_nodes)
        Symmetric weights, with at least one link.
    order : ndarray of int, shape (n_nodes,)
        In which nodes move.
    resolution : float
        Above 1 for smaller groups.

    Returns
    -------
    ndarray of int, shape (n_nodes,)
        Group of each node.

    Examples
    --------
    >>> links = sp.csr_array(np.array([[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 1], [0, 0, 1, 0.0]]))
    >>> find_groups(links, np.array([2, 3, 1, 0]), 1.0).tolist()
    [1, 1, 0, 0]
    """
    n = adjacency.shape[0]
    degree = (adjacency @ np.ones(n))[order]
    share = degree / degree.sum()
    links = _in_order(adjacency, order)
    links.data *= 2  # both directions
    links.data *= 1 / links.data.sum()
    group = np.arange(n)
    while True:
        moved, gain = _moved(links, share, resolution)
        numbers = np.unique(moved, return_inverse=True)[1].astype(np.int32)
        group = numbers[group]
        k, size = int(numbers.max()) + 1, numbers.size
        if k == 1 or gain <= LEAST:
            break
        starts = np.arange(size + 1, dtype=np.int32)
        members = sp.csr_array((np.ones(size, dtype=bool), numbers, starts), shape=(size, k))
        links, share = members.T.tocsr() @ (links @ members), members.T @ share
    found = np.empty(n, dtype=np.intp)
    found[order] = group
    return found


def _in_order(adjacency: sp.csr_array, order: NDArray[np.intp]) -> sp.csr_array:
    """Put node `order[i]` in place i, each row's columns ascending.

    The matrix is its own transpose, so its columns, which conversion sorts, are its rows.
    """
    place = np.empty(order.size, dtype=np.int32)
    place[order] = np.arange(order.size, dtype=np.int32)
    rows = adjacency[order]
    rows.indices, rows.data = place[rows.indices], rows.data.astype(np.float64, copy=False)
    return rows.tocsc().T


def _moved(
    links: sp.csr_array, share: NDArray[np.float64], resolution: float
) -> tuple[NDArray[np.int32], np.float32]:
    """Move nodes; return their groups, and what modularity has grown by."""
    group = np.arange(links.shape[0], dtype=np.int32)
    single = share.astype(np.float32)
    gain = move_nodes(
        links.indptr,
        links.indices,
        links.data.astype(np.float32),
        links.diagonal().astype(np.float32),
        single,
        single.copy(),
        np.float32(resolution),
        LEAST,
        np.zeros_like(single),
        np.empty_like(group),
        group,
    )
    return group, gain
