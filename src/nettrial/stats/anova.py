"""Analysis of variance: do the means of k groups, or of k paired columns, differ at all?"""

from __future__ import annotations

from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..numeric.centering import deviations, from_origin, variance
from ..numeric.rounding import noise
from ._arrays import to_python
from ._names import Groups, Table, keep_names
from .omnibus import (
    Floats,
    OmnibusResult,
    f_pvalue,
    noncentrality_interval,
    read_groups,
    read_table,
    refuse_single,
    rounding_floor,
    row,
)
from .result import check_confidence

CONSTANT = (
    "no variation is left within groups beyond rounding, so there is nothing to judge the "
    "differences by, and no p-value (nan); say that the groups are constant"
)
ALL_CONSTANT = "all values are equal up to rounding, so nothing speaks against equality (p = 1)"


@check_arguments
@keep_names
def oneway_anova(
    groups: Groups,
    *,
    method: Literal["fisher", "welch"] = "fisher",
    axis: int = -1,
    confidence: float = 0.95,
) -> OmnibusResult:
    r"""One-way analysis of variance of k independent groups.

    When to use it: several algorithms, each measured on its own independent test sets, and the
    one question whether their mean errors are all equal. It assumes independent observations,
    normal within each group, and for "fisher" equal variances. It does *not* say which groups
    differ (see `tukey_hsd` and `games_howell`), and it wastes the pairing if all algorithms ran
    on the same folds (see `repeated_measures_anova`); overlapping test sets break it.

    Parameters
    ----------
    groups : sequence of array_like
        One array per group, observations along `axis`; sizes may differ. The other axes are
        separate tests and must broadcast.
    method : {"fisher", "welch"}
        "fisher" pools the variances, :math:`F = \frac{SS_B/(k-1)}{SS_W/(N-k)}`. "welch" weighs
        each mean by :math:`w_i = n_i / s_i^2` and needs two observations a group (Welch 1951).
    axis : int, default -1
        The axis of every group that holds its observations.
    confidence : float
        Level of the interval of eta squared.

    Returns
    -------
    OmnibusResult
        `df` are of numerator and denominator. `effect_size` is eta squared, the share of the
        sum of squares that lies between groups; its interval inverts the noncentral F
        distribution, :math:`\lambda / (\lambda + N)`, and is NaN for "welch". `details` has
        omega squared (less biased, may be negative) and the sums of squares. Without variation
        within groups (for "welch": within one group) F and p are NaN and `degenerate` is True;
        where all values are equal p = 1.

    Raises
    ------
    InputError
        For fewer than two groups, empty ones, values that are not finite, or no more
        observations than groups.

    References
    ----------
    Fisher (1925), Statistical Methods for Research Workers. Welch (1951), Biometrika 38,
    330-336. Steiger (2004), Psychological Methods 9, 164-182.

    Examples
    --------
    >>> result = oneway_anova([[0.21, 0.25, 0.22], [0.30, 0.28, 0.27], [0.22, 0.20, 0.24]])
    >>> round(result.statistic, 3), result.df, round(result.pvalue, 4)
    (10.219, (2.0, 6.0), 0.0117)
    >>> round(result.effect_size, 3)
    0.773
    """
    check_confidence(confidence)
    arrays = read_groups(groups, axis=axis)
    sizes = np.array([array.shape[-1] for array in arrays])
    total, k = int(sizes.sum()), len(arrays)
    refuse_single(sizes)
    if method == "welch":
        return _welch(arrays, sizes, confidence)
    between, within, origin, means = sums_of_squares(arrays, sizes)
    df1, df2 = float(k - 1), float(total - k)
    f = _ratio(between / df1, within / df2)
    low, high = noncentrality_interval(np.where(within > 0, f, np.nan), df1, df2, confidence)
    with np.errstate(invalid="ignore"):
        eta = between / (between + within)
        error = within / df2
        omega = (between - df1 * error) / (between + within + error)
    return OmnibusResult(
        method="one-way analysis of variance",
        question="are the means of all groups equal?",
        statistic=to_python(f),
        df=(df1, df2),
        pvalue=to_python(_pvalue(f, df1, df2, between, within)),
        effect="eta squared",
        effect_size=to_python(eta),
        ci_low=to_python(low / (low + total)),
        ci_high=to_python(high / (high + total)),
        confidence=confidence,
        degenerate=to_python(within == 0),
        details=MappingProxyType(
            {
                "omega_squared": to_python(omega),
                "ss_between": to_python(between),
                "ss_within": to_python(within),
                "means": row(origin + means),
                "sizes": tuple(sizes.tolist()),
            }
        ),
        notes=_notes(between, within),
    )


def sums_of_squares(arrays: list[Floats], sizes: NDArray[np.int64]) -> tuple[Floats, ...]:
    """Return sums of squares between and within groups, a value, and the groups' means less it."""
    floor = rounding_floor(np.concatenate(arrays, axis=-1), -1)
    origin, less = from_origin(*arrays)
    means = np.stack([array.mean(axis=-1) for array in less], axis=-1)
    grand = (sizes * means).sum(axis=-1, keepdims=True) / sizes.sum()
    between = (sizes * (means - grand) ** 2).sum(axis=-1)
    within = np.sum([np.square(deviations(x)).sum(axis=-1) for x in arrays], axis=0)
    between, within = (np.where(total > floor, total, 0.0) for total in (between, within))
    return between, within, origin, means


