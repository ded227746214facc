"""From what a format module found in a file to a Network and a report of what was decided."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, ReadWarning, warn_user
from ..core.option_names import NAME, option, written
from ..network.ids import link_ends
from ..network.link_arrays import SORTED, SortedLinks
from ..network.missing_text import MISSING_TEXT
from ..network.network import Network
from .column_looks import Column, as_objects
from .found import Found, name_of, where_of
from .guards import fail
from .ids import examples, number_rows, would_match
from .node_labels import take_labels, targets_instead
from .options import Negative, ReadOptions
from .report import ReadReport, dangling_text
from .vocabulary import MODES

SAMPLE = 1000  # ids that are looked at to say why links dangle
NO_ID = MISSING_TEXT - {"", "-", "?"}  # names of nodes that may be none
MANY_DANGLING = 0.05  # share of dangling rows from which on a warning is given


def choose_direction(
    found: Found, asked: bool | None, s: NDArray[Any], t: NDArray[Any], n: int
) -> tuple[bool, str]:
    """Decide whether links have a direction, and say why."""
    if asked is not None:
        return bool(asked), "asked for"
    if found.directed is not None:
        return bool(found.directed), "stated by the file"
    links = SortedLinks.of(s, t, n)
    SORTED.set(links)
    pairs, both = links.mutual
    if 0 < both < pairs:
        return True, f"guessed: {both:,} of {pairs:,} linked pairs are listed in both directions"
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


@dataclass(slots=True)
class Ends:
    """The links of which both ends are known nodes."""

    source: NDArray[np.int64]
    target: NDArray[np.int64]
    weight: NDArray[np.float64] | None
    times: NDArray[np.float64] | None
    ids: Any
    rows: int
    unknown_ids: tuple[str, ...] = ()
    known_ids: tuple[str, ...] = ()
    doubts: list[str] = field(default_factory=list)


def build(found: Found, asked: ReadOptions) -> tuple[Network, ReadReport]:
    """Make the network and the report of how it was read; warn of what may be wrong."""
    before = SORTED.set(None)
    try:
        return _build(found, asked)
    finally:
        SORTED.reset(before)


def _build(found: Found, asked: ReadOptions) -> tuple[Network, ReadReport]:
    ends = known_ends(found, drop=asked.drop_dangling)
    ends = without_negative(found, ends, asked.negative)
    note_mode_column(found, ends)
    n, notes = len(ends.ids), list(found.notes)
    is_directed, why = choose_direction(found, asked.directed, ends.source, ends.target, n)
    # of links with times that of either direction which comes first is kept
    keep = None
    if not is_directed and ends.times is None:
        keep = one_direction(ends.source, ends.target, ends.weight, n)
    if keep is not None:
        ends = chosen_rows(ends, keep)
        notes.append("every link is listed in both directions; one of each pair of rows is kept")
    if asked.target is None:
        labels = take_labels(found, asked.label, asked.missing)
    else:
        labels = targets_instead(found, asked.label, asked.target, asked.missing)
    if found.weight is not None and keep is None and why.startswith("guessed: all"):
        ends.doubts.append(
            "every link is listed in both directions with different weights, which are added; "
            f"{option('directed', True)} keeps them apart"
        )
    report = ReadReport(
        format=found.format,
        files=tuple(map(str, found.files)),
        rows=ends.rows,
        nodes=n,
        label=labels.column,
        label_choice=labels.choice,
        directed=is_directed,
        direction_choice=why,
        weighted=found.weight is not None,
        columns=tuple(labels.columns),
        weights=found.weights or ("" if found.weight is None else "weights of the file"),
        missing=labels.missing,
        unknown_ids=ends.unknown_ids,
        known_ids=ends.known_ids,
        doubts=(*found.doubts, *ends.doubts, *labels.doubts),
        notes=(*notes, *labels.notes),
        roles=dict(found.roles),
        node_files=tuple(map(str, found.node_files)),
    )
    both = 0 if keep is None else int(np.count_nonzero(~keep))
    try:
        network = Network(
            ends.source,
            ends.target,
            n_nodes=n,
            weight=ends.weight,
            times=ends.times,
            directed=is_directed,
            labels=labels.values,
            classes=labels.classes,
            targets=labels.targets,
            ids=ends.ids,
            features=found.features,
            attributes=labels.columns,
            name=found.name or name_of(found),
            dangling_rows=ends.rows - both - int(ends.source.size),
            reading=report,
        )
        if asked.features is not None:
            network = network.derive(features=asked.features)
    except InputError as error:
        fail(where_of(found), str(error).removeprefix("Network: "))
    for doubt in report.doubts:
        warn_user(ReadWarning(doubt))
    return network, cast("ReadReport", network.reading)


def without_negative(found: Found, ends: Ends, negative: Negative | None) -> Ends:
    """Take negative weights as asked for, and refuse them where nothing is.

    The methods take a weight for how strong a link is, and none is weaker than no link.
    """
    if ends.weight is None and negative is not None:
        fail(
            found.files[0] if found.files else Path("links"),
            f"{option('negative', negative)} is for weights, and the links have none"
            + f"; {option('columns', {'weight': NAME})} names their column" * bool(found.roles),
        )
    if ends.weight is None or not (below := ends.weight < 0).any():
        return ends
    count = f"{np.count_nonzero(below):,} of {below.size:,} links"
    if negative is None:
        fail(
            found.files[0] if found.files else Path("links"),
            f"{count} have a negative weight, such as {ends.weight[below][0]:g}; "
            f"{option('negative', 'absolute')} takes the absolute value, "
            f"{option('negative', 'drop')} leaves these links out"
            + f", {option('columns', {'weight': 'none'})} all weights"
            * bool(found.roles),
        )
    if negative == "absolute":
        found.notes.append(f"{count} had a negative weight, of which the absolute value is taken")
        return replace(ends, weight=np.abs(ends.weight))
    found.notes.append(f"{count} have a negative weight and are left out")
    return replace(chosen_rows(ends, ~below), rows=ends.rows - int(np.count_nonzero(below)))


def known_ends(found: Found, *, drop: bool) -> Ends:
    """Number the ends of the links, and leave out those to nodes that no table holds."""
    if found.indexed:
        s, t, ids = found.source, found.target, found.nodes
    else:
        s, t, ids = link_ends(found.source, found.target, found.nodes)
    ends = Ends(s, t, found.weight, found.times, ids, int(s.size))
    known = (s >= 0) & (t >= 0)
    if known.all():
        return ends if found.nodes is not None else replace(ends, doubts=missing_ends(ids))
    unknown_ids, known_ids, doubts = check_dangling(found, s, t, ids, drop)
    return replace(
        chosen_rows(ends, known), unknown_ids=unknown_ids, known_ids=known_ids, doubts=doubts
    )


def note_mode_column(found: Found, ends: Ends) -> None:
    """Set aside a column that says which of two kinds a node is: every link joins both.

    networkx calls it ``bipartite``, igraph ``type``.
    """
    for name, values in found.columns.items():
        if name.lower() not in MODES or name in found.not_labels or name == found.label:
            continue
        column = np.asarray(as_objects(values))
        two = len(Column(column).counted[0]) == 2
        if two and (column[ends.source] != column[ends.target]).all():
            found.not_labels.add(name)
            found.notes.append(
                f"a two-mode network, whose two kinds of nodes column {name!r} tells apart; "
                "nettrial.io.project makes one of either kind"
            )


def missing_ends(ids: Any) -> list[str]:
    """Return a doubt where links name a node as others write what is missing."""
    ids = np.asarray(ids)
    names = sorted(NO_ID.intersection(ids.tolist())) if ids.dtype == object else []
    if not names:
        return []
    shown = ", ".join(map(written, names))
    return [f"links name the node {shown}, which may stand for a missing one; leave such rows out"]


def chosen_rows(ends: Ends, keep: NDArray[np.bool_]) -> Ends:
    weight, times = (None if each is None else each[keep] for each in (ends.weight, ends.times))
    return replace(
        ends, source=ends.source[keep], target=ends.target[keep], weight=weight, times=times
    )


def check_dangling(
    found: Found, s: NDArray[Any], t: NDArray[Any], ids: Any, drop: bool
) -> tuple[tuple[str, ...], tuple[str, ...], list[str]]:
    """Return examples of unknown and of known ids and a doubt; refuse above one half."""
    dangling, rows = int(np.count_nonzero((s < 0) | (t < 0))), int(s.size)
    strange: list[Any] = []
    if not found.indexed:
        for end, places in ((found.source, s), (found.target, t)):
            strange += np.asarray(end)[places < 0][:SAMPLE].tolist()
    unknown, some = examples(strange), examples(np.asarray(ids)[:SAMPLE])
    text = dangling_text(dangling, rows, unknown, some)
    help_ = would_match(strange, ids)
    if help_:
        text += f"; most would be known if {help_}"
    elif number_rows(strange, len(ids)):
        text += "; they may number the rows of the node table, which then needs a column of these"
    if 2 * dangling > rows and not drop:
        fail(
            where_of(found),
            f"{text}; write both alike, or leave these links out with "
            f"{option('drop_dangling', True)}",
        )
    gaps = not NO_ID.isdisjoint(map(str, strange))
    doubtful = not drop and (bool(help_) or gaps or dangling > MANY_DANGLING * rows)
    return unknown, some, [text] if doubtful else []
