"""Shards: a study in a folder of plain files, each written by one process on its own machine.

The folder holds ``plan.jsonl``, what a study file holds beside results and the list of all units,
and one file a shard. No two processes write the same file, and each file is written whole, so that
the folder may lie on a network file system, or be put together from copies.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..network import Network
from ..results import jsonable
from ..splits.base import Split
from .database import row_digest
from .file import ending, input_rows, joined_inputs, now, sealed
from .inputs import changes_told
from .sealed_lines import read_header, read_lines, write_lines
from .stored import Record, result_of, sound, unit_name
from .units import ALL, Expected, IncompleteStudyError, Outcome, Reader, Unit

FORM = re.compile(r"\s*(\d{1,9})\s*/\s*(\d{1,9})\s*")
SHARD, PLAN = "shard", "plan of shards"
PLAN_FILE = "plan.jsonl"
EVERY = 60.0  # seconds of work after which a shard is written again
SHARE = 20  # times as long as writing took, at least, until it is written again
SHOWN = 8  # shards that a message lists


@dataclass(frozen=True, slots=True)
class Shard:
    """One share of a study, as the path of its file.

    Attributes
    ----------
    folder : Path
        Of all shards.
    number, of : int
        Which of how many, from 1 on.
    """

    folder: Path
    number: int
    of: int

    @classmethod
    def named(cls, text: str, folder: str | PathLike[str]) -> Shard:
        """Read which shard of how many.

        Raises
        ------
        InputError
            Where it is not written I/N, with I from 1 to N.

        Examples
        --------
        >>> Shard.named("3/16", "shards").number
        3
        """
        found = FORM.fullmatch(text)
        number, of = (int(found[1]), int(found[2])) if found else (0, 0)
        if not 1 <= number <= of:
            raise InputError(
                f"shard: expected I/N with I from 1 to N, as 3/16, got {text!r}; an array of jobs "
                "that counts from 1 gives such numbers"
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
    """All units of a study by when they can run.

    Attributes
    ----------
    first : tuple of Unit
        At once.
    second : tuple of Unit
        When the first round has been run by all shards: what these drew decides what is drawn.
    """

    first: tuple[Unit, ...]
    second: tuple[Unit, ...] = ()


class Plan:
    """What the shards of a folder have in common, read from its plan.

    Parameters
    ----------
    folder : path

    Raises
    ------
    InputError
        Where there is none, or it is damaged.
    """

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
        with sound(self.path):
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
        every = [Shard(self.folder, number, self.of) for number in range(1, self.of + 1)]
        found = [shard for shard in every if shard.path.exists()]
        known = {shard.path for shard in found}
        for path in sorted(self.folder.glob("shard-*.jsonl")):
            if path not in known:
                raise InputError(
                    f"{path}: is none of the {self.of} shards of {self.path}; keep each study in a "
                    "folder of its own"
                )
        return found

    def rows(self, shard: Shard) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a shard: unit, state and so on, as in a study file.

        Raises
        ------
        InputError
            Where the file is damaged or belongs to another study.
        """
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
    splits: Sequence[Split],
    models: Sequence[str],
    rounds: Rounds,
    inputs: Mapping[str, Any],
    analysis: Mapping[str, Any],
) -> Plan:
    """Write the plan of a folder where there is none; refuse one of another study.

    Raises
    ------
    InputError
        Where the folder cannot be used, or was begun with other inputs, other settings or another
        number of shards; it says which changed.
    """
    told, how = (json.dumps(jsonable(given)) for given in (inputs, analysis))
    path = shard.folder / PLAN_FILE
    if not path.exists():
        _write_plan(path, shard.of, network, splits, models, rounds, told, how)
    plan = Plan(shard.folder)
    if plan.of != shard.of:
        raise InputError(
            f"{shard.folder}: was begun as {plan.of} shards, got shard {shard}; keep their number "
            "(that of an array of jobs is smaller when only some of its tasks run again), or name "
            "another folder"
        )
    joined_inputs(path, plan.facts["inputs"], inputs)
    if changed := changes_told(plan.analysis, json.loads(how)):
        raise InputError(
            f"{shard.folder}: was begun with other settings: {changed}; name another folder, or "
            "put them back"
        )
    return plan


