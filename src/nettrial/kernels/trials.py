"""Random resamples of two models on one small graph, and on replicates of a network.

A handicap is part of a model: it turns each prediction, with a given chance, into another
class. Several pairs of handicaps are evaluated on the same splits and inference; they are the
first axis of everything that depends on them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .compiled import kernel
from .designs import draw_folds, draw_resamples, rows_for
from .kinds import ModelPair, RowForm
from .replicates import draw_replicate, to_rows
from .small_graphs import NONE, WIDTH, Graph, graph_of
from .small_models import run_rows
from .split_counts import bits_of, node_counts, split_rates
from .streams import below, stream, uniform
from .threads import each

DRAW, SPLIT, FLIP = 0, 1, 2  # what the streams of a unit are for
Floats = NDArray[np.float64]
State = NDArray[np.uint32]
Words = NDArray[np.uint16]


def handicap(
    plain: Words,
    test: Words,
    chances: Floats,
    n_classes: int,
    first: int,
    n_splits: int,
    state: State,
    out: Words,
) -> None:
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
    for row in range(first // WIDTH, rows_for(first + n_splits)):
        out[row] |= plain[row] & bits_of(row, first, n_splits)
    # split by split, so that it does not matter where in the words they are
    turned = chances.any(axis=0)
    for split in range(first, first + n_splits) if turned.any() else ():
        row, bit = split // WIDTH, np.uint16(1 << (split % WIDTH))
        for model in np.flatnonzero(turned):
            wrong = out[row, :, model]
            turn(plain[row, model], test[row], bit, chances[:, model], n_classes, state, wrong)


@kernel
def turn(plain, test, bit, chances, n_classes, state, out):
    """Turn the predictions of one model in the split of one bit."""
    greatest = chances[0]
    for h in range(1, chances.size):
        greatest = max(greatest, chances[h])
    for i in range(test.size):
        if test[i] & bit == NONE:
            continue
        draw = uniform(state)
        if draw >= greatest:
            continue
        lucky = n_classes == 2 or below(state, n_classes - 1) == 0
        if lucky or plain[i] & bit == NONE:
            for h in range(chances.size):
                if draw < chances[h]:
                    out[h, i] ^= bit


def run_resampled(
    graph: Graph,
    labels: NDArray[np.int32],
    n_classes: int,
    n_train: int,
    n_splits: int,
    pair: ModelPair,
    chances: Floats,
    splitting: State,
    flipping: State,
) -> tuple[Words, Words]:
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
    plain = run_rows(graph, labels, n_classes, train, test, pair)
    wrong = np.zeros((test.shape[0], chances.shape[0], 2, labels.size), dtype=np.uint16)
    handicap(plain, test, chances, n_classes, 0, n_splits, flipping, wrong)
    return test, wrong


def run_folds(
    graph: Graph,
    labels: NDArray[np.int32],
    n_classes: int,
    n_train: int,
    n_folds: int,
    pair: ModelPair,
    chances: Floats,
    splitting: State,
    flipping: State,
) -> Floats:
    """Run both models by network cross-validation; return the error rates of every fold."""
    train = np.zeros((rows_for(n_folds), labels.size), dtype=np.uint16)
    test = np.zeros_like(train)
    draw_folds(labels, n_train, 0, n_folds, splitting, train, test)
    plain = run_rows(graph, labels, n_classes, train, test, pair)
    wrong = np.zeros((test.shape[0], chances.shape[0], 2, labels.size), dtype=np.uint16)
    handicap(plain, test, chances, n_classes, 0, n_folds, flipping, wrong)
    return split_rates(test, wrong, 0, n_folds)


class Replicating(NamedTuple):
    """How replicates of a network are drawn, and what runs on them.

    Attributes
    ----------
    blocks : tuple
        The network taken apart, as `draw_replicate` takes it.
    community : ndarray of int, shape (n,)
        Community of each node, codes from 0.
    form : RowForm
    labels : ndarray of int32, shape (n,)
    n_classes : int
    labeled : float
        Proportion of the labeled nodes of a replicate that is trained on.
    n_splits, pair, chances
        As for `run_resampled`.
    key : uint64
        Of the streams of random numbers.
    """

    blocks: tuple[Any, ...]
    community: NDArray[Any]
    form: RowForm
    labels: NDArray[np.int32]
    n_classes: int
    labeled: float
    n_splits: int
    pair: ModelPair
    chances: Floats
    key: np.uint64


def run_replicate(
    task: Replicating, number: int, rates: Floats, tests: Floats, excess: Floats
) -> None:
    """Draw one replicate and run both models; sets one row of what `run_replicates` returns."""
    key = task.key
    origin, _, source, target, weight = draw_replicate(task.blocks, stream(key, number, DRAW))
    graph = graph_of(*to_rows(origin.size, source, target, weight, task.form))
    drawn = task.labels[origin]
    size = int((drawn >= 0).sum())
    if size < 2:
        return
    n_train = size - int(np.floor((1 - task.labeled) * size + 0.5 + 1e-9))
    n_train = min(max(n_train, 1), size - 1)
    test, wrong = run_resampled(
        graph,
        drawn,
        task.n_classes,
        n_train,
        task.n_splits,
        task.pair,
        task.chances,
        stream(key, number, SPLIT),
        stream(key, number, FLIP),
    )
    rates[:] = split_rates(test, wrong, 0, task.n_splits)
    times, errors = node_counts(test, wrong, 0, task.n_splits)
    group = task.community[origin]
    tests[:] = np.bincount(group, weights=times, minlength=tests.size)
    for row, (first, second) in zip(excess, errors):
        row[:] = np.bincount(group, weights=first - second, minlength=tests.size)


def run_replicates(task: Replicating, numbers: NDArray[Any]) -> tuple[Floats, Floats, Floats]:
    """Draw replicates of a network and run both models on each.

    Parameters
    ----------
    task : Replicating
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
    count, handicaps = numbers.size, task.chances.shape[0]
    rates = np.full((count, handicaps, 2, task.n_splits), np.nan)
    n_communities = task.community.max() + 1
    tests = np.zeros((count, n_communities))
    excess = np.zeros((count, handicaps, n_communities))

    def run(place: int) -> None:
        run_replicate(task, int(numbers[place]), rates[place], tests[place], excess[place])

    each(run, range(count))
    return rates, tests, excess
