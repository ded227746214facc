"""Shards joined to one study file."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from ..core.arguments import check_arguments
from ..core.atomic import check_place
from . import database
from .file import insert
from .sealed_lines import read_lines
from .shards import PLAN
from .status import StudyStatus, study_status
from .stored_shards import StoredShards
from .units import IncompleteStudyError

SHOWN = 3  # failed units that a message lists
UNIT = """
INSERT INTO units (model, split, replicate, state, runs, finished, seconds, error, traceback,
    warnings, result, megabytes, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""


@check_arguments
def merge_shards(folder: str | PathLike[str], file: str | PathLike[str]) -> StudyStatus:
    """Check the shards of a folder and join them to a study file.

    The file is what a run in one piece with the same settings writes, but for times: comparisons
    from it have the same numbers to the last bit.

    Parameters
    ----------
    folder : path
        Where `compare_shard` wrote; it stays as it is.
    file : path
        The study file to be made; nothing is overwritten. It belongs on a local disk, since
        SQLite's log does not work over network file systems.

    Returns
    -------
    StudyStatus
        Of the file.

    Raises
    ------
    InputError
        Where a file is damaged or of another study, two shards hold different results of one
        unit, or the study file cannot be made.
    IncompleteStudyError
        Where units failed or are missing; names the shards that have to run.
    """
    place = check_place(Path(file), replace=False)
    shards = StoredShards(folder)
    _check_complete(shards)
    plan = shards.plan

    def rows() -> Iterator[tuple[Any, ...]]:
        wanted = set(shards.units())
        for shard in plan.shards():
            for row in plan.rows(shard):
                unit = row[:3]
                if unit in wanted and shards.found[unit].shard == shard:
                    yield row

    def fill(at: Any) -> None:
        for table in ("facts", "arrays"):
            insert(at, table, read_lines(plan.path, PLAN, table))
        at.executemany(UNIT, rows())

    database.create(place, fill)
    return study_status(place)


def _check_complete(shards: StoredShards) -> None:
    """Refuse shards that do not make a whole study."""
    records = shards.records()
    failed = [record for record in records if record.state == "failed"]
    missing = [record.unit for record in records if record.state == "open"]
    if not failed and not missing:
        return
    name, folder = shards.plan.name, shards.plan.folder
    counts = [f"{len(failed)} failed"] * bool(failed) + [f"{len(missing)} missing"] * bool(missing)
    note = f"{folder}: of {len(records)} units {' and '.join(counts)}"
    listed = [f"{name(record.unit)} ({record.error})" for record in failed[:SHOWN]]
    note += f" ({'; '.join(listed)})" if listed else ""
    raise IncompleteStudyError(
        f"{note}: {shards.next_step()}. What is done is kept",
        tuple(record.unit for record in failed),
        tuple(missing),
    )
