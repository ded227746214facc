"""wvRN and nBC with relaxation labelling on small graphs, sixteen splits at a time.

The definitions are those of `nettrial.models`. Nodes are numbered by `Graph.order`. Class
probabilities lie in lines of sixteen splits: line ``(c - 1) * n + i`` holds P(class c) of node i;
class 0 has the rest. `fixed` marks the splits in which a node keeps its probabilities.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from .lanes import (
    add,
    at_least,
    choose,
    div,
    exponent,
    exponential,
    fma,
    larger,
    load,
    logarithm,
    mantissa,
    mul,
    power_of_two,
    smaller,
    splat,
    store,
    sub,
    whole,
)  # fmt: skip
from .small_graphs import NONE, OPTIONS, WIDTH, lines, spread

WVRN, NBC = 0, 1
F = np.float32
TIED = F(1e-6)  # as in nettrial.models.decide
NEVER = F(1e6)  # a binary logarithm that no evidence outweighs
SMALLEST = F(2.0**-30)  # of a learned probability, so that a factor is within 2^-30 to 2^30
ROOM = F(60.0)  # binary logarithm of the largest product that is taken without a look at it
CERTAIN = F(2.0**40)  # odds that float32 does not tell from certainty
INSIDE = {"forceinline": True, "error_model": "numpy"}  # a call would pass vectors through memory


@njit(**OPTIONS)
def class_shares(labels, n_classes, train, prior):
    """Give the share of each class among the training nodes: a line a class."""
    one = splat(F(1))
    total = splat(F(0))
    for c in range(n_classes):
        store(prior, c * WIDTH, total)
    for i in range(labels.size):
        if train[i] != NONE:
            at = labels[i] * WIDTH
            before = load(prior, at)
            store(prior, at, choose(train[i], add(before, one), before))
            total = choose(train[i], add(total, one), total)
    total = larger(total, one)
    for c in range(n_classes):
        store(prior, c * WIDTH, div(load(prior, c * WIDTH), total))


@njit(**OPTIONS)
def start(labels, n_classes, train, prior, proba):
    """Set the first probabilities: labels where the split knows them, else its class shares."""
    zero, one = splat(F(0)), splat(F(1))
    for c in range(1, n_classes):
        share = load(prior, c * WIDTH)
        base = (c - 1) * labels.size
        for i in range(labels.size):
            known = one if labels[i] == c else zero
            store(proba, (base + i) * WIDTH, choose(train[i], known, share))


@njit(**OPTIONS)
def learn_table(graph, labels, n_classes, train, smoothing, table):
    """Learn P(neighbour has class l | own class c), line ``c * n_classes + l``."""
    for line in range(n_classes * n_classes):
        store(table, line * WIDTH, splat(F(smoothing)))
    at = 0
    i = 0
    for r in range(graph.runs.shape[0]):
        length = graph.runs[r, 0]
        for _ in range(graph.runs[r, 1]):
            for other in range(n_classes if train[i] != NONE else 0):
                line = (labels[i] * n_classes + other) * WIDTH
                total = load(table, line)
                for e in range(at, at + length):
                    j = whole(graph.places, e) // WIDTH
                    both = train[i] & train[j] if labels[j] == other else NONE
                    weight = F(graph.weights[e]) if graph.weights.size else F(1)
                    total = choose(both, add(total, splat(weight)), total)
                store(table, line, total)
            at += length
            i += 1
    for c in range(n_classes):
        total = splat(F(0))
        for other in range(n_classes):
            total = add(total, load(table, (c * n_classes + other) * WIDTH))
        for other in range(n_classes):
            line = (c * n_classes + other) * WIDTH
            store(table, line, larger(div(load(table, line), total), splat(SMALLEST)))


@njit(**INSIDE)
def _total(graph, state, base, at, stop):
    """Add up the lines of neighbours."""
    total = splat(F(0))
    if graph.weights.size:
        while at < stop:
            said = load(state, base + whole(graph.places, at))
            total = fma(said, splat(graph.weights[at]), total)
            at += 1
        return total
    while at + 4 <= stop:
        first = load(state, base + whole(graph.places, at))
        second = load(state, base + whole(graph.places, at + 1))
        third = load(state, base + whole(graph.places, at + 2))
        fourth = load(state, base + whole(graph.places, at + 3))
        total = add(total, add(add(first, second), add(third, fourth)))
        at += 4
    while at < stop:
        total = add(total, load(state, base + whole(graph.places, at)))
        at += 1
    return total


@njit(**OPTIONS)
def relax_wvrn(graph, n_columns, fixed, betas, proba, spare):
    """Relax wvRN; `proba` and `spare` both hold the start, and the one returned the result."""
    for step in range(betas.size):
        if betas[step] == 0:
            break
        keep = splat(F(1) - betas[step])
        for column in range(n_columns):
            base = column * graph.order.size * WIDTH
            at = 0
            i = 0
            for r in range(graph.runs.shape[0]):
                length, stop = graph.runs[r, 0], i + graph.runs[r, 1]
                while i < stop:
                    total = _total(graph, proba, base, at, at + length)
                    at += length
                    old = load(proba, base + i * WIDTH)
                    new = fma(total, splat(betas[step] * graph.shares[i]), mul(old, keep))
                    store(spare, base + i * WIDTH, choose(fixed[i], old, new))
                    i += 1
        proba, spare = spare, proba
    return proba


@njit(**INSIDE)
def _product(places, factors, at, stop, product):
    """Multiply by the lines of neighbours."""
    while at + 4 <= stop:
        first = load(factors, whole(places, at))
        second = load(factors, whole(places, at + 1))
        third = load(factors, whole(places, at + 2))
        fourth = load(factors, whole(places, at + 3))
        product = mul(product, mul(mul(first, second), mul(third, fourth)))
        at += 4
    while at < stop:
        product = mul(product, load(factors, whole(places, at)))
        at += 1
    return product


@njit(**INSIDE)
def _odds(places, factors, at, stop, chunk, prior):
    """Multiply prior odds by the lines of neighbours, exponents apart where there are many."""
    if stop - at <= chunk:
        return _product(places, factors, at, stop, prior)
    power = splat(F(0))
    product = prior
    while at < stop:
        product = _product(places, factors, at, min(at + chunk, stop), product)
        power = add(power, exponent(product))
        product = mantissa(product)
        at += chunk
    power = larger(smaller(power, splat(ROOM)), splat(-ROOM))
    return mul(product, power_of_two(power))


@njit(**OPTIONS)
def _chunk(table, prior):
    """Give how many factors may be multiplied at once; turns `prior` into odds of class 1."""
    widest = F(1)
    for lane in range(WIDTH):
        for line in (0, WIDTH):
            ratio = table[2 * WIDTH + line + lane] / table[line + lane]
            widest = max(widest, max(ratio, 1 / ratio))
        # a class without training nodes has no neighbours that speak for it either
        own, base = prior[WIDTH + lane], prior[lane]
        prior[lane] = own / base if base > 0 else CERTAIN
    return int(ROOM / max(F(1), np.log2(widest)))


@njit(**OPTIONS)
def relax_nbc_binary(graph, fixed, betas, prior, table, proba, factors, spare):
    """Relax nBC with two classes and links of weight 1, in place; `prior` is overwritten.

    A node speaks for class 1 with the factor P(it | 1) / P(it | 0). A node's odds are the
    product of its neighbours' factors, which takes neither logarithms nor exponentials.
    """
    chunk = _chunk(table, prior)
    one = splat(F(1))
    against, change_against = load(table, 0), sub(load(table, WIDTH), load(table, 0))
    favour = load(table, 2 * WIDTH)
    change_favour = sub(load(table, 3 * WIDTH), favour)
    for i in range(graph.order.size):
        p = load(proba, i * WIDTH)
        speaks = div(fma(p, change_favour, favour), fma(p, change_against, against))
        store(factors, i * WIDTH, speaks)
    for step in range(betas.size):
        if betas[step] == 0:
            break
        beta = splat(betas[step])
        at = 0
        i = 0
        for r in range(graph.runs.shape[0]):
            length, stop = graph.runs[r, 0], i + graph.runs[r, 1]
            while i < stop:
                odds = _odds(graph.places, factors, at, at + length, chunk, load(prior, 0))
                at += length
                odds = smaller(odds, splat(CERTAIN))
                old = load(proba, i * WIDTH)
                new = fma(beta, sub(div(odds, add(odds, one)), old), old)
                p = choose(fixed[i], old, new)
                store(proba, i * WIDTH, p)
                speaks = div(fma(p, change_favour, favour), fma(p, change_against, against))
                store(spare, i * WIDTH, speaks)
                i += 1
        factors, spare = spare, factors
    return proba


@njit(**INSIDE)
def _speak(proba, i, n, n_classes, table, logs):
    """Set the binary logarithms of a node's factors for each class against class 0."""
    rest = splat(F(1))
    for c in range(n_classes - 1):
        rest = sub(rest, load(proba, (c * n + i) * WIDTH))
    rest = larger(rest, splat(F(0)))
    base = splat(F(0))
    for c in range(n_classes):
        line = c * n_classes * WIDTH
        said = mul(rest, load(table, line))
        for other in range(1, n_classes):
            p = load(proba, ((other - 1) * n + i) * WIDTH)
            said = fma(p, load(table, line + other * WIDTH), said)
        if c == 0:
            base = said
        else:
            store(logs, ((c - 1) * n + i) * WIDTH, logarithm(div(said, base)))


