"""What reports say of a margin: the smallest difference that matters."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.wording import level, plural
from ...inference.margins import ENDINGS, Ending
from ...metrics.amounts import interval, margin_with_unit
from ...metrics.measures import Measure
from ...stats.comparisons import Comparisons
from .. import cells
from ..references import cite
from .claims import MOST


def endings_note(
    ordered: Sequence[tuple[str, str]],
    endings: Sequence[Ending],
    measure: Measure,
    where: Sequence[str] = (),
) -> str:
    """Return how several pairs, the better model first, end against a margin; empty without one.

    `where` follows the names of each pair: " at 10%".
    """
    if not endings:
        return ""
    named: dict[str, list[str]] = {name: [] for name in ENDINGS}
    for (better, worse), ending, place in zip(ordered, endings, where or [""] * len(endings)):
        joined = "over" if ending.name.startswith("better") else "and"
        named[ending.name].append(f"{better} {joined} {worse}{place}")
    said = [
        f"{words} ({', '.join(names) if len(names) <= MOST else plural(len(names), 'pair')})"
        for name, words in ENDINGS.items()
        if (names := named[name])
    ]
    margin = margin_with_unit(measure, endings[0].margin)
    return f" Against the margin of {margin}: {'; '.join(said)}."


def better_first(pairs: Comparisons, measure: Measure) -> list[tuple[str, str]]:
    """Return the models of every pair, the one with the better value first."""
    return [
        (a, b) if measure.sign * difference <= 0 else (b, a)
        for a, b, difference in zip(pairs.first, pairs.second, pairs.estimate)
    ]


def describe_ending(measure: Measure, ending: Ending | None) -> str:
    """Return the interval that is held against a margin, in words; empty without one."""
    if ending is None:
        return ""
    ends = interval(ending.low, ending.high, ending.confidence, measure)
    return f"; two one-sided tests against the margin: {ends}"


def ending_head(endings: Sequence[Ending]) -> list[str]:
    """Return the head of the column of endings, where there is one."""
    return ["ending"] if endings else []


def ending_cells(endings: Sequence[Ending], rows: int) -> list[list[cells.Cell]]:
    """Return what stands in that column, row by row."""
    return [[cells.words(ENDINGS[each.name])] for each in endings] or [[]] * rows


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
