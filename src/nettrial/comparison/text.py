"""A comparison in words: the verdict first, then the numbers."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..communities import effective_number
from ..inference.outcome import OTHER_NETWORKS, NetworkTest
from ..metrics.measures import MEASURES, Measure
from ..splits.names import splits_told

if TYPE_CHECKING:
    from .result import Comparison

USUAL = "paired_t"  # the test that most papers use
WIDTH = 100


def points(value: float) -> str:
    """Write a difference of rates in percentage points.

    Examples
    --------
    >>> points(-0.0123), points(float("inf"))
    ('-1.2', 'inf')
    """
    if not math.isfinite(value):
        return "-" if math.isnan(value) else ("inf" if value > 0 else "-inf")
    rounded = round(100 * value, 1)
    return f"{rounded + 0.0:.1f}"


def pvalue_text(p: float) -> str:
    """Write a p-value so that it is never shown as zero.

    Examples
    --------
    >>> pvalue_text(0.0312), pvalue_text(1e-9), pvalue_text(float("nan"))
    ('p = 0.031', 'p < 0.0001', 'no p-value')
    """
    if math.isnan(p):
        return "no p-value"
    if p < 1e-4:
        return "p < 0.0001"
    return f"p = {p:.2g}" if p < 0.095 else f"p = {p:.2f}"


def level(confidence: float) -> str:
    """Write the level of an interval so that none is rounded to 0% or 100%.

    Examples
    --------
    >>> level(0.95), level(0.999), level(0.975)
    ('95%', '99.9%', '97.5%')
    """
    return f"{100 * confidence:.10g}%"


def told(measure: Measure, value: float) -> str:
    """Write a measure or a difference: shares in percentage points, losses as they are.

    Examples
    --------
    >>> told(MEASURES["auc"], 0.0123), told(MEASURES["log_loss"], -0.01234)
    ('1.2', '-0.0123')
    """
    if measure.shares or not math.isfinite(value):
        return points(value)
    return f"{round(value, 4) + 0.0:.4f}"


def mean_of(measure: Measure, value: float) -> str:
    """Write the mean of a measure with its unit.

    Examples
    --------
    >>> mean_of(MEASURES["error"], 0.1234), mean_of(MEASURES["log_loss"], 0.5)
    ('12.3%', '0.5000')
    """
    return f"{value:.1%}" if measure.shares else told(measure, value)


def unit(measure: Measure) -> str:
    """Name what is compared, and its unit, for the head of a table.

    Examples
    --------
    >>> unit(MEASURES["error"]), unit(MEASURES["log_loss"])
    ('error rate in percentage points; lower is better', 'log loss; lower is better')
    """
    return f"{measure.title}{' in percentage points' * measure.shares}; {measure.better} is better"


def best_marked(measure: Measure, values: Sequence[float]) -> list[bool]:
    """Say which values look as good as the best one where they are printed.

    Examples
    --------
    >>> best_marked(MEASURES["error"], [0.12342, 0.12338, 0.2])
    [True, True, False]
    """
    best = told(measure, measure.sign * min(measure.sign * value for value in values))
    return [told(measure, value) == best for value in values]


def interval(
    low: float, high: float, confidence: float, measure: Measure = MEASURES["error"]
) -> str:
    """Write an interval, of shares in percentage points, or that there is none.

    Examples
    --------
    >>> interval(-0.01, 0.02, 0.95), interval(float("nan"), float("nan"), 0.95)
    ('95% interval -1.0 to 2.0', 'no interval')
    """
    if math.isnan(low) or math.isnan(high):
        return "no interval"
    return f"{level(confidence)} interval {told(measure, low)} to {told(measure, high)}"


def headline(comparison: Comparison) -> str:
    """Answer the question in one clause."""
    p = comparison.test(comparison.recommended).pvalue
    a, b = comparison.a, comparison.b
    if math.isnan(p):
        return f"No verdict on {a} against {b}"
    better, worse = (a, b) if comparison.a_is_better else (b, a)
    claim = f"{better} beats {worse} on networks like this one"
    return claim if p < 1 - comparison.confidence else f"No evidence that {claim}"


def numbers(comparison: Comparison) -> str:
    """Give the numbers behind the headline."""
    test, measure = comparison.test(comparison.recommended), comparison.measure
    difference = f"difference {told(measure, comparison.difference)}{' points' * measure.shares}"
    if math.isnan(test.pvalue):
        return f"the recommended test has no answer on these predictions; {difference}"
    direction = "" if measure.name == "error" else f"; {measure.better} is better"
    ends = interval(test.ci_low, test.ci_high, comparison.confidence, measure)
    return (
        f"{measure.words} {difference} ({comparison.a} minus {comparison.b}{direction}), {ends}, "
        f"{pvalue_text(test.pvalue)}"
    )


def verdict(comparison: Comparison) -> str:
    """Answer the question in one or two sentences."""
    head = f"{headline(comparison)}: {numbers(comparison)}."
    usual = comparison.test(USUAL).pvalue
    if math.isnan(usual):
        return head
    return f"{head} The usual paired t-test would have said {pvalue_text(usual)}."


def align(rows: Sequence[Sequence[str]], *, left: int = 1) -> str:
    """Lay out rows in columns: the first `left` columns flush left, the others flush right.

    Examples
    --------
    >>> print(align([["test", "p"], ["paired t", "0.04"]]))
    test         p
    paired t  0.04
    """
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if i < left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths))
        ).rstrip()
        for row in rows
    )


def _test_row(test: NetworkTest, recommended: str, measure: Measure) -> list[str]:
    low, high = told(measure, test.ci_low), told(measure, test.ci_high)
    return [
        f"{'>' if test.name == recommended else ' '} {test.name}",
        told(measure, test.estimate),
        told(measure, test.standard_error),
        f"{low} to {high}" if low != "-" else "-",
        "-" if test.df is None or math.isnan(test.df) else f"{test.df:.3g}",
        "-"
        if math.isnan(test.pvalue)
        else pvalue_text(test.pvalue).removeprefix("p = ").removeprefix("p "),
        "other networks" if test.question == OTHER_NETWORKS else "other splits",
        "!" * bool(test.warnings),
    ]


def tests_table(comparison: Comparison) -> str:
    """Lay out every test; an arrow marks the recommended one, ! one with warnings."""
    head = ["  test", "difference", "s.e.", f"{level(comparison.confidence)} interval", "df", "p",
            "answers for", ""]  # fmt: skip
    rows = [_test_row(t, comparison.recommended, comparison.measure) for t in comparison.tests]
    return align([head, *rows])


def number(value: float) -> str:
    """Write an estimate, or a dash where there is none."""
    return "-" if math.isnan(value) else f"{value:.4g}"


def estimates_table(comparison: Comparison) -> str:
    """Lay out what was estimated for each model and for the network."""
    estimates, a, b = comparison.estimates, comparison.a, comparison.b
    words = {
        "p": "error rate p",
        "q": "error rate of error-prone nodes, q",
        "rho": "error correlation over links, rho",
        "effective_n": "effective test set size",
    }
    rows = [["", a, b]]
    for key, text in words.items():
        rows.append([text, *(number(estimates[key][m]) for m in (a, b))])
    rows.append(["variance model (Lemma 1)", *(estimates["lemma1"][m]["verdict"] for m in (a, b))])
    autocorrelation = estimates["autocorrelation"]
    shared = [
        f"test set size n = {estimates['n']:.4g}",
        f"labeled nodes m = {estimates['m']}",
        f"linked ordered pairs in a test set |L| = {estimates['links']:.4g}",
        "autocorrelation = " + ("-" if autocorrelation is None else f"{autocorrelation:.3f}"),
    ]
    return align(rows) + "\n" + wrapped("; ".join(shared))


def wrapped(text: str, *, mark: str = "") -> str:
    """Break text into lines; those after the first are indented by the mark's width."""
    return textwrap.fill(text, WIDTH, initial_indent=mark, subsequent_indent=" " * len(mark))


