"""The frame that all tests of a mean share: statistic, tail, interval, degenerate data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..numeric.centering import from_origin
from ..numeric.rounding import settled
from ._arrays import (
    Array,
    as_result,
    count_note,
    interval,
    t_pvalue,
    t_quantile,
    to_python,
    z_pvalue,
    z_quantile,
)
from .result import Alternative, TestResult, check_confidence

IDENTICAL = "nothing differs beyond rounding, so nothing speaks against equality (p = 1)"
CONSTANT = (
    "the data are essentially constant: without variation there is no standard error to judge "
    "the difference by, and no p-value (nan)"
)


def mean_test(
    *,
    method: str,
    question: str,
    estimate: Array,
    standard_error: Array,
    df: ArrayLike | None,
    null: ArrayLike = 0.0,
    origin: Array | float = 0.0,
    rounding: Array,
    largest: Array | None = None,
    alternative: Alternative,
    confidence: float,
    details: Mapping[str, Any],
    notes: tuple[str, ...] = (),
) -> TestResult:
    """Test (estimate - null) / standard_error against t with `df`, or the normal if None.

    A standard error within `rounding` leaves no reference distribution: p = 1 if the estimate
    is the null value up to rounding, else nan. `estimate` and `null` are those of values less
    `origin`. `largest` is the largest difference, where
    others than the estimate must be zero too before all can be called equal.
    """
    check_confidence(confidence)
    excess = settled(estimate - np.asarray(null), rounding)
    estimate = np.where(excess == 0, null, estimate)
    flat = standard_error <= rounding
    standard_error = np.where(flat, 0.0, standard_error)
    identical = flat & ((np.abs(excess) if largest is None else largest) <= rounding)
    safe_error = np.where(flat, np.nan, standard_error)
    statistic = excess / safe_error
    if df is None:
        p = z_pvalue(statistic, alternative)
        half = z_quantile(confidence, alternative) * safe_error
    else:
        p = t_pvalue(statistic, df, alternative)
        half = t_quantile(df, confidence, alternative) * safe_error
    low, high = interval(estimate, half, alternative, -np.inf, np.inf)
    return as_result(
        method=method,
        question=question,
        estimate=origin + estimate,
        standard_error=standard_error,
        statistic=statistic,
        df=df,
        pvalue=np.where(identical, 1.0, p),
        ends=(origin + low, origin + high),
        confidence=confidence,
        alternative=alternative,
        degenerate=flat,
        details=details,
        notes=notes + count_note(identical, IDENTICAL) + count_note(flat & ~identical, CONSTANT),
    )


def moments(x: Array, rounding: ArrayLike = 0.0) -> tuple[Array, Array]:
    """Mean and standard deviation (ddof 1) along the last axis, 0 where they are rounding noise."""
    origin, (less,) = from_origin(x)
    mean = less.mean(axis=-1)
    less -= mean[..., None]
    variance = np.einsum("...i,...i->...", less, less) / (x.shape[-1] - 1)
    return settled(origin[..., 0] + mean, rounding), settled(np.sqrt(variance), rounding)


def ratio(value: Array, scale: Array, rounding: Array) -> Array:
    """value / scale, NaN where the scale is only rounding noise."""
    return value / np.where(scale <= rounding, np.nan, scale)


def standardized(name: str, effect: Array, variance: Array, confidence: float) -> dict[str, object]:
    """Name a standardized effect and its two-sided large-sample interval."""
    half = z_quantile(confidence) * np.sqrt(variance)
    return {
        name: to_python(effect),
        f"{name}_low": to_python(effect - half),
        f"{name}_high": to_python(effect + half),
    }


def scaled(
    name: str, estimate: Array, sd: Array, half: Array, rounding: Array
) -> dict[str, object]:
    """Name estimate / sd, with the interval of the estimate in the same units."""
    return {
        name: to_python(ratio(estimate, sd, rounding)),
        f"{name}_low": to_python(ratio(estimate - half, sd, rounding)),
        f"{name}_high": to_python(ratio(estimate + half, sd, rounding)),
    }
