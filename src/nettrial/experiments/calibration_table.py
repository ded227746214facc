"""Running calibration cells into a folder, one CSV file a cell, and reading them back.

``python -m nettrial.experiments.calibration_table FOLDER TRIALS REPLICATES WORLD:LABELED ...``
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .. import seeds
from ..errors import InputError
from .calibration import SPLITS, Cell, run_cell
from .calibration_tests import rows
from .worlds import WORLDS

if TYPE_CHECKING:
    import pandas as pd

LABELED = (0.1, 0.2, 0.3, 0.4)
GRID = tuple((world, labeled) for world in WORLDS for labeled in LABELED)


def calibrate(
    cells: Sequence[Cell], folder: str | Path, *, seed: seeds.Seed = 0, n_networks: int = 1000
) -> pd.DataFrame:
    """Run cells and give their table; a cell whose file is there already is not run again.

    Parameters
    ----------
    cells : sequence of Cell
    folder : str or Path
        Made if it does not exist. A cell is written to ``{cell.name}-{seed}.csv`` when it is
        complete.
    seed : int, SeedSequence or Generator
        The same for all cells; with `cell` and the trial's number it decides every number.
    n_networks : int
        Networks from which the handicaps of a cell are found.

    Returns
    -------
    DataFrame
        See `nettrial.experiments.calibration_tests.rows`.
    """
    import pandas as pd

    entropy = seeds.freeze(seed)
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    tables = []
    for cell in cells:
        path = place / f"{cell.name}-{entropy}.csv"
        if not path.exists():
            found = run_cell(cell, seed=entropy, n_networks=n_networks)
            table = pd.DataFrame(rows(cell.world, cell.labeled, cell.differences, SPLITS, found))
            unfinished = path.with_suffix(".part")
            table.to_csv(unfinished, index=False)
            unfinished.replace(path)
        tables.append(pd.read_csv(path))
    return pd.concat(tables, ignore_index=True)


def markdown(table: pd.DataFrame) -> str:
    """Write Type I error and power of every test as a Markdown table, one line a cell and test."""
    lines = [
        "| network | labelled | test | Type I error, k = "
        + " / ".join(map(str, SPLITS))
        + " | power at 4 points | size-adjusted |",
        "|---|---|---|---|---|---|",
    ]
    for (world, labeled, test), group in table.groupby(["world", "labeled", "test"], sort=False):
        null = group[group.difference == 0]
        power = group[(group.difference - 0.04).abs() < 1e-9]
        shown = [
            " / ".join(f"{value:.2f}" for value in values)
            for values in (null.rejected, power.rejected, power.adjusted)
        ]
        lines.append(f"| {world} | {labeled:g} | {test} | {' | '.join(shown)} |")
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> str:
    """Run the cells named on the command line; without names, the whole grid."""
    if len(arguments) < 3:
        raise InputError(
            f"calibration: received {len(arguments)} arguments, needed are FOLDER TRIALS "
            "REPLICATES and cells like lgm300:0.3 (none for the whole grid)"
        )
    folder, trials, replicates, *names = arguments
    chosen = [tuple(name.split(":")) for name in names] or GRID
    cells = [Cell(str(w), float(share), int(trials), int(replicates)) for w, share in chosen]
    return markdown(calibrate(cells, folder))


if __name__ == "__main__":
    sys.stdout.write(main(sys.argv[1:]) + "\n")
