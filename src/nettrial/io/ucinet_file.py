"""Header, labels and numbers of a UCINET DL file, and attribute matrices as node tables."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..core.errors import shown
from .guards import LIMITS, check_declared, fail, fail_at_end, read_text, size_of
from .numerals import whole_number
from .tables import Table, unique_names

FORMATS = (
    "fullmatrix",
    "upperhalf",
    "lowerhalf",
    "edgelist1",
    "edgelist2",
    "nodelist1",
    "nodelist2",
    "edgelist",
    "nodelist",
)
WORD = re.compile(r'"([^"\n]*)"|([^\s,"]+)')
ITEM = re.compile(r"\b(nr|nc|nm|n|format)\s*=\s*([^\s,]+)", re.I)
DIAGONAL = re.compile(r"\bdiagonal\s*=?\s*(absent|present)", re.I)
LABELS = re.compile(
    r"\b(?:(row|col(?:umn)?|level|matrix|mat)[ \t]+)?labels?\s*(embedded\s*:?|:)", re.I
)
DATA = re.compile(r"\s*data\s*:", re.I)
START = re.compile(rb"\s*dl\b[\s,]+(?:[^\n]{0,200}\b)?(?:n|nr|nc|nm)\s*=", re.I)
Cells = list[tuple[int, str]]


def is_dl(head: bytes) -> bool:
    return START.match(head) is not None


def words(text: str) -> list[str]:
    return [quoted or bare for quoted, bare in WORD.findall(text)]


@dataclass(slots=True)
class Sheet:
    """What the header declares, and the lines of the data.

    `labels` holds the names of both kinds of nodes, of rows, of columns and of matrices under
    "", "row", "column" and "level"; `embedded` those of them that stand among the data.
    """

    path: Path
    rows: int
    columns: int
    matrices: int
    square: bool
    format: str
    no_diagonal: bool
    labels: dict[str, list[str]] = field(default_factory=dict)
    embedded: set[str] = field(default_factory=set)
    data: Cells = field(default_factory=list)

    def cells(self) -> Cells:
        """Return all words of the data with their lines."""
        return [(line, word) for line, text in self.data for word in words(text)]


def read_sheet(path: Path) -> Sheet:
    """Read the header of a DL file, and its data as lines."""
    lines = read_text(path).decode().split("\n")
    start = next((k for k, text in enumerate(lines) if DATA.match(text)), None)
    if start is None:
        fail_at_end(path, "has no line data:")
    head = re.sub(r"(?i)^\s*dl\b", "", "\n".join(lines[:start]), count=1)
    marks = list(LABELS.finditer(head))
    front = head[: marks[0].start()] if marks else head
    sheet = declared(path, front)
    ends = [mark.start() for mark in marks[1:]] + [len(head)]
    for mark, end in zip(marks, ends):
        kind = {"": "", "r": "row", "c": "column", "l": "level", "m": "level"}[
            (mark.group(1) or "")[:1].lower()
        ]
        text = head[mark.end() : end]
        if mark.group(2).lower().startswith("embedded"):
            sheet.embedded.add(kind)
        else:
            sheet.labels[kind] = label_list(sheet, kind, text, start)
    sheet.data = [
        (number, DATA.sub("", text, count=1) if number == start + 1 else text)
        for number, text in enumerate(lines[start:], start + 1)
    ]
    return sheet


def declared(path: Path, text: str) -> Sheet:
    """Read sizes and format."""
    items = {key.lower(): value.lower() for key, value in ITEM.findall(text)}
    numbers: dict[str, int] = {}
    for key, value in items.items():
        number = whole_number(value) if key != "format" else None
        if key != "format":
            if number is None or number < 0:
                fail(path, f"{key.upper()}= needs a number, got {shown(value)}", 1)
            numbers[key] = number
    rows, columns = (numbers.get(key, numbers.get("n")) for key in ("nr", "nc"))
    if rows is None or columns is None:
        fail(path, "needs the number of nodes, N=, or those of rows and columns, NR= and NC=", 1)
    size, limit = size_of(path), LIMITS.columns
    check_declared(path, rows, size, "nodes", 1)
    check_declared(path, columns, size, "nodes", 1)
    matrices = numbers.get("nm", 1)
    if not 1 <= matrices <= limit:
        fail(path, f"NM= needs a number of matrices from 1 to {limit}, got {matrices}", 1)
    form = items.get("format", "fullmatrix")
    if form not in FORMATS:
        fail(path, f"the format {shown(form)} is not known; known are {', '.join(FORMATS)}", 1)
    diagonal = DIAGONAL.search(text)
    absent = diagonal is not None and diagonal.group(1).lower() == "absent"
    return Sheet(path, rows, columns, matrices, "n" in numbers, form, absent)


def label_list(sheet: Sheet, kind: str, text: str, line: int) -> list[str]:
    """Read labels: words, or whole lines where there are as many of these as are wanted."""
    wanted = {"column": sheet.columns, "level": sheet.matrices}.get(kind, sheet.rows)
    labels = words(text)
    whole = [row.strip().strip('",') for row in text.split("\n") if row.strip()]
    if len(labels) != wanted and len(whole) == wanted:
        labels = whole
    what = {"column": "columns", "level": "matrices"}.get(kind, "nodes")
    if len(labels) != wanted:
        fail(sheet.path, f"has {len(labels)} labels for {wanted} {what}", line)
    if kind != "level" and len(set(labels)) < len(labels):
        fail(sheet.path, "has two equal labels", line)
    return labels


def attribute_table(path: Path) -> Table:
    """Read an attribute matrix: one row per node, its id in front, and one column per attribute."""
    sheet = read_sheet(path)
    if sheet.format != "fullmatrix" or sheet.matrices > 1:
        got = f"{sheet.matrices} matrices" if sheet.matrices > 1 else sheet.format
        fail(path, f"expected one full matrix of attributes, got {got}", 1)
    cells = sheet.cells()
    titles = sheet.labels.get("column", [])
    if sheet.embedded & {"", "column"}:
        titles, cells = [word for _, word in cells[: sheet.columns]], cells[sheet.columns :]
    named = bool(sheet.embedded & {"", "row"})
    width = sheet.columns + named
    if len(cells) != sheet.rows * width:
        fail(
            path,
            f"holds {len(cells)} entries, expected {sheet.rows} rows of {width}",
            cells[-1][0] if cells else sheet.data[0][0],
        )
    grid = np.array([word for _, word in cells], dtype=object).reshape(sheet.rows, width)
    ids = sheet.labels.get("row", sheet.labels.get(""))
    if named:
        ids, grid = grid[:, 0].tolist(), grid[:, 1:]
    names = unique_names(titles or [f"column {k}" for k in range(1, sheet.columns + 1)])
    names = tuple(f"{name} (attribute)" if name == "node" else name for name in names)
    first = (
        np.arange(1, sheet.rows + 1) if ids is None else np.array(ids, dtype=object)
    )  # UCINET numbers nodes from 1
    columns = (first, *(grid[:, k] for k in range(sheet.columns)))
    return Table(path, ("node", *names), columns, True, "", 0, lines=False)
