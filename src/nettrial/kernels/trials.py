"""Whole trials of two models on small graphs: split, infer, evaluate; and on replicates.

A handicap is part of a model: it turns each prediction, with a given chance, into another
class. Several pairs of handicaps are evaluated on the same splits and inference; they are the
first axis of everything that depends on them.
"""

from __future__ import annotations

import numpy as np
from numba import njit, prange

from .lanes_small import WIDTH
from .replicates import draw_replicate, to_rows
from .small_graphs import NONE, draw_training, run_splits
from .streams import below, stream, uniform

DRAW, SPLIT, FLIP = 0, 1, 2  # what the streams of a unit are for


@njit(cache=True)
def handicap(wrong, test, chances, n_classes, state, out):
    """Turn predictions at random.

    Parameters
    ----------
    wrong : ndarray of uint16, shape (2, n)
        What both models get wrong.
    test : ndarray of uint16, shape (n,)
    chances : ndarray of float, shape (n_handicaps, 2)
        Probability that a prediction is turned.
    n_classes : int
        A turned prediction is any other class, each as probable.
    state : ndarray
        Stream of random numbers.
    out : ndarray of uint16, shape (n_handicaps, 2, n)
        Set here: what is wrong afterwards.
    """
    for model in range(2):
        greatest = 0.0
        for h in range(chances.shape[0]):
            out[h, model] = wrong[model]
            greatest = max(greatest, chances[h, model])
        if greatest == 0:
            continue
        for i in range(test.size):
            for split in range(WIDTH):
                bit = np.uint16(1 << split)
                if test[i] & bit == NONE:
                    continue
                draw = uniform(state)
                if draw >= greatest:
                    continue
                lucky = n_classes == 2 or below(state, n_classes - 1) == 0
                turned = lucky or wrong[model, i] & bit == NONE
                for h in range(chances.shape[0]):
                    if turned and draw < chances[h, model]:
                        out[h, model, i] ^= bit


@njit(cache=True)
def run_resampled(
    indptr, indices, weights, labels, n_classes, n_train, n_splits, kinds, smoothing, betas,
    chances, splitting, flipping,
):  # fmt: skip
    """Run both models on `n_splits` random resamples of one graph.

    Returns
    -------
    test : ndarray of uint16, shape (n_batches, n)
        Bit s of batch b: split 16 b + s tests the node.
    wrong : ndarray of uint16, shape (n_batches, n_handicaps, 2, n)
        The tests that each model gets wrong.
    """
    n = labels.size
    pool = np.flatnonzero(labels >= 0)
    batches = (n_splits + WIDTH - 1) // WIDTH
    test = np.zeros((batches, n), dtype=np.uint16)
    wrong = np.zeros((batches, chances.shape[0], 2, n), dtype=np.uint16)
    order = np.arange(pool.size)
    train = np.empty(n, dtype=np.uint16)
    plain = np.empty((2, n), dtype=np.uint16)
    for b in range(batches):
        here = min(WIDTH, n_splits - b * WIDTH)
        draw_training(pool, n_train, here, splitting, order, train)
        used = np.uint16((1 << here) - 1)
        for i in pool:
            test[b, i] = used & ~train[i]
        run_splits(
            indptr, indices, weights, labels, n_classes, train, test[b], kinds, smoothing, betas,
            plain,
        )  # fmt: skip
        handicap(plain, test[b], chances, n_classes, flipping, wrong[b])
    return test, wrong


@njit(cache=True)
def ones(bits):
    """Count the bits that are set."""
    count = 0
    while bits:
        bits &= np.uint16(bits - np.uint16(1))
        count += 1
    return count


@njit(cache=True)
def node_counts(test, wrong, n_splits):
    """Add up over the first `n_splits` splits.

    Returns
    -------
    tests : ndarray of float, shape (n,)
    excess : ndarray of float, shape (n_handicaps, n)
        Errors of the first model minus errors of the second.
    """
    batches, handicaps, _, n = wrong.shape
    tests = np.zeros(n)
    excess = np.zeros((handicaps, n))
    for b in range(batches):
        left = n_splits - b * WIDTH
        if left <= 0:
            break
        use = np.uint16(0xFFFF) if left >= WIDTH else np.uint16((1 << left) - 1)
        for i in range(n):
            tests[i] += ones(test[b, i] & use)
            for h in range(handicaps):
                excess[h, i] += ones(wrong[b, h, 0, i] & use) - ones(wrong[b, h, 1, i] & use)
    return tests, excess


