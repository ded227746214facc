"""One sweep of relaxation labeling with nBC for 16 label sets at once.

The odds of class c against the last class are its prior odds times one factor per neighbor j,
E_jc / E_j,last with E_jc = sum_l P_j(l) P(l | c). `factors` holds these, one line per node and
class but the last. The sweep writes P itself in place; after the sweep the factors are made anew.
The factors are multiplied, powers of two kept apart: neither logarithms nor exponentials are
needed. With link weights, which are exponents here, `factors` holds logarithms to base 2 instead.

`table` holds P(l | c), in the logical shape (n_classes, n_classes, 16) with [c, l]. All else is as
in `relaxation`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from .lanes import (
    add,
    choose,
    div,
    exponent,
    exponential,
    fma,
    keep,
    lane_kernel,
    larger,
    load,
    logarithm,
    magnitude,
    mantissa,
    mul,
    pointer,
    power_of_two,
    smaller,
    splat,
    store,
    sub,
    where_greater,
)
from .neighbor_sums import (
    INSIDE,
    F,
    addresses,
    at_once,
    by_columns,
    gather_row,
    gather_sum,
    gatherer,
)
from .packing import LANES
from .relaxation import ALL, move, softmax

LOWEST = -1e9  # an exponent that no product reaches


class Prior(NamedTuple):
    """What a node's evidence is multiplied by, and how many factors a product may have.

    Attributes
    ----------
    odds : ndarray of float32
        For two classes a line with the prior odds of class 0, or their logarithm where links have
        weights; for more one line per class with its prior, or the logarithm to base 2.
    stride : int
        Up to so many factors have a product within float32.
    """

    odds: Any
    stride: int


class Powers(NamedTuple):
    """Where the exponents of products go, and how many factors a product may have."""

    lines: Any
    stride: int


@njit(**INSIDE)
def rest_of(proba, offset, width):
    """P(last class) of a node."""
    rest = splat(F(1))
    for k in range(0, width, LANES):
        rest = sub(rest, load(proba, offset + k))
    return larger(rest, splat(F(0)))


@njit(**INSIDE)
def factor_of(above, below, weights):
    """Return the factor, or its logarithm where links weigh."""
    factor = div(above, below)
    if weights is not None:
        factor = logarithm(factor)
    return factor


@lane_kernel
def make_odds(factors, proba, weights, table, _n_columns, first, stop):
    """Make the factors of the nodes from first to stop for two classes, as `make_factors`."""
    factors, proba, table = pointer(factors), pointer(proba), pointer(table)
    a0, a1 = load(table, 0), load(table, LANES)
    b0, b1 = load(table, 2 * LANES), load(table, 3 * LANES)
    for place in range(first * LANES, stop * LANES, LANES):
        p = load(proba, place)
        rest = rest_of(proba, place, LANES)
        above, below = fma(p, a0, mul(rest, a1)), fma(p, b0, mul(rest, b1))
        store(factors, place, factor_of(above, below, weights))


@lane_kernel
def make_factors(factors, proba, weights, table, n_columns, first, stop):
    """Make the factors of the nodes from first to stop; their logarithms where links weigh."""
    factors, proba, table = pointer(factors), pointer(proba), pointer(table)
    width, row = n_columns * LANES, (n_columns + 1) * LANES
    one = splat(F(1))
    last = (stop - 1) * width
    for offset in range(first * width, stop * width, 4 * width):
        # four nodes share each read of the table, which may be larger than the caches
        o0, o1 = offset, min(offset + width, last)
        o2, o3 = min(offset + 2 * width, last), min(offset + 3 * width, last)
        r0, r1 = rest_of(proba, o0, width), rest_of(proba, o1, width)
        r2, r3 = rest_of(proba, o2, width), rest_of(proba, o3, width)
        b0, b1, b2, b3 = one, one, one, one
        for c in range(n_columns, -1, -1):
            t = load(table, c * row + width)
            e0, e1, e2, e3 = mul(r0, t), mul(r1, t), mul(r2, t), mul(r3, t)
            for k in range(0, width, LANES):
                t = load(table, c * row + k)
                e0, e1 = fma(load(proba, o0 + k), t, e0), fma(load(proba, o1 + k), t, e1)
                e2, e3 = fma(load(proba, o2 + k), t, e2), fma(load(proba, o3 + k), t, e3)
            if c == n_columns:
                b0, b1, b2, b3 = e0, e1, e2, e3
                continue
            k = c * LANES
            store(factors, o0 + k, factor_of(e0, b0, weights))
            store(factors, o1 + k, factor_of(e1, b1, weights))
            store(factors, o2 + k, factor_of(e2, b2, weights))
            store(factors, o3 + k, factor_of(e3, b3, weights))


def _products(columns: int) -> tuple[Any, Any]:
    """Return loops that multiply lines: within the range of float32, and any number of them."""
    multiply = gatherer(mul, 1.0, columns)

    @njit(**INSIDE)
    def long_product(state, width, column, link, stop, stride, indices, weights, calm, ahead):
        fraction, power = splat(F(1), columns), splat(F(0), columns)
        while link < stop:
            end = min(link + stride, stop)
            # as in `long_sum`
            if ahead is None:
                part = multiply(state, width, column, link, end, indices, weights, None)
            elif calm is None:  # noqa: SIM114
                part = multiply(state, width, column, link, end, indices, weights, ahead)
            elif end <= calm:
                part = multiply(state, width, column, link, end, indices, weights, ahead)
            else:
                part = multiply(state, width, column, link, end, indices, weights, None)
            product = mul(fraction, part)
            power = add(power, exponent(product))
            fraction = mantissa(product)
            link = end
        return fraction, power

    return multiply, long_product


multiply, long_product = _products(1)


@by_columns
def multiply_row(columns: int) -> Any:
    """Write the products of the neighbors' rows: mantissas to `out`, exponents to `other.lines`."""
    _, long_product = _products(columns)

    @njit(**INSIDE)
    def products(out, state, width, column, link, stop, other, indices, weights, calm, ahead):
        fraction, power = long_product(
            state, width, column, link, stop, other.stride, indices, weights, calm, ahead
        )
        store(out, column, fraction)
        store(other.lines, column, power)

    return products


