"""Wide tables of single runs: a row, or a column, for every seed, split or fold."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from ..core.errors import InputError
from ..core.option_names import option
from ..io.vocabulary import DATA_SET, MODEL_HEADS, usual
from .cells import Cell, read_cell
from .layout import (
    KNOWN_DATA_SETS,
    KNOWN_MODELS,
    RUN,
    SCORE,
    Columns,
    ModelsIn,
    hits,
    is_score,
    score,
)

ONE = "this data set"
NUMBERED = re.compile(rf"(?:{RUN})[ _.#-]*\d+", re.IGNORECASE)


def long_form(
    columns: Columns,
    *,
    data_set: str | None,
    model: Sequence[str],
    models_in: ModelsIn | None,
    notes: list[str],
) -> Columns | None:
    """Return the runs of a wide table one under the other, None where it holds no runs.

    The table has a column that numbers the runs, runs in columns, or nothing but scores; what is
    returned has the columns data set, model, run and score.

    Examples
    --------
    >>> table = {"seed": ["1", "2"], "gcn": [".8", ".7"], "gat": [".7", ".9"]}
    >>> found = long_form(table, data_set=None, model=(), models_in=None, notes=[])
    >>> found["model"], found["run"], found["score"]
    (['gcn', 'gat', 'gcn', 'gat'], ['1', '1', '2', '2'], ['.8', '.7', '.7', '.9'])
    """
    who = list(model) or [name for name in [usual(columns, MODEL_HEADS)] if name is not None]
    where = data_set or usual(columns, DATA_SET)
    keys = [name for name in columns if re.fullmatch(RUN, name, re.IGNORECASE)]
    named = {*who, *keys, where}
    values = [name for name in columns if name not in named and is_score(name, columns[name])]
    across = bool(who) and not keys and _numbered(values)
    alone = not (who or keys or where) and len(values) == len(columns) and _decimals(columns)
    if not (keys or across or alone) or (who and where and not across):
        return None
    if any(cell is not None and not math.isnan(cell.sd) for cell in _cells(columns, values)):
        return None  # means and standard deviations: what numbers the rows is set aside
    of_data_sets = hits(values, KNOWN_DATA_SETS) > hits(values, KNOWN_MODELS)
    if not who and (models_in == "rows" or (where is None and models_in is None and of_data_sets)):
        raise InputError(
            f"leaderboard: the rows are single runs on {', '.join(values[:4])}, and no column "
            f"says of which model; add a column Model, or say {option('models_in', 'columns')} if "
            "these are models"
        )
    found: Columns = {"data set": [], "model": [], "run": [], "score": []}
    for k in range(len(columns[values[0]]) if values else 0):
        row = {
            "model": " / ".join(columns[name][k] for name in who),
            "data set": ONE if where is None else columns[where][k],
            "run": " / ".join(columns[name][k] for name in keys) or str(k + 1),
        }
        for name in values:
            cell = score(columns[name][k], name, k + 1)
            if math.isnan(cell.mean):
                continue  # a run that failed
            what = "run" if across else "data set" if who else "model"
            title = ONE if what == "data set" and name.lower() in SCORE else name
            for role, text in (row | {what: title, "score": columns[name][k]}).items():
                found[role].append(text)
    note = "columns" if across else "rows"
    why = f"as {', '.join(map(repr, keys))} says" if keys else "as nothing else names them"
    notes.append(
        f"{note} are taken for single runs{'' if across else f', {why}'}; the spread "
        "of runs that share one split reflects the random seed alone"
    )
    return found


def _numbered(names: Sequence[str]) -> bool:
    """Return whether all names are numbers of runs: seed 0, seed 1, ... or 0, 1, ..."""
    counted = [[str(k + start) for k in range(len(names))] for start in (0, 1)]
    return len(names) > 1 and (
        list(names) in counted or all(NUMBERED.fullmatch(name) for name in names)
    )


def _decimals(columns: Columns) -> bool:
    """Return whether every column holds several decimal fractions, so that none can be a name."""
    return all(sum("." in cell for cell in cells) > 1 for cells in columns.values())


def _cells(columns: Columns, names: Iterable[str]) -> Iterable[Cell | None]:
    return (read_cell(cell) for name in names for cell in columns[name])
