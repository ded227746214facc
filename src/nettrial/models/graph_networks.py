"""Neural networks on nodes: GCN, SGC, APPNP, GraphSAGE, and the perceptron that sees no links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ..network.network import Network
from .neural import NeuralNetwork, glorot
from .neural_inputs import Matrix, own_and_mean, symmetric
from .neural_layers import (
    Dense,
    Features,
    HiddenLayer,
    Layer,
    Links,
    Offset,
    Parameter,
    Walks,
    wide,
)


@check_arguments
@dataclass(kw_only=True, eq=False)
class MLP(NeuralNetwork):
    """A perceptron with one hidden layer: what features alone can do.

        Z = ReLU(X W0 + b0) W1 + b1

    The network needs features. Rows of features without negative values are divided by their
    sum; other features are standardized by column.

    Parameters
    ----------
    hidden : int
        Units of the hidden layer.
    dropout, learning_rate, weight_decay, epochs, validation, patience
        As for every `NeuralNetwork`.

    Examples
    --------
    >>> net = Network([0, 1, 2], [1, 2, 3], n_nodes=4, labels=["a", "a", "b", "b"],
    ...               features=np.array([[1.0, 0], [1, 0], [0, 1], [0, 1]]))
    >>> model = MLP(validation=0.0).fit(net, np.array([0, 3]))
    >>> model.predict_proba(net, np.array([1, 2])).argmax(axis=1).tolist()
    [0, 1]
    """

    hidden: int = 16

    name: ClassVar[str] = "mlp"
    needs_features: ClassVar[bool] = True
    parts: ClassVar[int] = 1  # tables that a layer gives for each node

    def _counts(self) -> tuple[str, ...]:
        return (*super()._counts(), "hidden")

    def _start(
        self, n_features: int, n_classes: int, random: np.random.Generator
    ) -> tuple[Parameter, ...]:
        found = []
        decay = self.weight_decay
        for n_in, rows, n_out in (
            (n_features, n_features, self.hidden),
            (self.hidden, wide(self.hidden), n_classes),
        ):
            width = wide(n_out)
            start = np.zeros((n_in, self.parts, width))
            start[:, :, :n_out] = glorot(random, n_in, n_out, parts=self.parts)
            found.append(Parameter(start.reshape(n_in, -1), rows, self.parts * width, decay))
            found.append(Parameter(np.zeros((1, width)), 1, width, decay))
            decay = 0.0
        return tuple(found)

    def _layers(self, network: Network, x: Matrix, nodes: NDArray[np.intp]) -> tuple[Layer, ...]:
        first, bias, second, offset = self.weights_
        after, near = self._spread(network, nodes, offset.shape[1])
        before, far = self._gather(network, near, bias.shape[1])
        return (
            Features(x, far, first),
            *before,
            HiddenLayer(bias),
            Dense(near.size, second),
            *after,
            Offset(offset),
        )

    def _gather(
        self, network: Network, nodes: NDArray[np.intp], width: int
    ) -> tuple[tuple[Layer, ...], NDArray[np.intp]]:
        """Return how a hidden layer of some nodes follows from others, and from which."""
        return (), nodes

    def _spread(
        self, network: Network, nodes: NDArray[np.intp], width: int
    ) -> tuple[tuple[Layer, ...], NDArray[np.intp]]:
        """Return how scores of some nodes follow from others, and from which."""
        return self._gather(network, nodes, width)


class _Convolutions(MLP):
    """A perceptron whose two layers first add up what the neighbors have."""

    needs_features: ClassVar[bool] = False

    def _gather(
        self, network: Network, nodes: NDArray[np.intp], width: int
    ) -> tuple[tuple[Layer, ...], NDArray[np.intp]]:
        matrix, found = self._adding(network).seen_from(nodes)
        return (Links(matrix, width),), found

    def _adding(self, network: Network) -> Matrix:
        raise NotImplementedError


@check_arguments
@dataclass(kw_only=True, eq=False)
class GCN(_Convolutions):
    """Graph convolutional network of two layers.

        Z = Â ReLU(Â X W0 + b0) W1 + b1,   Â = D^(-1/2) (A + I) D^(-1/2)

    A holds the weights of links, whose direction is left out: two links that join a pair in both
    directions count once, by the larger weight. A node without links sees itself.
    Without features each node has a column of its own, which a warning tells.

    Parameters
    ----------
    hidden : int
        Units of the hidden layer.
    dropout, learning_rate, weight_decay, epochs, validation, patience
        As for every `NeuralNetwork`.

    References
    ----------
    T. Kipf, M. Welling (2017), Semi-supervised classification with graph convolutional networks,
    ICLR, equation 9. There validation nodes come from outside the training set and patience is
    10; here they are training nodes, so that no other label is seen.

    Examples
    --------
    >>> net = Network([0, 1, 3, 4], [1, 2, 4, 5], n_nodes=6, labels=list("aaabbb"),
    ...               features=np.array([[1.0, 0], [1, 1], [1, 1], [0, 1], [1, 1], [1, 1]]))
    >>> model = GCN(validation=0.0).fit(net, np.array([0, 3]))
    >>> model.predict_proba(net, np.array([1, 4])).argmax(axis=1).tolist()
    [0, 1]
    """

    name: ClassVar[str] = "gcn"

    def _adding(self, network: Network) -> Matrix:
        return symmetric(network)


@check_arguments
@dataclass(kw_only=True, eq=False)
class SAGE(_Convolutions):
    """GraphSAGE of two layers with the mean of the neighbors.

        h_i = ReLU(mean_j(x_j) W0 + x_i V0 + b0),   z_i = mean_j(h_j) W1 + h_i V1 + b1

    The mean over all neighbors is weighted by the links as in `GCN`; that of a node without links
    is 0. Without features each node has a column of its own, which a warning
    tells.

    Parameters
    ----------
    hidden : int
        Units of the hidden layer.
    dropout, learning_rate, weight_decay, epochs, validation, patience
        As for every `NeuralNetwork`.

    References
    ----------
    W. Hamilton, R. Ying, J. Leskovec (2017), Inductive representation learning on large graphs,
    NeurIPS. No neighbors are sampled, and rows are not scaled to length 1.

    Examples
    --------
    >>> SAGE(hidden=32).hidden
    32
    """

    name: ClassVar[str] = "sage"
    parts: ClassVar[int] = 2

    def _adding(self, network: Network) -> Matrix:
        return own_and_mean(network)


@check_arguments
@dataclass(kw_only=True, eq=False)
class APPNP(MLP):
    """A perceptron whose scores walk along the links (personalized PageRank).

        H = ReLU(X W0 + b0) W1,   Z(0) = H,   Z(t+1) = (1 - alpha) Â Z(t) + alpha H

    with Â as for `GCN`, and a bias in the end. Without features each node has a column of its
    own, which a warning tells.

    Parameters
    ----------
    hidden : int
        Units of the hidden layer.
    steps : int
        Of the walks.
    alpha : float
        Chance that a walk stops before a step, in (0, 1].
    dropout, learning_rate, weight_decay, epochs, validation, patience
        As for every `NeuralNetwork`.

    References
    ----------
    J. Gasteiger, A. Bojchevski, S. Günnemann (2019), Predict then propagate: graph neural networks
    meet personalized PageRank, ICLR, equation 5. No links are left out in training.

    Examples
    --------
    >>> APPNP(alpha=0.2).alpha
    0.2
    """

    hidden: int = 64
    steps: int = 10
    alpha: float = 0.1

    name: ClassVar[str] = "appnp"
    needs_features: ClassVar[bool] = False

    def _counts(self) -> tuple[str, ...]:
        return (*super()._counts(), "steps")

    def _check(self) -> None:
        super()._check()
        if not 0 < self.alpha <= 1:
            raise InputError(
                parameter="alpha",
                expected=f"a number in (0, 1], got {shown(self.alpha)}",
                where="appnp",
            )

    def _spread(
        self, network: Network, nodes: NDArray[np.intp], width: int
    ) -> tuple[tuple[Layer, ...], NDArray[np.intp]]:
        walks = Walks(symmetric(network), width, self.steps, self.alpha, nodes)
        return (walks,), np.arange(network.n_nodes)


@check_arguments
@dataclass(kw_only=True, eq=False)
class SGC(NeuralNetwork):
    """Simplified graph convolution: a linear model of what is seen some steps away.

        Z = Â^steps X W + b

    with Â as for `GCN`. Without features each node has a column of its own, which a warning
    tells.

    Parameters
    ----------
    steps : int
        Number of times that features go along the links.
    dropout, learning_rate, weight_decay, epochs, validation, patience
        As for every `NeuralNetwork`. Weight decay 5e-6 is the default of the authors' program;
        for the paper's tables they tuned it for each network.

    References
    ----------
    F. Wu, T. Zhang, A. de Souza, C. Fifty, T. Yu, K. Weinberger (2019), Simplifying graph
    convolutional networks, ICML, equation 8.

    Examples
    --------
    >>> SGC().steps
    2
    """

    dropout: float = 0.0
    learning_rate: float = 0.2
    weight_decay: float = 5e-6
    steps: int = 2

    name: ClassVar[str] = "sgc"

    def _counts(self) -> tuple[str, ...]:
        return (*super()._counts(), "steps")

    def _start(
        self, n_features: int, n_classes: int, random: np.random.Generator
    ) -> tuple[Parameter, ...]:
        width = wide(n_classes)
        start = glorot(random, n_features, n_classes)[:, 0]
        return (
            Parameter(start, n_features, width, self.weight_decay),
            Parameter(np.zeros((1, width)), 1, width, self.weight_decay),
        )

    def _layers(self, network: Network, x: Matrix, nodes: NDArray[np.intp]) -> tuple[Layer, ...]:
        weights, offset = self.weights_
        links: list[Layer] = []
        for _ in range(self.steps):
            matrix, nodes = symmetric(network).seen_from(nodes)
            links.insert(0, Links(matrix, offset.shape[1]))
        return (Features(x, nodes, weights), *links, Offset(offset))