@njit(**INSIDE)
def scaled(fraction, power):
    """Return fraction 2^power, the power bounded to -125 and 125."""
    bounded = larger(smaller(power, splat(F(125))), splat(F(-125)))
    return mul(fraction, power_of_two(bounded))


@njit(**INSIDE)
def binary_estimate(state, prior, stride, link, stop, indices, weights, calm, ahead):
    """P(class 0), from the odds; `prior` is the prior odds, or their logarithm with weights."""
    one = splat(F(1))
    if weights is not None:
        score = gather_sum(state, LANES, 0, link, stop, indices, weights, calm, ahead)
        return div(one, add(one, exponential(sub(splat(F(0)), add(score, prior)))))
    if at_once(link, stop, stride, calm, ahead):
        odds = multiply(state, LANES, 0, link, stop, indices, None, ahead)
    else:
        fraction, power = long_product(
            state, LANES, 0, link, stop, stride, indices, None, calm, ahead
        )
        odds = scaled(fraction, power)
    odds = smaller(mul(odds, prior), splat(F(2.0**125)))  # infinite where only class 0 was seen
    return div(odds, add(one, odds))


@njit(**INSIDE)
def estimate(state, width, prior, stride, score, powers, link, stop, indices, weights, calm, ahead):
    """Write the class probabilities of a node to `score`."""
    if weights is not None:
        gather_row(score, state, width, link, stop, None, indices, weights, calm, ahead)
        for k in range(0, width, LANES):
            store(score, k, add(load(score, k), load(prior, k)))
        store(score, width, load(prior, width))
        softmax(score, width // LANES + 1)
        return
    zero, never = splat(F(0)), splat(F(LOWEST))
    top = where_greater(load(prior, width), zero, zero, never)
    store(powers, width, top)
    store(score, width, load(prior, width))
    other = Powers(powers, stride)
    multiply_row(score, state, width, link, stop, other, indices, None, calm, ahead)
    for k in range(0, width, LANES):
        power = where_greater(load(prior, k), zero, load(powers, k), never)
        top = larger(top, power)
        store(powers, k, power)
        store(score, k, mul(load(score, k), load(prior, k)))
    total = zero
    for k in range(0, width + LANES, LANES):
        value = scaled(load(score, k), sub(load(powers, k), top))
        total = add(total, value)
        store(score, k, value)
    for k in range(0, width, LANES):
        store(score, k, div(load(score, k), total))


@lane_kernel
def sweep_odds(proba, factors, fixed, links, prior, _n_columns, beta, part, worst, ahead):
    """Move P of two classes, in place, as `sweep_bayes`."""
    indptr = pointer(links.indptr)
    indices, weights, calm = addresses(links)
    proba, factors, fixed = pointer(proba), pointer(factors), pointer(fixed)
    zero = splat(F(0))
    most, rate, odds = zero, load(beta, 0), load(prior.odds, 0)
    for i in range(part.first, part.stop):
        mask = fixed[i]
        if mask == ALL:
            continue
        a, b = indptr[i], indptr[i + 1]
        guess = binary_estimate(factors, odds, prior.stride, a, b, indices, weights, calm, ahead)
        p = load(proba, i * LANES)
        step = choose(mask, zero, sub(guess, p))
        most = larger(most, magnitude(step))
        store(proba, i * LANES, fma(rate, step, p))
    store(worst, 0, most)


@lane_kernel
def sweep_bayes(proba, factors, fixed, links, prior, n_columns, beta, part, worst, ahead):
    """Move P, in place, toward what the factors of the neighbors say."""
    width, indptr = n_columns * LANES, pointer(links.indptr)
    indices, weights, calm = addresses(links)
    scratch = np.empty((2, width + LANES), dtype=np.float32)
    score, powers = pointer(scratch[0]), pointer(scratch[1])
    odds = pointer(prior.odds)
    proba, factors, fixed = pointer(proba), pointer(factors), pointer(fixed)
    most, rate = splat(F(0)), load(beta, 0)
    for i in range(part.first, part.stop):
        mask = fixed[i]
        if mask != ALL:
            a, b = indptr[i], indptr[i + 1]
            estimate(
                factors, width, odds, prior.stride, score, powers,
                a, b, indices, weights, calm, ahead,
            )  # fmt: skip
            most = move(proba, proba, i * width, score, n_columns, mask, rate, most)
    store(worst, 0, most)
    keep(scratch)
