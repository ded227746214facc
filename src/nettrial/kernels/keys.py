"""The key of counter-based streams; needs no compiler."""

from __future__ import annotations

import numpy as np


def key_of(entropy: int) -> np.uint64:
    """Return the 64-bit key of a frozen seed.

    Examples
    --------
    >>> bool(key_of(1) == key_of(1) != key_of(2))
    True
    """
    return np.uint64(np.random.SeedSequence(entropy).generate_state(1, np.uint64)[0])
