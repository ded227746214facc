"""The effect that a t-test of a given size can find, and the level that it then needs."""

from __future__ import annotations

from collections.abc import Callable

from scipy import optimize

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ._power import LEAST_LEVEL, Power, proportion
from .power import Design, t_power
from .result import Alternative

LARGEST_EFFECT = 1e6


@check_arguments
def t_effect_size(
    n: int,
    *,
    power: float = 0.8,
    n_b: int | None = None,
    design: Design = "paired",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
) -> Power:
    """Find the smallest effect that a t-test of `n` values finds with the power wanted.

    Use it where the number of test sets is given: a difference below the result cannot be
    expected to be found. Assumptions, formula, source, parameters, errors and what it does not
    answer are those of `t_power`, and:

    Parameters
    ----------
    power : float
        The power wanted, above `alpha`.

    Returns
    -------
    Power
        `details` has the effect size, negative for "less".

    References
    ----------
    Cohen (1988), Statistical Power Analysis for the Behavioral Sciences, chapter 2.

    Examples
    --------
    >>> found = t_effect_size(64, design="two-sample")
    >>> round(found.details["effect_size"], 4)
    0.4991
    """
    sign = -1.0 if alternative == "less" else 1.0

    def compute(size: float) -> Power:
        return t_power(sign * size, n, n_b=n_b, design=design, alternative=alternative, alpha=alpha)

    least = compute(0.0).power
    if not least < proportion("power", power, inside=True):
        raise InputError(
            f"power: expected more than alpha, {least:g}, which no effect at all reaches, got "
            f"{shown(power)}"
        )
    high = 1.0
    while compute(high).power < power:
        if high > LARGEST_EFFECT:
            raise InputError(
                parameter="power",
                expected=f"one that an effect up to {LARGEST_EFFECT:g} has",
                got=f"{shown(power)} at alpha = {alpha:g}",
                hint="use a larger alpha or n",
            )
        high *= 2
    return compute(_root(lambda size: compute(size).power - power, 0.0, high))


@check_arguments
def t_alpha(
    effect_size: float,
    n: int,
    *,
    power: float = 0.8,
    n_b: int | None = None,
    design: Design = "paired",
    alternative: Alternative = "two-sided",
) -> Power:
    """Find the level at which a t-test has the power wanted.

    Use it to see what an honest level would be for the data at hand. Assumptions, formula,
    source, parameters, errors and what it does not answer are those of `t_power`.

    References
    ----------
    Cohen (1988), Statistical Power Analysis for the Behavioral Sciences, chapter 2.

    Examples
    --------
    >>> round(t_alpha(0.5, 20, power=0.9).alpha, 3)
    0.351
    """
    proportion("power", power, inside=True)

    def compute(alpha: float) -> Power:
        return t_power(effect_size, n, n_b=n_b, design=design, alternative=alternative, alpha=alpha)

    low, high = LEAST_LEVEL, 1 - LEAST_LEVEL
    if not compute(low).power < power < compute(high).power:
        raise InputError(
            f"power: expected one that a level from {low:g} to {high:g} has, got {shown(power)}; "
            "the effect is too large, too small or in the other direction"
        )
    return compute(_root(lambda alpha: compute(alpha).power - power, low, high))


def _root(gap: Callable[[float], float], low: float, high: float) -> float:
    return float(optimize.brentq(gap, low, high, xtol=1e-14, rtol=1e-12))
