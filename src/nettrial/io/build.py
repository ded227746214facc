"""From what a format module found in a file to a Network and a report of what was decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, ReadWarning, not_found, shown, warn_user
from ..core.option_names import option, written
from ..network.ids import link_ends
from ..network.link_arrays import SORTED, SortedLinks
from ..network.missing_text import MISSING_TEXT, missing_spellings
from ..network.network import Network
from ..numeric.checks import is_missing
from .column_looks import Column, as_objects
from .columns import column_named
from .evidence import CONSTANT, EMPTY, why_not
from .guards import fail
from .ids import examples, number_rows, would_match
from .label_choice import choose_label, take_targets
from .missing import Codes, codes_of, suspects, without_codes
from .numerals import decimal_number
from .options import Negative, ReadOptions
from .report import ReadReport, dangling_text
from .vocabulary import MODES

KINDS = ({"0", "1"}, {"1", "2"}, {"False", "True"}, {"false", "true"}, {"0.0", "1.0"})
SHOWN = 4  # classes that a warning names
SAMPLE = 1000  # ids that are looked at to say why links dangle
NO_ID = MISSING_TEXT - {"", "-", "?"}  # names of nodes that may be none
MANY_DANGLING = 0.05  # share of dangling rows from which on a warning is given


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
    weight, times : ndarray or None
        Weights or times of the links.
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
    weights : str
        Where the weights come from, in words.
    doubts : list of str
        What was decided and may be wrong: each becomes a `ReadWarning`.
    missing : dict
        How often each spelling of a missing value occurs, by column.
    name : str
        Name of the network; by default its file's.
    kept : frozenset of str
        Texts that are classes although they look missing, since the file declares them.
    not_labels : set of str
        Node columns that are never guessed to be the label, only taken when asked for.
    roles : dict
        Of tables, the columns that are source, target, weight and id.
    """

    format: str
    files: list[Path]
    source: Any
    target: Any
    nodes: Any = None
    columns: dict[str, Any] = field(default_factory=dict)
    weight: NDArray[np.float64] | None = None
    times: NDArray[np.float64] | None = None
    directed: bool | None = None
    label: str | None = None
    likely_label: str | None = None
    classes: Sequence[Hashable] | None = None
    features: Any = None
    notes: list[str] = field(default_factory=list)
    indexed: bool = False
    node_files: list[Path] = field(default_factory=list)
    conflicts: dict[str, tuple[Path, int | None]] = field(default_factory=dict)
    weights: str = ""
    doubts: list[str] = field(default_factory=list)
    missing: dict[str, dict[str, int]] = field(default_factory=dict)
    kept: frozenset[str] = frozenset()
    name: str = ""
    not_labels: set[str] = field(default_factory=set)
    roles: dict[str, str] = field(default_factory=dict)

    def note_modes(self, first: int, second: int) -> None:
        """Note the nodes of two kinds, those of the first kind being the first nodes."""
        self.columns["mode"] = [1] * first + [2] * second
        self.not_labels.add("mode")
        self.notes.append(
            f"a two-mode network of {first} and {second} nodes, by the column 'mode'; "
            "nettrial.io.project makes one of either kind"
        )


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


@dataclass(slots=True)
class Labels:
    """The column of classes or targets, what is left of the others, what was read as missing."""

    column: str | None
    choice: str
    values: Any
    classes: Sequence[Hashable] | None
    columns: dict[str, Any]
    missing: dict[str, int]
    notes: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    targets: Sequence[float] | None = None


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
        kinds = {str(value) for value in Column(column).counted[0]}
        if kinds in KINDS and (column[ends.source] != column[ends.target]).all():
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


def take_labels(found: Found, asked: str | None, missing: Codes) -> Labels:
    """Choose the class column, and read the codes for missing values in all columns."""
    guessed = {key: found.columns[key] for key in found.columns if key not in found.not_labels}
    column, choice = choose_label(
        guessed if asked is None else found.columns,
        asked,
        stated=found.label,
        likely=found.likely_label,
        usual=f"usual in the format {found.format}",
        where=where_of(found),
    )
    note, columns = chosen_columns(found, column, missing, "label")
    classes = found.classes if column is not None and column == found.label else None
    labels = Labels(
        column, choice, None, classes, columns, found.missing.get(column or "", {}) | note
    )
    if column is None:
        return labels
    labels.values = columns.pop(column)
    if classes is not None:
        labels.classes = [name for name in classes if str(name) not in note]
    else:
        labels.values, spelled = texts_missing(labels.values, found.kept)
        labels.missing |= spelled
        if all(map(is_missing, labels.values)):
            labels.notes.append(f"the label column {column!r} is empty")
    labels.doubts = label_doubts(labels.values, column, found)
    return labels


def targets_instead(found: Found, label: str | None, asked: str, missing: Codes) -> Labels:
    """Take a column of numbers in the place of classes, see `take_labels`."""
    if label is not None:
        raise InputError(
            expected=f"{option('label')} (classes) or {option('target')} (numbers)",
            got="both",
            where="read",
        )
    column = column_named(found.columns, asked, where_of(found), parameter="target")
    note, columns = chosen_columns(found, column, missing, "target")
    columns[column], spelled = texts_missing(columns[column], frozenset())
    doubts = target_doubts(columns[column], column)
    column, numbers = take_targets(columns, column, where_of(found))
    if found.label in columns and all(map(is_missing, columns[found.label])):
        del columns[found.label]  # the place of classes in files that may have none
    counts = found.missing.get(column, {}) | note | spelled
    choice = "asked for as a numeric target"
    return Labels(column, choice, None, None, columns, counts, doubts=doubts, targets=numbers)


