"""NetKit-SRL: an .arff schema with node and edge types, .csv node and .rn edge files, and .adj.

The schema's words are @NODETYPE name, @ATTRIBUTE name type, @NODEDATA file, @EDGETYPE name
from to, @REVERSIBLE [name], @EDGEDATA file; they are read in any case. A missing value is
written as a question mark.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import shown
from .attributes import check_cells
from .edgelist import numbers
from .format import Format
from .found import Found
from .guards import check_declared, fail, fail_at_end, is_there, read_text, size_of
from .ids import as_text
from .labels import add_labels
from .missing import plain_column
from .node_tables import refuse_empty
from .tables import Table, node_numbers, read_table

MARK = re.compile(rb"(?mi)^[ \t]*@(nodetype|edgetype)\b")
ATTRIBUTE = re.compile(r"""(?:"([^"]*)"|'([^']*)'|(\S+))\s+(\{.*\}|\w+)\s*$""")


@dataclass(slots=True)
class NodeType:
    name: str
    attributes: list[tuple[str, str]] = field(default_factory=list)  # name, type
    data: Path | None = None
    line: int = 0


@dataclass(slots=True)
class EdgeType:
    name: str
    ends: tuple[str, str]
    reversible: bool = False
    data: Path | None = None
    line: int = 0


def read_schema(path: Path) -> tuple[list[NodeType], list[EdgeType]]:
    """Read node and edge types from a schema."""
    nodes: list[NodeType] = []
    edges: list[EdgeType] = []
    current: NodeType | EdgeType | None = None
    for line, text in enumerate(read_text(path).decode().split("\n"), 1):
        text = text.strip()
        if not text or text[0] in "%#":
            continue
        word, _, rest = text.partition(" ")
        word, rest = word.lower(), rest.strip()
        words = rest.split()
        if word == "@nodetype" and len(words) == 1:
            current = NodeType(rest, line=line)
            nodes.append(current)
        elif word == "@edgetype" and len(words) == 3:
            current = EdgeType(words[0], (words[1], words[2]), line=line)
            edges.append(current)
        elif word == "@attribute" and isinstance(current, NodeType):
            match = ATTRIBUTE.match(rest)
            if match is None:
                fail(path, f"{shown(text)} is no name and type of an attribute", line)
            name = next(group for group in match.groups()[:3] if group is not None)
            current.attributes.append((name, match.group(4)))
        elif current is not None and word == (
            "@nodedata" if isinstance(current, NodeType) else "@edgedata"
        ):
            current.data = beside(path, rest, line)
        elif word == "@reversible" and isinstance(current, EdgeType):
            current.reversible = True
        elif word != "@relation":
            fail(path, f"{shown(text)} is not understood here", line)
    return nodes, edges


def beside(schema: Path, name: str, line: int) -> Path:
    """Find a data file; files outside the schema's folder are refused."""
    name = name.strip("\"'")
    path = schema.parent / name
    if not path.resolve().is_relative_to(schema.parent.resolve()):
        fail(schema, f"names {shown(name)}, which lies outside its folder", line)
    if not is_there(path):
        fail(schema, f"names {shown(name)}, but there is no such file beside it", line)
    return path


def read_netkit(path: Path) -> Found:
    """Read the network of a schema, with all its node and edge types."""
    kinds, ties = read_schema(path)
    if not kinds or not ties:
        fail_at_end(path, "declares no node type and edge type")
    found = Found("NetKit-SRL", [path], [], [])
    names: list[NDArray[Any]] = []
    columns: dict[str, NDArray[Any]] = {}
    sizes = []
    data = [node_data(path, kind) for kind in kinds]
    check_cells(
        path,
        sum(ids.size for ids, _ in data),
        len({name for _, values in data for name in values}),
        sum(ids.size * len(values) for ids, values in data),
    )
    for kind, (ids, values) in zip(kinds, data):
        names.append(ids)
        sizes.append(ids.size)
        found.files.append(kind.data or path)
        for name, column in values.items():
            whole = columns.setdefault(name, np.full(0, None))
            filler = np.full(sum(sizes[:-1]) - whole.size, None, dtype=object)
            columns[name] = np.concatenate([whole, filler, column])
    n = sum(sizes)
    padded = {
        name: np.concatenate([column, np.full(n - column.size, None, dtype=object)])
        for name, column in columns.items()
    }
    found.columns = {name: plain_column(restore(column)) for name, column in padded.items()}
    found.nodes = node_ids(kinds, names)
    if len(kinds) > 1:
        found.columns["node type"] = np.repeat(np.array([k.name for k in kinds], object), sizes)
    add_links(found, path, ties, kinds, names)
    found.likely_label = usual_label(kinds)
    return found


def restore(column: NDArray[Any]) -> Any:
    # None becomes the empty text, which reads as missing
    return np.array(["" if value is None else value for value in column.tolist()], dtype=object)


def node_data(path: Path, kind: NodeType) -> tuple[NDArray[Any], dict[str, NDArray[Any]]]:
    """Read the ids and attributes of one node type."""
    keys = [k for k, (_, type_) in enumerate(kind.attributes) if type_.upper() == "KEY"]
    if len(keys) != 1 or kind.data is None:
        fail(path, f"node type {kind.name} needs one KEY attribute and @NODEDATA", kind.line)
    table = read_table(kind.data, header=False)
    if len(table.columns) != len(kind.attributes):
        fail(
            kind.data,
            f"has {len(table.columns)} columns, the schema declares "
            f"{len(kind.attributes)} attributes",
            table.line(0),
        )
    refuse_empty(table, table.names[keys[0]])
    ids = texts(table.columns[keys[0]])
    _, first = np.unique(ids.astype(str), return_index=True)
    if first.size != ids.size:
        row = int(np.setdiff1d(np.arange(ids.size), first)[0])
        fail(kind.data, f"node {shown(ids[row])} is listed twice", table.line(row))
    values = {}
    for k, (name, type_) in enumerate(kind.attributes):
        if k not in keys and type_.upper() != "IGNORE":
            values[name] = texts(table.columns[k])
            check_declared_values(table, k, type_)
    return ids, values


