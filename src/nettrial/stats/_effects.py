"""The result that every effect size returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from ..results import Result

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class EffectSize(Result):
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
    details: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    notes: tuple[str, ...] = ()


def sample(what: str, values: ArrayLike, least: int) -> Floats:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{what}: received something that is not numbers ({error})") from error
    if array.ndim != 1 or array.size < least:
        raise InputError(
            f"{what}: received shape {array.shape}, allowed is one dimension with at least "
            f"{least} values"
        )
    if not np.isfinite(array).all():
        raise InputError(f"{what}: received NaN or infinite values; remove them first")
    return array
