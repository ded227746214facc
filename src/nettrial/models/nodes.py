"""Nodes that a model is handed must be nodes of the network, and labels be of its nodes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, shown
from ..network.network import Network
from ..network.node_values import MISSING


def for_more_nodes(labels: NDArray[np.int32], network: Network) -> NDArray[np.int32]:
    """Return the labels of a fit for a network of more nodes, whose first are those of the fit.

    Examples
    --------
    >>> net = Network([0, 1], [1, 2], n_nodes=3, labels=["a", "b", None])
    >>> for_more_nodes(np.array([0, 1]), net).tolist()
    [0, 1, -1]
    """
    more = network.n_nodes - labels.size
    known = labels != MISSING
    if more <= 0 or not np.array_equal(network.labels[: labels.size][known], labels[known]):
        return labels
    return np.pad(labels, (0, more), constant_values=MISSING)


def check_nodes(who: str, network: Network, nodes: NDArray[np.intp]) -> None:
    """Refuse what are no indices of nodes, nor a mask of all: compiled loops would not notice.

    Examples
    --------
    >>> net = Network([0], [1], n_nodes=3)
    >>> check_nodes("prior", net, np.array([0, 2]))
    >>> check_nodes("prior", net, np.array([3]))
    Traceback (most recent call last):
    nettrial.InputError: prior: expected nodes from 0 to 2, got [3]
    """
    array, n = np.asarray(nodes), network.n_nodes
    if array.dtype == bool:
        sound = array.shape == (n,)
    else:
        sound = array.ndim == 1 and (array.size == 0 or 0 <= array.min() <= array.max() < n)
    if not sound:
        raise InputError(expected=f"nodes from 0 to {n - 1}", got=shown(array.tolist()), where=who)
