"""wvRN and nBC with relaxation labeling on small graphs, sixteen splits at a time.

The definitions are those of `nettrial.models`. Nodes are numbered by `Graph.order`. Class
probabilities lie in lines of sixteen splits: line ``(c - 1) * n + i`` holds P(class c) of node i;
class 0 has the rest. `fixed` marks the splits in which a node keeps its probabilities.

What runs once for all nodes is numpy; compiled are the sweeps and what walks along the links. A
compiled function calls no large one: numba would compile the callee again within each caller.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .kinds import WVRN, ModelPair
from .lanes import (
    add,
    at_least,
    choose,
    fma,
    lane_kernel,
    larger,
    load,
    mul,
    pointer,
    splat,
    store,
    sub,
    whole,
)
from .packing import lines
from .small_bayes import relax_bayes
from .small_graphs import NONE, START, WIDTH, Graph, bits_by_split, spread
from .small_sums import plain_sum, weighted_sum

Lines = NDArray[np.float32]
F = np.float32
TIED = F(1e-6)  # as in nettrial.models.decide
SMALLEST = F(1e-6)  # of a learned probability, as in nettrial.models.rule


def class_shares(labels: NDArray[np.int32], n_classes: int, trains: NDArray[np.bool_]) -> Lines:
    """Return the share of each class among the training nodes, shape (n_classes, 16)."""
    node, split = np.nonzero(trains)
    counts = np.bincount(labels[node] * WIDTH + split, minlength=n_classes * WIDTH)
    counts = counts.reshape(n_classes, WIDTH).astype(F)
    return np.asarray(counts / np.maximum(counts.sum(axis=0), F(1)))


def first_guess(labels: NDArray[np.int32], trains: NDArray[np.bool_], prior: Lines) -> Lines:
    """Return the first probabilities: labels where the split knows them, else its class shares."""
    classes, n = prior.shape[0], labels.size
    proba = lines((classes - 1) * n)
    shaped = proba.reshape(classes - 1, n, WIDTH)
    shaped[:] = prior[1:, None]
    known = labels == np.arange(1, classes)[:, None]
    np.copyto(shaped, known[:, :, None], where=trains, casting="unsafe")
    return proba


@lane_kernel
def count_pairs(runs, places, weights, labels, n_classes, train, table):
    """Add to line ``c * n_classes + l`` the links of training nodes of class c to those of l."""
    n_runs = runs.size
    runs, places, worth = pointer(runs), pointer(places), pointer(weights)
    labels, train, table = pointer(labels), pointer(train), pointer(table)
    one = splat(F(1))
    at, i = START, START
    for r in range(0, n_runs, 2):
        for _ in range(runs[r + 1]):
            stop = at + runs[r]
            own = train[i]
            if own != NONE:
                row = np.int64(labels[i]) * n_classes * WIDTH
                for e in range(at, stop):
                    j = whole(places, e) // WIDTH
                    both = own & train[j]
                    if both != NONE:
                        weight = one if weights is None else splat(worth[e])
                        line = row + np.int64(labels[j]) * WIDTH
                        before = load(table, line)
                        store(table, line, choose(both, add(before, weight), before))
            at = stop
            i += 1


def learn_table(
    graph: Graph,
    labels: NDArray[np.int32],
    n_classes: int,
    train: NDArray[np.uint16],
    smoothing: float,
) -> Lines:
    """Return P(neighbor has class l | own class c), line ``c * n_classes + l``."""
    table = lines(n_classes * n_classes)
    table[:] = smoothing
    count_pairs(graph.runs, graph.places, graph.weights, labels, n_classes, train, table)
    shaped = table.reshape(n_classes, n_classes, WIDTH)
    shaped[:] = np.maximum(shaped / shaped.sum(axis=1, keepdims=True), SMALLEST)
    return table


@lane_kernel
def relax_wvrn(runs, places, weights, shares, fixed, betas, n_columns, proba, spare):
    """Relax wvRN from `proba`, `spare` holding the same; return whether `spare` has the result."""
    n_runs, n, sweeps = runs.size, fixed.size, betas.size
    runs, places, worth = pointer(runs), pointer(places), pointer(weights)
    shares, fixed, betas = pointer(shares), pointer(fixed), pointer(betas)
    proba, spare = pointer(proba), pointer(spare)
    step = 0
    while step < sweeps and betas[step] != 0:
        beta = betas[step]
        keep = splat(F(1) - beta)
        for base in range(0, n_columns * n * WIDTH, n * WIDTH):
            at, i = START, START
            for r in range(0, n_runs, 2):
                length, stop = runs[r], i + runs[r + 1]
                share = splat(beta / F(max(length, 1)))
                while i < stop:
                    if weights is None:
                        total = plain_sum(proba, base, places, at, at + length)
                    else:
                        total = weighted_sum(proba, base, places, worth, at, at + length)
                        share = splat(beta * shares[i])
                    at += length
                    place = base + i * WIDTH
                    old = load(proba, place)
                    moved = fma(total, share, mul(old, keep))
                    store(spare, place, choose(fixed[i], old, moved))
                    i += 1
        proba, spare = spare, proba
        step += 1
    return step % 2 == 1


@lane_kernel
def wrong_predictions(proba, labels, n_classes, test, wrong):
    """Mark, for each node, the splits that test it and predict another class than its own.

    Among classes within 1e-6 of the most probable one the first is predicted.
    """
    n = labels.size
    proba, labels = pointer(proba), pointer(labels)
    test, wrong = pointer(test), pointer(wrong)
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


def infer(
    graph: Graph,
    labels: NDArray[np.int32],
    n_classes: int,
    train: NDArray[np.uint16],
    fixed: NDArray[np.uint16],
    prior: Lines,
    proba: Lines,
    kind: int,
    smoothing: float,
    betas: Lines,
) -> Lines:
    """Train one model and relax from `proba`; return the lines of probabilities."""
    state, spare = lines(proba.size // WIDTH), lines(proba.size // WIDTH)
    state[:] = proba
    if kind == WVRN:
        spare[:] = proba
        moved = relax_wvrn(
            graph.runs,
            graph.places,
            graph.weights,
            graph.shares,
            fixed,
            betas,
            n_classes - 1,
            state,
            spare,
        )
        return spare if moved else state
    table = learn_table(graph, labels, n_classes, train, smoothing)
    relax_bayes(graph, fixed, betas, prior, table, state)
    return state


def run_splits(
    graph: Graph,
    labels: NDArray[np.int32],
    n_classes: int,
    train: NDArray[np.uint16],
    test: NDArray[np.uint16],
    pair: ModelPair,
    wrong: NDArray[np.uint16],
) -> None:
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
    pair : ModelPair
    wrong : ndarray of uint16, shape (2, n)
        Set here: the splits that test the node and get it wrong, for each model.
    """
    reached = train.copy()
    spread(graph.indptr, graph.indices, reached)
    order = graph.order
    # in the order of the graph's rows
    known, trained, tested = labels[order], train[order], test[order]
    kept = trained | ~reached[order]
    trains = bits_by_split(trained)
    prior = class_shares(known, n_classes, trains)
    proba = first_guess(known, trains, prior)
    found = np.empty_like(tested)
    for model in range(2):
        state = infer(
            graph,
            known,
            n_classes,
            trained,
            kept,
            prior,
            proba,
            pair.kinds[model],
            float(pair.smoothing[model]),
            pair.betas[model],
        )
        wrong_predictions(state, known, n_classes, tested, found)
        wrong[model, order] = found


def run_rows(
    graph: Graph,
    labels: NDArray[np.int32],
    n_classes: int,
    train: NDArray[np.uint16],
    test: NDArray[np.uint16],
    pair: ModelPair,
) -> NDArray[np.uint16]:
    """Run both models on any number of splits, sets of shape (n_rows, n).

    Returns
    -------
    ndarray of uint16, shape (n_rows, 2, n)
    """
    rows, n = train.shape
    wrong = np.empty((rows, 2, n), dtype=np.uint16)
    for row in range(rows):
        run_splits(graph, labels, n_classes, train[row], test[row], pair, wrong[row])
    return wrong
