"""Any PyTorch module as a model of nodes: also those of PyTorch Geometric and DGL.

PyTorch is imported when a model is fitted, so that everything else works without it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..core.plain_text import function_name
from ..network.network import Network
from .targets import training_targets
from .torch_data import Substitute, TorchData, load, moved
from .torch_devices import device_named, free_device, own_random_state, precision
from .torch_scores import ScoresOfNodes, checked_scores
from .validation import set_aside

Forward: TypeAlias = Callable[[Any, TorchData], Any]
Training: TypeAlias = Callable[[Any, TorchData, Forward], None]


def call_with_links(module: Any, data: TorchData) -> Any:
    """Call a module as PyTorch Geometric's models are called: with x and edge_index."""
    return module(data.x, data.edge_index)


@check_arguments
@dataclass(frozen=True, slots=True)
class FullBatch:
    """Train on all training nodes at once by Adam; keep the weights of the best epoch.

    The best epoch is that of the least cross-entropy, of numeric targets of the least squared
    error, on the validation nodes. Without validation nodes all epochs are run and the last is
    kept.

    Parameters
    ----------
    epochs : int
        Greatest number of epochs.
    patience : int
        Stop after so many epochs without improvement.
    learning_rate, weight_decay : float
        Of Adam.
    mixed_precision : bool
        Run the module in bfloat16 where PyTorch holds that safe (``torch.autocast``); weights and
        losses stay in single precision.
    """

    epochs: int = 200
    patience: int = 50
    learning_rate: float = 0.01
    weight_decay: float = 5e-4
    mixed_precision: bool = False

    def __call__(self, module: Any, data: TorchData, forward: Forward) -> None:
        """Train `module` in place."""
        torch = load("torch", "FullBatch")
        loss_of = loss_for(data)
        optimizer = torch.optim.Adam(
            module.parameters(), lr=self.learning_rate, weight_decay=self.weight_decay
        )

        def loss(mask: Any) -> Any:
            with precision(torch, module, self.mixed_precision):
                out = forward(module, data)[mask]
            return loss_of(out.float(), data.y[mask])

        def step() -> None:
            optimizer.zero_grad()
            loss(data.train_mask).backward()
            optimizer.step()

        stops = bool(data.val_mask.any())
        stop_by = (lambda: float(loss(data.val_mask))) if stops else None
        keep_best(module, step, stop_by, self.epochs, self.patience)


def keep_best(
    module: Any,
    epoch: Callable[[], None],
    loss: Callable[[], float] | None,
    epochs: int,
    patience: int,
) -> None:
    """Train by epochs, and keep the weights of the one with the least loss on validation nodes.

    Parameters
    ----------
    epoch : callable
        Trains it for one epoch.
    loss : callable, optional
        The loss on the validation nodes; without any all epochs are run and the last is kept.
    epochs, patience : int
        As for `FullBatch`.
    """
    torch = load("torch", "FullBatch")
    best, kept, waited = math.inf, None, 0
    for _ in range(epochs):
        module.train()
        epoch()
        if loss is None:
            continue
        module.eval()
        with torch.no_grad():
            found = loss()
        waited += 1
        if found < best:
            best, waited = found, 0
            kept = {name: value.clone() for name, value in module.state_dict().items()}
        if waited >= patience:
            break
    if kept is not None:
        module.load_state_dict(kept)


def loss_for(data: TorchData) -> Callable[[Any, Any], Any]:
    """Return the squared error for numeric targets, the cross-entropy for classes."""
    if data.y.is_floating_point():
        return squared_error
    entropy: Callable[[Any, Any], Any] = load("torch", "loss").nn.functional.cross_entropy

    def loss(scores: Any, labels: Any) -> Any:
        if scores.ndim != 2 or scores.shape[1] != data.n_classes:
            raise InputError(
                expected=f"{data.n_classes} scores for each node, one for each class",
                got=f"shape {tuple(scores.shape)} for {labels.shape[0]} nodes",
                hint="the factory gets n_classes as its second argument",
                where="the module",
            )
        return entropy(scores, labels)

    return loss


def squared_error(scores: Any, targets: Any) -> Any:
    """Return the mean squared error of one score a node, with or without an axis of its own."""
    return ((scores.reshape(targets.shape[0], -1)[:, 0] - targets) ** 2).mean()


