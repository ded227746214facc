"""What a file format is: how its files are recognized, what reads them, and what users see."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .found import Found
from .link_columns import MissingWeight


@dataclass(frozen=True, slots=True)
class Request:
    """What to read: the file, node tables beside it, and which network where it holds several.

    `columns` and `header` say of a table which columns have which role, and whether the first
    row names them, `two_modes` that its links join two kinds of nodes, `missing_weight` what
    becomes of those without weight, `kept` which texts are values although they look missing.
    """

    path: Path
    nodes: tuple[Path, ...] = ()
    member: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    header: bool | None = None
    two_modes: bool = False
    missing_weight: MissingWeight | None = None
    kept: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Format:
    """One file format."""

    name: str  # what users call it with ``format=``
    # whether a file is of the format, from its path and its first bytes, decompressed
    recognize: Callable[[Path, bytes], bool]
    read: Callable[[Request], Found]  # reads the file
    # when the format is asked: the least first. The stricter its recognition, the earlier.
    order: int
    # files, holds: its row in the table of formats: which files, and what is read of them
    files: str
    holds: str
    takes_nodes: bool = False  # whether node tables can be given beside the file
    takes_columns: bool = False  # whether roles of columns and a header can be given
    # whether a file can hold several networks, of which ``file#name`` chooses one
    members: bool = False
    anchor: Callable[[Path], str] = str  # what files of one network have in common

    @property
    def row(self) -> str:
        """The row of the format in the table of the guide."""
        return f"| `{self.name}` | {self.files} | {self.holds} |"
