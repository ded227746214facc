"""What each kind of test takes from a table of results, or from counts on the command line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..core.errors import InputError, shown
from ..core.plain_text import printable
from ..core.wording import listed, plural
from ..io.columns import refuse_truth
from ..io.vocabulary import CONFIDENCE, PREDICTED, VALUE
from ..stats.catalog import CATALOG, DATA_SETS, TestSpecification
from .tables import Table, names_rows
from .test_rows import (
    DataSets,
    check_alike,
    data_sets,
    in_order,
    several_repeats,
    without_others,
    without_text,
)


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns of a table take part, as the user named them, in which test."""

    table: Table
    test: TestSpecification
    a: tuple[str, ...] = ()
    b: tuple[str, ...] = ()
    truth: str | None = None
    groups: str | None = None
    listed: tuple[str, ...] = ()
    folds: int | None = None
    data_sets: str | None = None
    note: list[str] = field(default_factory=list)
    """What was left out, averaged or put in order."""

    def check(self) -> None:
        """Refuse names that are no column's or stand twice, and folds without replicates."""
        for name in (self.truth, self.groups, *self.listed, *self.a, *self.b):
            if name is not None:
                self.table.text(name)
        if self.listed and (self.a or self.b):
            raise InputError("--columns and --a or --b both name the classifiers: give one of them")
        if self.truth is None:
            refuse_truth(self.table.columns, self.listed or (*self.a, *self.b), named=True)
        for named in (self.listed, (*self.a, *self.b)):
            twice = [name for name in named if named.count(name) > 1]
            if twice and not (self.a[1:] and named is not self.listed):
                raise InputError(f"column {shown(twice[0])} is named twice, and would meet itself")
        if self.folds is not None and self.test.shape not in REPLICATED:
            raise InputError(
                parameter="folds",
                expected=f"none, since {self.test.name} has no replicates",
                got="it",
            )

    def classifiers(self, *, classes: bool = False) -> list[str]:
        """Return the columns named by --columns, or all that can be classifiers.

        Columns of text are none, unless what they hold are `classes`.
        """
        if self.listed:
            self._check_unit(self.listed, classes)
            return list(self.listed)
        beside = self.table.rows_named_by
        if classes:
            beside = tuple(name for name in beside if names_rows(name))
        taken = {self.truth, self.groups, *beside}
        found = [name for name in self.table.columns if name not in taken]
        self._check_unit(found, classes)
        if not classes and self.test.name != "adjust":
            if self.truth is None and not self.table.long:  # in which every name is a classifier's
                refuse_truth(self.table.columns, found)
            text = [name for name in beside if name != self.groups and not names_rows(name)]
            self.say(without_text({name: self.table.text(name) for name in text}))
            found, out = without_others(found)
            self.say(out)
            check_alike({name: self.table.text(name) for name in found})
        return found

    def say(self, note: Sequence[str]) -> None:
        """Note what is left out, averaged or put in order, once."""
        self.note.extend(text for text in note if text not in self.note)

    def results(self, name: str) -> Any:
        """Return a column of results, one per row; one per data set for tests over data sets."""
        return self.by_data_set(self.table.complete(name))

    def by_data_set(self, values: Any) -> Any:
        """Return values, averaged over the splits of a data set for tests over data sets."""
        found = self._data_sets()
        if found is None:
            self.say(self._repeating())
        if found is None or not found.repeated:
            return values
        if len(found.names) == 1:
            if self.test.rows == DATA_SETS:
                self.say([ONE_DATA_SET])
            return values
        if self.test.rows != DATA_SETS:
            raise InputError(found.several(self.test.name))
        self.say([found.note()])
        return found.mean(values)

    def _repeating(self) -> list[str]:
        """Return a word on a column of names that repeat, and may be those of data sets."""
        if self.data_sets is not None or self.test.rows != DATA_SETS:
            return []
        names = [n for n in self.table.rows_named_by if not names_rows(n)]
        counts = {name: len(set(self.table.text(name))) for name in names}
        size = max((len(cells) for cells in self.table.columns.values()), default=0)
        if size in counts.values():
            return []
        return [
            f"{size:,} rows count as independent; if {printable(name)!r}, which has {counts[name]} "
            f"values, names data sets, give --data-sets {printable(name)!r} to take their means"
            for name in names
            if 1 < counts[name] < size
        ][:1]

    def _data_sets(self) -> DataSets | None:
        columns = self.table.columns
        return data_sets(columns, self.data_sets, (self.truth, self.groups, *self.a, *self.b))

    def _check_unit(self, names: Sequence[str], classes: bool) -> None:
        if not classes:
            self.table.check_unit(names)

    def one(self) -> str:
        """Return the column named by --a, or the only one."""
        return self._chosen(1, "--a COLUMN")[0]

    def two(self, *, classes: bool = False) -> tuple[str, str]:
        """Return the columns named by --a and --b, or the only two."""
        first, second = self._chosen(2, "--a COLUMN --b COLUMN", classes)
        return first, second

    def _chosen(self, number: int, how: str, classes: bool = False) -> list[str]:
        named = [*self.a, *self.b]
        if named and (len(self.a), len(self.b)) != (1, number - 1):
            raise InputError(
                f"this test compares {plural(number, 'column')}: give {how}, each once"
            )
        if named:
            self._check_unit(named, classes)
        found = named or self.classifiers(classes=classes)
        if len(found) != number:
            raise InputError(
                f"this test needs {plural(number, 'column')} and the table has {len(found)} "
                f"({', '.join(found[:8])}): give {how}"
            )
        return found

    def grouping(self) -> list[str]:
        """Return the column named by --groups."""
        if self.groups is None:
            raise InputError("this test needs --groups COLUMN, which names each row's group")
        return [printable(label) for label in self.table.text(self.groups)]


