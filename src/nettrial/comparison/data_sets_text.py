"""Models over data sets in words."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from ..stats.omnibus import OmnibusResult
from .data_sets import OverDataSets, least_pvalue
from .multiple_text import bare, listed
from .text import best_marked, level, pvalue_text, told

if TYPE_CHECKING:
    from .data_sets import PairOverDataSets


def errors_rows(found: OverDataSets) -> list[list[str]]:
    """Lay out the error rates or other measure, * marking the best, and mean ranks."""
    rows = [["", *found.models]]
    for name, values in zip(found.data_sets, found.scores.tolist()):
        marks = (" *" if best else "  " for best in best_marked(found.measure, values))
        rows.append([name, *(told(found.measure, v) + mark for v, mark in zip(values, marks))])
    ranks = found.mean_ranks
    rows.append(["mean rank", *(f"{ranks[model]:.2f}  " for model in found.models)])
    return rows


def omnibus_lines(found: OverDataSets) -> list[str]:
    """Say what Friedman, Iman and Davenport, and Nemenyi find; nothing for two models.

    For two models ranks tell what the sign test of the pair tells exactly.
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
        f"Nemenyi: critical difference of mean ranks {limit:.3f}; not told apart: {alike}",
    ]


def omnibus(found: OverDataSets) -> tuple[str, OmnibusResult]:
    """Give the test of all models at once that counts, with its name."""
    if found.iman_davenport.degenerate:
        return "Friedman", found.friedman
    return "Iman-Davenport", found.iman_davenport


def unequal(found: OverDataSets) -> bool:
    """Say whether the test of all models at once finds them to rank unequally."""
    return bool(float(omnibus(found)[1].pvalue) < 1 - found.confidence)


def best_told(found: OverDataSets, units: str) -> str:
    """Say which models have the best mean rank."""
    ranks = found.mean_ranks
    top = min(ranks.values())
    best = [model for model, rank in ranks.items() if rank == top]
    verb = "has" if len(best) == 1 else "have"
    return f"{listed(best)} {verb} the best mean rank over {len(found.data_sets)} {units}"


def ranks_told(found: OverDataSets, units: str) -> str:
    """Say what the test of all models at once finds, and which ones Nemenyi tells apart."""
    name, test = omnibus(found)
    p, apart = f"{name}, {pvalue_text(float(test.pvalue))}", by_nemenyi(found)
    if not unequal(found):
        vain = ", so that Nemenyi's comparisons of pairs do not count" * bool(apart)
        return f"by ranks no model is told apart from any other over such {units} ({p}){vain}"
    pairs = f"and {', '.join(apart)}" if apart else "but no two are told apart"
    return f"by ranks the models are not all alike over such {units} ({p}), {pairs} (Nemenyi)"


def by_nemenyi(found: OverDataSets) -> list[str]:
    """Say who beats whom by mean ranks."""
    table = found.nemenyi
    sure = table.adjusted_pvalue < 1 - found.confidence
    return beaten(
        (a, b) if gap < 0 else (b, a)
        for a, b, gap, yes in zip(table.first, table.second, table.estimate.tolist(), sure)
        if yes
    )


def by_wilcoxon(found: OverDataSets) -> list[str]:
    """Say who beats whom pair by pair, after Holm's adjustment."""
    level = 1 - found.confidence
    return beaten(ordered(found, pair) for pair in found.pairs if pair.wilcoxon_holm < level)


def ordered(found: OverDataSets, pair: PairOverDataSets) -> tuple[str, str]:
    """Name the better model of a pair by the signed ranks first."""
    first_is_better = found.measure.sign * float(pair.wilcoxon.estimate) <= 0
    return (pair.first, pair.second) if first_is_better else (pair.second, pair.first)


def beaten(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Say who beats whom, each winner once.

    Examples
    --------
    >>> beaten([("a", "c"), ("b", "c"), ("a", "d")])
    ['a beats c and d', 'b beats c']
    """
    losers: dict[str, list[str]] = {}
    for winner, loser in pairs:
        losers.setdefault(winner, []).append(loser)
    return [f"{winner} beats {listed(names)}" for winner, names in losers.items()]


def out_of_reach(found: OverDataSets, units: str) -> str:
    """Say that no pair could be told apart by signed ranks, where that is so; else nothing."""
    number, pairs = len(found.data_sets), len(found.pairs)
    if pairs * least_pvalue(number) < 1 - found.confidence:
        return ""
    among = "" if pairs == 1 else f" for {pairs} pairs"
    return f"{number} {units} are too few{among}"


def pairs_rows(found: OverDataSets) -> list[list[str]]:
    """Lay out every pair."""
    number = partial(told, found.measure)
    head = ["pair", "mean difference", "wins-ties-losses", "p Wilcoxon", "Holm", "p sign", "Holm",
            "P(first, equal, second better)", "hierarchical"]  # fmt: skip
    rows = []
    for pair in found.pairs:
        bayes, whole = pair.bayes, pair.hierarchical
        rows.append([
            f"{pair.first} - {pair.second}", number(pair.mean_difference),
            f"{pair.wins}-{pair.ties}-{pair.losses}", bare(float(pair.wilcoxon.pvalue)),
            bare(pair.wilcoxon_holm), bare(float(pair.sign.pvalue)), bare(pair.sign_holm),
            "-" if bayes is None else
            f"{bayes.prob_less:.2f}, {bayes.prob_rope:.2f}, {bayes.prob_greater:.2f}",
            "-" if whole is None else
            f"{number(float(whole.estimate))} ({number(float(whole.ci_low))} to "
            f"{number(float(whole.ci_high))})",
        ])  # fmt: skip
    return [head, *rows]


def rope_told(found: OverDataSets) -> str:
    """Say how much two models may differ that the Bayesian test takes for equal."""
    rope = next(pair.bayes.rope for pair in found.pairs if pair.bayes is not None)
    if not found.measure.shares:
        return f"{rope:g}"
    return f"{100 * rope:g} point{'s' * (100 * rope != 1)}"


def pairs_lines(found: OverDataSets) -> list[str]:
    """Say what the last columns of the pairs mean."""
    lines = []
    if any(pair.bayes is not None for pair in found.pairs):
        lines.append(
            "P(first, equal, second better): by the Bayesian signed-rank test; equal means that "
            f"the two differ by {rope_told(found)} or less (region of practical equivalence). They "
            "bound no rate of false alarms, and can be near 1 where no test finds a difference."
        )
    if any(pair.hierarchical is not None for pair in found.pairs):
        lines.append(
            f"hierarchical: random-effects mean with the {level(found.confidence)} interval of "
            "one pair alone; it takes true differences for normal, which the other tests do not."
        )
    return lines
