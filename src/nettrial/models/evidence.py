"""What the labeled nodes of each label set tell before any classifier is at work."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..core.errors import InputError
from ..network.link_arrays import Neighbors
from ..network.network import Direction, Network
from ..network.node_values import MISSING
from ..network.summary import components

SORTED = 5_000  # nodes from which relaxation works in an order of its own: by number of links,
REORDERED = 200_000  # and by groups of neighbors where there are any
COPIED = 2**29  # stored links up to which they are copied for that; more may not fit into memory
OPPOSITE: dict[Direction, Direction] = {"out": "in", "in": "out", "both": "both"}


class Evidence:
    """Label sets of one network, checked.

    Attributes
    ----------
    labels : ndarray of int, shape (n_sets, n_nodes)
        Class codes, -1 where hidden.
    prior : ndarray of float, shape (n_sets, n_classes)
        Class shares of the labeled nodes.
    guess : ndarray of float, shape (n_sets, 1 or n_nodes, n_classes)
        What is said of a node before, and without, relational evidence: the prior, or the
        probabilities of a local classifier.
    lost : ndarray of bool, shape (n_sets, n_nodes)
        Unlabeled nodes from which no chain of links leads to a labeled one; they keep the guess.
    """

    def __init__(
        self, network: Network, labels: NDArray[np.int32], direction: Direction, model: str
    ) -> None:
        check_labels(network, labels, model)
        counts = np.zeros((len(labels), network.n_classes))
        for row, codes in zip(counts, labels):
            row[:] = np.bincount(codes[codes != MISSING], minlength=row.size)
        empty = np.flatnonzero(counts.sum(axis=1) == 0)
        if empty.size:
            raise InputError(
                f"{model}: label set {empty[0]} has no labeled node; expected at least one"
            )
        self.network, self.direction = network, direction
        self.labels = labels
        self.prior = counts / counts.sum(axis=1, keepdims=True)
        self.guess = self.prior.astype(np.float32)[:, None, :]
        self.lost = reachable(network, labels != MISSING, direction)
        np.logical_not(self.lost, out=self.lost)

    @property
    def n_classes(self) -> int:
        return int(self.prior.shape[1])

    @property
    def links(self) -> Neighbors:
        """The links in the network's own order of the nodes."""
        return self.network.neighbors(self.direction)

    @cached_property
    def order(self) -> NDArray[np.int32] | None:
        """Order of the nodes in which `ordered_links` are stored, None for the network's own.

        Neighboring nodes lie near each other in memory, and nodes with equally many links follow
        each other, so that the processor foresees where a node's links end.
        """
        n = self.network.n_nodes
        if n < min(SORTED, REORDERED):
            return None
        from ..kernels.reorder import by_degree, local_order

        def compute() -> NDArray[np.int32] | None:
            links = self.links
            if links.indices.size > COPIED:
                return None
            order: NDArray[np.int32] | None = np.arange(n, dtype=np.int32)
            if n >= REORDERED:
                order = local_order(links.indptr, links.indices)
            return None if order is None else by_degree(links.indptr, order)

        return self.network.cached(("local order", self.direction), compute)

    @property
    def ordered_links(self) -> Neighbors:
        """The links in the order in which large networks are faster to sweep."""
        if self.order is None:
            return self.links
        return self.network.stored_links(self.direction).in_order(self.order)

    @cached_property
    def scale(self) -> NDArray[np.float32]:
        """1 / the sum of the weights of each node's links; 1 for nodes without any."""
        from ..kernels.counts import scales

        return np.asarray(scales(self.ordered_links.indptr, self.ordered_links.weights))


def check_labels(network: Network, labels: NDArray[np.int32], model: str) -> None:
    if labels.ndim != 2 or labels.shape[1] != network.n_nodes:
        raise InputError(
            parameter="labels",
            expected=f"one column for each of the network's {network.n_nodes} nodes",
            got=f"shape {labels.shape}",
            where=model,
        )
    if network.n_classes == 0:
        raise InputError(f"{model}: the network has no classes; give it labels first")
    if labels.size and not MISSING <= labels.min() <= labels.max() < network.n_classes:
        raise InputError(
            parameter="labels",
            expected=f"codes from -1 (hidden) to {network.n_classes - 1}",
            got=f"{labels.min()} to {labels.max()}",
            where=model,
        )


def clamp(proba: NDArray[np.float32], labels: NDArray[np.int32]) -> None:
    """Set the labeled nodes of one set to their label's probabilities."""
    known = np.flatnonzero(labels != MISSING)
    proba[known] = 0
    proba[known, labels[known]] = 1


def reachable(
    network: Network, labeled: NDArray[np.bool_], direction: Direction
) -> NDArray[np.bool_]:
    """Mark the nodes from which a chain of links leads to a labeled node, one row per set."""
    if not network.directed or direction == "both":
        component = components(network)
        known = np.zeros((len(labeled), int(component.max(initial=-1)) + 1), dtype=bool)
        for row, mask in zip(known, labeled):
            row[component[mask]] = True
        return np.asarray(known[:, component])
    reverse = network.adjacency(OPPOSITE[direction])
    found = np.zeros_like(labeled)
    for row, mask in zip(found, labeled):
        row[_spread(reverse, np.flatnonzero(mask))] = True
    return found


def _spread(matrix: sp.csr_array, start: NDArray[np.intp]) -> NDArray[np.intp]:
    # a further node with links to all starting nodes makes one search of many
    from scipy.sparse.csgraph import breadth_first_order  # slow to import

    n = matrix.shape[0]
    hub = sp.csr_array((np.ones(start.size), start, [0, start.size]), shape=(1, n))
    square = sp.block_array([[matrix, None], [hub, sp.csr_array((1, 1))]], format="csr")
    order = breadth_first_order(square, n, return_predecessors=False)
    return np.asarray(order[order != n])
