"""Figures of an audit and of a plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from ..auditing.audit_result import LEVEL
from ..core.results import show
from ..core.wording import plural, points
from ..inference.registry import label
from ..metrics._drawing import COLORS
from ..network.network import Network
from ..study.tasks import task_of
from . import hover
from .canvas import FONT, INK, PALE, at_ends, new_axes, open_frame
from .charts import Chart, ChartDisplay, Entry
from .display import MARKS, Display

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ..auditing.audit_result import Audit, AuditedTest
    from ..auditing.plan_result import Plan, PlanPoint

PlannedBy: TypeAlias = Literal["splits", "labels", "seeds"]
FIELDS: dict[PlannedBy, str] = {"labels": "labeled", "splits": "n_splits", "seeds": "n_seeds"}


class HandicapWords(NamedTuple):
    """What reports say of models that were made worse."""

    unit: str  # what differences are reported in, after their number
    errors: str  # what is measured
    value: Callable[[float], str]  # writes one of them
    how: str  # what was done with predictions


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
class AuditDisplay(ChartDisplay):
    """How often each test of an `Audit` claims a difference: where there is none, or one is."""

    found: Audit
    power: bool = False  # whether true differences are shown, and not the Type I error

    def frame(self) -> pd.DataFrame:
        """Return one row per test and true difference."""
        return self.found.to_frame()

    def chart(self) -> Chart:
        """Return one row for each test, those for other networks first."""
        found = self.found
        tests = sorted(found.tests, key=lambda test: not test.for_networks)
        rows = tuple(self._row(test) for test in tests)
        if not self.power:
            most = max(row.high for row in rows)
            return Chart(rows, ("Type I error", ""), "Type I error, % (band: up to 5%)",
                         (-1, max(1.05 * most, 12.0)), band=(0, 100 * LEVEL))  # fmt: skip
        shown = self._shown()
        signs = "▲◆●"[-len(shown) :]
        marks = ", ".join(f"{s} {points(found.differences[at])}" for s, at in zip(signs, shown))
        unit = unit_of(found.network).strip()
        return Chart(rows, ("power",), f"power, % ({marks} {unit})", (-2, 102))

    def _shown(self) -> list[int]:
        last = len(self.found.differences) - 1
        return sorted({1, (last + 1) // 2, last})[-3:]

    def _row(self, test: AuditedTest) -> Entry:
        best, name = test.title == self.found.recommended, called(test)
        group = "answer for other networks" if test.for_networks else "answer only for other splits"
        color = INK if test.holds else PALE
        if not self.power:
            rate = test.type_1_error
            note = "use this" if best else "" if test.is_safe else "overconfident"
            note = "not known" if test.holds and not test.is_safe else note
            return Entry(name, 100 * rate.rejected, 100 * rate.low, 100 * rate.high,
                         (f"{rate.rejected:.0%}", note), group, color=color,
                         filled=test.is_safe, strong=best)  # fmt: skip
        rates = [100 * test.rates[at].rejected for at in self._shown()]
        marks = "^Do"[-len(rates) :]
        texts = " · ".join(f"{rate:.0f}%" for rate in rates)
        more = tuple((rate, mark, color) for rate, mark in zip(rates[:-1], marks))
        return Entry(name, rates[-1], columns=(texts,), group=group, color=color,
                     filled=test.holds, strong=best, more=more)  # fmt: skip


def called(test: AuditedTest) -> str:
    """Return the short name of a test, with its design where that is not the usual one."""
    return test.title.replace(test.name, label(test.name))


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
        ax = new_axes(ax, 4.4)
        ax.axhline(100 * found.wanted, color=INK, linewidth=1, linestyle=(0, (1, 2)), zorder=1)
        ends: list[tuple[float, str, str]] = []
        sizes = sorted({spot.n_nodes for spot in found.spots})
        for i, (value, spots) in enumerate(planned_by(found, self.by).items()):
            x = [spot.n_nodes for spot in spots]
            y, low, high = (
                [100 * getattr(spot, name) for spot in spots] for name in ("power", "low", "high")
            )
            note = describe_value(self.by, value)
            now = value == getattr(found, FIELDS[self.by])
            ax.fill_between(x, low, high, color=COLORS[i], alpha=0.13, linewidth=0)
            (line,) = ax.plot(x, y, color=COLORS[i], marker=MARKS[i], markersize=6,
                              linewidth=2.4 if now else 1.3)  # fmt: skip
            ends.append((y[-1], f"{note}{' (now)' * now}", COLORS[i]))
            hover.note_marks(
                line,
                (
                    f"{note}, {size:,} nodes: power {hover.number(share, '%')} "
                    f"({hover.number(least)} to {hover.number(most, '%')})"
                    for size, share, least, most in zip(x, y, low, high)
                ),
            )
        at_ends(ax, sizes[-1], ends, 6.5)
        head = f"power in % at a difference of {points(found.difference)}{unit_of(found.network)},"
        rest = f"\nwith {describe_rest(found, self.by)}"
        drawn = [spot for spots in planned_by(found, self.by).values() for spot in spots]
        caveat = falls(drawn, "labels" if self.by == "labels" else "nodes")
        ax.set_title(f"{head}{rest}{caveat and chr(10) + caveat}", loc="left", **FONT)
        ax.set_xscale("log", base=2)
        ax.set_xticks(sizes, [f"{size:,}" for size in sizes])
        ax.minorticks_off()
        ax.set_ylim(0, 103)
        ax.set_xlabel(f"nodes (dotted: {found.wanted:.0%})", loc="left", **FONT)
        open_frame(ax)
        return ax

    def alt(self) -> str:
        """Describe what the lines show."""
        return "; ".join(
            f"{describe_value(self.by, value)}: "
            + ", ".join(f"{spot.power:.0%} with {spot.n_nodes:,} nodes" for spot in spots)
            for value, spots in planned_by(self.found, self.by).items()
        )


def falls(spots: Sequence[PlanPoint], what: Literal["labels", "nodes"]) -> str:
    """Return that more nodes or labels came out with less power; empty where none did."""
    fixed, moved = ("multiple", "labeled") if what == "labels" else ("labeled", "multiple")
    lines: dict[tuple[float, ...], list[PlanPoint]] = {}
    for spot in sorted(spots, key=lambda spot: getattr(spot, moved)):
        lines.setdefault((spot.n_splits, spot.n_seeds, getattr(spot, fixed)), []).append(spot)
    lost = any(
        after.power < max(spot.power for spot in line[:i])
        for line in lines.values()
        for i, after in enumerate(line[1:], start=1)
    )
    return f"More {what} do not always bring more power here." if lost else ""


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
