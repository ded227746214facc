"""What a report on several models at several proportions of labels says."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from ...comparison.sweep import Sweep
from ...core.wording import capitalized, level, listed, shorten
from ...inference.outcome import OTHER_NETWORKS
from ...metrics.amounts import (
    best_marked,
    best_words,
    column_head,
    margin_with_unit,
    mean_of,
    unit,
)
from ...splits.names import describe_splits
from .. import cells
from ..displays import CurvesDisplay
from ..document import (
    Blocks,
    Document,
    Figure,
    Items,
    Name,
    Paragraph,
    Table,
    Verdict,
    cautions,
    rows,
)
from ..references import cite, of_design, of_models
from . import claims
from .base import describe
from .common import (
    adjustment_cited,
    communities_cited,
    communities_words,
    describe_network,
    errors_cited,
    measure_cited,
    read_briefly,
    size_of,
    software,
    test_words,
    what_was_read,
)
from .margin import better_first, ending_cells, ending_head, endings_note, margin_cited
from .settings import describe_design, network_settings, settings_table


@describe.register
def _sweep(found: Sweep) -> Document:
    headline, more = _answer(found)
    ordered, where = better_first(found.pairs, found.measure), found.pair_labeled
    at = [f" at {rate:.0%}" for rate in where]
    ends = endings_note(ordered, found.endings, found.measure, at)
    changes: Blocks = ()
    if found.changes:
        changes = (Items("Changes of order", tuple(_changes(found))),)
    return Document(
        kind=f"Learning curves of {len(found.models):,} models on "
        f"{found.network.name or 'one network'}",
        verdict=Verdict(
            headline, f"{headline}. {more}.{ends}", f"{more}.{ends}", _facts(found), _asides(found)
        ),
        blocks=(
            Figure(_caption(found), CurvesDisplay(found), "Learning curves"),
            _curves(found),
            *changes,
            _pairs(found),
            Paragraph(_about(found), "What was compared"),
            *what_was_read(found.settings),
            *cautions(sorted(found.warnings, key=_of_one_proportion)),
        ),
        methods=lambda name: _methods(found, name),
        details=lambda: _details(found),
        sources=of_models(found.models),
        brief=_brief(found),
    )


def _of_one_proportion(warning: Warning) -> bool:
    return re.match(r"with \d+% labeled: ", str(warning)) is not None


def _facts(found: Sweep) -> tuple[tuple[str, str], ...]:
    """Return the numbers at the head of a page."""
    measure, facts = found.measure, []
    for place in dict.fromkeys((0, len(found.labeled) - 1)):
        best = int(np.argmin(measure.sign * found.scores[place]))
        facts.append((mean_of(measure, float(found.scores[place, best])),
                      f"{best_words(measure)} with {found.labeled[place]:.0%} labeled, that of "
                      f"{shorten(found.models[best], 30)}"))  # fmt: skip
    differ, turned = int(found.pairs.significant.sum()), sum(c.supported for c in found.changes)
    return (
        *facts,
        (f"{differ:,} of {len(found.pairs.first):,}", "differences are significant"),
        (f"{turned:,} of {len(found.changes):,}", "changes of order are significant"),
    )


def _asides(found: Sweep) -> tuple[Paragraph, ...]:
    return (
        Paragraph(
            f"“{OTHER_NETWORKS}” The verdict is that of {test_words(found.recommended)}, for all "
            "pairs at all proportions at once.",
            "What this answers",
        ),
    )


def _answer(found: Sweep) -> tuple[str, str]:
    """Return what holds at which proportions, and how much of it is significant."""
    pairs, total = found.pairs, len(found.pairs.first)
    differ = int(pairs.significant.sum())
    turned = sum(change.supported for change in found.changes)
    changes = f"and {turned:,} of {len(found.changes):,} changes of order"
    if not found.changes:
        changes = "and no two models change their order"
    are = "is" if differ == 1 else "are"
    more = (
        f"{differ:,} of {total:,} differences {are} significant on networks like this one, "
        f"{changes}"
    )
    if differ:
        return "; ".join(_claims(found)), more
    limit = claims.excluded(pairs, found.measure)
    return (
        "No significant differences among the models at any proportion of labeled nodes",
        f"{more}{limit and f'; {limit} at any of them'}",
    )


def _claims(found: Sweep) -> list[str]:
    """Return what holds, once for all neighboring proportions at which it does."""
    per_rate = len(found.pairs.first) // len(found.labeled)
    runs: list[tuple[str, list[str]]] = []
    for i, rate in enumerate(found.labeled):
        order = np.argsort(found.measure.sign * found.scores[i], kind="stable")
        ranked = [found.models[j] for j in order]
        rows = slice(i * per_rate, (i + 1) * per_rate)
        said = claims.claim(ranked, claims.wins_of(found.pairs, found.measure, rows))
        if not runs or runs[-1][0] != said:
            runs.append((said, []))
        runs[-1][1].append(f"{rate:.0%}")
    if len(runs) == 1:
        one = len(found.labeled) == 1
        where = f"with {found.labeled[0]:.0%} labeled nodes" if one else "at every proportion"
        return [f"{runs[0][0]} {where}{' of labeled nodes' * (not one)}"]
    return [
        f"{said or 'no significant difference'} with {listed(rates)} labeled"
        for said, rates in runs
    ]


def _curves(found: Sweep) -> Table:
    measure, letters, body = found.measure, found.letters, []
    beside = found.scores.ravel().tolist()
    words = next((each.words for each in found.baselines if each is not None), "")
    has_floor = bool(words)
    for i, rate in enumerate(found.labeled):
        marks = best_marked(measure, found.scores[i].tolist(), beside)
        for j, model in enumerate(found.models):
            body.append([
                cells.words(f"{rate:.0%}" if j == 0 else ""),
                cells.words(model),
                cells.value(measure, found.scores[i, j], best=marks[j], beside=beside),
                *(
                    cells.interval(measure, low[i, j], high[i, j], beside=beside)
                    for low, high in (
                        (found.networks_low, found.networks_high),
                        (found.splits_low, found.splits_high),
                    )
                ),
                cells.words(letters[i][model]),
            ])  # fmt: skip
        floor = found.baselines[i] if found.baselines else None
        if has_floor:
            value = cells.words("")
            if floor is not None:
                value = cells.value(measure, floor.score, beside=beside)
            blank = [cells.words("")] * 3
            body.append([cells.words(""), cells.words(words), value, *blank])
    title = measure.title
    return Table(
        f"{capitalized(title)}",
        ("labeled", "model", column_head(measure), "other networks", "other splits", "letters"),
        rows(body),
        best=best_words(measure),
        below=(
            f"Pointwise {level(found.confidence)} intervals; models that share a letter at a "
            "proportion do not differ significantly.",
        ),
        groups=len(found.models) + has_floor,
        fold=True,
    )


def _brief(found: Sweep) -> Blocks:
    """Return one row per model, one column per proportion."""
    measure, body, beside = found.measure, [], found.scores.ravel().tolist()
    for j, model in enumerate(found.models):
        row = [cells.value(measure, score, beside=beside) for score in found.scores[:, j]]
        lettered = [
            replace(cell, text=f"{cell.text} {letters[model]}")
            for cell, letters in zip(row, found.letters)
        ]
        body.append([cells.words(model), *lettered])
    known = [floor for floor in found.baselines if floor is not None]
    if known and len(known) == len(found.labeled):
        floors = [cells.value(measure, floor.score, beside=beside) for floor in known]
        body.append([cells.words(known[0].words), *floors])
    table = Table(
        f"{capitalized(measure.title)}{' in %' * measure.shares}, by labeled nodes",
        ("model", *(f"{rate:.0%}" for rate in found.labeled)),
        rows(body),
        below=("Models that share a letter at a proportion do not differ significantly.",),
    )
    return read_briefly(_read(found), found.settings), table


def _pairs(found: Sweep) -> Table:
    pairs, measure, beside = found.pairs, found.measure, cells.of_pairs(found.pairs)
    body = [
        [cells.words(f"{rate:.0%}"), cells.difference(a, b), cells.value(measure, d, beside=beside),
         cells.interval(measure, low, high, beside=beside), cells.pvalue(p), cells.pvalue(q),
         cells.pvalue(h), *end]
        for rate, a, b, d, low, high, p, q, h, end in zip(
            found.pair_labeled, pairs.first, pairs.second, pairs.estimate, pairs.ci_low,
            pairs.ci_high, pairs.pvalue, pairs.adjusted_pvalue, pairs.details["holm_pvalue"],
            ending_cells(found.endings, len(pairs.first)),
        )
    ]  # fmt: skip
    return Table(
        f"Differences in {unit(measure)}, adjusted over the whole sweep",
        ("labeled", "pair", "difference", f"simultaneous {level(found.confidence)} interval",
         "p unadjusted", "p max-t", "p Holm", *ending_head(found.endings)),
        rows(body),
        groups=len(pairs.first) // len(found.labeled),
        fold=True,
    )  # fmt: skip


def _read(found: Sweep) -> str:
    splits = describe_splits(found.n_splits, found.design)
    return f"{size_of(found.network)}; {splits} at each proportion"


def _about(found: Sweep) -> str:
    folds = found.settings.get("folds")
    communities = communities_words(found.settings["n_communities"], found.settings["communities"])
    return (
        f"{_read(found)}{'; ' + folds if folds else ''}; {communities}. Intervals for other "
        f"networks and p-values are by {test_words(found.recommended)}: {found.reason} Intervals "
        "for other splits say nothing about other networks."
    )


def _changes(found: Sweep) -> list[str]:
    return [
        f"{change.first} leads {change.second} at {change.before:.0%}, and trails it at "
        f"{change.after:.0%} (lines cross at {change.crossing:.0%}); this change is "
        f"{'' if change.supported else 'not '}significant on networks like this one."
        for change in found.changes
    ]


def _caption(found: Sweep) -> str:
    return (
        f"{capitalized(found.measure.title)} of each model. Ribbons are pointwise "
        f"{level(found.confidence)} intervals for other networks like this one.{_floor(found)}"
        f"{_within(found)}"
    )


def _within(found: Sweep) -> str:
    """Return what the band below the best model means; empty without a margin."""
    if not found.endings:
        return ""
    margin = margin_with_unit(found.measure, found.endings[0].margin)
    return f" The light band holds what lies within the margin of {margin} of the best value."


def _floor(found: Sweep) -> str:
    words = next((each.words for each in found.baselines if each is not None), "")
    return words and f" The dashed baseline is {words}."


def _details(found: Sweep) -> Blocks:
    own = {
        "models": ", ".join(found.models),
        "measure": f"{found.measure.title}, {found.measure.better} is better",
        "design": describe_design(found.design),
        "splits at each proportion": found.n_splits,
        "labeled proportions": list(found.labeled),
        "seed": found.seed,
        "confidence of intervals": found.confidence,
    }
    return (settings_table(own | network_settings(found.network), found.settings),)


def _methods(found: Sweep, name: Name) -> str:
    rates = listed([f"{rate:.0%}" for rate in found.labeled])
    folds = found.settings.get("folds")
    cited = cite(*of_design(found.design))
    return (
        f"We compared {listed([name(model) for model in found.models])} on "
        f"{describe_network(found.network, name)} with {rates} of the labels known, on "
        f"{name(describe_splits(found.n_splits, found.design))} at each proportion"
        f"{cited and ' ' + cited}{'; ' + folds if folds else ''}; the seed was {found.seed}. "
        f"{measure_cited(found.measure)}{communities_cited(found.settings)} "
        f"{errors_cited(found.recommended, found.settings.get('n_replicates'))} "
        f"The {len(found.pairs.first):,} differences of all pairs at all proportions are one "
        f"family, adjusted by {adjustment_cited(found.pairs)}; models that share a "
        f"letter at a proportion {cite('piepho2004')} do not differ significantly. "
        f"{margin_cited(next(iter(found.endings), None), found.measure)}Pointwise "
        f"{level(found.confidence)} intervals of single curves are given for other networks like "
        "this one, and beside them those for other splits of this network, which take splits for "
        f"independent. {software(found.settings, name)}"
    )