def texts(column: Any) -> NDArray[Any]:
    return np.asarray(as_text(column), dtype=object)


def check_declared_values(table: Table, k: int, type_: str) -> None:
    if not type_.startswith("{"):
        return
    declared = {item.strip().strip("\"'") for item in type_[1:-1].split(",")} | {"?", ""}
    values = texts(table.columns[k])
    bad = [row for row, value in enumerate(values.tolist()) if value not in declared]
    if bad:
        fail(
            table.path,
            f"{shown(values[bad[0]])} is not among the declared {type_}",
            table.line(bad[0]),
        )


def node_ids(kinds: list[NodeType], names: list[NDArray[Any]]) -> NDArray[Any]:
    """Return ids as in the files, with their type in front where two types share one."""
    whole = np.concatenate(names)
    if len(set(whole.tolist())) == whole.size:
        return np.asarray(plain_column(whole))
    pairs = [(kind.name, name) for kind, ids in zip(kinds, names) for name in ids.tolist()]
    array = np.empty(len(pairs), dtype=object)
    array[:] = pairs
    return array


def add_links(
    found: Found,
    path: Path,
    ties: list[EdgeType],
    kinds: list[NodeType],
    names: list[NDArray[Any]],
) -> None:
    """Read the links of all edge types."""
    import pandas as pd

    starts = dict(zip((k.name for k in kinds), np.cumsum([0, *(ids.size for ids in names)])))
    index = {kind.name: pd.Index(ids) for kind, ids in zip(kinds, names)}
    both = {tie.reversible for tie in ties} == {True, False}
    found.directed = not all(tie.reversible for tie in ties)
    source, target, weight = [], [], []
    for tie in ties:
        unknown = [end for end in tie.ends if end not in index]
        if unknown or tie.data is None:
            what = f"names the node type {unknown[0]}" if unknown else "lacks @EDGEDATA"
            fail(path, f"edge type {tie.name} {what}", tie.line)
        table = read_table(tie.data, header=False, links=True)
        if not 2 <= len(table.columns) <= 3:
            fail(
                tie.data,
                f"has {len(table.columns)} columns, expected 2 ids and a weight",
                table.line(0),
            )
        found.files.append(tie.data)
        for name in table.names[:2]:
            refuse_empty(table, name)
        ends = []
        for end, column in zip(tie.ends, table.columns):
            place = index[end].get_indexer(pd.Index(texts(column)))
            ends.append(np.where(place < 0, -1, place + starts[end]))
        w = numbers(table, table.names[2]) if len(table.columns) == 3 else np.ones(table.n_rows)
        turned = both and tie.reversible
        source += [ends[0], ends[1]] if turned else [ends[0]]
        target += [ends[1], ends[0]] if turned else [ends[1]]
        weight += [w, w] if turned else [w]
    if both:
        found.notes.append("reversible links are kept in both directions, the others in one")
    found.source, found.target = np.concatenate(source), np.concatenate(target)
    found.weight = np.concatenate(weight)
    found.indexed = True


def usual_label(kinds: list[NodeType]) -> str | None:
    """Return the last categorical attribute of the first node type that has one."""
    for kind in kinds:
        choices = [
            name
            for name, type_ in kind.attributes
            if type_.startswith("{") or type_.upper() == "CATEGORICAL"
        ]
        if choices:
            return choices[-1]
    return None


def is_adjacency(head: bytes) -> bool:
    """Return whether the first row is the matrix size, twice, and the second has three numbers."""
    rows = [row.split(b",") for row in head.split(b"\n")[:2]]
    return (
        len(rows) == 2
        and len(rows[0]) == 2
        and rows[0][0].strip().isdigit()
        and rows[0][0].strip() == rows[0][1].strip()
        and len(rows[1]) == 3
    )


def read_adjacency(path: Path, nodes: Sequence[Path] = ()) -> Found:
    """Read an .adj file: the size n,n and rows i,j,weight with nodes from 0 to n - 1."""
    data = read_text(path)
    first, _, rest = data.partition(b"\n")
    size = re.fullmatch(rb"[ \t]*([0-9]{1,18})[ \t]*,[ \t]*\1[ \t]*", first)
    if size is None:
        fail(path, "must begin with the size of the matrix, as n,n", 1)
    n = check_declared(path, int(size.group(1)), size_of(path), "nodes", 1)
    table = read_table(path, header=False, data=b"\n" + rest, skip=1, links=True)
    if len(table.columns) != 3:
        fail(path, f"has {len(table.columns)} columns, expected i, j and the weight", 2)
    ends = node_numbers(table, 0, n - 1)
    found = Found(
        "NetKit-SRL adj",
        [path],
        ends[0],
        ends[1],
        nodes=np.arange(n),
        weight=numbers(table, "2"),
        indexed=True,
    )
    for file in nodes:
        add_labels(found, file, n)
    return found


FILE_FORMATS = (
    Format("netkit", lambda _, head: bool(MARK.search(head)),
           lambda r: read_netkit(r.path), order=130,
           files="NetKit-SRL: `.arff` schema with `.csv` and `.rn`",
           holds="all types of nodes and links, attributes"),
    Format("netkit-adj", lambda _, head: is_adjacency(head),
           lambda r: read_adjacency(r.path, r.nodes), order=140,
           files="NetKit-SRL: `.adj`, with a table of nodes", holds="links, weights",
           takes_nodes=True),
)  # fmt: skip
