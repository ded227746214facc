"""Ids of nodes: their order, their numbers, and what cannot be one."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, shown
from .arrays import native_array, object_array
from .link_arrays import check_length

if TYPE_CHECKING:
    import pandas as pd

HALF = re.compile("[\ud800-\udfff]")  # of a character of two parts


def natural_order(value: Hashable) -> tuple[int, float, str]:
    """Sort key that puts numbers, also written as text, before other text; a sign alone is one.

    Examples
    --------
    >>> sorted(["10", "b", "9", "a"], key=natural_order)
    ['9', '10', 'a', 'b']
    >>> sorted(["+", "0", "-"], key=natural_order)
    ['-', '0', '+']
    """
    try:
        number = float({"-": -1.0, "+": 1.0}.get(value, value))  # type: ignore[call-overload]
    except (TypeError, ValueError):
        return (1, 0.0, str(value))
    return (0, number, str(value)) if np.isfinite(number) else (1, 0.0, str(value))


def factor(values: Any) -> tuple[NDArray[np.intp], pd.Index[Any]]:
    """Number the distinct values; -1 where one is missing."""
    import pandas as pd

    if isinstance(values, pd.Categorical):
        return np.asarray(values.codes, dtype=np.intp), values.categories
    with keys_only("ids"):
        codes, names = pd.factorize(native(values))
        return codes, object_index(names)


@contextmanager
def keys_only(what: str) -> Iterator[None]:
    """Refuse lists, tables and the like, which Python cannot look up, as names.

    pandas keeps text as UTF-8, and cannot take what is none.
    """
    try:
        yield
    except UnicodeEncodeError as error:
        refuse_half_characters(what, [error.object])
        raise
    except TypeError as error:
        raise InputError(
            parameter=what,
            expected="text, numbers or other values that can be keys of a dict",
            got=f"another kind ({error})",
        ) from error


def native(values: Any) -> Any:
    """Keep arrays of integers or text as they are; all else becomes an array of objects."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "iuU":
        return values
    if hasattr(values, "factorize"):  # pandas columns know the fastest way themselves
        return values
    return object_array(values)


def object_index(values: Any) -> pd.Index[Any]:
    import pandas as pd

    if isinstance(values, np.ndarray) and values.dtype.kind in "iu":
        return pd.Index(values)
    array = values if isinstance(values, np.ndarray) and values.dtype == object else None
    return pd.Index(
        object_array(values) if array is None else array, dtype=object, tupleize_cols=False
    )


def link_ends(
    source: Any, target: Any, nodes: Any = None
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[Any]]:
    """Turn the ids of both ends into indices of nodes.

    Parameters
    ----------
    source, target : array_like of hashable, or pandas categoricals, length n_rows
    nodes : array_like of hashable, optional
        All ids in their order; by default those of the links in order of appearance.

    Returns
    -------
    source, target : ndarray of int, length n_rows
        Indices into `ids`; -1 for an id that is not among `nodes`.
    """
    check_length("target", len(target), len(source))
    if nodes is None and is_dense(source, target):
        return number_dense(source, target)
    ends = [factor(source), factor(target)]
    if nodes is None:
        first, second = (names for _, names in ends)
        with keys_only("ids"):
            index = first if second is first else first.append(second[~second.isin(first)])
    else:
        index = object_index(native(nodes))
        if not index.is_unique:
            twice = index[index.duplicated()][0]
            raise InputError(
                f"Network: node id {shown(twice)} occurs more than once; ids must differ"
            )
    s, t = (
        codes if names is index else take(index.get_indexer(names), codes) for codes, names in ends
    )
    if nodes is None:
        s, t, order = by_appearance(s, t, len(index))
        index = index[order]
    return s, t, index.to_numpy()


def is_dense(source: Any, target: Any) -> bool:
    """Return whether ids are integers that lie so near each other that a table can number them."""
    ends = (source, target)
    if not all(isinstance(end, np.ndarray) and end.dtype == np.int64 and end.size for end in ends):
        return False
    span = max(int(end.max()) for end in ends) - min(int(end.min()) for end in ends)
    return bool(span < 4 * source.size)


