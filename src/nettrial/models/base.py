"""What a model must offer to be tried: two methods; a third makes it fast."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, Self, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ..network.network import Network


@runtime_checkable
class Model(Protocol):
    """A classifier of nodes.

    The network that it is handed has the labels of all nodes outside the training set hidden
    (code -1), so that they cannot reach it. Where `fit` takes a parameter ``seed``, it gets an
    integer of its own for every fit; a model that draws random numbers should use it.
    """

    def fit(self, network: Network, train: NDArray[np.intp]) -> Self:
        """Learn from the nodes `train`, whose labels the network shows."""
        ...

    def predict_proba(self, network: Network, nodes: NDArray[np.intp]) -> NDArray[np.floating]:
        """Return class probabilities, shape (len(nodes), network.n_classes); rows add up to 1."""
        ...


@runtime_checkable
class Regressor(Protocol):
    """A model of numeric targets; all else is as for `Model`.

    The network that it is handed has the targets of all nodes outside the training set hidden
    (NaN).
    """

    def fit(self, network: Network, train: NDArray[np.intp]) -> Self:
        """Learn from the nodes `train`, whose targets the network shows."""
        ...

    def predict(self, network: Network, nodes: NDArray[np.intp]) -> NDArray[np.floating]:
        """Return a number for each of the nodes, shape (len(nodes),)."""
        ...


AnyModel: TypeAlias = Model | Regressor


@runtime_checkable
class BatchModel(Model, Protocol):
    """A model that runs many label sets of one network in one call."""

    def predict_proba_batch(
        self, network: Network, labels: NDArray[np.int32], seeds: Sequence[int]
    ) -> NDArray[np.float32]:
        """Learn and predict for every row of `labels`.

        Parameters
        ----------
        network : Network
            With all labels hidden.
        labels : ndarray of int, shape (n_sets, n_nodes)
            Class codes of the training nodes of each set, -1 elsewhere.
        seeds : sequence of int, length n_sets
            Each set's seed.

        Returns
        -------
        ndarray of float, shape (n_sets, n_nodes, n_classes)
            Class probabilities of every node; those of a training node are its label's.
        """
        ...


@runtime_checkable
class BatchRegressor(Regressor, Protocol):
    """A regressor that runs many sets of targets of one network in one call."""

    def predict_batch(
        self, network: Network, targets: NDArray[np.float64], seeds: Sequence[int]
    ) -> NDArray[np.float64]:
        """Learn and predict for every row of `targets`.

        Parameters
        ----------
        network : Network
            With all targets hidden.
        targets : ndarray of float, shape (n_sets, n_nodes)
            Targets of the training nodes of each set, NaN elsewhere.
        seeds : sequence of int, length n_sets
            Each set's seed.

        Returns
        -------
        ndarray of float, shape (n_sets, n_nodes)
            A number for every node.
        """
        ...


def is_ours(thing: Any) -> bool:
    """Return whether a model runs nothing but our own code.

    Examples
    --------
    >>> from nettrial.models.names import by_name
    >>> from nettrial.models.training_function import TrainingFunction
    >>> is_ours(by_name("wvrn")), is_ours(TrainingFunction(lambda data: None))
    (True, False)
    """
    if isinstance(thing, (list, tuple)):
        return all(map(is_ours, thing))
    if isinstance(thing, dict):
        return all(map(is_ours, thing.values()))
    library = type(thing).__module__.partition(".")[0]
    if library == __name__.partition(".")[0]:
        return is_ours(getattr(thing, "__dict__", {}))
    return library in ("builtins", "numpy") and not callable(thing)
