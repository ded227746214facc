"""Random resamples of two models on one small graph, and on replicates of a network.

A handicap is part of a model: it turns each prediction, with a given chance, into another
class. Several pairs of handicaps are evaluated on the same splits and inference; they are the
first axis of everything that depends on them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .designs import draw_folds, draw_resamples, rows_for
from .lanes import VECTORS
from .replicates import draw_replicate, to_rows
from .small_graphs import NONE, WIDTH, graph_of
from .small_models import run_rows
from .split_counts import bits_of, node_counts, split_rates
from .streams import below, stream, uniform
from .threads import each, n_threads

DRAW, SPLIT, FLIP = 0, 1, 2  # what the streams of a unit are for
OPTIONS = {"nogil": True, "cache": VECTORS}


@njit(**OPTIONS)
def handicap(plain, test, chances, n_classes, first, n_splits, state, out):
    """Turn predictions of a range of splits at random.

    Parameters
    ----------
    plain : ndarray of uint16, shape (n_rows, 2, n)
        What both models get wrong.
    test : ndarray of uint16, shape (n_rows, n)
    chances : ndarray of float, shape (n_handicaps, 2)
        Probability that a prediction is turned.
    n_classes : int
        A turned prediction is any other class, each as probable.
    first, n_splits : int
        The range of splits.
    state : ndarray
        Stream of random numbers.
    out : ndarray of uint16, shape (n_rows, n_handicaps, 2, n)
        The bits of the range are set here: what is wrong afterwards.
    """
    for row in range(test.shape[0]):
        use = bits_of(row, first, n_splits)
        if use != NONE:
            for h, model in np.ndindex(chances.shape):
                for i in range(test.shape[1]):
                    out[row, h, model, i] |= plain[row, model, i] & use
    # split by split, so that it does not matter where in the words they are
    for split in range(first, first + n_splits):
        row, bit = split // WIDTH, np.uint16(1 << (split % WIDTH))
        for model in range(2):
            if chances[:, model].max() > 0:
                wrong, turned = plain[row, model], chances[:, model]
                _turn(wrong, test[row], bit, turned, n_classes, state, out[row, :, model])


@njit(**OPTIONS)
def _turn(wrong, test, bit, chances, n_classes, state, out):
    greatest = chances.max()
    for i in range(test.size):
        if test[i] & bit == NONE:
            continue
        draw = uniform(state)
        if draw >= greatest:
            continue
        lucky = n_classes == 2 or below(state, n_classes - 1) == 0
        if lucky or wrong[i] & bit == NONE:
            for h in range(chances.size):
                if draw < chances[h]:
                    out[h, i] ^= bit


@njit(**OPTIONS)
def run_resampled(
    graph, labels, n_classes, n_train, n_splits, kinds, smoothing, betas, chances, splitting,
    flipping,
):  # fmt: skip
    """Run both models on `n_splits` random resamples of one graph.

    Returns
    -------
    test : ndarray of uint16, shape (n_rows, n)
        Bit s of row r: split 16 r + s tests the node.
    wrong : ndarray of uint16, shape (n_rows, n_handicaps, 2, n)
        The tests that each model gets wrong.
    """
    train = np.zeros((rows_for(n_splits), labels.size), dtype=np.uint16)
    test = np.zeros_like(train)
    draw_resamples(labels, n_train, 0, n_splits, splitting, train, test)
    plain = run_rows(graph, labels, n_classes, train, test, kinds, smoothing, betas)
    wrong = np.zeros((test.shape[0], chances.shape[0], 2, labels.size), dtype=np.uint16)
    handicap(plain, test, chances, n_classes, 0, n_splits, flipping, wrong)
    return test, wrong


@njit(**OPTIONS)
def run_folds(
    graph, labels, n_classes, n_train, n_folds, kinds, smoothing, betas, chances, splitting,
    flipping,
):  # fmt: skip
    """Run both models by network cross-validation; gives the error rates of every fold."""
    train = np.zeros((rows_for(n_folds), labels.size), dtype=np.uint16)
    test = np.zeros_like(train)
    draw_folds(labels, n_train, 0, n_folds, splitting, train, test)
    plain = run_rows(graph, labels, n_classes, train, test, kinds, smoothing, betas)
    wrong = np.zeros((test.shape[0], chances.shape[0], 2, labels.size), dtype=np.uint16)
    handicap(plain, test, chances, n_classes, 0, n_folds, flipping, wrong)
    return split_rates(test, wrong, 0, n_folds)


@njit(**OPTIONS)
def run_replicate(
    blocks, community, weighted, forward, backward, labels, n_classes, labeled, n_splits, kinds,
    smoothing, betas, chances, key, number, rates, tests, excess,
):  # fmt: skip
    """Draw one replicate and run both models; sets one row of what `run_replicates` gives."""
    origin, _, source, target, weight = draw_replicate(*blocks, stream(key, number, DRAW))
    n = origin.size
    graph = graph_of(*to_rows(n, source, target, weight, weighted, forward, backward))
    drawn = labels[origin]
    size = 0
    for label in drawn:
        size += label >= 0
    if size < 2:
        return
    n_train = size - int(np.floor((1 - labeled) * size + 0.5 + 1e-9))
    n_train = min(max(n_train, 1), size - 1)
    test, wrong = run_resampled(
        graph, drawn, n_classes, n_train, n_splits, kinds, smoothing, betas, chances,
        stream(key, number, SPLIT), stream(key, number, FLIP),
    )  # fmt: skip
    rates[:] = split_rates(test, wrong, 0, n_splits)
    times, errors = node_counts(test, wrong, 0, n_splits)
    for i in range(n):
        group = community[origin[i]]
        tests[group] += times[i]
        for h in range(chances.shape[0]):
            excess[h, group] += errors[h, 0, i] - errors[h, 1, i]


@njit(**OPTIONS)
def _run_some(
    blocks, community, weighted, forward, backward, labels, n_classes, labeled, n_splits, kinds,
    smoothing, betas, chances, key, numbers, rates, tests, excess,
):  # fmt: skip
    for r in range(numbers.size):
        run_replicate(
            blocks, community, weighted, forward, backward, labels, n_classes, labeled, n_splits,
            kinds, smoothing, betas, chances, key, numbers[r], rates[r], tests[r], excess[r],
        )  # fmt: skip


def run_replicates(
    blocks: tuple[Any, ...], community: NDArray[Any], weighted: bool, forward: bool,
    backward: bool, labels: NDArray[np.int32], n_classes: int, labeled: float, n_splits: int,
    kinds: NDArray[Any], smoothing: NDArray[Any], betas: NDArray[np.float32],
    chances: NDArray[np.float64], key: np.uint64, numbers: NDArray[Any],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:  # fmt: skip
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

    def run(part: slice) -> None:
        _run_some(
            blocks, community, weighted, forward, backward, labels, n_classes, labeled, n_splits,
            kinds, smoothing, betas, chances, key, numbers[part], rates[part], tests[part],
            excess[part],
        )  # fmt: skip

    size = max(-(-count // n_threads()), 1)
    each(run, [slice(first, first + size) for first in range(0, count, size)])
    return rates, tests, excess
