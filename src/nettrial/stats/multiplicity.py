"""Adjustment of a family of p-values for their number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arguments import check_arguments
from ..errors import AssumptionWarning, InputError, unknown_choice, warn_user
from ..numeric import axis_of, to_floats

Floats: TypeAlias = NDArray[np.float64]
Adjustment: TypeAlias = Literal[
    "none",
    "bonferroni",
    "sidak",
    "holm",
    "hochberg",
    "hommel",
    "benjamini-hochberg",
    "benjamini-yekutieli",
]


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
        "hochberg"              :math:`\min_{j \ge i} (m - j + 1) p_{(j)}`           FWER [2]
        "hommel"                closed Simes tests                                   FWER [2]
        "benjamini-hochberg"    :math:`\min_{j \ge i} m p_{(j)} / j`                 FDR [2]
        "benjamini-yekutieli"   the same times :math:`\sum_{j \le m} 1/j`            FDR [1]
        ======================= ==================================================== ==========

        FWER: the chance of any false rejection; FDR: the expected share of false rejections.
        [1] under any dependence; [2] for independent or suitably positively dependent tests.
    axis : int
        The axis along which a family lies.

    Returns
    -------
    ndarray
        Adjusted p-values in the shape and order of `pvalues`. NaN stays NaN and does not count
        as a member of its family, as in R; an AssumptionWarning tells.

    Raises
    ------
    InputError
        For an unknown method or values outside [0, 1].

    References
    ----------
    Holm (1979), Scand. J. Statistics 6, 65-70. Hochberg (1988), Biometrika 75, 800-802.
    Hommel (1988), Biometrika 75, 383-386. Šidák (1967), J. American Statistical Association 62,
    626-633. Benjamini and Hochberg (1995), J. R. Statist. Soc. B
    57, 289-300. Benjamini and Yekutieli (2001), Annals of Statistics 29, 1165-1188.

    Examples
    --------
    >>> adjust([0.01, 0.04, 0.03], method="holm").round(3).tolist()
    [0.03, 0.06, 0.06]
    >>> adjust([0.01, 0.04, 0.03], method="benjamini-hochberg").round(3).tolist()
    [0.03, 0.04, 0.04]
    """
    p = to_floats("pvalues", pvalues)
    if p.ndim == 0:
        raise InputError("pvalues: expected a family of p-values, got one number")
    axis = axis_of("pvalues", p, axis)
    missing = int(np.isnan(p).sum())
    if missing:
        warn_user(
            AssumptionWarning(
                f"{missing} of {p.size} p-values are NaN: they stay NaN and do not count as "
                "members of their family"
            )
        )
    return adjust_known(p, method, axis=axis)


def adjust_known(p: Floats, method: Adjustment, *, axis: int = -1) -> Floats:
    """Adjust as `adjust` does, without a warning for NaN: the caller tells of them."""
    check_adjustment(method)
    if ((p < 0) | (p > 1)).any():
        raise InputError("pvalues: expected numbers from 0 to 1, and NaN for missing ones")
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


def check_adjustment(method: str) -> None:
    """Refuse an unknown adjustment."""
    if method not in _METHODS:
        raise unknown_choice("method", method, get_args(Adjustment))


def _smallest_from_here(p: Floats) -> Floats:
    smallest: Floats = np.minimum.accumulate(p[..., ::-1], axis=-1)[..., ::-1]
    return smallest


def _sidak(p: Floats) -> Floats:
    with np.errstate(divide="ignore"):  # log(0) at p = 1, which gives 1
        adjusted: Floats = -np.expm1(p.shape[-1] * np.log1p(-p))
    return adjusted


def _holm(p: Floats) -> Floats:
    return np.maximum.accumulate(_descending(p) * p, axis=-1)


def _hochberg(p: Floats) -> Floats:
    return _smallest_from_here(_descending(p) * p)


def _descending(p: Floats) -> NDArray[np.int64]:
    return np.arange(p.shape[-1], 0, -1)


def _benjamini_hochberg(p: Floats) -> Floats:
    m = p.shape[-1]
    return _smallest_from_here(m / np.arange(1, m + 1) * p)


def _benjamini_yekutieli(p: Floats) -> Floats:
    m = p.shape[-1]
    harmonic = float((1 / np.arange(1, m + 1)).sum())
    return _smallest_from_here(harmonic * m / np.arange(1, m + 1) * p)


def _hommel(p: Floats) -> Floats:
    # A hypothesis is rejected if the Simes test rejects every intersection that holds it. Among
    # intersections of `size` hypotheses the hardest to reject joins it to the largest p-values,
    # so one pass over sizes replaces all 2^m of them.
    m = p.shape[-1]
    adjusted = p
    for size in range(2, m + 1):
        largest = p[..., m - size + 1 :]  # size - 1 of them
        simes = (size * largest / np.arange(2, size + 1)).min(axis=-1, keepdims=True)
        smallest = size * p[..., np.minimum(np.arange(m), m - size)]
        adjusted = np.maximum(adjusted, np.minimum(smallest, simes))
    return adjusted


_METHODS: dict[str, Callable[[Floats], Floats]] = {
    "none": lambda p: p,
    "bonferroni": lambda p: p.shape[-1] * p,
    "sidak": _sidak,
    "holm": _holm,
    "hochberg": _hochberg,
    "hommel": _hommel,
    "benjamini-hochberg": _benjamini_hochberg,
    "benjamini-yekutieli": _benjamini_yekutieli,
}
