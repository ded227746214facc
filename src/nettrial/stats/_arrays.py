"""Checked arrays, tail probabilities and intervals that the tests share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from ..errors import InputError
from ..numeric import LARGEST_COUNT, axis_of, refuse_huge, refuse_tiny, to_floats
from .result import Alternative, check_confidence

Array = NDArray[np.float64]
EPS = float(np.finfo(float).eps)


def floats(name: str, value: ArrayLike) -> Array:
    """Give `value` as finite floats or say which part is not."""
    array = to_floats(name, value)
    if not np.isfinite(array).all():
        bad = np.argwhere(~np.isfinite(array))[0]
        raise InputError(
            f"{name}: received {array[tuple(bad)]} at position {tuple(int(i) for i in bad)}, "
            "allowed are finite numbers; a missing value has no place in a pairing: leave the "
            "whole pair out on purpose, or repair the run that failed"
        )
    refuse_huge(name, array)
    return array


def whole(name: str, value: ArrayLike, *, least: int = 0) -> Array:
    """Give `value` as whole numbers of at least `least`."""
    array = floats(name, value)
    if (array < least).any() or (array > LARGEST_COUNT).any() or (array != np.floor(array)).any():
        raise InputError(
            f"{name}: received {value!r}, allowed are whole numbers from {least} to 2^53"
        )
    return array


def within(name: str, value: ArrayLike, low: float, high: float, *, open_ends: bool) -> Array:
    """Give `value` as floats in [low, high], or in (low, high) if `open_ends`."""
    array = floats(name, value)
    outside = (array <= low) | (array >= high) if open_ends else (array < low) | (array > high)
    if outside.any():
        ends = f"({low:g}, {high:g})" if open_ends else f"[{low:g}, {high:g}]"
        raise InputError(f"{name}: received {value!r}, allowed are numbers in {ends}")
    return array


def broadcast(**named: Array) -> tuple[Array, ...]:
    """Broadcast arrays to one shape, or name those that do not fit together."""
    try:
        return tuple(np.broadcast_arrays(*named.values()))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in named.items())
        raise InputError(f"shapes: received {shapes}, which do not fit together") from None


def along(name: str, value: ArrayLike, axis: int, *, least: int) -> Array:
    """Move the tested axis to the end and require at least `least` values on it."""
    array = floats(name, value)
    array = np.moveaxis(array, axis_of(name, array, axis), -1)
    if array.shape[-1] < least:
        raise InputError(
            f"{name}: received {array.shape[-1]} value(s) along the tested axis, "
            f"at least {least} are needed"
        )
    return array


def pairs(a: ArrayLike, b: ArrayLike, axis: int, *, least: int) -> tuple[Array, Array]:
    """Give both samples of a paired test with the tested axis last; `b` may be one number."""
    first, second = floats("a", a), floats("b", b)
    if second.ndim and first.shape != second.shape:
        raise InputError(
            f"a and b: received shapes {first.shape} and {second.shape}, allowed are equal "
            "shapes (pairs), or one number for b"
        )
    first = along("a", first, axis, least=least)
    if second.ndim:
        return first, np.moveaxis(second, axis, -1)
    return first, np.broadcast_to(second, first.shape)


def plain(value: Any) -> Any:
    """Turn an array without axes into the Python number it holds."""
    array = np.asarray(value)
    return array.item() if array.ndim == 0 else array


def sequence(values: Array) -> Any:
    """Give the values that belong to one test as a list, so that a table keeps one row a test."""
    return values.tolist() if values.ndim == 1 else values


def noise(*samples: Array) -> Array:
    """Size of rounding noise in differences and means of these samples, along the last axis.

    R calls data essentially constant when the standard error is below 10 eps |mean|; here the
    largest value takes the place of the mean, because a difference inherits the rounding of
    the numbers that it was made from.

    Raises
    ------
    InputError
        Where the numbers are so small that any would pass for noise.
    """
    sizes = [np.abs(sample).max(axis=-1, initial=0.0) for sample in samples]
    largest = np.asarray(np.maximum.reduce(sizes))
    refuse_tiny("values", largest)
    return 10 * EPS * largest


def pvalue(statistic: Array, cdf: Callable[[Array], Array], alternative: Alternative) -> Array:
    """Tail probability under a reference distribution that is symmetric about zero."""
    if alternative == "less":
        return cdf(statistic)
    if alternative == "greater":
        return cdf(-statistic)
    return np.minimum(1.0, 2 * cdf(-np.abs(statistic)))


def z_pvalue(z: Array, alternative: Alternative) -> Array:
    """Tail probability of the standard normal distribution."""
    return pvalue(z, special.ndtr, alternative)


def t_pvalue(t: Array, df: ArrayLike, alternative: Alternative) -> Array:
    """Tail probability of Student's t distribution."""
    return pvalue(t, lambda x: np.asarray(special.stdtr(df, x)), alternative)


def tail_level(confidence: float, alternative: Alternative) -> float:
    """Probability left outside each end that the interval has."""
    return (1 - check_confidence(confidence)) / (2 if alternative == "two-sided" else 1)


def interval(
    centre: Array, half_width: Array, alternative: Alternative, low: float, high: float
) -> tuple[Array, Array]:
    """Ends centre -+ half width; a one-sided interval reaches to `low` or `high`."""
    lower, upper = centre - half_width, centre + half_width
    if alternative == "less":
        lower = np.where(np.isnan(lower), lower, low)
    elif alternative == "greater":
        upper = np.where(np.isnan(upper), upper, high)
    return lower, upper


def t_quantile(df: ArrayLike, confidence: float, alternative: Alternative) -> Array:
    """Multiple of the standard error that the t interval reaches."""
    return -np.asarray(special.stdtrit(df, tail_level(confidence, alternative)))


def z_quantile(confidence: float, alternative: Alternative = "two-sided") -> float:
    """Multiple of the standard error that the normal interval reaches."""
    return float(-special.ndtri(tail_level(confidence, alternative)))


def count_note(flags: ArrayLike, text: str) -> tuple[str, ...]:
    """Give `text` once if any test is concerned, with their number if there are several."""
    flags = np.asarray(flags)
    if not flags.any():
        return ()
    if flags.ndim == 0:
        return (text,)
    return (f"{int(flags.sum())} of {flags.size} tests: {text}",)
