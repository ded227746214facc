"""What models share that give scores of all nodes by PyTorch."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..network.network import Network
from .node_tables import scaled
from .torch_data import Substitute, TorchData, load, node_features, tensors


class ScoresOfNodes:
    """The face of `TorchModel` and `TrainingFunction`: a network as tensors, scores as predictions.

    Both have the scores of all nodes and hand out those of the nodes that are asked for.
    """

    name: str
    validation: float
    substitute: Substitute
    scale = sparse = False
    center_, scale_ = 0.0, 1.0  # of numeric targets, as they are given to the module

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    @check_arguments
    def predict_proba(self, network: Network, nodes: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return class probabilities of `nodes`, shape (len(nodes), n_classes).

        Raises
        ------
        InputError
            Before `fit`, where scores are not finite or of another shape, and of a training
            function that returned scores on another network than that of the fit.
        """
        return np.asarray(self._predictions(network)[nodes], dtype=np.float32)

    @check_arguments
    def predict(self, network: Network, nodes: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return a number for each of `nodes`, shape (len(nodes),), of a numeric target.

        Raises
        ------
        InputError
            As for `predict_proba`, and where the network has classes.
        """
        if network.targets is None:
            raise InputError(f"{self.name}: the network has classes; call predict_proba")
        return np.asarray(self._predictions(network)[nodes] * self.scale_ + self.center_)

    def _predictions(self, network: Network) -> NDArray[np.float64]:
        """Return class probabilities, or numbers, of all nodes."""
        raise NotImplementedError

    def _data(
        self,
        network: Network,
        fitted: NDArray[np.intp],
        stopping: NDArray[np.intp],
        *,
        warn: bool = True,
    ) -> TorchData:
        """Return a network as tensors, with the labels or targets of some nodes and no others."""
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
        return replace(data, y=y.masked_fill(hidden, np.nan), n_classes=1)


def checked_scores(returned: Any, network: Network, who: str) -> NDArray[np.float64]:
    """Return scores of all nodes, shape (n_nodes, n_classes), or (n_nodes,) of numbers."""
    n, k = network.n_nodes, network.n_classes
    numeric = network.targets is not None
    expected = f"scores of all {n:,} nodes and {k} classes, shape ({n}, {k})"
    expected = f"one number for each of the {n:,} nodes" if numeric else expected
    if hasattr(returned, "detach"):
        returned = returned.detach().cpu().double().numpy()
    try:
        found = np.asarray(returned, dtype=np.float64)
    except (TypeError, ValueError) as error:
        got = "nothing" if returned is None else f"a {type(returned).__name__}"
        raise InputError(expected=expected, got=got, where=who) from error
    if numeric and found.shape == (n, 1):
        found = found[:, 0]
    if found.shape != ((n,) if numeric else (n, k)):
        got = "nothing" if returned is None else f"shape {found.shape}"
        raise InputError(expected=expected, got=got, hint=_advice(found, n), where=who)
    rows = found.reshape(n, -1)
    # the logarithm of 0 beside others is a score
    bad = (np.isnan(rows) | np.isposinf(rows)).any(axis=1) | np.isneginf(rows).all(axis=1)
    if bad.any():
        raise InputError(
            f"the scores of {np.count_nonzero(bad):,} of {n:,} nodes are missing or infinite, "
            f"first those of node {int(np.argmax(bad))}",
            hint="did training diverge?",
            where=who,
        )
    return found


def _advice(found: NDArray[np.float64], n: int) -> str:
    """Return what to do about scores of another shape."""
    if found.shape == (n,):
        return "return a score for each class, not the predicted class"
    if found.ndim == 2 and found.shape[0] == n:
        return "data.num_classes (n_classes of a factory) says how many scores each node needs"
    return "return the scores of all nodes, in the order of data.x" * (found.ndim == 2)
