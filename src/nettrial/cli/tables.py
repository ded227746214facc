"""Tables of results, wide (one column or row a classifier) or long (one row per value)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, not_found, shown
from ..core.option_names import option
from ..core.plain_text import printable
from ..io.columns import column_named, is_index_name
from ..io.vocabulary import (
    CASES,
    DATA_SET,
    MODEL,
    MODEL_HEADS,
    PREDICTED,
    SPLIT,
    VALUE,
    plain,
    usual,
)
from ..numeric.checks import refuse_inexact_text
from ..published.cells import read_cell
from ..published.layout import needed, wide_cells
from ..published.table_files import read_rows
from . import say
from .test_rows import is_no_result, without_summaries

BLANK = {"", "na", "nan", "n/a", "null", "none"}
# columns of a wide table that number the rows; row names as R and pandas write them
GROUPS = ("group", "groups", "treatment", "condition")  # of unpaired values
ROW_NAMES = {*DATA_SET, *SPLIT, *CASES, ""}
PATTERN = click.option(
    "--pattern",
    multiple=True,
    metavar="TEXT",
    help="TABLE is a training log: read its lines such as 'Epoch: {epoch}, Loss: ..., Test: "
    "{value}'; give a first pattern such as 'Model: {model}' for lines above "
    "them.",
)


def names_rows(name: str) -> bool:
    """Return whether a column names or numbers the rows, by its own name."""
    return plain(name) in ROW_NAMES or is_index_name(name)


def number(cell: str) -> float:
    """Read a number; Python's own 1_000 is none in a table."""
    if "_" in cell:
        raise ValueError(cell)
    return float(cell)


@dataclass(frozen=True, slots=True)
class Layout:
    """Which columns of a long table say what; empty: recognized by their names."""

    classifier: tuple[str, ...] = ()  # columns that together name the classifier
    value: str | None = None  # column of the values
    rows: tuple[str, ...] = ()  # columns that say which values belong together; all others
    where: tuple[tuple[str, str], ...] = ()  # columns, and the value of rows that are read
    # where the classifiers of a wide table are; None: in rows where its first column is called
    # model or the like
    models_in: str | None = None
    groups: str | None = None  # a column of groups of rows, which does not name classifiers
    # usual names of the column of values, the first one wins. Where they are not those of measures,
    # rows are cases, and what else is predicted of one does not say which values belong together
    usual: tuple[str, ...] = VALUE
    unpaired: bool = False  # whether values of two classifiers never belong together

    @property
    def heads(self) -> tuple[str, ...]:
        """Return what a column that names classifiers is called."""
        return (*MODEL, *GROUPS * self.unpaired)

    def is_long(self, header: Sequence[str]) -> bool:
        """Return whether columns of a long table are named here or have their usual names."""
        named = bool(self.classifier or self.value or self.rows)
        others = [name for name in header if name != self.groups]
        return named or bool(usual(others, self.heads) and usual(others, self.usual))


