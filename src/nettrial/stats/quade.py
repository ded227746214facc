"""Quade's test: Friedman's with data sets weighted by how far apart the algorithms lie there."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from ..core.arguments import check_arguments
from ..numeric.ranks import ranks as mean_ranks
from ..numeric.rounding import rounded
from ._arrays import to_python
from ._names import Table, keep_names
from .comparisons import Comparisons
from .friedman import ALL_TIED, ONE_DATA_SET, QUESTION, SAME_ORDER, rank_rows
from .friedman_posthoc import residual_comparisons
from .multiplicity import Adjustment
from .omnibus import Floats, OmnibusResult, f_pvalue, read_table, row
from .pair_adjustments import PairAdjustment


class _WeightedRanks(NamedTuple):
    """Sums of the ranks about their mean, each times the rank of its data set's range."""

    n: int
    k: int
    mean_ranks: Floats  # weighted means
    weights: Floats  # sum over the data sets
    total: Floats  # n times the sum of squares
    between: Floats  # sum of squares of the sums


def _weighted(values: Table, higher_is_better: bool, digits: int | None) -> _WeightedRanks:
    table = rounded(read_table(values), digits)
    ranks = rank_rows(table, ranked=False, higher_is_better=higher_is_better)
    n, k = ranks.shape[-2:]
    high, low = table.max(axis=-1), table.min(axis=-1)
    weights = mean_ranks(high - low, high, low)
    # S, twice, is whole
    weighted = weights[..., np.newaxis] * (ranks - (k + 1) / 2)
    sums = weighted.sum(axis=-2)
    weight = weights.sum(axis=-1)
    return _WeightedRanks(
        n=n,
        k=k,
        mean_ranks=sums / weight[..., np.newaxis] + (k + 1) / 2,
        weights=weight,
        total=n * (weighted**2).sum(axis=(-2, -1)),
        between=(sums**2).sum(axis=-1),
    )


