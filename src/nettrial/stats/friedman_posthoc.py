"""All pairs of k algorithms by their ranks over data sets, with an adjustment of one's choice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.arguments import check_arguments
from ._names import Table, keep_names
from ._pairs import compare_pairs
from .comparisons import Comparisons, all_pairs, by_name, read_names
from .friedman import ONE_DATA_SET, rank_rows, rank_sums
from .multiplicity import Adjustment, check_adjustment
from .nemenyi import POOL, QUESTION, rank_comparisons
from .omnibus import Floats
from .pair_adjustments import PAIR_ADJUSTMENTS, PairAdjustment
from .result import check_confidence

ALIKE = "the ranks leave no residual variation: t is undefined where mean ranks differ (p = nan)"


@check_arguments
@keep_names
def siegel_test(
    values: Table,
    *,
    ranked: bool = False,
    higher_is_better: bool = False,
    digits: int | None = None,
    names: Sequence[str] | None = None,
    adjustment: Adjustment | PairAdjustment = "holm",
    confidence: float = 0.95,
) -> Comparisons:
    r"""Siegel and Castellan's comparison of all pairs of k algorithms by their mean ranks.

    When to use it: after Friedman's test, over many independent data sets, with an adjustment
    that has more power than the studentized range of `nemenyi_test`. It assumes what Friedman's
    test does and enough data sets for a normal approximation; it is conservative with ties. It
    does *not* say how much two algorithms differ in error, and a pair's verdict depends on the
    other algorithms in the table.

    Parameters
    ----------
    values : array_like, shape (..., N, k)
        Errors; rows are data sets, columns are algorithms; leading axes are separate families.
    ranked, higher_is_better, digits, names
        As in `nemenyi_test`.
    adjustment : str
        A method of `adjust` or of `adjust_pairs`.
    confidence : float
        Level of the intervals; with Bonferroni's width they hold together, with adjustment
        "none" each for itself.

    Returns
    -------
    Comparisons
        :math:`z = (\bar R_i - \bar R_j) / \sqrt{k(k+1)/(6N)}` and its normal p-value. The pairs
        lie on the last axis of every array.

    Raises
    ------
    InputError
        As `friedman_test`, and for an unknown adjustment.

    References
    ----------
    Siegel and Castellan (1988), Nonparametric Statistics for the Behavioral Sciences, section
    7.2.

    Examples
    --------
    >>> ranks = [[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3], [1, 2, 3], [1, 2, 3]]
    >>> siegel_test(ranks, ranked=True).adjusted_pvalue.round(4).tolist()
    [0.2978, 0.0117, 0.2978]
    """
    check_confidence(confidence)
    check_adjustment(adjustment, PAIR_ADJUSTMENTS)
    ranks = rank_rows(values, ranked=ranked, higher_is_better=higher_is_better, digits=digits)
    k = ranks.shape[-1]
    return rank_comparisons(
        ranks,
        read_names(names, k),
        all_pairs(k),
        method="Siegel and Castellan's comparison of mean ranks",
        adjustment=adjustment,
        confidence=confidence,
        notes=(POOL,),
    )


@check_arguments
@keep_names
def conover_test(
    values: Table,
    *,
    ranked: bool = False,
    higher_is_better: bool = False,
    digits: int | None = None,
    names: Sequence[str] | None = None,
    adjustment: Adjustment | PairAdjustment = "holm",
    confidence: float = 0.95,
) -> Comparisons:
    r"""Conover's comparison of all pairs of k algorithms by their mean ranks, with t.

    When to use it: after Friedman's test has rejected, for few data sets or with ties; the
    standard error comes from the ranks at hand, so that it has more power than `nemenyi_test`
    where some algorithms differ strongly. It assumes what Friedman's test does; without that
    test before it, its level does not hold. It does *not* say how much two algorithms differ in
    error, and a pair's verdict depends on the other algorithms in the table.

    Parameters
    ----------
    values, adjustment, confidence
        As in `siegel_test`.
    ranked, higher_is_better, digits, names
        As in `nemenyi_test`.

    Returns
    -------
    Comparisons
        With rank sums :math:`R_j` and A the sum of all squared ranks,
        :math:`t = (R_i - R_j) / \sqrt{2 (N A - \sum_j R_j^2) / ((N-1)(k-1))}` with
        (N - 1)(k - 1) degrees of freedom; the estimate is the difference of mean ranks. Where
        all data sets order the algorithms alike there is no variation left: degenerate, p = 1
        for equal mean ranks and NaN for others. The pairs lie on the last axis of every array.

    Raises
    ------
    InputError
        As `friedman_test`, and for an unknown adjustment.

    References
    ----------
    Conover (1999), Practical Nonparametric Statistics, 3rd edition, section 5.8.

    Examples
    --------
    >>> ranks = [[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3], [1, 2, 3], [1, 2, 3]]
    >>> conover_test(ranks, ranked=True).adjusted_pvalue.round(4).tolist()
    [0.0767, 0.0023, 0.0767]
    """
    sums = rank_sums(values, ranked, higher_is_better, digits)
    return residual_comparisons(
        sums.mean_ranks,
        sums.total - sums.between,
        sums.n,
        names=names,
        adjustment=adjustment,
        confidence=confidence,
        method="Conover's comparison of mean ranks",
        scale=np.full(sums.total.shape, float(sums.n)),
    )


def residual_comparisons(
    means: Floats,
    residual: Floats,
    n: int,
    *,
    names: Sequence[str] | None,
    adjustment: Adjustment | PairAdjustment,
    confidence: float,
    method: str,
    scale: Floats,
) -> Comparisons:
    """Compare means of (weighted) ranks by t.

    `residual` is n times the sum of squares of the table minus that of its column sums.
    `scale` is the number of data sets, or the sum of their weights, that made sums into means.
    """
    check_confidence(confidence)
    check_adjustment(adjustment, PAIR_ADJUSTMENTS)
    k = means.shape[-1]
    known = read_names(names, k)
    i, j = all_pairs(k)
    estimate = means[..., i] - means[..., j]
    df = float((n - 1) * (k - 1))
    # exact, since doubled ranks are whole numbers
    flat = np.broadcast_to((residual <= 0)[..., np.newaxis], estimate.shape)
    square = np.where(flat, np.nan, 2 * residual[..., np.newaxis] / max(df, 1.0))
    notes = (POOL, *((ALIKE,) if flat.any() else ()), *((ONE_DATA_SET,) if n == 1 else ()))
    return compare_pairs(
        known,
        (i, j),
        estimate,
        np.sqrt(square) / scale[..., np.newaxis],
        method=method,
        question=QUESTION,
        adjustment=adjustment,
        confidence=confidence,
        df=np.full(estimate.shape, df),
        flat=flat,
        equal=np.abs(estimate) < 1e-9,
        details={"mean_ranks": by_name(known, means), "n_data_sets": n},
        notes=notes,
    )
