"""Random-effects estimate of one difference over several data sets with standard errors."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..numeric.centering import from_origin
from ..numeric.checks import axis_of, to_floats
from ..numeric.input_alignment import refuse_other_index
from ._arrays import interval, sequence, t_pvalue, t_quantile, to_python
from .omnibus import MOST, Floats
from .result import Alternative, TestResult, check_confidence


@check_arguments
def random_effects(
    estimates: ArrayLike,
    standard_errors: ArrayLike,
    *,
    axis: int = -1,
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
    estimates : array_like, shape (..., N)
        A minus B on each data set, along `axis`.
    standard_errors : array_like, shape (..., N)
        Their standard errors, positive.
    axis : int, default -1
        The axis that holds the data sets; the others are separate trials.
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
    confidence = check_confidence(confidence)
    refuse_other_index(estimates=estimates, standard_errors=standard_errors)
    d, s = to_floats("estimates", estimates), to_floats("standard_errors", standard_errors)
    paired = d.ndim > 0 and d.shape == s.shape
    if not paired or d.shape[axis_of("estimates", d, axis)] < 2:
        raise InputError(
            parameter=("estimates", "standard_errors"),
            expected="one of each for at least two data sets",
            got=f"shapes {d.shape} and {s.shape}",
        )
    wrong = ~(np.isfinite(d) & np.isfinite(s) & (s > 0))
    if wrong.any():
        raise InputError(
            parameter=("estimates", "standard_errors"),
            expected="finite estimates and finite, positive errors",
            got=f"others in {int(wrong.sum())} of {d.size} places",
            hint="leave out these data sets",
        )
    for name, array in (("estimates", d), ("standard_errors", s)):
        largest = float(np.abs(array).max(initial=0.0))
        if largest >= MOST:
            raise InputError(
                parameter=name,
                expected=f"sizes below {MOST:g}",
                got=f"{largest:.3g}, whose fourth power cannot be represented",
                hint="choose other units",
            )
    if s.min(initial=1.0) <= 1 / MOST:
        raise InputError(
            parameter="standard_errors",
            expected=f"numbers above {1 / MOST:g}",
            got=f"{s.min():.3g}, whose fourth power cannot be represented",
            hint="choose other units",
        )
    d, s = np.moveaxis(d, axis, -1), np.moveaxis(s, axis, -1)
    n = d.shape[-1]
    origin, (d,) = from_origin(d)
    fixed = _about_mean(d, s, np.zeros(d.shape[:-1]))[2]
    tau2 = _paule_mandel(d, s)
    w, _, spread = _about_mean(d, s, tau2)
    total = w.sum(axis=-1)
    mean = origin[..., 0] + (w * d).sum(axis=-1) / total
    se = np.sqrt(np.maximum(spread / (n - 1), 1.0) / total)
    nu, t = n - 1, mean / se
    low, high = interval(
        mean, t_quantile(nu, confidence, alternative) * se, alternative, -np.inf, np.inf
    )
    wide = np.full(mean.shape, np.nan)
    if n > 2:
        wide = t_quantile(nu - 1, confidence, "two-sided") * np.sqrt(tau2 + se**2)
    notes = (f"{n} data sets are too few to estimate how differences vary between them; add some",)
    return TestResult(
        method="random-effects mean (Paule-Mandel, Hartung-Knapp)",
        question="is the mean difference over such data sets 0?",
        estimate=to_python(mean),
        standard_error=to_python(se),
        statistic=to_python(t),
        df=float(nu),
        pvalue=to_python(t_pvalue(t, nu, alternative)),
        ci_low=to_python(low),
        ci_high=to_python(high),
        confidence=confidence,
        alternative=alternative,
        degenerate=to_python(np.zeros(mean.shape, dtype=np.bool_)),
        details=MappingProxyType(
            {
                "n_data_sets": n,
                "tau": to_python(np.sqrt(tau2)),
                "weights": sequence(w / total[..., np.newaxis]),
                "i_squared": to_python(1 - nu / np.maximum(fixed, nu)),
                "heterogeneity_statistic": to_python(fixed),
                "heterogeneity_pvalue": to_python(special.chdtrc(nu, fixed)),
                "prediction_low": to_python(mean - wide),
                "prediction_high": to_python(mean + wide),
            }
        ),
        notes=notes if n < 5 else (),
    )


def _about_mean(d: Floats, s: Floats, tau2: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the weights, the residuals about their mean, and the weighted sum of squares."""
    w = 1 / (s**2 + tau2[..., np.newaxis])
    mean = (w * d).sum(axis=-1, keepdims=True) / w.sum(axis=-1, keepdims=True)
    return w, d - mean, (w * (d - mean) ** 2).sum(axis=-1)


def _paule_mandel(d: Floats, s: Floats) -> Floats:
    """Solve for tau squared by Newton's steps from 0.

    The sum of squares falls and is convex in tau squared, so that every step ends at or before
    the root (DerSimonian and Kacker 2007, Contemporary Clinical Trials 28, 105-114).
    """
    tau2 = np.zeros(d.shape[:-1])
    for _ in range(200):
        w, residuals, spread = _about_mean(d, s, tau2)
        slope = ((w * residuals) ** 2).sum(axis=-1)  # downwards
        excess = spread - (d.shape[-1] - 1)
        step = np.divide(excess, slope, out=np.zeros_like(tau2), where=excess > 0)
        if (step <= 1e-15 * tau2).all():
            break
        tau2 = tau2 + step
    return tau2
