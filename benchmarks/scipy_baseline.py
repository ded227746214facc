"""The frozen baseline: relaxation labeling of many splits with scipy, in float64.

It is the plain block form: one column for each split and class, one sparse product for all, then
the step of the method (normalization, residual, mixing, clamping) in numpy. It is never tuned, so
that ratios against it stay comparable from release to release. `OneColumn` is the leaner form for
two classes, with one column per split and no residual.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from nettrial.models.evidence import Evidence


class Votes:
    """wvRN: the columns of P are (split, class)."""

    def __init__(self, evidence: Evidence, n_splits: int) -> None:
        labels = evidence.labels[:n_splits]
        self.shape = (labels.shape[1], n_splits, evidence.n_classes)
        self.matrix: sp.csr_array = evidence.network.adjacency(evidence.direction)
        self.total = np.maximum(self.matrix.sum(axis=1), 1e-300)[:, None]
        self.fixed = ((labels >= 0) | evidence.lost[:n_splits]).T
        self.prior = evidence.prior[:n_splits]
        shown = np.eye(evidence.n_classes)[labels.T]
        self.proba = np.where((labels >= 0).T[:, :, None], shown, self.prior)
        self.residual = np.inf

    def estimate(self) -> np.ndarray:
        return ((self.matrix @ self.proba.reshape(self.shape[0], -1)) / self.total).reshape(
            self.shape
        )

    def step(self, beta: float) -> None:
        estimate = self.estimate()
        estimate /= estimate.sum(axis=2, keepdims=True) + 1e-300
        change = np.where(self.fixed[:, :, None], 0.0, estimate - self.proba)
        self.residual = np.abs(change).max()
        self.proba = self.proba + beta * change


class Bayes(Votes):
    """nBC in log space."""

    def __init__(self, evidence: Evidence, n_splits: int, tables: np.ndarray) -> None:
        super().__init__(evidence, n_splits)
        self.tables = tables[:n_splits]

    def estimate(self) -> np.ndarray:
        factors = np.log(np.einsum("nsl,scl->nsc", self.proba, self.tables))
        score = (self.matrix @ factors.reshape(self.shape[0], -1)).reshape(self.shape)
        score += np.log(self.prior)
        return np.exp(score - score.max(axis=2, keepdims=True))


class OneColumn:
    """wvRN for two classes with the first class's probability only."""

    def __init__(self, full: Votes) -> None:
        self.full = full
        self.proba = np.ascontiguousarray(full.proba[:, :, 0])

    def step(self, beta: float) -> None:
        vote = (self.full.matrix @ self.proba) / self.full.total
        mixed = beta * vote + (1 - beta) * self.proba
        self.proba = np.where(self.full.fixed, self.proba, mixed)
