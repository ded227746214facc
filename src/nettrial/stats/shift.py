"""Hodges and Lehmann's estimate of a shift, with the interval that a rank test gives."""

from __future__ import annotations

import math
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..core.option_names import option
from ..numeric.checks import to_floats
from ..numeric.input_alignment import refuse_other_index, refuse_other_precision
from ..numeric.rounding import ROUNDING, rounded, sizes
from ._arrays import noise
from ._effects import EffectSize, Floats, sample
from ._rank_sums import untied_u_distribution
from ._signed_ranks import untied_distribution
from .result import check_confidence

LARGEST_EXACT = 50  # values (two samples) or differences (pairs)
CONSTANT = "degenerate: the values do not vary, so there is no interval"
MOST_AVERAGES = 20_000_000  # 160 MB


@check_arguments
def hodges_lehmann(
    a: ArrayLike,
    b: ArrayLike = 0.0,
    *,
    paired: bool = True,
    digits: int | None = None,
    confidence: float = 0.95,
) -> EffectSize:
    """Estimate how far values of a lie above those of b, by medians of all averages.

    For pairs: the median of (d_i + d_j) / 2 over i <= j, d = a - b. For two samples: the median
    of all differences a_i - b_j.

    Use it beside `wilcoxon_test` (pairs) or `mann_whitney_test` (two samples), whose p-values
    say nothing about size: the interval holds the shifts that the test does not reject, without
    continuity correction. It assumes independent pairs with differences that are symmetric
    about the shift, or independent samples that differ by a shift alone. It is not the
    difference of the medians, nor the median of the differences.

    Parameters
    ----------
    a, b : array_like of shape (m,), (n,)
        The samples; for pairs of one length, or one number for b.
    paired : bool
        Whether a and b are pairs.
    digits : int or None
        Round the values to so many significant digits first.
    confidence : float
        Level of the interval. It is exact for up to 50 values where no two are equal (its true
        level, in `details`, is then at least this), and approximate above.

    Returns
    -------
    EffectSize
        With too few values for the level, the ends are infinite and `notes` says so. Values that
        do not vary are degenerate and have no interval.

    Raises
    ------
    InputError
        For an empty sample, pairs of unequal length, values that are not finite, a wrong level,
        or so many values that their averages do not fit into memory.

    References
    ----------
    Hodges and Lehmann (1963), Annals of Mathematical Statistics 34, 598-611. Hollander and
    Wolfe (1973), Nonparametric Statistical Methods, sections 3.2 and 4.2.

    Examples
    --------
    >>> a = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    >>> b = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    >>> result = hodges_lehmann(a, b)
    >>> round(result.estimate, 3), round(result.ci_low, 3), round(result.ci_high, 3)
    (0.46, 0.01, 0.786)
    """
    alpha = 1 - check_confidence(confidence)
    if paired:
        refuse_other_index(a=a, b=b)
    refuse_other_precision(a=a, b=b)
    first = sample("a", a, 1)
    given = to_floats("b", b)
    one_number = paired and given.ndim == 0
    second = sample("b", np.broadcast_to(given, first.shape) if one_number else given, 1)
    if paired and first.size != second.size:
        raise InputError(
            parameter="b",
            expected=f"{first.size} values, one for each of a",
            got=f"{second.size}",
            hint=f"use {option('paired', False)} for two independent samples",
        )
    first, second = rounded(first, digits), rounded(second, digits)
    m, n = first.size, second.size
    averages = _sorted_averages(first, second, paired)
    exact = (m if paired else m + n) <= LARGEST_EXACT
    if not exact:
        rank = _normal_rank(averages.size, _variance(m, n, paired), alpha)
        level = confidence
    elif paired:
        rank, level = _exact_rank(untied_distribution(m), alpha)
    else:
        rank, level = _exact_rank(untied_u_distribution(m, n), alpha)
    low, high = (averages[rank - 1], averages[-rank]) if rank else (-math.inf, math.inf)
    estimate = float(np.median(averages))
    constant = averages[-1] - averages[0] <= float(noise(first, second))
    if constant:
        low = high = math.nan
    few = f"an interval at level {confidence:g} needs more values: its ends are infinite"
    return EffectSize(
        measure="Hodges-Lehmann estimate of the shift",
        estimate=estimate,
        ci_low=float(low),
        ci_high=float(high),
        confidence=confidence,
        interval="exact, by the rank test" if exact else "by the rank test's normal form",
        details=MappingProxyType({"n_a": m, "n_b": n, "paired": paired, "true_level": level}),
        degenerate=bool(constant),
        notes=(CONSTANT,) if constant else () if rank else (few,),
    )


def _sorted_averages(first: Floats, second: Floats, paired: bool) -> Floats:
    size = first.size * (first.size + 1) // 2 if paired else first.size * second.size
    if size > MOST_AVERAGES:
        raise InputError(
            parameter=("a", "b"),
            expected=f"at most {MOST_AVERAGES} averages of two values",
            got=f"{size}",
            hint="draw a random part of the values",
        )
    if paired:
        d, scale = first - second, sizes(first, second)
        i, j = np.triu_indices(d.size)
        averages, scales = (d[i] + d[j]) / 2, np.maximum(scale[i], scale[j])
    else:
        averages = np.subtract.outer(first, second)
        scales = np.maximum.outer(sizes(first), sizes(second))
    return np.sort(np.where(np.abs(averages) <= ROUNDING * scales, 0.0, averages), axis=None)


def _exact_rank(cumulative: Floats, alpha: float) -> tuple[int, float]:
    """Return the largest rank whose outer tail is within alpha / 2, 0 if none, and the level."""
    # equality up to rounding counts as within
    within = int(np.searchsorted(cumulative, alpha / 2 * (1 + 1e-12), side="right"))
    return within, 1 - 2 * float(cumulative[within - 1]) if within else 1.0


def _variance(m: int, n: int, paired: bool) -> float:
    return m * (m + 1) * (2 * m + 1) / 24 if paired else m * n * (m + n + 1) / 12


def _normal_rank(size: int, variance: float, alpha: float) -> int:
    reach = -float(special.ndtri(alpha / 2)) * math.sqrt(variance)
    return max(0, math.floor(size / 2 - reach + 0.5))
