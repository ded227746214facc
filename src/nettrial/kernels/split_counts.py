"""What splits that are the bits of words tell: rates, counts by node, parameters of the errors.

`test` has the shape (n_rows, n), `wrong` the shape (n_rows, n_handicaps, 2, n): the splits that
test a node, and those that get it wrong. A range of splits begins at `first`, in any row.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .lanes import add, choose, lane_kernel, pointer, splat, store
from .small_graphs import NONE, WIDTH

Floats = NDArray[np.float64]
Words = NDArray[np.uint16]
F = np.float32


def bits_of(row: int, first: int, n_splits: int) -> np.uint16:
    """Return the bits of a row that belong to a range of splits."""
    low = min(max(first - row * WIDTH, 0), WIDTH)
    high = min(max(first + n_splits - row * WIDTH, 0), WIDTH)
    return np.uint16((1 << high) - (1 << low))


@lane_kernel
def count_by_split(words, n_sets, n, counts):
    """Count, for each of `n_sets` sets of n words, the nodes whose bit is set in each split."""
    words, counts = pointer(words), pointer(counts)
    zero, one = splat(F(0)), splat(F(1))
    for k in range(n_sets):
        total = zero
        for i in range(k * n, (k + 1) * n):
            total = choose(words[i], add(total, one), total)
        store(counts, k * WIDTH, total)


@lane_kernel
def count_by_node(words, n_sets, n, use, counts):
    """Add to each count the number of bits of a word that are set and belong to `use`."""
    words, counts = pointer(words), pointer(counts)
    for i in range(n_sets * n):
        bits = np.uint32(words[i] & use)
        while bits:
            bits &= bits - np.uint32(1)
            counts[i] += 1.0


@lane_kernel
def count_links(indptr, indices, test, wrong, counts):
    """Count, split by split, tested links whose ends are both wrong, one wrong, none wrong."""
    n = test.size
    indptr, indices, test, wrong = pointer(indptr), pointer(indices), pointer(test), pointer(wrong)
    one = splat(F(1))
    both, single, neither = (splat(F(0)), splat(F(0)), splat(F(0)))
    for i in range(n):
        if test[i] != NONE:
            for e in range(indptr[i], indptr[i + 1]):
                j = indices[e]
                tested = test[i] & test[j] if j != i else NONE
                x, y = wrong[i] & tested, wrong[j] & tested
                both = choose(x & y, add(both, one), both)
                single = choose(x ^ y, add(single, one), single)
                neither = choose(tested & ~(x | y), add(neither, one), neither)
    store(counts, 0, both)
    store(counts, WIDTH, single)
    store(counts, 2 * WIDTH, neither)


def sizes_by_split(words: Words) -> Floats:
    """Return how many nodes' bits are set in each split, with 16 splits for the nodes' axis."""
    words = np.ascontiguousarray(words)
    counts = np.empty((*words.shape[:-1], WIDTH), dtype=F)
    count_by_split(words.ravel(), counts.size // WIDTH, words.shape[-1], counts.ravel())
    return counts.astype(float)


def split_rates(test: Words, wrong: Words, first: int, n_splits: int) -> Floats:
    """Return the error rates of a range of splits, shape (n_handicaps, 2, n_splits)."""
    rows = slice(first // WIDTH, -(-(first + n_splits) // WIDTH))
    tested, errors = sizes_by_split(test[rows]), sizes_by_split(wrong[rows])
    low = first - rows.start * WIDTH
    chosen = slice(low, low + n_splits)
    tested = tested.ravel()[chosen]
    errors = np.moveaxis(errors, 0, 2).reshape(*errors.shape[1:3], -1)[:, :, chosen]
    with np.errstate(divide="ignore", invalid="ignore"):  # a split that tests nothing has no rate
        return np.asarray(errors / tested)


def node_counts(test: Words, wrong: Words, first: int, n_splits: int) -> tuple[Floats, Floats]:
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
        if use != NONE:
            count_by_node(test[row], 1, n, use, tests)
            words = np.ascontiguousarray(wrong[row]).ravel()
            count_by_node(words, handicaps * 2, n, use, errors.ravel())
    return tests, errors


def _correlation(
    indptr: NDArray[np.integer],
    indices: NDArray[np.int32],
    test: Words,
    wrong: Words,
    first: int,
    n_splits: int,
) -> tuple[float, float]:
    """Return rho and |L| of one model; `wrong` has the shape (n_rows, n)."""
    counts = np.zeros((test.shape[0], 3, WIDTH), dtype=F)
    for row in range(test.shape[0]):
        if bits_of(row, first, n_splits) != NONE:
            count_links(indptr, indices, test[row], wrong[row], counts[row].ravel())
    columns = counts.astype(float).transpose(1, 0, 2).reshape(3, -1)[:, first : first + n_splits]
    both, one, none = columns
    margin = (both + one / 2) * (none + one / 2)
    defined = margin > 0
    phis = (both * none - one * one / 4)[defined] / margin[defined]
    return (sum(phis.tolist()) / phis.size if phis.size else 0.0), columns.sum() / n_splits


def error_parameters(
    indptr: NDArray[np.integer],
    indices: NDArray[np.int32],
    test: Words,
    wrong: Words,
    first: int,
    n_splits: int,
) -> Floats:
    """Estimate p, q, rho and |L| of both models, as `nettrial.inference.estimates` defines them.

    Returns
    -------
    ndarray, shape (n_handicaps, 2, 4)
    """
    tests, errors = node_counts(test, wrong, first, n_splits)
    found = np.zeros((wrong.shape[1], 2, 4))
    pairs = (tests * (tests - 1)).sum()
    for h, model in np.ndindex(found.shape[:2]):
        x = errors[h, model]
        p = x.sum() / tests.sum()
        q = p
        if pairs > 0 and 0 < p < 1:
            icc = ((x * (x - 1)).sum() / pairs - p * p) / (p * (1 - p))
            q = min(1.0, p + (1 - p) * np.sqrt(max(icc, 0.0)))
        words = np.ascontiguousarray(wrong[:, h, model])
        found[h, model] = (p, q, *_correlation(indptr, indices, test, words, first, n_splits))
    return found
