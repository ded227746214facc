"""Pairs of models: their names, their differences, and which of them are told apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..metrics.measures import Measure
from ..stats.comparisons import Comparisons, all_pairs
from ..stats.contributions import Contributions


def pairs_of(
    names: Sequence[str], control: str | None = None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Name the first and the second of each pair: all pairs, or each other model and the control.

    Examples
    --------
    >>> pairs_of(["a", "b", "c"], "b")
    (('a', 'c'), ('b', 'b'))
    """
    if control is not None:
        others = tuple(name for name in names if name != control)
        return others, (control,) * len(others)
    i, j = all_pairs(len(names))
    return tuple(names[k] for k in i), tuple(names[k] for k in j)


def pair_matrix(
    names: Sequence[str], first: Sequence[str], second: Sequence[str]
) -> NDArray[np.float64]:
    """Give the matrix that turns the models' means into the pairs' differences."""
    place = {name: i for i, name in enumerate(names)}
    matrix = np.zeros((len(first), len(names)))
    for row, one, other in zip(matrix, first, second):
        row[place[one]], row[place[other]] = 1, -1
    return matrix


def one_at_a_time(
    parts: Contributions, confidence: float, measure: Measure
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give t intervals of each mean, each at the level alone, cut to what can be."""
    quantile = special.stdtrit(parts.common_df, (1 + confidence) / 2)
    half = quantile * np.sqrt(np.diag(parts.covariance))
    low, high = parts.estimate - half, parts.estimate + half
    return np.clip(low, *measure.bounds), np.clip(high, *measure.bounds)


def significant(pairs: Comparisons) -> list[tuple[str, str]]:
    """Name the pairs that differ at the level of the intervals."""
    differ = pairs.adjusted_pvalue < 1 - pairs.confidence
    return [(a, b) for a, b, yes in zip(pairs.first, pairs.second, differ) if yes]
