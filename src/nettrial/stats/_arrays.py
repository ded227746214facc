"""Checked arrays, tail probabilities and intervals that the tests share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from ..core.errors import InputError, shown
from ..core.wording import plural
from ..numeric import rounding
from ..numeric.checks import LARGEST_COUNT, axis_of, to_floats
from ..numeric.input_alignment import refuse_other_index, refuse_other_precision, refuse_two_orders
from ..numeric.magnitude import largest_size, refuse_huge, refuse_tiny
from ..numeric.rounding import BLOCK, rounded
from .result import Alternative, TestResult, check_confidence

Array = NDArray[np.float64]


def floats(name: str, value: ArrayLike) -> Array:
    """Return `value` as finite floats or say which part is not."""
    array = to_floats(name, value)
    largest = largest_size(array)
    if not np.isfinite(largest):
        bad = np.argwhere(~np.isfinite(array))[0]
        raise InputError(
            parameter=name,
            expected="finite numbers",
            got=f"{array[tuple(bad)]}"
            + (f" at position {tuple(bad.tolist())}" if bad.size else ""),
            hint="leave the whole pair out on purpose, or repair the run that failed",
        )
    refuse_huge(name, largest)
    return array


def as_integer_array(name: str, value: ArrayLike, *, least: int = 0) -> Array:
    """Return `value` as whole numbers of at least `least`."""
    array = floats(name, value)
    refuse_two_orders(name, value)
    if (array < least).any() or (array > LARGEST_COUNT).any() or (array != np.floor(array)).any():
        raise InputError(
            parameter=name, expected=f"whole numbers from {least} to 2^47", got=shown(value)
        )
    return array


def within(name: str, value: ArrayLike, low: float, high: float, *, open_ends: bool) -> Array:
    """Return `value` as floats in [low, high], or in (low, high) if `open_ends`."""
    array = floats(name, value)
    outside = (array <= low) | (array >= high) if open_ends else (array < low) | (array > high)
    if outside.any():
        ends = f"({low:g}, {high:g})" if open_ends else f"[{low:g}, {high:g}]"
        raise InputError(parameter=name, expected=f"numbers in {ends}", got=shown(value))
    return array


def broadcast(**named: Array) -> tuple[Array, ...]:
    """Broadcast arrays to one shape, or name those that do not fit together."""
    try:
        return tuple(np.broadcast_arrays(*named.values()))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in named.items())
        raise InputError(
            parameter="shapes", expected="arrays that broadcast together", got=f"{shapes}"
        ) from None


def broadcast_leading(name: str, arrays: Sequence[Array], own: str, last: int = 1) -> list[Array]:
    """Broadcast all axes but the last ones, which are each array's `own`."""
    try:
        leading = np.broadcast_shapes(*(array.shape[:-last] for array in arrays))
    except ValueError:
        shapes = " and ".join(str(array.shape) for array in arrays)
        raise InputError(
            parameter=name, expected=f"equal axes but for {own}", got=f"shapes {shapes}"
        ) from None
    return [np.broadcast_to(array, leading + array.shape[-last:]) for array in arrays]


def along(name: str, value: ArrayLike, axis: int, *, least: int) -> Array:
    """Move the tested axis to the end and require at least `least` values on it."""
    return _along(name, floats(name, value), axis, least)


def _along(name: str, array: Array, axis: int, least: int) -> Array:
    array = np.moveaxis(array, axis_of(name, array, axis), -1)
    if array.shape[-1] < least:
        raise InputError(
            parameter=name,
            expected=f"at least {plural(least, 'value')} along the tested axis",
            got=f"{array.shape[-1]}",
        )
    return array


def pairs(a: ArrayLike, b: ArrayLike, axis: int, *, least: int) -> tuple[Array, Array]:
    """Return both samples of a paired test with the tested axis last; `b` may be one number."""
    refuse_other_index(a=a, b=b)
    refuse_other_precision(a=a, b=b)
    first, second = floats("a", a), floats("b", b)
    if second.ndim and first.shape != second.shape:
        raise InputError(
            parameter=("a", "b"),
            expected="equal shapes (pairs), or one number for b",
            got=" and ".join(str(x.shape) if x.ndim else "one number" for x in (first, second)),
        )
    first = _along("a", first, axis, least)
    if second.ndim:
        return first, np.moveaxis(second, axis, -1)
    return first, np.broadcast_to(second, first.shape)


def to_python(value: Any) -> Any:
    """Turn an array without axes into the Python number it holds."""
    array = np.asarray(value)
    return array.item() if array.ndim == 0 else array


