"""Contacts of SocioPatterns: time, two people, and often their classes, each 20 seconds a row."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..core.errors import shown
from .format import Format
from .found import Found
from .guards import fail, fail_at_end, read_text, whole_lines
from .labels import add_labels
from .numerals import whole_number

STEP = 20  # seconds between two readings
FIELDS = (3, 5)
ENOUGH = 3


def is_contacts(head: bytes) -> bool:
    """Return whether times ascend by 20 seconds, and most numbers of people are no such times."""
    try:
        lines = [line for line in whole_lines(head).decode().split("\n") if line.strip()]
    except UnicodeDecodeError:
        return False
    if len(lines) < ENOUGH or len(lines[0].split()) not in FIELDS:
        return False
    rows = [line.split() for line in lines]
    if len({len(row) for row in rows}) > 1:
        return False
    numbers = [[whole_number(word) for word in row[:3]] for row in rows]
    times = [row[0] for row in numbers if row[0] is not None]
    if any(number is None for row in numbers for number in row):
        return False
    steps = {after - before for before, after in itertools.pairwise(times)} - {0}
    people = {number for row in numbers for number in row[1:] if number is not None}
    in_step = sum((number - times[0]) % STEP == 0 for number in people)
    return (
        bool(steps)
        and min(steps) == STEP
        and all(step % STEP == 0 for step in steps)
        and 2 * in_step < len(people)  # a table of links sorted by ids of that form
    )


def read_contacts(path: Path, nodes: Sequence[Path] = ()) -> Found:
    """Read the contacts; a link weighs as many rows as it has."""
    places: dict[int, int] = {}
    kinds: dict[int, tuple[str, int]] = {}
    ends: list[tuple[int, int]] = []
    for line, text in enumerate(read_text(path).decode().split("\n"), 1):
        row = text.split()
        if not row:
            continue
        if len(row) not in FIELDS:
            fail(
                path,
                f"expected time, two people and perhaps their classes, got {len(row)} fields",
                line,
            )
        numbers = [whole_number(word) for word in row[:3]]
        pair = []
        for k, person in enumerate(numbers):
            if person is None:
                fail(path, f"expected a whole number, got {shown(row[k])}", line)
            if k == 0:
                continue
            place = places.setdefault(person, len(places))
            pair.append(place)
            if len(row) == 5:
                kind, before = kinds.setdefault(place, (row[2 + k], line))
                if kind != row[2 + k]:
                    fail(
                        path,
                        f"person {person} is of class {shown(row[2 + k])}, in line {before} "
                        f"of class {shown(kind)}",
                        line,
                    )
        ends.append((pair[0], pair[1]))
    if not ends:
        fail_at_end(path, "holds no contacts")
    array = np.array(ends, dtype=np.int64)
    found = Found(
        "SocioPatterns",
        [path],
        array[:, 0],
        array[:, 1],
        weight=np.ones(len(array)),
        nodes=np.array(list(places), dtype=np.int64),
        directed=False,
        indexed=True,
        notes=["times are not used; a link weighs as many 20-second contacts as its nodes had"],
    )
    if kinds:
        column: list[Any] = [kinds[k][0] if k in kinds else None for k in range(len(places))]
        found.columns["class"] = column
        found.likely_label = "class"
    for table in nodes:
        add_labels(found, table, len(places), grow=True)
    return found


FILE_FORMATS = (
    Format("sociopatterns", lambda _, head: is_contacts(head),
           lambda r: read_contacts(r.path, r.nodes), order=200,
           files="`t i j` or `t i j Ci Cj`, with a metadata file",
           holds="people, classes; the weight of a link is its number of contacts",
           takes_nodes=True),
)  # fmt: skip
