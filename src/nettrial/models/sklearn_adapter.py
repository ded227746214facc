"""Any scikit-learn classifier or regressor as a model of nodes."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone

from ..core.arguments import check_arguments
from ..core.errors import AssumptionWarning, InputError, warn_user
from ..network.network import Direction, Network
from ..network.node_values import MISSING
from .node_tables import Use, class_shares, joined_tables, node_table
from .nodes import check_nodes, for_more_nodes
from .targets import training_targets


class FeatureClassifier(BaseEstimator):  # type: ignore[misc]
    """A scikit-learn classifier that sees one row of numbers for each node.

    Each fit works on a clone. A class that no training node has gets the probability 0, and
    where all training nodes have one class, it gets the probability 1. A classifier without
    ``predict_proba`` gives its predicted class the probability 1. It takes networks, where
    scikit-learn's tools hand over tables; `NodeClassifier` is for these.

    Parameters
    ----------
    estimator : scikit-learn classifier or pipeline
        Every ``random_state`` of it that is None is set to the seed of the fit.
    use : {"features", "neighbors", "both", "graph"}
        Node features; degrees and the neighbors' means of the features; or both. See
        `node_table`. Without features "neighbors" stands for degrees. "graph" sees all of these
        and the share of each class among the neighbors in the training set.
    direction : {"both", "out", "in"}
        Which links of a directed network make a neighbor.
    name : str, optional
        Shown in results; by default that of the classifier's class and what it sees.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> net = Network([0, 1, 2], [1, 2, 3], n_nodes=4, labels=["a", "a", "b", "b"],
    ...               features=np.array([[0.0], [0.2], [0.8], [1.0]]))
    >>> model = FeatureClassifier(LogisticRegression()).fit(net, np.array([0, 3]))
    >>> model.predict_proba(net, np.array([1, 2])).argmax(axis=1).tolist()
    [0, 1]
    """

    def __init__(
        self,
        estimator: Any,
        *,
        use: Use = "features",
        direction: Direction = "both",
        name: str | None = None,
    ) -> None:
        self.estimator = estimator
        self.use: Use = use
        self.direction: Direction = direction
        self.name = name_of(estimator, use) if name is None else name

    def __repr__(self) -> str:
        return f"FeatureClassifier({self.estimator!r}, use={self.use!r})"

    def _rows(self, network: Network, nodes: NDArray[np.intp]) -> Any:
        """Return the table of some nodes, with the labels of the training nodes and no others."""
        table = node_table(network, self.use, self.direction)
        if self.use == "graph":
            labels = for_more_nodes(self.labels_, network)
            table = joined_tables([table, class_shares(network, labels, self.direction)])
        return table[nodes]

    @check_arguments
    def fit(self, network: Network, train: NDArray[np.intp], *, seed: int = 0) -> Self:
        """Learn from the rows and labels of the nodes `train`.

        Parameters
        ----------
        network : Network
        train : ndarray of int
            Node indices; all need a label.
        seed : int
            For every ``random_state`` that is None.

        Raises
        ------
        InputError
            Where there is no training node, one has no label, or the network lacks features.
        """
        check_nodes(self.name, network, train)
        codes = network.labels[train]
        if codes.size == 0 or (codes == MISSING).any():
            raise InputError(
                expected="at least one training node, and a label for each",
                got=f"{codes.size}, {np.count_nonzero(codes == MISSING)} of them without a label",
                where=f"{self.name}",
            )
        self.labels_ = np.full(network.n_nodes, MISSING, dtype=np.int32)
        self.labels_[train] = codes
        rows = self._rows(network, train)
        self.classes_ = np.unique(codes)
        self.fitted_ = None
        if self.classes_.size > 1:
            self.fitted_ = seeded(clone(self.estimator), seed).fit(rows, codes)
        return self

    @check_arguments
    def predict_proba(self, network: Network, nodes: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return class probabilities of `nodes`, shape (len(nodes), n_classes).

        Raises
        ------
        InputError
            Before `fit`.
        """
        if not hasattr(self, "classes_"):
            raise InputError(f"{self.name}: call fit before predict_proba")
        check_nodes(self.name, network, nodes)
        out = np.zeros((len(nodes), network.n_classes))
        if self.fitted_ is None:
            out[:, self.classes_[0]] = 1.0
        elif len(nodes):
            rows = self._rows(network, nodes)
            if hasattr(self.fitted_, "predict_proba"):
                out[:, self.fitted_.classes_] = self.fitted_.predict_proba(rows)
            else:
                out[np.arange(len(nodes)), self.fitted_.predict(rows)] = 1.0
        return out


