"""What a report on several models on one network says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...comparison.multiple import MultipleComparison
from ...core.wording import (
    bare_p,
    capitalized,
    level,
    listed,
    plural,
    pvalue_text,
    shorten_apart,
)
from ...inference.on_communities import CLUSTER_ROBUST_T
from ...inference.outcome import OTHER_NETWORKS, OTHER_SPLITS
from ...inference.registry import PROCEDURES
from ...metrics.amounts import mean_of, noun
from ...metrics.measures import MEASURES
from ...stats.comparisons import Comparisons
from .. import cells
from ..displays import ModelsDisplay, PairsDisplay
from ..document import Blocks, Document, Figure, Name, Paragraph, Verdict
from ..document import cautions as cautions_of
from ..references import cite, of_models
from . import claims
from .base import describe
from .common import (
    adjustment_cited,
    describe_df,
    describe_given,
    describe_network,
    describe_seed,
    errors_cited,
    labeled_note,
    measure_cited,
    read_briefly,
    software,
    test_words,
    what_was_read,
)
from .items import words_of
from .margin import better_first, describe_ending, endings_note, margin_caption, margin_cited
from .model_tables import labels_table, models_table, pairs_table, paper_table
from .pair import (
    describe_difference,
)
from .prior_tests import after_any, prior_tests_cited, prior_tests_table
from .settings import (
    named_test,
    network_settings,
    settings_table,
)
from .sources import sources_of_variance


@describe.register
def _models(found: MultipleComparison) -> Document:
    network = found.predictions.network
    headline, more, numbers = _answer(found)
    after = f"{_endings(found)}{_by_prior_tests(found)}{_usual(found)}"
    learned, several = found.settings.get("learned_on"), found.multivariate is not None
    return Document(
        kind=f"{len(found.scores):,} models on {network.name or 'one network'}",
        verdict=Verdict(
            headline,
            f"{headline}{more}.{after}",
            f"{numbers}.{after}",
            _facts(found),
            _asides(found),
            f"{headline}{more.partition('. ')[0]}.{after}" if found.wins else "",
        ),
        blocks=(
            Figure(_models_caption(found), ModelsDisplay(found), "Models, the best first"),
            models_table(found),
            Figure(_caption(found), PairsDisplay(found), "Differences"),
            pairs_table(found.pairs, found.measure, found.endings),
            Paragraph(_about(found), "What was compared"),
            *what_was_read(found.settings),
            *([Paragraph(_elsewhere(learned))] if learned is not None else []),
            *labels_table(found),
            *sources_of_variance(found),
            *prior_tests_table(
                found.prior_tests,
                found.confidence,
                found.measure,
                list(map(cells.difference, found.pairs.first, found.pairs.second)),
            ),
            *([Paragraph(_at_once(found))] if several else []),
            *cautions_of(found.warnings),
        ),
        methods=lambda name: _methods(found, name),
        details=lambda: _details(found),
        sources=of_models(found.scores),
        brief=_brief(found),
        paper=(
            paper_table(found) if found.scores_by_split else models_table(found, timed=False),
            pairs_table(found.pairs, found.measure, found.endings),
        ),
    )


def _facts(found: MultipleComparison) -> tuple[tuple[str, str], ...]:
    """Return the numbers at the head of a page."""
    measure, names, pairs = found.measure, list(found.scores), found.pairs
    floor = found.baseline
    first, last = shorten_apart((names[0], names[-1]), 30)
    least = "least adjusted p-value" if len(pairs.first) > 1 else "p-value of the pair"
    p = pairs.adjusted_pvalue if len(pairs.first) > 1 else pairs.pvalue
    facts = [
        (mean_of(measure, found.scores[names[0]]),
         f"{noun(measure)} of {first}, {measure.better} is better"),
        (mean_of(measure, found.scores[names[-1]]), f"{noun(measure)} of {last}"),
        (f"{len(found.wins):,} of {len(pairs.first):,}", "pairs differ significantly"),
        (bare_p(float(np.nanmin(p))) if not np.isnan(p).all() else "–", least),
    ]  # fmt: skip
    if floor is not None and len(names) > 2:
        facts[1] = (mean_of(measure, floor.score), floor.words)
    return tuple(facts)


def _asides(found: MultipleComparison) -> tuple[Paragraph, ...]:
    """Return what stands beside the verdict on a page."""
    test = test_words(found.recommended)
    answers = Paragraph(
        f"“{OTHER_NETWORKS}” The verdict is that of {test}, for all pairs at once.",
        "What this answers",
    )
    usual = _usual(found).strip()
    if not usual:
        return (answers,)
    return answers, Paragraph(
        f"{usual} They answer another question: “{OTHER_SPLITS}”",
        "What the usual test would have said",
    )


def _models_caption(found: MultipleComparison) -> str:
    letters = " Models that share a letter do not differ significantly." * bool(found.letters)
    return (
        f"{capitalized(found.measure.title)} of each model with pointwise "
        f"{level(found.confidence)} intervals for other networks like this one.{letters}"
    )


def _answer(found: MultipleComparison) -> tuple[str, str, str]:
    """Return the headline, what follows it there, and the same as a sentence of its own."""
    pairs, measure, names = found.pairs, found.measure, list(found.scores)
    if len(pairs.first) == 1 and not np.isnan(pairs.pvalue).all():
        return _of_two(found)
    if np.isnan(pairs.adjusted_pvalue).all():
        return _of_none(found)
    wins = found.wins
    counts = f"{len(wins):,} of {len(pairs.first):,} pairs"
    ranked = names
    if found.control is not None:
        ranked = [found.control, *(name for name in names if name != found.control)]
    place = _place(pairs, claims.shown_pair(names if wins else ranked, wins))
    closest = _numbers(found, place)
    where = "on networks like this one"
    if wins:
        said = claims.claim(names, wins)
        note = f"{counts} differ significantly {where}: {closest}"
        uneven = "" if found.control is not None else claims.uneven(names, wins)
        more = f". {capitalized(uneven)}" if uneven else ""
        return said, f" {where} ({counts} differ): {closest}{more}", f"{note}{more}"
    whom = f"from {found.control}" if found.control is not None else "among the models"
    limit = claims.excluded(pairs, measure)
    said = f"{closest}{limit and f'. {capitalized(limit)}'}{_had_power(found, place)}"
    headline = f"No significant differences {whom} ({counts})"
    return headline, f": {said}", f"On networks like this one: {said}"


def _of_none(found: MultipleComparison) -> tuple[str, str, str]:
    """Return the same where no pair has a verdict."""
    pairs = found.pairs
    if (pairs.degenerate | np.isnan(pairs.pvalue)).all():
        return "No verdict on the models", ": no pair has a p-value", "No pair has a p-value"
    least = PROCEDURES[found.recommended].least_df
    has = f"{capitalized(test_words(found.recommended))} has {describe_df(pairs.df)}"
    why = f"{has}, and a verdict takes {least:g}"
    hand_in = claims.how_to_settle(found.recommended, found.settings)
    headline = (
        f"{claims.without_power(found.recommended)} cannot settle which of the models is best"
    )
    return headline, f". {why}. {hand_in}", f"{why}. {hand_in}"


def _had_power(found: MultipleComparison, place: int) -> str:
    pairs = found.pairs
    df = None if pairs.df is None else float(pairs.df[place])
    error = float(pairs.standard_error[place])
    had = claims.detectable(found.measure, error, df, found.confidence)
    between = f"Between {pairs.first[place]} and {pairs.second[place]} alone, "
    return f". {between}{had}" if had else ""


def _usual(found: MultipleComparison) -> str:
    """Return what paired t-tests over splits, each alone, would have said."""
    usual = found.pairs.details.get("usual_pvalue")
    if usual is None or np.isnan(usual).all():
        return ""
    if usual.size == 1:
        return f" The usual paired t-test would have said {pvalue_text(float(usual[0]))}."
    differ = int((usual < 1 - found.confidence).sum())
    return f" The usual paired t-tests would have said that {differ:,} of {usual.size:,} differ."


def _place(pairs: Comparisons, wanted: tuple[str, str]) -> int:
    """Return the row of a pair of models, whichever comes first."""
    named = list(zip(pairs.first, pairs.second))
    return named.index(wanted) if wanted in named else named.index(wanted[::-1])


def _numbers(found: MultipleComparison, place: int) -> str:
    """Return the difference of one pair with its simultaneous interval and adjusted p-value."""
    pairs = found.pairs
    return describe_difference(
        found.measure,
        (pairs.first[place], pairs.second[place]),
        float(pairs.estimate[place]),
        (float(pairs.ci_low[place]), float(pairs.ci_high[place])),
        found.confidence,
        float((pairs.adjusted_pvalue if len(pairs.first) > 1 else pairs.pvalue)[place]),
        of_several=len(pairs.first) > 1,
    )


def _of_two(found: MultipleComparison) -> tuple[str, str, str]:
    """Return the same of two models, as a comparison of the two says it."""
    pairs, where = found.pairs, "networks like this one"
    a, b, estimate = pairs.first[0], pairs.second[0], float(pairs.estimate[0])
    models = (a, b) if found.measure.sign * estimate <= 0 else (b, a)
    note = _numbers(found, 0)
    ending = next(iter(found.endings), None)
    headline = claims.claim_of_two(
        *models, where, supported=bool(pairs.significant[0]), ending=ending, measure=found.measure
    )
    df = None if pairs.df is None else float(pairs.df[0])
    if found.recommended in PROCEDURES and not PROCEDURES[found.recommended].settles(df):
        headline, ending = claims.cannot_settle(*models, where, found.recommended), None
        note += f"; {claims.too_few(found.recommended, df)}. "
        note += claims.how_to_settle(found.recommended, found.settings)
    elif not (pairs.significant[0] or (ending and ending.name == "equivalent")):
        prior, error = after_any(found.prior_tests), float(pairs.standard_error[0])
        alpha = (1 - found.confidence) / (1 if prior is None else prior.total)
        had = claims.detectable(found.measure, error, df, 1 - alpha)
        note += had and f"; {had}"
    note += describe_ending(found.measure, ending)
    return headline, f": {note}", capitalized(note)


def _endings(found: MultipleComparison) -> str:
    """Return how several pairs end against a margin; of one pair the headline says it."""
    if len(found.pairs.first) == 1:
        return ""
    return endings_note(better_first(found.pairs, found.measure), found.endings, found.measure)


def _by_prior_tests(found: MultipleComparison) -> str:
    """Return what earlier comparisons leave of the verdict."""
    prior = after_any(found.prior_tests)
    if prior is None:
        return ""
    left = int((np.asarray(prior.adaptive.pvalue) < 1 - found.confidence).sum())
    return (
        f" This allows for {prior.total} comparisons on this test set that were fixed beforehand; "
        f"if each was chosen by yes or no at those before, {left:,} of {len(found.pairs.first):,} "
        "pairs differ significantly."
    )


def learned_words(learned: Mapping[str, Any], name: Name = str) -> str:
    """Return where models learned that were tested on another network."""
    known = learned["known"]
    return f"{learned['n_labels']} labels of {name(learned['network'])}" + (
        f" and {known:.0%} of the labels of the test network"
        if known
        else ", and no label of the test network"
    )


def _elsewhere(learned: Mapping[str, Any]) -> str:
    return (
        f"Learned from {learned_words(learned)}. The communities of the test network are the "
        "units: the answer is for other networks like the test network, with the models as learned "
        f"on {learned['network']}. It does not say what learning on another network would change; "
        "for that, learn on several networks and test on several (independent pairs)."
    )


def _brief(found: MultipleComparison) -> Blocks:
    learned = found.settings.get("learned_on")
    read = _read(found) + (f"; learned from {learned_words(learned)}" if learned else "")
    below = ("Models that share a letter do not differ significantly.",) if found.letters else ()
    table = replace(models_table(found, timed=False), title="", below=below)
    return read_briefly(read, found.settings), table


def _read(found: MultipleComparison) -> str:
    labeled = words_of(found).labeled(labeled_note(found.labeled, found.settings))
    return f"{_size(found)}; {_splits(found)}{labeled}"


def _about(found: MultipleComparison) -> str:
    return (
        f"{_read(found)}{words_of(found).communities(found)}. Intervals and p-values answer for "
        f"other networks like this one, by {test_words(found.recommended)}: {found.reason}"
        f"{_alone(found)}"
    )


def _alone(found: MultipleComparison) -> str:
    """Return which test gives the intervals of single models, where the verdict's gives none."""
    procedure = PROCEDURES.get(found.recommended)
    if procedure is None or procedure.one_model:
        return ""
    return f". Intervals of one model are by {test_words(CLUSTER_ROBUST_T.name)}"


