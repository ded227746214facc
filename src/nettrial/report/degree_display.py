"""The figure of a network's degrees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..network.network import Network
from .canvas import COLOR_A, bar_height, bare, new_axes, row_height, row_label, value_axis
from .disagreement import degree_groups
from .display import Display

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True)
class DegreeDisplay(Display):
    """How many nodes have how many neighbors."""

    network: Network

    def frame(self) -> pd.DataFrame:
        """Return one row for each class of degrees."""
        import pandas as pd

        groups, names = degree_groups(self.network, np.arange(self.network.n_nodes))
        return pd.DataFrame(
            {"neighbors": names, "nodes": np.bincount(groups, minlength=len(names))}
        )

    def alt(self) -> str:
        """Say how many nodes there are in each class."""
        return ", ".join(f"{name}: {n:,} nodes" for name, n in self.frame().to_numpy())

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw a bar for each class of degrees."""
        table = self.frame()
        ax = new_axes(ax, 0.9 + row_height(len(table)))
        ax.barh(range(len(table)), table["nodes"], height=bar_height(), color=COLOR_A)
        for row, (name, number) in enumerate(table.to_numpy()):
            row_label(ax, row, name, f"{number:,}")
        ax.set_ylim(len(table) - 0.4, -0.9)
        bare(ax)
        value_axis(ax, "nodes")
        return ax
