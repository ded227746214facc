"""Effect sizes of ranks: Cliff's delta and the rank-biserial correlation."""

from __future__ import annotations

import math
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, special, stats

from ..errors import InputError
from ._effects import EffectSize, sample
from .result import check_confidence


def cliffs_delta(a: ArrayLike, b: ArrayLike, *, confidence: float = 0.95) -> EffectSize:
    """Compute Cliff's delta, P(a > b) - P(a < b), of two independent samples.

    Use it beside a rank test, or where values have no natural unit. It assumes independent
    observations and nothing about their distribution. It ignores how far apart values are. It
    equals the rank-biserial correlation of two samples and 2·AUC - 1.

    Parameters
    ----------
    a, b : array_like of shape (m,), (n,)
        The samples.
    confidence : float
        Level of the interval (Newcombe 2006, method 5: a score interval, which stays inside
        [-1, 1] and has width at complete separation).

    Raises
    ------
    InputError
        For empty samples, NaN or a wrong level.

    References
    ----------
    N. Cliff (1993), Psychological Bulletin 114; R. G. Newcombe (2006), Statistics in Medicine
    25, 559-573.

    Examples
    --------
    >>> cliffs_delta([3, 4, 5], [1, 2, 3]).estimate
    0.8888888888888888
    """
    first, second = sample("a", a, 1), sample("b", b, 1)
    z = float(special.ndtri((1 + check_confidence(confidence)) / 2))
    m, n = first.size, second.size
    ranks = stats.rankdata(np.concatenate((first, second)))
    area = float(ranks[:m].sum() - m * (m + 1) / 2) / (m * n)
    extra = (m + n) / 2 - 1

    def gap(theta: float) -> float:
        spread = 1 + extra * ((1 - theta) / (2 - theta) + theta / (1 + theta))
        return (area - theta) ** 2 - z**2 * theta * (1 - theta) * spread / (m * n)

    # at 0 and 1 the estimate itself is a root, so the search for the other one starts beside it
    below, beyond = min(area, 1 - 1e-9), max(area, 1e-9)
    low = 0.0 if area == 0 else float(optimize.brentq(gap, 0.0, below, xtol=1e-14))
    high = 1.0 if area == 1 else float(optimize.brentq(gap, beyond, 1.0, xtol=1e-14))
    details = {"n_a": m, "n_b": n, "auc": area}
    return EffectSize(
        "Cliff's delta",
        2 * area - 1,
        2 * low - 1,
        2 * high - 1,
        confidence,
        "Newcombe's score interval",
        MappingProxyType(details),
    )


def rank_biserial(
    a: ArrayLike, b: ArrayLike | None = None, *, confidence: float = 0.95
) -> EffectSize:
    """Compute the rank-biserial correlation of pairs, (W⁺ - W⁻) / (W⁺ + W⁻).

    Use it beside a Wilcoxon signed-rank test. It assumes independent pairs. Zero differences
    are dropped, as in that test. It does not say how large the differences are.

    Parameters
    ----------
    a, b : array_like of shape (n,)
        Pairs; without `b`, `a` holds the differences.
    confidence : float
        Level of the interval: Fisher's z with the standard error that r has without an
        effect, ``√((2n+1) / (6 n (n+1)) · 4)``; rough for few pairs or |r| near 1.

    Returns
    -------
    EffectSize
        0 without interval where all differences are zero.

    Raises
    ------
    InputError
        For no or unequally many values, NaN or a wrong level.

    References
    ----------
    D. S. Kerby (2014), Comprehensive Psychology 3.

    Examples
    --------
    >>> rank_biserial([3, 1, -2, 4]).estimate
    0.6
    """
    d = sample("a", a, 1)
    if b is not None:
        second = sample("b", b, 1)
        if d.size != second.size:
            raise InputError(f"b: received {second.size} values for {d.size} of a; pairs need both")
        d = d - second
    z = float(special.ndtri((1 + check_confidence(confidence)) / 2))
    d = d[d != 0]
    kind = "Fisher's z"
    if d.size == 0:
        nan = math.nan
        note = "degenerate: all differences are zero"
        return EffectSize(
            "rank-biserial correlation", 0.0, nan, nan, confidence, kind, notes=(note,)
        )
    n = d.size
    ranks = stats.rankdata(np.abs(d))
    positive, negative = float(ranks[d > 0].sum()), float(ranks[d < 0].sum())
    r = (positive - negative) / (positive + negative)
    se = math.sqrt(n * (n + 1) * (2 * n + 1) / 6) / (n * (n + 1) / 2)
    with np.errstate(divide="ignore"):
        centre = float(np.arctanh(r))
    low, high = math.tanh(centre - z * se), math.tanh(centre + z * se)
    notes = () if abs(r) < 1 else ("all differences have one sign: the interval has no width",)
    details = {"n_nonzero": n, "positive_ranks": positive, "negative_ranks": negative}
    return EffectSize(
        "rank-biserial correlation",
        r,
        low,
        high,
        confidence,
        kind,
        MappingProxyType(details),
        notes,
    )
