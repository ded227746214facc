"""The network-only Bayes classifier."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown, unknown_choice
from ..network.link_arrays import Neighbors
from ..network.network import Direction
from ..network.node_values import MISSING
from .evidence import Evidence
from .relational import Inference, RelationalClassifier
from .rule import LEAST, Kind, Rule

Counts: TypeAlias = Literal["paper", "netkit"]
LARGEST_TABLES = 2**31  # bytes; several copies are needed


class NBC(RelationalClassifier):
    """Network-only Bayes classifier: multinomial naive Bayes on the neighbors' classes.

        P(y_i = c | N_i) ~ P(c) prod_j [ sum_l P(y_j = l) P(l | c) ]^w_ij
        P(l | c) = (n_cl + smoothing) / (sum_k n_ck + smoothing n_classes)

    where n_cl is the weight of the links from labeled nodes of class c to labeled nodes of
    class l, and P(c) the share of class c among the labeled nodes. An uncertain neighbor enters
    through its expectation. Entries of the table count as 1e-6 at least.

    Parameters
    ----------
    smoothing : float
        Laplace smoothing of the class table, at least 0. Without smoothing, a class that was
        seen without labeled neighbors has the same probability for all of theirs.
    counts : {"paper", "netkit"}
        ``"netkit"`` learns as the program NetKit-SRL 1.4 does: the counts are divided by their
        sum over c, which gives P(c | l) in the place of P(l | c), and the prior is smoothed too.
        (NetKit takes the power w_ij of the table inside the expectation, and counts an uncertain
        neighbor's probabilities as 1e-6 at least; that is not followed.)
    inference, direction, local
        As for `WVRN`.

    References
    ----------
    Chakrabarti, Dom and Indyk (1998), SIGMOD; Macskassy and Provost (2007), Classification in
    networked data, JMLR 8, section 3.3.3.

    Examples
    --------
    >>> from nettrial.network.network import Network
    >>> net = Network([0, 1, 2], [1, 2, 3], n_nodes=4, labels=["a", "a", None, "b"])
    >>> NBC().fit(net, np.array([0, 1, 3])).predict_proba(net, np.array([2])).round(2)
    array([[0.6, 0.4]], dtype=float32)
    """

    @check_arguments
    def __init__(
        self,
        *,
        smoothing: float = 1.0,
        counts: Counts = "paper",
        inference: Inference | None = None,
        direction: Direction = "both",
        local: Any = None,
    ) -> None:
        super().__init__(inference=inference, direction=direction, local=local)
        self.smoothing = smoothing
        self.counts: Counts = counts

    def _learn(self, evidence: Evidence) -> Rule:
        if not (np.isfinite(self.smoothing) and self.smoothing >= 0):
            raise InputError(
                parameter="smoothing",
                expected="a number >= 0",
                got=shown(self.smoothing),
                where="NBC",
            )
        if self.counts not in ("paper", "netkit"):
            raise unknown_choice("counts", self.counts, ("paper", "netkit"))
        k = evidence.n_classes
        n_sets = len(evidence.labels)
        size = 8 * n_sets * k**2
        if size > LARGEST_TABLES:
            raise InputError(
                f"NBC: {k} classes make class tables of {size / 2**30:.0f} GB for {n_sets} splits "
                "at a time; merge rare classes, or use wvRN"
            )
        links, order = evidence.ordered_links, evidence.order
        codes = (row if order is None else row[order] for row in evidence.labels)
        found = np.array([class_links(links, row, k) for row in codes])
        found = found.reshape(-1, k, k) + self.smoothing
        axis = 2 if self.counts == "paper" else 1
        total = found.sum(axis=axis, keepdims=True)
        table = np.divide(found, total, where=total > 0, out=np.full_like(found, 1 / k))
        prior = evidence.prior
        if self.counts == "netkit":
            n = (evidence.labels != MISSING).sum(axis=1, keepdims=True)
            prior = (prior * n + self.smoothing) / (n + k * self.smoothing)
        return Rule(Kind.BAYES, np.maximum(table, LEAST), prior)


def class_links(links: Neighbors, labels: NDArray[np.int32], n_classes: int) -> NDArray[np.float64]:
    """Add up the links between labeled nodes by the classes of their ends.

    Returns
    -------
    ndarray of float, shape (n_classes, n_classes)
        Entry (c, l) is the weight of the links from class c to class l.
    """
    from ..kernels.counts import count_classes

    weights = links.weights
    return np.asarray(count_classes(links.indptr, links.indices, weights, labels, n_classes))
