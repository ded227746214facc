"""Splits as other programs hold them: which sets of which splits a value says, by its content."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, shown, unknown_choice
from ..io.contents import Arrays
from ..io.tables import Table
from ..io.vocabulary import (
    ID,
    POSITION,
    SET,
    SET_FORMS,
    SET_NAMES,
    SET_OF,
    SPLIT,
    set_of,
    usual,
    words,
)
from ..numeric.checks import from_tensor
from .sets import USED, is_mask

FLAGS = {"true": True, "false": False, "1": True, "0": False, "1.0": True, "0.0": False}
Raw = dict[str, NDArray[Any]]  # what stands for each set of a split: nodes, or masks of one or more
Key = tuple[str, ...]


def raw_sets(given: Any, ids: Collection[Any]) -> list[Raw]:
    """Return what stands for the sets of each split; nothing where a value is no splits.

    Parameters
    ----------
    given : mapping, sequence or Table
        Sets by name in any case (``train``, ``Test_idx``, ``val_mask_3``, ...); dicts, lists or
        pairs of these; the set of each node, in a dict by id; or a table.
    ids : collection
        Of the network's nodes; a mask has one value for each.

    Examples
    --------
    >>> raw_sets([{"Train": [0, 1], "Test": [2]}], range(3))
    [{'train': array([0, 1]), 'test': array([2])}]
    >>> [list(each) for each in raw_sets({"train_0": [0], "test_0": [1], "test_1": [0]}, range(3))]
    [['train', 'test'], ['test']]
    """
    if isinstance(given, Table):
        columns = {name: np.asarray(given[name]) for name in given.names}
        return _of_columns(columns, ids)
    if isinstance(given, Mapping):
        return _of_mapping(given, ids)
    if is_sets(given):
        return _by_split(dict(zip(("train", "test") if len(given) == 2 else USED, given)), len(ids))
    if isinstance(given, (list, tuple)) and given and isinstance(given[0], (Mapping, list, tuple)):
        if isinstance(given[0], Mapping) and not any(map(_holds, given[0].values())):
            names = dict.fromkeys(name for row in given if isinstance(row, Mapping) for name in row)
            rows = {str(n): np.array([row.get(n, "") for row in given]) for n in names}
            return _of_columns(rows, ids)
        return _joined([raw_sets(each, ids) for each in given])
    return []


def is_sets(given: Any) -> bool:
    """Return whether it is (train, test) or (train, valid, test)."""
    return isinstance(given, (tuple, list)) and len(given) in (2, 3) and all(map(_is_set, given))


def _is_set(given: Any) -> bool:
    if hasattr(given, "shape"):
        return True
    numbers = isinstance(given, (tuple, list, range)) and len(given) > 0
    return numbers and all(isinstance(one, (bool, int, np.integer, np.bool_)) for one in given)


def _holds(value: Any) -> bool:
    return isinstance(value, (Mapping, list, tuple)) or getattr(value, "ndim", 0) > 0


def _joined(several: Sequence[list[Raw]]) -> list[Raw]:
    return [each for found in several for each in found] if all(several) else []


def in_order(name: object) -> list[tuple[int, int, str]]:
    """Sort key by which split 10 comes after split 9.

    Examples
    --------
    >>> sorted(["split_10.npz", "split_9.npz"], key=in_order)
    ['split_9.npz', 'split_10.npz']
    """
    parts = re.split(r"(\d+)", str(name))
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part]


def by_split(names: Iterable[object], *, files: bool = False) -> dict[Key, dict[str, str]]:
    """Return the names that stand for sets, by set, for each split that they number.

    Parameters
    ----------
    names : iterable of str
        Of arrays, keys, columns, or files.
    files : bool
        Whether other words may stand beside those for sets, as in ``texas_train_mask``.

    Examples
    --------
    >>> by_split(["x", "train_idx", "valIdx", "Test Mask"])
    {(): {'train': 'train_idx', 'valid': 'valIdx', 'test': 'Test Mask'}}
    >>> by_split(["train_0", "test_0", "train_1"])
    {('0',): {'train': 'train_0', 'test': 'test_0'}, ('1',): {'train': 'train_1'}}
    """
    found: dict[Key, dict[str, str]] = {}
    for name in map(str, names):
        said = words(name)
        parts = {SET_OF[word] for word in said if word in SET_OF}
        rest = tuple(word for word in said if word not in SET_OF and word not in SET_FORMS)
        if len(parts) == 1 and (files or all(map(str.isdecimal, rest))):
            found.setdefault(rest, {}).setdefault(parts.pop(), name)
    return {
        key: _ordered(found[key]) for key in sorted(found, key=lambda key: in_order(" ".join(key)))
    }


def _ordered(sets: Mapping[str, str]) -> dict[str, str]:
    return {part: sets[part] for part in SET_NAMES if part in sets}


def is_whole(sets: Mapping[str, Any]) -> bool:
    """Return whether a split has both sets that it needs."""
    return {"train", "test"} <= sets.keys()


def _of_mapping(given: Mapping[Any, Any], ids: Collection[Any]) -> list[Raw]:
    found = by_split(given)
    if found:
        names = {str(name): name for name in given}
        splits = [{part: given[names[n]] for part, n in each.items()} for each in found.values()]
        return [raw for each in splits for raw in _by_split(each, len(ids))]
    if isinstance(given, Arrays):
        return []
    if given and all(
        isinstance(value, str) and set_of(value) is not None for value in given.values()
    ):
        return [_of_words(np.array([*given.values()]), np.array([*given], dtype=object))]
    several = [given[name] for name in sorted(given, key=in_order)]
    return _joined([raw_sets(each, ids) for each in several if _holds(each)])


def _by_split(sets: Mapping[str, Any], n_nodes: int) -> list[Raw]:
    """Return the sets of each split, where each set is a list of those of several."""
    lists = {part: _lists(value, n_nodes) for part, value in sets.items()}
    counts = {len(each) for each in lists.values() if each is not None}
    if len(counts) != 1:
        return [{part: as_set(value) for part, value in sets.items()}]
    return [
        {part: as_set(sets[part] if each is None else each[k]) for part, each in lists.items()}
        for k in range(counts.pop())
    ]


def _lists(value: Any, n_nodes: int) -> list[Any] | None:
    """Return one list of nodes per split; None for the nodes of one split, and for masks."""
    if isinstance(value, (list, tuple)):
        if not value or not all(map(_holds, value)):
            return None
        if len({len(each) for each in value}) > 1:
            return list(value)
    array = from_tensor(value)
    return list(array) if array.ndim == 2 and not is_mask(array, n_nodes) and (
        array.dtype.kind in "iu") else None  # fmt: skip


def as_set(value: Any) -> NDArray[Any]:
    """Return nodes or a mask as an array; true and false in words are a mask."""
    array = from_tensor(value)
    if array.dtype.kind not in "OUS" or array.ndim != 1 or not array.size:
        return array
    flags = [FLAGS.get(str(each).lower()) for each in array.tolist()]
    words_only = {str(each).lower() for each in array.tolist()} <= {"true", "false"}
    return np.array(flags, dtype=bool) if words_only else array


def _of_words(said: NDArray[Any], nodes: NDArray[Any]) -> Raw:
    """Return the nodes of each set, from the set of each node."""
    parts = np.array([set_of(each) or "" for each in said.tolist()])
    return {part: nodes[parts == part] for part in USED if part != "valid" or (parts == part).any()}


def of_node_columns(columns: Mapping[str, NDArray[Any]], n_nodes: int) -> dict[Key, list[Raw]]:
    """Return the splits that columns of masks or of names of sets say, by the columns' names."""
    found: dict[Key, list[Raw]] = {}
    for of in by_split(columns).values():
        masks = {
            part: mask for part, name in of.items() if (mask := _mask(columns[name])) is not None
        }
        if is_whole(masks):
            found[tuple(of[part] for part in masks)] = [masks]
    for name in _of_sets(columns):
        found[(name,)] = [_of_words(columns[name], np.arange(n_nodes))]
    return found


