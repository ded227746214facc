"""A whole trial of two models on one network: random resamples and network cross-validation.

Splits at several proportions of labelled nodes share the words, so that few bits stay unused.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from .designs import draw_folds, draw_resamples, rows_for
from .lanes import VECTORS
from .small_models import run_rows
from .split_counts import error_parameters, node_counts, split_rates
from .streams import stream
from .trials import FLIP, SPLIT, handicap

FOLD_SPLIT, FOLD_FLIP = 11, 12  # purposes of streams, beside those of `trials`
OPTIONS = {"nogil": True, "cache": VECTORS}


@njit(**OPTIONS)
def network_trial(
    graph, labels, n_classes, n_train, n_splits, n_folds, kinds, smoothing, betas, chances, group,
    n_groups, describe, keys, unit,
):  # fmt: skip
    """Run both models on resamples and on folds, at several proportions of labelled nodes.

    Parameters
    ----------
    graph, labels, n_classes, kinds, smoothing, betas
        As for `small_models.run_rows`.
    n_train : ndarray of int, shape (n_proportions,)
        Sizes of the training sets.
    n_splits, n_folds : int
        Resamples, and folds of the network cross-validation, of each proportion.
    chances : ndarray of float, shape (n_proportions, n_handicaps, 2)
        Probability that a prediction is turned.
    group : ndarray of int, shape (n,)
        Communities, numbered from 0.
    n_groups : int
    describe : bool
        Whether `parameters` are wanted; they are zeros otherwise.
    keys : ndarray of uint64, shape (n_proportions,)
        One a proportion: what is drawn does not depend on the other proportions.
    unit : int
        The trial; names its streams.

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
    n, proportions, handicaps = labels.size, n_train.size, chances.shape[1]
    both = n_splits + n_folds
    rows = rows_for(proportions * both)
    train = np.zeros((rows, n), dtype=np.uint16)
    test = np.zeros_like(train)
    for x in range(proportions):
        first, size = x * both, n_train[x]
        draw_resamples(labels, size, first, n_splits, stream(keys[x], unit, SPLIT), train, test)
        draw_folds(
            labels, size, first + n_splits, n_folds, stream(keys[x], unit, FOLD_SPLIT), train, test
        )
    plain = run_rows(graph, labels, n_classes, train, test, kinds, smoothing, betas)
    wrong = np.zeros((rows, handicaps, 2, n), dtype=np.uint16)
    rates = np.empty((proportions, handicaps, 2, n_splits))
    folds = np.empty((proportions, handicaps, 2, n_folds))
    parameters = np.zeros((proportions, handicaps, 2, 4))
    sums, sizes = np.zeros((proportions, handicaps, n_groups)), np.zeros((proportions, n_groups))
    tests, errors = np.empty((proportions, n)), np.empty((proportions, handicaps, 2, n))
    for x in range(proportions):
        first = x * both
        for at, size, purpose in ((first, n_splits, FLIP), (first + n_splits, n_folds, FOLD_FLIP)):
            turning = stream(keys[x], unit, purpose)
            handicap(plain, test, chances[x], n_classes, at, size, turning, wrong)
        rates[x] = split_rates(test, wrong, first, n_splits)
        folds[x] = split_rates(test, wrong, first + n_splits, n_folds)
        if describe:
            parameters[x] = error_parameters(
                graph.indptr, graph.indices, test, wrong, first, n_splits
            )
        tests[x], errors[x] = node_counts(test, wrong, first, n_splits)
        for i in range(n):
            sizes[x, group[i]] += tests[x, i]
            for h in range(handicaps):
                sums[x, h, group[i]] += errors[x, h, 0, i] - errors[x, h, 1, i]
    return rates, folds, parameters, sums, sizes, tests, errors
