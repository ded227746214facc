"""A whole trial of two models on one network: random resamples and network cross-validation.

Splits at several proportions of labeled nodes share the words, so that few bits stay unused.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .designs import draw_folds, draw_resamples, rows_for
from .kinds import ModelPair
from .small_graphs import Graph
from .small_models import run_rows
from .split_counts import error_parameters, node_counts, split_rates
from .streams import stream
from .trials import FLIP, SPLIT, handicap

FOLD_SPLIT, FOLD_FLIP = 11, 12  # purposes of streams, beside those of `trials`
Floats = NDArray[np.float64]
Keys = NDArray[np.uint64]
Words = NDArray[np.uint16]


class Runs(NamedTuple):
    """Both models on resamples and on folds of one network, at several proportions of labels.

    Attributes
    ----------
    graph, labels, n_classes, pair
        As for `small_models.run_rows`.
    n_train : ndarray of int, shape (n_proportions,)
        Sizes of the training sets.
    n_splits, n_folds : int
        Resamples, and folds of the network cross-validation, of each proportion.
    keys : ndarray of uint64, shape (n_proportions,)
        One a proportion: what is drawn does not depend on the other proportions.
    unit : int
        The trial; names its streams.
    """

    graph: Graph
    labels: NDArray[np.int32]
    n_classes: int
    n_train: NDArray[np.integer]
    n_splits: int
    n_folds: int
    pair: ModelPair
    keys: Keys
    unit: int

    @property
    def both(self) -> int:
        """Resamples and folds of one proportion."""
        return self.n_splits + self.n_folds


def network_words(runs: Runs) -> tuple[Words, Words]:
    """Run both models on resamples and on folds.

    Returns
    -------
    test : ndarray of uint16, shape (n_rows, n)
        The splits of a proportion follow each other, resamples first.
    plain : ndarray of uint16, shape (n_rows, 2, n)
        What both models get wrong.
    """
    labels, n_splits = runs.labels, runs.n_splits
    train = np.zeros((rows_for(runs.n_train.size * runs.both), labels.size), dtype=np.uint16)
    test = np.zeros_like(train)
    for x, (size, key) in enumerate(zip(runs.n_train, runs.keys)):
        first = x * runs.both
        resampling, folding = stream(key, runs.unit, SPLIT), stream(key, runs.unit, FOLD_SPLIT)
        draw_resamples(labels, size, first, n_splits, resampling, train, test)
        draw_folds(labels, size, first + n_splits, runs.n_folds, folding, train, test)
    return test, run_rows(runs.graph, labels, runs.n_classes, train, test, runs.pair)


def flip_predictions(runs: Runs, test: Words, plain: Words, chances: Floats) -> Words:
    """Turn predictions at random, shape (n_rows, n_handicaps, 2, n)."""
    rows, _, n = plain.shape
    classes, n_splits = runs.n_classes, runs.n_splits
    wrong = np.zeros((rows, chances.shape[1], 2, n), dtype=np.uint16)
    for x, (once, key) in enumerate(zip(chances, runs.keys)):
        at = x * runs.both
        flips, fold_flips = stream(key, runs.unit, FLIP), stream(key, runs.unit, FOLD_FLIP)
        handicap(plain, test, once, classes, at, n_splits, flips, wrong)
        handicap(plain, test, once, classes, at + n_splits, runs.n_folds, fold_flips, wrong)
    return wrong


def fold_rates(runs: Runs, test: Words, plain: Words, chances: Floats) -> Floats:
    """Return the error rates of the folds alone, shape (n_proportions, n_handicaps, 2, n_folds)."""
    wrong = flip_predictions(runs, test, plain, chances)
    folds = np.empty((chances.shape[0], chances.shape[1], 2, runs.n_folds))
    for x in range(chances.shape[0]):
        folds[x] = split_rates(test, wrong, x * runs.both + runs.n_splits, runs.n_folds)
    return folds


def network_trial(
    runs: Runs,
    chances: Floats,
    group: NDArray[np.integer],
    n_groups: int,
    describe: bool,
) -> tuple[Floats, Floats, Floats, Floats, Floats, Floats, Floats]:
    """Run both models on resamples and on folds, at several proportions of labeled nodes.

    Parameters
    ----------
    runs : Runs
    chances : ndarray of float, shape (n_proportions, n_handicaps, 2)
        Probability that a prediction is turned.
    group : ndarray of int, shape (n,)
        Communities, numbered from 0.
    n_groups : int
    describe : bool
        Whether `parameters` are wanted; they are zeros otherwise.

    Returns
    -------
    rates : ndarray, shape (n_proportions, n_handicaps, 2, n_splits)
        Error rates of the resamples.
    folds : ndarray, shape (n_proportions, n_handicaps, 2, n_folds)
        Error rates of the folds.
    parameters : ndarray, shape (n_proportions, n_handicaps, 2, 4)
        p, q, rho and |L| from the resamples.
    sums : ndarray, shape (n_proportions, n_handicaps, n_groups)
        Errors of the first model minus the second by community, over the resamples.
    sizes : ndarray, shape (n_proportions, n_groups)
        Tests by community.
    tests : ndarray, shape (n_proportions, n)
        Tests of each node.
    errors : ndarray, shape (n_proportions, n_handicaps, 2, n)
        Errors of each node.
    """
    n, proportions, handicaps = runs.labels.size, chances.shape[0], chances.shape[1]
    graph, n_splits, n_folds = runs.graph, runs.n_splits, runs.n_folds
    test, plain = network_words(runs)
    wrong = flip_predictions(runs, test, plain, chances)
    rates = np.empty((proportions, handicaps, 2, n_splits))
    folds = np.empty((proportions, handicaps, 2, n_folds))
    parameters = np.zeros((proportions, handicaps, 2, 4))
    sums, sizes = np.zeros((proportions, handicaps, n_groups)), np.zeros((proportions, n_groups))
    tests, errors = np.empty((proportions, n)), np.empty((proportions, handicaps, 2, n))
    for x in range(proportions):
        first = x * runs.both
        rates[x] = split_rates(test, wrong, first, n_splits)
        folds[x] = split_rates(test, wrong, first + n_splits, n_folds)
        if describe:
            parameters[x] = error_parameters(
                graph.indptr, graph.indices, test, wrong, first, n_splits
            )
        tests[x], errors[x] = node_counts(test, wrong, first, n_splits)
        sizes[x] = np.bincount(group, weights=tests[x], minlength=n_groups)
        for h in range(handicaps):
            gap = errors[x, h, 0] - errors[x, h, 1]
            sums[x, h] = np.bincount(group, weights=gap, minlength=n_groups)
    return rates, folds, parameters, sums, sizes, tests, errors
