"""Whether a correlation rho along links gives a covariance matrix at all (Lemma 1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from ..core.errors import ConvergenceWarning, InputError, shown, warn_user
from ..core.results import Result
from ..kernels.threads import one_blas_thread
from ..numeric.checks import to_floats
from ._arrays import to_python

# dense eigenvalues below this size, Lanczos iterations above
LARGEST_DENSE = 500


@dataclass(frozen=True, slots=True)
class Lemma1(Result):
    """For which rho the covariance rho H + diag(sigma^2) is positive definite.

    H = (sigma sigma') o A, with nu its eigenvalues and lambda those of the adjacency A.
    """

    # n_nodes, n_edges: size of the network
    n_nodes: int
    n_edges: int
    # nu_min, nu_max: extreme eigenvalues of H
    nu_min: float
    nu_max: float
    psi_min: float  # smallest variance sigma^2
    # sufficient_low, sufficient_high: -psi_min / nu_max < rho < -psi_min / nu_min is enough
    sufficient_low: float
    sufficient_high: float
    # exact_low, exact_high: -1 / lambda_max < rho < -1 / lambda_min is necessary and enough if all
    # sigma > 0
    exact_low: float
    exact_high: float
    # -psi_min / nu_min, which the paper prints with both inequalities reversed
    printed_bound: float
    some_sigma_zero: bool  # then no rho gives a positive definite matrix
    rho: float | NDArray[np.float64]  # as given
    # a lower bound of the smallest eigenvalue of the covariance
    weyl_bound: float | NDArray[np.float64]
    # sufficient, positive_definite: verdicts of the sufficient and of the exact condition
    sufficient: bool | NDArray[np.bool_]
    positive_definite: bool | NDArray[np.bool_]


def lemma1(edges: ArrayLike, sigma: ArrayLike, rho: ArrayLike) -> Lemma1:
    """Check whether correlation rho between linked nodes is possible.

    The verdict is reported and never a reason to refuse: the correction of the variance was
    seen to work outside the bounds too.

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
    >>> verdict.sufficient_high, verdict.positive_definite.tolist()
    (1.0, [True, False])
    """
    adjacency, deviations = _adjacency(edges, sigma)
    correlation = to_floats("rho", rho)
    if not np.isfinite(correlation).all():
        raise InputError(parameter="rho", expected="finite numbers", got=shown(rho))
    scale = sparse.diags_array(deviations)
    nu_min, nu_max = extreme_eigenvalues(scale @ adjacency @ scale)
    lambda_min, lambda_max = extreme_eigenvalues(adjacency)
    psi = float(np.square(deviations).min())
    zero = bool((deviations == 0).any())
    empty = adjacency.nnz == 0
    low, high = (-np.inf, np.inf) if empty else (-1 / lambda_max, -1 / lambda_min)
    s_low, s_high = _ratio(psi, nu_max, -1), _ratio(psi, -nu_min, 1)
    weyl = psi + np.where(correlation >= 0, correlation * nu_min, correlation * nu_max)
    inside = (correlation > s_low) & (correlation < s_high)
    definite = (correlation > low) & (correlation < high)
    definite = definite & (not zero)

    return Lemma1(
        n_nodes=len(deviations),
        n_edges=adjacency.nnz // 2,
        nu_min=nu_min,
        nu_max=nu_max,
        psi_min=psi,
        sufficient_low=s_low,
        sufficient_high=s_high,
        exact_low=low,
        exact_high=high,
        printed_bound=np.nan if nu_min == 0 else s_high,
        some_sigma_zero=zero,
        rho=to_python(correlation),
        weyl_bound=to_python(weyl),
        sufficient=to_python(inside & (not zero)),
        positive_definite=to_python(definite),
    )


def extreme_eigenvalues(matrix: Any) -> tuple[float, float]:
    """Return the smallest and largest eigenvalue of a sparse symmetric matrix.

    Dense for up to 500 nodes; above, Lanczos iterations from a fixed start, to a relative
    residual of 1e-6. Where those do not settle (spectra as dense as a long ring's), the bound
    by the largest row sum (Gershgorin) takes the eigenvalue's place and a ConvergenceWarning
    says so; verdicts from it are on the safe side.

    Examples
    --------
    >>> from scipy import sparse
    >>> low, high = extreme_eigenvalues(sparse.csr_array([[0.0, 1.0], [1.0, 0.0]]))
    >>> round(low, 12), round(high, 12)
    (-1.0, 1.0)
    """
    n = matrix.shape[0]
    if matrix.nnz == 0:
        return 0.0, 0.0
    if n <= LARGEST_DENSE:
        with one_blas_thread():
            values = np.linalg.eigvalsh(matrix.toarray())
        return float(values[0]), float(values[-1])
    rows = matrix.tocsr()
    return _lanczos(rows, "SA"), _lanczos(rows, "LA")


def ritz_ends(matrix: Any, *, steps: int = 60) -> tuple[float, float]:
    """Return the extreme eigenvalues of a sparse symmetric matrix, from within and in bounded time.

    Dense for up to 500 nodes; above, `steps` Lanczos iterations from a fixed start, whose
    extreme Ritz values never lie outside the spectrum: the true ends are there or further
    out. So a correlation that these ends forbid is forbidden, and one that they allow is
    allowed as far as the iterations reach (usually to several digits).

    Examples
    --------
    >>> from scipy import sparse
    >>> ring = sparse.diags_array([np.ones(999)] * 2, offsets=[-1, 1], shape=(1000, 1000))
    >>> low, high = ritz_ends(ring.tocsr())
    >>> -2 < low < -1.99, 1.99 < high < 2
    (True, True)
    """
    n = matrix.shape[0]
    if n <= LARGEST_DENSE or matrix.nnz == 0:
        return extreme_eigenvalues(matrix)
    with one_blas_thread():
        return _ritz_ends(matrix, steps)


def _ritz_ends(matrix: Any, steps: int) -> tuple[float, float]:
    from scipy.linalg import eigh_tridiagonal  # slow to import

    n = matrix.shape[0]
    before = np.zeros(n)
    vector = np.random.default_rng(0).normal(size=n)
    vector /= np.linalg.norm(vector)
    diagonal, beside = [], [0.0]
    for _ in range(steps):
        image = matrix @ vector - beside[-1] * before
        diagonal.append(float(vector @ image))
        image -= diagonal[-1] * vector
        beside.append(float(np.linalg.norm(image)))
        if beside[-1] < 1e-12:
            break
        before, vector = vector, image / beside[-1]
    ritz = eigh_tridiagonal(diagonal, beside[1 : len(diagonal)], eigvals_only=True)
    return float(ritz[0]), float(ritz[-1])


def _lanczos(matrix: Any, which: str) -> float:
    from scipy.sparse import linalg  # slow to import

    start = np.random.default_rng(0).normal(size=matrix.shape[0])
    try:
        values = linalg.eigsh(
            matrix, k=1, which=which, v0=start, tol=1e-6, maxiter=20, return_eigenvectors=False
        )
        return float(values[0])
    except linalg.ArpackNoConvergence:
        warn_user(
            ConvergenceWarning(
                "an extreme eigenvalue did not settle and was replaced by a bound on it"
            )
        )
        center = matrix.diagonal()
        radius = abs(matrix).sum(axis=1) - abs(center)
        return float((center - radius).min() if which == "SA" else (center + radius).max())


def _ratio(psi: float, nu: float, sign: int) -> float:
    """sign psi / nu, infinite without links (nu = 0)."""
    return sign * (np.inf if nu == 0 else psi / nu)


def _adjacency(edges: ArrayLike, sigma: ArrayLike) -> tuple[Any, NDArray[np.float64]]:
    deviations = to_floats("sigma", sigma)
    if deviations.ndim != 1 or not len(deviations) or not (deviations >= 0).all():
        raise InputError(
            parameter="sigma",
            expected="one number of at least 0 a node",
            got=f"shape {deviations.shape}",
        )
    ends = to_floats("edges", edges)
    ends = ends.reshape(0, 2).astype(np.int64) if ends.size == 0 else ends
    n = len(deviations)
    if ends.ndim != 2 or ends.shape[1] != 2 or not (ends == np.floor(ends)).all():
        raise InputError(
            parameter="edges", expected="whole numbers of shape (e, 2)", got=f"shape {ends.shape}"
        )
    if len(ends) and (ends.min() < 0 or ends.max() >= n):
        raise InputError(
            parameter="edges", expected=f"nodes below {n}, the length of sigma", got="others"
        )
    ends = ends.astype(np.int64)
    ends = ends[ends[:, 0] != ends[:, 1]]
    rows, columns = np.concatenate([ends, ends[:, ::-1]]).T
    matrix = sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=(n, n))
    matrix.data[:] = 1.0  # repeated links were added up
    return matrix, deviations
