"""The calibration grid as an experiment, and its table for the documentation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from .base import Experiment, Figure, Option, Unit
from .calibration import SPLITS, CalibrationCell, run_cell
from .calibration_simulated import WORLD as SIMULATED
from .calibration_simulated import rows as simulated_rows
from .calibration_tests import names, rows
from .domains import WORLDS
from .records import DIFFERENCE, REJECTIONS, Record, Settings

if TYPE_CHECKING:
    import pandas as pd

LABELED = (0.1, 0.2, 0.3, 0.4)
SHORT = (("lgm300", 0.3),)
ADJUSTED = "size-adjusted rejections"
SHOWN = 0.04  # the difference in the table for the documentation
DIFFERENCES = (0.0, 0.02, SHOWN, 0.06, -SHOWN)  # error of wvRN less that of nBC


def _cells(options: Mapping[str, Any]) -> Iterable[Settings]:
    full = tuple((world, labeled) for world in (*WORLDS, SIMULATED) for labeled in LABELED)
    return [
        {"cell": f"{world}, {labeled:.0%} labeled", "world": world, "labeled": labeled}
        for world, labeled in (SHORT if options["grid"] == "short" else full)
    ]


def run(unit: Unit) -> list[Record]:
    """Run all trials of a cell: size-adjusted power needs them together."""
    world, labeled = str(unit.cell["world"]), float(unit.cell["labeled"])
    differences = (0.0, SHOWN) if unit.options["grid"] == "short" else DIFFERENCES
    if world == SIMULATED:  # whose two classifiers are alike: there is one direction
        table = simulated_rows(
            labeled, tuple(d for d in differences if d >= 0), unit.trials, seed=unit.seed
        )
    else:
        cell = CalibrationCell(world, labeled, unit.trials, unit.options["replicates"], differences)
        found = run_cell(cell, seed=unit.seed, n_networks=unit.options["networks"])
        table = rows(world, labeled, differences, SPLITS, found)
    records = []
    for row in table:
        where = {**unit.cell, "n_splits": row["n_splits"], "difference": row["difference"]}
        n, test = row["n_trials"], row["test"]
        for measure, share in ((REJECTIONS, row["rejected"]), (ADJUSTED, row["adjusted"])):
            count = float(round(share * n))
            records.append(Record(where, test, measure, n, count, count))
        if test == "oracle_z":  # one of them, since all say how great the difference is
            squares = (n - 1) * row["sd"] ** 2 + n * row["measured"] ** 2 if n > 1 else 0.0
            records.append(Record(where, "", DIFFERENCE, n, n * row["measured"], squares))
    return records


def markdown(table: pd.DataFrame) -> str:
    """Write what every test did in every cell as a Markdown table, one line per cell and test.

    Parameters
    ----------
    table : DataFrame
        Of the experiment, as `run_experiment` gives it or results.csv holds it.
    """
    lines = [
        "| network | labeled | test | Type I error, k = "
        + " / ".join(map(str, SPLITS))
        + f" | power at {100 * SHOWN:g} points | of oracle_z | size-adjusted"
        + f" | power at {-100 * SHOWN:g} points | of oracle_z |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    tests = table[table["test"].notna() & (table["test"] != "")]
    for (world, labeled), cell in tests.groupby(["world", "labeled"], sort=False):
        known = cell[cell["test"] == "oracle_z"]
        oracle, other_oracle = (_by_splits(known, d, REJECTIONS) for d in (SHOWN, -SHOWN))
        for test, group in cell.groupby("test", sort=False):
            power, other = (_by_splits(group, d, REJECTIONS) for d in (SHOWN, -SHOWN))
            shown = [
                " / ".join(f"{value:.2f}" for value in values) or "–"
                for values in (
                    _by_splits(group, 0.0, REJECTIONS),
                    power,
                    power / oracle,
                    _by_splits(group, SHOWN, ADJUSTED),
                    other,
                    other / other_oracle,
                )
            ]
            lines.append(f"| {world} | {labeled:g} | {test} | {' | '.join(shown)} |")
    return "\n".join(lines)


def _by_splits(group: pd.DataFrame, difference: float, measure: str) -> pd.Series:
    """Return the shares of trials at one true difference, with the number of splits as index."""
    there = ((group["difference"] - difference).abs() < 1e-9) & (group["measure"] == measure)
    rows = group[there].set_index("n_splits")
    return rows["rate"] if measure == REJECTIONS else rows["mean"]


EXPERIMENTS = {
    "calibration": Experiment(
        name="calibration",
        title="Type I error and power of every test",
        source="this project's own grid; docs/user/bootstrap.md says what it showed",
        about="Fresh networks of known domains: latent groups, degree-corrected blocks with "
        "strong and weak communities, heterophilous communities. wvRN against nBC; the "
        "better one is handicapped by turned predictions until the models are equally good "
        "on networks drawn for this, or differ by the difference named. k is the number of "
        "splits, and of folds. Size-adjusted rejections count p-values below the test's own "
        "5% quantile under the null hypothesis. oracle_z knows the true standard error "
        "under the null hypothesis, oracle_own_z that of the very networks it is applied to.",
        trials=1000,
        chunk=10**9,
        cells=_cells,
        run=run,
        figure=Figure(
            "n_splits",
            "number of splits",
            "Type I error",
            lines=("test",),
            panels="cell",
            logarithmic="x",
            only=("difference", 0.0),
        ),
        tests=names,
        options={
            "grid": Option(
                "full", "all domains and label rates, or one for a quick check", ("full", "short")
            ),
            "replicates": Option(100, "networks that the bootstrap draws, of either kind"),
            "networks": Option(1000, "networks from which the handicaps of a cell are found"),
        },
    )
}
