"""Networks in JSON: node-link (networkx, d3, graphology), adjacency, Cytoscape, WikiCS."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from ..core.errors import shown
from ..network.ids import HALF
from .attributes import attribute_names
from .format import Format
from .found import Found, weight_value
from .guards import as_utf8, fail, read_bytes, size_of
from .json_layout import Layout, lay_out
from .multilabel import refuse_several_classes
from .numerals import MAX_LONG

KEYS = re.compile(rb'"(nodes|links|edges|adjacency|elements|features)"\s*:')
SPARE = 300 * 2**20  # bytes that the objects of any file may take
COSTS = {b"[": 72, b"{": 240, b",": 40}  # bytes that an object of Python takes, at least
GROWTH = 16  # bytes of objects for one byte of text, beyond the spare ones
SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")  # a half of a character, or of two that are one
WEIGHTS = ("weight", "value", "w")
SCALAR = rb'("([^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|true|false|null|NaN)'
PAIR = rb'"([^"\\]|\\.)*"\s*:\s*' + SCALAR
LIST = re.compile(rb"\s*\[\s*\{\s*" + PAIR + rb"\s*[,}]")
OBJECT = re.compile(rb"\s*\{\s*" + PAIR + rb"(\s*,\s*" + PAIR + rb")*\s*\}\s*")


def is_records(head: bytes) -> bool:
    """Return whether text begins as a list of flat objects, or as lines of them.

    Examples
    --------
    >>> is_records(b'[{"source": 1, "target": 2}]'), is_records(b'{"a": 1}\\n{"a": 2}')
    (True, True)
    >>> is_records(b'{"nodes": [{"id": 1}]}'), is_records(b'[{"data": {"id": 1}}]')
    (False, False)
    """
    head = head.removeprefix(b"\xef\xbb\xbf")
    return LIST.match(head) is not None or is_lines(head)


def is_lines(head: bytes) -> bool:
    lines = head.split(b"\n", 2)[:2]
    return len(lines) > 1 and all(OBJECT.fullmatch(line) for line in lines)


def is_json(head: bytes) -> bool:
    """Return whether the text begins as JSON does; what it holds is looked at when it is read."""
    return re.match(rb'\s*(\{\s*["}]|\[\s*[\[{])', head) is not None


def names_graph(head: bytes) -> bool:
    """Return whether the first bytes hold one of the keys of networks."""
    return is_json(head) and KEYS.search(head) is not None


def load(path: Path) -> Any:
    """Load JSON after a check of how much memory its objects take."""
    return parse(path, as_utf8(path, read_bytes(path)).removeprefix(b"\xef\xbb\xbf"))


def parse(path: Path, data: bytes) -> Any:
    """Parse what a file holds, after the check."""
    cost = sum(data.count(mark) * size for mark, size in COSTS.items())
    if cost > SPARE + GROWTH * size_of(path):
        fail(path, f"would take more than {cost // 2**20} MB, far beyond its {size_of(path)} bytes")
    try:
        value = json.loads(data, parse_constant=constant, parse_int=whole, parse_float=decimal)
    except ValueError as error:
        from ..core.wording import shorten  # loads the measures, which takes long

        if "Extra data" in str(error):
            fail(
                path,
                "holds several values of JSON, one a line, as GraphSON does; expected a network "
                'in one value, or links, one a line, such as {"source": 1, "target": 2}; TinkerPop '
                "writes GraphML, which is read",
                getattr(error, "lineno", 1),
            )
        fail(path, f"is no JSON ({shorten(error, 100)})", getattr(error, "lineno", 1))
    if SURROGATE.search(data):
        refuse_half_characters(path, value)
    return value


def refuse_half_characters(path: Path, value: Any) -> None:
    """Refuse text with a lone surrogate, wherever in the value it is."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str) and HALF.search(item):
            fail(path, f"{shown(item)} holds half of a character, which cannot be written as UTF-8")
        if isinstance(item, dict):
            stack += [*item, *item.values()]
        elif isinstance(item, list):
            stack += item


def constant(word: str) -> None:
    if word != "NaN":  # which networkx writes for missing values
        raise ValueError(f"{word} is no number of JSON")


def whole(text: str) -> int | str:
    """Read an integer; one that Python would refuse stays text, as an id may be."""
    return int(text) if len(text) <= MAX_LONG else text


def decimal(text: str) -> float | str:
    """Read a number; one beyond all doubles stays text, so that two of them differ."""
    number = float(text)
    return number if abs(number) < float("inf") else text


def read_json(path: Path) -> Found:
    """Read the network of a JSON file."""
    value = load(path)
    if isinstance(value, dict) and {"features", "labels", "links"} <= value.keys():
        return wiki_cs(path, value)
    layout = lay_out(path, value)
    ids = node_ids(path, layout)
    found = Found(
        layout.name,
        [path],
        [],
        [],
        nodes=ids,
        columns=columns(path, layout),
        directed=layout.directed,
    )
    found.source, found.target = ends(path, layout, ids, found)
    found.indexed = True
    found.notes += [f"{key!r} holds lists or objects and is not used" for key in layout.left_out]
    weights = [weight_of(path, k, link) for k, link in enumerate(layout.links, 1)]
    if any(weight is not None for weight in weights):
        found.weight = np.array([1.0 if weight is None else weight for weight in weights])
    return found


