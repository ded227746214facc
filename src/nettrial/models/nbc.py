"""The network-only Bayes classifier."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..errors import InputError
from ..network import Direction
from ..network_parts import MISSING
from .evidence import Evidence
from .inference import RelaxationLabeling
from .relational import RelationalClassifier


class BayesTable(NamedTuple):
    prior: NDArray[np.float64]  # (n_classes,)
    table: NDArray[np.float64]  # table[c, l] = P(neighbour has class l | own class c)


class NBC(RelationalClassifier):
    """Network-only Bayes classifier: multinomial naive Bayes on the neighbours' classes.

        P(y_i = c | N_i) ~ P(c) prod_j [ sum_l P(y_j = l) P(l | c) ]^w_ij
        P(l | c) = (n_cl + smoothing) / (sum_k n_ck + smoothing n_classes)

    where n_cl is the weight of the links from labelled nodes of class c to labelled nodes of
    class l. An uncertain neighbour enters through its expectation. A node without neighbours,
    or from which no labelled node can be reached, gets the class prior of the labelled nodes.

    Parameters
    ----------
    smoothing : float
        Laplace smoothing of the class table, at least 0. Without smoothing, a class that no
        evidence allows gets probability 0, and a node that no class allows gets the prior.
    inference : RelaxationLabeling, optional
        How the predictions of unlabelled nodes are made to agree.
    direction : {"both", "out", "in"}
        Which links of a directed network make a neighbour.

    References
    ----------
    Chakrabarti, Dom and Indyk (1998), SIGMOD; Macskassy and Provost (2007), JMLR 8, section
    3.3.3.

    Examples
    --------
    >>> from nettrial.network import Network
    >>> net = Network([0, 1, 2], [1, 2, 3], n_nodes=4, labels=["a", "a", None, "b"])
    >>> NBC().fit(net, np.array([0, 1, 3])).predict_proba(net, np.array([2])).round(2)
    array([[0.6, 0.4]], dtype=float32)
    """

    def __init__(
        self,
        *,
        smoothing: float = 1.0,
        inference: RelaxationLabeling | None = None,
        direction: Direction = "both",
    ) -> None:
        super().__init__(inference=inference, direction=direction)
        self.smoothing = smoothing

    def _learn(self, evidence: Evidence, row: int) -> BayesTable:
        if not (np.isfinite(self.smoothing) and self.smoothing >= 0):
            raise InputError(f"NBC: smoothing={self.smoothing!r}, allowed are numbers >= 0")
        counts = class_links(evidence, row) + self.smoothing
        total = counts.sum(axis=1, keepdims=True)
        table = np.divide(counts, total, where=total > 0, out=np.full_like(counts, 1 / len(counts)))
        return BayesTable(evidence.prior[row], table)

    def _estimate(
        self, matrix: sp.csr_array, proba: NDArray[np.float32], learnt: BayesTable
    ) -> NDArray[np.float32]:
        with np.errstate(divide="ignore", invalid="ignore"):
            factors = np.log(proba.astype(float) @ learnt.table.T)
            impossible = np.isneginf(factors)
            factors[impossible] = 0.0
            score = np.log(learnt.prior) + matrix @ factors
            if impossible.any():
                score[(matrix @ impossible.astype(float)) > 0] = -np.inf
            score -= score.max(axis=1, keepdims=True)
            odds = np.exp(score)
        odds[np.isnan(odds).any(axis=1)] = learnt.prior
        return np.asarray(odds / odds.sum(axis=1, keepdims=True), dtype=np.float32)


def class_links(evidence: Evidence, row: int) -> NDArray[np.float64]:
    """Add up the links between labelled nodes by the classes of their ends.

    Returns
    -------
    ndarray of float, shape (n_classes, n_classes)
        Entry (c, l) is the weight of the links from class c to class l.
    """
    indptr, indices, weights = evidence.links
    labels, k = evidence.labels[row], evidence.n_classes
    source = np.repeat(labels, np.diff(indptr))
    target = labels[indices]
    both = (source != MISSING) & (target != MISSING)
    pairs = source[both].astype(np.int64) * k + target[both]
    chosen = None if weights is None else weights[both]
    return np.bincount(pairs, weights=chosen, minlength=k * k).reshape(k, k).astype(float)
