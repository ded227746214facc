"""XML without document type: a stream of elements with the line on which each begins."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Self
from xml.parsers import expat

from ..core.errors import shown
from .guards import fail, fail_at_end, read_text

Start = Callable[[str, dict[str, str], int], None]
End = Callable[[str, str], None]

MIXED = "mixes directed and undirected links; give them all the same direction"


def parse(path: Path, start: Start, end: End) -> None:
    """Call `start` with tag, attributes and line, and `end` with tag and text, in file order.

    A file with a document type is refused before it is parsed, since entities declared there
    can name other files or grow without bound. The encoding is always UTF-8, so none of this
    can hide behind another one.
    """
    data = read_text(path)
    for mark in (b"<!DOCTYPE", b"<!ENTITY"):
        place = data.find(mark)
        if place >= 0:
            fail(
                path,
                "declares a document type (DTD), which is refused as unsafe; remove it",
                data.count(b"\n", 0, place) + 1,
            )
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    texts: list[str] = []

    def opened(tag: str, attributes: dict[str, str]) -> None:
        texts.clear()
        start(tag.rpartition(":")[2], attributes, parser.CurrentLineNumber)

    def closed(tag: str) -> None:
        end(tag.rpartition(":")[2], "".join(texts))
        texts.clear()

    parser.StartElementHandler = opened
    parser.EndElementHandler = closed
    parser.CharacterDataHandler = texts.append
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        fail(path, f"is no well-formed XML ({expat.ErrorString(error.code)})", error.lineno)


class GraphReader(ABC):
    """Collects nodes and links while a file streams by."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.line = 0  # where the element at hand begins
        self.nodes: dict[str, dict[str, Any]] = {}  # values by id
        self.links: list[tuple[str, str, int]] = []  # source, target and line of each
        self.directed: set[bool] = set()  # of one kind, since files that mix them are refused

    @abstractmethod
    def start(self, tag: str, attributes: dict[str, str], line: int) -> None:
        """Take the beginning of an element."""

    @abstractmethod
    def end(self, tag: str, text: str) -> None:
        """Take the end of an element."""

    def read(self) -> Self:
        """Read the file, and refuse a graph without nodes and links to what is no node."""
        parse(self.path, self.start, self.end)
        check_ends(self.path, self.nodes, self.links)
        return self

    def need(self, attributes: dict[str, str], name: str) -> str:
        """Return an attribute that an element must have."""
        if name not in attributes:
            fail(self.path, f"an element lacks the attribute {shown(name)}", self.line)
        return attributes[name]

    def add_node(self, attributes: dict[str, str]) -> str:
        """Add a node, and return its id."""
        name = self.need(attributes, "id")
        if name in self.nodes:
            fail(self.path, f"node id {shown(name)} occurs again", self.line)
        self.nodes[name] = {}
        return name

    def add_link(self, attributes: dict[str, str], *, directed: bool) -> None:
        """Add a link."""
        ends = self.need(attributes, "source"), self.need(attributes, "target")
        self.links.append((*ends, self.line))
        self.directed.add(directed)
        if len(self.directed) > 1:
            fail(self.path, MIXED, self.line)


def declares_type(stream: IO[bytes]) -> bool:
    """Return whether XML of any encoding declares a document type before its first element."""
    found: list[bool] = []
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = lambda *_: found.append(True)
    parser.StartElementHandler = lambda *_: found.append(False)
    with suppress(expat.ExpatError):  # no XML: a picture, say
        while not found and (part := stream.read(2**12)):
            parser.Parse(part)
        parser.Parse(b"", True)
    return found[:1] == [True]


def check_ends(path: Path, nodes: Mapping[str, Any], links: Iterable[tuple[str, str, int]]) -> None:
    """Refuse a graph without nodes, and a link (source, target, line) to what is no node."""
    if not nodes:
        fail_at_end(path, "holds no nodes")
    for source, target, line in links:
        for end in (source, target):
            if end not in nodes:
                fail(path, f"{shown(end)} is not the id of a node", line)
