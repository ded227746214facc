"""Training nodes that are set aside to choose by: when to stop, or which settings to take."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, shown
from ..network.network import Network
from ..network.node_values import MISSING
from .nodes import check_nodes


def set_aside(
    who: str, network: Network, train: NDArray[np.intp], share: float, seed: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Divide training nodes at random: to fit on, and to choose by.

    One node of each class stays with those to fit on.

    Examples
    --------
    >>> net = Network([0], [1], n_nodes=6, labels=list("aaabbb"))
    >>> fitted, choosing = set_aside("model", net, np.arange(6), 0.5, seed=1)
    >>> len(fitted), len(choosing)
    (3, 3)
    """
    if not 0 <= share < 1:
        raise InputError(
            parameter="validation", expected="a share in [0, 1)", got=shown(share), where=who
        )
    check_nodes(who, network, train)
    if len(train) == 0:
        raise InputError(expected="at least one training node", got="none", where=who)
    bare = np.count_nonzero(network.labels[train] == MISSING)
    if bare:
        raise InputError(
            f"{who}: {bare:,} of {len(train):,} training nodes have no label; each needs one"
        )
    order = np.random.default_rng(seed).permutation(train)
    first = np.unique(network.labels[order], return_index=True)[1]
    spare = np.delete(order, first)
    choosing = spare[: min(spare.size, round(share * order.size))]
    return np.setdiff1d(train, choosing), np.sort(choosing)
