"""The Mann-Whitney test (Wilcoxon's rank-sum test) of two independent samples."""

from __future__ import annotations

from types import MappingProxyType
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..core.option_names import option
from ..metrics.roc import score_interval
from ..numeric.input_alignment import refuse_other_precision
from ..numeric.ranks import ranks as mean_ranks
from ..numeric.rounding import rounded
from ._arrays import (
    Array,
    along,
    as_result,
    broadcast_leading,
    count_note,
    to_python,
    z_pvalue,
    z_quantile,
)
from ._rank_sums import rank_sum_tails
from .result import Alternative, TestResult, check_confidence
from .signed_rank import HERMITE, standardized_excess

Method: TypeAlias = Literal["auto", "exact", "normal", "normal-corrected"]
METHODS: tuple[Method, ...] = ("auto", "exact", "normal", "normal-corrected")
LARGEST_AUTO, LARGEST_EXACT = 50, 200  # values in both samples


@check_arguments
def mann_whitney_test(
    a: ArrayLike,
    b: ArrayLike,
    *,
    method: Method = "auto",
    digits: int | None = None,
    axis: int = -1,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    """Mann and Whitney's test of two independent samples, which is Wilcoxon's rank-sum test.

    U = number of pairs (one value of a, one of b) in which a is larger, ties counting 1/2.

    When to use: two classifiers on separate, independent test sets, with values that are far
    from normal or have outliers. Assumes independent values; it tests whether both samples
    have one distribution, and only where these differ by a shift alone does it compare
    medians. Does not use pairs, where they exist (see `wilcoxon_test`), and does not answer
    whether a beats b on other networks if all test sets come from one.

    Parameters
    ----------
    a, b : array_like, shapes (..., m) and (..., n)
        Both samples along `axis`; the other axes are trials and must broadcast.
    method : {"auto", "exact", "normal", "normal-corrected"}
        "exact" counts all ways to deal the ranks to the samples, with ties too (up to 200
        values); "normal" approximates with the tie-corrected variance; "normal-corrected"
        moves U by 1/2 toward its mean (R's wilcox.test); "auto" is exact for up to 50 values
        and "normal-corrected" above.
    digits : int or None
        Round the values to so many significant digits first; values that differ by rounding
        noise alone tie anyway.
    axis : int, default -1
        The axis that holds the values of one sample.
    alternative : {"two-sided", "less", "greater"}
        "greater": a tends to be larger, that is worse for error rates.
    confidence : float
        Level of the interval.

    Returns
    -------
    TestResult
        `statistic` is U of a. `estimate` is Cliff's delta, P(a > b) - P(a < b) =
        2 U / (m n) - 1, with the interval of `cliffs_delta`, Newcombe's; without ties zero
        lies outside exactly where the normal test without correction rejects. All values
        equal: p = 1, degenerate. The two-sided exact p doubles the smaller tail. For an
        estimate of the shift see `hodges_lehmann`. ``details["normal_error"]`` is about the
        largest error of a two-sided normal p without ties; 0 where p is exact.

    Raises
    ------
    InputError
        For an empty sample, values that are not finite, an unknown option, or more than 200
        values with method="exact".

    References
    ----------
    Mann and Whitney (1947), Annals of Mathematical Statistics 18, 50-60. Wilcoxon (1945),
    Biometrics Bulletin 1, 80-83. Cliff (1993), Psychological Bulletin 114, 494-509. Newcombe
    (2006), Statistics in Medicine 25, 559-573, for the interval. Fix and Hodges (1955), Annals of
    Mathematical Statistics 26, 301-312, for the error of the normal p.

    Examples
    --------
    >>> a = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]
    >>> b = [1.15, 0.88, 0.90, 0.74, 1.21]
    >>> result = mann_whitney_test(a, b, alternative="greater")
    >>> result.statistic, round(result.pvalue, 4)
    (35.0, 0.1272)
    """
    check_confidence(confidence)
    first, second = _samples(a, b, axis)
    m, n = first.shape[-1], second.shape[-1]
    both = rounded(np.concatenate([first, second], axis=-1), digits)
    ranks = mean_ranks(both, both)
    rank_sum = ranks[..., :m].sum(axis=-1)
    u = rank_sum - m * (m + 1) / 2
    spread = np.square(ranks - (m + n + 1) / 2).sum(axis=-1)
    sd = np.sqrt(m * n * spread / ((m + n) * max(m + n - 1, 1)))
    exact = method == "exact" or (method == "auto" and m + n <= LARGEST_AUTO)
    if exact and m + n > LARGEST_EXACT:
        raise InputError(
            parameter="method",
            expected=f"at most {LARGEST_EXACT} values for {option('method', 'exact')}",
            got=f"{m + n}",
            hint=f"use {option('method', 'normal-corrected')}, whose error is negligible for so "
            "many",
        )
    corrected = method != "normal"
    z = standardized_excess(u - m * n / 2, sd, "two-sided", corrected=corrected)
    if exact:
        p = _exact(ranks, m, rank_sum, alternative)
    else:
        p = z_pvalue(
            standardized_excess(u - m * n / 2, sd, alternative, corrected=corrected), alternative
        )
    tied = sd == 0
    neglected = np.where(tied | exact, 0.0, _normal_error(m, n))
    delta = 2 * u / (m * n) - 1
    low, high = _interval(u / (m * n), m, n, confidence, alternative)
    return as_result(
        method=f"Mann-Whitney test ({'exact' if exact else method})",
        question=(
            "Do values of a tend to be larger than those of b? The p-value counts the values "
            "as independent; it does not ask about other networks if all come from one."
        ),
        estimate=delta,
        standard_error=2 * sd / (m * n),
        statistic=u,
        pvalue=np.where(tied, 1.0, p),
        ends=(low, high),
        confidence=confidence,
        alternative=alternative,
        degenerate=tied,
        details=MappingProxyType(
            {
                "n_a": m,
                "n_b": n,
                "u_b": to_python(m * n - u),
                "rank_sum": to_python(rank_sum),
                "prob_superiority": to_python(u / (m * n)),
                "sd_u": to_python(sd),
                "z": to_python(np.where(tied, np.nan, z)),
                "exact": exact,
                "normal_error": to_python(neglected),
                "median_a": to_python(np.median(first, axis=-1)),
                "median_b": to_python(np.median(second, axis=-1)),
            }
        ),
        notes=count_note(tied, "all values are equal, so nothing speaks against it (p = 1)")
        + count_note(
            (neglected > 0) & (method == "auto") & (m + n <= LARGEST_EXACT),
            f"p is from the normal distribution with correction, off by about "
            f"{neglected.max():.2g} at most; method='exact' counts up to {LARGEST_EXACT} values",
        ),
    )


def _normal_error(m: int, n: int) -> float:
    """Return the largest first neglected term of Edgeworth's series for p, without ties."""
    # of U (Fix and Hodges 1955); a normal distribution has 0
    excess = 1.2 * (m**2 + n**2 + m * n + m + n) / (m * n * (m + n + 1))
    return 2 * excess / 24 * HERMITE


def _samples(a: ArrayLike, b: ArrayLike, axis: int) -> tuple[Array, Array]:
    refuse_other_precision(a=a, b=b)
    first, second = along("a", a, axis, least=1), along("b", b, axis, least=1)
    first, second = broadcast_leading("a and b", (first, second), "that of the values (the last)")
    return first, second


def _interval(
    area: Array, m: int, n: int, confidence: float, alternative: Alternative
) -> tuple[Array, Array]:
    """Return Newcombe's interval of 2 area - 1, worked out once for equal areas."""
    z = z_quantile(confidence, alternative)
    different, place = np.unique(area, return_inverse=True)
    ends = np.array([score_interval(float(one), m, n, z) for one in different])
    low, high = 2 * np.moveaxis(ends[place.reshape(area.shape)], -1, 0) - 1
    low = np.full(area.shape, -1.0) if alternative == "less" else low
    high = np.full(area.shape, 1.0) if alternative == "greater" else high
    return low, high


def _exact(ranks: Array, m: int, rank_sum: Array, alternative: Alternative) -> Array:
    p = np.empty(rank_sum.shape)
    for trial in np.ndindex(rank_sum.shape):
        doubled = np.rint(2 * ranks[trial]).astype(np.int64)
        below, above = rank_sum_tails(doubled, m, round(2 * float(rank_sum[trial])))
        two_sided = min(1.0, 2 * min(below, above))
        p[trial] = {"less": below, "greater": above}.get(alternative, two_sided)
    return p
