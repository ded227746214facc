"""Two simulated learning algorithms on independent instances, under five designs."""

from __future__ import annotations

import numpy as np
from numba import njit

from .compiled import kernel
from .streams import below, stream, uniform


@njit
def _normal(state):
    return np.sqrt(-2 * np.log(uniform(state))) * np.cos(2 * np.pi * uniform(state))


@njit
def _shuffle(order, state):
    for i in range(order.size - 1):
        j = i + below(state, order.size - i)
        order[i], order[j] = order[j], order[i]


@njit
def _evaluate(order, begin, end, limits, influence, training_sd, state, table):
    """Train on the other places of `order`, test on places begin to end.

    The training set moves the error rate of an algorithm by `training_sd` times the sum of its
    instances' influences over the root of their number, so that training sets that overlap move
    it alike. Adds to `table` the tests that both, A alone, B alone and none get wrong.
    """
    m = order.size
    shift = np.zeros(2)
    if training_sd > 0:
        for place in range(m):
            if place < begin or place >= end:
                for side in range(2):
                    shift[side] += influence[side, order[place]]
        shift *= training_sd / np.sqrt(m - (end - begin))
    for place in range(begin, end):
        node = order[place]
        a = uniform(state) < limits[0, node] + shift[0]
        b = uniform(state) < limits[1, node] + shift[1]
        table[0 if a and b else 1 if a else 2 if b else 3] += 1


@kernel
def independent_trials(m, p, q, training_sd, first, key, resampled, folds, halves):
    """Run trials of all designs.

    Parameters
    ----------
    m : int
        Instances.
    p, q : float
        Error rate of both algorithms; error probability of the instances that are hard for one.
    training_sd : float
        Standard deviation of the error rate over training sets.
    first : int
        Number of the first trial.
    key : uint64
    resampled : ndarray of int, shape (n_trials, n_splits, 4)
        Filled, for random splits with a third of the instances in the test set, with the tests
        that both, A alone, B alone and none get wrong.
    folds : ndarray of int, shape (n_trials, n_folds, 4)
        The same for a cross-validation.
    halves : ndarray of int, shape (n_trials, 5, 2, 4)
        The same for five repetitions of twofold cross-validation.
    """
    r = p * (1 - q) / (1 - p)
    limits = np.empty((2, m))
    influence = np.zeros((2, m))
    order = np.arange(m)
    for trial in range(resampled.shape[0]):
        state = stream(key, first + trial, 0)
        for i in range(m):
            left = uniform(state) < 0.5
            for side in range(2):
                # in one half of the instances A is weaker, in the other one B
                share = 1.5 * p if left == (side == 0) else 0.5 * p
                limits[side, i] = q if uniform(state) < share else r
                if training_sd > 0:
                    influence[side, i] = _normal(state)
        resampled[trial] = 0
        folds[trial] = 0
        halves[trial] = 0
        for split in range(resampled.shape[1]):
            _shuffle(order, state)
            _evaluate(
                order, 0, m // 3, limits, influence, training_sd, state, resampled[trial, split]
            )
        _shuffle(order, state)
        k = folds.shape[1]
        for fold in range(k):
            _evaluate(
                order,
                fold * m // k,
                (fold + 1) * m // k,
                limits,
                influence,
                training_sd,
                state,
                folds[trial, fold],
            )
        for repeat in range(5):
            _shuffle(order, state)
            for half in range(2):
                _evaluate(
                    order,
                    half * m // 2,
                    (half + 1) * m // 2,
                    limits,
                    influence,
                    training_sd,
                    state,
                    halves[trial, repeat, half],
                )
