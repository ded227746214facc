"""The link-based classifier of Lu and Getoor."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .evidence import Evidence
from .relational import RelationalClassifier
from .rule import NEVER, Kind, Rule, log_prior


class NLB(RelationalClassifier):
    """Network-only link-based classifier: logistic regression on the neighbors' class shares.

        P(y_i = c | N_i) ~ exp(b_c + sum_l a_cl f_il),  f_il = sum_j w_ij P(y_j = l) / sum_j w_ij

    It is learnt by scikit-learn (L2 penalty, C = 1) from the labeled nodes that have labeled
    neighbors, f being taken over those. A class that no such node has gets probability 0; where
    there is no such node at all, every node gets the class prior.

    Parameters
    ----------
    inference, direction, local
        As for `WVRN`.

    References
    ----------
    Lu and Getoor (2003), Link-based classification, ICML; Macskassy and Provost (2007),
    Classification in networked data, JMLR 8, section 3.3.4.

    Examples
    --------
    >>> from nettrial.network.network import Network
    >>> net = Network([0, 1, 3, 4], [1, 2, 4, 5], n_nodes=6, labels=list("aaxbbx"))
    >>> proba = NLB().fit(net, np.array([0, 1, 3, 4])).predict_proba(net, np.array([2, 5]))
    >>> bool(proba[0, 0] > 0.6) and bool(proba[1, 1] > 0.6)
    True
    """

    def _learn(self, evidence: Evidence) -> Rule:
        k = evidence.n_classes
        table = np.zeros((len(evidence.labels), k, k))
        bias = np.full((len(evidence.labels), k), NEVER)
        for row in range(len(evidence.labels)):
            counts = neighbor_counts(evidence, row)
            chosen = np.flatnonzero(counts.sum(axis=1) > 0)
            shares = counts[chosen] / counts[chosen].sum(axis=1, keepdims=True)
            codes = evidence.labels[row][chosen]
            found = np.unique(codes)
            if found.size == 0:
                bias[row] = log_prior(evidence.prior[row])
            elif found.size == 1:
                bias[row, found] = 0
            else:
                table[row, found], bias[row, found] = logistic(shares, codes)
        return Rule(Kind.LOGISTIC, table, bias)


def logistic(
    shares: NDArray[np.float64], codes: NDArray[np.int32]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Fit a logistic regression; one row of coefficients for each class found."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(max_iter=1000, tol=1e-6).fit(shares, codes)
    if len(model.classes_) > 2:
        return model.coef_, model.intercept_
    zero = np.zeros_like(model.coef_)
    return np.concatenate([zero, model.coef_]), np.concatenate([[0.0], model.intercept_])


def neighbor_counts(evidence: Evidence, row: int) -> NDArray[np.float64]:
    """Add up each labeled node's links to labeled nodes by class; zero for other nodes."""
    from ..kernels.counts import count_neighbors

    links = evidence.links
    return np.asarray(
        count_neighbors(
            links.indptr, links.indices, links.weights, evidence.labels[row], evidence.n_classes
        )
    )
