"""The targets that a model of numbers learns from."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError
from ..core.option_names import COLUMN, option
from ..network.network import Network
from .nodes import check_nodes


def training_targets(who: str, network: Network, train: NDArray[np.intp]) -> NDArray[np.float64]:
    if network.targets is None:
        raise InputError(
            f"{who} predicts numbers, and the network has no numeric target; name a column of "
            f"numbers with {option('target', COLUMN)}, or give Network(targets=...)"
        )
    check_nodes(who, network, train)
    known = network.targets[train]
    if known.size == 0 or np.isnan(known).any():
        raise InputError(
            expected="at least one training node, and a target for each",
            got=f"{known.size}, {np.count_nonzero(np.isnan(known))} of them without a target",
            where=who,
        )
    return known
