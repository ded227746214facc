"""UCINET DL text: matrices, edge lists and node lists, of one kind of nodes or of two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from ..core.errors import shown
from .format import Format
from .found import Found, weight_value
from .guards import fail, fail_at_end
from .labels import add_labels
from .members import choose_member
from .numerals import whole_number
from .tables import unique_names
from .ucinet_file import Sheet, is_dl, read_sheet, words

Links = Iterator[tuple[int, int, float]]


class Side:
    """The names of one kind of nodes, and their places."""

    def __init__(self, sheet: Sheet, kind: str, n: int, what: str) -> None:
        self.path, self.n, self.what = sheet.path, n, what
        self.embedded = bool(sheet.embedded & {"", kind})
        names = [] if self.embedded else sheet.labels.get(kind, sheet.labels.get("", []))
        self.places = {name: k for k, name in enumerate(names)}

    def node(self, text: str, line: int) -> int:
        """Find a node by its name or number."""
        if self.embedded:
            place = self.places.setdefault(text, len(self.places))
            if place >= self.n:
                fail(
                    self.path,
                    f"{shown(text)} is one {self.what} more than the declared {self.n}",
                    line,
                )
            return place
        if text in self.places:
            return self.places[text]
        number = whole_number(text)
        if number is None or not 1 <= number <= self.n:
            fail(self.path, f"{shown(text)} is no {self.what} number from 1 to {self.n}", line)
        return number - 1

    def names(self) -> list[str]:
        if self.places and len(self.places) < self.n:
            fail_at_end(self.path, f"names {len(self.places):,} of the {self.n:,} declared nodes")
        return list(self.places)


def lists(sheet: Sheet, rows: Side, columns: Side) -> Links:
    """Read an edge list or node list."""
    edges = sheet.format.startswith("edge")
    for line, text in sheet.data:
        row = words(text)
        if not row:
            continue
        if len(row) < 2 and edges:
            fail(sheet.path, "a link needs two nodes", line)
        first = rows.node(row[0], line)
        if edges:
            weight = weight_value(sheet.path, row[2], line) if len(row) > 2 else 1.0
            yield first, columns.node(row[1], line), weight
        else:
            for other in row[1:]:
                yield first, columns.node(other, line), 1.0


def matrix(sheet: Sheet, rows: Side, columns: Side, number: int) -> Links:
    """Read matrix `number`; embedded names stand above the columns and before the rows."""
    cells = sheet.cells()
    above = sheet.columns if columns.embedded else 0
    per_matrix = above + n_entries(sheet) + (sheet.rows if rows.embedded else 0)
    if len(cells) != per_matrix * sheet.matrices:
        n = sheet.rows if sheet.square else f"{sheet.rows} and {sheet.columns}"
        fail(
            sheet.path,
            f"holds {len(cells)} matrix entries, {n} nodes need {per_matrix * sheet.matrices}",
            sheet.data[-1][0],
        )
    part = iter(cells[number * per_matrix : (number + 1) * per_matrix])
    for _ in range(above):
        line, word = next(part)
        columns.node(word, line)
    for i in range(sheet.rows):
        if rows.embedded:
            line, word = next(part)
            if rows.node(word, line) != i:
                fail(sheet.path, f"row {i + 1} is named {shown(word)}, unlike its column", line)
        first = i if sheet.format == "upperhalf" else 0
        last = i + 1 if sheet.format == "lowerhalf" else sheet.columns
        for j in range(first, last):
            if j == i and sheet.no_diagonal:
                continue
            line, word = next(part)
            value = weight_value(sheet.path, word, line)
            if value:
                yield i, j, value


def n_entries(sheet: Sheet) -> int:
    """Count the entries that one matrix must have."""
    n = sheet.rows
    diagonal = min(n, sheet.columns) if sheet.no_diagonal else 0
    half = sheet.format.endswith("half")
    return (n * (n + 1) // 2 if half else n * sheet.columns) - diagonal


def choose(sheet: Sheet, member: str | None) -> int:
    """Choose one of several matrices by its label or number."""
    names = list(unique_names(sheet.labels.get("level", []))) or [
        str(k) for k in range(1, sheet.matrices + 1)
    ]
    return names.index(choose_member(sheet.path, names, member))


def one_kind(sheet: Sheet) -> bool:
    """Return whether rows and columns are the same nodes."""
    if sheet.rows != sheet.columns or sheet.format.endswith("2"):
        return False
    both = [sheet.labels.get(kind) for kind in ("row", "column")]
    return (sheet.square and None in both) or both[0] == both[1]


def read_dl(path: Path, nodes: Sequence[Path] = (), member: str | None = None) -> Found:
    """Read the network of a DL file."""
    sheet = read_sheet(path)
    if sheet.format.endswith("half") and sheet.rows != sheet.columns:
        fail(
            path,
            f"expected a square matrix for {sheet.format}, got {sheet.rows} rows and "
            f"{sheet.columns} columns",
            1,
        )
    number, same = choose(sheet, member), one_kind(sheet)
    rows = Side(sheet, "row", sheet.rows, "node")
    if same:
        rows.places = rows.places or Side(sheet, "column", sheet.rows, "node").places
    columns = rows if same else Side(sheet, "column", sheet.columns, "node")
    if not same and not sheet.labels.get("column"):
        columns.places = {}
    if sheet.format.endswith(("matrix", "half")):
        links = list(matrix(sheet, rows, columns, number))
    elif sheet.matrices > 1:
        fail(path, f"holds {sheet.matrices} matrices as {sheet.format}; save them as FULLMATRIX", 1)
    else:
        links = list(lists(sheet, rows, columns))
    found = Found("UCINET DL", [path], [], [], indexed=True)
    source, target = (np.array([k[end] for k in links], dtype=np.int64) for end in (0, 1))
    found.source, found.target = source, target if same else target + sheet.rows
    weight = np.array([link[2] for link in links], dtype=np.float64)
    found.weight = None if (weight == 1).all() else weight
    found.directed = False if sheet.format.endswith("half") or not same else None
    name_nodes(found, sheet, rows, None if same else columns)
    if sheet.matrices > 1:
        found.notes.append(f"matrix {number + 1} of {sheet.matrices}")
    for table in nodes:
        add_labels(found, table, len(found.nodes))
    return found


def name_nodes(found: Found, sheet: Sheet, rows: Side, columns: Side | None) -> None:
    """Name the nodes; a column tells two kinds apart, and where they share names the ids do."""
    if columns is None:
        names = rows.names()
        found.nodes = np.array(names, dtype=object) if names else np.arange(1, sheet.rows + 1)
        return
    first = rows.names() or [str(k) for k in range(1, sheet.rows + 1)]
    second = columns.names() or [str(k) for k in range(1, sheet.columns + 1)]
    if set(first) & set(second):
        first, second = [f"row {name}" for name in first], [f"column {name}" for name in second]
    found.nodes = np.array(first + second, dtype=object)
    found.note_modes(sheet.rows, sheet.columns)


FILE_FORMATS = (
    Format("ucinet", lambda _, head: is_dl(head), lambda r: read_dl(r.path, r.nodes, r.member),
           order=160, files="DL: matrices and their halves, edge lists, node lists",
           holds="links, weights, labels; one of several matrices; two modes as a column `mode`",
           takes_nodes=True, members=True),
)  # fmt: skip
