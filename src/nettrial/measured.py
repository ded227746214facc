"""Predictions measured: what every tested node contributes, and whether a measure can be had."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .errors import InputError
from .metrics.measures import SMALLEST, Measure
from .models.decide import predict_labels
from .network import Network
from .splits.base import Split
from .study import Predictions

Floats = NDArray[np.float64]


def contributions(
    predictions: Predictions, model: str, number: int, measure: Measure
) -> NDArray[np.float64]:
    """Return what every test node of one split contributes to the measure of one model."""
    proba = predictions.probabilities[model][number]
    labels = predictions.network.labels[predictions.splits[number].test]
    return measure.contributions(labels, proba.astype(np.float64), predict_labels(proba))


def check_measurable(predictions: Predictions, measure: Measure) -> None:
    """Refuse a measure that the predictions do not allow.

    Raises
    ------
    InputError
        Where it needs probabilities and a model gives 0 and 1 only, or it needs test nodes of
        two classes and a test set has one.
    """
    if measure.needs_probabilities:
        for model, tables in predictions.probabilities.items():
            if all(((table == 0) | (table == 1)).all() for table in tables):
                raise InputError(
                    f"measure: {measure.name} needs probabilities, but {model} gives every class "
                    "0 or 1, that is labels alone; use error or macro_f1, or predictions with "
                    "probabilities"
                )
    check_defined(predictions.network, predictions.splits, measure)


def check_defined(network: Network, splits: Sequence[Split], measure: Measure) -> None:
    """Refuse a measure that needs test nodes of two classes where a test set has one.

    Raises
    ------
    InputError
        As it says.
    """
    if not measure.needs_two_classes:
        return
    alone = [
        number
        for number, split in enumerate(splits)
        if np.unique(network.labels[split.test]).size < 2
    ]
    if alone:
        raise InputError(
            f"measure: {measure.title} is not defined on a test set of one class, and "
            f"{len(alone)} of {len(splits)} test sets are that (splits "
            f"{', '.join(map(str, alone[:8]))}{', ...' * (len(alone) > 8)}); use more test nodes, "
            "splits stratified by class, or another measure"
        )


def clipped(predictions: Predictions) -> dict[str, int]:
    """Count for every model the tests whose true class has a probability below eps.

    Their log loss depends on that bound alone.
    """
    labels = predictions.network.labels
    found = {}
    for model, tables in predictions.probabilities.items():
        found[model] = sum(
            int((table[np.arange(split.test.size), labels[split.test]] < SMALLEST).sum())
            for split, table in zip(predictions.splits, tables)
        )
    return found
