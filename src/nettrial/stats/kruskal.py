"""Kruskal and Wallis's test, and Dunn's comparisons of the pairs after it."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..core.arguments import check_arguments
from ..numeric.ranks import ranks
from ..numeric.rounding import rounded
from ._arrays import to_python
from ._names import Groups, keep_names
from ._pairs import compare_pairs
from .comparisons import Comparisons, all_pairs, by_name, read_names
from .multiplicity import Adjustment, check_adjustment
from .omnibus import Floats, OmnibusResult, read_groups, row, share_interval
from .pair_adjustments import PAIR_ADJUSTMENTS, PairAdjustment
from .result import check_confidence

ALL_TIED = (
    "all values are equal, so nothing speaks against equality (p = 1); the tie-corrected "
    "statistic is 0/0"
)


def _pooled_ranks(
    groups: Groups, axis: int, digits: int | None
) -> tuple[Floats, NDArray[np.int64], Floats, Floats]:
    """Return ranks about their mean, group sizes, the groups' sums of these, and their squares."""
    arrays = read_groups(groups, axis=axis, finite=False)
    sizes = np.array([array.shape[-1] for array in arrays])
    total = int(sizes.sum())
    pooled = rounded(np.concatenate(arrays, axis=-1), digits)
    centered = ranks(pooled, pooled) - (total + 1) / 2
    sums = np.add.reduceat(centered, np.cumsum(sizes) - sizes, axis=-1)
    return centered, sizes, sums, (centered**2).sum(axis=-1)


@check_arguments
@keep_names
def kruskal_wallis_test(
    groups: Groups,
    *,
    ties: Literal["corrected", "uncorrected"] = "corrected",
    digits: int | None = None,
    axis: int = -1,
    confidence: float = 0.95,
) -> OmnibusResult:
    r"""Kruskal and Wallis's rank test of k independent groups.

    When to use it: several algorithms, each on its own independent test sets, with errors that
    are far from normal. It assumes independent observations; the chi-square reference is rough
    for groups of fewer than five. It tests whether the groups have one distribution: only if
    their distributions differ by a shift alone is it a test of medians. It does *not* say which
    groups differ (see `dunn_test`), and it is the wrong test for algorithms that ran on the same
    data sets (see `friedman_test`).

    Parameters
    ----------
    groups : sequence of array_like
        One array per group, observations along `axis`; sizes may differ. The other axes are
        separate tests and must broadcast.
    ties : {"corrected", "uncorrected"}
        Whether H is divided by :math:`1 - \sum (t^3 - t) / (N^3 - N)`, as in R and SciPy.
    digits : int or None
        Round the values to so many significant digits first; values that differ by rounding
        noise alone tie anyway.
    axis : int, default -1
        The axis of every group that holds its observations.
    confidence : float
        Level of the interval of the effect size, from the noncentral chi-square distribution:
        right for small effects, too wide for large ones, since ranks then vary less.

    Returns
    -------
    OmnibusResult
        :math:`H = \frac{12}{N(N+1)} \sum_i n_i (\bar R_i - \frac{N+1}{2})^2` with k - 1 degrees
        of freedom. `effect_size` is epsilon squared, H / (N - 1), from 0 to 1. If all values
        are equal the corrected H is NaN, the uncorrected one 0, p = 1 and `degenerate` True.

    Raises
    ------
    InputError
        For fewer than two groups, empty groups, or NaN.

    References
    ----------
    Kruskal and Wallis (1952), J. American Statistical Association 47, 583-621.

    Examples
    --------
    >>> groups = [[2.9, 3.0, 2.5, 2.6, 3.2], [3.8, 2.7, 4.0, 2.4], [2.8, 3.4, 3.7]]
    >>> result = kruskal_wallis_test(groups)
    >>> round(result.statistic, 4), result.df, round(result.pvalue, 4)
    (1.2462, 2.0, 0.5363)
    """
    check_confidence(confidence)
    centered, sizes, sums, squares = _pooled_ranks(groups, axis, digits)
    total = centered.shape[-1]
    without_ties = (total**3 - total) / 12
    tied = squares == 0
    scale = np.where(tied, np.nan, squares) if ties == "corrected" else without_ties
    h = (total - 1) * (sums**2 / sizes).sum(axis=-1) / scale
    df = float(len(sizes) - 1)
    notes = [ALL_TIED] if tied.any() else []
    if sizes.min() < 5:
        notes.append("the chi-square reference is rough for groups of fewer than five")
    return OmnibusResult(
        method=f"Kruskal and Wallis's test, ties {ties}",
        question="do all groups have the same distribution?",
        statistic=to_python(h),
        df=df,
        pvalue=to_python(np.where(tied, 1.0, special.chdtrc(df, h))),
        effect="epsilon squared",
        effect_size=to_python(h / (total - 1)),
        **share_interval(np.where(tied, np.nan, h), df, total - 1, confidence),
        degenerate=to_python(tied),
        details=MappingProxyType(
            {
                "mean_ranks": row(sums / sizes + (total + 1) / 2),
                "tie_factor": to_python(squares / without_ties),
                "sizes": tuple(sizes.tolist()),
            }
        ),
        notes=tuple(notes),
    )


