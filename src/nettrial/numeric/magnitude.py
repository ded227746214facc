"""How large numbers are: refused where their squares leave the range of doubles, or scaled."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.errors import InputError

Floats: TypeAlias = NDArray[np.float64]

# squares of larger and of smaller values leave the range of doubles
LARGEST, SMALLEST = 1e150, 1e-150


def largest_size(array: Floats, axis: int | None = None) -> Floats:
    """Return the largest size along an axis, or of all: NaN where one is NaN, 0 without any.

    Examples
    --------
    >>> float(largest_size(np.array([1.0, -3.0])))
    3.0
    """
    # two passes over all values take less time than a copy of them
    highest, lowest = array.max(axis=axis, initial=0.0), array.min(axis=axis, initial=0.0)
    return np.asarray(np.maximum(highest, -lowest))


def refuse_huge(name: str, array: Floats) -> None:
    """Refuse finite values whose squares cannot be represented."""
    largest = largest_size(array)
    if largest > LARGEST:
        raise InputError(
            parameter=name,
            expected=f"sizes up to {LARGEST:g}",
            got=f"{largest:.3g}, whose square cannot be represented",
            hint="choose other units",
        )


def refuse_tiny(name: str, largest: ArrayLike) -> None:
    """Refuse samples, by their largest sizes, that differ but whose squares would all be 0.

    Examples
    --------
    >>> refuse_tiny("values", [0.0, 0.5])
    >>> refuse_tiny("values", 1e-200)
    Traceback (most recent call last):
    nettrial.InputError: values: expected a largest size of 0 or at least ...
    """
    sizes = np.asarray(largest)
    tiny = (sizes > 0) & (sizes < SMALLEST)
    if tiny.any():
        raise InputError(
            parameter=name,
            expected=f"a largest size of 0 or at least {SMALLEST:g}",
            got=f"{sizes[tiny].max():.3g}, whose square cannot be represented",
            hint="choose other units",
        )


def without_unit(amounts: Floats, axis: int | None = None) -> Floats:
    """Return amounts of which only the proportions count, the largest at least 1 and below 2.

    They are divided by a power of two, one for all or one along an axis, so that no digit changes
    and no square overflows.

    Examples
    --------
    >>> without_unit(np.array([3e200, 6e200])).round(3).tolist()
    [0.98, 1.96]
    """
    largest = amounts.max(axis=axis, keepdims=True, initial=0.0)
    return np.asarray(np.ldexp(amounts, 1 - np.frexp(largest)[1]))
