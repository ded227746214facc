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
INSIDE = {"forceinline": True, "error_model": "numpy"}  # a call would pass vectors through memory


@njit(**INSIDE)
def line_of(state, width, column, indices, weights, link):
    """Read the line at the end of a link, times the link's weight where there is one."""
    line = load(state, np.int64(indices[link]) * width + column)
    if weights is not None:
        line = mul(splat(F(weights[link])), line)
    return line


@njit(**INSIDE)
def ask_never(state, width, column, indices, link, near, far):
    """Ask for nothing: the lines are in the cache."""


@njit(**INSIDE)
def ask_once(state, width, column, indices, link, _near, far):
    """Ask for the line of a link further on, to be moved nearer from the outer caches."""
    prefetch_far(state, np.int64(indices[link + far]) * width + column)


@njit(**INSIDE)
def ask_twice(state, width, column, indices, link, near, far):
    """Ask for lines of links further on: from memory early, from the outer caches late."""
    prefetch_far(state, np.int64(indices[link + far]) * width + column)
    prefetch(state, np.int64(indices[link + near]) * width + column)


def _asking(combine: Any, start: float, ask: Any) -> Any:
    neutral = F(start)

    @njit(**INSIDE)
    def gather(state, width, column, indices, weights, link, stop, near, far):
        a, b = splat(neutral), splat(neutral)  # four, since an operation takes its time
        c, d = a, b
        while link < stop - 3:
            ask(state, width, column, indices, link, near, far)
            ask(state, width, column, indices, link + 1, near, far)
            ask(state, width, column, indices, link + 2, near, far)
            ask(state, width, column, indices, link + 3, near, far)
            a = combine(a, line_of(state, width, column, indices, weights, link))
            b = combine(b, line_of(state, width, column, indices, weights, link + 1))
            c = combine(c, line_of(state, width, column, indices, weights, link + 2))
            d = combine(d, line_of(state, width, column, indices, weights, link + 3))
            link += 4
        if link < stop - 1:
            ask(state, width, column, indices, link, near, far)
            ask(state, width, column, indices, link + 1, near, far)
            a = combine(a, line_of(state, width, column, indices, weights, link))
            b = combine(b, line_of(state, width, column, indices, weights, link + 1))
            link += 2
        if link < stop:
            ask(state, width, column, indices, link, near, far)
            c = combine(c, line_of(state, width, column, indices, weights, link))
        return combine(combine(a, b), combine(c, d))

    return gather


def _gatherer(combine: Any, start: float) -> Any:
    never, once, twice = (_asking(combine, start, ask) for ask in (ask_never, ask_once, ask_twice))

    @njit(**INSIDE)
    def gather(state, width, column, indices, weights, link, stop, size, near, far):
        if far is None:
            return never(state, width, column, indices, weights, link, stop, 0, 0)
        spare = size - stop  # never past the last link
        if near is None:
            return once(state, width, column, indices, weights, link, stop, 0, min(far, spare))
        near, far = min(near, spare), min(far, spare)
        return twice(state, width, column, indices, weights, link, stop, near, far)

    return gather


gather_product = _gatherer(mul, 1.0)
gather_block = _gatherer(add, 0.0)
BLOCK = 256  # links added up apart, so that hubs lose no digits


@njit(**INSIDE)
def gather_sum(state, width, column, indices, weights, link, stop, size, near, far):
    """Add up the lines at the ends of the links from `link` to `stop`, times their weights.

    `far` says how many links before their use lines are asked for, to be moved to a core's caches,
    `near` the same for the innermost cache; None where that does not pay. The loop is compiled for
    each case, since a choice within it takes as long as a third of its work.
    """
    if stop - link <= BLOCK:
        return gather_block(state, width, column, indices, weights, link, stop, size, near, far)
    total = splat(F(0))
    while link < stop:
        end = min(link + BLOCK, stop)
        part = gather_block(state, width, column, indices, weights, link, end, size, near, far)
        total = add(total, part)
        link = end
    return total
