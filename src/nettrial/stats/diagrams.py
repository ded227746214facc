"""Figures of many pairs: a critical difference diagram, or differences with their intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..core.wording import shorten_apart
from ..metrics._drawing import COLORS, REFERENCE, finish, open_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK, PALE = "#222222", COLORS[-1]
TEXT: dict[str, Any] = {"fontsize": 9.5, "color": INK, "parse_math": False}


def draw_ranks(
    ranks: Mapping[str, float],
    limit: float,
    groups: Sequence[Sequence[str]],
    ax: Axes | None = None,
    *,
    width: float = 8.0,
    letters: int = 26,
) -> Axes:
    """Draw mean ranks on a line, the lowest left; bars join what does not differ (Demsar 2006).

    Parameters
    ----------
    ranks : mapping of float
        By model, the lowest first.
    limit : float
        The critical difference; NaN where none is drawn.
    groups : sequence of sequence of str
        Models that do not differ, in the order of their ranks.
    width : float
        Of a new figure, in inches.
    letters : int
        Of a name, before it is shortened.
    """
    k, half = len(ranks), (len(ranks) + 1) // 2
    top = 0.6 + 0.3 * len(groups)
    ax = open_axes(ax, width=width, height=0.9 + 0.26 * (half + len(groups)))
    ax.hlines(0, 1, k, color=INK, linewidth=1.2)
    for tick in range(1, k + 1):
        ax.vlines(tick, -0.12, 0, color=INK, linewidth=1)
        ax.text(tick, -0.2, str(tick), ha="center", va="bottom", **TEXT)
    if math.isfinite(limit):
        ax.plot([1, 1 + limit], [-1.1, -1.1], color=PALE, linewidth=3, solid_capstyle="butt")
        ax.text(1, -1.25, f"critical difference {limit:.2f}", ha="left", va="bottom", **TEXT)
    for i, group in enumerate(groups):
        ends = [ranks[group[0]] - 0.03, ranks[group[-1]] + 0.03]
        ax.plot(ends, [0.35 + 0.3 * i] * 2, color=INK, linewidth=4, solid_capstyle="butt")
    for i, (model, rank) in enumerate(zip(shorten_apart(ranks, letters), ranks.values())):
        left = i < half
        y = top + 0.55 * (i if left else k - 1 - i)
        end = 1 - 0.04 * k if left else k + 0.04 * k
        ax.plot([rank, rank, end], [0, y, y], color=INK, linewidth=0.9)
        ax.annotate(
            f"{model} ({rank:.2f})",
            (end, y),
            xytext=(-3 if left else 3, 0),
            textcoords="offset points",
            va="center",
            ha="right" if left else "left",
            **TEXT,
        )
    ax.set_ylim(top + 0.55 * half, -1.8)
    ax.set_axis_off()
    return ax


def draw_intervals(
    names: Sequence[str],
    numbers: Sequence[tuple[float, float, float]],
    filled: Sequence[bool],
    label: str,
    ax: Axes | None = None,
    null: float | None = 0.0,
) -> Axes:
    """Draw an estimate with its interval in each row, and a line where nothing differs.

    Arrows mark ends that are infinite.
    """
    ax = open_axes(ax, width=8.0, height=0.9 + 0.32 * len(names))
    known = [each for row in numbers for each in row if math.isfinite(each)]
    if null is not None:
        known.append(null)
        ax.axvline(null, **REFERENCE)
    left, right = min(known, default=0.0), max(known, default=1.0)
    room = 0.1 * (right - left) or 1.0
    for row, ((estimate, *ends), full) in enumerate(zip(numbers, filled)):
        drawn = [min(max(end, left - room), right + room) for end in ends]
        if not any(map(math.isnan, ends)):
            ax.plot(drawn, [row, row], color=INK, linewidth=2.2)
        for end, at, arrow in zip(ends, drawn, "<>"):
            if math.isinf(end):
                ax.plot(at, row, arrow, color=INK)
        ax.plot(estimate, row, "o", color=INK, markerfacecolor=INK if full else "white")
    ax.set_yticks(range(len(names)), names, parse_math=False)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.set_xlabel(label)
    finish(ax)
    return ax
