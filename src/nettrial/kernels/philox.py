"""Philox 4x32-10, a counter-based random number generator.

A word depends on its counter and key alone, so a stream needs no set-up and no state: results
do not depend on the order of work, on threads or on chunks.

References
----------
Salmon, Moraes, Dror and Shaw (2011), Parallel random numbers: as easy as 1, 2, 3, SC11.
"""

from __future__ import annotations

from numba import float32, int64, njit, uint32, uint64

from .compiled import kernel

MULTIPLIER_0 = uint64(0xD2511F53)
MULTIPLIER_1 = uint64(0xCD9E8D57)
KEY_STEP_0 = uint64(0x9E3779B9)
KEY_STEP_1 = uint64(0xBB67AE85)
LOW = uint64(0xFFFFFFFF)
HALF = uint64(32)
ROUNDS = 10
TO_UNIT = float32(2.0**-24)


@njit(inline="always")
def philox4x32(c0, c1, c2, c3, k0, k1):
    """Return the four 32-bit words of the counter (c0, c1, c2, c3) under the key (k0, k1).

    Examples
    --------
    >>> [f"{word:08x}" for word in philox4x32(0, 0, 0, 0, 0, 0)]
    ['6627e8d5', 'e169c58d', 'bc57ac4c', '9b00dbd8']
    """
    # 64-bit lanes whose upper half is zero: the compiler multiplies 32 by 32 bits to 64
    a, b, c, d = uint64(c0), uint64(c1), uint64(c2), uint64(c3)
    s, t = uint64(k0), uint64(k1)
    for _ in range(ROUNDS):
        first = MULTIPLIER_0 * a
        second = MULTIPLIER_1 * c
        a = (second >> HALF) ^ b ^ s
        b = second & LOW
        c = (first >> HALF) ^ d ^ t
        d = first & LOW
        s = (s + KEY_STEP_0) & LOW
        t = (t + KEY_STEP_1) & LOW
    return uint32(a), uint32(b), uint32(c), uint32(d)


@kernel
def fill_words(words, n_blocks, first_block, stream, cell, k0, k1):
    """Fill `words[:4 * n_blocks]` with the blocks of one stream from `first_block` on.

    Word w of block b goes to place ``w * n_blocks + b``, which keeps the stores contiguous.
    `stream` may have 64 bits, `cell` and `first_block` 32.
    """
    high = uint64(stream) >> HALF
    low = uint64(stream) & LOW
    for block in range(n_blocks):
        w0, w1, w2, w3 = philox4x32(uint64(first_block + block), low, high, uint64(cell), k0, k1)
        words[block] = w0
        words[n_blocks + block] = w1
        words[2 * n_blocks + block] = w2
        words[3 * n_blocks + block] = w3


@njit(inline="always")
def below(word, n):
    """Turn a word into an integer 0 to n - 1; each is favored by less than n / 2**32.

    Examples
    --------
    >>> int(below(2**31, 10))
    5
    """
    return int64((uint64(word) * uint64(n)) >> HALF)


@njit
def unit(word):
    """Turn a word into a float32 in [0, 1), from its upper 24 bits.

    Examples
    --------
    >>> float(unit(2**31))
    0.5
    """
    return float32(uint32(word) >> uint32(8)) * TO_UNIT


@kernel
def shuffle(order, stream, step):
    """Put `order` into a random order, in place, that depends on stream and step alone."""
    for last in range(order.size - 1, 0, -1):
        word = philox4x32(last, step, 0, stream, 0, 0)[0]
        other = below(word, last + 1)
        order[last], order[other] = order[other], order[last]
