"""Numbers as users give them: arrays and single values, converted or refused, never bent."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from numbers import Integral
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, shown

Floats: TypeAlias = NDArray[np.float64]

# up to here the rule for rounding noise (`rounding.py`) tells averages of two whole numbers apart
LARGEST_COUNT = 2**47


def from_tensor(values: Any) -> NDArray[Any]:
    """Turn a column, tensor or sequence into an array; torch tensors come down from any device."""
    for step in ("detach", "cpu", "numpy"):
        values = getattr(values, step)() if hasattr(values, step) else values
    return np.asarray(values)


def is_missing(value: object) -> bool:
    """Return whether a label is missing: None, NaN or what pandas writes as <NA> and NaT.

    Examples
    --------
    >>> is_missing(None), is_missing(float("nan")), is_missing("")
    (True, True, False)
    """
    # what is not available cannot be compared with itself
    return value is None or type(value).__name__ in ("NAType", "NaTType") or value != value


def as_array(name: str, value: Any) -> NDArray[Any]:
    """Return `value` as an array, and refuse lists of unequal lengths."""
    try:
        return np.asarray(value)
    except MemoryError:
        raise InputError(parameter=name, expected="an array", got="one beyond all memory") from None
    except (TypeError, RuntimeError) as error:  # a tensor with its gradient, or of another device
        raise InputError(parameter=name, expected="an array", got=f"another ({error})") from error
    except ValueError as error:
        raise InputError(
            parameter=name, expected="an array", got=f"lists of unequal lengths ({error})"
        ) from error


def to_floats(name: str, value: Any, *, exact: bool = True) -> Floats:
    """Return `value` as an array of floats, and refuse what NumPy would convert with a loss.

    `exact` is for values that are compared; weights may be as large as doubles are.

    Examples
    --------
    >>> to_floats("a", [True, 2]).tolist()
    [1.0, 2.0]
    """
    try:
        array = np.asarray(value)
        kind = array.dtype.kind
        if kind not in "biufO":
            raise TypeError("they are text" if kind in "US" else f"NumPy reads {array.dtype}")
        if kind == "O" and any(isinstance(x, (str, bytes)) for x in array.flat):
            raise TypeError("some are text")  # which NumPy would parse
        whole = [x for x in array.flat if isinstance(x, Integral)] if kind == "O" else array
        floats = np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError, OverflowError, MemoryError, RuntimeError) as error:
        # RuntimeError: a tensor that still carries its gradient
        raise InputError(
            parameter=name,
            expected="numbers in arrays of one shape",
            got=f"something else ({error})",
            hint="convert it first",
        ) from error
    if exact and kind in "iuO":
        _refuse_inexact(name, whole)
    if has_masked(value):
        raise InputError(
            parameter=name,
            expected="values that are all there",
            got="masked ones",
            hint="leave them out on purpose",
        )
    return floats


def stacked_columns(what: str, columns: Mapping[Any, Any], axis: int = -1) -> Floats:
    """Return columns, or single numbers, along an axis of one array.

    Examples
    --------
    >>> stacked_columns("values", {"A": [1, 2], "B": [3, 4]}).tolist()
    [[1.0, 3.0], [2.0, 4.0]]
    """
    arrays = [to_floats(f"{what}: {name}", column) for name, column in columns.items()]
    shapes = sorted({array.shape for array in arrays})
    if len(shapes) > 1:
        raise InputError(parameter=what, expected="columns of one length", got=f"shapes {shapes}")
    return np.stack(arrays, axis=axis) if arrays else np.empty(0)


def _refuse_inexact(name: str, whole: Any) -> None:
    """Refuse whole numbers that differ from others by less than the rounding noise of doubles."""
    if not len(np.atleast_1d(whole)):
        return
    low, high = int(np.min(whole)), int(np.max(whole))
    if max(-low, high) > LARGEST_COUNT:
        raise InputError(
            parameter=name,
            expected="whole numbers up to 2^47",
            got=f"{low if -low > high else high}",
            hint="larger ones are not distinguished as doubles: subtract one number from all, or "
            "convert them to float where so small differences are none",
        )


def has_masked(value: Any) -> bool:
    """Return whether an array, or one in a list of them, has masked values.

    Examples
    --------
    >>> has_masked([np.ma.masked_array([1, 2], mask=[False, True]), [3, 4]])
    True
    """
    if isinstance(value, (list, tuple)):
        return any(isinstance(x, np.ma.MaskedArray) and np.ma.is_masked(x) for x in value)
    return bool(np.ma.is_masked(value))


def refuse_inexact_text(name: str, text: str) -> None:
    """Refuse a whole number that is too large to be distinguished from its neighbors.

    Examples
    --------
    >>> refuse_inexact_text("column 'a'", "12")
    >>> refuse_inexact_text("column 'a'", "10000000000000001")
    Traceback (most recent call last):
    nettrial.InputError: column 'a': expected whole numbers up to 2^47, got ...
    """
    digits = text.strip().lstrip("+-")
    if digits.isdecimal() and len(digits) > 14:
        _refuse_inexact(name, [int(digits[:400])])  # Python parses no more than 4,300


def scalar(name: str, value: Any) -> float:
    """Return one number, NaN and infinities included.

    Examples
    --------
    >>> scalar("rho", np.float64(0.1))
    0.1
    """
    array = to_floats(name, value)
    if array.ndim:
        raise InputError(parameter=name, expected="one number", got=shown(value))
    return float(array)


def count(name: str, value: Any, least: int = 1) -> int:
    """Return one whole number of at least `least`.

    Examples
    --------
    >>> count("n", 30.0)
    30
    """
    number = scalar(name, value)
    if isinstance(value, bool) or not (least <= number <= LARGEST_COUNT and number.is_integer()):
        most = " and at most 2^47" if number > LARGEST_COUNT else ""
        raise InputError(
            parameter=name, expected=f"a whole number of at least {least}{most}", got=shown(value)
        )
    return int(number)


def axis_of(name: str, array: NDArray[Any], axis: Any) -> int:
    try:
        index = operator.index(axis)
    except TypeError:
        raise InputError(parameter="axis", expected="one whole number", got=shown(axis)) from None
    if not -array.ndim <= index < array.ndim:
        raise InputError(
            parameter="axis",
            expected=f"an axis of {name}, of shape {array.shape}"
            if array.ndim
            else f"several {name}",
            got=f"{axis}" if array.ndim else "one number",
            hint="the values that belong to one test lie along this axis",
        )
    return index
