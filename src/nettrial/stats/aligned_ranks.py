"""Friedman's test on aligned ranks: for few algorithms, data sets are made comparable first."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
from scipy import special

from ..core.arguments import check_arguments
from ..numeric.centering import from_origin
from ..numeric.ranks import ranks
from ..numeric.rounding import exact_range, rounded
from ._arrays import to_python
from ._names import Table, keep_names
from .friedman import ALL_TIED, ONE_DATA_SET, QUESTION
from .omnibus import OmnibusResult, read_table, row, share_interval
from .result import check_confidence


@check_arguments
@keep_names
def aligned_friedman_test(
    values: Table,
    *,
    higher_is_better: bool = False,
    digits: int | None = None,
    confidence: float = 0.95,
) -> OmnibusResult:
    r"""Friedman's test on aligned ranks of k algorithms over N data sets.

    When to use it: as `friedman_test`, for few algorithms (about k < 5), where ranks within a
    data set say little. The mean of each data set is subtracted, and all values are ranked
    together. It assumes independent data sets and errors in the same units and of like spread on
    all of them. It does *not* say which algorithms differ, nor by how much.

    Parameters
    ----------
    values : array_like, shape (..., N, k)
        Errors; rows are data sets, columns algorithms; leading axes are separate tests.
    higher_is_better : bool
        True for accuracies.
    digits : int or None
        Round the values to so many significant digits first; values that differ by rounding
        noise alone tie anyway.
    confidence : float
        Level of the interval of the effect size.

    Returns
    -------
    OmnibusResult
        With the aligned ranks :math:`r_{ij}`, their means :math:`\bar r_i` by data set and
        :math:`d_{ij} = r_{ij} - \bar r_i`:
        :math:`T = (k-1) \sum_j (\sum_i d_{ij})^2 / \sum_{ij} d_{ij}^2`, chi-square with k - 1
        degrees of freedom. The effect size is T / (N (k - 1)), from 0 to 1. Where all is tied
        p = 1, and for one data set p is NaN; `degenerate` is True in both.

    Raises
    ------
    InputError
        For values that are not finite, or fewer than two columns.

    References
    ----------
    Hodges and Lehmann (1962), Annals of Mathematical Statistics 33, 482-497. García and Herrera
    (2008), J. of Machine Learning Research 9, 2677-2694.

    Examples
    --------
    >>> errors = [[0.2, 0.3, 0.4], [0.1, 0.2, 0.3], [0.3, 0.2, 0.4], [0.2, 0.4, 0.5]]
    >>> result = aligned_friedman_test(errors)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (6.3824, 0.0411)
    """
    check_confidence(confidence)
    table = rounded(read_table(values), digits)
    table = -table if higher_is_better else table
    n, k = table.shape[-2:]
    flat = (*table.shape[:-2], n * k)
    exact = np.isfinite(exact_range(table.reshape(flat)))[..., np.newaxis, np.newaxis]
    table = np.where(exact, from_origin(table, axis=(-2, -1))[1][0], table)
    # k times the aligned values: sums of decimals, where means would have their own rounding
    totals = table.sum(axis=-1, keepdims=True)
    aligned = k * table - totals
    size = np.maximum(k * np.abs(table), np.abs(table).sum(axis=-1, keepdims=True))
    ranked = ranks(*(x.reshape(flat) for x in (aligned, size, table))).reshape(table.shape)
    d = ranked - ranked.mean(axis=-1, keepdims=True)
    # exact: k times d is whole or a half
    d = np.rint(2 * k * d) / (2 * k)
    total, between = (d**2).sum(axis=(-2, -1)), (d.sum(axis=-2) ** 2).sum(axis=-1)
    tied = np.asarray(total == 0)
    unknown = np.asarray(tied | (n == 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where(unknown, np.nan, (k - 1) * between / total)
    largest = float(n * (k - 1))
    return OmnibusResult(
        method="Friedman's test on aligned ranks",
        question=QUESTION,
        statistic=to_python(statistic),
        df=float(k - 1),
        pvalue=to_python(np.where(tied, 1.0, special.chdtrc(k - 1, statistic))),
        effect="share of the largest statistic",
        effect_size=to_python(statistic / largest),
        degenerate=to_python(unknown),
        details=MappingProxyType(
            {"mean_ranks": row(ranked.mean(axis=-2)), "n_data_sets": n, "n_algorithms": k}
        ),
        notes=(ALL_TIED,) * bool(tied.any()) + (ONE_DATA_SET,) * (n == 1),
        **share_interval(statistic, k - 1, largest, confidence),
    )
