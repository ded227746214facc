"""Figures of bars, one in each row: checks, sources of variance, degrees."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..metrics._drawing import COLORS
from ..network.network import Network
from .canvas import (
    COLOR_A,
    FONT,
    NETWORKS,
    PALE,
    bar_height,
    bare,
    legend,
    new_axes,
    row_height,
    row_label,
    value_axis,
)
from .cells import Cell, difference, words
from .disagreement import degree_groups
from .display import Display

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ..checking.check import Check
    from ..inference.variance_sources import Sources

SOURCES = {"network": "networks", "split": "splits", "seed": "training seeds"}
LEAST = 0.06  # of the width, where a number fits into its bar


class Bar(NamedTuple):
    """A row: its name, what is written beside it, and its parts, each with a color."""

    name: str
    note: str
    parts: tuple[tuple[float, str], ...]


class BarsDisplay(Display):
    """A figure of bars."""

    __slots__ = ()

    @abstractmethod
    def bars(self) -> list[Bar]:
        """Return the rows."""

    @abstractmethod
    def axis(self) -> tuple[str, float | None, dict[str, str]]:
        """Return what the axis shows, where it ends, and what colors are, by name."""

    def alt(self) -> str:
        """Describe what the bars show."""
        return "; ".join(f"{bar.name}: {bar.note or _parts(bar)}" for bar in self.bars())

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw one bar in each row."""
        rows, (label, end, named) = self.bars(), self.axis()
        ax = new_axes(ax, 1.0 + 0.2 * bool(named) + row_height(len(rows)))
        for row, bar in enumerate(rows):
            left = 0.0
            for value, color in bar.parts:
                ax.barh(row, value, left=left, height=bar_height(), color=color)
                if end is not None and len(bar.parts) > 1 and value >= LEAST * end:
                    box = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
                    ax.text(left + value / 2, row, f"{value:.0f}%", ha="center", va="center",
                            bbox=box, **FONT)  # fmt: skip
                left += value
            row_label(ax, row, bar.name, bar.note)
        if end is not None:
            ax.set_xlim(0, end)
        ax.set_ylim(len(rows) - 0.4, -0.9)
        bare(ax)
        if named:
            marks = [(ax.barh(0, 0, color=color), name) for name, color in named.items()]
            legend(ax, "", marks)
        value_axis(ax, label)
        return ax


def _parts(bar: Bar) -> str:
    return ", ".join(f"{value:.0f}%" for value, _ in bar.parts)


@dataclass(frozen=True, slots=True)
class CheckDisplay(BarsDisplay):
    """The share of nodes, links, models ... that each kind of problem concerns."""

    found: Check

    def frame(self) -> pd.DataFrame:
        """Return one row for each kind that was checked."""
        return self.found.to_frame()

    def bars(self) -> list[Bar]:
        """Return a bar for each kind: dark for a problem, pale for a note."""
        rows = []
        for each in self.found.checked:
            problem = each.problem
            share = 0.0 if problem is None else 100 * problem.share
            color = NETWORKS if problem is not None and problem.serious else PALE
            kind = "problem" if problem is not None and problem.serious else "note"
            note = "nothing" if problem is None else f"{kind}, {share:.1f}% of {problem.unit}"
            rows.append(Bar(f"{each.code}  {each.title}", note, ((share, color),)))
        return rows

    def axis(self) -> tuple[str, float | None, dict[str, str]]:
        """Return that bars are shares."""
        return "share concerned, % (dark: a problem, pale: a note)", 100.0, {}


def called(one: Sources, among: Sequence[Sources]) -> Cell:
    """Return what a source is of: a model, or the difference of two of those beside it."""
    for a, b in permutations([each.name for each in among], 2):
        if one.name == f"{a} - {b}":
            return difference(a, b)
    return words(one.name)


@dataclass(frozen=True, slots=True)
class SourcesDisplay(BarsDisplay):
    """Shares of the variance of each mean, and of each difference, by source."""

    sources: tuple[Sources, ...]

    def frame(self) -> pd.DataFrame:
        """Return one row per model or difference, one column per source."""
        import pandas as pd

        return pd.DataFrame([{"of": each.name} | each.shares for each in self.sources])

    def bars(self) -> list[Bar]:
        """Return one bar for each model or difference, in parts."""
        return [
            Bar(
                called(each, self.sources).typeset,
                "",
                tuple((100 * each.shares[of], color) for color, of in zip(COLORS, SOURCES)),
            )
            for each in self.sources
        ]

    def axis(self) -> tuple[str, float | None, dict[str, str]]:
        """Return that bars are shares, and which color is which source."""
        return "share of the variance of the mean, %", 100.0, dict(zip(SOURCES.values(), COLORS))


@dataclass(frozen=True, slots=True)
class DegreeDisplay(BarsDisplay):
    """How many nodes have how many neighbors."""

    network: Network

    def frame(self) -> pd.DataFrame:
        """Return one row for each class of degrees."""
        import pandas as pd

        groups, names = degree_groups(self.network, np.arange(self.network.n_nodes))
        count = np.bincount(groups, minlength=len(names))
        return pd.DataFrame({"neighbors": names, "nodes": count})

    def bars(self) -> list[Bar]:
        rows = self.frame().itertuples(index=False, name=None)
        return [Bar(name, f"{number:,}", ((number, COLOR_A),)) for name, number in rows]

    def axis(self) -> tuple[str, float | None, dict[str, str]]:
        """Return that bars are nodes."""
        return "nodes", None, {}
