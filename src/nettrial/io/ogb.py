"""Folders of the Open Graph Benchmark for node classification: edge.csv.gz and its companions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .format import Format
from .found import Found
from .guards import LIMITS, check_range, fail, is_there
from .multilabel import class_codes
from .number_table import read_node_numbers, read_numbers, whole_numbers

LINKS, SIZES = "edge", "num-node-list"
TYPES = "triplet-type-list"


def part(folder: Path, stem: str) -> Path | None:
    """Find a file of the folder, compressed or not."""
    names = (f"{stem}.csv{packed}" for packed in (".gz", "", ".bz2", ".xz"))
    return next((folder / name for name in names if is_there(folder / name)), None)


def is_ogb(path: Path, _: bytes) -> bool:
    """Return whether a list of links lies beside a list of numbers of nodes."""
    return path.name.split(".csv")[0] in (LINKS, SIZES) and None not in (
        part(path.parent, LINKS),
        part(path.parent, SIZES),
    )


def read_ogb(path: Path) -> Found:
    """Read the one graph of a folder; its direction is guessed, since no file states it."""
    folder = path.parent
    links, sizes = part(folder, LINKS), part(folder, SIZES)
    if links is None or sizes is None:
        fail(folder, "expected edge.csv.gz and num-node-list.csv.gz side by side")
    if part(folder, TYPES) is not None or (folder / TYPES).exists():
        fail(folder, "holds nodes of several types; expected one type")
    counts = whole_numbers(sizes, read_numbers(sizes, columns=1).ravel(), "numbers of nodes")
    if counts.size != 1:
        fail(
            sizes,
            f"lists {counts.size} graphs, expected one; data sets of many graphs are for the "
            "classification of graphs, not of nodes",
        )
    n = int(counts[0])
    pairs = whole_numbers(links, read_numbers(links, columns=2), "ends of links")
    if not 0 <= n <= LIMITS.spare_nodes + 2 * pairs.size:
        fail(sizes, f"declares {n} nodes for {len(pairs):,} links", 1)
    check_range(links, pairs.ravel(), n, links.name)
    found = Found("OGB", [links, sizes], pairs[:, 0], pairs[:, 1], nodes=np.arange(n), indexed=True)
    add_columns(found, folder, n)
    return found


def add_columns(found: Found, folder: Path, n: int) -> None:
    """Read labels, features and columns of one number per node."""
    for file in sorted(folder.iterdir()):
        stem = file.name.split(".csv")[0]
        if not stem.startswith(("node-", "node_")) or ".csv" not in file.name:
            continue
        if not is_there(file):
            continue
        values = read_node_numbers(file, n)
        found.files.append(file)
        if stem == "node-label":
            found.columns["label"] = labels(file, values)
            found.label = "label"
            found.node_files.append(file)
        elif stem in ("node-feat", "node_feat"):
            found.features = values.astype(np.float32)
        elif values.shape[1] == 1:
            found.columns[stem] = plain(values[:, 0])
            found.not_labels.add(stem)
    others = sorted(f.name for f in folder.glob("edge*feat*")) + sorted(
        f.name for f in folder.glob("edge_*")
    )
    found.notes += [f"{name} is not used" for name in dict.fromkeys(others)]


def labels(path: Path, values: NDArray[np.float64]) -> list[Any]:
    """Read one class per node; columns of zeros and ones must hold one 1 a row."""
    if values.shape[1] > 1:
        codes = class_codes(path, np.nan_to_num(values), "node-label")
        return [None if code < 0 else int(code) for code in codes]
    return plain(values[:, 0])


def plain(values: NDArray[np.float64]) -> list[Any]:
    """Return whole numbers as integers, and None for NaN."""
    return [
        None if value != value else int(value) if value.is_integer() else value
        for value in values.tolist()
    ]


FILE_FORMATS = (
    Format("ogb", is_ogb, lambda r: read_ogb(r.path), order=180,
           files="`edge.csv.gz`, `num-node-list.csv.gz`, `node-label.csv.gz`, ... of one graph, "
                 "also in `raw/`", holds="links, features, classes, `node_*` of one number",
           anchor=lambda _: ""),
)  # fmt: skip
