"""Skillings and Mack's test: Friedman's where some algorithms lack some data sets."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
from scipy import special

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..numeric.checks import to_floats
from ..numeric.ranks import ranks
from ..numeric.rounding import rounded
from ._names import Table, keep_names
from .friedman import ALL_TIED, ONE_DATA_SET, QUESTION
from .omnibus import OmnibusResult

RANK = 1e-9  # of the number of pairs, below which an eigenvalue is rounding


@check_arguments
@keep_names
def skillings_mack_test(
    values: Table, *, higher_is_better: bool = False, digits: int | None = None
) -> OmnibusResult:
    r"""Skillings and Mack's test of k algorithms over N data sets with missing values.

    When to use it: as `friedman_test`, where some algorithms were not run, or did not end, on
    some data sets. It assumes that what is missing has nothing to do with how an algorithm would
    have done there, and enough data sets for chi-square. It does *not* say which algorithms
    differ.

    Parameters
    ----------
    values : array_like, shape (N, k)
        Errors; rows are data sets, columns algorithms, NaN where there is no value. Rows with
        fewer than two values do not count.
    higher_is_better : bool
        True for accuracies.
    digits : int or None
        Round the values to so many significant digits first; values that differ by rounding
        noise alone tie anyway.

    Returns
    -------
    OmnibusResult
        With :math:`k_i` values in data set i and their ranks :math:`r_{ij}`:
        :math:`A_j = \sum_i \sqrt{12 / (k_i + 1)} (r_{ij} - (k_i + 1)/2)` over the values that are
        there, and :math:`T = A' \Sigma^- A`, where
        :math:`-\Sigma_{jl}` is the number of data sets that have both j and l; chi-square with
        k - 1 degrees of freedom. It is Friedman's (without correction for ties) where nothing is
        missing. Where all is tied p = 1, and for one data set p is NaN; `degenerate` is True in
        both.

    Raises
    ------
    InputError
        For infinite values, or algorithms that no chain of data sets connects.

    References
    ----------
    Skillings and Mack (1981), Technometrics 23, 171-177.

    Examples
    --------
    >>> nan = float("nan")
    >>> errors = [[0.2, 0.3, 0.4], [0.1, nan, 0.3], [0.3, 0.2, 0.4], [0.2, 0.4, nan]]
    >>> result = skillings_mack_test(errors)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (4.2499, 0.1194)
    """
    table = to_floats("values", values)
    if table.ndim != 2 or table.shape[1] < 2:
        raise InputError(
            "values: expected one table of data sets and at least two algorithms, got shape "
            f"{table.shape}"
        )
    if np.isinf(table).any():
        raise InputError("values: expected finite numbers, and NaN for missing ones, got infinite")
    table = table[(~np.isnan(table)).sum(axis=1) >= 2]
    there = ~np.isnan(table)
    n, k = table.shape
    together = there.T.astype(np.float64) @ there
    np.fill_diagonal(together, 0.0)
    covariance = np.diag(together.sum(axis=0)) - together
    roots, vectors = np.linalg.eigh(covariance)
    kept = roots > RANK * max(n, 1)
    if int(kept.sum()) < k - 1:
        raise InputError(
            "values: expected algorithms that data sets connect, got some that share none with "
            "the others; test the groups apart"
        )
    adjusted = np.zeros(k)
    for values_of, has in zip(table, there):
        own = rounded(values_of[has], digits)
        placed = ranks(-own if higher_is_better else own)
        adjusted[has] += np.sqrt(12 / (has.sum() + 1)) * (placed - (has.sum() + 1) / 2)
    tied = bool(np.abs(adjusted).max() < 1e-9 * n) and _all_tied(table, there)
    along = vectors.T[kept] @ adjusted
    nan = float("nan")
    statistic = nan if tied or n == 1 else float((along**2 / roots[kept]).sum())
    return OmnibusResult(
        method="Skillings and Mack's test",
        question=QUESTION,
        statistic=statistic,
        df=float(k - 1),
        pvalue=1.0 if tied else float(special.chdtrc(k - 1, statistic)),
        effect="none",
        effect_size=nan,
        ci_low=nan,
        ci_high=nan,
        confidence=nan,
        degenerate=tied or n == 1,
        details=MappingProxyType(
            {
                "adjusted_rank_sums": tuple(adjusted.tolist()),
                "n_data_sets": n,
                "n_missing": int((~there).sum()),
            }
        ),
        notes=(ALL_TIED,) * tied + (ONE_DATA_SET,) * (n == 1),
    )


def _all_tied(table: np.ndarray, there: np.ndarray) -> bool:
    return all(np.ptp(ranks(row[has])) == 0 for row, has in zip(table, there))
