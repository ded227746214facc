"""From one table of predictions to its rows: where, model, node, split, class."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.errors import not_found, shown
from ..core.option_names import EQUATION, option
from ..io.columns import is_index_name
from ..io.guards import fail
from ..io.vocabulary import POSITION, plain
from ..network.ids import natural_order
from ..network.network import Network
from ..splits.base import Split
from ..splits.places import places_of, positions_of
from .classes import check_labels, decoder, probabilities
from .names import text, whole
from .roles import Roles, chosen_rows, differing, roles_of, tested_rows
from .rows import Rows
from .sources import Part
from .targets import check_targets, predicted_numbers

Codes = NDArray[np.intp]
Words = NDArray[Any]


def rows_of(
    part: Part,
    network: Network,
    *,
    where: Mapping[str, object],
    models: Collection[str] | None,
    splits: Sequence[Split] | None,
    notes: list[str],
    raw: bool = False,
) -> Rows:
    """Return the rows of one table.

    Rows must have the values of `where` to be read. With `raw` numbers stay as they are, logits
    too. What was left out or assumed is added to `notes`.
    """
    part = tested_rows(chosen_rows(part, where, network), notes)
    numeric = network.targets is not None
    roles = roles_of(part, [str(name) for name in network.classes], notes, numeric=numeric)
    if not len(part.columns[roles.node]):
        fail(part.name, "holds no predictions")
    model = _model_of_all(part, roles, notes)
    if roles.model is not None and models is not None:
        found = text(part.columns[roles.model])
        if set(models) <= set(found.tolist()):  # else the error says what there is instead
            keep = np.isin(found, [*models])
            part = replace(part, columns={k: v[keep] for k, v in part.columns.items()})
    nodes = _nodes(part, roles, network, notes)
    split, names = _splits(part, roles, splits, notes)
    read = _reader(part, roles, network, nodes, notes, raw)
    if roles.wide:
        columns = {model or name: part.columns[column] for name, column in roles.wide.items()}
        return _unpivoted(part.name, network, split, names, nodes, columns, read.column)
    words = np.full(nodes.size, model, dtype=object)
    if roles.model is not None and not model:
        words = text(part.columns[roles.model])
    return Rows(part.name, network, split, names, nodes, words, read.rows())


class _Reader(NamedTuple):
    """Reads predictions: of one model in a column of a wide table, or of all rows."""

    column: Callable[[Words, str], NDArray[np.floating]]
    rows: Callable[[], NDArray[np.floating]]


def _reader(
    part: Part, roles: Roles, network: Network, nodes: Codes, notes: list[str], raw: bool
) -> _Reader:
    """Check the true classes or targets of a table, and return what reads its predictions."""
    if network.targets is not None:
        check_targets(part, roles, network.targets[nodes], network.ids[nodes])
        column = str(roles.prediction)
        return _Reader(
            lambda values, name: predicted_numbers(part.name, name, values),
            lambda: predicted_numbers(part.name, column, part.columns[column]),
        )
    code = decoder(part, roles, network, nodes, notes)
    check_labels(part, roles, code, network, nodes)
    own = network.labels[nodes].astype(np.intp)
    return _Reader(
        lambda values, name: np.eye(len(code.classes), dtype=np.float32)[code.read(values, name)],
        lambda: probabilities(part, roles, code, own, notes, raw=raw),
    )


def _unpivoted(
    name: str,
    network: Network,
    split: Codes,
    names: tuple[str, ...],
    nodes: Codes,
    columns: Mapping[str, Words],
    read: Callable[[Words, str], NDArray[np.floating]],
) -> Rows:
    """Stack the columns of a wide table, without blanks."""
    blocks = []
    for model, values in columns.items():
        keep = text(values) != ""
        proba = read(values[keep], model)
        words = np.full(len(proba), model, dtype=object)
        blocks.append((split[keep], nodes[keep], words, proba))
    of, node, model_of, proba = (np.concatenate(each) for each in zip(*blocks))
    return Rows(name, network, of, names, node, model_of, proba)


def _model_of_all(part: Part, roles: Roles, notes: list[str]) -> str:
    """Return the model of all rows, "" where a column says which or there is one for each."""
    found = set(roles.wide) if roles.model is None else {*text(part.columns[roles.model]).tolist()}
    if part.model:
        if len(found) > 1:
            fail(
                part.name,
                f"expected the predictions of one model, got {len(found)} "
                f"({', '.join(sorted(found))}); give the table by itself",
            )
        return part.model
    if found:
        return ""
    if not part.stem:
        fail(
            part.name,
            "no column says which model predicts; add a column 'model', or give a dict of "
            "tables by model",
        )
    notes.append(f"no column is called model: all rows are taken for one, {part.stem!r}")
    return part.stem


def _nodes(part: Part, roles: Roles, network: Network, notes: list[str]) -> Codes:
    """Return the index of the node of each row."""
    values = part.columns[roles.node]
    if plain(roles.node) in POSITION or is_index_name(roles.node):
        known = {str(one) for one in network.ids.tolist()}
        positions = positions_of(values, network)
        if positions is not None and known.isdisjoint(text(values).tolist()):
            notes.append(
                f"column {roles.node!r} holds no ids of the network and is taken for places of "
                "nodes, counted from 0"
            )
            return positions
    return places_of(part.name, network, values)


def _splits(
    part: Part, roles: Roles, splits: Sequence[Split] | None, notes: list[str]
) -> tuple[Codes, tuple[str, ...]]:
    """Return the number of the split of each row, and the names of the splits."""
    if not roles.split:
        if splits is not None and len(splits) > 1:
            raise not_found("column", "split", part.columns, part.name)
        notes.append("there is no column 'split': all rows are taken for one split")
    used: tuple[str, ...] = roles.split[:1]
    while (again := _repeated(part, roles, used)).any():
        if splits is not None or len(used) >= len(roles.split):
            _fail_repeated(part, roles, used, again)
        used = roles.split[: len(used) + 1]
    if len(used) > 1:
        notes.append(f"each combination of {', '.join(used)} is taken for a split")
    if not used:
        return np.zeros(len(part.columns[roles.node]), dtype=np.intp), ("0",)
    keys, of_row = _combinations([text(part.columns[name]) for name in used])
    blank = np.array(["" in key for key in keys])[of_row]
    if blank.any():
        fail(part.name, f"{blank.sum()} rows have no value in {', '.join(used)}")
    ordered = sorted(set(keys), key=lambda key: [natural_order(word) for word in key])
    place = {key: number for number, key in enumerate(ordered)}
    names = tuple(_split_name(used, key) for key in ordered)
    if splits is not None:
        numbers = _numbers_of(part.name, names, len(splits), notes)
        place = {key: numbers[k] for k, key in enumerate(ordered)}
        names = tuple(map(str, range(len(splits))))
    return np.array([place[key] for key in keys], dtype=np.intp)[of_row], names


def _combinations(columns: Sequence[Words]) -> tuple[list[tuple[str, ...]], Codes]:
    """Return the combinations of words that occur, and which of them each row has."""
    import pandas as pd

    codes, words = zip(*map(pd.factorize, columns))
    rows, of_row = np.unique(np.column_stack(codes), axis=0, return_inverse=True)
    keys = [tuple(whole(each[code]) for each, code in zip(words, row)) for row in rows.tolist()]
    return keys, of_row.ravel()


def _split_name(used: Sequence[str], key: Sequence[str]) -> str:
    if len(key) == 1:
        return key[0]
    return ", ".join(f"{name} {word}" for name, word in zip(used, key))


def _numbers_of(name: str, words: Sequence[str], n_splits: int, notes: list[str]) -> list[int]:
    """Return the numbers of splits that were given; counting from 1 is reported."""
    wanted = [str(number) for number in range(n_splits)]
    if len(words) == n_splits and list(words) == [str(k + 1) for k in range(n_splits)]:
        notes.append(f"splits 1 to {n_splits} are taken for the given ones 0 to {n_splits - 1}")
        return list(range(n_splits))
    odd = [word for word in words if word not in wanted]
    if odd:
        fail(name, f"has the split {shown(odd[0])}; the splits are numbered 0 to {n_splits - 1}")
    return [int(word) for word in words]


def _keys(part: Part, roles: Roles, used: Sequence[str]) -> Any:
    """Return the split, node and model of each row as numbers, in a table."""
    import pandas as pd

    columns = [roles.node, *used, *([roles.model] if roles.model is not None else [])]
    return pd.DataFrame({name: pd.factorize(part.columns[name])[0] for name in columns})


def _repeated(part: Part, roles: Roles, used: Sequence[str]) -> NDArray[np.bool_]:
    """Return where a row is of the same split, node and model as one above it."""
    return np.asarray(_keys(part, roles, used).duplicated())


def _fail_repeated(part: Part, roles: Roles, used: Sequence[str], again: NDArray[np.bool_]) -> None:
    keys = _keys(part, roles, used)
    row = int(np.argmax(again))
    alike = np.flatnonzero((keys == keys.iloc[row]).all(axis=1))
    first = ", ".join(f"{name} {text(part.columns[name][row : row + 1])[0]}" for name in keys)
    values = {roles.prediction, roles.of_true, roles.confidence, *roles.probabilities.values()}
    other = differing(part.columns, [*keys.columns, *filter(None, values)], alike)
    note = f"; they differ in {other}: choose one by {option('where', EQUATION)}" if other else ""
    if {"halving", "part"} <= set(map(plain, part.columns)):
        note = "; move the file into the folder that holds these halvings, and name the folder"
    fail(part.name, f"{again.sum()} rows repeat split, node and model of another: {first}{note}")
