"""GML, also with repeated links, without labels, and with any nesting."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ..core.errors import shown
from .attributes import attribute_names
from .format import Format
from .found import Found, weight_value
from .guards import fail, fail_at_end, read_text
from .numerals import WHOLE, decimal_number, long_number

TOKEN = re.compile(
    r"""[ \t\n]*(?:(?P<comment>\#[^\n]*)|(?P<open>\[)|(?P<close>\])
    |"(?P<text>[^"]*)"|(?P<number>[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?![\w.]))
    |(?P<none>[+-]?(?:nan|inf)(?![\w.]))|(?P<key>[A-Za-z_][\w.]*)|(?P<end>\Z))""",
    re.VERBOSE | re.IGNORECASE,
)
DEPTH = 100
Record = dict[str, Any]


def read_gml(path: Path) -> Found:
    """Read the graph of a GML file."""
    records, directed = top_level(path, read_text(path).decode())
    nodes, ids = [], set()
    for line, record in records["node"]:
        if "id" not in record:
            fail(path, "a node without id", line)
        refuse_nested(path, record["id"], "the id of a node", line)
        if record["id"] in ids:
            fail(path, f"node id {shown(record['id'])} occurs again", line)
        ids.add(record["id"])
        nodes.append(record)
    links = []
    for line, record in records["edge"]:
        for end in ("source", "target"):
            if end not in record:
                fail(path, f"an edge without {end}", line)
            refuse_nested(path, record[end], f"the {end} of an edge", line)
            if record[end] not in ids:
                fail(path, f"{end} {shown(record[end])} is not the id of a node", line)
        links.append((record["source"], record["target"], weight_of(path, record, line)))
    if not nodes:
        fail_at_end(path, "holds no nodes")
    keys = attribute_names(path, nodes, "id")
    found = Found(
        "GML",
        [path],
        [link[0] for link in links],
        [link[1] for link in links],
        nodes=[record["id"] for record in nodes],
        columns={key: plain([record.get(key) for record in nodes]) for key in keys},
        directed=directed,
    )
    if any(link[2] is not None for link in links):
        found.weight = np.array([1.0 if link[2] is None else link[2] for link in links])
    name_apart(found)
    return found


def refuse_nested(path: Path, value: Any, what: str, line: int) -> None:
    if isinstance(value, dict):
        fail(path, f"expected a number or text as {what}, got a list in brackets", line)


def name_apart(found: Found) -> None:
    # in GML `label` is the name that a node is drawn with; where it differs from node to node
    # it is no class, which then stands in `value`
    labels = found.columns.get("label")
    if labels and "name" not in found.columns and len(set(map(str, labels))) == len(labels):
        found.columns = {
            "name" if key == "label" else key: column for key, column in found.columns.items()
        }
        found.likely_label = "value"


def plain(values: list[Any]) -> list[Any]:
    """Return the values of a column, lists in brackets as text."""
    if dict not in set(map(type, values)):
        return values
    return [repr(value) if isinstance(value, dict) else value for value in values]


def weight_of(path: Path, record: Record, line: int) -> float | None:
    for key in ("weight", "value", "w"):
        if key in record:
            return weight_value(path, record[key], line)
    return None


def tokens(path: Path, text: str) -> Iterator[tuple[str, Any, int]]:
    position, line = 0, 1
    while match := TOKEN.match(text, position):
        kind = str(match.lastgroup)
        start, position = match.start(kind), match.end()
        line += text.count("\n", match.start(), start)
        if kind != "comment":
            yield kind, match[kind], line
        if kind == "text":
            line += text.count("\n", start, position)
        elif kind == "end":
            return
    after = text[position:].lstrip(" \t\n")
    line += text.count("\n", position, len(text) - len(after))
    fail(path, f"unexpected text {shown(after[:20])}", line)


def top_level(path: Path, text: str) -> tuple[dict[str, list[tuple[int, Record]]], bool]:
    """Walk through the file with a stack and collect the nodes and edges of its graph."""
    found: dict[str, list[tuple[int, Record]]] = {"node": [], "edge": []}
    stack: list[tuple[str, int, Record]] = [("", 1, {})]
    key, key_line = "", 0
    directed, seen = False, False
    for kind, value, line in tokens(path, text):
        if kind in ("key", "none") and not key:
            key, key_line = value, line
        elif kind == "open" and key:
            if len(stack) > DEPTH:
                fail(path, f"nested deeper than {DEPTH} levels", line)
            stack.append((key, key_line, {}))
            key = ""
        elif kind == "close" and not key and len(stack) > 1:
            name, start, record = stack.pop()
            parent = stack[-1][0]
            if parent == "graph" and len(stack) == 2 and name in found:
                found[name].append((start, record))
            elif name == "graph" and len(stack) == 1:
                if seen:
                    fail(path, "holds more than one graph", start)
                seen, directed = True, record.get("directed") == 1
            else:
                stack[-1][2][name] = record
        elif kind in ("text", "number") and key:
            stack[-1][2][key] = html.unescape(value) if kind == "text" else number(value)
            key = ""
        elif kind == "none" and key:  # as networkx and others write a missing number
            stack[-1][2][key], key = None if stack[-1][0] == "node" else value, ""
        elif kind == "end" and not key and len(stack) == 1:
            break
        elif kind == "end":
            fail(path, "ends in the middle of the graph", line)
        else:
            fail(path, f"unexpected {shown(str(value))}", line)
    if not seen:
        fail_at_end(path, "holds no graph")
    return found, directed


def number(text: str) -> int | float | str:
    """Read a number; one that is too long, or too large to be exact, stays text."""
    whole = long_number(text)
    if whole is not None:
        return whole
    value = decimal_number(text)
    return text if value is None or WHOLE.fullmatch(text) else value


FILE_FORMATS = (
    Format("gml", lambda _, head: bool(re.search(rb"(?m)^[ \t]*graph\s*\[", head)),
           lambda r: read_gml(r.path), order=90,
           files="one graph", holds="nodes, links, weights, direction, attributes"),
)  # fmt: skip
