"""The result that every effect size returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.errors import InputError
from ..numeric.input_alignment import refuse_other_index, refuse_other_precision
from ..numeric.rounding import settled
from ._arrays import floats, noise
from .result import Estimate

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class EffectSize(Estimate):
    """An effect size with its confidence interval.

    Attributes
    ----------
    measure : str
        Its name.
    estimate : float
        Positive where the first sample is larger.
    ci_low, ci_high, confidence : float
        Two-sided confidence interval.
    interval : str
        How the interval was made.
    degenerate : bool
        True where the values do not vary, so that nothing tells how sure the estimate is.
    details : mapping
        Sample sizes and by-products.
    notes : tuple of str
        Why a value is undefined.
    """

    measure: str
    estimate: float
    ci_low: float
    ci_high: float
    confidence: float
    interval: str
    degenerate: bool = False
    details: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    notes: tuple[str, ...] = ()

    def _null(self) -> float | None:
        return 1.0 if self.measure == "odds ratio" else 0.0


def paired_differences(a: ArrayLike, b: ArrayLike | None, least: int) -> tuple[Floats, Floats]:
    """Return a minus b, and the rounding noise in their mean."""
    first = sample("a", a, least)
    second = np.zeros(first.size)
    if b is not None:
        refuse_other_index(a=a, b=b)
        refuse_other_precision(a=a, b=b)
        second = sample("b", b, least)
        if first.size != second.size:
            raise InputError(
                parameter="b",
                expected=f"{first.size} values, as many as of a",
                got=f"{second.size}",
                hint="pairs need both",
            )
    rounding = noise(first, second)
    return settled(first - second, rounding), rounding


def sample(what: str, values: ArrayLike, least: int) -> Floats:
    array = floats(what, values)
    if array.ndim != 1 or array.size < least:
        raise InputError(
            parameter=what,
            expected=f"one dimension with at least {least} values",
            got=f"shape {array.shape}",
        )
    return array
