"""Predictions of models that do not all predict the same nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.wording import listed
from ..network.network import Network
from ..network.node_values import MISSING
from ..splits.base import Split
from ..study.node_study import Predictions
from .rows import by_split, of_models, predicted_nodes, scored, stacked
from .sources import by_training_seed, parts_of
from .tables import rows_of


def read_partial(
    source: Any, network: Network, splits: Sequence[Split] = ()
) -> tuple[Predictions | None, dict[str, NDArray[np.bool_]], tuple[str, ...]]:
    """Read predictions as `read_predictions` does, but keep the nodes that all models predict.

    Returned are the predictions of the nodes that every model predicts, with every training seed
    where a column ``seed`` stands beside one of splits (splits without such nodes are left out;
    None where all are); which nodes each model predicts, (n_splits, n_nodes); and what was left
    out or assumed.
    """
    notes: list[str] = []
    given = list(splits) or None
    parts = parts_of(source, network, notes)
    tables = []
    for seed, own in by_training_seed(parts):
        options: dict[str, Any] = {"where": seed, "models": None, "splits": given, "notes": notes}
        rows = [rows_of(part, network, raw=True, **options) for part in own]
        table, names = of_models(stacked(rows), None)
        tables.append(scored(table, given, notes))
    shape = (len(given or table.splits), network.n_nodes)
    tested = {
        name: np.all([predicted_nodes(table, name, shape) for table in tables], axis=0)
        for name in names
    }
    common = np.all(list(tested.values()), axis=0)
    kept = np.flatnonzero(common.any(axis=1))
    if kept.size < shape[0]:
        out = np.setdiff1d(np.arange(shape[0]), kept).tolist()
        here = "there" if kept.size else "at all"
        notes.append(
            f"no node of split{'s' * (len(out) > 1)} {listed(list(map(str, out)))} is predicted by "
            f"all models: their predictions are not checked {here}"
        )
    if not kept.size:
        return None, tested, tuple(dict.fromkeys(notes))
    labeled = network.labels != MISSING
    used = [
        Split(of.train if given else np.flatnonzero(labeled & ~somewhere), of.inference,
              np.flatnonzero(test))
        for of, somewhere, test in zip(given or [_all(network)] * shape[0],
                                       np.any(list(tested.values()), axis=0), common)
        if test.any()
    ]  # fmt: skip
    place = np.cumsum(common.any(axis=1)) - 1
    tables = [table.only(common[table.split, table.node]) for table in tables]
    tables = [replace(table, split=place[table.split]) for table in tables]
    runs = [
        Predictions(network, tuple(used), names, {n: by_split(table, n, used) for n in names})
        for table in tables
    ]
    found = replace(runs[0], reseeded=tuple(runs[1:]))
    return found, tested, tuple(dict.fromkeys(notes))


def _all(network: Network) -> Split:
    nodes = np.arange(network.n_nodes)
    return Split(nodes[:0], nodes, nodes[:0])
