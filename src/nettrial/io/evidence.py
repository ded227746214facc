"""What is seen of a column, and how much that speaks for each of its roles: one table.

A column can be an end of links, their weight, the id of nodes or their class. What is seen of it
is added up for each role; who chooses takes the best, and asks where another comes near.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np

from .column_looks import Column
from .vocabulary import (
    CLASS_WORDS,
    COUNTS,
    DISPLAY,
    ID_WORDS,
    LABEL,
    NAME_WORDS,
    NO_WEIGHT,
    PLACES,
    RANKS,
    SET_WORDS,
    SETS,
    TIME_WORDS,
    WEIGHT,
    WEIGHT_WORDS,
    plain,
)

Role: TypeAlias = Literal["end", "weight", "id", "label"]
T = TypeVar("T", bound=Hashable)

NO = -9.0  # cannot be
FEW = 4  # values that may differ by accident
SINGLE = 8  # values from which on classes of one node are no accident
SINGLES = 0.1  # share of nodes whose value nobody shares from which on it is no class
LOW = 0.75  # share of nodes in the lower half of the range of counts
MANY = 20  # classes that numbers may name
EMPTY, CONSTANT = "is empty", "has one value only"


class Sign(NamedTuple):
    """One thing that is seen of a column, in words, and how much it speaks for each role."""

    words: str
    end: float
    weight: float
    id: float
    label: float
    seen: Callable[[Column], bool]
    by_name: bool = True


def says(vocabulary: Iterable[str], *, only: bool = False) -> Callable[[Column], bool]:
    """Return a test whether some words of a name, or all, are in a vocabulary."""
    known = frozenset(vocabulary)
    if only:
        return lambda column: bool(column.words) and column.words <= known
    return lambda column: not column.words.isdisjoint(known)


def is_other_name(column: Column) -> bool:
    """Return whether a name is that of names, places, sizes or counts, and of no class."""
    if column.words & {"class", "label", "group"}:
        return False
    if column.name.lower() == "y":
        return any(other.lower() == "x" for other in column.beside)
    return says(NAME_WORDS)(column) or says(PLACES | COUNTS | {"viz", "layout"}, only=True)(column)


def is_counted(column: Column) -> bool:
    """Return whether whole numbers are counts rather than codes of classes.

    Most nodes are in the lower half of their range, and above there are gaps or single nodes.
    """
    if column.words & CLASS_WORDS or column.codes is None or len(column.codes[0]) < FEW:
        return False
    numbers, counts = column.codes
    low = counts[2 * numbers <= numbers[0] + numbers[-1]].sum()
    ragged = numbers[-1] - numbers[0] >= numbers.size or counts[-1] == 1
    falls = counts[0] == counts.max() or counts[1] == counts.max()
    return bool(numbers[0] in (0, 1) and LOW * counts.sum() <= low and falls and ragged)


def is_single(column: Column) -> bool:
    counts = column.counted[1]
    single = int(np.count_nonzero(counts == 1))
    return counts.sum() >= SINGLE and 2 * single > counts.size and single > SINGLES * counts.sum()


def is_varied(column: Column) -> bool:
    n = int(column.counted[1].sum())
    return column.codes is not None and len(column.codes[0]) > max(MANY, n / 5)


def is_flag(column: Column) -> bool:
    if column.words & WEIGHT_WORDS or column.numbers is None:
        return False
    return {0.0} <= set(np.unique(column.numbers).tolist()) <= {0.0, 1.0}


def _alone(column: Column, count: int) -> bool:
    return int(column.counted[1].sum()) >= FEW and len(column.counted[0]) == count


EVIDENCE = (
    # by its name                                       end weight id label
    Sign("is an index by its name", NO, NO, -1.4, NO, lambda c: c.is_index),
    Sign("is the weight by its name", NO, 9, 0, 0, lambda c: plain(c.name) in WEIGHT),
    Sign("is a time by its name", NO, NO, 0, 0, says(TIME_WORDS)),
    Sign("is no weight by its name", 0, NO, 0, 0, says(NO_WEIGHT)),
    Sign("is called a weight", 0, 2, 0, 0, says(WEIGHT_WORDS)),
    Sign("is a rank by its name", 0, 0, NO, 0, says(RANKS)),
    Sign("is a measure by its name", 0, 0, NO, 0, says(PLACES, only=True)),
    Sign("is an id by its name", 0, 0, 0.5, 0, says(ID_WORDS)),
    Sign("is the class by its name", 0, 0, 0, 3, lambda c: c.name.lower() in LABEL),
    Sign("is a color or shape by its name", 0, 0, 0, NO, says(DISPLAY)),
    Sign("is a part of a split by its name", 0, 0, 0, NO,
         lambda c: says(SET_WORDS)(c) or says(SETS, only=True)(c)),
    Sign("is no class by its name", 0, 0, 0, NO, is_other_name),
    # by its values
    Sign("holds dates or times", NO, 0, 0, 0, lambda c: c.dates, False),
    Sign("holds fractions", NO, 0, NO, 0, lambda c: c.fractions, False),
    Sign("counts its rows", NO, 0, 0, 0, lambda c: c.running and bool(c.name), False),
    Sign("has values that occur again", 0, 0, NO, 0,
         lambda c: 2 * len(c.distinct) <= len(c), False),
    Sign("holds numbers", 0, 1, 0, 0, lambda c: c.numeric, False),
    Sign("looks like a flag of 0 and 1", 0, -4, 0, 0, is_flag, False),
    Sign("looks like running row numbers", 0, -4, 0, 0, lambda c: c.running, False),
    Sign("looks like {c.times}", 0, -4, 0, 0, lambda c: bool(c.times), False),
    Sign(EMPTY, 0, 0, 0, NO, lambda c: not c.counted[0], False),
    Sign("holds fractions, as measurements do", 0, 0, 0, NO,
         lambda c: c.codes is not None and bool((c.codes[0] % 1 != 0).any()), False),
    Sign("differs from node to node", 0, 0, 0, NO,
         lambda c: _alone(c, int(c.counted[1].sum())), False),
    Sign(CONSTANT, 0, 0, 0, NO, lambda c: _alone(c, 1), False),
    Sign("has mostly values of one node", 0, 0, 0, NO, is_single, False),
    Sign("holds too many different numbers", 0, 0, 0, NO, is_varied, False),
    Sign("holds numbers that look like counts", 0, 0, 0, NO, is_counted, False),
)  # fmt: skip


def weigh(column: Column, role: Role, *, by_name: bool = False) -> float:
    """Add up what speaks for a role; `by_name`: of its name alone."""
    signs = (s for s in EVIDENCE if getattr(s, role) and (s.by_name or not by_name))
    return float(sum(getattr(sign, role) for sign in signs if sign.seen(column)))


def why_not(column: Column, role: Role, *, by_name: bool | None = None) -> str:
    """Return what speaks against a role, of its name or its values alone where asked for.

    Examples
    --------
    >>> [why_not(Column([], name), "label", by_name=True) for name in ("y", "color", "class_id")]
    ['', 'is a color or shape by its name', '']
    >>> why_not(Column([], "y", beside=["x", "y"]), "label", by_name=True)
    'is no class by its name'
    >>> why_not(Column([0.5, 1.5, 0.5]), "label"), why_not(Column(["a", "b", "c", "d"]), "label")
    ('holds fractions, as measurements do', 'differs from node to node')
    >>> why_not(Column([0] * 9 + [1] * 5 + [2] * 3 + [4], "v"), "label")
    'holds numbers that look like counts'
    >>> why_not(Column(np.arange(20), "n"), "end"), why_not(Column([1999, 2004, 2001]), "weight")
    ('counts its rows', 'looks like years')
    """
    for sign in EVIDENCE:
        fits = by_name in (None, sign.by_name) and getattr(sign, role) < 0
        if fits and sign.seen(column):
            return sign.words.format(c=column)
    return ""


def ranked(weights: Mapping[T, float], near: float) -> tuple[list[T], list[T]]:
    """Return all from the heaviest on, and those that come near it: who has some must ask.

    Examples
    --------
    >>> ranked({"a": 1.0, "b": 4.0, "c": 3.5}, near=1.0)
    (['b', 'c', 'a'], ['c'])
    """
    order = sorted(weights, key=lambda each: -weights[each])
    return order, [each for each in order[1:] if weights[order[0]] - weights[each] < near]
