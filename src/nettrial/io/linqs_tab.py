"""LINQS tables, as Pubmed-Diabetes: NAME.NODE.paper.tab and NAME.DIRECTED.cites.tab."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from ..core.errors import shown
from .adjlist import plain_ids
from .attributes import check_cells
from .format import Format
from .found import Found
from .guards import fail, fail_at_end, is_there, read_head, read_text
from .numerals import decimal_number

NODES = re.compile(rb"NODE\t[^\t\n]+\r?\n")
LINKS = re.compile(rb"(UN)?DIRECTED\t[^\t\n]+\r?\n")
NAME = re.compile(r"(.*?)\.(NODE|DIRECTED|UNDIRECTED)\..*\.tab(\.gz|\.bz2|\.xz)?$", re.I)
MISSING = ("", "?")


def stem(path: Path) -> str:
    match = NAME.match(path.name)
    return match.group(1) if match else ""


def partner(path: Path, kind: re.Pattern[bytes]) -> Path:
    """Find the one file beside this one that holds the other half."""
    found = [
        other
        for other in sorted(path.parent.iterdir())
        if NAME.match(other.name)
        and stem(other) == stem(path)
        and is_there(other)
        and kind.match(read_head(other, 500))
    ]
    if len(found) != 1:
        what = "NODE" if kind is NODES else "DIRECTED or UNDIRECTED"
        fail(
            path,
            f"expected one file NAME.{what}.*.tab of the same NAME beside it, got {len(found)}",
        )
    return found[0]


def rows_of(path: Path) -> Iterator[tuple[int, list[str]]]:
    for line, text in enumerate(read_text(path).decode().split("\n"), 1):
        if text.strip():
            yield line, text.split("\t")


def read_linqs_tab(path: Path) -> Found:
    """Read a pair of files; links lead from the citing to the cited one."""
    head = read_head(path, 500)
    nodes = path if NODES.match(head) else partner(path, NODES)
    links = path if LINKS.match(head) else partner(path, LINKS)
    found = Found("LINQS tab", [links, nodes], [], [], indexed=True)
    places = add_nodes(found, nodes)
    add_links(found, links, places)
    return found


def add_nodes(found: Found, path: Path) -> dict[str, int]:
    """Read ids, categories and numbers of all nodes."""
    rows = rows_of(path)
    next(rows)
    line, declared = next(rows, (1, []))
    if not declared:
        fail_at_end(path, "ends before its attributes are declared")
    categories: dict[str, list[str]] = {}
    numbers: dict[str, int] = {}
    for item in declared:
        kind, _, rest = item.strip().partition(":")
        if kind.startswith("cat="):
            categories[rest] = kind.removeprefix("cat=").split(",")
        elif kind == "numeric":
            numbers.setdefault(rest.rpartition(":")[0], len(numbers))
    values: dict[str, list[str | None]] = {name: [] for name in categories}
    places: dict[str, int] = {}
    cells: list[tuple[int, int, float]] = []
    filled = 0
    for line, (first, *fields) in rows:
        node = len(places)
        if places.setdefault(first.strip(), node) != node:
            fail(path, f"node {shown(first)} is listed twice", line)
        check_cells(path, len(places), len(values), filled)
        filled += len(fields)
        for column in values.values():
            column.append(None)
        for field in fields:
            name, _, value = field.strip().partition("=")
            if name in categories:
                if value not in (*categories[name], *MISSING):
                    fail(
                        path,
                        f"{shown(value)} is not among the declared "
                        f"{', '.join(categories[name])} of {name}",
                        line,
                    )
                values[name][-1] = value if value not in MISSING else None
            elif name in numbers:
                number = decimal_number(value)
                if number is None:
                    fail(path, f"{name} is {shown(value)}, expected a number", line)
                cells.append((node, numbers[name], number))
    if not places:
        fail_at_end(path, "holds no nodes")
    found.nodes = plain_ids(list(places))
    for name, column in values.items():
        whole = plain_ids([value for value in column if value is not None])
        known = iter(whole.tolist())
        found.columns[name] = [None if value is None else next(known) for value in column]
    found.likely_label = "label" if "label" in values else next(iter(values), None)
    if numbers:
        row, column_numbers, data = zip(*cells) if cells else ((), (), ())
        found.features = sp.csr_array(
            (np.array(data, np.float32), (row, column_numbers)), shape=(len(places), len(numbers))
        )
    return places


def add_links(found: Found, path: Path, places: dict[str, int]) -> None:
    """Read rows of number, kind:id, | and kind:id; unknown ids are left out and counted."""
    rows = rows_of(path)
    _, (kind, *_) = next(rows)
    found.directed = kind == "DIRECTED"
    ends: list[tuple[int, int]] = []
    for line, fields in rows:
        if fields[0].strip() == "NO_FEATURES" or len(fields) == 1:
            continue
        if len(fields) < 4 or fields[2].strip() != "|":
            fail(
                path,
                f"expected number, kind:id, | and kind:id, got {shown(' '.join(fields))}",
                line,
            )
        pair = [field.strip().partition(":")[2] for field in (fields[1], fields[3])]
        ends.append((places.get(pair[0], -1), places.get(pair[1], -1)))
    array = np.array(ends, dtype=np.int64).reshape(-1, 2)
    found.source, found.target = array[:, 0], array[:, 1]
    if found.directed:
        found.notes.append("links lead from the first id of a row, the citing one, to the second")


FILE_FORMATS = (
    Format("linqs-tab", lambda _, head: bool(NODES.match(head) or LINKS.match(head)),
           lambda r: read_linqs_tab(r.path), order=290,
           files="`NAME.NODE.paper.tab` and `NAME.DIRECTED.cites.tab`, as Pubmed-Diabetes",
           holds="the same, and further categories", anchor=stem),
)  # fmt: skip
