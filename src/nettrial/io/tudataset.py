"""Folders of TUDataset: NAME_A.txt, NAME_graph_indicator.txt and NAME_node_labels.txt."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from .format import Format
from .found import Found
from .guards import check_range, fail, is_there
from .members import choose_member
from .number_table import read_node_numbers, read_numbers, whole_numbers
from .ogb import plain

NAME = re.compile(r"(.+)_(A|graph_indicator|node_labels|node_attributes)\.txt$")
ALL = "all"


def stem(path: Path) -> str:
    match = NAME.match(path.name)
    return match.group(1) if match else path.name


def part(path: Path, what: str) -> Path:
    return path.with_name(f"{stem(path)}_{what}.txt")


def is_tudataset(path: Path, _: bytes) -> bool:
    """Return whether a list of links lies beside the numbers of the graphs of all nodes."""
    return NAME.match(path.name) is not None and all(
        is_there(part(path, what)) for what in ("A", "graph_indicator")
    )


def read_tudataset(path: Path, member: str | None = None) -> Found:
    """Read one graph of a data set, or all side by side as ``#all``; nodes count from 1."""
    links, indicator = part(path, "A"), part(path, "graph_indicator")
    graphs = whole_numbers(indicator, read_numbers(indicator, columns=1).ravel(), "graph numbers")
    pairs = whole_numbers(links, read_numbers(links, columns=2), "ends of links") - 1
    n = graphs.size
    check_range(links, pairs.ravel() + 1, n, links.name, first=1)
    numbers = np.unique(graphs)
    whole = member == ALL or numbers.size == 1
    if member is None and not whole:
        fail(
            path.parent,
            f"holds {numbers.size} graphs, which are not merged; choose one as "
            f"{path.parent.name}#{numbers[0]} to #{numbers[-1]}, or all side by side as #{ALL}",
        )
    names = list(map(str, numbers.tolist()))
    chosen = None if whole else numbers[names.index(choose_member(path.parent, names, member))]
    kept = np.ones(n, bool) if chosen is None else graphs == chosen
    across = graphs[pairs[:, 0]] != graphs[pairs[:, 1]]
    if across.any():
        row = int(np.argmax(across))
        fail(links, f"links nodes of two graphs, {pairs[row] + 1}", row + 1)
    places = np.cumsum(kept) - 1
    inside = kept[pairs[:, 0]]
    ends = places[pairs[inside]]
    found = Found(
        "TUDataset",
        [links, indicator],
        ends[:, 0],
        ends[:, 1],
        nodes=np.flatnonzero(kept) + 1,
        indexed=True,
    )
    add_columns(found, path, kept)
    if chosen is None and numbers.size > 1:
        found.notes.append("all graphs side by side, distinguished by the column 'graph'")
        found.columns["graph"] = graphs.tolist()
        found.not_labels.add("graph")
    else:
        found.notes.append(f"graph {numbers[0] if chosen is None else chosen}")
    return found


def add_columns(found: Found, path: Path, kept: np.ndarray) -> None:
    """Read the classes of the nodes, one or several columns of them, and their attributes."""
    n = kept.size
    for what in ("node_labels", "node_attributes"):
        file = part(path, what)
        if not is_there(file):
            continue
        values = read_node_numbers(file, n)
        found.files.append(file)
        if what == "node_attributes":
            found.features = values[kept]
            continue
        found.node_files.append(file)
        for k, column in enumerate(values[kept].T, 1):
            title = "label" if values.shape[1] == 1 else f"label {k}"
            found.columns[title] = plain(column)
    for what in ("edge_labels", "edge_attributes", "graph_labels", "graph_attributes"):
        if part(path, what).is_file():
            found.notes.append(f"{part(path, what).name} is not used")


FILE_FORMATS = (
    Format("tudataset", is_tudataset, lambda r: read_tudataset(r.path, r.member), order=190,
           files="`NAME_A.txt`, `NAME_graph_indicator.txt`, `NAME_node_labels.txt`, ...",
           holds="`folder#3` one graph, `folder#all` all side by side", members=True, anchor=stem),
)  # fmt: skip
