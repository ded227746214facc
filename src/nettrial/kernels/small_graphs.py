"""wvRN and nBC with relaxation labelling on small graphs, sixteen splits at a time.

The definitions are those of `nettrial.models`. A graph is compressed rows, `indices` of node i
being `indices[indptr[i]:indptr[i + 1]]`, where a neighbour may occur twice; `weights` has no
entries where every link weighs 1. Class probabilities lie in lines of sixteen splits: line
``i * (n_classes - 1) + c - 1`` holds P(class c) of node i; class 0 has the rest. Sets of splits
are the bits of a 16-bit word for each node.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from .lanes_small import (
    WIDTH,
    add,
    at_least,
    choose,
    div,
    exp2_fraction,
    exponent,
    fill,
    largest,
    load,
    log2,
    mantissa,
    mul,
    power_of_two,
    store,
    sub,
    whole_part,
)
from .streams import below

ALL = np.uint16(0xFFFF)
NONE = np.uint16(0)
WVRN, NBC = 0, 1
TIED = np.float32(1e-6)  # as in nettrial.models.decide
NEVER = np.float32(1e6)  # a binary exponent that no evidence outweighs
RENORMALISE = 4  # factors between two looks at the exponent; each is within 2^-30 to 2^30
SMALLEST, GREATEST = np.float32(2.0**-30), np.float32(2.0**30)


@njit(cache=True)
def draw_training(pool, n_train, n_splits, state, order, train):
    """Draw up to sixteen training sets of `n_train` nodes of `pool`; sets the bits of `train`."""
    train[:] = NONE
    size = pool.size
    drawn = min(n_train, size - n_train)
    for split in range(n_splits):
        bit = np.uint16(1 << split)
        for place in range(drawn):
            other = place + below(state, size - place)
            order[place], order[other] = order[other], order[place]
            train[pool[order[place]]] |= bit
        if drawn < n_train:
            for node in pool:
                train[node] ^= bit


@njit(cache=True)
def spread(indptr, indices, reached):
    """Add to `reached` every split in which a chain of links leads to a reached node."""
    n = indptr.size - 1
    changed = True
    while changed:
        changed = False
        for step in range(2 * n):
            i = step if step < n else 2 * n - 1 - step
            bits = reached[i]
            if bits != ALL:
                for e in range(indptr[i], indptr[i + 1]):
                    bits |= reached[indices[e]]
                if bits != reached[i]:
                    reached[i] = bits
                    changed = True


@njit(cache=True)
def class_shares(labels, n_classes, train, prior):
    """Give the share of each class among the training nodes: a line a class."""
    one = fill(np.float32(1.0))
    total = fill(np.float32(0.0))
    for c in range(n_classes):
        store(prior, c, total)
    for i in range(labels.size):
        if train[i] != NONE:
            c = labels[i]
            store(prior, c, choose(train[i], add(load(prior, c), one), load(prior, c)))
            total = choose(train[i], add(total, one), total)
    total = largest(total, one)
    for c in range(n_classes):
        store(prior, c, div(load(prior, c), total))


@njit(cache=True)
def start(labels, n_classes, train, prior, proba):
    """Set the first probabilities: labels where the split knows them, else its class shares."""
    zero, one = fill(np.float32(0.0)), fill(np.float32(1.0))
    width = n_classes - 1
    for i in range(labels.size):
        for c in range(1, n_classes):
            known = one if labels[i] == c else zero
            store(proba, i * width + c - 1, choose(train[i], known, load(prior, c)))


@njit(cache=True)
def learn_table(indptr, indices, weights, labels, n_classes, train, smoothing, table):
    """Learn P(neighbour has class l | own class c), line ``c * n_classes + l``."""
    for line in range(n_classes * n_classes):
        store(table, line, fill(np.float32(smoothing)))
    for i in range(labels.size):
        if train[i] == NONE:
            continue
        for e in range(indptr[i], indptr[i + 1]):
            both = train[i] & train[indices[e]]
            if both != NONE:
                line = labels[i] * n_classes + labels[indices[e]]
                weight = fill(np.float32(weights[e]) if weights.size else np.float32(1.0))
                before = load(table, line)
                store(table, line, choose(both, add(before, weight), before))
    for c in range(n_classes):
        total = fill(np.float32(0.0))
        for other in range(n_classes):
            total = add(total, load(table, c * n_classes + other))
        for other in range(n_classes):
            line = c * n_classes + other
            store(table, line, div(load(table, line), total))


@njit(cache=True)
def relax_wvrn(indptr, indices, weights, width, fixed, betas, proba, spare):
    """Relax wvRN; `proba` and `spare` both hold the start, and the one returned the result."""
    n = indptr.size - 1
    share = np.empty(n, dtype=np.float32)
    for i in range(n):
        total = 0.0
        for e in range(indptr[i], indptr[i + 1]):
            total += weights[e] if weights.size else 1.0
        share[i] = np.float32(1.0 / total) if total > 0 else np.float32(0.0)
    for step in range(betas.size):
        if betas[step] == 0:
            break
        beta = fill(betas[step])
        for i in range(n):
            if fixed[i] == ALL:
                continue
            for c in range(width):
                total = fill(np.float32(0.0))
                if weights.size:
                    for e in range(indptr[i], indptr[i + 1]):
                        said = load(proba, indices[e] * width + c)
                        total = add(total, mul(said, fill(np.float32(weights[e]))))
                else:
                    for e in range(indptr[i], indptr[i + 1]):
                        total = add(total, load(proba, indices[e] * width + c))
                old = load(proba, i * width + c)
                new = add(old, mul(beta, sub(mul(total, fill(share[i])), old)))
                store(spare, i * width + c, choose(fixed[i], old, new))
        proba, spare = spare, proba
    return proba


@njit(cache=True)
def nbc_factors(proba, n_classes, table, logs, factors):
    """Say by how much each node, as a neighbour, speaks for class c against class 0."""
    width = n_classes - 1
    low, high = fill(SMALLEST), fill(GREATEST)
    for j in range(proba.size // (WIDTH * width)):
        rest = fill(np.float32(1.0))
        for c in range(width):
            rest = sub(rest, load(proba, j * width + c))
        rest = largest(rest, fill(np.float32(0.0)))
        base = mul(rest, load(table, 0))
        for other in range(1, n_classes):
            base = add(base, mul(load(proba, j * width + other - 1), load(table, other)))
        for c in range(1, n_classes):
            line = c * n_classes
            odds = mul(rest, load(table, line))
            for other in range(1, n_classes):
                said = load(proba, j * width + other - 1)
                odds = add(odds, mul(said, load(table, line + other)))
            odds = largest(div(odds, base), low)
            odds = choose(at_least(odds, high), high, odds)
            store(factors, j * width + c - 1, log2(odds) if logs else odds)


@njit(inline="always")
def _product(first, last, indices, width, c, factors, m, e):
    """Multiply m 2^e by the factors of the neighbours; gives mantissa and exponent."""
    at = first
    while at + RENORMALISE <= last:
        f0 = load(factors, indices[at] * width + c)
        f1 = load(factors, indices[at + 1] * width + c)
        f2 = load(factors, indices[at + 2] * width + c)
        f3 = load(factors, indices[at + 3] * width + c)
        m = mul(m, mul(mul(f0, f1), mul(f2, f3)))
        e = add(e, exponent(m))
        m = mantissa(m)
        at += RENORMALISE
    while at < last:
        m = mul(m, load(factors, indices[at] * width + c))
        at += 1
    return mantissa(m), add(e, exponent(m))


@njit(cache=True)
def relax_nbc(indptr, indices, weights, n_classes, fixed, betas, prior, table, proba, spare):
    """Relax nBC; `proba` and `spare` both hold the start, and the one returned the result."""
    n, width = indptr.size - 1, n_classes - 1
    factors = np.empty_like(proba)
    head = np.empty(2 * width * WIDTH, dtype=np.float32)  # the prior odds: mantissa, exponent
    score = np.empty_like(head)
    _prior_odds(prior, width, head)
    for step in range(betas.size):
        if betas[step] == 0:
            break
        beta = fill(betas[step])
        nbc_factors(proba, n_classes, table, weights.size > 0, factors)
        for i in range(n):
            if fixed[i] == ALL:
                continue
            top = fill(np.float32(0.0))
            for c in range(width):
                m, e = load(head, 2 * c), load(head, 2 * c + 1)
                if weights.size:
                    power = fill(np.float32(0.0))
                    for at in range(indptr[i], indptr[i + 1]):
                        said = load(factors, indices[at] * width + c)
                        power = add(power, mul(said, fill(np.float32(weights[at]))))
                    whole = whole_part(power)
                    m = mul(m, exp2_fraction(sub(power, whole)))
                    e = add(add(e, whole), exponent(m))
                    m = mantissa(m)
                else:
                    m, e = _product(indptr[i], indptr[i + 1], indices, width, c, factors, m, e)
                store(score, 2 * c, m)
                store(score, 2 * c + 1, e)
                top = largest(top, e)
            total = power_of_two(sub(fill(np.float32(0.0)), top))
            for c in range(width):
                odds = mul(load(score, 2 * c), power_of_two(sub(load(score, 2 * c + 1), top)))
                store(score, 2 * c, odds)
                total = add(total, odds)
            for c in range(width):
                old = load(proba, i * width + c)
                new = add(old, mul(beta, sub(div(load(score, 2 * c), total), old)))
                store(spare, i * width + c, choose(fixed[i], old, new))
        proba, spare = spare, proba
    return proba


@njit(cache=True)
def _prior_odds(prior, width, head):
    """Split P(c)/P(0) into mantissa and exponent; a class without training nodes never wins."""
    for c in range(width):
        for lane in range(WIDTH):
            own, base = prior[(c + 1) * WIDTH + lane], prior[lane]
            m, e = np.float32(1.0), np.float32(0.0)
            if own > 0 and base > 0:
                m = own / base
            elif own > 0:
                m, e = own, NEVER
            elif base > 0:
                e = -NEVER
            head[2 * c * WIDTH + lane] = m
            head[(2 * c + 1) * WIDTH + lane] = e


@njit(cache=True)
def wrong_predictions(proba, labels, n_classes, test, wrong):
    """Mark, for each node, the splits that test it and predict another class than its own.

    Among classes within 1e-6 of the most probable one the first is predicted.
    """
    width = n_classes - 1
    for i in range(labels.size):
        if test[i] == NONE:
            wrong[i] = NONE
            continue
        rest = fill(np.float32(1.0))
        for c in range(width):
            rest = sub(rest, load(proba, i * width + c))
        best = rest
        for c in range(width):
            best = largest(best, load(proba, i * width + c))
        best = sub(best, fill(TIED))
        taken = at_least(rest, best)
        right = taken if labels[i] == 0 else NONE
        for c in range(width):
            near = at_least(load(proba, i * width + c), best) & ~taken
            if labels[i] == c + 1:
                right = near
            taken |= near
        wrong[i] = test[i] & ~right


@njit(cache=True)
def infer(
    indptr, indices, weights, labels, n_classes, train, fixed, prior, kind, smoothing, betas,
    first, second,
):  # fmt: skip
    """Train one model and relax; gives the one of the two arrays that holds the result."""
    start(labels, n_classes, train, prior, first)
    second[:] = first
    if kind == WVRN:
        return relax_wvrn(indptr, indices, weights, n_classes - 1, fixed, betas, first, second)
    table = np.empty(n_classes * n_classes * WIDTH, dtype=np.float32)
    learn_table(indptr, indices, weights, labels, n_classes, train, smoothing, table)
    return relax_nbc(indptr, indices, weights, n_classes, fixed, betas, prior, table, first, second)


@njit(cache=True)
def run_splits(
    indptr, indices, weights, labels, n_classes, train, test, kinds, smoothing, betas, wrong
):
    """Run both models on up to sixteen splits.

    Parameters
    ----------
    indptr, indices, weights : ndarray
        The graph.
    labels : ndarray of int32, shape (n,)
        Class codes; -1 where the label is missing, and no split trains or tests.
    n_classes : int
        At least 2.
    train, test : ndarray of uint16, shape (n,)
        Bit s of a node: split s trains, or tests, it.
    kinds : ndarray of int, shape (2,)
        WVRN or NBC.
    smoothing : ndarray of float, shape (2,)
        Above 0 for NBC.
    betas : ndarray of float32, shape (2, iterations)
        Weight of the new probabilities in each sweep; a zero ends the sweeps.
    wrong : ndarray of uint16, shape (2, n)
        Set here: the splits that test the node and get it wrong, for each model.
    """
    n = labels.size
    prior = np.empty(n_classes * WIDTH, dtype=np.float32)
    class_shares(labels, n_classes, train, prior)
    fixed = train.copy()
    spread(indptr, indices, fixed)
    for i in range(n):
        fixed[i] = train[i] | ~fixed[i]
    first = np.empty(n * (n_classes - 1) * WIDTH, dtype=np.float32)
    second = np.empty_like(first)
    for model in range(2):
        proba = infer(
            indptr, indices, weights, labels, n_classes, train, fixed, prior, kinds[model],
            smoothing[model], betas[model], first, second,
        )  # fmt: skip
        wrong_predictions(proba, labels, n_classes, test, wrong[model])
