"""Numbers for node ids that come in pieces."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class Numbering(Protocol):
    """Turns ids into node numbers; new ids get the next numbers unless the nodes are given."""

    def number(self, ids: NDArray[Any]) -> NDArray[np.int64]:
        """Number ids in order of appearance; -1 for one that is not among the given nodes."""
        ...

    def ids(self) -> NDArray[Any]:
        """Return all ids in the order of their numbers."""
        ...


class IntegerNumbering:
    """Numbers integers by a sorted table.

    Examples
    --------
    >>> numbering = IntegerNumbering()
    >>> numbering.number(np.array([7, 3, 7])).tolist(), numbering.number(np.array([9, 3])).tolist()
    ([0, 1, 0], [2, 1])
    """

    def __init__(self, given: NDArray[np.int64] | None = None) -> None:
        self._grows = given is None
        order = np.argsort(np.empty(0, np.int64) if given is None else given, kind="stable")
        self._sorted = np.empty(0, np.int64) if given is None else given[order]
        self._numbers = order.astype(np.int64)

    def number(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Number ids."""
        distinct, first, inverse = np.unique(ids, return_index=True, return_inverse=True)
        place = np.searchsorted(self._sorted, distinct)
        inside = np.minimum(place, max(self._sorted.size - 1, 0))
        known = (
            self._sorted[inside] == distinct if self._sorted.size else np.zeros(distinct.size, bool)
        )
        numbers = np.full(distinct.size, -1, dtype=np.int64)
        numbers[known] = self._numbers[inside[known]]
        new = np.flatnonzero(~known)
        if self._grows and new.size:
            rank = np.empty(new.size, dtype=np.int64)
            rank[np.argsort(first[new])] = np.arange(new.size)
            numbers[new] = self._sorted.size + rank
            self._sorted = np.insert(self._sorted, place[new], distinct[new])
            self._numbers = np.insert(self._numbers, place[new], numbers[new])
        return numbers[inverse.ravel()]

    def ids(self) -> NDArray[np.int64]:
        """Return all ids."""
        out = np.empty_like(self._sorted)
        out[self._numbers] = self._sorted
        return out


class TableNumbering:
    """Numbers integers of a small range by looking them up, for nodes that are given.

    Examples
    --------
    >>> TableNumbering(np.array([7, 3])).number(np.array([3, 8, 7, -1])).tolist()
    [1, -1, 0, -1]
    """

    def __init__(self, given: NDArray[np.int64]) -> None:
        self._given = given
        self._low = int(given.min())
        self._numbers = np.full(int(given.max()) - self._low + 1, -1, dtype=np.int32)
        self._numbers[given - self._low] = np.arange(given.size, dtype=np.int32)

    @staticmethod
    def serves(given: NDArray[np.int64]) -> bool:
        """Return whether the table is not much longer than the list of nodes."""
        return given.size > 0 and int(given.max()) - int(given.min()) < 4 * given.size

    def number(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Number ids."""
        inside = (ids >= self._low) & (ids < self._low + self._numbers.size)
        numbers = np.full(ids.size, -1, dtype=np.int64)
        numbers[inside] = self._numbers[ids[inside] - self._low]
        return numbers

    def ids(self) -> NDArray[np.int64]:
        """Return all ids."""
        return self._given


class TextNumbering:
    """Numbers text by a dictionary.

    Examples
    --------
    >>> TextNumbering().number(np.array(["b", "a", "b"], dtype=object)).tolist()
    [0, 1, 0]
    """

    def __init__(self, given: NDArray[Any] | None = None) -> None:
        self._grows = given is None
        names = [] if given is None else map(str, given.tolist())
        self._numbers = {name: number for number, name in enumerate(names)}

    def number(self, ids: NDArray[Any]) -> NDArray[np.int64]:
        """Number ids."""
        import pandas as pd

        codes, distinct = pd.factorize(ids)
        table = self._numbers
        if self._grows:
            found = [table.setdefault(str(name), len(table)) for name in distinct]
        else:
            found = [table.get(str(name), -1) for name in distinct]
        return np.array(found, dtype=np.int64)[codes]

    def ids(self) -> NDArray[Any]:
        """Return all ids."""
        return np.array(list(self._numbers), dtype=object)
