"""Which sources a report rests on; the sources themselves are the project's one table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ..inference.registry import PROCEDURES
from ..references import bibtex, sources

__all__ = ["CITED", "SOURCES", "bibtex", "cite", "sources_of"]

# marks sources in a methods paragraph; names that were cleaned hold no such character
CITED = re.compile("\ue000([\\w,]+)\ue001")
SOURCES = sources()
ALWAYS = ("wang2011", "neville2009", "macskassy2007", "newman2003")  # every trial rests on them
OF_TESTS: Mapping[str, tuple[str, ...]] = {
    name: each.references for name, each in PROCEDURES.items() if each.references
}
OF_MEASURES: Mapping[str, tuple[str, ...]] = {
    "auc": ("hampel1974", "delong1988"),
    "macro_f1": ("hampel1974",),
    "squared_loss": ("brier1950",),
}


def cite(*keys: str) -> str:
    """Mark sources in a methods paragraph; nothing where there are none."""
    return f"\ue000{','.join(keys)}\ue001" if keys else ""


def sources_of(tests: Iterable[str], measure: str = "error") -> tuple[str, ...]:
    """Return the keys of what these tests and this measure rest on, each once.

    Examples
    --------
    >>> sources_of(["wilcoxon"])[-1]
    'wilcoxon1945'
    """
    keys = list(ALWAYS)
    for test in tests:
        keys += OF_TESTS.get(test, ())
    return tuple(dict.fromkeys([*keys, *OF_MEASURES.get(measure, ())]))