@njit(**OPTIONS)
def _prior_logs(prior):
    """Turn class shares into logarithms; a class without training nodes never wins."""
    for k in range(prior.size):
        prior[k] = np.log2(prior[k]) if prior[k] > 0 else -NEVER


@njit(**OPTIONS)
def relax_nbc(graph, n_classes, fixed, betas, prior, table, proba, logs, spare):
    """Relax nBC in log space, in place; `prior` is overwritten."""
    n = graph.order.size
    _prior_logs(prior)
    score = lines(n_classes)
    for i in range(n):
        _speak(proba, i, n, n_classes, table, logs)
    for step in range(betas.size):
        if betas[step] == 0:
            break
        at = 0
        i = 0
        for r in range(graph.runs.shape[0]):
            length, stop = graph.runs[r, 0], i + graph.runs[r, 1]
            while i < stop:
                top = load(prior, 0)
                for c in range(1, n_classes):
                    said = _total(graph, logs, (c - 1) * n * WIDTH, at, at + length)
                    said = add(said, load(prior, c * WIDTH))
                    store(score, c * WIDTH, said)
                    top = larger(top, said)
                at += length
                total = exponential(sub(load(prior, 0), top))
                for c in range(1, n_classes):
                    odds = exponential(sub(load(score, c * WIDTH), top))
                    store(score, c * WIDTH, odds)
                    total = add(total, odds)
                for c in range(1, n_classes):
                    place = ((c - 1) * n + i) * WIDTH
                    old = load(proba, place)
                    new = sub(div(load(score, c * WIDTH), total), old)
                    new = fma(splat(betas[step]), new, old)
                    store(proba, place, choose(fixed[i], old, new))
                _speak(proba, i, n, n_classes, table, spare)
                i += 1
        logs, spare = spare, logs
    return proba


