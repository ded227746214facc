"""Missing values: the spellings that always mean one, and codes that the user names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, shown
from ..core.option_names import option
from ..network.missing_text import missing_spellings
from ..numeric.checks import is_missing
from .columns import INTEGER, is_number, number_of

# classes that usually stand for a missing one; not taken for it unless the user says so
SUSPECTS = frozenset(
    {"unknown", "unlabeled", "unlabelled", "missing", "undefined", "not available", "n.a.", "none",
     "unspecified", "unclassified", "not known", "u", "unk", "no label", "nil"}
)  # fmt: skip
CODES = frozenset({"-1", "-9", "-99", "-999", "-9999", "99", "999", "9999", "99999", "999999"})
Codes: TypeAlias = (
    str | int | float | Sequence[Any] | Mapping[str | None, Any] | Mapping[str, Any] | None
)


def plain_values(
    values: Any, keep: frozenset[str] = frozenset()
) -> tuple[NDArray[Any], dict[str, int]]:
    """Turn a text column into integers where every value is one; None where one is missing.

    Texts to `keep` are values although they look missing. Also returns how often each spelling of a
    missing value occurred.
    """
    import pandas as pd

    if isinstance(values, np.ndarray) and values.dtype != object:
        return values, {}
    codes, names = pd.factorize(values)
    texts = [str(name) for name in names]
    counts = np.bincount(codes[codes >= 0], minlength=len(texts))
    absent = missing_spellings(texts) - keep
    missing = {t: int(c) for t, c in zip(texts, counts) if t in absent}
    present = [text for text in texts if text not in absent]
    whole = bool(present) and all(INTEGER.fullmatch(text) for text in present)
    items: list[Any] = [None if text in absent else int(text) if whole else text for text in texts]
    table = np.empty(len(items) + 1, dtype=object)
    table[:-1] = items
    return table[codes], missing


def plain_column(column: Any) -> Any:
    """Return a column's values, integers where all are; None where one is missing."""
    return plain_values(column)[0]


def only_empty(missing: Codes) -> bool:
    """Return whether nothing but an empty field is missing, as ``missing=""`` says.

    Examples
    --------
    >>> only_empty(""), only_empty(["NA"]), only_empty(None)
    (True, False, False)
    """
    return isinstance(missing, str) and not missing


def codes_of(missing: Codes, label: str | None) -> dict[str | None, tuple[str, ...]]:
    """Return the codes for missing values by column; plain values, and None, mean the label."""
    if missing is None or only_empty(missing):
        return {}
    if isinstance(missing, Mapping):
        return {
            label if column is None else str(column): as_codes(codes)
            for column, codes in missing.items()
        }
    return {label: as_codes(missing)}


def as_codes(codes: Any) -> tuple[str, ...]:
    single = isinstance(codes, (str, int, float)) or codes is None
    return tuple(str(code) for code in ([codes] if single else codes))


def without_codes(
    values: Any, codes: Sequence[str], column: str, where: str
) -> tuple[NDArray[Any], dict[str, int]]:
    """Return a column with None in place of the codes, and how often each occurred."""
    items = np.empty(len(values), dtype=object)
    items[:] = values.tolist() if hasattr(values, "tolist") else list(values)
    texts = [None if is_missing(item) else str(item) for item in items]
    counts: dict[str, int] = {}
    for code in codes:
        match = np.array([text is not None and same_code(text, code) for text in texts], dtype=bool)
        if not match.any():
            present = sorted({text for text in texts if text is not None})
            held = ", ".join(present[:20]) + (", ..." if len(present) > 20 else "")
            raise InputError(
                f"{where}: {option('missing', code)} does not occur in column {shown(column)}; it "
                f"holds {held}"
            )
        counts[code] = int(np.count_nonzero(match))
        items[match] = None
    return items, counts


def same_code(text: str, code: str) -> bool:
    """Return whether a value is a code, as text or as a number.

    Examples
    --------
    >>> same_code("9.0", "9"), same_code("U", "U"), same_code("u", "U")
    (True, True, False)
    """
    return text == code or (
        is_number(text) and is_number(code) and number_of(text) == number_of(code)
    )


def suspects(classes: Iterable[Any]) -> list[str]:
    """Return the classes that may stand for a missing one.

    Examples
    --------
    >>> suspects(["1", "2", "unknown"]), suspects([1, 2, 99]), suspects([97, 98, 99])
    (['unknown'], ['99'], [])
    """
    names = [str(name) for name in classes]
    if len(names) < 2 or {*names} == {"-1", "1"}:  # which is a usual way to write two classes
        return []
    found = [name for name in names if name.strip().lower() in SUSPECTS]
    codes = [name for name in names if name in CODES]
    others = [number_of(name) for name in names if is_number(name) and name not in CODES]
    if len(codes) + len(others) == len(names) and others:
        far = max(others) + 10
        found += [name for name in codes if float(name) < min(0, *others) or float(name) > far]
    return found
