"""What the results of tests can do: become a dict, a table, readable text, a notebook cell."""

from __future__ import annotations

import dataclasses
import html
import math
from collections.abc import Iterator, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from .errors import CallError
from .plain_text import printable

if TYPE_CHECKING:
    import pandas as pd


def jsonable(value: Any) -> Any:
    """Turn numpy values into plain Python that JSON can hold; NaN and infinities become None.

    Examples
    --------
    >>> jsonable({"p": np.float64(0.5), "t": math.nan, "d": np.arange(2)})
    {'p': 0.5, 't': None, 'd': [0, 1]}
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: jsonable(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): jsonable(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return jsonable(value.tolist())
    if isinstance(value, (list, tuple)):
        return [jsonable(item) for item in value]
    if isinstance(value, np.generic):
        return jsonable(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def plain_table(values: Any) -> dict[str, Any]:
    """Turn a mapping or a dataclass into a dict of plain Python values that JSON can hold.

    Examples
    --------
    >>> plain_table({"p": np.float64(0.5)})
    {'p': 0.5}
    """
    return dict(jsonable(values))


def show(value: Any) -> str:
    """Write one value for people: four significant digits, lists shortened.

    Examples
    --------
    >>> show(0.0123456), show(12345678.0), show(None), show([1.0, 2.0])
    ('0.01235', '12345678', '-', '1, 2')
    """
    if value is None:
        return "-"
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (float, np.floating)):
        number = float(value)
        return str(int(number)) if number.is_integer() and abs(number) < 1e15 else f"{number:.4g}"
    if isinstance(value, np.ndarray):
        if value.size > 12:
            return f"array of shape {value.shape}"
        return show(value.tolist())
    if isinstance(value, (list, tuple)):
        return ", ".join(show(item) for item in value)
    if isinstance(value, Mapping):
        return "; ".join(f"{key} {show(item)}" for key, item in value.items())
    return str(value)


def counted(name: str, value: Any) -> str:
    """Write a value as `show` does, with separators of thousands unless its name says it is a seed.

    Examples
    --------
    >>> counted("links", 1065), counted("mean", 12345.6), counted("share", 0.3), counted("x", True)
    ('1,065', '12,346', '0.3', 'yes')
    >>> counted("seed", 12345)
    '12345'
    """
    is_number = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
    if is_number and name != "seed" and 1000 <= abs(value) < 1e9:
        return f"{value:,.0f}"
    return show(value)


class Shown:
    """Base of all results: their text holds no control characters, whatever names are in it."""

    __slots__ = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "__str__" in vars(cls):
            write = cls.__str__
            cls.__str__ = wraps(write)(lambda self: printable(write(self)))  # type: ignore[method-assign]


class Result(Shown):
    """Mixin for the frozen dataclasses that functions return."""

    __slots__ = ()
    _words: ClassVar[Mapping[str, str]] = {}  # for fields whose names say too little

    def __iter__(self) -> Iterator[Any]:
        """Unpack into statistic and p-value, as results of SciPy do, where there is one of each."""
        names = [field.name for field in dataclasses.fields(self)]  # type: ignore[arg-type]
        if {"statistic", "pvalue"} <= set(names) and "adjusted_pvalue" not in names:
            return iter((self.statistic, self.pvalue))  # type: ignore[attr-defined]
        raise CallError(
            "does not unpack, since it is not one test with a statistic and a p-value",
            hint=f"take what you need by its name: {', '.join(names)}",
            where=type(self).__name__,
        )

    if not TYPE_CHECKING:  # under which every name would count as an attribute

        def __getattr__(self, name: str) -> Any:
            """Name the fields that stand for SciPy's method; there is no attribute otherwise."""
            here = [field.name for field in dataclasses.fields(self)]
            message = f"{type(self).__name__!r} object has no attribute {name!r}"
            if name == "confidence_interval":
                ends = [each for each in here if each.startswith("ci_")]
                where = f"its ends are {' and '.join(ends)}" if ends else "it has no interval"
                message = f"{message}; {where}"
            raise AttributeError(message, name=name, obj=self)

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain Python values that JSON can hold."""
        return plain_table(self)

    def to_frame(self) -> pd.DataFrame:
        """Return the result as a table, one row per test (several rows for array results)."""
        import pandas as pd

        flat: dict[str, Any] = {}
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if isinstance(value, Mapping):
                flat.update(value)
            elif isinstance(value, tuple):
                flat[field.name] = "; ".join(map(str, value))
            else:
                flat[field.name] = value
        columns = {
            name: np.ravel(value) if isinstance(value, np.ndarray) else value
            for name, value in flat.items()
        }
        rows = max((v.size for v in columns.values() if isinstance(v, np.ndarray)), default=1)
        return pd.DataFrame(
            {
                name: value
                if isinstance(value, np.ndarray) and value.size == rows
                else [value] * rows
                for name, value in columns.items()
            }
        )

    def _lines(self) -> list[tuple[str, str]]:
        lines: list[tuple[str, str]] = []
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if field.name == "details":
                lines += [
                    (str(key).replace("_", " "), counted(str(key), item))
                    for key, item in value.items()
                ]
            elif field.name == "notes":
                lines += [("note", show(item)) for item in value]
            elif not (isinstance(value, tuple) and not value):
                words = self._words.get(field.name, field.name.replace("_", " "))
                lines.append((words, counted(field.name, value)))
        return lines

    def __str__(self) -> str:
        lines = self._lines()
        width = max(len(name) for name, _ in lines)
        return "\n".join(f"{name:<{width}}  {value}" for name, value in lines)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
            f"<td style='text-align:left'>{html.escape(value)}</td></tr>"
            for name, value in self._lines()
        )
        return f"<table>{rows}</table>"
