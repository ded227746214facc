"""One sweep of relaxation labelling for 16 label sets at once.

`proba` and `state` are flat float32 arrays of the logical shape (n_nodes, n_columns, 16), where
n_columns is the number of classes less one: the last class gets what is left. Bit s of `fixed[i]`
says that node i does not change in label set s. `beta` holds the weight of the new estimate in
each lane; a lane that has settled has 0 and keeps its bits. `worst` receives max |F(P) - P| of
each lane over the nodes from `first` to `stop`.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from .lanes import (
    VECTORS,
    add,
    choose,
    div,
    exponential,
    fma,
    larger,
    load,
    logarithm,
    magnitude,
    mul,
    prefetch,
    splat,
    store,
    sub,
    where_greater,
    whole,
)  # fmt: skip

BLOCK = 256  # links added up apart, so that hubs lose no digits
LANES = 16
TOGETHER = 32
ALL = np.uint16(0xFFFF)
F = np.float32
INSIDE = {"forceinline": True, "error_model": "numpy"}  # a call would pass vectors through memory
OPTIONS = {"nogil": True, "cache": VECTORS, "error_model": "numpy"}


@njit(**INSIDE)
def line_of(state, width, column, indices, weights, link):
    """Read the line at the end of a link, times the link's weight where there is one."""
    line = load(state, whole(indices, link) * width + column)
    if weights is not None:
        line = mul(splat(F(weights[link])), line)
    return line


@njit(**INSIDE)
def gather(state, width, column, indices, weights, first, stop, ahead):
    """Add up the lines of a node's neighbours, times the link weights where there are any.

    Lines are asked for `ahead` links before their use; 0 where all lines fit into the cache.
    """
    last = indices.size - 1
    total = splat(F(0))
    while first < stop:
        end = min(first + BLOCK, stop)
        even, odd = splat(F(0)), splat(F(0))  # two sums, since an addition takes its time
        for link in range(first, end - 1, 2):
            if ahead:
                prefetch(state, whole(indices, min(link + ahead, last)) * width + column)
                prefetch(state, whole(indices, min(link + ahead + 1, last)) * width + column)
            even = add(even, line_of(state, width, column, indices, weights, link))
            odd = add(odd, line_of(state, width, column, indices, weights, link + 1))
        if (end - first) % 2:
            even = add(even, line_of(state, width, column, indices, weights, end - 1))
        total = add(total, add(even, odd))
        first = end
    return total


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
    """Write old + beta (estimate - old), and give the larger of `worst` and the step."""
    zero = splat(F(0))
    together = zero
    for k in range(0, n_columns * LANES, LANES):
        p = load(old, offset + k)
        step = choose(mask, zero, sub(load(estimate, k), p))
        together = add(together, step)
        worst = larger(worst, magnitude(step))
        store(new, offset + k, fma(beta, step, p))
    return larger(worst, magnitude(together))


@njit(**OPTIONS)
def sweep_vote(
    new, old, fixed, indptr, indices, weights, scale, n_columns, beta, first, stop, worst, ahead
):
    """wvRN: F is the weighted mean of the neighbours; `scale` is 1 / the sum of the weights."""
    width = n_columns * LANES
    zero = splat(F(0))
    most, rate = zero, load(beta, 0)
    for i in range(first, stop):
        mask = fixed[i]
        if mask == ALL:
            continue
        together = zero
        for column in range(0, width, LANES):
            total = gather(old, width, column, indices, weights, indptr[i], indptr[i + 1], ahead)
            p = load(old, i * width + column)
            step = choose(mask, zero, sub(mul(total, splat(scale[i])), p))
            together = add(together, step)
            most = larger(most, magnitude(step))
            store(new, i * width + column, fma(rate, step, p))
        most = larger(most, magnitude(together))
    store(worst, 0, most)


@njit(**INSIDE)
def log_factors(state, proba, offset, table, n_columns):
    """Write log2(E_c / E_last) of a node, where E_c = sum_l P(l) P(l | c).

    `table` holds P(l | c), in the logical shape (n_classes, n_classes, 16) with [c, l].
    """
    row = (n_columns + 1) * LANES
    rest = splat(F(1))
    for k in range(n_columns):
        rest = sub(rest, load(proba, offset + k * LANES))
    rest = larger(rest, splat(F(0)))
    below = splat(F(1))
    for c in range(n_columns, -1, -1):
        expected = mul(rest, load(table, c * row + n_columns * LANES))
        for k in range(n_columns):
            factor = load(table, c * row + k * LANES)
            expected = fma(load(proba, offset + k * LANES), factor, expected)
        if c == n_columns:
            below = expected
        else:
            store(state, offset + c * LANES, logarithm(div(expected, below)))


@njit(**OPTIONS)
def start_bayes(state, proba, table, n_columns, first, stop):
    """nBC: make the log odds factors of the first probabilities."""
    for i in range(first, stop):
        log_factors(state, proba, i * n_columns * LANES, table, n_columns)


@njit(**INSIDE)
def gather_some(state, fixed, indptr, indices, weights, width, first, stop, total, who, ahead):
    """Gather for the nodes that may change, one after the other; give how many there are."""
    count = 0
    for i in range(first, stop):
        if fixed[i] != ALL:
            for column in range(0, width, LANES):
                line = gather(
                    state, width, column, indices, weights, indptr[i], indptr[i + 1], ahead
                )
                store(total, count * width + column, line)
            who[count] = i
            count += 1
    return count