class TorchModel(ScoresOfNodes):
    """A PyTorch module that is trained anew for every split.

    Runs with one thread and its own random state, so that on the CPU a seed gives the same bits
    anywhere on one machine; the global random state stays as it was.

    Parameters
    ----------
    factory : callable
        ``factory(n_features, n_classes)`` gives a new module whose output is one row of scores
        (logits or log-probabilities) a node. On a network with a numeric target it is called
        with 1 in the place of n_classes, and the module gives one number per node, in standard
        deviations of the training targets from their mean.
    train : callable
        ``train(module, data, forward)`` trains it in place, by default `FullBatch`; `data` is
        a `TorchData`. `NeighborBatches` trains and predicts part by part, for networks on which
        the module does not fit as a whole.
    forward : callable
        ``forward(module, data)`` gives the scores of all nodes; by default
        ``module(data.x, data.edge_index)``, as PyTorch Geometric's models want it. For DGL
        build the graph from ``data.edge_index`` here. Weights of links reach a module only
        through this function.
    validation : float
        Share of the training nodes, in [0, 1), that is set aside to stop by. One node of each
        class stays in training.
    substitute : {"one-hot", "degrees"}
        What stands for features on a network without any: one column per node (dense up to
        5,000 nodes), or degrees as in `node_table`. A warning says what was taken.
    sparse : bool
        Leave sparse features, and one column per node, as a sparse tensor (COO), which few modules
        take; by default `x` is dense.
    scale : bool
        Divide rows of features without negative values by their sum, as Kipf and Welling
        (2017) do; standardize other features by column. By default features stay as they are.
    device : str
        Where it runs: "cpu", "cuda", "mps" or another device of PyTorch, or "auto" for the first
        of cuda, mps and cpu that is there. Of several graphics cards "cuda" takes one that is
        free; each serves one fit at a time, so that with ``n_jobs`` workers wait for a card. A
        card may sum in another order each time, so that a seed then gives the same numbers only
        roughly.
    name : str, optional
        Shown in results; by default the factory's name.

    Examples
    --------
    >>> def factory(n_features, n_classes):
    ...     import torch_geometric
    ...     return torch_geometric.nn.models.GAT(n_features, 8, 2, n_classes)
    >>> TorchModel(factory, validation=0.1, name="GAT")
    TorchModel('GAT')
    """

    @check_arguments
    def __init__(
        self,
        factory: Callable[[int, int], Any],
        *,
        train: Training | None = None,
        forward: Forward = call_with_links,
        validation: float = 0.2,
        substitute: Substitute = "one-hot",
        scale: bool = False,
        sparse: bool = False,
        device: str = "cpu",
        name: str | None = None,
    ) -> None:
        self.factory = factory
        self.train: Training = FullBatch() if train is None else train
        self.forward = forward
        self.validation = validation
        self.substitute: Substitute = substitute
        self.scale = scale
        self.sparse = sparse
        self.device = device
        self.name = name or function_name(factory)

    @check_arguments
    def fit(self, network: Network, train: NDArray[np.intp], *, seed: int = 0) -> Self:
        """Train a new module on the labels or targets of the nodes `train`.

        Raises
        ------
        InputError
            Where PyTorch or the device is missing, `validation` is out of its range, features are
            not finite, or there is no training node.
        """
        torch = load("torch", self.name)
        wanted = device_named(torch, self.device, self.name)
        fitted, stopping = set_aside(self.name, network, train, self.validation, seed)
        if network.targets is not None:
            known = training_targets(self.name, network, train)
            self.center_, self.scale_ = float(known.mean()), float(known.std()) or 1.0
        data = self._data(network, fitted, stopping)
        with free_device(torch, wanted) as device, own_random_state(torch, seed, device):
            module = self.factory(data.x.shape[1], data.n_classes)
            if device.type != "cpu":
                module = module.to(device)
                data = data if self._by_parts else moved(data, device)
            self.train(module, data, self.forward)
        self.module_, self.device_ = module, device
        return self

    def _predictions(self, network: Network) -> NDArray[np.float64]:
        if not hasattr(self, "module_"):
            raise InputError(f"{self.name}: call fit before it predicts")
        torch = load("torch", self.name)
        none = np.empty(0, dtype=np.intp)
        data = self._data(network, none, none, warn=False)
        self.module_.eval()
        with (
            free_device(torch, self.device_),
            own_random_state(torch, 0, self.device_),
            torch.no_grad(),
        ):
            if self._by_parts:
                found = self.train.scores(self.module_, data, self.forward)  # type: ignore[attr-defined]
            else:
                found = self.forward(self.module_, moved(data, self.device_))
            scores = checked_scores(found, network, self.name)
        if network.targets is not None:
            return scores
        return np.asarray(torch.softmax(torch.from_numpy(scores), dim=1).numpy())

    @property
    def _by_parts(self) -> bool:
        """Whether the training moves parts of the data to the device itself, and predicts so."""
        return hasattr(self.train, "scores")
