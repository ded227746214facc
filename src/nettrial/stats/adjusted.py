"""A column of p-values with their adjusted ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..core.results import Result
from ..numeric.checks import to_floats
from ._names import Table, keep_names
from .comparisons import read_names
from .multiplicity import Adjustment, adjust_known, check_adjustment
from .omnibus import Floats
from .result import check_confidence


@dataclass(frozen=True, slots=True)
class AdjustedPvalues(Result):
    """A family of hypotheses with their p-values, adjusted for their number.

    Attributes
    ----------
    method : str
        How they were adjusted.
    names : tuple of str
        Of the hypotheses.
    pvalue, adjusted_pvalue : ndarray
        As given, and adjusted; compare the second with the level.
    rejected : ndarray of bool
        Whether the adjusted p-value lies below 1 - confidence.
    confidence : float
        1 - the level of the family.
    notes : tuple of str
        What the reader must know.
    """

    method: str
    names: tuple[str, ...]
    pvalue: Floats
    adjusted_pvalue: Floats
    rejected: np.ndarray[tuple[int], np.dtype[np.bool_]]
    confidence: float
    notes: tuple[str, ...] = ()


@check_arguments
@keep_names
def adjusted_pvalues(
    pvalues: Table,
    *,
    method: Adjustment = "holm",
    names: Sequence[str] | None = None,
    confidence: float = 0.95,
) -> AdjustedPvalues:
    """Adjust a family of p-values and say which hypotheses are rejected.

    Use it as `adjust`, for p-values that come from anywhere, such as a column of a table. It
    assumes that each is valid alone. It does not know of tests that were made and left out of
    the table.

    Parameters
    ----------
    pvalues : array_like of shape (m,)
        The p-values; NaN is not a member of the family.
    method : str
        A method of `adjust`.
    names : sequence of str, optional
        Names of the hypotheses; their places from 0 if left out.
    confidence : float
        1 - the level of the family: of the chance of any false rejection, or for Benjamini's
        methods of the expected share of false ones.

    Returns
    -------
    AdjustedPvalues

    Raises
    ------
    InputError
        For values outside [0, 1], an unknown method, or as many names as there are not values.

    References
    ----------
    Holm (1979), Scandinavian Journal of Statistics 6, 65-70.

    Examples
    --------
    >>> found = adjusted_pvalues([0.01, 0.04, 0.03], names=["a", "b", "c"])
    >>> found.adjusted_pvalue.round(3).tolist(), found.rejected.tolist()
    ([0.03, 0.06, 0.06], [True, False, False])
    """
    check_adjustment(method)
    level = 1 - check_confidence(confidence)
    p = to_floats("pvalues", pvalues)
    if p.ndim != 1 or p.size == 0:
        raise InputError(parameter="pvalues", expected="a list of p-values", got=f"shape {p.shape}")
    adjusted = adjust_known(p, method)
    missing = int(np.isnan(p).sum())
    note = (
        f"{missing:,} of {p.size:,} p-values are missing and do not count as members of the family"
    )
    return AdjustedPvalues(
        method=method,
        names=read_names(names, p.size),
        pvalue=p,
        adjusted_pvalue=adjusted,
        rejected=adjusted < level,
        confidence=confidence,
        notes=(note,) if missing else (),
    )
