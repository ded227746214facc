"""Baselines of PyTorch Geometric: label propagation, and Correct and Smooth over a perceptron."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..network.network import Network
from .graph_networks import MLP
from .node_tables import no_features
from .nodes import check_nodes
from .torch_data import load, tensors
from .torch_devices import own_random_state


class PyGLabelPropagation:
    """PyTorch Geometric's label propagation.

    A node that no training node reaches gets the class shares of the training nodes.

    Parameters
    ----------
    n_layers : int
        Number of steps.
    alpha : float
        Weight of the neighbors against the node's own label, in [0, 1].

    References
    ----------
    X. Zhu, Z. Ghahramani (2002), Learning from labeled and unlabeled data with label
    propagation, CMU-CALD-02-107.

    Examples
    --------
    >>> PyGLabelPropagation(alpha=0.8).name
    'pyg-lp'
    """

    name = "pyg-lp"

    @check_arguments
    def __init__(self, *, n_layers: int = 50, alpha: float = 0.9) -> None:
        self.n_layers = n_layers
        self.alpha = alpha

    @check_arguments
    def fit(self, network: Network, train: NDArray[np.intp]) -> Self:
        """Keep the labels of the nodes `train`."""
        self._train, self._labels = _training_labels(self.name, network, train)
        return self

    @check_arguments
    def predict_proba(self, network: Network, nodes: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return class probabilities of `nodes`, shape (len(nodes), n_classes)."""
        pyg = load("torch_geometric.nn", self.name)
        torch = load("torch", self.name)
        links = _links(network, self.name)
        with own_random_state(torch, 0), torch.no_grad():
            known = _one_hot(torch, network, self._train, self._labels)
            mask = torch.zeros(network.n_nodes, dtype=torch.bool)
            mask[self._train] = True
            model = pyg.LabelPropagation(num_layers=self.n_layers, alpha=self.alpha)
            out = model(known, links[0], mask, links[1])
        return _as_probabilities(out.numpy(), known.numpy(), nodes)


class PyGCorrectAndSmooth:
    """PyTorch Geometric's Correct and Smooth over the built-in perceptron `MLP`.

    Residuals of the training nodes spread over the links and correct the perceptron's
    probabilities, whose scale is found from the data; then labels and probabilities are smoothed.

    Parameters
    ----------
    n_layers : int
        Number of steps of both parts.
    correction_alpha, smoothing_alpha : float
        Weight of the neighbors in the two parts, in [0, 1].

    References
    ----------
    Q. Huang, H. He, A. Singh, S.-N. Lim, A. Benson (2021), Combining label propagation and
    simple models out-performs graph neural networks, ICLR.

    Examples
    --------
    >>> PyGCorrectAndSmooth().name
    'pyg-cs'
    """

    name = "pyg-cs"

    @check_arguments
    def __init__(
        self, *, n_layers: int = 50, correction_alpha: float = 0.8, smoothing_alpha: float = 0.8
    ) -> None:
        self.n_layers = n_layers
        self.correction_alpha = correction_alpha
        self.smoothing_alpha = smoothing_alpha

    @check_arguments
    def fit(self, network: Network, train: NDArray[np.intp], *, seed: int = 0) -> Self:
        """Train the perceptron on the nodes `train`, and keep their labels."""
        self._train, self._labels = _training_labels(self.name, network, train)
        if network.features is None:
            raise no_features(network, self.name, "take pyg-lp")
        self._base = MLP().fit(network, train, seed=seed)
        return self

    @check_arguments
    def predict_proba(self, network: Network, nodes: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return class probabilities of `nodes`, shape (len(nodes), n_classes)."""
        pyg = load("torch_geometric.nn", self.name)
        torch = load("torch", self.name)
        links = _links(network, self.name)
        soft = torch.from_numpy(self._base.predict_proba(network, np.arange(network.n_nodes)))
        with own_random_state(torch, 0), torch.no_grad():
            known = _one_hot(torch, network, self._train, self._labels)
            train = torch.from_numpy(self._train)
            model = pyg.CorrectAndSmooth(
                num_correction_layers=self.n_layers,
                correction_alpha=self.correction_alpha,
                num_smoothing_layers=self.n_layers,
                smoothing_alpha=self.smoothing_alpha,
                autoscale=True,
            )
            soft = model.correct(soft, known[train], train, *links)
            out = model.smooth(soft, known[train], train, *links)
        return _as_probabilities(out.numpy(), known.numpy(), nodes)


def _training_labels(
    who: str, network: Network, train: NDArray[np.intp]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    check_nodes(who, network, train)
    if len(train) == 0:
        raise InputError(expected="at least one training node", got="none", where=who)
    return np.asarray(train, dtype=np.int64), network.labels[train].astype(np.int64)


def _links(network: Network, who: str) -> tuple[Any, Any]:
    """Return links and their weights in D^(-1/2) A D^(-1/2): given weights are not normalized."""
    none = np.empty(0, dtype=np.intp)
    data = tensors(network, np.empty((network.n_nodes, 0)), none, none, who)
    total = load("torch", who).zeros(network.n_nodes)
    scale = total.index_add(0, data.edge_index[0], data.edge_weight).rsqrt()
    weight = scale[data.edge_index[0]] * data.edge_weight * scale[data.edge_index[1]]
    return data.edge_index, weight


def _one_hot(
    torch: Any, network: Network, train: NDArray[np.int64], labels: NDArray[np.int64]
) -> Any:
    known = torch.zeros((network.n_nodes, network.n_classes))
    known[torch.from_numpy(train), torch.from_numpy(labels)] = 1.0
    return known


def _as_probabilities(
    out: NDArray[np.floating], known: NDArray[np.floating], nodes: NDArray[np.intp]
) -> NDArray[np.float32]:
    """Scale rows to 1; rows of nothing get the class shares of the training nodes."""
    rows = np.clip(np.asarray(out[nodes], dtype=float), 0.0, None)
    total = rows.sum(axis=1, keepdims=True)
    shares = known.sum(axis=0, dtype=float) / known.sum(dtype=float)
    scaled = np.divide(rows, total, out=np.tile(shares, (len(rows), 1)), where=total > 0)
    return np.asarray(scaled, dtype=np.float32)
