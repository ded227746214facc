"""What all relational classifiers share: fitting, predicting, and many label sets in one call."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..network.network import Direction, Network
from ..network.node_values import MISSING
from .convergence import Convergence
from .evidence import Evidence
from .local import local_guess
from .nodes import check_nodes, for_more_nodes
from .relaxation import RelaxationLabeling
from .rule import Rule


class Inference(Protocol):
    """A way of making the predictions of linked nodes agree."""

    def run(
        self, evidence: Evidence, rule: Rule, seeds: Sequence[int]
    ) -> tuple[NDArray[np.float32], Convergence]:
        """Infer all label sets; return probabilities (n_sets, n_nodes, n_classes)."""
        ...


class RelationalClassifier(ABC):
    """A classifier that estimates a node's class from the classes of its neighbors."""

    @check_arguments
    def __init__(
        self,
        *,
        inference: Inference | None = None,
        direction: Direction = "both",
        local: Any = None,
    ) -> None:
        self.inference: Inference = RelaxationLabeling() if inference is None else inference
        self.direction: Direction = direction
        self.local = local
        self.convergence_: Convergence | None = None

    def __repr__(self) -> str:
        options = {"inference": self.inference, "direction": self.direction, "local": self.local}
        shown = ", ".join(f"{key}={value!r}" for key, value in options.items() if value is not None)
        return f"{type(self).__name__}({shown})"

    @abstractmethod
    def _learn(self, evidence: Evidence) -> Rule:
        """Learn what the classifier needs from each label set."""

    @check_arguments
    def fit(self, network: Network, train: NDArray[np.intp], *, seed: int = 0) -> Self:
        """Learn from the labels of the nodes `train`; all other labels stay unseen.

        Parameters
        ----------
        network : Network
        train : ndarray of int
            Node indices.
        seed : int
            Used where the inference draws random numbers.
        """
        check_nodes(type(self).__name__, network, train)
        labels = np.full((1, network.n_nodes), MISSING, dtype=np.int32)
        labels[0, train] = network.labels[train]
        self._labels = labels
        self._seed = int(seed)
        return self

    @check_arguments
    def predict_proba(self, network: Network, nodes: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return class probabilities of `nodes`, inferred together with all other nodes.

        How the inference ended is kept in the attribute ``convergence_``.

        Returns
        -------
        ndarray of float, shape (len(nodes), n_classes)

        Raises
        ------
        InputError
            Before `fit`, or where no training node has a label.
        """
        if not hasattr(self, "_labels"):
            raise InputError(f"{type(self).__name__}: call fit before predict_proba")
        check_nodes(type(self).__name__, network, nodes)
        labels = for_more_nodes(self._labels[0], network)[None]
        proba = self.predict_proba_batch(network, labels, [self._seed])
        return np.asarray(proba[0, nodes])

    @check_arguments
    def predict_proba_batch(
        self, network: Network, labels: NDArray[np.int32], seeds: Sequence[int]
    ) -> NDArray[np.float32]:
        """Learn and predict for every row of `labels`, as `BatchModel` describes."""
        labels = np.asarray(labels)
        evidence = Evidence(network, labels, self.direction, type(self).__name__)
        if self.local is not None:
            evidence.guess = local_guess(self.local, network, labels, seeds)
        proba, self.convergence_ = self._infer(evidence, seeds)
        return proba

    def _infer(
        self, evidence: Evidence, seeds: Sequence[int]
    ) -> tuple[NDArray[np.float32], Convergence]:
        return self.inference.run(evidence, self._learn(evidence), seeds)
