"""The operations of `lanes_vector` on tuples of 16 numbers, in plain numba: on one column alone."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit
from numba.cpython.unsafe.tuple import tuple_setitem


@njit
def _split(a: float) -> Any:
    m, e = math.frexp(a)
    return (2 * m, e - 1) if 2 * m * m < 1 else (m, e)


def _one(operation: Callable[..., Any]) -> Any:
    lane_of = njit(operation)

    @njit
    def each(a: Any) -> Any:
        out = a
        for lane in range(16):
            out = tuple_setitem(out, lane, np.float32(lane_of(a[lane])))
        return out

    return each


def _two(operation: Callable[..., Any]) -> Any:
    lane_of = njit(operation)

    @njit
    def each(a: Any, b: Any) -> Any:
        out = a
        for lane in range(16):
            out = tuple_setitem(out, lane, np.float32(lane_of(a[lane], b[lane])))
        return out

    return each


add = _two(lambda a, b: a + b)
sub = _two(lambda a, b: a - b)
mul = _two(lambda a, b: a * b)
div = _two(lambda a, b: a / b)
smaller = _two(lambda a, b: min(a, b))
larger = _two(lambda a, b: max(a, b))
magnitude = _one(lambda a: abs(a))
nearest = _one(lambda a: np.rint(a))
exponent = _one(lambda a: _split(a)[1])
mantissa = _one(lambda a: _split(a)[0])
power_of_two = _one(lambda a: math.ldexp(1.0, int(a)))


@njit
def whole(a: Any, o: int) -> Any:
    return np.int64(a[o])


@njit
def splat(x: float, columns: int = 1) -> Any:
    return (x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x)


@njit
def load(a: Any, o: int, columns: int = 1) -> Any:
    out = splat(np.float32(0))
    for lane in range(16):
        out = tuple_setitem(out, lane, a[o + lane])
    return out


@njit
def store(a: Any, o: int, v: Any) -> None:
    for lane in range(16):
        a[o + lane] = v[lane]


@njit
def pointer(a: Any) -> Any:
    return a


@njit
def keep(a: Any) -> None:
    return None


@njit
def prefetch(a: Any, o: int, columns: int = 1) -> None:
    return None


prefetch_far = prefetch


@njit
def equal(codes: Any, o: int, wanted: int) -> Any:
    out = splat(np.float32(0))
    for lane in range(16):
        if codes[o + lane] == wanted:
            out = tuple_setitem(out, lane, np.float32(1))
    return out


@njit
def fma(a: Any, b: Any, c: Any) -> Any:
    return add(mul(a, b), c)


@njit
def choose(mask: int, a: Any, b: Any) -> Any:
    out = b
    for lane in range(16):
        if (mask >> lane) & 1:
            out = tuple_setitem(out, lane, a[lane])
    return out


@njit
def at_least(a: Any, b: Any) -> Any:
    mask = 0
    for lane in range(16):
        if a[lane] >= b[lane]:
            mask |= 1 << lane
    return np.uint16(mask)


@njit
def where_greater(a: Any, b: Any, x: Any, y: Any) -> Any:
    out = y
    for lane in range(16):
        if a[lane] > b[lane]:
            out = tuple_setitem(out, lane, x[lane])
    return out