@check_arguments
@keep_names
def dunn_test(
    groups: Groups,
    *,
    names: Sequence[str] | None = None,
    adjustment: Adjustment | PairAdjustment = "holm",
    digits: int | None = None,
    axis: int = -1,
    confidence: float = 0.95,
) -> Comparisons:
    r"""Dunn's comparison of all pairs of independent groups by their pooled mean ranks.

    When to use it: after `kruskal_wallis_test`, to say which groups differ; it uses the same ranks.
    It assumes independent observations and groups that are not small. It does *not* estimate a
    difference of errors, and a pair's verdict depends on the other groups, with which it was
    ranked.

    Parameters
    ----------
    groups : sequence of array_like
        One array per group, observations along `axis`; sizes may differ. The other axes are
        separate families of tests and must broadcast.
    names : sequence of str, optional
        Names of the groups; their places from 0 if left out.
    adjustment : str
        A method of `adjust` or of `adjust_pairs`.
    digits : int or None
        Round the values to so many significant digits first; values that differ by rounding
        noise alone tie anyway.
    axis : int, default -1
        The axis of every group that holds its observations.
    confidence : float
        Level of the intervals; with Bonferroni's width they hold together, with adjustment
        "none" each for itself.

    Returns
    -------
    Comparisons
        Differences of mean ranks; with the tie-corrected variance of all ranks :math:`s^2`
        (N - 1 in the denominator), :math:`z = (\bar R_i - \bar R_j) / \sqrt{s^2 (1/n_i +
        1/n_j)}`. If all values are equal p = 1 and `degenerate` is True. The pairs lie on the
        last axis of every array.

    Raises
    ------
    InputError
        For fewer than two groups, empty groups, NaN, or an unknown adjustment.

    References
    ----------
    Dunn (1964), Technometrics 6, 241-252.

    Examples
    --------
    >>> result = dunn_test([[1, 2, 3, 4], [3, 5, 6, 7], [8, 9, 10, 11]], names=["A", "B", "C"])
    >>> result.adjusted_pvalue.round(4).tolist()
    [0.2016, 0.0082, 0.1712]
    """
    check_confidence(confidence)
    check_adjustment(adjustment, PAIR_ADJUSTMENTS)
    centered, sizes, sums, squares = _pooled_ranks(groups, axis, digits)
    total, k = centered.shape[-1], len(sizes)
    known = read_names(names, k)
    i, j = all_pairs(k)
    means = sums / sizes
    estimate = means[..., i] - means[..., j]
    variance = squares[..., np.newaxis] / (total - 1)
    error = np.sqrt(variance * (1 / sizes[i] + 1 / sizes[j]))
    tied = error == 0
    return compare_pairs(
        known,
        (i, j),
        estimate,
        error,
        method="Dunn's test",
        question="does the first group have the same mean rank as the second?",
        adjustment=adjustment,
        confidence=confidence,
        flat=tied,
        equal=tied,
        details={
            "mean_ranks": by_name(known, means + (total + 1) / 2),
            "sizes": tuple(sizes.tolist()),
        },
        notes=(ALL_TIED,) if tied.any() else (),
    )
