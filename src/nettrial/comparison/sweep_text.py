"""A sweep in words."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ..metrics.measures import Measure
from .many_text import bare, best_words, column_head
from .text import align, level, unit, wrapped
from .text import told as value_text

if TYPE_CHECKING:
    from .sweep import Sweep


def verdict(found: Sweep) -> str:
    """Say who wins where, and how much of it holds on other networks."""
    winners = found.winners
    if len(set(winners)) == 1:
        head = f"{winners[0]} has the {best_words(found.measure)} at every proportion of labels"
    else:
        runs = [
            f"{name} at {rate:.0%}"
            for i, (name, rate) in enumerate(zip(winners, found.labeled))
            if i == 0 or winners[i - 1] != name
        ]
        head = f"The {best_words(found.measure)} has {', then '.join(runs)}"
    differ = int((found.pairs.adjusted_pvalue < 1 - found.confidence).sum())
    turned = sum(change.supported for change in found.changes)
    return (
        f"{head}. {differ} of {len(found.pairs.first)} differences hold on networks like this one, "
        f"and {turned} of {len(found.changes)} changes of order."
    )


def curves_table(found: Sweep) -> str:
    """Lay out error rates with both intervals."""
    told = partial(value_text, found.measure)
    head = ["labelled", "model", column_head(found.measure), "other networks", "other splits"]
    rows = []
    for i, rate in enumerate(found.labeled):
        for j, model in enumerate(found.models):
            ends = [
                f"{told(low[i, j])} to {told(high[i, j])}"
                for low, high in (
                    (found.networks_low, found.networks_high),
                    (found.splits_low, found.splits_high),
                )
            ]
            mark = " *" if found.winners[i] == model else "  "
            rows.append([f"{rate:.0%}" if j == 0 else "", model,
                         told(found.errors[i, j]) + mark, *ends])  # fmt: skip
    return align([head, *rows], left=2)


def pairs_table(found: Sweep) -> str:
    """Lay out all pairs at all proportions."""
    pairs, told = found.pairs, partial(value_text, found.measure)
    joint = f"joint {level(found.confidence)} interval"
    head = ["labelled", "pair", "difference", joint, "p max-t", "p Holm"]
    rows = [
        [f"{rate:.0%}", f"{a} - {b}", told(d), f"{told(low)} to {told(high)}", bare(p),
         bare(h)]
        for rate, a, b, d, low, high, p, h in zip(
            found.pair_labeled, pairs.first, pairs.second, pairs.estimate, pairs.ci_low,
            pairs.ci_high, pairs.adjusted_pvalue, pairs.details["holm_pvalue"],
        )
    ]  # fmt: skip
    return align([head, *rows], left=2)


def title(measure: Measure) -> str:
    """Head the table of the curves.

    Examples
    --------
    >>> from nettrial.metrics.measures import MEASURES
    >>> title(MEASURES["error"]), title(MEASURES["auc"])
    ('Error rates (* fewest)', 'AUC (* highest)')
    """
    if measure.name == "error":
        return "Error rates (* fewest)"
    word = "lowest" if measure.better == "lower" else "highest"
    return f"{measure.title[:1].upper()}{measure.title[1:]} (* {word})"


def full_text(found: Sweep) -> str:
    """Give verdict, curves, pairs, changes and warnings for a terminal."""
    network = found.network
    folds = found.settings.get("folds")
    lines = [
        wrapped(found.verdict),
        "",
        wrapped(
            f"{network.n_nodes} nodes, {network.n_links} links, {network.n_classes} classes; "
            f"{found.n_splits} splits by {found.design} at each proportion"
            f"{'; ' + folds if folds else ''}; {found.settings['n_communities']} communities."
        ),
        "",
        f"{title(found.measure)}, {level(found.confidence)} intervals one at a time",
        curves_table(found),
        "",
        f"Differences in {unit(found.measure)}; adjusted over the whole sweep",
        pairs_table(found),
    ]
    for change in found.changes:
        word = "holds" if change.supported else "does not hold"
        lines.append(wrapped(
            f"{change.first} leads {change.second} at {change.before:.0%}, and trails it at "
            f"{change.after:.0%} (lines cross at {change.crossing:.0%}); this change {word} on "
            "networks like this one.", mark="- ",
        ))  # fmt: skip
    lines += [wrapped(str(warning), mark="! ") for warning in found.warnings]
    return "\n".join(lines)
