"""Adding up, or multiplying, the lines of a node's neighbors.

`state` holds lines of 16 float32 in the logical shape (n_nodes, width / 16, 16). The loops are
compiled for each case of weights and of looking ahead, since a choice within them takes as long as
a third of their work. numba leaves a branch on None out only where what is None is an argument, so
some functions take the fields of the tuples one by one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from .lanes import add, load, mul, pointer, prefetch, splat

F = np.float32
INSIDE = {"forceinline": True, "error_model": "numpy"}  # a call would pass vectors through memory
BLOCK = 256  # links added up apart, so that hubs lose no digits
AHEAD = 128  # links between asking for a line and its use, which the compiler knows as a number


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


class Road(NamedTuple):
    """What a loop follows: addresses of the links, and how to look ahead.

    Attributes
    ----------
    indices, weights : address
    calm : int
        Looking ahead from any link before this one reads no index past the last.
    ahead : True or None
        Whether to ask for lines ahead of their use; None where they stay in a core's cache.
    """

    indices: Any
    weights: Any
    calm: Any
    ahead: Any


@njit(**INSIDE)
def road_of(links, ahead):
    """Return the road along these links."""
    indices, weights = pointer(links.indices), pointer(links.weights)
    return Road(indices, weights, links.indices.size - AHEAD, ahead)


@njit(**INSIDE)
def line_of(state, width, column, indices, weights, link, ahead):
    """Read the line at the end of a link, times its weight, and ask for lines further on."""
    if ahead is not None:
        prefetch(state, np.int64(indices[link + AHEAD]) * width + column)
    line = load(state, np.int64(indices[link]) * width + column)
    if weights is not None:
        line = mul(splat(F(weights[link])), line)
    return line


@njit(**INSIDE)
def at_once(link, stop, most, calm, ahead):
    """Whether these are up to `most` links, with enough others behind them for looking ahead."""
    if ahead is None:
        return stop - link <= most
    return stop <= min(link + most, calm)


def _gatherers(combine: Any, start: float) -> Any:
    neutral = F(start)

    @njit(**INSIDE)
    def gather(state, width, column, indices, weights, ahead, link, stop):
        # four results side by side, since an operation takes several steps of the processor
        a, b = splat(neutral), splat(neutral)
        c, d = a, b
        while link < stop - 3:
            p = line_of(state, width, column, indices, weights, link, ahead)
            q = line_of(state, width, column, indices, weights, link + 1, ahead)
            r = line_of(state, width, column, indices, weights, link + 2, ahead)
            s = line_of(state, width, column, indices, weights, link + 3, ahead)
            a, b, c, d = combine(a, p), combine(b, q), combine(c, r), combine(d, s)
            link += 4
        if link < stop - 1:
            p = line_of(state, width, column, indices, weights, link, ahead)
            q = line_of(state, width, column, indices, weights, link + 1, ahead)
            a, b = combine(a, p), combine(b, q)
            link += 2
        if link < stop:
            p = line_of(state, width, column, indices, weights, link, ahead)
            c = combine(c, p)
        return combine(combine(a, b), combine(c, d))

    @njit(**INSIDE)
    def before_the_last(state, width, column, road, link, stop):
        indices, weights, _, ahead = road
        return gather(state, width, column, indices, weights, ahead, link, stop)

    @njit(**INSIDE)
    def careful(state, width, column, indices, weights, calm, ahead, link, stop):
        if ahead is None:
            return gather(state, width, column, indices, weights, None, link, stop)
        if stop <= calm:
            return gather(state, width, column, indices, weights, ahead, link, stop)
        return gather(state, width, column, indices, weights, None, link, stop)

    @njit(**INSIDE)
    def anywhere(state, width, column, road, link, stop):
        indices, weights, calm, ahead = road
        return careful(state, width, column, indices, weights, calm, ahead, link, stop)

    return before_the_last, anywhere


# each pair: for links that are `at_once`, where no choice is left to make, and for any links
gather_block, gather_some = _gatherers(add, 0.0)
multiply_block, multiply_some = _gatherers(mul, 1.0)


@njit(**INSIDE)
def gather_sum(state, width, column, road, link, stop):
    """Add up the lines at the ends of the links from `link` to `stop`, times their weights."""
    if at_once(link, stop, BLOCK, road.calm, road.ahead):  # most nodes: the loop below costs cycles
        return gather_block(state, width, column, road, link, stop)
    total = splat(F(0))
    while link < stop:
        end = min(link + BLOCK, stop)
        part = gather_some(state, width, column, road, link, end)
        total = add(total, part)
        link = end
    return total
