"""The end that all comparisons of pairs share: statistic, p-values, adjustment, intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray
from scipy import special

from .comparisons import Comparisons, pair_names
from .multiplicity import Adjustment, adjust_known
from .omnibus import Floats
from .pair_adjustments import PAIR_ADJUSTMENTS, PairAdjustment, adjust_pairs

Bools: TypeAlias = NDArray[np.bool_]
FAR = 1e-10  # a probability below which digits of an integral are lost


def compare_pairs(
    names: tuple[str, ...],
    pairs: tuple[NDArray[np.intp], NDArray[np.intp]],
    estimate: Floats,
    error: Floats,
    *,
    method: str,
    question: str,
    adjustment: str,
    confidence: float,
    df: Floats | None = None,
    flat: bool | Bools = False,
    equal: bool | Bools = False,
    degenerate: bool | Bools = False,
    joint: Callable[[Floats], Floats] | None = None,
    reach: float | Floats | None = None,
    details: Mapping[str, Any],
    notes: tuple[str, ...] = (),
) -> Comparisons:
    """Compare pairs by estimate / error, against t with `df`, or the normal distribution if None.

    Parameters
    ----------
    names, pairs
        Names of the algorithms, and the places of the first and the second of each pair.
    estimate, error : ndarray, shape (..., n_pairs)
    flat, equal : bool or ndarray
        Where nothing varies to judge by, so that p is NaN; 1 where the two are `equal` too.
    degenerate : bool or ndarray
        Where the result is degenerate though p is known; `flat` is in any case.
    joint : callable, optional
        The p-value of |statistic| for all pairs together, in place of an adjustment by `adjust`.
    reach : float or ndarray, optional
        Half the length of the intervals; by default of Bonferroni's, for one pair alone with
        adjustment "none".
    """
    nothing: Bools = np.broadcast_to(flat, estimate.shape)
    safe: Floats = np.where(nothing, np.nan, error)
    statistic = estimate / safe
    size = np.abs(statistic)
    known = 2 * (special.ndtr(-size) if df is None else special.stdtr(df, -size))
    pvalue = np.where(nothing, np.where(equal, 1.0, np.nan), known)
    if joint is None and adjustment in PAIR_ADJUSTMENTS:
        adjusted = np.apply_along_axis(
            lambda p: adjust_pairs(p, method=cast(PairAdjustment, adjustment)), -1, pvalue
        )
    elif joint is None:
        adjusted = adjust_known(pvalue, cast(Adjustment, adjustment))
    else:
        # integrals end at about 1e-12; so far out Bonferroni's bound is near, and never too small
        bound = np.minimum(1.0, estimate.shape[-1] * pvalue)
        together = joint(size)
        together = np.where(together > FAR, np.clip(together, pvalue, bound), bound)
        adjusted = np.where(nothing, pvalue, together)
    alone = adjustment == "none" and reach is None
    if reach is None:
        tail = (1 - confidence) / (2 * (1 if alone else estimate.shape[-1]))
        reach = safe * -(special.ndtri(tail) if df is None else special.stdtrit(df, tail))
    first, second = pair_names(names, *pairs)
    return Comparisons(
        method=method,
        question=question,
        first=first,
        second=second,
        estimate=estimate,
        standard_error=error,
        statistic=statistic,
        df=df,
        pvalue=pvalue,
        adjusted_pvalue=adjusted,
        ci_low=estimate - reach,
        ci_high=estimate + reach,
        confidence=confidence,
        adjustment=adjustment,
        interval="one pair" if alone else "simultaneous",
        degenerate=nothing | degenerate,
        details=MappingProxyType(dict(details)),
        notes=notes,
    )
