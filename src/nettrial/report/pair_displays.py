"""Figures of a comparison of two models, on one network or several."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from ..core.wording import level
from ..metrics._drawing import COLORS
from ..metrics.amounts import NO_USE, says_nothing
from . import hover
from .canvas import FONT, PALE, new_axes, open_frame, scale_of
from .charts import Chart, ChartDisplay, Entry, symmetric
from .disagreement import NodeGroup
from .display import Display
from .plots import draw_groups, interval_note, intervals_chart, plot_splits

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ..comparison.across import AcrossNetworks
    from ..comparison.grouped import GroupedComparison
    from ..comparison.multiple import MultipleComparison
    from ..comparison.result import Comparison
    from ..inference.moderator import Moderation


MEAN = "mean over such networks"


@dataclass(frozen=True, slots=True)
class IntervalsDisplay(ChartDisplay):
    """The difference and its interval under each test."""

    found: Comparison | GroupedComparison
    names: tuple[str, ...] = ()  # of the tests that are shown; all by default

    def frame(self) -> pd.DataFrame:
        """Return one row per test."""
        return self.found.to_frame()

    def chart(self) -> Chart:
        """Return one row for each test."""
        tests = [t for t in self.found.tests if not self.names or t.name in self.names]
        return intervals_chart(self.found, tests)


@dataclass(frozen=True, slots=True)
class SplitsDisplay(Display):
    """The measure of both models on every split."""

    found: Comparison

    def frame(self) -> pd.DataFrame:
        """Return one row per split."""
        import pandas as pd

        return pd.DataFrame(dict(self.found.scores_by_split))

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw one line per split."""
        return plot_splits(self.found, ax)


@dataclass(frozen=True, slots=True)
class GroupsDisplay(Display):
    """Where on the network two models disagree."""

    found: Comparison
    groups: tuple[NodeGroup, ...]

    def frame(self) -> pd.DataFrame:
        """Return one row per group of nodes."""
        import pandas as pd

        return pd.concat([group.to_frame() for group in self.groups], ignore_index=True)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw one bar a group of nodes and model."""
        return draw_groups(self.found, self.groups, ax)


@dataclass(frozen=True, slots=True)
class ForestDisplay(ChartDisplay):
    """Forest plot of the first pair of an `AcrossNetworks`."""

    found: AcrossNetworks

    def frame(self) -> pd.DataFrame:
        """Return one row per network, and a last one for the mean."""
        import pandas as pd

        rows = [
            (name, float(one.pairs.estimate[0]), float(one.pairs.ci_low[0]),
             float(one.pairs.ci_high[0]))
            for name, one in self._networks()
        ]  # fmt: skip
        mean = self.found.over.pairs[0].hierarchical
        if mean is not None:
            rows.append((MEAN, float(mean.estimate), float(mean.ci_low), float(mean.ci_high)))
        return pd.DataFrame(rows, columns=["network", "estimate", "ci_low", "ci_high"])

    def _networks(self) -> list[tuple[str, MultipleComparison]]:
        """Return the networks by the moderator, where there is one, the lowest first."""
        values = self.found.moderated
        return sorted(self.found.networks.items(), key=lambda item: values.get(item[0], 0.0))

    def chart(self) -> Chart:
        """Return one row for each network, and one for the random-effects mean."""
        over, table = self.found.over, self.frame()
        measure, pair = over.measure, over.pairs[0]
        values = table.iloc[:, 1:].to_numpy()
        # the decimals of the mean over the networks, which the text says; else those of all
        beside = values[-1, 1:] if table["network"].iloc[-1] == MEAN else values[:, 0]
        scale = scale_of(measure, values, beside.tolist())
        rows = []
        for name, estimate, low, high in table.itertuples(index=False, name=None):
            useless, last = says_nothing(measure, low, high), name == MEAN
            known = not (useless or math.isnan(low) or math.isnan(high))
            note = interval_note(scale, low, high, NO_USE if useless else "no interval", known)
            ends = [scale.factor * end if known else math.nan for end in (low, high)]
            rows.append(Entry(name, scale.factor * estimate, ends[0], ends[1],
                              (scale.note(estimate), note), mark="D" if last else "o",
                              strong=last))  # fmt: skip
        half = scale.factor * over.endings[0].margin if over.endings else 0.0
        return Chart(
            tuple(rows),
            ("difference", f"{level(over.confidence)} interval"),
            "",
            symmetric(rows, scale.least),
            band=(-half, half) if half else None,
            of=(scale, pair.first, pair.second),
            zero=True,
        )


@dataclass(frozen=True, slots=True)
class BubbleDisplay(Display):
    """The differences of a pair of an `AcrossNetworks` against the moderator, with their line."""

    found: AcrossNetworks
    line: Moderation

    def frame(self) -> pd.DataFrame:
        """Return one row per network: moderator, difference, standard error."""
        import pandas as pd

        rows = []
        for name, one in self.found.networks.items():
            pairs = one.pairs
            place = list(zip(pairs.first, pairs.second)).index((self.line.first, self.line.second))
            rows.append((name, self.found.moderated[name], float(pairs.estimate[place]),
                         float(pairs.standard_error[place])))  # fmt: skip
        return pd.DataFrame(rows, columns=["network", "moderator", "estimate", "standard_error"])

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw a bubble for each network, by its weight, and the line with its interval."""
        found, line, table = self.found, self.line, self.frame()
        scale = scale_of(found.over.measure, table["estimate"])
        ax = new_axes(ax, 3.6)
        x = table["moderator"].to_numpy()
        weight = 1 / (table["standard_error"].to_numpy() ** 2 + line.tau**2)
        grid = np.linspace(x.min(), x.max(), 60)
        fit = line.intercept + line.slope * grid
        (c00, c01), (_, c11) = line.covariance
        t = float(special.stdtrit(line.df, (1 + found.over.confidence) / 2))
        half = t * np.sqrt(np.maximum(c00 + 2 * c01 * grid + c11 * grid**2, 0))
        factor = scale.factor
        ax.axhline(0, color=PALE, linewidth=1)
        ax.fill_between(grid, factor * (fit - half), factor * (fit + half), color=COLORS[0],
                        alpha=0.12, linewidth=0)  # fmt: skip
        ax.plot(grid, factor * fit, color=COLORS[0], linewidth=1.8)
        for name, value, difference, w in zip(table["network"], x, table["estimate"], weight):
            (mark,) = ax.plot(value, factor * difference, "o", color=COLORS[0], alpha=0.6,
                              markersize=5 + 10 * math.sqrt(w / weight.max()),
                              markeredgewidth=0)  # fmt: skip
            hover.note_marks(
                mark, [f"{name}: {value:.3g}, difference {hover.number(factor * difference, '')}"]
            )
        unit = ", %" if found.over.measure.shares else scale.words
        ax.set_title(f"{found.over.measure.title} of {line.first} minus {line.second}{unit}",
                     loc="left", **FONT)  # fmt: skip
        ax.set_xlabel(found.moderator, loc="left", **FONT)
        open_frame(ax)
        return ax
