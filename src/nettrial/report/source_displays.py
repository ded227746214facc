"""Figure of the sources of variance: networks, splits, training seeds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..wording import shorten
from .display import COLORS, Display
from .plots import FONT, INK, NAME, _axes, _bare

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ..inference.sources import Sources

NAMES = {"network": "networks", "split": "splits", "seed": "training seeds"}
LEAST = 0.06  # of the width, where a number fits into its bar


@dataclass(frozen=True, slots=True)
class SourcesDisplay(Display):
    """Shares of the variance of each mean, and of each difference, by source."""

    sources: tuple[Sources, ...]

    def frame(self) -> pd.DataFrame:
        """Return one row a model or difference, one column a source."""
        import pandas as pd

        return pd.DataFrame([{"of": each.name} | each.shares for each in self.sources])

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw one bar a model or difference, in parts."""
        ax = _axes(ax, 1.2 + 0.38 * len(self.sources))
        row, left = np.arange(len(self.sources)), np.zeros(len(self.sources))
        for color, (source, name) in zip(COLORS, NAMES.items()):
            share = np.array([100 * each.shares[source] for each in self.sources])
            ax.barh(row, share, left=left, height=0.62, color=color, label=name)
            for place in np.flatnonzero(share >= 100 * LEAST).tolist():
                middle = left[place] + share[place] / 2
                box = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
                text = f"{share[place]:.0f}%"
                ax.text(middle, place, text, ha="center", va="center", bbox=box, **FONT)
            left += share
        side = ax.get_yaxis_transform()
        for number, each in enumerate(self.sources):
            name = shorten(each.name, 2 * NAME)
            ax.text(-0.01, number, name, transform=side, ha="right", va="center", **FONT)
        ax.set_xlim(0, 100)
        ax.set_ylim(len(self.sources) - 0.4, -0.6)
        _bare(ax)
        ax.tick_params(axis="x", labelsize=9, colors=INK)
        ax.set_xlabel("share of the variance of the mean, %", **FONT)
        ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False, fontsize=9)
        return ax
