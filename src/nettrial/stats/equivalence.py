"""Equivalence and non-inferiority from the result of any test by estimate and standard error."""

from __future__ import annotations

import dataclasses
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ..numeric.checks import scalar, to_floats
from ._arrays import Array, count_note, to_python
from .result import TestResult, check_confidence

NO_SPREAD = "no variation, and so no standard error to set the margin against: no p-value (nan)"


@check_arguments
def equivalence_test(
    result: TestResult, *, margin: float | tuple[float, float], confidence: float = 0.95
) -> TestResult:
    r"""Test whether a difference lies within a margin, by two one-sided tests (TOST).

    When to use: to show that two models are as good as equal, which a large p-value of the test
    of a difference does not; the margin must be chosen beforehand, by what matters in use. It
    takes over what the given test assumes, and its question (these splits, or other networks).
    It does not say that the difference is zero.

    Parameters
    ----------
    result : TestResult
        Of any test whose p-value comes from (estimate - null) / standard error and t or the
        normal distribution: paired, pooled and Welch's t, the corrected resampled t, cluster
        tests, DeLong's, two proportions; not of tests by ranks or signs.
    margin : float or (float, float)
        Half width of the region of equivalence about the null value, or its two ends.
    confidence : float
        1 - the level of the test, above 0.5.

    Returns
    -------
    TestResult
        With ends :math:`\ell < u`, :math:`t_\ell = (d - \ell)/s` and :math:`t_u = (d - u)/s`,
        the p-value is the larger of :math:`P(T \ge t_\ell)` and :math:`P(T \le t_u)`, and
        `statistic` the t that it belongs to. `ci_low` and `ci_high` are the ends of the
        one-sided intervals of level `confidence`, together an interval of level
        2 confidence - 1, which lies inside the margin exactly where p < 1 - confidence; that
        level is the result's `confidence`, and `details["level"]` that of the test. `details`
        hold both p-values, the margin and the p-value of the difference. Without variation p is
        NaN and the result degenerate.

    Raises
    ------
    InputError
        For a margin that is not positive, or the result of another kind of test.

    References
    ----------
    Schuirmann (1987), J. Pharmacokinetics and Biopharmaceutics 15, 657-680. Lakens (2017),
    Social Psychological and Personality Science 8, 355-362.

    Examples
    --------
    >>> from nettrial.stats import paired_t_test
    >>> a, b = [0.21, 0.19, 0.25, 0.22, 0.20], [0.20, 0.20, 0.24, 0.22, 0.21]
    >>> result = equivalence_test(paired_t_test(a, b), margin=0.02)
    >>> round(result.pvalue, 4), round(result.ci_high, 4)
    (0.0055, 0.0095)
    """
    low, high = margin_ends(margin)
    null, error, flat = _reference(result)
    level = above_half(confidence)
    estimate = np.asarray(result.estimate)
    with np.errstate(invalid="ignore", divide="ignore"):
        above = (estimate - null - low) / error
        below = (estimate - null - high) / error
    p_above, p_below = _upper_tail(above, result.df), _upper_tail(-below, result.df)
    half = _quantile(level, result.df) * error
    return dataclasses.replace(
        result,
        method=f"two one-sided tests of equivalence ({result.method})",
        question=f"Does the difference lie within {low:g} to {high:g}? {result.question}",
        statistic=to_python(np.where(p_above >= p_below, above, below)),
        pvalue=to_python(np.maximum(p_above, p_below)),
        ci_low=to_python(estimate - half),
        ci_high=to_python(estimate + half),
        confidence=both_sides(level),
        alternative="two-sided",
        degenerate=to_python(flat),
        details=_details(
            result,
            margin_low=low,
            margin_high=high,
            level=1 - level,
            p_above=to_python(p_above),
            p_below=to_python(p_below),
        ),
        notes=result.notes + count_note(flat, NO_SPREAD),
    )


