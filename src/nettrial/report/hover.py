"""What a page says of a mark under the pointer: titles inside the figure, without scripts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from ..core.wording import clean
from ..metrics.amounts import NO_USE

if TYPE_CHECKING:
    from matplotlib.lines import Line2D

_NOTES: WeakKeyDictionary[Line2D, tuple[str, ...]] = WeakKeyDictionary()


def note_marks(line: Line2D, texts: Iterable[str]) -> None:
    """Describe what stands behind the markers of a line, one text a marker."""
    _NOTES[line] = tuple(clean(text) for text in texts)


def note(figure: Any) -> dict[str, tuple[str, ...]]:
    """Mark the lines of a figure of which something is reported; return the texts by mark."""
    lines = [line for axes in figure.axes for line in axes.lines if line in _NOTES]
    marked = {f"note{place}": line for place, line in enumerate(lines)}
    for mark, line in marked.items():
        line.set_gid(mark)
    return {mark: _NOTES[line] for mark, line in marked.items()}


def between(low: float, high: float, unit: str = "") -> str:
    """Write the ends of an interval, or that it is of no use.

    Examples
    --------
    >>> between(1.5, 2.0), between(float("nan"), float("nan"))
    ('1.5 to 2.0', 'no usable interval')
    """
    if low != low or high != high:
        return NO_USE
    return f"{number(low, unit)} to {number(high, unit)}"


def number(value: float, unit: str = "") -> str:
    """Write a number of a mark, with a true minus sign.

    Examples
    --------
    >>> number(-1.25), number(12.34, "%")
    ('−1.2', '12.3%')
    """
    text = f"{value:.1f}" if unit or abs(value) >= 1 else f"{value:.3g}"
    return text.replace("-", "−") + unit
