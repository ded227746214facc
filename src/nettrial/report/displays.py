"""Figures of several models: simultaneous intervals, learning curves, mean ranks, leads."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..core.wording import bare_p, level, shorten_apart
from ..inference.margins import ENDINGS
from ..metrics._drawing import COLORS
from ..metrics.amounts import NO_USE, column_head, says_nothing
from ..published.leaderboard import SUPPORTED, Leaderboard
from ..published.table import Entry as Printed
from ..stats.diagrams import draw_ranks
from . import hover
from .canvas import (
    FONT,
    INK,
    MARGIN,
    NARROW,
    PALE,
    WIDTH,
    at_ends,
    is_narrow,
    new_axes,
    open_frame,
    scale_of,
)
from .cells import are_family, of_pairs
from .charts import Chart, ChartDisplay, Entry, around, within
from .display import MARKS, Display
from .plots import interval_note

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from ..comparison.result import OfSeveral
    from ..comparison.sweep import Sweep
    from ..inference.data_sets import OverDataSets

LETTERS = 26  # that fit beside an axis
ROOM = 0.1  # on either side of a proportion of labels that stands alone
SHOWN = 5  # models of a data set in the figure of a leaderboard
RIBBONS = 4  # models whose ribbons stay apart to the eye


@dataclass(frozen=True, slots=True)
class ModelsDisplay(ChartDisplay):
    """Several models, the best first, with their intervals and letters."""

    found: OfSeveral

    def frame(self) -> pd.DataFrame:
        """Return one row per model."""
        import pandas as pd

        ends = [self.found.score_intervals[name] for name in self.found.scores]
        table = pd.DataFrame(ends, columns=["ci_low", "ci_high"])
        table.insert(0, "score", list(self.found.scores.values()))
        table.insert(0, "model", list(self.found.scores))
        return table

    def chart(self) -> Chart:
        found, measure, floor = self.found, self.found.measure, self.found.baseline
        scores = list(found.scores.values())
        scale = scale_of(measure, scores, scores)
        rows = []
        for name, score in found.scores.items():
            low, high = map(float, found.score_intervals[name])
            # of one model as of a difference: the whole range says nothing
            useless = high - low >= 1 if measure.shares else says_nothing(measure, low, high)
            known = not (useless or math.isnan(low) or math.isnan(high))
            note = interval_note(scale, low, high, NO_USE if useless else "no interval", known)
            ends = [scale.factor * end if known else math.nan for end in (low, high)]
            letters = (found.letters[name],) if found.letters else ()
            rows.append(Entry(name, scale.factor * score, ends[0], ends[1],
                              (scale.note(score), note, *letters)))  # fmt: skip
        line = None if floor is None else (scale.factor * floor.score, floor.words)
        also = () if line is None else (line[0],)
        letters = ("letters",) if found.letters else ()
        return Chart(
            tuple(rows),
            (column_head(measure), f"{level(found.confidence)} interval", *letters),
            f"{measure.title}{', %' if measure.shares else scale.words} "
            f"({measure.better} is better)",
            around(rows, scale.least, also),
            line=line,
        )


@dataclass(frozen=True, slots=True)
class PairsDisplay(ChartDisplay):
    """Simultaneous intervals of the differences of several models."""

    found: OfSeveral

    def frame(self) -> pd.DataFrame:
        """Return one row per pair."""
        return self.found.to_frame()

    def chart(self) -> Chart:
        """Return one row for each pair; filled where the pair differs significantly."""
        pairs, measure = self.found.pairs, self.found.measure
        values = [*pairs.estimate, *pairs.ci_low, *pairs.ci_high]
        scale = scale_of(measure, values, of_pairs(pairs))
        rows = []
        names = shorten_apart([*pairs.first, *pairs.second], LETTERS // 2)
        for row, (a, b) in enumerate(zip(names, names[len(pairs.first) :])):
            low, high = float(pairs.ci_low[row]), float(pairs.ci_high[row])
            p = float(pairs.adjusted_pvalue[row])
            useless = says_nothing(measure, low, high)
            known = not (useless or math.isnan(low) or math.isnan(high))
            note = interval_note(scale, low, high, NO_USE if useless else "no interval", known)
            ends = [scale.factor * end if known else math.nan for end in (low, high)]
            rows.append(Entry(
                f"{a} − {b}",
                scale.factor * float(pairs.estimate[row]), ends[0], ends[1],
                (scale.note(float(pairs.estimate[row])), note, bare_p(p)),
                filled=p < 1 - pairs.confidence,
            ))  # fmt: skip
        ending = next(iter(self.found.endings), None)
        half = 0.0 if ending is None else scale.factor * ending.margin
        percent = level(pairs.confidence)
        heads = (f"{percent} interval", "p"), (f"simultaneous {percent}", "p adjusted")
        return Chart(
            tuple(rows),
            ("difference", *heads[are_family(pairs)]),
            f"difference in {measure.title}{scale.words}",
            within(rows, scale.least),
            band=(-half, half) if half else None,
            zero=True,
        )


@dataclass(frozen=True, slots=True)
class CurvesDisplay(Display):
    """Learning curves of a `Sweep`, with intervals for other networks."""

    found: Sweep

    def frame(self) -> pd.DataFrame:
        """Return one row per model and proportion."""
        return self.found.curves()

    def alt(self) -> str:
        """Describe what the curves show."""
        found, scores = self.found, self.found.scores
        scale, unit = (
            scale_of(found.measure, scores, scores.ravel().tolist()),
            "%" * found.measure.shares,
        )
        return "; ".join(
            f"{model}: "
            + ", ".join(
                f"{scale.note(float(score))}{unit} at {rate:.0%}"
                for rate, score in zip(found.labeled, found.scores[:, j])
            )
            for j, model in enumerate(found.models)
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw a line for each model, and a ribbon for other networks like this one."""
        found = self.found
        ax = new_axes(ax, 4.2)
        scale, rates = scale_of(found.measure, found.scores), 100 * np.array(found.labeled)
        ends: list[tuple[float, str, str]] = []
        unit = "%" * found.measure.shares
        for j, model in enumerate(found.models):
            color = COLORS[j % len(COLORS)]
            low, high = (scale.factor * end for end in _usable(found, j))
            scores = scale.factor * found.scores[:, j]
            if len(found.models) <= RIBBONS:
                if rates.size == 1:
                    ax.vlines(rates, low, high, color=color, linewidth=3, alpha=0.3)
                ax.fill_between(rates, low, high, color=color, alpha=0.1, linewidth=0)
                for end in (low, high):
                    ax.plot(rates, end, color=color, linewidth=0.7, alpha=0.6)
            (line,) = ax.plot(rates, scores, color=color, markersize=6,
                              marker=MARKS[j % len(MARKS)], linewidth=1.8)  # fmt: skip
            ends.append((float(scores[-1]), model, color))
            hover.note_marks(
                line,
                (
                    f"{model}, {rate:.3g}% labeled: {hover.number(score, unit)}, "
                    f"on other networks {hover.between(least, most, unit)}"
                    for rate, score, least, most in zip(rates, scores, low, high)
                ),
            )
        floors = [each for each in found.baselines if each is not None]
        if floors and len(floors) == rates.size:
            floor = scale.factor * np.array([each.score for each in floors])
            ax.plot(rates, floor, color=PALE, linewidth=1.2, linestyle=(0, (4, 3)))
            ends.append((float(floor[-1]), "baseline", INK))
        if found.endings:
            sign = found.measure.sign
            best = sign * (sign * found.scores).min(axis=1)
            worse = best + sign * found.endings[0].margin
            ax.fill_between(rates, scale.factor * best, scale.factor * worse, color=MARGIN,
                            alpha=0.6, linewidth=0, zorder=0)  # fmt: skip
        bottom, top = ax.get_ylim()
        at_ends(ax, float(rates[-1]), ends, (0.085 if is_narrow() else 0.06) * (top - bottom))
        head = f"{found.measure.title}{' in %' if found.measure.shares else scale.words}"
        ax.set_title(f"{head} ({found.measure.better} is better)", loc="left", **FONT)
        ax.set_xticks(rates)
        if rates.size == 1:
            ax.set_xlim(rates[0] - 100 * ROOM, rates[0] + 100 * ROOM)
        ax.set_xlabel("labeled nodes, %", loc="left", **FONT)
        open_frame(ax)
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

    def alt(self) -> str:
        return ", ".join(f"{name} {rank:.2f}" for name, rank in self.found.mean_ranks.items())

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw mean ranks on a line; bars join models that do not differ significantly."""
        # of two models ranks tell less than the exact tests of the pair
        several, details = len(self.found.mean_ranks) > 2, self.found.nemenyi.details
        limit = float(details["critical_difference"]) if several else math.nan
        narrow = is_narrow()
        return draw_ranks(
            self.found.mean_ranks,
            limit,
            details["groups"] if several else (),
            ax,
            width=NARROW if narrow else WIDTH,
            letters=10 if narrow else LETTERS,
        )


@dataclass(frozen=True, slots=True)
class BoardDisplay(ChartDisplay):
    """The best entries of a `Leaderboard` on each data set, as printed."""

    found: Leaderboard

    def frame(self) -> pd.DataFrame:
        """Return one row per data set."""
        return self.found.to_frame()

    def chart(self) -> Chart:
        """Return one row for each of the best models of each data set."""
        found, rows = self.found, []
        ends = [f", {ENDINGS[each.name]}" for each in found.endings] or [""] * len(found.claims)
        for claim, end in zip(found.claims, ends):
            entries = [each for each in found.entries if each.data_set == claim.data_set]
            entries.sort(key=lambda each: (each.model != claim.best, each.model != claim.rival,
                                           each.mean if found.errors else -each.mean))  # fmt: skip
            for entry in entries[:SHOWN]:
                best, sure = entry.model == claim.best, claim.reading == SUPPORTED
                second = f"runner-up{end}" * (entry.model == claim.rival)
                note = claim.reading if best else second
                mean, sd = 100 * entry.mean, 100 * entry.sd
                rows.append(Entry(entry.model, mean, mean - sd, mean + sd, (printed(entry), note),
                                  claim.data_set, filled=best and sure, strong=best))  # fmt: skip
        better = "lower" if found.errors else "higher"
        return Chart(tuple(rows), ("mean ± sd", ""), f"score, % ({better} is better)",
                     around(rows, 0.1))  # fmt: skip


def printed(entry: Printed) -> str:
    """Write an entry of a table in percent, with its standard deviation where it has one."""
    spread = "" if math.isnan(entry.sd) else f" ± {100 * entry.sd:.1f}"
    return f"{100 * entry.mean:.1f}{spread}"


def _usable(found: Sweep, model: int) -> tuple[NDArray[np.float64], ...]:
    """Return the ends of a model's intervals at every proportion; NaN for those of no use."""
    low, high = found.networks_low[:, model], found.networks_high[:, model]
    useless = high - low >= found.measure.reach * (1 - 1e-9)
    return np.where(useless, np.nan, low), np.where(useless, np.nan, high)
