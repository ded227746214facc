"""A whole trial of two models on one network: random resamples and network cross-validation."""

from __future__ import annotations

import numpy as np
from numba import njit

from .designs import error_parameters, run_folds
from .lanes_small import WIDTH
from .streams import stream
from .trials import FLIP, SPLIT, node_counts, ones, run_resampled, split_rates

FOLD_SPLIT, FOLD_FLIP = 11, 12  # purposes of streams, beside those of `trials`


@njit(cache=True)
def error_counts(wrong, n_splits):
    """Count errors of each node, shape (n_handicaps, 2, n), over the first `n_splits` splits."""
    batches, handicaps, _, n = wrong.shape
    counts = np.zeros((handicaps, 2, n))
    for b in range(batches):
        left = n_splits - b * WIDTH
        if left <= 0:
            break
        use = np.uint16(0xFFFF) if left >= WIDTH else np.uint16((1 << left) - 1)
        for h in range(handicaps):
            for model in range(2):
                for i in range(n):
                    counts[h, model, i] += ones(wrong[b, h, model, i] & use)
    return counts


@njit(cache=True, nogil=True)
def network_trial(
    indptr, indices, weights, labels, n_classes, n_train, n_splits, n_folds, kinds, smoothing,
    betas, chances, group, n_groups, describe, key, unit,
):  # fmt: skip
    """Run both models on resamples and on folds.

    Parameters
    ----------
    indptr, indices, weights, labels, n_classes, n_train, n_splits, kinds, smoothing, betas
        As for `trials.run_resampled`.
    n_folds : int
        Folds of the network cross-validation.
    chances : ndarray of float, shape (n_handicaps, 2)
        Probability that a prediction is turned.
    group : ndarray of int, shape (n,)
        Communities, numbered from 0.
    n_groups : int
    describe : bool
        Whether `parameters` and `errors` are wanted; they are zeros otherwise.
    key : uint64
    unit : int
        The trial; names its streams.

    Returns
    -------
    rates : ndarray, shape (n_handicaps, 2, n_splits)
        Error rates of the resamples.
    folds : ndarray, shape (n_handicaps, 2, n_folds)
        Error rates of the folds.
    parameters : ndarray, shape (n_handicaps, 2, 4)
        p, q, rho and |L| from the resamples.
    sums : ndarray, shape (n_handicaps, n_groups)
        Errors of the first model minus the second by community, over the resamples.
    sizes : ndarray, shape (n_groups,)
        Tests by community.
    tests : ndarray, shape (n,)
        Tests of each node.
    errors : ndarray, shape (n_handicaps, 2, n)
        Errors of each node.
    """
    test, wrong = run_resampled(
        indptr, indices, weights, labels, n_classes, n_train, n_splits, kinds, smoothing, betas,
        chances, stream(key, unit, SPLIT), stream(key, unit, FLIP),
    )  # fmt: skip
    rates = split_rates(test, wrong, n_splits)
    parameters = np.zeros((chances.shape[0], 2, 4))
    errors = np.zeros((chances.shape[0], 2, labels.size))
    if describe:
        parameters[:] = error_parameters(indptr, indices, test, wrong, n_splits)
        errors[:] = error_counts(wrong, n_splits)
    tests, excess = node_counts(test, wrong, n_splits)
    sums = np.zeros((chances.shape[0], n_groups))
    for h in range(chances.shape[0]):
        sums[h] = np.bincount(group, excess[h], n_groups)
    sizes = np.bincount(group, tests, n_groups)
    folds = network_folds(
        indptr, indices, weights, labels, n_classes, n_train, n_folds, kinds, smoothing, betas,
        chances, key, unit,
    )  # fmt: skip
    return rates, folds, parameters, sums, sizes, tests, errors


@njit(cache=True, nogil=True)
def network_folds(
    indptr, indices, weights, labels, n_classes, n_train, n_folds, kinds, smoothing, betas,
    chances, key, unit,
):  # fmt: skip
    """Run both models by network cross-validation alone; parameters as for `network_trial`."""
    return run_folds(
        indptr, indices, weights, labels, n_classes, n_train, n_folds, kinds, smoothing, betas,
        chances, stream(key, unit, FOLD_SPLIT), stream(key, unit, FOLD_FLIP),
    )  # fmt: skip
