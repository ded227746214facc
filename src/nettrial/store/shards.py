"""Shards: a study in a folder of plain files, each written by one process on its own machine.

The folder holds ``plan.jsonl``, what a study file holds beside results and the list of all units,
and one file per shard. No two processes write the same file, and each file is written whole, so
the folder may lie on a network file system, or be put together from copies.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from ..core.errors import InputError, shown
from ..core.results import jsonable
from ..network.network import Network
from .database import row_digest
from .file import input_rows, joined_inputs, now
from .inputs import describe_changes
from .sealed_lines import read_header, read_lines, write_lines
from .splits import AnySplit
from .stored_study import integrity_errors, unit_name
from .units import Unit

FORM = re.compile(r"\s*(\d{1,9})\s*/\s*(\d{1,9})\s*")
NAME = re.compile(r"shard-([1-9]\d{0,8})-of-(\d{1,9})\.jsonl")
SHARD, PLAN = "shard", "plan of shards"
PLAN_FILE = "plan.jsonl"


@dataclass(frozen=True, slots=True)
class Shard:
    """One share of a study, as the path of its file."""

    folder: Path  # of all shards
    # number, of: which of how many, from 1 on
    number: int
    of: int

    @classmethod
    def named(cls, text: str, folder: str | PathLike[str]) -> Shard:
        """Read which shard of how many.

        Examples
        --------
        >>> Shard.named("3/16", "shards").number
        3
        """
        found = FORM.fullmatch(text)
        number, of = (int(found[1]), int(found[2])) if found else (0, 0)
        if not 1 <= number <= of:
            raise InputError(
                parameter="shard",
                expected="I/N with I from 1 to N, as 3/16",
                got=shown(text),
                hint="an array of jobs that counts from 1 gives such numbers",
            )
        return cls(Path(folder), number, of)

    @property
    def path(self) -> Path:
        """Its file."""
        return self.folder / f"shard-{self.number}-of-{self.of}.jsonl"

    def __fspath__(self) -> str:
        return str(self.path)

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


class Rounds(NamedTuple):
    """All units of a study by when they can run."""

    first: tuple[Unit, ...]  # at once
    # when the first round has been run by all shards: what these drew decides what is drawn
    second: tuple[Unit, ...] = ()


class ShardPlan:
    """What the shards of a folder have in common, read from its plan."""

    def __init__(self, folder: str | PathLike[str]) -> None:
        self.folder = Path(folder)
        self.path = self.folder / PLAN_FILE
        if not self.path.exists():
            raise InputError(
                f"{self.folder}: holds no {PLAN_FILE}, so it is no folder of shards; name the "
                "folder that `nettrial compare --shard I/N --store FOLDER` wrote"
            )
        header = read_header(self.path, PLAN)
        self.facts = {name: value for name, value, _ in read_lines(self.path, PLAN, "facts")}
        with integrity_errors(self.path):
            self.of, self.study = int(header["of"]), str(header["study"])
            self.inputs: dict[str, Any] = json.loads(self.facts["inputs"])
            self.analysis: dict[str, Any] = json.loads(self.facts["analysis"])
            self.models = tuple(map(str, json.loads(self.facts["models"])))
            self.rounds = Rounds(
                *(tuple(Unit(*unit) for unit in one) for one in json.loads(self.facts["rounds"]))
            )
            if self.study != _digest(self.facts["inputs"], self.facts["analysis"]):
                raise ValueError("its digest differs")

    @cached_property
    def shard_of(self) -> dict[Unit, int]:
        """Which shard runs each unit: they are dealt in turn, so that all get of every model."""
        units = [*self.rounds.first, *self.rounds.second]
        return {unit: 1 + place % self.of for place, unit in enumerate(units)}

    def shards(self) -> list[Shard]:
        """Return the shards of which there is a file."""
        found = []
        for path in self.folder.glob("shard-*.jsonl"):
            named = NAME.fullmatch(path.name)
            if not named or int(named[2]) != self.of or not 1 <= int(named[1]) <= self.of:
                raise InputError(
                    f"{path}: is none of the {self.of} shards of {self.path}; keep each study in a "
                    "folder of its own"
                )
            found.append(Shard(self.folder, int(named[1]), self.of))
        return sorted(found, key=lambda shard: shard.number)

    def rows(self, shard: Shard) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a shard: unit, state and so on, as in a study file."""
        if read_header(shard.path, SHARD).get("study") != self.study:
            raise InputError(
                f"{shard.path}: belongs to another study than {self.path} (other settings, models "
                "or network); keep each study in a folder of its own"
            )
        for row in read_lines(shard.path, SHARD, "units"):
            if Unit(*row[:3]) not in self.shard_of:
                raise InputError(f"{shard.path}: holds a unit that the study does not have")
            yield row

    def name(self, unit: Unit) -> str:
        """Describe a unit in words."""
        return unit_name(unit, self.models)


def begin(
    shard: Shard,
    *,
    network: Network,
    splits: Sequence[AnySplit],
    models: Sequence[str],
    rounds: Rounds,
    inputs: Mapping[str, Any],
    analysis: Mapping[str, Any],
) -> ShardPlan:
    """Write the plan of a folder where there is none; refuse one of another study."""
    note, how = (json.dumps(jsonable(given)) for given in (inputs, analysis))
    path = shard.folder / PLAN_FILE
    if not path.exists():
        _write_plan(path, shard.of, network, splits, models, rounds, note, how)
    plan = ShardPlan(shard.folder)
    if plan.of != shard.of:
        raise InputError(
            f"{shard.folder}: was begun as {plan.of} shards, got shard {shard}; keep their number "
            "(that of an array of jobs is smaller when only some of its tasks run again), or name "
            "another folder"
        )
    joined_inputs(path, plan.facts["inputs"], inputs)
    if changed := describe_changes(plan.analysis, json.loads(how)):
        raise InputError(
            f"{shard.folder}: was begun with other settings: {changed}; name another folder, or "
            "put them back"
        )
    return plan


def _write_plan(
    path: Path,
    of: int,
    network: Network,
    splits: Sequence[AnySplit],
    models: Sequence[str],
    rounds: Rounds,
    inputs: str,
    analysis: str,
) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"{path.parent}: cannot be a folder of shards ({error.strerror}); name another"
        ) from error
    facts = {
        "inputs": inputs,
        "models": json.dumps(list(models)),
        "begun": now(),
        "analysis": analysis,
        "rounds": json.dumps(rounds),
    }
    rows = input_rows(network, splits, facts)
    header = {"nettrial": PLAN, "of": of, "study": _digest(inputs, analysis)}
    try:
        write_lines(path, header, rows, replace=False)
    except InputError:
        if not path.exists():  # else another shard has written it meanwhile
            raise


def _digest(inputs: str, analysis: str) -> str:
    return row_digest(inputs, analysis)
