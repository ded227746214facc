"""What the values of a column look like: numbers, running numbers, times, ids."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, not_found, shown
from ..core.option_names import option
from ..core.wording import listed
from .numerals import DECIMAL
from .vocabulary import TRUE_CLASS, usual

FINITE = DECIMAL
NUMBER = re.compile(rf"{DECIMAL.pattern}|[+-]?(nan|inf|infinity)", re.I)
INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")
DECIMAL_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+([eE][+-]?[0-9]+)?")
THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+")
INDEX = re.compile(r"|unnamed: \d+( .*)?|index|level_\d+|__index_level_\d+__|row\.?names?|rn", re.I)
HEAD = 50  # values that are looked at before a whole column


class Columns(Protocol):
    """A table as far as the choice of its columns goes."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns; their numbers from 0, as text, where there is no header."""
        ...

    @property
    def header(self) -> bool:
        """Whether the names come from a header."""
        ...

    @property
    def where(self) -> str:
        """Name of the table in errors."""
        ...

    def __getitem__(self, name: str) -> Any: ...


def column_named(names: Iterable[str], asked: str, where: str = "", *, parameter: str = "") -> str:
    """Return the column of a name, whatever its case where only one has it.

    Examples
    --------
    >>> column_named(["Club", "age"], "club")
    'Club'
    """
    present = list(names)
    alike = [name for name in present if name.lower() == asked.lower()]
    if asked not in present and len(alike) != 1:
        raise not_found("column", asked, present, where, parameter=parameter)
    return asked if asked in present else alike[0]


def refuse_truth(
    columns: Mapping[str, Any],
    models: Sequence[str],
    *,
    named: bool = False,
    taken: bool = True,
) -> None:
    """Refuse true classes among the scores of models, or beside models that predict them.

    Columns of models hold classes where all of their values stand in the column of true classes;
    0 and 1 among more classes are right and wrong.

    Parameters
    ----------
    columns : mapping of str to sequence
        The whole table.
    models : sequence of str
        Which columns are those of models.
    named : bool
        Whether the user named these.
    taken : bool
        Whether who asks takes `truth`, the column of true classes.

    Raises
    ------
    InputError
        It names the column of true classes.

    Examples
    --------
    >>> refuse_truth({"label": [0, 1, 1], "gcn": [1, 1, 0]}, ["gcn"])
    Traceback (most recent call last):
    nettrial.InputError: gcn seems to hold classes and not scores, as column 'label' has the same
    values; give truth='label', or rename that column if they are scores
    """
    among = usual(models, TRUE_CLASS)
    if among is not None and len(models) > 1 and not named:
        hint = f"name the models by {option('models')}"
        if taken:
            both = f"{option('a')} and {option('b')}"
            hint = f"give {option('truth', among)}, or name the models by {both}"
        raise InputError(f"column {shown(among)} seems to hold the true classes", hint=hint)
    models = [column_named(columns, each) for each in models]
    found = usual([name for name in columns if name not in models], TRUE_CLASS)
    if found is None or not models:
        return
    known, seen = _values(columns[found]), {x for name in models for x in _values(columns[name])}
    if len(known) > 1 and seen and seen <= known and not seen <= {0, 1} < known | {0, 1}:
        score = "score them first, 1 for right and 0 for wrong"
        score = f"give {option('truth', found)}" if taken else score
        raise InputError(
            f"{listed(models)} seem{'s' * (len(models) == 1)} to hold classes and not scores, as "
            f"column {shown(found)} has the same values",
            hint=f"{score}, or rename that column if they are scores",
        )


def _values(cells: Iterable[Any]) -> set[Any]:
    """Return the different values of a column, numbers as such, without blanks."""
    found: set[Any] = set()
    for cell in cells:
        try:
            found.add(float(cell))
        except (TypeError, ValueError):
            found.add(str(cell).strip())
    return {value for value in found - {"", "None"} if value == value}


def called(table: Columns, name: str) -> str:
    """Return how messages call a column: by its name, or by its number from 1.

    Without a header the names are the numbers from 0.
    """
    return f"column {name!r}" if table.header else f"column {int(name) + 1}"


def role_name(table: Columns, name: str) -> str:
    """Return how ``columns=`` calls a column: by its name, or by its number from 1."""
    return name if table.header else str(int(name) + 1)


def is_index_name(name: str) -> bool:
    """Return whether a name is what pandas or R write above row numbers.

    Examples
    --------
    >>> [is_index_name(name) for name in ("", "Unnamed: 0", "index", "id", "source")]
    [True, True, True, False, False]
    """
    return INDEX.fullmatch(name.strip()) is not None


def starts_with_numbers(values: Any) -> bool:
    """Return whether the first values are numbers; the rest may hold others."""
    head = values[:HEAD]
    if isinstance(head, np.ndarray) and head.dtype.kind in "iuf":
        return True
    return len(head) > 0 and all(is_number(value) for value in head)


def is_number(value: object) -> bool:
    if isinstance(value, str):
        return any(form.fullmatch(value) for form in (NUMBER, DECIMAL_COMMA, THOUSANDS))
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)


def as_numbers(values: Any) -> NDArray[np.float64] | None:
    """Return a column as numbers, NaN included; None where any value is no number.

    Text may have decimal commas; where these can part thousands, they are taken for that.

    Examples
    --------
    >>> as_numbers(np.array(["1", "2,5"], dtype=object)).tolist()
    [1.0, 2.5]
    >>> as_numbers(np.array(["1", "x"], dtype=object)) is None
    True
    """
    import pandas as pd

    if isinstance(values, np.ndarray) and values.dtype.kind in "iuf":
        return values.astype(np.float64)
    if not starts_with_numbers(values):
        return None
    codes, names = pd.factorize(values, use_na_sentinel=False)
    if not all(is_number(name) for name in names):
        return None
    texts = [name for name in names if isinstance(name, str)]
    mark = "." if decimal_commas(texts) else ""
    found = [float(n.replace(",", mark)) if isinstance(n, str) else float(n) for n in names]
    return np.array(found, dtype=np.float64)[codes]


def number_of(text: str) -> float:
    """Return what a text that is a number stands for, by itself.

    Examples
    --------
    >>> number_of("2,5"), number_of("1,000,000"), number_of("1e3")
    (2.5, 1000000.0, 1000.0)
    """
    return float(text.replace(",", "." if decimal_commas([text]) is not False else ""))


def decimal_commas(texts: Iterable[str]) -> bool | None:
    """Return whether commas in numbers stand for the point; None where they may part thousands.

    Examples
    --------
    >>> decimal_commas(["1,5", "1,250"]), decimal_commas(["1,000,000"]), decimal_commas(["1,250"])
    (True, False, None)
    """
    marked = [text for text in texts if "," in text]
    if not marked or not all(map(THOUSANDS.fullmatch, marked)):
        return True
    return False if any(text.count(",") > 1 for text in marked) else None


def refuse_unclear_commas(where: str, values: Any) -> None:
    """Refuse weights such as 1,250, which can be a thousand and more or little above one."""
    texts = {text for text in values.tolist() if isinstance(text, str)}
    if decimal_commas(texts) is None:
        example = min(text for text in texts if "," in text)
        raise InputError(
            f"{where}: the weight {shown(example)} can be {example.replace(',', '')} or "
            f"{example.replace(',', '.')}; write it without a comma"
        )
