"""Delimited text: which delimiter, which header, which columns, and where a row stands."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import shown
from ..core.option_names import option
from .columns import INTEGER
from .edge_dicts import cut_dicts
from .guards import LIMITS, fail, fail_at_end, note, read_text
from .headers import comment_names, cut_separator, header_of, occurs_again, title_rows
from .parsing import column_types, lines_to_header, parse_columns
from .rows import blank_comments, sample_lines, sniff_delimiter, split_rows
from .vocabulary import plain


@dataclass(frozen=True, slots=True)
class Table:
    """A text table as read: integer columns as int64, all others as text.

    `names` are the header's, or the column numbers as text where there is none.
    """

    path: Path
    names: tuple[str, ...]
    columns: tuple[Any, ...]
    header: bool
    delimiter: str
    comments: int
    skip: int = 0  # rows of the file before those of the table
    lines: bool = True  # whether rows stand on lines
    doubts: tuple[str, ...] = ()  # what of its reading may be wrong
    weight: str | None = None  # the column that the file itself says is the weight
    index: Any = None  # of a table in memory

    def __getitem__(self, name: str) -> Any:
        return self.columns[self.names.index(name)]

    @property
    def where(self) -> str:
        """Name of the table in errors."""
        return str(self.path)

    @property
    def n_rows(self) -> int:
        return len(self.columns[0])

    def line(self, row: int) -> int | None:
        """Find the line on which a row begins; rows count from 0."""
        if not self.lines:
            return None
        data = blank_comments(read_text(self.path))[0].decode()
        rows = split_rows(data, self.delimiter)
        number, _ = next(itertools.islice(rows, row + self.header + self.skip, None), (0, []))
        return number

    def find(self, names: tuple[str, ...], among: tuple[str, ...] | None = None) -> str | None:
        """Find the first column whose name is one of `names`, whatever its case."""
        among = self.names if among is None else among
        lower = {plain(name): name for name in reversed(among)}
        return next((lower[name] for name in names if name in lower), None)


def read_table(
    path: Path,
    *,
    header: bool | None = None,
    data: bytes | None = None,
    skip: int = 0,
    links: bool = False,
    text: Collection[int] = (),
) -> Table:
    """Read a text table of any usual delimiter, with or without header.

    In a table of `links` the numbers beyond the first two columns are read as floats; the
    columns numbered in `text` are read as they stand.
    """
    raw, delimiter = cut_separator(read_text(path) if data is None else data)
    data, comments = blank_comments(raw)
    data, weighted = cut_dicts(path, data) if links else (data, False)
    rows, delimiter = sample_rows(path, data, delimiter, links=links)
    above = title_rows(rows) if header is None else 0
    if above:
        data = blank_lines(data, above)
        rows, delimiter = sample_rows(path, data, None, links=links)
        note(f"{path.name}: {above} line{'s' if above > 1 else ''} above the table left out")
    plain = without_last(rows)
    titled = header_of(plain) if header is None else header
    body = rows[bool(titled) :] or rows
    counts = [len(row) for row in body]
    width = max(set(counts), key=counts.count)
    types = column_types(body, width, data, links=links) | dict.fromkeys(text, "str")
    columns = parse_columns(path, data, delimiter, bool(titled), types)
    if plain is not rows and is_empty(columns[-1]):
        rows, columns, width = plain, columns[:-1], width - 1
    titles = [name.strip() for name in rows[0]] if titled else []
    doubts: tuple[str, ...] = ()
    if titled is None:
        first = [str(column[0]) for column in columns]
        if not occurs_again(first, columns):
            titles, columns = first, tuple(tail(column) for column in columns)
            doubts = (
                f"{path.name}: the first row ({', '.join(first)}) is taken for the names of the "
                f"columns, since it occurs nowhere else; {option('header', False)} reads it as "
                "data",
            )
    elif not titled and comments and header is None:
        titles = comment_names(raw, delimiter, width)
        skip -= bool(titles)  # no row of the file is the header
    if titles and len(titles) == width - 1:
        titles.insert(0, "")  # R leaves out the title of the row names
    names = unique_names(titles[:width] + [str(k) for k in range(len(titles), width)])
    return Table(
        path, names, columns, bool(titles), delimiter, comments, skip, doubts=doubts,
        weight=names[-1] if weighted else None,
    )  # fmt: skip


def without_last(rows: list[list[str]]) -> list[list[str]]:
    """Return rows without their last field where a delimiter ends each, perhaps not the first."""
    first, *body = rows
    width = len(body[0]) if body else 0
    if width < 2 or any(len(row) != width or row[-1].strip() for row in body):
        return rows
    if len(first) == width and first[-1].strip():
        return rows
    return [first if first[-1].strip() else first[:-1], *(row[:-1] for row in body)]


def is_empty(column: Any) -> bool:
    return not isinstance(column, np.ndarray) and bool((column == "").all())


def blank_lines(data: bytes, count: int) -> bytes:
    """Empty the first lines that are not empty, so that line numbers stay as they are."""
    start = 0
    while count:
        end = data.find(b"\n", start)
        filled = bool(data[start:end].strip())
        data = data[:start] + data[end:] if filled else data
        start = start + 1 if filled else end + 1
        count -= filled
    return data


def sample_rows(
    path: Path, data: bytes, delimiter: str | None, *, links: bool
) -> tuple[list[list[str]], str]:
    """Return the first rows and the delimiter that parts them."""
    sample = sample_lines(data)
    delimiter = delimiter or (sniff_delimiter(sample) if sample else " ")
    rows: list[list[str]] = []
    try:
        rows.extend(fields for _, fields in split_rows(sample, delimiter))
    except csv.Error as error:
        fail(path, f"is no table ({error})", len(rows) + 1)
    if not rows:
        fail_at_end(path, "holds no rows")
    widest = max(map(len, rows))
    if widest > LIMITS.columns:
        fail(path, f"has {widest} columns, the limit is {LIMITS.columns}", lines_to_header(data))
    sizes = {len(row) for row in rows[1:]} if len(rows) > 2 else set()
    named = sizes == {len(rows[0]) + 1}  # as R and pandas write a table with row names
    uneven = len(sizes | {len(rows[0])}) > 1 and not named
    if delimiter == " " and not links and uneven and b"\t" not in data:
        # one label of several words a line; a link has two ends
        return [[line.strip()] for line in sample.splitlines()], "\t"
    return rows, delimiter


def tail(column: Any) -> Any:
    """Return a column without its first row."""
    return column[1:] if isinstance(column, np.ndarray) else column[1:].reset_index(drop=True)


def unique_names(names: list[str]) -> tuple[str, ...]:
    seen: dict[str, int] = {}
    for name in names:
        seen[name] = seen.get(name, 0) + 1
    repeat = {name: itertools.count(1) for name, count in seen.items() if count > 1}
    return tuple(f"{name} {next(repeat[name])}" if name in repeat else name for name in names)


def node_numbers(table: Table, least: int, most: int | None = None) -> list[NDArray[np.int64]]:
    """Return the first two columns, which number nodes from `least` to `most`."""
    ends = []
    for name in table.names[:2]:
        column = table[name]
        if not (isinstance(column, np.ndarray) and column.dtype == np.int64):
            row = int(np.argmax([INTEGER.fullmatch(str(v)) is None for v in column]))
            fail(table.path, f"{shown(str(column[row]))} is no node number", table.line(row))
        bad = column < least
        if most is not None:
            bad |= column > most
        if bad.any():
            row = int(np.argmax(bad))
            range_ = (
                f"below {least}, the first node" if most is None else f"outside {least} to {most}"
            )
            fail(table.path, f"node {column[row]} is {range_}", table.line(row))
        ends.append(column)
    return ends
