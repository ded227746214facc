"""Pajek networks (.net), and partitions (.clu) as their labels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .build import Found, weight_value
from .guards import check_declared, fail, fail_at_end, read_text, size_of
from .labels import add_labels

SECTION = re.compile(r"\*(\w+)\s*(.*)")
LINKS = ("arcs", "edges", "arcslist", "edgeslist", "matrix")
DIRECTED = ("arcs", "arcslist")


def is_pajek(head: bytes) -> bool:
    return re.search(rb"(?mi)^\*vertices\s", head) is not None and not is_partition(head)


def is_partition(head: bytes) -> bool:
    """Whether a section of vertices is followed by one integer a line."""
    return re.match(rb"(?i)\s*\*vertices\s+\d+\s*\n\s*-?\d+\s*\n", head) is not None


def read_partition(path: Path, n: int) -> list[int]:
    """Read the classes of a partition file."""
    data = read_text(path).decode()
    rows = data.split()
    if len(rows) < 2 or rows[0].lower() != "*vertices" or rows[1] != str(n):
        fail(path, f"must begin with *Vertices {n}, the number of nodes", 1)
    if len(rows) != n + 2:
        fail_at_end(path, f"holds {len(rows) - 2} classes for {n} nodes")
    for line, text in enumerate(data.split("\n"), 1):
        for word in text.split() if line > 1 else ():
            if not re.fullmatch(r"[+-]?\d{1,18}", word):
                fail(path, f"{word[:30]!r} is no integer, as classes must be", line)
    return [int(row) for row in rows[2:]]


class Reader:
    """Collects nodes and links line by line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.size = size_of(path)
        self.n = -1
        self.names: dict[int, str] = {}
        self.links: list[tuple[int, int, float, bool]] = []
        self.row = 0

    def node(self, text: str, line: int) -> int:
        if not text.lstrip("-").isdigit() or not 1 <= int(text[:12]) <= self.n:
            fail(self.path, f"{text[:30]!r} is no node number from 1 to {self.n}", line)
        return int(text) - 1

    def vertices(self, rest: str, line: int) -> None:
        words = rest.split()
        if not words or not words[0].isdigit():
            fail(self.path, "*Vertices needs the number of nodes", line)
        self.n = check_declared(self.path, int(words[0][:18]), self.size, "nodes", line)

    def add(self, section: str, text: str, line: int) -> None:
        if section == "vertices":
            match = re.match(r'\s*(\S+)\s*(?:"([^"]*)"|(\S+))?', text)
            if match:
                node = self.node(match.group(1), line)
                name = match.group(2) if match.group(2) is not None else match.group(3)
                self.names[node] = str(node + 1) if name is None else name
            return
        words = text.split()
        if section == "matrix":
            if len(words) != self.n or self.row >= self.n:
                fail(self.path, f"a matrix row of {len(words)} entries for {self.n} nodes", line)
            for column, word in enumerate(words):
                value = weight_value(self.path, word, line)
                if value:
                    self.links.append((self.row, column, value, True))
            self.row += 1
            return
        directed = section in DIRECTED
        if len(words) < 2:
            fail(self.path, "a link needs two node numbers", line)
        first = self.node(words[0], line)
        if section.endswith("list"):
            self.links += [(first, self.node(w, line), 1.0, directed) for w in words[1:]]
        else:
            weight = weight_value(self.path, words[2], line) if len(words) > 2 else 1.0
            self.links.append((first, self.node(words[1], line), weight, directed))


def read_pajek(path: Path, nodes: Sequence[Path] = ()) -> Found:
    """Read a network file, with partitions or node tables for the labels."""
    reader, section = Reader(path), ""
    for line, text in enumerate(read_text(path).decode().split("\n"), 1):
        text = text.strip()
        if not text or text.startswith("%"):
            continue
        match = SECTION.match(text)
        if match:
            section = match.group(1).lower()
            if section == "vertices":
                reader.vertices(match.group(2), line)
            elif section not in (*LINKS, "network"):
                fail(path, f"the section *{match.group(1)} is not known", line)
            if section in LINKS and ":" in match.group(2):
                fail(path, "holds several relations; leave one of them in the file", line)
        elif section not in ("vertices", *LINKS) or reader.n < 0:
            fail(path, "text before *Vertices", line)
        else:
            reader.add(section, text, line)
    if reader.n < 0:
        fail_at_end(path, "has no section *Vertices")
    if section == "matrix" and reader.row != reader.n:
        fail_at_end(path, f"holds {reader.row} matrix rows for {reader.n} nodes")
    return assemble(reader, nodes)


def assemble(reader: Reader, nodes: Sequence[Path]) -> Found:
    path, n, links = reader.path, reader.n, reader.links
    kinds = {directed for *_, directed in links}
    found = Found("Pajek", [path], [], [], directed=True in kinds, indexed=True)
    if len(kinds) == 2:
        links = links + [(t, s, w, True) for s, t, w, directed in links if not directed]
        found.notes.append("edges are kept in both directions, arcs in one")
    found.source = np.array([link[0] for link in links], dtype=np.int64)
    found.target = np.array([link[1] for link in links], dtype=np.int64)
    weights = np.array([link[2] for link in links], dtype=np.float64)
    found.weight = None if (weights == 1).all() else weights
    names = [reader.names.get(k, str(k + 1)) for k in range(n)]
    numbered = len(set(names)) < n or not reader.names
    found.nodes = np.arange(1, n + 1) if numbered else np.array(names, dtype=object)
    if numbered and reader.names:
        found.columns["name"] = names
        found.notes.append("names repeat, so the ids are the node numbers")
    for table in nodes:
        if is_partition(table.read_bytes()[:200]):
            found.files.append(table)
            found.node_files.append(table)
            found.columns[table.stem if table.stem != "name" else "class"] = read_partition(
                table, n
            )
            found.likely_label = found.likely_label or table.stem
        else:
            add_labels(found, table, n)
    return found
