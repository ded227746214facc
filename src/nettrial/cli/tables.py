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
ROW_NAMES |= {""}  # row names as R and pandas write them
# columns that a long table has, first the ones of our own
CLASSIFIER = ("classifier", "model", "algorithm", "method")
VALUE = ("value", "score", "accuracy", "acc", "error", "error_rate", "f1", "auc")


def number(cell: str) -> float:
    """Read a number; Python's own 1_000 is none in a table."""
    if "_" in cell:
        raise ValueError(cell)
    return float(cell)


@dataclass(frozen=True, slots=True)
class Layout:
    """Which columns of a long table say what; empty: recognised by their names.

    Attributes
    ----------
    classifier : tuple of str
        Columns that together name the classifier.
    value : str or None
        Column of the values.
    rows : tuple of str
        Columns that say which values belong together; by default all others.
    where : tuple of (str, str)
        Columns and the value that rows must have there to be read.
    """

    classifier: tuple[str, ...] = ()
    value: str | None = None
    rows: tuple[str, ...] = ()
    where: tuple[tuple[str, str], ...] = ()

    def is_long(self, header: Sequence[str]) -> bool:
        """Whether columns of a long table are named here or are there by their usual names."""
        lower = {name.lower() for name in header}
        named = bool(self.classifier or self.value or self.rows)
        return named or not (lower.isdisjoint(CLASSIFIER) or lower.isdisjoint(VALUE))


@dataclass(frozen=True, slots=True)
class Table:
    """Columns of text, all of one length."""

    columns: dict[str, list[str]]
    rows_named_by: tuple[str, ...]
    """Columns that name or number rows, so that no classifier is in them."""
    long: bool = False

    def about(self, names: Sequence[str]) -> Table:
        """Leave out the rows of a long table that have a value of none of these classifiers."""
        if not (self.long and names):
            return self
        keep = [any(cells) for cells in zip(*(self.text(name) for name in names))]
        columns = {
            name: [cell for cell, kept in zip(column, keep) if kept]
            for name, column in self.columns.items()
        }
        return Table(columns, self.rows_named_by, long=True)

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
                out[i] = math.nan if cell.lower() in BLANK else number(cell)
            except ValueError as error:
                raise InputError(
                    f"column {name!r}, row {i + 1}: received {cell!r}, allowed are numbers with a "
                    "decimal point; name the columns to use by --a, --b or --columns"
                ) from error
        return out

    def complete(self, name: str) -> NDArray[np.float64]:
        """Give a column as numbers and refuse blanks."""
        values = self.numbers(name)
        if np.isnan(values).any():
            row = int(np.flatnonzero(np.isnan(values))[0])
            where = ", ".join(f"{key} {self.columns[key][row]}" for key in self.rows_named_by)
            raise InputError(
                f"column {name!r}, row {row + 1}{f' ({where})' * self.long}: no value; this test "
                "needs one in every row, so remove incomplete rows first"
                + ", or say with rows= which values belong together"
                * self.long
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
            return [[number(cell) for cell in column] for column in columns]
        except ValueError:
            return [list(column) for column in columns]


def read_table(path: str | Path, layout: Layout = Layout()) -> Table:
    """Read a table; a long one, by its layout or usual names of columns, is made wide.

    Raises
    ------
    InputError
        For files that are not text tables: no rows, rows of unequal length, equal column
        names, or two values for one classifier and row.
    """
    header, rows = _read(path)
    for name, wanted in layout.where:
        i = _place(header, name)
        kept = [row for row in rows if row[i] == wanted]
        if not kept:
            raise unknown_choice(f"where {name}", wanted, dict.fromkeys(row[i] for row in rows))
        rows = kept
    if layout.is_long(header):
        return _widen(header, rows, layout)
    columns = {name: [row[i] for row in rows] for i, name in enumerate(header)}
    return Table(columns, tuple(name for name in header if name.lower() in ROW_NAMES))


def read_columns(path: str | Path) -> dict[str, list[str]]:
    """Read a table as it stands, column by column.

    Raises
    ------
    InputError
        As for `read_table`, but for what concerns long tables.
    """
    header, rows = _read(path)
    return {name: [row[i] for row in rows] for i, name in enumerate(header)}


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


def _place(header: Sequence[str], name: str) -> int:
    if name not in header:
        raise unknown_choice("column", name, header)
    return header.index(name)


def _usual(header: Sequence[str], names: Sequence[str], what: str) -> int:
    """Find the column with the first of the usual names that is there."""
    lower = [name.lower() for name in header]
    found = next((name for name in names if name in lower), None)
    if found is None:
        raise InputError(f"none of the columns {', '.join(header)} has the {what}; name it")
    return lower.index(found)


def _widen(header: list[str], rows: list[list[str]], layout: Layout) -> Table:
    """Make a column of each classifier, a row of each combination of the other columns."""
    who = [_place(header, name) for name in layout.classifier] or [
        _usual(header, CLASSIFIER, "names of the classifiers")
    ]
    what = _usual(header, VALUE, "values") if layout.value is None else _place(header, layout.value)
    others = [_place(header, name) for name in layout.rows] or [
        i for i in range(len(header)) if i not in (*who, what)
    ]
    if not others:
        raise InputError(
            "a long table needs a column, such as dataset or split, beside classifier and value "
            "that says which values belong together"
        )
    names = [" ".join(filter(None, (row[i] for i in who))) for row in rows]
    keys = list(dict.fromkeys(tuple(row[i] for i in others) for row in rows))
    clash = set(names) & {header[i] for i in others}
    if clash:
        raise InputError(f"classifier {min(clash)!r} has the name of a column; rename one")
    place = {key: i for i, key in enumerate(keys)}
    columns = {header[i]: [key[j] for key in keys] for j, i in enumerate(others)}
    columns |= {name: [""] * len(keys) for name in names}
    filled = set()
    for name, row in zip(names, rows):
        key = tuple(row[i] for i in others)
        if (key, name) in filled:
            raise InputError(
                f"classifier {name!r} has two values for {', '.join(key)}; tell them apart by "
                "further columns of classifier= or rows=, or leave some out with where="
            )
        filled.add((key, name))
        columns[name][place[key]] = row[what]
    return Table(columns, tuple(header[i] for i in others), long=True)


def equation(text: str, what: str, key: str) -> tuple[str, str]:
    """Split KEY=VALUE."""
    name, found, value = text.partition("=")
    if not found:
        raise InputError(f"{what}: expected {key}=VALUE, got {text!r}")
    return name.strip(), value.strip()
