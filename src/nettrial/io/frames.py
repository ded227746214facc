"""Networks from tables in memory: pandas, polars and Arrow."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import numpy as np

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..core.kinds import HasMembers
from ..core.option_names import written
from ..network.feature_columns import is_column_names
from ..network.network import Network
from ..numeric.checks import is_missing
from .build import build
from .column_looks import Column
from .columns import called, is_index_name
from .edgelist import found_links
from .found import Found
from .link_columns import (
    MissingWeight,
    choose_link_columns,
    find_column,
)
from .missing import Codes
from .node_tables import rank_ids
from .options import ReadOptions
from .tables import Table, unique_names
from .vocabulary import NODE, plain

# pandas and polars tables have `columns` and `shape`, Arrow tables `column_names` too
Frame: TypeAlias = Annotated[
    Any, HasMembers("a pandas, polars or Arrow table", ("columns", "shape"))
]
OPTIONS = ("directed", "features", "name", "classes")


@check_arguments
def from_frames(
    links: Frame,
    nodes: Frame | None = None,
    *,
    label: str | None = None,
    target: str | None = None,
    columns: Mapping[str, str] | None = None,
    missing: Codes = None,
    drop_dangling: bool = False,
    missing_weight: MissingWeight | None = None,
    **options: Any,
) -> Network:
    """Build a network from pandas, polars or Arrow tables of links and nodes.

    Columns are found as in a file: by the usual names first (``source`` and ``target``,
    ``weight``, ``node`` or ``id``), else by position; an index that was made a column, running
    row numbers, times and names of coordinates are never taken for ends, weights or classes.

    Parameters
    ----------
    links : pandas.DataFrame, polars.DataFrame or pyarrow.Table
        Two columns with the ids of the two ends, perhaps one with weights.
    nodes : the same, optional
        A column with the ids, or a pandas index that holds them, and others, of which one may be
        the class.
    label : str, optional
        Column with the class; by default chosen as `read` does.
    target : str, optional
        In place of a class, the column with the number to predict.
    columns, missing, drop_dangling, missing_weight
        As for `read`.
    **options
        ``directed`` (by default as `read` decides where the file says nothing), ``name`` and
        ``classes``, as for `Network`; ``features``, a matrix with a row for each node, or the
        node columns that become features, see `Network.derive`.

    Raises
    ------
    InputError
        Where a column is missing or cannot be chosen, or most links dangle.

    Warns
    -----
    ReadWarning
        Where something was decided that may be wrong.

    Examples
    --------
    >>> import pandas as pd
    >>> links = pd.DataFrame({"source": [1, 2], "target": [2, 3]})
    >>> nodes = pd.DataFrame({"node": [1, 2, 3], "label": ["a", "b", None]})
    >>> from_frames(links, nodes)
    <Network: 3 nodes, 2 undirected links, 2 classes, 1 node without label>
    """
    unknown = [name for name in options if name not in OPTIONS]
    if unknown:
        raise InputError(
            expected=f"the options {', '.join(OPTIONS)}", got=f"{unknown[0]}", where="from_frames"
        )
    tables = frame_of(links, "links"), None if nodes is None else frame_of(nodes, "nodes")
    found = found_frames(*tables, columns, missing_weight)
    features = options.get("features")
    found.features = None if is_column_names(features) else features
    found.name = str(options.get("name", ""))
    if options.get("classes") is not None:
        found.classes, found.label = list(options["classes"]), label
    return build(
        found,
        ReadOptions(
            label=label,
            target=target,
            directed=options.get("directed"),
            missing=missing,
            drop_dangling=drop_dangling,
            features=features if is_column_names(features) else None,
        ),
    )[0]


def found_frames(
    table: Table,
    nodes: Table | None,
    columns: Mapping[str, str] | None = None,
    missing_weight: MissingWeight | None = None,
) -> Found:
    """Take the links of one table, and the nodes of another."""
    asked = dict(columns or {})
    key = asked.pop("id", None)
    chosen = choose_link_columns(table, asked, gaps=missing_weight is not None)
    found = found_links(table, chosen, missing_weight)
    found.format, found.files = "tables in memory", []
    if nodes is not None:
        add_frame(found, nodes, key)
    elif key is not None:
        raise InputError(
            "columns: 'id' names a column of a node table, and there is none", parameter="links"
        )
    return found


def frame_of(frame: Any, where: str) -> Table:
    """Take the columns of a table; integers as arrays, all else as plain Python values."""
    if hasattr(frame, "column_names") and hasattr(frame, "to_pandas"):  # an Arrow table
        frame = frame.to_pandas()
    names, values = unique_names([str(name) for name in frame.columns]), []
    for k in range(len(names)):
        series = frame.iloc[:, k] if hasattr(frame, "iloc") else frame[:, k]
        array = series.to_numpy()
        plain = array.dtype.kind in "iuf" and not np.isnan(array.astype(float)).any()
        values.append(array if plain else without_gaps(series))
    index = getattr(frame, "index", None)
    return Table(
        Path(where), names, tuple(values), True, "", 0, lines=False,
        index=None if index is None else np.asarray(index),
    )  # fmt: skip


def without_gaps(series: Any) -> np.ndarray[Any, Any]:
    """Return plain Python values; None for every kind of missing value."""
    items = series.to_list() if hasattr(series, "to_list") else series.tolist()
    array = np.empty(len(items), dtype=object)
    array[:] = [None if is_missing(item) else item for item in items]
    return array


def add_frame(found: Found, table: Table, asked: str | None) -> None:
    """Add the nodes of a table and their columns."""
    key = find_column(table, asked) if asked is not None else choose_key(found, table)
    found.nodes = table.index if key is None else table[key]
    if key is None:
        found.notes.append("node ids from the index of the node table")
    for name in table.names:
        if name == key:
            continue
        if is_index_name(name):
            found.notes.append(f"{called(table, name)} is left out: row numbers")
            continue
        found.columns[name] = table[name]


def choose_key(found: Found, table: Table) -> str | None:
    """Choose the column of the ids as in a file; None where these are the table's index."""
    columns = [Column.of(table, name) for name in table.names]
    index = Column(table.index if table.index is not None else [], "", "the index")
    index.key, index.words = "the index", frozenset({"id"})
    ends = {each for end in (found.source, found.target) for each in values_of(Column(end))}
    shares = {column: len(ends & values_of(column)) for column in (*columns, index)}
    if not any(shares.values()) and not {plain(name) for name in table.names} & {*NODE}:
        raise InputError(
            f"{table.where}: no column holds ids that the links name, such as "
            f"{', '.join(map(written, sorted(ends, key=str)[:3]))}; it has {', '.join(table.names)}"
        )
    best = rank_ids(found, [*columns, index], shares.__getitem__, len(ends))
    return None if best is index else best.key


def values_of(column: Column) -> set[Any]:
    return set(column.distinct.tolist())
