"""Iterative classification, and no collective inference at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..core.errors import ConvergenceWarning, InputError, shown, warn_user
from ..network.node_values import MISSING
from .convergence import Convergence
from .decide import predict_labels
from .evidence import Evidence, clamp
from .rule import Rule


@check_arguments
@dataclass(frozen=True, slots=True)
class IterativeClassification:
    """Iterative classification: one node after the other takes its most probable class.

    In each pass all unlabeled nodes are visited in a random order, and each takes the class
    that its labeled neighbors make most probable (the first class among equals); neighbors
    without a label are ignored until they have got one. With a local classifier all nodes start
    with its most probable class. It ends after a pass without change. The probabilities given
    are those that the final labels of the neighbors make. The random orders are the same for
    all label sets, so that no seed matters.

    Parameters
    ----------
    iterations : int
        Greatest number of passes. A `ConvergenceWarning` tells where labels still change in the
        last one.

    References
    ----------
    Macskassy and Provost (2007), Classification in networked data, JMLR 8, section 3.4.3.

    Examples
    --------
    >>> IterativeClassification()
    IterativeClassification(iterations=1000)
    """

    iterations: int = 1000

    @check_arguments
    def run(
        self, evidence: Evidence, rule: Rule, seeds: Sequence[int]
    ) -> tuple[NDArray[np.float32], Convergence]:
        """Infer all label sets; the visiting orders are fixed, so `seeds` does not matter."""
        if self.iterations < 1:
            raise InputError(
                parameter="iterations",
                expected="an integer >= 1",
                got=shown(self.iterations),
                where="IterativeClassification",
            )
        proba, passes = _pass_over(evidence, rule, self.iterations)
        restless = np.flatnonzero(passes == 0)
        if restless.size:
            still = f"labels still change after {self.iterations} passes"
            warn_user(
                ConvergenceWarning(
                    f"IterativeClassification: in {restless.size} of {passes.size} label sets "
                    f"{still}",
                    f"IterativeClassification: {still}",
                    tuple(restless.tolist()),
                )
            )
        passes[restless] = self.iterations
        return proba, Convergence(passes, np.full(passes.size, np.nan))


@dataclass(frozen=True, slots=True)
class NoInference:
    """No collective inference: one look at the labeled neighbors only.

    A node without labeled neighbors keeps what was said of it at the start, which is the class
    prior of the labeled nodes, or the local classifier's probabilities.

    Examples
    --------
    >>> NoInference()
    NoInference()
    """

    @check_arguments
    def run(
        self, evidence: Evidence, rule: Rule, seeds: Sequence[int]
    ) -> tuple[NDArray[np.float32], Convergence]:
        """Infer all label sets; no random numbers are drawn, so `seeds` does not matter."""
        proba, _ = _pass_over(evidence, rule, 0)
        n_sets = len(proba)
        return proba, Convergence(np.zeros(n_sets, dtype=np.int64), np.full(n_sets, np.nan))


def _pass_over(
    evidence: Evidence, rule: Rule, passes: int
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    from .labeling_blocks import Chains, in_chains

    n_sets, n = evidence.labels.shape
    out = np.empty((n_sets, n, evidence.n_classes), dtype=np.float32)
    settled = np.zeros(n_sets, dtype=np.int64)
    local = evidence.guess.shape[1] > 1 and passes > 0

    def work(chains: Chains, rows: slice) -> None:
        if local:
            first = predict_labels(evidence.guess[rows])
            chains.put(np.where(chains.labels == MISSING, first, MISSING))
        settled[rows] = chains.iterate(passes)
        estimates = chains.estimates()
        for chain, row in enumerate(range(rows.start, rows.stop)):
            out[row] = estimates[:, :, chain]
            clamp(out[row], evidence.labels[row])

    in_chains(evidence, rule, np.arange(n_sets), work)
    return out, settled
