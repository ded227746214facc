"""What reports say of a verdict after other comparisons on the same test set."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...comparison.prior_tests import PriorTests
from ...core.wording import level, pvalue_text
from ...metrics.amounts import amount
from ...metrics.measures import Measure
from .. import cells
from ..cells import Cell
from ..document import Blocks, Table, rows
from ..references import cite


def after_any(prior: PriorTests | None) -> PriorTests | None:
    """Return the comparisons before this one where there were any."""
    return None if prior is None or not prior.number else prior


def after_others(prior: PriorTests, measure: Measure) -> str:
    """Return what follows interval and p-value of a verdict on two models as one of several."""
    ends, alone, adaptive = prior.alone, prior.alone.pvalue, prior.adaptive.pvalue
    low, high = (
        amount(measure, float(end), (float(ends.ci_low), float(ends.ci_high)))
        for end in (ends.ci_low, ends.ci_high)
    )
    return (
        f" for {prior.total} comparisons fixed beforehand (as the only one {low} to {high}, "
        f"{pvalue_text(float(alone))}; with each chosen by yes or no at those before "
        f"{pvalue_text(float(adaptive))})"
    )


def prior_tests_table(
    prior: PriorTests | None,
    confidence: float,
    measure: Measure,
    pairs: Sequence[Cell] = (cells.words(""),),
) -> Blocks:
    """Return what verdicts are worth alone, as one of some fixed and as one of some chosen.

    Parameters
    ----------
    pairs : sequence of Cell
        What each difference is called; one, empty, for two models.
    """
    prior = after_any(prior)
    if prior is None:
        return ()
    total = prior.total
    taken = (
        (prior.alone, "the only one", cells.words("1")),
        (prior.fixed, "all fixed beforehand", cells.words(total)),
        (
            prior.adaptive,
            "each chosen by yes or no before",
            cells.difference(f"2^{total}", "1"),
        ),
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
    head = ("chosen", "comparisons", f"{level(confidence)} interval", "p")
    return (
        Table(
            f"As one of {total} comparisons on this test set",
            (*(("pair",) if pairs[0].text else ()), *head),
            rows(body),
            below=(
                "p is multiplied by the number of comparisons that could have been the reported "
                "one, and the interval holds for all of them (Bonferroni). By yes or no after each "
                f"of them {total} comparisons can lead to 2^{total} - 1; if the scores themselves "
                "were used, or the nodes that were wrong, there is no such number.",
            ),
            groups=3,
        ),
    )


def prior_tests_cited(prior: PriorTests | None) -> str:
    """Return a methods sentence on earlier comparisons; nothing where there were none."""
    prior = after_any(prior)
    if prior is None:
        return ""
    return (
        f"Models were compared {prior.total} times on this test set. P-values and intervals were "
        f"adjusted for {prior.total} comparisons fixed beforehand {cite('dunn1961')} and for the "
        f"2^{prior.total} - 1 that yes or no after each could lead to {cite('blum2015')}; "
        f"what else was learned from it is not allowed for {cite('dwork2015')}. "
    )
