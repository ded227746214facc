"""How a difference changes from network to network with something that is known of each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import optimize, special

from ..core.errors import InputError

FEWEST = 4  # networks, for a line and a variance about it


@dataclass(frozen=True, slots=True)
class Moderation:
    """A line through the differences of two models over networks, by a moderator.

    Attributes
    ----------
    first, second : str
        The models; differences are the first's measure minus the second's.
    slope, standard_error : float
        Change of the difference for one unit of the moderator.
    df : float
        Degrees of freedom, the number of networks less 2.
    pvalue, ci_low, ci_high : float
        Of the slope.
    intercept : float
        The difference where the moderator is 0.
    tau : float
        Standard deviation of true differences about the line.
    covariance : tuple of tuple of float
        Of intercept and slope.
    """

    first: str
    second: str
    slope: float
    standard_error: float
    df: float
    pvalue: float
    ci_low: float
    ci_high: float
    intercept: float
    tau: float
    covariance: tuple[tuple[float, ...], ...]


def meta_regression(
    names: tuple[str, str],
    estimates: np.typing.ArrayLike,
    standard_errors: np.typing.ArrayLike,
    moderator: np.typing.ArrayLike,
    confidence: float = 0.95,
) -> Moderation:
    r"""Fit a line through differences with known standard errors (random-effects meta-regression).

    Weights are :math:`w_i = 1/(s_i^2 + \tau^2)`, with tau by Paule and Mandel's equation
    :math:`\sum w_i e_i^2 = N - 2`, e the residuals (0 where the left side is smaller at 0). The
    covariance of the coefficients is :math:`(X'WX)^{-1}` times :math:`\sum w_i e_i^2 / (N - 2)`,
    taken no smaller than 1, with t of N - 2 degrees of freedom.

    References
    ----------
    Knapp and Hartung (2003), Statistics in Medicine 22, 2693-2710.

    Examples
    --------
    >>> found = meta_regression(("a", "b"), [0.1, 0.0, -0.1, -0.21], [0.02] * 4, [0, 1, 2, 3])
    >>> round(found.slope, 3), round(found.intercept, 3), found.tau
    (-0.103, 0.102, 0.0)
    """
    d, s, x = (np.asarray(v, dtype=np.float64) for v in (estimates, standard_errors, moderator))
    if d.size < FEWEST:
        raise InputError(
            parameter="moderator", expected=f"at least {FEWEST} networks", got=f"{d.size}"
        )
    if not np.isfinite(x).all() or np.ptp(x) == 0:
        raise InputError(
            parameter="moderator",
            expected="a number for each network, not all of them equal",
            got="some missing" if np.ptp(x) != 0 else f"{x[0]:g} on all",
        )
    design, df = np.column_stack([np.ones_like(x), x]), d.size - 2

    def fitted(tau2: float) -> tuple[np.typing.NDArray[np.float64], float]:
        root = 1 / np.sqrt(s**2 + tau2)
        solved = np.linalg.lstsq(design * root[:, np.newaxis], d * root, rcond=None)[0]
        coefficients = solved.astype(np.float64)
        return coefficients, float(((root * (d - design @ coefficients)) ** 2).sum())

    tau2 = 0.0
    if fitted(0.0)[1] > df:  # the sum of squares falls as tau rises
        top = float(np.ptp(d)) ** 2 * d.size + float(s.max()) ** 2
        tau2 = float(optimize.brentq(lambda t: fitted(t)[1] - df, 0.0, top, xtol=1e-16))
    (intercept, slope), spread = fitted(tau2)
    weighted = design / np.sqrt(s**2 + tau2)[:, np.newaxis]
    covariance = np.linalg.inv(weighted.T @ weighted) * max(1.0, spread / df)
    error = float(np.sqrt(covariance[1, 1]))
    half = float(special.stdtrit(df, (1 + confidence) / 2)) * error
    p = float(2 * special.stdtr(df, -abs(slope / error)))
    return Moderation(
        *names, float(slope), error, float(df), p, float(slope) - half, float(slope) + half,
        float(intercept), float(np.sqrt(tau2)), tuple(map(tuple, covariance.tolist())),
    )  # fmt: skip
