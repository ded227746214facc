"""Which means differ: comparisons of all pairs that go with an analysis of variance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..numeric.centering import from_origin, variance
from ..numeric.rounding import noise, settled
from ._names import Groups, Table, keep_names
from ._pairs import compare_pairs
from .anova import noise_of, sums_of_squares, variances_of
from .comparisons import Comparisons, all_pairs, read_names
from .multiplicity import Adjustment, check_adjustment
from .omnibus import Floats, read_groups, read_table, refuse_single, row
from .pair_adjustments import PAIR_ADJUSTMENTS, PairAdjustment
from .result import check_confidence
from .studentized import range_quantiles, range_tail

ROOT2 = float(np.sqrt(2))
CONSTANT = (
    "degenerate comparisons have a difference without any variation to measure it against: they "
    "have no p-value (nan), whatever its size"
)
IDENTICAL = (
    "degenerate comparisons are of values that are equal throughout, so nothing speaks against "
    "equality (p = 1)"
)


@check_arguments
@keep_names
def tukey_hsd(
    groups: Groups,
    *,
    names: Sequence[str] | None = None,
    axis: int = -1,
    confidence: float = 0.95,
) -> Comparisons:
    r"""Tukey's honest comparison of all pairs of k independent groups (Tukey-Kramer).

    When to use it: instead of, or after, `oneway_anova`, to say which groups differ. It assumes
    independent normal observations of equal variance; with unequal variances use
    `games_howell`, with the same folds for all algorithms `paired_comparisons`. A significant F
    is not needed first. It does *not* answer how the algorithms do on other data sets or
    networks, and does not use pairing.

    Parameters
    ----------
    groups : sequence of array_like
        One array per group, observations along `axis`; sizes may differ. The other axes are
        separate families of tests and must broadcast.
    names : sequence of str, optional
        Names of the groups; their places from 0 if left out.
    axis : int, default -1
        The axis of every group that holds its observations.
    confidence : float
        Level at which all intervals hold together.

    Returns
    -------
    Comparisons
        `statistic` is :math:`t = (\bar x_i - \bar x_j) / \sqrt{MS_W (1/n_i + 1/n_j)}`, `pvalue`
        from Student's t with N - k degrees of freedom, `adjusted_pvalue` the chance that the
        studentized range of k means exceeds :math:`\sqrt 2 |t|`. The pairs lie on the last axis
        of every array.

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
    arrays = read_groups(groups, axis=axis)
    sizes = np.array([x.shape[-1] for x in arrays])
    freedom = float(sizes.sum() - len(arrays))
    refuse_single(sizes)
    _, within, origin, means = sums_of_squares(arrays, sizes)
    i, j = all_pairs(len(arrays))
    error = np.sqrt(within[..., np.newaxis] / freedom * (1 / sizes[i] + 1 / sizes[j]))
    return _studentized(
        means,
        origin,
        noise_of(arrays),
        names,
        error,
        np.full(error.shape, freedom),
        confidence,
        "Tukey's HSD",
        "Tukey",
    )


