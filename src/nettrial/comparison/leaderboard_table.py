"""Read tables of published or saved results: long or wide, single runs or mean and spread."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, unknown_choice

DATA_SET = ("dataset", "data_set", "data set", "network", "task")
MODEL = ("model", "method", "classifier", "algorithm")
MEAN_SPREAD = re.compile(r"\**\s*(\S+?)\s*(?:±|\+/-|\+-|\\pm)\s*(\S+?)\s*\**")
BLANK = {"", "-", "na", "nan", "n/a", "none", "null"}


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
        Standard deviation of single scores over splits; NaN where it is not told.
    n_splits : int
        Number of splits; 0 where it is not told.
    scores : mapping or None
        Score of each split by its key, where the table holds them.
    """

    data_set: str
    model: str
    mean: float
    sd: float
    n_splits: int
    scores: Mapping[tuple[str, ...], float] | None = None


def read_entries(
    table: Any,
    *,
    data_set: str | None = None,
    model: str | Sequence[str] | None = None,
    mean: str | None = None,
    sd: str | None = None,
    value: str | None = None,
    n_splits: int | None = None,
) -> list[Entry]:
    """Read the entries of a table; see `leaderboard` for its forms.

    Raises
    ------
    InputError
        For columns that are not there, cells that are no numbers, or an entry that occurs twice.

    Examples
    --------
    >>> read_entries({"dataset": ["cora"], "gcn": ["81.5 ± 0.4"]}, n_splits=10)
    [Entry(data_set='cora', model='gcn', mean=0.815, sd=0.004, n_splits=10, scores=None)]
    """
    columns = {str(name): [_text(cell) for cell in table[name]] for name in table}
    if len({len(cells) for cells in columns.values()}) > 1 or not any(columns.values()):
        raise InputError("leaderboard: needed are columns of one length with at least one row")
    where = _column(columns, data_set, DATA_SET, "data_set")
    given = [model] if isinstance(model, str) else model
    if given is None and not {name.lower() for name in columns} & set(MODEL):
        found = _wide(columns, where, n_splits or 0)
    else:
        who = list(given) if given else [_column(columns, None, MODEL, "model")]
        for name in who:
            _column(columns, name, (), "model")
        if value is not None:
            found = _single_runs(columns, where, who, _column(columns, value, (), "value"))
        else:
            found = _long(columns, where, who, mean, sd, n_splits or 0)
    return _as_proportions(found)


def _text(cell: Any) -> str:
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    return str(cell).strip()


def _column(columns: Mapping[str, Any], given: str | None, usual: Sequence[str], what: str) -> str:
    if given is not None:
        if given not in columns:
            raise unknown_choice(f"leaderboard: column for {what}", given, columns)
        return given
    for name in columns:
        if name.lower() in usual:
            return name
    raise InputError(
        f"leaderboard: no column is called {' or '.join(usual)}; name the one for {what} among "
        f"{', '.join(columns)}"
    )


def _number(cell: str, name: str, row: int) -> float:
    try:
        return math.nan if cell.lower() in BLANK else float(cell.strip("* "))
    except ValueError as error:
        raise InputError(
            f"leaderboard: column {name!r}, row {row + 1}: received {cell!r}, allowed are numbers"
        ) from error


def _wide(columns: Mapping[str, list[str]], where: str, n_splits: int) -> list[Entry]:
    found: dict[tuple[str, str], Entry] = {}
    for name in columns:
        for row, cell in enumerate(columns[name]):
            if name == where or cell.lower() in BLANK:
                continue
            both = MEAN_SPREAD.fullmatch(cell)
            mean, sd = both.groups() if both else (cell, "")
            _add(found, Entry(columns[where][row], name, _number(mean, name, row),
                              _number(sd, name, row), n_splits))  # fmt: skip
    return list(found.values())


