"""The class-distribution relational neighbor classifier."""

from __future__ import annotations

import numpy as np

from .evidence import Evidence
from .link_based import neighbor_counts
from .relational import RelationalClassifier
from .rule import Kind, Rule


class CDRN(RelationalClassifier):
    """Class-distribution relational neighbor: how like each class's usual neighbors.

        P(y_i = c | N_i) ~ cos(v_i, r_c),  v_il = sum_j w_ij P(y_j = l)

    where r_c is the mean of v over the labeled nodes of class c, taken over their labeled
    neighbors. A class whose nodes have no labeled neighbors gets similarity 0. A node that
    resembles no class gets the class prior: one whose shares of the classes have scalar products
    with the unit vectors along r_c that add up to at most 1e-6, which single precision does not
    tell from rounding.

    Parameters
    ----------
    inference, direction, local
        As for `WVRN`.

    References
    ----------
    Macskassy and Provost (2007), Classification in networked data, JMLR 8, section 3.3.2.

    Examples
    --------
    >>> from nettrial.network.network import Network
    >>> net = Network([0, 1, 3, 4], [1, 2, 4, 5], n_nodes=6, labels=list("aaxbbx"))
    >>> CDRN().fit(net, np.array([0, 1, 3, 4])).predict_proba(net, np.array([2]))[0, :2].round(2)
    array([1., 0.], dtype=float32)
    """

    def _learn(self, evidence: Evidence) -> Rule:
        k = evidence.n_classes
        table = np.zeros((len(evidence.labels), k, k))
        for row, labels in enumerate(evidence.labels):
            counts = neighbor_counts(evidence, row)
            for c in range(k):
                table[row, c] = counts[labels == c].sum(axis=0)  # the cosine knows no scale
        length = np.linalg.norm(table, axis=2, keepdims=True)
        table = np.divide(table, length, where=length > 0, out=np.zeros_like(table))
        return Rule(Kind.COSINE, table, evidence.prior)
