"""Which node column holds the class: asked for, named by the file, or the only one that can be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.errors import InputError, not_found, shown
from ..core.option_names import NAME, option
from ..network.network_parts import is_missing
from .columns import is_index_name, is_number, number_of
from .numerals import decimal_number
from .vocabulary import COUNTS, DISPLAY, LABEL, NAME_WORDS, PLACES, SET_WORDS, SETS, words

NO_LABEL = "none"  # as label= : no column is the class
FEW = 4  # values that may differ by accident
SINGLE = 8  # values from which on classes of one node are no accident
SINGLES = 0.1  # share of nodes whose value nobody shares from which on it is no class
LOW = 0.75  # share of nodes in the lower half of the range of counts
CLASS_WORDS = {"label", "class", "group", "category", "type", "kind", "community", "cluster"}
MANY = 20  # classes that numbers may name
LISTED = 12  # columns that an error lists
EMPTY, CONSTANT = "is empty", "has one value only"


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

    Parameters
    ----------
    columns : mapping of str to sequence
        Node columns; None where a value is missing.
    asked, stated, likely : str, optional
        What the user asked for, what the file names, and what its format usually holds.
    usual : str
        Why `likely` is chosen.
    where : str
        What errors call the table.

    Returns
    -------
    column : str or None
        None where no column is anything but names, coordinates and measures.
    why : str

    Raises
    ------
    InputError
        Where the column asked for is not there, or none or several columns can be the class.

    Examples
    --------
    >>> columns = {"Label": ["n", "s", "e", "w"], "group": ["a", "a", "b", "b"]}
    >>> choose_label(columns, None)
    ('group', 'the only column that can be the class')
    """
    if asked is not None and asked.lower() == NO_LABEL and asked not in columns:
        return None, "asked for none"
    if asked is not None:
        return find_asked(columns, asked, where), "asked for"
    if stated is not None and stated in columns:
        return stated, "named by the file"
    if likely is not None and likely in columns and not no_class(columns[likely]):
        return likely, usual
    others = [name for name in columns if not other_name(name, columns)]
    why = {name: no_class(columns[name]) or no_code(name, columns[name]) for name in others}
    able = [name for name in others if not why[name]]
    named = [name for word in LABEL for name in able if name.lower() == word]
    if len(named) == 1:
        return named[0], f"a column of the name {named[0]!r}"
    if len(able) == 1 and len(others) > 1:
        return able[0], "the only column that can be the class"
    if len(others) == 1 and why[others[0]] in ("", EMPTY, CONSTANT):
        return others[0], "the only column beside the id"
    shown = [name for name in columns if is_display(name) and not no_class(columns[name])]
    if not shown and all(reason == EMPTY for reason in why.values()):
        return None, "no node column but names and measures" if columns else "no node column"
    raise LabelQuestionError(f"{listing(columns, able or shown)}", parameter="label", where=where)


def take_targets(columns: dict[str, Any], asked: str, where: str) -> tuple[str, list[float]]:
    """Take the column of numeric targets out of the node columns; NaN where one is missing.

    Raises
    ------
    InputError
        Where there is no such column, or it holds other than finite decimal numbers.

    Examples
    --------
    >>> take_targets({"income": ["12.5", None], "sex": ["f", "m"]}, "income", "nodes")
    ('income', [12.5, nan])
    """
    column = find_asked(columns, asked, where, "target")
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


def find_asked(columns: Mapping[str, Any], asked: str, where: str, what: str = "label") -> str:
    if asked in columns:
        return asked
    alike = [name for name in columns if name.lower() == asked.lower()]
    if len(alike) == 1:
        return alike[0]
    raise not_found("column", asked, columns, where, parameter=what)


def listing(columns: Mapping[str, Any], able: list[str]) -> str:
    """Write the question which column is the class, with candidates and why others are none.

    Those that can be the class come first, so that no shortening hides them.
    """

    def why(name: str) -> str:
        return no_class(columns[name]) or no_code(name, columns[name]) or "by its name"

    others = [name for name in columns if name not in able]
    note = [f"{name} ({count(columns[name])})" for name in able[:LISTED]]
    listed = others[: LISTED - len(note)]
    rest = [f"{name} ({count(columns[name])}; {why(name)})" for name in listed]
    more = f", ... ({len(columns)} in all)" if len(columns) > LISTED else ""
    choose = f"choose one with {option('label', NAME)}"
    target = f"or a number to predict with {option('target', NAME)}"
    if not able:
        also = ", also where it is one of these"
        return f"no column looks like a class: {', '.join(rest)}{more}; {choose}{also}, {target}"
    beside = f"; others are {', '.join(rest)}" if rest else ""
    what = f"which column holds the class? It can be {', '.join(note)}"
    return f"{what}{beside}{more}; {choose}, {target}"