def _mask(values: NDArray[Any]) -> NDArray[np.bool_] | None:
    flags = [FLAGS.get(str(each).strip().lower()) for each in values.tolist()]
    return None if None in flags else np.array(flags, dtype=bool)


def _of_sets(columns: Mapping[str, NDArray[Any]], *, whole: bool = False) -> list[str]:
    """Return the columns that hold names of sets, training or test among them.

    `whole` ones have one in each row.
    """
    found = []
    for name, values in columns.items():
        if values.dtype.kind in "OUS":
            said = {str(each): set_of(each) for each in dict.fromkeys(values.tolist())}
            odd = [word for word, part in said.items() if part is None]
            if whole and "" in said:
                odd.append("")
            if {"train", "test"} & set(said.values()) and odd and usual([name], SET) is not None:
                raise unknown_choice("set", odd[0], SET_NAMES)
            if {"train", "test"} & set(said.values()) and not odd:
                found.append(name)
    return found


def _of_columns(columns: Mapping[str, NDArray[Any]], ids: Collection[Any]) -> list[Raw]:
    """Return the splits of a table: a row per node, or one per split and node."""
    size = len(next(iter(columns.values()), ()))
    empty = [n for n, v in columns.items() if v.dtype.kind in "OUS" and not any(v.tolist())]
    if empty and size:
        raise InputError(f"column {shown(empty[0])} is empty", hint="leave it out")
    said = _of_sets(columns, whole=usual(columns, SPLIT) is not None)
    rest = {name: values for name, values in columns.items() if name not in said}
    node = usual(rest, (*ID, *POSITION)) or _holding_ids(rest, ids)
    if node is None and size != len(ids):
        return _of_lists(rest)
    nodes = nodes_of(columns, node) if node is not None else np.arange(size)
    if not said:
        found = [each for several in of_node_columns(rest, size).values() for each in several]
        return [{part: nodes[mask] for part, mask in each.items()} for each in found] or (
            _of_lists(rest)
        )
    others = {name: values for name, values in rest.items() if name != node}
    split = usual(others, SPLIT)
    if split is None and len(others) == 1 and len(set(nodes.tolist())) < size:
        split = next(iter(others))
    if split is None:
        return [_of_words(columns[name], nodes) for name in said]
    word = usual(said, SET) or said[0]
    _check_inferred(columns[split], nodes, columns[word])
    keys = np.array([str(each) for each in columns[split].tolist()], dtype=object)
    return [
        _of_words(columns[word][keys == key], nodes[keys == key])
        for key in sorted(set(keys.tolist()), key=in_order)
    ]