PVALUE = re.compile(r"p|p[ _.-]?val(?:ue)?s?|pr\(.*\)", re.IGNORECASE)
Prepared = tuple[list[Any], list[str]]
REPLICATED = ("pairs by replicate", "five by two")
ONE_DATA_SET = (
    "all rows are of one data set: its splits are not independent, so that p is too small; "
    "corrected-resampled-t is for them"
)


def _zero_one(values: Any, name: str) -> Any:
    if not np.isin(values, (0, 1)).all():
        raise InputError(expected="0 (right) and 1 (wrong) alone", where=f"column {shown(name)}")
    return values


def _errors(c: Columns) -> Prepared:
    name = c.one()
    values = _zero_one(c.results(name), name)
    return [int(values.sum()), values.size], [name]


def _two_errors(c: Columns) -> Prepared:
    names = c.two()
    counts: list[Any] = []
    for name in names:
        values = _zero_one(_present(c, name), name)
        counts += [int(values.sum()), values.size]
    return counts, list(names)


def _sample(c: Columns) -> Prepared:
    name = c.one()
    return [c.results(name)], [name]


ACCURACIES = re.compile(r"(?:^|[\W_])(?:acc|accuracy|accuracies|auc|f1)(?:$|[\W_])", re.IGNORECASE)


def _pairs(c: Columns) -> Prepared:
    names = c.two()
    if c.test.name.startswith("rsc") and any(map(ACCURACIES.search, names)):
        raise InputError(
            expected="columns of error rates",
            got=" and ".join(map(shown, names)),
            hint="give 1 minus each accuracy, in columns of other names",
            where=c.test.name,
        )
    if c.test.name == "kfold-t" and several_repeats(c.table.columns):
        raise InputError(
            expected="the folds of one cross-validation",
            got="several repeats",
            hint="use corrected-repeated-kfold-t, or choose one by --where COLUMN=VALUE",
            where="kfold-t",
        )
    return [c.results(name) for name in names], list(names)


def _replicates(c: Columns, folds: int | None) -> Prepared:
    values, names = _pairs(c)
    ordered = in_order(c.table.columns, values[0].size, folds)
    if ordered is not None:
        order, folds, note = ordered
        c.note.append(note)
        values = [v[order] for v in values]
    if folds is None or folds < 1 or values[0].size % folds:
        raise InputError(
            f"this test needs --folds NUMBER, the folds of each replicate, by which the "
            f"{values[0].size} rows can be divided"
        )
    return [v.reshape(-1, folds) for v in values], names


