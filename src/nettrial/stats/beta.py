"""What is known about an error rate after some tests, starting from a Beta prior."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ..core.results import Result
from ..numeric.input_alignment import refuse_other_index
from ._arrays import Array, as_integer_array, broadcast, count_note, floats, to_python, within
from ._binomial import beta_quantile
from .result import Number, check_confidence


@dataclass(frozen=True, slots=True)
class BetaPosterior(Result):
    """Posterior Beta(a, b) of an error rate.

    Attributes
    ----------
    a, b : float or ndarray
        Parameters of the posterior.
    mean, variance : float or ndarray
        Its moments.
    map : float or ndarray
        Its mode; NaN for a flat density and for two modes.
    ci_low, ci_high : float or ndarray
        Equal-tailed credible interval.
    hdi_low, hdi_high : float or ndarray
        Highest-density interval; NaN where no single interval has the highest density.
    prob_below, prob_above : float or ndarray
        Posterior probability that the error rate is below or above `null_value`.
    null_value, confidence, prior : float or ndarray, float, tuple of two floats
        As given.
    notes : tuple of str
        Why a value is missing.
    """

    a: Number
    b: Number
    mean: Number
    variance: Number
    map: Number
    ci_low: Number
    ci_high: Number
    hdi_low: Number
    hdi_high: Number
    prob_below: Number
    prob_above: Number
    null_value: Number
    confidence: float
    prior: tuple[float, float]
    notes: tuple[str, ...] = ()


def mode(a: Array, b: Array) -> Array:
    """Mode of Beta(a, b): inside, at an end, or NaN (flat, or one at each end)."""
    total = np.where(a + b > 2, a + b - 2, 1.0)
    return np.select(_peaks(a, b), [(a - 1) / total, 0.0, 1.0], np.nan)


def _peaks(a: Array, b: Array) -> list[NDArray[np.bool_]]:
    """Return where Beta(a, b) is densest inside, at 0 alone, and at 1 alone."""
    flat = (a == 1) & (b == 1)
    return [(a > 1) & (b > 1), (a <= 1) & (b >= 1) & ~flat, (b <= 1) & (a >= 1) & ~flat]


def highest_density(a: Array, b: Array, level: float) -> tuple[Array, Array]:
    """Shortest interval of Beta(a, b) that holds probability `level`.

    Its ends have equal density. The lower tail u in (0, 1 - level) is found by bisection on
    the log density difference, which rises with u.
    """
    outside = 1 - level
    peaks = _peaks(a, b)
    inside = peaks[0]
    first, second = np.where(inside, a, 2.0), np.where(inside, b, 2.0)

    def ends(u: Array) -> tuple[Array, Array]:
        return (
            special.betaincinv(first, second, u),
            special.betainccinv(first, second, outside - u),
        )

    low, high = np.zeros(first.shape), np.full(first.shape, outside)
    for _ in range(64):
        middle = (low + high) / 2
        left, right = ends(middle)
        with np.errstate(divide="ignore"):
            rises = (first - 1) * np.log(left) + (second - 1) * np.log1p(-left) < (
                first - 1
            ) * np.log(right) + (second - 1) * np.log1p(-right)
        low, high = np.where(rises, middle, low), np.where(rises, high, middle)
    left, right = ends((low + high) / 2)
    return (
        np.select(peaks, [left, 0.0, special.betainccinv(a, b, level)], np.nan),
        np.select(peaks, [right, special.betaincinv(a, b, level), 1.0], np.nan),
    )


@check_arguments
def beta_posterior(
    errors: ArrayLike,
    n: ArrayLike,
    *,
    prior: tuple[float, float] = (1.0, 1.0),
    null_value: ArrayLike = 0.5,
    confidence: float = 0.95,
) -> BetaPosterior:
    """Posterior of an error rate after `errors` in `n` tests.

    Beta(prior_a + errors, prior_b + n - errors).

    When to use: one classifier, one test set, and the question how probable it is that the
    error rate lies below null_value. Assumes independent errors and a prior chosen before seeing
    the data: (1, 1) is uniform, (1/2, 1/2) is Jeffreys'. Does not answer how the rate varies
    over training sets or networks.

    Parameters
    ----------
    errors, n : int or array_like
        Number of errors and of test cases, n = 0 allowed; arrays are broadcast.
    prior : tuple of two positive floats
        Parameters of the prior.
    null_value : float or array_like
        Error rate to compare with, in [0, 1].
    confidence : float
        Probability inside the intervals.

    Raises
    ------
    InputError
        For impossible counts, a prior that is not positive, or null_value outside [0, 1].

    References
    ----------
    Gelman et al. (2013), Bayesian Data Analysis, 3rd edition, section 2.4.

    Examples
    --------
    >>> result = beta_posterior(12, 40, null_value=0.35)
    >>> round(result.mean, 4), round(result.map, 4), round(result.prob_below, 4)
    (0.3095, 0.3, 0.7238)
    """
    check_confidence(confidence)
    refuse_other_index(errors=errors, n=n, null_value=null_value)
    parameters = floats("prior", prior)
    if parameters.shape != (2,) or (parameters <= 0).any():
        raise InputError(parameter="prior", expected="two positive numbers", got=shown(prior))
    prior_a, prior_b = parameters.tolist()
    x, size, limit = broadcast(
        errors=as_integer_array("errors", errors),
        n=as_integer_array("n", n),
        null_value=within("null_value", null_value, 0, 1, open_ends=False),
    )
    if (x > size).any():
        raise InputError(
            parameter="errors", expected="at most n errors", got=f"{shown(errors)} of {shown(n)}"
        )
    a, b = prior_a + x, prior_b + size - x
    total = a + b
    tail = (1 - confidence) / 2
    hdi_low, hdi_high = highest_density(a, b, confidence)
    no_mode = np.isnan(mode(a, b))
    return BetaPosterior(
        a=to_python(a),
        b=to_python(b),
        mean=to_python(a / total),
        variance=to_python(a * b / (total**2 * (total + 1))),
        map=to_python(mode(a, b)),
        ci_low=to_python(beta_quantile(a, b, tail)),
        ci_high=to_python(beta_quantile(a, b, tail, upper=True)),
        hdi_low=to_python(hdi_low),
        hdi_high=to_python(hdi_high),
        prob_below=to_python(special.betainc(a, b, limit)),
        prob_above=to_python(special.betaincc(a, b, limit)),
        null_value=to_python(limit),
        confidence=confidence,
        prior=(prior_a, prior_b),
        notes=count_note(
            no_mode,
            "the posterior is flat or has a mode at each end: no single mode and no single "
            "interval of highest density",
        ),
    )
