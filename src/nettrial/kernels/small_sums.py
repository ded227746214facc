"""Sums and products over the lines of a node's neighbors, on small graphs.

Arrays come as pointers; `places` holds where the line of each neighbor begins, before `base`.
"""

from __future__ import annotations

from numba import njit

from .lanes import add, exponent, fma, load, mantissa, mul, splat, whole
from .neighbor_sums import INSIDE, F


@njit(**INSIDE)
def plain_sum(state, base, places, at, stop):
    """Add up the lines of neighbors."""
    # two sums side by side: an addition takes several steps, the next must not wait for it
    even, odd = splat(F(0)), splat(F(0))
    if (stop - at) % 2:
        odd = load(state, base + whole(places, at))
        at += 1
    while at < stop:
        even = add(even, load(state, base + whole(places, at)))
        odd = add(odd, load(state, base + whole(places, at + 1)))
        at += 2
    return add(even, odd)


@njit(**INSIDE)
def weighted_sum(state, base, places, weights, at, stop):
    """Add up the lines of neighbors, times the weights of the links."""
    total = splat(F(0))
    while at < stop:
        total = fma(load(state, base + whole(places, at)), splat(weights[at]), total)
        at += 1
    return total


@njit(**INSIDE)
def product(state, base, places, at, stop, found):
    """Multiply by the lines of neighbors."""
    # pairs first: the four factors depend on `found` only once
    while at + 4 <= stop:
        first = load(state, base + whole(places, at))
        second = load(state, base + whole(places, at + 1))
        third = load(state, base + whole(places, at + 2))
        fourth = load(state, base + whole(places, at + 3))
        found = mul(found, mul(mul(first, second), mul(third, fourth)))
        at += 4
    while at < stop:
        found = mul(found, load(state, base + whole(places, at)))
        at += 1
    return found


@njit(**INSIDE)
def long_product(state, base, places, at, stop, chunk, found):
    """Multiply by the lines of many neighbors; return the mantissa and the exponent."""
    power = splat(F(0))
    while at < stop:
        found = product(state, base, places, at, min(at + chunk, stop), found)
        power = add(power, exponent(found))
        found = mantissa(found)
        at += chunk
    return found, power