@check_arguments
def noninferiority_test(
    result: TestResult,
    *,
    margin: float,
    higher_is_better: bool = False,
    confidence: float = 0.95,
) -> TestResult:
    """Test whether A is not worse than B by as much as a margin.

    When to use: to show that a cheaper or simpler model A gives up less than the margin, which
    must be chosen beforehand. It takes over what the given test assumes, and its question. It
    does not say that A is better than B, nor that they are equal.

    Parameters
    ----------
    result : TestResult
        As for `equivalence_test`.
    margin : float
        The loss that would still be acceptable, positive.
    higher_is_better : bool
        True for accuracies and AUCs; errors by default.
    confidence : float
        1 - the level of the test, and the level of the one-sided interval.

    Returns
    -------
    TestResult
        Of the null hypothesis that A is worse by the margin or more: for errors
        t = (d - margin) / s and its lower tail, with the interval from -inf; for accuracies
        t = (d + margin) / s and its upper tail. Without variation p is NaN and the result
        degenerate.

    Raises
    ------
    InputError
        For a margin that is not positive, or the result of another kind of test.

    References
    ----------
    Piaggio et al. (2012), Journal of the American Medical Association 308, 2594-2604.

    Examples
    --------
    >>> from nettrial.stats import paired_t_test
    >>> a, b = [0.21, 0.19, 0.25, 0.22, 0.20], [0.20, 0.20, 0.24, 0.22, 0.21]
    >>> round(noninferiority_test(paired_t_test(a, b), margin=0.01).pvalue, 4)
    0.0445
    """
    limit = _positive("margin", margin)
    null, error, flat = _reference(result)
    level = check_confidence(confidence)
    estimate = np.asarray(result.estimate)
    with np.errstate(invalid="ignore", divide="ignore"):
        t = (estimate - null + (limit if higher_is_better else -limit)) / error
    half = _quantile(level, result.df) * error
    none = np.full(estimate.shape, np.inf)
    return dataclasses.replace(
        result,
        method=f"test of non-inferiority ({result.method})",
        question=f"Is A not worse than B by {limit:g} or more? {result.question}",
        statistic=to_python(t),
        pvalue=to_python(_upper_tail(t if higher_is_better else -t, result.df)),
        ci_low=to_python(estimate - half if higher_is_better else -none),
        ci_high=to_python(none if higher_is_better else estimate + half),
        confidence=level,
        alternative="greater" if higher_is_better else "less",
        degenerate=to_python(flat),
        details=_details(result, margin=limit, higher_is_better=higher_is_better),
        notes=result.notes + count_note(flat, NO_SPREAD),
    )


def _positive(name: str, value: Any) -> float:
    number = scalar(name, value)
    if not 0 < number < np.inf:
        raise InputError(parameter=name, expected="a positive number", got=shown(value))
    return number


def above_half(confidence: float) -> float:
    """Return the level of each of two one-sided intervals, which must leave something between."""
    level = check_confidence(confidence)
    if level <= 0.5:
        raise InputError(
            parameter="confidence", expected="a proportion above 0.5", got=shown(confidence)
        )
    return level


def both_sides(level: float) -> float:
    """Return the level of the interval between the ends of two one-sided ones.

    Examples
    --------
    >>> both_sides(0.95)
    0.9
    """
    return round(2 * level - 1, 12)


def margin_ends(margin: Any) -> tuple[float, float]:
    """Return both ends of a margin that is given as half its width or as ends."""
    ends = to_floats("margin", margin)
    if ends.ndim == 0:
        half = _positive("margin", margin)
        return -half, half
    if ends.shape != (2,) or not ends[0] < ends[1]:
        raise InputError(
            parameter="margin", expected="one positive number or two ends", got=shown(margin)
        )
    return float(ends[0]), float(ends[1])


def _upper_tail(t: Array, df: Any) -> Array:
    tail = special.ndtr(-t) if df is None else special.stdtr(df, -t)
    return np.asarray(tail, dtype=np.float64)


def _quantile(level: float, df: Any) -> Array:
    point = special.ndtri(level) if df is None else special.stdtrit(df, level)
    return np.asarray(point, dtype=np.float64)


def _reference(result: TestResult) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Return the null value, the standard error (NaN for none) and where there is none."""
    given = result.details.get("null_value", 0.0)
    null = np.asarray(given, dtype=np.float64)
    flat = np.asarray(result.degenerate) | np.isnan(result.pvalue)
    error = np.where(flat, np.nan, result.standard_error).astype(np.float64)
    fits = not isinstance(result.df, tuple)
    if fits:
        with np.errstate(invalid="ignore", divide="ignore"):
            t = (np.asarray(result.estimate) - null) / error
        upper, lower = _upper_tail(t, result.df), _upper_tail(-t, result.df)
        both = np.minimum(1.0, 2 * np.minimum(upper, lower))
        p = {"greater": upper, "less": lower}.get(result.alternative, both)
        fits = np.allclose(np.where(flat, np.nan, result.pvalue), p, rtol=1e-6, equal_nan=True)
        fits = fits and _interval_fits(result, error)
    if not fits:
        raise InputError(
            parameter="result",
            expected="a test by (estimate - null) / standard error against t or the normal "
            "distribution",
            got=shown(result.method),
            hint="use a t test, two_proportion_test, delong_test or a cluster test",
        )
    return null, error, flat


def _interval_fits(result: TestResult, error: Array) -> bool:
    """Return whether the ends, unless infinite or cut to [-1, 1], use the same standard error."""
    one_sided = result.alternative != "two-sided"
    level = result.confidence if one_sided else (1 + result.confidence) / 2
    half = _quantile(level, result.df) * error
    ends = [(result.ci_low, result.estimate - half), (result.ci_high, result.estimate + half)]
    return all(
        np.all(np.isclose(end, wanted, rtol=1e-6) | ~np.isfinite(wanted) | (np.abs(end) >= 1))
        for end, wanted in ends
    )


def _details(result: TestResult, **more: Any) -> MappingProxyType[str, Any]:
    return MappingProxyType({**result.details, **more, "p_difference": result.pvalue})
