"""What an experiment is: cells of settings, a simulation of trials, what to count in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..core.errors import InputError, shown, unknown_choice
from ..inference.registry import PROCEDURES, canonical
from .decisions import made_from
from .records import REJECTIONS, Record, Setting, Settings
from .statements import Statement


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of work: some trials of one cell."""

    cell: Settings
    number: int
    """Position of the cell."""
    first: int
    trials: int
    seed: int
    tests: tuple[str, ...]
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Option:
    """A doubtful reading, or a size, that can be chosen by name."""

    default: Any  # the reading that is used by default
    meaning: str  # what it decides
    choices: tuple[str, ...] = ()  # what is allowed; empty for a number or a path

    def read(self, name: str, value: Any) -> Any:
        """Check a value, which may come as text from the command line."""
        if self.choices:
            if value not in self.choices:
                raise unknown_choice(f"option {name}", value, self.choices)
            return value
        if not isinstance(self.default, int):
            return str(value)
        try:
            number = int(value)
        except ValueError:
            number = 0
        if number < 2:
            raise InputError(
                expected="a whole number from 2", got=shown(value), where=f"option {name}"
            )
        return number


@dataclass(frozen=True, slots=True)
class Figure:
    """How to draw an experiment's table."""

    x: str  # column, or measure of the same cell, of the horizontal axis
    # xlabel, ylabel: names of the axes
    xlabel: str
    ylabel: str
    measure: str = REJECTIONS  # what is drawn upward
    lines: tuple[str, ...] = ("design", "test")  # columns that tell one line from another
    panels: str = ""  # column that tells one panel from another; "" for one panel
    panel_title: str = "{}"  # title of a panel, with ``{}`` for the column's value
    reference: str = ""  # measure of the same cell that is drawn as a dashed line, if any
    logarithmic: str = ""  # "x", "y" or "xy"
    averaged: str = ""  # column that is empty in the rows that are drawn: averages over its values
    points: bool = False  # whether cells are points with names (`lines`) instead of lines
    only: tuple[str, Setting] | None = None  # column and the value in it of the rows that are drawn
    # columns and the value of the rows that are drawn, of those that have one there
    fixed: Mapping[str, Setting] = field(default_factory=dict)
    names: str = ""  # column whose values are written beside the points; "" for none


BY_MODELS = Figure(
    "labeled",
    "proportion of labeled nodes",
    "Type I error",
    lines=("models", "test"),
    panels="domain",
)


@dataclass(frozen=True, slots=True)
class Experiment:
    """A named, seeded experiment.

    Attributes
    ----------
    name, title, source : str
        Its name, what it shows, and where it comes from.
    about : str
        What is simulated and how it is read, for the page about it.
    trials : int
        Trials of a cell at full size.
    chunk : int
        Trials that are run together; part of what defines the sums' last bits.
    cells : callable
        From the options to the cells.
    run : callable
        From a unit to its records. It depends on the unit alone.
    figure : Figure
    tests : tuple of str or callable
        Tests that are always applied, or what names them when the experiment is run.
    extra : tuple of str
        Other tests that can be added.
    keeps : tuple of str
        The arrays of `Trials` that its trials keep: every registered test that is made from them
        can be added.
    lacks : str
        Why other tests cannot.
    options : mapping
        Named options.
    statements : tuple of Statement
        What was published, each with the measured number to set beside it.
    same_networks : bool
        Whether trials of one number are on one network in all cells, so that cells go together.
    """

    name: str
    title: str
    source: str
    about: str
    trials: int
    chunk: int
    cells: Callable[[Mapping[str, Any]], Iterable[Settings]]
    run: Callable[[Unit], list[Record]]
    figure: Figure
    tests: tuple[str, ...] | Callable[[], tuple[str, ...]] = ()
    extra: tuple[str, ...] = ()
    keeps: tuple[str, ...] = ()
    lacks: str = ""
    options: Mapping[str, Option] = field(default_factory=dict)
    statements: tuple[Statement, ...] = ()
    same_networks: bool = False

    @property
    def own_tests(self) -> tuple[str, ...]:
        """The tests that are always applied."""
        return self.tests() if callable(self.tests) else self.tests

    @property
    def allowed_tests(self) -> tuple[str, ...]:
        """The tests that can be applied, the own ones first."""
        return tuple(dict.fromkeys((*self.own_tests, *made_from(*self.keeps), *self.extra)))

    def read_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Check options and fill in what is not given."""
        own = {name: option.default for name, option in self.options.items()}
        for name in given:
            if name not in self.options:
                run = dict.fromkeys(cell[name] for cell in self.cells(own) if name in cell)
                if run:
                    raise InputError(
                        f"{self.name} has no option {name}, since it runs every value",
                        hint=f"leave it out (values: {', '.join(map(str, run))})",
                    )
                raise unknown_choice(f"option of {self.name}", name, self.options or ["none"])
        return own | {name: self.options[name].read(name, value) for name, value in given.items()}

    def read_tests(self, added: Iterable[str]) -> tuple[str, ...]:
        """Return the tests that are applied, by their one name each."""
        allowed, found = self.allowed_tests, list(self.own_tests)
        for name in map(canonical, added):
            if name in PROCEDURES and name not in allowed:
                raise InputError(f"{self.name}: no test {name} here, since {self.lacks}")
            if name not in allowed:
                raise unknown_choice(f"test for {self.name}", name, allowed or ["none"])
            if name not in found:
                found.append(name)
        return tuple(found)
