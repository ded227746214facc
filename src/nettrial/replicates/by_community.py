"""Measures of predictions on a drawn network, and what each community contributes to them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..metrics.measures import MEASURES, Measure
from ..study.measured import handed_of
from ..study.node_study import Predictions
from .blocks import Blocks

Floats = NDArray[np.float64]
ERROR = MEASURES["error"]


def totals_of(blocks: Blocks, tests: Floats, excess: Floats) -> Floats:
    """Average over the replicates what communities contribute."""
    times = tests.sum(axis=0)
    rate = np.divide(excess.sum(axis=0), times, where=times > 0, out=np.zeros(times.size))
    return np.asarray(rate * blocks.sizes)


def values_of(
    predictions: Predictions,
    measure: Measure = ERROR,
    origin: NDArray[np.integer[Any]] | None = None,
) -> Floats:
    """Measure every model on every split, (n_models, n_splits); `origin` as in `contributions`."""
    return np.array(
        [
            [
                measure.value(*handed_of(predictions, model, number, measure, origin))
                for number in range(len(predictions.splits))
            ]
            for model in predictions.models
        ]
    )


def by_communities(
    predictions: Predictions,
    measure: Measure,
    community: NDArray[np.integer[Any]],
    origin: NDArray[np.integer[Any]],
    n_communities: int,
) -> tuple[Floats, Floats, Floats]:
    """Measure predictions on a replicate, and add up by communities what its nodes contribute.

    Returns
    -------
    values : ndarray, shape (n_models, n_splits)
    times : ndarray, shape (n_communities,)
        Tests of the nodes drawn from each, over all splits.
    sums : ndarray, shape (n_models, n_communities)
        What these contributed to the measure.
    """
    models, splits = predictions.models, predictions.splits
    values = np.empty((len(models), len(splits)))
    times, sums = np.zeros(n_communities), np.zeros((len(models), n_communities))
    for number, split in enumerate(splits):
        groups = community[origin[split.test]].astype(np.intp)
        times += np.bincount(groups, minlength=n_communities)
        for place, model in enumerate(models):
            handed = handed_of(predictions, model, number, measure, origin)
            values[place, number], found = measure.by_groups(groups, *handed)
            sums[place, : found.size] += found
    return values, times, sums
