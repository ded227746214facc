"""What reports say of a margin: the smallest difference that matters."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.wording import level, listed, plural
from ...inference.margins import Ending
from ...metrics.amounts import interval, margin_with_unit
from ...metrics.measures import Measure
from ...stats.comparisons import Comparisons
from ..references import cite
from .claims import MOST

ENDINGS = {
    "better_by_more": "better by more",
    "better": "better",
    "better_by_less": "better by less",
    "equivalent": "equivalent",
    "cannot_tell": "cannot tell",
}


def endings_note(pairs: Comparisons, endings: Sequence[Ending], measure: Measure) -> str:
    """Return how several pairs end against a margin; empty without one."""
    if not endings:
        return ""
    named: dict[str, list[str]] = {name: [] for name in ENDINGS}
    for a, b, difference, ending in zip(pairs.first, pairs.second, pairs.estimate, endings):
        better, worse = (a, b) if measure.sign * difference <= 0 else (b, a)
        won = ending.name.startswith("better")
        named[ending.name].append(f"{better} over {worse}" if won else f"{a} and {b}")
    said = [
        f"{words} ({listed(names) if len(names) <= MOST else plural(len(names), 'pair')})"
        for name, words in ENDINGS.items()
        if (names := named[name])
    ]
    margin = margin_with_unit(measure, endings[0].margin)
    return f" Against the margin of {margin}: {'; '.join(said)}."


def describe_ending(measure: Measure, ending: Ending | None) -> str:
    """Return the interval that is held against a margin, in words; empty without one."""
    if ending is None:
        return ""
    ends = interval(ending.low, ending.high, ending.confidence, measure)
    return f"; two one-sided tests against the margin: {ends}"


def margin_caption(measure: Measure, ending: Ending | None) -> str:
    """Return what a figure's caption says of a margin; empty without one."""
    if ending is None:
        return ""
    return f" The light band is the margin of {margin_with_unit(measure, ending.margin)}."


def margin_cited(ending: Ending | None, measure: Measure) -> str:
    """Return a methods sentence on the margin; empty without one."""
    if ending is None:
        return ""
    margin, sources = margin_with_unit(measure, ending.margin), cite("schuirmann1987", "lakens2017")
    return (
        f"Equivalence within {margin} was tested by two one-sided tests {sources}, that is, by the "
        f"{level(ending.confidence)} interval. "
    )
