"""Sums over trials, cell by cell: what experiments add up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

Setting: TypeAlias = float | int | str
Settings: TypeAlias = dict[str, Setting]
REJECTIONS = "rejections"
DIFFERENCE = "mean difference"  # of the error rates, B minus A where B was made worse


@dataclass(frozen=True, slots=True)
class Record:
    """Sums over trials of one quantity in one cell."""

    where: Settings  # the cell's settings
    test: str  # the test that rejects or not; "" for other quantities
    measure: str  # "rejections", or what was measured
    trials: int  # number of trials in which the quantity is defined
    # total, squares: sum and sum of squares over these trials
    total: float
    squares: float
    # trials in which it is not; a test that is undefined does not reject, and counts as a trial
    undefined: int = 0
    network: int | None = None  # the one that all its trials are on, where a run has few networks

    def key(self) -> tuple[Any, ...]:
        return (*self.where.items(), self.test, self.measure)

    def __add__(self, other: Record) -> Record:
        return Record(
            self.where,
            self.test,
            self.measure,
            self.trials + other.trials,
            self.total + other.total,
            self.squares + other.squares,
            self.undefined + other.undefined,
            self.network if self.network == other.network else None,
        )


def rejections(where: Settings, test: str, rejected: ArrayLike, undefined: ArrayLike) -> Record:
    """Count the trials in which a test rejects."""
    count = float(np.sum(rejected))
    size = int(np.size(rejected))
    return Record(where, test, REJECTIONS, size, count, count, int(np.sum(undefined)))


def rejections_at(level: float, where: Settings, test: str, pvalues: ArrayLike) -> Record:
    """Count the trials in which a test rejects at a level; a p-value of NaN counts as undefined."""
    p = np.asarray(pvalues, dtype=np.float64)
    return rejections(where, test, p < level, np.isnan(p))


def of_network(network: int | None, records: Iterable[Record]) -> list[Record]:
    """Note of records which of few networks they are on; None for networks of their own."""
    return [replace(record, network=network) for record in records]


def measured(where: Settings, measure: str, values: ArrayLike, test: str = "") -> Record:
    """Add up a quantity over trials; NaN counts as undefined."""
    x = np.asarray(values, dtype=np.float64).ravel()
    good = x[np.isfinite(x)]
    return Record(
        where,
        test,
        measure,
        good.size,
        float(good.sum()),
        float((good**2).sum()),
        x.size - good.size,
    )
