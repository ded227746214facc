"""What the labelled nodes of each label set tell before any classifier is at work."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import breadth_first_order, connected_components

from ..errors import InputError
from ..network import Direction, Network
from ..network_parts import MISSING, Neighbours

OPPOSITE: dict[Direction, Direction] = {"out": "in", "in": "out", "both": "both"}


class Evidence(NamedTuple):
    """Label sets of one network.

    `labels` has the shape (n_sets, n_nodes); `prior` (n_sets, n_classes) holds the class shares
    of the labelled nodes; `fixed` (n_sets, n_nodes) marks the nodes that inference leaves
    alone: labelled ones, and those that no labelled node can reach, which keep the prior.
    """

    links: Neighbours
    labels: NDArray[np.int32]
    prior: NDArray[np.float64]
    fixed: NDArray[np.bool_]

    @property
    def n_classes(self) -> int:
        return int(self.prior.shape[1])


def gather_evidence(
    network: Network, labels: NDArray[np.int32], direction: Direction, model: str
) -> Evidence:
    """Check label sets and find the prior and the nodes that stay fixed."""
    if labels.ndim != 2 or labels.shape[1] != network.n_nodes:
        raise InputError(
            f"{model}: received labels of shape {labels.shape}, needed is one column for each of "
            f"the network's {network.n_nodes} nodes"
        )
    if network.n_classes == 0:
        raise InputError(f"{model}: the network has no classes; give it labels first")
    if labels.size and not MISSING <= labels.min() <= labels.max() < network.n_classes:
        raise InputError(
            f"{model}: received label codes from {labels.min()} to {labels.max()}, allowed are "
            f"-1 (hidden) to {network.n_classes - 1}"
        )
    counts = np.array(
        [np.bincount(row[row != MISSING], minlength=network.n_classes) for row in labels]
    ).reshape(len(labels), network.n_classes)
    empty = np.flatnonzero(counts.sum(axis=1) == 0)
    if empty.size:
        raise InputError(
            f"{model}: label set {empty[0]} has no labelled node; at least one is needed"
        )
    prior = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    reached = reachable(network, labels != MISSING, direction)
    fixed = (labels != MISSING) | ~reached
    return Evidence(network.neighbours(direction), labels, prior, fixed)


def reachable(
    network: Network, labelled: NDArray[np.bool_], direction: Direction
) -> NDArray[np.bool_]:
    """Mark the nodes from which a chain of links leads to a labelled node, one row a set."""
    n = network.n_nodes
    if not network.directed or direction == "both":
        component = network.derive(
            "components", lambda: connected_components(network.adjacency("both"))[1]
        )
        known = np.zeros((len(labelled), int(component.max(initial=-1)) + 1), dtype=bool)
        for row, mask in zip(known, labelled):
            row[component[mask]] = True
        return np.asarray(known[:, component])
    reverse = network.adjacency(OPPOSITE[direction])
    found = np.zeros_like(labelled)
    for row, mask in zip(found, labelled):
        row[_spread(reverse, np.flatnonzero(mask), n)] = True
    return found


def _spread(matrix: sp.csr_array, start: NDArray[np.intp], n: int) -> NDArray[np.intp]:
    # a further node with links to all starting nodes makes one search of many
    hub = sp.csr_array((np.ones(start.size), start, [0, start.size]), shape=(1, n))
    square = sp.block_array([[matrix, None], [hub, sp.csr_array((1, 1))]], format="csr")
    order = breadth_first_order(square, n, return_predecessors=False)
    return np.asarray(order[order != n])


def start(evidence: Evidence, row: int) -> NDArray[np.float32]:
    """Give the first class probabilities of one set: labels where known, else the prior."""
    labels = evidence.labels[row]
    proba = np.tile(evidence.prior[row].astype(np.float32), (labels.size, 1))
    known = np.flatnonzero(labels != MISSING)
    proba[known] = 0
    proba[known, labels[known]] = 1
    return proba
