"""What an experiment gave, and how it is reported."""

from __future__ import annotations

import html
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .base import Experiment
from .records import REJECTIONS
from .statements import NOT_RUN, Measured, Statement
from .tables import FIXED

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, repr=False)
class ExperimentResult:
    """What an experiment gave.

    Attributes
    ----------
    experiment : Experiment
    trials, seed : int
        Trials of a cell; the frozen seed.
    tests : tuple of str
    options : dict
    table : pandas.DataFrame
        One row per cell and quantity: its settings, `test`, `measure`, `trials`, `rejections`,
        `rate`, `mean` (of quantities that are no rate), `low`, `high` (95%), `undefined` and
        `blocks`: of each batch of trials, or of each of few networks, the trials and their sum.
    """

    experiment: Experiment
    trials: int
    seed: int
    tests: tuple[str, ...]
    options: Mapping[str, Any]
    table: pd.DataFrame

    def __str__(self) -> str:
        return summary(self)


def figure_alt(result: ExperimentResult) -> str:
    """Describe what the figure shows, for readers who cannot see it."""
    spec = result.experiment.figure
    return f"{result.experiment.title}: {spec.ylabel} against {spec.xlabel}"


def command(result: ExperimentResult) -> str:
    chosen = result.experiment
    parts = [f"nettrial experiment {chosen.name} --trials {result.trials} --seed {result.seed}"]
    parts += [f"--tests {test}" for test in result.tests if test not in chosen.own_tests]
    parts += [
        "--option " + shlex.quote(f"{name}={value}")
        for name, value in result.options.items()
        if value != chosen.options[name].default
    ]
    return " ".join(parts)


def summary(result: ExperimentResult) -> str:
    """Write the summary: what was run, published beside measured, the table."""
    chosen = result.experiment
    chosen_options = [f"{k} {v}" for k, v in result.options.items() if v != ""]
    options = ", ".join(chosen_options)
    lines = [
        f"# {chosen.name}: {chosen.title}", "", f"Source: {chosen.source}.", "", chosen.about, "",
        f"{result.trials} trials a cell, seed {result.seed}"
        + (f"; options: {options}." if options else "."),
        "", f"    {command(result)}", "",
    ]  # fmt: skip
    if chosen.statements:
        lines += ["## Published and measured", "", *statements(result), ""]
    lines += ["## Measured", "", *measured_table(result.table)]
    return "\n".join(lines) + "\n"


def statements(result: ExperimentResult) -> list[str]:
    """Make a table of what was published, what was measured, and whether they agree."""
    lines = [f"| {STATEMENT_HEAD} |", "|---" * 5 + "|"]
    return lines + [f"| {' | '.join(row)} |" for row in statement_rows(result)]


STATEMENT_HEAD = "statement | measured number | allowed | measured (95% interval) | "


def judged(result: ExperimentResult) -> Iterator[tuple[Statement, tuple[str, ...]]]:
    """Yield each statement, and its cells: text, number, bounds, measured, verdict or mark.

    What is published about other data has no row where the run has no such data.
    """
    for statement in result.experiment.statements:
        found, verdict = statement.judge(result.table)
        if verdict != NOT_RUN or not statement.mark:
            cells = statement.full, statement.what, statement.allowed, interval(found), verdict
            yield statement, cells


def statement_rows(result: ExperimentResult) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each statement."""
    return (cells for _, cells in judged(result))


def interval(found: Measured) -> str:
    """Write a number with its interval."""
    number, low, high = found
    if number != number:
        return "-"
    if not low < high:  # measured once, or on one network alone
        return f"{number:.3g}"
    return f"{number:.3g} ({low:.3g} to {high:.3g})"


def measured_table(table: pd.DataFrame) -> list[str]:
    """Make one row per cell, one column per test or quantity."""
    settings = [str(c) for c in table if c not in FIXED]
    by_cell: dict[tuple[str, ...], dict[str, str]] = {}
    columns: dict[str, None] = {}
    for _, row in table.iterrows():
        cell = tuple("" if row[c] != row[c] else _short(row[c]) for c in settings)
        name = row["test"] if row["measure"] == REJECTIONS else row["measure"]
        if row["test"] and row["measure"] != REJECTIONS:
            name = f"{row['test']}: {row['measure']}"
        center = row["rate"] if row["measure"] == REJECTIONS else row["mean"]
        half = (row["high"] - row["low"]) / 2
        text = f"{center:.3g}" if center == center else "-"
        if half == half:
            text += f" ± {half:.2g}"
        if row["undefined"]:
            text += f" ({row['undefined']} undefined)"
        by_cell.setdefault(cell, {})[name] = text
        columns[name] = None
    lines = [
        "| " + " | ".join([*settings, *columns]) + " |",
        "|---" * (len(settings) + len(columns)) + "|",
    ]
    for cell, values in by_cell.items():
        lines.append("| " + " | ".join([*cell, *(values.get(c, "") for c in columns)]) + " |")
    return lines


def _short(value: object) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    # names come from files: nothing in them may end a cell or start a tag
    return html.escape(" ".join(str(value).split()), quote=False).replace("|", "&#124;")
