"""What reports say of several looks at one test set."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...comparison.looks import Looks
from ...core.wording import level, pvalue_text
from ...metrics.amounts import amount
from ...metrics.measures import Measure
from .. import cells
from ..cells import Cell
from ..document import Blocks, Table, rows
from ..references import cite


def more_than_one(looks: Looks | None) -> Looks | None:
    """Return the looks at a test set where there were more than one."""
    return None if looks is None or looks.number == 1 else looks


def looks_told(looks: Looks, measure: Measure) -> str:
    """Return what follows interval and p-value of a verdict on two models as one of several."""
    ends, alone, chosen = looks.alone, looks.alone.pvalue, looks.chosen.pvalue
    low, high = (
        amount(measure, float(end), (float(ends.ci_low), float(ends.ci_high)))
        for end in (ends.ci_low, ends.ci_high)
    )
    return (
        f" for {looks.number} looks fixed beforehand (as the only look {low} to {high}, "
        f"{pvalue_text(float(alone))}; with each look chosen by yes or no at those before "
        f"{pvalue_text(float(chosen))})"
    )


def looks_table(
    looks: Looks | None,
    confidence: float,
    measure: Measure,
    pairs: Sequence[Cell] = (cells.words(""),),
) -> Blocks:
    """Return what verdicts are worth alone, as one of some fixed and as one of some chosen.

    Parameters
    ----------
    looks : Looks or None
    confidence : float
    measure : Measure
    pairs : sequence of Cell
        What each difference is called; one, empty, for two models.
    """
    looks = more_than_one(looks)
    if looks is None:
        return ()
    number = looks.number
    taken = (
        (looks.alone, "the only look", cells.words("1")),
        (looks.fixed, "all fixed beforehand", cells.words(number)),
        (looks.chosen, "each chosen by yes or no before", cells.difference(f"2^{number}", "1")),
    )
    body = [
        [
            *([pair] if pair.text else []),
            cells.words(words),
            count,
            cells.interval(measure, float(low), float(high)),
            cells.pvalue(float(p)),
        ]
        for place, pair in enumerate(pairs)
        for worth, words, count in taken
        for p, low, high in [
            [np.atleast_1d(part)[place] for part in (worth.pvalue, worth.ci_low, worth.ci_high)]
        ]
    ]
    head = ("looks", "comparisons", f"{level(confidence)} interval", "p")
    return (
        Table(
            f"As one of {number} looks at this test set",
            (*(("pair",) if pairs[0].text else ()), *head),
            rows(body),
            below=(
                "p is multiplied by the number of comparisons that could have been the reported "
                "one, and the interval holds for all of them (Bonferroni). By yes or no at every "
                f"look {number} looks can lead to 2^{number} - 1 comparisons; whoever used the "
                "scores themselves, or the nodes that were wrong, has no such number.",
            ),
            groups=3,
        ),
    )


def looks_cited(looks: Looks | None) -> str:
    """Return a methods sentence on the looks; nothing where there was one."""
    looks = more_than_one(looks)
    if looks is None:
        return ""
    return (
        f"Models were compared {looks.number} times on this test set. P-values and intervals were "
        f"adjusted for {looks.number} comparisons fixed beforehand {cite('dunn1961')} and for the "
        f"2^{looks.number} - 1 that yes or no at every look could lead to {cite('blum2015')}; "
        f"what else was learned from it is not allowed for {cite('dwork2015')}. "
    )
