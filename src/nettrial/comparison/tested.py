"""What several models' predictions on one network give: node means, losses, contributions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from ..bootstrap.runs import values_of
from ..errors import InputError, unknown_choice
from ..stats.contributions import Contributions, cluster_contributions
from ..study import Predictions

Floats = NDArray[np.float64]
Measure: TypeAlias = Literal["error", "squared_loss", "log_loss"]
SMALLEST = 1e-7  # a probability of 0 for the true class would make every mean infinite


def split_rates(predictions: Predictions) -> Floats:
    """Give the error rate of every model and split, shape (n_models, n_splits)."""
    return values_of(predictions)[0]


def node_losses(predictions: Predictions, measure: Measure) -> tuple[Floats, Floats]:
    """Give each node's mean loss over the splits that test it, and how much it counts.

    A test counts as one over the size of its test set (times the mean size), so that the weighted
    mean over nodes is the mean over splits.

    Parameters
    ----------
    predictions : Predictions
        Of any number of models.
    measure : {"error", "squared_loss", "log_loss"}
        Wrong or not; the squared distance of the probabilities from the truth, summed over
        classes; minus the logarithm of the true class's probability, which is taken not below
        1e-7.

    Returns
    -------
    losses : ndarray, shape (n_models, n_nodes)
        0 where a node is never tested.
    weight : ndarray, shape (n_nodes,)
    """
    if measure not in get_args(Measure):
        raise unknown_choice("measure", measure, get_args(Measure))
    labels = predictions.network.labels
    total = np.zeros((len(predictions.models), labels.size))
    weight = np.zeros(labels.size)
    sizes = np.array([split.test.size for split in predictions.splits])
    shares = sizes.mean() / sizes
    for share, split in zip(shares, predictions.splits):
        weight[split.test] += share
    for row, model in zip(total, predictions.models):
        if measure == "error":
            row += shares @ (predictions.errors(model) == 1)
            continue
        tables = predictions.probabilities[model]
        for share, split, proba in zip(shares, predictions.splits, tables):
            loss = _loss(proba.astype(np.float64), labels[split.test], measure)
            row[split.test] += share * loss
    return np.divide(total, weight, where=weight > 0, out=np.zeros_like(total)), weight


def _loss(proba: Floats, labels: NDArray[np.int32], measure: Measure) -> Floats:
    true = proba[np.arange(labels.size), labels]
    if measure == "log_loss":
        return -np.log(np.maximum(true, SMALLEST))
    return np.asarray((proba**2).sum(axis=1) - 2 * true + 1)


def model_contributions(predictions: Predictions, communities: NDArray[np.int32]) -> Contributions:
    """Split the models' error rates into the parts of the communities; one contrast a model."""
    losses, weight = node_losses(predictions, "error")
    tested = weight > 0
    return cluster_contributions(losses[:, tested], communities[tested], weights=weight[tested])


def community_table(
    predictions: Predictions, communities: NDArray[np.int32], measures: Sequence[Measure]
) -> Floats:
    """Give the mean of each measure in each community, shape (n_models, n_communities, n_measures).

    Raises
    ------
    InputError
        For fewer than two measures, one that is named twice, or an unknown one.
    """
    if len(measures) < 2 or len(set(measures)) < len(measures):
        raise InputError(
            f"measures: received {', '.join(measures) or 'none'}; needed are two or more "
            f"different ones of {', '.join(get_args(Measure))}"
        )
    columns = []
    for measure in measures:
        losses, weight = node_losses(predictions, measure)
        tested = np.flatnonzero(weight)
        code = np.unique(communities[tested], return_inverse=True)[1]
        total = np.bincount(code, weight[tested])
        columns.append([np.bincount(code, row[tested] * weight[tested]) / total for row in losses])
    return np.moveaxis(np.array(columns), 0, -1)
