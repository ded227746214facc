"""The phi coefficient of counts, Lemma 1, and its covariance itself."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike


def phi_coefficient(
    both: ArrayLike,
    first_only: ArrayLike,
    second_only: ArrayLike,
    neither: ArrayLike,
    *,
    both_directions: bool = False,
) -> float | np.ndarray:
    """Correlation of two 0/1 variables from their 2x2 table.

    phi = (n11 n00 - n10 n01) / sqrt((n11 + n10)(n01 + n00)(n11 + n01)(n10 + n00)).

    Parameters
    ----------
    both, first_only, second_only, neither : float or array_like
        Counts n11, n10, n01 and n00 of pairs in which both, one or none errs.
    both_directions : bool, default False
        Count every pair a second time with its ends exchanged, as links without direction
        ask for: the margins become equal, and phi may exist where it did not.

    Returns
    -------
    float or ndarray
        NaN where a margin is empty: one of the variables is constant.

    Examples
    --------
    >>> round(phi_coefficient(20, 10, 15, 55), 4)
    0.4346
    >>> round(phi_coefficient(20, 10, 15, 55, both_directions=True), 4)
    0.4302
    """
    n11, n10, n01, n00 = (
        np.asarray(x, dtype=float) for x in (both, first_only, second_only, neither)
    )
    if both_directions:
        n11, n00, n10, n01 = 2 * n11, 2 * n00, n10 + n01, n10 + n01
    roots = [np.sqrt(x) for x in (n11 + n10, n01 + n00, n11 + n01, n10 + n00)]
    # root by root, so that large counts do not overflow
    scale = roots[0] * roots[1] * roots[2] * roots[3]
    phi = (n11 * n00 - n10 * n01) / np.where(scale == 0, np.nan, scale)
    return float(phi) if phi.ndim == 0 else phi


class Lemma1(NamedTuple):
    """For which rho the covariance rho H + diag(sigma^2) is positive definite.

    H = (sigma sigma') o A, with nu its eigenvalues and lambda those of the adjacency A.
    """

    n_edges: int
    # nu_min, nu_max: extreme eigenvalues of H
    nu_min: float
    nu_max: float
    psi_min: float  # smallest variance sigma^2
    # -psi_min / nu_max < rho < -psi_min / nu_min is enough
    sufficient_low: float
    sufficient_high: float
    # -1 / lambda_max < rho < -1 / lambda_min is necessary and enough if all sigma > 0
    exact_low: float
    exact_high: float
    printed_bound: (
        float  # -psi_min / nu_min, which the paper prints with both inequalities reversed
    )
    weyl_bound: np.ndarray  # a lower bound of the smallest eigenvalue of the covariance
    sufficient: np.ndarray  # verdict of the sufficient condition for each rho
    positive_definite: np.ndarray  # and of the exact one


def lemma1(edges: ArrayLike, sigma: ArrayLike, rho: ArrayLike) -> Lemma1:
    """Check whether correlation rho between linked nodes is possible.

    Parameters
    ----------
    edges : array_like of int, shape (e, 2)
        Undirected links between nodes 0 .. n-1; repeated links count once, loops not at all.
    sigma : array_like, shape (n,)
        Standard deviation of each node's error.
    rho : float or array_like
        Correlations to judge.

    Examples
    --------
    >>> verdict = lemma1([[0, 1]], [1.0, 1.0], [0.99, 1.01])
    >>> float(verdict.sufficient_high), verdict.positive_definite.tolist()
    (1.0, [True, False])
    """
    deviations, correlation = np.asarray(sigma, dtype=float), np.asarray(rho, dtype=float)
    adjacency = np.zeros((deviations.size, deviations.size))
    for u, v in np.asarray(edges, dtype=int).reshape(-1, 2):
        if u != v:
            adjacency[u, v] = adjacency[v, u] = 1
    nu = np.linalg.eigvalsh(adjacency * np.outer(deviations, deviations))
    ends = np.linalg.eigvalsh(adjacency)
    psi, linked = float(np.square(deviations).min()), bool(adjacency.any())
    exact = (-1 / ends[-1], -1 / ends[0]) if linked else (-np.inf, np.inf)
    enough = tuple(np.inf * -sign if each == 0 else -psi / each
                   for each, sign in ((nu[-1], 1), (nu[0], -1)))  # fmt: skip
    vary = bool((deviations > 0).all())
    return Lemma1(
        n_edges=int(adjacency.sum()) // 2,
        nu_min=nu[0],
        nu_max=nu[-1],
        psi_min=psi,
        sufficient_low=enough[0],
        sufficient_high=enough[1],
        exact_low=exact[0],
        exact_high=exact[1],
        printed_bound=np.nan if nu[0] == 0 else enough[1],
        weyl_bound=psi + np.where(correlation >= 0, correlation * nu[0], correlation * nu[-1]),
        sufficient=vary & (correlation > enough[0]) & (correlation < enough[1]),
        positive_definite=vary & (correlation > exact[0]) & (correlation < exact[1]),
    )


def smallest_covariance_eigenvalue(edges: ArrayLike, sigma: ArrayLike, rho: float) -> float:
    """Return the smallest eigenvalue of the covariance rho (sigma sigma') o A + diag(sigma^2).

    Parameters
    ----------
    edges, sigma
        As in `lemma1`.
    rho : float
        Correlation between linked nodes.

    Examples
    --------
    >>> round(smallest_covariance_eigenvalue([[0, 1]], [1.0, 1.0], 1.01), 6)
    -0.01
    """
    deviations = np.asarray(sigma, dtype=float)
    covariance = np.diag(deviations**2)
    for u, v in np.asarray(edges, dtype=int).reshape(-1, 2):
        if u != v:
            covariance[u, v] = covariance[v, u] = rho * deviations[u] * deviations[v]
    return float(np.linalg.eigvalsh(covariance)[0])