def _write_plan(
    path: Path,
    of: int,
    network: Network,
    splits: Sequence[Split],
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


class ShardRecord:
    """Hands out the units of one shard and keeps what came of them in its file.

    The file is written when work ends, also where it is interrupted, and now and then meanwhile.

    Parameters
    ----------
    shard : Shard
    units : iterable of Unit
        The work of this time; only those that are dealt to the shard are handed out.
    inputs : mapping
        As for `StudyFile`; the plan of the folder must have been made with the same.
    retry : bool
        Whether to run failed units again.

    Raises
    ------
    InputError
        Where the folder has no plan, or that of another study.
    """

    def __init__(
        self,
        shard: Shard,
        units: Iterable[Unit],
        inputs: Mapping[str, Any],
        *,
        retry: bool = False,
    ) -> None:
        self.shard, self.plan = shard, Plan(shard.folder)
        joined_inputs(self.plan.path, self.plan.facts["inputs"], inputs)
        self.units = tuple(units)
        mine = {unit for unit in self.units if self.plan.shard_of[unit] == shard.number}
        rows = self.plan.rows(shard) if shard.path.exists() else ()
        self._rows = {Unit(*row[:3]): tuple(row) for row in rows}
        ended = {
            unit for unit in mine & set(self._rows) if not retry or self._state(unit) == "done"
        }
        self._open, self._done, self._taken = mine - ended, ended, set[Unit]()
        self._saved, self._wait, self._changed = time.monotonic(), EVERY, False

    def _state(self, unit: Unit) -> str:
        return str(self._rows[unit][3])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._save()

    def open_units(self) -> set[Unit]:
        """Return the units of the shard that are not taken."""
        return set(self._open)

    def take(self, block: Sequence[Unit]) -> tuple[Unit, ...]:
        """Take the units of a block that are open."""
        units = tuple(unit for unit in block if unit in self._open)
        self._open.difference_update(units)
        self._taken.update(units)
        return units

    def taken(self) -> list[Unit]:
        """Return the units that are taken and not finished."""
        return sorted(self._taken)

    def free(self) -> None:
        """Open again what is taken and not finished."""
        self._open |= self._taken
        self._taken = set()

    def waits(self) -> bool:
        """Return whether others work on units of this shard: nobody does."""
        return False

    def keep(self, outcomes: Iterable[Outcome]) -> None:
        """Keep finished units."""
        for found in outcomes:
            before = self._rows.get(found.unit)
            state, *rest = ending(found)
            runs = 1 if before is None else int(before[4]) + 1
            self._rows[found.unit] = sealed(*found.unit, state, runs, *rest)
            self._taken.discard(found.unit)
            self._done.add(found.unit)
            self._changed = True
        if time.monotonic() - self._saved >= self._wait:
            self._save()

    def _save(self) -> None:
        if not self._changed:
            return
        start = time.monotonic()
        header = {"nettrial": SHARD, "shard": str(self.shard), "study": self.plan.study}
        rows = (("units", *self._rows[unit]) for unit in sorted(self._rows))
        write_lines(self.shard.path, header, rows)
        self._changed, self._saved = False, time.monotonic()
        self._wait = max(EVERY, SHARE * (self._saved - start))

    def count_done(self) -> int:
        """Count the units that are done or have failed."""
        return len(self._done)

    def reader(self) -> Reader:
        """Return a function that reads the results of units from all shards.

        Raises
        ------
        IncompleteStudyError
            Where units failed or are not done.
        """
        self._save()
        wanted, found = set(self.units), dict[Unit, bytes]()
        for shard in self.plan.shards():
            for row in self.plan.rows(shard):
                if row[3] == "done" and (unit := Unit(*row[:3])) in wanted:
                    found[unit] = row[10]
        if missing := tuple(unit for unit in self.units if unit not in found):
            raise IncompleteStudyError(
                f"{self.shard.folder}: {len(missing)} of {len(self.units)} units are not done",
                missing=missing,
            )

        def read(asked: Iterable[Expected]) -> Iterator[NDArray[Any]]:
            for unit, shape in asked:
                with sound(self.plan.path):
                    yield result_of(found[unit], shape, self.plan.name(unit))

        return read

    def warned(self) -> Mapping[Unit, tuple[str, ...]]:
        """Return what models warned of, by unit of this shard."""
        return {unit: tuple(json.loads(row[9])) for unit, row in self._rows.items()}


class Found(NamedTuple):
    """What a folder of shards holds of one unit."""

    record: Record
    shard: Shard
    content: str


class StoredShards:
    """All shards of a folder, read without changing them and without keeping results.

    Parameters
    ----------
    folder : path

    Raises
    ------
    InputError
        Where the folder holds no shards, a file is damaged or of another study, or two files
        hold different results of one unit.
    """

    def __init__(self, folder: str | PathLike[str]) -> None:
        self.plan = Plan(folder)
        self.found: dict[Unit, Found] = {}
        self._unusable = False
        first = set(self.plan.rounds.first)
        for shard in self.plan.shards():
            for row in self.plan.rows(shard):
                unit = Unit(*row[:3])
                record = Record(unit, *row[3:9])
                new = Found(record, shard, row_digest(row[3], *row[9:11]))
                self._put(unit, new)
                if unit.model == ALL and unit in first and record.state == "done":
                    self._unusable |= self._lacks_numbers(shard, row[10])

    def _put(self, unit: Unit, new: Found) -> None:
        old = self.found.get(unit)
        if old is None or old.record.state != "done":
            self.found[unit] = new
        elif new.record.state == "done" and new.content != old.content:
            raise InputError(
                f"{old.shard.path} and {new.shard.path} hold different results of "
                f"{self.plan.name(unit)}, which a model that is not settled by its seed would give "
                "on different machines; remove one of the two files"
            )

    def _lacks_numbers(self, shard: Shard, blob: bytes) -> bool:
        from .blobs import unpack

        with sound(shard.path):
            return bool(np.isnan(unpack(blob)).any())

    def units(self) -> tuple[Unit, ...]:
        """Return all units that the study needs.

        Where networks were drawn that cannot be used, none of the second round are: `compare`
        says so, or takes another test.
        """
        first, second = self.plan.rounds
        return first if self._unusable else first + second

    def records(self) -> list[Record]:
        """Return what is known of every unit, in order."""
        return [
            self.found[unit].record
            if unit in self.found
            else Record(unit, "open", 0, None, None, None, None)
            for unit in self.units()
        ]

    def wanting(self) -> dict[int, tuple[int, int]]:
        """Return, for every shard that is not complete, how many units are open and failed."""
        counts: dict[int, tuple[int, int]] = {}
        for record in self.records():
            if record.state != "done":
                number = self.plan.shard_of[record.unit]
                still, failed = counts.get(number, (0, 0))
                failed += record.state == "failed"
                counts[number] = (still + (record.state != "failed"), failed)
        return dict(sorted(counts.items()))

    def next_step(self) -> str:
        """Return what is to be run next; nothing where all is done."""
        wanting = self.wanting()
        if not wanting:
            return ""
        open_first = [
            unit
            for unit in self.plan.rounds.first
            if unit not in self.found or self.found[unit].record.state != "done"
        ]
        ready = {self.plan.shard_of[unit] for unit in open_first} or set(wanting)
        names = [f"{number}/{self.plan.of}" for number in sorted(ready)]
        more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        again = ", ".join(names[:SHOWN]) + more
        retry = " and retry (--retry) when the cause is removed" if self.has_failed() else ""
        told = f"run the same command with shard (--shard) {again}{retry}"
        if not open_first:
            return f"the second round of drawn networks is due: {told}"
        if self.plan.rounds.second and not self._unusable:
            told += "; then all shards once more, for the second round of drawn networks"
        return told

    def has_failed(self) -> bool:
        """Return whether a unit failed."""
        return any(found.record.state == "failed" for found in self.found.values())
