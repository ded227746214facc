"""One seed a call, frozen to an integer and recorded; each unit of work derives its own stream.

A unit's stream depends on the frozen seed and the unit's key alone, so results are the same
bits for any number of workers, in any order, and after a resume.
"""

from __future__ import annotations

import zlib
from typing import TypeAlias

import numpy as np

from .errors import InputError

Seed: TypeAlias = int | np.integer | np.random.SeedSequence | np.random.Generator


def freeze(seed: Seed) -> int:
    """Turn any accepted seed into one non-negative integer that reproduces it.

    Parameters
    ----------
    seed : int, numpy.random.SeedSequence or numpy.random.Generator
        A Generator is advanced by one draw.

    Raises
    ------
    InputError
        For anything else, among them None, booleans and negative integers.

    Examples
    --------
    >>> freeze(7)
    7
    """
    if isinstance(seed, np.random.Generator):
        return int(seed.integers(2**63))
    if isinstance(seed, np.random.SeedSequence):
        low, high = seed.generate_state(2, np.uint64)
        return int(low) | int(high) << 64
    if isinstance(seed, (int, np.integer)) and not isinstance(seed, bool) and int(seed) >= 0:
        return int(seed)
    raise InputError(
        f"seed: received {seed!r}, allowed are a non-negative integer, "
        "a numpy SeedSequence or a numpy Generator"
    )


def generator(entropy: int, *key: int) -> np.random.Generator:
    """Give the random stream of the unit of work named by `key`.

    Examples
    --------
    >>> int(generator(7, 1).integers(100)) == int(generator(7, 1).integers(100))
    True
    """
    return np.random.default_rng(np.random.SeedSequence(entropy, spawn_key=key))


def derive(entropy: int, *key: int) -> int:
    """Give a 31-bit seed for the unit of work named by `key`, for libraries that take an int.

    Examples
    --------
    >>> derive(7, 1) == derive(7, 1) != derive(7, 2)
    True
    """
    return int(np.random.SeedSequence(entropy, spawn_key=key).generate_state(1)[0]) >> 1


def named(name: str) -> int:
    """Turn a name into a part of a unit's key.

    Examples
    --------
    >>> named("wvrn") == named("wvrn") != named("nbc")
    True
    """
    return zlib.crc32(name.encode())


def key(entropy: int, *path: int) -> tuple[int, int]:
    """Give two 32-bit words for the unit of work named by `path`, as a counter-based key.

    Examples
    --------
    >>> key(7, 1) == key(7, 1) != key(7, 2)
    True
    """
    first, second = np.random.SeedSequence(entropy, spawn_key=path).generate_state(2)
    return int(first), int(second)
