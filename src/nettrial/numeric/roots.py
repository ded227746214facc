"""Where a function of one number is zero."""

from __future__ import annotations

from collections.abc import Callable

from ..core.errors import InputError, shown

ABSOLUTE, RELATIVE = 2e-12, 4 * 2.0**-52  # how near the root is
MOST_STEPS = 100


def root_between(function: Callable[[float], float], low: float, high: float) -> float:
    """Return a root of a continuous function that has another sign at each end of an interval.

    Brent's method: a secant or an inverse quadratic step where that shortens the interval enough,
    else its middle. It takes the same steps as ``scipy.optimize.brentq``, and so gives the same
    bits, without the import, which takes a quarter of a second.

    References
    ----------
    R. P. Brent (1973), Algorithms for minimization without derivatives, Prentice-Hall, ch. 4.

    Examples
    --------
    >>> root_between(lambda x: x * x - 2, 0.0, 2.0)
    1.4142135623731364
    """
    before, here = low, high  # the last two estimates; `other` is on the far side of the root
    f_before, f_here = function(before), function(here)
    if f_before == 0:
        return before
    if f_here == 0:
        return here
    if (f_before < 0) == (f_here < 0):
        raise InputError(
            expected=f"a change of sign between {shown(low)} and {shown(high)}",
            got=f"{shown(f_before)} and {shown(f_here)}",
            where="root_between",
        )
    other, f_other, last, step = before, 0.0, 0.0, 0.0
    for _ in range(MOST_STEPS):
        if f_before != 0 and f_here != 0 and (f_before < 0) != (f_here < 0):
            other, f_other = before, f_before
            last = step = here - before
        if abs(f_other) < abs(f_here):  # the better of both ends is where we are
            before, here, other = here, other, here
            f_before, f_here, f_other = f_here, f_other, f_here
        near = (ABSOLUTE + RELATIVE * abs(here)) / 2
        half = (other - here) / 2
        if f_here == 0 or abs(half) < near:
            return here
        if abs(last) > near and abs(f_here) < abs(f_before):
            if before == other:
                tried = -f_here * (here - before) / (f_here - f_before)
            else:
                to_before = (f_before - f_here) / (before - here)
                to_other = (f_other - f_here) / (other - here)
                tried = (
                    -f_here
                    * (f_other * to_other - f_before * to_before)
                    / (to_other * to_before * (f_other - f_before))
                )
            good = 2 * abs(tried) < min(abs(last), 3 * abs(half) - near)
            last, step = (step, tried) if good else (half, half)
        else:
            last = step = half
        before, f_before = here, f_here
        here += step if abs(step) > near else (near if half > 0 else -near)
        f_here = function(here)
    return here
