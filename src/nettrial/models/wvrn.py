"""The weighted-vote relational neighbor classifier."""

from __future__ import annotations

import numpy as np

from .evidence import Evidence
from .relational import RelationalClassifier
from .rule import Kind, Rule


class WVRN(RelationalClassifier):
    """Weighted-vote relational neighbor: the neighbors' classes, averaged by link weight.

        P(y_i = c | N_i) = sum_j w_ij P(y_j = c) / sum_j w_ij

    There is nothing to learn.

    Parameters
    ----------
    inference : RelaxationLabeling, IterativeClassification, GibbsSampling or NoInference
        How the predictions of unlabeled nodes are made to agree; by default relaxation labeling
        with the paper's settings.
    direction : {"both", "out", "in"}
        Which links of a directed network make a neighbor.
    local : scikit-learn classifier, optional
        Learns from the node features what is said of a node at the start. Without it this is
        the class prior of the labeled nodes. A node without neighbors, or from which no
        labeled node can be reached along the links, keeps what was said at the start.

    References
    ----------
    Macskassy and Provost (2007), Classification in networked data, JMLR 8, section 3.3.1.

    Examples
    --------
    >>> from nettrial.network.network import Network
    >>> net = Network([0, 1, 2], [1, 2, 3], n_nodes=4, labels=["a", None, None, "b"])
    >>> WVRN().fit(net, np.array([0, 3])).predict_proba(net, np.array([1])).round(2)
    array([[0.67, 0.33]], dtype=float32)
    """

    def _learn(self, evidence: Evidence) -> Rule:
        return Rule(Kind.VOTE, np.zeros((len(evidence.labels), 0, 0)), evidence.prior)
