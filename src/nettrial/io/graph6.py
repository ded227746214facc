"""graph6 and sparse6, a graph a line, as nauty writes them; networkx reads sparse6."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import shown
from .format import Format
from .found import Found
from .guards import check_links, fail, fail_at_end, read_text, size_of, whole_lines
from .labels import add_labels
from .members import choose_member

HEADERS = (">>graph6<<", ">>sparse6<<")
OTHERS = (">>digraph6<<", ">>incremental")
ENDINGS = (".g6", ".s6", ".g6.gz", ".s6.gz")
PRINTABLE = frozenset(map(chr, range(63, 127)))
ENOUGH = 8  # bytes of a graph that is recognized without header or ending of the name
SPARE = 100_000  # nodes that a line may declare beyond one for each of its bytes


def n_nodes(text: str) -> tuple[int, int]:
    """Return the declared number of nodes, and how many characters declare it; -1 where none do."""
    values = [ord(char) - 63 for char in text[:8]]
    if not values or min(values) < 0 or max(values) > 63:
        return -1, 0
    skip, width = (0, 1) if values[0] < 63 else (2, 8) if values[1:2] == [63] else (1, 4)
    if len(values) < width:
        return -1, 0
    n = 0
    for value in values[skip:width]:
        n = 64 * n + value
    return n, width


def is_graph(text: str) -> bool:
    """Return whether a line is as long as its number of nodes demands, or begins as sparse6."""
    sparse = text.startswith(":")
    body = text[sparse:]
    n, width = n_nodes(body)
    if n < 0 or not set(body) <= PRINTABLE:
        return False
    return sparse or len(body) == width + -(-n * (n - 1) // 2 // 6)


def is_graph6(path: Path, head: bytes) -> bool:
    """Return whether a header, the file's name, or the lines' lengths show one of the formats."""
    if head.startswith(tuple(name.encode() for name in HEADERS + OTHERS)):
        return True
    if path.name.lower().endswith(ENDINGS):
        return True
    if not head.isascii() or len(head) < ENOUGH:
        return False
    lines = whole_lines(head).decode().split()
    return bool(lines) and all(len(line) >= ENOUGH and is_graph(line) for line in lines)


def links(path: Path, text: str, n: int, line: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Read the upper half of a matrix, column by column, six entries a character."""
    sixes = (np.frombuffer(text.encode(), np.uint8) - np.uint8(63)) << np.uint8(2)
    bits = np.unpackbits(sixes).reshape(-1, 8)[:, :6]
    check_links(path, int(bits.sum(dtype=np.int64)), size_of(path))
    place = np.flatnonzero(bits)
    if place.size and place[-1] >= n * (n - 1) // 2:
        fail(path, f"is damaged (it holds links beyond its {n} nodes)", line)
    first = np.arange(n, dtype=np.int64)
    first *= first - 1
    first //= 2  # of each column
    target = np.searchsorted(first, place, side="right") - 1
    return place - first[target], target


def sparse_links(path: Path, text: str, line: int) -> tuple[NDArray[Any], NDArray[Any]]:
    try:
        import networkx as nx
    except ImportError:
        fail(path, "is a graph in sparse6, which needs the extra: pip install 'nettrial[graph6]'")
    try:
        graph = nx.from_sparse6_bytes(text.encode())
    except (nx.NetworkXError, ValueError, IndexError) as error:
        fail(path, f"is damaged ({error})", line)
    pairs = np.array(list(graph.edges()), dtype=np.int64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def read_graph6(path: Path, nodes: Sequence[Path] = (), member: str | None = None) -> Found:
    """Read the graph of a file, or the chosen one of several; nodes are numbered from 0."""
    graphs = []
    for line, text in enumerate(read_text(path).decode().split("\n"), 1):
        text = text.strip()
        if text.startswith(OTHERS):
            fail(path, f"expected graph6 or sparse6, got {text.split('<<')[0].strip('>')}", line)
        for header in HEADERS:
            text = text.removeprefix(header)
        if text:
            graphs.append((line, text))
    if not graphs:
        fail_at_end(path, "holds no graph")
    names = [str(k) for k in range(1, len(graphs) + 1)]
    line, text = graphs[names.index(choose_member(path, names, member))]
    sparse = text.startswith(":")
    n, width = n_nodes(text[sparse:])
    if not is_graph(text):
        fail(
            path,
            f"expected a graph in graph6 or sparse6, got {shown(text)}"
            + (f" of {len(text)} characters for {n} nodes" if n >= 0 else ""),
            line,
        )
    if n > SPARE + len(text):
        fail(path, f"declares {n} nodes in {len(text)} characters", line)
    if sparse:
        source, target = sparse_links(path, text, line)
    else:
        source, target = links(path, text[width:], n, line)
    found = Found(
        "sparse6" if sparse else "graph6",
        [path],
        source,
        target,
        nodes=np.arange(n),
        directed=False,
        indexed=True,
    )
    for table in nodes:
        add_labels(found, table, n)
    return found


FILE_FORMATS = (
    Format("graph6", is_graph6, lambda r: read_graph6(r.path, r.nodes, r.member), order=230,
           files="graph6 and sparse6 of nauty, one graph per line", holds="nodes, links; `file#2`",
           takes_nodes=True, members=True),
)  # fmt: skip
