"""What a table of results holds beside results, and which of its rows belong together.

A column of sizes or of means is no classifier, a row of means no data set, and splits of one data
set are no further data sets. What is left out, averaged or put in order by names is reported; what
names do not settle is asked.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, shown
from ..core.plain_text import printable
from ..core.wording import listed, plural
from ..io.columns import column_named
from ..io.vocabulary import DATA_SET, FOLD, REPEAT, usual
from ..published.cells import read_cell
from ..published.layout import ASIDE, SPREAD

Floats = NDArray[np.float64]
Order = NDArray[np.intp]
SIZES = re.compile(
    r"(?:n|cases|instances|samples|size|sizes|count|counts|support|weights?|duration|seconds|epochs?"
    r"|se|stderr|std[ _.-]?err(?:or)?|ci|lower|upper)"
    r"|(?:n|num|number|size)[ _.-]\w+|ci[ _.-]\w+",
    re.IGNORECASE,
)
SUMMARY = re.compile(
    r"(?:overall[ _.-]+)?(?:mean|average|avg|median|total|sum|overall|std|sd|stdev|ranks?)\.?"
    r"|(?:mean|average|avg)\.?[ _.-]+(?:rank|ranking|score|accuracy|acc|error)",
    re.IGNORECASE,
)
SPOILED = re.compile(r"[+-]?\d*[.,]\d")  # how a number begins that does not go on as one
# a column that is so much above all others holds something else
FAR = 10.0


def is_no_result(name: str, names: Sequence[str]) -> bool:
    """Return whether a column is a size, a mean or a spread, by its name.

    Examples
    --------
    >>> names = ["gcn", "gcn_std", "n_cases", "Avg. rank", "runtime"]
    >>> [is_no_result(name, names) for name in names]
    [False, True, True, True, True]
    """
    word = name.strip().rstrip(".")
    spread = SPREAD.search(word)
    of_another = spread is not None and word[: spread.start()] in names
    return of_another or any(p.fullmatch(word) for p in (ASIDE, SIZES, SUMMARY))


def without_others(found: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the columns that can be classifiers, and a word on those that are left out."""
    kept = [name for name in found if not is_no_result(name, found)]
    out = [name for name in found if name not in kept]
    if not kept or not out:
        return list(found), []
    note = f"column{'s' * (len(out) > 1)} {listed([repr(printable(name)) for name in out])}"
    return kept, [
        f"{note} left out, by name no results of a classifier; give --columns to take other ones"
    ]


def without_text(columns: Mapping[str, Sequence[str]]) -> list[str]:
    """Return a word on columns of text, which are left out; refuse one of spoiled numbers."""
    for name, cells in columns.items():
        for i, cell in enumerate(cells):
            if SPOILED.match(cell.strip()):
                raise InputError(
                    expected="a number with a decimal point",
                    got=shown(cell),
                    hint="repair the column, or name those to use by --columns (or --a and --b)",
                    where=f"column {shown(name)}, row {i + 1}",
                )
    if not columns:
        return []
    several, words = len(columns) > 1, listed([repr(printable(name)) for name in columns])
    return [f"column{'s' * several} {words} left out, which hold{'s' * (not several)} text"]


def check_alike(columns: Mapping[str, Sequence[str]]) -> None:
    """Refuse a column of other things than the others: far larger, or whole numbers above them."""
    values: dict[str, Floats] = {}
    for name, cells in columns.items():
        read = [read_cell(cell) for cell in cells]
        if any(cell is None for cell in read):
            return  # which is refused where the column is read
        numbers = [
            cell.mean / (100 if cell.percent else 1)
            for cell in read
            if cell is not None and not math.isnan(cell.mean)
        ]
        if numbers:
            values[name] = np.array(numbers)
    for name, own in values.items():
        others = [x for other, x in values.items() if other != name]
        if not others:
            return
        rest = np.concatenate(others)
        counts = (own == np.floor(own)).all() and all((x != np.floor(x)).any() for x in others)
        far = own.min() / FAR > np.abs(rest).max() > 0
        if far or (counts and own.min() > rest.max()):
            raise InputError(
                f"column {shown(name)} holds numbers from {own.min():g} to {own.max():g} and the "
                f"others from {rest.min():g} to {rest.max():g}; if it holds no results of a "
                "classifier, name those that do by --columns (or --a and --b)"
            )


def without_summaries(
    columns: dict[str, list[str]], names: Sequence[str]
) -> tuple[dict[str, list[str]], list[str]]:
    """Leave out rows that are called mean, average, std or the like in a column of names."""
    size = len(next(iter(columns.values()), []))
    called = {
        i: columns[name][i]
        for name in names
        for i in range(size)
        if SUMMARY.fullmatch(columns[name][i].strip())
    }
    if not called or len(called) == size:
        return columns, []
    kept = {
        name: [cell for i, cell in enumerate(cells) if i not in called]
        for name, cells in columns.items()
    }
    rows = listed([repr(printable(word)) for word in dict.fromkeys(called.values())])
    return kept, [f"row{'s' * (len(called) > 1)} {rows} left out, which {_sum_up(len(called))}"]


