"""Planetoid: the files ind.NAME.graph, .y, .ty, .ally, .x, .tx, .allx and .test.index."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..core.errors import shown
from . import unpickle
from .format import Format
from .found import Found
from .guards import LIMITS, fail, fail_at_end, is_there, read_text
from .multilabel import class_codes
from .numerals import whole_number

NAME = re.compile(r"(ind\.[^.]+)\.(x|tx|allx|y|ty|ally|graph|test\.index)$")


def stem(path: Path) -> str:
    match = NAME.match(path.name)
    return match.group(1) if match else path.name


def is_planetoid(path: Path, head: bytes) -> bool:
    return (NAME.match(path.name) is not None and head[:1] in (b"\x80", b"(", b"c")) or (
        path.name.endswith(".test.index") and NAME.match(path.name) is not None
    )


def read_planetoid(path: Path) -> Found:
    """Read the network of one set of files."""
    files = {
        key: path.with_name(f"{stem(path)}.{key}") for key in ("graph", "ally", "ty", "test.index")
    }
    for file in files.values():
        if not is_there(file):
            fail(file, "is missing; a Planetoid network needs it")
    lists = adjacency(files["graph"], unpickle.load(files["graph"]))
    known, hidden = (one_hot(files[key], unpickle.load(files[key])) for key in ("ally", "ty"))
    places = test_index(files["test.index"])
    if hidden.size != places.size:
        fail_at_end(
            files["test.index"],
            f"lists {places.size:,} nodes, but {files['ty'].name} has {hidden.size:,} rows",
        )
    n = 1 + max(lists.max(initial=-1), places.max(initial=-1), known.size - 1)
    limit = LIMITS.spare_nodes + lists.size + places.size + known.size
    if n > limit:
        fail(files["graph"], f"names node {n - 1}, but there are at most {limit} nodes")
    labels = np.full(n, -1)
    labels[: known.size] = known
    labels[places] = hidden
    pairs = np.unique(np.sort(lists, axis=1), axis=0)
    notes = [
        f"the {len(lists):,} entries of the adjacency lists name each link from both ends; "
        f"{len(pairs):,} links are kept"
    ]
    found = Found(
        "Planetoid",
        list(files.values()),
        pairs[:, 0],
        pairs[:, 1],
        nodes=np.arange(n),
        columns={"label": [None if code < 0 else int(code) for code in labels]},
        label="label",
        directed=False,
        notes=notes,
        indexed=True,
        name=stem(path).removeprefix("ind."),
    )
    found.features = features(path, found, known.size, places, n)
    return found


def adjacency(path: Path, graph: Any) -> NDArray[np.int64]:
    if not isinstance(graph, dict):
        fail(path, "holds no adjacency lists")
    ends = []
    for node, row in graph.items():
        if not isinstance(row, list):
            fail(path, f"node {shown(node)} has no list of neighbors")
        ends += [(node, other) for other in row]
    for pair in ends:
        if not all(type(end) is int and 0 <= end < 2**31 for end in pair):
            kinds = " and ".join(type(end).__name__ for end in pair)
            fail(
                path,
                f"expected pairs of node numbers from 0, got {kinds}"
                + (f" {min(pair)}" if kinds == "int and int" else ""),
            )
    return np.array(ends, dtype=np.int64).reshape(-1, 2)


def one_hot(path: Path, array: Any) -> NDArray[np.int64]:
    """Turn rows with one 1 into class codes; -1 for a row without."""
    if not isinstance(array, np.ndarray) or array.ndim != 2 or not array.shape[1]:
        fail(path, "holds no matrix with a column for each class")
    return class_codes(path, array, "the rows")


def test_index(path: Path) -> NDArray[np.int64]:
    rows = read_text(path).decode().split("\n")
    places: dict[int, None] = {}
    for line, row in enumerate(rows, 1):
        if not row.strip():
            continue
        node = whole_number(row.strip())
        if node is None or not 0 <= node < 10**9:
            fail(path, f"{shown(row.strip())} is no node number", line)
        if node in places:
            fail(path, f"lists the node {node} again", line)
        places[node] = None
    return np.array(list(places), dtype=np.int64)


def features(
    path: Path, found: Found, n_known: int, places: NDArray[np.int64], n: int
) -> sp.csr_array | None:
    """Put the feature rows where their nodes are; None where a file of them is missing."""
    files = [path.with_name(f"{stem(path)}.{key}") for key in ("allx", "tx")]
    missing = [file.name for file in files if not is_there(file)]
    if missing:
        found.notes.append(f"no features, since {', '.join(missing)} is missing")
        return None
    allx, tx = (unpickle.load(file) for file in files)
    for file, matrix, rows in zip(files, (allx, tx), (n_known, places.size)):
        if getattr(matrix, "shape", (0, 0))[0] != rows or matrix.shape[1] != allx.shape[1]:
            fail(file, f"expected {rows} rows of features, one for each labeled node")
    found.files += files
    stacked = sp.vstack([sp.csr_array(allx), sp.csr_array(tx)]).tocoo()
    order = np.concatenate([np.arange(n_known), places])
    return sp.csr_array((stacked.data, (order[stacked.row], stacked.col)), (n, allx.shape[1]))


FILE_FORMATS = (
    Format("planetoid", is_planetoid, lambda r: read_planetoid(r.path), order=60,
           files="`ind.NAME.*`", holds="links, features, classes", anchor=stem),
)  # fmt: skip