@check_arguments
@keep_names
def games_howell(
    groups: Groups,
    *,
    names: Sequence[str] | None = None,
    axis: int = -1,
    confidence: float = 0.95,
) -> Comparisons:
    r"""Games and Howell's comparison of all pairs of groups with unequal variances.

    When to use it: as `tukey_hsd`, where the groups need not have equal variances; it goes with
    the "welch" form of `oneway_anova`. It assumes independent, roughly normal observations, and
    holds its level only approximately for groups of fewer than about five. It does *not* use
    pairing.

    Parameters
    ----------
    groups : sequence of array_like
        One array per group, at least two observations along `axis`. The other axes are separate
        families of tests and must broadcast.
    names, axis, confidence
        As in `tukey_hsd`.

    Returns
    -------
    Comparisons
        Each pair has its own error :math:`\sqrt{s_i^2/n_i + s_j^2/n_j}` and Welch's degrees of
        freedom; `adjusted_pvalue` is from the studentized range of k means with these. The pairs
        lie on the last axis of every array.

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
    arrays = read_groups(groups, axis=axis)
    sizes = np.array([x.shape[-1] for x in arrays])
    if sizes.min() < 2:
        raise InputError(
            parameter="groups",
            expected="at least two observations in each",
            got=f"one in group {int(sizes.argmin())}",
        )
    origin, less = from_origin(*arrays)
    means = np.stack([x.mean(axis=-1) for x in less], axis=-1)
    errors = variances_of(arrays) / sizes
    i, j = all_pairs(len(arrays))
    together = errors[..., i] + errors[..., j]
    weighted = errors**2 / (sizes - 1)
    with np.errstate(invalid="ignore"):
        freedom = together**2 / (weighted[..., i] + weighted[..., j])
    return _studentized(
        means,
        origin,
        noise_of(arrays),
        names,
        np.sqrt(together),
        freedom,
        confidence,
        "Games-Howell",
        "Games-Howell",
    )


def _studentized(
    means: Floats,
    origin: Floats,
    rounding: Floats,
    names: Sequence[str] | None,
    error: Floats,
    freedom: Floats,
    confidence: float,
    method: str,
    adjustment: str,
) -> Comparisons:
    k = means.shape[-1]
    known = error > 0

    def joint(t: Floats) -> Floats:
        tail = np.full(t.shape, np.nan)
        tail[known] = range_tail(ROOT2 * t[known], k, freedom[known])
        return tail

    reach = np.full(error.shape, np.nan)
    reach[known] = range_quantiles(confidence, k, freedom[known]) / ROOT2 * error[known]
    return _mean_comparisons(
        means,
        names,
        error,
        freedom,
        rounding,
        method=method,
        question="is the mean of the first group equal to that of the second?",
        adjustment=adjustment,
        confidence=confidence,
        joint=joint,
        reach=reach,
        details={"means": row(origin + means)},
    )


def _mean_comparisons(
    means: Floats,
    names: Sequence[str] | None,
    error: Floats,
    freedom: Floats,
    rounding: Floats,
    **options: Any,
) -> Comparisons:
    """Compare all pairs of means, less one value for all, by t.

    An error of 0 leaves nothing to judge by. `rounding` is the noise of each mean, `options` are
    further ones of `compare_pairs`.
    """
    i, j = all_pairs(means.shape[-1])
    level = np.maximum(rounding[..., i], rounding[..., j])
    estimate = settled(means[..., i] - means[..., j], level)
    flat = error == 0
    equal = flat & (estimate == 0)
    notes = (IDENTICAL,) * bool(equal.any()) + (CONSTANT,) * bool((flat & ~equal).any())
    return compare_pairs(
        read_names(names, means.shape[-1]),
        (i, j),
        estimate,
        error,
        df=freedom,
        flat=flat,
        equal=equal,
        notes=notes,
        **options,
    )


@check_arguments
@keep_names
def paired_comparisons(
    values: Table,
    *,
    names: Sequence[str] | None = None,
    adjustment: Adjustment | PairAdjustment = "holm",
    confidence: float = 0.95,
) -> Comparisons:
    r"""Paired t-tests of all pairs of k algorithms on the same folds, adjusted for their number.

    When to use it: after `repeated_measures_anova`, or instead of it. Each pair is tested with
    its own variance, so that sphericity is not needed and a wild third algorithm cannot make
    two others look different. It assumes independent rows and normal differences. It does *not*
    repair folds whose training or test sets overlap.

    Parameters
    ----------
    values : array_like, shape (..., N, k)
        Rows are folds or data sets, columns are algorithms; leading axes are separate families
        of tests.
    names : sequence of str, optional
        Names of the algorithms; their places from 0 if left out.
    adjustment, confidence
        As in `siegel_test`.

    Returns
    -------
    Comparisons
        :math:`t = \bar d \sqrt N / s_d` with N - 1 degrees of freedom for each pair. Equal
        columns give p = 1; columns that differ by a constant give NaN and are left out of the
        family; both are `degenerate`. The pairs lie on the last axis of every array.

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
    check_adjustment(adjustment, PAIR_ADJUSTMENTS)
    table = read_table(values)
    n, k = table.shape[-2:]
    if n < 2:
        raise InputError(
            parameter="values", expected="at least two rows", got=f"shape {table.shape}"
        )
    i, j = all_pairs(k)
    error = np.sqrt(variance(table[..., i] - table[..., j], axis=-2) / n)
    rounding = noise(np.swapaxes(table, -1, -2))
    error[error <= np.maximum(rounding[..., i], rounding[..., j])] = 0.0
    origin, (less,) = from_origin(table, axis=(-2, -1))
    means = less.mean(axis=-2)
    return _mean_comparisons(
        means,
        names,
        error,
        np.full(error.shape, float(n - 1)),
        rounding,
        method="paired t-tests of all pairs",
        question="is the mean of the first equal to that of the second over such rows?",
        adjustment=adjustment,
        confidence=confidence,
        details={"means": row(origin[..., 0] + means), "n_rows": n},
    )