def _two_samples(c: Columns) -> Prepared:
    names = c.two()
    return [_present(c, name) for name in names], list(names)


def _present(c: Columns, name: str) -> Any:
    """Return the values of a column that are there, of one data set."""
    c.by_data_set(np.zeros(0))
    values = c.table.present(name)
    missing = len(c.table.text(name)) - values.size
    if missing and not c.table.long:  # where each row has one value
        c.say(
            [
                f"column {printable(name)!r}: {missing:,} of {missing + values.size:,} cells "
                "without a value left out"
            ]
        )
    return values


def _predictions(c: Columns) -> Prepared:
    names = c.two(classes=c.truth is not None)
    c.by_data_set(np.zeros(0))
    if c.truth is not None:
        return list(c.table.labels([c.truth, *names])), list(names)
    a, b = (_zero_one(c.table.complete(name), name) for name in names)
    return [np.zeros(a.size), a, b], list(names)


def _truth(c: Columns) -> Any:
    if c.truth is None:
        raise InputError("this test needs --truth COLUMN, the true class of each row, 0 or 1")
    return c.table.complete(c.truth)


def _scores(c: Columns) -> Prepared:
    truth, names = _truth(c), c.two()
    return [truth, *(c.results(name) for name in names)], list(names)


def _two_scores(c: Columns) -> Prepared:
    """Return truth and scores of each, where there is a case of it."""
    c.by_data_set(np.zeros(0))
    names, found = c.two(), list[Any]()
    for name in names:
        scores = c.table.numbers(name)
        here = ~np.isnan(scores)
        found += [_truth(c)[here], scores[here]]
    return found, list(names)


def _scores_by_class(c: Columns) -> Prepared:
    if c.truth is None:
        raise InputError("this test needs --truth COLUMN, the true class of each row")
    both, names = _criteria_pairs(c, "class")
    return [*c.table.labels([c.truth]), *both], names


def _several_scores(c: Columns) -> Prepared:
    truth = _truth(c)
    values, names = _table(c)
    return [truth, *values], names


def _several(c: Columns) -> list[str]:
    """Return the columns of the classifiers, at least one."""
    if c.a or c.b:
        raise InputError(
            f"{c.test.name} compares several columns at once",
            hint="name them by --columns, not by --a and --b",
        )
    names = c.classifiers()
    if not names:
        raise InputError(expected="columns of numbers, one a classifier", got="none")
    return names


def _groups(c: Columns) -> Prepared:
    names = _several(c)
    return [[_present(c, name) for name in names]], names


def _table(c: Columns) -> Prepared:
    names = _several(c)
    return [np.column_stack([c.results(name) for name in names])], names


def _table_with_gaps(c: Columns) -> Prepared:
    names = _several(c)
    columns = [c.by_data_set(c.table.numbers(name)) for name in names]
    return [np.column_stack(columns)], names


def _criteria_pairs(c: Columns, what: str = "criterion") -> Prepared:
    if not c.a or len(c.a) != len(c.b):
        raise InputError(f"this test needs --a COLUMN and --b COLUMN once for each {what}")
    both = [np.column_stack([c.table.complete(name) for name in side]) for side in (c.a, c.b)]
    return list(both), [" + ".join(c.a), " + ".join(c.b)]


def _criteria_groups(c: Columns) -> Prepared:
    groups, names = c.grouping(), _several(c)
    c.note.append(f"criteria: {listed([printable(name) for name in names])}")
    values = np.column_stack([c.table.complete(name) for name in names])
    return [values, groups], list(dict.fromkeys(groups))


def _clustered_sample(c: Columns) -> Prepared:
    name = c.one()
    return [c.table.complete(name), c.grouping()], [name]


def _clustered_pairs(c: Columns) -> Prepared:
    names = c.two()
    return [*(c.table.complete(name) for name in names), c.grouping()], list(names)


