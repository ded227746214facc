"""What reports on two models share, on networks or on groups of items."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from ...comparison.grouped import GroupedComparison
from ...comparison.result import Comparison
from ...core.wording import bare_p, capitalized, level, listed, pvalue_text, shorten_apart
from ...inference.false_alarms import measured_level
from ...inference.on_communities import CLUSTER_ROBUST_T
from ...inference.on_links import NETWORK_HAC
from ...inference.outcome import NetworkTest
from ...inference.registry import PROCEDURES, label
from ...metrics.amounts import (
    amount,
    amount_with_unit,
    interval,
    mean_of,
    noun,
    says_nothing,
    unit,
)
from ...metrics.measures import MEASURES, Measure
from .. import cells
from ..document import Blocks, Caution, Figure, Paragraph, Row, Table, Verdict
from ..pair_displays import IntervalsDisplay
from ..questions import answers_for, has_answer, symbol, worth
from .claims import cannot_settle, claim_of_two, detectable, how_to_settle, too_few
from .common import read_briefly, test_words
from .margin import describe_ending, margin_caption
from .prior_tests import after_any, after_others
from .settings import named_test

Pair: TypeAlias = Comparison | GroupedComparison
# what tests on a network answer for: those for other networks, and those for other splits
ANSWERED = ("other networks like this one", "other splits of this same network")
USUAL = "paired_t"  # the test that most papers use


def verdict_of(
    found: Pair,
    means: tuple[float, float],
    where: str,
    data: str,
) -> Verdict:
    """Return the answer on two models.

    Parameters
    ----------
    found : Comparison or GroupedComparison
        What was found.
    means : tuple of float
        The measure of each model.
    where : str
        What the answer is for: "networks like this one".
    data : str
        What the tests were made on: "these predictions".
    """
    p, _, _ = worth(found)
    headline = _headline(found, where, p)
    numbers = _numbers(found, data)
    if not found.settled:
        best = found.test(found.recommended)
        numbers += f"; {too_few(best.name, best.df)}. {_what_settles(found)}"
    usual = found.test(USUAL).pvalue
    text, spare = f"{headline}: {numbers}.", ""
    if not math.isnan(usual) and found.recommended != USUAL:
        spare = f"The usual paired t-test would have said {pvalue_text(usual)}."
        text = f"{text} {spare}"
    measure, best = found.measure, found.test(found.recommended)
    a, b = shorten_apart((found.a, found.b), 30)
    brief = shorten_apart((found.a, found.b), 15)
    facts = (
        _mean(measure, means, 0, f"of {a}"),
        _mean(measure, means, 1, f"of {b}, {measure.better} is better"),
        (
            cells.value(measure, found.difference, beside=worth(found)[1:]).text,
            f"{'percentage points' if measure.shares else 'difference'}, {' minus '.join(brief)}",
        ),
        (bare_p(p), f"p-value of the verdict{_for_looks(found)}"),
    )
    asides = (
        Paragraph(
            f"“{best.question}” The verdict is that of {_named(found, best)}.",
            "What this answers",
        ),
        Paragraph(
            f"{_contrast(found, data)} It answers another question: “{found.test(USUAL).question}”",
            "What the usual test would have said",
        ),
        *_allowed(found),
    )
    return Verdict(headline, text, f"{capitalized(numbers)}.", facts, asides, spare=spare)


def _mean(measure: Measure, means: Sequence[float], place: int, of: str) -> tuple[str, str]:
    """Return the measure of one of two models for the head of a page; of squares their root."""
    if measure.name != "squared_error":
        return mean_of(measure, means[place]), f"{noun(measure)} {of}"
    roots = [math.sqrt(mean) for mean in means]
    root = amount(MEASURES["absolute_error"], roots[place], roots)
    return root, f"root mean squared error {of}"


def _allowed(found: Pair) -> tuple[Paragraph, ...]:
    """Return which differences remain possible where none is shown."""
    p, low, high = worth(found)
    measure = found.measure
    known = not (math.isnan(low) or says_nothing(measure, low, high))
    if not known or not found.settled or p < 1 - found.confidence:
        return ()
    better, worse = (-low, high) if measure.better == "lower" else (high, -low)
    a, b = shorten_apart((found.a, found.b), 30)
    ends = [
        f"{name} better by {amount_with_unit(measure, gain, (low, high))}"
        for name, gain in ((a, better), (b, worse))
        if gain > 0
    ]
    return (
        Paragraph(
            f"The {level(found.confidence)} interval reaches from {' to '.join(ends)}.",
            "What the data still allow",
        ),
    )


def _named(found: Pair, best: NetworkTest) -> str:
    """Return the test of the verdict in words."""
    if isinstance(found, GroupedComparison):  # whose groups are no communities
        return f"the {best.method}"
    return named_test(best.name)


def _for_looks(found: Pair) -> str:
    return (
        ""
        if (prior := after_any(found.prior_tests)) is None
        else f", as one of {prior.total} comparisons"
    )


def _as_if_one(found: Pair) -> str:
    prior = after_any(found.prior_tests)
    return "" if prior is None else f" None allows for {prior.total} comparisons."


def _by_chance(found: Pair) -> str:
    """Return how far another seed would move the p-value of the verdict, where that matters."""
    best, alpha = found.test(found.recommended), 1 - found.confidence
    error = best.details.get("pvalue_error", math.nan)
    if not (found.settled and abs(best.pvalue - alpha) < 2 * error):
        return ""
    return (
        f"Another seed may give the other verdict: {pvalue_text(best.pvalue)} has a Monte Carlo "
        f"error of {error:.2g}, from splits and re-runs."
    )


def _headline(found: Pair, where: str, p: float) -> str:
    if math.isnan(p):
        return f"No verdict on {found.a} against {found.b}"
    models = (found.a, found.b) if found.a_is_better else (found.b, found.a)
    if not found.settled:
        return f"{cannot_settle(*models, where, found.recommended)}{_for_looks(found)}"
    said = claim_of_two(
        *models,
        where,
        supported=p < 1 - found.confidence,
        ending=found.ending,
        measure=found.measure,
    )
    return f"{said}{_for_looks(found)}"


def _what_settles(found: Pair) -> str:
    """Return what another test says of predictions that settle nothing, and what to hand in."""
    assert not isinstance(found, GroupedComparison)  # noqa: S101 - groups settle what they can
    others = (CLUSTER_ROBUST_T.name, NETWORK_HAC.name)
    tests = [test for test in found.tests if test.name in others and has_answer(test)]
    said = ""
    for test in tests:
        if test.name != found.recommended and PROCEDURES[test.name].settles(test.df):
            ends = interval(test.ci_low, test.ci_high, found.confidence, found.measure)
            said = f"{capitalized(test_words(test.name))} gives {ends}, {pvalue_text(test.pvalue)}"
            alarms = measured_level(test.name, _labeled_share(found), found.measure)
            if alarms:
                said += (
                    f"; on generated networks it rejected {alarms} of true null hypotheses "
                    "instead of 5%"
                )
            said += ". "
            break
    return f"{said}{how_to_settle(found.recommended, found.settings)}"


def _labeled_share(found: Comparison) -> float:
    train = np.mean([split.train.size for split in found.predictions.splits])
    return float(train / max(found.predictions.network.labeled.size, 1))


def describe_means(found: Pair, means: tuple[float, float]) -> str:
    """Return the measure of both models, in words."""
    measure = found.measure
    floor = ""
    if not isinstance(found, GroupedComparison) and found.baseline is not None:
        floor = f", {found.baseline.words} {mean_of(measure, found.baseline.score)}"
    return (
        f"{noun(measure)} {mean_of(measure, means[0])} ({found.a}) and "
        f"{mean_of(measure, means[1])} ({found.b}){floor}, {measure.better} is better"
    )


def describe_difference(
    measure: Measure,
    models: tuple[str, str],
    estimate: float,
    ends: tuple[float, float],
    confidence: float,
    p: float,
    *,
    beside: Sequence[float] = (),
) -> str:
    """Return the difference of two models with its interval and p-value, in words.

    Of several pairs, whose numbers have the decimals of those `beside` them, they are a
    simultaneous interval and an adjusted p-value.
    """
    around = beside or (estimate, *ends)
    direction = "" if measure.name == "error" else f"; {measure.better} is better"
    named = noun(measure)
    what = f"difference in {named}:" if "," in named else f"{named} difference"
    difference = (
        f"{what} {amount_with_unit(measure, estimate, around)} "
        f"({models[0]} minus {models[1]}{direction})"
    )
    if math.isnan(ends[0]) and p == 1:
        return f"{difference}, no interval (the two never differ)"
    note, p_text = interval(*ends, confidence, measure, around), pvalue_text(p)
    if beside:
        note = f"simultaneous {note}" if not note.startswith("no ") else note
        p_text = f"adjusted {p_text}" if not math.isnan(p) else p_text
    return f"{difference}, {note}, {p_text}"


def _numbers(found: Pair, data: str) -> str:
    measure, (p, low, high) = found.measure, worth(found)
    if math.isnan(p):
        value = amount_with_unit(measure, found.difference, (low, high))
        return f"the recommended test has no answer on {data}; {noun(measure)} difference {value}"
    note = describe_difference(
        measure, (found.a, found.b), found.difference, (low, high), found.confidence, p
    )
    ending = found.ending
    alike = ending is not None and ending.name == "equivalent"
    alpha, prior = 1 - found.confidence, after_any(found.prior_tests)
    if prior is not None:
        note, alpha = f"{note}{after_others(prior, measure)}", alpha / prior.total
    if found.settled and not p < 1 - found.confidence and not alike:
        best = found.test(found.recommended)
        had = detectable(measure, best.standard_error, best.df, 1 - alpha)
        note += had and f"; {had}"
    if found.settled:
        note += describe_ending(measure, ending)
    return note


def _contrast(found: Pair, data: str) -> str:
    """Return what the usual test would have said, and whether it would have misled."""
    usual, best = found.test(USUAL), found.test(found.recommended)
    if math.isnan(usual.pvalue):
        return f"The paired t-test that most papers use has no answer on {data}."
    said = f"The paired t-test that most papers use gives {pvalue_text(usual.pvalue)}."
    p, _, _ = worth(found)
    if math.isnan(p) or not found.settled:
        return said
    alpha = 1 - found.confidence
    claims = usual.pvalue < alpha, p < alpha
    if claims == (True, False):
        if best.pvalue < alpha:
            return f"{said} It does not allow for earlier comparisons."
        other = answers_for(best.question)
        return f"{said} It would have claimed a difference that is not shown for {other}."
    if claims == (False, True):
        return f"{said} It would have missed the difference."
    return f"{said} Here it comes to the same answer."


def cautions_of(found: Pair) -> tuple[Caution, ...]:
    """Return every warning once, with the tests that it concerns; those of the verdict first."""
    said = filter(None, [_by_chance(found), *map(str, found.warnings)])
    whose: dict[str, list[str]] = {each: ["verdict"] for each in said}
    for warning in map(str, found.test(found.recommended).warnings):
        whose.setdefault(warning, ["verdict"])
    for test in found.tests:
        for text in dict.fromkeys(map(str, test.warnings)):
            whose.setdefault(text, []).append(test.name)
    return tuple(
        Caution(text, tuple(names), listed([label(name) for name in names]))
        for text, names in whose.items()
    )


def intervals_figure(found: Pair, circles: str, squares: str) -> Figure:
    """Return the picture of the verdict beside the usual test.

    Parameters
    ----------
    circles, squares : str
        What the two kinds of tests answer for.
    """
    usual = "" if found.recommended == USUAL else f", the usual test only for {squares}"
    caption = f"{_compared(found)} The verdict answers for {circles}{usual}."
    return Figure(
        f"{caption}{_as_if_one(found)}{margin_caption(found.measure, found.ending)}",
        IntervalsDisplay(found, (found.recommended, USUAL)),
        "The difference",
    )


def _compared(found: Pair) -> str:
    measure = found.measure
    return (
        f"{capitalized(measure.title)} of {found.a} minus that of {found.b}"
        f"{', in percentage points' * measure.shares} ({measure.better} is better), with "
        f"{level(found.confidence)} intervals."
    )


def all_tests(found: Pair, cautions: tuple[Caution, ...], circles: str, squares: str) -> Blocks:
    """Return every test as a table and a picture, which a page shows on request."""
    cross = (
        ""
        if all(map(has_answer, found.tests))
        else " A gray cross marks a test that has no answer here; a warning says why."
    )
    caption = (
        f"{_compared(found)} Filled circles answer for {circles}, open "
        f"squares only for {squares}. The shaded row is the recommended test.{cross} An arrow at "
        f"an end means that the interval goes on beyond the picture.{_as_if_one(found)}"
    )
    return tests_table(found, cautions), Figure(caption, IntervalsDisplay(found), fold=True)


def tests_table(found: Pair, cautions: tuple[Caution, ...]) -> Table:
    """Return every test; the recommended one is the row to look at."""
    measure = found.measure
    named = "percentage points" if measure.shares else measure.unit
    compared = f"{measure.title}{named and f', in {named}'}"
    questions = " ".join(f"“{q}”" for q in dict.fromkeys(test.question for test in found.tests))
    return Table(
        "All tests",
        ("test", "answers for", "difference", "s.e.", f"{level(found.confidence)} interval", "df",
         "p"),
        tuple(_row(found, test, cautions) for test in found.tests),
        below=(
            f"Difference, standard error and interval are those of the {compared} "
            f"({measure.better} is better), {found.a} minus {found.b}; p-values are two-sided and "
            "unadjusted: only the recommended test is the verdict, the others show what they would "
            "have said."
            f"{_as_if_one(found)}{_cut_off(found)} Questions in full: {questions}",
        ),
        fold=True,
    )  # fmt: skip


def brief(found: Pair, read: str, settings: Mapping[str, Any]) -> Blocks:
    """Return what was read, the test of the verdict and the usual one."""
    return read_briefly(read, settings), replace(two_tests(found), title="")


def two_tests(found: Pair) -> Table:
    """Return the test of the verdict and the usual one, which a paper takes."""
    table = tests_table(found, ())
    shown = [
        row for row, test in zip(table.rows, found.tests) if test.name in (found.recommended, USUAL)
    ]
    note = _as_if_one(found).strip()
    below = (note,) if note else ()
    title = f"Differences in {unit(found.measure)}"
    return replace(table, title=title, rows=tuple(shown), below=below)


def _cut_off(found: Pair) -> str:
    """Return where intervals end that would go beyond any possible difference."""
    measure, reach = found.measure, found.measure.reach
    ended = any(
        test.ci_low == -reach or test.ci_high == reach
        for test in found.tests
        if not says_nothing(measure, test.ci_low, test.ci_high)
    )
    if not (ended and math.isfinite(reach)):
        return ""
    ends = " and ".join(amount(measure, end, (reach,)) for end in (-reach, reach))
    return f" Intervals are cut off at {ends}: no difference can lie beyond."


def _row(found: Pair, test: NetworkTest, cautions: tuple[Caution, ...]) -> Row:
    texts = set(map(str, test.warnings))
    notes = tuple(n for n, caution in enumerate(cautions, start=1) if caution.text in texts)
    best = test.name == found.recommended
    ends = worth(found)[1:]
    return Row(
        (
            cells.code(test.name, small=test.method, notes=notes),
            cells.words(answers_for(test.question), sign=symbol(test)),
            cells.value(found.measure, test.estimate, beside=ends),
            cells.value(found.measure, test.standard_error, beside=ends),
            cells.interval(found.measure, test.ci_low, test.ci_high, beside=ends),
            cells.df(test.df, beside=[each.df for each in found.tests]),
            cells.pvalue(test.pvalue),
        ),
        best,
        "verdict" if best else "",
    )
