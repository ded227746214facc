"""Adding up, or multiplying, the lines of a node's neighbors.

`state` holds lines of 16 float32 in the logical shape (n_nodes, width / 16, 16). The loops are
compiled for each case of weights and of looking ahead, since a choice within them takes as long as
a third of their work: `weights` is None where every link weighs 1, and `ahead` where lines stay in
a core's cache and none is asked for before its use. `calm` is the link from which on looking ahead
would read an index past the last, None where no link at hand is so far. numba leaves a branch on
None out only where what is None is an argument, not a field of a tuple. And it compiles each
function by itself, with all that it calls, before that becomes part of another: so few stand within
one another.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from .lanes import VECTORS, add, load, mul, pointer, prefetch, splat, store
from .packing import LANES

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


@njit(**INSIDE)
def addresses(links):
    """Return the addresses of neighbors and weights, and `calm`."""
    return pointer(links.indices), pointer(links.weights), links.indices.size - AHEAD


@njit(**INSIDE)
def at_once(link, stop, most, calm, ahead):
    """Whether these are up to `most` links, with enough others behind them for looking ahead."""
    if ahead is None:
        return stop - link <= most
    return stop <= min(link + most, calm)


def gatherer(combine: Any, start: float, columns: int = 1) -> Any:
    """Return the loop over links that combines `columns` lines at the end of each."""
    neutral = F(start)

    @njit(**INSIDE)
    def lines_of(state, width, column, link, indices, weights, ahead):
        # at the end of a link, times its weight; and asks for those of a link further on
        if ahead is not None:
            prefetch(state, np.int64(indices[link + AHEAD]) * width + column, columns)
        found = load(state, np.int64(indices[link]) * width + column, columns)
        if weights is not None:
            found = mul(splat(F(weights[link]), columns), found)
        return found

    @njit(**INSIDE)
    def gather(state, width, column, link, stop, indices, weights, ahead):
        # four results side by side, since an operation takes several steps of the processor
        a, b = splat(neutral, columns), splat(neutral, columns)
        c, d = a, b
        while link < stop - 3:
            p = lines_of(state, width, column, link, indices, weights, ahead)
            q = lines_of(state, width, column, link + 1, indices, weights, ahead)
            r = lines_of(state, width, column, link + 2, indices, weights, ahead)
            s = lines_of(state, width, column, link + 3, indices, weights, ahead)
            a, b, c, d = combine(a, p), combine(b, q), combine(c, r), combine(d, s)
            link += 4
        if link < stop - 1:
            p = lines_of(state, width, column, link, indices, weights, ahead)
            q = lines_of(state, width, column, link + 1, indices, weights, ahead)
            a, b = combine(a, p), combine(b, q)
            link += 2
        if link < stop:
            p = lines_of(state, width, column, link, indices, weights, ahead)
            c = combine(c, p)
        return combine(combine(a, b), combine(c, d))

    return gather


def _sums(columns: int) -> tuple[Any, Any]:
    """Return loops that add lines up: a block of links, and any number of them."""
    gather = gatherer(add, 0.0, columns)

    @njit(**INSIDE)
    def long_sum(state, width, column, link, stop, indices, weights, calm, ahead):
        total = splat(F(0), columns)
        while link < stop:
            end = min(link + BLOCK, stop)
            # one by one: numba leaves out no branch on None beside another condition
            if ahead is None:
                part = gather(state, width, column, link, end, indices, weights, None)
            elif calm is None:  # noqa: SIM114
                part = gather(state, width, column, link, end, indices, weights, ahead)
            elif end <= calm:
                part = gather(state, width, column, link, end, indices, weights, ahead)
            else:
                part = gather(state, width, column, link, end, indices, weights, None)
            total = add(total, part)
            link = end
        return total

    return gather, long_sum


gather, long_sum = _sums(1)


@njit(**INSIDE)
def gather_sum(state, width, column, link, stop, indices, weights, calm, ahead):
    """Add up the lines at the ends of the links from `link` to `stop`, times their weights."""
    if at_once(link, stop, BLOCK, calm, ahead):  # most nodes: the loop below costs cycles
        return gather(state, width, column, link, stop, indices, weights, ahead)
    return long_sum(state, width, column, link, stop, indices, weights, calm, ahead)


def by_columns(some: Callable[[int], Any]) -> Any:
    """Return a loop over the lines of a row, several at a time where they are asked for ahead.

    One pass over a node's links for each line asks memory for each line by itself, which takes
    longer than neighboring lines together. Within a core's cache that gains little, and single
    lines compile sooner.

    Parameters
    ----------
    some : callable
        Return, for a number of lines, the function that treats as many from `column` on.
    """
    one = some(1)
    four, two = (some(4), some(2)) if VECTORS else (one, one)
    most, more = (4 * LANES, 2 * LANES) if VECTORS else (LANES, LANES)

    @njit(**INSIDE)
    def row(out, state, width, link, stop, other, indices, weights, calm, ahead):
        column = np.int64(0)  # a literal would be compiled for, too
        if ahead is not None and stop <= calm:
            while column <= width - most:
                four(out, state, width, column, link, stop, other, indices, weights, None, ahead)
                column += most
            if column <= width - more:
                two(out, state, width, column, link, stop, other, indices, weights, None, ahead)
                column += more
        while column < width:
            one(out, state, width, column, link, stop, other, indices, weights, calm, ahead)
            column += LANES

    return row


@by_columns
def gather_row(columns: int) -> Any:
    """Write to `out` the sum of the neighbors' rows: `gather_sum` for every line, to the bit."""
    _, long_sum = _sums(columns)

    @njit(**INSIDE)
    def sums(out, state, width, column, link, stop, _other, indices, weights, calm, ahead):
        total = long_sum(state, width, column, link, stop, indices, weights, calm, ahead)
        store(out, column, total)

    return sums