@njit(cache=True)
def split_rates(test, wrong, n_splits):
    """Give the error rates of every split, shape (n_handicaps, 2, n_splits)."""
    _, handicaps, _, n = wrong.shape
    tested = np.zeros(n_splits)
    rates = np.zeros((handicaps, 2, n_splits))
    for split in range(n_splits):
        b, bit = split // WIDTH, np.uint16(1 << (split % WIDTH))
        for i in range(n):
            if test[b, i] & bit:
                tested[split] += 1
                for h in range(handicaps):
                    for model in range(2):
                        if wrong[b, h, model, i] & bit:
                            rates[h, model, split] += 1
    return rates / tested


@njit(cache=True)
def run_replicate(
    blocks, community, weighted, forward, backward, labels, n_classes, labeled, n_splits, kinds,
    smoothing, betas, chances, key, number, rates, tests, excess,
):  # fmt: skip
    """Draw one replicate and run both models; sets one row of what `run_replicates` gives."""
    origin, _, source, target, weight = draw_replicate(*blocks, stream(key, number, DRAW))
    n = origin.size
    indptr, indices, weights = to_rows(n, source, target, weight, weighted, forward, backward)
    drawn = labels[origin]
    size = 0
    for label in drawn:
        size += label >= 0
    if size < 2:
        return
    n_train = size - int(np.floor((1 - labeled) * size + 0.5 + 1e-9))
    n_train = min(max(n_train, 1), size - 1)
    test, wrong = run_resampled(
        indptr, indices, weights, drawn, n_classes, n_train, n_splits, kinds, smoothing,
        betas, chances, stream(key, number, SPLIT), stream(key, number, FLIP),
    )  # fmt: skip
    rates[:] = split_rates(test, wrong, n_splits)
    times, more = node_counts(test, wrong, n_splits)
    for i in range(n):
        group = community[origin[i]]
        tests[group] += times[i]
        for h in range(chances.shape[0]):
            excess[h, group] += more[h, i]


@njit(parallel=True, cache=True)
def run_replicates(
    blocks, community, weighted, forward, backward, labels, n_classes, labeled, n_splits, kinds,
    smoothing, betas, chances, key, numbers,
):  # fmt: skip
    """Draw replicates of a network and run both models on each.

    Parameters
    ----------
    blocks : tuple
        The network taken apart, as `draw_replicate` takes it.
    community : ndarray of int, shape (n,)
        Community of each node, codes from 0.
    weighted, forward, backward : bool
        How links become rows.
    labels : ndarray of int32, shape (n,)
    n_classes : int
    labeled : float
        Proportion of the labelled nodes of a replicate that is trained on.
    n_splits, kinds, smoothing, betas, chances
        As for `run_resampled`.
    key : uint64
    numbers : ndarray of int
        Numbers of the replicates; each names its own streams.

    Returns
    -------
    rates : ndarray, shape (n_replicates, n_handicaps, 2, n_splits)
        Error rates of every split.
    tests : ndarray, shape (n_replicates, n_communities)
        Tests of the nodes that copy each community.
    excess : ndarray, shape (n_replicates, n_handicaps, n_communities)
        Their errors by the first model minus errors by the second.
    """
    count, handicaps = numbers.size, chances.shape[0]
    rates = np.full((count, handicaps, 2, n_splits), np.nan)
    n_communities = community.max() + 1
    tests = np.zeros((count, n_communities))
    excess = np.zeros((count, handicaps, n_communities))
    for r in prange(count):
        run_replicate(
            blocks, community, weighted, forward, backward, labels, n_classes, labeled, n_splits,
            kinds, smoothing, betas, chances, key, numbers[r], rates[r], tests[r], excess[r],
        )  # fmt: skip
    return rates, tests, excess