def as_result(
    *,
    method: str,
    question: str,
    estimate: Any,
    standard_error: Any,
    statistic: Any,
    pvalue: Any,
    ends: tuple[Any, Any],
    confidence: float,
    alternative: Alternative,
    details: Mapping[str, Any],
    df: Any = None,
    degenerate: Any = False,
    notes: tuple[str, ...] = (),
) -> TestResult:
    """Return a result in which arrays without axes are numbers; `ends` are of its interval."""
    low, high = ends
    return TestResult(
        method=method,
        question=question,
        estimate=to_python(estimate),
        standard_error=to_python(standard_error),
        statistic=to_python(statistic),
        df=df if isinstance(df, tuple) else to_python(df),
        pvalue=to_python(pvalue),
        ci_low=to_python(low),
        ci_high=to_python(high),
        confidence=confidence,
        alternative=alternative,
        degenerate=to_python(degenerate),
        details=details,
        notes=notes,
    )


def sequence(values: Array) -> Any:
    """Return the values of one test as a list, so that a table keeps one row per test."""
    return values.tolist() if values.ndim == 1 else values


def noise(*samples: Array) -> Array:
    """Return `rounding.noise`; refuse samples so small that they would pass for it."""
    largest = reduce(np.maximum, (np.abs(x).max(axis=-1, initial=0.0) for x in samples))
    refuse_tiny("values", largest)
    return rounding.noise(*samples)


def differences(
    first: Array, second: Array, digits: int | None = None
) -> tuple[Array, Array, Array, Array]:
    """Return first minus second, 0 where that is rounding noise, its level, and both samples.

    `digits` rounds both samples first. `ranks.ranks` takes the samples to tell which differences
    tie; differences that are further apart than the level, one for each row, surely do not.
    """
    first, second = rounded(first, digits), rounded(second, digits)
    level = rounding.noise(first, second)
    d, near = np.empty(first.shape), np.zeros(level.shape)
    for start in range(0, first.shape[-1], BLOCK):
        part = d[..., start : start + BLOCK]
        np.subtract(first[..., start : start + BLOCK], second[..., start : start + BLOCK], out=part)
        part += 0.0  # which makes 0 of -0
        size = np.abs(part)
        close = size <= level[..., np.newaxis]
        if close.any():
            near = np.maximum(near, size.max(axis=-1, where=close, initial=0.0))
    if near.any():
        if rounding.surely_noise(near, first, second):
            d[np.abs(d) <= near[..., np.newaxis]] = 0.0
        else:
            d[np.abs(d) <= rounding.ROUNDING * rounding.sizes(first, second)] = 0.0
    return d, level, first, second


def pvalue(statistic: Array, cdf: Callable[[Array], Array], alternative: Alternative) -> Array:
    """Return the tail probability under a reference distribution that is symmetric about zero."""
    if alternative == "less":
        return cdf(statistic)
    if alternative == "greater":
        return cdf(-statistic)
    return np.minimum(1.0, 2 * cdf(-np.abs(statistic)))


def z_pvalue(z: Array, alternative: Alternative) -> Array:
    """Tail probability of the standard normal distribution."""
    return pvalue(z, scipy.special.ndtr, alternative)


def t_pvalue(t: Array, df: ArrayLike, alternative: Alternative) -> Array:
    """Tail probability of Student's t distribution."""
    return pvalue(t, lambda x: np.asarray(scipy.special.stdtr(df, x)), alternative)


def tail_level(confidence: float, alternative: Alternative) -> float:
    """Probability left outside each end that the interval has."""
    return (1 - check_confidence(confidence)) / (2 if alternative == "two-sided" else 1)


def interval(
    center: Array, half_width: Array, alternative: Alternative, low: float, high: float
) -> tuple[Array, Array]:
    """Ends center -+ half width; a one-sided interval reaches to `low` or `high`."""
    lower, upper = center - half_width, center + half_width
    if alternative == "less":
        lower = np.where(np.isnan(lower), lower, low)
    elif alternative == "greater":
        upper = np.where(np.isnan(upper), upper, high)
    return lower, upper


def t_quantile(df: ArrayLike, confidence: float, alternative: Alternative) -> Array:
    """Multiple of the standard error that the t interval reaches."""
    return -np.asarray(scipy.special.stdtrit(df, tail_level(confidence, alternative)))


def z_quantile(confidence: float, alternative: Alternative = "two-sided") -> float:
    """Multiple of the standard error that the normal interval reaches."""
    return float(-scipy.special.ndtri(tail_level(confidence, alternative)))


def count_note(flags: ArrayLike, text: str) -> tuple[str, ...]:
    """Return `text` once if any test is concerned, with their number if there are several."""
    flags = np.asarray(flags)
    if not flags.any():
        return ()
    if flags.ndim == 0:
        return (text,)
    return (f"{int(flags.sum()):,} of {flags.size:,} tests: {text}",)
