"""Label files beside formats that hold links only: one label a row, or ids and labels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..core.errors import shown
from .columns import is_index_name
from .edgelist import read_any
from .found import Found
from .guards import fail, fail_at_end, read_head
from .ids import as_text, examples
from .missing import plain_column
from .node_tables import refuse_all_different, unnamed
from .numerals import whole_number
from .tables import Table
from .ucinet_file import attribute_table, is_dl
from .vocabulary import NODE


def add_labels(found: Found, path: Path, n: int, *, grow: bool = False) -> None:
    """Add the columns of a label file to a network that has its nodes, see `add_columns`."""
    table = attribute_table(path) if is_dl(read_head(path)) else read_any(path)[0]
    add_columns(found, table, n, grow=grow)


def add_columns(found: Found, table: Table, n: int, *, grow: bool = False) -> None:
    """Add the columns of a table to a network whose nodes are numbered.

    One column of n rows holds the labels in the order of the nodes. Otherwise the column
    called id or node, or else the first, names the node: by its id, or by its number from 1 or,
    where 0 occurs, from 0. Nodes that are not named have no label.

    With `grow` the links name the nodes, so that these have no order of their own: rows of nodes
    without links add these to the network, as node tables of link tables do, and one column needs
    nodes numbered from 0 or 1. Otherwise unknown nodes are refused.
    """
    path = table.path
    if path not in found.files:
        found.files.append(path)
    found.node_files.append(path)
    if len(table.columns) == 1:
        if table.n_rows != n:
            (fail_at_end if table.lines else fail)(
                path, f"holds {table.n_rows} labels for {n} nodes"
            )
        refuse_all_different(table)
        labels = np.asarray(plain_column(table.columns[0]), dtype=object)
        found.columns["label"] = labels[by_number(found, path, n)] if grow else labels
        return
    key = choose_key(found, table, n)
    if grow:
        refuse_strangers(found, table[key], path)
        n = add_unlinked(found, table[key], path)
    places, note = positions(found, table[key], n)
    found.notes += note
    if (places < 0).any() or np.unique(places).size != places.size:
        bad = places < 0
        row = int(np.argmax(bad)) if bad.any() else first_repeat(places)
        why = "is no node of the network" if bad.any() else "is listed again"
        fail(path, f"{shown(str(table[key][row]))} {why}", table.line(row))
    others = [name for name in table.names if name != key and not is_index(table, name)]
    for k, name in enumerate(others):
        column = np.full(n, None, dtype=object)
        column[places] = plain_column(table[name])
        found.columns[name if table.header else unnamed(len(others))[k]] = column


def by_number(found: Found, path: Path, n: int) -> NDArray[np.int64]:
    """Return the place of each node among the numbers 0 to n - 1 or 1 to n; refuse other ids."""
    ids = np.asarray(found.nodes)
    whole = ids.dtype.kind == "i" and ids.min() in (0, 1) and ids.max() - ids.min() == n - 1
    if not whole:
        fail(
            path,
            "holds one column; labels in node order need nodes that are numbered from 0 or 1 "
            "without a gap, so add a column with the node ids",
        )
    return np.asarray(ids - ids.min(), dtype=np.int64)


def refuse_strangers(found: Found, column: object, path: Path) -> None:
    """Refuse a table that names no node of the links: its nodes would all be isolated."""
    known = set(map(str, np.asarray(found.nodes).tolist()))
    names = list(dict.fromkeys(map(str, np.asarray(column).tolist())))
    if known.isdisjoint(names):
        fail(
            path,
            f"names none of the nodes that the links name; its ids are such as "
            f"{', '.join(examples(names))}, theirs such as {', '.join(examples(sorted(known)))}",
        )


def add_unlinked(found: Found, column: object, path: Path) -> int:
    """Add the nodes that only a table names, and return the number of all."""
    known = set(map(str, np.asarray(found.nodes).tolist()))
    texts = dict.fromkeys(map(str, np.asarray(column).tolist()))
    new = [name for name in texts if name and name not in known]
    if new:
        names = [*map(str, np.asarray(found.nodes).tolist()), *new]
        whole = found.nodes.dtype.kind == "i" and all(
            whole_number(name) is not None for name in new
        )
        found.nodes = np.array(
            [int(name) if whole else name for name in names], dtype=np.int64 if whole else object
        )
        for title, values in found.columns.items():
            found.columns[title] = [*list(values), *[None] * len(new)]
        found.notes.append(f"{len(new):,} nodes of {path.name} have no links")
    return len(found.nodes)


def first_repeat(places: NDArray[np.int64]) -> int:
    _, first = np.unique(places, return_index=True)
    return int(np.setdiff1d(np.arange(places.size), first)[0])


def is_index(table: Table, name: str) -> bool:
    return table.header and is_index_name(name)


def choose_key(found: Found, table: Table, n: int) -> str:
    """Choose the column that names the nodes."""
    usual = table.find(NODE)
    if usual is not None:
        return usual
    first = next((name for name in table.names if not is_index(table, name)), table.names[0])
    places, _ = positions(found, table[first], n)
    named = (places >= 0).all() and np.unique(places).size == places.size
    return first if named else table.names[0]


def positions(found: Found, column: object, n: int) -> tuple[NDArray[np.int64], list[str]]:
    """Find the node of each row, -1 where there is none, and say where numbers stand for nodes."""
    import pandas as pd

    texts = np.asarray(as_text(column), dtype=object)
    places = pd.Index([str(node) for node in found.nodes]).get_indexer(pd.Index(texts))
    if (places < 0).any() and isinstance(column, np.ndarray) and column.dtype == np.int64:
        start = 0 if (column == 0).any() else 1
        numbers = column - start
        if ((numbers >= 0) & (numbers < n)).all():
            return numbers, [f"the label file numbers nodes from {start}"]
    return np.asarray(places, dtype=np.int64), []
