"""Network cross-validation as bits, and what RS-C needs to know of the errors."""

from __future__ import annotations

import numpy as np
from numba import njit

from .lanes_small import WIDTH
from .small_graphs import run_splits
from .streams import below
from .trials import handicap, split_rates


@njit(cache=True)
def run_folds(
    indptr, indices, weights, labels, n_classes, n_train, n_folds, kinds, smoothing, betas,
    chances, splitting, flipping,
):  # fmt: skip
    """Run both models by network cross-validation; gives the error rates of every fold."""
    n = labels.size
    pool = np.flatnonzero(labels >= 0)
    size = pool.size
    for place in range(size - 1, 0, -1):
        other = below(splitting, place + 1)
        pool[place], pool[other] = pool[other], pool[place]
    fold = np.full(n, -1, dtype=np.int64)
    for place in range(size):
        fold[pool[place]] = place % n_folds
    batches = (n_folds + WIDTH - 1) // WIDTH
    test = np.zeros((batches, n), dtype=np.uint16)
    wrong = np.zeros((batches, chances.shape[0], 2, n), dtype=np.uint16)
    plain = np.empty((2, n), dtype=np.uint16)
    for b in range(batches):
        train = np.zeros(n, dtype=np.uint16)
        for f in range(b * WIDTH, min(n_folds, (b + 1) * WIDTH)):
            bit = np.uint16(1 << (f % WIDTH))
            others = pool[fold[pool] != f]
            for place in range(n_train):
                other = place + below(splitting, others.size - place)
                others[place], others[other] = others[other], others[place]
                train[others[place]] |= bit
            for i in pool:
                if fold[i] == f:
                    test[b, i] |= bit
        run_splits(
            indptr, indices, weights, labels, n_classes, train, test[b], kinds, smoothing, betas,
            plain,
        )  # fmt: skip
        handicap(plain, test[b], chances, n_classes, flipping, wrong[b])
    return split_rates(test, wrong, n_folds)


@njit(cache=True)
def error_parameters(indptr, indices, test, wrong, n_splits):
    """Estimate p, q, rho and |L| of both models, as `nettrial.estimates` defines them.

    Returns
    -------
    ndarray, shape (n_handicaps, 2, 4)
    """
    _, handicaps, _, n = wrong.shape
    found = np.zeros((handicaps, 2, 4))
    for h in range(handicaps):
        for model in range(2):
            phis, defined, links = 0.0, 0, 0.0
            for split in range(n_splits):
                b, bit = split // WIDTH, np.uint16(1 << (split % WIDTH))
                both, one, none = 0.0, 0.0, 0.0
                for i in range(n):
                    if not test[b, i] & bit:
                        continue
                    x = wrong[b, h, model, i] & bit
                    for e in range(indptr[i], indptr[i + 1]):
                        j = indices[e]
                        if j != i and test[b, j] & bit:
                            y = wrong[b, h, model, j] & bit
                            if x and y:
                                both += 1
                            elif x or y:
                                one += 1
                            else:
                                none += 1
                links += both + one + none
                margin = (both + one / 2) * (none + one / 2)
                if margin > 0:
                    phis += (both * none - one * one / 4) / margin
                    defined += 1
            wins, squares, pairs, tests = 0.0, 0.0, 0.0, 0.0
            for i in range(n):
                c, x = 0.0, 0.0
                for split in range(n_splits):
                    b, bit = split // WIDTH, np.uint16(1 << (split % WIDTH))
                    if test[b, i] & bit:
                        c += 1
                        if wrong[b, h, model, i] & bit:
                            x += 1
                wins += x
                tests += c
                squares += x * (x - 1)
                pairs += c * (c - 1)
            p = wins / tests
            q = p
            if pairs > 0 and 0 < p < 1:
                icc = (squares / pairs - p * p) / (p * (1 - p))
                q = min(1.0, p + (1 - p) * np.sqrt(max(icc, 0.0)))
            found[h, model, 0] = p
            found[h, model, 1] = q
            found[h, model, 2] = phis / defined if defined else 0.0
            found[h, model, 3] = links / n_splits
    return found
