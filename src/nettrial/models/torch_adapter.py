"""Any PyTorch module as a model of nodes: also those of PyTorch Geometric and DGL.

PyTorch is imported when a model is fitted, so that everything else works without it.
"""

from __future__ import annotations

import importlib
import math
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self, TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..core.errors import AssumptionWarning, InputError, shown, warn_user
from ..network.network import Network
from .node_tables import check_finite, degrees, scaled
from .targets import training_targets
from .validation import set_aside

Substitute: TypeAlias = Literal["one-hot", "degrees"]
Forward: TypeAlias = Callable[[Any, "TorchData"], Any]
Training: TypeAlias = Callable[[Any, "TorchData", Forward], None]
MOST_ONE_HOT = 5_000  # nodes; the square matrix then takes 100 MB


def load(module: str, who: str) -> Any:
    """Import a library of the extra ``pyg``.

    Raises
    ------
    InputError
        Where it is not installed; names the extra.
    """
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
        loss_of = loss_for(data.y)
        optimizer = torch.optim.Adam(
            module.parameters(), lr=self.learning_rate, weight_decay=self.weight_decay
        )
        stops = bool(data.val_mask.any())
        best, kept, waited = math.inf, None, 0
        for _ in range(self.epochs):
            module.train()
            optimizer.zero_grad()
            with precision(torch, module, self.mixed_precision):
                out = forward(module, data)[data.train_mask]
            loss_of(out.float(), data.y[data.train_mask]).backward()
            optimizer.step()
            if not stops:
                continue
            module.eval()
            with torch.no_grad(), precision(torch, module, self.mixed_precision):
                out = forward(module, data)[data.val_mask]
            loss = float(loss_of(out.float(), data.y[data.val_mask]))
            if loss < best:
                best, waited = loss, 0
                kept = {name: value.clone() for name, value in module.state_dict().items()}
            else:
                waited += 1
            if waited >= self.patience:
                break
        if kept is not None:
            module.load_state_dict(kept)


def loss_for(y: Any) -> Callable[[Any, Any], Any]:
    """Return the squared error for numeric targets, the cross-entropy for classes."""
    entropy: Callable[[Any, Any], Any] = load("torch", "loss").nn.functional.cross_entropy
    return squared_error if y.is_floating_point() else entropy


def precision(torch: Any, module: Any, mixed: bool) -> AbstractContextManager[Any]:
    """Return what runs a module in bfloat16 where that is safe; nothing unless asked for."""
    weights = next(iter(module.parameters()), None)
    if not mixed or weights is None:
        return nullcontext()
    found: AbstractContextManager[Any] = torch.autocast(weights.device.type, torch.bfloat16)
    return found


def squared_error(scores: Any, targets: Any) -> Any:
    """Return the mean squared error of one score a node, with or without an axis of its own."""
    return ((scores.reshape(targets.shape[0], -1)[:, 0] - targets) ** 2).mean()


