"""The layouts in which JSON holds networks, each brought to a list of nodes and one of links."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from ..core.errors import shown
from .guards import fail

Records = list[dict[str, Any]]
EXPECTED = (
    "expected an object with nodes and links (or edges), as networkx, d3 and graphology write it, "
    "nodes and adjacency (networkx), elements (Cytoscape), or features, labels and links (WikiCS)"
)


@dataclass(slots=True)
class Layout:
    """Nodes and links as dicts, the keys of a link's ends, and what the file says of direction."""

    name: str
    nodes: Records
    links: Records
    end_keys: tuple[str, str] = ("source", "target")
    directed: bool | None = None
    id_key: str = ""
    left_out: list[str] = field(default_factory=list)


def lay_out(path: Path, value: Any) -> Layout:
    """Find the layout of a parsed file."""
    if isinstance(value, list) and value:  # elements of Cytoscape.js, or links as pairs
        of_pairs = all(isinstance(item, list) for item in value)
        value = {"nodes": None, "edges": value} if of_pairs else {"elements": value}
    if not isinstance(value, dict):
        refuse(path, f"a {type(value).__name__}")
    graph = value.get("graph")
    if "nodes" not in value and isinstance(graph, dict) and "nodes" in graph:
        value = graph  # JSON Graph Format
    if "elements" in value:
        layout = cytoscape(path, value)
    elif "nodes" in value and "adjacency" in value:
        layout = adjacency(path, value)
    elif not {"links", "edges"}.isdisjoint(value):
        key = "links" if "links" in value else "edges"
        links = links_of(path, value[key])
        nodes = value.get("nodes", value.get("vertices"))
        found = ends_of(links, value) if nodes is None else nodes_of(path, nodes)
        layout = Layout("node-link JSON", found, links)
    else:
        refuse(path, f"the keys {', '.join(map(str, list(value)[:10])) or '(none)'}")
    layout.nodes = [flat(node) for node in layout.nodes]
    layout.links = [flat(link) for link in layout.links]
    layout.directed = direction(path, value, layout)
    if layout.links and not all("source" in link for link in layout.links):
        layout.end_keys = keys_of(layout.links)
    for number, link in enumerate(layout.links, 1):
        for key in layout.end_keys:
            if key not in link:
                fail(
                    path, f"link {number} lacks {shown(key)}; it has {', '.join(link) or 'nothing'}"
                )
    return layout


def refuse(path: Path, got: str) -> NoReturn:
    fail(path, f"holds no network in a known layout of JSON: {EXPECTED}; got {got}")


def records(path: Path, value: Any, what: str) -> Records:
    if not isinstance(value, list):
        fail(path, f"expected a list of {what}s, got a {type(value).__name__}")
    for number, item in enumerate(value, 1):
        if not isinstance(item, dict):
            fail(path, f"{what} {number}: expected an object, got {shown(str(item))}")
    return value


def nodes_of(path: Path, value: Any) -> Records:
    """Take nodes from a list of objects, a list of ids, or an object by id."""
    if isinstance(value, dict):
        return [
            {"id": key} | (item if isinstance(item, dict) else {}) for key, item in value.items()
        ]
    if isinstance(value, list) and value and not any(isinstance(item, dict) for item in value):
        return [{"id": item} for item in value]
    return records(path, value, "node")


def links_of(path: Path, value: Any) -> Records:
    """Take links from a list of objects, or of pairs of ids, perhaps with a weight behind."""
    if isinstance(value, list) and value and all(isinstance(item, list) for item in value):
        sizes = {len(item) for item in value}
        if sizes <= {2} or sizes <= {3}:
            return [dict(zip(("source", "target", "weight"), item)) for item in value]
        refuse(path, "lists of other than two ids and perhaps a weight as links")
    return records(path, value, "link")


def keys_of(links: Records) -> tuple[str, str]:
    """Return what the ends of links are called."""
    usual = (("source", "target"), ("from", "to"), ("src", "dst"), ("_outV", "_inV"))
    return next((keys for keys in usual if all(keys[0] in link for link in links)), usual[0])


def ends_of(links: Records, value: dict[str, Any]) -> Records:
    """Take the nodes from links where nothing else names them, and lists in their order.

    Nodes that are numbers from 0 have an order: a list with an entry for each is a column.
    """
    keys = keys_of(links)
    ends = list(dict.fromkeys(tuple_of(link.get(key)) for link in links for key in keys))
    lists = {key: item for key, item in value.items() if isinstance(item, list)}
    if all(type(end) is int and end >= 0 for end in ends):
        n = max(ends, default=-1) + 1
        beside = {k: v for k, v in lists.items() if k not in ("links", "edges") and len(v) == n}
        if beside:
            return [{"id": k} | {key: v[k] for key, v in beside.items()} for k in range(n)]
    return [{"id": end} for end in ends]


def tuple_of(value: Any) -> Any:
    return tuple(map(tuple_of, value)) if isinstance(value, list) else value


def flat(record: dict[str, Any]) -> dict[str, Any]:
    """Lift the attributes that graphology, Cytoscape and others keep one level deeper."""
    for key in ("attributes", "metadata", "data"):
        inner = record.get(key)
        if isinstance(inner, dict):
            rest = {name: value for name, value in record.items() if name != key}
            record = inner | rest
    return record


def direction(path: Path, value: dict[str, Any], layout: Layout) -> bool | None:
    """Take what the file says: directed (networkx), options.type (graphology), or nothing."""
    stated = value.get("directed")
    options = value.get("options")
    kind = options.get("type") if isinstance(options, dict) else None
    if kind == "mixed":
        marks = {bool(link.get("undirected")) for link in layout.links}
        if len(marks) > 1:
            fail(path, "mixes directed and undirected links; give them all the same direction")
        return not (marks and marks.pop())
    if isinstance(kind, str):
        return kind == "directed"
    return stated if isinstance(stated, bool) else None


def cytoscape(path: Path, value: dict[str, Any]) -> Layout:
    """Read elements of Cytoscape.js: apart as nodes and edges, or in one list."""
    elements = value["elements"]
    if isinstance(elements, dict):
        parts = [elements.get("nodes", []), elements.get("edges", [])]
    else:
        parts = [elements, []]
    whole: Records = []
    for part in parts:
        for item in records(path, part, "element"):
            data = item.get("data")
            if not isinstance(data, dict):
                refuse(path, f"an element without data, but with {', '.join(item) or 'nothing'}")
            whole.append(data)
    links = [item for item in whole if "source" in item and "target" in item]
    nodes = [item for item in whole if not ("source" in item and "target" in item)]
    return Layout("Cytoscape JSON", nodes, links)


def adjacency(path: Path, value: dict[str, Any]) -> Layout:
    """Read a list of neighbors for each node, as networkx.adjacency_data writes it."""
    nodes, lists = nodes_of(path, value["nodes"]), value["adjacency"]
    if not isinstance(lists, list) or len(lists) != len(nodes):
        fail(path, f"expected a list of neighbors for each of {len(nodes):,} nodes")
    links: Records = []
    for place, row in enumerate(lists):
        source = nodes[place].get("id", place)
        links += [
            {k: v for k, v in item.items() if k not in ("id", "key")}
            | {"source": source, "target": item.get("id")}
            for item in records(path, row, "neighbor")
        ]
    return Layout("adjacency JSON", nodes, links)
