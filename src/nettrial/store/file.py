"""StudyFile: one file that holds the inputs of a run and every unit that was finished."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path
from typing import Any, Self

from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..core.results import jsonable
from ..network.network import Network
from . import database, owners
from .blobs import pack
from .database import sqlite_errors, transaction
from .inputs import DRAWN, MORE, describe_changes
from .splits import AnySplit, pack_split
from .stored_study import StoredStudy, read_facts
from .units import Outcome, Reader, Unit

LARGEST_NETWORK = 2**29  # bytes of links that a study file takes in
TAKE = """
UPDATE units SET state = 'taken', owner = ?, runs = runs + 1
WHERE model = ? AND split = ? AND replicate = ? AND state = 'open'
"""
RUNS = "SELECT runs FROM units WHERE model = ? AND split = ? AND replicate = ?"
END = """
UPDATE units SET state = ?, finished = ?, seconds = ?, error = ?, traceback = ?, warnings = ?,
    result = ?, megabytes = ?, digest = ?, owner = NULL
WHERE model = ? AND split = ? AND replicate = ? AND state != 'done'
"""


@check_arguments
class StudyFile:
    """A study file that is open for work; use it in a ``with`` statement.

    Parameters
    ----------
    path : path
        Made if there is none.
    network : Network
        Kept in the file without its features, so that results can be reported from it.
    splits : sequence of Split or LinkSplit
    models : sequence of str
        Names of the models.
    units : iterable of Unit
        The work to be done this time; the file may hold other units, which stay as they are.
    inputs : mapping
        What `store.inputs.describe_inputs` gives; an existing file must have been made with the
        same. Parts of the names DRAWN and MORE may be left out, or be new to the file.
    analysis : mapping, optional
        How results are to be analyzed; takes the place of what the file held.
    retry : bool
        Whether to run failed units again.

    Raises
    ------
    InputError
        Where the file cannot be used, or was made with other inputs; it says which changed.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        *,
        network: Network,
        splits: Sequence[AnySplit],
        models: Sequence[str],
        units: Iterable[Unit],
        inputs: Mapping[str, Any],
        analysis: Mapping[str, Any] | None = None,
        retry: bool = False,
    ) -> None:
        self.path = Path(path)
        self.units = tuple(units)
        self._mine = frozenset(self.units)
        self._lock = threading.RLock()
        self._stop = threading.Event()
        facts = {
            "inputs": json.dumps(jsonable(inputs)),
            "models": json.dumps(list(models)),
            "begun": now(),
        }
        if not self.path.exists():
            database.create(self.path, lambda new: fill(new, network, splits, facts))
        database.check(self.path)
        with sqlite_errors(self.path), contextlib.ExitStack() as connections:
            joined_inputs(
                self.path, read_facts(self.path)["inputs"], inputs
            )  # before anything is written
            self._safe, self._quick = (
                connections.enter_context(
                    contextlib.closing(database.connect(self.path, durable=durable))
                )
                for durable in (True, False)
            )
            with self._lock, transaction(self._safe) as at:
                before = at.execute("SELECT value FROM facts WHERE name = 'inputs'").fetchone()
                put(at, "inputs", joined_inputs(self.path, before[0], inputs))
                if MORE in inputs:
                    insert(at, "arrays", split_rows(splits), "OR IGNORE")
                if analysis is not None:
                    put(at, "analysis", json.dumps(jsonable(analysis)))
                at.executemany(
                    "INSERT OR IGNORE INTO units (model, split, replicate) VALUES (?, ?, ?)",
                    self.units,
                )
                self.owner = owners.enter(at)
                owners.free_orphans(at)
                if retry:
                    at.execute(
                        "UPDATE units SET state = 'open', error = NULL, traceback = NULL, "
                        "digest = NULL WHERE state = 'failed'"
                    )
            self._connections = connections.pop_all()
        self._beat = threading.Thread(target=self._show_life, daemon=True)
        self._beat.start()

    def _show_life(self) -> None:
        while not self._stop.wait(owners.BEAT):
            # a beat that fails is made up for by the next; work itself tells of broken files
            with contextlib.suppress(sqlite3.Error), self._lock, transaction(self._quick) as at:
                at.execute("UPDATE owners SET seen = ? WHERE owner = ?", (time.time(), self.owner))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        self._beat.join()
        try:
            with self._lock:
                for connection in (self._safe, self._quick):
                    database.abandon(connection)  # else the next one would wait for this process
                with transaction(self._quick) as at:
                    self._free(at)
                    owners.leave(at, self.owner)
        except sqlite3.Error:
            if error[0] is None:  # where work failed already, its error tells more
                raise
        finally:
            self._connections.close()

    def take(self, block: Sequence[Unit]) -> tuple[Unit, ...]:
        """Take those units of a block that are open, so that no other process runs them."""
        with self._lock, sqlite_errors(self.path), transaction(self._quick) as at:
            return tuple(unit for unit in block if at.execute(TAKE, (self.owner, *unit)).rowcount)

    def free(self) -> None:
        """Open again what this process has taken and not finished."""
        with self._lock, sqlite_errors(self.path), transaction(self._quick) as at:
            self._free(at)

    def _free(self, at: sqlite3.Connection) -> None:
        at.execute(
            "UPDATE units SET state = 'open', owner = NULL WHERE state = 'taken' AND owner = ?",
            (self.owner,),
        )

    def taken(self) -> list[Unit]:
        """Return the units that this process has taken and not finished."""
        return self._units("state = 'taken' AND owner = ?", self.owner)

    def open_units(self) -> set[Unit]:
        """Return the units that nobody has taken; those of dead processes are opened first."""
        with self._lock, sqlite_errors(self.path), transaction(self._quick) as at:
            owners.free_orphans(at)
        return set(self._units("state = 'open'"))

    def waits(self) -> bool:
        """Return whether other processes still work on units."""
        return bool(self._units("state = 'taken'"))

    def count_done(self) -> int:
        """Count the units that are done or have failed."""
        return len(self._units("state IN ('done', 'failed')"))

    def reader(self) -> Reader:
        """Return a function that reads the results of units.

        Raises
        ------
        IncompleteStudyError
            Where units failed or are not done.
        """
        study = StoredStudy(self.path)
        study.check_complete(self.units)
        return study.results

    def warned(self) -> Mapping[Unit, tuple[str, ...]]:
        """Return what models warned of, by unit."""
        return StoredStudy(self.path).warned()

    def seconds(self) -> Mapping[Unit, float]:
        """Return the time that units took."""
        return StoredStudy(self.path).seconds()

    def megabytes(self) -> Mapping[Unit, float]:
        """Return the memory that units took, where it was measured."""
        return StoredStudy(self.path).megabytes()

    def _units(self, where: str, *values: Any) -> list[Unit]:
        query = f"SELECT model, split, replicate FROM units WHERE {where} ORDER BY 1, 2, 3"  # noqa: S608
        with self._lock, sqlite_errors(self.path):
            found = [Unit(*row) for row in self._quick.execute(query, values)]
        return [unit for unit in found if unit in self._mine]

    def keep(self, outcomes: Iterable[Outcome]) -> None:
        """Record finished units together; when this returns, they are safe.

        A unit that is done already stays as it is.
        """
        ended = [(found.unit, ending(found)) for found in outcomes]
        with self._lock, sqlite_errors(self.path), transaction(self._safe) as at:
            for unit, values in ended:
                runs = at.execute(RUNS, unit).fetchone()[0]
                digest = database.row_digest(*unit, values[0], runs, *values[1:])
                at.execute(END, (*values, digest, *unit))


