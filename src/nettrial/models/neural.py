"""Training of neural networks on nodes: what the networks of `graph_networks` share."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ..core.seeds import generator, key
from ..kernels import training
from ..network.network import Network
from .neural_inputs import Floats, Matrix, features
from .neural_layers import Layer, Noise, Parameter, backward, forward, share_room, wide
from .nodes import check_nodes
from .validation import set_aside

START, DROPOUT = 0, 1  # purposes of a fit's random numbers


@dataclass(kw_only=True, eq=False)
class NeuralNetwork(ABC):
    """A neural network that is trained anew for every split, in compiled loops.

    Parameters
    ----------
    dropout : float
        Share of features, and of hidden units, left out at random in each epoch, in [0, 1).
    learning_rate : float
        Of Adam.
    weight_decay : float
        Of the first layer.
    epochs : int
        Greatest number of steps, each on all training nodes.
    validation : float
        Share of the training nodes, in [0, 1), that is set aside to stop by: the weights of the
        epoch with the least cross-entropy on them are kept. With 0 all epochs are run, and the
        last is kept.
    patience : int
        Stop after so many epochs without improvement on the validation nodes.
    """

    dropout: float = 0.5
    learning_rate: float = 0.01
    weight_decay: float = 5e-4
    epochs: int = 200
    validation: float = 0.2
    patience: int = 50

    name: ClassVar[str]
    needs_features: ClassVar[bool] = False

    @check_arguments
    def fit(self, network: Network, train: NDArray[np.intp], *, seed: int = 0) -> Self:
        """Train on the labels of the nodes `train`; all other labels stay unseen.

        Raises
        ------
        InputError
            Where a setting is out of its range, features are missing that are needed, or there is
            no training node.
        """
        if network.targets is not None:
            raise InputError(
                f"{self.name} predicts classes, and the network has a numeric target; take "
                f"NeuralRegressor({type(self).__name__}())"
            )
        k = network.n_classes
        return self.learn(
            network, train, seed, k, lambda nodes: CrossEntropy(network.labels[nodes], k)
        )

    @check_arguments
    def learn(
        self,
        network: Network,
        train: NDArray[np.intp],
        seed: int,
        n_outputs: int,
        loss_on: Callable[[NDArray[np.intp]], Loss],
    ) -> Self:
        """Train by any loss; `loss_on` gives that of the scores of some nodes."""
        self._check()
        fitted, stopping = set_aside(self.name, network, train, self.validation, seed)
        x = features(network, self.name, needs_them=self.needs_features, note=True)
        self.weights_ = self._start(x.n_columns, n_outputs, generator(seed, START))
        self.n_features_, self.n_classes_ = x.n_columns, n_outputs
        noise = Noise(key(seed, DROPOUT), self.dropout)
        fit = self._layers(network, x, fitted), loss_on(fitted)
        judge = (self._layers(network, x, stopping), loss_on(stopping)) if stopping.size else None
        if judge is not None:
            share_room(fit[0], judge[0])
        self._train(fit, judge, noise)
        return self

    @check_arguments
    def predict_proba(self, network: Network, nodes: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return class probabilities of `nodes`, shape (len(nodes), n_classes).

        Raises
        ------
        InputError
            Before `fit`, or where the network has other features or classes than that of the fit.
        """
        shares = self.scores(network, nodes).astype(np.float64)
        shares -= shares.max(axis=1, keepdims=True)
        np.exp(shares, out=shares)
        shares /= shares.sum(axis=1, keepdims=True)
        return shares.astype(np.float32)

    def scores(self, network: Network, nodes: NDArray[np.intp]) -> Floats:
        """Return logits of `nodes`, shape (len(nodes), n_classes), or what was learned instead."""
        if not hasattr(self, "weights_"):
            raise InputError(f"{self.name}: call fit before predict_proba")
        check_nodes(self.name, network, nodes)
        x = features(network, self.name, needs_them=self.needs_features, note=False)
        n_outputs = 1 if network.targets is not None else network.n_classes
        if (x.n_columns, n_outputs) != (self.n_features_, self.n_classes_):
            raise InputError(
                f"{self.name}: learned on {self.n_features_} features and {self.n_classes_} "
                f"classes, got a network with {x.n_columns} and {n_outputs}; give it "
                "the same features and classes"
            )
        found = forward(self._layers(network, x, np.asarray(nodes)))
        return found.reshape(len(nodes), wide(self.n_classes_))[:, : self.n_classes_]

    def _check(self) -> None:
        for name in ("dropout", "validation"):
            value = getattr(self, name)
            if not 0 <= value < 1:
                raise InputError(
                    parameter=name,
                    expected="a share in [0, 1)",
                    got=shown(value),
                    where=f"{self.name}",
                )
        for name in ("learning_rate", "weight_decay"):
            value = getattr(self, name)
            if not 0 <= value < math.inf:
                raise InputError(
                    parameter=name, expected="a number >= 0", got=shown(value), where=f"{self.name}"
                )
        for name in self._counts():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
                raise InputError(
                    parameter=name,
                    expected="an integer >= 1",
                    got=shown(value),
                    where=f"{self.name}",
                )

    def _counts(self) -> tuple[str, ...]:
        return ("epochs", "patience")

    @abstractmethod
    def _start(
        self, n_features: int, n_classes: int, random: np.random.Generator
    ) -> tuple[Parameter, ...]:
        """Draw the first weights; those of the first layer decay."""

    @abstractmethod
    def _layers(self, network: Network, x: Matrix, nodes: NDArray[np.intp]) -> tuple[Layer, ...]:
        """Return the layers that lead to the scores of some nodes, over the weights at hand."""

    def _train(self, fit: Task, judge: Task | None, noise: Noise) -> None:
        layers, loss = fit
        best, waited, kept = math.inf, 0, [w.value.copy() for w in self.weights_]
        for epoch in range(1, self.epochs + 1):
            noise.epoch = epoch
            scores = forward(layers, noise)
            loss(scores, scores)
            backward(layers, scores)
            for weights in self.weights_:
                weights.step(self.learning_rate, epoch)
            if judge is None:
                continue
            found, waited = judge[1](forward(judge[0]), None), waited + 1
            if found < best:
                best, waited = found, 0
                for copy, weights in zip(kept, self.weights_):
                    copy[:] = weights.value
            if waited == self.patience:
                break
        if best < math.inf:
            for copy, weights in zip(kept, self.weights_):
                weights.value[:] = copy


class Loss(Protocol):
    """How far the scores of some nodes are from the truth."""

    def __call__(self, scores: Floats, gradient: Floats | None) -> float:
        """Return the mean loss, and write its gradient, also over the scores, unless it is None."""
        ...


Task: TypeAlias = tuple[tuple[Layer, ...], Loss]  # what gives the scores of nodes, and their loss


class CrossEntropy:
    """Of the softmax of scores and classes."""

    def __init__(self, codes: NDArray[np.int32], n_classes: int) -> None:
        self.codes, self.n_classes = codes, n_classes

    def __call__(self, scores: Floats, gradient: Floats | None) -> float:
        width = wide(self.n_classes)
        return float(training.cross_entropy(scores, width, self.n_classes, self.codes, gradient))


def glorot(random: np.random.Generator, n_in: int, n_out: int, *, parts: int = 1) -> NDArray[Any]:
    """Draw weights as Glorot and Bengio (2010) do, uniform in +- sqrt(6 / (n_in + n_out))."""
    bound = math.sqrt(6 / (n_in + n_out))
    return random.uniform(-bound, bound, size=(n_in, parts, n_out))
