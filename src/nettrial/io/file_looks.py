"""What is seen of a file before it is read: its name, its format, and its first rows."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from .content import seen_instead
from .guards import HEAD, fail, is_table_file, is_there, read_bytes, read_head, whole_lines
from .json_records import is_mapping, labels_of
from .jsongraph import is_records, names_graph
from .vocabulary import ASIDE_FILES, LINK_FILES, NODE_FILES, PAIRS, plain, says

# the module of every format is loaded with the registry: where a file is read, not before
if TYPE_CHECKING:
    from .registry import Format

COMMON = {*LINK_FILES, *NODE_FILES, *ASIDE_FILES, "csv", "tsv", "txt", "gz", "edgelist", "data"}
IGNORED = (".md", ".rd", ".json", ".html", ".pdf", ".py", ".r", ".rst")
PROSE = ("readme", "license", "licence", "copying", ".")
# recognized by the shape of their rows alone, which features and labels can have, too
BY_SHAPE = ("adjacency", "adjlist", "metis", "sif", "graph6")


@dataclass(frozen=True)
class Look:
    """A file of a folder as far as its role goes: what its name, format and first rows show."""

    path: Path
    format: Format | None

    @property
    def own_format(self) -> bool:
        """Whether the content says that the file is a network."""
        return self.format is not None and self.format.name not in ("table", *BY_SHAPE)

    @property
    def several_files(self) -> bool:
        """Whether the format is one of several files, whose names mean nothing by themselves."""
        return self.format is not None and self.format.anchor is not str

    @cached_property
    def head(self) -> bytes:
        return read_head(self.path)

    @property
    def whole(self) -> bool:
        return len(self.head) < HEAD - 4

    @cached_property
    def lines(self) -> list[list[str]]:
        """Return the fields of the first lines, a header with them."""
        from .rows import first_rows

        if self.whole and holds_labels(self.head):
            return [["id", "label"], *map(list, labels_of(self.head))]
        if self.own_format or seen_instead(self.head):
            return []
        try:
            return first_rows(whole_lines(self.head), every=True)
        except (UnicodeDecodeError, csv.Error):
            return []

    @cached_property
    def titles(self) -> tuple[str, ...]:
        """Return the names in the header, without case and signs; nothing where there is none."""
        from .headers import header_of

        named = len(self.lines) > 1 and header_of(self.lines[:50]) is not False
        return tuple(map(plain, self.lines[0])) if named else ()

    @cached_property
    def rows(self) -> list[list[str]]:
        return self.lines[bool(self.titles) :]

    @cached_property
    def width(self) -> int:
        """Return the usual number of fields of a row."""
        counts = [len(row) for row in self.rows]
        return max(set(counts), key=counts.count, default=0)

    @cached_property
    def columns(self) -> list[list[str]]:
        """Return the first columns, of which one may hold ids."""
        return [[row[k] for row in self.rows if len(row) > k] for k in range(min(self.width, 8))]

    @cached_property
    def named_ends(self) -> tuple[int, int] | None:
        """Return where the header names the two ends of a link by a usual pair of names."""
        places = {title: k for k, title in reversed(list(enumerate(self.titles)))}
        usual = (pair for pair in PAIRS if pair[0] in places and pair[1] in places)
        return next(((places[a], places[b]) for a, b in usual), None)

    @cached_property
    def ends(self) -> frozenset[str]:
        """Return the ids that the first rows name where they are links."""
        if self.format is not None and self.format.name == "adjlist":
            return frozenset(word for row in self.rows for word in row)
        if self.width < 2 or self.format is None or self.format.name != "table":
            return frozenset()
        first, second = self.named_ends or (0, 1)
        return frozenset(row[k] for row in self.rows for k in (first, second) if len(row) > k)

    @cached_property
    def keys(self) -> list[frozenset[str]]:
        """Return the ids of each column whose values all differ, as those of a node table do."""
        return [frozenset(c) for c in self.columns if len(c) > 1 and len(set(c)) == len(c)]

    @cached_property
    def name_parts(self) -> frozenset[str]:
        """Return the parts of the name that say which network the file belongs to."""
        parts = re.split(r"[^a-z0-9]+", self.path.name.lower())
        return frozenset(p for p in parts if p and not any(p.startswith(w) for w in COMMON))


def is_node_file(path: Path) -> bool:
    """Return whether a file's name says that it holds nodes."""
    return says(path.name, NODE_FILES)


def looks_in(folder: Path) -> list[Look]:
    """Look at the files of a folder that may hold a network, its nodes or their features.

    A table, or a file called after nodes, is refused where it cannot be read.
    """
    from .registry import recognize

    found = []
    for path in listed(folder):
        if (path.is_dir() and not is_table_file(path)) or path.name.lower().startswith(PROSE):
            continue
        needed = is_node_file(path) or is_table_file(path)
        if not (is_there(path) if needed else path.is_file()):
            continue
        if path.suffix.lower() in IGNORED and not holds_graph(path):
            continue
        head = read_head(path)
        found.append(Look(path, None if holds_labels(head) else recognize(path, head)))
    return found


def listed(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        fail(folder, f"cannot be read ({error.strerror or error})")


def holds_labels(head: bytes) -> bool:
    """Return whether JSON is an object of labels by node, and no network."""
    return is_mapping(head) and not (names_graph(head) or is_records(head))


def holds_graph(path: Path) -> bool:
    """Return whether a JSON file is a network, or a table of one, and not a description."""
    if path.suffix.lower() != ".json":
        return False
    named = is_node_file(path) or says(path.name, LINK_FILES)
    head = read_head(path)
    return names_graph(head) or holds_labels(head) or (named and is_records(head))


def refuse_unreadable(path: Path) -> None:
    """Refuse a file without content, or whose content cannot be decompressed."""
    if not read_head(path):
        read_bytes(path)
        fail(path, "is empty")
