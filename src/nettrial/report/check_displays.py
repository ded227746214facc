"""The figure of a check: which share each problem concerns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .canvas import (
    NETWORKS,
    PALE,
    bar_height,
    bare,
    new_axes,
    row_height,
    row_label,
    value_axis,
)
from .display import Display

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ..checking.check import Check


@dataclass(frozen=True, slots=True)
class CheckDisplay(Display):
    """The share of nodes, links, models ... that each kind of problem concerns."""

    found: Check

    def frame(self) -> pd.DataFrame:
        """Return one row for each kind that was checked."""
        return self.found.to_frame()

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw a bar for each kind: dark for a problem, pale for a note."""
        checked = self.found.checked
        ax = new_axes(ax, 1.0 + row_height(len(checked)))
        for row, each in enumerate(checked):
            problem = each.problem
            share = 0.0 if problem is None else 100 * problem.share
            color = NETWORKS if problem is not None and problem.serious else PALE
            ax.barh(row, share, height=bar_height(), color=color)
            note = "nothing" if problem is None else f"{share:.1f}% of {problem.unit}"
            row_label(ax, row, f"{each.code}  {each.title}", note)
        ax.set_xlim(0, 100)
        ax.set_ylim(len(checked) - 0.4, -0.9)
        bare(ax)
        value_axis(ax, "share concerned, % (dark: a problem, pale: a note)")
        return ax
