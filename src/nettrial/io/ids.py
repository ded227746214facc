"""Ids of nodes: made comparable between tables, and why those of two tables differ."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
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

    text = [place for place, column in enumerate(columns) if is_text(column)]
    if not text:
        return list(columns)
    codes, names = common_codes([columns[place] for place in text])
    own = dict(zip(text, codes))
    if all(INTEGER.fullmatch(str(name)) for name in names):
        numbers = np.array(list(map(int, names)), np.int64)
        return [numbers[own[k]] if k in own else each for k, each in enumerate(columns)]
    if len(text) == len(columns) and share_categories(columns):
        return [pd.Categorical(column) for column in columns]
    kind = pd.CategoricalDtype(names)
    return [
        pd.Categorical.from_codes(own[k], dtype=kind) if k in own else as_text(each)
        for k, each in enumerate(columns)
    ]


def share_categories(columns: Sequence[Any]) -> bool:
    """Return whether columns are categoricals with one table of values."""
    import pandas as pd

    kinds = [getattr(column, "dtype", None) for column in columns]
    return isinstance(kinds[0], pd.CategoricalDtype) and all(kind is kinds[0] for kind in kinds)


def common_codes(columns: Sequence[Any]) -> tuple[list[Any], Any]:
    """Number the values of several columns of text alike, and return these values."""
    import pandas as pd

    if share_categories(columns):
        names = columns[0].dtype.categories
        used = np.zeros(len(names), dtype=bool)
        codes = [np.asarray(pd.Categorical(column).codes) for column in columns]
        for part in codes:
            used[part] = True
        place = np.cumsum(used) - 1
        return [place[part] for part in codes], names[used]
    parts = [(part, np.asarray(names, object)) for part, names in map(pd.factorize, columns)]
    names = pd.Index(pd.unique(np.concatenate([each for _, each in parts])), dtype=object)
    return [names.get_indexer(each)[part] for part, each in parts], names


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
