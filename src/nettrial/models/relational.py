"""What all relational classifiers share: fitting, predicting, and many label sets in one call."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..errors import InputError
from ..network import Direction, Network
from ..network_parts import MISSING
from .evidence import Evidence, gather_evidence, start
from .inference import Convergence, RelaxationLabeling


class RelationalClassifier(ABC):
    """A classifier that estimates a node's class from the classes of its neighbours."""

    def __init__(
        self, *, inference: RelaxationLabeling | None = None, direction: Direction = "both"
    ) -> None:
        self.inference = RelaxationLabeling() if inference is None else inference
        self.direction: Direction = direction
        self.convergence_: Convergence | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}(inference={self.inference!r}, direction={self.direction!r})"

    @abstractmethod
    def _learn(self, evidence: Evidence, row: int) -> Any:
        """Learn what the classifier needs from one label set."""

    @abstractmethod
    def _estimate(
        self, matrix: sp.csr_array, proba: NDArray[np.float32], learnt: Any
    ) -> NDArray[np.float32]:
        """Apply the classifier to all nodes: F(P)."""

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
        labels = np.full((1, network.n_nodes), MISSING, dtype=np.int32)
        labels[0, train] = network.labels[train]
        self._labels = labels
        self._seed = int(seed)
        return self

    def predict_proba(self, network: Network, nodes: NDArray[np.intp]) -> NDArray[np.float32]:
        """Give class probabilities of `nodes`, inferred together with all other nodes.

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
        proba = self.predict_proba_batch(network, self._labels, [self._seed])
        return np.asarray(proba[0, nodes])

    def predict_proba_batch(
        self, network: Network, labels: NDArray[np.int32], seeds: Sequence[int]
    ) -> NDArray[np.float32]:
        """Learn and predict for every row of `labels`, as `BatchModel` describes."""
        evidence = gather_evidence(network, labels, self.direction, type(self).__name__)
        matrix = network.adjacency(self.direction)
        out = np.empty((len(labels), network.n_nodes, network.n_classes), dtype=np.float32)
        iterations = np.zeros(len(labels), dtype=np.int64)
        residual = np.zeros(len(labels))
        for row in range(len(labels)):
            learnt = self._learn(evidence, row)  # nothing here draws random numbers: seeds unused
            out[row], iterations[row], residual[row] = self._relax(matrix, evidence, row, learnt)
        self.convergence_ = Convergence(iterations, residual)
        return out

    def _relax(
        self, matrix: sp.csr_array, evidence: Evidence, row: int, learnt: Any
    ) -> tuple[NDArray[np.float32], int, float]:
        proba = start(evidence, row)
        free = ~evidence.fixed[row]
        residual = 0.0
        sweep = 0
        for sweep, beta in enumerate(self.inference.weights()):
            step = (self._estimate(matrix, proba, learnt) - proba)[free]
            residual = float(np.abs(step).max(initial=0.0))
            if self.inference.tolerance is not None and residual < self.inference.tolerance:
                return proba, sweep, residual
            proba[free] += np.float32(beta) * step
        return proba, sweep + 1, residual
