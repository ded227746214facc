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
NEVER = F(1e30)  # a binary logarithm that no evidence outweighs
SMALLEST = F(1e-6)  # of a learned probability, as in nettrial.models.rule
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
def _total(places, state, base, at, stop):
    """Add up the lines of neighbours."""
    even, odd = splat(F(0)), splat(F(0))
    if (stop - at) % 2:
        odd = load(state, base + whole(places, at))
        at += 1
    while at < stop:
        even = add(even, load(state, base + whole(places, at)))
        odd = add(odd, load(state, base + whole(places, at + 1)))
        at += 2
    return add(even, odd)


@njit(**INSIDE)
def _weighted_total(graph, state, base, at, stop):
    """Add up the lines of neighbours, times the weights of the links."""
    total = splat(F(0))
    while at < stop:
        said = load(state, base + whole(graph.places, at))
        total = fma(said, splat(graph.weights[np.uint64(at)]), total)
        at += 1
    return total


@njit(**OPTIONS)
def relax_wvrn(graph, n_columns, fixed, betas, proba, spare):
    """Relax wvRN; `proba` and `spare` both hold the start, and the one returned the result."""
    weighted = graph.weights.size > 0
    for step in range(betas.size):
        beta = betas[step]
        if beta == 0:
            break
        keep = splat(F(1) - beta)
        for column in range(n_columns):
            base = column * graph.order.size * WIDTH
            at = 0
            i = 0
            for r in range(graph.runs.shape[0]):
                length, stop = graph.runs[r, 0], i + graph.runs[r, 1]
                share = splat(beta / F(max(length, 1)))
                while i < stop:
                    if weighted:
                        total = _weighted_total(graph, proba, base, at, at + length)
                        share = splat(beta * graph.shares[i])
                    else:
                        total = _total(graph.places, proba, base, at, at + length)
                    at += length
                    old = load(proba, base + i * WIDTH)
                    new = fma(total, share, mul(old, keep))
                    store(spare, base + i * WIDTH, choose(fixed[np.uint64(i)], old, new))
                    i += 1
        proba, spare = spare, proba
    return proba


@njit(**INSIDE)
def _product(places, factors, base, at, stop, product):
    """Multiply by the lines of neighbours."""
    while at + 4 <= stop:
        first = load(factors, base + whole(places, at))
        second = load(factors, base + whole(places, at + 1))
        third = load(factors, base + whole(places, at + 2))
        fourth = load(factors, base + whole(places, at + 3))
        product = mul(product, mul(mul(first, second), mul(third, fourth)))
        at += 4
    while at < stop:
        product = mul(product, load(factors, base + whole(places, at)))
        at += 1
    return product


@njit(**INSIDE)
def _apart(places, factors, base, at, stop, chunk, product):
    """Multiply by the lines of many neighbours; gives the mantissa and the exponent."""
    power = splat(F(0))
    while at < stop:
        product = _product(places, factors, base, at, min(at + chunk, stop), product)
        power = add(power, exponent(product))
        product = mantissa(product)
        at += chunk
    return product, power


@njit(**INSIDE)
def _long_product(places, factors, at, stop, chunk, product):
    """Multiply by the lines of many neighbours, as far as float32 reaches."""
    product, power = _apart(places, factors, 0, at, stop, chunk, product)
    power = larger(smaller(power, splat(ROOM)), splat(-ROOM))
    return mul(product, power_of_two(power))


@njit(**OPTIONS)
def _longest_product(table, n_classes):
    """Give how many factors of any class may be multiplied without a look at the product."""
    widest = F(1)
    size = n_classes * WIDTH
    for c in range(1, n_classes):
        for k in range(size):
            ratio = table[c * size + k] / table[k]
            widest = max(widest, max(ratio, 1 / ratio))
    return int(ROOM / max(F(1), np.log2(widest)))


