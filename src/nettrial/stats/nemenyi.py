"""Which algorithms differ in rank: all pairs (Nemenyi), or each against a control."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..core.arguments import check_arguments
from ..core.errors import unknown_choice
from ..numeric.checks import count
from ._arrays import to_python
from ._names import Table, keep_names
from ._pairs import compare_pairs
from .comparisons import Comparisons, all_pairs, by_name, read_names
from .friedman import ALL_TIED, ONE_DATA_SET, rank_rows
from .multiplicity import Adjustment, check_adjustment
from .omnibus import Floats
from .result import check_confidence

ROOT2 = float(np.sqrt(2))
QUESTION = "does the first have the same mean rank as the second over such data sets?"
POOL = (
    "a pair's mean ranks depend on the other algorithms in the table (Benavoli et al. 2016); "
    "quote the Wilcoxon tests of the pairs, which do not"
)


@check_arguments
def critical_difference(
    k: int,
    n_data_sets: int,
    *,
    method: Literal["nemenyi", "bonferroni-dunn"] = "nemenyi",
    confidence: float = 0.95,
) -> float:
    r"""Return the difference of mean ranks from which two of k algorithms differ.

    When to use it: to draw or read a critical difference diagram. It assumes independent data
    sets, many rather than few, and does *not* replace the p-values of `nemenyi_test`.

    Parameters
    ----------
    k : int
        Number of algorithms, at least two.
    n_data_sets : int
        Number of data sets N.
    method : {"nemenyi", "bonferroni-dunn"}
        All pairs, with :math:`q_\alpha` the quantile of the studentized range of k divided by
        :math:`\sqrt 2`; or k - 1 comparisons with a control, with the normal quantile of
        :math:`1 - \alpha / (2 (k-1))`.
    confidence : float
        :math:`1 - \alpha`.

    Returns
    -------
    float
        :math:`CD = q_\alpha \sqrt{k (k + 1) / (6 N)}` (Demsar 2006, section 3.2.2).

    Raises
    ------
    InputError
        For k below 2, N below 1, an unknown method or a level outside (0, 1).

    References
    ----------
    Nemenyi (1963), Distribution-free Multiple Comparisons. Demšar (2006), J. of Machine
    Learning Research 7, 1-30, section 3.2.2.

    Examples
    --------
    >>> round(critical_difference(4, 4), 3), round(critical_difference(4, 14), 2)
    (2.345, 1.25)
    >>> round(critical_difference(4, 14, method="bonferroni-dunn"), 2)
    1.17
    """
    k, n_data_sets = count("k", k, 2), count("n_data_sets", n_data_sets)
    check_confidence(confidence)
    if method == "nemenyi":
        quantile = _nemenyi_quantile(k, confidence)
    else:
        quantile = _control_quantile(k, confidence)
    return quantile * rank_error(k, n_data_sets)


def rank_error(k: int, n: int) -> float:
    return float(np.sqrt(k * (k + 1) / (6 * n)))


def _nemenyi_quantile(k: int, confidence: float) -> float:
    from scipy.stats import studentized_range  # slow to import

    return float(studentized_range.ppf(confidence, k, np.inf)) / ROOT2


def _control_quantile(k: int, confidence: float) -> float:
    return -float(special.ndtri((1 - confidence) / (2 * (k - 1))))


@check_arguments
@keep_names
def nemenyi_test(
    values: Table,
    *,
    ranked: bool = False,
    higher_is_better: bool = False,
    digits: int | None = None,
    names: Sequence[str] | None = None,
    confidence: float = 0.95,
) -> Comparisons:
    r"""Nemenyi's comparison of all pairs of k algorithms by their mean ranks.

    When to use it: after Friedman's test, to say which of many algorithms differ over many
    independent data sets. It assumes what Friedman's test does. It does *not* say how much two
    algorithms differ in error, it is conservative with ties, and a pair's verdict depends on
    the other algorithms in the table; Wilcoxon tests of the pairs with Holm's adjustment avoid
    that.

    Parameters
    ----------
    values : array_like, shape (..., N, k)
        Errors; rows are data sets, columns are algorithms; leading axes are separate families.
    ranked : bool
        True if `values` are ranks within rows already, 1 for the best.
    higher_is_better : bool
        True for accuracies.
    digits : int or None
        Round the values to so many significant digits first; values that differ by rounding
        noise alone tie anyway.
    names : sequence of str, optional
        Names of the algorithms; their places from 0 if left out.
    confidence : float
        Level of the critical difference and of the intervals, which hold together.

    Returns
    -------
    Comparisons
        Differences of mean ranks, :math:`z = (\bar R_i - \bar R_j) / \sqrt{k(k+1)/(6N)}`;
        `pvalue` from the normal distribution, `adjusted_pvalue` from the studentized range of
        :math:`\sqrt 2 |z|`. `details` has the mean ranks, the critical difference and `groups`:
        the largest sets of algorithms that lie within one critical difference of each other. The
        pairs lie on the last axis of every array.

    Raises
    ------
    InputError
        As `friedman_test`.

    References
    ----------
    Nemenyi (1963), Distribution-free Multiple Comparisons. Demsar (2006), J. of Machine
    Learning Research 7, 1-30. Benavoli, Corani and Mangili (2016), same journal 17(5), 1-10.

    Examples
    --------
    >>> ranks = [[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3], [1, 2, 3], [1, 2, 3]]
    >>> result = nemenyi_test(ranks, ranked=True, names=["A", "B", "C"])
    >>> result.adjusted_pvalue.round(4).tolist()
    [0.3186, 0.0109, 0.3186]
    >>> result.details["groups"]
    (('A', 'B'), ('B', 'C'))
    """
    from scipy.stats import studentized_range  # slow to import

    check_confidence(confidence)
    ranks = rank_rows(values, ranked=ranked, higher_is_better=higher_is_better, digits=digits)
    n, k = ranks.shape[-2:]
    known = read_names(names, k)
    q_alpha = _nemenyi_quantile(k, confidence)
    limit = q_alpha * rank_error(k, n)

    def joint(z: Floats) -> Floats:
        # mean ranks take few values, and each integral a tenth of a millisecond
        distances, place = np.unique(z, return_inverse=True)
        simultaneous = np.clip(studentized_range.sf(ROOT2 * distances, k, np.inf), 0, 1)
        return np.asarray(simultaneous[place.reshape(z.shape)])

    return rank_comparisons(
        ranks,
        known,
        all_pairs(k),
        method="Nemenyi's test",
        adjustment="Nemenyi",
        joint=joint,
        reach=limit,
        confidence=confidence,
        details={
            "q_alpha": q_alpha,
            "critical_difference": limit,
            "groups": _all_groups(ranks.mean(axis=-2), known, limit),
        },
        notes=(POOL,),
    )


def _all_groups(means: Floats, names: Sequence[str], limit: float) -> Any:
    """Return the groups of one table, or an array of them over the leading axes."""
    groups = np.empty(means.shape[:-1], dtype=object)
    for place in np.ndindex(groups.shape):
        groups[place] = _groups(means[place], names, limit)
    return to_python(groups)


def _groups(means: Floats, names: Sequence[str], limit: float) -> tuple[tuple[str, ...], ...]:
    """Return the largest runs of two or more mean ranks that span less than `limit`."""
    order = np.argsort(means, kind="stable")
    ordered = means[order]
    ends = np.searchsorted(ordered, ordered + limit, side="left")  # a span of `limit` differs
    runs, last = [], 0
    for start, end in enumerate(ends):
        if end > last and end - start > 1:
            runs.append(tuple(names[place] for place in order[start:end]))
        last = max(last, end)
    return tuple(runs)


@check_arguments
@keep_names
def control_comparisons(
    values: Table,
    *,
    control: int | str = 0,
    ranked: bool = False,
    higher_is_better: bool = False,
    digits: int | None = None,
    names: Sequence[str] | None = None,
    adjustment: Adjustment = "bonferroni",
    confidence: float = 0.95,
) -> Comparisons:
    r"""Compare k - 1 algorithms with a control by their mean ranks (Bonferroni-Dunn).

    When to use it: after Friedman's test, when one algorithm, fixed beforehand, is compared
    with each other one; k - 1 comparisons have more power than `nemenyi_test`'s k (k - 1) / 2. It
    assumes what Friedman's test does. It does *not* compare the others with each other, and
    taking the best algorithm of the same table for the control makes its p-values too small.

    Parameters
    ----------
    values : array_like, shape (..., N, k)
        Errors; rows are data sets, columns are algorithms; leading axes are separate families.
    control : int or str
        Name of the control or, where none is called so, its place from 0.
    ranked, higher_is_better, digits, names
        As in `nemenyi_test`.
    adjustment : str
        A method of `adjust`: "bonferroni" is the Bonferroni-Dunn test; "holm", "hochberg" and
        "hommel" are the step procedures that Demsar describes, with more power.
    confidence : float
        Level of the intervals, which hold together by Bonferroni's inequality, whatever the
        adjustment.

    Returns
    -------
    Comparisons
        Mean rank of the control minus that of the other, with
        :math:`z = (\bar R_c - \bar R_j) / \sqrt{k(k+1)/(6N)}`; `details` has the critical
        difference of Bonferroni-Dunn. The pairs lie on the last axis of every array.

    Raises
    ------
    InputError
        As `friedman_test`, and for an unknown control or adjustment.

    References
    ----------
    Dunn (1961), J. American Statistical Association 56, 52-64. Demsar (2006), J. of Machine
    Learning Research 7, 1-30, section 3.2.2.

    Examples
    --------
    >>> ranks = [[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3], [1, 2, 3], [1, 2, 3]]
    >>> result = control_comparisons(ranks, ranked=True, control="A", names=["A", "B", "C"])
    >>> result.second, result.adjusted_pvalue.round(4).tolist()
    (('B', 'C'), [0.2978, 0.0078])
    """
    check_confidence(confidence)
    check_adjustment(adjustment)
    ranks = rank_rows(values, ranked=ranked, higher_is_better=higher_is_better, digits=digits)
    n, k = ranks.shape[-2:]
    known = read_names(names, k)
    place = _place(control, known)
    others = np.delete(np.arange(k), place)
    limit = _control_quantile(k, confidence) * rank_error(k, n)
    return rank_comparisons(
        ranks,
        known,
        (np.full(k - 1, place), others),
        method="comparison of mean ranks with a control",
        adjustment=adjustment,
        reach=limit,
        confidence=confidence,
        details={"control": known[place], "critical_difference": limit},
    )


def _place(control: int | str, names: Sequence[str]) -> int:
    if str(control) in names:  # columns may be called by numbers
        return names.index(str(control))
    if not isinstance(control, str) and 0 <= control < len(names):
        return control
    raise unknown_choice("control", control, names)


def rank_comparisons(
    ranks: Floats,
    names: tuple[str, ...],
    pairs: tuple[NDArray[np.intp], NDArray[np.intp]],
    *,
    details: Mapping[str, Any] = MappingProxyType({}),
    notes: tuple[str, ...] = (),
    **options: Any,
) -> Comparisons:
    """Compare mean ranks, whose differences have the standard error sqrt(k (k + 1) / (6 N)).

    `options` are further ones of `compare_pairs`.
    """
    n, k = ranks.shape[-2:]
    tied = (ranks == (k + 1) / 2).all(axis=(-2, -1))
    means = ranks.mean(axis=-2)
    estimate = means[..., pairs[0]] - means[..., pairs[1]]
    return compare_pairs(
        names,
        pairs,
        estimate,
        np.full_like(estimate, rank_error(k, n)),
        question=QUESTION,
        degenerate=(tied | (n == 1))[..., np.newaxis],
        details={"mean_ranks": by_name(names, means), "n_data_sets": n, **details},
        notes=(*notes, *((ALL_TIED,) if tied.any() else ()), *((ONE_DATA_SET,) * (n == 1))),
        **options,
    )
