"""Figures of several models: simultaneous intervals, learning curves, mean ranks, leads."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..core.wording import bare_p, level, shorten
from ..metrics._drawing import COLORS
from ..metrics.amounts import says_nothing
from . import hover
from .display import MARKS, Display
from .plots import (
    BAND,
    FONT,
    INK,
    NETWORKS,
    PALE,
    SPLITS,
    _axes,
    _bare,
    _legend,
    _open_frame,
    _value_axis,
    draw_margin,
    scale_of,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from ..comparison.multiple import MultipleComparison
    from ..comparison.sweep import Sweep
    from ..inference.data_sets import OverDataSets
    from ..published.leaderboard import Leaderboard

LETTERS = 26  # that fit beside an axis
ROOM = 0.1  # on either side of a proportion of labels that stands alone


@dataclass(frozen=True, slots=True)
class PairsDisplay(Display):
    """Simultaneous intervals of all differences of a `MultipleComparison`."""

    found: MultipleComparison

    def frame(self) -> pd.DataFrame:
        """Return one row per pair."""
        return self.found.to_frame()

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw one interval per pair; filled where the pair differs significantly."""
        pairs, measure = self.found.pairs, self.found.measure
        scale = scale_of(measure, [*pairs.estimate, *pairs.ci_low, *pairs.ci_high])
        ax = _axes(ax, 0.9 + 0.3 * len(pairs.first))
        for row, (a, b) in enumerate(zip(pairs.first, pairs.second)):
            ends = scale.factor * pairs.ci_low[row], scale.factor * pairs.ci_high[row]
            sure = pairs.adjusted_pvalue[row] < 1 - pairs.confidence
            useless = says_nothing(measure, pairs.ci_low[row], pairs.ci_high[row])
            if all(map(math.isfinite, ends)) and not useless:
                ax.plot(ends, [row, row], color=NETWORKS, linewidth=2.4, solid_capstyle="butt")
            ax.plot(
                scale.factor * pairs.estimate[row],
                row,
                "o",
                markersize=8,
                markeredgecolor=NETWORKS,
                markeredgewidth=1.6,
                markerfacecolor=NETWORKS if sure else "white",
            )
            side = ax.get_yaxis_transform()
            names = f"{shorten(a, LETTERS)} − {shorten(b, LETTERS)}"
            ax.text(-0.01, row, names, transform=side, ha="right", va="center", **FONT)
            ax.text(
                1.01,
                row,
                bare_p(float(pairs.adjusted_pvalue[row])),
                transform=side,
                ha="left",
                va="center",
                **FONT,
            )
        draw_margin(ax, next(iter(self.found.endings), None), scale)
        ax.axvline(0, color=INK, linewidth=1, zorder=1)
        ax.set_ylim(len(pairs.first) - 0.4, -0.6)
        ax.text(1.01, 1.02, "p", transform=ax.transAxes, ha="left", va="bottom", **FONT)
        _bare(ax)
        what = f"difference in {measure.title}{scale.words}"
        _value_axis(ax, f"{what} (simultaneous {level(pairs.confidence)} intervals)")
        return ax


