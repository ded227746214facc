"""Models that predict the same."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from ..comparison.label_predictions import LabelPredictions
from ..study.node_study import Predictions

AnyPredictions: TypeAlias = Predictions | LabelPredictions


def same_predictions(found: AnyPredictions, first: str, second: str) -> bool:
    """Return whether two models predict the same, to the last bit, wherever they are tested.

    Examples
    --------
    >>> import nettrial
    >>> net = nettrial.latent_group_network(60, seed=1)
    >>> found = nettrial.compare(net, "prior", "wvrn", n_splits=2, test="network_hac").predictions
    >>> same_predictions(found, "prior", "prior"), same_predictions(found, "prior", "wvrn")
    (True, False)
    """
    if isinstance(found, LabelPredictions):
        return all(same_predictions(one, first, second) for one in found.by_label.values())
    for run in found.runs:
        values = run.probabilities
        if not all(map(np.array_equal, values[first], values[second])):
            return False
    return True
