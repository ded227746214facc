"""How many lines the machine gathers: the loop of a sweep without anything else in it."""

from __future__ import annotations

import numpy as np
from numba import njit

from nettrial.kernels.gathering import gather_block
from nettrial.kernels.lanes import add, pointer, store


@njit(error_model="numpy", nogil=True)
def gather_lines(lines, indices, far, out):
    """Add up the line of every link, one after the other."""
    lines, links, size = pointer(lines), pointer(indices), indices.size
    body = max(size - far, 0)  # the lines of the last links are not asked for early
    most = gather_block(lines, 16, 0, links, None, 0, body, size, far)
    rest = gather_block(lines, 16, 0, links, None, body, size, size, 0)
    store(out, 0, add(most, rest))
