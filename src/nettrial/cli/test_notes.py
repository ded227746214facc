"""Notes below a test of the catalog: which ranks are good, and names as users type them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..core.results import show
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


def rsc_doubts(
    values: Sequence[Any], names: Sequence[str], given: Mapping[str, Any]
) -> Iterator[str]:
    """Yield what of a table of error rates and the estimates for RS-C does not go together.

    Examples
    --------
    >>> import numpy as np
    >>> both, given = [np.array([0.1, 0.2])] * 2, {"p_b": 0.3, "q_a": 0.1, "q_b": 0.9}
    >>> list(rsc_doubts(both, ["a", "b"], given))
    ['q_a = 0.1 is below p = 0.15...', 'p_b = 0.3 is not within what b holds, 0.1 to 0.2']
    """
    for side, rates, name in zip("ab", values, names):
        if rates.mean() > 0.5:
            yield (
                f"the mean of {name} is {show(rates.mean())}, and RS-C takes error rates: of "
                "accuracies give 1 minus each"
            )
        p, q = (given.get(f"{key}_{side}") for key in "pq")
        if isinstance(p, (int, float)) and not rates.min() <= p <= rates.max():
            ends = f"{show(rates.min())} to {show(rates.max())}"
            yield f"p_{side} = {p:g} is not within what {name} holds, {ends}"
        p = rates.mean() if p is None else p
        if isinstance(q, (int, float)) and q < p:
            yield (
                f"q_{side} = {q:g} is below p = {show(p)}, but q is the error rate of the "
                "error-prone nodes"
            )
