"""Predictions as arrays over splits and nodes, one array per model, turned into rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, shown
from ..core.wording import plural
from ..io.guards import fail
from ..io.vocabulary import TRUTH, plain
from ..network.network import Network
from ..splits.places import order_note

IDS = ("ids", "node_ids", "nodes")
TESTED = ("test_mask", "tested", "mask")
OF_NUMBERS = "splits x nodes, NaN where a node is not tested"
FORM = "splits x nodes, or splits x nodes x classes for probabilities"


def long_form(
    name: str, arrays: Mapping[str, NDArray[Any]], network: Network, notes: list[str]
) -> dict[str, NDArray[Any]]:
    """Return one row for each split, node and model that is predicted.

    Parameters
    ----------
    name : str
        What errors call the source.
    arrays : mapping of str to ndarray
        One array per model: classes, (n_splits, n_nodes) or (n_nodes,), where -1, NaN, None and ""
        mean that the split does not test the node; or probabilities, (n_splits, n_nodes,
        n_classes) or (n_nodes, n_classes), where NaN means so. Besides, `ids` says which node
        stands where, `classes` what the last axis means, `test_mask` what is tested, and `label`
        what the true classes are.
    notes : list of str
        That nodes are taken in the network's order, where it is not that of their ids, is added
        here.
    """
    ids = _first(arrays, IDS)
    nodes = network.ids if ids is None else arrays[ids]
    if ids is None and order_note(network):
        notes.append(order_note(network))
    labels, mask = _first(arrays, TRUTH), _first(arrays, TESTED)
    models = [key for key in arrays if key not in (ids, labels, mask, "classes")]
    if not models:
        fail(
            name,
            f"expected a column 'node', or an array of {FORM} for each model; got "
            f"{', '.join(arrays) or 'nothing'}",
        )
    classes = [str(c) for c in arrays.get("classes", np.array(network.classes, dtype=object))]
    tested = None
    if mask is not None:
        tested = _by_split(name, mask, arrays[mask], nodes.size) != 0
    blocks = []
    for model in models:
        n_classes = len(classes) if network.targets is None else None
        found = _rows_of_model(name, model, arrays[model], nodes.size, n_classes, tested)
        split, node, values = found
        block = {"split": split, "node": nodes[node], "model": np.full(split.size, model, object)}
        if labels is not None:
            block["label"] = _labels(name, arrays[labels], nodes.size)[node]
        if values.ndim == 2:
            block |= {f"p_{one}": values[:, k] for k, one in enumerate(classes)}
        else:
            block["prediction"] = values
        blocks.append(block)
    kinds = {frozenset(block) for block in blocks}
    if len(kinds) > 1:
        fail(name, "some models have classes and others probabilities; give all the same form")
    return {key: np.concatenate([block[key] for block in blocks]) for key in blocks[0]}


def _first(arrays: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next((key for key in arrays if plain(key) in names), None)


def _labels(name: str, labels: NDArray[Any], n_nodes: int) -> NDArray[Any]:
    if labels.shape != (n_nodes,):
        fail(name, f"expected one label for each of {n_nodes:,} nodes, got {labels.shape}")
    return labels


def _rows_of_model(
    name: str,
    model: str,
    array: NDArray[Any],
    n_nodes: int,
    n_classes: int | None,
    tested: NDArray[np.bool_] | None,
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[Any]]:
    """Return split, node and class (or probabilities, or number) of each of one model's."""
    if n_classes is None:
        table = _by_split(name, model, array, n_nodes)
        if table.ndim != 2 or table.dtype.kind not in "iuf":
            fail(
                name, f"{shown(model)} has the shape {array.shape}; expected numbers, {OF_NUMBERS}"
            )
        known = ~np.isnan(table.astype(np.float64))
        return _tested(name, model, table, known, tested)
    flat = array.ndim == 2 and array.shape == (n_nodes, n_classes) and _fractions(array)
    table = _by_split(name, model, array[None] if flat else array, n_nodes)
    if table.ndim == 3 and table.shape[2] != n_classes:
        fail(name, f"{shown(model)} has {table.shape[2]} values per node for {n_classes} classes")
    if table.ndim == 2 and _fractions(table):
        fail(
            name,
            f"{shown(model)} has the shape {array.shape} and values that are no classes; expected "
            f"{FORM} ({n_nodes:,} nodes, {n_classes} classes)",
        )
    return _tested(name, model, table, _known(table), tested)


def _tested(
    name: str,
    model: str,
    table: NDArray[Any],
    known: NDArray[np.bool_],
    tested: NDArray[np.bool_] | None,
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[Any]]:
    """Return what a table holds where a prediction is known and the mask, if any, tests it."""
    if tested is not None:
        if tested.shape != known.shape:
            fail(name, f"{shown(model)} has {known.shape[0]} splits, the mask {tested.shape[0]}")
        known &= tested
    split, node = np.nonzero(known)
    return split, node, table[split, node]


def _by_split(name: str, model: str, array: NDArray[Any], n_nodes: int) -> NDArray[Any]:
    """Move the axis of the splits to the front and that of the nodes next to it."""
    if array.ndim == 1 and array.size == n_nodes:
        return array[None]
    places = [axis for axis in (0, 1) if array.ndim in (2, 3) and array.shape[axis] == n_nodes]
    if not places:
        fail(
            name,
            f"{shown(model)} has the shape {array.shape}; expected {FORM}, for {n_nodes:,} nodes; "
            "predictions of test nodes alone need a table with a column 'node'",
        )
    if len(places) == 2:
        fail(
            name,
            f"{shown(model)} has as many splits as nodes, so that it is open which axis counts "
            "which; give a table with the columns split, node and prediction",
        )
    return array if places == [1] else np.swapaxes(array, 0, 1)


def _fractions(array: NDArray[Any]) -> bool:
    """Return whether there are numbers that no class code is."""
    if array.dtype.kind != "f":
        return False
    present = array[np.isfinite(array)]
    return bool((present != np.round(present)).any() or (np.isinf(array)).any())


def _known(table: NDArray[Any]) -> NDArray[np.bool_]:
    """Return where a prediction stands."""
    import pandas as pd

    if table.dtype.kind in "iu":
        return np.asarray(table >= 0) if table.ndim == 2 else np.ones(table.shape[:2], dtype=bool)
    missing: NDArray[np.bool_] = np.asarray(pd.isna(table), dtype=bool)
    if table.ndim == 3:
        partly = np.argwhere(missing.any(axis=2) & ~missing.all(axis=2))
        if len(partly):
            raise InputError(
                f"NaN for some of the classes of {plural(len(partly), 'node')}, first in split "
                f"{partly[0][0]} for node {partly[0][1]}",
                parameter="predictions",
                hint="all classes are NaN where a node is not tested",
            )
        return np.asarray(~missing.any(axis=2))
    untested: NDArray[np.bool_] = np.asarray(table == (-1 if table.dtype.kind == "f" else ""))
    return ~missing & ~untested
