"""Run an experiment: cells in parallel, every unit of work kept, goes on where it stopped."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..core import seeds
from ..core.arguments import check_arguments
from ..core.atomic import whole_file
from ..core.errors import InputError
from ..core.plain_text import harmless
from ..core.progress import Progress
from ..core.version import __version__
from ..splits.checks import MOST, check_count
from .base import Experiment, Unit
from .records import Record
from .registry import experiment
from .result import ExperimentResult, summary
from .tables import tabulate

UNITS = "units.jsonl"


@check_arguments
def run_experiment(
    name: str,
    *,
    trials: int | None = None,
    seed: seeds.Seed = 0,
    tests: Iterable[str] = (),
    options: Mapping[str, Any] | None = None,
    out: str | Path | None = None,
    n_jobs: int | None = None,
) -> ExperimentResult:
    """Run a named experiment.

    Parameters
    ----------
    name : str
        See `nettrial.experiments.names`.
    trials : int, optional
        Trials of each cell; by default the full size.
    seed : int, SeedSequence or Generator
        Random seed.
    tests : iterable of str
        Tests to apply beside the experiment's own, such as "wilcoxon", "nadeau_bengio",
        "cluster_robust_t", "cluster_sign_flip", "bootstrap".
    options : mapping, optional
        Readings of doubtful points by name.
    out : path, optional
        A folder for results.csv, figure.png, figure.svg and summary.md. What is done is kept
        there, so that an interrupted run goes on when it is started again.
    n_jobs : int, optional
        Number of workers, by default one, or what an enclosing ``joblib.parallel_config`` says;
        the result does not depend on it. Threads unless that names another backend, since the
        simulations are compiled.

    Returns
    -------
    ExperimentResult

    Raises
    ------
    InputError
        For an unknown name, test or option, or a folder that holds another run.

    Examples
    --------
    >>> result = run_experiment("icdm09-fig1a", trials=50, seed=1)
    >>> rows = result.table.query("design == 'RRS' and labeled == 0.1 and test == 'paired t'")
    >>> bool(rows["rate"].max() > 0.2)
    True
    """
    from joblib import Parallel, delayed

    chosen = experiment(name)
    name = chosen.name
    trials = chosen.trials if trials is None else trials
    check_count("run_experiment", "trials", trials, 1, MOST)
    entropy = seeds.freeze(seed)
    applied = chosen.read_tests(tests)
    settings = chosen.read_options(options or {})
    units = list(_units(chosen, trials, entropy, applied, settings))
    run = {"experiment": name, "trials": trials, "seed": entropy, "tests": list(applied),
           "options": settings, "version": __version__}  # fmt: skip
    kept = _Kept(None if out is None else Path(out), run)
    todo = [i for i in range(len(units)) if i not in kept.records]
    with Progress(name, total=len(units)) as progress, kept:
        progress.advance(len(units) - len(todo))
        workers = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator_unordered")
        for i, records in workers(delayed(_run)(chosen.run, i, units[i]) for i in todo):
            kept.add(i, records)
            progress.advance()
    records = [record for i in range(len(units)) for record in kept.records[i]]
    batches = [units[i].first for i in range(len(units)) for _ in kept.records[i]]
    table = tabulate(name, records, batches if chosen.same_networks else ())
    result = ExperimentResult(chosen, trials, entropy, applied, settings, table)
    if out is not None:
        _write(result, Path(out))
    return result


def _write(result: ExperimentResult, out: Path) -> None:
    """Write results.csv, figure.png, figure.svg and summary.md."""
    from .figures import save

    out.mkdir(parents=True, exist_ok=True)
    with whole_file(out / "results.csv") as draft:
        result.table.drop(columns="blocks").map(harmless).to_csv(draft, index=False)
    save(result, out)
    with whole_file(out / "summary.md") as draft:
        draft.write_text(summary(result), encoding="utf-8")


def _units(
    chosen: Experiment, trials: int, seed: int, tests: tuple[str, ...], options: dict[str, Any]
) -> Iterable[Unit]:
    for number, cell in enumerate(chosen.cells(options)):
        for first in range(0, trials, chosen.chunk):
            size = min(chosen.chunk, trials - first)
            yield Unit(cell, number, first, size, seed, tests, options)


def _run(run: Any, number: int, unit: Unit) -> tuple[int, list[Record]]:
    return number, run(unit)


class _Kept:
    """Units that are done: in memory, and in a file of one line per unit if there is a folder."""

    def __init__(self, out: Path | None, run: dict[str, Any]) -> None:
        self.records: dict[int, list[Record]] = {}
        self._path = None if out is None else out / UNITS
        self._file: Any = None
        if self._path is None:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        whole = self._read(run)
        # what follows the last whole line was cut off while it was written
        with self._path.open("r+b" if self._path.exists() else "wb") as file:
            file.truncate(whole)
            if whole == 0:
                file.write(_line(run))

    def _read(self, run: dict[str, Any]) -> int:
        """Read the units that are done; gives the length of the whole lines."""
        if self._path is None or not self._path.exists():
            return 0
        content = self._path.read_bytes()
        whole = content.rfind(b"\n") + 1
        lines = content[:whole].splitlines()
        if not lines:
            return 0
        before = json.loads(lines[0])
        other = [key for key in run if before.get(key) != json.loads(_line(run))[key]]
        if other:
            note = ", ".join(f"{key} {before.get(key)!r} instead of {run[key]!r}" for key in other)
            raise InputError(
                f"{self._path.parent} holds a run with {note}",
                parameter="out",
                hint=f"give another folder, or remove {UNITS} there",
            )
        for line in lines[1:]:
            number, records = json.loads(line)
            self.records[number] = [Record(*fields) for fields in records]
        return whole

    def __enter__(self) -> _Kept:
        if self._path is not None:
            self._file = self._path.open("ab")
        return self

    def __exit__(self, *error: object) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, number: int, records: list[Record]) -> None:
        """Keep a unit; it is on the disk when this returns."""
        self.records[number] = records
        if self._file is not None:
            self._file.write(_line([number, [dataclasses.astuple(r) for r in records]]))
            self._file.flush()
            os.fsync(self._file.fileno())


def _line(value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"
