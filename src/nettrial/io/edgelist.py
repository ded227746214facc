"""Link tables and node tables as text: CSV, TSV, spaces, with or without header, gzipped."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.option_names import NAME, option
from ..core.wording import plural
from .column_looks import Column
from .columns import (
    as_numbers,
    called,
    is_number,
    number_of,
    refuse_unclear_commas,
    role_name,
)
from .content import refuse_other_content, seen_instead
from .excel_file import is_excel, node_sheet
from .format import Format, Request
from .found import Found
from .guards import DAMAGE, complete_lines, fail, is_table_file, is_there, read_head, read_text
from .ids import as_text, is_text, same_kind
from .json_records import is_mapping, read_mapping, read_records
from .jsongraph import is_records
from .link_columns import (
    LinkColumns,
    MissingWeight,
    choose_link_columns,
    filled_weights,
    times_of,
)
from .node_tables import add_nodes, refuse_empty
from .parquet import is_parquet, read_parquet
from .rows import blank_comments, first_rows, sample_lines, sniff_delimiter, split_rows
from .tables import Table, read_table

MARK = re.compile(r"\w\s*(->|=>|--|[:>\-/_=])\s*\w")  # what may part two ids, but is not read
NPY = b"\x93NUMPY"
DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b")


def no_weights() -> str:
    """Return how a file is read without its weights."""
    return f"{option('columns', {'weight': 'none'})} leaves the weights out"


def read_edge_list(asked: Request) -> Found:
    """Read one link table and any number of node tables."""
    path, roles, gaps = asked.path, dict(asked.columns), asked.missing_weight is not None
    key = roles.pop("id", None)
    if key is not None and not asked.nodes:
        fail(path, "columns: 'id' names a column of a node table, and there is none")
    links, left_out = read_any(path, links=True, header=asked.header)
    chosen = choose_columns(links, roles, asked.two_modes, gaps)
    floats = [
        links.names.index(name)
        for name in (chosen.source, chosen.target)
        if getattr(links[name], "dtype", None) == np.float64
    ]
    if floats:  # ids stay as they are written
        links = read_table(path, links=True, header=asked.header, text=floats)
        chosen = choose_columns(links, roles, asked.two_modes, gaps)
    found = found_links(links, chosen, asked.missing_weight)
    if asked.two_modes:
        part_modes(found, links, chosen)
    found.notes += left_out
    description = path.parent / "meta.json"
    meta = read_meta(description) if is_neutral(path, description) else {}
    found.kept = declared(meta) | asked.kept
    if asked.nodes:
        tables = [read_any(node, header=asked.header) for node in asked.nodes]
        found.notes += [note for _, notes in tables for note in notes]
        found.doubts += [doubt for table, _ in tables for doubt in table.doubts]
        add_nodes(found, [table for table, _ in tables], key)
    else:
        found.source, found.target = same_kind(found.source, found.target)
    if meta:
        apply_meta(found, description, meta)
    return found


def read_any(
    path: Path, *, links: bool = False, header: bool | None = None
) -> tuple[Table, list[str]]:
    """Read a table, text or Parquet, and notes on columns that are left out."""
    head = read_head(path)
    if is_excel(head, path):
        return node_sheet(path, header), []
    if is_records(head):
        return read_records(path), []
    if not links and head.startswith(NPY):
        return read_labels(path), []
    if not links and is_mapping(head):
        return read_mapping(path), []
    if not is_parquet(head):
        refuse_other_content(path, head)
        return read_table(path, links=links, header=header), []
    table, left_out = read_parquet(path)
    return table, [f"{path.name}: column {name!r} holds lists and is not used" for name in left_out]


def read_labels(path: Path) -> Table:
    """Read an array of labels in node order, as ``numpy.save`` writes it."""
    try:
        array = np.load(path, allow_pickle=False)
    except DAMAGE as error:
        fail(path, f"is no array of numbers or text, or damaged ({error!r:.200})")
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1 or array.dtype.kind not in "iuUb":
        fail(
            path,
            f"expected one label for each node, got an array of the shape {array.shape} and the "
            f"type {array.dtype}",
        )
    whole = array.dtype.kind in "iu" and np.can_cast(array.dtype, np.int64)
    column = array.astype(np.int64) if whole else array.astype(str).astype(object)
    return Table(path, ("label",), (column,), True, "", 0, lines=False)


def is_neutral(links: Path, meta: Path) -> bool:
    return links.name in ("edges.csv", "edges.csv.gz") and is_there(meta)


def part_modes(found: Found, table: Table, chosen: LinkColumns) -> None:
    """Write the kind of a node before its id, by the names of the columns or their places."""
    if found.directed:
        fail(table.path, "two_modes: expected links without a direction, which join two kinds")
    names = (chosen.source, chosen.target) if table.header else ("left", "right")
    ends = [as_text(end) for end in (found.source, found.target)]
    found.source, found.target = (
        np.asarray([f"{name} {value}" for value in np.asarray(end)], dtype=object)
        for name, end in zip(names, ends)
    )
    found.directed = False
    found.notes.append(f"two kinds of nodes, whose ids begin with {names[0]!r} and {names[1]!r}")


def choose_columns(
    table: Table,
    asked: Mapping[str, str] | None = None,
    two_modes: bool = False,
    gaps: bool = False,
) -> LinkColumns:
    """Choose ends and weight of a link table."""
    if len(table.columns) < 2:
        why = why_no_table(read_head(table.path)) if table.lines else ""
        fail(table.path, why or "one column only; a link needs the ids of two nodes", 1)
    stated = {} if table.weight is None else {"weight": str(int(table.weight) + 1)}
    return choose_link_columns(table, stated | dict(asked or {}), two_modes=two_modes, gaps=gaps)


def found_links(
    table: Table, chosen: LinkColumns, missing_weight: MissingWeight | None = None
) -> Found:
    """Take the chosen columns of a link table."""
    found = Found("edge list", [table.path], table[chosen.source], table[chosen.target])
    for name in (chosen.source, chosen.target):
        refuse_empty(table, name)
    weight = "none" if chosen.weight is None else role_name(table, chosen.weight)
    ends = (role_name(table, name) for name in (chosen.source, chosen.target))
    found.roles = dict(zip(("source", "target"), ends)) | {"weight": weight}
    if chosen.time is not None:
        found.roles["time"] = role_name(table, chosen.time)
        found.times = times_of(table, chosen.time)
    if chosen.weight is not None:
        values, keep, note = filled_weights(table[chosen.weight], missing_weight)
        found.weight = numbers(table, chosen.weight, values)[keep]
        found.source, found.target = found.source[keep], found.target[keep]
        found.notes += [note] if note else []
        if not found.weight.any():
            fail(
                table.path,
                f"{called(table, chosen.weight)} is the weight and holds nothing but 0; "
                f"{no_weights()}",
            )
        found.weights = f"weights from {called(table, chosen.weight)}"
    found.notes += chosen.notes
    found.doubts += [*table.doubts, *chosen.doubts]
    unused = list(chosen.unused)
    for name in unused:
        if table.header and name.lower() == "type":
            found.directed = stated_direction(table[name])
            if Column.of(table, name).ids == {"Directed", "Undirected"}:
                found.doubts.append(
                    f"{called(table, name)} says of some links that they are directed and of "
                    "others that they are not; all are taken alike"
                )
    if found.directed is not None:
        unused = [name for name in unused if name.lower() != "type"]
    found.notes += [f"{called(table, name)} is not used" for name in unused]
    if table.comments:
        found.notes.append(plural(table.comments, "comment line"))
    return found


def stated_direction(values: Any) -> bool | None:
    """Return what Gephi's column Type says of the links; None where it is another column.

    Examples
    --------
    >>> stated_direction(np.array(["Directed"])), stated_direction(np.array(["friend", "foe"]))
    (True, None)
    """
    kinds = {kind.lower() for kind in Column(values).ids}
    if len(kinds) != 1:
        return None
    return {"directed": True, "undirected": False}.get(next(iter(kinds)))


def numbers(table: Table, name: str, values: Any = None) -> NDArray[np.float64]:
    """Read a column as weights; any that is not a finite number is refused."""
    values = table[name] if values is None else values
    if is_text(values):
        values = np.asarray(values, dtype=object)
        refuse_unclear_commas(str(table.path), values)
    array = as_numbers(values)
    if array is None:
        array = np.array([number_of(t) if is_number(t) else np.nan for t in values.tolist()])
    bad = ~np.isfinite(array)
    if bad.any():
        row = int(np.argmax(bad))
        # of a column of numbers the text is not kept, and "inf" is none
        what = "" if not is_text(values) and np.isinf(array[row]) else f" {str(values[row])!r}"
        note = f"weight{what or ' beyond 1.8e308'} is not a finite number; "
        note += f"{no_weights()}{_as_times(values, row)}"
        fail(table.path, note, table.line(row))
    return array


def _as_times(values: NDArray[Any], row: int) -> str:
    """Return what to do where the weights are times of links, of which one is no number."""
    text = str(values[row]).strip()
    if DATE.match(text):
        return f". If it is the time of a link, {option('columns', {'time': NAME})}"
    if not text:
        return (
            f"; {option('missing_weight', 'drop')} leaves links without weight out, and "
            f"{option('missing_weight', 1)} counts them as 1"
        )
    return ""


def read_meta(path: Path) -> Mapping[str, Any]:
    """Read the description beside a neutral CSV folder."""
    head = read_head(path)
    if not head.lstrip().startswith((b"{", b"[")):
        refuse_other_content(path, head)
    try:
        meta = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        fail(path, f"is no JSON ({error})", getattr(error, "lineno", 1))
    if not isinstance(meta, dict):
        fail(path, "holds no JSON object", 1)
    return meta


def declared(meta: Mapping[str, Any]) -> frozenset[str]:
    """Return the classes that a description names, which then are none that is missing."""
    named = [meta.get(key) for key in ("classes", "class_counts")]
    lists = [item for item in named if isinstance(item, (list, dict))]
    return frozenset(str(name) for item in lists for name in item)


def apply_meta(found: Found, path: Path, meta: Mapping[str, Any]) -> None:
    """Take direction, label column and weights from the description, where it has them."""
    found.files.append(path)
    directed = meta.get("directed")
    if isinstance(directed, bool):
        found.directed = directed
    label = meta.get("label")
    if isinstance(label, str) and label in found.columns:
        found.label = label
    if meta.get("weighted") is False and found.weight is not None:
        found.weight, found.weights = None, ""
        found.notes.append("meta.json says weighted: false, so the weights are not used")


def is_table(path: Path, head: bytes) -> bool:
    """Return whether the first lines are rows of at least two fields, mostly of the same number."""
    if is_parquet(head) or is_records(head) or is_table_file(path):
        return True
    if seen_instead(head):
        return False
    try:
        counts = [] if b"\0" in head else [len(row) for row in first_rows(complete_lines(head))]
    except UnicodeDecodeError:
        counts = []
    except csv.Error:
        return True
    if not counts:
        return path.suffix.lower() == ".txt"
    usual = max(set(counts), key=counts.count, default=1)
    return usual > 1 and counts.count(usual) >= 0.6 * len(counts)


def why_no_table(head: bytes) -> str:
    """Return why text is no table of links: one word a line, or rows that differ in length.

    Examples
    --------
    >>> why_no_table(b"0:1\\n1:2\\n")
    "every line holds one word, so that none can be a link; where ':' parts ids, write a comma"
    >>> why_no_table(b"a b\\nc\\nd e f g\\n")[:42]
    'its rows have 1 to 4 fields, and line 2 ha'
    """
    try:
        text = sample_lines(blank_comments(complete_lines(head))[0])
        delimiter = sniff_delimiter(text)
        if delimiter == " ":  # also where no other one parts most rows alike
            delimiter = next((mark for mark in "\t,;|" if mark in text), " ")
        rows = list(split_rows(text, delimiter))
    except (UnicodeDecodeError, csv.Error):
        return ""
    sizes = [len(fields) for _, fields in rows]
    if not rows or "\0" in text:
        return ""
    if max(sizes) == 1:
        found = [MARK.search(fields[0]) for _, fields in rows]
        marks = {mark[1] for mark in found if mark is not None}
        what = "every line holds one word, so that none can be a link"
        if marks:
            return f"{what}; where {min(marks)!r} parts ids, write a comma"
        return f"{what}; give the links, and this file as {option('nodes')} if it holds labels"
    if len(set(sizes)) == 1:
        return ""
    line = next(number for number, fields in rows if len(fields) != sizes[0])
    lists = f"; {option('format', 'adjlist')} reads lists of neighbors" * (delimiter in " \t")
    return (
        f"its rows have {min(sizes)} to {max(sizes)} fields, and line {line} has others than the "
        f"first; write one link per row{lists}"
    )


FILE_FORMATS = (
    Format("table", is_table, read_edge_list, order=320,
           files='link table: CSV, TSV, spaces, JSON records or Parquet (extra `parquet`), with '
                 'node tables beside it or `{"node": "label", ...}` in JSON',
           holds="ends, weight, direction of Gephi's `Type`, all node columns", takes_nodes=True,
           takes_columns=True),
)  # fmt: skip
