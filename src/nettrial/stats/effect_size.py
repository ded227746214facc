"""How large a difference is, in units that compare across studies, with an interval."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from numpy.typing import ArrayLike
from scipy import optimize, special, stats

from ..core.arguments import check_arguments
from ..numeric.centering import from_origin, variance
from ..numeric.input_alignment import refuse_other_precision
from ._arrays import noise
from ._effects import EffectSize, paired_differences, sample
from .effect_proportions import odds_ratio, risk_difference
from .effect_ranks import cliffs_delta, rank_biserial
from .result import check_confidence

__all__ = [
    "EffectSize",
    "cliffs_delta",
    "cohens_d",
    "cohens_dz",
    "hedges_g",
    "odds_ratio",
    "rank_biserial",
    "risk_difference",
]


def _noncentrality(t: float, df: float, confidence: float) -> tuple[float, float]:
    """Return the noncentralities for which t lies at the two tail points; NaN beyond reach."""
    tail = (1 - confidence) / 2
    size = abs(t)

    def solve(p: float) -> float:
        def gap(delta: float) -> float:
            return float(stats.nct.cdf(size, df, delta)) - p

        # P(T <= |t|) is at least P(T <= 0) = Φ(-delta), so the root is not below -Φ⁻¹(p)
        low = -float(special.ndtri(p)) - 1e-3
        step = 1.0 + size
        while gap(low + step) > 0:
            step *= 2
        try:
            return float(optimize.brentq(gap, low, low + step, xtol=1e-12, rtol=1e-14))
        except ValueError:  # the distribution function has underflowed to NaN
            return math.nan

    low, high = solve(1 - tail), solve(tail)
    return (low, high) if t >= 0 else (-high, -low)


def _from_t(
    measure: str,
    mean: float,
    sd: float,
    unit: float,
    df: float,
    confidence: float,
    rounding: float,
    details: dict[str, Any],
    factor: float = 1.0,
    what: str = "the values",
) -> EffectSize:
    """Return mean/sd with the interval by inverting the noncentral t of mean/(sd·unit)."""
    kind = "inversion of the noncentral t"
    # spread at the level of rounding is no spread
    if sd <= rounding:
        estimate = 0.0 if abs(mean) <= rounding else math.nan
        note = f"degenerate: {what} do not vary, so there is no unit to measure the effect in"
        return EffectSize(
            measure,
            estimate,
            math.nan,
            math.nan,
            confidence,
            kind,
            degenerate=True,
            details=MappingProxyType(details),
            notes=(note,),
        )
    low, high = _noncentrality(mean / (sd * unit), df, confidence)
    far = "no interval: the effect is too large for the noncentral t distribution"
    return EffectSize(
        measure,
        factor * mean / sd,
        factor * low * unit,
        factor * high * unit,
        confidence,
        kind,
        details=MappingProxyType(details | {"df": df}),
        notes=(far,) if math.isnan(low + high) else (),
    )


def _standardized(
    a: ArrayLike, b: ArrayLike, confidence: float, measure: str, correct: Callable[[float], float]
) -> EffectSize:
    refuse_other_precision(a=a, b=b)
    first, second = sample("a", a, 2), sample("b", b, 2)
    rounding = float(noise(first, second))
    _, (first, second) = from_origin(first, second)
    check_confidence(confidence)
    m, n = first.size, second.size
    df = m + n - 2
    pooled = math.sqrt(((m - 1) * variance(first) + (n - 1) * variance(second)) / df)
    details = {"n_a": m, "n_b": n, "pooled_sd": 0.0 if pooled <= rounding else pooled}
    mean = float(first.mean() - second.mean())
    unit = math.sqrt(1 / m + 1 / n)
    return _from_t(measure, mean, pooled, unit, df, confidence, rounding, details, correct(df))


@check_arguments
def cohens_d(a: ArrayLike, b: ArrayLike, *, confidence: float = 0.95) -> EffectSize:
    """Compute Cohen's d of two independent samples: mean difference over the pooled sd.

    Use it beside a two-sample t-test. It assumes independent normal samples of one variance.
    It does not say whether a difference matters, and is biased upwards in small samples (see
    `hedges_g`).

    Parameters
    ----------
    a, b : array_like of shape (m,), (n,)
        The samples, two values at least each.
    confidence : float
        Level of the interval, from the noncentral t distribution.

    Raises
    ------
    InputError
        For fewer than two values, NaN or a wrong level.

    References
    ----------
    J. Cohen (1988), Statistical Power Analysis for the Behavioral Sciences; J. H. Steiger,
    R. T. Fouladi (1997) on the interval.

    Examples
    --------
    >>> result = cohens_d([3.0, 4.0, 5.0, 6.0], [1.0, 2.0, 3.0, 4.0])
    >>> round(result.estimate, 4), round(result.ci_low, 3), round(result.ci_high, 3)
    (1.5492, -0.125, 3.134)
    """
    return _standardized(a, b, confidence, "Cohen's d", lambda _: 1.0)


@check_arguments
def hedges_g(a: ArrayLike, b: ArrayLike, *, confidence: float = 0.95) -> EffectSize:
    """Compute Hedges' g: Cohen's d without its bias in small samples.

    Use it instead of `cohens_d` for fewer than about 50 values; parameters, assumptions, errors
    and what it does not say are the same. The factor is exact, ``Γ(ν/2) / (√(ν/2)
    Γ((ν-1)/2))``, and is applied to the interval too.

    References
    ----------
    L. V. Hedges (1981), Journal of Educational Statistics 6, equation 6e.

    Examples
    --------
    >>> round(hedges_g([3.0, 4.0, 5.0, 6.0], [1.0, 2.0, 3.0, 4.0]).estimate, 4)
    1.3457
    """

    def factor(df: float) -> float:
        return math.exp(math.lgamma(df / 2) - math.lgamma((df - 1) / 2)) / math.sqrt(df / 2)

    return _standardized(a, b, confidence, "Hedges' g", factor)


@check_arguments
def cohens_dz(a: ArrayLike, b: ArrayLike | None = None, *, confidence: float = 0.95) -> EffectSize:
    """Compute Cohen's d_z of pairs: mean difference over the sd of the differences.

    Use it beside a paired t-test. ``d_z = mean(d) / s_d`` with d = a - b. It assumes
    independent normal differences: for overlapping test sets it grows with their number without
    meaning. It cannot be compared with d of independent samples, since pairing shrinks its
    unit, and does not say how large the difference is in units of error.

    Parameters
    ----------
    a, b : array_like of shape (n,)
        Pairs; without `b`, `a` holds the differences.
    confidence : float
        Level of the interval, from the noncentral t distribution.

    Raises
    ------
    InputError
        For fewer than two or unequally many values, NaN or a wrong level.

    References
    ----------
    Cohen (1988), Statistical Power Analysis for the Behavioral Sciences, section 2.3.5.

    Examples
    --------
    >>> round(cohens_dz([0.2, 0.3, 0.1, 0.4], [0.1, 0.1, 0.1, 0.1]).estimate, 4)
    1.1619
    """
    d, level = paired_differences(a, b, 2)
    check_confidence(confidence)
    n = d.size
    sd = math.sqrt(variance(d))
    sd = 0.0 if sd <= level else sd
    details = {"n": n, "sd": sd}
    return _from_t(
        "Cohen's d_z",
        float(d.mean()),
        sd,
        1 / math.sqrt(n),
        n - 1,
        confidence,
        float(level),
        details,
        what="the differences",
    )
