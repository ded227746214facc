"""A comparison of several models in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ..inference.registry import PROCEDURES
from ..metrics.measures import Measure
from ..splits.names import splits_told
from .text import align, best_marked, level, pvalue_text, unit, wrapped
from .text import told as value_text

if TYPE_CHECKING:
    from ..stats.comparisons import Comparisons
    from .multiple_result import MultipleComparison


def listed(names: Sequence[str]) -> str:
    """Join names for a sentence.

    Examples
    --------
    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def bare(p: float) -> str:
    """Write a p-value for a column headed p."""
    return "-" if p != p else pvalue_text(p).removeprefix("p = ").removeprefix("p ")


def best_words(measure: Measure) -> str:
    """Say what the best model has.

    Examples
    --------
    >>> from nettrial.metrics.measures import MEASURES
    >>> best_words(MEASURES["error"]), best_words(MEASURES["auc"])
    ('fewest errors', 'highest AUC')
    """
    if measure.name == "error":
        return "fewest errors"
    return f"{'lowest' if measure.better == 'lower' else 'highest'} {measure.words}"


def verdict(found: MultipleComparison) -> str:
    """Say which models are told apart, and which are not told apart from the best."""
    pairs, level = found.pairs, 1 - found.confidence
    differ = int((pairs.adjusted_pvalue < level).sum())
    names = list(found.scores)
    family = f"{differ} of {len(pairs.first)} differences hold on networks like this one"
    if found.control is not None:
        better, worse = _sides(pairs, level, found.measure)
        told = []
        if better:
            told.append(f"{listed(better)} beat{'s' * (len(better) == 1)} {found.control}")
        if worse:
            told.append(f"{found.control} beats {listed(worse)}")
        return f"{'; '.join(told) or f'No model is told apart from {found.control}'}: {family}."
    alike = [name for name in names if set(found.letters[name]) & set(found.letters[names[0]])]
    marks = best_marked(found.measure, [found.scores[name] for name in alike])
    best = [name for name, mark in zip(alike, marks) if mark]
    ties = [name for name in alike if name not in best]
    has, is_ = ("has", "is") if len(best) == 1 else ("have", "are")
    if len(best) == len(names):
        head = f"No model is told apart from any other, all with the same {found.measure.title}"
    elif len(alike) == len(names):
        head = (
            f"No model is told apart from {listed(best)}, which {has} the "
            f"{best_words(found.measure)}"
        )
    elif ties:
        head = (
            f"{listed(best)} {has} the {best_words(found.measure)}, but {is_} not told apart from "
            f"{listed(ties)}"
        )
    else:
        beat = "beats" if len(best) == 1 else "beat"
        head = f"{listed(best)} {beat} {'all others' if len(names) > 2 else names[1]}"
    return f"{head}: {family}."


def _sides(pairs: Comparisons, level: float, measure: Measure) -> tuple[list[str], list[str]]:
    better: list[str] = []
    worse: list[str] = []
    for name, difference, p in zip(pairs.first, pairs.estimate, pairs.adjusted_pvalue):
        if p < level:
            (better if measure.sign * difference < 0 else worse).append(name)
    return better, worse


def models_rows(found: MultipleComparison) -> list[list[str]]:
    """Lay out the models, the best first, with intervals and letters."""
    told = partial(value_text, found.measure)
    head = ["model", column_head(found.measure), f"{level(found.confidence)} interval", "letters"]
    rows = [
        [name, told(error), "{} to {}".format(*map(told, found.score_intervals[name])),
         found.letters.get(name, "")]
        for name, error in found.scores.items()
    ]  # fmt: skip
    columns = 4 if found.letters else 3
    return [row[:columns] for row in (head, *rows)]


def column_head(measure: Measure) -> str:
    """Head a column of a measure, with the percent sign for shares."""
    return f"{measure.words}{' %' * measure.shares}"


def pairs_rows(pairs: Comparisons, measure: Measure) -> list[list[str]]:
    """Lay out the pairs with simultaneous intervals and adjusted p-values."""
    told = partial(value_text, measure)
    head = ["pair", "difference", f"joint {level(pairs.confidence)} interval", "p alone",
            "p max-t", "p Holm"]  # fmt: skip
    rows = [
        [f"{a} - {b}", told(d), f"{told(low)} to {told(high)}", bare(p), bare(q), bare(h)]
        for a, b, d, low, high, p, q, h in zip(
            pairs.first, pairs.second, pairs.estimate, pairs.ci_low, pairs.ci_high,
            pairs.pvalue, pairs.adjusted_pvalue, pairs.details["holm_pvalue"],
        )
    ]  # fmt: skip
    return [head, *rows]


def learned_words(learned: Mapping[str, Any]) -> str:
    """Say where models learned that were tested on another network."""
    known = learned["known"]
    return (
        f"{learned['n_labels']} labels of {learned['network']}"
        + (f" and {known:.0%} of the labels of the test network" if known else "")
        + ("" if known else ", and no label of the test network")
    )


def learned_elsewhere(found: MultipleComparison) -> list[str]:
    """Say what the answer is about where models learned on another network; one line, or none."""
    learned = found.settings.get("learned_on")
    if learned is None:
        return []
    return [
        f"Learned from {learned_words(learned)}. The communities of the test network are the "
        "units: the answer is for other networks like the test network, with the models as learned "
        f"on {learned['network']}. What learning on another network would change it does not tell; "
        "for that, learn on several networks and test on several (independent pairs)."
    ]


def about(found: MultipleComparison) -> str:
    """Say on what, and by what test."""
    network = found.predictions.network
    labeled = "" if found.labeled is None else f", {found.labeled:.0%} labeled"
    return (
        f"{network.n_nodes} nodes, {network.n_links} links, {network.n_classes} classes; "
        f"{splits_told(len(found.predictions.splits), found.design)}{labeled}; "
        f"{found.settings['n_communities']} communities. Intervals and p-values answer for "
        f"other networks like this one, by {PROCEDURES[found.test].words}: {found.reason}"
    )


def at_once(found: MultipleComparison) -> str:
    """Say what the test of several measures at once found."""
    assert found.multivariate is not None  # noqa: S101 - asked only where there is one
    test = found.multivariate
    return (
        f"{', '.join(found.settings['measures'])} at once: {test.method}, "
        f"{pvalue_text(float(test.pvalue))}."
    )


def full_text(found: MultipleComparison) -> str:
    """Give verdict, models, pairs and warnings for a terminal."""
    lines = [
        wrapped(found.verdict),
        "",
        wrapped(about(found)),
        *(part for line in learned_elsewhere(found) for part in ("", wrapped(line))),
        "",
        "Models (models that share a letter are not told apart)" if found.letters else "Models",
        align(models_rows(found)),
        "",
        f"Differences in {unit(found.measure)}",
        align(pairs_rows(found.pairs, found.measure)),
    ]
    if found.multivariate is not None:
        lines += ["", wrapped(at_once(found))]
    if found.warnings:
        lines += ["", *(wrapped(str(warning), mark="! ") for warning in found.warnings)]
    return "\n".join(lines)
