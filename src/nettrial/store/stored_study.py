"""What a study file holds, read without changing it."""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ..network.network import Network
from . import database, owners
from .blobs import unpack
from .database import sqlite_errors
from .inputs import MORE
from .splits import OF_LINKS, AnySplit, unpack_split
from .units import ALL, Expected, IncompleteStudyError, Unit

T = TypeVar("T")
SHOWN = 5  # failed units that a message lists
# of a unit that has ended the digest covers all that stands before it, in this order
ROWS = (
    "SELECT model, split, replicate, state, runs, finished, seconds, error, traceback, warnings, "
    "result, megabytes, digest FROM units"
)


class UnitRecord(NamedTuple):
    """One row of the table of units, without its result."""

    unit: Unit
    state: str
    runs: int
    finished: str | None
    seconds: float | None
    error: str | None
    traceback: str | None


@contextlib.contextmanager
def integrity_errors(path: Path) -> Iterator[None]:
    """Turn what is wrong inside a study file into one error that names it."""
    try:
        yield
    except (InputError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise InputError(f"{path}: is damaged: {error}") from None


def read_facts(path: Path) -> dict[str, str]:
    """Read the facts of a checked study file."""
    with sqlite_errors(path), contextlib.closing(database.reader(path)) as connection:
        rows = connection.execute("SELECT name, value, digest FROM facts").fetchall()
    with integrity_errors(path):
        for name, value, digest in rows:
            database.check_row(f"{name!r}", (name, value), digest)
    found = {str(name): str(value) for name, value, _ in rows}
    lacking = {"inputs", "models", "begun"} - set(found)
    if lacking:
        raise InputError(f"{path}: lacks its {', '.join(sorted(lacking))}; the file is damaged")
    return found


def result_of(blob: bytes, shape: tuple[int, ...], name: str) -> NDArray[Any]:
    """Expand the result of a unit."""
    # rows of drawn networks and predicted numbers are lists, class probabilities are tables
    dtype = np.dtype(np.float64 if len(shape) == 1 else np.float32)
    result = unpack(blob, largest=dtype.itemsize * math.prod(shape))
    if result.shape != shape or result.dtype != dtype:
        raise ValueError(f"{name} holds {result.dtype} {result.shape}")
    return result


def unit_name(unit: Unit, models: Sequence[str]) -> str:
    """Describe a unit in words.

    Examples
    --------
    >>> unit_name(Unit(0, 3), ["wvrn"]), unit_name(Unit(ALL, 1, 7), [])
    ("model 'wvrn', split 3", 'drawn network 7 of set 1')
    """
    if unit.model == ALL:
        return f"drawn network {unit.replicate} of set {unit.split}"
    known = isinstance(unit.model, int) and 0 <= unit.model < len(models)
    model = models[unit.model] if known else unit.model
    return f"model {model!r}, split {unit.split}"


@check_arguments
class StoredStudy:
    """A study file for reading.

    Parameters
    ----------
    path : path

    Raises
    ------
    InputError
        Where the file is missing, damaged or no study file.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = Path(path)
        database.check(self.path)
        self.facts = facts = read_facts(self.path)
        self.begun = facts["begun"]
        self.network_missing = facts.get("network missing", "")
        self.inputs: dict[str, Any] = self._json(facts["inputs"], dict)
        self.analysis: dict[str, Any] = self._json(facts.get("analysis", "{}"), dict)
        self.models: tuple[str, ...] = tuple(map(str, self._json(facts["models"], list)))
        number = self.inputs.get("splits", {}).get("number")
        more = self.inputs.get(MORE, {}).get("number", 0)
        if not all(isinstance(each, int) and each >= 0 for each in (number, more)):
            raise InputError(f"{self.path}: does not say how many splits it has; it is damaged")
        self.n_splits = number + more

    def _json(self, text: str, kind: type[T]) -> T:
        with integrity_errors(self.path):
            value = json.loads(text)
            if not isinstance(value, kind):
                raise ValueError(f"{type(value).__name__} in place of {kind.__name__}")
        return value

    def _query(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with sqlite_errors(self.path), contextlib.closing(database.reader(self.path)) as connection:
            return connection.execute(query, values).fetchall()

    def _array(self, name: str, expand: Callable[[bytes], NDArray[Any]]) -> NDArray[Any]:
        found = self._query("SELECT name, data, digest FROM arrays WHERE name = ?", name)
        if not found:
            raise InputError(f"lacks {shown(name)}")
        *row, digest = found[0]
        database.check_row(f"{name!r}", row, digest)
        return expand(row[1])

    def network(self) -> Network:
        """Return the network, without its features.

        Raises
        ------
        InputError
            Where the file could not hold it.
        """
        from ..io.arrays import from_arrays

        if self.network_missing:
            raise InputError(
                f"{self.path}: does not hold the network ({self.network_missing}); run the command "
                "that made the file again, with the network: only what is missing is run"
            )
        names = self._query("SELECT name FROM arrays WHERE name LIKE 'network %'")
        with integrity_errors(self.path):
            return from_arrays(
                {name.partition(" ")[2]: self._array(name, unpack) for (name,) in names}
            )

    @property
    def of_links(self) -> bool:
        """Whether links are predicted, and the splits are those of links."""
        return OF_LINKS in self.inputs["splits"]

    def splits(self) -> tuple[AnySplit, ...]:
        """Return the splits."""
        with integrity_errors(self.path):
            return tuple(
                unpack_split(number, self.of_links, self._array) for number in range(self.n_splits)
            )

    def records(self) -> list[UnitRecord]:
        """Return what is known of every unit, in order; one whose process was killed is open."""
        left = self._left()
        rows = ((Unit(*row[:3]), row) for row in self._units())
        return [UnitRecord(u, "open" if u in left else row[3], *row[4:9]) for u, row in rows]

    def _left(self) -> set[Unit]:
        """Return the units that a process had begun which lives no more."""
        query = (
            "SELECT model, split, replicate, owners.* FROM units JOIN owners USING (owner) "
            "WHERE state = 'taken'"
        )
        with integrity_errors(self.path):
            return {Unit(*row[:3]) for row in self._query(query) if not owners.lives(*row[3:])}

    def warned(self) -> dict[Unit, tuple[str, ...]]:
        """Return what models warned of, by unit."""
        return {
            Unit(*row[:3]): tuple(map(str, self._json(row[9], list)))
            for row in self._units()
            if row[9] is not None
        }

    def seconds(self) -> dict[Unit, float]:
        """Return the time that units took that are done."""
        return self._measured("seconds")

    def megabytes(self) -> dict[Unit, float]:
        """Return the memory that units took that are done, where it was measured."""
        return self._measured("megabytes")

    def _measured(self, column: str) -> dict[Unit, float]:
        query = f"SELECT model, split, replicate, {column} FROM units WHERE state = 'done'"  # noqa: S608
        return {Unit(*row[:3]): float(row[3]) for row in self._query(query) if row[3] is not None}

    def _units(self) -> Iterator[tuple[Any, ...]]:
        """Go through the rows of all units, with their results; check those that have ended."""
        query = f"{ROWS} ORDER BY 1, 2, 3"
        with sqlite_errors(self.path), contextlib.closing(database.reader(self.path)) as connection:
            for *row, digest in connection.execute(query):
                if row[3] not in ("open", "taken"):
                    self._check(row, digest)
                yield tuple(row)

    def _check(self, row: Sequence[Any], digest: object) -> None:
        with integrity_errors(self.path):
            database.check_row(f"the row of {self.name(Unit(*row[:3]))}", row, digest)

    def results(self, wanted: Iterable[Expected]) -> Iterator[NDArray[Any]]:
        """Return the results of finished units, one after the other.

        Parameters
        ----------
        wanted : iterable of (unit, shape)
            Units and the shapes that their results must have.

        Raises
        ------
        InputError
            Where one is not done or damaged.
        """
        query = f"{ROWS} WHERE model = ? AND split = ? AND replicate = ? AND state = 'done'"
        with sqlite_errors(self.path), contextlib.closing(database.reader(self.path)) as connection:
            for unit, shape in wanted:
                found = connection.execute(query, unit).fetchone()
                if found is None:
                    raise InputError(f"{self.path}: {self.name(unit)} is not done")
                *row, digest = found
                self._check(row, digest)
                with integrity_errors(self.path):
                    result = result_of(row[10], shape, self.name(unit))
                yield result

    @check_arguments
    def name(self, unit: Unit) -> str:
        """Describe a unit in words."""
        return unit_name(unit, self.models)

    def units(self) -> list[Unit]:
        """Return all units that make predictions on the network itself."""
        return [Unit(m, s) for m in range(len(self.models)) for s in range(self.n_splits)]

    @check_arguments
    def check_complete(self, units: Collection[Unit]) -> None:
        """Refuse to go on where some of these units failed or are missing.

        Raises
        ------
        IncompleteStudyError
            Lists the failed units.
        """
        records = {record.unit: record for record in self.records()}
        failed = [
            records[unit] for unit in units if unit in records and records[unit].state == "failed"
        ]
        missing = [
            unit
            for unit in units
            if unit not in records or records[unit].state in ("open", "taken")
        ]
        if not failed and not missing:
            return
        note = f"{self.path}: {len(failed):,} of {len(units):,} units failed"
        note += f" and {len(missing)} are not done" if missing else ""
        listed = [f"{self.name(record.unit)} ({record.error})" for record in failed[:SHOWN]]
        listed += [f"and {len(failed) - SHOWN} more"] if len(failed) > SHOWN else []
        raise IncompleteStudyError(
            f"{note}, so that models cannot be compared on the same splits"
            + (": " + "; ".join(listed) if listed else "")
            + ". The others are kept; run the same command again"
            + (" with retry (--retry) when the cause is removed" if failed else "")
            + "; `nettrial status FILE` shows more",
            tuple(record.unit for record in failed),
            tuple(missing),
        )
