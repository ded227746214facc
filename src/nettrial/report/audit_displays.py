"""Figures of an audit and of a plan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np

from ..auditing.audit_result import LEVEL
from ..core.results import show
from ..core.wording import plural, shorten
from ..metrics._drawing import COLORS
from ..network.network import Network
from ..study.tasks import task_of
from . import hover
from .display import MARKS, Display
from .plots import FONT, INK, PALE, _axes, _legend, _open_frame

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from ..auditing.audit_result import Audit
    from ..auditing.plan_result import Plan, PlanPoint

PlannedBy: TypeAlias = Literal["splits", "labels", "seeds"]
FIELDS: dict[PlannedBy, str] = {"labels": "labeled", "splits": "n_splits", "seeds": "n_seeds"}
LETTERS = 30  # that fit beside an axis
HUES = 6  # colors of lines; black and gray mean something else


class HandicapWords(NamedTuple):
    """What reports say of models that were made worse.

    Attributes
    ----------
    unit : str
        What differences are reported in, after their number.
    errors : str
        What is measured.
    value : callable
        Writes one of them.
    how : str
        What was done with predictions.
    """

    unit: str
    errors: str
    value: Callable[[float], str]
    how: str


HANDICAP_WORDS = {
    "classes": HandicapWords(" percentage points", "error rates", "{:.1%}".format, "changing"),
    "numbers": HandicapWords("% of the squared error", "squared errors", show, "adding noise to"),
}


def handicap_words(network: Network) -> HandicapWords:
    """Return the words for what models of a network predict."""
    return HANDICAP_WORDS[task_of(network).name]


def unit_of(network: Network) -> str:
    """Return what differences are reported in, after their number.

    Examples
    --------
    >>> unit_of(Network([0], [1], n_nodes=2, targets=[1.0, 2.0]))
    '% of the squared error'
    """
    return handicap_words(network).unit


@dataclass(frozen=True, slots=True)
class PowerDisplay(Display):
    """How often each test of an `Audit` claims a difference, against the true difference."""

    found: Audit

    def frame(self) -> pd.DataFrame:
        """Return one row per test and true difference."""
        return self.found.to_frame()

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw one line per test; dashed and pale where it claims too much at difference 0."""
        found = self.found
        ax = _axes(ax, 4.2 + 0.09 * len(found.tests))
        x = 100 * np.array(found.differences)
        ax.axhline(100 * LEVEL, color=INK, linewidth=1, linestyle=(0, (1, 2)), zorder=1)
        # the legend stands in the order of the lines at their right ends
        order = sorted(range(len(found.tests)), key=lambda i: -found.tests[i].rates[-1].rejected)
        named: list[tuple[Artist, str]] = []
        for i in order:
            test = found.tests[i]
            best = test.title == found.recommended
            y, low, high = (
                100 * np.array([getattr(rate, field) for rate in test.rates])
                for field in ("rejected", "low", "high")
            )
            color = INK if best else COLORS[i % HUES] if test.holds else PALE
            if best:
                ax.fill_between(x, low, high, color=INK, alpha=0.12, linewidth=0)
            (line,) = ax.plot(
                x,
                y,
                color=color,
                marker=MARKS[i % len(MARKS)],
                markersize=5.5,
                linewidth=2.6 if best else 1.2,
                zorder=4 if best else 3 if test.holds else 2,
                linestyle="-" if test.holds else (0, (4, 2)),
            )
            name = shorten(test.title, LETTERS)
            named.append((line, f"{name}{': use this' * best}{'' if test.holds else ' (!)'}"))
            hover.tell(
                line,
                (
                    f"{test.title} at a true difference of {at:.3g}: {hover.number(share, '%')} "
                    f"({hover.number(least)} to {hover.number(most, '%')})"
                    for at, share, least, most in zip(x, y, low, high)
                ),
            )
        _legend(ax, "% of networks in which the test claims a difference", named)
        ax.set_xticks(x)
        ax.set_ylim(0, 103)
        of = unit_of(found.network).strip()
        ax.set_xlabel(f"true difference, {of} (0: Type I error; dotted: 5%)", loc="left", **FONT)
        _open_frame(ax)
        return ax


@dataclass(frozen=True, slots=True)
class PlanDisplay(Display):
    """Power of a `Plan` against the size of the network."""

    found: Plan
    by: PlannedBy = "splits"

    def frame(self) -> pd.DataFrame:
        """Return one row per size, proportion of labels, and number of splits and seeds."""
        return self.found.to_frame()

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw one line per number of splits or seeds, or a proportion, with its interval."""
        found = self.found
        ax = _axes(ax, 4.4)
        ax.axhline(100 * found.wanted, color=INK, linewidth=1, linestyle=(0, (1, 2)), zorder=1)
        lines = planned_by(found, self.by)
        named: list[tuple[Artist, str]] = []
        for i, (value, spots) in reversed(list(enumerate(lines.items()))):
            x = [spot.n_nodes for spot in spots]
            y, low, high = (
                [100 * getattr(spot, name) for spot in spots] for name in ("power", "low", "high")
            )
            note = describe_value(self.by, value)
            now = value == getattr(found, FIELDS[self.by])
            ax.fill_between(x, low, high, color=COLORS[i], alpha=0.13, linewidth=0)
            (line,) = ax.plot(
                x,
                y,
                color=COLORS[i],
                marker=MARKS[i],
                markersize=6,
                linewidth=2.4 if now else 1.3,
            )
            named.append((line, f"{note}{' (as planned)' * now}"))
            hover.tell(
                line,
                (
                    f"{note}, {size:,} nodes: power {hover.number(share, '%')} "
                    f"({hover.number(least)} to {hover.number(most, '%')})"
                    for size, share, least, most in zip(x, y, low, high)
                ),
            )
        head = f"power in % at a difference of {100 * found.difference:g}{unit_of(found.network)},"
        _legend(ax, f"{head}\nwith {describe_rest(found, self.by)}", named)
        ax.set_xscale("log", base=2)
        sizes = sorted({spot.n_nodes for spot in found.spots})
        ax.set_xticks(sizes, [f"{size:,}" for size in sizes])
        ax.minorticks_off()
        ax.set_ylim(0, 103)
        ax.set_xlabel(f"nodes (dotted: {found.wanted:.0%})", loc="left", **FONT)
        _open_frame(ax)
        return ax


def planned_by(found: Plan, by: PlannedBy) -> dict[float, list[PlanPoint]]:
    """Return what was tried of one thing, by its value: one spot a size, the rest as given."""
    rest = [name for name in FIELDS.values() if name != FIELDS[by]]
    lines: dict[float, list[PlanPoint]] = {}
    for spot in sorted(found.spots, key=lambda spot: spot.multiple):
        if all(getattr(spot, name) == getattr(found, name) for name in rest):
            lines.setdefault(getattr(spot, FIELDS[by]), []).append(spot)
    return dict(sorted(lines.items()))


def describe_value(by: PlannedBy, value: float) -> str:
    """Write a number of splits or seeds, or a proportion of labels.

    Examples
    --------
    >>> describe_value("seeds", 1), describe_value("labels", 0.3)
    ('1 seed', '30% labeled')
    """
    return f"{value:.0%} labeled" if by == "labels" else plural(int(value), by.removesuffix("s"))


def describe_rest(found: Plan, by: PlannedBy) -> str:
    """Write what stays as it is given where one thing is changed."""
    note = {
        each: describe_value(each, getattr(found, FIELDS[each])) for each in FIELDS if each != by
    }
    if found.n_seeds == 1:
        note.pop("seeds", None)
    return " and ".join(note.values())
