"""Which means differ: comparisons of all pairs that go with an analysis of variance."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from ..errors import InputError
from .comparisons import Comparisons, all_pairs, pair_names, read_names
from .multiplicity import Adjustment, adjust_known, check_adjustment
from .omnibus import ROUNDING, Floats, read_groups, read_table
from .result import check_confidence
from .studentized import range_quantile, range_tail

ROOT2 = float(np.sqrt(2))
DEGENERATE = (
    "degenerate pairs differ by a constant, without variation to measure the difference "
    "against: they have no p-value, whatever its size"
)


def tukey_hsd(
    groups: Sequence[ArrayLike], *, names: Sequence[str] | None = None, confidence: float = 0.95
) -> Comparisons:
    r"""Tukey's honest comparison of all pairs of k independent groups (Tukey-Kramer).

    When to use it: instead of, or after, `oneway_anova`, to say which groups differ. It assumes
    independent normal observations of equal variance; with unequal variances use
    `games_howell`, with the same folds for all algorithms `paired_comparisons`. It does *not*
    need a significant F first, and its intervals say how large the differences are.

    Parameters
    ----------
    groups : sequence of array_like
        One list of observations a group; sizes may differ.
    names : sequence of str, optional
        Names of the groups; their places from 0 if left out.
    confidence : float
        Level at which all intervals hold together.

    Returns
    -------
    Comparisons
        `statistic` is :math:`t = (\bar x_i - \bar x_j) / \sqrt{MS_W (1/n_i + 1/n_j)}`, `pvalue`
        from Student's t with N - k degrees of freedom, `adjusted_pvalue` the chance that the
        studentized range of k means exceeds :math:`\sqrt 2 |t|`.

    Raises
    ------
    InputError
        For fewer than two groups, empty ones, values that are not finite, or no more
        observations than groups.

    References
    ----------
    Tukey (1953), The Problem of Multiple Comparisons. Kramer (1956), Biometrics 12, 307-310.

    Examples
    --------
    >>> result = tukey_hsd([[0.21, 0.25, 0.22], [0.30, 0.28, 0.27], [0.22, 0.20, 0.24]])
    >>> result.adjusted_pvalue.round(4).tolist()
    [0.0241, 0.9034, 0.0148]
    """
    check_confidence(confidence)
    arrays = _lists(groups)
    sizes = np.array([x.size for x in arrays])
    freedom = float(sizes.sum() - len(arrays))
    if freedom == 0:
        raise InputError("groups: every group has one observation; at least one needs two")
    within = sum(float(((x - x.mean()) ** 2).sum()) for x in arrays)
    largest = max(float(np.abs(x).max()) for x in arrays)
    if within <= sizes.sum() * (ROUNDING * largest) ** 2:
        within = 0.0
    i, j = all_pairs(len(arrays))
    error = np.sqrt(within / freedom * (1 / sizes[i] + 1 / sizes[j]))
    return _studentized(
        arrays, names, error, np.full(i.size, freedom), confidence, "Tukey's HSD", "Tukey"
    )


def games_howell(
    groups: Sequence[ArrayLike], *, names: Sequence[str] | None = None, confidence: float = 0.95
) -> Comparisons:
    r"""Games and Howell's comparison of all pairs of groups with unequal variances.

    When to use it: as `tukey_hsd`, where the groups need not have equal variances; it goes with
    the "welch" form of `oneway_anova`. It assumes independent, roughly normal observations, and
    holds its level only approximately for groups of fewer than about five. It does *not* use
    pairing.

    Parameters
    ----------
    groups : sequence of array_like
        One list of at least two observations a group.
    names : sequence of str, optional
        Names of the groups; their places from 0 if left out.
    confidence : float
        Level at which all intervals hold together.

    Returns
    -------
    Comparisons
        Each pair has its own error :math:`\sqrt{s_i^2/n_i + s_j^2/n_j}` and Welch's degrees of
        freedom; `adjusted_pvalue` is from the studentized range of k means with these.

    Raises
    ------
    InputError
        For fewer than two groups, groups of fewer than two, or values that are not finite.

    References
    ----------
    Games and Howell (1976), J. of Educational Statistics 1, 113-125.

    Examples
    --------
    >>> result = games_howell([[0.21, 0.25, 0.22], [0.30, 0.28, 0.27], [0.22, 0.20, 0.24]])
    >>> result.adjusted_pvalue.round(4).tolist()
    [0.0468, 0.9173, 0.0297]
    """
    check_confidence(confidence)
    arrays = _lists(groups)
    sizes = np.array([x.size for x in arrays])
    if sizes.min() < 2:
        raise InputError(f"groups: group {int(sizes.argmin())} has one observation, two are needed")
    means_variance = np.array([x.var(ddof=1) / x.size for x in arrays])
    largest = np.array([np.abs(x).max() for x in arrays])
    means_variance[means_variance * sizes <= (ROUNDING * largest) ** 2] = 0.0
    i, j = all_pairs(len(arrays))
    together = means_variance[i] + means_variance[j]
    with np.errstate(invalid="ignore"):
        freedom = together**2 / (
            means_variance[i] ** 2 / (sizes[i] - 1) + means_variance[j] ** 2 / (sizes[j] - 1)
        )
    return _studentized(
        arrays, names, np.sqrt(together), freedom, confidence, "Games-Howell", "Games-Howell"
    )


def _lists(groups: Sequence[ArrayLike]) -> list[Floats]:
    arrays = read_groups(groups)
    if arrays[0].ndim != 1:
        raise InputError("groups: each must be one list of observations, without further axes")
    return arrays


def _studentized(
    arrays: list[Floats],
    names: Sequence[str] | None,
    error: Floats,
    freedom: Floats,
    confidence: float,
    method: str,
    adjustment: str,
) -> Comparisons:
    k = len(arrays)
    i, j = all_pairs(k)
    means = np.array([x.mean() for x in arrays])
    estimate = means[i] - means[j]
    t, pvalue, degenerate = student(estimate, error, freedom, np.abs(means).max())
    adjusted = pvalue.copy()
    known = ~degenerate & (error > 0)
    distance = ROOT2 * np.abs(t[known])
    adjusted[known] = range_tail(distance, k, freedom[known])
    reach = np.full(i.size, np.nan)
    quantiles = {df: range_quantile(confidence, k, df) for df in set(freedom[known].tolist())}
    reach[known] = (
        np.array([quantiles[df] for df in freedom[known].tolist()]) / ROOT2 * error[known]
    )
    first, second = pair_names(read_names(names, k), i, j)
    return Comparisons(
        method=method,
        question="is the mean of the first group equal to that of the second?",
        first=first,
        second=second,
        estimate=estimate,
        standard_error=error,
        statistic=t,
        df=freedom,
        pvalue=pvalue,
        adjusted_pvalue=np.maximum(adjusted, pvalue),  # the quadrature ends at about 1e-12
        ci_low=estimate - reach,
        ci_high=estimate + reach,
        confidence=confidence,
        adjustment=adjustment,
        interval="simultaneous",
        degenerate=degenerate,
        details=MappingProxyType({"means": tuple(means.tolist())}),
        notes=(DEGENERATE,) if degenerate.any() else (),
    )


def student(
    estimate: Floats, error: Floats, freedom: Floats, scale: float
) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Give t, its two-sided p-value, and where there is no variation to divide by.

    Equal constants give t = 0 and p = 1, different ones NaN, and True in the third array.
    """
    constant = error == 0
    equal = constant & (np.abs(estimate) <= ROUNDING * scale)
    t = np.where(equal, 0.0, np.nan)
    t[~constant] = estimate[~constant] / error[~constant]
    pvalue = np.where(equal, 1.0, np.nan)
    pvalue[~constant] = 2 * special.stdtr(freedom[~constant], -np.abs(t[~constant]))
    return t, pvalue, constant & ~equal


