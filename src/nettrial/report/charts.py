"""Charts of rows: a name, an estimate with its interval, and their numbers beside it."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.wording import shorten_apart
from .canvas import (
    BAND,
    FONT,
    GROUP,
    INK,
    MARGIN,
    NETWORKS,
    PALE,
    aside,
    bare,
    difference_axis,
    is_narrow,
    new_axes,
    value_axis,
)
from .cells import NONE
from .display import Display

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .canvas import Scale

LARGEST_SPAN = 4.0  # the axis ends at this many times a typical interval; arrows go on
LETTER, GAP = 5.2, 12  # typographic points: of a letter, and between columns


@dataclass(frozen=True, slots=True)
class Entry:
    """One row."""

    name: str
    # value, low, high: an estimate and the ends of its interval; NaN where there is none
    value: float
    low: float = math.nan
    high: float = math.nan
    columns: tuple[str, ...] = ()  # what is written beside it
    group: str = ""  # what stands above the first of several rows
    # mark, color: how the estimate is drawn
    mark: str = "o"
    color: str = NETWORKS
    # filled, strong: whether the mark is full, and whether it is the row to look at
    filled: bool = True
    strong: bool = False
    more: tuple[tuple[float, str, str], ...] = ()  # further marks in the row: value, mark and color


@dataclass(frozen=True, slots=True)
class Chart:
    """Rows on one axis."""

    rows: tuple[Entry, ...]
    heads: tuple[str, ...]  # of the columns
    label: str  # what the axis shows
    ends: tuple[float, float]  # where the axis ends; arrows go on beyond
    # the scale of a difference and its two models, in place of a label
    of: tuple[Scale, str, str] | None = None
    band: tuple[float, float] | None = None  # a light band, such as a margin
    line: tuple[float, str] | None = None  # a dashed line with its name
    zero: bool = False  # whether a line stands at 0

    def draw(self, ax: Axes | None) -> Axes:
        """Draw the rows; on a phone their numbers stand above them, not beside."""
        narrow = is_narrow()
        titles = len(dict.fromkeys(row.group for row in self.rows if row.group))
        head = any(self.heads) and not narrow and not titles
        total = len(self.rows) + titles
        ax = new_axes(ax, 0.9 + 0.22 * head + (0.46 if narrow else 0.32) * total)
        ax.set_xlim(*self.ends)
        ax.set_ylim(total - 0.4, -1.5 if head else -0.8 if narrow else -0.6)
        if self.band is not None:
            ax.axvspan(*self.band, color=MARGIN, alpha=0.6, linewidth=0, zorder=0)
        if self.line is not None:
            at, name = self.line
            ax.axvline(at, color=PALE, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
            ax.annotate(name, (at, 1), xycoords=("data", "axes fraction"), xytext=(0, 2),
                        textcoords="offset points", ha="center", va="bottom", **FONT)  # fmt: skip
        if self.zero:
            ax.axvline(0, color=INK, linewidth=1, zorder=1)
        if head:
            self._columns(ax, -1, self.heads)
        place, group = 0, ""
        names = shorten_apart((row.name for row in self.rows), GROUP)
        for row, name in zip(self.rows, names):
            if row.group and row.group != group:
                group = row.group
                box = {"color": "white", "pad": 1}
                ax.text(self.ends[0], place, group, va="center", ha="left", fontstyle="italic",
                        bbox=box, **FONT)  # fmt: skip
                if not place and not narrow:
                    self._columns(ax, place, self.heads)
                place += 1
            self._row(ax, place, row, name)
            place += 1
        bare(ax)
        if self.of is None:
            value_axis(ax, self.label)
        else:
            difference_axis(ax, *self.of)
        return ax

    def alt(self) -> str:
        """Describe what the rows show."""
        return "; ".join(f"{row.name}: {self._together(row)}" for row in self.rows)

    def _together(self, row: Entry) -> str:
        named = zip(self.heads, row.columns)
        ps = ("p", "p adjusted")
        return ", ".join(
            f"p\u00a0=\u00a0{each}"
            if head in ps and each[:1].isdigit()
            else "no p-value"
            if head in ps and each == NONE
            else each
            for head, each in named
            if each
        )

    def _row(self, ax: Axes, place: int, row: Entry, name: str) -> None:
        banded = row.strong and len(self.rows) > 2
        if banded:
            up = 0.24 if is_narrow() else 0.0  # around the words above the mark, too
            ends = place - 0.48 - up, place + 0.48 - up
            ax.axhspan(*ends, color=BAND, linewidth=0, zorder=0)
        (left, right), thick = self.ends, 4 if row.strong else 2.2
        if math.isfinite(row.low - row.high) or math.inf in (row.high, -row.low):
            ends = max(row.low, left), min(row.high, right)
            ax.plot(ends, [place, place], color=row.color, linewidth=thick, zorder=2,
                    solid_capstyle="butt")  # fmt: skip
            room = 0.005 * (right - left)
            for end, beyond, arrow in ((left + room, row.low < left, "<"),
                                       (right - room, row.high > right, ">")):  # fmt: skip
                if beyond:
                    ax.plot(end, place, arrow, color=row.color, markersize=8, zorder=3)
        size = 10 if row.strong else 7.5
        for value, mark, color in ((row.value, row.mark, row.color), *row.more):
            if math.isfinite(value):
                ax.plot(value, place, mark, markersize=size, zorder=4, markeredgewidth=1.8,
                        markerfacecolor=color if row.filled else "white", markeredgecolor=color,
                        clip_on=False)  # fmt: skip
        style: dict[str, Any] = {"fontweight": "bold" if row.strong else "normal"}
        if is_narrow():
            if not banded:
                style["bbox"] = {"facecolor": "white", "edgecolor": "none", "pad": 1}
            aside(ax, (0, place - 0.45), 0, "left", name, **style)
            aside(ax, (1, place - 0.45), 0, "right", self._together(row), **style)
            return
        aside(ax, (0, place), -5, "right", name, **style)
        self._columns(ax, place, row.columns, **style)

    def _columns(self, ax: Axes, place: float, texts: Sequence[str], **style: Any) -> None:
        """Write numbers to the right of the axes, each column as wide as its widest."""
        edge = 0.0
        for number, text in enumerate(texts):
            column = [self.heads[number], *(row.columns[number] for row in self.rows)]
            edge += LETTER * max(map(len, column)) + GAP
            aside(ax, (1, place), edge, "right", "–" if text == NONE else text, **style)


class ChartDisplay(Display):
    """A figure that is a chart of rows."""

    __slots__ = ()

    @abstractmethod
    def chart(self) -> Chart:
        """Return the rows."""

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw one row for each."""
        return self.chart().draw(ax)

    def alt(self) -> str:
        """Describe what the rows show."""
        return self.chart().alt()


