"""Predictions of a network whose nodes and classes stand in another order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..models.decide import predict_labels
from ..network.canonical_order import Order
from ..splits.base import splits_in_order
from ..splits.link_designs import link_split_in_order
from .node_study import Predictions
from .tasks import LINKS


def predictions_in_order(found: Predictions, order: Order | None) -> Predictions:
    """Return the same predictions in another order of nodes and classes; as they are without one.

    Which class is predicted stays as it is, also where two are equally probable.
    """
    if order is None:
        return found
    return _of_links(found, order) if found.task is LINKS else _of_nodes(found, order)


def _of_links(found: Predictions, order: Order) -> Predictions:
    moved = [link_split_in_order(split, order) for split in found.splits]
    scores = {
        model: tuple(each[rows] for each, (_, rows) in zip(given, moved))
        for model, given in found.probabilities.items()
    }
    splits = tuple(split for split, _ in moved)
    return replace(found, network=order.network, splits=splits, probabilities=scores)


def _of_nodes(found: Predictions, order: Order) -> Predictions:
    rows = [np.argsort(order.places(split.test)) for split in found.splits]
    same = bool((np.diff(order.classes) > 0).all())
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
        splits=tuple(splits_in_order(found.splits, order)),
        probabilities=probabilities,
        decided=decided,
        reseeded=tuple(_of_nodes(each, order) for each in found.reseeded),
    )
