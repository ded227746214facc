"""The weighted-vote relational neighbour classifier."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from .evidence import Evidence
from .relational import RelationalClassifier


class WVRN(RelationalClassifier):
    """Weighted-vote relational neighbour: the neighbours' classes, averaged by link weight.

        P(y_i = c | N_i) = sum_j w_ij P(y_j = c) / sum_j w_ij

    There is nothing to learn. A node without neighbours, or from which no labelled node can be
    reached, gets the class prior of the labelled nodes.

    Parameters
    ----------
    inference : RelaxationLabeling, optional
        How the predictions of unlabelled nodes are made to agree.
    direction : {"both", "out", "in"}
        Which links of a directed network make a neighbour.

    References
    ----------
    Macskassy and Provost (2007), Classification in networked data, JMLR 8, section 3.3.1.

    Examples
    --------
    >>> from nettrial.network import Network
    >>> net = Network([0, 1, 2], [1, 2, 3], n_nodes=4, labels=["a", None, None, "b"])
    >>> WVRN().fit(net, np.array([0, 3])).predict_proba(net, np.array([1])).round(2)
    array([[0.67, 0.33]], dtype=float32)
    """

    def _learn(self, evidence: Evidence, row: int) -> None:
        return None

    def _estimate(
        self, matrix: sp.csr_array, proba: NDArray[np.float32], learnt: None
    ) -> NDArray[np.float32]:
        total = np.maximum(matrix.sum(axis=1), np.finfo(float).tiny)
        return np.asarray(matrix @ proba / total[:, None], dtype=np.float32)
