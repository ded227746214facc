"""Networks in and out: files and objects of other libraries."""

from __future__ import annotations

from .describe import describe
from .frames import from_frames
from .objects import from_adjacency, from_networkx
from .project import project
from .read import read, read_with_report
from .report import ReadReport, WhatWasRead, what_was_read
from .several_labels import read_several_labels
from .tensors import from_dgl, from_igraph, from_object, from_ogb, from_pyg
from .write import WriteReport, convert, write

__all__ = [
    "ReadReport",
    "WhatWasRead",
    "WriteReport",
    "convert",
    "describe",
    "from_adjacency",
    "from_dgl",
    "from_frames",
    "from_igraph",
    "from_networkx",
    "from_object",
    "from_ogb",
    "from_pyg",
    "project",
    "read",
    "read_several_labels",
    "read_with_report",
    "what_was_read",
    "write",
]
