"""Which columns of a link table are the ends, the weight and the time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core.errors import shown
from ..core.option_names import NAME, option
from ..core.wording import plural
from ..network.feature_columns import numbers_or_days
from ..network.missing_text import missing_spellings
from ..numeric.checks import is_missing
from .column_looks import Column
from .columns import Columns, called, column_named, starts_with_numbers
from .evidence import ranked, weigh, why_not
from .link_ends import ends_by_name, ends_by_position, refuse
from .vocabulary import WEIGHT, WEIGHT_WORDS, usual

ROLES = ("source", "target", "weight", "time", "id")
NEAR = 1.0  # columns whose evidence differs by less can be the weight alike
MissingWeight: TypeAlias = Literal["drop", "1", 1]


@dataclass(slots=True)
class LinkColumns:
    """The columns that a link table is read from."""

    source: str
    target: str
    weight: str | None = None
    time: str | None = None
    unused: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list)  # what was decided
    doubts: list[str] = field(default_factory=list)  # what of it may be wrong


def choose_link_columns(
    table: Columns,
    asked: Mapping[str, str] | None = None,
    *,
    whole: bool = True,
    two_modes: bool = False,
    gaps: bool = False,
) -> LinkColumns:
    """Choose the ends and the weight of a link table.

    What is asked for wins, then the usual names, then position: there only columns that can be
    ends are taken, and where the values contradict the choice the table is refused. Of the first
    rows of a large file, which is not `whole`, not all can be asked. Weights may
    have `gaps` or not.
    """
    named = named_columns(table, asked or {})
    if len(table.names) < 2:
        refuse(
            table,
            f"expected two columns with the ids of the two ends, got {listed(table, table.names)}",
            "",
        )
    if "source" in named:
        found = LinkColumns(str(named["source"]), str(named["target"]))
    else:
        ends = ends_by_name(table) or ends_by_position(table, whole=whole, two_modes=two_modes)
        found = LinkColumns(ends.a.key, ends.b.key, notes=ends.notes, doubts=ends.doubts)
    found.weight, found.time = named.get("weight"), named.get("time")
    for role, column in (("weight", found.weight), ("time", found.time)):
        if column in (found.source, found.target):
            refuse(table, f"columns: {called(table, str(column))} is an end and the {role}")
    rest = tuple(name for name in table.names if name not in (found.source, found.target))
    if not {"weight", "time"} & named.keys():
        choose_weight(table, rest, found, gaps)
    found.unused = tuple(name for name in rest if name not in (found.weight, found.time))
    return found


def named_columns(table: Columns, asked: Mapping[str, str]) -> dict[str, str | None]:
    """Return the columns that are asked for by their roles; refuse roles that contradict."""
    unknown = [role for role in asked if role not in ROLES]
    if unknown:
        refuse(
            table, f"columns: expected the roles {', '.join(ROLES)}, got {shown(unknown[0])}", ""
        )
    if ("source" in asked) != ("target" in asked):
        refuse(table, "columns: source and target must be named together")
    if {"weight", "time"} <= asked.keys():
        refuse(table, "columns: weight and time cannot be used together; leave one out", "")
    found: dict[str, str | None] = {
        role: None if role == "weight" and name.lower() == "none" else find_column(table, name)
        for role, name in asked.items()
    }
    if "source" in found and found["source"] == found["target"]:
        refuse(table, f"columns: {called(table, str(found['source']))} is named for both ends")
    return found


def listed(table: Columns, names: Sequence[str]) -> str:
    return ", ".join(repr(name) if table.header else str(int(name) + 1) for name in names)


def find_column(table: Columns, name: str) -> str:
    """Find a column by its name, whatever its case, or by its number where there is no header."""
    if not table.header:
        if name.isdecimal() and 1 <= int(name) <= len(table.names):
            return table.names[int(name) - 1]
        refuse(
            table,
            f"column {shown(name)} not found; the file has no header and "
            f"{len(table.names)} columns, numbered from 1",
            "",
        )
    return column_named(table.names, name, table.where)


def choose_weight(
    table: Columns, rest: tuple[str, ...], found: LinkColumns, gaps: bool = False
) -> None:
    """Choose the column of weights: by its name, else the only one that the evidence is for."""
    columns = [Column.of(table, name) for name in (rest if table.header else rest[:1])]
    for column in columns if gaps else ():
        column.values = column.values[~missing_in(column.values)]
    named = usual([column.name for column in columns], WEIGHT)
    if named:
        found.weight = named
        return
    if not gaps:
        found.doubts += [doubt for column in columns if (doubt := _with_gaps(column))]
    numeric = [c for c in columns if c.numeric and not why_not(c, "weight", by_name=True)]
    able = {column: weigh(column, "weight") for column in numeric}
    order, near = ranked({c: able[c] for c in able if able[c] > 0}, NEAR)
    if near:
        found.doubts.append(
            f"{listed(table, [each.key for each in (order[0], *near)])} hold numbers, and none is "
            f"used as weight; {option('columns', {'weight': NAME})} chooses one, {_none()} none"
        )
    elif order:
        found.weight = order[0].key
        if table.header and not order[0].words & WEIGHT_WORDS:
            found.doubts.append(
                f"{order[0].called} is taken for the weight; {_none()} leaves it out"
            )
    found.doubts += [
        f"{column.called} {why_not(column, 'weight')} and is not used as weight; "
        f"{option('columns', {'weight': NAME})} chooses it, {_none()} leaves it out"
        for column in able
        if able[column] <= 0
    ]


def _none() -> str:
    return option("columns", {"weight": "none"})


def _with_gaps(column: Column) -> str:
    """Return that a column would be the weight if it had no gaps; empty where it would not."""
    if not column.words & WEIGHT_WORDS or column.numeric:
        return ""
    gaps = missing_in(column.values)
    if not starts_with_numbers(column.values[~gaps]):
        return ""
    return (
        f"{column.called} lacks {plural(int(gaps.sum()), 'value')} and is not used as "
        f"weight; {option('missing_weight', 'drop')} leaves these links out, and "
        f"{option('missing_weight', 1)} counts them as 1"
    )


def missing_in(values: Any) -> NDArray[np.bool_]:
    """Return which values of a column are missing."""
    array = np.asarray(values)
    if array.dtype.kind in "iuf":
        return np.asarray(np.isnan(array.astype(float)))
    texts = [value.strip() if isinstance(value, str) else value for value in array.tolist()]
    blank = missing_spellings(text for text in texts if isinstance(text, str))
    return np.array([is_missing(t) or (isinstance(t, str) and t in blank) for t in texts], bool)


def filled_weights(
    values: Any, missing_weight: MissingWeight | None
) -> tuple[Any, NDArray[np.bool_], str]:
    """Return weights without gaps, which rows to keep, and what was done.

    Examples
    --------
    >>> filled_weights(np.array(["2", ""], dtype=object), 1)
    (array(['2', '1'], dtype=object), array([ True,  True]), '1 link without weight counted as 1')
    """
    gaps = missing_in(values) if missing_weight is not None else np.zeros(len(values), dtype=bool)
    if not gaps.any():
        return values, ~gaps, ""
    many = plural(int(gaps.sum()), "link")
    array = np.array(values)
    array[gaps] = 1.0 if array.dtype.kind == "f" else "1"
    if missing_weight == "drop":
        return array, ~gaps, f"{many} without weight left out"
    return array, np.ones(gaps.size, dtype=bool), f"{many} without weight counted as 1"


def times_of(table: Columns, name: str) -> NDArray[np.float64]:
    """Return the times of links as numbers, of dates as days since 1970.

    Raises
    ------
    InputError
        Where one is missing, or neither a number nor a date.
    """
    gaps = missing_in(table[name])
    if gaps.any():
        refuse(
            table,
            f"{called(table, name)} is the time of a link and is empty in "
            f"{plural(int(gaps.sum()), 'row')}",
            "fill it in, or leave these rows out",
        )
    found = numbers_or_days(table[name])
    if found is None:
        refuse(
            table,
            f"{called(table, name)} is the time of a link and holds other than numbers and dates",
            "write dates as 2020-01-31",
        )
    return found
