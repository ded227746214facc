"""Text of tables that means the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.plain_text import harmless, unguarded
from ..numeric.checks import is_missing

FLAGS = {"False": "0", "false": "0", "FALSE": "0", "True": "1", "true": "1", "TRUE": "1"}


def text(values: NDArray[Any]) -> NDArray[Any]:
    """Return values as text, whole numbers without point, missing ones as "".

    Examples
    --------
    >>> text(np.array([1.0, np.nan, 2.5])).tolist(), text(np.array(["1.0", "a"])).tolist()
    (['1', '', '2.5'], ['1.0', 'a'])
    """
    import pandas as pd

    codes, names = pd.factorize(values)
    return np.array([*map(_word, names.tolist()), ""], dtype=object)[codes]


def _word(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode()
    if is_missing(value):
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def before_export(
    columns: Mapping[str, NDArray[Any]], known: Iterable[str]
) -> dict[str, NDArray[Any]]:
    """Return columns of a table without what exported CSV adds for spreadsheets.

    `known` are ids and classes of the network: text that stands for one of them becomes it; other
    text loses the quote before a formula.

    Examples
    --------
    >>> table = {"node": np.array(["'=5", "a\\\\x01"], dtype=object)}
    >>> before_export(table, ["=5", "a\\x01"])["node"].tolist()
    ['=5', 'a\\x01']
    """
    import pandas as pd

    names = set(known)
    forms = {form: name for name in names if (form := harmless(name)) != name}

    def original(word: str) -> str:
        return forms.get(word) or (word if word in names else unguarded(word))

    found = {}
    for title, values in columns.items():
        if values.dtype == object:
            codes, words = pd.factorize(values)
            text = [word for word in words.tolist() if isinstance(word, str)]
            # a column with a formula, or a control character, was not exported
            exported = not any(harmless(word) != word == unguarded(word) for word in text)
            if exported and text != [original(word) for word in text]:
                meant = [original(w) if isinstance(w, str) else w for w in words.tolist()]
                values = np.array([*meant, ""], dtype=object)[codes]
        found[original(title)] = values
    return found


def whole(word: str) -> str:
    """Return a whole number that is written with a point, as 3.0, without it.

    Examples
    --------
    >>> whole("3.0"), whole("3.5"), whole("v3.0")
    ('3', '3.5', 'v3.0')
    """
    head, point, tail = word.partition(".")
    digits = head.removeprefix("-")
    return head if point and digits.isascii() and digits.isdigit() and not tail.strip("0") else word
