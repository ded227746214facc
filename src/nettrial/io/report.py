"""What was read: the facts about a file that every verdict on its network should show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..core.arguments import check_arguments
from ..core.results import Result, plain_table
from ..network.network import Network
from ..network.node_values import MISSING

LISTED = 12  # columns that are shown


@dataclass(frozen=True, slots=True)
class ReadReport(Result):
    """How a network was read; kept with it as `Network.reading`.

    Attributes
    ----------
    format : str
        Format that was recognized or asked for.
    files : tuple of str
        Files that were read.
    rows : int
        Link rows in the files.
    nodes : int
        Nodes of the network.
    label : str or None
        Node column that became the label, or the numeric target.
    label_choice : str
        Why that one.
    directed : bool
        Whether links have a direction.
    direction_choice : str
        Why.
    weighted : bool
        Whether weights were read.
    weights : str
        Where the weights come from.
    columns : tuple of str
        Further node columns that were kept.
    missing : dict
        How many labels of each spelling were read as missing.
    unknown_ids, known_ids : tuple of str
        Examples of ids that only the links name, and of ids in the node table, where links
        were left out for that reason.
    doubts : tuple of str
        What was decided and may be wrong; each was also a `ReadWarning`.
    notes : tuple of str
        What else was decided on the way.
    roles : dict
        Of tables, the columns that are source, target, weight and id.
    node_files : tuple of str
        Those of the files that hold node columns.
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
    columns: tuple[str, ...] = ()
    weights: str = ""
    missing: Mapping[str, int] = field(default_factory=dict)
    unknown_ids: tuple[str, ...] = ()
    known_ids: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    roles: Mapping[str, str] = field(default_factory=dict)
    node_files: tuple[str, ...] = ()

    def _lines(self) -> list[tuple[str, str]]:
        own = ("roles", "node files")  # which stand in the description of a network
        lines = Result._lines(replace(self, columns=first_names(self.columns)))
        return [(name, value) for name, value in lines if value and not name.startswith(own)]


def first_names(columns: Sequence[str]) -> tuple[str, ...]:
    """Return the names of columns, of many the first and how many there are."""
    many = [f"... ({len(columns)} in all)"] * (len(columns) > LISTED)
    return (*columns[:LISTED], *many)


def report_from(table: Mapping[str, Any]) -> ReadReport:
    """Make a report of what `ReadReport.to_dict` returned."""
    values: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in table.items()
    }
    return ReadReport(**values)


