"""A unit of work, its place in a study, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core.errors import NettrialError

ALL = -1  # in place of a model's number: all models, on all splits of a drawn network


class Unit(NamedTuple):
    """One model on one split of the network, by number; or all models on a network drawn from it.

    In the second case `model` is ALL, `split` the set of drawn networks, and `replicate` the
    number of the network in that set.
    """

    model: int
    split: int
    replicate: int = 0


Expected: TypeAlias = tuple[Unit, tuple[int, ...]]  # and the shape of its result
Reader: TypeAlias = Callable[[Iterable[Expected]], Iterator[NDArray[Any]]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a unit.

    Attributes
    ----------
    unit : Unit
    seconds : float
        Time that it took.
    result : ndarray of float, or None
        Class probabilities of the test nodes, shape (n_test, n_classes); of a drawn network one
        row of numbers, see `nettrial.replicates.base.DrawnSet`. None where the unit failed.
    error : NettrialError or None
        Why it failed.
    traceback : str or None
        Where it failed.
    warnings : tuple of str
        What the model warned of.
    megabytes : float or None
        Main memory that it took at its peak, where that was measured.
    """

    unit: Unit
    seconds: float
    result: NDArray[np.floating] | None = None
    error: NettrialError | None = None
    traceback: str | None = None
    warnings: tuple[str, ...] = ()
    megabytes: float | None = None


class IncompleteStudyError(NettrialError):
    """Units of a study failed or are missing, and nothing can be concluded from it.

    Attributes
    ----------
    failed : tuple of Unit
    missing : tuple of Unit
    """

    def __init__(
        self, message: str, failed: tuple[Unit, ...] = (), missing: tuple[Unit, ...] = ()
    ) -> None:
        super().__init__(message)
        self.failed, self.missing = failed, missing
