"""Displays of a comparison, drawn with matplotlib on axes of one's own or on new ones.

Colors differ in lightness too, so that they stay apart in gray and for color-blind readers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ..core.wording import bare_p, level, shorten, shorten_apart
from ..metrics._drawing import COLORS, open_axes
from ..metrics.amounts import NO_USE, noun, says_nothing, signed
from ..metrics.measures import Measure
from . import hover
from .disagreement import Grouping, NodeGroup, disagreement
from .questions import answers_for, generalizes, has_answer

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from ..comparison.grouped import GroupedComparison
    from ..comparison.result import Comparison
    from ..inference.margins import Ending
    from ..inference.outcome import NetworkTest

COLOR_A, COLOR_B = COLORS[:2]
NETWORKS, SPLITS = "#222222", "#9C3D76"  # what a test answers for
INK, PALE, GRID, BAND = "#222222", COLORS[-1], "#DDDDDD", "#EEF1F4"
MARGIN = "#F6E7B8"
WIDTH = 8.0  # inches
NAME, GROUP = 22, 28  # letters of a model's and of a group's name that fit beside an axis
FONT: dict[str, Any] = {
    "fontsize": 9.5,
    "color": INK,
    "parse_math": False,
}  # a name may hold dollar signs
SMALL: dict[str, Any] = FONT | {"fontsize": 9}
PAIRED = 22  # letters of names of which two stand beside each other on a phone
ALL_TICKS, CROWD = 20, 40  # splits that are all numbered; splits drawn at full size
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
LARGEST_SPAN = 4.0  # the axis ends at this many times a typical interval; arrows go on


def plot_intervals(comparison: Comparison | GroupedComparison, ax: Axes | None = None) -> Axes:
    """Draw the difference in error rate, or another measure, with its interval under each test.

    Filled circles answer for other networks or groups, open squares only for other splits of
    the same network or other items; a band marks the recommended test. An arrow
    means that an interval goes on, a gray cross that a test has no answer.

    Parameters
    ----------
    comparison : Comparison or GroupedComparison
        Its tests are drawn in their order, those for other networks first.
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure, without pyplot.

    Returns
    -------
    matplotlib Axes
    """
    questions = sorted(
        dict.fromkeys((not generalizes(t), answers_for(t.question)) for t in comparison.tests)
    )
    blocks = [
        (
            f"answer {'only ' * only}for {what}",
            [t for t in comparison.tests if answers_for(t.question) == what],
        )
        for only, what in questions
    ]
    n_rows = len(comparison.tests) + len(blocks)
    ax = _axes(ax, 0.9 + 0.32 * n_rows)
    measure = comparison.measure
    scale = scale_of(
        measure, [v for t in comparison.tests for v in (t.estimate, t.ci_low, t.ci_high)]
    )
    span = _span([t for t in comparison.tests if not _is_useless(measure, t)], scale)
    _columns(ax, 0, "difference", f"{level(comparison.confidence)} interval", "p")
    top = 0
    for title, tests in blocks:
        ax.text(
            -span,
            top,
            title,
            va="center",
            ha="left",
            fontstyle="italic",
            bbox={"color": "white", "pad": 1},
            **FONT,
        )
        for row, test in enumerate(tests, start=top + 1):
            _draw_test(ax, row, test, span, test.name == comparison.recommended, scale)
        top += 1 + len(tests)
    draw_margin(ax, getattr(comparison, "ending", None), scale)
    ax.axvline(0, color=INK, linewidth=1, zorder=1)
    ax.set_ylim(n_rows - 0.4, -0.6)
    ax.set_xlim(-span, span)
    _bare(ax)
    _difference_axis(ax, scale, comparison.a, comparison.b)
    return ax


def draw_margin(ax: Axes, ending: Ending | None, scale: Scale) -> None:
    """Draw a margin, where there is one, as a light band around zero."""
    if ending is not None:
        half = scale.factor * ending.margin
        ax.axvspan(-half, half, color=MARGIN, alpha=0.6, linewidth=0, zorder=0)


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
    ax = _axes(ax, 3.6)
    number, unit = np.arange(1, a.size + 1), "%" * measure.shares
    crowded = a.size > CROWD
    size = max(1.5, 6.5 * math.sqrt(CROWD / a.size)) if crowded else 6.5
    ax.vlines(number, np.minimum(a, b), np.maximum(a, b), color=PALE, linewidth=size / 5, zorder=2)
    marks: list[dict[str, Any]] = [
        {"marker": "o", "color": COLOR_A, "zorder": 4},
        {"marker": "s", "color": COLOR_B, "zorder": 3, "markerfacecolor": "white"},
    ]
    named: list[tuple[Artist, str]] = []
    for model, rates, mark in zip((comparison.a, comparison.b), (a, b), marks):
        style: dict[str, Any] = {
            "linestyle": "none",
            "markersize": size,
            "markeredgewidth": size / 4,
        } | mark
        (line,) = ax.plot(number, rates, **style)
        hover.tell(
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
        named.append((line, f"{shorten(model, NAME)}, mean {shown}"))
    room = max(0.6, 0.02 * a.size)
    ax.set_xlim(1 - room, a.size + room)
    note = ", %" if measure.shares else f"{scale.words} ({measure.better} is better)"
    _legend(ax, f"{noun(measure)} on the test sets{note}", named)
    ax.set_xlabel("split", loc="left", **FONT)
    if a.size <= ALL_TICKS:
        ax.set_xticks(number)
    _open_frame(ax)
    return ax


def plot_disagreement(
    comparison: Comparison, ax: Axes | None = None, *, by: Grouping = "community"
) -> Axes:
    """Draw where on the network the two models disagree.

    Bars show how often only one of the two is wrong, to the side of the model that is right; the
    dot is their difference, the error rate of A minus that of B.

    Parameters
    ----------
    comparison : Comparison
        Its predictions are counted.
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure, without pyplot.
    by : {"community", "degree"}
        As for `disagreement`.

    Returns
    -------
    matplotlib Axes
    """
    return draw_groups(comparison, disagreement(comparison, by), ax)


def draw_groups(
    comparison: Comparison, groups: Sequence[NodeGroup], ax: Axes | None = None
) -> Axes:
    """Draw groups of nodes that `disagreement` found."""
    ax = _axes(ax, 1.3 + 0.28 * max(len(groups), 2))
    rows = np.arange(len(groups))
    only_a, only_b, difference = (
        100 * np.array([getattr(group, field) for group in groups])
        for field in ("only_a", "only_b", "difference")
    )
    right_b = ax.barh(rows, only_a, height=0.62, color=COLOR_B)
    right_a = ax.barh(rows, -only_b, height=0.62, color=COLOR_A)
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
    span = 1.08 * max(1.0, only_a.max(initial=0), only_b.max(initial=0))
    ax.set_xlim(-span, span)
    ax.set_ylim(len(groups) - 0.4, -0.6)
    for row, group in enumerate(groups):
        _aside(ax, (0, row), -5, "right", f"{shorten(group.name, GROUP)} (n = {group.nodes:,})")
        _aside(ax, (1, row), 40, "right", signed(group.difference))
    _bare(ax)
    named: list[tuple[Any, str]] = [
        (bars, f"{model} alone is right")
        for bars, model in zip(
            (right_a, right_b), shorten_apart((comparison.a, comparison.b), NAME)
        )
    ]
    _legend(ax, "", [*named, (dot, "difference in error rate")])
    _value_axis(ax, "% of the tests of these nodes")
    return ax


@dataclass(frozen=True, slots=True)
class Scale:
    """How values of a measure are drawn.

    Attributes
    ----------
    measure : Measure
    factor : float
        What values are multiplied by.
    words : str
        What the axis says of it, behind the name of the measure.
    """

    measure: Measure
    factor: float = 1.0
    words: str = ""

    @property
    def least(self) -> float:
        """Half the width of the smallest picture: a tenth of a percentage point."""
        return 0.1 if self.measure.shares else 0.001

    def note(self, value: float) -> str:
        """Write a value as the axis counts it."""
        return signed(value if self.measure.shares else self.factor * value, self.measure)


def scale_of(measure: Measure, values: ArrayLike) -> Scale:
    """Return how values are drawn: shares in percent, very large and small ones by powers of 1000.

    Examples
    --------
    >>> from nettrial.metrics.measures import MEASURES
    >>> found = scale_of(MEASURES["squared_error"], [-2.5e7, float("nan")])
    >>> found.words, found.note(-2.5e7)
    (', in units of 10⁶', '−25')
    """
    if measure.shares:
        return Scale(measure, 100.0, ", percentage points")
    sizes = np.abs(np.asarray(values, dtype=float))
    largest = float(sizes[np.isfinite(sizes)].max(initial=0.0))
    if not math.isinf(measure.largest) or largest == 0 or 1e-3 <= largest < 1e5:
        return Scale(measure)
    power = 3 * math.floor(math.log10(largest) / 3)
    return Scale(measure, 10.0**-power, f", in units of 10{str(power).translate(RAISED)}")


def _axes(ax: Axes | None, height: float) -> Axes:
    return open_axes(ax, width=WIDTH, height=height)


def _span(tests: Sequence[NetworkTest], scale: Scale) -> float:
    """Return the half width of an axis around zero: wide intervals must not hide the others."""
    ends = np.array([[t.estimate, t.ci_low, t.ci_high] for t in tests]).reshape(-1, 3)
    ends = np.where(np.isfinite(ends), np.abs(scale.factor * ends), 0.0)
    reach = ends.max(axis=1)
    typical = float(np.median(reach[reach > 0])) if reach.any() else 1.0
    return 1.1 * max(
        float(ends[:, 0].max(initial=0.0)),
        min(float(reach.max(initial=0.0)), LARGEST_SPAN * typical),
        scale.least,
    )


def _is_useless(measure: Measure, test: NetworkTest) -> bool:
    return says_nothing(measure, test.ci_low, test.ci_high)


def _draw_test(
    ax: Axes, row: int, test: NetworkTest, span: float, recommended: bool, scale: Scale
) -> None:
    color, mark = (NETWORKS, "o") if generalizes(test) else (SPLITS, "s")
    if not has_answer(test):
        color, mark = PALE, "x"
    if recommended:
        ax.axhspan(row - 0.48, row + 0.48, color=BAND, linewidth=0, zorder=0)
    estimate, low, high = (
        scale.factor * value for value in (test.estimate, test.ci_low, test.ci_high)
    )
    note = "no interval" if has_answer(test) else "no answer"
    if _is_useless(scale.measure, test):
        note = NO_USE
    elif not (math.isnan(low) or math.isnan(high)):
        note = f"{scale.note(test.ci_low)} to {scale.note(test.ci_high)}"
        ends = max(low, -span), min(high, span)
        ax.plot(
            ends,
            [row, row],
            color=color,
            linewidth=4 if recommended else 2.2,
            zorder=2,
            solid_capstyle="butt",
        )
        for end, beyond, arrow in ((-span, low < -span, "<"), (span, high > span, ">")):
            if beyond:
                ax.plot(0.99 * end, row, arrow, color=color, markersize=8, zorder=3)
    if math.isfinite(estimate):
        ax.plot(
            estimate,
            row,
            mark,
            markersize=10 if recommended else 7.5,
            zorder=4,
            markerfacecolor=color if mark == "o" else "white",
            markeredgecolor=color,
            markeredgewidth=1.8,
        )
    bold = "bold" if recommended else "normal"
    _aside(ax, (0, row), -5, "right", shorten(test.name, GROUP), fontweight=bold)
    _columns(ax, row, scale.note(test.estimate), note, bare_p(test.pvalue), fontweight=bold)


def _columns(ax: Axes, row: float, estimate: str, interval: str, p: str, **style: Any) -> None:
    """Write the numbers of one test to the right of the axes."""
    _aside(ax, (1, row), 58, "right", estimate, **style)
    _aside(ax, (1, row), 113, "center", interval, **style)
    _aside(ax, (1, row), 168, "left", p, **style)


def _aside(
    ax: Axes, at: tuple[float, float], shift: float, side: str, text: str, **style: Any
) -> None:
    """Write `shift` typographic points from a place given as (part of the axes' width, y)."""
    ax.annotate(
        text,
        at,
        xycoords=ax.get_yaxis_transform(),
        xytext=(shift, 0),
        textcoords="offset points",
        ha=side,
        va="center",
        annotation_clip=False,
        **FONT | style,
    )


def _sides(ax: Axes, left: str, right: str, what: str) -> None:
    """Write above the axes which model each side speaks for."""
    left, right = shorten_apart((left, right), NAME)
    for x, side, text in (
        (0.47, "right", f"◂ {left} {what}"),
        (0.53, "left", f"{right} {what} ▸"),
    ):
        ax.text(x, 1.02, text, transform=ax.transAxes, ha=side, va="bottom", **FONT)


def _legend(ax: Axes, title: str, named: Sequence[tuple[Any, str]]) -> None:
    """Write a title and what lines and bars are above the axes, where a phone shows it too.

    Of a wide figure a phone shows the left half, so that all stands at the left.
    """
    marks, names = zip(*named)
    legend = ax.legend(
        marks,
        ["-"] * len(names),  # a name may begin with what matplotlib hides
        loc="lower left",
        bbox_to_anchor=(0, 1),
        ncols=2 if max(map(len, names)) <= PAIRED else 1,
        title=title or None,
        alignment="left",
        frameon=False,
        borderpad=0,
        handlelength=1.6,
        handletextpad=0.5,
        columnspacing=1,
    )
    legend.get_title().set(**FONT)
    for text, name in zip(legend.get_texts(), names):
        text.set(text=name, **SMALL)


def _difference_axis(ax: Axes, scale: Scale, a: str, b: str) -> None:
    """Name the axis of the difference a - b, and which model each side of 0 speaks for."""
    measure = scale.measure
    left, right = (a, b) if measure.better == "lower" else (b, a)
    _sides(ax, left, right, f"has the {measure.better} {noun(measure)}")
    _value_axis(ax, f"difference in {measure.title}{scale.words}")


def _value_axis(ax: Axes, label: str) -> None:
    ax.set_xlabel(label, loc="left", **FONT)
    ax.tick_params(axis="x", labelsize=9, colors=INK)
    ax.grid(axis="x", color=GRID, linewidth=0.6, zorder=0)
    ax.set_axisbelow(True)


def _bare(ax: Axes) -> None:
    ax.set_yticks([])
    for side in ("left", "right", "top"):
        ax.spines[side].set_visible(False)


def _open_frame(ax: Axes) -> None:
    ax.tick_params(labelsize=9, colors=INK)
    ax.grid(axis="y", color=GRID, linewidth=0.6)
    ax.set_axisbelow(True)
    for side in ("right", "top"):
        ax.spines[side].set_visible(False)
