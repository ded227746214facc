"""Where the outcomes of a run are kept: memory here, a study file in `store`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, Self

from numpy.typing import NDArray

from ..store.unit_pool import UnitPool
from ..store.units import Outcome, Reader, Unit


class Record(Protocol):
    """Hands out units of work and keeps what came of them; safe to call from several threads."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: object) -> None: ...

    def open_units(self) -> set[Unit]:
        """Return the units that nobody has taken."""
        ...

    def take(self, block: Sequence[Unit]) -> tuple[Unit, ...]:
        """Take the units of a block that are open."""
        ...

    def taken(self) -> list[Unit]:
        """Return the units that were taken here and are not finished."""
        ...

    def free(self) -> None:
        """Open again what was taken here and is not finished."""
        ...

    def waits(self) -> bool:
        """Return whether others still work on units."""
        ...

    def keep(self, outcomes: Iterable[Outcome]) -> None:
        """Keep finished units."""
        ...

    def count_done(self) -> int:
        """Count the units that ended before."""
        ...

    def reader(self) -> Reader:
        """Return a function that reads the results of units; refuse where some are missing."""
        ...

    def warned(self) -> Mapping[Unit, tuple[str, ...]]:
        """Return what models warned of, by unit."""
        ...

    def seconds(self) -> Mapping[Unit, float]:
        """Return the time that units took."""
        ...

    def megabytes(self) -> Mapping[Unit, float]:
        """Return the memory that units took, where it was measured."""
        ...


class MemoryRecord(UnitPool):
    """Keeps outcomes in memory; the first failure is raised."""

    def __init__(self, units: Iterable[Unit]) -> None:
        super().__init__(units)
        self._found: dict[Unit, NDArray[Any]] = {}
        self._warned: dict[Unit, tuple[str, ...]] = {}
        self._seconds: dict[Unit, float] = {}
        self._megabytes: dict[Unit, float] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        return None

    def keep(self, outcomes: Iterable[Outcome]) -> None:
        """Keep finished units; raise the error of one that failed."""
        for found in outcomes:
            if found.error is not None:
                if found.traceback:
                    found.error.add_note(found.traceback)
                raise found.error
            assert found.result is not None  # noqa: S101 - without error there is a result
            self._taken.discard(found.unit)
            self._found[found.unit] = found.result
            self._warned[found.unit] = found.warnings
            self._seconds[found.unit] = found.seconds
            if found.megabytes is not None:
                self._megabytes[found.unit] = found.megabytes

    def count_done(self) -> int:
        """Count the units that are done."""
        return len(self._found)

    def reader(self) -> Reader:
        """Return a function that reads the results of units."""
        return lambda wanted: (self._found[unit] for unit, _ in wanted)

    def warned(self) -> Mapping[Unit, tuple[str, ...]]:
        """Return what models warned of, by unit."""
        return dict(self._warned)

    def seconds(self) -> Mapping[Unit, float]:
        """Return the time that units took."""
        return dict(self._seconds)

    def megabytes(self) -> Mapping[Unit, float]:
        """Return the memory that units took, where it was measured."""
        return dict(self._megabytes)
