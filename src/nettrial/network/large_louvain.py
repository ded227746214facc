"""scikit-network's Louvain method with compiled loops for large networks; the same communities."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from sknetwork.clustering import Louvain

from ..kernels.louvain import move_nodes, shuffled

Floats = np.ndarray[Any, np.dtype[np.float64]]


class LargeLouvain(Louvain):  # type: ignore[misc] # scikit-network has no types
    """Louvain for symmetric adjacency matrices.

    scikit-network indexes and adds matrices to shuffle and symmetrize links, and keeps a node's
    neighboring groups in a tree. What it computes is computed here in the same order, so sums
    have the same bits.

    Examples
    --------
    >>> links = sp.csr_matrix(np.array([[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 1], [0, 0, 1, 0]]))
    >>> LargeLouvain(random_state=0).fit_predict(links).tolist()
    [0, 0, 1, 1]
    """

    def _pre_processing(self, matrix: Any, force_bipartite: bool) -> tuple[Any, ...]:
        self._init_vars()
        self.bipartite = False
        n = matrix.shape[0]
        order = np.arange(n)
        if self.shuffle_nodes:
            order = self.random_state.permutation(order)
        degree = (matrix @ np.ones(n))[order]
        share = degree / degree.sum()
        rows, columns, weights = shuffled(
            matrix.indptr, matrix.indices, matrix.data.astype(np.float64, copy=False), order
        )
        weights *= 2  # both directions
        weights *= 1 / weights.sum()
        adjacency = sp.csr_matrix((weights, columns, rows), shape=matrix.shape)
        return adjacency, share, share, sp.identity(n, format="csr"), order

    def _optimize(
        self, labels: Any, adjacency: Any, out_weights: Floats, in_weights: Floats
    ) -> tuple[Any, float]:
        share = out_weights.astype(np.float32)
        group = labels.astype(np.int32)
        increase = move_nodes(
            adjacency.indptr,
            adjacency.indices,
            adjacency.data.astype(np.float32),
            adjacency.diagonal().astype(np.float32),
            share,
            share.copy(),
            np.float32(self.resolution),
            np.float32(self.tol_optimization),
            group,
        )
        return group, increase