def _size(found: MultipleComparison) -> str:
    """Return how large the network is: its classes, or its labels where nodes have several."""
    network, labels = found.predictions.network, found.settings.get("labels")
    return (
        words_of(found).size(network)
        if labels is None
        else (
            f"{plural(network.n_nodes, 'node')}, {plural(network.n_links, 'link')}, "
            f"{len(labels)} labels, of which a node may have several"
        )
    )


def _splits(found: MultipleComparison) -> str:
    return words_of(found).splits(len(found.predictions.splits), found.design, found.settings)


def _at_once(found: MultipleComparison) -> str:
    assert found.multivariate is not None  # noqa: S101 - asked only where there is one
    test = found.multivariate
    note = listed(_titles(found))
    return (
        f"{note[:1].upper()}{note[1:]} at once: {test.method}, {pvalue_text(float(test.pvalue))}."
    )


def _titles(found: MultipleComparison) -> list[str]:
    return [MEASURES[each].title for each in found.settings["measures"]]


def _caption(found: MultipleComparison) -> str:
    return (
        f"Differences in {found.measure.title}, the first model of a pair minus the second, with "
        f"simultaneous {level(found.confidence)} intervals. {found.measure.better.title()} values "
        "are better. Filled circles mark pairs that differ significantly."
        f"{margin_caption(found.measure, next(iter(found.endings), None))}"
    )


