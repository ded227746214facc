"""A network as PyTorch's tensors, and what stands for features on a network without any."""

from __future__ import annotations

import importlib
import warnings
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..core.errors import AssumptionWarning, InputError, warn_user
from ..network.network import Network
from .node_tables import check_finite, degrees

Substitute: TypeAlias = Literal["one-hot", "degrees"]
MOST_ONE_HOT = 5_000  # nodes; the square matrix then takes 100 MB


def load(module: str, who: str) -> Any:
    """Import a library of the extra ``pyg``."""
    try:
        with warnings.catch_warnings():
            # of these libraries' own making, and nothing that a user could act on
            warnings.simplefilter("ignore", DeprecationWarning)
            return importlib.import_module(module)
    except ImportError as error:
        raise InputError(
            f"{who} needs {module}, which cannot be imported ({error}); "
            "install it with: pip install 'nettrial[pyg]'"
        ) from error


@dataclass(frozen=True, slots=True)
class TorchData:
    """A network as tensors, with the labels of the training nodes and of no others.

    Attributes
    ----------
    x : tensor of float, shape (n_nodes, n_features)
    edge_index : tensor of int, shape (2, n_edges)
        Undirected links in both directions, as PyTorch Geometric has them.
    edge_weight : tensor of float, shape (n_edges,)
    y : tensor of int, shape (n_nodes,)
        Class codes; -1 for every node outside both masks. Of numeric targets a tensor of float:
        standardized by all training nodes, NaN outside both masks.
    train_mask, val_mask : tensor of bool, shape (n_nodes,)
        Nodes to fit on, and nodes to stop by. Both are training nodes of the split.
    n_classes : int
        Scores a node that the module gives; 1 of numeric targets.
    kept : dict
        Where a forward function may keep what it makes of the links, such as a DGL graph.
    """

    x: Any
    edge_index: Any
    edge_weight: Any
    y: Any
    train_mask: Any
    val_mask: Any
    n_classes: int
    kept: dict[str, Any] = field(default_factory=dict)


def node_features(
    network: Network, who: str, substitute: Substitute, *, sparse: bool = False, warn: bool = True
) -> Any:
    """Return the features of a network, or what stands for them, see `TorchModel`."""
    if network.features is not None:
        check_finite(network.features, who)
        return network.features
    n = network.n_nodes
    if substitute == "one-hot" and (sparse or n <= MOST_ONE_HOT):
        x, words = sp.eye_array(n, format="csr"), "it sees one column for each node"
    else:
        x, words = degrees(network), "it sees degrees and the neighbors' mean of them"
    if warn:
        warn_user(AssumptionWarning(f"{who}: the network has no features; {words}"))
    return x


def tensors(
    network: Network, x: Any, fitted: NDArray[np.intp], stopping: NDArray[np.intp], who: str
) -> TorchData:
    """Turn a network into tensors; only the labels of `fitted` and `stopping` are taken over."""
    torch = load("torch", who)
    links = network.adjacency().tocoo()
    labels = np.full(network.n_nodes, -1, dtype=np.int64)
    masks = np.zeros((2, network.n_nodes), dtype=bool)
    for mask, nodes in zip(masks, (fitted, stopping)):
        mask[nodes] = True
        labels[nodes] = network.labels[nodes]
    return TorchData(
        x=_features(torch, x),
        edge_index=torch.from_numpy(np.stack([links.row, links.col]).astype(np.int64)),
        edge_weight=torch.from_numpy(links.data.astype(np.float32)),
        y=torch.from_numpy(labels),
        train_mask=torch.from_numpy(masks[0]),
        val_mask=torch.from_numpy(masks[1]),
        n_classes=network.n_classes,
    )


def _features(torch: Any, x: Any) -> Any:
    coo = sp.csr_array(x).tocoo() if sp.issparse(x) else None
    values = np.array(x if coo is None else coo.data, dtype=np.float32)
    if coo is None:
        return torch.from_numpy(values)
    places = torch.from_numpy(np.stack([coo.row, coo.col]).astype(np.int64))
    return torch.sparse_coo_tensor(
        places, torch.from_numpy(values), coo.shape, check_invariants=False
    ).coalesce()


def moved(data: TorchData, device: Any) -> TorchData:
    """Return the same data with its tensors on a device."""
    if device.type == "cpu":
        return data
    names = ("x", "edge_index", "edge_weight", "y", "train_mask", "val_mask")
    return replace(data, kept={}, **{name: getattr(data, name).to(device) for name in names})
