"""DIMACS: graphs to be colored (`p edge`, `p col`) and of shortest paths (`p sp`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..core.errors import shown
from .format import Format
from .found import Found
from .guards import check_declared, fail, fail_at_end, read_text
from .labels import add_labels
from .numerals import decimal_number, whole_number

PROBLEM = re.compile(rb"p\s+(edge|edges|col|sp)\s+[0-9]{1,18}\s+[0-9]{1,18}\s*")
UNDIRECTED = ("edge", "edges", "col")


def is_dimacs(head: bytes) -> bool:
    """Return whether comments are followed by the line of a problem that is a network."""
    lines = (line for line in head.split(b"\n") if line.strip())
    first = next((line for line in lines if line.split()[0] != b"c"), b"")
    return PROBLEM.fullmatch(first) is not None


def read_dimacs(path: Path, nodes: Sequence[Path] = ()) -> Found:
    """Read the lines `e U V`, or `a U V WEIGHT` of shortest paths; nodes are numbered from 1."""
    data = read_text(path)
    kind, n, declared = "", 0, 0
    ends: list[tuple[int, int]] = []
    weights: list[float] = []
    others: set[str] = set()
    for line, text in enumerate(data.decode().split("\n"), 1):
        words = text.split()
        if not words or words[0] == "c":
            continue
        if words[0] == "p" and not kind:
            kind = words[1]
            n = check_declared(path, int(words[2]), len(data), "nodes", line)
            declared = int(words[3])
        elif words[0] == ("e" if kind in UNDIRECTED else "a"):
            pair = [whole_number(word) for word in words[1:3]]
            if len(words) != (3 if kind in UNDIRECTED else 4) or None in pair:
                fail(path, f"expected the two ends of a link, got {shown(text)}", line)
            s, t = (number or 0 for number in pair)
            if not (1 <= s <= n and 1 <= t <= n):
                fail(path, f"node {s if not 1 <= s <= n else t} is outside 1 to {n}", line)
            ends.append((s - 1, t - 1))
            if kind not in UNDIRECTED:
                weight = decimal_number(words[3])
                if weight is None or weight < 0:
                    fail(path, f"weight {shown(words[3])} is no number of 0 or more", line)
                weights.append(weight)
        elif words[0] in ("n", "d", "v", "x"):  # values of nodes and of the program that wrote it
            others.add(words[0])
        else:
            fail(path, f"{shown(text)} is not understood here", line)
    if len(ends) not in (declared, 2 * declared):  # some list each link from both ends
        fail_at_end(path, f"declares {declared} links, but holds {len(ends)}")
    array = np.array(ends, dtype=np.int64).reshape(-1, 2)
    found = Found(
        "DIMACS",
        [path],
        array[:, 0],
        array[:, 1],
        nodes=np.arange(1, n + 1),
        directed=kind not in UNDIRECTED,
        indexed=True,
    )
    if weights:
        found.notes.append("lengths of links are not used, since a longer link weighs no more")
    found.notes += [f"lines that begin with {word!r} are not used" for word in sorted(others)]
    for file in nodes:
        add_labels(found, file, n)
    return found


FILE_FORMATS = (
    Format("dimacs", lambda _, head: is_dimacs(head), lambda r: read_dimacs(r.path, r.nodes),
           order=210, files="`p edge`, `p col` with `e` lines, `p sp` with `a` lines",
           holds="nodes, links, direction of shortest paths; no lengths", takes_nodes=True),
)  # fmt: skip
