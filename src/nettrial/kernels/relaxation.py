"""One sweep of relaxation labeling for 16 label sets at once.

`proba` and `state` are flat float32 arrays of the logical shape (n_nodes, n_columns, 16), where
n_columns is the number of classes less one: the last class gets what is left. Bit s of `fixed[i]`
says that node i does not change in label set s. `beta` holds the weight of the new estimate in
each lane; a lane that has settled has 0 and keeps its bits. `worst` receives max |F(P) - P| of
each lane over the nodes of the part.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from .lanes import (
    add,
    choose,
    div,
    exponential,
    fma,
    keep,
    lane_kernel,
    larger,
    load,
    magnitude,
    mul,
    pointer,
    splat,
    store,
    sub,
    where_greater,
)
from .neighbor_sums import INSIDE, F, addresses, gather_row, gather_sum
from .packing import LANES

ALL = np.uint16(0xFFFF)
NONE = F(1e-6)  # a likeness to all classes together that counts as none


class Part(NamedTuple):
    """The nodes from `first` to `stop`, which one thread takes."""

    first: int
    stop: int


class Linear(NamedTuple):
    """A linear map of class shares, and whether softmax or division by the sum follows it.

    Attributes
    ----------
    table : ndarray of float32, shape (n_classes, n_classes, 16), flat
    bias : ndarray of float32, shape (n_classes, 16), flat
    softly : bool
    """

    table: Any
    bias: Any
    softly: bool


@njit(**INSIDE)
def softmax(score, n):
    """Turn n lines of scores, logarithms to base 2, into probabilities, in place."""
    top = load(score, 0)
    for c in range(1, n):
        top = larger(top, load(score, c * LANES))
    total = splat(F(0))
    for c in range(n):
        value = exponential(sub(load(score, c * LANES), top))
        total = add(total, value)
        store(score, c * LANES, value)
    for c in range(n):
        store(score, c * LANES, div(load(score, c * LANES), total))


@njit(**INSIDE)
def move(new, old, offset, estimate, n_columns, mask, beta, worst):
    """Write old + beta (estimate - old), and return the larger of `worst` and the step."""
    zero = splat(F(0))
    together = zero
    for k in range(0, n_columns * LANES, LANES):
        p = load(old, offset + k)
        step = choose(mask, zero, sub(load(estimate, k), p))
        together = add(together, step)
        worst = larger(worst, magnitude(step))
        store(new, offset + k, fma(beta, step, p))
    return larger(worst, magnitude(together))


@lane_kernel
def sweep_vote_of_two(new, old, fixed, links, scale, _n_columns, beta, part, worst, ahead):
    """wvRN for two classes: a width that the compiler knows saves work at every link."""
    indptr = pointer(links.indptr)
    indices, weights, calm = addresses(links)
    # addresses from here on: numba would count references to arrays at every line
    new, old, fixed = pointer(new), pointer(old), pointer(fixed)
    scale, zero = pointer(scale), splat(F(0))
    most, rate, b = zero, load(beta, 0), indptr[part.first]
    for i in range(part.first, part.stop):
        a, b = b, indptr[i + 1]
        mask = fixed[i]
        if mask == ALL:
            continue
        total = gather_sum(old, LANES, 0, a, b, indices, weights, calm, ahead)
        p = load(old, i * LANES)
        step = choose(mask, zero, sub(mul(total, splat(scale[i])), p))
        most = larger(most, magnitude(step))
        store(new, i * LANES, fma(rate, step, p))
    store(worst, 0, most)


@lane_kernel
def sweep_vote(new, old, fixed, links, scale, n_columns, beta, part, worst, ahead):
    """wvRN: F is the weighted mean of the neighbors; `scale` is 1 / the sum of the weights."""
    width, indptr = n_columns * LANES, pointer(links.indptr)
    indices, weights, calm = addresses(links)
    new, old, fixed = pointer(new), pointer(old), pointer(fixed)
    scale, zero = pointer(scale), splat(F(0))
    most, rate = zero, load(beta, 0)
    scratch = np.empty(width, dtype=np.float32)
    total = pointer(scratch)
    for i in range(part.first, part.stop):
        mask = fixed[i]
        if mask == ALL:
            continue
        a, b = indptr[i], indptr[i + 1]
        gather_row(total, old, width, a, b, None, indices, weights, calm, ahead)
        together = zero
        for column in range(0, width, LANES):
            p = load(old, i * width + column)
            step = choose(mask, zero, sub(mul(load(total, column), splat(scale[i])), p))
            together = add(together, step)
            most = larger(most, magnitude(step))
            store(new, i * width + column, fma(rate, step, p))
        most = larger(most, magnitude(together))
    store(worst, 0, most)
    keep(scratch)


@njit(**INSIDE)
def apply_map(share, score, table, bias, n_classes, softly):
    """Apply a linear map to class shares, then softmax (nLB) or division by the sum (cdRN).

    `bias` is added before the softmax; without it, lanes in which the sum is at most `NONE` get
    `bias`: the share of the last class is what the others leave, which rounding makes of nothing.
    """
    total = splat(F(0))
    for c in range(n_classes):
        value = load(bias, c * LANES) if softly else splat(F(0))
        for k in range(n_classes):
            factor = load(table, (c * n_classes + k) * LANES)
            value = fma(load(share, k * LANES), factor, value)
        total = add(total, value)
        store(score, c * LANES, value)
    if softly:
        softmax(score, n_classes)
        return
    for c in range(0, n_classes * LANES, LANES):
        value = div(load(score, c), total)
        store(score, c, where_greater(total, splat(NONE), value, load(bias, c)))


@lane_kernel
def sweep_map(new, old, fixed, links, scale, linear, n_columns, beta, part, worst, ahead):
    """nLB and cdRN: F is a map of the weighted mean of the neighbors."""
    width, indptr = n_columns * LANES, pointer(links.indptr)
    indices, weights, calm = addresses(links)
    new, old, fixed = pointer(new), pointer(old), pointer(fixed)
    scale = pointer(scale)
    most, rate = splat(F(0)), load(beta, 0)
    scratch = np.empty((2, width + LANES), dtype=np.float32)
    share, score = pointer(scratch[0]), pointer(scratch[1])
    for i in range(part.first, part.stop):
        mask = fixed[i]
        if mask == ALL:
            continue
        a, b = indptr[i], indptr[i + 1]
        gather_row(share, old, width, a, b, None, indices, weights, calm, ahead)
        rest = splat(F(1))
        for column in range(0, width, LANES):
            mean = mul(load(share, column), splat(scale[i]))
            rest = sub(rest, mean)
            store(share, column, mean)
        store(share, width, larger(rest, splat(F(0))))
        apply_map(share, score, linear.table, linear.bias, n_columns + 1, linear.softly)
        most = move(new, old, i * width, score, n_columns, mask, rate, most)
    store(worst, 0, most)
    keep(scratch)
