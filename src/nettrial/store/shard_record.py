"""What keeps the outcomes of one shard."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Self

from numpy.typing import NDArray

from .file import ending, joined_inputs, sealed
from .sealed_lines import write_lines
from .shards import SHARD, Shard, ShardPlan
from .stored_study import integrity_errors, result_of
from .unit_pool import UnitPool
from .units import Expected, IncompleteStudyError, Outcome, Reader, Unit

EVERY = 60.0  # seconds of work after which a shard is written again
SHARE = 20  # times as long as writing took, at least, until it is written again


class ShardRecord(UnitPool):
    """Hands out the units of one shard and keeps what came of them in its file.

    The file is written when work ends, also where it is interrupted, and now and then meanwhile.

    Parameters
    ----------
    units : iterable of Unit
        The work of this time; only those that are dealt to the shard are handed out.
    inputs : mapping
        As for `StudyFile`; the plan of the folder must have been made with the same.
    retry : bool
        Whether to run failed units again.
    """

    def __init__(
        self,
        shard: Shard,
        units: Iterable[Unit],
        inputs: Mapping[str, Any],
        *,
        retry: bool = False,
    ) -> None:
        self.shard, self.plan = shard, ShardPlan(shard.folder)
        joined_inputs(self.plan.path, self.plan.facts["inputs"], inputs)
        self.units = tuple(units)
        mine = {unit for unit in self.units if self.plan.shard_of[unit] == shard.number}
        rows = self.plan.rows(shard) if shard.path.exists() else ()
        self._rows = {Unit(*row[:3]): tuple(row) for row in rows}
        ended = {
            unit for unit in mine & set(self._rows) if not retry or self._state(unit) == "done"
        }
        super().__init__(mine - ended)
        self._done = ended
        self._saved, self._wait, self._changed = time.monotonic(), EVERY, False

    def _state(self, unit: Unit) -> str:
        return str(self._rows[unit][3])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._save()

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
        """Return a function that reads the results of units from all shards."""
        self._save()
        # where the file of one is not there yet, there is no need to read those that are
        shards = self.plan.shards()
        all_there = {self.plan.shard_of[unit] for unit in self.units} <= {s.number for s in shards}
        wanted, found = set(self.units), dict[Unit, bytes]()
        for shard in shards if all_there else ():
            for row in self.plan.rows(shard):
                if row[3] == "done" and (unit := Unit(*row[:3])) in wanted:
                    found[unit] = row[10]
        if missing := tuple(unit for unit in self.units if unit not in found):
            raise IncompleteStudyError(
                f"{self.shard.folder}: units of other shards are not done",
                missing=missing,
            )

        def read(asked: Iterable[Expected]) -> Iterator[NDArray[Any]]:
            for unit, shape in asked:
                with integrity_errors(self.plan.path):
                    yield result_of(found[unit], shape, self.plan.name(unit))

        return read

    def warned(self) -> Mapping[Unit, tuple[str, ...]]:
        return {unit: tuple(json.loads(row[9])) for unit, row in self._rows.items()}

    def seconds(self) -> Mapping[Unit, float]:
        """Return the time that units of this shard took."""
        return {unit: float(row[6]) for unit, row in self._rows.items()}

    def megabytes(self) -> Mapping[Unit, float]:
        """Return the memory that units of this shard took, where it was measured."""
        return {unit: float(row[11]) for unit, row in self._rows.items() if row[11] is not None}
