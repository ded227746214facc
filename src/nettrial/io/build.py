"""From what a format module found in a file to a Network and a report of what was decided."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import unknown_choice
from ..network import Network
from ..network_parts import is_missing, link_ends
from ..results import Result
from .guards import fail
from .numerals import decimal_number
from .tables import LABEL


@dataclass(slots=True)
class Found:
    """What a format module found; `build` decides about label and direction.

    Attributes
    ----------
    format : str
        Name of the format.
    files : list of Path
        Files that were read.
    source, target : array_like, length n_rows
        Ids of the two ends, or pandas categoricals of them.
    nodes : array_like or None
        Ids of all nodes in the order of the columns; None where only links name nodes.
    columns : dict
        Node columns by name, each of length n_nodes.
    weight : ndarray or None
        Link weights.
    directed : bool or None
        What the file says, None where it says nothing.
    label : str or None
        The node column that the format itself says is the label.
    likely_label : str or None
        The node column that usually holds the label in this format.
    classes : sequence or None
        All classes in the order wanted, where the file declares them.
    features : array or sparse array or None
        Node features, shape (n_nodes, n_features).
    notes : list of str
        What the user should know about the reading.
    indexed : bool
        Whether source and target hold indices into `nodes` and no ids.
    node_files : list of Path
        The files that the columns are from, where it is not the first one.
    conflicts : dict
        File and line of a row that repeats a node with another value, by column.
    not_labels : set of str
        Node columns that are never guessed to be the label, only taken when asked for.
    """

    format: str
    files: list[Path]
    source: Any
    target: Any
    nodes: Any = None
    columns: dict[str, Any] = field(default_factory=dict)
    weight: NDArray[np.float64] | None = None
    directed: bool | None = None
    label: str | None = None
    likely_label: str | None = None
    classes: Sequence[Hashable] | None = None
    features: Any = None
    notes: list[str] = field(default_factory=list)
    indexed: bool = False
    node_files: list[Path] = field(default_factory=list)
    conflicts: dict[str, tuple[Path, int | None]] = field(default_factory=dict)
    not_labels: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class ReadReport(Result):
    """How a network was read.

    Attributes
    ----------
    format : str
        Format that was recognised or asked for.
    files : tuple of str
        Files that were read.
    rows : int
        Link rows in the files.
    nodes : int
        Nodes of the network.
    label : str or None
        Node column that became the label.
    label_choice : str
        Why that one.
    directed : bool
        Whether links have a direction.
    direction_choice : str
        Why.
    weighted : bool
        Whether weights were read.
    columns : tuple of str
        Further node columns that were kept.
    notes : tuple of str
        What else was decided on the way.
    """

    format: str
    files: tuple[str, ...]
    rows: int
    nodes: int
    label: str | None
    label_choice: str
    directed: bool
    direction_choice: str
    weighted: bool
    columns: tuple[str, ...]
    notes: tuple[str, ...]


def choose_label(found: Found, asked: str | None) -> tuple[str | None, str]:
    """Choose the node column that holds the class, and say why."""
    columns = list(found.columns)
    where = ", ".join(map(str, found.node_files or found.files[:1]))
    if asked is not None:
        if asked not in columns:
            lower = [name for name in columns if name.lower() == asked.lower()]
            if len(lower) != 1:
                raise unknown_choice(f"{where}: label", asked, columns or ["(none)"])
            return lower[0], "asked for"
        return asked, "asked for"
    if found.label is not None and found.label in columns:
        return found.label, "named by the file"
    if found.likely_label in columns:
        return found.likely_label, f"usual in the format {found.format}"
    columns = [name for name in columns if name not in found.not_labels]
    for name in LABEL:
        for column in columns:
            if column.lower() == name:
                return column, f"a column of the name {column!r}"
    others = [name for name in columns if name.lower() != "name"]
    if len(others) == 1:
        return others[0], "the only column beside the id"
    if others:
        raise unknown_choice(f"{where}: label", "(not given)", columns)
    return None, "no node column"


def mutual(s: NDArray[Any], t: NDArray[Any], n: int) -> tuple[int, int]:
    """Count the distinct linked pairs, and those that are listed in both directions."""
    keep = s != t
    low, high = np.minimum(s, t)[keep], np.maximum(s, t)[keep]
    key = (low.astype(np.uint64) * np.uint64(n) + high.astype(np.uint64)) * np.uint64(2)
    key += (s > t)[keep]
    key.sort()  # several times as fast as numpy.unique here
    step = key[1:] ^ key[:-1]
    distinct = int(np.count_nonzero(step)) + bool(key.size)
    both = int(np.count_nonzero(step == 1))
    return distinct - both, both


def choose_direction(
    found: Found, asked: bool | None, s: NDArray[Any], t: NDArray[Any], n: int
) -> tuple[bool, str]:
    """Decide whether links have a direction, and say why."""
    if asked is not None:
        return bool(asked), "asked for"
    if found.directed is not None:
        return bool(found.directed), "stated by the file"
    pairs, both = mutual(s, t, n)
    if 0 < both < pairs:
        return True, f"guessed: {both} of {pairs} linked pairs are listed in both directions"
    if both:
        return False, f"guessed: all {pairs} linked pairs are listed in both directions"
    return False, "guessed: no link is listed in both directions"


def one_direction(
    s: NDArray[Any], t: NDArray[Any], weight: NDArray[np.float64] | None, n: int
) -> NDArray[np.bool_] | None:
    """Mark the rows to keep where an undirected network lists every link both ways.

    None where it does not, or where the two ways differ in weight or number.
    """
    import scipy.sparse as sp

    if s.size == 0 or np.count_nonzero(s < t) != np.count_nonzero(s > t):
        return None
    data = np.ones(s.size) if weight is None else weight
    matrix = sp.csr_array((data, (s, t)), shape=(n, n))
    difference = abs(matrix - matrix.T)
    if difference.nnz and difference.max() > 1e-12 * abs(matrix).max():
        return None
    return np.asarray(s <= t)


def build(found: Found, *, label: str | None, directed: bool | None) -> tuple[Network, ReadReport]:
    """Make the network and the report of how it was read."""
    notes = list(found.notes)
    if found.indexed:
        s, t, ids = found.source, found.target, found.nodes
    else:
        s, t, ids = link_ends(found.source, found.target, found.nodes)
    n, rows = len(ids), int(s.size)
    known = (s >= 0) & (t >= 0)
    weight = found.weight
    if not known.all():
        s, t = s[known], t[known]
        weight = None if weight is None else weight[known]
    is_directed, why = choose_direction(found, directed, s, t, n)
    keep = None if is_directed else one_direction(s, t, weight, n)
    if keep is not None:
        s, t, weight = s[keep], t[keep], None if weight is None else weight[keep]
        notes.append("every link is listed in both directions; one of each pair of rows is kept")
    column, choice = choose_label(found, label)
    if column in found.conflicts:
        path, line = found.conflicts[column]
        fail(path, f"lists a node again with another {column!r}, the label", line)
    columns = dict(found.columns)
    labels = None if column is None else columns.pop(column)
    if labels is not None and found.classes is None and all(map(is_missing, labels)):
        notes.append(f"the label column {column!r} is empty")
    network = Network(
        s, t, n_nodes=n, weight=weight, directed=is_directed, labels=labels,
        classes=found.classes if column == found.label else None, ids=ids,
        features=found.features, attributes=columns, name=name_of(found),
        dangling_rows=rows - int(np.count_nonzero(known)),
    )  # fmt: skip
    report = ReadReport(
        format=found.format, files=tuple(map(str, found.files)), rows=rows, nodes=n,
        label=column, label_choice=choice, directed=is_directed, direction_choice=why,
        weighted=found.weight is not None, columns=tuple(columns), notes=tuple(notes),
    )  # fmt: skip
    return network, report


def name_of(found: Found) -> str:
    """Name a network after its file, or its folder where the file has a common name."""
    first = found.files[0]
    stem = first.name.split(".")[0]
    return first.resolve().parent.name if stem.lower() in ("edges", "links", "nodes") else stem


def note_missing(missing: Mapping[str, int], what: str) -> list[str]:
    """Tell which spellings were read as missing values; empty fields need no telling."""
    return [
        f"{what}: {count} x {text!r} read as missing" for text, count in missing.items() if text
    ]


def weight_value(path: Path, value: object, line: int | None) -> float:
    """Read one weight; any that is not a finite decimal of 0 or more is refused."""
    number = decimal_number(str(value).strip())
    if number is None or number < 0:
        fail(path, f"weight {str(value)[:30]!r} is not a finite number of 0 or more", line)
    return number
