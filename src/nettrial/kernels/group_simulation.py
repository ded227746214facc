"""Simulated group classifiers: every trial from its own counter-based stream.

The paper (Neville et al. 2009, tables 6 and 7) gives the algorithm; `nettrial.synth` holds a
plain version of it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import int64, njit, uint64
from numpy.typing import NDArray

from .compiled import kernel
from .equal_allocation import deal_node
from .philox import below, fill_words

RRS, ERS, NCV = 0, 1, 2
# tests, errors of A and errors of B in one number, 21 bits each
ONE, COUNT = uint64(1), uint64(2**21 - 1)
A_ERRS, B_ERRS = uint64(21), uint64(42)


@njit
def _draw_test_sets(design, tests, size, ring, perm, copies, held, chosen, words, at):
    """Fill the first `size` places of each row of `tests` with the nodes of a test set.

    Gives the place of the next word.
    """
    n_folds = tests.shape[0]
    m = perm.size
    if design == NCV:
        # groups are drawn independently of the node's number: any fixed folds are random folds
        for fold in range(n_folds):
            for i in range(size):
                tests[fold, i] = fold + i * n_folds
        return at
    few = min(size, m - size)
    if design == RRS:
        for fold in range(n_folds):
            for i in range(few):
                j = i + below(words[at + i], m - i)
                perm[i], perm[j] = perm[j], perm[i]
            at += few
            first = 0 if few == size else few
            for i in range(size):
                tests[fold, i] = perm[first + i]
        return at
    lower, more = (n_folds * few) // m, (n_folds * few) % m
    copies[:] = lower
    for i in range(more):
        j = i + below(words[at + i], m - i)
        perm[i], perm[j] = perm[j], perm[i]
        copies[perm[i]] += 1
    at += more
    for i in range(n_folds):
        ring[i] = i
    held[:] = 0
    taken = 0
    for node in range(m):
        taken, at = deal_node(ring, taken, copies[node], words, at, chosen)
        for i in range(copies[node]):
            held[chosen[i], node] = 1
    # the fewer of test and training copies were dealt
    wanted = 1 if few == size else 0
    for fold in range(n_folds):
        filled = 0
        for node in range(m):
            # without a branch: a place is overwritten until its node is wanted
            tests[fold, filled] = node
            filled += held[fold, node] == wanted
    return at


@njit
def _choose_failing(limits, ring, n_failing, high, low, words, at):
    """Let A fail in some of the first half of the groups, B in as many of the others."""
    n_groups = limits.shape[1]
    half = n_groups // 2
    for side in range(2):
        begin, end = (0, half) if side == 0 else (half, n_groups)
        for g in range(n_groups):
            limits[side, g] = low[side]
            ring[g] = g
        for i in range(n_failing):
            j = begin + i + below(words[at + i], end - begin - i)
            ring[begin + i], ring[j] = ring[j], ring[begin + i]
            limits[side, ring[begin + i]] = high[side]
        at += n_failing
    return at


class GroupCell(NamedTuple):
    """What all trials of a cell share.

    Attributes
    ----------
    design : int
        RRS, ERS or NCV.
    m : int
        Nodes.
    ends : ndarray of uint64, shape (n_groups - 1,)
        2**32 times the probability of a group up to each but the last.
    n_failing : int
        Failing groups of each classifier.
    high, low : ndarray of uint64, shape (2,)
        For A and B, 2**32 times the error probability in failing and in other groups.
    by_trial : bool
        Keep the failing groups for a trial instead of drawing them for every fold.
    sizes : ndarray of int, shape (n_folds,)
        Test set sizes; they differ by at most 1 and the larger come first.
    k0, k1 : int
        The key; the trial's number is the stream.
    """

    design: int
    m: int
    ends: NDArray[np.uint64]
    n_failing: int
    high: NDArray[np.uint64]
    low: NDArray[np.uint64]
    by_trial: bool
    sizes: NDArray[Any]
    k0: int
    k1: int


@kernel
def group_trials(cell, first_trial, errors, pairs, repeats, by_group):
    """Run trials `first_trial`, `first_trial` + 1, ... of one cell.

    Parameters
    ----------
    cell : GroupCell
    first_trial : int
    errors : ndarray of int, shape (n_trials, 2, n_folds)
        Filled with the errors of A and B in every test set.
    pairs : ndarray of int, shape (n_trials, 2, 3)
        Filled, for A and B, over ordered pairs of test nodes of one group and all folds: pairs
        that both err, pairs whose first node errs, all pairs.
    repeats : ndarray of int, shape (n_trials, 2, 2)
        Filled, for A and B, with sum x (x - 1) and sum c (c - 1) over nodes that err x times
        in c tests.
    by_group : ndarray of int, shape (n_trials, 2, n_groups)
        Filled with A's errors minus B's, and the tests, of the nodes of every group.
    """
    n_trials, _, n_folds = errors.shape
    m, n_groups, n_failing, sizes = cell.m, cell.ends.size + 1, cell.n_failing, cell.sizes
    largest = sizes.max()
    few = min(largest, m - largest)
    most = m + m + n_folds * (few + 2 * n_failing + 2 * largest) + 2 * n_failing
    n_blocks = most // 4 + 1
    words = np.empty(4 * n_blocks, dtype=np.uint32)
    group = np.empty(m, dtype=np.int64)
    perm = np.arange(m)
    copies = np.empty(m, dtype=np.int64)
    held = np.empty((n_folds, m), dtype=np.uint8)
    tests = np.empty((n_folds, largest + 1), dtype=np.int32)
    ring = np.empty(max(n_folds, n_groups), dtype=np.int64)
    chosen = np.empty(n_folds, dtype=np.int64)
    limits = np.empty((2, n_groups), dtype=np.uint64)
    by_node = np.empty(m, dtype=np.uint64)
    in_group = np.empty(n_groups, dtype=np.uint64)
    for trial in range(n_trials):
        fill_words(words, n_blocks, 0, first_trial + trial, 0, cell.k0, cell.k1)
        for i in range(m):
            group[i] = 0
            for end in cell.ends:
                group[i] += words[i] >= end
            perm[i] = i
        at = _draw_test_sets(
            cell.design, tests, largest, ring[:n_folds], perm, copies, held, chosen, words, m
        )
        by_node[:] = 0
        errors[trial] = 0
        pairs[trial] = 0
        by_group[trial] = 0
        for fold in range(n_folds):
            if fold == 0 or not cell.by_trial:
                at = _choose_failing(limits, ring, n_failing, cell.high, cell.low, words, at)
            in_group[:] = 0
            size = sizes[fold]
            for i in range(size):
                # unsigned indices need no check for negative ones
                node = uint64(tests[fold, i])
                g = uint64(group[node])
                a = uint64(words[at + i] < limits[0, g])
                b = uint64(words[at + size + i] < limits[1, g])
                counted = ONE + (a << A_ERRS) + (b << B_ERRS)
                by_node[node] += counted
                in_group[g] += counted
            at += 2 * size
            for g in range(n_groups):
                n = int64(in_group[g] & COUNT)
                for side in range(2):
                    x = int64((in_group[g] >> (A_ERRS if side == 0 else B_ERRS)) & COUNT)
                    errors[trial, side, fold] += x
                    by_group[trial, 0, g] += x if side == 0 else -x
                    pairs[trial, side, 0] += x * (x - 1)
                    pairs[trial, side, 1] += x * (n - 1)
                    pairs[trial, side, 2] += n * (n - 1)
                by_group[trial, 1, g] += n
        repeats[trial] = 0
        for node in range(m):
            n = int64(by_node[node] & COUNT)
            for side in range(2):
                x = int64((by_node[node] >> (A_ERRS if side == 0 else B_ERRS)) & COUNT)
                repeats[trial, side, 0] += x * (x - 1)
                repeats[trial, side, 1] += n * (n - 1)


@kernel
def paired_t_rejections(errors, sizes, critical, rejected):
    """Set whether |t| of the differences of the error rates exceeds `critical`, for every trial.

    Where all differences are equal, any other than zero is significant.
    """
    n_trials, _, k = errors.shape
    difference = np.empty(k)
    for trial in range(n_trials):
        mean = 0.0
        for j in range(k):
            difference[j] = (errors[trial, 0, j] - errors[trial, 1, j]) / sizes[j]
            mean += difference[j] / k
        spread = 0.0
        for j in range(k):
            spread += (difference[j] - mean) ** 2
        rejected[trial] = mean * mean * k * (k - 1) > critical * critical * spread