def target_doubts(values: Sequence[Any], column: str) -> list[str]:
    """Return what makes a column of targets suspicious: a code for missing ones, given twice.

    Examples
    --------
    >>> target_doubts(["1.5", "-999", "2.5", "-999"], "y")[0][:54]
    "the target '-999' of column 'y' may stand for a missin"
    >>> target_doubts(["98", "99", "99", "100"], "y")
    []
    """
    times = Counter(str(value).strip() for value in values if not is_missing(value))
    codes = [name for name in suspects(times) if times[name] > 1]
    if not codes:
        return []
    return [
        f"the target {', '.join(map(written, codes))} of column {column!r} may stand for a missing "
        f"one; {option('missing', codes[0])} reads it as that"
    ]


def where_of(found: Found) -> str:
    return ", ".join(map(str, found.node_files or found.files[:1])) or "nodes"


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


def chosen_columns(
    found: Found, column: str | None, missing: Codes, what: str
) -> tuple[dict[str, int], dict[str, Any]]:
    """Take the codes for missing values out of the columns, see `take_codes`.

    Raises
    ------
    InputError
        Where a node has two values in the column that is the label or the target.
    """
    if column in found.conflicts:
        path, line = found.conflicts[column]
        fail(path, f"lists a node again with another {shown(column)}, the {what}", line)
    return take_codes(found, dict(found.columns), codes_of(missing, column), column)


def take_codes(
    found: Found,
    columns: dict[str, Any],
    codes: dict[str | None, tuple[str, ...]],
    label: str | None,
) -> tuple[dict[str, int], dict[str, Any]]:
    """Replace the codes for missing values by None; return the label's counts, and columns."""
    note: dict[str, int] = {}
    for name, values in codes.items():
        if name is None or name not in columns:
            if name is None:
                fail(where_of(found), "missing: there is no label column that could hold codes")
            raise not_found("column", name, columns, where_of(found), parameter="missing")
        columns[name], counts = without_codes(columns[name], values, name, where_of(found))
        if name == label:
            note = counts
    return note, columns


def texts_missing(labels: Any, kept: frozenset[str]) -> tuple[Any, dict[str, int]]:
    """Replace labels that spell a missing value by None."""
    if isinstance(labels, np.ndarray) and labels.dtype != object:
        return labels, {}
    if hasattr(labels, "categories"):
        return labels, {}
    items = list(labels)
    absent = missing_spellings(item for item in items if isinstance(item, str)) - kept
    if not absent:
        return labels, {}
    counts = {text: items.count(text) for text in sorted(absent)}
    return [None if isinstance(item, str) and item in absent else item for item in items], counts


def label_doubts(labels: Any, column: str | None, found: Found) -> list[str]:
    """Return what makes a label column suspicious: codes for missing, numbers, single nodes."""
    if labels is None or column is None or hasattr(labels, "categories"):
        return []
    doubts = []
    seen = Column(labels, "label")  # codes of classes, as was asked or decided
    names = seen.counted[0]
    codes = [name for name in suspects(names) if name not in found.kept]
    if codes:
        shown = ", ".join(map(written, codes))
        doubts.append(
            f"the class {shown} of column {column!r} may stand for a missing one; "
            f"{option('missing', codes[0])} reads it as that"
        )
    alike = Counter(" ".join(str(name).split()).casefold() for name in names)
    double = [str(name) for name in names if alike[" ".join(str(name).split()).casefold()] > 1]
    if double:
        doubts.append(
            f"classes of column {column!r} differ in case or spaces only: "
            f"{', '.join(map(written, double[:SHOWN]))}"
        )
    mark = next((sign for sign in "|;," if shares_parts(names, sign)), "")
    if mark:
        example = next(str(name) for name in names if mark in str(name))
        doubts.append(
            f"classes of column {column!r} such as {written(example)} may stand for several "
            "classes a node; a table of one class per node, or of yes and no for each class, tells"
        )
    why = why_not(seen, "label", by_name=False)
    if why and why not in (EMPTY, CONSTANT):
        doubts.append(f"the label column {column!r} {why} ({len(names):,} values)")
    return doubts


def shares_parts(names: Sequence[Any], mark: str) -> bool:
    """Return whether texts consist of parts, some of which stand in several of them.

    Examples
    --------
    >>> shares_parts(["pop|rock", "rock", "folk"], "|"), shares_parts(["a|b", "c|d"], "|")
    (True, False)
    """
    parts = [part.strip() for name in names for part in str(name).split(mark)]
    return len(parts) > len(names) and len(set(parts)) < len(parts)


def name_of(found: Found) -> str:
    """Return a network's name: its file's, or its folder's where the file has a common name."""
    if not found.files:
        return ""
    first = found.files[0]
    stem = first.name.split(".")[0]
    return first.resolve().parent.name if stem.lower() in ("edges", "links", "nodes") else stem


def note_missing(missing: Mapping[str, int], what: str) -> list[str]:
    """Describe which spellings, empty fields aside, were read as missing values."""
    return [
        f"{what}: {count} x {text!r} read as missing" for text, count in missing.items() if text
    ]


def weight_value(path: Path, value: object, line: int | None) -> float:
    """Read one weight; any that is not a finite decimal is refused."""
    number = decimal_number(str(value).strip())
    if number is None:
        fail(path, f"weight {shown(str(value))} is not a finite number", line)
    return number
