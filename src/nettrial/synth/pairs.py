"""Random pairs of nodes without looking at every pair."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, shown

Indices = NDArray[np.int64]


def check_probability(function: str, name: str, value: float) -> float:
    """Refuse anything outside [0, 1]."""
    if not 0 <= value <= 1:
        raise InputError(
            parameter=name,
            expected="a probability between 0 and 1",
            got=shown(value),
            where=function,
        )
    return float(value)


def bernoulli_positions(total: int, probability: float, rng: np.random.Generator) -> Indices:
    """Return the positions of the successes in `total` independent trials.

    Draws the geometric gaps between successes, so the work is that of the successes.

    Examples
    --------
    >>> bernoulli_positions(5, 1.0, np.random.default_rng(0)).tolist()
    [0, 1, 2, 3, 4]
    """
    if total == 0 or probability == 0:
        return np.empty(0, dtype=np.int64)
    blocks = []
    last = -1
    while last < total:
        expected = (total - last) * probability
        gaps = rng.geometric(probability, size=int(expected + 4 * np.sqrt(expected) + 16))
        # a gap beyond the end ends the search; cut it so that the sum cannot overflow
        positions = last + np.cumsum(np.minimum(gaps, total + 1))
        blocks.append(positions)
        last = int(positions[-1])
    found = np.concatenate(blocks)
    return found[found < total]


def pairs_between(
    first: Indices, second: Indices, probability: float, rng: np.random.Generator
) -> tuple[Indices, Indices]:
    """Link each node of `first` to each of `second` with the same probability.

    Examples
    --------
    >>> s, t = pairs_between(np.array([0, 1]), np.array([5]), 1.0, np.random.default_rng(0))
    >>> s.tolist(), t.tolist()
    ([0, 1], [5, 5])
    """
    at = bernoulli_positions(first.size * second.size, probability, rng)
    row, column = np.divmod(at, max(second.size, 1))
    return first[row], second[column]


def pairs_among(
    nodes: Indices, probability: float, rng: np.random.Generator
) -> tuple[Indices, Indices]:
    """Link each two of `nodes` with the same probability.

    Examples
    --------
    >>> s, t = pairs_among(np.array([3, 4, 7]), 1.0, np.random.default_rng(0))
    >>> sorted(zip(s.tolist(), t.tolist()))
    [(3, 4), (3, 7), (4, 7)]
    """
    at = bernoulli_positions(nodes.size * nodes.size, probability, rng)
    row, column = np.divmod(at, max(nodes.size, 1))
    once = row < column
    return nodes[row[once]], nodes[column[once]]
