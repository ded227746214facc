"""Networks in and out: files and objects of other libraries."""

from __future__ import annotations

from .build import ReadReport
from .objects import from_adjacency, from_frames, from_networkx
from .read import read, read_with_report

__all__ = [
    "ReadReport",
    "from_adjacency",
    "from_frames",
    "from_networkx",
    "read",
    "read_with_report",
]
