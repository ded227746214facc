"""Tables of results in CSV, wide (one column a classifier) or long (one row a value)."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, unknown_choice

BLANK = {"", "na", "nan", "n/a", "null", "none"}
# columns of a wide table that number the rows
ROW_NAMES = {"dataset", "data_set", "split", "fold", "repeat", "replicate", "run", "seed"}
ROW_NAMES |= {"instance", "case", "node", "id", "query"}


@dataclass(frozen=True, slots=True)
class Table:
    """Columns of text, all of one length."""

    columns: dict[str, list[str]]
    rows_named_by: tuple[str, ...]
    """Columns that name or number rows, so that no classifier is in them."""

    def text(self, name: str) -> list[str]:
        """Give a column."""
        if name not in self.columns:
            raise unknown_choice("column", name, self.columns)
        return self.columns[name]

    def numbers(self, name: str) -> NDArray[np.float64]:
        """Give a column as numbers, NaN where it is blank."""
        out = np.empty(len(self.text(name)))
        for i, cell in enumerate(self.text(name)):
            try:
                out[i] = math.nan if cell.lower() in BLANK else float(cell)
            except ValueError as error:
                raise InputError(
                    f"column {name!r}, row {i + 1}: received {cell!r}, allowed are numbers; "
                    "name the columns to use by --a, --b or --columns"
                ) from error
        return out

    def complete(self, name: str) -> NDArray[np.float64]:
        """Give a column as numbers and refuse blanks."""
        values = self.numbers(name)
        if np.isnan(values).any():
            row = int(np.flatnonzero(np.isnan(values))[0]) + 1
            raise InputError(
                f"column {name!r}, row {row}: no value; this test needs one in every row, so "
                "remove incomplete rows first"
            )
        return values

    def present(self, name: str) -> NDArray[np.float64]:
        """Give the numbers of a column that are not blank."""
        values = self.numbers(name)
        return values[~np.isnan(values)]

    def labels(self, names: Sequence[str]) -> list[list[str] | list[float]]:
        """Give columns of classes, all as numbers if all are (so that 1 equals 1.0)."""
        columns = [self.text(name) for name in names]
        for name, column in zip(names, columns):
            for i, cell in enumerate(column):
                if cell.lower() in BLANK:
                    raise InputError(f"column {name!r}, row {i + 1}: no value")
        try:
            return [[float(cell) for cell in column] for column in columns]
        except ValueError:
            return [list(column) for column in columns]


def read_table(path: str | Path) -> Table:
    """Read a table; one with columns "classifier" and "value" is long and is made wide.

    Raises
    ------
    InputError
        For files that are not text tables: no rows, rows of unequal length, equal column
        names, or two values for one classifier and row.
    """
    header, rows = _read(path)
    lower = [name.lower() for name in header]
    if {"classifier", "value"} <= set(lower):
        return _widen(header, rows, lower.index("classifier"), lower.index("value"))
    columns = {name: [row[i] for row in rows] for i, name in enumerate(header)}
    return Table(columns, tuple(name for name in header if name.lower() in ROW_NAMES))


def _read(path: str | Path) -> tuple[list[str], list[list[str]]]:
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not a text file in UTF-8") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    rows: list[list[str]] = []
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        for row in reader:
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            if rows and len(cells) != len(rows[0]):
                raise InputError(
                    f"{path}, line {reader.line_num}: {len(cells)} cells, but the header has "
                    f"{len(rows[0])}"
                )
            rows.append(cells)
    except csv.Error as error:
        raise InputError(f"{path}: not a CSV table ({error})") from error
    if len(rows) < 2:
        raise InputError(f"{path}: received no rows; allowed is a header and at least one row")
    twice = {name for name in rows[0] if rows[0].count(name) > 1}
    if twice:
        raise InputError(f"{path}: column {min(twice)!r} occurs twice")
    return rows[0], rows[1:]


def _widen(header: list[str], rows: list[list[str]], who: int, what: int) -> Table:
    others = [i for i in range(len(header)) if i not in (who, what)]
    if not others:
        raise InputError(
            "a long table needs a column, such as dataset or split, beside classifier and value "
            "that says which values belong together"
        )
    classifiers = list(dict.fromkeys(row[who] for row in rows))
    keys = list(dict.fromkeys(tuple(row[i] for i in others) for row in rows))
    clash = set(classifiers) & {header[i] for i in others}
    if clash:
        raise InputError(f"classifier {min(clash)!r} has the name of a column; rename one")
    place = {key: i for i, key in enumerate(keys)}
    columns = {header[i]: [key[j] for key in keys] for j, i in enumerate(others)}
    columns |= {name: [""] * len(keys) for name in classifiers}
    filled = set()
    for row in rows:
        key = tuple(row[i] for i in others)
        if (key, row[who]) in filled:
            raise InputError(f"classifier {row[who]!r} has two values for {', '.join(key)}")
        filled.add((key, row[who]))
        columns[row[who]][place[key]] = row[what]
    return Table(columns, tuple(header[i] for i in others))
