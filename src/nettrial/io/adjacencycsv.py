"""Adjacency matrices as tables, also with label columns at their right edge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..network.missing_text import MISSING_TEXT
from .edgelist import numbers
from .format import Format
from .found import Found
from .guards import complete_lines, fail, fail_at_end, read_text
from .ids import is_text
from .labels import add_labels
from .missing import plain_column
from .rows import SAMPLE, first_rows
from .square import is_matrix, repeats_ids, titled
from .tables import Table, read_table


def is_adjacency_table(head: bytes) -> bool:
    """Return whether the first rows of a file are those of a matrix."""
    lines = complete_lines(head)
    try:
        rows = first_rows(lines)
    except UnicodeDecodeError:
        return False
    return is_matrix(rows, whole=len(rows) < SAMPLE)


def read_adjacency_table(path: Path, nodes: Sequence[Path] = ()) -> Found:
    """Read the matrix, whose rows are sources, the columns to its right, and label files."""
    rows = first_rows(read_text(path))
    named = bool(rows) and repeats_ids(rows)
    found = found_matrix(read_table(path, header=bool(rows) and (named or titled(rows))))
    for file in nodes:
        add_labels(found, file, len(found.nodes))
    return found


def found_matrix(table: Table) -> Found:
    """Take the matrix of a table and the columns to its right."""
    n = table.n_rows
    first = [str(value) for value in table.columns[0]]
    named = list(table.names[1 : 1 + n]) == first
    start = 1 if named else 0
    if len(table.columns) < start + n:
        message = f"has {len(table.columns) - start} columns for {n} rows; a matrix is square"
        (fail_at_end if table.lines else fail)(table.path, message)
    block = table.names[start : start + n]
    filled, empty = without_blanks(table, block)
    matrix = np.stack([numbers(filled, name) for name in block], axis=1)
    source, target = np.nonzero(matrix)
    weight = matrix[source, target]
    found = Found(
        "adjacency table",
        [table.path],
        source,
        target,
        indexed=True,
        nodes=node_ids(table, named, n),
        weight=None if (weight == 1).all() else weight,
        directed=not np.array_equal(matrix, matrix.T),
        weights="" if (weight == 1).all() else "weights from the matrix",
    )
    if empty:
        found.notes.append(f"{empty} empty cells of the matrix are taken for no link")
    right = table.names[start + n :]
    for k, name in enumerate(right):
        title = name if table.header else "label" if len(right) == 1 else f"label {k + 1}"
        found.columns[title] = plain_column(table[name])
    return found


def without_blanks(table: Table, block: Sequence[str]) -> tuple[Table, int]:
    """Fill empty cells of the matrix with 0, and its diagonal where that is missing."""
    columns, count = list(table.columns), 0
    for k, name in enumerate(block):
        if not is_text(table[name]):
            continue
        values = np.array(table[name], dtype=object)
        empty = values == ""
        count += int(np.count_nonzero(empty))
        empty[k] |= values[k] in MISSING_TEXT
        values[empty] = "0"
        columns[table.names.index(name)] = values
    return replace(table, columns=tuple(columns)), count


def node_ids(table: Table, named: bool, n: int) -> Any:
    if named:
        return plain_column(table.columns[0])
    header = list(table.names[:n])
    if table.header and len(set(header)) == n:
        return plain_column(np.array(header, dtype=object))
    return np.arange(n)


FILE_FORMATS = (
    Format("adjacency", lambda _, head: is_adjacency_table(head),
           lambda r: read_adjacency_table(r.path, r.nodes), order=310,
           files="square matrix as CSV, with a table of nodes or labels in node order",
           holds="links, weights, ids, label columns at the right edge", takes_nodes=True),
)  # fmt: skip
