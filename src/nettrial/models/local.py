"""A classifier on node features says what is known of a node before its neighbors are asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, shown
from ..network.network import Network
from ..network.node_values import MISSING


def local_guess(
    local: Any, network: Network, labels: NDArray[np.int32], seeds: Sequence[int]
) -> NDArray[np.float32]:
    """Fit a copy of a scikit-learn classifier to each label set and ask it about all nodes.

    Returns
    -------
    ndarray of float, shape (n_sets, n_nodes, n_classes)
    """
    from sklearn.base import clone

    if network.features is None:
        raise InputError(
            "the network has no node features for the local classifier", parameter="local"
        )
    if not hasattr(local, "predict_proba"):
        raise InputError(
            parameter="local",
            expected="a scikit-learn classifier with predict_proba",
            got=shown(local),
        )
    guess = np.zeros((*labels.shape, network.n_classes), dtype=np.float32)
    for row, codes, seed in zip(guess, labels, seeds):
        train = np.flatnonzero(codes != MISSING)
        found = np.unique(codes[train])
        if found.size == 1:  # most scikit-learn classifiers refuse a single class
            row[:, found[0]] = 1
            continue
        model = clone(local)
        if "random_state" in model.get_params():
            model.set_params(random_state=int(seed) % 2**31)
        features = network.imputed(train).features
        model.fit(features[train], codes[train])
        row[:, model.classes_] = model.predict_proba(features)
    return guess
