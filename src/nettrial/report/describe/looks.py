"""What reports say of several looks at one test set."""

from __future__ import annotations

import numpy as np

from ...comparison.looks import Looks
from ...metrics.measures import Measure
from ...wording import level, pvalue_text
from .. import cells
from ..document import Blocks, Table, rows
from ..references import cite


def looks_told(looks: Looks) -> str:
    """Return what a verdict on two models is worth, in one sentence."""
    if looks.number == 1:
        return ""
    fixed, chosen = (pvalue_text(float(each.pvalue)) for each in (looks.fixed, looks.chosen))
    return (
        f"As one of {looks.number} looks at this test set: {fixed} if all were fixed beforehand, "
        f"{chosen} if each was chosen by yes or no at those before."
    )


def looks_table(
    looks: Looks | None, pairs: list[str], confidence: float, measure: Measure
) -> Blocks:
    """Return what verdicts are worth alone, as one of some fixed and as one of some chosen.

    Parameters
    ----------
    looks : Looks or None
    pairs : list of str
        What each difference is called; one, empty, for two models.
    confidence : float
    measure : Measure
    """
    if looks is None or looks.number == 1:
        return ()
    number = looks.number
    taken = (
        (looks.alone, "the only look", "1"),
        (looks.fixed, "all fixed beforehand", f"{number}"),
        (looks.chosen, "each chosen by yes or no before", f"2^{number} - 1"),
    )
    body = [
        [
            *([cells.words(pair)] if pair else []),
            cells.words(words),
            cells.words(count),
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
            (*(("pair",) if pairs[0] else ()), *head),
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
    if looks is None or looks.number == 1:
        return ""
    return (
        f"Models were compared {looks.number} times on this test set. P-values and intervals were "
        f"adjusted for {looks.number} comparisons fixed beforehand {cite('dunn1961')} and for the "
        f"2^{looks.number} - 1 that yes or no at every look could lead to {cite('blum2015')}; "
        f"what else was learned from it is not allowed for {cite('dwork2015')}. "
    )