@dataclass(frozen=True, slots=True)
class Table:
    """Columns of text, all of one length."""

    columns: dict[str, list[str]]
    rows_named_by: tuple[str, ...]
    """Columns that name or number rows, so that no classifier is in them."""
    long: bool = False
    note: tuple[str, ...] = ()
    """What was left out."""

    def about(self, names: Sequence[str]) -> Table:
        """Leave out the rows of a long table that have a value of none of these classifiers."""
        if not (self.long and names):
            return self
        keep = [any(cells) for cells in zip(*(self.text(name) for name in names))]
        columns = {
            name: [cell for cell, kept in zip(column, keep) if kept]
            for name, column in self.columns.items()
        }
        return Table(columns, self.rows_named_by, long=True, note=self.note)

    def text(self, name: str) -> list[str]:
        """Return a column."""
        return self.columns[column_named(self.columns, name)]

    def numbers(self, name: str) -> NDArray[np.float64]:
        """Return a column as numbers, without their spread; NaN where it is blank."""
        out = np.empty(len(self.text(name)))
        for i, text in enumerate(self.text(name)):
            cell = read_cell(text)
            if cell is None:
                raise InputError(
                    expected="a number with a decimal point",
                    got=shown(text),
                    hint="name the columns to use by --a, --b or --columns",
                    where=f"column {shown(name)}, row {i + 1}",
                )
            refuse_inexact_text(f"column {shown(name)}, row {i + 1}", text)
            out[i] = cell.mean / 100 if cell.percent else cell.mean
        return out

    def check_unit(self, names: Sequence[str]) -> None:
        """Refuse columns of which some cells have a percent sign and others are above 1 without."""
        signed, plain = "", ""
        for name in names:
            for text in self.text(name):
                cell = read_cell(text)
                if cell is None or np.isnan(cell.mean):
                    continue
                signed = signed or (name if cell.percent else "")
                plain = plain or (name if not cell.percent and abs(cell.mean) > 1 else "")
                if signed and plain:
                    raise InputError(
                        f"column {shown(signed)} has percent signs, and column {shown(plain)} has "
                        "numbers above 1 without; write all of them in one way"
                    )

    def complete(self, name: str) -> NDArray[np.float64]:
        """Return a column as numbers and refuse blanks."""
        values = self.numbers(name)
        if np.isnan(values).any():
            row = int(np.flatnonzero(np.isnan(values))[0])
            where = ", ".join(f"{key} {self.columns[key][row]}" for key in self.rows_named_by)
            raise InputError(
                "no value",
                hint="this test needs one in every row, so remove incomplete rows first"
                + f", or say with {option('rows')} which values belong together" * self.long,
                where=f"column {shown(name)}, row {row + 1}{f' ({where})' if where else ''}",
            )
        return values

    def present(self, name: str) -> NDArray[np.float64]:
        """Return the numbers of a column that are not blank."""
        values = self.numbers(name)
        return values[~np.isnan(values)]

    def labels(self, names: Sequence[str]) -> list[list[str] | list[float]]:
        """Return columns of classes, all as numbers if all are (so that 1 equals 1.0)."""
        columns = [self.text(name) for name in names]
        for name, column in zip(names, columns):
            for i, cell in enumerate(column):
                if cell.lower() in BLANK:
                    raise InputError(f"column {shown(name)}, row {i + 1}: no value")
        try:
            return [[number(cell) for cell in column] for column in columns]
        except ValueError:
            return [list(column) for column in columns]


def read_table(path: str | Path | Mapping[str, list[str]], layout: Layout = Layout()) -> Table:
    """Read a table; a long one, by its layout or usual names of columns, is made wide."""
    if isinstance(path, Mapping):
        header, rows = list(path), [list(row) for row in zip(*path.values())]
    else:
        header, rows = read_rows(path)
    for name, wanted in layout.where:
        i = _place(header, name)
        kept = [row for row in rows if row[i] == wanted]
        if not kept:
            raise not_found("value", wanted, dict.fromkeys(row[i] for row in rows), f"where {name}")
        rows = kept
    if layout.is_long(header):
        return _widen(header, rows, layout)
    columns = {name: [row[i] for row in rows] for i, name in enumerate(header)}
    named = plain(header[0]) in MODEL_HEADS and header[0] != layout.groups
    if layout.models_in == "rows" or (layout.models_in is None and named):
        return _turned(columns)
    beside = [name for name in header if names_rows(name) or _is_text(columns[name])]
    columns, note = without_summaries(columns, [name for name in beside if name != layout.groups])
    return Table(columns, tuple(beside), note=tuple(note))


def of_logs(paths: Sequence[str], patterns: Sequence[str]) -> dict[str, list[str]]:
    """Read the results of runs from training logs, and say on stderr how many there are."""
    from ..published.logs import read_logs

    columns, note = read_logs(paths, patterns)
    say(f"nettrial: {note}", err=True)
    return columns


def one_path(paths: Sequence[str]) -> str:
    """Return the only path of a table."""
    if len(paths) != 1:
        raise InputError(expected="one table", got=f"{len(paths)}", hint="several need --pattern")
    return paths[0]


