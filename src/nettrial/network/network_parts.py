"""The parts of a Network and the checks that its arrays pass through."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from ..core.errors import InputError, shown, unknown_choice
from ..core.results import Result
from ..numeric.checks import as_array

if TYPE_CHECKING:
    import pandas as pd

HALF = re.compile("[\ud800-\udfff]")  # of a character of two parts
MISSING = -1  # the label code of a node whose class is not known


@dataclass(frozen=True, slots=True)
class Tally(Result):
    """What became of the rows that a network was built from.

    A node is not its own neighbor, so self loops are left out. Repeated links are merged:
    their weights are added where there are weights, else one link stays. A link to a node
    that the node table does not hold is left out, and so is a link of weight zero. A self
    loop that is repeated counts in `self_loops` each time and in `duplicate_rows` from the
    second time on.
    """

    rows: int = 0
    self_loops: int = 0
    duplicate_rows: int = 0
    dangling_rows: int = 0
    zero_weight_rows: int = 0


class Neighbors(NamedTuple):
    """Compressed rows: node i has the neighbors `indices[indptr[i]:indptr[i + 1]]`.

    `weights` is None where no weights were given and every link weighs 1.
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    weights: NDArray[np.float64] | None


def same_number(one: object, other: object) -> bool:
    """Return whether two values are the same number: a flag with blanks is 1.0 where 1 is meant.

    Examples
    --------
    >>> same_number(1.0, "1"), same_number("1.0", 1), same_number("x", "1")
    (True, True, False)
    """
    try:
        return float(str(one)) == float(str(other))
    except ValueError:
        return False


def is_missing(value: object) -> bool:
    """Return whether a label is missing: None, NaN or what pandas writes as <NA> and NaT.

    Examples
    --------
    >>> is_missing(None), is_missing(float("nan")), is_missing("")
    (True, True, False)
    """
    # what is not available cannot be compared with itself
    return value is None or type(value).__name__ in ("NAType", "NaTType") or value != value


def natural_order(value: Hashable) -> tuple[int, float, str]:
    """Sort key that puts numbers, also written as text, before other text; a sign alone is one.

    Examples
    --------
    >>> sorted(["10", "b", "9", "a"], key=natural_order)
    ['9', '10', 'a', 'b']
    >>> sorted(["+", "0", "-"], key=natural_order)
    ['-', '0', '+']
    """
    try:
        number = float({"-": -1.0, "+": 1.0}.get(value, value))  # type: ignore[call-overload]
    except (TypeError, ValueError):
        return (1, 0.0, str(value))
    return (0, number, str(value)) if np.isfinite(number) else (1, 0.0, str(value))


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    array = array.view()
    array.flags.writeable = False
    return array


def frozen_matrix(matrix: Any) -> Any:
    """Return an array, or a sparse array in compressed rows, that cannot be written into."""
    if not sp.issparse(matrix):
        return frozen(matrix)
    parts = (frozen(part) for part in (matrix.data, matrix.indices, matrix.indptr))
    return sp.csr_array(tuple(parts), shape=matrix.shape)


def object_array(values: Iterable[Any]) -> NDArray[np.object_]:
    # np.array would turn a list of tuples into a matrix
    # and numpy's own scalars are not what went in
    items = values.tolist() if isinstance(values, np.ndarray) else list(values)
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array


def factor(values: Any) -> tuple[NDArray[np.intp], pd.Index[Any]]:
    """Number the distinct values; -1 where one is missing."""
    import pandas as pd

    if isinstance(values, pd.Categorical):
        return np.asarray(values.codes, dtype=np.intp), values.categories
    with keys_only("ids"):
        codes, names = pd.factorize(native(values))
        return codes, object_index(names)


@contextmanager
def keys_only(what: str) -> Iterator[None]:
    """Refuse lists, tables and the like, which Python cannot look up, as names.

    pandas keeps text as UTF-8, and cannot take what is none.
    """
    try:
        yield
    except UnicodeEncodeError as error:
        refuse_half_characters(what, [error.object])
        raise
    except TypeError as error:
        raise InputError(
            parameter=what,
            expected="text, numbers or other values that can be keys of a dict",
            got=f"another kind ({error})",
        ) from error


