"""Several classes a node: recognised, and refused with what can be done instead."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

from .guards import fail


def refuse_several_classes(path: Path, what: str, several: int, n: int) -> NoReturn:
    """Refuse labels of which a node has several at once (multi-label)."""
    fail(
        path,
        f"{what} gives {several} of {n} nodes several classes each (multi-label); expected one "
        "class a node. Write one class as a node table of yes and no, or leave out nodes with "
        "several classes, and read the links with nodes=TABLE",
    )