@njit(**OPTIONS)
def wrong_predictions(proba, labels, n_classes, test, wrong):
    """Mark, for each node, the splits that test it and predict another class than its own.

    Among classes within 1e-6 of the most probable one the first is predicted.
    """
    n = labels.size
    for i in range(n):
        rest = splat(F(1))
        for c in range(n_classes - 1):
            rest = sub(rest, load(proba, (c * n + i) * WIDTH))
        best = rest
        for c in range(n_classes - 1):
            best = larger(best, load(proba, (c * n + i) * WIDTH))
        best = sub(best, splat(TIED))
        taken = at_least(rest, best)
        right = taken if labels[i] == 0 else NONE
        for c in range(n_classes - 1):
            near = at_least(load(proba, (c * n + i) * WIDTH), best) & ~taken
            if labels[i] == c + 1:
                right = near
            taken |= near
        wrong[i] = test[i] & ~right


@njit(**OPTIONS)
def infer(graph, labels, n_classes, train, fixed, kind, smoothing, betas):
    """Train one model and relax; gives the lines of probabilities."""
    n_lines = labels.size * (n_classes - 1)
    prior, proba, second = lines(n_classes), lines(n_lines), lines(n_lines)
    class_shares(labels, n_classes, train, prior)
    start(labels, n_classes, train, prior, proba)
    if kind == WVRN:
        second[:] = proba
        return relax_wvrn(graph, n_classes - 1, fixed, betas, proba, second)
    table, third = lines(n_classes * n_classes), lines(n_lines)
    learn_table(graph, labels, n_classes, train, smoothing, table)
    if n_classes == 2 and graph.weights.size == 0:
        return relax_nbc_binary(graph, fixed, betas, prior, table, proba, second, third)
    return relax_nbc(graph, n_classes, fixed, betas, prior, table, proba, second, third)


@njit(**OPTIONS)
def run_splits(graph, labels, n_classes, train, test, kinds, smoothing, betas, wrong):
    """Run both models on up to sixteen splits.

    Parameters
    ----------
    graph : Graph
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
    fixed = train.copy()
    spread(graph.indptr, graph.indices, fixed)
    for i in range(labels.size):
        fixed[i] = train[i] | ~fixed[i]
    order = graph.order
    # in the order of the graph's rows
    known, trained, kept, tested = labels[order], train[order], fixed[order], test[order]
    found = np.empty_like(tested)
    for model in range(2):
        proba = infer(
            graph, known, n_classes, trained, kept, kinds[model], smoothing[model], betas[model]
        )
        wrong_predictions(proba, known, n_classes, tested, found)
        for k in range(order.size):
            wrong[model, order[k]] = found[k]


@njit(**OPTIONS)
def run_rows(graph, labels, n_classes, train, test, kinds, smoothing, betas):
    """Run both models on any number of splits, sets of shape (n_rows, n).

    Returns
    -------
    ndarray of uint16, shape (n_rows, 2, n)
    """
    rows, n = train.shape
    wrong = np.empty((rows, 2, n), dtype=np.uint16)
    for row in range(rows):
        run_splits(
            graph, labels, n_classes, train[row], test[row], kinds, smoothing, betas, wrong[row]
        )
    return wrong
