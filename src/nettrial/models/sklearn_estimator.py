"""Any model of nodes as a scikit-learn classifier, for `cross_validate` and pipelines."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, check_is_fitted, column_or_1d

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ..network.network import Network
from ..network.node_values import MISSING
from .adapted import as_model
from .base import Model
from .decide import predict_labels


class NodeClassifier(ClassifierMixin, BaseEstimator):
    """A scikit-learn classifier whose samples are nodes of one network.

    It holds the network and uses nothing but its links and features: labels come from ``y``
    alone, so that those of the test nodes stay hidden even if the network has them. ``X`` holds
    node indices. A network handed over as fit parameter instead would be in danger:
    scikit-learn slices everything there that looks like an array.

    Parameters
    ----------
    network : Network
    model : str or Model
        Name of a built-in model, or an object with ``fit(network, train)`` and
        ``predict_proba(network, nodes)``; each fit works on a copy.
    random_state : int
        Handed to a model that draws random numbers.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
        The classes of the training nodes, sorted.

    Examples
    --------
    >>> from sklearn.model_selection import cross_val_score
    >>> net = Network([0, 1, 3, 4], [1, 2, 4, 5], n_nodes=6)
    >>> nodes, y = np.arange(6).reshape(-1, 1), np.array(["a", "a", "a", "b", "b", "b"])
    >>> cross_val_score(NodeClassifier(net, "wvrn"), nodes, y, cv=3).tolist()
    [1.0, 1.0, 1.0]
    """

    def __init__(
        self, network: Network, model: str | Model = "wvrn", *, random_state: int = 0
    ) -> None:
        self.network = network
        self.model = model
        self.random_state = random_state

    @check_arguments
    def fit(self, X: Any, y: Any) -> Self:
        """Learn the labels `y` of the nodes `X`.

        Parameters
        ----------
        X : array_like of int, shape (n_samples,) or (n_samples, 1)
            Node indices.
        y : array_like, shape (n_samples,)
            Their classes.

        Raises
        ------
        InputError
            Where X holds no node indices, or a node twice.
        """
        labels = self._sound(lambda: _classes(y))
        nodes = self._nodes(X, least=1)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        if np.unique(nodes).size != nodes.size or codes.size != nodes.size:
            raise InputError(
                expected="one label for each node",
                got=f"{codes.size} labels for {np.unique(nodes).size} different nodes in "
                f"{nodes.size} rows",
                where="NodeClassifier",
            )
        known = np.full(self.network.n_nodes, MISSING, dtype=np.int32)
        known[nodes] = codes
        labeled = self.network._with_labels(known, tuple(self.classes_.tolist()))
        self.network_ = labeled.imputed(np.sort(nodes))
        model = copy.deepcopy(as_model(self.model))
        if not isinstance(model, Model):
            raise InputError(
                expected="a classifier",
                got=f"{shown(model)}, which predicts numbers",
                where="NodeClassifier",
            )
        takes_seed = "seed" in inspect.signature(model.fit).parameters
        seed = {"seed": self.random_state} if takes_seed else {}
        self.model_ = model.fit(self.network_, np.sort(nodes), **seed)
        self.n_features_in_ = 1
        return self

    @check_arguments
    def predict_proba(self, X: Any) -> NDArray[np.floating]:
        """Return class probabilities, shape (n_samples, n_classes), columns as in `classes_`."""
        check_is_fitted(self, "model_")
        return np.asarray(self.model_.predict_proba(self.network_, self._nodes(X)))

    @check_arguments
    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each node; of equally probable ones the first."""
        codes = predict_labels(self.predict_proba(X))  # which says so where nothing is fitted
        return np.asarray(self.classes_[codes])

    def _nodes(self, X: Any, least: int = 0) -> NDArray[np.intp]:
        options = {"dtype": None, "ensure_2d": False, "ensure_min_samples": least}
        array = self._sound(lambda: check_array(X, **options))
        if array.ndim == 2 and array.shape[1] == 1:
            array = array[:, 0]
        n = self.network.n_nodes
        whole = array.ndim == 1 and array.dtype.kind in "iu"
        if not whole or (array.size and not 0 <= array.min() <= array.max() < n):
            raise InputError(
                parameter="X",
                expected=f"node indices, integers from 0 to {n - 1} in one column",
                got=f"shape {array.shape} and type {array.dtype}",
                where="NodeClassifier",
            )
        return np.asarray(array, dtype=np.intp)

    def _sound(self, check: Callable[[], Any]) -> Any:
        """Return what a check of scikit-learn's lets through; its refusal in one line else."""
        try:
            return check()
        except (TypeError, ValueError) as error:
            raise InputError(f"NodeClassifier: {' '.join(str(error).split())}") from error


def _classes(y: Any) -> NDArray[Any]:
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None")
    labels = column_or_1d(y, warn=True)
    check_classification_targets(labels)
    return np.asarray(labels)
