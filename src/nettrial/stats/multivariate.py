"""Hotelling's T2: do two algorithms differ in the means of several criteria at once?"""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg, special

from ..errors import InputError
from .omnibus import (
    ROUNDING,
    Floats,
    OmnibusResult,
    f_pvalue,
    noncentrality_interval,
    refuse_unusable,
    row,
)
from .result import check_confidence


def hotelling_paired_test(a: ArrayLike, b: ArrayLike, *, confidence: float = 0.95) -> OmnibusResult:
    r"""Hotelling's T2 test of two algorithms on the same folds by several criteria.

    When to use it: two algorithms, N independent folds or data sets, p criteria measured on
    each (say precision and recall), and the question whether any mean differs; one test instead
    of p. It assumes independent rows and multivariate normal differences, and N > p. It does
    *not* say which criterion differs (the simultaneous intervals do), which algorithm is better
    if criteria disagree, and it has no one-sided form.

    Parameters
    ----------
    a, b : array_like, shape (N, p)
        Rows are folds, columns criteria; (N,) is one criterion, where T2 is the squared paired t.
    confidence : float
        Level of all intervals.

    Returns
    -------
    OmnibusResult
        `statistic` is :math:`T^2 = N \bar d' S^{-1} \bar d`;
        :math:`F = T^2 (N - p) / (p (N - 1))` in `details` has p and N - p degrees of freedom.
        `effect_size` is the Mahalanobis distance :math:`\sqrt{T^2 / N}` (biased upwards in small
        samples), its interval from the noncentral F distribution. `details` has the mean
        differences a - b, their covariance matrix and simultaneous intervals.

    Raises
    ------
    InputError
        For different shapes, values that are not finite, N <= p, or criteria whose differences
        are constant or depend linearly on each other.

    References
    ----------
    Hotelling (1931), Annals of Mathematical Statistics 2, 360-378.

    Examples
    --------
    >>> a = [[0.20, 0.31], [0.22, 0.30], [0.25, 0.36], [0.19, 0.33], [0.24, 0.35]]
    >>> b = [[0.23, 0.30], [0.24, 0.32], [0.26, 0.35], [0.24, 0.33], [0.25, 0.36]]
    >>> result = hotelling_paired_test(a, b)
    >>> round(result.statistic, 3), result.df, round(result.pvalue, 4)
    (11.04, (2.0, 3.0), 0.1372)
    """
    check_confidence(confidence)
    first, second = _criteria(a, "a"), _criteria(b, "b")
    if first.shape != second.shape:
        raise InputError(
            f"a and b: received shapes {first.shape} and {second.shape}, paired rows need equal "
            "ones; use hotelling_two_sample for unpaired rows"
        )
    differences = first - second
    n, p = differences.shape
    if n <= p:
        raise InputError(
            f"a and b: {n} rows for {p} criteria, more rows than criteria are needed; "
            "use fewer criteria or more folds"
        )
    mean = differences.mean(axis=0)
    residuals = differences - mean
    scale = np.maximum(np.abs(first).max(axis=0), np.abs(second).max(axis=0))
    return _hotelling(mean, residuals, scale, n - 1, float(n), confidence, "paired rows")


