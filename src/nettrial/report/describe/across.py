"""What a report on several models over several networks says."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ...comparison.across import AcrossNetworks
from ...core.wording import capitalized, df_text, level, listed
from ...splits.names import describe_splits
from .. import cells
from ..document import (
    Blocks,
    Document,
    Figure,
    Items,
    Name,
    Paragraph,
    Row,
    Table,
    cautions,
    rows,
)
from ..pair_displays import BubbleDisplay, ForestDisplay
from ..references import cite, of_models, of_test
from . import over
from .base import describe
from .common import (
    labeled_note,
    measure_cited,
    read_briefly,
    software,
    test_words,
    with_sources,
)
from .margin import margin_caption
from .multiple import how_learned
from .settings import describe_design, named_test, settings_table


@describe.register
def _across(found: AcrossNetworks) -> Document:
    table = found.over
    alone: Blocks = ()
    if found.networks:
        each = tuple(f"{name}: {one.verdict}" for name, one in found.networks.items())
        alone = (Items("Each network alone", each, fold=True),)
    return Document(
        kind=f"{len(table.models):,} models on {len(table.data_sets):,} networks",
        verdict=over.verdict(table, "networks", found.directions),
        blocks=(
            _figure(found),
            over.scores_table(table, "network"),
            *over.pairs_tables(table),
            *_traits(found),
            *_moderated(found),
            *_claim(found),
            *alone,
            *cautions(found.warnings),
        ),
        methods=lambda name: _methods(found, name),
        details=lambda: _details(found),
        sources=_sources(found),
        brief=(read_briefly(_read(found), {}), _brief_table(found)),
        paper=_with_spread(found),
    )  # fmt: skip


def _with_spread(found: AcrossNetworks) -> tuple[Table, ...]:
    """Return the scores with their standard deviations over splits, as papers print them."""
    if not found.networks:
        return ()
    table, measure = over.scores_table(found.over, "network"), found.over.measure
    *printed, ranks = table.rows
    body = [
        (
            row.cells[0],
            *(
                replace(cells.mean_and_sd(measure, one.scores_by_split[model]), best=cell.best)
                for model, cell in zip(found.over.models, row.cells[1:])
            ),
        )
        for row, one in zip(printed, found.networks.values())
    ]
    title = f"{table.title}, mean ± standard deviation over splits"
    return (replace(table, title=title, rows=(*rows(body), ranks)),)


def _claim(found: AcrossNetworks) -> Blocks:
    """Return how much true differences vary, and what a claim about other networks needs."""
    said = [*over.spread(found.over, "networks"), *([found.claim] if found.claim else [])]
    return tuple(Paragraph(text, "" if i else "Other networks") for i, text in enumerate(said))


def _moderated(found: AcrossNetworks) -> Blocks:
    """Return how differences change with a moderator: a figure and a row for each pair."""
    if not found.moderations:
        return ()
    measure, by = found.over.measure, found.moderator.replace("n_", "number of ").replace("_", " ")
    body = [
        [cells.difference(line.first, line.second), cells.value(measure, line.slope),
         cells.interval(measure, line.ci_low, line.ci_high), cells.pvalue(line.pvalue),
         cells.value(measure, line.tau)]
        for line in found.moderations
    ]  # fmt: skip
    sure = level(found.over.confidence)
    figures = (
        Figure(
            f"Differences by {by}, a bubble for each network with an area by its weight. The line "
            f"is a random-effects meta-regression, with its {sure} interval. Its slope is "
            f"{cells.value(measure, line.slope).text} ({sure} interval "
            f"{cells.interval(measure, line.ci_low, line.ci_high).text}).",
            BubbleDisplay(found, line),
            f"{line.first} minus {line.second} by {by}",
        )
        for line in found.moderations
    )
    return (
        *figures,
        Table(
            f"Differences by {by}",
            (
                "pair",
                "slope",
                f"{sure} interval",
                "p",
                "tau about the line",
            ),
            rows(body),
            below=(
                "The slope is the change of the difference for one unit of the moderator"
                f"{', in percentage points' * measure.shares} (Knapp and Hartung 2003); p-values "
                "are unadjusted. Networks that differ in it differ in other things too.",
            ),
        ),
    )


def _traits(found: AcrossNetworks) -> Blocks:
    """Return what every network is like; where standard errors are known, their freedom too."""
    if not found.traits:
        return ()
    body, known = [], list[float]()
    for name, each in found.traits.items():
        df = found.networks[name].pairs.df
        least = math.nan if df is None or np.isnan(df).all() else float(np.nanmin(df))
        known += [] if df is None else df.tolist()
        body.append([
            cells.words(name), cells.count(each["n_nodes"]), cells.count(each["n_links"]),
            cells.count(each["n_classes"]), cells.count(each["n_features"]),
            cells.numbers(f"{each['labeled_share']:.0%}"),
            cells.number(each["autocorrelation"], ".2f"),
            cells.numbers(cells.NONE if math.isnan(least) else df_text(least)),
        ])  # fmt: skip
    below: tuple[str, ...] = ()
    if known:
        below = (
            "The random-effects mean takes the standard error of each network as known: its "
            f"degrees of freedom, {df_text(min(known))} to {df_text(max(known))}, are not in the "
            "weights.",
        )
    heads = ("network", "nodes", "links", "classes", "features", "labeled", "autocorrelation", "df")
    return (Table("Networks", heads, rows(body), below=below, fold=True),)


def _read(found: AcrossNetworks) -> str:
    number = f"{len(found.over.data_sets):,} networks"
    first = next(iter(found.networks.values()), None)
    if first is None:
        return number
    labeled = labeled_note(first.labeled, first.settings)
    splits = describe_splits(len(first.predictions.splits), first.design)
    return f"{number}; {splits} of each{labeled}"


def _brief_table(found: AcrossNetworks) -> Table:
    """Return the scores on each network beside its baseline, and mean ranks."""
    table = over.brief_table(found.over, "network")
    known = [one.baseline for one in found.networks.values() if one.baseline is not None]
    if not known or len(known) + 1 != len(table.rows):
        return table
    column = [*(cells.value(found.over.measure, each.score) for each in known), cells.words("")]
    return replace(
        table,
        head=(*table.head, known[0].words),
        rows=tuple(Row((*row.cells, cell)) for row, cell in zip(table.rows, column)),
    )


def _figure(found: AcrossNetworks) -> Figure:
    """Return what tells most: ranks of several models, of two each network's difference."""
    table = found.over
    if len(table.models) > 2 or not found.networks:
        return over.figure(table)
    pair, measure = table.pairs[0], table.measure
    caption = (
        f"{capitalized(measure.title)} of {pair.first} minus that of "
        f"{pair.second}{', in percentage points' * measure.shares} ({measure.better} is better), "
        f"with {level(table.confidence)} intervals: of each network for others like it, and of "
        "the random-effects mean, below, for other networks of the kind."
        f"{margin_caption(measure, next(iter(table.endings), None))}"
    )
    return Figure(caption, ForestDisplay(found), "Each network's difference and their mean")


