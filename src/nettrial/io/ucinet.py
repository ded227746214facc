"""UCINET DL text: full matrices, edge lists and node lists."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .build import Found, weight_value
from .guards import check_declared, fail, fail_at_end, read_text, size_of
from .labels import add_labels

FORMATS = ("fullmatrix", "edgelist1", "edgelist", "nodelist1", "nodelist")
WORD = re.compile(r'"([^"]*)"|([^\s,]+)')
ITEM = re.compile(r"(\w+)\s*=\s*(\w+)")


def is_dl(head: bytes) -> bool:
    return re.match(rb"(?i)\s*dl[\s,]+[^\n]*\bn\s*=|(?i:\s*dl\s*\n\s*n\s*=)", head) is not None


def words(text: str) -> list[str]:
    return [quoted or bare for quoted, bare in WORD.findall(text)]


class Reader:
    """Header, labels and data of one file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        lines = read_text(path).decode().split("\n")
        start = next((k for k, text in enumerate(lines)
                      if re.match(r"\s*data\s*:", text, re.I)), None)  # fmt: skip
        if start is None:
            fail_at_end(path, "has no line data:")
        self.data = [
            (number, re.sub(r"(?i)^\s*data\s*:", "", text))
            for number, text in enumerate(lines[start:], start + 1)
        ]
        head = re.sub(r"(?i)^\s*dl\b", "", "\n".join(lines[:start]), count=1)
        self.embedded = re.search(r"(?i)labels\s+embedded", head) is not None
        head, *parts = re.split(r"(?i)\blabels\s*:", re.sub(r"(?i)labels\s+embedded:?", "", head))
        if len(parts) > 1 or re.search(r"(?i)(row|col\w*)\s*$", head):
            fail(
                path, "has different labels for rows and columns; one set of nodes is needed", start
            )
        items = {key.lower(): value.lower() for key, value in ITEM.findall(head)}
        if items.get("nm", "1") != "1" or "nr" in items or "nc" in items:
            fail(path, "holds several matrices or a two-mode one; one square matrix is needed", 1)
        if not items.get("n", "").isdigit():
            fail(path, "needs the number of nodes, n=", 1)
        self.n = check_declared(path, int(items["n"][:18]), size_of(path), "nodes", 1)
        self.format = items.get("format", "fullmatrix")
        if self.format not in FORMATS:
            fail(path, f"the format {self.format} is not known; known are {', '.join(FORMATS)}", 1)
        self.absent = items.get("diagonal") == "absent"
        self.labels = words(parts[0]) if parts else []
        if parts and len(self.labels) != self.n:
            fail(path, f"has {len(self.labels)} labels for {self.n} nodes", start)
        self.places = {label: k for k, label in enumerate(self.labels)}
        if len(self.places) != len(self.labels):
            fail(path, "has two equal labels", start)

    def node(self, text: str, line: int) -> int:
        if self.embedded:
            place = self.places.setdefault(text, len(self.places))
            if place >= self.n:
                fail(self.path, f"{text[:30]!r} is one node more than the declared {self.n}", line)
            return place
        if text in self.places:
            return self.places[text]
        if not text.isdigit() or not 1 <= int(text[:12]) <= self.n:
            fail(self.path, f"{text[:30]!r} is no node number from 1 to {self.n}", line)
        return int(text) - 1

    def links(self) -> list[tuple[int, int, float]]:
        if self.format == "fullmatrix":
            return self.matrix()
        found = []
        for line, text in self.data:
            row = words(text)
            if not row:
                continue
            if len(row) < 2 and self.format.startswith("edge"):
                fail(self.path, "a link needs two nodes", line)
            first = self.node(row[0], line)
            if self.format.startswith("node"):
                found += [(first, self.node(other, line), 1.0) for other in row[1:]]
            else:
                weight = weight_value(self.path, row[2], line) if len(row) > 2 else 1.0
                found.append((first, self.node(row[1], line), weight))
        return found

    def matrix(self) -> list[tuple[int, int, float]]:
        """Read n rows of n numbers; with embedded labels a row of names stands above them."""
        cells = [(line, word) for line, text in self.data for word in words(text)]
        n, last = self.n, self.data[-1][0]
        if self.embedded:
            for line, word in cells[:n]:
                self.node(word, line)
            cells = [cell for k, cell in enumerate(cells[n:]) if k % (n + 1)]
        wanted = n * (n - 1) if self.absent else n * n
        if len(cells) != wanted:
            fail(self.path, f"holds {len(cells)} matrix entries, {n} nodes need {wanted}", last)
        found = []
        for k, (line, word) in enumerate(cells):
            i, j = divmod(k, n - 1 if self.absent else n)
            j += self.absent and j >= i
            value = weight_value(self.path, word, line)
            if value:
                found.append((i, j, value))
        return found


def read_dl(path: Path, nodes: Sequence[Path] = ()) -> Found:
    """Read the network of a DL file."""
    reader = Reader(path)
    links = reader.links()
    names = list(reader.places) if reader.places else []
    if names and len(names) < reader.n:
        fail_at_end(path, f"names {len(names)} of the {reader.n} declared nodes")
    weight = np.array([link[2] for link in links], dtype=np.float64)
    found = Found(
        "UCINET DL", [path],
        np.array([link[0] for link in links], dtype=np.int64),
        np.array([link[1] for link in links], dtype=np.int64),
        nodes=np.array(names, dtype=object) if names else np.arange(1, reader.n + 1),
        weight=None if (weight == 1).all() else weight, indexed=True,
    )  # fmt: skip
    for table in nodes:
        add_labels(found, table, reader.n)
    return found
