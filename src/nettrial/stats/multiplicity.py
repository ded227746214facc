"""Adjustment of a family of p-values for their number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias, cast, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arguments import check_arguments
from ..core.errors import AssumptionWarning, InputError, unknown_choice, warn_user
from ..numeric.checks import axis_of, to_floats
from ._names import with_labels_of

Floats: TypeAlias = NDArray[np.float64]
Adjustment: TypeAlias = Literal[
    "none",
    "bonferroni",
    "sidak",
    "holm",
    "holm-sidak",
    "hochberg",
    "hommel",
    "benjamini-hochberg",
    "benjamini-hochberg-two-stage",
    "benjamini-yekutieli",
    "BH",
    "BY",
    "fdr",
    "fdr_bh",
    "fdr_by",
    "fdr_tsbh",
    "fdr_tsbky",
]
STAGE = 0.05  # the level of the two-stage method


@check_arguments
def adjust(pvalues: ArrayLike, *, method: Adjustment = "holm", axis: int = -1) -> Floats:
    r"""Adjust a family of p-values, so that each can be compared with the level itself.

    Use it whenever more than one hypothesis was tested and any rejection counts. It does not
    make the p-values valid: each must be valid alone, and the family must hold every test that
    was made, not only those that are shown.

    Parameters
    ----------
    pvalues : array_like
        p-values; each line along `axis` is a family.
    method : str
        With the sorted p-values :math:`p_{(1)} \le \dots \le p_{(m)}`:

        ======================= ==================================================== ==========
        name                    adjusted :math:`p_{(i)}` (cut to 1)                  holds
        ======================= ==================================================== ==========
        "none"                  :math:`p_{(i)}`                                      nothing
        "bonferroni"            :math:`m p_{(i)}`                                    FWER [1]
        "sidak"                 :math:`1 - (1 - p_{(i)})^m`                          FWER [2]
        "holm" (default)        :math:`\max_{j \le i} (m - j + 1) p_{(j)}`           FWER [1]
        "holm-sidak"            :math:`\max_{j \le i} 1 - (1 - p_{(j)})^{m - j + 1}` FWER [2]
        "hochberg"              :math:`\min_{j \ge i} (m - j + 1) p_{(j)}`           FWER [2]
        "hommel"                closed Simes tests                                   FWER [2]
        "benjamini-hochberg"    :math:`\min_{j \ge i} m p_{(j)} / j`                 FDR [2]
        "benjamini-hochberg-    the same with :math:`m_0 (1 + \alpha)` for m         FDR [3]
        two-stage"
        "benjamini-yekutieli"   the same times :math:`\sum_{j \le m} 1/j`            FDR [1]
        ======================= ==================================================== ==========

        FWER: the chance of any false rejection; FDR: the expected share of false rejections.
        [1] under any dependence; [2] for independent or suitably positively dependent tests;
        [3] for independent tests. R's names "BH", "fdr" and "BY" and statsmodels' "fdr_bh",
        "fdr_by" and "fdr_tsbky" (at its `alpha` = 0.05) are those of Benjamini's methods.
        The two-stage method first counts the :math:`m_0` hypotheses that Benjamini and Hochberg's
        keeps at :math:`\alpha / (1 + \alpha)`, :math:`\alpha` = 0.05, so that its adjusted
        p-values are to be compared with 0.05; where it rejects none or all it is that method.
        statsmodels' "fdr_tsbh" has :math:`\alpha` in the first stage and :math:`m_0` in the second,
        and no proof that it holds the FDR.
    axis : int
        The axis along which a family lies.

    Returns
    -------
    ndarray
        Adjusted p-values in the shape and order of `pvalues`, with the labels of a Series or
        DataFrame. NaN stays NaN and does not count as a member of its family, as in R; an
        AssumptionWarning says so.

    Raises
    ------
    InputError
        For an unknown method, values outside [0, 1] or a label that occurs twice.

    References
    ----------
    Holm (1979), Scand. J. Statistics 6, 65-70. Hochberg (1988), Biometrika 75, 800-802. Hommel
    (1988), Biometrika 75, 383-386; Meijer, Krebs and Goeman (2019), Biometrical J. 61, 73-82.
    Šidák (1967), J. American Statistical Association 62, 626-633. Benjamini and Hochberg (1995),
    J. R. Statist. Soc. B 57, 289-300. Benjamini, Krieger and Yekutieli (2006), Biometrika 93,
    491-507. Benjamini and Yekutieli (2001), Annals of Statistics 29, 1165-1188.

    Examples
    --------
    >>> adjust([0.01, 0.04, 0.03], method="holm").round(3).tolist()
    [0.03, 0.06, 0.06]
    >>> adjust([0.01, 0.04, 0.03], method="benjamini-hochberg").round(3).tolist()
    [0.03, 0.04, 0.04]
    """
    p = to_floats("pvalues", pvalues)
    if p.ndim == 0:
        raise InputError(parameter="pvalues", expected="a family of p-values", got="one number")
    axis = axis_of("pvalues", p, axis)
    missing = int(np.isnan(p).sum())
    if missing:
        warn_user(
            AssumptionWarning(
                f"{missing:,} of {p.size:,} p-values are NaN: they stay NaN and do not count as "
                "members of their family"
            )
        )
    return cast(Floats, with_labels_of(pvalues, adjust_known(p, method, axis=axis)))


def adjust_known(p: Floats, method: Adjustment, *, axis: int = -1) -> Floats:
    """Adjust as `adjust` does, without a warning for NaN: the caller tells of them."""
    check_adjustment(method)
    outside = (p < 0) | (p > 1)
    if outside.any():
        raise InputError(
            parameter="pvalues",
            expected="numbers from 0 to 1, and NaN for missing ones",
            got=f"{p[outside][0]:g}",
            hint="pass p-values, not statistics",
        )
    lines = np.moveaxis(p, axis, -1)
    flat = lines.reshape(int(np.prod(lines.shape[:-1])), lines.shape[-1])
    order = np.argsort(flat, axis=-1, kind="stable")  # NaN comes last
    ordered = np.take_along_axis(flat, order, axis=-1)
    counts = np.isfinite(ordered).sum(axis=-1)
    for m in np.unique(counts[counts > 0]):
        family = counts == m
        ordered[family, :m] = np.clip(_METHODS[method](ordered[family, :m]), 0, 1)
    adjusted = np.empty_like(flat)
    np.put_along_axis(adjusted, order, ordered, axis=-1)
    return np.moveaxis(adjusted.reshape(lines.shape), -1, axis)


def check_adjustment(method: str, others: Sequence[str] = ()) -> None:
    """Refuse an unknown adjustment."""
    if method not in _METHODS and method not in others:
        raise unknown_choice("method", method, (*get_args(Adjustment), *others))


def _smallest_from_here(p: Floats) -> Floats:
    smallest: Floats = np.minimum.accumulate(p[..., ::-1], axis=-1)[..., ::-1]
    return smallest


def _sidak(p: Floats) -> Floats:
    with np.errstate(divide="ignore"):  # log(0) at p = 1, which gives 1
        adjusted: Floats = -np.expm1(p.shape[-1] * np.log1p(-p))
    return adjusted


def _holm(p: Floats) -> Floats:
    return np.maximum.accumulate(_descending(p) * p, axis=-1)


def _holm_sidak(p: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        return np.maximum.accumulate(-np.expm1(_descending(p) * np.log1p(-p)), axis=-1)


def _hochberg(p: Floats) -> Floats:
    return _smallest_from_here(_descending(p) * p)


def _descending(p: Floats) -> NDArray[np.int64]:
    return np.arange(p.shape[-1], 0, -1)


def _benjamini_hochberg(p: Floats) -> Floats:
    m = p.shape[-1]
    return _smallest_from_here(m / np.arange(1, m + 1) * p)


def _two_stage(p: Floats, factor: float = 1 + STAGE) -> Floats:
    # the first stage at alpha / factor, by which the second is multiplied again
    m, first = p.shape[-1], _benjamini_hochberg(p)
    kept = m - (first <= STAGE / factor).sum(axis=-1, keepdims=True)
    share = np.where((kept == m) | (kept == 0), 1.0, kept / m)
    return np.minimum(first, 1.0) * factor * share


def _benjamini_yekutieli(p: Floats) -> Floats:
    m = p.shape[-1]
    harmonic = float((1 / np.arange(1, m + 1)).sum())
    return _smallest_from_here(harmonic * m / np.arange(1, m + 1) * p)


def _hommel(p: Floats) -> Floats:
    # A hypothesis is rejected at level a if p <= a / h, h the size of the largest intersection that
    # Simes' test does not reject at a. Among those of one size it is that of the largest p-values,
    # so h < s exactly where a reaches the p-value of s of them and of more, `level` below.
    m = p.shape[-1]
    simes = _simes_of_largest(p)
    level = np.zeros((len(p), m + 1))  # at s - 1 for size s; no intersection is larger than m
    level[:, :m] = np.maximum.accumulate(simes[:, ::-1], axis=-1)[:, ::-1]
    # s p rises with s and the level of s + 1 falls: the smallest level of all is where they cross
    low, high = np.zeros(p.shape, dtype=np.intp), np.full(p.shape, m)
    while (low < high).any():
        middle = (low + high) // 2
        beyond = middle * p >= np.take_along_axis(level, middle, axis=-1)
        low, high = np.where(beyond, low, middle + 1), np.where(beyond, middle, high)
    before = np.take_along_axis(level, np.maximum(low - 1, 0), axis=-1)
    return np.asarray(np.minimum(low * p, before))


def _simes_of_largest(p: Floats) -> Floats:
    """Return the p-value of Simes' test of the s largest of m sorted p-values, for s = 1 .. m.

    It is s min p_k / (k - x) over k > x, x = m - s. The k of the smallest ratio never falls when x
    rises, so that of an x lies between those of its neighbors among the x that are known, and
    halving the gaps takes m log m steps (Meijer, Krebs and Goeman take the convex hull).
    """
    rows, m = p.shape
    smallest, place = np.empty((rows, m)), np.zeros((rows, m), dtype=np.intp)
    for step in 2 ** np.arange(m.bit_length() - 1, -1, -1):
        x = np.arange(step - 1, m, 2 * step)
        low = np.where(x >= step, place[:, x - step], 0)
        high = np.where(x + step < m, place[:, np.minimum(x + step, m - 1)], m - 1)
        low = np.maximum(low, x)
        length = (high - low + 1).ravel()
        start = np.cumsum(length) - length
        own = np.repeat(np.arange(length.size), length)  # which row and x
        k = np.arange(own.size) + (low.ravel() - start)[own]
        ratio = p[own // x.size, k] / (k + 1 - x[own % x.size])
        least = np.minimum.reduceat(ratio, start)
        found = np.flatnonzero(ratio == least[own])[::-1]  # the first of each is written last
        at = np.empty(length.size, dtype=np.intp)
        at[own[found]] = k[found]
        smallest[:, x], place[:, x] = least.reshape(low.shape), at.reshape(low.shape)
    return np.asarray((np.arange(m, 0, -1) * smallest)[:, ::-1])


_METHODS: dict[str, Callable[[Floats], Floats]] = {
    "none": lambda p: p,
    "bonferroni": lambda p: p.shape[-1] * p,
    "sidak": _sidak,
    "holm": _holm,
    "holm-sidak": _holm_sidak,
    "hochberg": _hochberg,
    "hommel": _hommel,
    "benjamini-hochberg": _benjamini_hochberg,
    "benjamini-hochberg-two-stage": _two_stage,
    "benjamini-yekutieli": _benjamini_yekutieli,
    "BH": _benjamini_hochberg,
    "BY": _benjamini_yekutieli,
    "fdr": _benjamini_hochberg,
    "fdr_bh": _benjamini_hochberg,
    "fdr_by": _benjamini_yekutieli,
    "fdr_tsbh": lambda p: _two_stage(p, 1.0),
    "fdr_tsbky": _two_stage,
}
# the methods that hold the expected share of false rejections, not the chance of any
FALSE_DISCOVERY = tuple(
    name for name in _METHODS if name.lower().startswith(("benjamini", "bh", "by", "fdr"))
)