def variances_of(arrays: list[Floats]) -> Floats:
    """Return the variance of each group, exactly 0 where that is rounding noise."""
    variances = np.stack([variance(x) for x in arrays], axis=-1)
    return np.where(variances <= noise_of(arrays) ** 2, 0.0, variances)


def noise_of(arrays: list[Floats]) -> Floats:
    """Return the rounding noise in the mean of each group."""
    return np.stack([noise(x) for x in arrays], axis=-1)


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    """Divide; anything over nothing is NaN."""
    return numerator / np.where(denominator == 0, np.nan, denominator)


def _pvalue(f: Floats, df1: ArrayLike, df2: ArrayLike, between: Floats, within: Floats) -> Floats:
    """Return the tail of F; 1 where nothing differs, NaN where nothing else varies."""
    return np.where((between == 0) & (within == 0), 1.0, f_pvalue(f, df1, df2))


def _notes(between: Floats, within: Floats) -> tuple[str, ...]:
    notes = []
    if ((within == 0) & (between > 0)).any():
        notes.append(CONSTANT)
    if ((within == 0) & (between == 0)).any():
        notes.append(ALL_CONSTANT)
    return tuple(notes)


def _welch(arrays: list[Floats], sizes: NDArray[np.int64], confidence: float) -> OmnibusResult:
    if sizes.min() < 2:
        raise InputError(
            parameter="groups",
            expected="two observations in each group for method 'welch'",
            got=f"one in group {int(sizes.argmin())}",
            hint="use method='fisher' or drop the group",
        )
    k = len(arrays)
    between, within, origin, means = sums_of_squares(arrays, sizes)
    variances = variances_of(arrays)
    constant = np.asarray((variances == 0).any(axis=-1))
    weights = sizes / np.where(constant[..., np.newaxis], np.nan, variances)
    sum_of_weights = weights.sum(axis=-1, keepdims=True)
    center = (weights * means).sum(axis=-1, keepdims=True) / sum_of_weights
    # Welch (1951), equation 27
    spread = ((1 - weights / sum_of_weights) ** 2 / (sizes - 1)).sum(axis=-1)
    f = (weights * (means - center) ** 2).sum(axis=-1) / (k - 1)
    f = f / (1 + 2 * (k - 2) / (k**2 - 1) * spread)
    df1, df2 = float(k - 1), (k**2 - 1) / (3 * spread)
    nothing = np.full_like(f, np.nan)
    nothing_differs = np.asarray((between == 0) & (within == 0))
    return OmnibusResult(
        method="one-way analysis of variance, Welch's for unequal variances",
        question="are the means of all groups equal?",
        statistic=to_python(f),
        df=(df1, to_python(df2)),
        pvalue=to_python(_pvalue(f, df1, df2, between, within)),
        effect="eta squared",
        effect_size=to_python(_ratio(between, between + within)),
        ci_low=to_python(nothing),
        ci_high=to_python(nothing),
        confidence=confidence,
        degenerate=to_python(constant),
        details=MappingProxyType(
            {
                "means": row(origin + means),
                "variances": row(variances),
                "sizes": tuple(sizes.tolist()),
            }
        ),
        notes=(
            (ALL_CONSTANT,) * bool((constant & nothing_differs).any())
            + (
                "a group is constant up to rounding: its weight would be infinite, so there is no "
                "p-value (nan)",
            )
            * bool((constant & ~nothing_differs).any())
        ),
    )