def paired_comparisons(
    values: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    adjustment: Adjustment = "holm",
    confidence: float = 0.95,
) -> Comparisons:
    r"""Paired t-tests of all pairs of k algorithms on the same folds, adjusted for their number.

    When to use it: after `repeated_measures_anova`, or instead of it. Each pair is tested with
    its own variance, so that sphericity is not needed and a wild third algorithm cannot make
    two others look different. It assumes independent rows and normal differences. It does *not*
    repair folds whose training or test sets overlap.

    Parameters
    ----------
    values : array_like, shape (N, k)
        Rows are folds or data sets, columns are algorithms.
    names : sequence of str, optional
        Names of the algorithms; their places from 0 if left out.
    adjustment : str
        A method of `adjust`.
    confidence : float
        Level of the intervals; with Bonferroni's width they hold together, with adjustment
        "none" each for itself.

    Returns
    -------
    Comparisons
        :math:`t = \bar d \sqrt N / s_d` with N - 1 degrees of freedom for each pair. Equal
        columns give t = 0 and p = 1; columns that differ by a constant give NaN and
        `degenerate`, and are left out of the family.

    Raises
    ------
    InputError
        For fewer than two rows or columns, values that are not finite, or an unknown
        adjustment.

    References
    ----------
    Holm (1979), Scand. J. Statistics 6, 65-70. Maxwell (1980), J. of Educational Statistics 5,
    269-287.

    Examples
    --------
    >>> folds = [[0.21, 0.19, 0.22], [0.19, 0.18, 0.20], [0.25, 0.22, 0.24], [0.22, 0.21, 0.25]]
    >>> paired_comparisons(folds, names=["A", "B", "C"]).adjusted_pvalue.round(4).tolist()
    [0.0707, 0.3081, 0.0314]
    """
    check_confidence(confidence)
    check_adjustment(adjustment)
    table = read_table(values)
    if table.ndim != 2 or len(table) < 2:
        raise InputError(
            f"values: need one table of at least two rows, received shape {table.shape}"
        )
    n, k = table.shape
    i, j = all_pairs(k)
    differences = table[:, i] - table[:, j]
    estimate = differences.mean(axis=0)
    error = differences.std(axis=0, ddof=1) / np.sqrt(n)
    scale = float(np.abs(table).max())
    error[error <= ROUNDING * np.abs(table).max(axis=0)[[i, j]].max(axis=0)] = 0.0
    freedom = np.full(i.size, float(n - 1))
    t, pvalue, degenerate = student(estimate, error, freedom, scale)
    pairs = 1 if adjustment == "none" else i.size
    reach = -special.stdtrit(n - 1, (1 - confidence) / (2 * pairs)) * error
    reach[degenerate | (error == 0)] = np.nan
    first, second = pair_names(read_names(names, k), i, j)
    details: dict[str, Any] = {"means": tuple(table.mean(axis=0).tolist()), "n_rows": n}
    return Comparisons(
        method="paired t-tests of all pairs",
        question="is the mean of the first equal to that of the second over such rows?",
        first=first,
        second=second,
        estimate=estimate,
        standard_error=error,
        statistic=t,
        df=freedom,
        pvalue=pvalue,
        adjusted_pvalue=adjust_known(pvalue, adjustment),
        ci_low=estimate - reach,
        ci_high=estimate + reach,
        confidence=confidence,
        adjustment=adjustment,
        interval="one pair" if adjustment == "none" else "simultaneous",
        degenerate=degenerate,
        details=MappingProxyType(details),
        notes=(DEGENERATE,) if degenerate.any() else (),
    )
