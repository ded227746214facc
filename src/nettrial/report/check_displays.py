"""The figure of a check: which share each problem concerns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .display import Display
from .plots import FONT, NETWORKS, PALE, _axes, _bare, _value_axis

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
        ax = _axes(ax, 1.0 + 0.3 * len(checked))
        side = ax.get_yaxis_transform()
        for row, each in enumerate(checked):
            problem = each.problem
            share = 0.0 if problem is None else 100 * problem.share
            color = NETWORKS if problem is not None and problem.serious else PALE
            ax.barh(row, share, height=0.6, color=color)
            name = f"{each.code}  {each.title}"
            ax.text(-0.02, row, name, transform=side, ha="right", va="center", **FONT)
            note = "nothing" if problem is None else f"{share:.1f}% of {problem.unit}"
            ax.text(1.02, row, note, transform=side, ha="left", va="center", **FONT)
        ax.set_xlim(0, 100)
        ax.set_ylim(len(checked) - 0.4, -0.6)
        _bare(ax)
        _value_axis(ax, "share concerned, % (dark: a problem, pale: a note)")
        return ax