def _holding_ids(columns: Mapping[str, NDArray[Any]], ids: Collection[Any]) -> str | None:
    """Return the only column of nothing but ids that is not called after a set or split."""
    named = {name for of in by_split(columns).values() for name in of.values()}
    known = {*map(str, ids)}
    held = [name for name, values in columns.items() if name not in named
            and usual([name], SPLIT) is None and {*map(str, values.tolist())} <= known]  # fmt: skip
    return held[0] if len(held) == 1 else None


def _check_inferred(splits: NDArray[Any], nodes: NDArray[Any], said: NDArray[Any]) -> None:
    """Refuse a node that one split names to be inferred and in another set, too."""
    import pandas as pd

    parts = np.array([set_of(each) for each in said.tolist()])
    again = pd.DataFrame({"split": splits, "node": nodes}).duplicated(keep=False).to_numpy()
    again = again & (parts == "inference")
    if again.any():
        node = shown(nodes[int(np.argmax(again))])
        raise InputError(f"names node {node} twice in one split, as inference node and as another")


def nodes_of(columns: Mapping[str, NDArray[Any]], name: str) -> NDArray[Any]:
    """Return a column of nodes: ids, as objects, unless it is called as their places are."""
    values = columns[name]
    return values if usual([name], POSITION) is not None else values.astype(object)


def _of_lists(columns: Mapping[str, NDArray[Any]]) -> list[Raw]:
    """Return the sets of columns that list nodes, blank below the last one."""
    return [
        {part: np.array([each for each in columns[name].tolist() if str(each) not in ("", "nan")],
                        dtype=object) for part, name in of.items()}
        for of in by_split(columns).values() if is_whole(of)
    ]  # fmt: skip
