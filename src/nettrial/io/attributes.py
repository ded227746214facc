"""Tables of attributes that nodes name one by one, held to what their file can fill."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from .guards import LIMITS, check_ratio, fail, size_of


def attribute_names(
    where: Path | str,
    records: Collection[Mapping[str, Any]],
    leave_out: str | None = None,
    defaults: Mapping[str, Any] = MappingProxyType({}),
) -> list[str]:
    """Return the names of the attributes of all nodes, in order of appearance, then of defaults.

    Those stand in the file once and count for all nodes that say nothing else.

    Examples
    --------
    >>> attribute_names("nodes", [{"id": 1, "age": 30}, {"id": 2, "class": "a"}], "id")
    ['age', 'class']
    """
    names: dict[str, None] = {}
    for record in records:
        names.update(dict.fromkeys(record))
    names.pop(leave_out, None)  # type: ignore[arg-type]
    names.update(dict.fromkeys(defaults))
    check_cells(where, len(records), len(names), sum(map(len, records)))
    if defaults:
        letters = sum(len(str(each)) for each in defaults.values())
        check_ratio(Path(where), size_of(Path(where)), len(records) * letters, text=True)
    return list(names)


def check_cells(where: Path | str, rows: int, columns: int, values: int) -> None:
    """Refuse a table that is far larger than the values that fill it, before it is made.

    A file of one attribute a node, each of another name, takes the square of its size as a table.
    """
    if columns > LIMITS.columns:
        fail(
            where,
            f"has {columns} attributes of nodes, the limit is {LIMITS.columns}; leave some out",
        )
    if rows * columns > LIMITS.spare_cells + LIMITS.cells_a_value * (rows + values):
        fail(
            where,
            f"names {columns} attributes for {rows} nodes, most of them empty ({values} values); "
            "leave the rare ones out",
        )
