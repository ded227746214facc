"""Geom-GCN text: out1_node_feature_label.txt and out1_graph_edges.txt side by side."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import scipy.sparse as sp

from .format import Format
from .found import Found
from .guards import LIMITS, fail, is_there
from .ids import same_kind
from .missing import plain_column
from .node_tables import refuse_empty
from .numerals import whole_number
from .tables import Table, read_table

NODES, LINKS = "out1_node_feature_label.txt", "out1_graph_edges.txt"


def is_geomgcn(path: Path, head: bytes) -> bool:
    first = head.split(b"\n", 1)[0].split()
    if first == [b"node_id", b"feature", b"label"]:
        return is_there(path.with_name(LINKS))
    return first == [b"node_id", b"node_id"] and is_there(path.with_name(NODES))


def read_geomgcn(path: Path) -> Found:
    """Read a pair of files; features are 0/1 vectors, or lists of the positions that are 1."""
    nodes, links = (read_table(path.with_name(name)) for name in (NODES, LINKS))
    for table, wanted in ((nodes, 3), (links, 2)):
        if len(table.columns) != wanted:
            fail(table.path, f"has {len(table.columns)} columns, expected {wanted}", table.line(0))
    for name in links.names:
        refuse_empty(links, name)
    source, target, ids = same_kind(*links.columns, nodes.columns[0])
    return Found(
        "Geom-GCN",
        [nodes.path, links.path],
        source,
        target,
        nodes=ids,
        columns={"label": plain_column(nodes.columns[2])},
        label="label",
        features=features(nodes),
    )


def features(nodes: Table) -> sp.csr_array:
    """Turn comma-joined vectors, or position lists, into a sparse matrix."""
    rows = []
    for k, text in enumerate(map(str, nodes.columns[1])):
        items = [whole_number(item.strip()) for item in text.split(",")]
        if any(item is None for item in items):
            fail(nodes.path, "features are no comma-joined integers", nodes.line(k))
        row = np.array(items, dtype=np.int64)
        if row.min() < 0 or row.max() > LIMITS.spare_nodes:
            span = f"{row.min()} to {row.max()}"
            fail(nodes.path, f"feature values run from {span}", nodes.line(k))
        rows.append(row)
    dense = len({row.size for row in rows}) == 1 and all(row.max() <= 1 for row in rows)
    if dense:
        return sp.csr_array(np.stack(rows).astype(np.float32))
    indptr = np.cumsum([0, *(row.size for row in rows)])
    columns = np.concatenate(rows)
    shape = (len(rows), int(columns.max()) + 1)
    return sp.csr_array((np.ones(columns.size, np.float32), columns, indptr), shape=shape)


FILE_FORMATS = (
    Format("geomgcn", is_geomgcn, lambda r: read_geomgcn(r.path), order=300,
           files="`out1_node_feature_label.txt`, `out1_graph_edges.txt`",
           holds="links, features, classes", anchor=lambda _: ""),
)  # fmt: skip
