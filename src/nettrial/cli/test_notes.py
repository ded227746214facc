"""Notes below a test of the catalog: which ranks are good, and names as users type them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from typing import Any

from ..stats.catalog import CATALOG, TestSpecification


def rank_note(spec: TestSpecification, options: Mapping[str, Any]) -> str:
    """Describe which end of the ranks of a test is good; "" for a test without ranks.

    Examples
    --------
    >>> rank_note(CATALOG["friedman"], {"higher_is_better": True})
    'Rank 1 is the highest value of a row: a low mean rank is good.'
    """
    if spec.words.amount != "mean_ranks":
        return ""
    if "higher_is_better" not in inspect.signature(spec.load()).parameters:
        return (
            "Rank 1 is the lowest of all values: a low mean rank is good where values are errors, "
            "a high one where they are accuracies."
        )
    if options.get("ranked"):
        return "Rank 1 is the best, as in the table: a low mean rank is good."
    if options.get("higher_is_better"):
        return "Rank 1 is the highest value of a row: a low mean rank is good."
    return (
        "Rank 1 is the lowest value of a row: a low mean rank is good where values are errors; for "
        "accuracies add --set higher_is_better=true, which gives rank 1 to the highest."
    )


def spelled_here(note: str) -> str:
    """Return a note with tests named as on the command line.

    Examples
    --------
    >>> spelled_here("few differences: use sign_test")
    'few differences: use sign'
    """
    for each in CATALOG.values():
        note = re.sub(rf"\b{each.target.rpartition('.')[2]}\b", each.name, note)
    return note
