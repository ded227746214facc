"""Matrix Market coordinate files, with a label file for the classes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..core.errors import shown
from .edgelist import numbers
from .format import Format
from .found import Found
from .guards import check_declared, fail, read_text
from .labels import add_labels
from .numerals import whole_number
from .tables import node_numbers, read_table

FIELDS = {"real": 3, "double": 3, "integer": 3, "pattern": 2}
SYMMETRIES = {"general": None, "symmetric": False}


def read_matrix_market(path: Path, nodes: Sequence[Path] = ()) -> Found:
    """Read an adjacency matrix; its nodes are numbered from 1, as in the file."""
    data = read_text(path)
    banner = data.split(b"\n", 1)[0].decode().lower().split()
    if len(banner) != 5 or banner[1:3] != ["matrix", "coordinate"]:
        fail(path, "only coordinate matrices can be read, as links are sparse", 1)
    if banner[3] not in FIELDS or banner[4] not in SYMMETRIES:
        fail(path, f"{banner[3]} {banner[4]} matrices are no adjacency matrices", 1)
    start, line = 0, 0
    text = ""
    while not text or text.startswith("%"):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        text, line = data[start:end].decode().strip(), line + 1
        if end >= len(data):
            break
        start = end + 1
    sizes = text.split()
    counts = [number for number in map(whole_number, sizes) if number is not None and number >= 0]
    if len(sizes) != 3 or len(counts) != 3:
        fail(path, f"expected a line with rows, columns and entries, got {shown(text)}", line)
    n, columns, entries = counts
    if n != columns:
        fail(path, f"is {n} by {columns}; an adjacency matrix is square", line)
    check_declared(path, n, len(data), "nodes", line)
    check_declared(path, entries, len(data), "links", line)
    found = Found(
        "Matrix Market",
        [path],
        np.zeros(0, np.int64),
        np.zeros(0, np.int64),
        nodes=np.arange(1, n + 1),
        directed=SYMMETRIES[banner[4]],
        indexed=True,
    )
    if entries:
        add_entries(found, data[start:], line, n, entries, FIELDS[banner[3]])
    for table in nodes:
        add_labels(found, table, n)
    return found


def add_entries(found: Found, body: bytes, line: int, n: int, entries: int, width: int) -> None:
    path = found.files[0]
    table = read_table(path, header=False, data=b"\n" * line + body, skip=1, links=True)
    if table.n_rows != entries:
        fail(path, f"declares {entries} entries, but holds {table.n_rows}", line)
    if len(table.columns) != width:
        fail(path, f"entries have {len(table.columns)} fields, expected {width}", line + 1)
    found.source, found.target = (end - 1 for end in node_numbers(table, 1, n))
    found.weight = numbers(table, "2") if width == 3 else None


FILE_FORMATS = (
    Format("matrixmarket", lambda _, head: head.startswith(b"%%MatrixMarket"),
           lambda r: read_matrix_market(r.path, r.nodes), order=120,
           files="coordinate matrix, with a label file", holds="links, weights", takes_nodes=True),
)  # fmt: skip
