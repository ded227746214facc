"""Whether rows of text are an adjacency matrix, with names around it or without."""

from __future__ import annotations

from .columns import NUMBER
from .headers import KNOWN

MIN_NODES = 4  # of a matrix without names
LABELS = 4  # columns of labels at the right edge of one without names
MIN_NAMED = 2  # of a matrix whose header repeats its first column


def is_matrix(rows: list[list[str]], *, whole: bool = True) -> bool:
    """Return whether there are as many number columns as rows, or a header that repeats the ids.

    Where `rows` are not all that there are, only the header can tell.
    """
    if not rows or len({len(row) for row in rows}) > 1:
        return False
    if repeats_ids(rows):
        return True
    if len(rows) < MIN_NODES or len(rows[0]) < MIN_NODES or not whole:
        return False
    body = rows[titled(rows) :]
    names = [name.lower() for name in rows[0][: len(body)]]
    if len(body) < len(rows) and KNOWN & set(names):
        return False
    square = [row[: len(body)] for row in body]
    return (
        len(body) + LABELS >= len(rows[0]) >= len(body) >= MIN_NODES
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
