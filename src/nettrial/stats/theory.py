"""Variance of a mean error rate over resampled test sets of one network (Wang et al. 2011).

Notation: a network of m nodes; test sets of n of them; p the mean error rate; a share p of the
nodes errs with probability q, the others with r = p (1 - q) / (1 - p), so that the mean stays
p; rho the correlation of the errors of two linked nodes; L the number of *ordered* linked pairs
inside a test set (an undirected link counts twice).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ..core.results import Result
from ..numeric.checks import to_floats
from ..numeric.magnitude import refuse_huge

Array = NDArray[np.float64]
Number = float | Array


@dataclass(frozen=True, slots=True)
class VarianceTerms(Result):
    """The parts of Theorems 1 to 4, NaN where the model does not exist.

    Attributes
    ----------
    or ndarray
        Theorems 1, 2, 3 and 4.
    """

    base: Number  # p (1 - p) / n, the variance for independent errors
    # (n - 1) / (m - 1) ((q - p) / (1 - p))^2, what drawing from one population takes away
    overlap: Number
    # 1 - 2p + pq, (1 - p) times the probability that a node of the second kind is right
    c_squared: Number
    bracket: Number  # b = pmq - q + 2mc sqrt(pq) + mc^2 - c^2 / (1 - p)
    # h = (1 - q) / (1 - p) B / (m - 1), the part of the links' variance that repeated test sets see
    linked_factor: Number
    variance_correlated: Number
    variance_resampled: Number
    variance_observed: Number
    variance_correction: Number
    # whether the model exists: 1 - 2p + pq >= 0 and rho L / n >= -1
    valid: bool | NDArray[np.bool_]

    @property
    def problem(self) -> str:
        """Why the model does not exist, where it does not."""
        if np.any(np.less(self.c_squared, 0)):
            return (
                "1 - 2p + pq < 0: the nodes of the second kind would be right with negative "
                "probability; q must be at least 2 - 1/p"
            )
        return (
            "rho L / n < -1: the variance would be negative; fewer links or a rho nearer to 0 is "
            "needed"
        )


@check_arguments
def variance_terms(
    p: ArrayLike,
    q: ArrayLike,
    rho: ArrayLike,
    *,
    n: ArrayLike,
    m: ArrayLike,
    links: ArrayLike,
) -> VarianceTerms:
    """Work out every term of Theorems 1 to 4, also outside the model's domain.

    The correction is free of cancellation: with the standard deviations s1 and s0 of the two
    kinds of node, 1 - h = ((q - p) / (1 - p))^2 + m / (m - 1) (s1 - s0)^2, and
    s1 - s0 = (s1^2 - s0^2) / (s1 + s0) holds the factor q - p. At p = 0 and p = 1 every
    variance is 0.

    Parameters
    ----------
    p, q : float or array_like
        Mean error rate and error probability of the failing kind of node, in [0, 1].
    rho : float or array_like
        Correlation of the errors of linked nodes, in [-1, 1].
    n, m : float or array_like
        Nodes in a test set and in the network, 1 <= n <= m, m >= 2. Of test sets of different
        sizes n is the mean.
    links : float or array_like
        Ordered linked pairs within a test set, or their mean: at most n (m - 1).

    Examples
    --------
    >>> terms = variance_terms(0.1, 0.9, 0.2, n=210, m=300, links=1260)
    >>> round(terms.variance_correlated, 6), round(terms.variance_observed, 6)
    (0.000943, 0.00028)
    """
    p, q, rho, n, m, links = _checked(p, q, rho, n, m, links)
    base = p * (1 - p) / n
    certain = p == 1
    right = np.where(certain, 1.0, 1 - p)
    gap = np.where(certain, 0.0, (q - p) / right)
    overlap = (n - 1) / (m - 1) * gap**2
    c2 = (1 - p) - p * (1 - q)
    exists = c2 >= 0
    c = np.sqrt(np.where(exists, c2, np.nan))
    bracket = p * m * q - q + 2 * m * c * np.sqrt(p * q) + m * c**2 - c**2 / right
    linked = np.where(certain, 1.0, (1 - q) / right * bracket / (m - 1))
    r = np.where(certain, 1.0, p * (1 - q) / right)
    s1, s0 = np.sqrt(q * (1 - q)), np.sqrt(r) * c / np.sqrt(right)
    spread = np.where(s1 + s0 == 0, 1.0, s1 + s0)
    # s1^2 - s0^2 = (q - r)(1 - q - r) and q - r = (q - p) / (1 - p)
    unseen = gap**2 + m / (m - 1) * (gap * (1 - q - r) / spread) ** 2
    strength = rho * links / n
    values = {
        "base": base,
        "overlap": overlap,
        "c_squared": c2,
        "bracket": bracket,
        "linked_factor": linked,
        "variance_correlated": base * (1 + strength),
        "variance_resampled": base * (1 - overlap),
        "variance_observed": base * (1 - overlap + strength * linked),
        "variance_correction": base * (overlap + strength * unseen),
        "valid": exists & (strength >= -1),
    }
    return VarianceTerms(
        **{name: value.item() if value.ndim == 0 else value for name, value in values.items()}
    )


@check_arguments
def variance_correlated(p: ArrayLike, rho: ArrayLike, *, n: ArrayLike, links: ArrayLike) -> Number:
    """Theorem 1: variance of the mean error of a fresh sample with correlated errors.

    p (1 - p) / n (1 + rho L / n). This is what the error would vary by over test sets from
    other networks of the domain.

    Parameters
    ----------
    p, rho, n, links
        As in `variance_terms`.

    Examples
    --------
    >>> round(variance_correlated(0.1, 0.2, n=30, links=900), 4)
    0.021
    """
    size = to_floats("n", n)
    # m and q play no part here; so many nodes and q = p satisfy the other checks
    nodes = 1 + np.maximum(size, np.abs(to_floats("links", links)))
    return _valid(variance_terms(p, p, rho, n=n, m=nodes, links=links)).variance_correlated


@check_arguments
def variance_resampled(p: ArrayLike, q: ArrayLike, *, n: ArrayLike, m: ArrayLike) -> Number:
    """Theorem 2: variance over test sets drawn from one network, without correlation.

    p (1 - p) / n (1 - (n - 1) / (m - 1) ((q - p) / (1 - p))^2).

    Parameters
    ----------
    p, q, n, m
        As in `variance_terms`.

    Examples
    --------
    >>> round(variance_resampled(0.1, 0.9, n=210, m=300), 6)
    0.000192
    """
    return _valid(variance_terms(p, q, 0.0, n=n, m=m, links=0)).variance_resampled


@check_arguments
def variance_observed(
    p: ArrayLike,
    q: ArrayLike,
    rho: ArrayLike,
    *,
    n: ArrayLike,
    m: ArrayLike,
    links: ArrayLike,
) -> Number:
    """Theorem 3: variance over test sets drawn from one network, with correlated errors.

    p (1 - p) / n (1 - (n - 1) / (m - 1) ((q - p) / (1 - p))^2 + rho L / n h), with h as in
    `VarianceTerms`.

    Parameters
    ----------
    p, q, rho, n, m, links
        As in `variance_terms`.

    Examples
    --------
    >>> round(variance_observed(0.1, 0.9, 0.2, n=210, m=300, links=1260), 5)
    0.00028
    """
    return _valid(variance_terms(p, q, rho, n=n, m=m, links=links)).variance_observed


@check_arguments
def variance_correction(
    p: ArrayLike,
    q: ArrayLike,
    rho: ArrayLike,
    *,
    n: ArrayLike,
    m: ArrayLike,
    links: ArrayLike,
) -> Number:
    """Theorem 4: what resampling one network hides of the variance, Theorem 1 less Theorem 3.

    Computed without subtracting the two, so that it keeps its relative accuracy near q = p.

    Parameters
    ----------
    p, q, rho, n, m, links
        As in `variance_terms`.

    Examples
    --------
    >>> round(variance_correction(0.1, 0.9, 0.2, n=210, m=300, links=1260), 6)
    0.000663
    """
    return _valid(variance_terms(p, q, rho, n=n, m=m, links=links)).variance_correction


def _valid(terms: VarianceTerms) -> VarianceTerms:
    if not np.all(terms.valid):
        raise InputError(f"p, q, rho, links: no such model exists, because {terms.problem}")
    return terms


def _checked(*values: ArrayLike) -> tuple[Array, ...]:
    names = ("p", "q", "rho", "n", "m", "links")
    arrays = [to_floats(name, value) for name, value in zip(names, values)]
    lows, highs = (0, 0, -1, 1, 2, 0), (1, 1, 1, np.inf, np.inf, np.inf)
    for name, array, low, high in zip(names, arrays, lows, highs):
        wrong = ~((array >= low) & (array <= high) & np.isfinite(array))
        if wrong.any():
            limits = f"from {low} to {high}" if np.isfinite(high) else f"of at least {low}"
            raise InputError(
                parameter=name,
                expected=f"finite numbers {limits}",
                got=shown(array[wrong].tolist()[0]) + _place(wrong),
            )
        refuse_huge(name, array)
    try:
        arrays = list(np.broadcast_arrays(*arrays))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in zip(names, arrays))
        raise InputError(
            expected="shapes that fit together", got=f"{shapes}", where="p to links"
        ) from None
    n, m, links = arrays[3:]
    if np.any(large := n > m):
        raise InputError(
            parameter="n",
            expected="test sets no larger than the network",
            got=f"{n[large][0]:g} of m = {m[large][0]:g}{_place(large)}",
        )
    if np.any(dense := links > n * (m - 1)):
        raise InputError(
            parameter="links",
            expected="at most n (m - 1) ordered pairs, each node linked to all others",
            got=f"{links[dense][0]:g} at n = {n[dense][0]:g}, m = {m[dense][0]:g}{_place(dense)}",
        )
    return tuple(arrays)


@check_arguments
def refuse_more_links(n: ArrayLike, links: ArrayLike) -> None:
    """Refuse more ordered pairs than a test set of n nodes has; means of several sets may."""
    sizes, pairs = np.broadcast_arrays(to_floats("n", n), to_floats("links", links))
    if np.any(wrong := (sizes >= 1) & (pairs > sizes * (sizes - 1))):
        raise InputError(
            parameter="links",
            expected="at most n (n - 1) ordered pairs",
            got=f"{pairs[wrong][0]:g} at n = {sizes[wrong][0]:g}{_place(wrong)}",
        )


def _place(wrong: NDArray[np.bool_]) -> str:
    """Return which value of several is the first wrong one, in words."""
    return f" (number {int(np.argmax(wrong)) + 1})" if wrong.ndim else ""