def _pvalues(c: Columns) -> Prepared:
    usual = [name for name in c.table.columns if PVALUE.fullmatch(name.strip())]
    name = usual[0] if len(usual) == 1 and not (c.a or c.b or c.listed) else c.one()
    keys = [key for key in c.table.rows_named_by if key != name]
    rows = [" ".join(cells) for cells in zip(*(c.table.text(key) for key in keys))]
    values = c.table.numbers(name)
    # names that do not tell the rows apart are none
    unique = rows if len(set(rows)) == values.size else [str(i + 1) for i in range(values.size)]
    return [values], unique


PREPARE: Mapping[str, Callable[[Columns], Prepared]] = {
    "errors": _errors,
    "two errors": _two_errors,
    "sample": _sample,
    "pairs": _pairs,
    "pairs by replicate": lambda c: _replicates(c, c.folds),
    "five by two": lambda c: _replicates(c, 2),
    "two samples": _two_samples,
    "predictions": _predictions,
    "scores": _scores,
    "two scores": _two_scores,
    "scores by class": _scores_by_class,
    "several scores": _several_scores,
    "groups": _groups,
    "table": _table,
    "table with gaps": _table_with_gaps,
    "criteria pairs": _criteria_pairs,
    "criteria groups": _criteria_groups,
    "clustered sample": _clustered_sample,
    "clustered pairs": _clustered_pairs,
    "pairs by data set": _clustered_pairs,
    "p-values": _pvalues,
}


UNPAIRED = ("groups", "two samples", "two errors")  # whose values do not belong together


# the usual columns of the values of a long table, where they are no measures of whole test sets
USUAL: Mapping[str, tuple[str, ...]] = {
    "predictions": (*PREDICTED, *VALUE),
    "scores": (*VALUE, *CONFIDENCE),
    "two scores": (*VALUE, *CONFIDENCE),
    "several scores": (*VALUE, *CONFIDENCE),
}


# tests of counts, which can stand on the command line: what they are, and what is compared
COUNTS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "errors": ("ERRORS CASES", ("the classifier",)),
    "two errors": ("ERRORS_A CASES_A ERRORS_B CASES_B", ("A", "B")),
    "predictions": ("BOTH_WRONG ONLY_A_WRONG ONLY_B_WRONG BOTH_RIGHT", ("A", "B")),
}
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
MOST_CASES = 10_000_000  # that counts on the command line may stand for, case by case


def counts_given(spec: TestSpecification, words: Sequence[str]) -> Prepared | None:
    """Return the counts that stand in place of a table, None where there is a table."""
    if spec.shape not in COUNTS or not words or not all(NUMBER.fullmatch(word) for word in words):
        return None
    how, names = COUNTS[spec.shape]
    if not all(word.isdecimal() for word in words):
        raise InputError(
            expected=f"whole counts of 0 or more, {how}", got=" ".join(words), where=spec.name
        )
    if len(words) != len(how.split()):
        others = [
            test.name
            for test in CATALOG.values()
            if test.shape in COUNTS and len(COUNTS[test.shape][0].split()) == len(words)
        ]
        raise InputError(
            expected=how,
            got=" ".join(words),
            where=f"{spec.name}",
            hint=f"{plural(len(words), 'number')}: {', '.join(others)}" if others else "",
        )
    counts = [int(word) for word in words]
    if spec.shape != "predictions":
        return counts, list(names)
    if not 0 < sum(counts) <= MOST_CASES:
        raise InputError(
            expected=f"from 1 to {MOST_CASES} cases in all",
            got=f"{sum(counts)}",
            where=f"{spec.name}",
        )
    a, b = (np.repeat(wrong, counts) for wrong in ((1, 1, 0, 0), (1, 0, 1, 0)))
    return [np.zeros(a.size, dtype=np.int64), a, b], list(names)


def reads_one_as_wrong(spec: TestSpecification, truth: str | None) -> bool:
    """Return whether a test takes columns of 0 and 1, in which 1 stands for an error."""
    if spec.shape == "predictions":
        return truth is None
    return spec.shape in ("errors", "two errors") or spec.name == "cochran-q"
