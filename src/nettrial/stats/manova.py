"""Multivariate analysis of variance: k groups, several criteria, one test."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Literal, TypeAlias

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..metrics._check import label_arrays
from ..numeric.centering import deviations
from ..numeric.checks import to_floats
from ..numeric.input_alignment import refuse_other_index
from ..numeric.rounding import ROUNDING, scale
from ._arrays import to_python
from .multivariate import IDENTICAL, full_rank_root, nothing_varies, stand_in, whiten
from .omnibus import (
    Floats,
    OmnibusResult,
    f_pvalue,
    noncentrality_interval,
    refuse_unusable,
    row,
)
from .result import check_confidence

Statistic: TypeAlias = Literal["pillai", "wilks", "hotelling-lawley", "roy"]
NAMES: dict[str, str] = {
    "pillai": "Pillai's trace",
    "wilks": "Wilks's lambda",
    "hotelling-lawley": "Hotelling and Lawley's trace",
    "roy": "Roy's largest root",
}
BOUND = "Roy's F is an upper bound, so that this p-value is a lower bound: do not reject by it"
TOO_FEW = "too few rows for this approximation: its degrees of freedom are not positive"


@check_arguments
def manova_test(
    values: ArrayLike,
    groups: ArrayLike,
    *,
    blocks: ArrayLike | None = None,
    statistic: Statistic = "pillai",
    approximation: Literal["mckeon", "pillai-samson"] = "mckeon",
    confidence: float = 0.95,
) -> OmnibusResult:
    r"""Multivariate analysis of variance of k groups by p criteria.

    When to use it: more than two algorithms and several criteria at once, with the question
    whether any mean differs; with `blocks` where all algorithms ran on the same folds. It
    assumes independent rows, multivariate normal with one covariance matrix. It does *not* say
    which algorithms or criteria differ, nor in which direction.

    Parameters
    ----------
    values : array_like, shape (..., n, p)
        Rows are measurements, columns at least two criteria; leading axes are separate tests.
    groups : array_like, shape (n,)
        The algorithm of each row, one design for all tests.
    blocks : array_like, shape (n,), optional
        The fold of each row; its mean effect is removed before groups are tested.
    statistic : {"pillai", "wilks", "hotelling-lawley", "roy"}
        With :math:`\lambda_i` the eigenvalues of :math:`E^{-1} H`: the sum of
        :math:`\lambda/(1+\lambda)` (the default, most robust), the product of
        :math:`1/(1+\lambda)`, the sum of :math:`\lambda`, or the largest :math:`\lambda`.
    approximation : {"mckeon", "pillai-samson"}
        The F form of "hotelling-lawley": McKeon's (as SAS and statsmodels) or the older one
        that R prints. Without effect on the other statistics.
    confidence : float
        Level of the interval of the effect size, from the noncentral F distribution; NaN for
        "roy", whose F is only a bound. As approximate as the F form is.

    Returns
    -------
    OmnibusResult
        `effect_size` is multivariate eta squared, with s the number of positive eigenvalues
        possible: V/s, :math:`1 - \Lambda^{1/s}`, U/(U + s), or
        :math:`\lambda_1/(1 + \lambda_1)`. `details` has F, the eigenvalues and the sums of
        squares and products of hypothesis and error. Roy's p-value is only a lower bound.
        Where all rows are equal the statistic is NaN, p = 1 and `degenerate` True.

    Raises
    ------
    InputError
        For fewer than two criteria or groups, values that are not finite, lengths that differ,
        groups that blocks determine, or criteria whose residuals depend linearly on each other,
        if only in one of several tests.

    References
    ----------
    Pillai (1955), Annals of Mathematical Statistics 26, 117-121. Rao (1951), Bull. Int.
    Statistical Institute 33, 177-180. McKeon (1974), Biometrika 61, 381-383. Pillai and Samson
    (1959), Biometrika 46, 160-168.

    Examples
    --------
    >>> values = [[9, 3], [6, 2], [9, 7], [0, 4], [2, 0], [3, 8], [1, 9], [2, 7]]
    >>> result = manova_test(values, [1, 1, 1, 2, 2, 3, 3, 3], statistic="wilks")
    >>> round(result.statistic, 4), result.df, round(result.pvalue, 4)
    (0.0385, (4.0, 8.0), 0.0062)
    """
    check_confidence(confidence)
    refuse_other_index(values=values, groups=groups, blocks=blocks)
    table = _criteria(values)
    n, p = table.shape[-2:]
    group, block = _design(groups, blocks, n)
    hypothesis, residuals, q, freedom = _fit(table, group, block)
    if freedom < p:
        raise InputError(
            parameter="values",
            expected=f"at least {p} degrees of freedom for error with {p} criteria",
            got=f"{freedom} from {n} rows",
            hint="use fewer criteria or more rows",
        )
    size = scale(np.swapaxes(table, -1, -2))
    identical = nothing_varies(residuals, ROUNDING * size) & nothing_varies(
        hypothesis, ROUNDING * np.sqrt(n) * size
    )
    root = full_rank_root(stand_in(residuals, identical), size)
    s = min(p, q)
    # eigenvalues of inv(E) H as squares, which cannot come out negative
    whitened = whiten(root, hypothesis.swapaxes(-1, -2))
    eigenvalues: Floats = np.linalg.svd(whitened, compute_uv=False).astype(np.float64) ** 2
    eigenvalues = np.where(identical[..., np.newaxis], np.nan, eigenvalues)
    form = f"{statistic} {approximation}" if statistic == "hotelling-lawley" else statistic
    value, effect, f, df1, df2 = _FORMS[form](eigenvalues[..., :s], p, q, freedom)
    notes = [BOUND] if statistic == "roy" else []
    low, high = _effect_interval(statistic, value, f, df1, df2, s, confidence)
    pvalue = np.where(identical, 1.0, f_pvalue(f, df1, df2))
    if np.isnan(pvalue).any():
        notes.append(TOO_FEW)
    if identical.any():
        notes.append(IDENTICAL)
    zeroed = identical[..., np.newaxis, np.newaxis]
    hypothesis, residuals = (np.where(zeroed, 0.0, part) for part in (hypothesis, residuals))
    return OmnibusResult(
        method=f"multivariate analysis of variance, {NAMES[statistic]}"
        + (f", F of {approximation}" if statistic == "hotelling-lawley" else "")
        + (", within blocks" if blocks is not None else ""),
        question="are the means of all criteria equal for all groups?",
        statistic=to_python(value),
        df=(df1, df2),
        pvalue=to_python(pvalue),
        effect="multivariate eta squared",
        effect_size=to_python(effect),
        ci_low=to_python(low),
        ci_high=to_python(high),
        confidence=confidence,
        degenerate=to_python(np.isnan(pvalue) | identical),
        details=MappingProxyType(
            {
                "f": to_python(f),
                "eigenvalues": row(eigenvalues),
                "sscp_hypothesis": hypothesis.swapaxes(-1, -2) @ hypothesis,
                "sscp_error": residuals.swapaxes(-1, -2) @ residuals,
                "df_hypothesis": q,
                "df_error": freedom,
            }
        ),
        notes=tuple(notes),
    )


def _effect_interval(
    statistic: str, value: Floats, f: Floats, df1: float, df2: float, s: int, confidence: float
) -> list[Floats]:
    """Take the ends of the F statistic's noncentrality back to multivariate eta squared.

    An end lambda stands for eta squared of F, lambda / (lambda + df1 + df2 + 1) (Steiger 2004),
    which is a monotone function of each statistic. Roy's F is a bound and has no interval.
    """
    if statistic == "roy":
        return [np.full(f.shape, np.nan)] * 2
    ends = [lam / (df1 + df2 + 1) for lam in noncentrality_interval(f, df1, df2, confidence)]
    if statistic == "pillai":  # V / (s - V) = F df1 / df2
        return [odds / (1 + odds) for odds in ends]
    seen = f > 0  # at F = 0 both ends are 0 whatever the factor
    safe = np.where(seen, f, 1.0)
    if statistic == "wilks":  # Lambda^(-1/power) - 1 = F df1 / df2, see _wilks
        power = np.where(seen, -np.log(value) / np.log1p(safe * df1 / df2), s)
        return [-np.expm1(-np.log1p(odds) * power / s) for odds in ends]
    # U is proportional to F
    per_odds = np.where(seen, value / safe * df2 / df1, 0.0)
    return [per_odds * odds / (per_odds * odds + s) for odds in ends]


def _criteria(values: ArrayLike) -> Floats:
    table = to_floats("values", values)
    if table.ndim < 2 or table.shape[-1] < 2:
        raise InputError(
            parameter="values",
            expected="rows of measurements and at least two columns of criteria",
            got=f"shape {table.shape}",
            hint="for one criterion use oneway_anova",
        )
    refuse_unusable(table, "values", finite=True)
    return table


def _design(
    groups: ArrayLike, blocks: ArrayLike | None, rows: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    codes = []
    for what, labels in (("groups", groups), ("blocks", blocks)):
        array = np.zeros(rows) if labels is None else label_arrays({what: labels})[0]
        if array.shape != (rows,):
            raise InputError(
                parameter=what,
                expected=f"one label for each of {rows} rows",
                got=f"shape {array.shape}",
            )
        codes.append(np.unique(array, return_inverse=True)[1])
    if codes[0].max(initial=0) == 0:
        raise InputError(parameter="groups", expected="at least two", got="one group")
    return codes[0], codes[1]


def _fit(
    table: Floats, group: NDArray[np.intp], block: NDArray[np.intp]
) -> tuple[Floats, Floats, int, int]:
    """Return the groups' contribution beyond blocks, the residuals, and the two df."""
    blocks = np.eye(block.max() + 1)[block]
    both = np.hstack([blocks, np.eye(group.max() + 1)[group]])
    small, large = scipy.linalg.orth(blocks), scipy.linalg.orth(both)
    q = large.shape[1] - small.shape[1]
    if q < group.max():
        raise InputError(
            parameter="blocks",
            expected="several groups in every block",
            got="blocks that determine some groups",
            hint="join blocks, or leave blocks out",
        )
    centered = deviations(table, axis=-2)
    fitted = large @ (large.T @ centered)
    freedom = table.shape[-2] - large.shape[1]
    return fitted - small @ (small.T @ centered), centered - fitted, q, freedom


