"""Inputs that belong together, number by number: refused where their labels or precision differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.errors import InputError


def refuse_other_index(**named: Any) -> None:
    """Refuse pandas objects that belong together but whose indexes, or columns, differ.

    Examples
    --------
    >>> import pandas as pd
    >>> refuse_other_index(a=pd.Series([1, 2]), b=pd.Series([1, 2], index=[1, 0]))
    Traceback (most recent call last):
    nettrial.InputError: a and b: expected one index, got indexes that differ: ...
    """
    refuse_other_rows(**named)
    refuse_other_columns(**named)


def refuse_other_rows(**named: Any) -> None:
    """Refuse pandas objects whose indexes differ; their columns may."""
    indexed = _labeled("index", named)
    for name, index in indexed[1:]:
        if not index.equals(indexed[0][1]):
            raise InputError(
                expected="one index",
                got=f"indexes that differ: {_few(indexed[0][1])} and {_few(index)}",
                hint="align them first, for example by a, b = a.align(b, join='inner'), or pass "
                ".to_numpy() to pair them by position",
                where=f"{indexed[0][0]} and {name}",
            )


def refuse_other_precision(**named: Any) -> None:
    """Refuse samples that are compared with each other but not in one precision.

    0.3 in single precision is 0.30000001, so that equal numbers would all differ. Whole numbers
    are the same in both.

    Examples
    --------
    >>> refuse_other_precision(a=np.array([0.3], dtype=np.float32), b=[0.3])
    Traceback (most recent call last):
    nettrial.InputError: a and b: expected one precision, got float32 and float64, ...
    """
    arrays = {}
    for name, value in named.items():
        try:
            array = np.asarray(value)
        except (TypeError, ValueError, MemoryError, RuntimeError):
            continue  # which is refused where the values are read
        if array.dtype.kind == "f":
            arrays[name] = array
    if len({array.dtype.itemsize for array in arrays.values()}) < 2:
        return
    found: dict[str, str] = {}
    for name, array in arrays.items():
        if (array != np.floor(array)).any():
            found.setdefault("float64" if array.dtype.itemsize >= 8 else str(array.dtype), name)
    if len(found) > 1:
        raise InputError(
            expected="one precision",
            got=f"{' and '.join(found)}, in which equal numbers differ by their rounding",
            hint="convert all to one, for example by .astype('float32')",
            where=" and ".join(found.values()),
        )


def along_columns(table: Any) -> Any:
    """Return what has the columns of a pandas table for its index; others as they are.

    It lets `refuse_other_index` pair the columns of one object with the rows of another.
    """
    columns: Any = getattr(table, "columns", None)
    return columns.to_series() if hasattr(columns, "to_series") else table


def column_names(table: Any) -> list[Any] | None:
    """Return what a dictionary or a pandas or polars table calls its columns; None without names.

    The numbers from 0 that pandas gives to columns without names are none.

    Examples
    --------
    >>> import pandas as pd
    >>> column_names({"a": [1], "b": [2]}), column_names(pd.DataFrame([[1, 2]]))
    (['a', 'b'], None)
    """
    if isinstance(table, Mapping):
        return list(table)
    columns = getattr(table, "columns", None)
    names = list(columns) if np.iterable(columns) else []
    return None if names == list(range(len(names))) else names


def refuse_other_columns(**named: Any) -> None:
    """Refuse pandas tables of which a column stands at another place in one than in another.

    Names that occur in one table alone, such as error_A and error_B, are paired by position.
    """
    tables = _labeled("columns", named)
    for name, columns in tables[1:]:
        places = {label: i for i, label in enumerate(tables[0][1])}
        if any(places.get(label, i) != i for i, label in enumerate(columns)):
            raise InputError(
                expected="the same columns at the same places",
                got=f"{_few(tables[0][1])} and {_few(columns)}",
                hint="order them first, for example by b = b[a.columns], or pass .to_numpy() to "
                "pair them by position",
                where=f"{tables[0][0]} and {name}",
            )


def refuse_two_orders(name: str, table: Any) -> None:
    """Refuse a table of counts whose rows have the names of its columns, in another order."""
    if hasattr(table, "columns") and hasattr(table, "reindex"):
        rows, columns = list(table.index), list(table.columns)
        if rows != columns and set(rows) == set(columns):
            raise InputError(
                parameter=name,
                expected="rows and columns in one order",
                got=f"rows {_few(table.index)} and columns {_few(table.columns)}",
                hint="order them first, for example by table[list(table.index)]",
            )


def _labeled(what: str, named: dict[str, Any]) -> list[tuple[str, Any]]:
    """Return the labels that pandas objects have along an axis, by the objects' names."""
    found = ((name, getattr(value, what, None)) for name, value in named.items())
    return [(name, labels) for name, labels in found if hasattr(labels, "equals")]


def _few(index: Any) -> str:
    shown = ", ".join(repr(label) for label in index[:3].tolist())
    return f"[{shown}{', ...' if len(index) > 3 else ''}]"
