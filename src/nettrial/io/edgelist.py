"""Link tables and node tables as text: CSV, TSV, spaces, with or without header, gzipped."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .build import Found, note_missing
from .guards import fail, read_head, read_text
from .parquet import is_parquet, read_parquet
from .tables import (
    INTEGER,
    NODE,
    NUMBER,
    SOURCE,
    TARGET,
    WEIGHT,
    Table,
    blank_comments,
    plain_values,
    read_table,
    sample_lines,
    sniff_delimiter,
    split_rows,
)

TIMES = ("time", "timestamp", "date", "year", "t")


def read_edge_list(path: Path, nodes: Sequence[Path]) -> Found:
    """Read one link table and any number of node tables."""
    links, left_out = read_any(path, links=True)
    found = links_from(links)
    found.notes += left_out
    if nodes:
        tables = [read_any(node) for node in nodes]
        found.notes += [note for _, notes in tables for note in notes]
        add_nodes(found, [table for table, _ in tables])
    else:
        found.source, found.target = same_kind(found.source, found.target)
    meta = next((read_meta(p) for p in [path.parent / "meta.json"] if is_neutral(path, p)), None)
    if meta is not None:
        apply_meta(found, path.parent / "meta.json", meta)
    return found


def read_any(path: Path, *, links: bool = False) -> tuple[Table, list[str]]:
    """Read a table, text or Parquet, and notes on columns that are left out."""
    if not is_parquet(read_head(path, 4)):
        return read_table(path, links=links), []
    table, left_out = read_parquet(path)
    return table, [f"{path.name}: column {name!r} holds lists and is not used" for name in left_out]


def is_neutral(links: Path, meta: Path) -> bool:
    return links.name in ("edges.csv", "edges.csv.gz") and meta.is_file()


def links_from(table: Table) -> Found:
    """Find ends and weights in a link table."""
    if len(table.columns) < 2:
        fail(table.path, "one column only; a link needs the ids of two nodes", 1)
    source, target = table.find(SOURCE), table.find(TARGET)
    if source is None or target is None:
        source, target = table.names[:2]
    found = Found("edge list", [table.path], table[source], table[target])
    for name in (source, target):
        refuse_empty(table, name)
    rest = tuple(name for name in table.names if name not in (source, target))
    weight, others = find_weight(table, rest)
    if weight is not None:
        found.weight = numbers(table, weight)
        found.notes.append(f"weights from {column_name(table, weight)}")
    found.notes += [f"{column_name(table, name)} is not used" for name in others]
    if table.comments:
        found.notes.append(f"{table.comments} comment lines")
    return found


def column_name(table: Table, name: str) -> str:
    return f"column {name!r}" if table.header else f"column {int(name) + 1}"


def refuse_empty(table: Table, name: str) -> None:
    values = table[name]
    if not isinstance(values, np.ndarray) or values.dtype == object:
        empty = np.asarray(values == "")
        if empty.any():
            row = int(np.argmax(empty))
            fail(table.path, f"{column_name(table, name)} is empty", table.line(row))


def find_weight(table: Table, rest: tuple[str, ...]) -> tuple[str | None, tuple[str, ...]]:
    """Find the column of the weights among those that name no node, and give the others."""
    weight = table.find(WEIGHT, rest)
    if weight is None and rest:
        first = rest[0]
        head = table[first][:50]
        numeric = all(NUMBER.fullmatch(str(value)) for value in head)
        weight = first if numeric and first.lower() not in TIMES else None
    return weight, tuple(name for name in rest if name != weight)


def numbers(table: Table, name: str) -> NDArray[np.float64]:
    """Read a column as weights; any that is not a finite number of 0 or more is refused."""
    values = table[name]
    if is_text(values):
        values = np.asarray(values, dtype=object)
        array = np.array([number(text) for text in values.tolist()])
    else:
        array = np.asarray(values, dtype=np.float64)
    bad = ~np.isfinite(array) | (array < 0)
    if bad.any():
        row = int(np.argmax(bad))
        fail(
            table.path,
            f"weight {str(values[row])!r} is not a finite number of 0 or more",
            table.line(row),
        )
    return array


def number(text: str) -> float:
    return float(text) if NUMBER.fullmatch(text) else np.nan


def is_text(values: Any) -> bool:
    return not (isinstance(values, np.ndarray) and values.dtype.kind in "if")


def as_text(values: Any) -> Any:
    """Turn an integer column into text, its distinct values one by one."""
    import pandas as pd

    if is_text(values):
        return values
    codes, names = pd.factorize(values)
    return pd.Categorical.from_codes(codes, categories=pd.Index(names.astype(str), dtype=object))


def same_kind(*columns: Any) -> list[Any]:
    """Make ids comparable: integers where all columns hold nothing else, else text."""
    import pandas as pd

    parts = [pd.factorize(column) if is_text(column) else None for column in columns]
    whole = all(
        part is None or all(INTEGER.fullmatch(str(name)) for name in part[1]) for part in parts
    )
    if whole:
        return [
            column if part is None else np.array(list(map(int, part[1])), np.int64)[part[0]]
            for column, part in zip(columns, parts)
        ]
    return [
        as_text(column)
        if part is None
        else pd.Categorical.from_codes(part[0], categories=pd.Index(part[1], dtype=object))
        for column, part in zip(columns, parts)
    ]


def choose_ids(table: Table, found: Found) -> str:
    """Choose the column of node ids: the usual one, or another that the links name more."""
    import pandas as pd

    usual = table.find(NODE) or table.names[0]
    source, target, first = same_kind(found.source, found.target, table[usual])
    ends = pd.unique(np.concatenate([np.asarray(pd.unique(e)) for e in (source, target)]))
    if pd.Index(ends).isin(np.asarray(first)).all():
        return usual
    texts = set(map(str, ends))
    share = {name: len(texts & set(map(str, pd.unique(table[name])))) for name in table.names[:50]}
    best = max(share, key=lambda name: (share[name], name == usual))
    if best != usual:
        found.notes.append(
            f"node ids from {column_name(table, best)}, which holds {share[best]} of the "
            f"{len(texts)} ids that the links name ({column_name(table, usual)}: {share[usual]})"
        )
    return best


def add_nodes(found: Found, tables: Sequence[Table]) -> None:
    """Add the nodes of one or more node tables and their columns."""
    import pandas as pd

    frames = []
    for table in tables:
        found.files.append(table.path)
        found.node_files.append(table.path)
        key = choose_ids(table, found)
        refuse_empty(table, key)
        others = [name for name in table.names if name != key]
        titles = others if table.header else [label_title(k, others) for k in range(len(others))]
        parts = {title: table[name] for title, name in zip(titles, others)}
        frames.append(pd.DataFrame({0: table[key]} | parts))
    whole = pd.concat(frames, ignore_index=True) if len(frames) > 1 else frames[0]
    whole = merge_repeats(whole, found, tables)
    key = whole.pop(0)
    found.source, found.target, found.nodes = same_kind(
        found.source, found.target, key.to_numpy() if key.dtype == np.int64 else key
    )
    extra = keep_other_side(found)
    for title in whole:
        column = whole[title]
        values, missing = plain_values(column.to_numpy() if column.dtype == np.int64 else column)
        found.columns[str(title)] = padded(values, extra)
        found.notes += note_missing(missing, f"column {title!r}")


def keep_other_side(found: Found) -> int:
    """Keep unknown nodes where all links lead between them and the nodes of the tables.

    Such links have two kinds of nodes, as movies and directors, of which the tables list one;
    without the other no link would be left.
    """
    import pandas as pd

    listed = pd.Index(found.nodes)
    ends = [pd.Index(np.asarray(pd.unique(end))) for end in (found.source, found.target)]
    known = [bool(end.isin(listed).all()) for end in ends]
    strange = [not end.isin(listed).any() for end in ends]
    if (known, strange) not in (([True, False], [False, True]), ([False, True], [True, False])):
        return 0
    other = ends[known.index(False)]
    found.notes.append(
        f"{len(other)} nodes at one side of all links are in no node table; they are kept "
        "without label (column 'listed' tells them apart)"
    )
    found.nodes = np.concatenate([np.asarray(listed), np.asarray(other)])
    found.columns["listed"] = np.repeat(np.array(["yes", "no"], object), [len(listed), len(other)])
    return len(other)


def label_title(k: int, others: Sequence[str]) -> str:
    return "label" if len(others) == 1 else f"column {k + 2}"


def plain_column(column: Any) -> Any:
    """Give a column's values, integers where all are; None where one is missing."""
    return plain_values(column)[0]


