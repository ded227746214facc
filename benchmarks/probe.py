"""How many lines the machine gathers: the loop of a sweep without anything else in it."""

from __future__ import annotations

from numba import njit

from nettrial.kernels.gathering import Road, gather_block
from nettrial.kernels.lanes import add, pointer, store


@njit(error_model="numpy", nogil=True)
def gather_lines(lines, indices, near, far, out):
    """Add up the line of every link, one after the other."""
    lines, links, size = pointer(lines), pointer(indices), indices.size
    body = size if far is None else max(size - far, 0)  # nothing lies ahead of the last links
    most = gather_block(lines, 16, 0, Road(links, None, size, near, far), 0, body)
    rest = gather_block(lines, 16, 0, Road(links, None, size, None, None), body, size)
    store(out, 0, add(most, rest))
