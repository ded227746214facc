"""Sequential draws from a counter-based generator, for compiled loops of unforeseen length.

A stream is named by a key, a unit and a purpose, which take two words of the counter; the other
two count its blocks. It needs no set-up and does not depend on the order in which streams are
used.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numba.extending import register_jitable

from .keys import key_of as key_of
from .philox import below as scaled
from .philox import philox4x32

STATE = 11  # words: counter 0-3, key 4-5, block 6-9, how many words of the block are used up
TO_UNIT = 2.0**-32


@register_jitable
def stream(key, unit, purpose):
    """Start the stream of `unit` for `purpose` under a 64-bit key."""
    state = np.zeros(STATE, dtype=np.uint32)
    state[2] = np.uint32(unit)
    state[3] = np.uint32(purpose)
    state[4] = np.uint32(key & np.uint64(0xFFFFFFFF))
    state[5] = np.uint32(key >> np.uint64(32))
    state[10] = np.uint32(4)
    return state


@njit
def next_word(state):
    """Draw 32 random bits."""
    used = state[10]
    if used == 4:
        a, b, c, d = philox4x32(state[0], state[1], state[2], state[3], state[4], state[5])
        state[6], state[7], state[8], state[9] = a, b, c, d
        state[0] += np.uint32(1)
        if state[0] == 0:
            state[1] += np.uint32(1)
        used = np.uint32(0)
    state[10] = used + np.uint32(1)
    return state[6 + np.int64(used)]


@njit
def below(state, n):
    """Draw an integer from 0 to n - 1."""
    return scaled(next_word(state), n)


@njit
def uniform(state):
    """Draw a number in (0, 1)."""
    return (np.float64(next_word(state)) + 0.5) * TO_UNIT