def number_dense(
    source: NDArray[np.int64], target: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Number integer ids as `link_ends` does, in a third of the time."""
    low = int(min(source.min(), target.min()))
    span = int(max(source.max(), target.max())) - low + 1
    s, t, order = by_appearance(source - low, target - low, span)
    return s, t, order + low


def by_appearance(
    source: NDArray[Any], target: NDArray[Any], count: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Number codes below `count` anew, in the order in which links name them; -1 stays.

    Examples
    --------
    >>> [x.tolist() for x in by_appearance(np.array([3, -1]), np.array([1, 3]), 4)]
    [[0, -1], [1, 0], [3, 1]]
    """
    size = 2 * source.size
    small: Any = (
        np.int32 if max(size, count) < 2**31 - 1 else np.int64
    )  # half the memory, and quicker
    codes = np.empty(size, dtype=small)
    codes[::2], codes[1::2] = source, target
    first: NDArray[Any] = np.full(
        count + 1, size, dtype=small
    )  # the last entry stands for the code -1
    # where each occurs first is written last
    first[codes[::-1]] = np.arange(size - 1, -1, -1, dtype=small)
    order = codes[np.sort(first[:-1][first[:-1] < size])]
    place = np.full(count + 1, -1, dtype=np.int64)
    place[order] = np.arange(order.size)
    return place[codes[::2]], place[codes[1::2]], order.astype(np.int64)


def take(table: NDArray[Any], codes: NDArray[Any]) -> NDArray[np.int64]:
    return np.asarray(np.append(table, -1)[codes], dtype=np.int64)


def refuse_half_characters(what: str, values: Iterable[Any]) -> None:
    """Refuse text with a lone surrogate, half of a character, which no file and no page can hold.

    JSON can name one, though, as ``"\\ud800"``.

    Examples
    --------
    >>> refuse_half_characters("ids", ["a", 2])
    >>> refuse_half_characters("ids", ["a", "b\\ud800"])
    Traceback (most recent call last):
    nettrial.InputError: Network: ids: expected text that can be written as UTF-8, ...
    """
    if isinstance(values, np.ndarray) and values.dtype.kind not in "OU":
        return
    items = values.tolist() if isinstance(values, np.ndarray) else list(values)
    try:
        whole = "".join(items)  # most are nothing but text
    except TypeError:
        items = [value for value in items if isinstance(value, str)]
        whole = "".join(items)
    if whole.isascii() or HALF.search(whole) is None:
        return
    text = next(text for text in items if HALF.search(text))
    raise InputError(
        parameter=what,
        expected="text that can be written as UTF-8",
        got=f"{shown(text)}, which holds half of a character",
        hint="write it anew where it comes from",
        where="Network",
    )


def check_ids(ids: Iterable[Hashable] | None, n: int) -> NDArray[Any]:
    if ids is None:
        return np.arange(n)
    array = native_array(ids)
    if array.size != n:
        raise InputError(
            expected=f"one id for each of {n} nodes", got=f"{array.size}", where="Network"
        )
    with keys_only("ids"):
        distinct = count_distinct(array)
    if distinct != n:
        seen: set[Hashable] = set()
        twice = next(i for i in array if i in seen or seen.add(i))  # type: ignore[func-returns-value]
        raise InputError(f"Network: node id {shown(twice)} occurs more than once; ids must differ")
    refuse_half_characters("ids", array)
    return array


def count_distinct(ids: NDArray[Any]) -> int:
    if ids.dtype == object:
        return len(set(ids.tolist()))
    if is_dense(ids, ids):
        seen = np.zeros(int(np.ptp(ids)) + 1, dtype=bool)
        seen[ids - ids.min()] = True
        return int(np.count_nonzero(seen))
    ids = np.sort(ids)
    return int(np.count_nonzero(ids[1:] != ids[:-1])) + bool(ids.size)
