"""What follows an omnibus test: all pairs, their p-values adjusted, intervals of one width."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .comparisons import Comparisons, pair_names
from .multiplicity import Adjustment, adjust_known
from .omnibus import Floats


def adjusted_pairs(
    names: Sequence[str],
    pairs: tuple[NDArray[np.intp], NDArray[np.intp]],
    *,
    method: str,
    question: str,
    estimate: Floats,
    standard_error: Floats,
    statistic: Floats,
    df: Floats | None,
    pvalue: Floats,
    lower_quantile: Callable[[float], ArrayLike],
    adjustment: Adjustment,
    confidence: float,
    degenerate: NDArray[np.bool_],
    details: Mapping[str, Any],
    notes: tuple[str, ...],
) -> Comparisons:
    """Return comparisons whose p-values are adjusted.

    Intervals have Bonferroni's width, so that they hold together, but for the adjustment "none".
    `lower_quantile` is the quantile function of the statistic; NaN gives no interval.
    """
    alone = adjustment == "none"
    tail = (1 - confidence) / (2 * (1 if alone else pairs[0].size))
    reach = -np.asarray(lower_quantile(tail)) * standard_error
    first, second = pair_names(names, *pairs)
    return Comparisons(
        method=method,
        question=question,
        first=first,
        second=second,
        estimate=estimate,
        standard_error=standard_error,
        statistic=statistic,
        df=df,
        pvalue=pvalue,
        adjusted_pvalue=adjust_known(pvalue, adjustment),
        ci_low=estimate - reach,
        ci_high=estimate + reach,
        confidence=confidence,
        adjustment=adjustment,
        interval="one pair" if alone else "simultaneous",
        degenerate=degenerate,
        details=MappingProxyType(dict(details)),
        notes=notes,
    )
