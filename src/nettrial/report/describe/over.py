"""What a report on several models over several data sets says; networks are such, too."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from ...comparison.across import Directions
from ...core.wording import bare_p, capitalized, level, listed, pvalue_text, shorten
from ...inference.data_sets import OverDataSets, PairOverDataSets, least_pvalue
from ...metrics.amounts import (
    amount,
    amount_with_unit,
    best_marked,
    best_words,
    interval,
    noun,
    unit,
)
from ...stats.omnibus import OmnibusResult
from .. import cells
from ..displays import RanksDisplay
from ..document import Blocks, Document, Figure, Paragraph, Row, Table, Verdict, cautions, rows
from ..references import cite
from . import claims
from .base import describe
from .common import measure_cited
from .margin import ending_cells, ending_head, endings_note, margin_cited

LISTED = 8  # data sets in a short text


@describe.register
def _over(found: OverDataSets) -> Document:
    return Document(
        kind=f"{len(found.models):,} models on {len(found.data_sets):,} data sets",
        verdict=verdict(found, "data sets"),
        blocks=(
            figure(found),
            scores_table(found, "data set"),
            *pairs_tables(found),
            *(Paragraph(line) for line in spread(found, "data sets")),
            *cautions(found.warnings),
        ),
        methods=lambda name: (
            f"We compared {listed([name(model) for model in found.models])} on "
            f"{len(found.data_sets):,} data sets ({listed([name(n) for n in found.data_sets])}). "
            f"{measure_cited(found.measure)}Data sets are the observations: {tests_cited(found)}"
        ),
        brief=(brief_table(found, "data set"),),
    )


def verdict(found: OverDataSets, units: str, apart: Sequence[Directions] = ()) -> Verdict:
    """Return the answer, with the numbers at the head of a page.

    `apart` says for every pair on how many data sets, each alone, either model is better.
    """
    headline, more = answer(found, units, apart)
    ranks, alpha = found.mean_ranks, 1 - found.confidence
    best = min(ranks, key=ranks.__getitem__)
    differ = sum(pair.wilcoxon_holm < alpha for pair in found.pairs)
    name, test = omnibus(found)
    p = float(test.pvalue)
    if len(found.models) == 2:
        name, p = "Wilcoxon", float(found.pairs[0].wilcoxon.pvalue)
    facts = (
        (f"{len(found.data_sets):,}", f"{units} are the observations"),
        (f"{ranks[best]:.2f}", f"mean rank of {shorten(best, 30)}, the best"),
        (bare_p(p), f"p-value of all models at once ({name})"),
        (f"{differ:,} of {len(found.pairs):,}", "pairs differ significantly (Wilcoxon, Holm)"),
    )
    answers = Paragraph(
        f"“Does the difference hold on other {units} of this kind?” A p-value counts {units}, not "
        "splits.",
        "What this answers",
    )
    ends = _endings(found, units)
    brief = "" if len(found.models) == 2 else f"{headline}: {by_ranks(found, units)}.{ends}"
    text = f"{headline}: {more}.{ends}"
    return Verdict(headline, text, f"{_begun(more, found.models)}.{ends}", facts, (answers,), brief)


def _begun(text: str, models: Sequence[str]) -> str:
    """Return text as the beginning of a sentence, where it does not begin with a model's name."""
    return text if text.startswith(tuple(models)) else capitalized(text)


def _endings(found: OverDataSets, units: str) -> str:
    """Return how the random-effects means end against a margin; empty without one."""
    sign = found.measure.sign
    ordered = [
        (pair.first, pair.second)
        if sign * float((pair.hierarchical or pair.wilcoxon).estimate) <= 0
        else (pair.second, pair.first)
        for pair in found.pairs
    ]
    said = endings_note(ordered, found.endings, found.measure)
    return said and f" By the random-effects mean over {units}: a{said.removeprefix(' A')}"


def answer(
    found: OverDataSets, units: str, directions: Sequence[Directions] = ()
) -> tuple[str, str]:
    """Return the headline and what follows it: what holds over the data sets."""
    if len(found.models) == 2:
        return _of_two(found, units, directions)
    apart = ", ".join(by_wilcoxon(found)) or "no two differ significantly"
    reach = out_of_reach(found, units)
    wins, number = _wins(found), len(found.data_sets)
    ranked = list(found.mean_ranks)
    headline = f"No significant difference among {len(ranked):,} models over {number} {units}"
    if wins:
        headline = f"{claims.claim(ranked, wins)} over such {units}"
    return headline, (
        f"{best_ranked(found, units)}; {by_ranks(found, units)}; pair by pair {apart} (Wilcoxon, "
        f"Holm){reach and f', nor could they: {reach}'}{_by_one(units, directions)}"
    )


