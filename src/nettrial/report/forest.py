"""The difference between two models on each of several networks, and its mean over them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..core.wording import level, shorten
from ..metrics.amounts import NO_USE, says_nothing
from .display import Display
from .plots import (
    BAND,
    GROUP,
    INK,
    NETWORKS,
    _aside,
    _axes,
    _bare,
    _difference_axis,
    scale_of,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ..comparison.across import AcrossNetworks

MEAN = "mean over such networks"


@dataclass(frozen=True, slots=True)
class ForestDisplay(Display):
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

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw one interval per network, and the random-effects mean below them."""
        over, table = self.found.over, self.frame()
        measure, pair = over.measure, over.pairs[0]
        scale = scale_of(measure, table.iloc[:, 1:])
        ax = _axes(ax, 1.1 + 0.32 * len(table))
        _aside(ax, (1, -1), 58, "right", "difference")
        _aside(ax, (1, -1), 113, "center", f"{level(over.confidence)} interval")
        reach = [scale.least]
        for row, (name, *values) in enumerate(table.itertuples(index=False, name=None)):
            estimate, low, high = (scale.factor * value for value in values)
            last = name == MEAN
            if last:
                ax.axhspan(row - 0.48, row + 0.48, color=BAND, linewidth=0, zorder=0)
            useless = says_nothing(measure, values[1], values[2])
            if useless:
                low, high = math.nan, math.nan
            if math.isfinite(low) and math.isfinite(high):
                width = 4 if last else 2.2
                ax.plot([low, high], [row, row], color=NETWORKS, linewidth=width,
                        solid_capstyle="butt", zorder=2)  # fmt: skip
            note = NO_USE if useless else "no interval"
            if not (math.isnan(low) or math.isnan(high)):
                note = f"{scale.note(values[1])} to {scale.note(values[2])}"
            ax.plot(estimate, row, "D" if last else "o", markersize=9 if last else 7.5,
                    color=NETWORKS, zorder=3)  # fmt: skip
            bold = "bold" if last else "normal"
            # the mean's name on two lines: a page's font would set lines of one text ragged
            lines = ("mean over", "such networks") if last else (shorten(name, GROUP),)
            for place, line in enumerate(lines):
                height = row + 0.46 * (place - (len(lines) - 1) / 2)
                _aside(ax, (0, height), -5, "right", line, fontweight=bold)
            _aside(ax, (1, row), 58, "right", scale.note(values[0]), fontweight=bold)
            _aside(ax, (1, row), 113, "center", note, fontweight=bold)
            reach += [abs(v) for v in (estimate, low, high) if math.isfinite(v)]
        ax.axvline(0, color=INK, linewidth=1, zorder=1)
        span = 1.1 * max(reach)
        ax.set_xlim(-span, span)
        ax.set_ylim(len(table) - 0.4, -1.5)
        _bare(ax)
        _difference_axis(ax, scale, pair.first, pair.second)
        return ax