def _is_text(cells: Sequence[str]) -> bool:
    """Return whether a column has text and no number, so that it can only name rows."""
    read = [read_cell(cell) for cell in cells]
    return any(cell is None for cell in read) and all(
        cell is None or math.isnan(cell.mean) for cell in read
    )


def _turned(columns: dict[str, list[str]]) -> Table:
    """Make a column of each row, where the rows are the classifiers."""
    notes: list[str] = []
    cells = wide_cells(columns, [next(iter(columns))], "rows", notes)
    for note in notes:
        say(f"nettrial: {note}", err=True)
    rows = list(dict.fromkeys(row for row, _ in cells))
    found = {"dataset": rows}
    for model in dict.fromkeys(model for _, model in cells):
        found[model] = [
            f"{cells[row, model].mean!r}{'%' * cells[row, model].percent}" for row in rows
        ]
    return Table(found, ("dataset",))


def _place(header: Sequence[str], name: str) -> int:
    return header.index(column_named(header, name))


def _widen(header: list[str], rows: list[list[str]], layout: Layout) -> Table:
    """Make a column of each classifier, a row of each combination of the other columns."""
    who = [_place(header, name) for name in layout.classifier] or [
        header.index(needed(header, layout.heads, "names of the classifiers"))
    ]
    what = (
        header.index(needed(header, layout.usual, "values"))
        if layout.value is None
        else _place(header, layout.value)
    )
    same = () if layout.usual == VALUE else PREDICTED
    others = [_place(header, name) for name in layout.rows] or [
        i
        for i, name in enumerate(header)
        if i not in (*who, what) and plain(name) not in same and not is_index_name(name)
    ]
    beside: list[str] = []
    if not layout.rows and layout.usual == VALUE:  # a time or a size does not name a row
        beside = [header[i] for i in others if is_no_result(header[i], header)]
        beside = (
            [name for name in beside if name != layout.groups] if len(beside) < len(others) else []
        )
        others = [i for i in others if header[i] not in beside]
    if not (others or layout.unpaired):
        raise InputError(
            "a long table needs a column, such as dataset or split, beside classifier and value "
            "that says which values belong together"
        )
    own = {header[i]: [row[i] for row in rows] for i in others}
    sums = [name for name in own if name != layout.groups and plain(name) in (*DATA_SET, *SPLIT)]
    aside = [
        f"column {printable(name)!r} is not read, by name no part of a row's name"
        for name in beside
    ]
    kept, note = without_summaries(own | {"": list(map(str, range(len(rows))))}, sums)
    rows = [rows[int(i)] for i in kept[""]]
    names = [" ".join(filter(None, (row[i] for i in who))) for row in rows]
    key_of = [tuple(row[i] for i in others) for row in rows]
    if layout.unpaired:  # each value has a row, with the values of others that are as many so far
        seen: Counter[tuple[str, ...]] = Counter()
        for i, name in enumerate(names):
            seen[*key_of[i], name] += 1
            key_of[i] = (*key_of[i], str(seen[*key_of[i], name]))
    keys = list(dict.fromkeys(key_of))
    clash = set(names) & {header[i] for i in others}
    if clash:
        raise InputError(f"classifier {shown(min(clash))} has the name of a column; rename one")
    place = {key: i for i, key in enumerate(keys)}
    columns = {header[i]: [key[j] for key in keys] for j, i in enumerate(others)}
    columns |= {name: [""] * len(keys) for name in names}
    filled = set()
    for name, row, key in zip(names, rows, key_of):
        if (key, name) in filled:
            raise InputError(
                f"classifier {shown(name)} has two values for {', '.join(key)}; tell them apart "
                f"by further columns of {option('classifier')} or {option('rows')}, or leave some "
                f"out with {option('where')}"
            )
        filled.add((key, name))
        columns[name][place[key]] = row[what]
    return Table(columns, tuple(header[i] for i in others), long=True, note=(*aside, *note))


def equation(text: str, what: str, key: str) -> tuple[str, str]:
    """Split KEY=VALUE."""
    name, found, value = text.partition("=")
    if not found:
        raise InputError(parameter=what, expected=f"{key}=VALUE", got=shown(text))
    return name.strip(), value.strip()
