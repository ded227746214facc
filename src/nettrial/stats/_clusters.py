"""Observations grouped in clusters: numbering, sums by cluster, how even the clusters are."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.errors import InputError
from ..core.option_names import option, written
from ..numeric.checks import axis_of, has_masked, is_missing, to_floats
from ..numeric.magnitude import refuse_huge, refuse_tiny, without_unit
from ..numeric.rounding import ROUNDING, scale, settled

Floats = NDArray[np.float64]

ONE_CLUSTER = (
    "degenerate: one cluster, or one that holds nearly all weight, has no spread between clusters, "
    "which takes at least two that count"
)
# with fewer equal clusters than this to be worth, residuals of the giant one are so small that t
# rejects a true null hypothesis in 20 to 90% of cases
LEAST_EFFECTIVE = 1.5
# Bell and McCaffrey's adjustment and df make up for that, until digits get lost
LEAST_ADJUSTED = 1.001
FEW = 10
GIANT = 0.5


@dataclass(frozen=True, slots=True)
class Clusters:
    """Clusters in order of first appearance, with weights of observations."""

    names: tuple[Any, ...]
    sizes: NDArray[np.int64]
    weights: Floats
    """Weight of each observation."""
    totals: Floats
    """Weight of each cluster."""
    _order: NDArray[np.intp]
    _starts: NDArray[np.intp]

    @property
    def number(self) -> int:
        """How many clusters there are."""
        return len(self.names)

    @property
    def effective(self) -> float:
        """Return (Σn)²/Σn² over cluster weights: how many equal clusters they are worth."""
        return float(self.totals.sum() ** 2 / (self.totals @ self.totals))

    @property
    def shares(self) -> Floats:
        """Return each cluster's share of all weight."""
        return np.asarray(self.totals / self.totals.sum())

    def sums(self, values: Floats) -> Floats:
        """Sum `values` over each cluster along the last axis."""
        return np.asarray(np.add.reduceat(values[..., self._order], self._starts, axis=-1))

    def notes(self) -> tuple[str, ...]:
        """Return notes where few or uneven clusters weaken every cluster-robust test."""
        found = []
        if self.number < FEW:
            found.append(
                f"only {self.number:,} clusters: the standard error is uncertain and tends to be "
                "too small; compare on more networks"
            )
        elif self.effective < FEW:
            found.append(
                f"by what is tested in them, the {self.number:,} clusters have an "
                f"effective number of only {self.effective:.1f}: the standard error is uncertain "
                "and tends to be too small; compare on more networks"
            )
        largest = int(self.shares.argmax())
        if self.shares[largest] > GIANT:
            found.append(
                f"one giant cluster ({written(self.names[largest])}) holds "
                f"{self.shares[largest]:.0%} of the weight: the effective number of clusters is "
                f"{self.effective:.1f}; split it further if it is not one unit, or use "
                f"sign_flip_test, or {option('correction', 'CR2')} with "
                f"{option('df', 'satterthwaite')}"
            )
        return tuple(found)


def cluster_codes(
    clusters: ArrayLike | Iterable[Hashable], what: str = "clusters"
) -> tuple[list[Any], NDArray[np.intp]]:
    """Return the names of the clusters in order of appearance, and each label's place there."""
    if has_masked(clusters):
        raise InputError(
            parameter=what, expected="a label for each", got="masked ones", hint="leave them out"
        )
    if isinstance(clusters, np.ndarray) and clusters.ndim == 1 and clusters.dtype.kind in "iubUS":
        names, first, place = np.unique(clusters, return_index=True, return_inverse=True)
        by_appearance = np.argsort(first)
        rank = np.empty_like(by_appearance)
        rank[by_appearance] = np.arange(by_appearance.size)
        return names[by_appearance].tolist(), rank[place]
    if isinstance(clusters, np.ndarray):
        if clusters.ndim != 1:
            raise InputError(
                parameter=what, expected="one dimension", got=f"shape {clusters.shape}"
            )
        clusters = clusters.tolist()
    try:
        items = list(clusters)  # type: ignore[arg-type]  # a scalar is refused here
        missing = [x for x in items if is_missing(x)]
        number = {name: i for i, name in enumerate(dict.fromkeys(items))}
    except (TypeError, ValueError) as error:
        raise InputError(
            parameter=what,
            expected="one hashable label an observation",
            got=f"something else ({error})",
        ) from error
    if missing:
        raise InputError(
            parameter=what,
            expected="a label for each observation",
            got=f"{len(missing):,} of {len(items):,} missing",
            hint="give each such observation a label of its own or remove it",
        )
    return list(number), np.array([number[x] for x in items], dtype=np.intp)


def group(
    clusters: ArrayLike | Iterable[Hashable], n: int, weights: ArrayLike | None = None
) -> Clusters:
    """Number the clusters of n observations and weigh them."""
    names, codes = cluster_codes(clusters)
    if codes.size != n:
        raise InputError(
            parameter="clusters", expected=f"one label for each of {n} values", got=f"{codes.size}"
        )
    w = np.ones(n) if weights is None else to_floats("weights", weights, exact=False)
    if w.shape != (n,):
        raise InputError(parameter="weights", expected=f"shape ({n},)", got=f"{w.shape}")
    wrong = ~(np.isfinite(w) & (w > 0))
    if wrong.any():
        raise InputError(
            parameter="weights",
            expected="positive numbers",
            got=f"{w[wrong][0]:g}",
            hint="leave out observations of weight 0",
        )
    refuse_huge("weights", w)
    refuse_tiny("weights", w.max(initial=0.0))
    w = without_unit(w)
    sizes = np.bincount(codes, minlength=len(names))
    order = np.argsort(codes, kind="stable")
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1])).astype(np.intp)
    totals = np.bincount(codes, weights=w, minlength=len(names)).astype(np.float64)
    return Clusters(tuple(names), sizes, w, totals, order, starts)


def observations(what: str, values: ArrayLike, axis: int) -> Floats:
    """Return `values` as floats with the observations on the last axis; NaN is refused."""
    array = to_floats(what, values)
    array = np.moveaxis(array, axis_of(what, array, axis), -1)
    if array.size == 0:
        raise InputError(parameter=what, expected="at least one", got="no observations")
    bad = int((~np.isfinite(array)).sum())
    if bad:
        raise InputError(
            parameter=what,
            expected="finite numbers",
            got=f"{bad:,} of {array.size:,} that are NaN or infinite",
            hint="remove these observations (and their clusters) first",
        )
    refuse_huge(what, array)
    return array


def difference(a: ArrayLike, b: ArrayLike, axis: int) -> tuple[Floats, Floats]:
    """Return a minus b with the observations on the last axis, and the scale of their rounding.

    Differences of large values carry their rounding error, and those that are no more are 0. `b`
    may be one number.
    """
    first = observations("a", a, axis)
    second = (
        np.reshape(observations("b", np.reshape(b, 1), 0), ())
        if to_floats("b", b).ndim == 0
        else observations("b", b, axis)
    )
    if second.ndim and first.shape[-1] != second.shape[-1]:
        raise InputError(
            parameter="b",
            expected=f"{first.shape[-1]} values, as many as a has",
            got=f"{second.shape[-1]}",
        )
    try:
        first, second = np.broadcast_arrays(first, second)
    except ValueError as error:
        raise InputError(
            parameter=("a", "b"),
            expected="equal axes but for the observations",
            got=f"shapes {np.shape(a)} and {np.shape(b)}",
            hint="give b one number or a value for each of a",
        ) from error
    size = scale(first, second)
    return settled(first - second, ROUNDING * size[..., None]), size
