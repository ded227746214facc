"""How many lines the machine gathers: the loop of a sweep without anything else in it."""

from __future__ import annotations

from numba import njit

from nettrial.kernels.lanes import add, pointer, store
from nettrial.kernels.neighbor_sums import addresses, gather


@njit(error_model="numpy", nogil=True)
def gather_lines(lines, links, ahead, out):
    """Add up the line of every link, one after the other."""
    indices, _, calm = addresses(links)
    lines, size, body = pointer(lines), links.indices.size, max(calm, 0)
    most = gather(lines, 16, 0, 0, body, indices, None, ahead)
    rest = gather(lines, 16, 0, body, size, indices, None, None)
    store(out, 0, add(most, rest))
