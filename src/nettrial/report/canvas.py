"""What all figures share: axes, colors, letters, scales and legends, on a desk and on a phone.

Colors differ in lightness too, so that they stay apart in gray and for color-blind readers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ..core.wording import shorten, shorten_apart
from ..metrics._drawing import COLORS, open_axes
from ..metrics.amounts import noun, signed
from ..metrics.measures import Measure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOR_A, COLOR_B = COLORS[:2]
NETWORKS, SPLITS = "#222222", "#9C3D76"  # what a test answers for
INK, PALE, GRID, BAND = "#222222", COLORS[-1], "#DDDDDD", "#EEF1F4"
MARGIN = "#F6E7B8"
WIDTH, NARROW = 8.0, 4.2  # inches, on a desk and on a phone
NAME, GROUP = 22, 28  # letters of a model's and of a group's name that fit beside an axis
FONT: dict[str, Any] = {
    "fontsize": 9.5,
    "color": INK,
    "parse_math": False,
}  # a name may hold dollar signs
SMALL: dict[str, Any] = FONT | {"fontsize": 9}
PAIRED = 22  # letters of names of which two stand beside each other on a phone
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

_narrow: ContextVar[bool] = ContextVar("narrow", default=False)


@contextmanager
def drawn_for_phones(narrow: bool = True) -> Iterator[None]:
    """Draw the figures within as narrow as a phone."""
    token = _narrow.set(narrow)
    try:
        yield
    finally:
        _narrow.reset(token)


def is_narrow() -> bool:
    """Return whether figures are drawn for a phone."""
    return _narrow.get()


def new_axes(ax: Axes | None, height: float) -> Axes:
    """Return `ax`, or the axes of a new figure of that height in inches."""
    return open_axes(ax, width=NARROW if is_narrow() else WIDTH, height=height)


@dataclass(frozen=True, slots=True)
class Scale:
    """How values of a measure are drawn."""

    measure: Measure
    factor: float = 1.0  # what values are multiplied by
    words: str = ""  # what the axis says of it, behind the name of the measure
    beside: tuple[float, ...] = ()  # the values whose decimals all have, as in a table

    @property
    def least(self) -> float:
        """Half the width of the smallest picture: a tenth of a percentage point."""
        return 0.1 if self.measure.shares else 0.001

    def note(self, value: float) -> str:
        """Write a value as the axis counts it."""
        factor = 1.0 if self.measure.shares else self.factor
        return signed(factor * value, self.measure, [factor * each for each in self.beside])


def scale_of(measure: Measure, values: ArrayLike, beside: Sequence[float] = ()) -> Scale:
    """Return how values are drawn: shares in percent, very large and small ones by powers of 1000.

    Examples
    --------
    >>> from nettrial.metrics.measures import MEASURES
    >>> found = scale_of(MEASURES["squared_error"], [-2.5e7, float("nan")])
    >>> found.words, found.note(-2.5e7)
    (', in units of 10⁶', '−25')
    """
    if measure.shares:
        return Scale(measure, 100.0, ", percentage points")
    sizes = np.abs(np.asarray(values, dtype=float))
    largest = float(sizes[np.isfinite(sizes)].max(initial=0.0))
    if not math.isinf(measure.largest) or largest == 0 or 1e-3 <= largest < 1e5:
        return Scale(measure, beside=tuple(beside))
    power = 3 * math.floor(math.log10(largest) / 3)
    words = f", in units of 10{str(power).translate(RAISED)}"
    return Scale(measure, 10.0**-power, words, tuple(beside))


def aside(
    ax: Axes, at: tuple[float, float], shift: float, side: str, text: str, **style: Any
) -> None:
    """Write `shift` typographic points from a place given as (part of the axes' width, y)."""
    ax.annotate(
        text,
        at,
        xycoords=ax.get_yaxis_transform(),
        xytext=(shift, 0),
        textcoords="offset points",
        ha=side,
        va="center",
        annotation_clip=False,
        **FONT | style,
    )


def row_label(ax: Axes, place: float, name: str, note: str) -> None:
    """Write a name and a number at the sides of a row; on a phone above it."""
    if is_narrow():
        aside(ax, (0, place - 0.5), 0, "left", shorten(name, min(38, max(53 - len(note), 12))))
        aside(ax, (1, place - 0.5), 0, "right", note)
    else:
        aside(ax, (0, place), -5, "right", shorten(name, 38))
        aside(ax, (1, place), 8, "left", note)


def row_height(number: int) -> float:
    """Return how high rows are together, in inches."""
    return (0.5 if is_narrow() else 0.3) * number


def bar_height() -> float:
    """Return how high a bar is in its row."""
    return 0.36 if is_narrow() else 0.62


def at_ends(ax: Axes, x: float, named: Sequence[tuple[float, str, str]], least: float) -> None:
    """Write names beside the right ends of lines, moved apart where they would overlap.

    Parameters
    ----------
    x : float
        Where the lines end.
    named : sequence of (float, str, str)
        The height of each end, its name and its color.
    least : float
        The least distance of two names.
    """
    order = sorted(named)
    places = [height for height, *_ in order]
    for i in range(1, len(places)):
        places[i] = max(places[i], places[i - 1] + least)
    over = (sum(places) - sum(height for height, *_ in order)) / max(len(places), 1)
    names = shorten_apart((name for _, name, _ in order), 17 if is_narrow() else NAME)
    for place, (_, _, color), name in zip(places, order, names):
        ax.annotate(
            name, (x, place - over), xytext=(7, 0),
            textcoords="offset points", va="center", ha="left", annotation_clip=False,
            **SMALL | {"color": color},
        )  # fmt: skip


def legend(ax: Axes, title: str, named: Sequence[tuple[Any, str]]) -> None:
    """Write a title and what lines and bars are above the axes."""
    marks, names = zip(*named)
    made = ax.legend(
        marks,
        ["-"] * len(names),  # a name may begin with what matplotlib hides
        loc="lower left",
        bbox_to_anchor=(0, 1),
        ncols=2 if max(map(len, names)) <= PAIRED else 1,
        title=title or None,
        alignment="left",
        frameon=False,
        borderpad=0,
        handlelength=1.6,
        handletextpad=0.5,
        columnspacing=1,
    )
    made.get_title().set(**FONT)
    for text, name in zip(made.get_texts(), names):
        text.set(text=name, **SMALL)


def difference_axis(ax: Axes, scale: Scale, a: str, b: str) -> None:
    """Name the axis of the difference a - b, and which model each side of 0 speaks for."""
    measure = scale.measure
    left, right = (a, b) if measure.better == "lower" else (b, a)
    what = "" if is_narrow() else f" has the {measure.better} {noun(measure)}"
    what = what or " is better"
    left, right = shorten_apart((left, right), NAME)
    for x, side, text in (
        (0.47, "right", f"◂ {left}{what}"),
        (0.53, "left", f"{right}{what} ▸"),
    ):
        ax.text(x, 1.02, text, transform=ax.transAxes, ha=side, va="bottom", **FONT)
    value_axis(ax, f"difference in {measure.title}{scale.words}")


def value_axis(ax: Axes, label: str) -> None:
    """Name the axis of values, which has a grid."""
    ax.set_xlabel(label, loc="left", **FONT)
    ax.tick_params(axis="x", labelsize=9, colors=INK)
    ax.grid(axis="x", color=GRID, linewidth=0.6, zorder=0)
    ax.set_axisbelow(True)


def bare(ax: Axes) -> None:
    """Leave the frame out, but the axis of values."""
    ax.set_yticks([])
    for side in ("left", "right", "top"):
        ax.spines[side].set_visible(False)


def open_frame(ax: Axes) -> None:
    """Leave the frame open at the right and the top."""
    ax.tick_params(labelsize=9, colors=INK)
    ax.grid(axis="y", color=GRID, linewidth=0.6)
    ax.set_axisbelow(True)
    for side in ("right", "top"):
        ax.spines[side].set_visible(False)
