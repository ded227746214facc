"""How many lines the machine gathers: the loop of a sweep without anything else in it."""

from __future__ import annotations

from numba import njit

from nettrial.kernels.gathering import gather_block, gather_some, road_of
from nettrial.kernels.lanes import add, pointer, store


@njit(error_model="numpy", nogil=True)
def gather_lines(lines, links, ahead, out):
    """Add up the line of every link, one after the other."""
    road, lines, size = road_of(links, ahead), pointer(lines), links.indices.size
    body = max(road.calm, 0)
    most = gather_block(lines, 16, 0, road, 0, body)
    rest = gather_some(lines, 16, 0, road, body, size)
    store(out, 0, add(most, rest))
