"""The sheets of Excel workbooks (.xlsx); needs openpyxl."""

from __future__ import annotations

import datetime
import importlib
import importlib.util
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..core.errors import shown
from .archive import BROKEN, members_of
from .columns import INTEGER, is_number
from .guards import LIMITS, check_ratio, fail, size_of
from .headers import header_of, is_known, named_as_people, occurs_again, title_rows
from .link_ends import names_ends
from .square import is_matrix
from .tables import Table, tail, unique_names
from .vocabulary import LINK_SHEETS, NODE_SHEETS, says
from .xml import declares_type

WORKBOOK = "xl/workbook.xml"
CELLS = 2_000_000  # that any file may hold
CELLS_A_BYTE = 5  # beyond these, for each byte of the file
SAMPLE = 200  # rows by which the header is reported


def is_excel(head: bytes, path: Path) -> bool:
    """Return whether a zip archive holds a workbook."""
    members = members_of(head, path)
    return path.suffix.lower() == ".xlsx" if members is None else WORKBOOK in members


def check_archive(path: Path) -> None:
    """Refuse workbooks that expand too far, and XML that declares entities."""
    try:
        with zipfile.ZipFile(path) as file:
            members = file.infolist()
            whole = sum(member.file_size for member in members)
            check_ratio(path, size_of(path), whole, text=True)
            for member in members:
                with file.open(member) as stream:
                    if declares_type(stream):
                        fail(
                            path,
                            f"{shown(member.filename)} declares a document type (DTD), which "
                            "is refused as unsafe",
                        )
    except BROKEN as error:
        if type(error).__module__.startswith("nettrial"):
            raise
        fail(path, f"is a damaged workbook ({error})")


def read_sheets(path: Path, *, header: bool | None = None) -> dict[str, Table]:
    """Read the sheets of a workbook that hold anything, by name."""
    if importlib.util.find_spec("openpyxl") is None:
        fail(path, "is an Excel workbook, which needs the extra: pip install 'nettrial[excel]'")
    openpyxl: Any = importlib.import_module("openpyxl")
    check_archive(path)
    sheets = {}
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        for sheet in book.worksheets:
            table = as_table(path, cells_of(path, sheet), header)
            if table is not None:
                sheets[str(sheet.title)] = table
        book.close()
    except (*BROKEN, AttributeError, zipfile.LargeZipFile) as error:
        if type(error).__module__.startswith("nettrial"):
            raise
        from ..core.wording import shorten  # loads the measures, which takes long

        fail(path, f"is a damaged workbook ({shorten(error, 100)})")
    return sheets


def cells_of(path: Path, sheet: Any) -> list[tuple[Any, ...]]:
    """Return the rows of a sheet; one cell far to the right makes its whole row take memory."""
    rows, cells, most = [], 0, CELLS + CELLS_A_BYTE * size_of(path)
    sheet.reset_dimensions()  # else every row is filled up to the size that the sheet declares
    for row in sheet.iter_rows(values_only=True):
        if len(row) > LIMITS.columns:
            fail(path, f"has {len(row)} columns, the limit is {LIMITS.columns}")
        cells += len(row) + 1
        if cells > most:
            fail(path, f"holds more than {most:,} cells, beyond what data is packed to")
        rows.append(row)
    return rows


def as_text(value: Any) -> str:
    """Write a cell as a text table would hold it."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    return str(value).strip()


def as_table(path: Path, cells: Sequence[Sequence[Any]], header: bool | None) -> Table | None:
    """Make a table of the rows that hold anything; None where there are none."""
    rows = [[as_text(value) for value in row] for row in cells]
    rows = [row for row in rows if any(row)]
    if not rows:
        return None
    width = max(k + 1 for row in rows for k, value in enumerate(row) if value)
    rows = [[*row[:width], *[""] * (width - len(row))] for row in rows]
    if header is None:
        rows = rows[rows_above(rows[:SAMPLE]) :]
    titled = header_of(rows[:SAMPLE]) if header is None else header
    columns: list[Any] = [np.array([row[k] for row in rows], dtype=object) for k in range(width)]
    if titled is None:
        titled = not occurs_again(rows[0], tuple(columns))
    names = rows[0] if titled else [str(k) for k in range(width)]
    if titled:
        columns = [tail(column) for column in columns]
    if not len(columns[0]):
        return None
    whole = [all(map(INTEGER.fullmatch, column.tolist())) for column in columns]
    columns = [c.astype(np.int64) if fits else c for c, fits in zip(columns, whole)]
    return Table(path, unique_names(names), tuple(columns), bool(titled), "", 0, lines=False)


def rows_above(rows: Sequence[Sequence[str]]) -> int:
    """Count the rows above the header: titles, and names of groups of columns.

    Names of groups, as NodeXL has them, stand above few columns, the header above the most.

    Examples
    --------
    >>> rows_above([["Our club", ""], ["source", "target"], ["a", "b"]])
    1
    >>> rows_above([["", "", "Looks", ""], ["Vertex 1", "Vertex 2", "Color", "Size"], ["a", "b"]])
    1
    """
    above = title_rows([list(row) for row in rows])
    filled = [sum(map(bool, row)) for row in rows[:2]]
    if above or len(rows) < 3 or 2 * filled[0] > filled[1] or rows[0][0]:
        return above
    return int(bool(rows[1][0]) and not any(map(is_number, rows[1])))


def rows_of(table: Table) -> list[list[str]]:
    """Return the rows of a sheet as text, the names of its columns first where it has any."""
    names = [list(table.names)] if table.header else []
    return names + [[str(cell) for cell in row] for row in zip(*table.columns)]


def choose_sheets(
    path: Path, sheets: Mapping[str, Table], member: str | None
) -> tuple[str, list[str]]:
    """Choose the sheet of links and those of nodes by what they, or their columns, are called."""
    if not sheets:
        fail(path, "holds no sheet with rows")

    def titles(name: str) -> tuple[str, ...]:
        return sheets[name].names if sheets[name].header else ()

    nodes = [name for name in sheets if says(name, NODE_SHEETS)]
    if member is not None:
        if member not in sheets:
            fail(
                path, f"has no sheet {shown(member)} with rows; its sheets are {', '.join(sheets)}"
            )
        links = [member]
    else:
        links = [name for name in sheets if says(name, LINK_SHEETS)]
        links = links or [name for name in sheets if name not in nodes]
    if len(links) > 1:
        by_names = [name for name in links if names_ends(sheets[name])]
        links = by_names or [name for name in links if is_matrix(rows_of(sheets[name]))] or links
    if len(links) > 1 and not nodes:
        nodes = [name for name in links if named_as_people(name)]
        links = [name for name in links if name not in nodes] or links
    if len(links) != 1:
        fail(
            path,
            f"holds several sheets ({', '.join(sheets)}); choose that of the links as "
            f"{path.name}#SHEET",
        )
    others = [name for name in sheets if name not in links and any(map(is_known, titles(name)))]
    by_columns = [name for name in others if not names_ends(sheets[name])]
    nodes = [name for name in nodes if name not in links]
    return links[0], nodes or (by_columns if len(by_columns) == 1 else [])


def node_sheet(path: Path, header: bool | None) -> Table:
    """Read the one sheet of a workbook that is given as a node table."""
    sheets = read_sheets(path, header=header)
    nodes = [name for name in sheets if says(name, NODE_SHEETS)]
    chosen = nodes if len(sheets) > 1 else list(sheets)
    if len(chosen) != 1:
        fail(path, f"expected one sheet of nodes, got {', '.join(sheets) or 'none with rows'}")
    return sheets[chosen[0]]
