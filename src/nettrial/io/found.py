"""What a format module found in a file, before it is decided what of it is the network."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import shown
from ..core.option_names import option
from .guards import fail
from .numerals import decimal_number


@dataclass(slots=True)
class Found:
    """What a format module found; `build` decides about label and direction."""

    format: str  # its name
    files: list[Path]  # that were read
    # source, target: ids of the two ends, or pandas categoricals of them, of length n_rows
    source: Any
    target: Any
    nodes: Any = None  # ids in the order of the columns; None where only links name nodes
    columns: dict[str, Any] = field(default_factory=dict)  # node columns, each of length n_nodes
    weight: NDArray[np.float64] | None = None
    times: NDArray[np.float64] | None = None
    directed: bool | None = None  # what the file says, None where it says nothing
    label: str | None = None  # the node column that the format itself says is the label
    likely_label: str | None = None  # the one that usually holds the label in this format
    classes: Sequence[Hashable] | None = None  # all in the order wanted, where the file has them
    features: Any = None  # array or sparse array, (n_nodes, n_features)
    notes: list[str] = field(default_factory=list)  # what the user should know about the reading
    indexed: bool = False  # whether source and target hold indices into `nodes` and no ids
    # those that the columns are from, where it is not the first of `files`
    node_files: list[Path] = field(default_factory=list)
    # file and line of a row that repeats a node with another value, by column
    conflicts: dict[str, tuple[Path, int | None]] = field(default_factory=dict)
    weights: str = ""  # where the weights come from, in words
    doubts: list[str] = field(default_factory=list)  # each becomes a `ReadWarning`
    # how often each spelling of a missing value occurs, by column
    missing: dict[str, dict[str, int]] = field(default_factory=dict)
    # texts that are classes although they look missing, since the file declares them
    kept: frozenset[str] = frozenset()
    name: str = ""  # of the network; by default its file's
    not_labels: set[str] = field(default_factory=set)  # never guessed to be the label
    roles: dict[str, str] = field(default_factory=dict)  # of tables: source, target, weight, id

    def note_modes(self, first: int, second: int) -> None:
        """Note the nodes of two kinds, those of the first kind being the first nodes."""
        self.columns["mode"] = [1] * first + [2] * second
        self.not_labels.add("mode")
        self.notes.append(
            f"a two-mode network of {first} and {second} nodes, by the column 'mode'; "
            "nettrial.io.project makes one of either kind"
        )


def where_of(found: Found) -> str:
    return ", ".join(map(str, found.node_files or found.files[:1])) or "nodes"


def name_of(found: Found) -> str:
    """Return a network's name: its file's, or its folder's where the file has a common name."""
    if not found.files:
        return ""
    first = found.files[0]
    stem = first.name.split(".")[0]
    return first.resolve().parent.name if stem.lower() in ("edges", "links", "nodes") else stem


def note_missing(missing: Mapping[str, int], what: str) -> list[str]:
    """Describe which spellings, empty fields aside, were read as missing values."""
    keep = f"; {option('missing', '')} keeps it"
    return [
        f"{what}: {count} x {text!r} read as missing{keep}"
        for text, count in missing.items()
        if text
    ]


def weight_value(path: Path, value: object, line: int | None) -> float:
    """Read one weight; any that is not a finite decimal is refused."""
    number = decimal_number(str(value).strip())
    if number is None:
        fail(path, f"weight {shown(str(value))} is not a finite number", line)
    return number
