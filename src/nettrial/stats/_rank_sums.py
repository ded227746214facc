"""The exact distribution of the sum of m of N ranks, ties included."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ._arrays import Array

Counts = NDArray[np.int64]


def rank_sum_tails(doubled_ranks: Counts, m: int, doubled_sum: int) -> tuple[float, float]:
    """Return P(S <= s) and P(S >= s) for the sum S of m ranks drawn without replacement.

    Ranks and sum come doubled, so that midranks are whole numbers.
    """
    below, above = _distribution(tuple(np.sort(doubled_ranks).tolist()), m)
    return float(below[doubled_sum]), float(above[doubled_sum])


@lru_cache(maxsize=64)
def _distribution(doubled_ranks: tuple[int, ...], m: int) -> tuple[Array, Array]:
    """Return cumulative probabilities from both ends, by adding one rank after the other."""
    n, largest = len(doubled_ranks), sum(doubled_ranks[len(doubled_ranks) - m :])
    # chance[j, s]: that of the ranks so far j are drawn and that their sum is s
    chance = np.zeros((m + 1, largest + 1))
    chance[0, 0] = 1.0
    drawn = np.arange(m + 1)[:, np.newaxis]
    for seen, rank in enumerate(doubled_ranks):
        take = np.clip((m - drawn) / (n - seen), 0.0, 1.0)
        moved = chance * take
        chance = chance * (1 - take)
        chance[1:, rank:] += moved[:-1, : largest + 1 - rank]
    exact = chance[m]
    below = np.minimum(exact.cumsum(), 1.0)
    above = np.minimum(exact[::-1].cumsum()[::-1], 1.0)
    return below, above


def untied_u_distribution(m: int, n: int) -> Array:
    """Return P(U <= u) for u = 0 .. m n, U the Mann-Whitney statistic without ties."""
    below, _ = _distribution(tuple(range(2, 2 * (m + n) + 1, 2)), m)
    return below[m * (m + 1) :: 2]
