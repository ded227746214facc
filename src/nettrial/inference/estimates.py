"""What the errors of one model on a network are like: rate, persistence, spread along links.

These are the parameters of the variance model of Wang et al. 2011 (ECML PKDD, sections 3, 4).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core.results import Result
from ..network.network import Network
from ..study.node_study import NOT_TESTED

QEstimator: TypeAlias = Literal["moment", "mean_of_failing", "mean_of_erring"]
Q_ESTIMATORS: tuple[QEstimator, ...] = ("moment", "mean_of_failing", "mean_of_erring")


@dataclass(frozen=True, slots=True)
class ErrorEstimates(Result):
    """Parameters of one model's errors.

    Attributes
    ----------
    p : float
        Error rate, the mean over splits.
    q : float
        Error rate of the nodes that are prone to err.
    rho : float
        Correlation (phi) of the errors of two linked test nodes, the mean over splits; 0 where
        no split has linked test nodes with both right and wrong predictions among them.
    links : float
        |L|: linked ordered pairs within a test set, the mean over splits.
    n, m : float
        Mean size of a test set; number of labeled nodes.
    effective_n : float
        n / (1 + rho |L| / n): the number of independent nodes that would tell as much.
    rho_splits : int
        Number of splits whose phi is defined.
    """

    p: float
    q: float
    rho: float
    links: float
    n: float
    m: int
    effective_n: float
    rho_splits: int


def estimate_errors(
    network: Network, errors: NDArray[np.int8], *, q: QEstimator = "moment"
) -> ErrorEstimates:
    """Estimate p, q, rho and |L| from a model's error matrix.

    Parameters
    ----------
    network : Network
        Its links define which nodes are linked; direction and weight do not count.
    errors : ndarray of int8, shape (n_splits, n_nodes)
        1 wrong, 0 right, -1 not tested, as `Predictions.errors` gives it.
    q : {"moment", "mean_of_failing", "mean_of_erring"}
        Estimator of q, see `estimate_q`.

    Examples
    --------
    >>> net = Network([0, 2], [1, 3], n_nodes=4, labels=["a", "b", "a", "b"])
    >>> found = estimate_errors(net, np.array([[1, 1, 0, 0]], dtype=np.int8))
    >>> found.p, found.rho, found.links
    (0.5, 1.0, 4.0)
    """
    from ..kernels.link_measures import link_contingency, phi

    tested = errors != NOT_TESTED
    sizes = tested.sum(axis=1)
    rates = (errors == 1).sum(axis=1) / sizes
    indptr, indices, _ = network.neighbors("both")
    pairs = link_contingency(errors, indptr, indices)
    phis = phi(pairs)
    defined = np.isfinite(phis)
    rho = float(phis[defined].mean()) if defined.any() else 0.0
    n = float(sizes.mean())
    links = float(pairs.sum(axis=1).mean())
    inflation = 1 + rho * links / n
    return ErrorEstimates(
        p=float(rates.mean()),
        q=estimate_q(errors, method=q),
        rho=rho,
        links=links,
        n=n,
        m=int(network.labeled.size),
        effective_n=n / inflation if inflation > 0 else float("nan"),
        rho_splits=int(defined.sum()),
    )


def estimate_q(errors: NDArray[np.int8], *, method: QEstimator = "moment") -> float:
    """Estimate the error rate of the nodes that are prone to err.

    Parameters
    ----------
    errors : ndarray of int8, shape (n_splits, n_nodes)
        As for `estimate_errors`.
    method : {"moment", "mean_of_failing", "mean_of_erring"}
        "moment": the covariance of one node's errors in two splits is
        p(1-p)((q-p)/(1-p))^2 in the two-type model, so with the intra-node correlation
        ICC = (P(both err) - p^2) / (p(1-p)), P(both err) = sum x(x-1) / sum c(c-1) for a node
        that errs in x of its c tests, q = p + (1-p) sqrt(max(ICC, 0)). The others are readings
        of the sentence "the average misclassification for each instance across multiple test
        sets" (Wang et al. 2011, section 4) and depend on the number of splits:
        "mean_of_failing" averages the error rate of the nodes that err at least half the time,
        "mean_of_erring" that of the nodes that err at all; both are p where there are none.

    Returns
    -------
    float
        In [p, 1]; p where no node is tested twice.

    Examples
    --------
    >>> always = np.tile(np.array([1, 0, 0, 0], dtype=np.int8), (5, 1))
    >>> estimate_q(always)
    1.0
    """
    return q_of_counts((errors == 1).sum(axis=0), (errors != NOT_TESTED).sum(axis=0), method=method)


def q_of_counts(
    errors: NDArray[Any], tests: NDArray[Any], *, method: QEstimator = "moment"
) -> float:
    """Estimate q, as `estimate_q` does, from each node's numbers of errors and of tests.

    Examples
    --------
    >>> q_of_counts(np.array([5, 0, 0, 0]), np.full(4, 5))
    1.0
    """
    c, x = tests[tests > 0], errors[tests > 0]
    p = float(x.sum() / c.sum())
    if method == "moment":
        pairs = int((c * (c - 1)).sum())
        if pairs == 0 or p in (0.0, 1.0):
            return p
        both = float((x * (x - 1)).sum()) / pairs
        icc = (both - p * p) / (p * (1 - p))
        return min(1.0, p + (1 - p) * float(np.sqrt(max(icc, 0.0))))
    chosen = 2 * x >= c if method == "mean_of_failing" else x > 0
    return max(p, float((x[chosen] / c[chosen]).mean())) if chosen.any() else p


def estimates_table(of: Mapping[str, ErrorEstimates]) -> dict[str, Any]:
    """Arrange the estimates of two models by quantity: what differs by model as {model: value}."""
    first = next(iter(of.values()))
    per_model = ("p", "q", "rho", "effective_n")
    table: dict[str, Any] = {
        name: {model: getattr(found, name) for model, found in of.items()} for name in per_model
    }
    return table | {"links": first.links, "n": first.n, "m": first.m}
