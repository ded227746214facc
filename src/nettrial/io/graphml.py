"""GraphML."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from ..core.errors import shown
from . import xml
from .attributes import attribute_names
from .format import Format
from .found import Found, weight_value
from .guards import fail
from .numerals import decimal_number, long_number

WHOLE, FRACTION = ("int", "long"), ("float", "double")
NOT_FINITE = {"nan": None, "inf": float("inf"), "-inf": float("-inf")}


class Reader(xml.GraphReader):
    """Collects nodes and links of a GraphML file."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.keys: dict[str, tuple[str, str, str]] = {}  # id -> for, name, type
        self.defaults: dict[str, Any] = {}
        self.weights: dict[int, float] = {}
        self.default_direction = False
        self.graphs = 0
        self.place: tuple[str, Any] = ("", None)
        self.key = ""

    def start(self, tag: str, attributes: dict[str, str], line: int) -> None:
        self.line = line
        if tag == "key":
            self.key = self.need(attributes, "id")
            self.keys[self.key] = (
                attributes.get("for", "all"),
                attributes.get("attr.name", self.key),
                attributes.get("attr.type", "string"),
            )
        elif tag == "graph":
            self.graphs += 1
            if self.graphs > 1:
                fail(self.path, "holds more than one graph", line)
            self.default_direction = attributes.get("edgedefault") == "directed"
        elif tag == "node":
            self.place = ("node", self.add_node(attributes))
        elif tag == "edge":
            own = attributes.get("directed", str(self.default_direction)).lower()
            self.add_link(attributes, directed=own == "true")
            self.place = ("edge", len(self.links) - 1)
        elif tag == "data":
            self.key = self.need(attributes, "key")
            if self.key not in self.keys:
                fail(self.path, f"data with the key {shown(self.key)}, which is not declared", line)
        elif tag == "hyperedge":
            fail(self.path, "hyperedges cannot be read; a link needs two ends", line)

    def end(self, tag: str, text: str) -> None:
        if tag == "default":
            self.defaults[self.key] = self.value(text)
        elif tag == "data" and self.place[0] == "node":
            self.nodes[self.place[1]][self.keys[self.key][1]] = self.value(text)
        elif tag == "data" and self.place[0] == "edge":
            if self.keys[self.key][1].lower() in ("weight", "value", "w"):
                self.weights[self.place[1]] = weight_value(self.path, text, self.line)
        elif tag in ("node", "edge"):
            self.place = ("", None)

    def value(self, text: str) -> Any:
        kind = self.keys[self.key][2]
        text = text if kind == "string" else text.strip()
        if kind == "boolean":
            return text.lower() in ("true", "1")
        if kind not in (*WHOLE, *FRACTION):
            return text
        if kind in FRACTION and text.lower().replace("infinity", "inf") in NOT_FINITE:
            return NOT_FINITE[text.lower().replace("infinity", "inf")]
        number = long_number(text) if kind in WHOLE else decimal_number(text)
        if number is None:
            fail(self.path, f"{shown(text)} is not of the type {kind}", self.line)
        return number


def read_graphml(path: Path) -> Found:
    """Read the graph of a GraphML file."""
    reader = Reader(path).read()
    names = {name: key for key, (what, name, _) in reader.keys.items() if what in ("node", "all")}
    defaults = {k: reader.defaults[key] for k, key in names.items() if key in reader.defaults}
    used = set(attribute_names(path, reader.nodes.values(), defaults=defaults))
    names = {k: key for k, key in names.items() if k in used}
    columns = {
        name: [record.get(name, defaults.get(name)) for record in reader.nodes.values()]
        for name in names
    }
    found = Found(
        "GraphML",
        [path],
        [link[0] for link in reader.links],
        [link[1] for link in reader.links],
        nodes=list(reader.nodes),
        columns=columns,
        directed=next(iter(reader.directed), reader.default_direction),
    )
    weight_keys = [
        key
        for key, (what, name, _) in reader.keys.items()
        if name.lower() in ("weight", "value", "w") and what in ("edge", "all")
    ]
    default = next((reader.defaults[key] for key in weight_keys if key in reader.defaults), 1.0)
    if reader.weights:
        found.weight = np.array(
            [reader.weights.get(k, float(default)) for k in range(len(reader.links))]
        )
    return found


FILE_FORMATS = (
    Format("graphml", lambda _, head: bool(re.search(rb"<(\w+:)?graphml\b", head)),
           lambda r: read_graphml(r.path), order=70,
           files="one graph", holds="nodes, links, weights, direction, attributes"),
)  # fmt: skip