def communities_line(comparison: Comparison) -> str:
    """Say how many communities there are, what they are worth, and whether one was divided."""
    sizes = np.unique(comparison.communities, return_counts=True)[1]
    worth = effective_number(sizes)
    by = comparison.settings.get("communities", "given")
    whose = {"louvain": "by Louvain", "given": "as given"}.get(by, f"by {by}")
    line = f"{sizes.size} communities {whose}, worth {worth:.1f} equal ones"
    division = comparison.settings.get("division", "")
    return f"{line} ({division})" if division else line


def full_text(comparison: Comparison) -> str:
    """Give verdict, tests, estimates and warnings for a terminal."""
    network, measure = comparison.predictions.network, comparison.measure
    labeled = "" if comparison.labeled is None else f", {comparison.labeled:.0%} labeled"
    lines = [
        wrapped(comparison.verdict),
        "",
        wrapped(
            f"{network.n_nodes} nodes, {network.n_links} links, {network.n_classes} classes; "
            f"{splits_told(len(comparison.predictions.splits), comparison.design)}{labeled}; "
            f"{measure.words} {mean_of(measure, comparison.score_a)} ({comparison.a}) and "
            f"{mean_of(measure, comparison.score_b)} ({comparison.b}), {measure.better} is better; "
            f"{communities_line(comparison)}. "
            f"Verdict by {comparison.recommended}: {comparison.reason}"
        ),
        "",
        f"Tests ({unit(measure)})",
        tests_table(comparison),
        "",
        "Estimates",
        estimates_table(comparison),
    ]
    whose: dict[str, list[str]] = {str(warning): ["verdict"] for warning in comparison.warnings}
    for test in comparison.tests:
        for warning in test.warnings:
            whose.setdefault(str(warning), []).append(test.name)
    if whose:
        lines += ["", "Warnings"]
        lines += [
            wrapped(f"{', '.join(names)}: {text}", mark="! ") for text, names in whose.items()
        ]
    return "\n".join(lines)