class FeatureRegressor(BaseEstimator):  # type: ignore[misc]
    """A scikit-learn regressor that sees one row of numbers for each node.

    Each fit works on a clone.

    Parameters
    ----------
    estimator : scikit-learn regressor or pipeline
        Every ``random_state`` of it that is None is set to the seed of the fit.
    use : {"features", "neighbors", "both"}, optional
        Node features; degrees and the neighbors' means of the features; or both, see
        `FeatureClassifier`. By default features, and degrees where the network has none.
    direction : {"both", "out", "in"}
        Which links of a directed network make a neighbor.
    name : str, optional
        Shown in results; by default that of the regressor's class and what it sees.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> net = Network([0, 1, 2], [1, 2, 3], n_nodes=4, targets=[0.0, 2.0, 4.0, 6.0],
    ...               features=np.array([[0.0], [1.0], [2.0], [3.0]]))
    >>> model = FeatureRegressor(LinearRegression()).fit(net, np.array([0, 3]))
    >>> model.predict(net, np.array([1, 2])).round(6).tolist()
    [2.0, 4.0]
    """

    def __init__(
        self,
        estimator: Any,
        *,
        use: Use | None = None,
        direction: Direction = "both",
        name: str | None = None,
    ) -> None:
        self.estimator = estimator
        self.use: Use | None = use
        self.direction: Direction = direction
        self.name = name_of(estimator, "features" if use is None else use) if name is None else name

    def __repr__(self) -> str:
        return f"FeatureRegressor({self.estimator!r}, use={self.use!r})"

    def _table(self, network: Network) -> Any:
        use: Use = self.use or ("neighbors" if network.features is None else "features")
        return node_table(network, use, self.direction)

    @check_arguments
    def fit(self, network: Network, train: NDArray[np.intp], *, seed: int = 0) -> Self:
        """Learn from the rows and targets of the nodes `train`.

        Parameters
        ----------
        network : Network
        train : ndarray of int
            Node indices; all need a target.
        seed : int
            For every ``random_state`` that is None.

        Raises
        ------
        InputError
            Where there is no training node, one has no target, or the network lacks features.
        """
        known = training_targets(self.name, network, train)
        if self.use is None and network.features is None:
            warn_user(
                AssumptionWarning(
                    f"{self.name}: the network has no features; it sees the nodes' degrees and "
                    "those of their neighbors"
                )
            )
        self.fitted_ = seeded(clone(self.estimator), seed).fit(self._table(network)[train], known)
        return self

    @check_arguments
    def predict(self, network: Network, nodes: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return a number for each of `nodes`, shape (len(nodes),).

        Raises
        ------
        InputError
            Before `fit`.
        """
        if not hasattr(self, "fitted_"):
            raise InputError(f"{self.name}: call fit before predict")
        check_nodes(self.name, network, nodes)
        if not len(nodes):
            return np.empty(0)
        return np.asarray(self.fitted_.predict(self._table(network)[nodes]), dtype=np.float64)


def name_of(estimator: Any, use: Use) -> str:
    """Return the name of an estimator, or of the last one of a pipeline, and of what it sees."""
    last = estimator.steps[-1][1] if hasattr(estimator, "steps") else estimator
    kind = type(last).__name__
    return f"{kind} ({use})" if isinstance(use, str) and use != "features" else kind


def seeded(estimator: Any, seed: int) -> Any:
    """Set every ``random_state`` that is None, those of inner estimators included."""
    free = [
        name
        for name, value in estimator.get_params(deep=True).items()
        if value is None and name.split("__")[-1] == "random_state"
    ]
    return estimator.set_params(**dict.fromkeys(free, seed % 2**32))
