"""Several measures at once, on the means of the communities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from ..core.errors import AssumptionWarning, InputError
from ..inference.scores import Scores
from ..splits.base import Split
from ..stats.manova import manova_test
from ..stats.multivariate import hotelling_paired_test
from ..stats.omnibus import OmnibusResult
from ..study.node_study import Predictions

Floats = NDArray[np.float64]
Loss: TypeAlias = Literal["error", "squared_loss", "log_loss", "squared_error", "absolute_error"]
MULTIVARIATE = AssumptionWarning(
    "the test of several measures takes every community as one equally heavy row, normal with one "
    "covariance matrix: trust it with some tens of communities of similar size (with about 20 of "
    "them and equal models, a Type I error of 3 to 8% instead of 5% was measured)"
)


def are_several(measures: Sequence[Loss]) -> bool:
    """Return whether a joint test of several measures is asked for."""
    if tuple(measures) == ("error",):
        return False
    if len(measures) < 2 or len(set(measures)) < len(measures):
        raise InputError(
            parameter="measures",
            expected=f"two or more different ones of {', '.join(get_args(Loss))}",
            got=f"{', '.join(measures) or 'none'}",
        )
    return True


def check_enough_communities(
    measures: Sequence[Loss],
    n_models: int,
    communities: NDArray[np.int32],
    splits: Sequence[Split],
) -> None:
    """Refuse fewer communities with test nodes than a test of several measures at once needs.

    It has (models - 1) (communities - 1) degrees of freedom for error, and needs one a measure.
    """
    tested = np.unique(np.concatenate([split.test for split in splits]))
    number = np.unique(communities[tested]).size
    needed = 1 + -(-len(measures) // (n_models - 1))
    if number < needed:
        raise InputError(
            f"testing {len(measures)} of them at once on {n_models} models needs at least "
            f"{needed} communities with test nodes, and there are {number}",
            parameter="measures",
            hint="name fewer measures or give a finer partition",
        )


def community_table(
    predictions: Predictions, communities: NDArray[np.int32], measures: Sequence[Loss]
) -> Floats:
    """Return the mean of each measure in each community, (n_models, n_communities, n_measures)."""
    columns = []
    for measure in measures:
        scores = Scores.of(predictions, predictions.task.measure(measure))
        code = np.unique(communities[scores.nodes], return_inverse=True)[1]
        total = np.bincount(code, scores.weights)
        columns.append([np.bincount(code, row * scores.weights) / total for row in scores.means])
    return np.moveaxis(np.array(columns), 0, -1)


def multivariate_test(
    predictions: Predictions,
    communities: NDArray[np.int32],
    measures: Sequence[Loss],
    confidence: float,
) -> OmnibusResult:
    """Test several measures at once: Hotelling's T2 for two models, Pillai's trace for more."""
    table = community_table(predictions, communities, measures)
    n_models, n_groups, _ = table.shape
    if n_models == 2:
        return hotelling_paired_test(table[0], table[1], confidence=confidence)
    return manova_test(
        table.reshape(n_models * n_groups, -1),
        np.repeat(np.arange(n_models), n_groups),
        blocks=np.tile(np.arange(n_groups), n_models),
    )
