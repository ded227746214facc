"""Mean errors of samples from the populations that the variance theorems speak about."""

from __future__ import annotations

import numpy as np
from numba import njit

from .compiled import kernel
from .streams import below, stream, uniform


@njit
def _sample_mean(n, m, share, q, r, root, size, state, kind, order, common):
    """Draw a population of groups of `size` linked nodes and the mean error of n of its nodes.

    A node of a group whose common sign is V = +1 or -1 errs with probability
    mu + sqrt(rho) sqrt(mu (1 - mu)) V, which makes the correlation of linked nodes rho exactly,
    whatever their kinds.
    """
    if share < 0:
        kind[:] = 0
    else:
        for i in range(m):
            kind[i] = 1 if i < share else 0
        for i in range(share):  # the nodes of kind 1 are anywhere
            j = i + below(state, m - i)
            kind[i], kind[j] = kind[j], kind[i]
    for g in range(common.size):
        common[g] = 1.0 if uniform(state) < 0.5 else -1.0
    for i in range(m):
        order[i] = i
    wrong = 0
    for i in range(n):
        j = i + below(state, m - i)
        order[i], order[j] = order[j], order[i]
        node = order[i]
        mu = q if kind[node] == 1 else r
        limit = mu + root * np.sqrt(mu * (1 - mu)) * common[node // size]
        wrong += uniform(state) < limit
    return wrong / n


@kernel
def sample_means(n, m, p, q, rho, size, first, key, out):
    """Draw mean errors under the assumptions of each theorem.

    Parameters
    ----------
    n, m : int
        Nodes in a sample and in the population.
    p, q, rho : float
        Parameters of the model; p m is whole.
    size : int
        Nodes in a group; all pairs in a group are linked.
    first : int
        Number of the first trial.
    key : uint64
    out : ndarray, shape (n_trials, 3)
        Filled with a mean error for Theorems 1 (one kind of node, correlated), 2 (two kinds,
        not correlated) and 3 (two kinds, correlated).
    """
    kind = np.empty(m, dtype=np.int64)
    order = np.empty(m, dtype=np.int64)
    common = np.empty((m + size - 1) // size)
    r = p * (1 - q) / (1 - p)
    share = int(np.floor(p * m + 0.5))
    root = np.sqrt(rho)
    for trial in range(out.shape[0]):
        state = stream(key, first + trial, 0)
        for theorem in range(3):
            out[trial, theorem] = _sample_mean(
                n,
                m,
                -1 if theorem == 0 else share,
                q,
                p if theorem == 0 else r,
                0.0 if theorem == 1 else root,
                size,
                state,
                kind,
                order,
                common,
            )