@dataclass(frozen=True, slots=True)
class WhatWasRead(Result):
    """What a network's links and labels are, and what of its files was left out.

    Attributes
    ----------
    files, format : str
        Where the network comes from; empty where it was made in memory.
    nodes, links, rows : int
        Nodes, links that are used, and link rows in the files.
    merged, self_loops, zero_weight, dangling : int
        Rows that repeat a link; rows that were left out, by reason. Dangling rows name a node
        that the node table does not hold.
    dangling_share : float
        Share of the rows that dangle.
    unknown_ids, known_ids : tuple of str
        Examples of ids of both kinds, where rows dangle.
    weights, direction : str
        Where weights come from, and which direction links have and why.
    label, label_choice : str or None
        Column of the class, and why that one.
    classes, unlabeled : int
        Classes, and nodes without one or, for a numeric target, without that.
    missing : dict
        How many labels of each spelling were read as missing.
    doubts, notes : tuple of str
        What was decided and may be wrong, and what else was decided.
    numeric : bool
        Whether nodes have a number to predict in place of a class.
    labels : tuple of str
        Names of the labels, where nodes may have several; then `unlabeled` counts nodes whose
        labels are not known.
    """

    files: tuple[str, ...]
    format: str
    nodes: int
    links: int
    rows: int
    merged: int
    self_loops: int
    zero_weight: int
    dangling: int
    dangling_share: float
    unknown_ids: tuple[str, ...]
    known_ids: tuple[str, ...]
    weights: str
    direction: str
    label: str | None
    label_choice: str
    classes: int
    unlabeled: int
    missing: Mapping[str, int]
    doubts: tuple[str, ...]
    notes: tuple[str, ...]
    numeric: bool = False
    labels: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values that JSON can hold, and the line of text."""
        return plain_table(self) | {"text": self.line()}

    def line(self) -> str:
        """Return the one line that every text and page shows."""
        parts = [
            f"{self.nodes:,} nodes",
            f"{self.links:,} links of {self.rows:,} rows{self._left_out()}",
        ]
        parts += [self.weights, self.direction]
        if self.classes:
            label = "" if self.label is None else f" from column {self.label!r}"
            why = f" ({self.label_choice})" if self.label_choice else ""
            parts.append(f"{self.classes:,} classes{label}{why}")
            parts.append(f"{self.unlabeled:,} nodes without a class{self._codes()}")
        elif self.numeric:
            column = "" if self.label is None else f" from column {self.label!r}"
            parts.append(f"a numeric target{column}")
            parts.append(f"{self.unlabeled:,} nodes without a target{self._codes()}")
        elif self.labels:
            parts.append(f"{len(self.labels)} labels, of which a node may have several")
            parts.append(f"{self.unlabeled:,} nodes without known labels")
        else:
            parts.append("no classes")
        return "; ".join(part for part in parts if part)

    def _left_out(self) -> str:
        counts = {
            "repeats merged": self.merged, "self loops left out": self.self_loops,
            "of weight 0 left out": self.zero_weight,
            "to unknown nodes left out": self.dangling,
        }  # fmt: skip
        note = [f"{count:,} {what}" for what, count in counts.items() if count]
        return f" ({', '.join(note)})" if note else ""

    def _codes(self) -> str:
        codes = [f"{text!r}: {n:,}" for text, n in self.missing.items() if text]
        return f" (missing: {', '.join(codes)})" if codes else ""

    def lines(self) -> tuple[str, ...]:
        """Return the line and, one per line, dangling ids and doubts."""
        note = [f"read: {self.line()}"]
        if self.dangling:
            note.append(dangling_text(self.dangling, self.rows, self.unknown_ids, self.known_ids))
        return (*note, *self.doubts)

    def __str__(self) -> str:
        return "\n".join(self.lines())


def dangling_text(
    dangling: int, rows: int, unknown: tuple[str, ...], known: tuple[str, ...]
) -> str:
    """Return the sentence about links to nodes that no node table holds.

    Examples
    --------
    >>> dangling_text(18, 78, ("'07'", "'08'"), ("'7'", "'8'"))
    "18 of 78 link rows (23%) name nodes that the node table does not hold, such as '07', '08'; its
    ids are such as '7', '8'"
    """
    share = "" if not rows else f" ({max(dangling / rows, 0.01):.0%})"
    examples = f", such as {', '.join(unknown)}" if unknown else ""
    ids = f"; its ids are such as {', '.join(known)}" if known else ""
    return (
        f"{dangling:,} of {rows:,} link rows{share} name nodes that the node table does not hold"
        f"{examples}{ids}"
    )


@check_arguments
def what_was_read(network: Network) -> WhatWasRead:
    """Return what a network's links and labels are, and what of its files was left out.

    Parameters
    ----------
    network : Network
        Read from a file or made in memory; without files only what the network itself holds.

    Returns
    -------
    WhatWasRead
        ``str()`` of it is the line "read: ..." and one line for each doubt; ``to_dict()`` holds
        the same for JSON.

    Examples
    --------
    >>> print(what_was_read(Network([0, 1, 1], [1, 2, 1], n_nodes=3, labels=["a", "b", None])))
    read: 3 nodes; 2 links of 3 rows (1 self loops left out); no weights; no direction; 2 classes;
    1 nodes without a class
    """
    tally, reading = network.tally, network.reading
    report = reading if isinstance(reading, ReadReport) else None
    direction = "links have a direction" if network.directed else "no direction"
    weights = "weighted" if network.weighted else "no weights"
    taken = () if network.feature_columns is None else (network.feature_columns.note,)
    if report is not None:
        direction += f" ({report.direction_choice})"
        weights = report.weights or weights
    return WhatWasRead(
        files=() if report is None else report.files,
        format="" if report is None else report.format,
        nodes=network.n_nodes,
        links=network.n_links,
        rows=tally.rows if report is None else report.rows,
        merged=tally.duplicate_rows,
        self_loops=tally.self_loops,
        zero_weight=tally.zero_weight_rows,
        dangling=tally.dangling_rows,
        dangling_share=tally.dangling_rows / max(tally.rows, 1),
        unknown_ids=() if report is None else report.unknown_ids,
        known_ids=() if report is None else report.known_ids,
        weights=weights,
        direction=direction,
        label=None if report is None else report.label,
        label_choice="" if report is None else report.label_choice,
        classes=network.n_classes,
        unlabeled=int(np.count_nonzero(network.labels == MISSING)),
        missing={} if report is None else dict(report.missing),
        doubts=() if report is None else report.doubts,
        notes=taken if report is None else report.notes,
        numeric=network.targets is not None,
    )
