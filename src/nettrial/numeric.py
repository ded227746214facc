"""Numbers as users give them: arrays and single values, converted or refused, never bent."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import InputError

# squares of larger and of smaller values leave the range of doubles
LARGEST, SMALLEST = 1e150, 1e-150
# above this a double has no place for every whole number
LARGEST_COUNT = 2**53


def to_floats(name: str, value: Any) -> NDArray[np.float64]:
    """Give `value` as an array of floats, and refuse what NumPy would convert with a loss.

    Raises
    ------
    InputError
        For masked values, text, dates, complex numbers, other objects, lists of unequal
        lengths, and whole numbers that no double can hold.

    Examples
    --------
    >>> to_floats("a", [True, 2]).tolist()
    [1.0, 2.0]
    """
    try:
        array = np.asarray(value)
        kind = array.dtype.kind
        if kind not in "biufO":
            raise TypeError(f"NumPy reads them as {array.dtype}")
        floats = np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(
            f"{name}: received something that is not numbers in arrays of one shape ({error}); "
            "convert it first"
        ) from error
    if np.ma.is_masked(value):
        raise InputError(
            f"{name}: received masked values; a missing value has no place here: leave it out on "
            "purpose"
        )
    return floats


def refuse_huge(name: str, array: NDArray[np.float64]) -> None:
    """Refuse finite values whose squares cannot be represented."""
    largest = np.abs(array).max(initial=0)
    if largest > LARGEST:
        raise InputError(
            f"{name}: the largest size is {largest:.3g}, squares of it cannot be represented; "
            "choose other units"
        )


def refuse_tiny(name: str, largest: ArrayLike) -> None:
    """Refuse samples, by their largest sizes, that differ but whose squares would all be 0.

    Examples
    --------
    >>> refuse_tiny("values", [0.0, 0.5])
    >>> refuse_tiny("values", 1e-200)
    Traceback (most recent call last):
    nettrial.errors.InputError: values: the largest size is 1e-200, squares of it ...
    """
    sizes = np.asarray(largest)
    tiny = (sizes > 0) & (sizes < SMALLEST)
    if tiny.any():
        raise InputError(
            f"{name}: the largest size is {sizes[tiny].max():.3g}, squares of it cannot be "
            "represented; choose other units"
        )


def scalar(name: str, value: Any) -> float:
    """Give one number, NaN and infinities included.

    Examples
    --------
    >>> scalar("rho", np.float64(0.1))
    0.1
    """
    array = to_floats(name, value)
    if array.ndim:
        raise InputError(f"{name}: received {value!r}, allowed is one number")
    return float(array)


def count(name: str, value: Any, least: int = 1) -> int:
    """Give one whole number of at least `least`.

    Examples
    --------
    >>> count("n", 30.0)
    30
    """
    number = scalar(name, value)
    if isinstance(value, bool) or not (least <= number <= LARGEST_COUNT and number.is_integer()):
        raise InputError(f"{name}: received {value!r}, allowed are whole numbers from {least}")
    return int(number)


def axis_of(name: str, array: NDArray[Any], axis: Any) -> int:
    """Give `axis` if the array has it."""
    try:
        index = operator.index(axis)
    except TypeError:
        raise InputError(f"axis: received {axis!r}, allowed is one whole number") from None
    if not -array.ndim <= index < array.ndim:
        raise InputError(
            f"axis: received {axis} for {name} of shape {array.shape}; "
            "the values that belong to one test lie along this axis"
        )
    return index
