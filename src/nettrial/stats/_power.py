"""What every power computation shares: its result, its checks, the search for n."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from ..core.errors import InputError, shown
from ..core.results import Result
from ..numeric.checks import count, scalar
from .result import Alternative

LARGEST = 10_000_000
LEAST_LEVEL = 1e-12
# up to here the smallest of all sizes is looked for, beyond by bisection alone
LARGEST_WALK = 200_000
NEARLY_SMALLEST = "the power of a somewhat smaller n may be enough too"
SAW = (
    "power of a test on counts goes up and down from one n to the next: a slightly larger n can "
    "have slightly less"
)


@dataclass(frozen=True, slots=True)
class Power(Result):
    """The power of a test at a sample size.

    Attributes
    ----------
    test : str
        Which test.
    power : float
        Probability that p <= alpha under the alternative described in `details`.
    n : int
        Pairs, values, cases, or the size of the first sample.
    n_b : int or None
        Size of the second sample, if there is one.
    alpha : float
        The level of the test.
    alternative : {"two-sided", "less", "greater"}
        As for the test.
    details : mapping
        The effect that was assumed.
    notes : tuple of str
        What the reader must know.
    """

    test: str
    power: float
    n: int
    n_b: int | None
    alpha: float
    alternative: Alternative
    details: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    notes: tuple[str, ...] = ()


def proportion(what: str, value: float, *, inside: bool = False) -> float:
    number = scalar(what, value)
    if not (0 < number < 1 if inside else 0 <= number <= 1):
        raise InputError(parameter=what, expected="a number between 0 and 1", got=shown(value))
    return number


def level_of_test(alpha: float) -> float:
    """Return a level at which quantiles and tails keep digits that count."""
    number = scalar("alpha", alpha)
    if not LEAST_LEVEL <= number <= 1 - LEAST_LEVEL:
        raise InputError(
            parameter="alpha",
            expected=f"a number from {LEAST_LEVEL:g} to 1 - {LEAST_LEVEL:g}",
            got=shown(alpha),
        )
    return number


def size(what: str, value: int, least: int) -> int:
    number = count(what, value, least)
    if number > LARGEST:
        raise InputError(parameter=what, expected=f"at most {LARGEST}", got=shown(value))
    return number


def search(
    compute: Callable[[int], Power],
    target: float,
    least: int,
    swing: Callable[[int], float] | None = None,
) -> Power:
    """Find the smallest n with the power wanted.

    `swing` bounds by how much the power of a test on counts goes up and down around a curve that
    rises with n. None: the power itself rises with n.
    """
    proportion("power", target, inside=True)
    high = least
    while compute(high).power < target:
        high *= 2
        if high > LARGEST:
            raise InputError(
                parameter="power",
                expected=f"one that up to {LARGEST} observations reach",
                got=f"{target:g}, which is not reached",
                hint="the effect may be too small, zero or in the other direction: assume another, "
                "or ask for less power",
            )
    low = max(least - 1, high // 2)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if compute(middle).power >= target else (middle, high)
    best = compute(high)
    if swing is None:
        return best
    if high > LARGEST_WALK:
        note = f"found by bisection: up and down by {swing(high):.1g}, {NEARLY_SMALLEST}"
        return replace(best, notes=(*best.notes, note))
    # once the power lies this far below, that of no smaller n comes up to the target
    for n in range(high - 1, least - 1, -1):
        found = compute(n)
        if found.power >= target:
            best = found
        elif found.power < target - swing(n):
            break
    return best


def peak(variance: float) -> float:
    """Return the largest probability of one count with this variance, about; at most 1."""
    return 1.0 if variance <= 1 / (2 * math.pi) else 1 / math.sqrt(2 * math.pi * variance)