def joined_inputs(path: Path, text: str, given: Mapping[str, Any]) -> str:
    """Join the inputs of a file with those given; refuse where a part of both differs."""
    before, now = json.loads(text), json.loads(json.dumps(jsonable(given)))
    once = {part for part in (DRAWN, MORE) if (part in before) != (part in now)}
    changed = describe_changes(
        *({key: part for key, part in parts.items() if key not in once} for parts in (before, now))
    )
    if changed:
        raise InputError(
            f"{path}: was made with other inputs, so that its results do not hold here: "
            f"{changed}; name another file, or put the inputs back"
        )
    return json.dumps(before | now)


def ending(found: Outcome) -> tuple[Any, ...]:
    """Return what is written down of a unit that has ended, but for its key and runs."""
    error = found.error
    return (
        "done" if error is None else "failed",
        now(),
        float(found.seconds),
        None if error is None else f"{type(error).__name__}: {error}",
        found.traceback,
        json.dumps(found.warnings),
        None if found.result is None else pack(found.result),
        found.megabytes,
    )


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def put(at: sqlite3.Connection, name: str, value: str) -> None:
    at.execute("INSERT OR REPLACE INTO facts VALUES (?, ?, ?)", sealed(name, value))


def settle(path: Path, name: str, value: str, stands: Callable[[str], bool]) -> str:
    """Write a fact into a study file unless it holds one that stands; return what it holds then.

    Of several processes that do so at the same time one is first, and all get what it wrote.
    """
    with (
        sqlite_errors(path),
        contextlib.closing(database.connect(path, durable=True)) as connection,
        transaction(connection) as at,
    ):
        before = at.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        if before is not None and stands(before[0]):
            return str(before[0])
        put(at, name, value)
        return value


def sealed(*values: Any) -> tuple[Any, ...]:
    """Return the values of a row with their digest behind."""
    return *values, database.row_digest(*values)


def fill(
    at: sqlite3.Connection,
    network: Network,
    splits: Sequence[AnySplit],
    facts: Mapping[str, str],
) -> None:
    """Write all inputs into a new study file."""
    for table, *row in input_rows(network, splits, facts):
        insert(at, table, [row])


def insert(
    at: sqlite3.Connection, table: str, rows: Iterable[Sequence[Any]], how: str = ""
) -> None:
    """Put sealed rows into one of the tables of inputs."""
    # the names of tables are ours
    at.executemany(f"INSERT {how} INTO {table} VALUES (?, ?, ?)", rows)  # noqa: S608


def split_rows(splits: Sequence[AnySplit]) -> Iterator[tuple[Any, ...]]:
    """Yield the arrays of splits as sealed rows."""
    for number, split in enumerate(splits):
        for name, data in pack_split(split, number):
            yield sealed(name, data)


def input_rows(
    network: Network, splits: Sequence[AnySplit], facts: Mapping[str, str]
) -> Iterator[tuple[Any, ...]]:
    """Yield all inputs as rows, each after the name of its table."""
    parts, reason = network_parts(network)
    for name, value in {**facts, "network missing": reason}.items():
        yield "facts", *sealed(name, value)
    for name, array in parts.items():
        yield "arrays", *sealed(f"network {name}", pack(array))
    yield from (("arrays", *row) for row in split_rows(splits))


def network_parts(network: Network) -> tuple[dict[str, NDArray[Any]], str]:
    """Take a network apart for the file; where the file cannot hold it, say why."""
    from ..io.arrays import to_arrays

    size = 4 * network.links.indices.size
    if size > LARGEST_NETWORK:
        return {}, f"its links take {size / 2**30:.1f} GB"
    try:
        return to_arrays(network, features=False), ""
    except TypeError as error:
        return {}, f"its ids, classes or node columns are of the type {error}"