def native(values: Any) -> Any:
    """Keep arrays of integers or text as they are; all else becomes an array of objects."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "iuU":
        return values
    if hasattr(values, "factorize"):  # pandas columns know the fastest way themselves
        return values
    return object_array(values)


def object_index(values: Any) -> pd.Index[Any]:
    import pandas as pd

    if isinstance(values, np.ndarray) and values.dtype.kind in "iu":
        return pd.Index(values)
    array = values if isinstance(values, np.ndarray) and values.dtype == object else None
    return pd.Index(
        object_array(values) if array is None else array, dtype=object, tupleize_cols=False
    )


def link_ends(
    source: Any, target: Any, nodes: Any = None
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[Any]]:
    """Turn the ids of both ends into indices of nodes.

    Parameters
    ----------
    source, target : array_like of hashable, or pandas categoricals, length n_rows
    nodes : array_like of hashable, optional
        All ids in their order; by default those of the links in order of appearance.

    Returns
    -------
    source, target : ndarray of int, length n_rows
        Indices into `ids`; -1 for an id that is not among `nodes`.
    """
    check_length("target", len(target), len(source))
    if nodes is None and is_dense(source, target):
        return number_dense(source, target)
    ends = [factor(source), factor(target)]
    if nodes is None:
        first, second = (names for _, names in ends)
        with keys_only("ids"):
            index = first if second is first else first.append(second[~second.isin(first)])
    else:
        index = object_index(native(nodes))
        if not index.is_unique:
            twice = index[index.duplicated()][0]
            raise InputError(
                f"Network: node id {shown(twice)} occurs more than once; ids must differ"
            )
    s, t = (
        codes if names is index else take(index.get_indexer(names), codes) for codes, names in ends
    )
    if nodes is None:
        s, t, order = by_appearance(s, t, len(index))
        index = index[order]
    return s, t, index.to_numpy()


def is_dense(source: Any, target: Any) -> bool:
    """Return whether ids are integers that lie so near each other that a table can number them."""
    ends = (source, target)
    if not all(isinstance(end, np.ndarray) and end.dtype == np.int64 and end.size for end in ends):
        return False
    span = max(int(end.max()) for end in ends) - min(int(end.min()) for end in ends)
    return bool(span < 4 * source.size)


def number_dense(
    source: NDArray[np.int64], target: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Number integer ids as `link_ends` does, in a third of the time."""
    low = int(min(source.min(), target.min()))
    span = int(max(source.max(), target.max())) - low + 1
    s, t, order = by_appearance(source - low, target - low, span)
    return s, t, order + low


