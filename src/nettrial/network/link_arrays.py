"""Links as arrays: their checks, and compressed rows made of them."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from ..core.errors import InputError
from ..core.results import Result
from ..numeric.checks import as_array
from .arrays import frozen

if TYPE_CHECKING:
    pass

WEIGHTS = (1e-30, 1e30)


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