def _by_one(units: str, directions: Sequence[Directions]) -> str:
    """Return for which pairs the better model depends on the data set."""
    turned = [
        f"{d.first} or {d.second} (better on {d.first_better} and {d.second_better})"
        for d in directions
        if d.depends
    ]
    said = f"; it depends on the {units[:-1]} which is better: {', '.join(turned)}"
    return said * bool(turned)


def _wins(found: OverDataSets) -> list[tuple[str, str]]:
    """Return who beats whom: by signed ranks, or by mean ranks where all together differ."""
    alpha = 1 - found.confidence
    wins = [ordered(found, pair) for pair in found.pairs if pair.wilcoxon_holm < alpha]
    _, test = omnibus(found)
    if float(test.pvalue) < alpha:
        wins += [pair for pair in _won_by_nemenyi(found) if pair not in wins]
    return wins


def _of_two(found: OverDataSets, units: str, directions: Sequence[Directions]) -> tuple[str, str]:
    (pair,), number = found.pairs, len(found.data_sets)
    better, worse = ordered(found, pair)
    p = float(pair.wilcoxon.pvalue)
    claim = f"{better} beats {worse} over such {units}"
    head = claim if p < 1 - found.confidence else f"No evidence that {claim}"
    wins = pair.wins if better == pair.first else pair.losses
    reach = out_of_reach(found, units)
    who, each = "it", ""
    for alone in directions:
        if alone.depends:
            head = f"It depends on the {units[:-1]} whether {pair.first} or {pair.second} is better"
            who = better
        counts = (alone.first_better, alone.second_better)
        if any(counts):
            each = (
                f"; each {units[:-1]} alone, {pair.first} is significantly better on {counts[0]} "
                f"and {pair.second} on {counts[1]}"
            )
    return head, (
        f"{who} is better on {wins} of {number} (Wilcoxon, {pvalue_text(p)})"
        f"{reach and f'; for evidence {reach}'}{each}{_mean(found, pair, units)}"
    )


def _mean(found: OverDataSets, pair: PairOverDataSets, units: str) -> str:
    """Return the random-effects mean of two models, and what one more data set may show."""
    mean, measure = pair.hierarchical, found.measure
    if mean is None:
        return ""
    ends = float(mean.ci_low), float(mean.ci_high)
    said = (
        f"; mean difference {amount_with_unit(measure, float(mean.estimate), ends)} ({pair.first} "
        f"minus {pair.second}), {interval(*ends, found.confidence, measure)}"
    )
    low, high = (mean.details[f"prediction_{end}"] for end in ("low", "high"))
    if math.isnan(low):
        return said
    reach = " to ".join(amount(measure, end, ends) for end in (low, high))
    return f"{said}; on one more such {units[:-1]} {reach}"


def figure(found: OverDataSets) -> Figure:
    """Return the mean ranks."""
    bars = "; bars join models that do not differ significantly (Nemenyi)"
    caption = f"Mean ranks of the models, the best left{bars * (len(found.models) > 2)}."
    return Figure(caption, RanksDisplay(found), "Mean ranks")


def spread(found: OverDataSets, units: str) -> list[str]:
    """Return how much the true differences vary between data sets; one line, or none."""
    points = " percentage points" * found.measure.shares
    more = ""
    if len(found.pairs) == 1 and found.pairs[0].hierarchical is not None:
        details = found.pairs[0].hierarchical.details
        more = (
            f" (tau). I-squared is {details['i_squared']:.0%}, and Cochran's Q is "
            f"{details['heterogeneity_statistic']:.3g} "
            f"({pvalue_text(details['heterogeneity_pvalue'])})"
        )
    each = [
        f"{amount(found.measure, pair.hierarchical.details['tau'])}{points} for "
        f"{pair.first} minus {pair.second}"
        for pair in found.pairs
        if pair.hierarchical is not None
    ]
    if not each:
        return []
    return [
        f"Between {units}, true differences vary with an estimated standard deviation of "
        f"{listed(each)}{more}."
    ]


def tests_cited(found: OverDataSets) -> str:
    """Return a methods sentence on the tests."""
    tests = f"Wilcoxon's signed-rank and the sign test {cite('demsar2006')}"
    if len(found.models) > 2:
        tests = (
            "Friedman's test with Nemenyi's comparisons of mean ranks, Wilcoxon's signed-rank and "
            f"the sign test of each pair {cite('demsar2006')}, adjusted by Holm's method "
            f"{cite('holm1979')}"
        )
    if any(pair.bayes is not None for pair in found.pairs):
        tests += (
            f", and the Bayesian signed-rank test {cite('benavoli2017')}, for which models are "
            f"equal that differ by {rope_words(found)} or less"
        )
    return f"{tests}. {margin_cited(next(iter(found.endings), None), found.measure)}".strip()