@check_arguments
@keep_names
def quade_test(
    values: Table, *, higher_is_better: bool = False, digits: int | None = None
) -> OmnibusResult:
    r"""Quade's test of k algorithms over N data sets.

    When to use it: as `friedman_test`, for few algorithms (about k < 5), where differences can
    be compared between data sets: one on which the algorithms lie far apart counts more. It
    assumes independent data sets and errors in the same units on all of them. It does *not* say
    which algorithms differ (see `quade_comparisons`), nor by how much.

    Parameters
    ----------
    values : array_like, shape (..., N, k)
        Errors; rows are data sets, columns algorithms; leading axes are separate tests.
    higher_is_better : bool
        True for accuracies: the largest value of a row gets rank 1.
    digits : int or None
        Round the values to so many significant digits first; values that differ by rounding
        noise alone tie anyway.

    Returns
    -------
    OmnibusResult
        With ranks :math:`r_{ij}` within data sets, ranks :math:`Q_i` of the data sets' ranges
        and :math:`S_{ij} = Q_i (r_{ij} - (k+1)/2)`: A is the sum of all :math:`S_{ij}^2`, B
        that of all :math:`(\sum_i S_{ij})^2 / N`, and
        :math:`F = (N-1) B / (A - B)` with k - 1 and (k - 1)(N - 1) degrees of freedom. The
        effect size is B / A, the share of the weighted ranks' squares that lies between the
        algorithms, without interval. Where all is tied p = 1, and where all data sets order the
        algorithms alike, or there is one data set, p is NaN; `degenerate` is True in all three.

    Raises
    ------
    InputError
        For values that are not finite, or fewer than two columns.

    References
    ----------
    Quade (1979), J. American Statistical Association 74, 680-683. Conover (1999), Practical
    Nonparametric Statistics, 3rd edition, section 5.8.

    Examples
    --------
    >>> sales = [[5, 4, 7, 10, 12], [1, 3, 1, 0, 2], [16, 12, 22, 22, 35], [5, 4, 3, 5, 4],
    ...          [10, 9, 7, 13, 10], [19, 18, 28, 37, 58], [10, 7, 6, 8, 7]]
    >>> result = quade_test(sales)
    >>> round(result.statistic, 4), result.df, round(result.pvalue, 5)
    (3.8293, (4.0, 24.0), 0.01519)
    """
    found = _weighted(values, higher_is_better, digits)
    residual = found.total - found.between
    tied = found.total == 0
    alike = ~tied & (residual <= 0)  # exact, since doubled ranks are whole numbers
    degenerate = np.asarray(tied | alike | (found.n == 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        f = (found.n - 1) * found.between / np.where(degenerate, np.nan, residual)
        share = np.where(tied, np.nan, found.between / found.total)
    df1, df2 = float(found.k - 1), float((found.k - 1) * (found.n - 1))
    notes = (
        *((ALL_TIED,) if tied.any() else ()),
        *((ONE_DATA_SET,) if found.n == 1 else (SAME_ORDER,) if alike.any() else ()),
    )
    return OmnibusResult(
        method="Quade's test",
        question=QUESTION,
        statistic=to_python(f),
        df=(df1, df2),
        pvalue=to_python(np.where(tied, 1.0, f_pvalue(f, df1, df2))),
        effect="share of the weighted ranks' squares",
        effect_size=to_python(share),
        ci_low=to_python(np.full(share.shape, np.nan)),
        ci_high=to_python(np.full(share.shape, np.nan)),
        confidence=float("nan"),
        degenerate=to_python(degenerate),
        details=MappingProxyType(
            {
                "mean_ranks": row(found.mean_ranks),
                "n_data_sets": found.n,
                "n_algorithms": found.k,
            }
        ),
        notes=notes,
    )


@check_arguments
@keep_names
def quade_comparisons(
    values: Table,
    *,
    higher_is_better: bool = False,
    digits: int | None = None,
    names: Sequence[str] | None = None,
    adjustment: Adjustment | PairAdjustment = "holm",
    confidence: float = 0.95,
) -> Comparisons:
    r"""Compare all pairs of k algorithms by Quade's weighted ranks.

    When to use it: after `quade_test` has rejected, to say which algorithms differ. It assumes
    what that test does; without it, its level does not hold. It does *not* say how much two
    algorithms differ in error, and a pair's verdict depends on the other algorithms in the
    table.

    Parameters
    ----------
    values : array_like, shape (..., N, k)
        Errors; rows are data sets, columns algorithms; leading axes are separate families.
    higher_is_better, digits, names
        As in `nemenyi_test`.
    adjustment, confidence
        As in `siegel_test`.

    Returns
    -------
    Comparisons
        :math:`t = (S_i - S_j) / \sqrt{2 N (A - B) / ((N-1)(k-1))}` with (N - 1)(k - 1) degrees
        of freedom, in the terms of `quade_test`; the estimate is the difference of mean ranks
        weighted by the ranks of the ranges. Degenerate as `quade_test`. The pairs lie on the
        last axis of every array.

    Raises
    ------
    InputError
        As `quade_test`, and for an unknown adjustment.

    References
    ----------
    Conover (1999), Practical Nonparametric Statistics, 3rd edition, section 5.8.

    Examples
    --------
    >>> sales = [[5, 4, 7, 10, 12], [1, 3, 1, 0, 2], [16, 12, 22, 22, 35], [5, 4, 3, 5, 4],
    ...          [10, 9, 7, 13, 10], [19, 18, 28, 37, 58], [10, 7, 6, 8, 7]]
    >>> found = quade_comparisons(sales, names=list("ABCDE"))
    >>> found.first[6], found.second[6], found.adjusted_pvalue[6].round(4).item()
    ('B', 'E', 0.0211)
    """
    found = _weighted(values, higher_is_better, digits)
    return residual_comparisons(
        found.mean_ranks,
        found.total - found.between,
        found.n,
        names=names,
        adjustment=adjustment,
        confidence=confidence,
        method="Quade's comparison of weighted mean ranks",
        scale=found.weights,
    )
