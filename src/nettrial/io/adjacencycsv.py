"""Adjacency matrices as tables, also with label columns at their right edge."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from .build import Found
from .columns import NUMBER
from .edgelist import complete_lines, numbers, plain_column
from .guards import fail_at_end, read_text
from .headers import KNOWN
from .tables import Table, blank_comments, read_table, sample_lines, sniff_delimiter, split_rows

MIN_NODES = 4  # of a matrix without names
MIN_NAMED = 2  # of a matrix whose header repeats its first column


def is_adjacency_table(head: bytes) -> bool:
    """Return whether there are as many number columns as rows, or a header that repeats the ids."""
    try:
        text = sample_lines(complete_lines(head))
    except UnicodeDecodeError:
        return False
    if not text:
        return False
    rows = [
        [field.strip() for field in fields] for _, fields in split_rows(text, sniff_delimiter(text))
    ]
    if not rows or len({len(row) for row in rows}) > 1:
        return False
    if repeats_ids(rows):
        return True
    if len(rows) < MIN_NODES or len(rows[0]) < MIN_NODES or len(text) >= len(head):
        return False
    body = rows[titled(rows) :]
    names = [name.lower() for name in rows[0][: len(body)]]
    if len(body) < len(rows) and KNOWN & set(names):
        return False
    square = [row[: len(body)] for row in body]
    return (
        len(rows[0]) >= len(body) >= MIN_NODES
        and all(NUMBER.fullmatch(field) for row in square for field in row)
        and is_plausible(square)
    )


def is_plausible(square: list[list[str]]) -> bool:
    """Return whether numbers look like a matrix: symmetric, or a quarter of them zeros.

    A short table of links with as many columns as rows is neither.

    Examples
    --------
    >>> is_plausible([["0", "1"], ["1", "0"]]), is_plausible([["5", "8"], ["9", "1"]])
    (True, False)
    """
    n = len(square)
    zeros = sum(float(field) == 0 for row in square for field in row)
    mirrored = all(square[i][j] == square[j][i] for i in range(n) for j in range(i))
    return 4 * zeros >= n * n or mirrored


def repeats_ids(rows: list[list[str]]) -> bool:
    """Return whether the header repeats the first column, as pandas and R write a matrix.

    The head of a large file shows the first rows only.
    """
    ids, names = [row[0] for row in rows[1:]], rows[0][1:]
    return len(ids) >= MIN_NAMED and len(set(ids)) == len(ids) and names[: len(ids)] == ids


def titled(rows: list[list[str]]) -> bool:
    """Return whether the first row names the columns, by words or by numbers over a square."""
    if not any(NUMBER.fullmatch(field) for field in rows[0]):
        return True
    width = len(rows[0])
    numbers = [[str(k + start) for k in range(width)] for start in (0, 1)]
    return len(rows) == width + 1 and rows[0] in numbers


def read_adjacency_table(path: Path) -> Found:
    """Read the matrix, whose rows are sources, and the columns to its right."""
    data = blank_comments(read_text(path))[0]
    sample = sample_lines(data)
    rows = [
        [field.strip() for field in fields]
        for _, fields in split_rows(sample, sniff_delimiter(sample))
    ]
    named = bool(rows) and repeats_ids(rows)
    table = read_table(path, header=bool(rows) and (named or titled(rows)))
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
        "adjacency table",
        [path],
        source,
        target,
        indexed=True,
        nodes=node_ids(table, named, n),
        weight=None if (weight == 1).all() else weight,
        directed=not np.array_equal(matrix, matrix.T),
        weights="" if (weight == 1).all() else "weights from the matrix",
    )
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
        return plain_column(np.array(header, dtype=object))
    return np.arange(n)