def scores_table(found: OverDataSets, what: str) -> Table:
    """Return the error rates or other measure of each data set, and mean ranks."""
    measure, ranks, beside = found.measure, found.mean_ranks, found.scores.ravel().tolist()
    body = [
        [
            cells.words(name),
            *(
                cells.value(measure, v, best=best, beside=beside)
                for v, best in zip(values, best_marked(measure, values, beside))
            ),
        ]
        for name, values in zip(found.data_sets, found.scores.tolist())
    ]
    last = [
        cells.words("mean rank"),
        *(cells.number(ranks[model], ".2f") for model in found.models),
    ]
    title = measure.title
    lines = omnibus_lines(found)
    return Table(
        f"{capitalized(title)}{' in %' * measure.shares}",
        (what, *found.models),
        (*rows(body), Row(tuple(last))),
        best=best_words(measure),
        below=(" ".join(f"{line}." for line in lines),) if lines else (),
    )


def brief_table(found: OverDataSets, what: str) -> Table:
    """Return the same without tests; of many data sets the mean ranks alone."""
    table = replace(scores_table(found, what), below=())
    if len(found.data_sets) <= LISTED:
        return table
    return replace(table, title="", head=("", *found.models), rows=table.rows[-1:])


def omnibus_lines(found: OverDataSets) -> list[str]:
    """Return what Friedman, Iman and Davenport, and Nemenyi find; nothing for two models.

    For two models the sign test of the pair is exact where ranks are not.
    """
    if len(found.models) < 3:
        return []
    limit = found.nemenyi.details["critical_difference"]
    groups = found.nemenyi.details["groups"]
    alike = "; ".join(", ".join(group) for group in groups) or "none"
    chi, f = found.friedman, found.iman_davenport
    davenport = f"Iman-Davenport F {f.statistic:.3f}, {pvalue_text(float(f.pvalue))}"
    if f.degenerate:
        davenport = "Iman-Davenport has no p-value here"
    return [
        f"Friedman chi-square {chi.statistic:.3f}, {pvalue_text(float(chi.pvalue))}; {davenport}",
        f"Nemenyi: critical difference of mean ranks {limit:.2f}; not significantly different: "
        f"{alike}",
    ]


def omnibus(found: OverDataSets) -> tuple[str, OmnibusResult]:
    """Return the test of all models at once that counts, with its name."""
    if found.iman_davenport.degenerate:
        return "Friedman", found.friedman
    return "Iman-Davenport", found.iman_davenport


def best_ranked(found: OverDataSets, units: str) -> str:
    """Return which models have the best mean rank."""
    ranks = found.mean_ranks
    top = min(ranks.values())
    best = [model for model, rank in ranks.items() if rank == top]
    verb = "has" if len(best) == 1 else "have"
    return f"{listed(best)} {verb} the best mean rank over {len(found.data_sets)} {units}"


def by_ranks(found: OverDataSets, units: str) -> str:
    """Return what the test of all models at once finds, and which pairs Nemenyi's do."""
    name, test = omnibus(found)
    p, apart = f"{name}, {pvalue_text(float(test.pvalue))}", claims.beats(_won_by_nemenyi(found))
    if not float(test.pvalue) < 1 - found.confidence:
        vain = ", so that Nemenyi's comparisons of pairs do not count" * bool(apart)
        return f"by ranks no models differ significantly over such {units} ({p}){vain}"
    pairs = f"and {', '.join(apart)}" if apart else "but no pair differs significantly"
    return f"by ranks the models are not all alike over such {units} ({p}), {pairs} (Nemenyi)"


def _won_by_nemenyi(found: OverDataSets) -> list[tuple[str, str]]:
    table = found.nemenyi
    return [
        (a, b) if gap < 0 else (b, a)
        for a, b, gap, yes in zip(
            table.first, table.second, table.estimate.tolist(), table.significant
        )
        if yes
    ]


def by_wilcoxon(found: OverDataSets) -> list[str]:
    """Return who beats whom pair by pair, after Holm's adjustment."""
    alpha = 1 - found.confidence
    return claims.beats(
        [ordered(found, pair) for pair in found.pairs if pair.wilcoxon_holm < alpha]
    )


