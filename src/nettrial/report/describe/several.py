"""What reports on several models say, whatever these were compared on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ...comparison.result import OfSeveral
from ...core.wording import bare_p, capitalized, level, pvalue_text, shorten_apart
from ...inference.registry import PROCEDURES
from ...metrics.amounts import mean_of, noun
from ...stats.comparisons import Comparisons
from .. import cells
from ..displays import ModelsDisplay, PairsDisplay
from ..document import Blocks, Figure, Paragraph, Table, Verdict
from . import claims
from .common import describe_df, test_words
from .margin import better_first, describe_ending, endings_note, margin_caption
from .model_tables import pairs_table
from .pair import describe_difference
from .prior_tests import after_any

MOST_PAIRS = 45  # that a figure and a table show; of more those of the best model
Several = TypeVar("Several", bound=OfSeveral)


class Reach(NamedTuple):
    """What the answers on several models hold for, in words."""

    where: str  # "networks like this one"
    question: str  # of the verdict
    usual: str  # the question that the usual tests answer
    test: str  # the test of the verdict
    settings: Mapping[str, Any]


def verdict_of_several(found: OfSeveral, reach: Reach) -> Verdict:
    """Return the verdict on several models."""
    headline, more, numbers = _answer(found, reach)
    after = f"{_endings(found)}{_by_prior_tests(found)}{_usual(found)}"
    return Verdict(
        headline,
        f"{headline}{more}.{after}",
        f"{numbers}.{after}",
        _facts(found),
        _asides(found, reach),
        f"{headline}{more.partition('. ')[0]}.{after}" if found.wins else "",
    )


def models_and_pairs(found: OfSeveral, reach: Reach, models: Table) -> Blocks:
    """Return the models and their differences, each as a figure and a table."""
    shown = fewer_pairs(found)
    return (
        Figure(_models_caption(found, reach), ModelsDisplay(found), "Models, the best first"),
        models,
        Figure(_caption(shown), PairsDisplay(shown), "Differences"),
        pairs_of(found),
    )


def pairs_of(found: OfSeveral) -> Table:
    """Return the table of the pairs; of very many those of the best model."""
    shown = fewer_pairs(found)
    table = pairs_table(shown.pairs, shown.measure, shown.endings)
    if shown is found:
        return table
    left = len(found.pairs.first) - len(shown.pairs.first)
    note = (
        f"These are the pairs of {found.best}. Intervals and adjusted p-values allow for the other "
        f"{left:,} as well, which are in the JSON and in to_frame()."
    )
    return replace(table, below=(*table.below, note))


def fewer_pairs(found: Several) -> Several:
    """Return a result with the pairs of the best model alone, where there are very many."""
    pairs = found.pairs
    if len(pairs.first) <= MOST_PAIRS or found.control is not None:
        return found
    rows = [i for i, pair in enumerate(zip(pairs.first, pairs.second)) if found.best in pair]

    def of(values: Any) -> Any:
        return values[rows] if isinstance(values, np.ndarray) else values

    fewer = replace(
        pairs,
        **{name: of(getattr(pairs, name)) for name in PAIRWISE},
        first=tuple(pairs.first[i] for i in rows),
        second=tuple(pairs.second[i] for i in rows),
        details=MappingProxyType({name: of(values) for name, values in pairs.details.items()}),
    )
    endings = tuple(found.endings[i] for i in rows) if found.endings else ()
    return replace(found, pairs=fewer, endings=endings)  # type: ignore[type-var]


PAIRWISE = ("estimate", "standard_error", "statistic", "df", "pvalue", "adjusted_pvalue", "ci_low",
            "ci_high", "degenerate")  # fmt: skip


def _asides(found: OfSeveral, reach: Reach) -> tuple[Paragraph, ...]:
    """Return what stands beside the verdict on a page."""
    answers = Paragraph(
        f"“{reach.question}” The verdict is that of {reach.test}"
        f"{', for all pairs at once' * cells.are_family(found.pairs)}.",
        "What this answers",
    )
    usual = _usual(found).strip()
    if not usual:
        return (answers,)
    return answers, Paragraph(
        f"{usual} {'They answer' if len(found.pairs.first) > 1 else 'It answers'} another "
        f"question: “{reach.usual}”",
        "What the usual test would have said",
    )


def _facts(found: OfSeveral) -> tuple[tuple[str, str], ...]:
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
    if len(pairs.first) == 1:
        a, b = shorten_apart((pairs.first[0], pairs.second[0]), 15)
        unit = "percentage points" if measure.shares else "difference"
        value = cells.value(measure, float(pairs.estimate[0]), beside=cells.of_pairs(pairs))
        facts[2] = value.text, f"{unit}, {a} minus {b}"
    if floor is not None and len(names) > 2:
        facts[1] = (mean_of(measure, floor.score), floor.words)
    elif len(found.may_be_best) > 1 and len(names) > 2:
        facts[1] = (f"{len(found.may_be_best):,} of {len(names):,}", "models may be the best")
    return tuple(facts)


def _answer(found: OfSeveral, reach: Reach) -> tuple[str, str, str]:
    """Return the headline, what follows it there, and the same as a sentence of its own."""
    pairs, measure, names = found.pairs, found.measure, list(found.scores)
    if len(pairs.first) == 1 and not np.isnan(pairs.pvalue).all():
        return _of_two(found, reach)
    if np.isnan(pairs.adjusted_pvalue).all():
        return _of_none(found, reach)
    wins = found.wins
    counts = f"{len(wins):,} of {len(pairs.first):,} pairs"
    ranked = names
    if found.control is not None:
        ranked = [found.control, *(name for name in names if name != found.control)]
    place = _place(pairs, claims.shown_pair(names if wins else ranked, wins))
    closest = _numbers(found, place)
    where = f"on {reach.where}"
    if wins:
        said = claims.claim(names, wins)
        note = f"{counts} differ significantly {where}: {closest}"
        uneven = "" if found.control is not None else claims.uneven(names, wins)
        more = f". Yet {uneven}" if uneven else ""  # a name keeps its first letter
        return said, f" {where} ({counts} differ): {closest}{more}", f"{note}{more}"
    whom = f"from {found.control}" if found.control is not None else "among the models"
    limit = claims.excluded(pairs, measure)
    said = f"{closest}{limit and f'. {capitalized(limit)}'}{_had_power(found, place)}"
    headline = f"No significant differences {whom} ({counts})"
    return headline, f": {said}", f"On {reach.where}: {said}"


def _of_none(found: OfSeveral, reach: Reach) -> tuple[str, str, str]:
    """Return the same where no pair has a verdict."""
    pairs = found.pairs
    if (pairs.degenerate | np.isnan(pairs.pvalue)).all():
        return "No verdict on the models", ": no pair has a p-value", "No pair has a p-value"
    least = PROCEDURES[found.recommended].least_df
    has = f"{capitalized(test_words(found.recommended))} has {describe_df(pairs.df)}"
    why = f"{has}, and a verdict takes {least:g}"
    hand_in = claims.how_to_settle(found.recommended, reach.settings)
    headline = (
        f"{claims.without_power(found.recommended)} cannot settle which of the models is best"
    )
    return headline, f". {why}. {hand_in}", f"{why}. {hand_in}"


def _had_power(found: OfSeveral, place: int) -> str:
    pairs = found.pairs
    df = None if pairs.df is None else float(pairs.df[place])
    error = float(pairs.standard_error[place])
    had = claims.detectable(found.measure, error, df, found.confidence)
    between = f"Between {pairs.first[place]} and {pairs.second[place]} alone, "
    return f". {between}{had}" if had else ""


def _usual(found: OfSeveral) -> str:
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


def _numbers(found: OfSeveral, place: int) -> str:
    """Return the difference of one pair with its simultaneous interval and adjusted p-value."""
    pairs = found.pairs
    return describe_difference(
        found.measure,
        (pairs.first[place], pairs.second[place]),
        float(pairs.estimate[place]),
        (float(pairs.ci_low[place]), float(pairs.ci_high[place])),
        found.confidence,
        float((pairs.adjusted_pvalue if len(pairs.first) > 1 else pairs.pvalue)[place]),
        beside=cells.of_pairs(pairs) if len(pairs.first) > 1 else (),
    )


def _of_two(found: OfSeveral, reach: Reach) -> tuple[str, str, str]:
    """Return the same of two models, as a comparison of the two says it."""
    pairs, where = found.pairs, reach.where
    a, b, estimate = pairs.first[0], pairs.second[0], float(pairs.estimate[0])
    models = (a, b) if found.measure.sign * estimate <= 0 else (b, a)
    note = _numbers(found, 0)
    ending = next(iter(found.endings), None)
    headline = claims.claim_of_two(
        *models, where, supported=bool(pairs.significant[0]), ending=ending, measure=found.measure
    )
    df = None if pairs.df is None else float(pairs.df[0])
    if not found.settled[0]:
        headline, ending = claims.cannot_settle(*models, where, found.recommended), None
        note += f"; {claims.too_few(found.recommended, df)}. "
        note += claims.how_to_settle(found.recommended, reach.settings)
    elif not (pairs.significant[0] or (ending and ending.name == "equivalent")):
        prior, error = after_any(found.prior_tests), float(pairs.standard_error[0])
        alpha = (1 - found.confidence) / (1 if prior is None else prior.total)
        had = claims.detectable(found.measure, error, df, 1 - alpha)
        note += had and f"; {had}"
    note += describe_ending(found.measure, ending)
    return headline, f": {note}", capitalized(note)


def _endings(found: OfSeveral) -> str:
    """Return how several pairs end against a margin; of one pair the headline says it."""
    if len(found.pairs.first) == 1:
        return ""
    return endings_note(better_first(found.pairs, found.measure), found.endings, found.measure)


def _by_prior_tests(found: OfSeveral) -> str:
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


def _models_caption(found: OfSeveral, reach: Reach) -> str:
    letters = " Models that share a letter do not differ significantly." * bool(found.letters)
    return (
        f"{capitalized(found.measure.title)} of each model with pointwise "
        f"{level(found.confidence)} intervals for other {reach.where}.{letters}"
    )


def _caption(found: OfSeveral) -> str:
    return (
        f"Differences in {found.measure.title}, the first model of a pair minus the second, with "
        f"{'simultaneous ' * cells.are_family(found.pairs)}{level(found.confidence)} intervals. "
        f"{found.measure.better.title()} values are better. Filled circles mark pairs that differ "
        "significantly."
        f"{margin_caption(found.measure, next(iter(found.endings), None))}"
    )