def _sum_up(n: int) -> str:
    return "sums up the others" if n == 1 else "sum up the others"


class DataSets:
    """The data set of each row, where rows of one are splits of it."""

    def __init__(self, labels: Sequence[str]) -> None:
        self.labels = list(labels)
        self.names = list(dict.fromkeys(labels))
        self.repeated = len(self.names) < len(self.labels)

    def mean(self, values: Floats) -> Floats:
        """Return the mean of each data set."""
        place = {name: i for i, name in enumerate(self.names)}
        codes = np.array([place[label] for label in self.labels])
        return np.asarray(np.bincount(codes, values) / np.bincount(codes))

    def note(self) -> str:
        """Return how many rows each has."""
        counts = {self.labels.count(name) for name in self.names}
        each = f"{min(counts)}" if len(counts) == 1 else f"{min(counts)} to {max(counts)}"
        return (
            f"{plural(len(self.labels), 'row')} are {each} of each of "
            f"{plural(len(self.names), 'data set')} and are averaged: the test counts data sets"
        )

    def several(self, test: str) -> str:
        """Return why a test of splits of one data set cannot take several."""
        some = ", ".join(printable(name) for name in self.names[:4])
        more = ", ..." if len(self.names) > 4 else ""
        return (
            f"{test}: the rows are splits or cases of {len(self.names):,} data sets "
            f"({some}{more}), which are no sample of one; choose one by --where COLUMN=VALUE, "
            "compare over data sets by wilcoxon or friedman, which average the splits of each, or "
            "give --data-sets none if the rows are independent"
        )


def data_sets(
    columns: Mapping[str, Sequence[str]], named: str | None, taken: Sequence[str | None]
) -> DataSets | None:
    """Return the data set of each row by the column that names it, None without one."""
    if named is not None:
        if named.lower() == "none":
            return None
        return DataSets(columns[column_named(columns, named)])
    found = usual([name for name in columns if name not in taken], DATA_SET)
    return None if found is None else DataSets(columns[found])


def in_order(
    columns: Mapping[str, Sequence[str]], size: int, folds: int | None
) -> tuple[Order, int, str] | None:
    """Return the order of the rows by repeat and fold, and the folds of each repeat.

    None where no columns tell, and the rows stand as they are.
    """
    repeat, fold = usual(list(columns), REPEAT), usual(list(columns), FOLD)
    if repeat is None and (fold is None or len(set(columns[fold])) == size):
        return None
    within = _places(columns[fold]) if fold is not None else np.zeros(size, dtype=np.intp)
    if repeat is not None:
        outer = _places(columns[repeat])
    else:
        seen: dict[int, int] = {}
        outer = np.empty(size, dtype=np.intp)
        for i, place in enumerate(within.tolist()):
            outer[i] = seen[place] = seen.get(place, -1) + 1
    counts = np.bincount(outer)
    if counts.min() != counts.max():
        raise InputError(
            expected="as many folds in every repeat",
            got=f"from {counts.min()} to {counts.max()}",
            where=f"column {shown(repeat or fold)}",
        )
    if fold is not None and len(set(zip(outer.tolist(), within.tolist()))) < size:
        raise InputError(expected="every fold once in each repeat", where=f"column {shown(fold)}")
    number = int(counts[0])
    if folds is not None and folds != number:
        raise InputError(
            parameter="folds", expected=f"{number}, as the columns of the table say", got=f"{folds}"
        )
    by = listed([repr(name) for name in (repeat, fold) if name is not None])
    note = f"rows by {by}: {plural(counts.size, 'repeat')} of {plural(number, 'fold')}"
    return np.lexsort((within, outer)), number, note


def several_repeats(columns: Mapping[str, Sequence[str]]) -> bool:
    """Return whether a column tells of more than one repeat of a cross-validation."""
    repeat = usual(list(columns), REPEAT)
    return repeat is not None and 1 < len(set(columns[repeat])) < len(columns[repeat])


def _places(cells: Sequence[str]) -> Order:
    """Number the values of a column, in the order of numbers or else of appearance."""
    names = list(dict.fromkeys(cells))
    numbers = [read_cell(name) for name in names]
    if all(cell is not None and not math.isnan(cell.mean) for cell in numbers):
        names = [n for _, n in sorted(zip([c.mean for c in numbers if c is not None], names))]
    place = {name: i for i, name in enumerate(names)}
    return np.array([place[cell] for cell in cells], dtype=np.intp)
