"""What each cluster contributes to several means at once, and how the means vary together."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np
from numpy.typing import ArrayLike

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..numeric.centering import from_origin
from ..numeric.checks import to_floats
from ..numeric.input_alignment import along_columns, refuse_other_index
from ..numeric.magnitude import refuse_huge, refuse_tiny
from ..numeric.rounding import ROUNDING, settled
from ._clusters import LEAST_EFFECTIVE, Floats, group


@dataclass(frozen=True, slots=True)
class Contributions:
    """Estimates and the part that each cluster has in their deviation.

    Attributes
    ----------
    estimate : ndarray, shape (n_contrasts,)
        The weighted means.
    influence : ndarray, shape (n_clusters, n_contrasts)
        Weighted sum of a cluster's residuals over the total weight; columns sum to 0.
    scale : ndarray, shape (n_contrasts,)
        Largest absolute value that went in, against which rounding is judged.
    effective_clusters : float
        (ΣW)²/ΣW² over the clusters' weights in all rows together.
    notes : tuple of str
        Where few or uneven clusters weaken what rests on them.
    """

    estimate: Floats
    influence: Floats
    scale: Floats
    effective_clusters: float
    notes: tuple[str, ...] = ()

    @property
    def covariance(self) -> Floats:
        """Return G/(G-1) times the sum of products of influences (CR1), exact zeros kept.

        NaN for one cluster, and where all are worth fewer than 1.5 equal ones.
        """
        clusters = len(self.influence)
        if clusters < 2 or self.effective_clusters < LEAST_EFFECTIVE:
            return np.full((self.estimate.size,) * 2, np.nan)
        steady = np.sqrt((self.influence**2).sum(axis=0)) <= ROUNDING * self.scale
        parts = np.where(steady, 0.0, self.influence)
        return np.asarray(clusters / (clusters - 1) * parts.T @ parts)

    @property
    def df(self) -> Floats:
        """Return the effective degrees of freedom of each contrast, (Σu²)²/Σu⁴, at most G - 1."""
        largest = np.abs(self.influence).max(axis=0, initial=0.0)
        u = self.influence / np.where(largest > 0, largest, 1.0)
        with np.errstate(invalid="ignore"):
            effective = (u**2).sum(axis=0) ** 2 / (u**4).sum(axis=0)
        return np.asarray(np.minimum(effective, max(len(u) - 1.0, 1.0)))

    @property
    def common_df(self) -> float:
        """Return one number of degrees of freedom for all contrasts together.

        The geometric mean, over the contrasts that vary, of `df` and of one less than the
        number of equal clusters that would weigh as these do. The first is too small on average
        (its fourth powers follow the largest sums by chance), the second too large (few clusters
        carry most of the variance).
        """
        own = self.df[np.sqrt((self.influence**2).sum(axis=0)) > ROUNDING * self.scale]
        if own.size == 0:
            return float("nan")
        sizes = max(self.effective_clusters - 1.0, 1.0)
        return float(np.sqrt(sizes) * np.exp(np.log(own).mean() / 2))

    @check_arguments
    def contrast(self, matrix: ArrayLike) -> Contributions:
        """Return the contributions to linear combinations, rows of `matrix`."""
        rows = to_floats("matrix", matrix)
        if rows.ndim != 2 or rows.shape[1] != len(self.estimate):
            raise InputError(
                parameter="matrix",
                expected=f"rows of {len(self.estimate)} numbers, one for each mean",
                got=f"the shape {rows.shape}",
            )
        return replace(
            self,
            estimate=rows @ self.estimate,
            influence=self.influence @ rows.T,
            scale=np.abs(rows) @ self.scale,
        )


@check_arguments
def cluster_contributions(
    values: ArrayLike,
    clusters: ArrayLike | Iterable[Hashable],
    *,
    weights: ArrayLike | None = None,
) -> Contributions:
    r"""Split the deviation of several weighted means into the parts of the clusters.

    When to use it: to compare many means over the same dependent observations at once (all pairs
    of models, several proportions of labels), as input of `max_t_comparisons`. It assumes that
    clusters are independent of each other. It does *not* see dependence between clusters.

    Parameters
    ----------
    values : array_like, shape (n_contrasts, n)
        One row per mean; observations where a row has weight 0 may hold anything finite.
    clusters : sequence of n hashable labels
        The cluster of each observation.
    weights : array_like, shape (n,) or (n_contrasts, n), optional
        Weights of 0 or more; each row needs a positive one.

    Returns
    -------
    Contributions
        With :math:`\bar y_j` the weighted means and :math:`W_j` the sums of weights, the
        influence of cluster g is
        :math:`u_{gj} = \sum_{i \in g} w_{ij} (y_{ij} - \bar y_j) / W_j`.

    Raises
    ------
    InputError
        For values that are not finite, weights that are negative or all zero, or lengths that
        do not match.

    References
    ----------
    Liang and Zeger (1986), Biometrika 73, 13-22.

    Examples
    --------
    >>> found = cluster_contributions([[0, 1, 1, 0, 0, 1, 0]], list("aaabbbb"))
    >>> found.estimate.round(4).tolist(), (found.covariance**0.5).round(4).tolist()
    ([0.4286], [[0.2041]])
    """
    # the observations are the columns
    across = {"columns of values": along_columns(values), "weights": along_columns(weights)}
    refuse_other_index(**across, clusters=clusters)
    y = to_floats("values", values)
    if y.ndim != 2 or 0 in y.shape:
        raise InputError(parameter="values", expected="shape (n_contrasts, n)", got=f"{y.shape}")
    if not np.isfinite(y).all():
        raise InputError(
            parameter="values",
            expected="finite ones",
            got="NaN or infinite ones",
            hint="remove these observations first",
        )
    refuse_huge("values", y)
    grouped = group(clusters, y.shape[1])
    w = np.ones(y.shape) if weights is None else to_floats("weights", weights, exact=False)
    if w.shape not in (y.shape, y.shape[1:]):
        raise InputError(
            parameter="weights", expected=f"shape {y.shape[1:]} or {y.shape}", got=f"{w.shape}"
        )
    refuse_huge("weights", w)
    w = np.broadcast_to(w, y.shape)
    total = w.sum(axis=1)
    wrong = ~(np.isfinite(w) & (w >= 0))
    if wrong.any() or not (total > 0).all():
        raise InputError(
            parameter="weights",
            expected="0 and more, with a positive one in every row",
            got=f"{f'{w[wrong][0]:g}' if wrong.any() else 'a row of zeros'}",
            hint="leave out rows that do not count",
        )
    refuse_tiny("weights", w.max(axis=1))
    origin, (less,) = from_origin(y)
    mean = (w * less).sum(axis=1) / total
    influence = grouped.sums(w * (less - mean[:, None])) / total[:, None]
    largest = np.where(w > 0, np.abs(y), 0.0).max(axis=1)
    weight = grouped.sums(w).sum(axis=0)
    used = weight > 0  # a cluster without weight must not count in G
    kept = replace(grouped, names=tuple(compress(grouped.names, used)), totals=weight[used])
    notes = kept.notes() if kept.number > 1 else ()  # without any spread there is no test to weaken
    influence = settled(influence, ROUNDING * largest[:, None])
    return Contributions(origin[:, 0] + mean, influence.T[used], largest, kept.effective, notes)
