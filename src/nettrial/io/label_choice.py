"""Which node column holds the class: asked for, named by the file, or the only one that can be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..core.errors import InputError, shown
from ..core.option_names import NAME, option
from ..core.wording import plural
from ..numeric.checks import is_missing
from .column_looks import Column
from .columns import column_named
from .evidence import CONSTANT, EMPTY, ranked, weigh, why_not
from .numerals import decimal_number
from .vocabulary import DISPLAY, LABEL

NO_LABEL = "none"  # as label= : no column is the class
NEAR = 1.0  # columns whose evidence differs by less can be the class alike
LISTED = 12  # columns that an error lists


class LabelQuestionError(InputError):
    """The question which node column is the class."""


def choose_label(
    columns: Mapping[str, Any],
    asked: str | None,
    *,
    stated: str | None = None,
    likely: str | None = None,
    usual: str = "usual in this format",
    where: str = "nodes",
) -> tuple[str | None, str]:
    """Choose the node column that holds the class, and say why.

    What is `asked` for wins, then what the file has `stated`, then the column that is `likely` in
    its format. None where no column is anything but names, coordinates and measures; refused where
    the column asked for is not there, or several can be the class.

    Examples
    --------
    >>> columns = {"Label": ["n", "s", "e", "w"], "group": ["a", "a", "b", "b"]}
    >>> choose_label(columns, None)
    ('group', 'the only column that can be the class')
    """
    if asked is not None and asked.lower() == NO_LABEL and asked not in columns:
        return None, "asked for none"
    if asked is not None:
        return column_named(columns, asked, where, parameter="label"), "asked for"
    if stated is not None and stated in columns:
        return stated, "named by the file"
    expected = [Column(columns[name], name) for name in columns if name == likely]
    if expected and not why_not(expected[0], "label", by_name=False):
        return expected[0].name, usual
    seen = [Column(columns[name], name, repr(name), columns) for name in columns]
    others = [column for column in seen if not why_not(column, "label", by_name=True)]
    why = {column: why_not(column, "label", by_name=False) for column in others}
    able = {column: weigh(column, "label") for column in others if not why[column]}
    order, near = ranked(able, NEAR)
    if order and not near:
        named = order[0].name.lower() in LABEL
        if named or len(others) > 1:
            what = f"a column of the name {order[0].name!r}"
            return order[0].name, what if named else "the only column that can be the class"
    if len(others) == 1 and why[others[0]] in ("", EMPTY, CONSTANT):
        return others[0].name, "the only column beside the id"
    shown = [c for c in seen if c.words & DISPLAY and not why_not(c, "label", by_name=False)]
    if not shown and all(reason == EMPTY for reason in why.values()):
        return None, "no node column but names and measures" if columns else "no node column"
    raise LabelQuestionError(listing(seen, [*able] or shown), parameter="label", where=where)


def take_targets(columns: dict[str, Any], asked: str, where: str) -> tuple[str, list[float]]:
    """Take the column of numeric targets out of the node columns; NaN where one is missing.

    Examples
    --------
    >>> take_targets({"income": ["12.5", None], "sex": ["f", "m"]}, "income", "nodes")
    ('income', [12.5, nan])
    """
    column = column_named(columns, asked, where, parameter="target")
    numbers = []
    for place, value in enumerate(columns.pop(column)):
        number = np.nan if is_missing(value) else decimal_number(str(value).strip())
        if number is None:
            raise InputError(
                parameter="target",
                expected=f"numbers in column {shown(column)}",
                got=f"{shown(value)} in row {place + 1}",
                hint=f"name its code for a missing value as {option('missing')}, or read classes "
                f"with {option('label', column)}",
                where=where,
            )
        numbers.append(number)
    return column, numbers


def listing(columns: Sequence[Column], able: Sequence[Column]) -> str:
    """Write the question which column is the class, with candidates and why others are none.

    Those that can be the class come first, so that no shortening hides them.
    """
    counts = [
        f"{column.name} ({plural(len(column.counted[0]), 'value')}"
        + ("" if column in able else f"; {why_not(column, 'label')}")
        + ")"
        for column in (*able, *(column for column in columns if column not in able))
    ][:LISTED]
    note, rest = counts[: len(able)], counts[len(able) :]
    more = f", ... ({len(columns)} in all)" if len(columns) > LISTED else ""
    choose = f"choose one with {option('label', NAME)}"
    target = f"or a number to predict with {option('target', NAME)}"
    if not able:
        also = ", also where it is one of these"
        return f"no column looks like a class: {', '.join(rest)}{more}; {choose}{also}, {target}"
    beside = f"; others are {', '.join(rest)}" if rest else ""
    what = f"which column holds the class? It can be {', '.join(note)}"
    return f"{what}{beside}{more}; {choose}, {target}"
