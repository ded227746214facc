"""What is seen of one column of a table: its name, and its values, each of which is asked once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..numeric.checks import is_missing
from .columns import (
    HEAD,
    Columns,
    as_numbers,
    called,
    is_index_name,
    is_number,
    number_of,
    starts_with_numbers,
)
from .vocabulary import words

DATE = re.compile(
    r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?|\d\d:\d\d:\d\d([.,]\d+)?"
    r"|\d{1,2}[./]\d{1,2}[./]\d{2,4}"
)
YEARS = (1700, 2100)
FEW = 8  # rows in which a sequence may be an accident
MANY = 1000  # rows that are looked at before all
GROWING = 12  # rows from which on numbers that never fall look like times


class Column:
    """One column of a table.

    `called` is what messages call it, and `beside` are the titles of the table.

    Examples
    --------
    >>> column = Column(["2020-01-31", "2020-02-01"], "when")
    >>> column.dates, column.fractions, sorted(column.ids)[0]
    (True, False, '2020-01-31')
    """

    def __init__(
        self, values: Any, name: str = "", called: str = "", beside: Iterable[str] = ()
    ) -> None:
        self.values, self.name, self.called, self.beside = values, name, called, beside
        self.key = name
        self.words = frozenset(words(name))
        self.is_index = bool(called or name) and is_index_name(name)

    @classmethod
    def of(cls, table: Columns, name: str) -> Column:
        """Return a column of a table."""
        found = cls(table[name], name if table.header else "", called(table, name), table.names)
        found.key, found.is_index = name, found.is_index and table.header
        return found

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def counted(self) -> tuple[list[Any], NDArray[np.int64]]:
        """Return the distinct values that are not missing, and how often each occurs."""
        import pandas as pd

        codes, names = pd.factorize(as_objects(self.values), use_na_sentinel=True)
        counts = np.bincount(codes[codes >= 0], minlength=len(names))
        present = [k for k, name in enumerate(names) if not is_missing(name)]
        return [names[k] for k in present], counts[present]

    @cached_property
    def distinct(self) -> Any:
        """Return the distinct values, in the order in which they come."""
        import pandas as pd

        return np.asarray(pd.unique(as_objects(self.values)))

    @cached_property
    def ids(self) -> set[str]:
        """Return the distinct values as text."""
        return set(map(str, self.distinct.tolist()))

    @property
    def differs(self) -> bool:
        """Whether no value occurs twice."""
        if "distinct" not in self.__dict__:  # most columns show it at once
            head = Column(self.values[:MANY])
            if len(head) == MANY and len(head.distinct) < MANY:
                return False
        return len(self.distinct) == len(self)

    @property
    def two(self) -> bool:
        """Whether there are two values at most."""
        return len(Column(self.values[:MANY]).distinct) <= 2 >= len(self.distinct)

    @property
    def constant(self) -> bool:
        """Whether there is one value only."""
        return len(self) >= FEW and len(self.distinct) == 1

    @cached_property
    def numeric(self) -> bool:
        """Whether the first values are numbers; the rest may hold others."""
        return starts_with_numbers(self.values)

    @cached_property
    def numbers(self) -> NDArray[np.float64] | None:
        """Return the values as numbers; None where any is none."""
        return as_numbers(as_objects(self.values))

    @property
    def integers(self) -> bool:
        """Whether the values are stored as integers."""
        return isinstance(self.values, np.ndarray) and self.values.dtype.kind in "iu"

    @cached_property
    def fractions(self) -> bool:
        """Whether there are numbers, and not only whole ones."""
        found = None if self.integers else self.numbers
        return found is not None and bool((found != np.floor(found)).any())

    @cached_property
    def whole(self) -> NDArray[np.float64] | None:
        """Return the values as whole numbers; None where any is none."""
        found = self.numbers
        return None if found is None or self.fractions or np.isinf(found).any() else found

    @cached_property
    def running(self) -> bool:
        """Whether the values count the rows: 0, 1, 2, ... or 1, 2, 3, ..."""
        if len(self) < FEW or self.whole is None or self.whole[0] not in (0, 1):
            return False
        return bool((np.diff(self.whole) == 1).all())

    @cached_property
    def dates(self) -> bool:
        """Whether the values are dates or times of day."""
        head = [str(value) for value in self.values[:HEAD]]
        return bool(head) and all(map(DATE.fullmatch, head))

    @cached_property
    def times(self) -> str:
        """Return what kind of times numbers look like; empty where they look like none."""
        numbers, whole = self.numbers, self.whole is not None
        if numbers is None or numbers.size < 2 or not np.isfinite(numbers).all():
            return ""
        low, high = float(numbers.min()), float(numbers.max())
        if low == high:
            return ""
        if whole and YEARS[0] <= low and high <= YEARS[1]:
            return "years"
        if whole and is_calendar(numbers):
            return "dates"
        if low >= 1e8 and high < 3 * low and any(a <= low and high <= 10 * a for a in (4e8, 4e11)):
            return "Unix times"
        steps = np.diff(numbers)
        grows = numbers.size >= GROWING and whole and (steps >= 0).all()
        several = grows and np.count_nonzero(steps) + 1 >= GROWING // 2
        return "times, since they never fall" if several else ""

    @cached_property
    def codes(self) -> tuple[NDArray[np.float64], NDArray[np.int64]] | None:
        """Return the distinct numbers in order, and how often each occurs; None with others."""
        names, counts = self.counted
        if not names or not all(map(is_number, names)):
            return None
        numbers = np.array([number_of(str(name)) for name in names])
        order = np.argsort(numbers)
        return numbers[order], counts[order]


def is_calendar(numbers: NDArray[np.float64]) -> bool:
    """Return whether whole numbers are dates such as 20130401."""
    year, rest = np.divmod(numbers, 10_000)
    month, day = np.divmod(rest, 100)
    bounds = ((year, *YEARS), (month, 1, 12), (day, 1, 31))
    return all(bool(((part >= low) & (part <= high)).all()) for part, low, high in bounds)


def as_objects(values: Any) -> Any:
    """Return values as pandas can count them; lists, which cannot be hashed, as text."""
    if hasattr(values, "dtype") and values.dtype.kind != "O":
        return values
    items = values.tolist() if hasattr(values, "tolist") else list(values)
    array = np.empty(len(items), dtype=object)
    if any(issubclass(kind, (list, dict, set)) for kind in set(map(type, items))):
        items = [str(item) if isinstance(item, (list, dict, set)) else item for item in items]
    array[:] = items
    return array


def shared(first: Column, second: Column) -> int:
    """Count the values that two columns share."""
    if first.integers and second.integers:
        return int(np.intersect1d(first.distinct, second.distinct, assume_unique=True).size)
    return len(first.ids & second.ids)


def overlap(first: Column, second: Column) -> float:
    """Return the share of the values of two columns that are in both."""
    common = shared(first, second)
    return common / max(len(first.distinct) + len(second.distinct) - common, 1)
