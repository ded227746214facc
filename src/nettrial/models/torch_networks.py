"""Two neural networks ready to use: a multilayer perceptron and a graph convolutional network."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..arguments import check_arguments
from .torch_adapter import FullBatch, Substitute, TorchData, TorchModel, load


@check_arguments
def gcn(
    *,
    hidden: int = 16,
    dropout: float = 0.5,
    validation: float = 0.2,
    training: FullBatch | None = None,
) -> TorchModel:
    """Make a graph convolutional network of two layers, in plain PyTorch.

        Z = Â ReLU(Â X W0) W1,   Â = D^(-1/2) (A + I) D^(-1/2)

    with a bias in each layer, link weights in A, and links without direction. Features are
    scaled as `TorchModel` says; without any each node has a column of its own.

    Parameters
    ----------
    hidden : int
        Width of the middle layer.
    dropout : float
        Share of inputs of each layer left out in training.
    validation : float
        Share of the training nodes to stop by.
    training : FullBatch, optional
        Epochs, patience, learning rate and weight decay.

    References
    ----------
    T. Kipf, M. Welling (2017), Semi-supervised classification with graph convolutional networks,
    ICLR, equation 9. There validation nodes come from outside the training set and patience is
    10; here they are training nodes, and weight decay is on both layers.

    Examples
    --------
    >>> gcn(hidden=32)
    TorchModel('gcn')
    """
    return _ready("gcn", propagate, hidden, dropout, validation, training, "one-hot")


@check_arguments
def mlp(
    *,
    hidden: int = 16,
    dropout: float = 0.5,
    validation: float = 0.2,
    training: FullBatch | None = None,
) -> TorchModel:
    """Make the same network without links: what features alone can do.

    Without features it sees degrees. Parameters are those of `gcn`.

    Examples
    --------
    >>> mlp()
    TorchModel('mlp')
    """
    return _ready("mlp", ignore_links, hidden, dropout, validation, training, "degrees")


class Layers:
    """Makes the layers that both networks share."""

    def __init__(self, hidden: int, dropout: float) -> None:
        self.hidden = hidden
        self.dropout = dropout

    def __call__(self, n_features: int, n_classes: int) -> Any:
        """Return a new module."""
        nn = load("torch", "gcn or mlp").nn
        return nn.Sequential(
            nn.Dropout(self.dropout),
            nn.Linear(n_features, self.hidden),
            nn.ReLU(),
            nn.Dropout(self.dropout),
            nn.Linear(self.hidden, n_classes),
        )


def _ready(
    name: str,
    forward: Any,
    hidden: int,
    dropout: float,
    validation: float,
    training: FullBatch | None,
    substitute: Substitute,
) -> TorchModel:
    return TorchModel(
        Layers(hidden, dropout),
        train=training,
        forward=forward,
        validation=validation,
        substitute=substitute,
        scale=True,
        sparse=True,
        name=name,
    )


def ignore_links(module: Any, data: TorchData) -> Any:
    """Apply the layers to the features."""
    return _apply(module, data.x, lambda x: x)


def propagate(module: Any, data: TorchData) -> Any:
    """Apply the layers, and after each linear one take Â times its output."""
    torch = load("torch", "gcn")
    if "normalized" not in data.kept:
        data.kept["normalized"] = normalized(data)
    matrix = data.kept["normalized"]
    return _apply(module, data.x, lambda x: torch.sparse.mm(matrix, x))


def _apply(module: Any, x: Any, after_linear: Callable[[Any], Any]) -> Any:
    torch = load("torch", "gcn or mlp")
    for layer in module:
        linear = isinstance(layer, torch.nn.Linear)
        if not x.is_sparse:
            x = layer(x)
        elif linear:
            x = torch.sparse.mm(x, layer.weight.t()) + layer.bias
        else:  # dropout: an entry that is not stored is 0 anyway
            x = torch.sparse_coo_tensor(
                x.indices(), layer(x.values()), x.shape, is_coalesced=True, check_invariants=False
            )
        x = after_linear(x) if linear else x
    return x


def normalized(data: TorchData) -> Any:
    """Return Â as a sparse tensor, shape (n_nodes, n_nodes)."""
    torch = load("torch", "gcn")
    n = data.x.shape[0]
    own = torch.arange(n)
    ends = torch.cat([data.edge_index, torch.stack([own, own])], dim=1)
    values = symmetric_weights(ends, torch.cat([data.edge_weight, torch.ones(n)]), n)
    return torch.sparse_coo_tensor(ends, values, (n, n), check_invariants=False).coalesce()


def symmetric_weights(ends: Any, weight: Any, n: int) -> Any:
    """Divide each link's weight by the square roots of its ends' sums of weights."""
    torch = load("torch", "gcn")
    scale = torch.zeros(n).index_add(0, ends[0], weight).rsqrt()
    return scale[ends[0]] * weight * scale[ends[1]]
