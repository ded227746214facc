"""Adjacency matrices as tables, also with label columns at their right edge."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from .build import Found
from .edgelist import complete_lines, numbers, plain_column
from .guards import fail_at_end
from .tables import KNOWN, NUMBER, Table, read_table, sample_lines, sniff_delimiter, split_rows

MIN_NODES = 4


def is_adjacency_table(head: bytes) -> bool:
    """Whether there are as many number columns as rows, or a header that repeats the ids."""
    try:
        text = sample_lines(complete_lines(head))
    except UnicodeDecodeError:
        return False
    rows = [fields for _, fields in split_rows(text, sniff_delimiter(text))]
    if len(rows) < MIN_NODES or len({len(row) for row in rows}) > 1:
        return False
    names = [field.strip() for field in rows[0]]
    ids = [row[0].strip() for row in rows[1:]]
    if len(names) > len(ids) and names[1 : 1 + len(ids)] == ids:
        return True
    if len(names) < MIN_NODES or len(text) >= len(head):
        return False
    header = not all(NUMBER.fullmatch(field) for field in names)
    body = rows[header:]
    if header and any(name.lower() in KNOWN for name in names[: len(body)]):
        return False
    square = [row[: len(body)] for row in body]
    return len(names) >= len(body) >= MIN_NODES and all(
        NUMBER.fullmatch(field.strip()) for row in square for field in row
    )


def read_adjacency_table(path: Path) -> Found:
    """Read the matrix, whose rows are sources, and the columns to its right."""
    table = read_table(path)
    n = table.n_rows
    first = [str(value) for value in table.columns[0]]
    named = list(table.names[1 : 1 + n]) == first
    start = 1 if named else 0
    if len(table.columns) < start + n:
        fail_at_end(
            path, f"has {len(table.columns) - start} columns for {n} rows; a matrix is square"
        )
    block = table.names[start : start + n]
    matrix = np.stack([numbers(table, name) for name in block], axis=1)
    source, target = np.nonzero(matrix)
    weight = matrix[source, target]
    found = Found(
        "adjacency table", [path], source, target, indexed=True,
        nodes=node_ids(table, named, n),
        weight=None if (weight == 1).all() else weight,
        directed=not np.array_equal(matrix, matrix.T),
    )  # fmt: skip
    right = table.names[start + n :]
    for k, name in enumerate(right):
        title = name if table.header else "label" if len(right) == 1 else f"label {k + 1}"
        found.columns[title] = plain_column(table[name])
    return found


def node_ids(table: Table, named: bool, n: int) -> Any:
    if named:
        return plain_column(table.columns[0])
    header = list(table.names[:n])
    if table.header and len(set(header)) == n:
        return np.array(header, dtype=object)
    return np.arange(n)
