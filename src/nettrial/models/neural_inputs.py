"""What a neural network on nodes is given: features, and the links as matrices to propagate by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..core.errors import AssumptionWarning, warn_user
from ..kernels import layers as kernels
from ..network.network import Network
from .node_tables import averaging, check_finite, no_features, scaled

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Matrix:
    """A sparse matrix in the types of the compiled loops.

    A `full` one has no zeros, and its columns, 0 to n_columns - 1, once for all rows.
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    values: Floats
    n_columns: int
    full: bool = False

    @classmethod
    def of(cls, matrix: Any) -> Matrix:
        """Take over a matrix, dense or sparse."""
        if not sp.issparse(matrix):
            return cls._of_dense(np.ascontiguousarray(matrix, dtype=np.float32))
        rows = sp.csr_array(matrix)
        return cls(
            rows.indptr.astype(np.int64),
            rows.indices.astype(np.int32),
            rows.data.astype(np.float32),
            rows.shape[1],
        )

    @classmethod
    def _of_dense(cls, table: Floats) -> Matrix:
        columns, filled = np.arange(table.shape[1], dtype=np.int32), table != 0
        indptr = np.concatenate([[0], np.cumsum(np.count_nonzero(filled, axis=1))])
        if indptr[-1] == table.size:
            return cls(indptr, columns, table.ravel(), columns.size, full=True)
        return cls(
            indptr, np.broadcast_to(columns, table.shape)[filled], table[filled], columns.size
        )

    @property
    def n_rows(self) -> int:
        return self.indptr.size - 1

    @property
    def row_sizes(self) -> NDArray[np.int64]:
        return np.diff(self.indptr)

    def rows(self, chosen: NDArray[np.intp]) -> Matrix:
        """Return some of the rows, their entries in the same order."""
        counts = self.row_sizes[chosen]
        indptr = np.concatenate([[0], np.cumsum(counts)])
        places = np.repeat(self.indptr[chosen] - indptr[:-1], counts) + np.arange(indptr[-1])
        indices = self.indices if self.full else self.indices[places]
        return Matrix(indptr, indices, self.values[places], self.n_columns, self.full)

    def seen_from(self, nodes: NDArray[np.intp]) -> tuple[Matrix, NDArray[np.intp]]:
        """Return the rows of some nodes and the nodes that they refer to, now numbered in order.

        Where there are several columns per node, they lie side by side.
        """
        parts = self.n_columns // self.n_rows
        some = self.rows(nodes)
        owner, part = np.divmod(some.indices, parts)
        marked = np.zeros(self.n_rows, dtype=np.bool_)
        marked[owner] = True
        number = np.cumsum(marked) - 1
        found = np.flatnonzero(marked)
        indices = (number[owner] * parts + part).astype(np.int32)
        return Matrix(some.indptr, indices, some.values, found.size * parts), found

    def times(self, table: Floats, width: int, out: Floats) -> Floats:
        kernels.product(out, self.indptr, self.indices, self.values, table, width)
        return out

    def transposed_times(self, table: Floats, width: int, out: Floats) -> Floats:
        kernels.product_transposed(out, self.indptr, self.indices, self.values, table, width)
        return out


def features(network: Network, who: str, *, needs_them: bool, note: bool) -> Matrix:
    """Return the scaled features, or a column for each node where there are none.

    Warns
    -----
    AssumptionWarning
        Where there are none.
    """
    if network.features is None:
        if needs_them:
            raise no_features(
                network, who, "take a model that learns from links, such as wvrn or gcn"
            )
        if note:
            warn_user(
                AssumptionWarning(
                    f"{who}: the network has no features; it sees one column for each node"
                )
            )
        return Matrix.of(sp.eye_array(network.n_nodes, format="csr"))

    def compute() -> Matrix:
        check_finite(network.features, who)
        return Matrix.of(scaled(network.features))

    return network.cached("scaled features", compute)


def undirected(network: Network) -> sp.csr_array:
    """Return the links without direction and each linked pair once.

    Where two directed links join a pair, the larger of their weights counts, so that links without
    weights count 1 as after PyTorch Geometric's `to_undirected`.

    Examples
    --------
    >>> net = Network([0, 1, 1], [1, 0, 2], n_nodes=3, labels=["a", "b", "b"], directed=True)
    >>> undirected(net).toarray().tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    """
    if not network.directed:
        return network.adjacency()
    out = network.adjacency("out")
    return sp.csr_array(out.maximum(out.T.tocsr()))


def symmetric(network: Network) -> Matrix:
    """Return D^(-1/2) (A + I) D^(-1/2), D being the row sums of A + I."""

    def compute() -> Matrix:
        links = sp.csr_array(undirected(network) + sp.eye_array(network.n_nodes, format="csr"))
        scale = sp.diags_array(1 / np.sqrt(links.sum(axis=1)))
        return Matrix.of(scale @ links @ scale)

    return network.cached("symmetric links", compute)


def own_and_mean(network: Network) -> Matrix:
    """Return the matrix that adds to a node's own row the mean of its neighbors' other rows.

    Column 2 j stands for what node j tells its neighbors, column 2 j + 1 for what it keeps.
    """

    def compute() -> Matrix:
        mean = averaging(undirected(network)).tocoo()
        nodes = np.arange(network.n_nodes)
        rows = np.concatenate([mean.row, nodes])
        columns = np.concatenate([2 * mean.col.astype(np.int64), 2 * nodes + 1])
        values = np.concatenate([mean.data, np.ones(nodes.size)])
        return Matrix.of(sp.coo_array((values, (rows, columns)), (nodes.size, 2 * nodes.size)))

    return network.cached("own and mean of neighbors", compute)