def symmetric(rows: Sequence[Entry], least: float) -> tuple[float, float]:
    """Return the ends of an axis around zero: wide intervals must not hide the others."""
    ends = np.array([[row.value, row.low, row.high] for row in rows]).reshape(-1, 3)
    ends = np.where(np.isfinite(ends), np.abs(ends), 0.0)
    reach = ends.max(axis=1, initial=0.0)
    typical = float(np.median(reach[reach > 0])) if reach.any() else 1.0
    half = 1.1 * max(
        float(ends[:, 0].max(initial=0.0)),
        min(float(reach.max(initial=0.0)), LARGEST_SPAN * typical),
        least,
    )
    return -half, half


def within(rows: Sequence[Entry], least: float) -> tuple[float, float]:
    """Return the part of an axis around zero that holds zero and all that is drawn."""
    (left, right), (low, high) = symmetric(rows, least), around(rows, least, (0.0,))
    return max(left, low), min(right, high)


def around(rows: Sequence[Entry], least: float, also: Sequence[float] = ()) -> tuple[float, float]:
    """Return the ends of an axis that holds all estimates and intervals, with a little room."""
    known = [value for row in rows for value in (row.value, row.low, row.high, *also)]
    known = [value for value in known if math.isfinite(value)] or [0.0]
    low, high = min(known), max(known)
    room = max(0.06 * (high - low), least)
    return low - room, high + room
