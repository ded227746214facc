"""METIS (.graph): a line of sizes, then for each node the numbers of its neighbors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..core.errors import shown
from .format import Format
from .found import Found
from .guards import check_declared, fail, fail_at_end, read_text
from .labels import add_labels
from .numerals import decimal_number, whole_number

ENDINGS = (".graph", ".metis", ".graph.gz", ".metis.gz")
MOST_WEIGHTS = 100  # of a node


def is_metis(path: Path, head: bytes) -> bool:
    """Return whether the name ends as of METIS, and the first line holds two to four sizes."""
    if not path.name.lower().endswith(ENDINGS):
        return False
    try:
        lines = (line.split() for line in head.decode().split("\n"))
        first = next((line for line in lines if line and not line[0].startswith("%")), [])
    except UnicodeDecodeError:
        return False
    return 2 <= len(first) <= 4 and all(whole_number(word) is not None for word in first)


def read_metis(path: Path, nodes: Sequence[Path] = ()) -> Found:
    """Read the lists; each link stands at both of its ends. Weights of nodes are not used."""
    data = read_text(path)
    rows: list[tuple[int, list[str]]] = []
    for line, text in enumerate(data.decode().removesuffix("\n").split("\n"), 1):
        words = text.split()
        # a line without words is a node without links; there may be more at the end than nodes
        most = (whole_number(rows[0][1][0]) or 0) + 1 if rows else 0
        if (words and not words[0].startswith("%")) or (not words and len(rows) < most):
            rows.append((line, words))
    if not rows:
        fail_at_end(path, "holds no line of sizes")
    line, sizes = rows.pop(0)
    numbers = [number for number in map(whole_number, sizes) if number is not None]
    if len(numbers) != len(sizes) or not 2 <= len(numbers) <= 4:
        fail(path, f"expected two to four sizes, got {shown(' '.join(sizes))}", line)
    n, declared, form, extra = numbers + [0] * (4 - len(numbers))
    if form not in (0, 1, 10, 11, 100, 101, 110, 111):
        fail(
            path,
            f"expected nodes, links and a form such as 011, got {shown(' '.join(sizes))}",
            line,
        )
    check_declared(path, n, len(data), "nodes", line)
    weighted = form % 10
    skip = form // 100 + (min(extra or 1, MOST_WEIGHTS) if form // 10 % 10 else 0)
    if len(rows) != n:
        fail_at_end(path, f"declares {n} nodes, but holds {len(rows)} lines of neighbors")
    ends: list[tuple[int, int]] = []
    weights: list[float] = []
    for node, (line, words) in enumerate(rows):
        body = words[skip:]
        for word in body[:: 1 + weighted]:
            number = whole_number(word)
            if number is None or not 1 <= number <= n:
                fail(path, f"expected a neighbor from 1 to {n}, got {shown(word)}", line)
            ends.append((node, number - 1))
        if weighted:
            if len(body) % 2:
                fail(path, "expected a weight behind each neighbor", line)
            read = [decimal_number(word) for word in body[1::2]]
            if any(weight is None or weight < 0 for weight in read):
                fail(path, "holds a weight that is no number of 0 or more", line)
            weights += [weight or 0.0 for weight in read]
    array = np.array(ends, dtype=np.int64).reshape(-1, 2)
    check_both_ends(path, array, declared)
    once = array[:, 0] < array[:, 1]
    found = Found(
        "METIS",
        [path],
        array[once, 0],
        array[once, 1],
        nodes=np.arange(1, n + 1),
        weight=np.array(weights)[once] if weighted else None,
        directed=False,
        indexed=True,
    )
    if skip:
        found.notes.append("sizes and weights of nodes are not used")
    for file in nodes:
        add_labels(found, file, n)
    return found


def check_both_ends(path: Path, ends: np.ndarray, declared: int) -> None:
    """Refuse lists that do not name each link at both ends, as the format demands."""
    up = np.unique(ends[ends[:, 0] < ends[:, 1]], axis=0)
    down = np.unique(ends[ends[:, 0] > ends[:, 1]][:, ::-1], axis=0)
    if not np.array_equal(up, down):
        fail_at_end(path, "does not list each link at both of its ends, as METIS does")
    if len(ends) != 2 * declared:
        fail_at_end(path, f"declares {declared} links, but lists {len(ends)} ends of links")


FILE_FORMATS = (
    Format("metis", is_metis, lambda r: read_metis(r.path, r.nodes), order=220,
           files="`.graph`: sizes, then the neighbors of each node",
           holds="nodes, links, link weights", takes_nodes=True),
)  # fmt: skip
