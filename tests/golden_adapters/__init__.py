"""One module per topic, each with ADAPTERS: method -> function(inputs) -> values.

An adapter calls the library and returns a dict in the shape of the case's `expected`. Keys
that the library does not offer are listed in its module's NOT_OFFERED with the reason.
"""

from __future__ import annotations

import math
from typing import Any


def by_formula(result: Any, *, apart: bool) -> tuple[float, float]:
    """Return statistic and p as R's formula gives them, which divides by 0 on degenerate data.

    The library's own answer is checked here: no statistic, p = 1 where nothing differs (R: 0/0,
    NaN), no p where the groups lie `apart` without variation (R: infinite, p = 0), and a note.
    """
    if not result.degenerate:
        return result.statistic, result.pvalue
    assert math.isnan(result.statistic)
    assert result.notes
    if apart:
        assert math.isnan(result.pvalue)
        return math.inf, 0.0
    assert result.pvalue == 1
    return math.nan, math.nan