@njit(**OPTIONS)
def _odds(prior):
    """Turn the shares of two classes into odds of class 1, where they are kept."""
    for lane in range(WIDTH):
        # a class without training nodes has no neighbours that speak for it either
        own, base = prior[WIDTH + lane], prior[lane]
        prior[lane] = own / base if base > 0 else CERTAIN


@njit(**OPTIONS)
def relax_nbc_binary(graph, fixed, betas, prior, table, proba, factors, spare):
    """Relax nBC with two classes and links of weight 1, in place; `prior` is overwritten.

    A node speaks for class 1 with the factor P(it | 1) / P(it | 0). A node's odds are the
    product of its neighbours' factors, which takes neither logarithms nor exponentials.
    """
    chunk = _longest_product(table, 2)
    _odds(prior)
    one, head = splat(F(1)), load(prior, 0)
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
                if length <= chunk:
                    odds = _product(graph.places, factors, 0, at, at + length, head)
                else:
                    odds = _long_product(graph.places, factors, at, at + length, chunk, head)
                at += length
                odds = smaller(odds, splat(CERTAIN))
                old = load(proba, i * WIDTH)
                new = fma(beta, sub(div(odds, add(odds, one)), old), old)
                p = choose(fixed[np.uint64(i)], old, new)
                store(proba, i * WIDTH, p)
                speaks = div(fma(p, change_favour, favour), fma(p, change_against, against))
                store(spare, i * WIDTH, speaks)
                i += 1
        factors, spare = spare, factors
    return proba


@njit(**INSIDE)
def _speak(proba, i, n, n_classes, table, factors):
    """Set a node's factors for each class against class 0: P(it | c) / P(it | 0)."""
    step = n * WIDTH
    rest = splat(F(1))
    at = i * WIDTH
    said = splat(F(0))
    line = WIDTH
    for _ in range(n_classes - 1):
        p = load(proba, at)
        rest = sub(rest, p)
        said = fma(p, load(table, line), said)
        at += step
        line += WIDTH
    rest = larger(rest, splat(F(0)))
    base = div(splat(F(1)), fma(rest, load(table, 0), said))
    to = i * WIDTH
    for _ in range(n_classes - 1):
        said = mul(rest, load(table, line))
        line += WIDTH
        at = i * WIDTH
        for _ in range(n_classes - 1):
            said = fma(load(proba, at), load(table, line), said)
            at += step
            line += WIDTH
        store(factors, to, mul(said, base))
        to += step


@njit(**INSIDE)
def _settle(i, n, n_classes, beta, kept, score, total, proba):
    """Move a node's probabilities towards score / total."""
    share = div(beta, total)
    rest = sub(splat(F(1)), beta)
    for c in range(1, n_classes):
        place = ((c - 1) * n + i) * WIDTH
        old = load(proba, place)
        new = fma(load(score, c * WIDTH), share, mul(old, rest))
        store(proba, place, choose(kept, old, new))


@njit(**INSIDE)
def _of_logs(first, n_classes, score):
    """Turn binary logarithms of the classes' evidence into numbers to share; gives their sum."""
    top = first
    for c in range(1, n_classes):
        top = larger(top, load(score, c * WIDTH))
    total = exponential(sub(first, top))
    for c in range(1, n_classes):
        odds = exponential(sub(load(score, c * WIDTH), top))
        store(score, c * WIDTH, odds)
        total = add(total, odds)
    return total


