"""The baseline that knows the class shares only."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .convergence import Convergence
from .evidence import Evidence, clamp
from .relational import RelationalClassifier
from .rule import Kind, Rule


class Prior(RelationalClassifier):
    """Every node gets the class shares of the labeled nodes; links are not looked at.

    With `local` it is the local classifier alone. There is nothing to infer.

    Examples
    --------
    >>> from nettrial.network.network import Network
    >>> net = Network([0], [1], n_nodes=3, labels=["a", "b", None])
    >>> Prior().fit(net, np.array([0, 1])).predict_proba(net, np.array([2]))
    array([[0.5, 0.5]], dtype=float32)
    """

    def _learn(self, evidence: Evidence) -> Rule:
        return Rule(Kind.VOTE, np.zeros((len(evidence.labels), 0, 0)), evidence.prior)

    def _infer(
        self, evidence: Evidence, seeds: Sequence[int]
    ) -> tuple[NDArray[np.float32], Convergence]:
        n_sets, n = evidence.labels.shape
        out = np.empty((n_sets, n, evidence.n_classes), dtype=np.float32)
        for proba, guess, labels in zip(out, evidence.guess, evidence.labels):
            proba[:] = guess
            clamp(proba, labels)
        return out, Convergence(np.zeros(n_sets, dtype=np.int64), np.zeros(n_sets))
