"""Adding up, or multiplying, the lines of a node's neighbours.

`state` holds lines of 16 float32 in the logical shape (n_nodes, width / 16, 16). Arrays come as
pointers (see `lanes.pointer`), `size` being the number of all links.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from .lanes import add, load, mul, prefetch, prefetch_far, splat

F = np.float32
NEAR = 8  # links between asking for a line in the innermost cache and its use
INSIDE = {"forceinline": True, "error_model": "numpy"}  # a call would pass vectors through memory


@njit(**INSIDE)
def ask(state, width, column, indices, link, near, far):
    """Ask for the lines of links further on: from memory early, from the outer caches late."""
    prefetch(state, np.int64(indices[link + near]) * width + column)
    prefetch_far(state, np.int64(indices[link + far]) * width + column)


@njit(**INSIDE)
def line_of(state, width, column, indices, weights, link):
    """Read the line at the end of a link, times the link's weight where there is one."""
    line = load(state, np.int64(indices[link]) * width + column)
    if weights is not None:
        line = mul(splat(F(weights[link])), line)
    return line


def _gatherer(combine: Any, start: float) -> Any:
    neutral = F(start)

    @njit(**INSIDE)
    def gather(state, width, column, indices, weights, link, stop, size, far):
        even, odd = splat(neutral), splat(neutral)  # two, since an operation takes its time
        near, far = min(NEAR, size - stop), min(far, size - stop)  # never past the last link
        while link < stop - 1:
            if far:
                ask(state, width, column, indices, link, near, far)
                ask(state, width, column, indices, link + 1, near, far)
            even = combine(even, line_of(state, width, column, indices, weights, link))
            odd = combine(odd, line_of(state, width, column, indices, weights, link + 1))
            link += 2
        if link < stop:
            if far:
                ask(state, width, column, indices, link, near, far)
            even = combine(even, line_of(state, width, column, indices, weights, link))
        return combine(even, odd)

    return gather


gather_product = _gatherer(mul, 1.0)
gather_block = _gatherer(add, 0.0)
BLOCK = 256  # links added up apart, so that hubs lose no digits


@njit(**INSIDE)
def gather_sum(state, width, column, indices, weights, link, stop, size, far):
    """Add up the lines at the ends of the links from `link` to `stop`, times their weights.

    Lines are asked for `far` links before their use; 0 where all lines fit into the cache.
    """
    if stop - link <= BLOCK:
        return gather_block(state, width, column, indices, weights, link, stop, size, far)
    total = splat(F(0))
    while link < stop:
        end = min(link + BLOCK, stop)
        part = gather_block(state, width, column, indices, weights, link, end, size, far)
        total = add(total, part)
        link = end
    return total
