"""Adding up, or multiplying, the lines of a node's neighbors.

`state` holds lines of 16 float32 in the logical shape (n_nodes, width / 16, 16). The loops are
compiled for each case of `Links` and `Ahead`, since a choice within them takes as long as a third
of their work. numba leaves a branch on None out only where what is None is an argument, so
`line_of` takes the fields of the tuples one by one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from .lanes import add, load, mul, pointer, prefetch, prefetch_far, splat

F = np.float32
INSIDE = {"forceinline": True, "error_model": "numpy"}  # a call would pass vectors through memory
BLOCK = 256  # links added up apart, so that hubs lose no digits


class Links(NamedTuple):
    """Compressed rows: the neighbors of each node.

    Attributes
    ----------
    indptr : ndarray of int64, shape (n_nodes + 1,)
    indices : ndarray of int32, shape (n_links,)
        Node i has the neighbors ``indices[indptr[i]:indptr[i + 1]]``.
    weights : ndarray of float32, shape (n_links,), or None
        None where every link weighs 1.
    """

    indptr: Any
    indices: Any
    weights: Any


class Ahead(NamedTuple):
    """How many links before their use lines are asked for; None where that does not pay.

    Attributes
    ----------
    near : int or None
        For the innermost cache.
    far : int or None
        For the caches of a core.
    """

    near: int | None
    far: int | None


class Road(NamedTuple):
    """What a loop follows: addresses of the links, their number, and how far to look ahead."""

    indices: Any
    weights: Any
    size: Any
    near: Any
    far: Any


@njit(**INSIDE)
def road_of(links, ahead):
    """Return the road along these links."""
    indices, weights = pointer(links.indices), pointer(links.weights)
    return Road(indices, weights, links.indices.size, ahead.near, ahead.far)


@njit(**INSIDE)
def line_of(state, width, column, indices, weights, link, spare, near, far):
    """Read the line at the end of a link, times its weight, and ask for lines further on.

    `spare` links follow the last one of the node: no index past the last link is read.
    """
    if far is not None:
        prefetch_far(state, np.int64(indices[link + min(far, spare)]) * width + column)
    if near is not None:
        prefetch(state, np.int64(indices[link + min(near, spare)]) * width + column)
    line = load(state, np.int64(indices[link]) * width + column)
    if weights is not None:
        line = mul(splat(F(weights[link])), line)
    return line


def _gatherer(combine: Any, start: float) -> Any:
    neutral = F(start)

    @njit(**INSIDE)
    def gather(state, width, column, road, link, stop):
        indices, weights, size, near, far = road
        spare = size - stop
        # four results side by side, since an operation takes several steps of the processor
        a, b = splat(neutral), splat(neutral)
        c, d = a, b
        while link < stop - 3:
            p = line_of(state, width, column, indices, weights, link, spare, near, far)
            q = line_of(state, width, column, indices, weights, link + 1, spare, near, far)
            r = line_of(state, width, column, indices, weights, link + 2, spare, near, far)
            s = line_of(state, width, column, indices, weights, link + 3, spare, near, far)
            a, b, c, d = combine(a, p), combine(b, q), combine(c, r), combine(d, s)
            link += 4
        if link < stop - 1:
            p = line_of(state, width, column, indices, weights, link, spare, near, far)
            q = line_of(state, width, column, indices, weights, link + 1, spare, near, far)
            a, b = combine(a, p), combine(b, q)
            link += 2
        if link < stop:
            p = line_of(state, width, column, indices, weights, link, spare, near, far)
            c = combine(c, p)
        return combine(combine(a, b), combine(c, d))

    return gather


gather_product = _gatherer(mul, 1.0)
gather_block = _gatherer(add, 0.0)


@njit(**INSIDE)
def gather_sum(state, width, column, road, link, stop):
    """Add up the lines at the ends of the links from `link` to `stop`, times their weights."""
    if stop - link <= BLOCK:  # most nodes: the loop below would cost each some cycles
        return gather_block(state, width, column, road, link, stop)
    total = splat(F(0))
    while link < stop:
        end = min(link + BLOCK, stop)
        part = gather_block(state, width, column, road, link, end)
        total = add(total, part)
        link = end
    return total
