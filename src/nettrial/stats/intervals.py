"""Confidence intervals of one error rate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ..numeric.input_alignment import refuse_other_index
from ._arrays import (
    Array,
    as_integer_array,
    broadcast,
    count_note,
    interval,
    tail_level,
    to_python,
    z_quantile,
)
from ._binomial import beta_quantile, clopper_pearson
from .result import Alternative, Estimate, Number, check_confidence

IntervalMethod: TypeAlias = Literal[
    "exact", "wald", "wilson", "agresti-coull", "jeffreys", "jeffreys-equal-tailed"
]


@dataclass(frozen=True, slots=True)
class ProportionInterval(Estimate):
    """Confidence interval of an error rate.

    Attributes
    ----------
    method : str
        Name of the interval.
    estimate : float or ndarray
        errors / n.
    ci_low, ci_high : float or ndarray
        The ends.
    confidence : float
        The level, a proportion.
    alternative : {"two-sided", "less", "greater"}
        "less" bounds the rate from above only, "greater" from below only.
    details : mapping
        Center of the interval where it is not the estimate.
    notes : tuple of str
        What the reader must know before using the interval.
    """

    method: str
    estimate: Number
    ci_low: Number
    ci_high: Number
    confidence: float
    alternative: Alternative
    details: Mapping[str, Any]
    notes: tuple[str, ...] = ()

    def _null(self) -> float | None:
        return None  # a rate is compared with nothing


def check_counts(
    errors: ArrayLike, n: ArrayLike, errors_name: str = "errors", n_name: str = "n"
) -> tuple[Array, Array]:
    """Return both counts as equally shaped floats, with 0 <= errors <= n and n >= 1."""
    refuse_other_index(**{errors_name: errors, n_name: n})
    x, size = broadcast(
        **{
            errors_name: as_integer_array(errors_name, errors),
            n_name: as_integer_array(n_name, n, least=1),
        }
    )
    if (x > size).any():
        raise InputError(
            parameter=errors_name,
            expected=f"at most {n_name} errors",
            got=f"{shown(errors)} of {shown(n)}",
        )
    return x, size


def wald(
    x: Array, n: Array, confidence: float, alternative: Alternative = "two-sided"
) -> tuple[Array, Array]:
    """p -+ z sqrt(p (1 - p) / n)."""
    p = x / n
    half = z_quantile(confidence, alternative) * np.sqrt(p * (1 - p) / n)
    return interval(p, half, alternative, 0.0, 1.0)


def wilson(
    x: Array, n: Array, confidence: float, alternative: Alternative = "two-sided"
) -> tuple[Array, Array]:
    """Return the null value that the z test with the null's standard error keeps (Wilson 1927)."""
    z = z_quantile(confidence, alternative)
    p = x / n
    shrink = 1 + z**2 / n
    half = z / shrink * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    low, high = interval((p + z**2 / (2 * n)) / shrink, half, alternative, 0.0, 1.0)
    # exact by algebra; the difference of two equal numbers leaves rounding noise
    return np.where(x == 0, 0.0, low), np.where(x == n, 1.0, high)


def newcombe(
    x_a: Array,
    n_a: Array,
    x_b: Array,
    n_b: Array,
    confidence: float,
    alternative: Alternative = "two-sided",
) -> tuple[Array, Array]:
    """Interval of a difference of two proportions from Wilson's of each (1998, method 10)."""
    a, b = x_a / n_a, x_b / n_b
    opposite: dict[Alternative, Alternative] = {"less": "greater", "greater": "less"}
    low_a, high_a = wilson(x_a, n_a, confidence, alternative)
    low_b, high_b = wilson(x_b, n_b, confidence, opposite.get(alternative, alternative))
    low = (
        np.full(a.shape, -1.0) if alternative == "less" else a - b - np.hypot(a - low_a, high_b - b)
    )
    high = (
        np.full(a.shape, 1.0)
        if alternative == "greater"
        else a - b + np.hypot(high_a - a, b - low_b)
    )
    return low, high


def agresti_coull(
    x: Array, n: Array, confidence: float, alternative: Alternative = "two-sided"
) -> tuple[Array, Array]:
    """Wald's interval after adding z^2 / 2 errors and z^2 / 2 successes."""
    z = z_quantile(confidence, alternative)
    return wald(x + z**2 / 2, n + z**2, confidence, alternative)


