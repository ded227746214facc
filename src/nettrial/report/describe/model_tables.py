"""Tables of several models: the models, their labels, their pairs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from ...comparison.multiple import MultipleComparison
from ...comparison.result import Comparison, OfSeveral
from ...core.wording import capitalized, level, plural
from ...inference.margins import Ending
from ...metrics.amounts import column_head, noun, unit
from ...metrics.measures import Measure
from ...stats.comparisons import Comparisons
from .. import cells
from ..document import Blocks, Table, rows
from .margin import ending_cells, ending_head

SECONDS = (
    "Seconds are the time for fit and prediction on one split, the median over splits. Time in "
    "which other programs kept the machine busy does not count."
)
MEGABYTES = (
    "Megabytes are main memory that a model took for it at the peak, beside what its worker "
    "process held: not that of a graphics card."
)


def paper_table(found: Comparison | MultipleComparison) -> Table:
    """Return the mean of every model and its standard deviation over splits, as papers print it."""
    measure, scores = found.measure, found.scores_by_split
    means = list(found.scores.values())
    body = [
        [cells.words(name), cells.mean_and_sd(measure, each, beside=means)]
        for name, each in scores.items()
    ]
    how = f"mean ± standard deviation over {plural(len(next(iter(scores.values()))), 'split')}"
    title = f"{capitalized(noun(measure))}, {how}; {measure.better} is better"
    return Table(title, ("model", column_head(measure)), rows(body))


def seconds_table(found: Comparison) -> Blocks:
    """Return what either of two models took, where that was measured."""
    head, below = cost_head(found)
    if not head:
        return ()
    body = [[cells.words(name), *cost_cells(found, name)] for name in found.predictions.models]
    return (Table("Time", ("model", *head), rows(body), below=(" ".join(below),), fold=True),)


def cost_head(found: Comparison | MultipleComparison) -> tuple[Sequence[str], Sequence[str]]:
    """Return heads of columns for what models took, where it was measured, and notes on them."""
    measured = found.predictions
    heads = bool(measured.median_seconds), bool(measured.median_megabytes)
    return (
        [name for name, known in zip(("seconds", "megabytes"), heads) if known],
        [note for note, known in zip((SECONDS, MEGABYTES), heads) if known],
    )


def cost_cells(found: Comparison | MultipleComparison, name: str) -> list[cells.Cell]:
    """Return what a model took, under `cost_head`."""
    measured = found.predictions
    every = measured.median_seconds, measured.median_megabytes
    return [_in_column(each, name) for each in every if each]


def _in_column(column: Mapping[str, float], name: str) -> cells.Cell:
    """Return a value with as many decimals as the largest has with three digits."""
    largest = max(column.values())
    decimals = max(2 - math.floor(math.log10(largest)), 0) if largest > 0 else 0
    return cells.number(column.get(name), f",.{decimals}f")


def models_table(found: OfSeveral, *, timed: bool = True) -> Table:
    """Return the models, the best first, with intervals, letters and times."""
    measure, letters = found.measure, bool(found.letters)
    ran = found if timed and isinstance(found, MultipleComparison) else None
    costs, notes = cost_head(ran) if ran else ((), ())
    scores = list(found.scores.values())
    head = ("model", column_head(measure), f"{level(found.confidence)} interval")
    body = [
        [
            cells.words(name),
            cells.value(measure, score, beside=scores),
            cells.interval(measure, *found.score_intervals[name], beside=scores),
            *([_ranks(found, name), cells.words(found.letters[name])] if letters else []),
            *(cost_cells(ran, name) if ran and costs else []),
        ]
        for name, score in found.scores.items()
    ]
    if found.baseline is not None:
        floor = cells.value(measure, found.baseline.score, beside=scores)
        row = [cells.words(found.baseline.words), floor, cells.words("")]
        body.append([*row, *[cells.words("")] * (2 * letters + len(costs))])
    below = [f"Intervals are pointwise {level(found.confidence)} intervals."]
    if letters:
        below.append(
            "The ranks are those that a model may have by all pairs at once. Models that share a "
            "letter do not differ significantly."
        )
    below += notes
    return Table(
        "Models",
        (*head, *(("ranks", "letters") if letters else ()), *costs),
        rows(body),
        below=(" ".join(below),),
        fold=True,
    )


def _ranks(found: OfSeveral, name: str) -> cells.Cell:
    best, worst = found.ranks[name]
    return cells.numbers(f"{best}" if best == worst else f"{best} to {worst}", (best, worst))


def labels_table(found: MultipleComparison) -> Blocks:
    """Return the measure of every model on each label, where nodes have several."""
    labels = found.settings.get("labels")
    if labels is None:
        return ()
    alone = noun(found.measure).partition(", ")[0]
    all_labels = [one[model] for one in labels.values() for model in found.scores]
    body = [
        [
            cells.words(name),
            cells.count(int(one["nodes"])),
            *(cells.value(found.measure, one[model], beside=all_labels) for model in found.scores),
        ]
        for name, one in labels.items()
    ]
    return (
        Table(
            f"{capitalized(alone)}{' (%)' * found.measure.shares} of each label",
            ("label", "nodes", *found.scores),
            rows(body),
            below=(
                "Each label against its absence, the mean over splits. A node contributes to a "
                "difference by all its labels, so that errors on labels of the same node do not "
                "count as independent.",
            ),
        ),
    )


def pairs_table(pairs: Comparisons, measure: Measure, endings: Sequence[Ending] = ()) -> Table:
    """Return the pairs with simultaneous intervals, adjusted p-values and endings by a margin.

    A pair that stands alone has an interval and a p-value.
    """
    all_pairs = cells.of_pairs(pairs)
    total = pairs.adjustment.partition(", times ")[2]
    several = cells.are_family(pairs)
    family = ("p unadjusted", "p max-t", "p Holm") if several else ("p",)
    body = [
        [cells.difference(a, b), cells.value(measure, d, beside=all_pairs),
         cells.numbers("never differ") if still else
         cells.interval(measure, low, high, beside=all_pairs),
         *map(cells.pvalue, (p, q, h)[:len(family)]), *ending]
        for a, b, d, low, high, still, p, q, h, ending in zip(
            pairs.first, pairs.second, pairs.estimate, pairs.ci_low, pairs.ci_high,
            pairs.degenerate & (pairs.pvalue == 1),
            pairs.pvalue, pairs.adjusted_pvalue, pairs.details["holm_pvalue"],
            ending_cells(endings, len(pairs.first)),
        )
    ]  # fmt: skip
    return Table(
        f"Differences in {unit(measure)}",
        ("pair", "difference", f"{'simultaneous ' * several}{level(pairs.confidence)} interval",
         *family, *ending_head(endings)),
        rows(body),
        below=(f"Intervals and adjusted p-values allow for {total}.",) if total else (),
        fold=True,
    )  # fmt: skip
