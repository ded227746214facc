"""A counter-based random generator for compiled loops: Philox 4x32 with ten rounds.

J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw (2011), Parallel random numbers: as easy as
1, 2, 3, SC11. A stream is named by a key and two words of the counter; the other two count its
blocks, so streams need no set-up and do not depend on the order in which they are used.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

STATE = 11  # words: counter 0-3, key 4-5, block 6-9, words of the block that are used up
TO_UNIT = 2.0**-32


@njit(inline="always")
def philox(c0, c1, c2, c3, k0, k1):  # type: ignore[no-untyped-def]
    """Give the four words of one block."""
    low = np.uint64(0xFFFFFFFF)
    half = np.uint64(32)
    for _ in range(10):
        p0 = np.uint64(0xD2511F53) * np.uint64(c0)
        p1 = np.uint64(0xCD9E8D57) * np.uint64(c2)
        c0 = np.uint32((p1 >> half) & low) ^ np.uint32(c1) ^ np.uint32(k0)
        c2 = np.uint32((p0 >> half) & low) ^ np.uint32(c3) ^ np.uint32(k1)
        c1 = np.uint32(p1 & low)
        c3 = np.uint32(p0 & low)
        k0 = np.uint32(k0 + np.uint32(0x9E3779B9))
        k1 = np.uint32(k1 + np.uint32(0xBB67AE85))
    return c0, c1, c2, c3


@njit
def stream(key, unit, purpose):  # type: ignore[no-untyped-def]
    """Start the stream of `unit` for `purpose` under a 64-bit key."""
    state = np.zeros(STATE, dtype=np.uint32)
    state[2] = np.uint32(unit)
    state[3] = np.uint32(purpose)
    state[4] = np.uint32(key & np.uint64(0xFFFFFFFF))
    state[5] = np.uint32(key >> np.uint64(32))
    state[10] = np.uint32(4)
    return state


@njit(inline="always")
def next_word(state):  # type: ignore[no-untyped-def]
    """Draw 32 random bits."""
    if state[10] == 4:
        a, b, c, d = philox(state[0], state[1], state[2], state[3], state[4], state[5])
        state[6], state[7], state[8], state[9] = a, b, c, d
        state[0] += np.uint32(1)
        if state[0] == 0:
            state[1] += np.uint32(1)
        state[10] = np.uint32(0)
    word = state[6 + state[10]]
    state[10] += np.uint32(1)
    return word


@njit(inline="always")
def below(state, n):  # type: ignore[no-untyped-def]
    """Draw an integer from 0 to n - 1; the bias is below n / 2^32."""
    return np.int64((np.uint64(next_word(state)) * np.uint64(n)) >> np.uint64(32))


@njit(inline="always")
def uniform(state):  # type: ignore[no-untyped-def]
    """Draw a number in (0, 1)."""
    return (np.float64(next_word(state)) + 0.5) * TO_UNIT


def key_of(entropy: int) -> np.uint64:
    """Give the 64-bit key of a frozen seed."""
    words: NDArray[np.uint64] = np.random.SeedSequence(entropy).generate_state(1, np.uint64)
    return words[0]
