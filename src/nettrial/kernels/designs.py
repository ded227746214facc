"""Random resamples and network cross-validation as bits of 16-bit words, sixteen splits a word.

Split s is bit ``s % 16`` of row ``s // 16``. Nodes without a label are in no set.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .compiled import kernel
from .small_graphs import WIDTH
from .streams import below

Words = NDArray[np.uint16]


def rows_for(n_splits: int) -> int:
    """Return the number of words that hold so many splits."""
    return -(-n_splits // WIDTH)


@kernel
def draw_first(items, size, state):
    """Put `size` items, drawn without replacement, to the front."""
    for place in range(size):
        other = place + below(state, items.size - place)
        items[place], items[other] = items[other], items[place]


@kernel
def shuffle_all(items, state):
    """Put items into a random order."""
    for place in range(items.size - 1, 0, -1):
        other = below(state, place + 1)
        items[place], items[other] = items[other], items[place]


def _bit(split: int) -> np.uint16:
    return np.uint16(1 << (split % WIDTH))


def draw_resamples(
    labels: NDArray[np.int32],
    n_train: int,
    first: int,
    n_splits: int,
    state: NDArray[np.uint32],
    train: Words,
    test: Words,
) -> None:
    """Draw splits `first` to ``first + n_splits - 1``: sets the bits of `train` and `test`."""
    pool = np.flatnonzero(labels >= 0)
    fewer = min(n_train, pool.size - n_train)
    # whichever set is the smaller one is drawn
    drawn, others = (train, test) if fewer == n_train else (test, train)
    for split in range(first, first + n_splits):
        draw_first(pool, fewer, state)
        drawn[split // WIDTH, pool[:fewer]] |= _bit(split)
        others[split // WIDTH, pool[fewer:]] |= _bit(split)


def draw_folds(
    labels: NDArray[np.int32],
    n_train: int,
    first: int,
    n_folds: int,
    state: NDArray[np.uint32],
    train: Words,
    test: Words,
) -> None:
    """Deal the labeled nodes to folds, and draw a training set out of the rest for each."""
    pool = np.flatnonzero(labels >= 0)
    shuffle_all(pool, state)
    for f in range(n_folds):
        inside = np.arange(pool.size) % n_folds == f
        others = pool[~inside]
        draw_first(others, n_train, state)
        train[(first + f) // WIDTH, others[:n_train]] |= _bit(first + f)
        test[(first + f) // WIDTH, pool[inside]] |= _bit(first + f)