def _details(found: MultipleComparison) -> Blocks:
    own = {
        "models": ", ".join(found.scores),
        "control": found.control,
        "measure": f"{found.measure.title}, {found.measure.better} is better",
        "design": words_of(found).design(found.design),
        "splits": len(found.predictions.splits),
        "labeled proportion": found.labeled,
        "seed": found.seed,
        "confidence of intervals": found.confidence,
        "test": named_test(found.recommended),
    }
    return (settings_table(own | network_settings(found.predictions.network), found.settings),)


def _methods(found: MultipleComparison, name: Name) -> str:
    names, pairs = list(found.scores), len(found.pairs.first)
    family = f"all {pairs} pairs" if pairs > 1 else "the pair"
    if found.control is not None:
        family = f"the {pairs} comparisons with {name(found.control)}"
    letters = (
        f" Models that share a letter {cite('piepho2004')} do not differ significantly."
        if found.control is None
        else ""
    )
    several = ""
    if found.multivariate is not None:
        several = (
            f" {listed(_titles(found)).capitalize()} together were "
            f"tested on means within communities ({name(found.multivariate.method)})."
        )
    df = describe_df(found.pairs.df)
    return (
        f"We compared {listed([name(n) for n in names])} on "
        f"{describe_network(found.predictions.network, name, _size(found))}. "
        f"{how_learned(found, name)} {describe_seed(found.seed, found.settings)}"
        f"{measure_cited(found.measure)}{words_of(found).cited(found)}"
        f"{errors_cited(found.recommended, found.settings.get('n_replicates'))} "
        f"The {level(found.confidence)} intervals and adjusted p-values of {family} are those of "
        f"{adjustment_cited(found.pairs)}{df and f', with {df}'}; Holm's adjustment "
        f"{cite('holm1979')} is given as well.{letters}{several} "
        f"{prior_tests_cited(found.prior_tests)}"
        f"{margin_cited(next(iter(found.endings), None), found.measure)}"
        f"{software(found.settings, name)}"
    )


def how_learned(found: MultipleComparison, name: Name, of_each: str = "") -> str:
    """Return a methods sentence on the splits, or on the network that models learned on."""
    learned, number = found.settings.get("learned_on"), len(found.predictions.splits)
    if learned is not None:
        return f"All models learned from {learned_words(learned, name)}, drawn {number} times."
    ran = "predicted" if found.settings.get("predictions") else "ran on"
    known = "" if found.labeled is None else f", with {found.labeled:.0%} of the labels known"
    labeled = words_of(found).labeled(known)
    cited = cite(*words_of(found).sources(found.design))
    return (
        f"All models {ran} the same {name(_splits(found))}"
        f"{describe_given(found.settings)}{of_each}{labeled}"
        f"{cited and ' ' + cited}."
    )