class TorchModel:
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
        5,000 nodes), or degrees as in `node_table`. A warning tells what was taken.
    sparse : bool
        Leave sparse features, and one column per node, as a sparse tensor (COO), which few modules
        take; by default `x` is dense.
    scale : bool
        Divide rows of features without negative values by their sum, as Kipf and Welling
        (2017) do; standardize other features by column. By default features stay as they are.
    device : str
        Where it runs: "cpu", "cuda", "mps" or another device of PyTorch, or "auto" for the first
        of cuda, mps and cpu that is there. A graphics card may sum in another order each time,
        so that a seed then gives the same numbers only roughly.
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
        self.name = name or str(getattr(factory, "__name__", type(factory).__name__))

    def __repr__(self) -> str:
        return f"TorchModel({self.name!r})"

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
        device = device_named(torch, self.device, self.name)
        fitted, stopping = set_aside(self.name, network, train, self.validation, seed)
        if network.targets is not None:
            known = training_targets(self.name, network, train)
            self.center_, self.scale_ = float(known.mean()), float(known.std()) or 1.0
        data = self._data(network, fitted, stopping)
        with own_random_state(torch, seed, device):
            module = self.factory(data.x.shape[1], data.n_classes)
            if device.type != "cpu":
                module = module.to(device)
                data = data if self._by_parts else moved(data, device)
            self.train(module, data, self.forward)
        self.module_ = module
        return self

    @check_arguments
    def predict_proba(self, network: Network, nodes: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return class probabilities of `nodes`, shape (len(nodes), n_classes).

        Raises
        ------
        InputError
            Before `fit`.
        """
        torch, scores = load("torch", self.name), self._scores(network)
        return np.asarray(torch.softmax(scores[nodes].double(), dim=1).numpy(), dtype=np.float32)

    @check_arguments
    def predict(self, network: Network, nodes: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return a number for each of `nodes`, shape (len(nodes),), of a numeric target.

        Raises
        ------
        InputError
            Before `fit`, and where that was on classes.
        """
        scores = self._scores(network)
        if not hasattr(self, "center_"):
            raise InputError(f"{self.name}: was fitted on classes; call predict_proba")
        found = scores.reshape(network.n_nodes, -1)[nodes, 0].double().numpy()
        return np.asarray(found * self.scale_ + self.center_)

    def _scores(self, network: Network) -> Any:
        if not hasattr(self, "module_"):
            raise InputError(f"{self.name}: call fit before it predicts")
        torch = load("torch", self.name)
        none = np.empty(0, dtype=np.intp)
        data = self._data(network, none, none, warn=False)
        self.module_.eval()
        device = device_named(torch, self.device, self.name)
        with own_random_state(torch, 0, device), torch.no_grad():
            if self._by_parts:
                return self.train.scores(self.module_, data, self.forward)  # type: ignore[attr-defined]
            return self.forward(self.module_, moved(data, device)).cpu()

    @property
    def _by_parts(self) -> bool:
        """Whether the training moves parts of the data to the device itself, and predicts so."""
        return hasattr(self.train, "scores")

    def _data(
        self,
        network: Network,
        fitted: NDArray[np.intp],
        stopping: NDArray[np.intp],
        *,
        warn: bool = True,
    ) -> TorchData:
        x = node_features(network, self.name, self.substitute, sparse=self.sparse, warn=warn)
        if network.features is not None and self.scale:
            x = scaled(x)
        if sp.issparse(x) and not self.sparse:
            x = x.toarray()
        data = tensors(network, x, fitted, stopping, self.name)
        if network.targets is None:
            return data
        known = (np.asarray(network.targets) - self.center_) / self.scale_
        hidden = ~(data.train_mask | data.val_mask)
        y = load("torch", self.name).from_numpy(known.astype(np.float32))
        return replace(data, y=y.masked_fill(hidden, math.nan), n_classes=1)


def node_features(
    network: Network, who: str, substitute: Substitute, *, sparse: bool = False, warn: bool = True
) -> Any:
    """Return the features of a network, or what stands for them, see `TorchModel`.

    Raises
    ------
    InputError
        Where features are not finite.
    """
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


def device_named(torch: Any, name: str, who: str) -> Any:
    """Return the device of a name that is there; "auto" is the first of cuda, mps and cpu.

    Raises
    ------
    InputError
        Where there is no such device.
    """
    mps = getattr(torch.backends, "mps", None)
    there = {"cuda": torch.cuda.is_available(), "mps": mps is not None and mps.is_available()}
    able = [*(kind for kind, found in there.items() if found), "cpu"]
    try:
        device = torch.device(able[0] if name == "auto" else name)
        missing = not there.get(device.type, True) or (
            device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count()
        )
    except RuntimeError:  # of a name that it does not know
        missing = True
    if missing:
        raise InputError(
            parameter="device",
            expected=f"auto or one that is there ({', '.join(able)})",
            got=shown(name),
            where=who,
        )
    return device


def moved(data: TorchData, device: Any) -> TorchData:
    """Return the same data with its tensors on a device."""
    if device.type == "cpu":
        return data
    names = ("x", "edge_index", "edge_weight", "y", "train_mask", "val_mask")
    return replace(data, kept={}, **{name: getattr(data, name).to(device) for name in names})


@contextmanager
def own_random_state(torch: Any, seed: int, device: Any = None) -> Iterator[None]:
    """Seed PyTorch for a while and use one thread, whose sums are always in the same order."""
    threads = torch.get_num_threads()
    kind = "cpu" if device is None else device.type
    places = [] if kind == "cpu" else [device.index or 0]
    torch.set_num_threads(1)
    try:
        with torch.random.fork_rng(places, device_type="cuda" if kind == "cpu" else kind):
            torch.manual_seed(seed)
            yield
    finally:
        if kind == "cuda":
            torch.cuda.empty_cache()  # memory of one fit is there for others
        torch.set_num_threads(threads)
