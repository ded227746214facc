"""Layers of a neural network over chosen nodes, each of which runs forward and backward."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..kernels import layers as kernels
from ..kernels import training
from ..kernels.packing import LANES, lines
from ..kernels.philox import fill_words
from .neural_inputs import Floats, Matrix

CHANCES = 2**16  # a number of dropout's is drawn from 16 bits
PIECE = 2**14  # times eight such numbers stay in the caches
BLOCK = 2**18  # entries of features that are copied at a time


def wide(n: int) -> int:
    """Return the width of a table with n columns, filled up to whole lines."""
    return -(-n // LANES) * LANES


def empty(n_rows: int, width: int) -> Floats:
    return lines(n_rows * width // LANES)


def table(n_rows: int, width: int) -> Floats:
    out = empty(n_rows, width)
    out[:] = 0
    return out


NOTHING = table(0, LANES)


class Parameter:
    """Numbers that are learned, with what Adam keeps of them.

    Parameters
    ----------
    start : ndarray of float, shape (n_rows, n_columns)
    rows, width : int
        What it is filled up to, with zeros, which stay zeros.
    decay : float
        Weight decay.
    """

    def __init__(self, start: NDArray[np.floating], rows: int, width: int, decay: float) -> None:
        self.shape = (rows, width)
        self.value, self.gradient, self.mean, self.square = (table(rows, width) for _ in range(4))
        self.value.reshape(self.shape)[: start.shape[0], : start.shape[1]] = start
        self.decay = np.float32(decay)

    def step(self, rate: float, number: int) -> None:
        """Take a step of Adam, the first one having the number 1, and forget the gradient."""
        training.adam(self.value, self.gradient, self.mean, self.square, rate, self.decay, number)
        self.gradient[:] = 0


@dataclass(slots=True)
class Noise:
    """Dropout's random numbers, each of which depends on key, epoch and layer alone."""

    key: tuple[int, int]
    share: float
    epoch: int = 0

    @property
    def least(self) -> np.uint16:
        """The least draw that is kept."""
        return np.uint16(round(self.share * CHANCES))

    @property
    def scale(self) -> np.float32:
        """What kept numbers are multiplied by, so that expectations stay."""
        return np.float32(1 / (1 - int(self.least) / CHANCES))

    def kept(self, count: int, layer: int) -> NDArray[np.bool_]:
        """Draw which of so many numbers are kept, a piece at a time."""
        blocks = -(-count // 8)
        kept = np.empty((4, 2 * blocks), dtype=np.bool_)
        for first in range(0, blocks, PIECE):
            size = min(PIECE, blocks - first)
            words = np.empty(4 * size, dtype=np.uint32)
            fill_words(words, size, first, self.epoch, layer, *self.key)
            draws = words.view(np.uint16).reshape(4, 2 * size)
            np.greater_equal(draws, self.least, out=kept[:, 2 * first : 2 * (first + size)])
        return kept.ravel()[:count]


class Layer(Protocol):
    """A step of the computation; a table goes in and another one comes out.

    `room` is what it writes into, all of it before it reads any.
    """

    room: list[Floats]

    def forward(self, given: Floats, noise: Noise | None) -> Floats:
        """Compute, in training with noise."""
        ...

    def backward(self, gradient: Floats) -> Floats:
        """Turn the gradient of what came out into that of what went in; add those of weights."""
        ...


class Features:
    """Features of some nodes, some of them left out in training, times weights.

    A block of rows is copied at a time, as dropout leaves them. Where one block holds all rows,
    what forward has copied serves backward too.
    """

    def __init__(self, x: Matrix, nodes: NDArray[np.intp], weights: Parameter) -> None:
        self.x, self.nodes, self.weights = x, np.array(nodes, dtype=np.intp), weights
        self.width = weights.shape[1]
        self.ends = np.concatenate([[0], np.cumsum(x.row_sizes[self.nodes])])
        self.blocks = blocks_of(self.ends, BLOCK)
        if len(self.blocks) == 1:  # rows that lie side by side are read sooner
            self.x, self.nodes = x.rows(self.nodes), np.arange(self.nodes.size)
        most = max(int(self.ends[b] - self.ends[a]) for a, b in self.blocks) + 1
        self.copied = (
            np.zeros(max(b - a for a, b in self.blocks) + 1, dtype=np.int64),
            np.empty(most, dtype=np.int32),
            np.empty(most, dtype=np.float32),
        )
        self.room = [empty(nodes.size, self.width)]
        self.kept: NDArray[np.uint8] | None = None
        self.scale = np.float32(1)
        self.ready = False

    def forward(self, given: Floats, noise: Noise | None) -> Floats:
        drops = noise is not None and noise.least > 0
        self.ready = self.ready and not drops and self.kept is None
        self.kept, self.scale = None, np.float32(1)
        if noise is not None and drops:
            self.kept = noise.kept(int(self.ends[-1]), 0).view(np.uint8)
            self.scale = noise.scale
        (out,) = self.room
        for rows, part in self._copied():
            part.times(self.weights.value, self.width, out[rows])
        return out

    def backward(self, gradient: Floats) -> Floats:
        for rows, part in self._copied():
            part.transposed_times(gradient[rows], self.width, self.weights.gradient)
        return gradient  # nothing lies below

    def _copied(self) -> Iterator[tuple[slice, Matrix]]:
        x = (self.x.indptr, self.x.indices, self.x.values, self.x.full)
        indptr, columns, values = self.copied
        for a, b in self.blocks:
            if not self.ready:
                first = int(self.ends[a])
                kernels.copy_rows(x, self.nodes[a:b], self.kept, first, self.scale, self.copied)
            part = Matrix(indptr[: b - a + 1], columns, values, self.x.n_columns)
            yield slice(a * self.width, b * self.width), part
        self.ready = len(self.blocks) == 1


def blocks_of(ends: NDArray[np.int64], most: int) -> list[tuple[int, int]]:
    """Return runs of rows that have up to so many entries together, or are one row.

    Examples
    --------
    >>> blocks_of(np.array([0, 3, 5, 6, 12]), 5)
    [(0, 2), (2, 3), (3, 4)]
    """
    found: list[tuple[int, int]] = []
    n, begin = ends.size - 1, 0
    while begin < n or not found:
        end = int(np.searchsorted(ends, ends[begin] + most, side="right")) - 1
        found.append((begin, end := min(n, max(end, begin + 1))))
        begin = end
    return found


class Links:
    """A sparse matrix over nodes, times a table, which gives its place to its gradient."""

    def __init__(self, matrix: Matrix, width: int) -> None:
        self.matrix, self.width = matrix, width
        self.room = [empty(matrix.n_rows, width)]
        self.given = NOTHING

    def forward(self, given: Floats, noise: Noise | None) -> Floats:
        self.given = given
        return self.matrix.times(given, self.width, self.room[0])

    def backward(self, gradient: Floats) -> Floats:
        self.given[:] = 0
        return self.matrix.transposed_times(gradient, self.width, self.given)


class Walks:
    """Walks from chosen nodes along the links, which stop at each step with chance alpha.

    Z(0) = H,  Z(t+1) = (1 - alpha) Â Z(t) + alpha H; with chance 1 - alpha at each of `steps` steps
    a walk goes on, and what is given is the mean of H over where it ends.
    """

    def __init__(
        self, matrix: Matrix, width: int, steps: int, alpha: float, nodes: NDArray[np.intp]
    ) -> None:
        self.matrix, self.width, self.steps, self.nodes = matrix, width, steps, nodes
        self.on, self.stop = np.float32(1 - alpha), np.float32(alpha)
        self.room = [empty(matrix.n_rows, width), empty(matrix.n_rows, width)]
        self.given = NOTHING

    def forward(self, given: Floats, noise: Noise | None) -> Floats:
        self.given = now = given
        after, other = self.room
        for _ in range(self.steps):
            self.matrix.times(now, self.width, after)
            kernels.mix(after, self.on, given, self.stop)
            now, after, other = after, other, after
        return np.ascontiguousarray(now.reshape(-1, self.width)[self.nodes]).ravel()

    def backward(self, gradient: Floats) -> Floats:
        (now, after), total = self.room, self.given
        now[:] = 0
        now.reshape(-1, self.width)[self.nodes] = gradient.reshape(-1, self.width)
        total[:] = 0
        for _ in range(self.steps):
            kernels.mix(total, np.float32(1), now, self.stop)
            self.matrix.times(now, self.width, after)  # the matrix is symmetric
            kernels.mix(after, self.on, after, np.float32(0))
            now, after = after, now
        kernels.mix(total, np.float32(1), now, np.float32(1))
        return total


class HiddenLayer:
    """A bias, the positive part, and dropout, in place."""

    def __init__(self, bias: Parameter) -> None:
        self.bias = bias
        self.room: list[Floats] = []
        self.out = NOTHING
        self.scale = np.float32(1)

    def forward(self, given: Floats, noise: Noise | None) -> Floats:
        self.out = given
        kernels.rectify(given, self.bias.value)
        if noise is not None and noise.least > 0:
            self.scale = noise.scale
            kernels.drop(given, noise.kept(given.size, 1), noise.scale)
        return given

    def backward(self, gradient: Floats) -> Floats:
        kernels.where_positive(gradient, self.out, self.scale)
        kernels.add_rows(self.bias.gradient, gradient, self.bias.shape[1])
        return gradient


class Dense:
    """A table times weights."""

    def __init__(self, n_rows: int, weights: Parameter) -> None:
        self.weights, self.room = weights, [empty(n_rows, weights.shape[1])]
        self.given = self.back = NOTHING

    def forward(self, given: Floats, noise: Noise | None) -> Floats:
        self.given = given
        width, width_out = self.weights.shape
        kernels.dense(self.room[0], given, width, self.weights.value, width_out)
        return self.room[0]

    def backward(self, gradient: Floats) -> Floats:
        width, width_out = self.weights.shape
        kernels.dense_gradient(self.weights.gradient, self.given, width, gradient, width_out)
        turned = np.ascontiguousarray(self.weights.value.reshape(width, width_out).T).ravel()
        if self.back.size != self.given.size:  # layers that are only asked for scores need none
            self.back = empty(self.given.size // width, width)
        kernels.dense(self.back, gradient, width_out, turned, width)
        return self.back


class Offset:
    """A bias."""

    def __init__(self, bias: Parameter) -> None:
        self.bias = bias
        self.room: list[Floats] = []

    def forward(self, given: Floats, noise: Noise | None) -> Floats:
        kernels.add_bias(given, self.bias.value)
        return given

    def backward(self, gradient: Floats) -> Floats:
        kernels.add_rows(self.bias.gradient, gradient, self.bias.shape[1])
        return gradient


def forward(layers: Sequence[Layer], noise: Noise | None = None) -> Floats:
    """Compute the scores of the nodes that the layers were made for."""
    found = NOTHING
    for layer in layers:
        found = layer.forward(found, noise)
    return found


def share_room(layers: Sequence[Layer], others: Sequence[Layer]) -> None:
    """Let two computations of the same layers, which take turns, write into the same memory."""
    for one, other in zip(layers, others):
        for place, (a, b) in enumerate(zip(one.room, other.room)):
            larger = a if a.size > b.size else b
            one.room[place], other.room[place] = larger[: a.size], larger[: b.size]


def backward(layers: Sequence[Layer], gradient: Floats) -> None:
    """Add up the gradients of all weights."""
    for layer in reversed(layers):
        gradient = layer.backward(gradient)
