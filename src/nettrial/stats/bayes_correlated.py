"""Bayesian comparison of two algorithms from correlated cross-validation results."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ..numeric.checks import scalar
from ._arrays import count_note, noise, pairs, t_quantile, to_python
from ._means import moments, ratio
from .result import Estimate, Number, check_confidence


@dataclass(frozen=True, slots=True)
class BayesianComparison(Estimate):
    """Posterior of the mean difference a - b: Student's t about `estimate`.

    Attributes
    ----------
    method, question : str
        What was computed, and what it answers.
    estimate : float or ndarray
        Mean difference, the center of the posterior.
    scale : float or ndarray
        Its scale.
    df : int
        Its degrees of freedom.
    prob_less, prob_rope, prob_greater : float or ndarray
        Probability that the mean difference is below -rope, within the region of practical
        equivalence, or above rope. For error rates "less" means that a is better.
    prob_negative, prob_positive : float or ndarray
        The same on both sides of 0.
    ci_low, ci_high : float or ndarray
        Highest-density (and equal-tailed) credible interval.
    confidence, rho, rope : float
        As given.
    effect : float or ndarray
        Mean difference in units of the standard deviation of the differences.
    degenerate : bool or ndarray
        True where the differences are constant and the posterior is one point.
    notes : tuple of str
        What the reader must know before using the probabilities.
    """

    method: str
    question: str
    estimate: Number
    scale: Number
    df: int
    prob_less: Number
    prob_rope: Number
    prob_greater: Number
    prob_negative: Number
    prob_positive: Number
    ci_low: Number
    ci_high: Number
    confidence: float
    rho: float
    rope: float
    effect: Number
    degenerate: bool | NDArray[np.bool_]
    notes: tuple[str, ...] = ()


@check_arguments
def bayesian_correlated_t_test(
    a: ArrayLike,
    b: ArrayLike = 0.0,
    *,
    rho: float,
    rope: float = 0.01,
    axis: int = -1,
    confidence: float = 0.95,
) -> BayesianComparison:
    """Probabilities that a is lower than, practically equal to, or higher than b.

    The posterior of the mean difference is Student's t with n - 1 degrees of freedom, center
    mean(d) and squared scale (1/n + rho / (1 - rho)) s_d^2 (Corani & Benavoli 2015, eq. 8).

    When to use: two algorithms on the same splits of one data set, when practical equivalence
    matters. Assumes equal correlation rho between any two splits; n_test / n (1/k for k folds)
    is the customary guess, and makes P(mean < 0) the one-sided p-value of
    `corrected_resampled_t_test`. Does not answer whether a beats b on other networks.

    Parameters
    ----------
    a, b : array_like, shape (..., n)
        Error rates of both algorithms, n >= 2 splits along `axis`; or differences as `a` and
        one number as `b`.
    rho : float
        Correlation of two splits, in [0, 1).
    rope : float, default 0.01
        Half width of the region of practical equivalence, at least 0.
    axis : int, default -1
        The axis that holds the splits.
    confidence : float
        Probability inside the credible interval.

    Raises
    ------
    InputError
        For fewer than two splits, rho outside [0, 1), or a negative rope.

    References
    ----------
    Corani and Benavoli (2015), Machine Learning 100, 285-304. Benavoli, Corani, Demšar and
    Zaffalon (2017), J. of Machine Learning Research 18(77), 1-36.

    Examples
    --------
    >>> result = bayesian_correlated_t_test([0.01, 0.02, -0.01, 0.03, 0.015], rho=0.2)
    >>> round(result.prob_less, 3), round(result.prob_rope, 3), round(result.prob_greater, 3)
    (0.041, 0.348, 0.611)
    """
    check_confidence(confidence)
    rho, rope = scalar("rho", rho), scalar("rope", rope)
    if not 0 <= rho < 1:
        raise InputError(parameter="rho", expected="numbers in [0, 1)", got=shown(rho))
    if not 0 <= rope < np.inf:
        raise InputError(parameter="rope", expected="finite numbers of at least 0", got=shown(rope))
    first, second = pairs(a, b, axis, least=2)
    n = first.shape[-1]
    df = n - 1
    rounding = noise(first, second)
    mean, sd = moments(first - second, rounding)
    scale = np.sqrt(1 / n + rho / (1 - rho)) * sd
    flat = scale <= rounding
    safe = np.where(flat, 1.0, scale)

    def below(x: float) -> NDArray[np.float64]:
        return np.where(flat, mean < x, special.stdtr(df, (x - mean) / safe))

    def above(x: float) -> NDArray[np.float64]:
        return np.where(flat, mean > x, special.stdtr(df, (mean - x) / safe))

    less, greater = below(-rope), above(rope)
    # the difference of two tails is taken on the side where both are small
    rope_right = above(-rope) - greater
    rope_left = below(rope) - less
    inside = np.where(flat, 1 - less - greater, np.where(mean < -rope, rope_right, rope_left))
    half = t_quantile(df, confidence, "two-sided") * scale
    return BayesianComparison(
        method="Bayesian correlated t test",
        question=(
            "How probable is it that the algorithms differ by more than the rope on this data "
            "set? It does not ask about other networks."
        ),
        estimate=to_python(mean),
        scale=to_python(scale),
        df=df,
        prob_less=to_python(less),
        prob_rope=to_python(inside),
        prob_greater=to_python(greater),
        prob_negative=to_python(below(0.0)),
        prob_positive=to_python(above(0.0)),
        ci_low=to_python(mean - half),
        ci_high=to_python(mean + half),
        confidence=confidence,
        rho=rho,
        rope=rope,
        effect=to_python(ratio(mean, sd, rounding)),
        degenerate=to_python(flat),
        notes=count_note(
            flat,
            "the differences are constant: the posterior is one point, and its certainty comes "
            "from the model, not from the data",
        ),
    )