def padded(values: NDArray[Any], count: int) -> NDArray[Any]:
    return np.concatenate([values, np.full(count, None, object)]) if count else values


def merge_repeats(whole: Any, found: Found, tables: Sequence[Table]) -> Any:
    """Keep the first of the rows of one node, and note in which columns the others differ."""
    repeat = whole[0].duplicated().to_numpy()
    if not repeat.any():
        return whole
    first = whole[~repeat]
    again = whole[repeat]
    before = first.set_index(0).loc[again[0].to_numpy()]
    differing = []
    for title in whole.columns[1:]:
        differs = before[title].astype(str).to_numpy() != again[title].astype(str).to_numpy()
        if differs.any():
            row = int(again.index[int(np.argmax(differs))])
            found.conflicts[str(title)] = place_of(tables, row)
            differing.append(str(title))
    found.notes.append(
        f"{int(repeat.sum())} rows repeat a node; the first row of each node is kept"
        + (f", although others differ in {', '.join(differing)}" if differing else "")
    )
    return first.reset_index(drop=True)


def place_of(tables: Sequence[Table], row: int) -> tuple[Path, int | None]:
    """Find file and line of a row of the joined node tables."""
    for table in tables:
        if row < table.n_rows:
            return table.path, table.line(row)
        row -= table.n_rows
    return tables[-1].path, None


def read_meta(path: Path) -> Mapping[str, Any]:
    """Read the description beside a neutral CSV folder."""
    try:
        meta = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        fail(path, f"is no JSON ({error})", getattr(error, "lineno", 1))
    if not isinstance(meta, dict):
        fail(path, "holds no JSON object", 1)
    return meta


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
        found.weight = None
        found.notes.append("meta.json says weighted: false, so the weights are not used")


def is_table(path: Path, head: bytes) -> bool:
    """Whether the first lines are rows of at least two fields, mostly of the same number."""
    if is_parquet(head) or path.name.lower().endswith((".csv", ".tsv", ".csv.gz", ".tsv.gz")):
        return True
    try:
        text = sample_lines(blank_comments(complete_lines(head))[0])
    except UnicodeDecodeError:
        return path.suffix.lower() == ".txt"
    if "\0" in text or not text:
        return path.suffix.lower() == ".txt"
    try:
        counts = [len(fields) for _, fields in split_rows(text, sniff_delimiter(text))]
    except csv.Error:
        return True
    usual = max(set(counts), key=counts.count, default=1)
    return usual > 1 and counts.count(usual) >= 0.6 * len(counts)


def complete_lines(head: bytes) -> bytes:
    """Leave out the last line where it may be cut off."""
    cut = head.rfind(b"\n")
    return head.removeprefix(b"\xef\xbb\xbf") if cut < 0 else head[: cut + 1]
