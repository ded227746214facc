"""Neural networks on nodes that predict numbers."""

from __future__ import annotations

from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..network.network import Network
from .graph_networks import GCN
from .neural import NeuralNetwork
from .neural_inputs import Floats
from .targets import training_targets


class SquaredDistance:
    """Of one score a node from its target."""

    def __init__(self, targets: NDArray[np.floating]) -> None:
        self.targets = targets

    def __call__(self, scores: Floats, gradient: Floats | None) -> float:
        apart = scores.reshape(self.targets.size, -1)[:, 0] - self.targets
        if gradient is not None:
            gradient[:] = 0
            gradient.reshape(self.targets.size, -1)[:, 0] = 2 * apart / self.targets.size
        return float(np.mean(apart**2))


class NeuralRegressor:
    """A neural network on nodes that predicts numbers: least squares in the place of classes.

    Targets are standardized by the training nodes.

    Parameters
    ----------
    model : NeuralNetwork
        The network to train, such as ``GCN(hidden=32)``.

    Examples
    --------
    >>> net = Network([0, 1, 3, 4], [1, 2, 4, 5], n_nodes=6, targets=[1, 1, 1, 5, 5, 5],
    ...               features=np.array([[1.0, 0], [1, 1], [1, 1], [0, 1], [1, 1], [1, 1]]))
    >>> model = NeuralRegressor(GCN(validation=0.0)).fit(net, np.array([0, 3]))
    >>> low, high = model.predict(net, np.array([1, 4]))
    >>> bool(low < high)
    True
    """

    def __init__(self, model: NeuralNetwork) -> None:
        self.model = model

    def __repr__(self) -> str:
        return f"NeuralRegressor({self.model!r})"

    @property
    def name(self) -> str:
        """Name of the network, and that it predicts numbers."""
        return f"{self.model.name}_regression"

    @check_arguments
    def fit(self, network: Network, train: NDArray[np.intp], *, seed: int = 0) -> Self:
        """Train on the targets of the nodes `train`; all other targets stay unseen.

        Raises
        ------
        InputError
            As for every `NeuralNetwork`, and where a training node has no target.
        """
        known = training_targets(self.name, network, train)
        self.center_, self.scale_ = float(known.mean()), float(known.std()) or 1.0
        targets = (np.asarray(network.targets) - self.center_) / self.scale_
        self.model.learn(network, train, seed, 1, lambda nodes: SquaredDistance(targets[nodes]))
        return self

    @check_arguments
    def predict(self, network: Network, nodes: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return a number for each of `nodes`, shape (len(nodes),).

        Raises
        ------
        InputError
            Before `fit`.
        """
        found = self.model.scores(network, nodes)[:, 0].astype(np.float64)
        return np.asarray(found * self.scale_ + self.center_)


def gcn_regression() -> NeuralRegressor:
    """Return a graph convolutional network that predicts numbers.

    Examples
    --------
    >>> gcn_regression().name
    'gcn_regression'
    """
    return NeuralRegressor(GCN())