def hotelling_two_sample_test(
    a: ArrayLike, b: ArrayLike, *, confidence: float = 0.95
) -> OmnibusResult:
    r"""Hotelling's T2 test of two independent groups by several criteria.

    When to use it: as `hotelling_paired_test`, where the rows of `a` and `b` come from different
    test sets. It assumes independent multivariate normal rows with one covariance matrix for
    both groups, and more than p + 1 rows in all. It does *not* use pairing, and unequal
    covariance matrices with unequal group sizes break its level.

    Parameters
    ----------
    a, b : array_like, shape (n_a, p) and (n_b, p)
        Rows are test sets, columns criteria; (n,) is one criterion, where T2 is the squared
        pooled t.
    confidence : float
        Level of all intervals.

    Returns
    -------
    OmnibusResult
        `statistic` is :math:`T^2 = \frac{n_a n_b}{N} \bar d' S^{-1} \bar d` with the pooled S,
        N = n_a + n_b; :math:`F = T^2 (N - p - 1) / (p (N - 2))` in `details` has p and
        N - p - 1 degrees of freedom. `effect_size` is the Mahalanobis distance
        :math:`\sqrt{\bar d' S^{-1} \bar d}`. `details` has the mean differences a - b, the
        pooled covariance matrix and simultaneous intervals.

    Raises
    ------
    InputError
        For different criteria, values that are not finite, too few rows, or criteria that are
        constant within groups or depend linearly on each other.

    References
    ----------
    Hotelling (1931), Annals of Mathematical Statistics 2, 360-378.

    Examples
    --------
    >>> a = [[0.20, 0.31], [0.22, 0.30], [0.25, 0.36], [0.19, 0.33], [0.24, 0.35]]
    >>> b = [[0.29, 0.30], [0.28, 0.32], [0.30, 0.35], [0.27, 0.33]]
    >>> result = hotelling_two_sample_test(a, b)
    >>> round(result.statistic, 3), result.df, round(result.pvalue, 4)
    (32.634, (2.0, 6.0), 0.0055)
    """
    check_confidence(confidence)
    first, second = _criteria(a, "a"), _criteria(b, "b")
    if first.shape[1] != second.shape[1]:
        raise InputError(
            f"a and b: received {first.shape[1]} and {second.shape[1]} criteria, both need the same"
        )
    (n_a, p), n_b = first.shape, len(second)
    if n_a + n_b - 2 < p:
        raise InputError(
            f"a and b: {n_a + n_b} rows for {p} criteria, at least {p + 2} are needed; "
            "use fewer criteria or more test sets"
        )
    mean = first.mean(axis=0) - second.mean(axis=0)
    residuals = np.vstack([first - first.mean(axis=0), second - second.mean(axis=0)])
    scale = np.maximum(np.abs(first).max(axis=0), np.abs(second).max(axis=0))
    weight = n_a * n_b / (n_a + n_b)
    return _hotelling(
        mean, residuals, scale, n_a + n_b - 2, weight, confidence, "independent groups"
    )


def _criteria(values: ArrayLike, what: str) -> Floats:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2 or 0 in array.shape:
        raise InputError(
            f"{what}: need rows of folds and columns of criteria, received shape {array.shape}"
        )
    refuse_unusable(array, what, finite=True)
    return array


def _hotelling(
    mean: Floats,
    residuals: Floats,
    scale: Floats,
    freedom: int,
    weight: float,
    confidence: float,
    design: str,
) -> OmnibusResult:
    p = mean.size
    root = full_rank_root(residuals, scale)
    # S = root' root / freedom, so that the inverse of S is never formed
    whitened = linalg.solve_triangular(root, mean, trans="T")
    distance = freedom * float(whitened @ whitened)
    t2 = weight * distance
    df1, df2 = float(p), float(freedom - p + 1)
    to_f = df2 / (p * freedom)
    low, high = noncentrality_interval(t2 * to_f, df1, df2, confidence)
    covariance = root.T @ root / freedom
    critical = special.fdtri(df1, df2, confidence) / to_f
    reach = np.sqrt(critical * np.diag(covariance) / weight)
    return OmnibusResult(
        method=f"Hotelling's T2 test, {design}",
        question="are the means of all criteria equal for both algorithms?",
        statistic=t2,
        df=(df1, df2),
        pvalue=float(f_pvalue(t2 * to_f, df1, df2)),
        effect="Mahalanobis distance",
        effect_size=float(np.sqrt(distance)),
        ci_low=float(np.sqrt(low / weight)),
        ci_high=float(np.sqrt(high / weight)),
        confidence=confidence,
        details=MappingProxyType(
            {
                "f": t2 * to_f,
                "mean_difference": row(mean),
                "simultaneous_low": row(mean - reach),
                "simultaneous_high": row(mean + reach),
                "covariance": covariance,
            }
        ),
    )


def full_rank_root(residuals: Floats, scale: Floats) -> Floats:
    """Give the triangular R with R'R = residuals'residuals, if the columns are independent.

    Rank is judged after bringing the columns to one length, against what rounding of values as
    large as `scale` can leave, since a solver of a singular system often does not fail.

    Raises
    ------
    InputError
        If the rank is smaller than the number of columns.
    """
    rows, p = residuals.shape
    lengths = np.sqrt((residuals**2).sum(axis=0))
    noise = ROUNDING * np.sqrt(rows) * scale
    varying = lengths > noise
    rank = 0
    if varying.any():
        unit = residuals[:, varying] / lengths[varying]
        limit = max(float((noise[varying] / lengths[varying]).max()), ROUNDING * max(rows, p))
        rank = int((linalg.svdvals(unit) > limit).sum())
    if rank < p:
        constant = np.flatnonzero(~varying).tolist()
        why = f"criteria {constant} do not vary" if constant else "some are sums of others"
        raise InputError(
            f"criteria: their residuals have rank {rank}, {p} is needed ({why}, or the rows are "
            "too few); leave out criteria that the others determine"
        )
    (root,) = linalg.qr(residuals, mode="r")
    return np.asarray(root[:p])
