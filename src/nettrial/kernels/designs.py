"""Random resamples and network cross-validation as bits of 16-bit words, sixteen splits a word.

Split s is bit ``s % 16`` of row ``s // 16``. Nodes without a label are in no set.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from .lanes import VECTORS
from .small_graphs import WIDTH
from .streams import below

OPTIONS = {"nogil": True, "cache": VECTORS}


@njit(**OPTIONS)
def rows_for(n_splits):
    """Give the number of words that hold so many splits."""
    return (n_splits + WIDTH - 1) // WIDTH


@njit(**OPTIONS)
def _draw_first(items, size, state):
    """Put `size` items, drawn without replacement, to the front."""
    for place in range(size):
        other = place + below(state, items.size - place)
        items[place], items[other] = items[other], items[place]


@njit(**OPTIONS)
def draw_resamples(labels, n_train, first, n_splits, state, train, test):
    """Draw splits `first` to ``first + n_splits - 1``: sets the bits of `train` and `test`."""
    pool = np.flatnonzero(labels >= 0)
    fewer = min(n_train, pool.size - n_train)
    # whichever set is the smaller one is drawn
    drawn, others = (train, test) if fewer == n_train else (test, train)
    for split in range(first, first + n_splits):
        row, bit = split // WIDTH, np.uint16(1 << (split % WIDTH))
        _draw_first(pool, fewer, state)
        for node in pool[:fewer]:
            drawn[row, node] |= bit
        for node in pool[fewer:]:
            others[row, node] |= bit


@njit(**OPTIONS)
def draw_folds(labels, n_train, first, n_folds, state, train, test):
    """Deal the labelled nodes to folds, and draw a training set out of the rest for each."""
    pool = np.flatnonzero(labels >= 0)
    for place in range(pool.size - 1, 0, -1):
        other = below(state, place + 1)
        pool[place], pool[other] = pool[other], pool[place]
    for f in range(n_folds):
        row, bit = (first + f) // WIDTH, np.uint16(1 << ((first + f) % WIDTH))
        fold = np.zeros(pool.size, dtype=np.bool_)
        fold[f::n_folds] = True
        others = pool[~fold]
        _draw_first(others, n_train, state)
        for node in others[:n_train]:
            train[row, node] |= bit
        for node in pool[fold]:
            test[row, node] |= bit
