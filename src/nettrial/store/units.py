"""A unit of work, its place in a study, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import NettrialError


class Unit(NamedTuple):
    """One model on one split of one replicate of the network, all by number."""

    model: int
    split: int
    replicate: int = 0


Expected: TypeAlias = tuple[Unit, tuple[int, int]]  # and the shape of its probabilities
Reader: TypeAlias = Callable[[Iterable[Expected]], Iterator[NDArray[np.float32]]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a unit.

    Attributes
    ----------
    unit : Unit
    seconds : float
        Time that it took.
    proba : ndarray of float, shape (n_test, n_classes), or None
        Class probabilities of the test nodes; None where the unit failed.
    error : NettrialError or None
        Why it failed.
    traceback : str or None
        Where it failed.
    """

    unit: Unit
    seconds: float
    proba: NDArray[np.float32] | None = None
    error: NettrialError | None = None
    traceback: str | None = None


class IncompleteStudyError(NettrialError):
    """Units of a study failed or are missing, so that nothing can be concluded from it.

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
