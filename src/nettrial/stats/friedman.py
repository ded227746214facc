"""Friedman's test and Iman and Davenport's: do k algorithms rank alike over N data sets?"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..core.option_names import option
from ..numeric.ranks import ranks
from ..numeric.rounding import rounded
from ._arrays import to_python
from ._friedman_exact import exact_pvalues
from ._names import Table, keep_names
from .omnibus import Floats, OmnibusResult, f_pvalue, read_table, row, share_interval
from .result import check_confidence

Ties = Literal["corrected", "uncorrected"]
Method = Literal["chi-square", "exact"]
QUESTION = "do all algorithms have the same ranks over such data sets?"
ALL_TIED = (
    "all algorithms tie on every data set, so nothing speaks against equality (p = 1); the "
    "tie-corrected statistic is 0/0"
)
SAME_ORDER = (
    "every data set has the same order: no variation is left to compare with, and there is no "
    "p-value; quote Friedman's chi-square instead"
)
ONE_DATA_SET = "one data set cannot show how ranks vary between data sets"


def rank_rows(
    values: Table, *, ranked: bool, higher_is_better: bool, digits: int | None = None
) -> Floats:
    """Rank each row of a table (..., N, k), 1 for the best and mean ranks for ties.

    Values of a row that differ by rounding noise alone tie.
    """
    table = read_table(values, finite=False)
    k = table.shape[-1]
    if not ranked:
        table = rounded(-table if higher_is_better else table, digits)
        return ranks(table, table)
    if higher_is_better:
        raise InputError(
            parameter="higher_is_better",
            expected="False for printed ranks, which have 1 for the best",
            got="True",
            hint="leave it out",
        )
    wrong = np.abs(table.sum(axis=-1) - k * (k + 1) / 2) > 1e-6
    wrong |= ((table < 1) | (table > k)).any(axis=-1)
    if wrong.any():
        place = tuple(np.argwhere(wrong)[0].tolist())
        raise InputError(
            expected=f"ranks from 1 to {k} that sum to {k * (k + 1) / 2:g}, with mean ranks for "
            "ties",
            got=f"{table[place].tolist()}",
            hint="pass scores with ranked=False instead",
            where=f"values: row {place[-1]}",
        )
    return table


@dataclass(frozen=True, slots=True)
class _RankSums:
    """Sums of squares of ranks; exact in binary, since ranks are halves.

    `between` is N times the sum of squares of mean ranks about (k + 1)/2, times N; `total` is N
    times the sum of squares of all ranks. Friedman's statistic is N (k - 1) between / total.
    """

    n: int
    k: int
    ranks: Floats
    mean_ranks: Floats
    between: Floats
    total: Floats
    total_without_ties: float

    @property
    def tied(self) -> NDArray[np.bool_]:
        return np.asarray(self.total == 0)

    @property
    def degenerate(self) -> NDArray[np.bool_]:
        return np.asarray(self.tied | (self.n == 1))

    def scale(self, ties: Ties) -> Floats:
        if ties == "uncorrected":
            return np.full_like(self.total, self.total_without_ties)
        return np.where(self.degenerate, np.nan, self.total)


def rank_sums(values: Table, ranked: bool, higher_is_better: bool, digits: int | None) -> _RankSums:
    """Rank the rows of a table, and add up the squares of the ranks."""
    table = rank_rows(values, ranked=ranked, higher_is_better=higher_is_better, digits=digits)
    n, k = table.shape[-2:]
    centered = table - (k + 1) / 2
    return _RankSums(
        n=n,
        k=k,
        ranks=table,
        mean_ranks=table.mean(axis=-2),
        between=(centered.sum(axis=-2) ** 2).sum(axis=-1),
        total=n * (centered**2).sum(axis=(-2, -1)),
        total_without_ties=n**2 * k * (k**2 - 1) / 12,
    )


@check_arguments
@keep_names
def friedman_test(
    values: Table,
    *,
    ranked: bool = False,
    higher_is_better: bool = False,
    ties: Ties = "corrected",
    method: Method = "chi-square",
    digits: int | None = None,
    confidence: float = 0.95,
) -> OmnibusResult:
    r"""Friedman's test of k algorithms over N data sets (or folds).

    When to use it: k algorithms measured on the same N independent data sets, whose errors are
    not comparable between data sets. Only the order within a data set counts. It assumes
    independent data sets; its chi-square reference is good for about N > 10 and k > 5, below
    which `iman_davenport_test` is closer and `method="exact"` right. It does *not* say which
    algorithms differ (see `nemenyi_test`, `conover_test` and `control_comparisons`), nor by how
    much.

    Parameters
    ----------
    values : array_like, shape (..., N, k)
        Errors; rows are data sets, columns algorithms; leading axes are separate tests. k = 2
        is allowed and equals the sign test's normal approximation.
    ranked : bool
        True if `values` are ranks within rows already, 1 for the best.
    higher_is_better : bool
        True for accuracies: the largest value of a row gets rank 1.
    ties : {"corrected", "uncorrected"}
        "corrected" as R and SciPy; "uncorrected" is the formula of Demsar (2006).
    method : {"chi-square", "exact"}
        "exact" counts all orders of the ranks within the rows, with their ties, for small
        tables (up to about 200 data sets of 3 algorithms, 30 of 4, 10 of 5, 4 of 6).
    digits : int or None
        Round the values to so many significant digits first; values that differ by rounding
        noise alone tie anyway.
    confidence : float
        Level of the interval of the effect size, from the noncentral chi-square distribution:
        right for small effects, too wide for large ones, since ranks then vary less.

    Returns
    -------
    OmnibusResult
        With mean ranks :math:`\bar R_j`,
        :math:`\chi^2_F = \frac{12 N}{k(k+1)} \sum_j (\bar R_j - \frac{k+1}{2})^2`, for ties
        divided by :math:`1 - \sum (t^3 - t) / (N (k^3 - k))`, with k - 1 degrees of freedom.
        `effect_size` is Kendall's W = :math:`\chi^2_F / (N (k-1))`, from 0 to 1 (all data sets
        order the algorithms alike). If all is tied the corrected statistic is NaN and p = 1;
        with one data set both are NaN. `degenerate` is True in both cases, in which the
        uncorrected formula still gives its value.

    Raises
    ------
    InputError
        For NaN, fewer than two columns, rows that hold no ranks where `ranked`, or tables that
        are too large for the exact distribution.

    References
    ----------
    Friedman (1937), J. American Statistical Association 32, 675-701. Demsar (2006), J. of
    Machine Learning Research 7, 1-30, section 3.2.2.

    Examples
    --------
    >>> errors = [[0.2, 0.3, 0.4], [0.1, 0.2, 0.3], [0.3, 0.2, 0.4], [0.2, 0.4, 0.5]]
    >>> result = friedman_test(errors)
    >>> result.statistic, round(result.pvalue, 4), result.details["mean_ranks"]
    (6.5, 0.0388, (1.25, 1.75, 3.0))
    >>> round(friedman_test(errors, method="exact").pvalue, 4)
    0.0417
    """
    sums = rank_sums(values, ranked, higher_is_better, digits)
    with np.errstate(invalid="ignore"):
        w = sums.between / sums.scale(ties)
    statistic = sums.n * (sums.k - 1) * w
    exact = method == "exact"
    tail = exact_pvalues(sums.ranks) if exact else special.chdtrc(sums.k - 1, statistic)
    tail = np.where(np.isnan(statistic), np.nan, tail)
    return OmnibusResult(
        method=f"Friedman's test{', exact' * exact}, ties {ties}",
        question=QUESTION,
        statistic=to_python(statistic),
        df=float(sums.k - 1),
        pvalue=to_python(np.where(sums.tied, 1.0, tail)),
        degenerate=to_python(sums.degenerate),
        notes=_notes(sums, exact),
        **_effect(sums, w, confidence),
    )


@check_arguments
@keep_names
def iman_davenport_test(
    values: Table,
    *,
    ranked: bool = False,
    higher_is_better: bool = False,
    ties: Ties = "corrected",
    digits: int | None = None,
    confidence: float = 0.95,
) -> OmnibusResult:
    r"""Iman and Davenport's F form of Friedman's test, less conservative for few data sets.

    When to use it, what it assumes and what it does *not* answer: as `friedman_test`, of which
    it is a better approximation when N or k is small.

    Parameters
    ----------
    values : array_like, shape (..., N, k)
        Errors; rows are data sets, columns algorithms; leading axes are separate tests.
    ties : {"corrected", "uncorrected"}
        Which form of Friedman's statistic goes in; "uncorrected" is that of Demsar (2006).
    ranked, higher_is_better, digits, confidence
        As in `friedman_test`.

    Returns
    -------
    OmnibusResult
        :math:`F = \frac{(N-1) \chi^2_F}{N(k-1) - \chi^2_F}` with k - 1 and (k - 1)(N - 1)
        degrees of freedom. If all data sets order the algorithms alike there is no variation to
        compare with: F and p are NaN and `degenerate` True; use `friedman_test` there. If all
        is tied p = 1.

    Raises
    ------
    InputError
        As `friedman_test`.

    References
    ----------
    Iman and Davenport (1980), Communications in Statistics A9, 571-595. Demsar (2006), J. of
    Machine Learning Research 7, 1-30, section 3.2.2.

    Examples
    --------
    >>> errors = [[0.2, 0.3, 0.4], [0.1, 0.2, 0.3], [0.3, 0.2, 0.4], [0.2, 0.4, 0.5]]
    >>> result = iman_davenport_test(errors)
    >>> result.statistic, result.df, round(result.pvalue, 4)
    (13.0, (2.0, 6.0), 0.0066)
    """
    sums = rank_sums(values, ranked, higher_is_better, digits)
    scale = sums.scale(ties)
    left = scale - sums.between
    alike = (left == 0) & (sums.n > 1)
    with np.errstate(invalid="ignore"):
        f = (sums.n - 1) * sums.between / np.where(left == 0, np.nan, left)
        w = sums.between / scale
    df1, df2 = float(sums.k - 1), float((sums.k - 1) * (sums.n - 1))
    notes = _notes(sums)
    if alike.any():
        notes += (SAME_ORDER,)
    return OmnibusResult(
        method=f"Iman and Davenport's F form of Friedman's test, ties {ties}",
        question=QUESTION,
        statistic=to_python(f),
        df=(df1, df2),
        pvalue=to_python(np.where(sums.tied, 1.0, f_pvalue(f, df1, df2))),
        degenerate=to_python(sums.degenerate | alike),
        notes=notes,
        **_effect(sums, w, confidence),
    )


def _effect(sums: _RankSums, w: Floats, confidence: float) -> dict[str, Any]:
    check_confidence(confidence)
    largest = sums.n * (sums.k - 1)
    statistic = np.where(sums.degenerate, np.nan, largest * w)
    return {
        "effect": "Kendall's W",
        "effect_size": to_python(w),
        **share_interval(statistic, sums.k - 1, largest, confidence),
        "details": MappingProxyType(
            {
                "mean_ranks": row(sums.mean_ranks),
                "tie_factor": to_python(sums.total / sums.total_without_ties),
                "n_data_sets": sums.n,
                "n_algorithms": sums.k,
            }
        ),
    }


def _notes(sums: _RankSums, exact: bool = False) -> tuple[str, ...]:
    notes = []
    if sums.tied.any():
        notes.append(ALL_TIED)
    if sums.n == 1:
        notes.append(ONE_DATA_SET)
    elif not exact and (sums.n <= 10 or sums.k <= 5):
        notes.append(
            f"the approximation is rough for N = {sums.n} and k = {sums.k} (good for about N > 10 "
            f"and k > 5); friedman_test with {option('method', 'exact')} counts all orders"
        )
    return tuple(notes)
