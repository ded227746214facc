"""DGL's CSV datasets: meta.yaml, and the files of nodes and links that it names."""

from __future__ import annotations

import importlib
import importlib.util
import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import shown
from .format import Format
from .found import Found
from .guards import LIMITS, fail, is_there, read_text
from .ids import is_text, same_kind
from .missing import plain_column
from .numerals import decimal_number
from .tables import Table, read_table

KEYS = re.compile(rb"(?m)^(edge_data|node_data)[ \t]*:")
MAX_BYTES = 2**17
ENDS, NODE, GRAPH = ("src_id", "dst_id"), "node_id", "graph_id"


def is_dgl(path: Path, head: bytes) -> bool:
    return path.suffix.lower() in (".yaml", ".yml") and KEYS.search(head) is not None


def read_meta(path: Path) -> dict[str, Any]:
    """Read the description; no tag of YAML that builds objects is followed."""
    if importlib.util.find_spec("yaml") is None:
        fail(path, "is a description in YAML, which needs PyYAML: pip install pyyaml")
    yaml: Any = importlib.import_module("yaml")
    text = read_text(path)
    if len(text) > MAX_BYTES:
        fail(path, f"is longer than {MAX_BYTES} bytes, the limit for a description")
    try:
        meta = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        from ..core.wording import shorten  # loads the measures, which takes long

        fail(
            path,
            f"is no YAML ({shorten(error, 100)})",
            mark.line + 1 if mark is not None else 1,
        )
    if not isinstance(meta, dict):
        fail(path, f"expected keys such as edge_data and node_data, got a {type(meta).__name__}")
    return meta


def files_of(path: Path, meta: dict[str, Any], key: str) -> list[Path]:
    """Return the files that the description names, all of one type of node or link."""
    parts = meta.get(key) or []
    if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
        fail(path, f"expected a list of file_name under {key}")
    kinds = {str(part.get("ntype" if key == "node_data" else "etype")) for part in parts}
    if len(kinds) > 1:
        fail(path, f"{key} holds {len(kinds)} types, expected one; leave the others out")
    files = []
    for part in parts:
        name = part.get("file_name")
        file = path.parent / str(name)
        if not isinstance(name, str) or not file.resolve().is_relative_to(path.parent.resolve()):
            fail(path, f"names {shown(str(name))} in {key}, which is no file of its folder")
        if not is_there(file):
            fail(path, f"names {shown(name)}, but there is no such file beside it")
        files.append(file)
    return files


def read_part(path: Path, needed: tuple[str, ...]) -> Table:
    """Read one file, and refuse it where columns are missing or it holds several graphs."""
    table = read_table(path, header=True)
    for name in needed:
        if name not in table.names:
            fail(path, f"column {shown(name)} not found; the file has {', '.join(table.names)}", 1)
    if GRAPH in table.names and len(set(map(str, table[GRAPH]))) > 1:
        fail(path, "holds several graphs, distinguished by graph_id; expected one")
    return table


def read_dgl(path: Path) -> Found:
    """Read the network of a description of one type of node and one of link."""
    meta = read_meta(path)
    if meta.get("graph_data"):
        fail(path, "describes a data set of many graphs; expected one graph")
    links, nodes = (files_of(path, meta, key) for key in ("edge_data", "node_data"))
    if len(links) != 1 or len(nodes) > 1:
        fail(
            path,
            f"names {len(links)} files of links and {len(nodes)} of nodes, expected one of each",
        )
    edges = read_part(links[0], ENDS)
    found = Found("DGL CSV", [path, links[0], *nodes], edges[ENDS[0]], edges[ENDS[1]])
    weight = next((name for name in edges.names if name.lower() in ("weight", "w")), None)
    if weight is not None:
        from .edgelist import numbers

        found.weight = numbers(edges, weight)
        found.notes.append(f"weights from column {weight!r}")
    found.notes += [
        f"column {name!r} of {links[0].name} is not used"
        for name in edges.names
        if name not in (*ENDS, GRAPH, weight)
    ]
    if not nodes:
        found.source, found.target = same_kind(found.source, found.target)
        return found
    table = read_part(nodes[0], (NODE,))
    found.node_files.append(nodes[0])
    ids = list(map(str, np.asarray(table[NODE]).tolist()))
    if len(set(ids)) < len(ids):
        row = next(row for row, name in enumerate(ids) if name in ids[:row])
        fail(nodes[0], f"node {shown(ids[row])} is listed twice", table.line(row))
    found.source, found.target, found.nodes = same_kind(found.source, found.target, table[NODE])
    features = {}
    for name in table.names:
        if name in (NODE, GRAPH):
            continue
        vectors = vectors_of(table, name)
        if vectors is None:
            found.columns[name] = plain_column(table[name])
            if name.lower().endswith("_mask"):
                found.not_labels.add(name)
        else:
            features[name] = vectors
    if features:
        found.features = np.concatenate(list(features.values()), axis=1)
        found.notes.append(f"features from {', '.join(features)}")
    if "label" in found.columns:
        found.label = "label"
    return found


def vectors_of(table: Table, name: str) -> NDArray[np.float64] | None:
    """Read a column of numbers joined by commas, such as "0.1, 0.2"; None for any other."""
    column = table[name]
    if not is_text(column) or "," not in str(
        column[0] if isinstance(column, np.ndarray) else column.iloc[0]
    ):
        return None
    rows = [str(text).split(",") for text in np.asarray(column, dtype=object)]
    width = len(rows[0])
    if width > LIMITS.columns:
        fail(
            table.path,
            f"column {shown(name)} holds {width} numbers per row, the limit is {LIMITS.columns}",
            table.line(0),
        )
    for k, row in enumerate(rows):
        if len(row) != width or any(decimal_number(item.strip()) is None for item in row):
            fail(
                table.path,
                f"expected {width} numbers joined by commas in column {shown(name)}, got "
                f"{shown(','.join(row))}",
                table.line(k),
            )
    return np.array([[float(item) for item in row] for row in rows])


FILE_FORMATS = (
    Format("dgl-csv", is_dgl, lambda r: read_dgl(r.path), order=260,
           files="`meta.yaml` with its CSV files (needs PyYAML)",
           holds="links, weight, label, vectors as features", anchor=lambda _: ""),
)  # fmt: skip
