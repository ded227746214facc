"""Adjacency lists: one node per line, its neighbors behind it (networkx, DeepWalk)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..core.errors import shown
from ..core.wording import plural
from .format import Format
from .found import Found
from .guards import HEAD, fail, fail_at_end, read_text, whole_lines
from .labels import add_labels
from .numerals import whole_number
from .rows import blank_comments

ENDINGS = (".adjlist", ".adjlist.gz", ".adjlist.bz2", ".adjlist.xz")
ENOUGH = 3  # rows without which nothing is recognized by content


def is_adjlist(path: Path, head: bytes) -> bool:
    """Return whether rows differ in length and each begins with a node that begins no other.

    Where the whole file is seen, each neighbor must have a row of its own; where it is cut off,
    nodes must be numbers in ascending order.
    """
    if path.name.lower().endswith(ENDINGS):
        return True
    body = whole_lines(head)
    try:
        rows = [line.split() for line in blank_comments(body)[0].decode().split("\n")]
    except UnicodeDecodeError:
        return False
    rows = [row for row in rows if row]
    first = [row[0] for row in rows]
    if len(rows) < ENOUGH or len({len(row) for row in rows}) == 1 or len(set(first)) < len(first):
        return False
    if any("," in word or ";" in word for row in rows for word in row):
        return False
    if len(head) < HEAD - 4:
        return {word for row in rows for word in row} == set(first)
    numbers = [whole_number(word) for word in first]
    return all(a is not None and b is not None and a < b for a, b in itertools.pairwise(numbers))


def read_adjlist(path: Path, nodes: Sequence[Path] = ()) -> Found:
    """Read the lists; text from # to the end of a line is left out, as networkx does."""
    places: dict[str, int] = {}
    own: set[str] = set()
    source, target = [], []
    text, comments = blank_comments(read_text(path))
    lists = [row.partition("#")[0].split() for row in text.decode().split("\n")]
    marked = all(words[0].endswith(":") for words in lists if words)  # 0: 1 2
    for line, words in enumerate(lists, 1):
        if not words:
            continue
        words[0] = words[0].removesuffix(":") if marked else words[0]
        if words[0] in own:
            fail(path, f"expected one line for each node, got {shown(words[0])} again", line)
        own.add(words[0])
        first = places.setdefault(words[0], len(places))
        for word in words[1:]:
            source.append(first)
            target.append(places.setdefault(word, len(places)))
    if not places:
        fail_at_end(path, "holds no rows")
    found = Found(
        "adjacency list",
        [path],
        np.array(source, dtype=np.int64),
        np.array(target, dtype=np.int64),
        nodes=plain_ids(list(places)),
        indexed=True,
    )
    if comments:
        found.notes.append(plural(comments, "comment line"))
    for table in nodes:
        add_labels(found, table, len(places), grow=True)
    return found


def plain_ids(names: Sequence[str]) -> Any:
    """Return integers where all names are written as such, else the names."""
    numbers = [whole_number(name) for name in names]
    if all(number is not None and str(number) == name for number, name in zip(numbers, names)):
        return np.array(numbers, dtype=np.int64)
    return np.array(list(names), dtype=object)


FILE_FORMATS = (
    Format("adjlist", is_adjlist, lambda r: read_adjlist(r.path, r.nodes), order=250,
           files="adjacency list of networkx or DeepWalk, one node per line", holds="nodes, links",
           takes_nodes=True),
)  # fmt: skip