def ordered(found: OverDataSets, pair: PairOverDataSets) -> tuple[str, str]:
    """Return the models of a pair, the better one by the signed ranks first."""
    first_is_better = found.measure.sign * float(pair.wilcoxon.estimate) <= 0
    return (pair.first, pair.second) if first_is_better else (pair.second, pair.first)


def out_of_reach(found: OverDataSets, units: str) -> str:
    """Return that no pair could differ significantly by signed ranks, where that is so."""
    number, pairs = len(found.data_sets), len(found.pairs)
    if pairs * least_pvalue(number) < 1 - found.confidence:
        return ""
    among = "" if pairs == 1 else f" for {pairs} pairs"
    return f"{number} {units} are too few{among}"


def pairs_tables(found: OverDataSets) -> Blocks:
    """Return the tests of every pair, and its random-effects mean where standard errors are."""
    heads = ("pair", "mean difference", "wins-ties-losses", "p Wilcoxon", "p Wilcoxon, Holm",
             "p sign", "p sign, Holm", "P(first, equal, second better)")  # fmt: skip
    known = any(pair.bayes is not None for pair in found.pairs)
    kept = len(heads) if known else -1  # tables of scores alone have no probabilities
    ends = ending_cells(found.endings, len(found.pairs))
    tests = Table(
        f"Differences in {unit(found.measure)}",
        (*heads[:kept], *ending_head(found.endings)),
        rows([[*_pair(found, pair)[:kept], *end] for pair, end in zip(found.pairs, ends)]),
        below=(_about_probabilities(found),) if known else (),
        fold=True,
    )
    means = [_random_effects(found, pair) for pair in found.pairs if pair.hierarchical is not None]
    sure = level(found.confidence)
    head = ("pair", "mean", f"{sure} interval", "tau", "I-squared", "p of Q", "one more")
    below = (
        "The mean difference above counts all alike, this one by their standard errors. Its "
        f"interval is pointwise ({sure}) and takes true differences for normal, which the other "
        "tests do not. tau is the standard deviation of true differences, I-squared the share of "
        "the variance that it explains, Q the test of Cochran that it is 0; one more: the "
        "prediction interval."
    )
    title = f"Random-effects means of the differences in {noun(found.measure)}"
    return tests, *([Table(title, head, rows(means), below=(below,), fold=True)] if means else [])


def _pair(found: OverDataSets, pair: PairOverDataSets) -> list[cells.Cell]:
    bayes, probabilities = pair.bayes, cells.NONE
    if bayes is not None:
        probabilities = f"{bayes.prob_less:.2f}, {bayes.prob_rope:.2f}, {bayes.prob_greater:.2f}"
    return [
        cells.difference(pair.first, pair.second),
        cells.value(found.measure, pair.mean_difference, beside=found.scores.ravel().tolist()),
        cells.numbers(f"{pair.wins}-{pair.ties}-{pair.losses}"),
        cells.pvalue(float(pair.wilcoxon.pvalue)),
        cells.pvalue(pair.wilcoxon_holm),
        cells.pvalue(float(pair.sign.pvalue)),
        cells.pvalue(pair.sign_holm),
        cells.numbers(probabilities),
    ]


def _random_effects(found: OverDataSets, pair: PairOverDataSets) -> list[cells.Cell]:
    measure, whole = found.measure, pair.hierarchical
    assert whole is not None  # noqa: S101 - asked only where there is one
    ends, details = (float(whole.ci_low), float(whole.ci_high)), whole.details
    low, high = (details[f"prediction_{end}"] for end in ("low", "high"))
    return [
        cells.difference(pair.first, pair.second),
        cells.value(measure, float(whole.estimate), beside=ends),
        cells.interval(measure, *ends, beside=ends),
        cells.value(measure, details["tau"], beside=ends),
        cells.numbers(f"{details['i_squared']:.0%}"),
        cells.pvalue(details["heterogeneity_pvalue"]),
        cells.interval(measure, low, high, beside=ends),
    ]


def rope_words(found: OverDataSets) -> str:
    """Return by how much two models may differ that the Bayesian test takes for equal."""
    rope = next(pair.bayes.rope for pair in found.pairs if pair.bayes is not None)
    if not found.measure.shares:
        return f"{rope:g}"
    return f"{100 * rope:g} percentage point{'s' * (100 * rope != 1)}"


def _about_probabilities(found: OverDataSets) -> str:
    return (
        "P(first, equal, second better): by the Bayesian signed-rank test; equal means that the "
        f"two differ by {rope_words(found)} or less (region of practical equivalence). These "
        "probabilities do not control the Type I error, and can be near 1 where no test finds a "
        "difference."
    )
