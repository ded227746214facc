"""Predictions measured: what every tested node contributes, and whether a measure can be had."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError
from ..metrics.influence import SMALLEST
from ..metrics.measures import Measure
from .node_study import Predictions

Floats = NDArray[np.float64]


def contributions(
    predictions: Predictions,
    model: str,
    number: int,
    measure: Measure,
    origin: NDArray[np.integer[Any]] | None = None,
) -> NDArray[np.float64]:
    """Return what every test node or pair of one split contributes to the measure of one model.

    NaN where the measure is not defined on the test set. On a replicate, `origin` holds the node
    of the network that each of its nodes is drawn from, for measures that look at nodes.
    """
    handed = predictions.task.handed(predictions, model, number, measure, origin)
    return measure.contributions(*handed)


def pooled_contributions(
    runs: Sequence[Predictions], model: str, number: int, measure: Measure
) -> Floats:
    """Return what every test node of one split contributes to a measure of several labels pooled.

    The measure is that of all pairs of a node and a label; a node's contribution is the mean of
    those of its pairs. The predictions are of one label each, on the same splits.
    """
    nodes = runs[0].splits[number].test
    tables = [each.probabilities[model][number] for each in runs]
    psi = measure.contributions(
        np.concatenate([each.network.labels[nodes] for each in runs]),
        np.concatenate(tables).astype(np.float64),
        np.concatenate([each.predicted(model, number) for each in runs]),
        np.tile(nodes, len(runs)),
    )
    return np.asarray(psi.reshape(len(runs), nodes.size).mean(axis=0))


def undefined(measure: Measure, model: str, number: int) -> InputError:
    """Build the error for a measure that is not defined for a model on one test set."""
    if measure.is_custom:
        why = "the function returned NaN"
    elif measure.of == "numbers":
        why = "its targets, or its predictions, are all alike"
    elif measure.name == "precision":
        why = "it predicts the positive class for no test node"
    else:
        why = "the test set lacks a class that it needs"
    strata = ", splits stratified by class," if measure.of == "classes" else ""
    return InputError(
        f"{measure.title} is not defined on split {number} for {model} ({why})",
        parameter="measure",
        hint=f"use larger test sets{strata} or another measure",
    )


def clipped(predictions: Predictions) -> dict[str, int]:
    """Count for every model the tests whose true class has a probability below eps.

    Their log loss depends on that bound alone.
    """
    labels = predictions.network.labels
    found = {}
    for model in predictions.models:
        found[model] = sum(
            int((table[np.arange(split.test.size), labels[split.test]] < SMALLEST).sum())
            for run in predictions.runs
            for split, table in zip(run.splits, run.probabilities[model])
        )
    return found
