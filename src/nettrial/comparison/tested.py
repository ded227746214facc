"""What several models' predictions on one network give: node means and contributions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from ..bootstrap.runs import values_of
from ..errors import InputError, unknown_choice
from ..measured import check_measurable, contributions
from ..metrics.measures import Measure, measure_named
from ..splits.base import Split
from ..stats.contributions import Contributions, cluster_contributions
from ..study import Predictions

Floats = NDArray[np.float64]
Loss: TypeAlias = Literal["error", "squared_loss", "log_loss"]


def split_scores(predictions: Predictions, measure: Measure) -> Floats:
    """Give the measure of every model on every split, shape (n_models, n_splits)."""
    return values_of(predictions, measure)[0]


def node_values(predictions: Predictions, measure: Measure) -> tuple[Floats, Floats]:
    """Give what each node contributes to the measure on average, and how much it counts.

    A test counts as one over the size of its test set (times the mean size), so that the weighted
    mean over nodes is the mean over splits.

    Parameters
    ----------
    predictions : Predictions
        Of any number of models.
    measure : Measure

    Returns
    -------
    values : ndarray, shape (n_models, n_nodes)
        Mean over the tests of a node; 0 where a node is never tested.
    weight : ndarray, shape (n_nodes,)

    Raises
    ------
    InputError
        Where the measure cannot be had from the predictions.
    """
    check_measurable(predictions, measure)
    total = np.zeros((len(predictions.models), predictions.network.n_nodes))
    weight = np.zeros(predictions.network.n_nodes)
    sizes = np.array([split.test.size for split in predictions.splits])
    shares = sizes.mean() / sizes
    for number, (share, split) in enumerate(zip(shares, predictions.splits)):
        weight[split.test] += share
        for row, model in zip(total, predictions.models):
            row[split.test] += share * contributions(predictions, model, number, measure)
    return np.divide(total, weight, where=weight > 0, out=np.zeros_like(total)), weight


def model_contributions(
    predictions: Predictions, communities: NDArray[np.int32], measure: Measure
) -> Contributions:
    """Split the models' measures into the parts of the communities; one contrast a model."""
    values, weight = node_values(predictions, measure)
    tested = weight > 0
    return cluster_contributions(values[:, tested], communities[tested], weights=weight[tested])


def are_several(measures: Sequence[Loss]) -> bool:
    """Say whether a test of several measures at once is asked for.

    Raises
    ------
    InputError
        For fewer than two measures but the error rate alone, one that is named twice, or an
        unknown one.
    """
    if isinstance(measures, str) or not isinstance(measures, Sequence):
        raise InputError(
            f"measures: received {measures!r}, needed is a list such as ['error', 'squared_loss']"
        )
    if tuple(measures) == ("error",):
        return False
    if len(measures) < 2 or len(set(measures)) < len(measures):
        raise InputError(
            f"measures: received {', '.join(measures) or 'none'}; needed are two or more "
            f"different ones of {', '.join(get_args(Loss))}"
        )
    for measure in measures:
        if measure not in get_args(Loss):
            raise unknown_choice("measures", measure, get_args(Loss))
    return True


def check_enough_communities(
    measures: Sequence[Loss],
    n_models: int,
    communities: NDArray[np.int32],
    splits: Sequence[Split],
) -> None:
    """Refuse fewer communities with test nodes than a test of several measures at once needs.

    It has (models - 1) (communities - 1) degrees of freedom for error, and needs one a measure.

    Raises
    ------
    InputError
        As it says.
    """
    tested = np.unique(np.concatenate([split.test for split in splits]))
    number = np.unique(communities[tested]).size
    needed = 1 + -(-len(measures) // (n_models - 1))
    if number < needed:
        raise InputError(
            f"measures: testing {len(measures)} of them at once on {n_models} models needs at "
            f"least {needed} communities with test nodes, and there are {number}; name fewer "
            "measures or give a finer partition"
        )


def community_table(
    predictions: Predictions, communities: NDArray[np.int32], measures: Sequence[Loss]
) -> Floats:
    """Give the mean of each measure in each community, shape (n_models, n_communities, n_measures).

    Raises
    ------
    InputError
        Where a measure cannot be had from the predictions.
    """
    columns = []
    for measure in measures:
        losses, weight = node_values(predictions, measure_named(measure))
        tested = np.flatnonzero(weight)
        code = np.unique(communities[tested], return_inverse=True)[1]
        total = np.bincount(code, weight[tested])
        columns.append([np.bincount(code, row[tested] * weight[tested]) / total for row in losses])
    return np.moveaxis(np.array(columns), 0, -1)