def by_appearance(
    source: NDArray[Any], target: NDArray[Any], count: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Number codes below `count` anew, in the order in which links name them; -1 stays.

    Examples
    --------
    >>> [x.tolist() for x in by_appearance(np.array([3, -1]), np.array([1, 3]), 4)]
    [[0, -1], [1, 0], [3, 1]]
    """
    size = 2 * source.size
    small: Any = (
        np.int32 if max(size, count) < 2**31 - 1 else np.int64
    )  # half the memory, and quicker
    codes = np.empty(size, dtype=small)
    codes[::2], codes[1::2] = source, target
    first: NDArray[Any] = np.full(
        count + 1, size, dtype=small
    )  # the last entry stands for the code -1
    # where each occurs first is written last
    first[codes[::-1]] = np.arange(size - 1, -1, -1, dtype=small)
    order = codes[np.sort(first[:-1][first[:-1] < size])]
    place = np.full(count + 1, -1, dtype=np.int64)
    place[order] = np.arange(order.size)
    return place[codes[::2]], place[codes[1::2]], order.astype(np.int64)


def take(table: NDArray[Any], codes: NDArray[Any]) -> NDArray[np.int64]:
    return np.asarray(np.append(table, -1)[codes], dtype=np.int64)


def refuse_half_characters(what: str, values: Iterable[Any]) -> None:
    """Refuse text with a lone surrogate, half of a character, which no file and no page can hold.

    JSON can name one, though, as ``"\\ud800"``.

    Examples
    --------
    >>> refuse_half_characters("ids", ["a", 2])
    >>> refuse_half_characters("ids", ["a", "b\\ud800"])
    Traceback (most recent call last):
    nettrial.InputError: Network: ids: expected text that can be written as UTF-8, ...
    """
    if isinstance(values, np.ndarray) and values.dtype.kind not in "OU":
        return
    items = values.tolist() if isinstance(values, np.ndarray) else list(values)
    try:
        whole = "".join(items)  # most are nothing but text
    except TypeError:
        items = [value for value in items if isinstance(value, str)]
        whole = "".join(items)
    if whole.isascii() or HALF.search(whole) is None:
        return
    text = next(text for text in items if HALF.search(text))
    raise InputError(
        parameter=what,
        expected="text that can be written as UTF-8",
        got=f"{shown(text)}, which holds half of a character",
        hint="write it anew where it comes from",
        where="Network",
    )


def native_array(values: Any) -> NDArray[Any]:
    """Copy integers into an integer array, all else into an array of objects."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "iu" and values.ndim == 1:
        return values.copy()
    return object_array(values)


def check_length(what: str, size: int, wanted: int) -> None:
    if size != wanted:
        raise InputError(
            f"Network: {what} has {size} entries, but source has {wanted}; give one of each "
            "for every link"
        )


def check_indices(values: ArrayLike, n: int, what: str) -> NDArray[np.int64]:
    array = as_array(what, values)
    if array.size and not np.issubdtype(array.dtype, np.integer):
        raise InputError(
            parameter=what,
            expected="node indices (integers)",
            got=f"{array.dtype} values",
            hint="for other ids use Network.from_links",
            where="Network",
        )
    array = array.astype(np.int64).ravel()
    if array.size and not 0 <= array.min() <= array.max() < n:
        raise InputError(
            parameter=what,
            expected=f"indices from 0 to {n - 1} for {n} nodes",
            got=f"{array.min()} to {array.max()}",
            where="Network",
        )
    return array


WEIGHTS = (1e-30, 1e30)


def check_weights(values: ArrayLike) -> NDArray[np.float64]:
    try:
        array = np.asarray(values, dtype=float).ravel()
    except (TypeError, ValueError) as error:
        raise InputError(f"Network: weights must be numbers ({error})") from None
    bad = ~usable_weights(array)
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        raise InputError(
            expected=f"a weight of 0, or from {WEIGHTS[0]:g} to {WEIGHTS[1]:g}",
            got=f"{array[row]}",
            hint="multiply all by one number to bring them there",
            where=f"Network: link {row}",
        )
    return array


def check_times(values: ArrayLike) -> NDArray[np.float64]:
    """Return times of links as numbers; refuse others."""
    try:
        array = np.asarray(values, dtype=float).ravel()
    except (TypeError, ValueError) as error:
        raise InputError(f"Network: times must be numbers ({error})") from None
    if not np.isfinite(array).all():
        raise InputError(
            parameter="times",
            expected="finite numbers",
            got=f"{array[np.argmin(np.isfinite(array))]}",
            where="Network",
        )
    return array


def first_times(
    links: Neighbors,
    source: NDArray[np.int64],
    target: NDArray[np.int64],
    times: NDArray[np.float64],
    directed: bool,
) -> NDArray[np.float64]:
    """Return for every stored link the earliest time of the rows that name it."""
    n = links.indptr.size - 1
    if not directed:
        source, target = np.concatenate([source, target]), np.concatenate([target, source])
        times = np.concatenate([times, times])
    stored = np.repeat(np.arange(n), np.diff(links.indptr)) * n + links.indices
    rows = source * n + target
    place = np.searchsorted(stored, rows)
    among = source != target  # self loops are left out
    first = np.full(stored.size, np.inf)
    np.minimum.at(first, place[among], times[among])
    return frozen(first)


def usable_weights(array: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which weights are 0 or of a size that single precision can add up."""
    within = (array >= WEIGHTS[0]) & (array <= WEIGHTS[1])
    return np.asarray(within | (array == 0))


def compress(
    source: NDArray[np.int64],
    target: NDArray[np.int64],
    weights: NDArray[np.float64] | None,
    n: int,
    directed: bool,
    dangling: int,
) -> tuple[Neighbors, int, Tally]:
    """Sort links into rows, leave out self loops and merge repeats."""
    if n >= 2**31:
        raise InputError(expected=f"fewer than {2**31} nodes", got=f"{n}", where="Network")
    loops = source == target
    zero = np.zeros_like(loops) if weights is None else (weights == 0) & ~loops
    keep = ~(loops | zero)
    if weights is None:
        given = SORTED.get()
        known = given is not None and given.holds(source, target)
        links = given if given is not None and known else SortedLinks.of(source, target, n)
        rows = links.out if directed else links.both
    else:
        s, t = source[keep].astype(np.int32), target[keep].astype(np.int32)
        if not directed:
            s, t = np.minimum(s, t), np.maximum(s, t)
        rows = to_rows(s, t, weights[keep], n)
        rows = rows if directed else (rows + rows.T).tocsr()
    n_links = int(rows.nnz) if directed else int(rows.nnz) // 2
    repeats = int(np.count_nonzero(loops)) - np.unique(source[loops]).size
    tally = Tally(
        rows=int(source.size) + dangling,
        self_loops=int(np.count_nonzero(loops)),
        duplicate_rows=int(np.count_nonzero(keep)) - n_links + repeats,
        dangling_rows=dangling,
        zero_weight_rows=int(np.count_nonzero(zero)),
    )
    return compressed_rows(rows, weighted=weights is not None), n_links, tally


def starts(indptr: NDArray[np.integer[Any]]) -> NDArray[np.integer[Any]]:
    """Copy the starts of rows, as int32 where they fit, for a matrix whose indices are int32.

    scipy turns all indices into the wider of the two types, which takes twice the memory and time.
    """
    return indptr.astype(np.int32 if indptr[-1] < 2**31 else np.int64)


def distinct_links(s: NDArray[Any], t: NDArray[Any], n: int) -> sp.csr_array:
    """Return the distinct links as compressed rows of True, in order.

    Turning rows into columns and back puts them in order, in a tenth of the time of sorting.
    """
    links = sp.coo_array((np.ones(s.size, dtype=bool), (s, t)), shape=(n, n))
    links.has_canonical_format = True  # repeats are left out below
    rows = links.tocsc().tocsr()
    rows.sum_duplicates()
    return rows


@dataclass(frozen=True)
class SortedLinks:
    """Links without weights as rows of True, once with their direction and once without."""

    source: NDArray[Any]
    target: NDArray[Any]
    out: sp.csr_array

    @classmethod
    def of(cls, source: NDArray[Any], target: NDArray[Any], n: int) -> SortedLinks:
        """Sort links, and leave out self loops."""
        keep = source != target
        s, t = source[keep].astype(np.int32), target[keep].astype(np.int32)
        return cls(source, target, distinct_links(s, t, n))

    @cached_property
    def both(self) -> sp.csr_array:
        return (self.out + self.out.T.tocsr()).tocsr()

    @property
    def mutual(self) -> tuple[int, int]:
        """The number of linked pairs, and of those that are listed in both directions."""
        pairs = int(self.both.nnz) // 2
        return pairs, int(self.out.nnz) - pairs

    def holds(self, source: NDArray[Any], target: NDArray[Any]) -> bool:
        """Return whether these are the links that were sorted."""
        return np.array_equal(source, self.source) and np.array_equal(target, self.target)


# links that were sorted on the way to the network that is made of them next
SORTED: ContextVar[SortedLinks | None] = ContextVar("SORTED", default=None)


def to_rows(
    s: NDArray[np.int32], t: NDArray[np.int32], data: NDArray[np.float64], n: int
) -> sp.csr_array:
    """Make compressed rows; links that are in order already need no sorting."""
    in_order = (s[1:] > s[:-1]) | ((s[1:] == s[:-1]) & (t[1:] > t[:-1]))
    if not in_order.all():
        return sp.coo_array((data, (s, t)), shape=(n, n)).tocsr()
    indptr = np.concatenate([[0], np.cumsum(np.bincount(s, minlength=n))])
    return sp.csr_array((data, t, starts(indptr)), shape=(n, n))


def compressed_rows(matrix: sp.csr_array, *, weighted: bool = False) -> Neighbors:
    matrix.sort_indices()
    weights = frozen(matrix.data) if weighted or np.any(matrix.data != 1) else None
    return Neighbors(
        frozen(matrix.indptr.astype(np.int64)), frozen(matrix.indices.astype(np.int32)), weights
    )


def encode(
    values: Iterable[Hashable] | None, classes: Iterable[Hashable] | None, n: int
) -> tuple[NDArray[np.int32], tuple[Hashable, ...]]:
    """Turn labels into codes; -1 where the label is missing."""
    if values is None:
        return np.full(n, MISSING, dtype=np.int32), tuple(classes or ())
    codes = getattr(values, "codes", None)  # of a pandas categorical
    if codes is not None and len(codes) == n:
        categories = getattr(values, "categories", codes).tolist()
        if classes is None:
            return recode(codes, categories)
        if tuple(classes) == tuple(categories):
            return np.array(codes, dtype=np.int32), tuple(categories)
    items = [None if is_missing(v) else v for v in object_array(values).tolist()]
    if len(items) != n:
        raise InputError(
            expected=f"one label for each of {n} nodes", got=f"{len(items)}", where="Network"
        )
    with keys_only("labels"):
        used = set(items)
        if classes is None:
            names = tuple(sorted(used - {None}, key=natural_order))
        else:
            names = tuple(classes)
        numbers = {name: code for code, name in enumerate(names)} | {None: MISSING}
    unknown = next((item for item in items if item not in numbers), None)
    if unknown is not None:
        raise unknown_choice("label", unknown, names)
    return np.fromiter((numbers[item] for item in items), dtype=np.int32, count=n), names


def recode(
    codes: NDArray[Any], categories: list[Hashable]
) -> tuple[NDArray[np.int32], tuple[Hashable, ...]]:
    """Number the categories that occur in their sorted order."""
    used = np.unique(codes[codes >= 0]).tolist()
    order = sorted(used, key=lambda code: natural_order(categories[code]))
    table = np.full(len(categories) + 1, MISSING, dtype=np.int32)
    table[order] = np.arange(len(order))
    return table[codes], tuple(categories[code] for code in order)


def check_targets(values: Any, n: int) -> NDArray[np.float64]:
    """Return targets as numbers, NaN where one is missing; refuse text and infinite ones."""
    try:
        items = [np.nan if is_missing(v) else float(v) for v in object_array(values).tolist()]
    except (TypeError, ValueError) as error:
        raise InputError(
            parameter="targets", expected=f"a number for each node ({error})", where="Network"
        ) from None
    array = np.array(items, dtype=np.float64) + 0.0  # no negative zeros, which files lose
    if array.size != n:
        raise InputError(
            expected=f"one target for each of {n} nodes", got=f"{array.size}", where="Network"
        )
    endless = np.flatnonzero(np.isinf(array))
    if endless.size:
        raise InputError(
            parameter="targets",
            expected="finite numbers",
            got=f"{array[endless[0]]} for node {endless[0]}",
            hint="None or NaN stands for a missing one",
            where="Network",
        )
    return frozen(array)


def known_codes(targets: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return 0 for each node whose target is known, else -1."""
    return np.where(np.isnan(targets), MISSING, 0).astype(np.int32)


def check_ids(ids: Iterable[Hashable] | None, n: int) -> NDArray[Any]:
    if ids is None:
        return np.arange(n)
    array = native_array(ids)
    if array.size != n:
        raise InputError(
            expected=f"one id for each of {n} nodes", got=f"{array.size}", where="Network"
        )
    with keys_only("ids"):
        distinct = count_distinct(array)
    if distinct != n:
        seen: set[Hashable] = set()
        twice = next(i for i in array if i in seen or seen.add(i))  # type: ignore[func-returns-value]
        raise InputError(f"Network: node id {shown(twice)} occurs more than once; ids must differ")
    refuse_half_characters("ids", array)
    return array


def count_distinct(ids: NDArray[Any]) -> int:
    if ids.dtype == object:
        return len(set(ids.tolist()))
    if is_dense(ids, ids):
        seen = np.zeros(int(np.ptp(ids)) + 1, dtype=bool)
        seen[ids - ids.min()] = True
        return int(np.count_nonzero(seen))
    ids = np.sort(ids)
    return int(np.count_nonzero(ids[1:] != ids[:-1])) + bool(ids.size)


def check_features(features: Any, n: int) -> Any:
    if features is None:
        return None
    sparse = sp.issparse(features)
    matrix: Any = sp.csr_array(features) if sparse else as_array("features", features)
    if sparse and not matrix.has_canonical_format:
        matrix = matrix.copy()  # SciPy sorts in place, which a frozen array refuses
        matrix.sum_duplicates()
    if matrix.ndim != 2 or matrix.shape[0] != n:
        raise InputError(
            parameter="features",
            expected=f"one row for each of the {n} nodes",
            got=f"shape {matrix.shape}",
            where="Network",
        )
    return frozen_matrix(matrix)


def check_attributes(
    attributes: Mapping[str, Iterable[Any]] | None, n: int
) -> Mapping[str, NDArray[Any]]:
    columns = {str(key): frozen(native_array(values)) for key, values in (attributes or {}).items()}
    refuse_half_characters("names of node columns", columns)
    for key, column in columns.items():
        if column.size != n:
            raise InputError(
                f"Network: node column {shown(key)} has {column.size} entries for {n} nodes"
            )
        refuse_half_characters(f"node column {shown(key)}", column)
    return MappingProxyType(columns)
