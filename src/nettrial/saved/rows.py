"""Predictions as rows: one split, node and model each, and how they become arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import not_found
from ..io.guards import fail
from ..network.ids import natural_order
from ..network.network import Network
from ..network.node_values import MISSING
from ..splits.base import Split

UNKNOWN_TRAINING = (
    "training sets were not given: the labeled nodes that a split does not test are taken for "
    "them, which tests that use their size depend on; give the splits if that is not so"
)


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of all tables, one prediction each."""

    name: str  # what errors call where they are from
    network: Network
    split: NDArray[np.intp]  # number of the split, a place in `splits`
    splits: tuple[str, ...]  # names of the splits
    node: NDArray[np.intp]  # index of the node
    model: NDArray[Any]
    # shape (n_rows, n_classes) or (n_rows,): class probabilities, or predicted numbers
    proba: NDArray[np.floating]

    def only(self, keep: NDArray[np.bool_]) -> Rows:
        """Return the rows in which `keep` is true."""
        return replace(
            self,
            split=self.split[keep],
            node=self.node[keep],
            model=self.model[keep],
            proba=self.proba[keep],
        )

    def models(self) -> tuple[str, ...]:
        """Return the names of the models in the order in which they come."""
        return tuple(dict.fromkeys(self.model.tolist()))

    def example(self, split: int, node: int) -> str:
        """Return the description of one prediction for an error."""
        return f"split {self.splits[split]}, node {self.network.ids[node]}"


def stacked(parts: Sequence[Rows]) -> Rows:
    """Concatenate the rows of several tables."""
    first = parts[0]
    if len(parts) == 1:
        return first
    names = tuple(sorted({n for part in parts for n in part.splits}, key=natural_order))
    place = {name: code for code, name in enumerate(names)}
    numbers = [np.array([place[name] for name in part.splits], dtype=np.intp) for part in parts]
    return Rows(
        "predictions",
        first.network,
        np.concatenate([number[part.split] for number, part in zip(numbers, parts)]),
        names,
        *(
            np.concatenate([getattr(part, key) for part in parts])
            for key in ("node", "model", "proba")
        ),
    )


def of_models(rows: Rows, models: Iterable[str] | None) -> tuple[Rows, tuple[str, ...]]:
    """Keep the rows of some models."""
    present = rows.models()
    if models is None:
        return rows, present
    wanted = tuple(models)
    for name in wanted:
        if name not in present:
            raise not_found("model", name, present, rows.name)
    if len(set(wanted)) != len(wanted):
        fail(rows.name, f"expected different models, got {', '.join(wanted)}")
    return rows.only(np.isin(rows.model, np.array(wanted, dtype=object))), wanted


def scored(rows: Rows, splits: Sequence[Split] | None, notes: list[str]) -> Rows:
    """Leave out, and count, rows that cannot be scored."""
    bare = rows.network.labels[rows.node] == MISSING
    if bare.any():
        notes.append(f"{bare.sum()} rows predict nodes without label; they are left out")
    if splits is None:
        return rows.only(~bare)
    role = np.zeros((len(splits), rows.network.n_nodes), dtype=np.int8)
    for row, split in zip(role, splits):
        row[split.train], row[split.test] = 1, 2
    of = role[rows.split, rows.node]
    for code, what in ((1, "training nodes of their split"), (0, "nodes that are not tested")):
        count = int(((of == code) & ~bare).sum())
        if count:
            notes.append(f"{count} rows predict {what}; they are left out")
    return rows.only((of == 2) & ~bare)


def inferred_splits(rows: Rows, models: Sequence[str], notes: list[str]) -> list[Split]:
    """Take the nodes that all models predict for the test set, other labeled ones as training."""
    shape = (len(rows.splits), rows.network.n_nodes)
    tested = predicted_nodes(rows, models[0], shape)
    for other in models[1:]:
        _check_same(rows, (models[0], other), tested, predicted_nodes(rows, other, shape))
    labeled = rows.network.labels != MISSING
    counts = tested.sum(axis=1)
    if not counts.all():
        fail(rows.name, f"split {rows.splits[int(np.argmin(counts))]} tests no node")
    full = counts == labeled.sum()
    if full.any() and len(counts) > 1:
        fail(
            rows.name,
            f"split {rows.splits[int(np.argmax(full))]} predicts all {counts.max():,} labeled "
            "nodes, so that none is left to have learned from; give the splits, or the predictions "
            "of test nodes alone (-1 in an array where a node is not tested)",
        )
    notes.append(UNKNOWN_TRAINING)
    return [
        Split(
            np.flatnonzero(labeled & ~test), np.flatnonzero(~labeled | test), np.flatnonzero(test)
        )
        for test in tested
    ]


def predicted_nodes(rows: Rows, model: str, shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Return which nodes of each split a model predicts, shape (n_splits, n_nodes)."""
    mask = np.zeros(shape, dtype=bool)
    own = rows.model == model
    mask[rows.split[own], rows.node[own]] = True
    return mask


def _check_same(
    rows: Rows, pair: tuple[str, str], one: NDArray[np.bool_], two: NDArray[np.bool_]
) -> None:
    if (one == two).all():
        return
    split, node = np.argwhere(one != two)[0]
    fail(
        rows.name,
        f"{pair[0]} and {pair[1]} predict different nodes: {int((one & ~two).sum())} predictions "
        f"of {pair[0]} and {int((two & ~one).sum())} of {pair[1]} have no partner, for example "
        f"{rows.example(split, node)}",
    )


def by_split(rows: Rows, model: str, splits: Sequence[Split]) -> tuple[NDArray[np.floating], ...]:
    """Return the predictions of one model in the order of each split's test nodes."""
    own = np.flatnonzero(rows.model == model)
    own = own[np.lexsort((rows.node[own], rows.split[own]))]
    counts = np.bincount(rows.split[own], minlength=len(splits))
    sizes = np.array([split.test.size for split in splits])
    if (counts != sizes).any():
        number = int(np.argmax(counts != sizes))
        start = int(counts[:number].sum())
        has = rows.node[own[start : start + int(counts[number])]]
        if counts[number] > sizes[number]:
            twice = np.flatnonzero(np.bincount(has) > 1)
            fail(
                rows.name,
                f"{model} has {int((counts - sizes).sum())} predictions too many: several files "
                f"predict the same nodes, for example {rows.example(number, twice[0])}",
            )
        node = np.setdiff1d(splits[number].test, has)[0]
        fail(
            rows.name,
            f"{model} lacks {int((sizes - counts).sum())} predictions for test nodes, for example "
            f"{rows.example(number, node)}",
        )
    return tuple(np.split(rows.proba[own], np.cumsum(sizes)[:-1]))
