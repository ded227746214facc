"""Units of work that are open, or taken by a worker of this process."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .units import Unit


class UnitPool:
    """Hands out units of work where nobody else works on them.

    Examples
    --------
    >>> pool = UnitPool([Unit(0, 0), Unit(0, 1)])
    >>> pool.take([Unit(0, 0)]), pool.open_units()
    ((Unit(model=0, split=0, replicate=0),), {Unit(model=0, split=1, replicate=0)})
    """

    def __init__(self, units: Iterable[Unit]) -> None:
        self._open = set(units)
        self._taken: set[Unit] = set()

    def open_units(self) -> set[Unit]:
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
        """Return whether others work on units: nobody else does."""
        return False