@dataclass(frozen=True, slots=True)
class CurvesDisplay(Display):
    """Learning curves of a `Sweep`, with both kinds of interval."""

    found: Sweep

    def frame(self) -> pd.DataFrame:
        """Return one row per model and proportion."""
        return self.found.curves()

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw a thin bar for other networks and a thick one for other splits."""
        found = self.found
        ax = _axes(ax, 4.2 + 0.09 * len(found.models))
        scale = scale_of(found.measure, found.scores)
        rates = np.array(found.labeled)
        middle = (len(found.models) - 1) / 2
        named: list[tuple[Artist, str]] = []
        for j, model in enumerate(found.models):
            color = COLORS[j % len(COLORS)]
            # only the intervals stand aside: the lines must cross where the text says
            x = 100 * (rates + (j - middle) * _step(rates, len(found.models)))
            ends = [
                scale.factor * end
                for what in ("networks", "splits")
                for end in _usable(found, what, j)
            ]
            thick = max(1.5, min(4.5, 12 / len(found.models)))
            ax.vlines(x, ends[0], ends[1], color=color, linewidth=min(1.1, thick / 2))
            ax.vlines(x, ends[2], ends[3], color=color, linewidth=thick, alpha=0.5)
            (line,) = ax.plot(
                100 * rates,
                scale.factor * found.scores[:, j],
                color=color,
                markersize=6,
                marker=MARKS[j % len(MARKS)],
                linewidth=1.4,
            )
            named.append((line, shorten(model, LETTERS)))
            unit = "%" * found.measure.shares
            hover.tell(
                line,
                (
                    f"{model}, {rate:.3g}% labeled: {hover.number(score, unit)}, "
                    f"on other networks {hover.between(low, high, unit)}"
                    for rate, score, low, high in zip(
                        100 * rates, scale.factor * found.scores[:, j], ends[0], ends[1]
                    )
                ),
            )
        thin = ax.vlines([], [], [], color=INK, linewidth=1.1)
        broad = ax.vlines([], [], [], color=INK, linewidth=4.5, alpha=0.5)
        named += [(thin, "on other networks"), (broad, "on other splits")]
        head = f"{found.measure.title}{' in %' if found.measure.shares else scale.words}"
        _legend(ax, f"{head}, {level(found.confidence)} intervals", named)
        ax.set_xticks(100 * rates)
        if rates.size == 1:
            ax.set_xlim(100 * (rates[0] - ROOM), 100 * (rates[0] + ROOM))
        ax.set_xlabel("labeled nodes, %", loc="left", **FONT)
        _open_frame(ax)
        return ax


@dataclass(frozen=True, slots=True)
class RanksDisplay(Display):
    """Critical-difference diagram of `OverDataSets` (Demsar 2006); for two models ranks alone."""

    found: OverDataSets

    def frame(self) -> pd.DataFrame:
        """Return one row per model."""
        import pandas as pd

        ranks = self.found.mean_ranks
        return pd.DataFrame({"model": list(ranks), "mean_rank": list(ranks.values())}).assign(
            critical_difference=self.found.nemenyi.details["critical_difference"]
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw mean ranks on a line; bars join models that do not differ significantly."""
        ranks = self.found.mean_ranks
        limit = float(self.found.nemenyi.details["critical_difference"])
        # of two models ranks tell less than the exact tests of the pair
        several = len(ranks) > 2
        groups = self.found.nemenyi.details["groups"] if several else ()
        k, half = len(ranks), (len(ranks) + 1) // 2
        top = 0.6 + 0.3 * len(groups)
        ax = _axes(ax, 0.9 + 0.26 * (half + len(groups)))
        ax.hlines(0, 1, k, color=INK, linewidth=1.2)
        for tick in range(1, k + 1):
            ax.vlines(tick, -0.12, 0, color=INK, linewidth=1)
            ax.text(tick, -0.2, str(tick), ha="center", va="bottom", **FONT)
        if several:
            ax.plot([1, 1 + limit], [-1.1, -1.1], color=PALE, linewidth=3, solid_capstyle="butt")
            ax.text(1, -1.25, f"critical difference {limit:.2f}", ha="left", va="bottom", **FONT)
        for i, group in enumerate(groups):
            ends = [ranks[group[0]] - 0.03, ranks[group[-1]] + 0.03]
            ax.plot(ends, [0.35 + 0.3 * i] * 2, color=INK, linewidth=4, solid_capstyle="butt")
        for i, (model, rank) in enumerate(ranks.items()):
            left = i < half
            y = top + 0.55 * (i if left else k - 1 - i)
            end = 1 - 0.04 * k if left else k + 0.04 * k
            ax.plot([rank, rank, end], [0, y, y], color=INK, linewidth=0.9)
            ax.annotate(
                f"{shorten(model, LETTERS)} ({rank:.2f})",
                (end, y),
                xytext=(-3 if left else 3, 0),
                textcoords="offset points",
                va="center",
                ha="right" if left else "left",
                **FONT,
            )
        ax.set_ylim(top + 0.55 * half, -1.8)
        ax.set_axis_off()
        return ax


@dataclass(frozen=True, slots=True)
class LeadsDisplay(Display):
    """Leads of the best entries of a `Leaderboard` over their hardest rivals."""

    found: Leaderboard

    def frame(self) -> pd.DataFrame:
        """Return one row per data set."""
        return self.found.to_frame()

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw each lead and the correlation between splits up to which it stands."""
        claims = self.found.claims
        ax = _axes(ax, 1.4 + 0.32 * len(claims))
        ax.axvspan(0, self.found.correlation, color=BAND, linewidth=0, zorder=0)
        for row, claim in enumerate(claims):
            known = math.isfinite(claim.break_even)
            if known:
                ax.plot(
                    [0, claim.break_even],
                    [row, row],
                    color=NETWORKS,
                    linewidth=3,
                    solid_capstyle="butt",
                )
            mark = "o" if known else "x"
            end, color = (claim.break_even, NETWORKS) if known else (0.0, SPLITS)
            ax.plot(end, row, mark, color=color, markersize=8, clip_on=False)
            side = ax.get_yaxis_transform()
            ax.text(
                -0.02,
                row,
                shorten(claim.data_set, LETTERS),
                transform=side,
                ha="right",
                va="center",
                **FONT,
            )
            note = f"{shorten(claim.best, LETTERS)}, +{100 * claim.lead:.1f}"
            ax.text(1.02, row, note, transform=side, ha="left", va="center", **FONT)
        side = ax.get_yaxis_transform()
        for place, align, text in (
            (-0.02, "right", "data set"),
            (1.02, "left", "best entry, its lead in percentage points"),
        ):
            ax.text(place, -1, text, transform=side, ha=align, va="center", style="italic", **FONT)
        ax.axvline(self.found.correlation, color=INK, linewidth=1, linestyle=(0, (4, 3)))
        ax.set_xlim(0, 1)
        ax.set_ylim(len(claims) - 0.4, -1.5)
        _bare(ax)
        _value_axis(
            ax,
            "correlation between splits up to which the best entry\n"
            "is supported (× at none; dashed: assumed)",
        )
        return ax


def _usable(found: Sweep, what: str, model: int) -> tuple[NDArray[np.float64], ...]:
    """Return the ends of a model's intervals at every proportion; NaN for those of no use."""
    low, high = (getattr(found, f"{what}_{end}")[:, model] for end in ("low", "high"))
    useless = [says_nothing(found.measure, *ends) for ends in zip(low.tolist(), high.tolist())]
    return np.where(useless, np.nan, low), np.where(useless, np.nan, high)


def _step(rates: NDArray[np.float64], number: int) -> float:
    """Return how far apart the intervals of two models stand: a few percent of any gap."""
    gaps = np.diff(rates) if rates.size > 1 else np.array([2 * ROOM])
    return float(min(0.02 * gaps.sum(), 0.7 * gaps.min() / number))
