"""What keeps the outcomes of a study: also one that cannot be written and in which all is done."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from ..core.arguments import check_arguments
from ..core.atomic import writable
from ..core.errors import NettrialError
from .file import StudyFile, joined_inputs
from .shard_record import ShardRecord
from .shards import Shard
from .stored_study import StoredStudy, read_facts
from .units import Outcome, Reader, Unit


@check_arguments
class FinishedStudy:
    """A record that has nothing to hand out: every unit is done already.

    Parameters
    ----------
    path : path
    units : iterable of Unit
        The work of this time.

    Raises
    ------
    InputError
        Where the file cannot be read.
    IncompleteStudyError
        Where one of these units is not done.
    """

    def __init__(self, path: str | os.PathLike[str], units: Iterable[Unit]) -> None:
        self.units = tuple(units)
        self._study = StoredStudy(path)
        self._study.check_complete(self.units)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        return None

    def open_units(self) -> set[Unit]:
        """Return no unit."""
        return set()

    def take(self, block: Sequence[Unit]) -> tuple[Unit, ...]:
        """Take no unit."""
        return ()

    def taken(self) -> list[Unit]:
        """Return no unit."""
        return []

    def free(self) -> None:
        """Do nothing."""

    def waits(self) -> bool:
        """Return whether others still work on units: nobody does."""
        return False

    def keep(self, outcomes: Iterable[Outcome]) -> None:
        """Refuse: no unit was handed out."""
        raise NotImplementedError("nothing can be kept in a study that is only read")

    def count_done(self) -> int:
        """Count all units."""
        return len(self.units)

    def reader(self) -> Reader:
        """Return a function that reads the results of units."""
        return self._study.results

    def warned(self) -> Mapping[Unit, tuple[str, ...]]:
        """Return what models warned of, by unit."""
        return self._study.warned()

    def seconds(self) -> Mapping[Unit, float]:
        """Return the time that units took."""
        return self._study.seconds()

    def megabytes(self) -> Mapping[Unit, float]:
        """Return the memory that units took, where it was measured."""
        return self._study.megabytes()


def open_study(
    path: str | os.PathLike[str], *, units: Sequence[Unit], inputs: Mapping[str, Any], **rest: Any
) -> StudyFile | FinishedStudy | ShardRecord:
    """Open a study file or a shard for work; a file that cannot be written for reading.

    Parameters
    ----------
    path, units, inputs, **rest
        As for `StudyFile`.
    """
    if isinstance(path, Shard):
        return ShardRecord(path, units, inputs, retry=rest.get("retry", False))
    place = Path(path)
    if place.is_file() and not writable(place):
        try:
            found = FinishedStudy(place, units)
        except NettrialError:
            pass  # what is wrong with it, the other way tells better
        else:
            joined_inputs(place, read_facts(place)["inputs"], inputs)
            return found
    return StudyFile(place, units=units, inputs=inputs, **rest)