def _sources(found: AcrossNetworks) -> tuple[str, ...]:
    """Return the keys of what the models, and the intervals of each network alone, rest on."""
    tests = [key for one in found.networks.values() for key in of_test(one.recommended)]
    return tuple(dict.fromkeys([*of_models(found.over.models), *tests]))


def _tests_cited(found: AcrossNetworks) -> list[str]:
    """Return the tests that gave the networks' standard errors, each once, with their sources."""
    tests = dict.fromkeys(one.recommended for one in found.networks.values())
    return [with_sources(test_words(test), *of_test(test)) for test in tests]


def _details(found: AcrossNetworks) -> Blocks:
    table = found.over
    first = next(iter(found.networks.values()), None)
    own = {
        "models": ", ".join(table.models),
        "networks": ", ".join(table.data_sets),
        "measure": f"{table.measure.title}, {table.measure.better} is better",
        "seed": found.seed,
        "confidence of intervals": table.confidence,
    }
    if first is not None:
        own |= {"design": describe_design(first.design), "splits": len(first.predictions.splits),
                "labeled proportion": first.labeled,
                "test": named_test(first.recommended)}  # fmt: skip
    keys = ("cross_links", "n_replicates", "versions")
    settings = {} if first is None else {k: first.settings[k] for k in keys if k in first.settings}
    return (settings_table(own, settings),)


def _methods(found: AcrossNetworks, name: Name) -> str:
    table = found.over
    first = next(iter(found.networks.values()), None)
    hierarchical = ""
    if any(pair.hierarchical is not None for pair in table.pairs):
        hierarchical = (
            " The random-effects mean of each difference weighs networks by their standard errors, "
            f"those of {listed(_tests_cited(found))}, with the adjustment of Hartung and Knapp "
            f"{cite('hartung2001')}."
        )
    learned = "" if first is None else f"{how_learned(first, name, ' of each network')} "
    return (
        f"We compared {listed([name(model) for model in table.models])} on {len(table.data_sets)} "
        f"networks ({listed([name(n) for n in table.data_sets])}). {learned}The seed was "
        f"{found.seed}. {measure_cited(table.measure)}Networks are the observations: "
        f"{over.tests_cited(table)}{hierarchical} "
        f"{software({} if first is None else first.settings, name)}"
    )