def jeffreys(
    x: Array, n: Array, confidence: float, alternative: Alternative = "two-sided"
) -> tuple[Array, Array]:
    """Equal-tailed quantiles of Beta(x + 1/2, n - x + 1/2)."""
    tail = tail_level(confidence, alternative)
    low = beta_quantile(x + 0.5, n - x + 0.5, tail)
    high = beta_quantile(x + 0.5, n - x + 0.5, tail, upper=True)
    if alternative == "less":
        low = np.zeros_like(low)
    elif alternative == "greater":
        high = np.ones_like(high)
    return low, high


def jeffreys_modified(
    x: Array, n: Array, confidence: float, alternative: Alternative = "two-sided"
) -> tuple[Array, Array]:
    """Jeffreys' interval that reaches 0 at x = 0 and 1 at x = n (Brown, Cai & DasGupta)."""
    low, high = jeffreys(x, n, confidence, alternative)
    return np.where(x == 0, 0.0, low), np.where(x == n, 1.0, high)


METHODS = {
    "exact": clopper_pearson,
    "wald": wald,
    "wilson": wilson,
    "agresti-coull": agresti_coull,
    "jeffreys": jeffreys_modified,
    "jeffreys-equal-tailed": jeffreys,
}


@check_arguments
def proportion_interval(
    errors: ArrayLike,
    n: ArrayLike,
    *,
    method: IntervalMethod = "wilson",
    clip: bool = True,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> ProportionInterval:
    """Confidence interval of an error rate.

    When to use: one classifier, one test set. "wilson" for most work, "exact" where coverage
    must never fall below the level, "jeffreys" for a Bayesian reading; "wald" only to repeat
    older work, since its width is 0 at errors = 0 and errors = n. Assumes independent errors.
    Does not answer how the rate varies over training sets or networks.

    Parameters
    ----------
    errors, n : int or array_like
        Number of errors and number of test cases; arrays are broadcast.
    method : str
        "exact" (Clopper & Pearson 1934), "wald", "wilson" (1927), "agresti-coull" (1998, with
        z^2 rather than 4 added cases), "jeffreys" (ends moved to 0 at errors = 0 and to 1 at
        errors = n; Brown, Cai & DasGupta 2001) or "jeffreys-equal-tailed" (ends not moved, as
        in statsmodels).
    clip : bool, default True
        Cut the ends to [0, 1]; only "wald" and "agresti-coull" can leave it.
    alternative : {"two-sided", "less", "greater"}
        "less" gives an upper bound only, "greater" a lower bound only.
    confidence : float
        The level.

    Raises
    ------
    InputError
        For counts that are not whole, n < 1, errors > n, or an unknown method.

    References
    ----------
    Clopper and Pearson (1934), Biometrika 26, 404-413. Wilson (1927), J. American Statistical
    Association 22, 209-212. Agresti and Coull (1998), The American Statistician 52, 119-126.
    Brown, Cai and DasGupta (2001), Statistical Science 16, 101-133.

    Examples
    --------
    >>> result = proportion_interval(12, 40)
    >>> round(result.ci_low, 4), round(result.ci_high, 4)
    (0.1807, 0.4543)
    >>> raw = proportion_interval([0, 1], 40, method="wald", clip=False)
    >>> raw.ci_low.round(4).tolist()
    [0.0, -0.0234]
    """
    check_confidence(confidence)
    x, size = check_counts(errors, n)
    low, high = METHODS[method](x, size, confidence, alternative)
    leaves = (low < 0) | (high > 1)
    notes: tuple[str, ...] = ()
    if clip:
        low, high = np.maximum(low, 0.0), np.minimum(high, 1.0)
        notes += count_note(leaves, "the interval left [0, 1] and was cut")
    if method == "wald":
        notes += count_note((x == 0) | (x == size), "Wald's interval has width 0 here")
    details: dict[str, Any] = {"within_unit": to_python(~leaves)}
    if method in ("wilson", "agresti-coull"):
        z2 = z_quantile(confidence, alternative) ** 2
        details["center"] = to_python((x + z2 / 2) / (size + z2))
    return ProportionInterval(
        method=method,
        estimate=to_python(x / size),
        ci_low=to_python(low),
        ci_high=to_python(high),
        confidence=confidence,
        alternative=alternative,
        details=details,
        notes=notes,
    )
