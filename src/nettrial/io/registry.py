"""Every file format that can be read: how its content is recognised and what reads it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from . import edgelist, gml, graphml
from .build import Found


@dataclass(frozen=True, slots=True)
class Request:
    """What to read: the file, node tables beside it, and which network where it holds several."""

    path: Path
    nodes: tuple[Path, ...] = ()
    member: str | None = None


@dataclass(frozen=True, slots=True)
class Format:
    """One file format.

    Attributes
    ----------
    name : str
        What users call it with ``format=``.
    recognise : callable
        Whether a file is of the format, from its path and its first bytes, decompressed.
    read : callable
        Reads the file.
    takes_nodes : bool
        Whether node tables can be given beside the file.
    """

    name: str
    recognise: Callable[[Path, bytes], bool]
    read: Callable[[Request], Found]
    takes_nodes: bool = False


FORMATS: tuple[Format, ...] = (
    Format("graphml", lambda _, head: graphml.is_graphml(head),
           lambda r: graphml.read_graphml(r.path)),
    Format("gml", lambda _, head: gml.is_gml(head), lambda r: gml.read_gml(r.path)),
    Format("table", lambda path, head: edgelist.is_table(path, head),
           lambda r: edgelist.read_edge_list(r.path, r.nodes), takes_nodes=True),
)  # fmt: skip
BY_NAME = {format.name: format for format in FORMATS}


def recognise(path: Path, head: bytes) -> Format | None:
    """Find the format of a file by its content; None where no format fits."""
    return next((format for format in FORMATS if format.recognise(path, head)), None)
