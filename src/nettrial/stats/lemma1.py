"""Extreme eigenvalues of the links, which bound the correlation along them (Lemma 1)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernels.threads import one_blas_thread

# dense eigenvalues up to this size, Lanczos iterations above
LARGEST_DENSE = 500


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
    if matrix.nnz == 0:
        return 0.0, 0.0
    with one_blas_thread():
        if matrix.shape[0] > LARGEST_DENSE:
            return _ritz_ends(matrix, steps)
        values = np.linalg.eigvalsh(matrix.toarray())
    return float(values[0]), float(values[-1])


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