def count(values: Any) -> str:
    n = len(distinct_values(values)[0])
    return f"{n} value{'s' if n != 1 else ''}"


def distinct_values(values: Any) -> tuple[list[Any], np.ndarray[Any, Any]]:
    """Return the distinct values that are not missing, and how often each occurs."""
    import pandas as pd

    codes, names = pd.factorize(as_objects(values), use_na_sentinel=True)
    counts = np.bincount(codes[codes >= 0], minlength=len(names))
    present = [k for k, name in enumerate(names) if not is_missing(name)]
    return [names[k] for k in present], counts[present]


def as_objects(values: Any) -> Any:
    """Return values as pandas can count them; lists, which cannot be hashed, as text."""
    if isinstance(values, np.ndarray) and values.dtype != object:
        return values
    items = values.tolist() if hasattr(values, "tolist") else list(values)
    array = np.empty(len(items), dtype=object)
    if any(issubclass(kind, (list, dict, set)) for kind in set(map(type, items))):
        items = [str(item) if isinstance(item, (list, dict, set)) else item for item in items]
    array[:] = items
    return array


def other_name(name: str, columns: Mapping[str, Any]) -> bool:
    """Return whether a column's name says that it holds names, places, sizes, colors or splits.

    ``y`` is a class where there is no ``x``.

    Examples
    --------
    >>> [other_name(name, {"x": []}) for name in ("v_id", "y", "color", "class_id", "group")]
    [True, True, True, False, False]
    >>> other_name("y", {})
    False
    """
    parts = set(words(name))
    if is_index_name(name) or is_display(name) or parts & SET_WORDS or (parts and parts <= SETS):
        return True
    if "class" in parts or "label" in parts or "group" in parts:
        return False
    if name.lower() == "y":
        return any(other.lower() == "x" for other in columns)
    other = PLACES | COUNTS | {"viz", "layout"}
    return bool(parts & NAME_WORDS) or (bool(parts) and parts <= other)


def is_display(name: str) -> bool:
    return bool(set(words(name)) & DISPLAY)


def no_code(name: str, values: Any) -> str:
    """Return why whole numbers are counts rather than codes of classes; empty where they are not.

    Most nodes are in the lower half of their range, and above there are gaps or single nodes.

    Examples
    --------
    >>> no_code("v", [0] * 9 + [1] * 5 + [2] * 3 + [4]), no_code("v", [0] * 9 + [1] * 5 + [2] * 4)
    ('holds numbers that look like counts', '')
    """
    names, counts = distinct_values(values)
    if CLASS_WORDS & set(words(name)) or len(names) < FEW or not all(map(is_number, names)):
        return ""
    numbers = np.array([number_of(str(each)) for each in names])
    order = np.argsort(numbers)
    numbers, counts = numbers[order], counts[order]
    low = counts[2 * numbers <= numbers[0] + numbers[-1]].sum()
    ragged = numbers[-1] - numbers[0] >= numbers.size or counts[-1] == 1
    falls = counts[0] == counts.max() or counts[1] == counts.max()
    many = numbers[0] in (0, 1) and LOW * counts.sum() <= low
    return "holds numbers that look like counts" if many and falls and ragged else ""


def no_class(values: Any) -> str:
    """Return why the values of a column are no classes; empty where they can be.

    Examples
    --------
    >>> no_class(["a", "b", "a", "b"]), no_class(["a", "b", "c", "d"]), no_class([0.5, 1.5, 0.5])
    ('', 'differs from node to node', 'holds fractions, as measurements do')
    """
    names, counts = distinct_values(values)
    n = int(counts.sum())
    if not names:
        return EMPTY
    numbers = [number_of(str(name)) for name in names if is_number(name)]
    if len(numbers) == len(names) and any(number != np.floor(number) for number in numbers):
        return "holds fractions, as measurements do"
    if n >= FEW and len(names) == n:
        return "differs from node to node"
    if n >= FEW and len(names) == 1:
        return CONSTANT
    single = int(np.count_nonzero(counts == 1))
    if n >= SINGLE and 2 * single > len(names) and single > SINGLES * n:
        return "has mostly values of one node"
    if len(numbers) == len(names) > max(MANY, n / 5):
        return "holds too many different numbers"
    return ""
