"""All shards of a folder, read without changing them."""

from __future__ import annotations

from os import PathLike
from typing import NamedTuple

import numpy as np

from ..core.errors import InputError
from .blobs import LARGEST, unpack
from .database import row_digest
from .shards import Shard, ShardPlan
from .stored_study import UnitRecord, integrity_errors
from .units import ALL, Unit

SHOWN = 8  # shards that a message lists
LEAST = 64  # splits of a drawn network beyond those of the network itself, at most


class Found(NamedTuple):
    """What a folder of shards holds of one unit."""

    record: UnitRecord
    shard: Shard
    content: str


class StoredShards:
    """All shards of a folder, read without changing them and without keeping results."""

    def __init__(self, folder: str | PathLike[str]) -> None:
        self.plan = ShardPlan(folder)
        self.found: dict[Unit, Found] = {}
        self._unusable = False
        first = set(self.plan.rounds.first)
        for shard in self.plan.shards():
            for row in self.plan.rows(shard):
                unit = Unit(*row[:3])
                record = UnitRecord(unit, *row[3:9])
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
        with integrity_errors(shard.path):
            models, nodes = len(self.plan.models), int(self.plan.inputs["network"]["nodes"])
            splits = int(self.plan.inputs["splits"]["number"]) + LEAST
            numbers = models * splits + (1 + models) * nodes  # more than any row has
            return bool(np.isnan(unpack(blob, largest=min(8 * numbers, LARGEST))).any())

    def units(self) -> tuple[Unit, ...]:
        """Return all units that the study needs.

        Where networks were drawn that cannot be used, none of the second round are: `compare`
        says so, or takes another test.
        """
        first, second = self.plan.rounds
        return first if self._unusable else first + second

    def records(self) -> list[UnitRecord]:
        """Return what is known of every unit, in order."""
        return [
            self.found[unit].record
            if unit in self.found
            else UnitRecord(unit, "open", 0, None, None, None, None)
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
        failed = any(found.record.state == "failed" for found in self.found.values())
        retry = " and retry (--retry) when the cause is removed" if failed else ""
        note = f"run the same command with shard (--shard) {again}{retry}"
        if not open_first:
            return f"the second round of drawn networks is due: {note}"
        if self.plan.rounds.second and not self._unusable:
            note += "; then all shards once more, for the second round of drawn networks"
        return note
