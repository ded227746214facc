"""Effect sizes of ranks: Cliff's delta and the rank-biserial correlation."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from ..core.arguments import check_arguments
from ..metrics.roc import score_interval
from ..numeric.input_alignment import refuse_other_index, refuse_other_precision
from ..numeric.ranks import ranks
from ..numeric.rounding import rounded
from ._effects import EffectSize, sample
from .result import check_confidence
from .signed_rank import wilcoxon_test


@check_arguments
def cliffs_delta(
    a: ArrayLike, b: ArrayLike, *, digits: int | None = None, confidence: float = 0.95
) -> EffectSize:
    """Compute Cliff's delta, P(a > b) - P(a < b), of two independent samples.

    Use it beside a rank test, or where values have no natural unit. It assumes independent
    observations and nothing about their distribution. It does not say how far apart values are.
    It equals the rank-biserial correlation of two samples and 2·AUC - 1.

    Parameters
    ----------
    a, b : array_like of shape (m,), (n,)
        The samples.
    digits : int or None
        Round the values to so many significant digits first; values that differ by rounding
        noise alone tie anyway.
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
    refuse_other_precision(a=a, b=b)
    first, second = sample("a", a, 1), sample("b", b, 1)
    z = float(special.ndtri((1 + check_confidence(confidence)) / 2))
    m, n = first.size, second.size
    both = rounded(np.concatenate((first, second)), digits)
    ranked = ranks(both, both)
    tied = bool(np.ptp(ranked) == 0)
    area = float(ranked[:m].sum() - m * (m + 1) / 2) / (m * n)
    low, high = score_interval(area, m, n, z)
    details = {"n_a": m, "n_b": n, "auc": area}
    return EffectSize(
        "Cliff's delta",
        2 * area - 1,
        2 * low - 1,
        2 * high - 1,
        confidence,
        "Newcombe's score interval",
        degenerate=tied,
        details=MappingProxyType(details),
        notes=("degenerate: all values are equal",) if tied else (),
    )


@check_arguments
def rank_biserial(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    digits: int | None = None,
    confidence: float = 0.95,
) -> EffectSize:
    """Compute the rank-biserial correlation of pairs, (W⁺ - W⁻) / (W⁺ + W⁻).

    Use it beside a Wilcoxon signed-rank test. It assumes independent pairs. Zero differences
    are dropped, as in that test. It does not say how large the differences are.

    Parameters
    ----------
    a, b : array_like of shape (n,)
        Pairs; without `b`, `a` holds the differences.
    digits : int or None
        As for `cliffs_delta`.
    confidence : float
        Level of the interval, which is that of `wilcoxon_test`: the correlations that differ
        from r by no more than z standard errors, those of random signs shrunk by
        ``√(1 - ρ²)``.

    Returns
    -------
    EffectSize
        Where all differences are zero 0 with the whole range for an interval, [-1, 1]: no pair
        is left to say more.

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
    check_confidence(confidence)
    refuse_other_index(a=a, b=b)
    refuse_other_precision(a=a, b=b)
    result = wilcoxon_test(
        sample("a", a, 1),
        0.0 if b is None else sample("b", b, 1),
        method="normal",
        digits=digits,
        confidence=confidence,
    )
    tied = bool(result.degenerate)
    details = {
        "n_nonzero": result.details["n_used"],
        "positive_ranks": result.details["w_plus"],
        "negative_ranks": result.details["w_minus"],
    }
    return EffectSize(
        "rank-biserial correlation",
        float(result.estimate),
        float(result.ci_low),
        float(result.ci_high),
        confidence,
        "score interval of random signs",
        degenerate=tied,
        details=MappingProxyType(details),
        notes=("degenerate: all differences are zero",) if tied else (),
    )