def node_ids(path: Path, layout: Layout) -> list[Any]:
    """Take ids from the nodes, and number them where they have none."""
    for key in ("id", "key", "_id", "name", "label"):
        if not all(key in node for node in layout.nodes):
            continue
        ids = [hashable(path, node[key], f"node {k}") for k, node in enumerate(layout.nodes, 1)]
        if len(set(ids)) == len(ids) and None not in ids:
            layout.id_key = key
            return ids
        if key in ("id", "key", "_id"):
            again = Counter(ids).most_common(1)[0][0]
            fail(path, f"node {shown(again)} is listed twice")
    return list(range(len(layout.nodes)))


def ends(path: Path, layout: Layout, ids: list[Any], found: Found) -> tuple[Any, Any]:
    """Find the ends of links among the ids, else among the places of nodes from 0."""
    pairs = [
        tuple(hashable(path, link.get(key), f"{key} of link {k}") for key in layout.end_keys)
        for k, link in enumerate(layout.links, 1)
    ]
    places = {node: k for k, node in enumerate(ids)}
    if any(end not in places for pair in pairs for end in pair):
        whole = all(type(end) is int and 0 <= end < len(ids) for pair in pairs for end in pair)
        texts = {str(node): k for k, node in enumerate(ids)}
        if len(texts) == len(ids) and all(str(end) in texts for pair in pairs for end in pair):
            places = {end: texts[str(end)] for pair in pairs for end in pair}
        elif whole:
            places = {k: k for k in range(len(ids))}
            found.notes.append("links name nodes by their place in the list, from 0")
        else:
            k, end = next((k, e) for k, p in enumerate(pairs, 1) for e in p if e not in places)
            fail(path, f"link {k} names {shown(str(end))}, which is the id of no node")
    array = np.array([[places[s], places[t]] for s, t in pairs], dtype=np.int64).reshape(-1, 2)
    return array[:, 0], array[:, 1]


def columns(path: Path, layout: Layout) -> dict[str, list[Any]]:
    """Take the attributes of nodes; a class that is a list of several is refused."""
    table: dict[str, list[Any]] = {}
    for key in attribute_names(path, layout.nodes, layout.id_key):
        values = [plain_scalar(node.get(key)) for node in layout.nodes]
        nested = sum(isinstance(value, (list, dict)) for value in values)
        if not nested:
            table[key] = values
            continue
        lists = [value for value in values if isinstance(value, list)]
        if key.lower() in ("label", "labels", "class", "classes", "y"):
            several = sum(len(value) > 1 for value in lists)
            refuse_several_classes(path, f"{shown(key)}", several, len(values))
        layout.left_out.append(key)
    return table


def weight_of(path: Path, number: int, link: dict[str, Any]) -> float | None:
    for key in WEIGHTS:
        if link.get(key) is not None:
            value = link[key]
            if isinstance(value, bool) or not isinstance(value, (int, float, str)):
                fail(path, f"link {number}: weight {shown(str(value))} is no number")
            return weight_value(path, value, None)
    return None


def hashable(path: Path, value: Any, what: str) -> Any:
    """Return an id that can be looked up; lists become tuples, as networkx reads them."""
    if isinstance(value, list):
        return tuple(hashable(path, item, what) for item in value)
    if isinstance(value, (dict, type(None))):
        fail(path, f"expected text or a number as {what}, got {shown(value)}")
    return value


def plain_scalar(value: Any) -> Any:
    """Return whole numbers as integers, and NaN as missing."""
    if isinstance(value, float):
        if value != value:
            return None
        return int(value) if value.is_integer() else value
    return value


def wiki_cs(path: Path, value: dict[str, Any]) -> Found:
    """Read features, labels and lists of neighbors, as WikiCS has them."""
    labels, lists = value["labels"], value["links"]
    if not (isinstance(labels, list) and isinstance(lists, list) and len(labels) == len(lists)):
        fail(path, "expected as many lists of neighbors under 'links' as there are 'labels'")
    n = len(labels)
    if any(isinstance(label, (list, dict)) for label in labels):
        refuse_several_classes(path, "'labels'", sum(isinstance(k, list) for k in labels), n)
    pairs = []
    for node, row in enumerate(lists):
        if not isinstance(row, list) or not all(type(k) is int and 0 <= k < n for k in row):
            fail(
                path, f"the list of neighbors of node {node} holds other than numbers 0 to {n - 1}"
            )
        pairs += [(node, other) for other in row]
    try:
        features = np.asarray(value["features"], dtype=np.float32)
    except (ValueError, TypeError):
        features = np.zeros(0, np.float32)
    if features.ndim != 2 or features.shape[0] != n:
        fail(path, f"expected 'features' as {n} equally long rows of numbers")
    array = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    masks = sorted(key for key in value if key.endswith(("_mask", "_masks")))
    return Found(
        "WikiCS JSON",
        [path],
        array[:, 0],
        array[:, 1],
        nodes=np.arange(n),
        indexed=True,
        columns={"label": [plain_scalar(label) for label in labels]},
        label="label",
        features=features,
        notes=[f"{', '.join(masks)} are not used"] if masks else [],
    )


FILE_FORMATS = (
    Format("json", lambda _, head: is_json(head) and not is_records(head),
           lambda r: read_json(r.path), order=110,
           files="node-link and adjacency of networkx, d3, graphology, JSON Graph Format, "
                 "Cytoscape.js, a list of pairs, WikiCS",
           holds="nodes, links, weights, direction, plain attributes; WikiCS's features"),
)  # fmt: skip
