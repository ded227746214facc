"""How far a study has come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from ..core.arguments import check_arguments
from ..core.results import Result
from ..core.wording import plural
from .stored_shards import StoredShards
from .stored_study import StoredStudy, UnitRecord
from .units import Unit

LISTED = 20  # shards that are not complete


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
        The seed of the comparison, frozen, or of a study by `nettrial.run` its own.
    failures : tuple of str
        Each failed unit and its error.
    tracebacks : tuple of str
        Where each of them failed.
    shards : int
        Number of shards; 0 for a study file.
    wanting : mapping of int to (int, int)
        For every shard that is not complete, how many of its units are open and failed.
    next_step : str
        What is to be run next; nothing for a study file, or where all is done.
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
    shards: int = 0
    wanting: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    next_step: str = ""

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
            left = (self.units - self.done) * self.seconds_per_unit
            lines.append(f"{self.seconds_per_unit:.3g} s a unit; {left:.3g} s of work left")
        if self.shards:
            complete = self.shards - len(self.wanting)
            lines.append(f"{complete} of {plural(self.shards, 'shard')} complete")
            listed = list(self.wanting.items())
            for number, (still, bad) in listed[:LISTED]:
                counts = [f"{count} {word}" for count, word in ((still, "open"), (bad, "failed"))
                          if count]  # fmt: skip
                lines.append(f"  shard {number}/{self.shards}: {', '.join(counts)}")
            if len(listed) > LISTED:
                lines.append(f"  and {len(listed) - LISTED} more")
            step = self.next_step or "all is done: nettrial merge FOLDER FILE makes a study file"
            lines.append(step)
        for failure, traceback in zip(self.failures, self.tracebacks):
            lines += ["", f"failed: {failure}", traceback.rstrip()]
        return "\n".join(lines)


@check_arguments
def study_status(path: str | PathLike[str]) -> StudyStatus:
    """Return the progress of a study; nothing is written.

    Parameters
    ----------
    path : path
        A study file, or a folder of shards.

    Raises
    ------
    InputError
        Where it is missing, damaged or no study.
    """
    if Path(path).is_dir():
        return _status_of_shards(path)
    study = StoredStudy(path)
    return StudyStatus(
        path=str(study.path),
        begun=study.begun,
        models=study.models,
        splits=study.n_splits,
        seed=study.analysis.get("seed", study.inputs.get("seed")),
        **_counted(study.records(), study.name),
    )


def _status_of_shards(folder: str | PathLike[str]) -> StudyStatus:
    found = StoredShards(folder)
    plan = found.plan
    return StudyStatus(
        path=str(plan.folder),
        begun=plan.facts["begun"],
        models=plan.models,
        splits=plan.inputs["splits"]["number"],
        seed=plan.analysis.get("seed", plan.inputs.get("seed")),
        shards=plan.of,
        wanting=found.wanting(),
        next_step=found.next_step(),
        **_counted(found.records(), plan.name),
    )


def _counted(records: Sequence[UnitRecord], name: Callable[[Unit], str]) -> dict[str, Any]:
    """Count the units of every state and list those that failed."""
    count = Counter(record.state for record in records)
    times = [record.seconds for record in records if record.state == "done" and record.seconds]
    failed = [record for record in records if record.state == "failed"]
    return {
        "units": len(records),
        "done": count["done"],
        "failed": count["failed"],
        "running": count["taken"],
        "open": count["open"],
        "seconds_per_unit": sum(times) / len(times) if times else None,
        "failures": tuple(f"{name(record.unit)}: {record.error}" for record in failed),
        "tracebacks": tuple(record.traceback or "" for record in failed),
    }
