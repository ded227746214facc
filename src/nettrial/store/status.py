"""How far a study has come."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import Any

from ..arguments import check_arguments
from ..results import Result
from .stored import StoredStudy


@dataclass(frozen=True, slots=True)
class StudyStatus(Result):
    """How far a study has come.

    Attributes
    ----------
    path : str
        The file.
    begun : str
        When it was made (UTC).
    models : tuple of str
        Names of the models.
    splits, units, done, failed, running, open : int
        Number of splits and of units in each state.
    seconds_per_unit : float or None
        Mean time of the finished units.
    seed : int
        The frozen seed.
    failures : tuple of str
        Each failed unit and its error.
    tracebacks : tuple of str
        Where each of them failed.
    """

    path: str
    begun: str
    models: tuple[str, ...]
    splits: int
    units: int
    done: int
    failed: int
    running: int
    open: int
    seconds_per_unit: float | None
    seed: Any
    failures: tuple[str, ...]
    tracebacks: tuple[str, ...]

    def __str__(self) -> str:
        states = [(self.done, "done"), (self.failed, "failed"), (self.running, "running"),
                  (self.open, "open")]  # fmt: skip
        counted = ", ".join(f"{count} {word}" for count, word in states if count)
        lines = [
            f"{self.path}, begun {self.begun}, seed {self.seed}",
            f"models {', '.join(self.models)} on {self.splits} splits",
            f"{self.units} units: {counted}",
        ]
        if self.seconds_per_unit is not None:
            left = (self.running + self.open) * self.seconds_per_unit
            lines.append(f"{self.seconds_per_unit:.3g} s a unit; {left:.3g} s of work left")
        for failure, traceback in zip(self.failures, self.tracebacks):
            lines += ["", f"failed: {failure}", traceback.rstrip()]
        return "\n".join(lines)


@check_arguments
def study_status(path: str | PathLike[str]) -> StudyStatus:
    """Return the progress of a study; the file is only read.

    Parameters
    ----------
    path : path

    Raises
    ------
    InputError
        Where the file is missing, damaged or no study file.
    """
    study = StoredStudy(path)
    records = study.records()
    count = {
        state: sum(record.state == state for record in records)
        for state in ("done", "failed", "taken", "open")
    }
    times = [record.seconds for record in records if record.state == "done" and record.seconds]
    running = study.running()  # a killed process leaves units behind that nobody works at
    failed = [record for record in records if record.state == "failed"]
    return StudyStatus(
        path=str(study.path),
        begun=study.begun,
        models=study.models,
        splits=study.n_splits,
        units=len(records),
        done=count["done"],
        failed=count["failed"],
        running=running,
        open=count["taken"] + count["open"] - running,
        seconds_per_unit=sum(times) / len(times) if times else None,
        seed=study.inputs.get("seed"),
        failures=tuple(f"{study.name(record.unit)}: {record.error}" for record in failed),
        tracebacks=tuple(record.traceback or "" for record in failed),
    )