@check_arguments
@keep_names
def repeated_measures_anova(
    values: Table,
    *,
    correction: Literal["greenhouse-geisser", "huynh-feldt", "none"] = "greenhouse-geisser",
    confidence: float = 0.95,
) -> OmnibusResult:
    r"""Analysis of variance of k algorithms measured on the same folds or data sets.

    When to use it: every algorithm ran on each of the same N independent test sets, and the
    question is whether their mean errors are all equal. It assumes that rows are independent
    and normal; without a correction also sphericity (equal variance of all pairwise
    differences). It does *not* say which algorithms differ (see `paired_comparisons`), and rows
    that share data, such as overlapping test sets, make its p-value too small.

    Parameters
    ----------
    values : array_like, shape (..., N, k)
        Rows are folds or data sets, columns are algorithms; leading axes are separate tests.
    correction : {"greenhouse-geisser", "huynh-feldt", "none"}
        Both degrees of freedom are multiplied by an estimate of Box's epsilon. The default
        holds the level without sphericity and changes nothing for k = 2. Huynh-Feldt's is the
        original estimate (as in R's car), cut at 1; where it is not positive there is no
        p-value.
    confidence : float
        Level of the interval of partial eta squared.

    Returns
    -------
    OmnibusResult
        :math:`F = (N-1) SS_A / SS_E` with :math:`\epsilon (k-1)` and
        :math:`\epsilon (k-1)(N-1)` degrees of freedom. `effect_size` is partial eta squared,
        :math:`SS_A / (SS_A + SS_E)`, its interval from the noncentral F distribution. `details`
        has both epsilons (Huynh-Feldt's uncut) and the sums of squares. Where the columns
        differ by constants F and p are NaN and `degenerate` is True; where they are equal
        p = 1.

    Raises
    ------
    InputError
        For fewer than two rows or columns, or values that are not finite.

    References
    ----------
    Greenhouse and Geisser (1959), Psychometrika 24, 95-112. Huynh and Feldt (1976), J. of
    Educational Statistics 1, 69-82.

    Examples
    --------
    >>> folds = [[0.21, 0.19, 0.22], [0.19, 0.18, 0.20], [0.25, 0.22, 0.24], [0.22, 0.21, 0.25]]
    >>> result = repeated_measures_anova(folds)
    >>> round(result.statistic, 2), round(result.pvalue, 4)
    (10.33, 0.0338)
    >>> round(result.details["greenhouse_geisser_epsilon"], 3)
    0.623
    """
    check_confidence(confidence)
    table = read_table(values)
    n, k = table.shape[-2:]
    if n < 2:
        raise InputError(
            parameter="values", expected="at least two folds or data sets", got="one row"
        )
    algorithm, error, subject = _two_way_sums(table)
    greenhouse, huynh = _epsilons(table, error)
    epsilon = {
        "none": np.ones_like(error),
        "greenhouse-geisser": np.where(error > 0, greenhouse, 1.0),
        "huynh-feldt": np.where(error > 0, np.where(huynh > 0, np.minimum(huynh, 1), np.nan), 1.0),
    }[correction]
    f = _ratio(algorithm * (n - 1), error)
    df1, df2 = epsilon * (k - 1), epsilon * (k - 1) * (n - 1)
    low, high = noncentrality_interval(np.where(error > 0, f, np.nan), df1, df2, confidence)
    cases = df1 + df2 + 1
    notes = list(_notes(algorithm, error))
    if np.isnan(epsilon).any():
        notes.append(
            "Huynh and Feldt's epsilon is not positive or undefined here, so there is no p"
        )
    return OmnibusResult(
        method=f"repeated-measures analysis of variance, correction: {correction}",
        question="are the means of all algorithms over such rows equal?",
        statistic=to_python(f),
        df=(to_python(df1), to_python(df2)),
        pvalue=to_python(_pvalue(f, df1, df2, algorithm, error)),
        effect="partial eta squared",
        effect_size=to_python(_ratio(algorithm, algorithm + error)),
        ci_low=to_python(low / (low + cases)),
        ci_high=to_python(high / (high + cases)),
        confidence=confidence,
        degenerate=to_python(error == 0),
        details=MappingProxyType(
            {
                "greenhouse_geisser_epsilon": to_python(greenhouse),
                "huynh_feldt_epsilon": to_python(huynh),
                "ss_algorithm": to_python(algorithm),
                "ss_error": to_python(error),
                "ss_subject": to_python(subject),
                "means": row(table.mean(axis=-2)),
                "n_rows": n,
            }
        ),
        notes=tuple(notes),
    )


def _two_way_sums(table: Floats) -> tuple[Floats, ...]:
    n, k = table.shape[-2:]
    floor = rounding_floor(table, (-2, -1))
    _, (table,) = from_origin(table, axis=(-2, -1))
    grand = table.mean(axis=(-2, -1), keepdims=True)
    columns = table.mean(axis=-2, keepdims=True) - grand
    rows = table.mean(axis=-1, keepdims=True) - grand
    residuals = table - grand - rows - columns
    sums = (
        n * (columns**2).sum(axis=(-2, -1)),
        (residuals**2).sum(axis=(-2, -1)),
        k * (rows**2).sum(axis=(-2, -1)),
    )
    return tuple(np.where(total > floor, total, 0.0) for total in sums)


def _epsilons(table: Floats, error: Floats) -> tuple[Floats, Floats]:
    """Return Greenhouse and Geisser's and the original Huynh and Feldt's estimate of epsilon."""
    n, k = table.shape[-2:]
    if k == 2:  # a single difference is always spherical
        one = np.where(error > 0, 1.0, np.nan)
        return one, one
    residuals = deviations(deviations(table), axis=-2)
    scatter = residuals.swapaxes(-1, -2) @ residuals
    trace = np.trace(scatter, axis1=-2, axis2=-1)
    squares = (scatter**2).sum(axis=(-2, -1))
    with np.errstate(divide="ignore", invalid="ignore"):
        greenhouse = np.where(error > 0, trace**2 / ((k - 1) * squares), np.nan)
        # two rows have one direction of residuals: both brackets vanish together in this ratio
        huynh = (
            np.where(error > 0, -2 / (k - 1), np.nan)
            if n == 2
            else (n * (k - 1) * greenhouse - 2) / ((k - 1) * (n - 1 - (k - 1) * greenhouse))
        )
    return greenhouse, huynh