@njit(**OPTIONS)
def _prior_logs(prior):
    """Give logarithms of class shares; a class without training nodes never wins."""
    logs = lines(prior.size // WIDTH)
    for k in range(prior.size):
        logs[k] = np.log2(prior[k]) if prior[k] > 0 else -NEVER
    return logs


@njit(**OPTIONS)
def _heads(prior, n_classes):
    """Turn class shares into odds against class 0, and the share of class 0 into 1.

    Where class 0 has no training nodes its share stays 0, and the others stay as they are.
    """
    for lane in range(WIDTH):
        first = prior[lane]
        if first > 0:
            for c in range(n_classes):
                prior[c * WIDTH + lane] /= first


@njit(**INSIDE)
def relax_nbc(graph, n_classes, fixed, betas, prior, table, proba, factors, spare):
    """Relax nBC with links of weight 1, in place; `prior` is overwritten.

    A node speaks for class c with the factor P(it | c) / P(it | 0), and what its neighbours
    say is the product of their factors; only where that could overflow are logarithms taken.
    """
    n = graph.order.size
    chunk = _longest_product(table, n_classes)
    logs, one = _prior_logs(prior), splat(F(1))
    _heads(prior, n_classes)
    score = lines(n_classes)
    for i in range(n):
        _speak(proba, i, n, n_classes, table, factors)
    for step in range(betas.size):
        if betas[step] == 0:
            break
        beta = splat(betas[step])
        at = 0
        i = 0
        for r in range(graph.runs.shape[0]):
            length, stop = graph.runs[r, 0], i + graph.runs[r, 1]
            while i < stop:
                total = load(prior, 0)
                for c in range(1, n_classes):
                    base = (c - 1) * n * WIDTH
                    if length <= chunk:
                        head = load(prior, c * WIDTH)
                        odds = _product(graph.places, factors, base, at, at + length, head)
                        total = add(total, odds)
                    else:
                        odds, power = _apart(
                            graph.places, factors, base, at, at + length, chunk, one
                        )
                        odds = add(add(power, logarithm(odds)), load(logs, c * WIDTH))
                    store(score, c * WIDTH, odds)
                if length > chunk:
                    total = _of_logs(load(logs, 0), n_classes, score)
                at += length
                _settle(i, n, n_classes, beta, fixed[np.uint64(i)], score, total, proba)
                _speak(proba, i, n, n_classes, table, spare)
                i += 1
        factors, spare = spare, factors
    return proba


@njit(**INSIDE)
def _speak_logs(proba, i, n, n_classes, table, logs):
    """Set the binary logarithms of a node's factors."""
    _speak(proba, i, n, n_classes, table, logs)
    for c in range(n_classes - 1):
        place = (c * n + i) * WIDTH
        store(logs, place, logarithm(load(logs, place)))


@njit(**OPTIONS)
def relax_nbc_weighted(graph, n_classes, fixed, betas, prior, table, proba, logs, spare):
    """Relax nBC with weights in log space, in place: a weight is the power of a factor."""
    n = graph.order.size
    heads = _prior_logs(prior)
    score = lines(n_classes)
    for i in range(n):
        _speak_logs(proba, i, n, n_classes, table, logs)
    for step in range(betas.size):
        if betas[step] == 0:
            break
        beta = splat(betas[step])
        at = 0
        i = 0
        for r in range(graph.runs.shape[0]):
            length, stop = graph.runs[r, 0], i + graph.runs[r, 1]
            while i < stop:
                for c in range(1, n_classes):
                    base = (c - 1) * n * WIDTH
                    said = _weighted_total(graph, logs, base, at, at + length)
                    store(score, c * WIDTH, add(said, load(heads, c * WIDTH)))
                at += length
                total = _of_logs(load(heads, 0), n_classes, score)
                _settle(i, n, n_classes, beta, fixed[np.uint64(i)], score, total, proba)
                _speak_logs(proba, i, n, n_classes, table, spare)
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
    if graph.weights.size:
        return relax_nbc_weighted(
            graph, n_classes, fixed, betas, prior, table, proba, second, third
        )
    if n_classes == 2:
        return relax_nbc_binary(graph, fixed, betas, prior, table, proba, second, third)
    if n_classes == 3:  # a number known to the compiler leaves the classes' lines in registers
        return relax_nbc(graph, 3, fixed, betas, prior, table, proba, second, third)
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
