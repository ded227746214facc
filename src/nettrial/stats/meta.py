"""Random-effects estimate of one difference over several data sets with standard errors."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, special

from ..errors import InputError
from .omnibus import Floats
from .result import Alternative, TestResult, check_alternative, check_confidence


def random_effects(
    estimates: ArrayLike,
    standard_errors: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> TestResult:
    r"""Hierarchical (random-effects) mean of a difference that was estimated on several data sets.

    When to use it: one difference, with a standard error, from each of several independent
    networks of one kind, and the question what it is on such networks on average. It assumes
    that true differences vary about their mean normally, with standard deviation tau, and that
    the data sets stand for those of interest. With fewer than five data sets tau is hardly known.
    It does *not* say that the difference has one sign everywhere: see the prediction interval.

    Parameters
    ----------
    estimates : array_like, shape (N,)
        A minus B on each data set; one family of data sets a call.
    standard_errors : array_like, shape (N,)
        Their standard errors, positive.
    alternative : {"two-sided", "less", "greater"}
        "greater": the mean is above 0.
    confidence : float
        Level of the intervals.

    Returns
    -------
    TestResult
        With weights :math:`w_i = 1/(s_i^2 + \tau^2)`, tau by Paule and Mandel's equation
        :math:`\sum w_i (d_i - \mu)^2 = N - 1` (0 where its left side is smaller at 0), and
        :math:`\mu = \sum w_i d_i / \sum w_i`. The standard error is that of Hartung and Knapp,
        :math:`\sqrt{\sum w_i (d_i - \mu)^2 / ((N - 1) \sum w_i)}`, not taken smaller than
        :math:`1/\sqrt{\sum w_i}`, with t of N - 1 degrees of freedom. ``details`` has `tau`,
        `weights`, `i_squared`, Cochran's `heterogeneity_statistic` and `heterogeneity_pvalue`,
        and the prediction interval for the difference on one further data set,
        :math:`\mu \pm t_{N-2} \sqrt{\tau^2 + se^2}` (NaN for N = 2).

    Raises
    ------
    InputError
        For fewer than two data sets, values that are not finite or errors that are not positive.

    References
    ----------
    Paule and Mandel (1982), J. Research National Bureau of Standards 87, 377-385. Hartung and
    Knapp (2001), Statistics in Medicine 20, 3875-3889. Higgins, Thompson and Spiegelhalter
    (2009), J. R. Statist. Soc. A 172, 137-159, for the prediction interval.

    Examples
    --------
    >>> found = random_effects([0.02, 0.05, 0.01, 0.04], [0.01, 0.02, 0.01, 0.02])
    >>> round(found.estimate, 4), round(found.pvalue, 4), round(found.details["tau"], 4)
    (0.0234, 0.0667, 0.0096)
    """
    alternative, confidence = check_alternative(alternative), check_confidence(confidence)
    d, s = np.asarray(estimates, dtype=float), np.asarray(standard_errors, dtype=float)
    if d.ndim != 1 or d.shape != s.shape or d.size < 2:
        raise InputError(
            f"received shapes {d.shape} of estimates and {s.shape} of standard errors; needed is "
            "one of each for at least two data sets"
        )
    if not (np.isfinite(d).all() and np.isfinite(s).all() and (s > 0).all()):
        raise InputError("estimates and standard_errors: needed are finite, positive errors")
    fixed = _spread(d, s, 0.0)
    tau2 = _paule_mandel(d, s)
    w = 1 / (s**2 + tau2)
    mean = float(w @ d / w.sum())
    se = float(np.sqrt(max(_spread(d, s, tau2) / (d.size - 1), 1.0) / w.sum()))
    nu, t = d.size - 1, mean / se
    tails = {
        "two-sided": 2 * special.stdtr(nu, -abs(t)),
        "less": special.stdtr(nu, t),
        "greater": special.stdtr(nu, -t),
    }
    level = (1 + confidence) / 2 if alternative == "two-sided" else confidence
    half = float(special.stdtrit(nu, level)) * se
    wide = np.nan
    if d.size > 2:
        wide = float(special.stdtrit(nu - 1, (1 + confidence) / 2)) * np.sqrt(tau2 + se**2)
    notes = (f"{d.size} data sets say little of how differences vary between them",)
    return TestResult(
        method="random-effects mean (Paule-Mandel, Hartung-Knapp)",
        question="is the mean difference over such data sets 0?",
        estimate=mean,
        standard_error=se,
        statistic=t,
        df=float(nu),
        pvalue=float(tails[alternative]),
        ci_low=-np.inf if alternative == "less" else mean - half,
        ci_high=np.inf if alternative == "greater" else mean + half,
        confidence=confidence,
        alternative=alternative,
        details=MappingProxyType(
            {
                "n_data_sets": d.size,
                "tau": float(np.sqrt(tau2)),
                "weights": w / w.sum(),
                "i_squared": max(0.0, 1 - (d.size - 1) / fixed) if fixed > 0 else 0.0,
                "heterogeneity_statistic": fixed,
                "heterogeneity_pvalue": float(special.chdtrc(nu, fixed)),
                "prediction_low": mean - wide,
                "prediction_high": mean + wide,
            }
        ),
        notes=notes if d.size < 5 else (),
    )


def _spread(d: Floats, s: Floats, tau2: float) -> float:
    w = 1 / (s**2 + tau2)
    return float(w @ (d - w @ d / w.sum()) ** 2)


def _paule_mandel(d: Floats, s: Floats) -> float:
    wanted = d.size - 1
    if _spread(d, s, 0.0) <= wanted:
        return 0.0
    # at tau2 = sum of squares the left side is below N - 1
    high = float(((d - d.mean()) ** 2).sum())
    return float(optimize.brentq(lambda x: _spread(d, s, x) - wanted, 0.0, high, xtol=1e-16))
