"""Between label sets and lines of 16 lanes."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .relaxation import LANES, OPTIONS


def lines(n: int) -> NDArray[np.float32]:
    """Allocate n lines of 16 float32, each in one cache line, not initialised."""
    room = np.empty(n * LANES + LANES, dtype=np.float32)
    skip = (-room.ctypes.data // room.itemsize) % LANES
    return room[skip : skip + n * LANES]


@njit(**OPTIONS)
def pack(labels, guess, order, n_columns, proba):
    """Write the first probabilities: labels where known, else the guess.

    `labels` has the shape (n_sets, n_nodes), `guess` (n_sets, 1 or n_nodes, n_classes). Line i
    belongs to node `order[i]`, or to node i where `order` is None; so in all functions here.
    """
    n_sets, n = labels.shape
    each = guess.shape[1] > 1
    for i in range(n):
        node = i if order is None else order[i]
        for k in range(n_columns):
            place = (i * n_columns + k) * LANES
            for s in range(n_sets):
                label = labels[s, node]
                if label < 0:
                    proba[place + s] = guess[s, node if each else 0, k]
                else:
                    proba[place + s] = 1 if label == k else 0
            for s in range(n_sets, LANES):
                proba[place + s] = 0


@njit(**OPTIONS)
def unpack(proba, order, n_columns, out):
    """Read lines into `out`, shape (n_sets, n_nodes, n_classes)."""
    n_sets, n = out.shape[:2]
    for i in range(n):
        node = i if order is None else order[i]
        for s in range(n_sets):
            rest = np.float32(1)
            for k in range(n_columns):
                value = proba[(i * n_columns + k) * LANES + s]
                out[s, node, k] = value
                rest -= value
            out[s, node, n_columns] = max(rest, np.float32(0))


@njit(**OPTIONS)
def masks(labels, lost, order, width):
    """Mark in one bit a lane the nodes that have a label, or are lost where `lost` is given.

    Both have the shape (n_sets, n_nodes). Lanes without a set are marked.
    """
    n_sets, n = labels.shape
    groups = width // LANES
    out = np.zeros(n * groups, dtype=np.uint16)
    for i in range(n):
        node = i if order is None else order[i]
        for lane in range(width):
            marked = lane >= n_sets or labels[lane, node] >= 0
            if lost is not None:
                marked = marked or lost[lane, node]
            if marked:
                out[i * groups + lane // LANES] |= np.uint16(1 << (lane % LANES))
    return out
