"""Figures of a comparison of two models, on one network or several."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..core.wording import level
from ..metrics.amounts import NO_USE, says_nothing
from .canvas import scale_of
from .charts import Chart, ChartDisplay, Entry, symmetric
from .disagreement import NodeGroup
from .display import Display
from .plots import draw_groups, interval_note, intervals_chart, plot_splits

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ..comparison.across import AcrossNetworks
    from ..comparison.grouped import GroupedComparison
    from ..comparison.result import Comparison


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
            for name, one in self.found.networks.items()
        ]  # fmt: skip
        mean = self.found.over.pairs[0].hierarchical
        if mean is not None:
            rows.append((MEAN, float(mean.estimate), float(mean.ci_low), float(mean.ci_high)))
        return pd.DataFrame(rows, columns=["network", "estimate", "ci_low", "ci_high"])

    def chart(self) -> Chart:
        """Return one row for each network, and one for the random-effects mean."""
        over, table = self.found.over, self.frame()
        measure, pair = over.measure, over.pairs[0]
        scale = scale_of(measure, table.iloc[:, 1:])
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
