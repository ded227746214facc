"""Sixteen lanes at once: explicit vectors where the compiler takes them, else plain numba.

The environment variable ``NETTRIAL_PLAIN_KERNELS=1`` asks for plain numba.
"""

from __future__ import annotations

import os

import numpy as np
from numba import njit
from numpy.typing import NDArray


def _works() -> bool:
    try:
        from .lanes_vector import add, load, splat, store

        @njit
        def probe(a: NDArray[np.float32]) -> None:
            store(a, 0, add(load(a, 0), splat(np.float32(1))))

        numbers = np.arange(16, dtype=np.float32)
        probe(numbers)
    except Exception:  # noqa: BLE001 - whatever fails in another numba release, plain code works
        return False
    return bool(np.array_equal(numbers, np.arange(1, 17)))


__all__ = [
    "VECTORS",
    "add",
    "choose",
    "div",
    "equal",
    "exponent",
    "exponential",
    "fma",
    "larger",
    "load",
    "logarithm",
    "magnitude",
    "mantissa",
    "mul",
    "nearest",
    "power_of_two",
    "prefetch",
    "splat",
    "store",
    "sub",
    "where_greater",
    "whole",
]

VECTORS = os.environ.get("NETTRIAL_PLAIN_KERNELS", "") != "1" and _works()

if VECTORS:
    from .lanes_vector import (
        add,
        choose,
        div,
        equal,
        exponent,
        fma,
        larger,
        load,
        magnitude,
        mantissa,
        mul,
        nearest,
        power_of_two,
        prefetch,
        splat,
        store,
        sub,
        where_greater,
        whole,
    )  # fmt: skip
else:
    from .lanes_plain import (
        add,
        choose,
        div,
        equal,
        exponent,
        fma,
        larger,
        load,
        magnitude,
        mantissa,
        mul,
        nearest,
        power_of_two,
        prefetch,
        splat,
        store,
        sub,
        where_greater,
        whole,
    )  # fmt: skip

F = np.float32
LN2_HIGH, LN2_LOW = F(0.693359375), F(-2.12194440e-4)  # their sum is ln 2
LOG2_E = F(1.44269504)
# Chebyshev fits of (log(1 + x) - x + x^2 / 2) / x^3 for 1 + x from 1 / sqrt 2 to sqrt 2, and of
# (exp(x) - 1 - x) / x^2 for |x| <= ln 2 / 2; highest power first
LOG = (
    F(-0.07902747), F(0.12622321), F(-0.12998183), F(0.14214496),
    F(-0.16641282), F(0.20001045), F(-0.25000307), F(0.33333331),
)  # fmt: skip
EXP = (F(0.0013926176), F(0.0083631733), F(0.0416665561), F(0.1666657776), F(0.5))


@njit(forceinline=True)
def logarithm(a):
    """Give log(a) for positive normal a, to 2e-7."""
    one, half = splat(F(1)), splat(F(0.5))
    m, e = mantissa(a), exponent(a)
    big = splat(F(1.41421356))
    e = where_greater(m, big, add(e, one), e)
    x = sub(where_greater(m, big, mul(m, half), m), one)
    square = mul(x, x)
    tail = fma(fma(splat(LOG[0]), x, splat(LOG[1])), x, splat(LOG[2]))
    tail = fma(fma(tail, x, splat(LOG[3])), x, splat(LOG[4]))
    tail = fma(fma(fma(tail, x, splat(LOG[5])), x, splat(LOG[6])), x, splat(LOG[7]))
    tail = fma(e, splat(LN2_LOW), mul(mul(square, x), tail))
    return fma(e, splat(LN2_HIGH), add(x, sub(tail, mul(half, square))))


@njit(forceinline=True)
def exponential(a):
    """Give exp(a), to 2e-7 relative; 0 below -87, and no more than exp(88)."""
    top, bottom = splat(F(88)), splat(F(-87))
    bounded = where_greater(a, top, top, larger(a, bottom))
    power = nearest(mul(bounded, splat(LOG2_E)))
    x = fma(power, splat(-LN2_LOW), fma(power, splat(-LN2_HIGH), bounded))
    tail = fma(fma(splat(EXP[0]), x, splat(EXP[1])), x, splat(EXP[2]))
    tail = fma(fma(tail, x, splat(EXP[3])), x, splat(EXP[4]))
    value = mul(add(splat(F(1)), fma(mul(x, x), tail, x)), power_of_two(power))
    return where_greater(bottom, a, splat(F(0)), value)
