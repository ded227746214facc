"""What splits that are the bits of words tell: rates, counts by node, parameters of the errors.

`test` has the shape (n_rows, n), `wrong` the shape (n_rows, n_handicaps, 2, n): the splits that
test a node, and those that get it wrong. A range of splits begins at `first`, in any row.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from .lanes import VECTORS, add, choose, load, splat, store
from .small_graphs import NONE, WIDTH

OPTIONS = {"nogil": True, "cache": VECTORS, "error_model": "numpy"}
F = np.float32


@njit(**OPTIONS)
def bits_of(row, first, n_splits):
    """Give the bits of a row that belong to a range of splits."""
    low = min(max(first - row * WIDTH, 0), WIDTH)
    high = min(max(first + n_splits - row * WIDTH, 0), WIDTH)
    return np.uint16((1 << high) - (1 << low))


@njit(**OPTIONS)
def ones(bits):
    """Count the bits that are set."""
    count = 0
    while bits:
        bits &= np.uint16(bits - np.uint16(1))
        count += 1
    return count


@njit(**OPTIONS)
def _by_split(words, out):
    """Count for each split the nodes whose bit is set, sixteen splits at once."""
    total, one = splat(F(0)), splat(F(1))
    for word in words:
        total = choose(word, add(total, one), total)
    store(out, 0, total)


@njit(**OPTIONS)
def split_rates(test, wrong, first, n_splits):
    """Give the error rates of a range of splits, shape (n_handicaps, 2, n_splits)."""
    handicaps = wrong.shape[1]
    rates = np.empty((handicaps, 2, n_splits))
    tested, errors = np.empty(WIDTH, dtype=np.float32), np.empty(WIDTH, dtype=np.float32)
    for row in range(test.shape[0]):
        low, high = max(first, row * WIDTH), min(first + n_splits, (row + 1) * WIDTH)
        if low >= high:
            continue
        _by_split(test[row], tested)
        for h in range(handicaps):
            for model in range(2):
                _by_split(wrong[row, h, model], errors)
                for split in range(low, high):
                    lane = split - row * WIDTH
                    rates[h, model, split - first] = np.float64(errors[lane]) / tested[lane]
    return rates


@njit(**OPTIONS)
def node_counts(test, wrong, first, n_splits):
    """Add up over a range of splits.

    Returns
    -------
    tests : ndarray of float, shape (n,)
    errors : ndarray of float, shape (n_handicaps, 2, n)
    """
    rows, handicaps, _, n = wrong.shape
    tests = np.zeros(n)
    errors = np.zeros((handicaps, 2, n))
    for row in range(rows):
        use = bits_of(row, first, n_splits)
        if use == NONE:
            continue
        for i in range(n):
            tests[i] += ones(test[row, i] & use)
        for h in range(handicaps):
            for model in range(2):
                for i in range(n):
                    errors[h, model, i] += ones(wrong[row, h, model, i] & use)
    return tests, errors


@njit(**OPTIONS)
def _link_counts(indptr, indices, test, wrong, counts):
    """Count, split by split, tested links whose ends are both wrong, one wrong, none wrong."""
    one = splat(F(1))
    for place in range(3):
        store(counts, place * WIDTH, splat(F(0)))
    for i in range(test.size):
        if test[i] == NONE:
            continue
        both, single, neither = (splat(F(0)), splat(F(0)), splat(F(0)))
        for e in range(indptr[i], indptr[i + 1]):
            j = indices[e]
            tested = test[i] & test[j] if j != i else NONE
            x, y = wrong[i] & tested, wrong[j] & tested
            both = choose(x & y, add(both, one), both)
            single = choose(x ^ y, add(single, one), single)
            neither = choose(tested & ~(x | y), add(neither, one), neither)
        store(counts, 0, add(load(counts, 0), both))
        store(counts, WIDTH, add(load(counts, WIDTH), single))
        store(counts, 2 * WIDTH, add(load(counts, 2 * WIDTH), neither))


@njit(**OPTIONS)
def _correlation(indptr, indices, test, wrong, first, n_splits):
    """Give rho and |L| of one model; `wrong` has the shape (n_rows, n)."""
    counts = np.empty(3 * WIDTH, dtype=np.float32)
    phis, defined, links = 0.0, 0, 0.0
    for row in range(test.shape[0]):
        low, high = max(first, row * WIDTH), min(first + n_splits, (row + 1) * WIDTH)
        if low >= high:
            continue
        _link_counts(indptr, indices, test[row], wrong[row], counts)
        for lane in range(low - row * WIDTH, high - row * WIDTH):
            both = np.float64(counts[lane])
            one = np.float64(counts[WIDTH + lane])
            none = np.float64(counts[2 * WIDTH + lane])
            links += both + one + none
            margin = (both + one / 2) * (none + one / 2)
            if margin > 0:
                phis += (both * none - one * one / 4) / margin
                defined += 1
    return phis / defined if defined else 0.0, links / n_splits


@njit(**OPTIONS)
def error_parameters(indptr, indices, test, wrong, first, n_splits):
    """Estimate p, q, rho and |L| of both models, as `nettrial.estimates` defines them.

    Returns
    -------
    ndarray, shape (n_handicaps, 2, 4)
    """
    tests, errors = node_counts(test, wrong, first, n_splits)
    found = np.zeros((wrong.shape[1], 2, 4))
    pairs = (tests * (tests - 1)).sum()
    for h in range(wrong.shape[1]):
        for model in range(2):
            x = errors[h, model]
            p = x.sum() / tests.sum()
            q = p
            if pairs > 0 and 0 < p < 1:
                icc = ((x * (x - 1)).sum() / pairs - p * p) / (p * (1 - p))
                q = min(1.0, p + (1 - p) * np.sqrt(max(icc, 0.0)))
            rho, links = _correlation(indptr, indices, test, wrong[:, h, model], first, n_splits)
            found[h, model, 0] = p
            found[h, model, 1] = q
            found[h, model, 2] = rho
            found[h, model, 3] = links
    return found
