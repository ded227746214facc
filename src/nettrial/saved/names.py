"""Text of tables that means the same."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..network.network_parts import is_missing

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
