"""Sixteen lanes at once: explicit vectors where the compiler takes them, else plain numba.

The environment variable ``NETTRIAL_PLAIN_KERNELS=1`` asks for plain numba.
"""

from __future__ import annotations

import os
from functools import partial

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .compiled import kernel


def _works() -> bool:
    try:
        from .lanes_vector import add, load, splat, store

        @kernel
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
    "at_least",
    "choose",
    "div",
    "equal",
    "exponent",
    "exponential",
    "fma",
    "keep",
    "lane_kernel",
    "larger",
    "load",
    "logarithm",
    "magnitude",
    "mantissa",
    "mul",
    "nearest",
    "pointer",
    "power_of_two",
    "prefetch",
    "prefetch_far",
    "smaller",
    "splat",
    "store",
    "sub",
    "where_greater",
    "whole",
]

VECTORS = os.environ.get("NETTRIAL_PLAIN_KERNELS", "") != "1" and _works()
lane_kernel = partial(kernel, variant="vectors" if VECTORS else "plain", error_model="numpy")

if VECTORS:
    from .lanes_vector import (
        add,
        at_least,
        choose,
        div,
        equal,
        exponent,
        fma,
        keep,
        larger,
        load,
        magnitude,
        mantissa,
        mul,
        nearest,
        pointer,
        power_of_two,
        prefetch,
        prefetch_far,
        smaller,
        splat,
        store,
        sub,
        where_greater,
        whole,
    )
else:
    from .lanes_plain import (
        add,
        at_least,
        choose,
        div,
        equal,
        exponent,
        fma,
        keep,
        larger,
        load,
        magnitude,
        mantissa,
        mul,
        nearest,
        pointer,
        power_of_two,
        prefetch,
        prefetch_far,
        smaller,
        splat,
        store,
        sub,
        where_greater,
        whole,
    )

F = np.float32
# Chebyshev fits of log2(1 + x) / x for 1 + x from 1 / sqrt 2 to sqrt 2, and of (2^x - 1) / x for
# |x| <= 1 / 2; highest power first
LOG = (
    F(0.12310968), F(-0.20586188), F(0.21607822), F(-0.23916977), F(0.28790325),
    F(-0.36069328), F(0.48091075), F(-0.72134745), F(1.442695),
)  # fmt: skip
EXP = (
    F(0.00015453163), F(0.0013390863), F(0.009618083), F(0.05550357), F(0.2402265), F(0.6931472),
)  # fmt: skip


@njit(forceinline=True)
def logarithm(a):
    """Return log2(a) for positive normal a, to 2e-7."""
    x = sub(mantissa(a), splat(F(1)))
    p = fma(fma(splat(LOG[0]), x, splat(LOG[1])), x, splat(LOG[2]))
    p = fma(fma(fma(p, x, splat(LOG[3])), x, splat(LOG[4])), x, splat(LOG[5]))
    p = fma(fma(fma(p, x, splat(LOG[6])), x, splat(LOG[7])), x, splat(LOG[8]))
    return fma(x, p, exponent(a))


@njit(forceinline=True)
def exponential(a):
    """Return 2^a, to 2e-7 relative; no less than 2^-125 and no more than 2^125."""
    bounded = larger(smaller(a, splat(F(125))), splat(F(-125)))
    power = nearest(bounded)
    x = sub(bounded, power)
    p = fma(fma(splat(EXP[0]), x, splat(EXP[1])), x, splat(EXP[2]))
    p = fma(fma(fma(p, x, splat(EXP[3])), x, splat(EXP[4])), x, splat(EXP[5]))
    return mul(fma(x, p, splat(F(1))), power_of_two(power))
