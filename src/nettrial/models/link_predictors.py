"""Link predictors: a score for every pair of nodes, from the links that a model may see."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from inspect import isroutine
from itertools import pairwise
from typing import Any, Protocol, Self, TypeAlias, runtime_checkable

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown, unknown_choice
from ..core.plain_text import function_name, listed
from ..kernels.threads import one_blas_thread
from ..network.network import Network
from .node_tables import no_features
from .training_function import is_training_function

Pairs = NDArray[np.intp]
Floats = NDArray[np.float64]
Rows: TypeAlias = Any  # sparse matrix
DENSE = 400  # nodes up to which eigenvalues are found without iteration
MOST_ENTRIES = 4_000_000  # of the rows of sparse matrices that are worked on at once: 64 MB


@runtime_checkable
class LinkPredictor(Protocol):
    """A model that scores pairs of nodes: the higher the score, the likelier a link.

    The network that it is handed has the links that it may learn from and no others, without
    direction and weight, and all that is known of the nodes. Where `fit` takes a parameter
    ``seed``, it gets an integer of its own for every fit.
    """

    def fit(self, network: Network) -> Self:
        """Learn from the links of the network."""
        ...

    def score(self, pairs: NDArray[np.intp]) -> NDArray[np.floating]:
        """Return a score for each pair of nodes, shape (n_pairs,); `pairs` is (n_pairs, 2)."""
        ...


LinkModel: TypeAlias = LinkPredictor | Callable[..., Any]  # a function of network and pairs too


class _Common:
    """Sum a weight of each common neighbor: w(degree)."""

    def __init__(self, name: str, weight: Callable[[Floats], Floats]) -> None:
        self.name = name
        self._weight = weight

    def fit(self, network: Network) -> Self:
        rows = _rows(network)
        self._rows = rows
        # a common neighbor has two neighbors at least, whatever the weight of others is
        self._weighted = sp.csr_array(rows * self._weight(np.maximum(_degrees(rows), 2.0)))
        return self

    def score(self, pairs: Pairs) -> Floats:
        return _dot(self._rows, self._weighted, pairs)


class _Jaccard:
    """Divide the number of common neighbors by that of all neighbors of the two."""

    name = "jaccard"

    def fit(self, network: Network) -> Self:
        self._rows = _rows(network)
        return self

    def score(self, pairs: Pairs) -> Floats:
        degrees = _degrees(self._rows)
        common = _dot(self._rows, self._rows, pairs)
        return np.asarray(common / np.maximum(degrees[pairs].sum(axis=1) - common, 1.0))


class _Attachment:
    """Multiply the degrees."""

    name = "preferential_attachment"

    def fit(self, network: Network) -> Self:
        self._degrees = _degrees(_rows(network))
        return self

    def score(self, pairs: Pairs) -> Floats:
        return np.asarray(self._degrees[pairs].prod(axis=1))


class _Katz:
    """Add up the walks of up to four links between two nodes, each link with a factor beta."""

    name = "katz"
    beta = 0.05

    def fit(self, network: Network) -> Self:
        self._rows = _rows(network)
        return self

    def score(self, pairs: Pairs) -> Floats:
        rows, beta = self._rows, self.beta
        # a row of walks of two links has at most as many entries as the neighbors have neighbors
        walks = np.asarray(rows @ _degrees(rows))
        score = beta * _entries(rows, pairs) + beta**2 * _dot(rows, rows, pairs)
        for part in _chunks(walks[pairs].sum(axis=1)):
            first, second = pairs[part].T
            two, end = rows[first] @ rows, rows[second]
            score[part] += beta**3 * _inner(two, end) + beta**4 * _inner(two, end @ rows)
        return score


class _Spectral:
    """Take the dot products of a spectral embedding of the links.

    These are the entries of the best approximation of the matrix of links by 16 eigenvectors, those
    with the eigenvalues of largest size (the adjacency spectral embedding, Sussman et al. 2012).
    """

    name = "spectral"
    dimensions = 16

    def fit(self, network: Network) -> Self:
        rows, k = _rows(network), self.dimensions
        with one_blas_thread():  # the matrices are too small for several
            if network.n_nodes <= DENSE:
                values, vectors = np.linalg.eigh(rows.toarray())
                order = np.argsort(-np.abs(values), kind="stable")[:k]
                values, vectors = values[order], vectors[:, order]
            else:
                from scipy.sparse.linalg import eigsh

                start = np.sqrt(1.0 + _degrees(rows))  # no generator, so that a fit can be repeated
                values, vectors = eigsh(rows, k=k, which="LM", v0=start)
        self._left, self._right = vectors * values, vectors
        return self

    def score(self, pairs: Pairs) -> Floats:
        first, second = pairs.T
        return np.asarray((self._left[first] * self._right[second]).sum(axis=1))


class _Features:
    """Take the dot products of the nodes' features, each node's scaled to length 1."""

    name = "features"

    def fit(self, network: Network) -> Self:
        if network.features is None:
            raise no_features(network, "model features", "take another link predictor")
        network = network.imputed(np.arange(network.n_nodes))
        rows = sp.csr_array(network.features).astype(np.float64)
        length = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
        self._rows = sp.csr_array(sp.diags_array(1 / np.where(length > 0, length, 1.0)) @ rows)
        return self

    def score(self, pairs: Pairs) -> Floats:
        return _dot(self._rows, self._rows, pairs)


class LinkFunction:
    """Make a link predictor of a function of the network and the pairs.

    Parameters
    ----------
    function : callable
        ``function(network, pairs)`` -> scores, shape (n_pairs,).

    Examples
    --------
    >>> def nearness(network, pairs):
    ...     return -abs(pairs[:, 0] - pairs[:, 1])
    >>> LinkFunction(nearness).fit(Network([0], [1], n_nodes=3)).score(np.array([[0, 2]])).tolist()
    [-2]
    """

    def __init__(self, function: Callable[[Network, Pairs], NDArray[Any]]) -> None:
        self.function = function
        self.name = function_name(function)

    @check_arguments
    def fit(self, network: Network) -> Self:
        self._network = network
        return self

    def score(self, pairs: Pairs) -> NDArray[Any]:
        return self.function(self._network, pairs)


# name -> what makes the link predictor
LINK_PREDICTORS: dict[str, Callable[[], LinkPredictor]] = {
    "common_neighbors": lambda: _Common("common_neighbors", np.ones_like),
    "adamic_adar": lambda: _Common("adamic_adar", lambda degree: 1 / np.log(degree)),
    "resource_allocation": lambda: _Common("resource_allocation", lambda degree: 1 / degree),
    "jaccard": _Jaccard,
    "preferential_attachment": _Attachment,
    "katz": _Katz,
    "spectral": _Spectral,
    "features": _Features,
}


@check_arguments
def is_link_predictor(given: Any) -> bool:
    """Return whether something names or is a link predictor, and no model of classes.

    Examples
    --------
    >>> is_link_predictor("katz"), is_link_predictor("wvrn")
    (True, False)
    """
    if isinstance(given, str):
        return listed_predictor(given) in LINK_PREDICTORS
    if isinstance(given, type) or hasattr(given, "predict") or hasattr(given, "predict_proba"):
        return False
    if is_training_function(given):
        return False
    has_both = all(callable(getattr(given, name, None)) for name in ("fit", "score"))
    return has_both or isroutine(given) or isinstance(given, partial)


@check_arguments
def as_link_predictor(given: Any) -> LinkPredictor:
    """Make a link predictor of a name, an object with `fit` and `score`, or a function.

    Parameters
    ----------
    given : str, LinkPredictor or callable
        ``"common_neighbors"``, ``"adamic_adar"``, ``"resource_allocation"``, ``"jaccard"``,
        ``"preferential_attachment"``, ``"katz"`` (walks of up to four links, factor 0.05),
        ``"spectral"`` (dot products of 16 eigenvectors) or ``"features"`` (dot products of the
        nodes' features); an object with ``fit(network)`` and ``score(pairs)``; or a function of
        the network and the pairs.

    Raises
    ------
    InputError
        For an unknown name, or an object that is neither of these.

    Examples
    --------
    >>> net = Network([0, 0, 1, 2], [1, 2, 3, 3], n_nodes=4)
    >>> as_link_predictor("common_neighbors").fit(net).score(np.array([[0, 3], [0, 1]])).tolist()
    [2.0, 0.0]
    """
    if isinstance(given, str):
        if listed_predictor(given) not in LINK_PREDICTORS:
            raise unknown_choice("link predictor", given, LINK_PREDICTORS)
        return LINK_PREDICTORS[listed_predictor(given)]()
    if not is_link_predictor(given):
        raise InputError(
            parameter="model",
            expected="the name of a link predictor, an object with fit(network) and "
            "score(pairs), or a function of the network and the pairs",
            got=shown(given),
        )
    return LinkFunction(given) if not hasattr(given, "fit") else given


def listed_predictor(name: str) -> str:
    """Return a link predictor's name as it is listed, whatever its capitals, hyphens and dots.

    Examples
    --------
    >>> listed_predictor("Adamic-Adar"), listed_predictor("common-neighbours")
    ('adamic_adar', 'common_neighbors')
    """
    return listed(name, LINK_PREDICTORS, {"commonneighbours": "common_neighbors"})


def _rows(network: Network) -> Rows:
    rows = network.adjacency("both")
    rows.data[:] = 1.0
    return rows


def _degrees(rows: Rows) -> Floats:
    return np.asarray(np.diff(rows.indptr), dtype=np.float64)


def _dot(left: Rows, right: Rows, pairs: Pairs) -> Floats:
    """Return the dot product of a row of `left` with one of `right` for each pair."""
    score = np.zeros(len(pairs))
    for part in _chunks(_degrees(left)[pairs[:, 0]] + _degrees(right)[pairs[:, 1]]):
        score[part] = _inner(left[pairs[part, 0]], right[pairs[part, 1]])
    return score


def _inner(left: Rows, right: Rows) -> Floats:
    return np.asarray(left.multiply(right).sum(axis=1)).ravel()


def _entries(rows: Rows, pairs: Pairs) -> Floats:
    n = rows.shape[0]
    sources = np.repeat(np.arange(n, dtype=np.int64), np.diff(rows.indptr))
    keys = sources * n + rows.indices
    wanted = pairs[:, 0].astype(np.int64) * n + pairs[:, 1]
    return np.isin(wanted, keys, assume_unique=False).astype(np.float64)


def _chunks(entries: Floats) -> list[slice]:
    """Divide pairs into runs whose rows have few enough entries together."""
    number = np.cumsum(entries) // MOST_ENTRIES
    cuts = np.flatnonzero(np.diff(number)) + 1
    ends = np.concatenate([[0], cuts, [entries.size]]).astype(int).tolist()
    return [slice(a, b) for a, b in pairwise(ends) if b > a]