_Form: TypeAlias = tuple[Floats, Floats, Floats, float, float]  # statistic, effect, F, df1, df2


def _pillai(roots: Floats, p: int, q: int, freedom: int) -> _Form:
    v, s = (roots / (1 + roots)).sum(axis=-1), min(p, q)
    left = (1 / (1 + roots)).sum(axis=-1)  # s - v without cancellation
    m, n = (abs(p - q) - 1) / 2, (freedom - p - 1) / 2
    a, b = 2 * m + s + 1, 2 * n + s + 1
    return v, v / s, b / a * v / left, s * a, s * b


def _wilks(roots: Floats, p: int, q: int, freedom: int) -> _Form:
    # Rao (1951): exact for p or q up to two
    value, s = (1 / (1 + roots)).prod(axis=-1), min(p, q)
    shape = p**2 + q**2 - 5
    power = float(np.sqrt((p**2 * q**2 - 4) / shape)) if shape > 0 else 1.0
    df1 = float(p * q)
    df2 = power * (freedom - (p - q + 1) / 2) - (p * q - 2) / 2
    ratio = value ** (-1 / power) - 1
    return value, 1 - value ** (1 / s), ratio * df2 / df1, df1, df2


def _pillai_samson(roots: Floats, p: int, q: int, freedom: int) -> _Form:
    u, s = roots.sum(axis=-1), min(p, q)
    m, n = (abs(p - q) - 1) / 2, (freedom - p - 1) / 2
    a, b = 2 * m + s + 1, 2 * (s * n + 1)
    return u, u / (u + s), b * u / (s * s * a), s * a, b


def _mckeon(roots: Floats, p: int, q: int, freedom: int) -> _Form:
    u, s, n = roots.sum(axis=-1), min(p, q), (freedom - p - 1) / 2
    df1, df2 = float(p * q), np.nan
    if n == 1:  # the limit of the expression below
        df2 = 4.0
    elif n > 0:
        b = (p + 2 * n) * (q + 2 * n) / (2 * (2 * n + 1) * (n - 1))
        df2 = 4 + (p * q + 2) / (b - 1)
    return u, u / (u + s), u / df1 * df2 * 2 * n / (df2 - 2), df1, df2


def _roy(roots: Floats, p: int, q: int, freedom: int) -> _Form:
    largest = roots.max(axis=-1)
    df1 = float(max(p, q))
    df2 = freedom - df1 + q
    return largest, largest / (1 + largest), largest * df2 / df1, df1, df2


_FORMS: dict[str, Callable[[Floats, int, int, int], _Form]] = {
    "pillai": _pillai,
    "wilks": _wilks,
    "hotelling-lawley mckeon": _mckeon,
    "hotelling-lawley pillai-samson": _pillai_samson,
    "roy": _roy,
}
