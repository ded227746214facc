"""Names that data bring along, kept by every function that takes several columns or groups."""

from __future__ import annotations

import dataclasses
import inspect
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike

from ..core.errors import InputError, shown
from ..numeric.checks import stacked_columns
from ..numeric.input_alignment import refuse_other_index
from .omnibus import OmnibusResult

Table: TypeAlias = ArrayLike | Mapping[str, ArrayLike]
Groups: TypeAlias = Sequence[ArrayLike] | Mapping[str, ArrayLike]
Decorated = TypeVar("Decorated", bound=Callable[..., Any])

PARAMETERS = ("values", "outcomes", "groups", "scores", "pvalues")  # what holds several


def keep_names(decorated: Decorated) -> Decorated:
    """Take names from the data: of columns, of an index, of Series in a list, or of a dictionary.

    They become the parameter `names` where the function has one and none is given, and stand in
    `details` of an `OmnibusResult` otherwise.
    """
    parameters = list(inspect.signature(decorated).parameters)
    held = next(name for name in PARAMETERS if name in parameters)
    place = parameters.index(held)

    @wraps(decorated)
    def call(*args: Any, **kwargs: Any) -> Any:
        given = args[place] if place < len(args) else kwargs.get(held)
        values, names = without_names(held, given)
        if kwargs.get("names") is None or held == "groups":
            _refuse_repeated(held, names or ())
        if values is not given:
            if place < len(args):
                args = (*args[:place], values, *args[place + 1 :])
            else:
                kwargs[held] = values
        if names is not None and "names" in parameters:
            kwargs["names"] = names if kwargs.get("names") is None else kwargs["names"]
        found = decorated(*args, **kwargs)
        if names is None or "names" in parameters or not isinstance(found, OmnibusResult):
            return found
        if np.ndim(found.pvalue):  # several tests, of which a table has a row each
            return found
        return dataclasses.replace(
            found, details=MappingProxyType({"names": names, **found.details})
        )

    return cast(Decorated, call)


def without_names(what: str, given: Any) -> tuple[Any, tuple[str, ...] | None]:
    """Return data as functions read them, and the names that they have; None without any.

    Examples
    --------
    >>> without_names("groups", {"A": [1, 2], "B": [3]})
    ([[1, 2], [3]], ('A', 'B'))
    >>> without_names("values", {"A": [1, 2], "B": [3, 4]})[0].tolist()
    [[1.0, 3.0], [2.0, 4.0]]
    """
    columns, index = getattr(given, "columns", None), getattr(given, "index", None)
    if what == "groups":
        _refuse_unclear(given, columns)
    if isinstance(given, Mapping):
        parts, names = list(given.values()), list(given)
        refuse_other_index(**{str(name): part for name, part in given.items() if what != "groups"})
        axis = 0 if what == "pvalues" else -1
        values: Any = parts if what == "groups" else stacked_columns(what, given, axis)
    elif columns is not None and np.iterable(columns):
        names = list(columns)
        values = [given[name] for name in names] if what == "groups" else given
    elif what in ("pvalues", "groups") and np.iterable(index):
        values, names = given if what == "pvalues" else list(given), list(index)
    elif what == "groups" and isinstance(given, (list, tuple)):
        values, names = given, [getattr(part, "name", None) for part in given]
        if all(name is None for name in names):
            return given, None
        names = [i if name is None else name for i, name in enumerate(names)]
        if len(set(names)) < len(names):  # the same column of several tables
            return given, None
    else:
        return given, None
    unnamed = any(name is None or name != name for name in names)
    return values, None if unnamed else tuple(map(str, names))


def with_labels_of(given: Any, values: Any) -> Any:
    """Return values in the type, and with the index and columns, of the table that they are of.

    Examples
    --------
    >>> import pandas as pd
    >>> with_labels_of(pd.Series([3, 4], index=["a", "b"]), [1, 2]).to_dict()
    {'a': 1, 'b': 2}
    """
    index, columns = getattr(given, "index", None), getattr(given, "columns", None)
    if not np.iterable(index):
        return values
    _refuse_repeated("pvalues", list(map(str, index)))
    if not np.iterable(columns):
        return type(given)(values, index=index, name=given.name)
    _refuse_repeated("pvalues", list(map(str, columns)))
    return type(given)(values, index=index, columns=columns)


def _refuse_unclear(given: Any, columns: Any) -> None:
    """Refuse groups of which nothing says where each begins."""
    if hasattr(given, "get_group"):
        raise InputError(
            parameter="groups",
            expected="one list of values per group",
            got="a groupby of pandas",
            hint="pass {name: part for name, part in table.groupby(column)[values]}",
        )
    if getattr(given, "ndim", 0) == 2 and columns is None:
        raise InputError(
            parameter="groups",
            expected="one list of values per group",
            got=f"an array of shape {tuple(given.shape)}, which does not say whether a group is "
            "a row or a column",
            hint="pass list(array) for rows or list(array.T) for columns",
        )


def _refuse_repeated(what: str, names: Sequence[str]) -> None:
    for name, times in Counter(names).items():
        if times > 1:
            raise InputError(
                parameter=what,
                expected="each name once",
                got=f"{times} called {shown(name)}",
                hint="rename them",
            )
