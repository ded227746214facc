"""Network: nodes, links, labels and what else is known of the nodes, in one immutable object."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from os import PathLike
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, TypeVar, cast

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from ..core.arguments import check_arguments
from ..core.errors import AssumptionWarning, InputError, shown, unknown_choice, warn_user
from ..core.results import Result
from ..core.wording import plural
from .arrays import frozen, frozen_matrix
from .feature_columns import FeatureColumns, encode_columns, filled, is_column_names
from .ids import check_ids, link_ends, refuse_half_characters
from .link_arrays import (
    Neighbors,
    Tally,
    check_indices,
    check_length,
    check_times,
    check_weights,
    compress,
    compressed_rows,
    first_times,
    starts,
)
from .link_storage import LinkStorage
from .node_values import (
    MISSING,
    check_attributes,
    check_features,
    check_targets,
    encode,
    known_codes,
    same_number,
)

Direction: TypeAlias = Literal["out", "in", "both"]
DIRECTIONS: tuple[Direction, ...] = ("out", "in", "both")
T = TypeVar("T")


class Network:
    """A network whose nodes may have a label; it never changes.

    It has no length, shape or array form on purpose: scikit-learn slices anything that has
    them, and a sliced network is no network.

    Parameters
    ----------
    source, target : array_like of int, shape (n_rows,)
        Node indices of the two ends of each link, 0 to ``n_nodes - 1``.
    n_nodes : int
        Number of nodes; nodes that no link names are isolates.
    weight : array_like of float, shape (n_rows,), optional
        Positive link weights; without them every link weighs 1.
    times : array_like of float, shape (n_rows,), optional
        In place of weights the time of each link; a pair that is linked several times counts from
        the first on. Models are then shown the links of the past alone, see `until`.
    directed : bool
        Whether a link leads from source to target only.
    labels : sequence, length n_nodes, optional
        Class of each node, any hashable; None or NaN where it is not known.
    classes : sequence, optional
        All classes in the order wanted; by default those that occur, sorted.
    targets : array_like of float, length n_nodes, optional
        In place of labels a number for each node, which regressors predict; None or NaN where it
        is not known. There are no classes then, and `labels` only marks which nodes have a
        target: 0, else -1.
    ids : sequence of hashable, length n_nodes, optional
        Names of the nodes, by default their indices.
    features : ndarray or scipy sparse array, shape (n_nodes, n_features), optional
        Numeric node features.
    attributes : mapping of str to sequence, optional
        Further node columns, for example a grouping.
    name : str
        Shown in reports.
    dangling_rows : int
        Rows that named an unknown node and were left out before; kept for the tally.
    reading : Result, optional
        How the network was read from its files, for `nettrial.io.what_was_read`.

    Raises
    ------
    InputError
        Where lengths differ, an index is out of range, an id repeats, a weight is negative or
        not finite, a target is infinite, or there are both labels and targets.

    Examples
    --------
    >>> net = Network([0, 1, 1], [1, 2, 1], n_nodes=4, labels=["a", "b", None, "b"])
    >>> net
    <Network: 4 nodes, 2 undirected links, 2 classes, 1 node without label>
    >>> net.tally.self_loops
    1
    """

    __slots__ = (
        "_derived", "_storage", "attributes", "classes", "directed", "feature_columns", "features",
        "ids", "labels", "n_links", "n_nodes", "name", "reading", "tally", "targets", "times",
    )  # fmt: skip

    n_nodes: int
    n_links: int
    directed: bool
    labels: NDArray[np.int32]
    classes: tuple[Hashable, ...]
    targets: NDArray[np.float64] | None
    ids: NDArray[Any]
    features: Any
    feature_columns: FeatureColumns | None
    attributes: Mapping[str, NDArray[Any]]
    name: str
    times: NDArray[np.float64] | None
    reading: Result | None
    tally: Tally
    _derived: dict[Hashable, Any]
    _storage: LinkStorage

    @check_arguments
    def __init__(
        self,
        source: ArrayLike,
        target: ArrayLike,
        *,
        n_nodes: int,
        weight: ArrayLike | None = None,
        times: ArrayLike | None = None,
        directed: bool = False,
        labels: Iterable[Hashable] | None = None,
        classes: Iterable[Hashable] | None = None,
        targets: ArrayLike | None = None,
        ids: Iterable[Hashable] | None = None,
        features: Any = None,
        attributes: Mapping[str, Iterable[Any]] | None = None,
        name: str = "",
        dangling_rows: int = 0,
        reading: Result | None = None,
    ) -> None:
        n = int(n_nodes)
        ends = [check_indices(source, n, "source"), check_indices(target, n, "target")]
        weights = None if weight is None else check_weights(weight)
        for what, array in (("target", ends[1]), ("weight", weights), ("times", times)):
            if array is not None:
                check_length(what, np.size(array), ends[0].size)
        links, n_links, tally = compress(ends[0], ends[1], weights, n, directed, dangling_rows)
        first = None
        if times is not None:
            first = first_times(links, ends[0], ends[1], check_times(times), directed)
        if first is not None and weights is not None:
            raise InputError(
                expected="weights or times", got="both", hint="leave one out", where="Network"
            )
        codes, names = encode(labels, classes, n)
        refuse_half_characters("classes", names)
        numbers = None
        if targets is not None:
            if labels is not None or classes is not None:
                raise InputError(
                    expected="labels or targets", got="both", hint="leave one out", where="Network"
                )
            numbers = check_targets(targets, n)
            codes = known_codes(numbers)
        self._set(
            n_nodes=n,
            n_links=n_links,
            directed=bool(directed),
            _storage=LinkStorage(links),
            labels=frozen(codes),
            classes=names,
            targets=numbers,
            ids=frozen(check_ids(ids, n)),
            features=check_features(features, n),
            attributes=check_attributes(attributes, n),
            name=str(name),
            times=first,
            reading=reading,
            tally=tally,
            feature_columns=None,
            _derived={},
        )

    @classmethod
    def _made_of(cls, value: Any) -> Network | None:
        """Return the network at a path or in an object of another library; else None."""
        # loaded by name: what reads networks is above them
        if isinstance(value, (str, PathLike)):
            return cast(Network, import_module("nettrial.io.read").read(value))
        io = import_module("nettrial.io.tensors")
        return cast(Network, io.from_object(value)) if io.is_graph(value) else None

    def _set(self, **fields: Any) -> None:
        for field, value in fields.items():
            object.__setattr__(self, field, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Network cannot be changed: {name} stays as it is")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Network cannot be changed: {name} stays as it is")

    def __getstate__(self) -> dict[str, Any]:
        state = {field: getattr(self, field) for field in self.__slots__}
        return state | {"_derived": {}, "attributes": dict(self.attributes)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._set(**state | {"attributes": MappingProxyType(state["attributes"])})

    def __deepcopy__(self, memo: dict[int, Any]) -> Network:
        # it cannot change, so a copy would only take memory
        return self

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        missing = int(np.count_nonzero(self.labels == MISSING))
        parts = [
            f"{self.n_nodes} nodes",
            f"{self.n_links} {kind} links",
            f"{self.n_classes} classes" if self.targets is None else "a numeric target",
        ]
        if missing and (self.n_classes or self.targets is not None):
            what = "label" if self.targets is None else "target"
            parts.append(f"{missing} node{'s' if missing > 1 else ''} without {what}")
        return f"<Network{' ' + repr(self.name) if self.name else ''}: {', '.join(parts)}>"

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.classes)

    @property
    def links(self) -> Neighbors:
        """Compressed rows: out-neighbors of each node, or all of an undirected network."""
        return self._storage.links

    @property
    def weighted(self) -> bool:
        """Whether weights were given, or any link weighs other than 1."""
        return self.links.weights is not None

    @property
    def labeled(self) -> NDArray[np.intp]:
        """Indices of the nodes whose class or target is known, ascending."""
        return np.flatnonzero(self.labels != MISSING)

    @check_arguments
    def neighbors(self, direction: Direction = "both") -> Neighbors:
        """Return each node's neighbors as compressed rows.

        Parameters
        ----------
        direction : {"both", "out", "in"}
            Which links of a directed network count: those from the node, those to it, or both,
            where the weights of a link and of its reverse are added. An undirected network
            gives the same rows for all three.

        Raises
        ------
        InputError
            For any other direction.
        """
        return self.stored_links(direction).links

    @check_arguments
    def stored_links(self, direction: Direction = "both") -> LinkStorage:
        """Return what keeps the rows of `neighbors`, also in another order of the nodes."""
        if not self.directed or direction == "out":
            return self._storage

        def compute() -> LinkStorage:
            out = self._matrix()
            turned = out.T.tocsr()
            rows = compressed_rows(turned if direction == "in" else (out + turned).tocsr())
            return LinkStorage(rows)

        return self.cached(("neighbors", direction), compute)

    def _matrix(self) -> sp.csr_array:
        indptr, indices, weights = self.links
        data = np.ones(indices.size) if weights is None else weights
        return sp.csr_array((data, indices, starts(indptr)), shape=(self.n_nodes, self.n_nodes))

    @check_arguments
    def adjacency(self, direction: Direction = "both") -> sp.csr_array:
        """Return the weighted adjacency matrix, shape (n_nodes, n_nodes).

        Parameters
        ----------
        direction : {"both", "out", "in"}
            As in `neighbors`.
        """
        indptr, indices, weights = self.neighbors(direction)
        data = np.ones(indices.size) if weights is None else weights.copy()
        shape = (self.n_nodes, self.n_nodes)
        return sp.csr_array((data, indices.copy(), starts(indptr)), shape=shape)

    def simple_links(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return every linked pair once, without direction or weight, as two index arrays."""

        def compute() -> tuple[NDArray[np.int32], NDArray[np.int32]]:
            indptr, indices, _ = self.neighbors("both")
            rows = np.repeat(np.arange(self.n_nodes, dtype=np.int32), np.diff(indptr))
            upper = rows < indices
            return frozen(rows[upper]), frozen(indices[upper])

        return self.cached("simple_links", compute)

    @check_arguments
    def cached(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return what `compute` makes of links and features, kept for the next call with that key.

        Copies that differ in labels only share what is kept, so it must not depend on labels.
        An array that is kept is read-only.
        """
        if key not in self._derived:
            made = compute()
            self._derived[key] = frozen(made) if isinstance(made, np.ndarray) else made
        return cast(T, self._derived[key])

    @check_arguments
    def derive(self, *, features: Any) -> Network:
        """Return the same network with other features.

        Parameters
        ----------
        features : str, sequence of str, or array of shape (n_nodes, n_features)
            Names of node columns, or "all" for those that can be features: numbers as they are,
            dates as days, a column of 0 and 1 for each category, rare ones together. Missing
            numbers are filled in anew by the medians of each training set, and flagged. A column
            that equals the class is refused, and with ids and texts left out of "all". Or a
            matrix of numbers, as for `Network`.

        Returns
        -------
        Network
            Its `feature_columns` says what was taken.

        Raises
        ------
        InputError
            Where there is no such column, or it cannot be a feature.

        Examples
        --------
        >>> columns = {"age": [30, 41, 35], "town": ["a", "b", "a"]}
        >>> net = Network([0], [1], n_nodes=3, attributes=columns)
        >>> net.derive(features=["age", "town"]).feature_columns.names
        ('age', 'town=a', 'town=b')
        """
        return self._with_features(features, self.labels)

    def _with_features(self, features: Any, known: NDArray[np.int32]) -> Network:
        """Return the same network with other features; columns that equal `known` are none."""
        taken = None
        if is_column_names(features):
            targets = self.targets if known is self.labels else None
            features, taken = encode_columns(self.attributes, features, known, targets)
        copy = self._with_labels(self.labels)
        checked = check_features(features, self.n_nodes)
        copy._set(features=checked, feature_columns=taken, reading=self._noting(taken), _derived={})
        return copy

    def _noting(self, taken: FeatureColumns | None) -> Any:
        """Return how the network was read, with a note on which columns became features."""
        notes = getattr(self.reading, "notes", None)
        if notes is None:
            return self.reading
        before = None if self.feature_columns is None else self.feature_columns.note
        kept = tuple(note for note in notes if note != before)
        return replace(self.reading, notes=kept + (() if taken is None else (taken.note,)))  # type: ignore[type-var]

    @check_arguments
    def imputed(self, train: NDArray[np.intp]) -> Network:
        """Return the same network with missing features filled in by the medians of `train`.

        A flag is added for each feature that any node lacks. Without missing features, and of
        sparse ones, it is the network itself.

        Examples
        --------
        >>> net = Network([0], [1], n_nodes=3, features=[[1.0], [np.nan], [4.0]])
        >>> net.imputed(np.array([0])).features.tolist()
        [[1.0, 0.0], [1.0, 1.0], [4.0, 0.0]]
        """
        known, table = check_indices(train, self.n_nodes, "train"), self.features
        if not isinstance(table, np.ndarray) or table.dtype.kind != "f":
            return self
        if not self.cached("lacks features", lambda: bool(np.isnan(table).any())):
            return self
        copy = self._with_labels(self.labels)
        copy._set(features=frozen(filled(table, known)), _derived={})
        return copy

    def _with_labels(
        self, labels: NDArray[np.int32], classes: tuple[Hashable, ...] | None = None
    ) -> Network:
        copy = Network.__new__(Network)
        fields = {field: getattr(self, field) for field in self.__slots__}
        fields["labels"] = frozen(labels)
        fields["classes"] = self.classes if classes is None else classes
        copy._set(**fields)
        return copy

    @check_arguments
    def mask_labels(self, keep: NDArray[np.intp]) -> Network:
        """Return the same network with labels and targets hidden but of the nodes in `keep`.

        Examples
        --------
        >>> net = Network([0], [1], n_nodes=2, labels=["a", "b"])
        >>> net.mask_labels(np.array([1])).labels.tolist()
        [-1, 1]
        """
        kept = check_indices(keep, self.n_nodes, "keep")
        labels = np.full(self.n_nodes, MISSING, dtype=np.int32)
        labels[kept] = self.labels[kept]
        masked = self._with_labels(labels)
        if self.targets is not None:
            masked._set(targets=frozen(np.where(labels == MISSING, np.nan, self.targets)))
        return masked

    @check_arguments
    def without_links_between(self, nodes: NDArray[np.intp]) -> Network:
        """Return the same network without the links that join a node in `nodes` to one outside.

        Examples
        --------
        >>> net = Network([0, 1], [1, 2], n_nodes=3)
        >>> net.without_links_between(np.array([0])).n_links
        1
        """
        inside = np.zeros(self.n_nodes, dtype=bool)
        inside[check_indices(nodes, self.n_nodes, "nodes")] = True
        links = self._matrix().tocoo()
        keep = inside[links.row] == inside[links.col]
        if not self.directed:
            keep &= links.row < links.col
        return self._with_links(
            links.row[keep],
            links.col[keep],
            links.data[keep] if self.weighted else None,
            None if self.times is None else self.times[keep],
            directed=self.directed,
        )

    @check_arguments
    def until(self, time: float) -> Network:
        """Return the same network without the links that come after a time.

        Raises
        ------
        InputError
            Where links have no times.

        Examples
        --------
        >>> net = Network([0, 1, 0], [1, 2, 1], n_nodes=3, times=[2003, 2005, 2001])
        >>> net.until(2004).n_links, net.first_links().tolist()
        (1, [2001.0, 2001.0, 2005.0])
        """
        if self.times is None:
            raise InputError(expected="times of the links", got="none", where="until")
        links, keep = self._matrix().tocoo(), self.times <= time
        if not self.directed:
            keep = keep & (links.row < links.col)
        return self._with_links(
            links.row[keep], links.col[keep], None, self.times[keep], directed=self.directed
        )

    def first_links(self) -> NDArray[np.float64]:
        """Return the time of each node's first link, NaN for a node without any; see `until`."""
        if self.times is None:
            raise InputError(expected="times of the links", got="none", where="first_links")
        times, links = self.times, self._matrix().tocoo()

        def compute() -> NDArray[np.float64]:
            first = np.full(self.n_nodes, np.inf)
            for ends in (links.row, links.col):
                np.minimum.at(first, ends, times)
            return np.where(np.isfinite(first), first, np.nan)

        return self.cached("first_links", compute)

    @check_arguments
    def among(self, nodes: NDArray[np.intp]) -> Network:
        """Return the network of some nodes, in their order, and of the links among them.

        Examples
        --------
        >>> net = Network([0, 1], [1, 2], n_nodes=3, labels=["a", "b", "a"])
        >>> part = net.among(np.array([1, 2]))
        >>> part.ids.tolist(), part.labels.tolist(), part.n_links
        ([1, 2], [1, 0], 1)
        """
        kept = check_indices(nodes, self.n_nodes, "nodes")
        place = np.full(self.n_nodes, -1, dtype=np.int64)
        place[kept] = np.arange(kept.size)
        links = self._matrix().tocoo()
        keep = (place[links.row] >= 0) & (place[links.col] >= 0)
        if not self.directed:
            keep &= links.row < links.col
        copy = self._with_labels(self.labels[kept])
        copy._set(
            n_nodes=kept.size,
            targets=None if self.targets is None else frozen(self.targets[kept]),
            ids=frozen(self.ids[kept]),
            features=None if self.features is None else frozen_matrix(self.features[kept]),
            attributes=MappingProxyType(
                {name: frozen(column[kept]) for name, column in self.attributes.items()}
            ),
        )
        return copy._with_links(
            place[links.row[keep]],
            place[links.col[keep]],
            links.data[keep] if self.weighted else None,
            None if self.times is None else self.times[keep],
            directed=self.directed,
        )

    @check_arguments
    def with_links(self, source: NDArray[Any], target: NDArray[Any]) -> Network:
        """Return the same nodes with these links instead, without direction and of weight 1.

        Examples
        --------
        >>> net = Network([0, 1], [1, 2], n_nodes=3)
        >>> net.with_links(np.array([0]), np.array([2])).n_links
        1
        """
        ends = (check_indices(source, self.n_nodes, "source"),
                check_indices(target, self.n_nodes, "target"))  # fmt: skip
        check_length("target", ends[1].size, ends[0].size)
        return self._with_links(*ends, None, None, directed=False)

    def _with_links(
        self,
        source: NDArray[np.integer[Any]],
        target: NDArray[np.integer[Any]],
        weights: NDArray[np.float64] | None,
        times: NDArray[np.float64] | None,
        *,
        directed: bool,
    ) -> Network:
        copy = self._with_labels(self.labels)
        ends = source.astype(np.int64), target.astype(np.int64)
        parts, n_links, _ = compress(*ends, weights, self.n_nodes, directed, 0)
        first = None if times is None else first_times(parts, *ends, times, directed)
        copy._set(
            _storage=LinkStorage(parts),
            n_links=n_links,
            directed=directed,
            times=first,
            _derived={},
        )
        return copy

    @check_arguments
    def one_against_rest(self, positive: Hashable) -> Network:
        """Return the same network with two classes: `positive` and all others together.

        Nodes without a class stay without one. Only where no other class occurs, as in a column of
        flags that are set or left blank, they are the others, and a warning says so.

        Parameters
        ----------
        positive : hashable
            A class, or its text form.

        Raises
        ------
        InputError
            Where there is no such class.

        Examples
        --------
        >>> net = Network([0], [1], n_nodes=3, labels=["x", "y", "z"])
        >>> net.one_against_rest("y").classes
        ('not y', 'y')
        """
        try:
            match = [c for c in range(self.n_classes) if self.classes[c] == positive]
        except (TypeError, ValueError):  # pandas' NA equals nothing, and says so by an error
            match = []
        if not match and isinstance(positive, (str, int, float, np.generic)):  # "1" for the class 1
            match = [c for c in range(self.n_classes) if str(self.classes[c]) == str(positive)]
            match = match or [c for c, one in enumerate(self.classes) if same_number(one, positive)]
        if not match and self.targets is not None:
            raise InputError(
                parameter="positive",
                expected="a network with classes",
                got=f"one with a numeric target, of which {shown(positive)} is no class",
            )
        if not match:
            raise unknown_choice("positive", positive, self.classes)
        labels = (self.labels == match[0]).astype(np.int32)
        blank = self.labels == MISSING
        if self.n_classes > 1:
            labels[blank] = MISSING
        elif blank.any():
            only, others = shown(self.classes[0]), plural(int(blank.sum()), "node")
            warn_user(
                AssumptionWarning(
                    f"{only} is the only class: {others} without a class count as the others"
                )
            )
        return self._with_labels(labels, (f"not {self.classes[match[0]]}", self.classes[match[0]]))

    @property
    def is_one_against_rest(self) -> bool:
        """Whether its classes are those of `one_against_rest`, of which the second is positive."""
        return self.n_classes == 2 and self.classes[0] == f"not {self.classes[1]}"

    @check_arguments
    def groups(self, attribute: str) -> tuple[NDArray[np.int32], tuple[Hashable, ...]]:
        """Return a node column as group codes and group names; missing values have code -1.

        Raises
        ------
        InputError
            Where there is no such column.
        """
        if attribute not in self.attributes:
            raise unknown_choice("node column", attribute, self.attributes or ["(there are none)"])
        return encode(self.attributes[attribute], None, self.n_nodes)

    def fingerprint(self) -> str:
        """Return a digest of links, labels, targets, ids and features; equal for equal networks."""
        digest = hashlib.blake2b(digest_size=16)
        weights = self.links.weights
        weights = None if weights is None or np.all(weights == 1) else weights
        arrays = [self.links.indptr, self.links.indices, weights, self.labels]
        # a network of classes without times keeps the digest that it always had
        arrays += [each for each in (self.targets, self.times) if each is not None]
        if sp.issparse(self.features):
            csr = sp.csr_array(self.features)
            arrays += [csr.indptr.astype(np.int64), csr.indices.astype(np.int64), csr.data]
        elif self.features is not None:
            arrays.append(self.features)
        for array in arrays:
            digest.update(b"-" if array is None else np.ascontiguousarray(array).tobytes())
        text = repr((self.n_nodes, self.directed, self.classes))
        digest.update(text.encode())
        for value in self.ids.tolist():
            digest.update(repr(value).encode() + b"\0")
        return digest.hexdigest()

    @classmethod
    @check_arguments
    def from_links(
        cls,
        source: Sequence[Hashable],
        target: Sequence[Hashable],
        *,
        nodes: Sequence[Hashable] | None = None,
        **options: Any,
    ) -> Network:
        """Build a network from links between node ids.

        Parameters
        ----------
        source, target : sequence of hashable, length n_rows
            Ids of the two ends of each link.
        nodes : sequence of hashable, optional
            All node ids, in the order of `labels` and the other node columns. Links to ids
            that are not among them are left out and counted. Without it the nodes are the ids
            that the links name, in order of appearance.
        **options
            As for `Network`.

        Examples
        --------
        >>> net = Network.from_links(["a", "b"], ["b", "z"], nodes=["a", "b"])
        >>> net.n_links, net.tally.dangling_rows
        (1, 1)
        """
        s, t, ids = link_ends(source, target, nodes)
        weight = options.get("weight")
        if weight is not None:
            check_length("weight", np.size(weight), s.size)
        known = (s >= 0) & (t >= 0)
        for name in ("weight", "times"):
            if options.get(name) is not None:
                options[name] = np.asarray(options[name])[known]
        return cls(
            s[known],
            t[known],
            n_nodes=len(ids),
            ids=ids,
            dangling_rows=int(np.count_nonzero(~known)),
            **options,
        )
