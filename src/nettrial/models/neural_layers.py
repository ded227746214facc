"""Layers of a neural network over chosen nodes, each of which runs forward and backward."""

from __future__ import annotations

from collections.abc import Sequence
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


def wide(n: int) -> int:
    """Return the width of a table with n columns, filled up to whole lines."""
    return -(-n // LANES) * LANES


def table(n_rows: int, width: int) -> Floats:
    out = lines(n_rows * width // LANES)
    out[:] = 0
    return out


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

    def draws(self, count: int, layer: int) -> NDArray[np.uint16]:
        """Draw numbers below 2^16."""
        blocks = -(-count // 8)
        words = np.empty(4 * blocks, dtype=np.uint32)
        fill_words(words, blocks, 0, self.epoch, layer, *self.key)
        return words.view(np.uint16)


class Layer(Protocol):
    """A step of the computation; a table goes in and another one comes out."""

    def forward(self, given: Floats, noise: Noise | None) -> Floats:
        """Compute, in training with noise."""
        ...

    def backward(self, gradient: Floats) -> Floats:
        """Turn the gradient of what came out into that of what went in; add those of weights."""
        ...


class Features:
    """Features, some of them left out in training, times weights.

    `parts` tables of that width come out for each node, side by side.
    """

    def __init__(self, x: Matrix, weights: Parameter) -> None:
        self.x, self.weights = x, weights
        self.width = weights.shape[1]
        self.out = table(x.n_rows, self.width)
        self.kept = Matrix(
            np.zeros_like(x.indptr), np.empty_like(x.indices), np.empty_like(x.values), x.n_columns
        )
        self.seen = x

    def forward(self, given: Floats, noise: Noise | None) -> Floats:
        self.seen = self.x
        if noise is not None and noise.least > 0:
            x, self.seen = self.x, self.kept
            some = (self.seen.indptr, self.seen.indices, self.seen.values)
            draws = noise.draws(x.indices.size, 0)
            kernels.keep_entries(
                x.indptr, x.indices, x.values, draws, noise.least, noise.scale, some
            )
        return self.seen.times(self.weights.value, self.width, self.out)

    def backward(self, gradient: Floats) -> Floats:
        self.seen.transposed_times(gradient, self.width, self.weights.gradient)
        return gradient  # nothing lies below


class Links:
    """A sparse matrix over nodes, times a table."""

    def __init__(self, matrix: Matrix, width: int) -> None:
        self.matrix, self.width = matrix, width
        self.out = table(matrix.n_rows, width)
        self.back = table(matrix.n_columns, width)

    def forward(self, given: Floats, noise: Noise | None) -> Floats:
        return self.matrix.times(given, self.width, self.out)

    def backward(self, gradient: Floats) -> Floats:
        self.back[:] = 0
        return self.matrix.transposed_times(gradient, self.width, self.back)


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
        self.one, self.other, self.back = (table(matrix.n_rows, width) for _ in range(3))

    def forward(self, given: Floats, noise: Noise | None) -> Floats:
        now, after = given, self.one
        for _ in range(self.steps):
            self.matrix.times(now, self.width, after)
            kernels.mix(after, self.on, given, self.stop)
            now, after = after, self.other if after is self.one else self.one
        return np.ascontiguousarray(now.reshape(-1, self.width)[self.nodes]).ravel()

    def backward(self, gradient: Floats) -> Floats:
        now, after, total = self.one, self.other, self.back
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
    """A bias, the positive part, and dropout."""

    def __init__(self, n_rows: int, bias: Parameter) -> None:
        self.bias = bias
        self.out = table(n_rows, bias.shape[1])
        self.scale = np.float32(1)

    def forward(self, given: Floats, noise: Noise | None) -> Floats:
        kernels.rectify(self.out, given, self.bias.value)
        if noise is not None and noise.least > 0:
            self.scale = noise.scale
            kernels.drop(self.out, noise.draws(self.out.size, 1), noise.least, noise.scale)
        return self.out

    def backward(self, gradient: Floats) -> Floats:
        kernels.where_positive(gradient, self.out, self.scale)
        kernels.add_rows(self.bias.gradient, gradient, self.bias.shape[1])
        return gradient


class Dense:
    """A table times weights."""

    def __init__(self, n_rows: int, weights: Parameter) -> None:
        self.weights = weights
        self.out = table(n_rows, weights.shape[1])
        self.back = table(n_rows, weights.shape[0])
        self.given = self.back

    def forward(self, given: Floats, noise: Noise | None) -> Floats:
        self.given = given
        width, width_out = self.weights.shape
        kernels.dense(self.out, given, width, self.weights.value, width_out)
        return self.out

    def backward(self, gradient: Floats) -> Floats:
        width, width_out = self.weights.shape
        kernels.dense_gradient(self.weights.gradient, self.given, width, gradient, width_out)
        turned = np.ascontiguousarray(self.weights.value.reshape(width, width_out).T).ravel()
        kernels.dense(self.back, gradient, width_out, turned, width)
        return self.back


class Offset:
    """A bias."""

    def __init__(self, bias: Parameter) -> None:
        self.bias = bias

    def forward(self, given: Floats, noise: Noise | None) -> Floats:
        kernels.add_bias(given, self.bias.value)
        return given

    def backward(self, gradient: Floats) -> Floats:
        kernels.add_rows(self.bias.gradient, gradient, self.bias.shape[1])
        return gradient


NOTHING = table(0, LANES)


def forward(layers: Sequence[Layer], noise: Noise | None = None) -> Floats:
    """Compute the scores of the nodes that the layers were made for."""
    found = NOTHING
    for layer in layers:
        found = layer.forward(found, noise)
    return found


def backward(layers: Sequence[Layer], gradient: Floats) -> None:
    """Add up the gradients of all weights."""
    for layer in reversed(layers):
        gradient = layer.backward(gradient)
