"""Figures of two models: intervals, splits, and where on the network they disagree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..core.wording import bare_p, level, shorten, shorten_apart
from ..inference import registry
from ..metrics.amounts import NO_USE, noun, says_nothing, signed
from . import hover
from .canvas import (
    COLOR_A,
    COLOR_B,
    FONT,
    GROUP,
    INK,
    NAME,
    NETWORKS,
    PALE,
    SPLITS,
    Scale,
    bar_height,
    bare,
    is_narrow,
    legend,
    new_axes,
    open_frame,
    row_height,
    row_label,
    scale_of,
    value_axis,
)
from .charts import Chart, Entry, symmetric
from .disagreement import FEW, NodeGroup
from .questions import answers_for, generalizes, has_answer, worth

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from ..comparison.grouped import GroupedComparison
    from ..comparison.result import Comparison
    from ..inference.outcome import NetworkTest

    Pair = Comparison | GroupedComparison

ALL_TICKS, CROWD = 20, 40  # splits that are all numbered; splits drawn at full size


def intervals_chart(comparison: Pair, tests: Sequence[NetworkTest]) -> Chart:
    """Return some tests of two models as rows: those for other networks first, if all are drawn."""
    every = len(tests) == len(comparison.tests)
    tests = sorted(tests, key=lambda test: (not generalizes(test), answers_for(test.question)))
    values = [v for t in tests for v in (t.estimate, t.ci_low, t.ci_high)]
    scale = scale_of(comparison.measure, values, worth(comparison)[1:])
    rows = tuple(_entry(comparison, test, scale, every) for test in tests)
    ending = getattr(comparison, "ending", None)
    half = 0.0 if ending is None else scale.factor * ending.margin
    return Chart(
        rows,
        ("difference", f"{level(comparison.confidence)} interval", "p"),
        "",
        symmetric(rows, scale.least),
        of=(scale, comparison.a, comparison.b),
        band=(-half, half) if half else None,
        zero=True,
    )


def _entry(found: Pair, test: NetworkTest, scale: Scale, every: bool) -> Entry:
    wide, sure = generalizes(test), has_answer(test)
    useless = says_nothing(found.measure, test.ci_low, test.ci_high)
    known = not (useless or math.isnan(test.ci_low) or math.isnan(test.ci_high))
    note = NO_USE if useless else "no interval" if sure else "no answer"
    best = test.name == found.recommended
    name = registry.label(test.name)
    group = ""
    if every:
        group = f"answer {'' if wide else 'only '}for {answers_for(test.question)}"
    else:
        name = f"{'verdict' if best else 'usual test'}: {name}"
    return Entry(
        name,
        scale.factor * test.estimate,
        scale.factor * test.ci_low if known else math.nan,
        scale.factor * test.ci_high if known else math.nan,
        (
            scale.note(test.estimate),
            interval_note(scale, test.ci_low, test.ci_high, note, known),
            bare_p(test.pvalue),
        ),
        group,
        ("o" if wide else "s") if sure else "x",
        (NETWORKS if wide else SPLITS) if sure else PALE,
        filled=wide or not sure,
        strong=best,
    )


def interval_note(scale: Scale, low: float, high: float, note: str, known: bool) -> str:
    """Write the ends of an interval, or in its place a note."""
    return " to ".join(map(scale.note, (low, high))) if known else note


def plot_splits(comparison: Comparison, ax: Axes | None = None) -> Axes:
    """Draw the measure (error rates) of both models on every split, joined by a line.

    Parameters
    ----------
    comparison : Comparison
        Its predictions are counted.
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure, without pyplot.

    Returns
    -------
    matplotlib Axes
        The measure (shares in percent) against the number of the split; dashed lines are means.
    """
    measure = comparison.measure
    scores = [comparison.scores_by_split[model] for model in (comparison.a, comparison.b)]
    scale = scale_of(measure, np.concatenate(scores))
    a, b = (scale.factor * each for each in scores)
    ax = new_axes(ax, 3.6)
    number, unit = np.arange(1, a.size + 1), "%" * measure.shares
    crowded = a.size > CROWD
    size = max(1.5, 6.5 * math.sqrt(CROWD / a.size)) if crowded else 6.5
    ax.vlines(number, np.minimum(a, b), np.maximum(a, b), color=PALE, linewidth=size / 5, zorder=2)
    marks: list[dict[str, Any]] = [
        {"marker": "o", "color": COLOR_A, "zorder": 4},
        {"marker": "s", "color": COLOR_B, "zorder": 3, "markerfacecolor": "white"},
    ]
    named: list[tuple[Artist, str]] = []
    models = comparison.a, comparison.b
    for model, rates, mark, label in zip(models, (a, b), marks, shorten_apart(models, NAME)):
        style: dict[str, Any] = {
            "linestyle": "none",
            "markersize": size,
            "markeredgewidth": size / 4,
        } | mark
        (line,) = ax.plot(number, rates, **style)
        hover.note_marks(
            line,
            (f"split {i}: {model} {hover.number(rate, unit)}" for i, rate in zip(number, rates)),
        )
        mean = float(np.nanmean(rates))
        ax.axhline(
            mean,
            color=mark["color"],
            linewidth=1.2,
            linestyle=(0, (5, 3)),
            zorder=5 if crowded else 1,
        )
        shown = f"{mean:.1f}%" if measure.shares else signed(mean, measure)
        named.append((line, f"{label}, mean {shown}"))
    room = max(0.6, 0.02 * a.size)
    ax.set_xlim(1 - room, a.size + room)
    note = ", %" if measure.shares else f"{scale.words} ({measure.better} is better)"
    legend(ax, f"{noun(measure)} on the test sets{note}", named)
    ax.set_xlabel("split", loc="left", **FONT)
    if a.size <= ALL_TICKS:
        ax.set_xticks(number)
    open_frame(ax)
    return ax


def sure_of(groups: Sequence[NodeGroup]) -> NDArray[np.bool_]:
    """Return which groups hold enough nodes to be compared; all where none does."""
    large = np.array([group.nodes >= FEW for group in groups], dtype=bool)
    return large | ~large.any()


def draw_groups(
    comparison: Comparison, groups: Sequence[NodeGroup], ax: Axes | None = None
) -> Axes:
    ax = new_axes(ax, 1.3 + row_height(max(len(groups), 2)))
    rows = np.arange(len(groups))
    only_a, only_b, difference = (
        100 * np.array([getattr(group, field) for group in groups])
        for field in ("only_a", "only_b", "difference")
    )
    large = sure_of(groups)
    right_b = ax.barh(rows, only_a, height=bar_height(), color=COLOR_B)
    right_a = ax.barh(rows, -only_b, height=bar_height(), color=COLOR_A)
    for bars in (right_a, right_b):
        for bar, sure in zip(bars, large):
            bar.set_alpha(1.0 if sure else 0.35)
    (dot,) = ax.plot(
        difference,
        rows,
        "o",
        markersize=7,
        color="white",
        markeredgecolor=INK,
        markeredgewidth=1.6,
        zorder=3,
    )
    ax.axvline(0, color=INK, linewidth=1)
    span = 1.08 * max(1.0, only_a[large].max(initial=0), only_b[large].max(initial=0))
    ax.set_xlim(-span, span)
    ax.set_ylim(len(groups) - 0.4, -0.6 - 0.3 * is_narrow())
    for row, group in enumerate(groups):
        name = f"{shorten(group.name, GROUP)} (n = {group.nodes:,})"
        row_label(ax, row, name, signed(group.difference))
    bare(ax)
    named: list[tuple[Any, str]] = [
        (bars, f"{model} alone is right")
        for bars, model in zip(
            (right_a, right_b), shorten_apart((comparison.a, comparison.b), NAME)
        )
    ]
    legend(ax, "", [*named, (dot, "difference in error rate")])
    value_axis(ax, "% of the tests of these nodes")
    return ax