def _long(
    columns: Mapping[str, list[str]],
    where: str,
    who: Sequence[str],
    mean: str | None,
    sd: str | None,
    n_splits: int,
) -> list[Entry]:
    middle = _column(columns, mean, ("mean", "accuracy", "score"), "mean")
    spread = None if sd is None else _column(columns, sd, (), "sd")
    if spread is None:
        spread = next((name for name in columns if name.lower() in ("sd", "std")), None)
    counts = next((name for name in columns if name.lower() == "n_splits"), None)
    found: dict[tuple[str, str], Entry] = {}
    for row, cell in enumerate(columns[middle]):
        told = n_splits
        if counts is not None and not n_splits:
            told = int(_number(columns[counts][row], counts, row))
        _add(found, Entry(
            columns[where][row], " / ".join(columns[name][row] for name in who),
            _number(cell, middle, row),
            math.nan if spread is None else _number(columns[spread][row], spread, row), told,
        ))  # fmt: skip
    return list(found.values())


def _single_runs(
    columns: Mapping[str, list[str]], where: str, who: Sequence[str], value: str
) -> list[Entry]:
    """Gather single scores; the other columns together are the key of a split."""
    others = [name for name in columns if name not in (where, value, *who)]
    gathered: dict[tuple[str, str], dict[tuple[str, ...], float]] = {}
    for row, cell in enumerate(columns[value]):
        place = (columns[where][row], " / ".join(columns[name][row] for name in who))
        key = tuple(columns[name][row] for name in others) or (str(row),)
        scores = gathered.setdefault(place, {})
        if key in scores:
            raise InputError(
                f"leaderboard: {place[1]!r} has two scores on {place[0]!r} for "
                f"{', '.join(key)}; name more columns for model"
            )
        scores[key] = _number(cell, value, row)
    found = []
    for (data_set, name), scores in gathered.items():
        array = np.array(list(scores.values()))
        sd = float(array.std(ddof=1)) if array.size > 1 else math.nan
        found.append(Entry(data_set, name, float(array.mean()), sd, array.size, scores))
    return found


def _add(found: dict[tuple[str, str], Entry], entry: Entry) -> None:
    place = (entry.data_set, entry.model)
    if place in found:
        raise InputError(
            f"leaderboard: {entry.model!r} occurs twice on {entry.data_set!r}; name more columns "
            "for model, or single scores by value"
        )
    found[place] = entry


def _as_proportions(entries: list[Entry]) -> list[Entry]:
    """Divide percentages by 100; entries without a mean are refused."""
    for entry in entries:
        if math.isnan(entry.mean):
            raise InputError(
                f"leaderboard: {entry.model!r} on {entry.data_set!r} has no score; remove it"
            )
        if entry.sd < 0:
            raise InputError(
                f"leaderboard: {entry.model!r} on {entry.data_set!r} has the sd {entry.sd:g}"
            )
    largest = max(abs(entry.mean) for entry in entries)
    if largest <= 1:
        return entries
    if largest > 100:
        raise InputError(
            f"leaderboard: received the score {largest:g}; allowed are proportions or percentages"
        )
    return [
        Entry(
            e.data_set, e.model, e.mean / 100, e.sd / 100, e.n_splits,
            None if e.scores is None else {key: s / 100 for key, s in e.scores.items()},
        )
        for e in entries
    ]  # fmt: skip


def complete_part(
    entries: Sequence[Entry],
) -> tuple[tuple[str, ...], tuple[str, ...], NDArray[np.float64], tuple[str, ...]]:
    """Give data sets, the models that are on all of them, their means, and the models left out."""
    data_sets = tuple(dict.fromkeys(entry.data_set for entry in entries))
    models = tuple(dict.fromkeys(entry.model for entry in entries))
    means = {(entry.data_set, entry.model): entry.mean for entry in entries}
    kept = tuple(m for m in models if all((d, m) in means for d in data_sets))
    table = np.array([[means[d, m] for m in kept] for d in data_sets])
    return data_sets, kept, table, tuple(m for m in models if m not in kept)
