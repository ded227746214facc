"""Cytoscape's simple interaction format: source, relation and targets, or a node alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..core.errors import shown
from .adjlist import plain_ids
from .format import Format
from .found import Found
from .guards import fail, fail_at_end, read_text, whole_lines
from .labels import add_labels
from .members import choose_member
from .numerals import decimal_number

ENDINGS = (".sif", ".sif.gz", ".sif.bz2", ".sif.xz")
MOST_RELATIONS = 0.5  # distinct relations for each row, where the name of the file says nothing
ENOUGH = 3


def split(text: str) -> list[list[str]]:
    """Split lines at tabs where there are any, else at spaces."""
    lines = text.split("\n")
    if "\t" in text:
        return [[word.strip() for word in line.split("\t") if word.strip()] for line in lines]
    return [line.split() for line in lines]


def is_sif(path: Path, head: bytes) -> bool:
    """Return whether the second of three words is a relation: text that is the name of no node.

    There are few relations, some nodes are both source and target, and the first row, which may
    be a header, has a relation that occurs again.
    """
    if path.name.lower().endswith(ENDINGS):
        return True
    try:
        text = whole_lines(head).decode()
    except UnicodeDecodeError:
        return False
    if len(split(text.lstrip().partition("\n")[0])[0]) != 3:
        return False
    rows = [row for row in split(text) if row]
    if len(rows) < ENOUGH or not all(len(row) == 3 for row in rows) or "," in rows[0][0]:
        return False
    first, second, third = ({row[k] for row in rows} for k in range(3))
    return (
        len(second) <= max(1, MOST_RELATIONS * len(rows))
        and not second & (first | third)
        and bool(first & third)
        and rows[0][1] in {row[1] for row in rows[1:]}
        and all(decimal_number(word) is None for word in second)
        and not {word.lower() for word in rows[0]} & {"source", "target", "weight"}
    )


def read_sif(path: Path, nodes: Sequence[Path] = (), member: str | None = None) -> Found:
    """Read the links of all relations, or of the one that is chosen."""
    text = read_text(path).decode()
    relations: Counter[str] = Counter()
    places: dict[str, int] = {}
    links: list[tuple[int, str, int]] = []
    for line, row in enumerate(split(text), 1):
        if len(row) == 2:
            fail(
                path,
                "expected source, relation and target, or one node alone, got "
                f"{shown(' '.join(row))}",
                line,
            )
        ends = [places.setdefault(word, len(places)) for word in row[:1] + row[2:]]
        links += [(ends[0], row[1], end) for end in ends[1:]]
        relations.update(row[1:2] * (len(ends) - 1))
    if not links:
        fail_at_end(path, "holds no links")
    names = list(relations)
    if member is not None:
        chosen = choose_member(path, names, member)
        links = [link for link in links if link[1] == chosen]
    found = Found(
        "SIF",
        [path],
        np.array([link[0] for link in links], dtype=np.int64),
        np.array([link[2] for link in links], dtype=np.int64),
        nodes=plain_ids(list(places)),
        indexed=True,
    )
    most = ", ".join(f"{name} {count}" for name, count in relations.most_common(10))
    found.notes.append(
        f"links of the relation {links[0][1]}"
        if member is not None
        else f"links of {len(relations)} relation{'s' * (len(relations) > 1)} ({most})"
        + (f"; {path.name}#NAME reads one" if len(relations) > 1 else "")
    )
    for table in nodes:
        add_labels(found, table, len(places), grow=True)
    return found


FILE_FORMATS = (
    Format("sif", is_sif, lambda r: read_sif(r.path, r.nodes, r.member), order=240,
           files="Cytoscape: source, relation, targets", holds="nodes, links; `file#RELATION`",
           takes_nodes=True, members=True),
)  # fmt: skip
