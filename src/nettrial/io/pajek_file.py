"""The sections of a Pajek file: networks, partitions, vectors and clusters, in file order."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from ..core.errors import shown
from .found import weight_value
from .guards import check_declared, fail, fail_at_end, read_head, read_text, size_of
from .numerals import decimal_number, whole_number

SECTION = re.compile(r"\*(\w+)[ \t]*(.*)")
RELATION = re.compile(r':[ \t]*([0-9]{1,18})[ \t]*(?:"([^"]*)"|(\S.*))?')
VERTEX = re.compile(r'(\S+)[ \t]*(?:"([^"]*)"|(\S+))?')
LINK_SECTION = re.compile(rb"(?mi)^\*(network|arcs|edges|arcslist|edgeslist|matrix)\b")
LINKS = ("arcs", "edges", "arcslist", "edgeslist", "matrix")
DIRECTED = ("arcs", "arcslist", "matrix")
VALUES = ("partition", "vector", "permutation", "cluster")


@dataclass(slots=True)
class Block:
    """One network of the file; links are (source, target, weight, directed, relation)."""

    name: str
    n: int
    first_mode: int | None = None
    names: dict[int, str] = field(default_factory=dict)
    links: list[tuple[int, int, float, bool, int]] = field(default_factory=list)
    relations: dict[int, str] = field(default_factory=dict)
    timed: bool = False


@dataclass(slots=True)
class Values:
    """One partition, vector, permutation or cluster."""

    kind: str
    name: str
    n: int = -1
    items: list[float] = field(default_factory=list)


class Reader:
    """Collects what a file holds line by line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.size = size_of(path)
        self.blocks: list[Block] = []
        self.values: list[Values] = []
        self.section = ""
        self.relation = 0
        self.title: str | None = None
        self.row = 0
        self.open: Values | None = None

    def read(self) -> None:
        """Read the whole file."""
        last = 0
        for line, text in enumerate(read_text(self.path).decode().split("\n"), 1):
            text = text.strip()
            if not text or text.startswith(("%", "/*")):
                continue
            last = line
            match = SECTION.match(text)
            if match:
                self.finish(line)
                self.begin(match.group(1), match.group(2).strip(), line)
            elif self.open is not None:
                self.value(text, line)
            elif not self.blocks or self.title is not None:
                fail(self.path, f"expected *Vertices first, got {shown(text)}", line)
            elif self.section == "vertices":
                self.vertex(text, line)
            else:
                self.link(text, line)
        self.finish(max(last, 1))

    def begin(self, word: str, rest: str, line: int) -> None:
        """Begin a section."""
        section = word.lower()
        if section == "vertices":
            self.count(rest, line)
        elif self.title is not None or (self.open is not None and self.open.n < 0):
            fail(self.path, f"expected *Vertices, got {shown(f'*{word}')}", line)
        elif section == "network":
            self.open, self.title = None, rest
        elif section in VALUES:
            self.open = Values(section, rest)
            self.values.append(self.open)
        elif section in LINKS:
            if not self.blocks or self.open is not None:
                fail(self.path, f"expected *Vertices before *{word}", line)
            self.begin_links(rest, line)
        else:
            fail(
                self.path,
                f"expected *Network, *Vertices, *Arcs, *Edges, *Arcslist, *Edgeslist, *Matrix, "
                f"*Partition, *Vector, *Permutation or *Cluster, got {shown(f'*{word}')}",
                line,
            )
        self.section, self.row = section, 0

    def begin_links(self, rest: str, line: int) -> None:
        match = RELATION.match(rest)
        self.relation = int(match.group(1)) if match else 0
        if rest.startswith(":") and not match:
            fail(self.path, f"expected the number of a relation after ':', got {shown(rest)}", line)
        if match:
            known = self.blocks[-1].relations
            name = match.group(2) or (match.group(3) or "").strip()
            known[self.relation] = name or known.get(self.relation, "") or str(self.relation)
        else:
            self.blocks[-1].relations.setdefault(0, "0")

    def count(self, rest: str, line: int) -> None:
        """Read the number of nodes, and for two-mode networks that of the first kind."""
        numbers = [whole_number(word) for word in rest.split()[:2]]
        n = numbers[0] if numbers else None
        if n is None or n < 0:
            fail(self.path, f"*Vertices needs the number of nodes, got {shown(rest)}", line)
        if self.open is not None and self.open.n < 0:
            self.open.n = n
            return
        self.open = None
        check_declared(self.path, n, self.size, "nodes", line)
        first = numbers[1] if len(numbers) > 1 else None
        if len(numbers) > 1 and (first is None or not 0 <= first <= n):
            fail(
                self.path,
                f"*Vertices of a two-mode network needs the number of nodes of the first kind, "
                f"0 to {n}, got {shown(rest)}",
                line,
            )
        self.blocks.append(Block(self.title or "", n, first if first not in (0, n) else None))
        self.title = None

    def node(self, text: str, line: int) -> int:
        number, n = whole_number(text), self.blocks[-1].n
        if number is None or not 1 <= number <= n:
            fail(self.path, f"{shown(text)} is no node number from 1 to {n}", line)
        return number - 1

    def vertex(self, text: str, line: int) -> None:
        match = VERTEX.match(text)
        if match is None:  # not reached, since the line holds text
            return
        node = self.node(match.group(1), line)
        name = match.group(2) if match.group(2) is not None else match.group(3)
        self.blocks[-1].names[node] = str(node + 1) if name is None else name

    def link(self, text: str, line: int) -> None:
        block, words, directed = self.blocks[-1], text.split(), self.section in DIRECTED
        if self.section == "matrix":
            self.matrix_row(words, line)
            return
        if len(words) < 2:
            fail(self.path, "a link needs two node numbers", line)
        first = self.node(words[0], line)
        if self.section.endswith("list"):
            targets = [(self.node(word, line), 1.0) for word in words[1:]]
        else:
            weighted = len(words) > 2 and not words[2].startswith("[")
            block.timed |= any(word.startswith("[") for word in words[2:])
            weight = weight_value(self.path, words[2], line) if weighted else 1.0
            targets = [(self.node(words[1], line), weight)]
        block.links += [(first, node, w, directed, self.relation) for node, w in targets]

    def matrix_row(self, words: list[str], line: int) -> None:
        """Read one row: a node's links to all, or in two-mode networks to those of kind 2."""
        block = self.blocks[-1]
        skip = block.first_mode or 0
        rows, width = block.first_mode or block.n, block.n - skip
        if len(words) != width or self.row >= rows:
            fail(
                self.path,
                f"a matrix row of {len(words)} entries for {block.n} nodes: expected {rows} rows "
                f"of {width}",
                line,
            )
        for column, word in enumerate(words, skip):
            value = weight_value(self.path, word, line)
            if value:
                block.links.append((self.row, column, value, not skip, self.relation))
        self.row += 1

    def value(self, text: str, line: int) -> None:
        """Read the entries of a partition or vector."""
        values = self.open
        if values is None or values.n < 0:
            fail(self.path, f"expected *Vertices with a number, got {shown(text)}", line)
        vector = values.kind == "vector"
        for word in text.split():
            number = decimal_number(word) if vector else whole_number(word)
            if number is None:
                what = "number" if vector else "integer, as classes must be"
                fail(self.path, f"{shown(word)} is no {what}", line)
            values.items.append(number)

    def finish(self, line: int) -> None:
        """Check that the section before this line has all its entries."""
        values = self.open
        if values is not None and values.n >= 0 and len(values.items) != values.n:
            fail(
                self.path,
                f"{len(values.items)} entries in *{values.kind.title()} {values.name}".rstrip()
                + f", expected {values.n}",
                line,
            )
        if self.section == "matrix":
            rows = self.blocks[-1].first_mode or self.blocks[-1].n
            if self.row != rows:
                fail(self.path, f"holds {self.row} matrix rows, expected {rows}", line)


def read_sections(path: Path) -> Reader:
    """Read the sections of a Pajek file; one of values alone is a partition or a vector."""
    reader = Reader(path)
    if is_values(read_head(path)):
        kind = "vector" if path.suffix.lower() == ".vec" else "partition"
        reader.open = Values(kind, path.stem)
        reader.values.append(reader.open)
    reader.read()
    if not reader.blocks and not reader.values:
        fail_at_end(path, "has no section *Vertices")
    if reader.title is not None or (reader.open is not None and reader.open.n < 0):
        fail_at_end(path, "expected *Vertices, but the file ends")
    return reader


def is_values(head: bytes) -> bool:
    """Return whether *Vertices is followed by one number per line, as in .clu and .vec files."""
    if LINK_SECTION.search(head):
        return False
    rows = [row.strip() for row in head.decode("utf-8", "replace").split("\n")]
    rows = [row for row in rows if row and not row.startswith("%")][:2]
    return (
        len(rows) == 2
        and re.fullmatch(r"(?i)\*vertices\s+[0-9]+", rows[0]) is not None
        and decimal_number(rows[1]) is not None
    )
