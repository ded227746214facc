"""Figure of the sources of variance: networks, splits, training seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from ..metrics._drawing import COLORS
from .canvas import FONT, INK, bar_height, bare, legend, new_axes, row_height, row_label
from .cells import Cell, difference, words
from .display import Display

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ..inference.variance_sources import Sources

NAMES = {"network": "networks", "split": "splits", "seed": "training seeds"}
LEAST = 0.06  # of the width, where a number fits into its bar


def called(one: Sources, among: Sequence[Sources]) -> Cell:
    """Return what a source is of: a model, or the difference of two of those beside it."""
    for a, b in permutations([each.name for each in among], 2):
        if one.name == f"{a} - {b}":
            return difference(a, b)
    return words(one.name)


@dataclass(frozen=True, slots=True)
class SourcesDisplay(Display):
    """Shares of the variance of each mean, and of each difference, by source."""

    sources: tuple[Sources, ...]

    def frame(self) -> pd.DataFrame:
        """Return one row per model or difference, one column per source."""
        import pandas as pd

        return pd.DataFrame([{"of": each.name} | each.shares for each in self.sources])

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw one bar a model or difference, in parts."""
        ax = new_axes(ax, 1.2 + 1.2 * row_height(len(self.sources)))
        row, left = np.arange(len(self.sources)), np.zeros(len(self.sources))
        named: list[tuple[Any, str]] = []
        for color, (source, name) in zip(COLORS, NAMES.items()):
            share = np.array([100 * each.shares[source] for each in self.sources])
            named.append((ax.barh(row, share, left=left, height=bar_height(), color=color), name))
            for place in np.flatnonzero(share >= 100 * LEAST).tolist():
                middle = left[place] + share[place] / 2
                box = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
                text = f"{share[place]:.0f}%"
                ax.text(middle, place, text, ha="center", va="center", bbox=box, **FONT)
            left += share
        for number, each in enumerate(self.sources):
            row_label(ax, number, called(each, self.sources).typeset, "")
        ax.set_xlim(0, 100)
        ax.set_ylim(len(self.sources) - 0.4, -0.9)
        bare(ax)
        ax.tick_params(axis="x", labelsize=9, colors=INK)
        legend(ax, "", named)
        ax.set_xlabel("share of the variance of the mean, %", loc="left", **FONT)
        return ax
