"""One seed per call, frozen to an integer and recorded; each unit of work derives its own stream.

A unit's stream depends on the frozen seed and the unit's key alone, so results are the same
bits for any number of workers, in any order, and after a resume.
"""

from __future__ import annotations

import zlib
from enum import Enum, unique
from operator import index
from typing import SupportsIndex, TypeAlias

import numpy as np

from .errors import InputError, shown

Seed: TypeAlias = int | np.integer | np.random.SeedSequence | np.random.Generator


@unique
class Stream(Enum):
    """What a derived seed is for.

    A member counts as its number in `derive`, `generator` and `key`. Numbers start again wherever
    the seed is another one: that of a comparison, of a bootstrap, of one drawn network, of an
    audit, of one of its trials, of an experiment. Results depend on them, so none may be changed
    or used again for something else.

    Examples
    --------
    >>> derive(7, Stream.MODELS) == derive(7, 3)
    True
    """

    COMMUNITIES = "comparison", 1
    FLIPS = "comparison", 2
    MODELS = "comparison", 3
    REPLICATES = "comparison", 4
    NETWORKS = "comparison", 5
    POSTERIOR = "comparison", 6
    DIRECTIONS = "comparison", 7
    TRAINING = "comparison", 8
    KNOWN = "comparison", 9

    BOOTSTRAP_SPLITS = "bootstrap", 0
    BOOTSTRAP_MODELS = "bootstrap", 1
    BOOTSTRAP_COMMUNITIES = "bootstrap", 2
    BOOTSTRAP_REPLICATES = "bootstrap", 3
    BOOTSTRAP_DIRECTIONS = "bootstrap", 4
    BOOTSTRAP_HALVES = "bootstrap", 5

    REPLICATE_MODELS = "drawn network", 1
    REPLICATE_SPLITS = "drawn network", 2
    REPLICATE_HALVES = "drawn network", 3

    AUDIT_NETWORK = "audit", 0
    AUDIT_COMMUNITIES = "audit", 1
    AUDIT_SPLITS = "audit", 2
    AUDIT_MODELS = "audit", 3
    AUDIT_TURNS = "audit", 4
    AUDIT_FLIPS = "audit", 5
    AUDIT_INNER = "audit", 6

    INNER_PLAIN = "bootstrap in an audit", 0
    INNER_NULL = "bootstrap in an audit", 1

    LATENT_CALIBRATION = "latent experiment", 0
    LATENT_EVALUATION = "latent experiment", 1
    LATENT_TRIAL = "latent experiment", 2
    LATENT_DOMAIN = "latent experiment", 3

    GRID_CALIBRATION = "calibration grid", 0
    GRID_TRIAL = "calibration grid", 1

    FEATURE_TRIAL = "networks with features", 0
    SMOOTH_TRIAL = "networks with smooth targets", 0

    LINK_TRIAL = "networks whose links are predicted", 0
    MEASURED_TRIAL = "networks for all measures", 0

    REAL_SETS = "experiment on real networks", 0
    REAL_CALIBRATION = "experiment on real networks", 1
    REAL_TRIAL = "experiment on real networks", 2

    TRIAL_PLAIN = "trial of an experiment", 1
    TRIAL_NULL = "trial of an experiment", 2
    TRIAL_REPLICATES = "trial of an experiment", 3

    def __index__(self) -> int:
        return self.value[1]


def freeze(seed: Seed) -> int:
    """Turn any accepted seed into one non-negative integer that reproduces it.

    Parameters
    ----------
    seed : int, numpy.random.SeedSequence or numpy.random.Generator
        A Generator is advanced by one draw.

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
        parameter="seed",
        expected="a non-negative integer, a numpy SeedSequence or a numpy Generator",
        got=shown(seed),
    )


def generator(entropy: int, *key: SupportsIndex) -> np.random.Generator:
    """Return the random stream of the unit of work named by `key`.

    Examples
    --------
    >>> int(generator(7, 1).integers(100)) == int(generator(7, 1).integers(100))
    True
    """
    return np.random.default_rng(_sequence(entropy, key))


def derive(entropy: int, *key: SupportsIndex) -> int:
    """Return a 31-bit seed for the unit of work named by `key`, for libraries that take an int.

    Examples
    --------
    >>> derive(7, 1) == derive(7, 1) != derive(7, 2)
    True
    """
    return int(_sequence(entropy, key).generate_state(1)[0]) >> 1


def named(name: str) -> int:
    """Turn a name into a part of a unit's key.

    Examples
    --------
    >>> named("wvrn") == named("wvrn") != named("nbc")
    True
    """
    try:
        return zlib.crc32(name.encode())
    except UnicodeEncodeError:
        raise InputError(
            f"name {shown(name)}: holds half of a character, which no file can hold; rename the "
            "model"
        ) from None


def key(entropy: int, *path: SupportsIndex) -> tuple[int, int]:
    """Return two 32-bit words for the unit of work named by `path`, as a counter-based key.

    Examples
    --------
    >>> key(7, 1) == key(7, 1) != key(7, 2)
    True
    """
    first, second = _sequence(entropy, path).generate_state(2)
    return int(first), int(second)


def _sequence(entropy: int, key: tuple[SupportsIndex, ...]) -> np.random.SeedSequence:
    return np.random.SeedSequence(entropy, spawn_key=tuple(map(index, key)))
