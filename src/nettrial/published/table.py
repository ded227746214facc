"""Entries of tables of published or saved results, whatever the form of the table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from ..core.errors import InputError, shown
from ..io.columns import column_named
from ..io.vocabulary import DATA_SET, MEAN, MODEL_HEADS, N_SPLITS, SD, usual
from .cells import Cell, read_cell
from .layout import (
    CENTER,
    SPREAD,
    WHERE,
    ModelsIn,
    columns_of,
    layout_of,
    needed,
    score,
    wide_cells,
)
from .runs import ONE, long_form


@dataclass(frozen=True, slots=True)
class Entry:
    """One cell of a leaderboard.

    Attributes
    ----------
    data_set, model : str
        Where it stands.
    mean : float
        The score, a proportion.
    sd : float
        Standard deviation of single scores over splits; NaN where it is not given.
    n_splits : int
        Number of splits; 0 where it is not given.
    scores : mapping or None
        Score of each split by its key, where the table holds them.
    """

    data_set: str
    model: str
    mean: float
    sd: float
    n_splits: int
    scores: Mapping[tuple[str, ...], float] | None = None


Found = dict[tuple[str, str], tuple[Entry, bool]]  # whether there is a percent sign


def read_entries(
    table: Any,
    *,
    data_set: str | None = None,
    model: str | Sequence[str] | None = None,
    mean: str | None = None,
    sd: str | None = None,
    value: str | None = None,
    models_in: ModelsIn | None = None,
    n_splits: int | None = None,
) -> tuple[list[Entry], tuple[str, ...], tuple[str, ...]]:
    """Read the entries of a table; see `leaderboard` for its forms.

    Also returns what was set aside or assumed, and what the columns of scores are called.

    Examples
    --------
    >>> read_entries({"dataset": ["cora"], "gcn": ["81.5 ± 0.4"]}, n_splits=10)[0]
    [Entry(data_set='cora', model='gcn', mean=0.815, sd=0.004, n_splits=10, scores=None)]
    >>> read_entries({"Model": ["GCN"], "Cora": ["$81.5 \\\\pm 0.4$"]}, n_splits=10)[0]
    [Entry(data_set='Cora', model='GCN', mean=0.815, sd=0.004, n_splits=10, scores=None)]
    """
    columns = columns_of(table)
    notes: list[str] = []
    given = [model] if isinstance(model, str) else list(model or ())
    note = mean is not None or value is not None
    runs = None
    if not note:
        runs = long_form(columns, data_set=data_set, model=given, models_in=models_in, notes=notes)
    if runs is not None:
        entries = _as_proportions(_single_runs(runs, "data set", ["model"], "score"))
        return entries, tuple(notes), _data_sets(entries)
    layout = layout_of(
        columns,
        data_set=data_set,
        model=given,
        long=note,
        models_in=models_in,
        notes=notes,
    )
    if layout != "long":
        rows = given if layout == "rows" else [data_set] if data_set is not None else []
        cells = wide_cells(columns, rows, layout, notes)
        entries = _as_proportions(_wide(cells, n_splits or 0, notes))
        return entries, tuple(notes), _data_sets(entries)
    who = [column_named(columns, name, WHERE) for name in given] or [
        needed(columns, MODEL_HEADS, "model")
    ]
    where = usual(columns, DATA_SET) if data_set is None else column_named(columns, data_set, WHERE)
    if where is None:
        where = "data set"
        columns = columns | {where: [ONE] * len(next(iter(columns.values())))}
        notes.append("no column is called dataset: all rows are taken for one data set")
    if value is not None:
        found = _single_runs(columns, where, who, column_named(columns, value, WHERE))
        return _as_proportions(found), tuple(notes), (value,)
    middle = column_named(columns, mean, WHERE) if mean is not None else _middle(columns)
    found = _long(columns, where, who, middle, sd, n_splits or 0)
    return _as_proportions(found), tuple(notes), (middle,)


def _data_sets(entries: Sequence[Entry]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(entry.data_set for entry in entries))


def _wide(cells: dict[tuple[str, str], Cell], n_splits: int, notes: list[str]) -> Found:
    """Return the entries of data sets and models that have a score."""
    _check_brackets(cells, notes)
    return {
        (data_set, model): (Entry(data_set, model, cell.mean, cell.sd, n_splits), cell.percent)
        for (data_set, model), cell in cells.items()
        if not math.isnan(cell.mean)
    }


def _check_brackets(cells: dict[tuple[str, str], Cell], notes: list[str]) -> None:
    """Set ranks in brackets aside; whole numbers in brackets that are none are refused."""
    inside = {place: cell for place, cell in cells.items() if cell.bracket}
    if not inside or not all((2 * cell.sd).is_integer() for cell in inside.values()):
        return
    by_data_set: dict[str, list[Cell]] = {}
    for (data_set, _), cell in inside.items():
        by_data_set.setdefault(data_set, []).append(cell)
    if all(_are_ranks(row) for row in by_data_set.values()):
        notes.append("numbers in brackets are the ranks of the models and are set aside")
        for place, cell in inside.items():
            cells[place] = cell._replace(sd=math.nan)
        return
    if all(cell.sd.is_integer() for cell in inside.values()):
        cell = next(iter(inside.values()))
        raise InputError(
            f"leaderboard: {cell.mean:g} ({cell.sd:g}): the whole numbers in brackets may be "
            "standard deviations or last digits; write them as 81.5 ± 0.5"
        )


def _are_ranks(row: Sequence[Cell]) -> bool:
    means, given = np.array([cell.mean for cell in row]), [cell.sd for cell in row]
    ways = [
        stats.rankdata(sign * means, how) for sign in (1, -1) for how in ("average", "min", "dense")
    ]
    return len(row) > 1 and any(np.array_equal(way, given) for way in ways)


def _long(
    columns: Mapping[str, list[str]],
    where: str,
    who: Sequence[str],
    middle: str,
    sd: str | None,
    n_splits: int,
) -> Found:
    spread = column_named(columns, sd, WHERE) if sd is not None else _spread(columns, middle)
    counts = usual(columns, N_SPLITS)
    if counts is not None and any(read_cell(cell) is None for cell in columns[counts]):
        counts = None  # names of splits, such as "public"
    found: Found = {}
    for row, text in enumerate(columns[middle]):
        cell = score(text, middle, row + 1)
        number = math.nan if counts is None else score(columns[counts][row], counts, row + 1).mean
        note = n_splits if math.isnan(number) else int(number)
        deviation = cell.sd
        if spread is not None:
            deviation = score(columns[spread][row], spread, row + 1).mean
        place = (columns[where][row], " / ".join(columns[name][row] for name in who))
        _check_new(found, place)
        found[place] = Entry(*place, cell.mean, deviation, note), cell.percent
    return found


def _middle(columns: Mapping[str, list[str]]) -> str:
    """Return the column of mean scores: of the usual name, or the only one that ends in it."""
    if usual(columns, MEAN) is None:
        left = [name for name in columns if not SPREAD.search(name)]
        ends = [n for n in left if n.lower().endswith(MEAN) or n.lower().startswith("mean")]
        tests = [name for name in ends if "test" in name.lower()]
        for found in (tests, ends):
            if len(found) == 1:
                return found[0]
    return needed(columns, MEAN, "mean")


def _spread(columns: Mapping[str, list[str]], middle: str) -> str | None:
    """Return the column of standard deviations: of the usual name, or the only one like it."""
    ends = [name for name in columns if SPREAD.search(name) and name != middle]
    own = [name for name in ends if SPREAD.sub("", name) in (middle, CENTER.sub("", middle))]
    alone = own if len(own) == 1 else ends if len(ends) == 1 else []
    return usual(columns, SD) or next(iter(alone), None)


def _single_runs(
    columns: Mapping[str, list[str]], where: str, who: Sequence[str], value: str
) -> Found:
    """Gather single scores; the other columns together are the key of a split."""
    others = [name for name in columns if name not in (where, value, *who)]
    gathered: dict[tuple[str, str], dict[tuple[str, ...], float]] = {}
    percent = False
    for row, text in enumerate(columns[value]):
        place = (columns[where][row], " / ".join(columns[name][row] for name in who))
        key = tuple(columns[name][row] for name in others) or (str(row),)
        scores = gathered.setdefault(place, {})
        if key in scores:
            raise InputError(
                f"leaderboard: {shown(place[1])} has two scores on {shown(place[0])} for "
                f"{', '.join(key)}; name more columns for model"
            )
        cell = score(text, value, row + 1)
        scores[key], percent = cell.mean, percent or cell.percent
    found: Found = {}
    for place, scores in gathered.items():
        array = np.array(list(scores.values()))
        sd = float(array.std(ddof=1)) if array.size > 1 else math.nan
        found[place] = Entry(*place, float(array.mean()), sd, array.size, scores), percent
    return found


def _check_new(found: Mapping[tuple[str, str], Any], place: tuple[str, str]) -> None:
    if place in found:
        raise InputError(
            f"leaderboard: {shown(place[1])} occurs twice on {shown(place[0])}; name more columns "
            "for model, or single scores by value"
        )


def _as_proportions(found: Found) -> list[Entry]:
    """Divide percentages by 100; entries without a mean are refused."""
    entries = [entry for entry, _ in found.values()]
    signs = [percent for _, percent in found.values()]
    for entry in entries:
        if math.isnan(entry.mean):
            raise InputError(
                f"leaderboard: {shown(entry.model)} on {shown(entry.data_set)} has no score; "
                "remove it"
            )
        if entry.sd < 0:
            raise InputError(
                f"leaderboard: {shown(entry.model)} on {shown(entry.data_set)} has the sd "
                f"{entry.sd:g}"
            )
    if not entries:
        raise InputError("leaderboard: no cell holds a score")
    largest = max(abs(entry.mean) for entry in entries)
    bare = [entry for entry, sign in zip(entries, signs) if not sign]
    if any(signs) and bare and max(abs(entry.mean) for entry in bare) <= 1:
        raise InputError(
            f"leaderboard: some scores have a percent sign and others are proportions "
            f"({bare[0].mean:g}); write all in the same way"
        )
    if largest <= 1 and not any(signs):
        return entries
    if largest > 100:
        raise InputError(
            expected="proportions or percentages", got=f"the score {largest:g}", where="leaderboard"
        )
    return [
        replace(
            e,
            mean=e.mean / 100,
            sd=e.sd / 100,
            scores=None if e.scores is None else {key: s / 100 for key, s in e.scores.items()},
        )
        for e in entries
    ]


def complete_part(
    entries: Sequence[Entry],
) -> tuple[tuple[str, ...], tuple[str, ...], NDArray[np.float64], tuple[str, ...]]:
    """Return data sets, models that are on all of them, their means, and the models left out."""
    data_sets = tuple(dict.fromkeys(entry.data_set for entry in entries))
    models = tuple(dict.fromkeys(entry.model for entry in entries))
    means = {(entry.data_set, entry.model): entry.mean for entry in entries}
    kept = tuple(m for m in models if all((d, m) in means for d in data_sets))
    table = np.array([[means[d, m] for m in kept] for d in data_sets])
    return data_sets, kept, table, tuple(m for m in models if m not in kept)
