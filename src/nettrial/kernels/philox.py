"""Philox 4x32-10: random numbers that are a function of a counter and a key.

The number of a draw depends on its key and counter alone, so any order and any number of
threads give the same bits.

References
----------
Salmon, Moraes, Dror and Shaw (2011), Parallel random numbers: as easy as 1, 2, 3, SC '11.
"""

from __future__ import annotations

import numpy as np
from numba import njit

U32, U64 = np.uint32, np.uint64
MULTIPLIER = (U64(0xD2511F53), U64(0xCD9E8D57))
STEP = (U32(0x9E3779B9), U32(0xBB67AE85))
LOW, HALF = U64(0xFFFFFFFF), U64(32)
TO_UNIT = np.float32(2.0**-24)


@njit(cache=True)
def philox(c0, c1, c2, c3, k0, k1):
    """Give four 32-bit words for a 128-bit counter and a 64-bit key, all as uint32."""
    c0, c1, c2, c3, k0, k1 = U32(c0), U32(c1), U32(c2), U32(c3), U32(k0), U32(k1)
    for _ in range(10):
        a, b = MULTIPLIER[0] * U64(c0), MULTIPLIER[1] * U64(c2)
        c0, c1, c2, c3 = (
            U32(U32(b >> HALF) ^ U32(c1) ^ U32(k0)),
            U32(b & LOW),
            U32(U32(a >> HALF) ^ U32(c3) ^ U32(k1)),
            U32(a & LOW),
        )
        k0, k1 = U32(k0 + STEP[0]), U32(k1 + STEP[1])
    return c0, c1, c2, c3


@njit(cache=True)
def unit(word):
    """Give a float32 in [0, 1) from the upper 24 bits of a word."""
    return np.float32(U32(word) >> U32(8)) * TO_UNIT


@njit(cache=True)
def shuffle(order, stream, step):
    """Put `order` into a random order, in place, that depends on stream and step alone."""
    for last in range(order.size - 1, 0, -1):
        words = philox(U32(last), U32(step), U32(0), U32(stream), U32(0), U32(0))
        drawn = U64(words[0]) | (U64(words[1]) << HALF)
        other = np.int64(drawn % U64(last + 1))
        order[last], order[other] = order[other], order[last]
