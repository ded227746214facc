"""KONECT folders: out.NAME with its stated direction and weights, and ent.NAME for the nodes."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from .edgelist import numbers
from .format import Format
from .found import Found
from .guards import check_declared, fail, fail_at_end, is_there, read_text
from .missing import plain_column
from .rows import blank_comments
from .tables import node_numbers, read_table

WEIGHTS = (
    "unweighted",
    "positive",
    "posweighted",
    "signed",
    "multisigned",
    "weighted",
    "multiweighted",
    "multiposweighted",
    "dynamic",
)
FIRST = re.compile(rb"%[ \t]*(sym|asym|bip)[ \t]+(\w+)[ \t]*\r?\n")
SIZES = re.compile(rb"%[ \t]*([0-9]{1,18})[ \t]+([0-9]{1,18})[ \t]+([0-9]{1,18})[ \t]*\r?\n")


def is_konect(head: bytes) -> bool:
    match = FIRST.match(head)
    return match is not None and match.group(2).decode() in WEIGHTS


def read_konect(path: Path) -> Found:
    """Read the links as their first line says, and the files of nodes beside them."""
    data = read_text(path)
    first = FIRST.match(data)
    if first is None:
        fail(path, f"expected % sym, asym or bip and one of {', '.join(WEIGHTS)}", 1)
    kind, weights = first.group(1).decode(), first.group(2).decode()
    sizes = SIZES.match(data, first.end())
    # tabs and spaces are mixed in one file
    table = read_table(path, header=False, data=data.replace(b"\t", b" "), links=True)
    if not 2 <= len(table.columns) <= 4:
        fail(
            path,
            f"has {len(table.columns)} columns, expected two ids, a weight and a time",
            table.line(0),
        )
    ends = [end - 1 for end in node_numbers(table, 1)]
    found = Found("KONECT", [path], ends[0], ends[1], indexed=True, directed=kind == "asym")
    highest = [int(end.max(initial=-1)) + 1 for end in ends]
    declared = [int(sizes.group(k)) for k in (2, 3)] if sizes else [0, 0]
    if kind == "bip":
        counts = [max(a, b) for a, b in zip(highest, declared)]
        check_declared(path, sum(counts), len(data), "nodes", 2)
        two_modes(found, *counts)
    else:
        n = max(*highest, *declared)
        check_declared(path, n, len(data), "nodes", 2)
        found.nodes = np.arange(1, n + 1)
    if len(table.columns) > 2 and weights != "unweighted":
        found.weight = numbers(table, "2")
        found.notes.append(f"weights from column 3 ({weights})")
    if len(table.columns) > 3:
        found.notes.append("times in column 4 are not used")
    add_entities(found, path)
    return found


def two_modes(found: Found, left: int, right: int) -> None:
    """Make ids of the two kinds of nodes, both of which are numbered from 1."""
    found.target = found.target + left
    found.nodes = np.array(
        [f"left {k}" for k in range(1, left + 1)] + [f"right {k}" for k in range(1, right + 1)],
        dtype=object,
    )
    found.note_modes(left, right)


def add_entities(found: Found, path: Path) -> None:
    """Read files ent.NAME.WHAT of one value per line, in the order of the nodes."""
    name = path.name.removeprefix("out.")
    n = len(found.nodes)
    for file in sorted(path.parent.glob(f"ent.{glob_safe(name)}*")):
        is_there(file)
        text, _ = blank_comments(read_text(file))
        rows = [row.strip() for row in text.decode().split("\n")]
        values = [row.strip('"') for row in rows if row]
        what = file.name.removeprefix(f"ent.{name}").strip(".") or "entity"
        if len(values) != n and "mode" in found.columns:
            found.notes.append(
                f"{file.name} has {len(values):,} rows for {n} nodes of two kinds, and is not used"
            )
            continue
        if len(values) != n:
            fail_at_end(file, f"holds {len(values):,} rows for {n} nodes")
        found.files.append(file)
        found.node_files.append(file)
        found.columns[what] = plain_column(np.array(values, dtype=object))


def glob_safe(name: str) -> str:
    return re.sub(r"([*?\[])", r"[\1]", name)


FILE_FORMATS = (
    Format("konect", lambda _, head: is_konect(head), lambda r: read_konect(r.path), order=170,
           files="`out.NAME` with `ent.NAME.*`",
           holds="links, weights, direction; two modes as a column `mode`"),
)  # fmt: skip
