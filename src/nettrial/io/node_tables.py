"""Node tables beside a link table: which column holds the ids, and labels in node order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.option_names import NAME, option, written
from .column_looks import FEW, Column
from .columns import called, is_index_name, role_name
from .evidence import NO, ranked, weigh
from .found import Found, note_missing
from .guards import fail
from .ids import same_kind, would_match
from .link_columns import find_column
from .missing import plain_values
from .multilabel import refuse_several_classes
from .tables import Table
from .vocabulary import ID_WORDS, NODE, plain

LOOKED_AT = 50  # columns that may hold the ids
WHOLE = 40.0  # what it speaks for a column of ids that it holds all that the links name
NEAR = 1.3  # columns whose evidence differs by less can be the ids alike


def how_ids() -> str:
    """Return how the column of the ids is named."""
    return f"{option('columns', {'id': NAME})} names the column of the ids"


def how_in_order() -> str:
    """Return how rows are read that hold no ids."""
    rows = option("columns", {"id": "none"})
    return f"{rows} reads its rows in the order of the node numbers"


def add_nodes(found: Found, tables: Sequence[Table], named: str | None = None) -> None:
    """Add the nodes of one or more node tables and their columns; the ids are in one `named`."""
    import pandas as pd

    frames, keys = [], set()
    for table in tables:
        found.files.append(table.path)
        found.node_files.append(table.path)
        key = named
        numbered = in_node_order(table, found, key) if key in (None, "none") else None
        if numbered is not None:
            keys.add("none")
            titles = table.names if table.header else unnamed(len(table.names))
            frames.append(pd.DataFrame({0: numbered} | dict(zip(titles, table.columns))))
            continue
        key = choose_ids(table, found) if key is None else find_column(table, key)
        refuse_empty(table, key)
        refuse_repeats(table, key)
        keys.add(role_name(table, key))
        others = [name for name in table.names if name != key]
        titles = others if table.header else unnamed(len(others))
        parts = {title: table[name] for title, name in zip(titles, others)}
        frames.append(pd.DataFrame({0: table[key]} | parts))
    if len(keys) == 1:  # else each table has its own
        found.roles["id"] = keys.pop()
    whole = side_by_side(frames)
    if whole is None:
        whole = pd.concat(frames, ignore_index=True) if len(frames) > 1 else frames[0]
        whole = merge_repeats(whole, found, tables)
    key = whole.pop(0)
    found.source, found.target, found.nodes = same_kind(
        found.source, found.target, key.to_numpy() if key.dtype == np.int64 else key
    )
    extra = keep_other_side(found)
    for title in whole:
        if is_index_name(str(title)):
            found.notes.append(f"column {str(title)!r} is left out: row numbers")
            continue
        column = whole[title]
        values, missing = plain_values(
            column.to_numpy() if column.dtype == np.int64 else column, found.kept
        )
        found.columns[str(title)] = padded(values, extra)
        found.missing[str(title)] = missing
        found.notes += note_missing(missing, f"column {title!r}")


def side_by_side(frames: Sequence[Any]) -> Any:
    """Join tables that hold different columns of the same nodes; None where they do not.

    The first of them lists all nodes, each once, and the others at least half of these.
    """
    import pandas as pd

    titles = [title for frame in frames for title in frame.columns[1:]]
    if len(frames) < 2 or len(set(titles)) < len(titles):
        return None
    whole, *others = sorted(frames, key=len, reverse=True)
    if any(frame[0].duplicated().any() for frame in frames):
        return None
    for frame in others:
        places = pd.Index(whole[0].astype(str)).get_indexer(frame[0].astype(str))
        if (places < 0).any() or 2 * len(frame) < len(whole):
            return None
        for title in frame.columns[1:]:
            column = np.full(len(whole), "", dtype=object)
            column[places] = frame[title].astype(str)
            whole[title] = column
    return whole


def ends_of(found: Found, column: Any) -> tuple[Any, Any]:
    """Return the distinct ids that the links name, and a column, made comparable."""
    import pandas as pd

    source, target, ids = same_kind(found.source, found.target, column)
    ends = pd.unique(np.concatenate([np.asarray(pd.unique(end)) for end in (source, target)]))
    return pd.Index(ends), pd.Index(np.asarray(ids))


def share_of(found: Found, column: Any) -> tuple[int, int]:
    """Count the ids that the links name, first those that a column holds."""
    ends, ids = ends_of(found, column)
    return int(np.count_nonzero(ends.isin(ids))), len(ends)


def choose_ids(table: Table, found: Found) -> str:
    """Choose the column of node ids, as `rank_ids` does, by how many ids of the links it holds."""
    columns = [Column.of(table, name) for name in table.names]
    total = share_of(found, columns[0].values)[1]
    return rank_ids(found, columns, lambda c: share_of(found, c.values)[0], total).key


def rank_ids(
    found: Found, columns: Sequence[Column], share: Callable[[Column], int], total: int
) -> Column:
    """Choose the column of node ids by its name and by the share of the ids that links name.

    Note where it is another than the usual one, and doubt where others come near.
    """
    lower = {plain(column.name): column for column in reversed(columns)}
    proper = [c for c in columns if not c.is_index and weigh(c, "id", by_name=True) >= 0]
    usual = next((lower[name] for name in NODE if name in lower), (proper or columns)[0])
    shares, weights = {usual: share(usual)}, {}
    for column in (usual, *columns[:LOOKED_AT]):
        own = weigh(column, "id")
        if column is usual or own > NO / 2:
            shares[column] = shares[column] if column in shares else share(column)
            weights[column] = WHOLE * shares[column] / max(total, 1)
            weights[column] += 1 if column is usual else own
    order, near = ranked(weights, NEAR)
    best = order[0]
    rivals = [c for c in near if c is not usual and shares[c] and may_be_ids(c, best)]
    note = (
        f"node ids from {best.called}, which holds {shares[best]:,} of the {total:,} "
        f"ids that the links name ({usual.called}: {shares[usual]})"
    )
    if rivals or (best is not usual and not best.words & ID_WORDS):
        also = f"; {rivals[0].called} may hold them, too" if rivals else ""
        found.doubts.append(f"{note}{also}; {how_ids()}")
    elif best is not usual:
        found.notes.append(note)
    return best


def may_be_ids(column: Column, chosen: Column) -> bool:
    """Return whether a column could hold the ids as well: all differ, and not as in `chosen`."""
    other = not is_index_name(column.key) and column.differs
    return other and list(map(str, column.values)) != list(map(str, chosen.values))


def in_node_order(table: Table, found: Found, key: str | None) -> NDArray[np.int64] | None:
    """Return the ids of the rows where they are in node order: a single column, or as asked.

    None where a column holds the ids. Nodes that are numbers from 0 or from 1 have an order;
    where the number of rows leaves open which, or the ids are text, the table is refused.
    """
    if key == "none":
        return numbers_of_rows(table, found, f"has {table.n_rows:,} rows")
    if len(table.columns) != 1:
        return None
    column = table.columns[0]
    if table.header and table.names[0].lower() in NODE:
        return None
    ends, ids = ends_of(found, column)
    held = int(np.count_nonzero(ends.isin(ids)))
    if ids.is_unique and 2 * held >= len(ends):
        return None
    refuse_all_different(table)
    what = f"holds one column of {table.n_rows} values, of which the links name {held}"
    return numbers_of_rows(table, found, what)


def numbers_of_rows(table: Table, found: Found, what: str) -> NDArray[np.int64]:
    """Return the node numbers that the rows of a table stand for, from 0 or from 1."""
    import pandas as pd

    ends = [Column(end).whole for end in same_kind(found.source, found.target)]
    n = table.n_rows
    if any(end is None or not end.size for end in ends):
        fail(
            table.path,
            f"{what}; labels in node order need nodes that are numbers, so add a "
            "column with the node ids",
        )
    source, target = (np.asarray(end, dtype=np.int64) for end in ends)
    low, high = int(min(source.min(), target.min())), int(max(source.max(), target.max()))
    starts = [s for s in (0, 1) if s <= low and high <= s + n - 1]
    # a label more than nodes may be a header that is not known for one, and would shift them all
    if len(starts) != 1 or high != starts[0] + n - 1:
        fail(
            table.path,
            f"{what}; as labels in node order they do not fit the node numbers {low} to {high}"
            + (", which can begin with 0 or with 1" if len(starts) > 1 else "")
            + "; add a column with the node ids",
        )
    found.source, found.target = source, target  # also where they are written as 3.0
    found.notes.append(
        f"{table.path.name}: one node per row, for the nodes {starts[0]} to {starts[0] + n - 1}"
    )
    return np.asarray(pd.RangeIndex(starts[0], starts[0] + n), dtype=np.int64)


def refuse_all_different(table: Table) -> None:
    """Refuse one column of values that all differ: they are no labels but rows not parted."""
    values = Column(table.columns[0]).ids
    if table.n_rows >= FEW and len(values) == table.n_rows:
        refuse_lists(table)
        shown = ", ".join(map(written, sorted(values)[:2]))
        fail(
            table.path,
            f"holds one column of {table.n_rows:,} values that all differ, such as {shown}, which "
            "are no labels; where they are several fields, part them by commas or tabs",
            table.line(0),
        )


def refuse_lists(table: Table) -> None:
    """Refuse rows of a node and all its classes, of which others have some, too."""
    rows = [str(value).replace(",", " ").split() for value in table.columns[0]]
    if len({len(row) for row in rows}) < 2:
        return
    rows += [str(table.names[0]).split()] * table.header
    lists = {tuple(row[1:]) for row in rows}
    first, later = {row[0] for row in rows}, [word for row in rows for word in row[1:]]
    several = sum(len(row) > 2 for row in rows)
    # names of several words stand for themselves; classes meet in more ways than there are classes
    if len(first) == len(rows) and several and len(set(later)) < len(lists):
        refuse_several_classes(table.path, "the table", several, len(rows))


def refuse_empty(table: Table, name: str) -> None:
    """Refuse ids that are missing."""
    import pandas as pd

    values = table[name]
    if not isinstance(values, np.ndarray) or values.dtype == object:
        empty = np.asarray(values == "") | np.asarray(pd.isna(values))
        if empty.any():
            row = int(np.argmax(empty))
            where = "" if table.lines else f" in row {row} (rows count from 0)"
            fail(table.path, f"{called(table, name)} is empty{where}", table.line(row))


def refuse_repeats(table: Table, name: str) -> None:
    """Refuse ids of which most stand in several rows."""
    import pandas as pd

    n = len(pd.unique(table[name]))
    if 2 * n < table.n_rows:
        fail(
            table.path,
            f"{called(table, name)} names {n} nodes in {table.n_rows:,} rows, so it does not look "
            f"like node ids; {how_ids()}, {how_in_order()}",
        )


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
    if would_match(other[:LOOKED_AT], listed):
        return 0
    found.notes.append(
        f"{len(other):,} nodes at one side of all links are in no node table; they are kept "
        "without label (column 'listed' tells them apart)"
    )
    found.nodes = np.concatenate([np.asarray(listed), np.asarray(other)])
    found.columns["listed"] = np.repeat(np.array(["yes", "no"], object), [len(listed), len(other)])
    return len(other)


def unnamed(count: int) -> list[str]:
    """Return titles of so many columns beside the ids that have none."""
    return ["label"] if count == 1 else [f"column {k + 2}" for k in range(count)]


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
