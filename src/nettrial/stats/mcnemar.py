"""McNemar's test: two classifiers on one test set, compared where only one of them errs."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..core.option_names import option
from ..metrics._check import label_arrays
from ..numeric.checks import axis_of
from ._arrays import (
    Array,
    as_integer_array,
    as_result,
    count_note,
    interval,
    to_python,
    z_pvalue,
    z_quantile,
)
from ._binomial import at_least, at_most, clopper_pearson, half_pvalue
from .result import Alternative, TestResult, check_confidence

McNemarMethod: TypeAlias = Literal["exact", "midp", "corrected", "edwards", "uncorrected"]
MCNEMAR_METHODS: tuple[McNemarMethod, ...] = (
    "exact",
    "midp",
    "corrected",
    "edwards",
    "uncorrected",
)


def discordant_table(
    truth: ArrayLike, a: ArrayLike, b: ArrayLike, *, axis: int = -1
) -> NDArray[np.int64]:
    """Count how often both classifiers, one of them, or none is wrong.

    Parameters
    ----------
    truth, a, b : array_like, shape (..., n)
        True classes and both predictions, of any type that compares for equality.
    axis : int, default -1
        The axis that holds the cases.

    Returns
    -------
    ndarray of int, shape (..., 2, 2)
        [[both wrong, only a wrong], [only b wrong, both right]].

    Examples
    --------
    >>> discordant_table(["x", "y", "x", "y"], ["x", "y", "y", "x"], ["x", "x", "y", "y"]).tolist()
    [[1, 1], [1, 1]]
    """
    arrays = label_arrays({"truth": truth, "a": a, "b": b}, stacked=True)
    shapes = [array.shape for array in arrays]
    if len(set(shapes)) != 1:
        raise InputError(parameter=("truth", "a", "b"), expected="equal shapes", got=f"{shapes}")
    axis = axis_of("truth, a, b", arrays[0], axis)
    if arrays[0].shape[axis] == 0:
        raise InputError(parameter=("truth", "a", "b"), expected="at least one case", got="none")
    right_a, right_b = arrays[1] == arrays[0], arrays[2] == arrays[0]
    cells = [~right_a & ~right_b, ~right_a & right_b, right_a & ~right_b, right_a & right_b]
    counts = np.stack([cell.sum(axis=axis, dtype=np.int64) for cell in cells], axis=-1)
    return counts.reshape(*counts.shape[:-1], 2, 2)


@check_arguments
def mcnemar_test(
    table: ArrayLike,
    *,
    method: McNemarMethod = "exact",
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    """McNemar's test of two classifiers on one test set.

    With b cases that only the first gets wrong and c that only the second does, under equal
    error rates b is Binomial(b + c, 1/2).

    When to use: two classifiers, each trained once, on the same independent cases. Assumes
    independent cases; the errors of linked nodes are not, use a clustered test then. Does not
    answer which algorithm is better after training on other data, or on another network.

    Parameters
    ----------
    table : array_like, shape (..., 2, 2)
        [[both wrong, only a wrong], [only b wrong, both right]]. `mcnemar_test_predictions`
        counts it.
    method : str
        "exact" binomial test; "midp" (Fagerland, Lydersen & Laake 2013), less conservative;
        "corrected" chi-square (abs(b - c) - 1)^2 / (b + c), 0 at b = c as in R; "edwards", the
        same formula also at b = c, where it gives 1 / (b + c) (slides, statsmodels, mlxtend);
        "uncorrected" chi-square (b - c)^2 / (b + c).
    alternative : {"two-sided", "less", "greater"}
        "greater": a errs more often. One-sided chi-square tests use the signed root.
    confidence : float
        Level of the interval of the difference of error rates, Wald's after adding one case
        to each discordant cell (Bonett & Price 2012).

    Returns
    -------
    TestResult
        `estimate` is the error rate of a minus that of b. `details` hold the odds ratio b / c
        with its exact conditional interval. No discordant case: p = 1.

    Raises
    ------
    InputError
        For another shape, negative counts, or an empty table.

    References
    ----------
    McNemar (1947), Psychometrika 12, 153-157. Fagerland, Lydersen and Laake (2013), BMC
    Medical Research Methodology 13, 91, for the mid-p form.

    Examples
    --------
    >>> result = mcnemar_test([[794, 150], [86, 570]], method="corrected")
    >>> round(result.statistic, 2), round(result.estimate, 3)
    (16.82, 0.04)
    >>> mcnemar_test([[5, 0], [4, 91]]).pvalue, mcnemar_test([[5, 0], [0, 95]]).pvalue
    (0.125, 1.0)
    """
    check_confidence(confidence)
    counts = as_integer_array("table", table)
    if counts.shape[-2:] != (2, 2) or (counts.sum(axis=(-2, -1)) == 0).any():
        raise InputError(
            parameter="table",
            expected="tables of shape (..., 2, 2) with at least one case each",
            got=f"shape {counts.shape}",
        )
    total = counts.sum(axis=(-2, -1))
    b, c = counts[..., 0, 1], counts[..., 1, 0]
    n = b + c
    statistic, p = _mcnemar_tail(b, c, method, alternative)
    difference = (b - c) / total
    pb, pc = (b + 1) / (total + 2), (c + 1) / (total + 2)
    half = z_quantile(confidence, alternative) * np.sqrt(
        np.maximum(pb + pc - (pb - pc) ** 2, 0) / (total + 2)
    )
    low, high = interval(pb - pc, half, alternative, -1.0, 1.0)
    return as_result(
        method=f"McNemar's test ({method})",
        question=(
            "Do these two trained classifiers have different error rates on cases like these? "
            "It does not ask about other training data or other networks."
        ),
        estimate=difference,
        standard_error=np.sqrt(np.maximum(n - (b - c) ** 2 / total, 0)) / total,
        statistic=statistic,
        df=None if method in ("exact", "midp") else 1,
        pvalue=p,
        ends=(np.maximum(low, -1), np.minimum(high, 1)),
        confidence=confidence,
        alternative=alternative,
        degenerate=n == 0,
        details=_mcnemar_details(b, c, confidence),
        notes=count_note(
            n == 0,
            "the classifiers err on the same cases, so nothing speaks against equality (p = 1)",
        )
        + count_note(
            (n < 25) & (n > 0) & (method in ("corrected", "edwards", "uncorrected")),
            "fewer than 25 discordant cases: chi-square is a rough guide, use "
            f"{option('method', 'exact')} or {option('method', 'midp')}",
        ),
    )


@check_arguments
def mcnemar_test_predictions(
    truth: ArrayLike,
    a: ArrayLike,
    b: ArrayLike,
    *,
    axis: int = -1,
    method: McNemarMethod = "exact",
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    """McNemar's test from the true classes and two vectors of predictions.

    When to use, assumptions, what it does not answer: see `mcnemar_test`.

    Parameters
    ----------
    truth, a, b, axis
        As in `discordant_table`.
    method, alternative, confidence
        As in `mcnemar_test`.

    Returns
    -------
    TestResult
        As from `mcnemar_test`.

    Raises
    ------
    InputError
        For unequal shapes, no cases, missing values, or labels of different types ("0" and 0).

    References
    ----------
    McNemar (1947), Psychometrika 12, 153-157.

    Examples
    --------
    >>> mcnemar_test_predictions([0, 1, 1, 0], [0, 1, 1, 0], [1, 0, 0, 1]).pvalue
    0.125
    """
    return mcnemar_test(
        discordant_table(truth, a, b, axis=axis),
        method=method,
        alternative=alternative,
        confidence=confidence,
    )


def _mcnemar_tail(
    b: Array, c: Array, method: McNemarMethod, alternative: Alternative
) -> tuple[Array, Array]:
    """Return the statistic and p-value; without discordant cases p = 1, chi-square 0/0."""
    n = b + c
    if method == "exact":
        return b, half_pvalue(b, n, alternative)
    if method == "midp":
        half = (at_most(b, n, 0.5) - at_most(b - 1, n, 0.5)) / 2
        less, greater = at_most(b, n, 0.5) - half, at_least(b, n, 0.5) - half
        # at b = c this is 1 - P(X = b) / 2, as Fagerland, Lydersen & Laake define it
        both = np.where(b == c, 1 - half, 2 * np.minimum(less, greater))
        p = {"two-sided": both, "less": less, "greater": greater}[alternative]
        return b, np.where(n == 0, 1.0, p)
    excess = np.abs(b - c)
    if method == "corrected":
        excess = np.maximum(excess - 1, 0)
    elif method == "edwards":
        excess = np.abs(excess - 1)
    root = excess / np.sqrt(np.where(n == 0, 1, n))
    p = z_pvalue(np.sign(b - c) * root, alternative)
    if method == "edwards" and alternative == "two-sided":
        p = 2 * special.ndtr(-root)
    return np.where(n == 0, np.nan, root**2), np.where(n == 0, 1.0, p)


def _mcnemar_details(b: Array, c: Array, confidence: float) -> dict[str, Any]:
    n = b + c
    low, high = clopper_pearson(b, n, confidence)
    with np.errstate(divide="ignore", invalid="ignore"):
        odds = [to_python(value) for value in (b / c, low / (1 - low), high / (1 - high))]
        signed = to_python((b - c) / np.sqrt(n))
    return {
        "only_a_wrong": to_python(b),
        "only_b_wrong": to_python(c),
        "n_discordant": to_python(n),
        "signed_z": signed,
        "odds_ratio": odds[0],
        "odds_ratio_low": odds[1],
        "odds_ratio_high": odds[2],
    }
