"""Whether the first row of a text table names its columns, and names that stand elsewhere."""

from __future__ import annotations

import re
from typing import Any

from ..network.missing_text import MISSING_TEXT
from .columns import DECIMAL_COMMA, FINITE
from .vocabulary import (
    LABEL,
    NODE,
    PAIRS,
    PEOPLE_FILES,
    SOURCE,
    TARGET,
    TRANSFER_FILES,
    WEIGHT,
    plain,
    says,
    words,
)

KNOWN = {
    *SOURCE, *TARGET, *NODE, *WEIGHT, *LABEL,
    *(name for pair in PAIRS for name in pair if len(name) > 1),
}  # fmt: skip
TITLES = 5  # lines of a title that may stand above a table
ENOUGH = 3  # rows below a first row that may be a header of names never seen before
SEPARATOR = re.compile(rb"[ \t]*\"?sep=(.)\"?[ \t]*(?=\n|$)", re.I)


def named_as_people(name: str) -> bool:
    """Return whether a file or sheet of a firm is called after its nodes.

    Examples
    --------
    >>> [named_as_people(name) for name in ("accounts.csv", "user_transfers.csv", "edges.csv")]
    [True, False, False]
    """
    return says(name, PEOPLE_FILES) and not says(name, TRANSFER_FILES)


def header_of(rows: list[list[str]]) -> bool | None:
    """Return whether the first row names the columns; None where only the whole file can show it.

    It does where its first field is empty, as above pandas' row numbers, and where it holds no
    number and either one of the usual names or, over at least one column, a word above nothing
    but numbers. A first row of column numbers over text is one, too. Words over words are a
    header where they never occur again.

    Examples
    --------
    >>> header_of([["source", "target"], ["a", "b"]]), header_of([["", "0"], ["0", "x"]])
    (True, True)
    >>> header_of([["0", "1"], ["1", "2"]])
    False
    >>> header_of([["who", "whom"], ["a", "b"], ["b", "c"], ["c", "d"]]) is None
    True
    """
    first = [field.strip() for field in rows[0]]
    if len(rows) > ENOUGH and all(len(row) == len(first) + 1 for row in rows[1:]):
        return not any(is_finite(field) for field in first)  # R leaves out one title
    body = [[field.strip() for field in row] for row in rows[1:]]
    body = [row for row in body if len(row) == len(first)]
    if first and not first[0] and body and all(row[0] for row in body):
        return True
    if first == [str(k) for k in range(len(first))] and len(first) > 1 and body:
        return not any(is_finite(field) for row in body for field in row)
    if any(is_finite(field) for field in first):
        return False
    known = sum(map(is_known, first))
    if known >= min(2, len(first)):
        return True
    if body and any(over_numbers([row[k] for row in body]) for k in range(len(first))):
        return True
    if any(not field for field in first) or len(body) < ENOUGH:
        return False
    again = {field for row in body for field in row}
    if again & set(first):
        return False
    return True if known and len(first) > 2 else None


def title_rows(rows: list[list[str]]) -> int:
    """Count the rows that stand, as a title, above the header of a table.

    They hold no usual name of a column; the header below them holds two, or other than they has
    as many fields as the rows, of which one is a usual name where there are two.

    Examples
    --------
    >>> title_rows([["Our club"], ["source", "target"], ["a", "b"]])
    1
    >>> title_rows([["label"], ["1", "x"], ["2", "y"]])
    0
    """
    sizes = [len(row) for row in rows]
    width = max(set(sizes), key=sizes.count)
    for above, row in enumerate(rows[: TITLES + 1]):
        names = [field.strip() for field in row]
        known = sum(map(is_known, names))
        whole = len(names) == width > 2 and all(names[1:])
        apart = all(
            len(title) != width or not any(map(str.strip, title[1:])) for title in rows[:above]
        )
        if known > 1 or (above and apart and (whole or (known and width > 1))):
            below = rows[above:]
            return above if len(below) > 1 and header_of(below) is not False else 0
        if known:
            return 0
    return 0


def is_known(name: str) -> bool:
    """Return whether a field is a usual name of a column, or one of ids.

    Examples
    --------
    >>> is_known("Source"), is_known("movie_id"), is_known("ann")
    (True, True, False)
    """
    return plain(name) in KNOWN or words(name)[-1:] in (["id"], ["ids"])


def is_finite(field: str) -> bool:
    return FINITE.fullmatch(field) is not None or DECIMAL_COMMA.fullmatch(field) is not None


def over_numbers(column: list[str]) -> bool:
    """Return whether a column holds numbers and, at most, missing values."""
    filled = [field for field in column if field not in MISSING_TEXT]
    return len(filled) > 0.5 * len(column) and all(map(is_finite, filled))


def occurs_again(names: list[str], columns: tuple[Any, ...]) -> bool:
    """Return whether any field of the first row stands in a later row of the whole table."""
    import pandas as pd

    return any(bool(pd.Index(column[1:]).isin(names).any()) for column in columns)


def cut_separator(data: bytes) -> tuple[bytes, str | None]:
    """Empty a first line ``sep=;``, which Excel reads and writes, and return the delimiter."""
    found = SEPARATOR.match(data)
    if found is None:
        return data, None
    return data[found.end() :], found.group(1).decode()


def comment_names(data: bytes, delimiter: str, width: int) -> list[str]:
    """Return the column names of the last comment line above the rows, where it holds them.

    It does where it has one field for each column, at least two of the usual names among them.
    """
    last = b""
    for line in data[: 2**16].split(b"\n"):
        filled = line.strip()
        if filled and filled[:1] not in (b"#", b"%"):
            break
        last = filled or last
    text = last.decode(errors="replace").lstrip("#% \t")
    fields = [
        name.strip().strip('"')
        for name in (text.split() if delimiter == " " else text.split(delimiter))
    ]
    if len(fields) != width:
        return []
    return fields if sum(map(is_known, fields)) >= 2 else []
