"""Figures of a comparison of two models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .disagreement import NodeGroup
from .display import Display
from .plots import draw_groups, plot_intervals, plot_splits

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ..comparison.grouped import GroupedComparison
    from ..comparison.result import Comparison, LinkComparison


@dataclass(frozen=True, slots=True)
class IntervalsDisplay(Display):
    """The difference and its interval under each test."""

    found: Comparison | GroupedComparison | LinkComparison

    def frame(self) -> pd.DataFrame:
        """Return one row per test."""
        return self.found.to_frame()

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw one interval per test."""
        return plot_intervals(self.found, ax)


@dataclass(frozen=True, slots=True)
class SplitsDisplay(Display):
    """The measure of both models on every split."""

    found: Comparison | LinkComparison

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
