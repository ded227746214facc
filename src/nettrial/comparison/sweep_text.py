"""A sweep in words."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ..metrics.measures import Measure
from ..splits.names import splits_told
from .multiple_text import bare, best_words, column_head, listed
from .text import align, best_marked, level, unit, wrapped
from .text import told as value_text

if TYPE_CHECKING:
    from .sweep import Sweep


def verdict(found: Sweep) -> str:
    """Say who wins where, and how much of it holds on other networks."""
    rows = (best_marked(found.measure, values.tolist()) for values in found.scores)
    winners = [[name for name, best in zip(found.models, marks) if best] for marks in rows]
    has, best = "has" if len(winners[0]) == 1 else "have", best_words(found.measure)
    runs = [
        f"{listed(names)} from {rate:.0%}"
        for i, (names, rate) in enumerate(zip(winners, found.labeled))
        if i == 0 or winners[i - 1] != names
    ]
    head = f"The {best}, as more labels are known, {has} {', then '.join(runs)}"
    if len(runs) == 1:
        head = f"{listed(winners[0])} {has} the {best} at every proportion of labels"
    differ = int((found.pairs.adjusted_pvalue < 1 - found.confidence).sum())
    turned = sum(change.supported for change in found.changes)
    changes = f"and {turned} of {len(found.changes)} changes of order"
    if not found.changes:
        changes = "and no two models change their order"
    return (
        f"{head}. {differ} of {len(found.pairs.first)} differences hold on networks like this one, "
        f"{changes}."
    )


def curves_rows(found: Sweep) -> list[list[str]]:
    """Lay out error rates with both intervals."""
    told = partial(value_text, found.measure)
    head = ["labeled", "model", column_head(found.measure), "other networks", "other splits",
            "letters"]  # fmt: skip
    rows, letters = [], found.letters
    for i, rate in enumerate(found.labeled):
        marks = best_marked(found.measure, found.scores[i].tolist())
        for j, model in enumerate(found.models):
            ends = [
                f"{told(low[i, j])} to {told(high[i, j])}"
                for low, high in (
                    (found.networks_low, found.networks_high),
                    (found.splits_low, found.splits_high),
                )
            ]
            mark = " *" if marks[j] else "  "
            rows.append([
                f"{rate:.0%}" if j == 0 else "", model, told(found.scores[i, j]) + mark, *ends,
                letters[i][model],
            ])  # fmt: skip
    return [head, *rows]


def pairs_rows(found: Sweep) -> list[list[str]]:
    """Lay out all pairs at all proportions."""
    pairs, told = found.pairs, partial(value_text, found.measure)
    joint = f"joint {level(found.confidence)} interval"
    head = ["labeled", "pair", "difference", joint, "p max-t", "p Holm"]
    rows = [
        [f"{rate:.0%}", f"{a} - {b}", told(d), f"{told(low)} to {told(high)}", bare(p),
         bare(h)]
        for rate, a, b, d, low, high, p, h in zip(
            found.pair_labeled, pairs.first, pairs.second, pairs.estimate, pairs.ci_low,
            pairs.ci_high, pairs.adjusted_pvalue, pairs.details["holm_pvalue"],
        )
    ]  # fmt: skip
    return [head, *rows]


def about(found: Sweep) -> str:
    """Say on what."""
    network, folds = found.network, found.settings.get("folds")
    return (
        f"{network.n_nodes} nodes, {network.n_links} links, {network.n_classes} classes; "
        f"{splits_told(found.n_splits, found.design)} at each proportion"
        f"{'; ' + folds if folds else ''}; {found.settings['n_communities']} communities. "
        "Intervals for other networks and p-values are by the t-test over communities; intervals "
        "for other splits say nothing of other networks."
    )


def changes_told(found: Sweep) -> list[str]:
    """Say where the order of two models turns, and whether that holds."""
    return [
        f"{change.first} leads {change.second} at {change.before:.0%}, and trails it at "
        f"{change.after:.0%} (lines cross at {change.crossing:.0%}); this change "
        f"{'holds' if change.supported else 'does not hold'} on networks like this one."
        for change in found.changes
    ]


def title(measure: Measure) -> str:
    """Head the table of the curves.

    Examples
    --------
    >>> from nettrial.metrics.measures import MEASURES
    >>> title(MEASURES["error"]), title(MEASURES["auc"])
    ('Error rates (* fewest)', 'AUC (* highest)')
    """
    if measure.name == "error":
        return f"{values_of(measure)} (* fewest)"
    return f"{values_of(measure)} (* {'lowest' if measure.better == 'lower' else 'highest'})"


def values_of(measure: Measure) -> str:
    """Name the values of a measure where a sentence begins."""
    if measure.name == "error":
        return "Error rates"
    return f"{measure.title[:1].upper()}{measure.title[1:]}"


def full_text(found: Sweep) -> str:
    """Give verdict, curves, pairs, changes and warnings for a terminal."""
    lines = [
        wrapped(found.verdict),
        "",
        wrapped(about(found)),
        "",
        f"{title(found.measure)}, {level(found.confidence)} intervals one at a time; letters are "
        "shared by models not told apart",
        align(curves_rows(found), left=2),
        "",
        f"Differences in {unit(found.measure)}, adjusted over the whole sweep",
        align(pairs_rows(found), left=2),
    ]
    if found.changes or found.warnings:
        lines.append("")
    lines += [wrapped(line, mark="- ") for line in changes_told(found)]
    lines += [wrapped(str(warning), mark="! ") for warning in found.warnings]
    return "\n".join(lines)
