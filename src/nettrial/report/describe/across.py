"""What a report on several models over several networks says."""

from __future__ import annotations

from ...comparison.across import AcrossNetworks
from ...comparison.data_sets import OverDataSets
from ...wording import amount, listed, pvalue_text
from ..displays import RanksDisplay
from ..document import Blocks, Document, Figure, Items, Name, Paragraph, Verdict, cautions
from ..references import cite
from . import over
from .base import describe
from .common import measure_cited, settings_table, software
from .many import how_learned


@describe.register
def _across(found: AcrossNetworks) -> Document:
    table = found.over
    headline, more = _answer(table)
    alone: Blocks = ()
    if found.networks:
        each = tuple(f"{name}: {one.verdict}" for name, one in found.networks.items())
        alone = (Items("Each network alone", each),)
    several = len(table.models) > 2
    return Document(
        kind=f"{len(table.models)} models on {len(table.data_sets)} networks",
        verdict=Verdict(headline, f"{headline}: {more}."),
        blocks=(
            Figure(
                "Mean ranks of the models, the best left"
                + ("; bars join models that do not differ significantly (Nemenyi)." * several
                   or "."),
                RanksDisplay(table), "Mean ranks",
            ),
            over.scores_table(table, "network"),
            over.pairs_table(table),
            *alone,
            *(Paragraph(line) for line in _spread(table)),
            *([Paragraph(found.claim)] if found.claim else []),
            *cautions(found.warnings),
        ),
        methods=lambda name: _methods(found, name),
        details=lambda: _details(found),
    )  # fmt: skip


def _answer(table: OverDataSets) -> tuple[str, str]:
    if len(table.models) == 2:
        return _of_two(table)
    apart = ", ".join(over.by_wilcoxon(table)) or "no two differ significantly"
    reach = over.out_of_reach(table, "networks")
    return over.best_ranked(table, "networks"), (
        f"{over.by_ranks(table, 'networks')}; pair by pair {apart} (Wilcoxon, Holm)"
        f"{reach and f', nor could they: {reach}'}"
    )


def _of_two(table: OverDataSets) -> tuple[str, str]:
    (pair,), number = table.pairs, len(table.data_sets)
    better, worse = over.ordered(table, pair)
    p = float(pair.wilcoxon.pvalue)
    claim = f"{better} beats {worse} over such networks"
    head = claim if p < 1 - table.confidence else f"No evidence that {claim}"
    wins = pair.wins if better == pair.first else pair.losses
    reach = over.out_of_reach(table, "networks")
    return head, (
        f"it is better on {wins} of {number} (Wilcoxon, {pvalue_text(p)})"
        f"{reach and f'; for evidence {reach}'}"
    )


def _spread(table: OverDataSets) -> list[str]:
    """Return how much the true differences vary between networks; one line, or none."""
    spread = ", ".join(
        f"{pair.first} - {pair.second} {amount(table.measure, pair.hierarchical.details['tau'])}"
        for pair in table.pairs
        if pair.hierarchical is not None
    )
    if not spread:
        return []
    unit = " (percentage points)" * table.measure.shares
    return [f"True differences vary between networks with standard deviation{unit}: {spread}."]


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
        own |= {"design": first.design, "splits": len(first.predictions.splits),
                "labeled proportion": first.labeled, "test": first.test}  # fmt: skip
    keys = ("cross_links", "n_replicates", "versions")
    settings = {} if first is None else {k: first.settings[k] for k in keys if k in first.settings}
    return (settings_table(own, settings),)


def _methods(found: AcrossNetworks, name: Name) -> str:
    table = found.over
    first = next(iter(found.networks.values()), None)
    tests = f"Wilcoxon's signed-rank and the sign test {cite('demsar2006')}"
    if len(table.models) > 2:
        tests = (
            "Friedman's test with Nemenyi's comparisons of mean ranks, Wilcoxon's signed-rank and "
            f"the sign test of each pair {cite('demsar2006')}, adjusted by Holm's method "
            f"{cite('holm1979')}"
        )
    bayes = hierarchical = ""
    if any(pair.bayes is not None for pair in table.pairs):
        bayes = (
            f", and the Bayesian signed-rank test {cite('benavoli2017')}, for which models are "
            f"equal that differ by {over.rope_words(table)} or less"
        )
    if any(pair.hierarchical is not None for pair in table.pairs):
        hierarchical = (
            " The random-effects mean of each difference weighs networks by their standard errors, "
            f"which are clustered by community {cite('liang1986')}, with the adjustment of Hartung "
            f"and Knapp {cite('hartung2001')}."
        )
    learned = "" if first is None else f"{how_learned(first, name, ' of each network')} "
    return (
        f"We compared {listed([name(model) for model in table.models])} on {len(table.data_sets)} "
        f"networks ({listed([name(n) for n in table.data_sets])}). {learned}The seed was "
        f"{found.seed}. {measure_cited(table.measure)}Networks are the observations: {tests}"
        f"{bayes}.{hierarchical} {software({} if first is None else first.settings, name)}"
    )