@njit(**OPTIONS)
def sweep_bayes(
    new, old, proba, fixed, indptr, indices, weights, log_prior, table, n_columns, beta,
    first, stop, worst, ahead,
):  # fmt: skip
    """nBC: log odds factors are gathered from `old` and written to `new`, `proba` in place."""
    width = n_columns * LANES
    one = splat(F(1))
    most, rate = splat(F(0)), load(beta, 0)
    # gathering first keeps the long chains of exp and log of different nodes independent
    totals = np.empty(TOGETHER * width, dtype=np.float32)
    who = np.empty(TOGETHER, dtype=np.int64)
    score = np.empty(width + LANES, dtype=np.float32)
    for begin in range(first, stop, TOGETHER):
        end = min(begin + TOGETHER, stop)
        count = gather_some(
            old, fixed, indptr, indices, weights, width, begin, end, totals, who, ahead
        )
        for q in range(count):
            i = who[q]
            if n_columns == 1:
                # the binary case in registers
                total = add(
                    load(totals, q * LANES), sub(load(log_prior, 0), load(log_prior, LANES))
                )
                estimate = div(one, add(one, exponential(sub(splat(F(0)), total))))
                p = load(proba, i * LANES)
                step = choose(fixed[i], splat(F(0)), sub(estimate, p))
                most = larger(most, magnitude(step))
                p = fma(rate, step, p)
                store(proba, i * LANES, p)
                rest = sub(one, p)
                above = fma(p, load(table, 0), mul(rest, load(table, LANES)))
                below = fma(p, load(table, 2 * LANES), mul(rest, load(table, 3 * LANES)))
                store(new, i * LANES, logarithm(div(above, below)))
                continue
            for column in range(0, width, LANES):
                store(score, column, add(load(totals, q * width + column), load(log_prior, column)))
            store(score, width, load(log_prior, width))
            softmax(score, n_columns + 1)
            most = move(proba, proba, i * width, score, n_columns, fixed[i], rate, most)
            log_factors(new, proba, i * width, table, n_columns)
    store(worst, 0, most)


@njit(**INSIDE)
def apply_map(share, score, table, bias, n_classes, softly):
    """Apply a linear map to class shares, then softmax (nLB) or division by the sum (cdRN).

    `bias` is added before the softmax; without it, lanes in which the sum is 0 get `bias`.
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
        store(score, c, where_greater(total, splat(F(0)), value, load(bias, c)))


@njit(**OPTIONS)
def sweep_map(
    new, old, fixed, indptr, indices, weights, scale, table, bias, softly, n_columns,
    beta, first, stop, worst, ahead,
):  # fmt: skip
    """nLB and cdRN: F is a map of the weighted mean of the neighbours."""
    width = n_columns * LANES
    most, rate = splat(F(0)), load(beta, 0)
    share = np.empty(width + LANES, dtype=np.float32)
    score = np.empty(width + LANES, dtype=np.float32)
    for i in range(first, stop):
        mask = fixed[i]
        if mask == ALL:
            continue
        rest = splat(F(1))
        for column in range(0, width, LANES):
            total = gather(old, width, column, indices, weights, indptr[i], indptr[i + 1], ahead)
            mean = mul(total, splat(scale[i]))
            rest = sub(rest, mean)
            store(share, column, mean)
        store(share, width, larger(rest, splat(F(0))))
        apply_map(share, score, table, bias, n_columns + 1, softly)
        most = move(new, old, i * width, score, n_columns, mask, rate, most)
    store(worst, 0, most)


@njit(**OPTIONS)
def settle(worst, tolerance, sweep, active, iterations, residual):
    """Note the sweep in the lanes still at work; give whether any goes on."""
    going = False
    for lane in range(LANES):
        if active[lane] > 0:
            iterations[lane] = sweep + 1
            residual[lane] = worst[lane]
            if worst[lane] < tolerance:
                active[lane] = 0
            else:
                going = True
    return going


@njit(**OPTIONS)
def run_vote(
    new, old, fixed, indptr, indices, weights, scale, n_columns, schedule, tolerance,
    active, iterations, residual,
):  # fmt: skip
    """All sweeps of wvRN on a small graph; gives whether the result is in `new`."""
    worst = np.empty(LANES, dtype=np.float32)
    for sweep in range(schedule.size):
        sweep_vote(new, old, fixed, indptr, indices, weights, scale, n_columns,
                   schedule[sweep] * active, 0, fixed.size, worst, 0)  # fmt: skip
        new, old = old, new
        if not settle(worst, tolerance, sweep, active, iterations, residual):
            return sweep % 2 == 0
    return schedule.size % 2 == 1


@njit(**OPTIONS)
def run_bayes(
    new, old, proba, fixed, indptr, indices, weights, log_prior, table, n_columns, schedule,
    tolerance, active, iterations, residual,
):  # fmt: skip
    """All sweeps of nBC on a small graph; the result is in `proba`."""
    worst = np.empty(LANES, dtype=np.float32)
    for sweep in range(schedule.size):
        sweep_bayes(new, old, proba, fixed, indptr, indices, weights, log_prior, table,
                    n_columns, schedule[sweep] * active, 0, fixed.size, worst, 0)  # fmt: skip
        new, old = old, new
        if not settle(worst, tolerance, sweep, active, iterations, residual):
            return


@njit(**OPTIONS)
def run_map(
    new, old, fixed, indptr, indices, weights, scale, table, bias, softly, n_columns,
    schedule, tolerance, active, iterations, residual,
):  # fmt: skip
    """All sweeps of nLB or cdRN on a small graph; gives whether the result is in `new`."""
    worst = np.empty(LANES, dtype=np.float32)
    for sweep in range(schedule.size):
        sweep_map(new, old, fixed, indptr, indices, weights, scale, table, bias, softly,
                  n_columns, schedule[sweep] * active, 0, fixed.size, worst, 0)  # fmt: skip
        new, old = old, new
        if not settle(worst, tolerance, sweep, active, iterations, residual):
            return sweep % 2 == 0
    return schedule.size % 2 == 1
