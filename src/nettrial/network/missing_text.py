"""Texts that always mean a missing value."""

from __future__ import annotations

from collections.abc import Iterable

MISSING_TEXT = frozenset(
    {"", "NA", "N/A", "n/a", "NaN", "nan", "NAN", "?", "None", "NONE", "NULL", "Null", "null", "-",
     "<NA>", "#N/A", "NaT"}
)  # fmt: skip


def missing_spellings(texts: Iterable[str]) -> frozenset[str]:
    """Return which texts mean a missing value; ``-`` does not beside ``+``.

    Examples
    --------
    >>> sorted(missing_spellings(["a", "NA", "-"])), sorted(missing_spellings(["+", "-"]))
    (['-', 'NA'], [])
    """
    present = set(texts)
    return MISSING_TEXT & present - ({"-"} if "+" in present else set())
