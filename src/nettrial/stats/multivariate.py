"""Hotelling's T2: do two algorithms differ in the means of several criteria at once?"""

from __future__ import annotations

from types import MappingProxyType
from typing import NoReturn

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..numeric.centering import deviations, from_origin
from ..numeric.checks import to_floats
from ..numeric.input_alignment import (
    refuse_other_columns,
    refuse_other_index,
    refuse_other_precision,
)
from ..numeric.rounding import ROUNDING, scale, settled
from ._arrays import broadcast_leading, to_python
from .omnibus import (
    Floats,
    OmnibusResult,
    f_pvalue,
    noncentrality_interval,
    refuse_unusable,
    row,
)
from .result import check_confidence

IDENTICAL = "no criterion differs at all, so nothing speaks against equality (p = 1)"


@check_arguments
def hotelling_paired_test(a: ArrayLike, b: ArrayLike, *, confidence: float = 0.95) -> OmnibusResult:
    r"""Hotelling's T2 test of two algorithms on the same folds by several criteria.

    When to use it: two algorithms, N independent folds or data sets, p criteria measured on
    each (say precision and recall), and the question whether any mean differs; one test instead
    of p. It assumes independent rows and multivariate normal differences, and N > p. It does
    *not* say which criterion differs (the simultaneous intervals do), which algorithm is better
    if criteria disagree, and it has no one-sided form.

    Parameters
    ----------
    a, b : array_like, shape (..., N, p)
        Rows are folds, columns criteria; leading axes are separate tests. (N,) is one criterion,
        where T2 is the squared paired t.
    confidence : float
        Level of all intervals.

    Returns
    -------
    OmnibusResult
        `statistic` is :math:`T^2 = N \bar d' S^{-1} \bar d`;
        :math:`F = T^2 (N - p) / (p (N - 1))` in `details` has p and N - p degrees of freedom.
        `effect_size` is the Mahalanobis distance :math:`\sqrt{T^2 / N}` (biased upwards in small
        samples), its interval from the noncentral F distribution. `details` has the mean
        differences a - b, their covariance matrix and simultaneous intervals. Where all
        differences are zero T2 is NaN, p = 1 and `degenerate` True.

    Raises
    ------
    InputError
        For different shapes, values that are not finite, N <= p, or criteria whose differences
        are constant or depend linearly on each other, if only in one of several tests.

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
    refuse_other_index(a=a, b=b)
    refuse_other_precision(a=a, b=b)
    first, second = _criteria(a, "a"), _criteria(b, "b")
    if first.shape != second.shape:
        raise InputError(
            parameter=("a", "b"),
            expected="equal shapes of paired rows",
            got=f"{first.shape} and {second.shape}",
            hint="use hotelling_two_sample for unpaired rows",
        )
    differences = first - second
    n, p = differences.shape[-2:]
    if n <= p:
        raise InputError(
            parameter=("a", "b"),
            expected="more rows than criteria",
            got=f"{n} rows for {p} criteria",
            hint="use fewer criteria or more folds",
        )
    mean = differences.mean(axis=-2)
    residuals = deviations(differences, axis=-2)
    size = scale(np.swapaxes(first, -1, -2), np.swapaxes(second, -1, -2))
    return _hotelling(mean, residuals, size, n - 1, float(n), confidence, "paired rows")


@check_arguments
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
    a, b : array_like, shape (..., n_a, p) and (..., n_b, p)
        Rows are test sets, columns criteria; leading axes are separate tests and must broadcast.
        (n,) is one criterion, where T2 is the squared pooled t.
    confidence : float
        Level of all intervals.

    Returns
    -------
    OmnibusResult
        `statistic` is :math:`T^2 = \frac{n_a n_b}{N} \bar d' S^{-1} \bar d` with the pooled S,
        N = n_a + n_b; :math:`F = T^2 (N - p - 1) / (p (N - 2))` in `details` has p and
        N - p - 1 degrees of freedom. `effect_size` is the Mahalanobis distance
        :math:`\sqrt{\bar d' S^{-1} \bar d}`. `details` has the mean differences a - b, the
        pooled covariance matrix and simultaneous intervals. Where all rows are equal T2 is NaN,
        p = 1 and `degenerate` True.

    Raises
    ------
    InputError
        For different criteria, values that are not finite, too few rows, or criteria that are
        constant within groups or depend linearly on each other, if only in one of several tests.

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
    refuse_other_columns(a=a, b=b)
    refuse_other_precision(a=a, b=b)
    first, second = _criteria(a, "a"), _criteria(b, "b")
    (n_a, p), (n_b, p_b) = first.shape[-2:], second.shape[-2:]
    if p != p_b:
        raise InputError(
            parameter=("a", "b"), expected="the same number of criteria", got=f"{p} and {p_b}"
        )
    if n_a + n_b - 2 < p:
        raise InputError(
            parameter=("a", "b"),
            expected=f"at least {p + 2} rows for {p} criteria",
            got=f"{n_a + n_b}",
            hint="use fewer criteria or more test sets",
        )
    first, second = broadcast_leading("a and b", (first, second), "the last two", last=2)
    size = scale(np.swapaxes(first, -1, -2), np.swapaxes(second, -1, -2))
    _, (first, second) = from_origin(first, second, axis=-2)
    mean = first.mean(axis=-2) - second.mean(axis=-2)
    residuals = np.concatenate([deviations(x, axis=-2) for x in (first, second)], axis=-2)
    weight = n_a * n_b / (n_a + n_b)
    return _hotelling(
        mean, residuals, size, n_a + n_b - 2, weight, confidence, "independent groups"
    )


def _criteria(values: ArrayLike, what: str) -> Floats:
    array = to_floats(what, values)
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim < 2 or 0 in array.shape[-2:]:
        raise InputError(
            parameter=what,
            expected="rows of folds and columns of criteria",
            got=f"shape {array.shape}",
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
    p = mean.shape[-1]
    rounding = ROUNDING * scale
    mean = settled(mean, rounding)
    identical = (mean == 0).all(axis=-1) & nothing_varies(residuals, rounding)
    root = full_rank_root(stand_in(residuals, identical), scale)
    # S = root' root / freedom, so that the inverse of S is never formed
    distance = freedom * (whiten(root, mean[..., np.newaxis]) ** 2).sum(axis=(-2, -1))
    distance = np.where(identical, np.nan, distance)
    t2 = weight * distance
    df1, df2 = float(p), float(freedom - p + 1)
    to_f = df2 / (p * freedom)
    low, high = noncentrality_interval(t2 * to_f, df1, df2, confidence)
    covariance = root.swapaxes(-1, -2) @ root / freedom
    covariance = np.where(identical[..., np.newaxis, np.newaxis], 0.0, covariance)
    critical = scipy.special.fdtri(df1, df2, confidence) / to_f
    reach = np.sqrt(critical * np.diagonal(covariance, axis1=-2, axis2=-1) / weight)
    reach = np.where(identical[..., np.newaxis], np.nan, reach)
    return OmnibusResult(
        method=f"Hotelling's T2 test, {design}",
        question="are the means of all criteria equal for both algorithms?",
        statistic=to_python(t2),
        df=(df1, df2),
        pvalue=to_python(np.where(identical, 1.0, f_pvalue(t2 * to_f, df1, df2))),
        effect="Mahalanobis distance",
        effect_size=to_python(np.sqrt(distance)),
        ci_low=to_python(np.sqrt(low / weight)),
        ci_high=to_python(np.sqrt(high / weight)),
        confidence=confidence,
        degenerate=to_python(identical),
        details=MappingProxyType(
            {
                "f": to_python(t2 * to_f),
                "mean_difference": row(mean),
                "simultaneous_low": row(mean - reach),
                "simultaneous_high": row(mean + reach),
                "covariance": covariance,
            }
        ),
        notes=(IDENTICAL,) if identical.any() else (),
    )


def nothing_varies(residuals: Floats, rounding: Floats) -> NDArray[np.bool_]:
    """Return whether all residuals of each of the stacked matrices are rounding noise."""
    largest = np.abs(residuals).max(axis=-2)
    return np.asarray((largest <= 2 * rounding).all(axis=-1))


def stand_in(residuals: Floats, where: NDArray[np.bool_]) -> Floats:
    """Replace residuals of which nothing is asked by independent columns."""
    if not where.any():
        return residuals
    largest = np.maximum(np.abs(residuals).max(), 1.0)
    unit = largest * 1e6 * np.eye(*residuals.shape[-2:])
    return np.where(where[..., np.newaxis, np.newaxis], unit, residuals)


def full_rank_root(residuals: Floats, scale: Floats) -> Floats:
    """Return the triangular R with R'R = residuals'residuals, if the columns are independent.

    Rank is judged after bringing the columns to one length, against what rounding of values as
    large as `scale` can leave, since a solver of a singular system often does not fail.
    """
    rows, p = residuals.shape[-2:]
    lengths = np.sqrt((residuals**2).sum(axis=-2))
    noise = ROUNDING * np.sqrt(rows) * scale
    varying = lengths > noise
    safe = np.where(varying, lengths, 1.0)
    unit = np.where(varying[..., np.newaxis, :], residuals / safe[..., np.newaxis, :], 0.0)
    limit = np.where(varying, noise / safe, ROUNDING * max(rows, p))
    limit = np.maximum(limit.max(axis=-1, keepdims=True), ROUNDING * max(rows, p))
    ranks = np.asarray((np.linalg.svd(unit, compute_uv=False) > limit).sum(axis=-1))
    if (ranks < p).any():
        _refuse_dependent(ranks, varying)
    return np.asarray(np.linalg.qr(residuals, mode="r"), dtype=np.float64)


def _refuse_dependent(ranks: NDArray[np.intp], varying: NDArray[np.bool_]) -> NoReturn:
    p = varying.shape[-1]
    place = tuple(np.argwhere(ranks < p)[0].tolist())
    where = (
        f"in {int((ranks < p).sum())} of {ranks.size} tests, first at {place}, " if place else ""
    )
    constant = np.flatnonzero(~varying[place]).tolist()
    why = f"criteria {constant} do not vary" if constant else "some are sums of others"
    raise InputError(
        parameter="criteria",
        expected=f"residuals of rank {p}",
        got=f"{where}rank {int(ranks[place])} ({why}, or the rows are too few)",
        hint="leave out criteria that the others determine",
    )


def whiten(root: Floats, columns: Floats) -> Floats:
    """Solve R'x = columns for the triangular R of `full_rank_root`.

    The criteria are brought to one length first: NumPy's stacked solver knows nothing of
    triangles, and its pivots depend on units.
    """
    lengths = np.sqrt((root**2).sum(axis=-2))[..., np.newaxis]
    white: Floats = np.linalg.solve(root.swapaxes(-1, -2) / lengths, columns / lengths)
    return white
