"""The phi coefficient of counts, and the covariance of Lemma 1 itself."""

from __future__ import annotations

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
