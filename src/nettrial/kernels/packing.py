"""Between label sets and lines of 16 lanes, a part of the nodes at a time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

LANES = 16
PART = 4096  # nodes whose lines stay in the caches meanwhile
Order = NDArray[np.int32] | None


def lines(n: int) -> NDArray[np.float32]:
    """Allocate n lines of 16 float32, each in one cache line, not initialized."""
    room = np.empty(n * LANES + LANES, dtype=np.float32)
    skip = (-room.ctypes.data // room.itemsize) % LANES
    return room[skip : skip + n * LANES]


def _parts(n: int, order: Order) -> Iterator[tuple[slice, slice | NDArray[np.int32]]]:
    """Yield the lines of each part, and the nodes that they belong to."""
    for begin in range(0, n, PART):
        part = slice(begin, min(begin + PART, n))
        yield part, part if order is None else order[part]


def pack(
    labels: NDArray[np.int32],
    guess: NDArray[np.float32],
    order: Order,
    n_columns: int,
    proba: NDArray[np.float32],
) -> None:
    """Write the first probabilities: labels where known, else the guess.

    `labels` has the shape (n_sets, n_nodes), `guess` (n_sets, 1 or n_nodes, n_classes). Line i
    belongs to node `order[i]`, or to node i where `order` is None; so in all functions here.
    """
    n_sets, n = labels.shape
    shaped = proba.reshape(n, n_columns, LANES)
    for part, nodes in _parts(n, order):
        shown = labels[:, nodes]
        hidden = shown < 0
        for k in range(n_columns):
            other = guess[:, nodes if guess.shape[1] > 1 else slice(None), k]
            shaped[part, k, :n_sets] = np.where(hidden, other, shown == k).T
        shaped[part, :, n_sets:] = 0


def unpack(
    proba: NDArray[np.float32], order: Order, n_columns: int, out: NDArray[np.float32]
) -> None:
    """Read lines into `out`, shape (n_sets, n_nodes, n_classes)."""
    n_sets, n = out.shape[:2]
    shaped = proba.reshape(n, n_columns, LANES)
    for part, nodes in _parts(n, order):
        found = shaped[part, :, :n_sets].transpose(2, 0, 1)
        rest = np.ones(found.shape[:2], dtype=np.float32)
        for k in range(n_columns):
            rest -= found[:, :, k]
        out[:, nodes, :n_columns] = found
        out[:, nodes, n_columns] = np.maximum(rest, np.float32(0))


def masks(
    labels: NDArray[np.int32], lost: NDArray[np.bool_] | None, order: Order, width: int
) -> NDArray[np.uint16]:
    """Mark in one bit a lane the nodes that have a label, or are lost where `lost` is given.

    Both have the shape (n_sets, n_nodes). Lanes without a set are marked.
    """
    n_sets, n = labels.shape
    out = np.empty((n, width // 8), dtype=np.uint8)
    for part, nodes in _parts(n, order):
        marked = np.ones((width, part.stop - part.start), dtype=np.bool_)
        marked[:n_sets] = labels[:, nodes] >= 0
        if lost is not None:
            marked[:n_sets] |= lost[:, nodes]
        out[part] = np.packbits(marked, axis=0, bitorder="little").T
    return out.view("<u2").astype(np.uint16, copy=False).ravel()
