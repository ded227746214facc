"""Nodes that a model is handed must be nodes of the network."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, shown
from ..network.network import Network


def check_nodes(who: str, network: Network, nodes: NDArray[np.intp]) -> None:
    """Refuse what are no indices of nodes, nor a mask of all: compiled loops would not notice.

    Raises
    ------
    InputError

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
