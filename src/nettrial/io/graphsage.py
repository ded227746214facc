"""Networks as GraphSAGE has them (PPI, Reddit): PREFIX-G.json with PREFIX-class_map.json beside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..core.errors import shown
from .format import Format
from .found import Found
from .guards import fail, is_there
from .jsongraph import load, read_json
from .multilabel import class_codes

GRAPH, CLASSES = "-G.json", "-class_map.json"


def class_map(path: Path) -> Path:
    """Return the file of the classes of a graph."""
    return path.with_name(path.name.removesuffix(GRAPH) + CLASSES)


def is_graphsage(path: Path, _: bytes) -> bool:
    """Return whether a graph and its map of classes lie side by side."""
    return path.name.endswith(GRAPH) and is_there(class_map(path))


def read_graphsage(path: Path) -> Found:
    """Read the graph, and one class per node or zeros and ones, one column per label."""
    found, beside = read_json(path), class_map(path)
    given = load(beside)
    if not isinstance(given, dict):
        fail(beside, "expected an object with the class of each node, or its zeros and ones")
    absent = [node for node in found.nodes if str(node) not in given]
    if absent:
        fail(beside, f"has no class of {len(absent):,} nodes, such as {shown(str(absent[0]))}")
    values = [given[str(node)] for node in found.nodes]
    found.columns["class"] = classes_of(beside, values)
    found.label, found.format = "class", "graphsage"
    found.files.append(beside)
    found.node_files.append(beside)
    return found


def classes_of(path: Path, values: list[Any]) -> list[Any]:
    """Return one class per node."""
    if not values or not isinstance(values[0], list):
        odd = next((value for value in values if isinstance(value, (list, dict))), None)
        if odd is not None:
            fail(path, "expected one class for each node, or a list of zeros and ones for each")
        return values
    width = len(values[0])
    for node, row in enumerate(values, 1):
        numbers = isinstance(row, list) and all(type(x) in (int, float) for x in row)
        if not numbers or len(row) != width:
            fail(path, f"expected {width} zeros and ones of each node, got others of node {node}")
    codes = class_codes(path, np.array(values, dtype=float).reshape(len(values), width), "the map")
    return [None if code < 0 else int(code) for code in codes]


FILE_FORMATS = (
    Format("graphsage", is_graphsage, lambda r: read_graphsage(r.path), order=100,
           files="`NAME-G.json` beside `NAME-class_map.json`",
           holds="links, classes or one column per label; not `-feats.npy`"),
)  # fmt: skip
