"""Ranks of absolute differences and the exact distribution of their signed sums."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ._arrays import Array

# cells of the table that holds the distributions of one batch of tied rank sets
BATCH_CELLS = 4_000_000
Counts: TypeAlias = NDArray[np.int64]


@lru_cache(maxsize=64)
def untied_distribution(n: int) -> Array:
    """P(W <= w) for w = 0 .. n (n + 1) / 2, W the sum of a random subset of 1 .. n."""
    probability = np.zeros(n * (n + 1) // 2 + 1)
    probability[0] = 1.0
    for rank in range(1, n + 1):
        probability[rank:] = (probability[rank:] + probability[:-rank]) / 2
        probability[:rank] /= 2
    cumulative = np.minimum(np.cumsum(probability), 1.0)
    cumulative.flags.writeable = False
    return cumulative


def tied_lower_tail(doubled_ranks: Array, doubled_sum: Array) -> Array:
    """P(W <= w) for each row of doubled ranks (whole numbers; 0 where there is none).

    Rows with the same ranks and sum are worked out once, in batches of bounded memory.
    """
    rows = np.column_stack([np.sort(doubled_ranks, axis=-1), doubled_sum]).astype(np.int64)
    unique, inverse = np.unique(rows, axis=0, return_inverse=True)
    width = int(unique[:, -1].max(initial=0)) + 1
    batch = max(1, BATCH_CELLS // width)
    tail = np.empty(len(unique))
    for start in range(0, len(unique), batch):
        part = unique[start : start + batch]
        tail[start : start + batch] = _lower_tails(part[:, :-1], part[:, -1], width)
    return tail[inverse.ravel()]


def _lower_tails(ranks: Counts, sums: Counts, width: int) -> Array:
    """P(sum of a random subset of each row <= its entry of `sums`), by convolution."""
    probability = np.zeros((len(ranks), width))
    probability[:, 0] = 1.0
    cell = np.arange(width)
    for rank in ranks.T:
        if not rank.any():
            continue
        if (rank == rank[0]).all():
            shifted = np.zeros_like(probability)
            shifted[:, rank[0] :] = probability[:, : max(width - rank[0], 0)]
        else:
            source = cell - rank[:, None]
            shifted = np.take_along_axis(probability, np.maximum(source, 0), axis=1)
            shifted[source < 0] = 0.0
        taken = (rank > 0)[:, None]
        probability = np.where(taken, (probability + shifted) / 2, probability)
    return np.asarray(np.where(cell <= sums[:, None], probability, 0.0).sum(axis=1))


def exact_lower_tail(ranks: Array, plus: Array) -> Array:
    """P(W+ <= plus) given the ranks that carry a sign (0 for those without), row by row.

    Ranks without ties need one table for each number of ranks; tied ones their own.
    """
    shape, n_columns = plus.shape, ranks.shape[-1]
    rows, sums = ranks.reshape(-1, n_columns), plus.ravel()
    n = (rows > 0).sum(axis=1)
    untied = (np.sort(rows, axis=1) == _last_ranks(n, n_columns)).all(axis=1)
    tail = np.ones(len(rows))
    for size in np.unique(n[untied]):
        chosen = untied & (n == size)
        # half a unit below a whole sum can only come from ranks with ties
        tail[chosen] = untied_distribution(int(size))[np.floor(sums[chosen]).astype(np.int64)]
    if not untied.all():
        tied = ~untied
        tail[tied] = tied_lower_tail(np.rint(2 * rows[tied]), np.rint(2 * sums[tied]))
    return np.minimum(tail, 1.0).reshape(shape)


def _last_ranks(n: Counts, n_columns: int) -> Counts:
    """Return sorted rows of n_columns - n zeros followed by 1 .. n."""
    ranks: Counts = np.maximum(np.arange(1, n_columns + 1) - (n_columns - n)[:, None], 0)
    return ranks
