"""Predictions of a network whose nodes and classes stand in another order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..models.decide import predict_labels
from ..network.canonical_order import Order
from .node_study import Predictions


def predictions_in_order(found: Predictions, order: Order | None) -> Predictions:
    """Return the same predictions in another order of nodes and classes; as they are without one.

    Which class is predicted stays as it is, also where two are equally probable.
    """
    if order is None:
        return found
    splits, rows = zip(*found.task.in_order(found.splits, order))
    has_classes = len(found.task.shape(found.network, found.splits[0])) == 2
    same = not has_classes or bool((np.diff(order.classes) > 0).all())
    code = np.argsort(order.classes).astype(np.int32)
    probabilities = {
        model: tuple(
            table[row] if same else table[row][:, order.classes] for table, row in zip(tables, rows)
        )
        for model, tables in found.probabilities.items()
    }
    decided = {}
    if found.decided or not same:
        decided = {
            model: tuple(code[found.predicted(model, i)[row]] for i, row in enumerate(rows))
            for model in found.models
        }
        if all(
            np.array_equal(predict_labels(table), codes)
            for model in found.models
            for table, codes in zip(probabilities[model], decided[model])
        ):
            decided = {}
    return replace(
        found,
        network=order.network,
        splits=splits,
        probabilities=probabilities,
        decided=decided,
        reseeded=tuple(predictions_in_order(each, order) for each in found.reseeded),
    )
