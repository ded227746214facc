"""The exact distribution of Friedman's statistic: all orders within rows, ties included."""

from __future__ import annotations

import itertools
import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError
from ..core.option_names import option
from ._arrays import Array

Whole = NDArray[np.int64]
MOST_STATES = 2_000_000  # column sums times orders of the next row, at once
LARGEST_KEY = 2**63 - 1


def exact_pvalues(ranks: Array) -> Array:
    """Return P(sum of squares of column sums >= observed) for each table of ranks (..., N, k)."""
    p = np.empty(ranks.shape[:-2])
    for trial in np.ndindex(p.shape):
        doubled = np.rint(2 * ranks[trial]).astype(np.int64)
        rows = tuple(sorted(tuple(sorted(row)) for row in doubled.tolist()))
        squares, chance = _distribution(rows)
        observed = int((doubled.sum(axis=0) ** 2).sum())
        p[trial] = min(1.0, float(chance[squares >= observed].sum()))
    return p


@lru_cache(maxsize=64)
def _distribution(rows: tuple[tuple[int, ...], ...]) -> tuple[Whole, Array]:
    """Return sums of squares of the column sums and their probabilities, one row after the other.

    The statistic does not tell columns apart, so a state is the sorted column sums.
    """
    k = len(rows[0])
    states = np.array([rows[0]])
    chance: Array = np.ones(1)
    # one whole number for each state: its column sums as digits
    base = 2 * k * len(rows) + 1
    for row in rows[1:]:
        if math.factorial(k) * len(states) > MOST_STATES or base**k > LARGEST_KEY:
            raise InputError(
                parameter="values",
                expected=f"a table whose exact distribution has at most {MOST_STATES} states a row",
                got=f"{len(rows)} data sets of {k} algorithms",
                hint=(
                    f"use {option('method', 'chi-square')}, or iman_davenport_test, which is "
                    "close for such tables"
                ),
            )
        orders = np.array(sorted(set(itertools.permutations(row))))
        sums = np.sort((states[:, np.newaxis] + orders).reshape(-1, k), axis=1)
        keys = sums @ base ** np.arange(k)
        _, first, place = np.unique(keys, return_index=True, return_inverse=True)
        states = sums[first]
        weights = np.repeat(chance, len(orders)) / len(orders)
        chance = np.bincount(place.ravel(), weights).astype(np.float64)
    return (states**2).sum(axis=1), chance
