"""How many lines the machine gathers: the loop of a sweep without anything else in it."""

from __future__ import annotations

import numpy as np
from numba import njit

from nettrial.kernels.lanes import add, load, prefetch, splat, store


@njit(error_model="numpy", nogil=True)
def gather_lines(lines, indices, ahead, out):
    """Add up the line of every link, one after the other."""
    last = indices.size - 1
    even, odd = splat(np.float32(0)), splat(np.float32(0))
    for link in range(0, last, 2):
        if ahead:
            prefetch(lines, np.int64(indices[min(link + ahead, last)]) * 16)
            prefetch(lines, np.int64(indices[min(link + ahead + 1, last)]) * 16)
        even = add(even, load(lines, np.int64(indices[link]) * 16))
        odd = add(odd, load(lines, np.int64(indices[link + 1]) * 16))
    store(out, 0, add(even, odd))
