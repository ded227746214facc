"""The power of Fisher's exact test, which holds its level at any size."""

from __future__ import annotations

import numpy as np
from scipy import stats

from .result import Alternative

TIE = 1 + 1e-7  # probabilities that rounding alone keeps apart, as in R's fisher.test


def fisher_power(
    p_a: float, p_b: float, m: int, n: int, *, alternative: Alternative, alpha: float
) -> float:
    """Return the probability that p <= alpha for rates p_a of m and p_b of n cases.

    Examples
    --------
    >>> round(fisher_power(0.9, 0.1, 7, 7, alternative="two-sided", alpha=0.05), 3)
    0.842
    """
    power = 0.0
    for total in range(m + n + 1):
        x = np.arange(max(0, total - n), min(m, total) + 1)
        chance = stats.hypergeom.pmf(x, m + n, m, total)
        if alternative == "two-sided":
            tail = np.where(chance <= TIE * chance[:, None], chance, 0.0).sum(axis=1)
        else:
            tail = chance.cumsum() if alternative == "less" else chance[::-1].cumsum()[::-1]
        reached = stats.binom.pmf(x, m, p_a) * stats.binom.pmf(total - x, n, p_b)
        power += float(reached[tail <= alpha * (1 + 1e-12)].sum())
    return power
