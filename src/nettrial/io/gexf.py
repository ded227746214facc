"""GEXF."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from ..core.errors import shown
from . import xml
from .attributes import attribute_names
from .format import Format
from .found import Found, weight_value
from .guards import fail
from .missing import plain_column


class Reader(xml.GraphReader):
    """Collects nodes and links of a GEXF file."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.scope = ""
        self.names: dict[str, str] = {}
        self.defaults: dict[str, str] = {}  # by the name of the attribute
        self.attribute = ""
        self.labels: dict[str, str] = {}  # what nodes are drawn with
        self.weights: list[float] = []
        self.default = False
        self.link_names: list[str] = []
        self.changing: dict[str, int] = {}
        self.node: str | None = None

    def start(self, tag: str, attributes: dict[str, str], line: int) -> None:
        self.line = line
        if tag == "graph":
            self.default = attributes.get("defaultedgetype", "undirected") == "directed"
        elif tag == "attributes":
            self.scope = attributes.get("class", "node")
        elif tag == "attribute" and self.scope == "node":
            key = self.need(attributes, "id")
            self.attribute = self.names[key] = attributes.get("title", key)
        elif tag == "attribute" and self.scope == "edge":
            self.link_names.append(attributes.get("title", self.need(attributes, "id")))
        elif tag == "node":
            self.node = self.add_node(attributes)
            if "label" in attributes:
                self.labels[self.node] = attributes["label"]
        elif tag == "edge":
            kind = attributes.get("type", "directed" if self.default else "undirected")
            self.add_link(attributes, directed=kind == "directed")
            self.weights.append(weight_value(self.path, attributes.get("weight", 1), line))
        elif tag == "attvalue" and self.node is not None:
            key = attributes.get("for") or self.need(attributes, "id")
            if key not in self.names:
                fail(
                    self.path, f"a value of the attribute {shown(key)}, which is not declared", line
                )
            name, value = self.names[key], self.need(attributes, "value")
            if self.nodes[self.node].setdefault(name, value) != value:
                self.changing.setdefault(name, line)

    def end(self, tag: str, text: str) -> None:
        if tag == "node":
            self.node = None
        elif tag == "default" and self.scope == "node":
            self.defaults[self.attribute] = text
        elif tag == "attributes":
            self.scope = ""


def read_gexf(path: Path) -> Found:
    """Read the graph of a GEXF file; a node's label there is its name."""
    reader = Reader(path).read()
    if "label" not in reader.names.values():
        for node, label in reader.labels.items():
            reader.nodes[node] = {"label": label} | reader.nodes[node]
    records = reader.nodes.values()
    keys = attribute_names(path, records, defaults=reader.defaults)
    columns = {
        key: np.array([each.get(key, reader.defaults.get(key, "")) for each in records], object)
        for key in keys
    }
    names = columns.get("label")
    declared = "label" in reader.names.values()
    if names is not None and len(set(names)) == len(names) and not declared:
        # a label that differs from node to node is a name; the ids may say the same
        del columns["label"]
        if list(names) != list(reader.nodes):
            columns["name"] = names
    notes = [
        f"values of {name!r} change over time; the first of each node is kept"
        for name in reader.changing
    ]
    notes += [f"the link attribute {name!r} is not used" for name in reader.link_names]
    weights = np.array(reader.weights, dtype=np.float64)
    return Found(
        "GEXF",
        [path],
        [link[0] for link in reader.links],
        [link[1] for link in reader.links],
        nodes=list(reader.nodes),
        columns={key: plain_column(column) for key, column in columns.items()},
        weight=None if (weights == 1).all() else weights,
        directed=next(iter(reader.directed), reader.default),
        notes=notes,
        conflicts={name: (path, line) for name, line in reader.changing.items()},
    )


FILE_FORMATS = (
    Format("gexf", lambda _, head: bool(re.search(rb"<(\w+:)?gexf\b", head)),
           lambda r: read_gexf(r.path), order=80,
           files="Gephi, also with times",
           holds="the same; the first of values that change over time, noted"),
)  # fmt: skip
