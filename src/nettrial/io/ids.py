"""Ids of nodes: made comparable between tables, and why those of two tables differ."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..core.errors import shown
from .columns import INTEGER

EXAMPLES = 3


def is_text(values: Any) -> bool:
    return not (isinstance(values, np.ndarray) and values.dtype.kind in "if")


def as_text(values: Any) -> Any:
    """Turn an integer column into text, its distinct values one by one."""
    import pandas as pd

    if is_text(values):
        return values
    codes, names = pd.factorize(values)
    return pd.Categorical.from_codes(codes, categories=pd.Index(names.astype(str), dtype=object))


def same_kind(*columns: Any) -> list[Any]:
    """Make ids comparable: integers where all columns hold nothing else, else text."""
    import pandas as pd

    parts = [pd.factorize(column) if is_text(column) else None for column in columns]
    whole = all(
        part is None or all(INTEGER.fullmatch(str(name)) for name in part[1]) for part in parts
    )
    if whole:
        return [
            column if part is None else np.array(list(map(int, part[1])), np.int64)[part[0]]
            for column, part in zip(columns, parts)
        ]
    return [
        as_text(column)
        if part is None
        else pd.Categorical.from_codes(part[0], categories=pd.Index(part[1], dtype=object))
        for column, part in zip(columns, parts)
    ]


def as_number(text: str) -> str:
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return text
    return f"{number:.15g}" if np.isfinite(number) else text


def as_seen(text: str) -> str:
    """Return a text in one form of those that look alike, without what cannot be seen."""
    composed = unicodedata.normalize("NFKC", text)
    return "".join(sign for sign in composed if unicodedata.category(sign) not in ("Cf", "Cc"))


FORMS: dict[str, Callable[[str], str]] = {
    "zeros in front are left out": lambda text: text.lstrip("0") or "0",
    "numbers are written alike (7, 7.0, 7E+00)": as_number,
    "separators of thousands are left out": lambda text: text.replace(",", "").replace("'", ""),
    "accents and invisible characters are written alike": as_seen,
    "case is ignored": str.casefold,
    "spaces are left out": lambda text: "".join(text.split()),
    "prefixes are left out": lambda text: text.lstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ"
                                                      "RSTUVWXYZ_:-#").lstrip("0") or text,
}  # fmt: skip


def would_match(unknown: Iterable[Any], known: Iterable[Any]) -> str:
    """Return how most unknown ids would be known after all; empty where nothing helps.

    Examples
    --------
    >>> would_match(["01", "02"], [1, 2, 3])
    'zeros in front are left out'
    >>> would_match(["N1"], ["n1"]), would_match(["x"], ["y"])
    ('case is ignored', '')
    """
    strange = [str(value) for value in unknown]
    texts = [str(value) for value in known]
    if not strange:
        return ""
    if sum(text in set(texts) for text in strange) > len(strange) / 2:
        return "text and numbers are written alike"
    for note, form in FORMS.items():
        forms = {form(text) for text in texts}
        if sum(form(text) in forms for text in strange) > len(strange) / 2:
            return note
    return ""


def number_rows(values: Iterable[Any], n: int) -> bool:
    """Return whether ids can be numbers of `n` rows, counted from 0 or from 1.

    Examples
    --------
    >>> number_rows([0, 2, 1], 3), number_rows(["1", "9"], 3), number_rows(["a"], 3)
    (True, False, False)
    """
    texts = {str(value) for value in values}
    return bool(texts) and all(INTEGER.fullmatch(t) and 0 <= int(t) <= n for t in texts)


def examples(values: Iterable[Any]) -> tuple[str, ...]:
    """Return a few ids as Python writes them, so that text and numbers differ."""
    found: list[str] = []
    for value in values:
        plain = value.item() if isinstance(value, np.generic) else value
        text = shown(plain)
        if text not in found:
            found.append(text)
        if len(found) == EXAMPLES:
            break
    return tuple(found)
