"""Designs that follow time, links or communities."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..core import seeds
from ..core.arguments import check_arguments
from ..core.errors import AssumptionWarning, InputError, shown, warn_user
from ..core.option_names import NAME, Placeholder, option
from ..network.communities import louvain
from ..network.network import Network
from ..network.node_values import MISSING
from .checks import check_count
from .design import Mask, SampledDesign, SplitDesign
from .order import sampling_order
from .pool import Codes, Pool


class Temporal(SplitDesign):
    """Train on the past, test on what comes next.

    The labeled nodes are put in order of time and divided into n_splits + 1 blocks of nearly
    equal size that do not divide nodes of one time. Split i trains on blocks 0 to i and tests
    on block i + 1, so test sets are disjoint and training sets grow. Later nodes are predicted
    along with the others, but not evaluated.

    Parameters
    ----------
    column : str, optional
        Node column with the time: numbers, or text that sorts as time does (such as ISO
        dates). With arrays, ``groups`` holds the time. By default links have times, and a node
        has that of its first link. Models then see the links up to that of the last node that is
        tested: nobody is judged by links after the cut.
    n_splits : int
        Number of splits, at least 2.

    Examples
    --------
    >>> net = Network([0], [1], n_nodes=4, labels=["a", "b", "a", "b"],
    ...               attributes={"year": [2003, 2001, 2002, 2001]})
    >>> [(s.train.tolist(), s.test.tolist())
    ...  for s in Temporal(column="year", n_splits=2).split_network(net)]
    [([1, 3], [2]), ([1, 2, 3], [0])]
    """

    short: ClassVar[str] = "temporal"

    @check_arguments
    def __init__(self, *, column: str | None = None, n_splits: int = 5) -> None:
        self.column = column
        self.n_splits = n_splits

    @check_arguments
    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits; the arguments are not used."""
        return check_count(self.short, "n_splits", self.n_splits, 2)

    def _masks(self, pool: Pool) -> Iterator[tuple[Mask, Mask]]:
        n_splits = self.get_n_splits()
        if self.column is None:
            yield from self._by_links(pool, n_splits)
            return
        if pool.network is not None and pool.network.times is not None:
            raise InputError(
                f"temporal: the links have times, and so has the column {shown(self.column)}; "
                "leave one of them out"
            )
        time, _ = pool.column(self.column)
        if (time < 0).any():
            raise InputError(
                f"temporal: {np.count_nonzero(time < 0)} labeled nodes have no value in the "
                f"column {shown(self.column)}; give them one, or hide their labels"
            )
        yield from past_and_next(time, n_splits, f"the column {shown(self.column)} has")

    def _by_links(self, pool: Pool, n_splits: int) -> Iterator[tuple[Mask, Mask]]:
        if pool.network is None or pool.network.times is None:
            raise InputError(
                "temporal: neither nodes nor links have times; name a node column "
                f"({option('design', Placeholder('temporal:COLUMN'))}) or a column of the links "
                f"({option('columns', {'time': NAME})})"
            )
        time = pool.network.first_links()[pool.nodes]
        dated = ~np.isnan(time)
        if not dated.all():
            warn_user(
                AssumptionWarning(
                    f"temporal: {np.count_nonzero(~dated):,} labeled nodes have no link, and so no "
                    "time; they are neither learned from nor tested"
                )
            )
        for sets in past_and_next(time[dated], n_splits, "the first links of nodes have"):
            masks = np.zeros((2, time.size), dtype=bool)
            masks[:, dated] = sets
            yield masks[0], masks[1]


def past_and_next(
    time: NDArray[Any], n_splits: int, holder: str
) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
    """Yield for every split what comes before a block of time, and what is in the block."""
    n_blocks = n_splits + 1
    times, counts = np.unique(time, return_counts=True)
    if times.size < n_blocks:
        raise InputError(
            f"temporal: {n_splits} splits need at least {n_blocks} different times, {holder} "
            f"{times.size}; use fewer splits"
        )
    block = _blocks(counts, n_blocks)[np.searchsorted(times, time)]
    for split in range(1, n_blocks):
        yield block < split, block == split


def _blocks(counts: NDArray[np.intp], n_blocks: int) -> NDArray[np.intp]:
    """Divide runs of the given sizes into consecutive, non-empty blocks of nearly equal size."""
    ends = np.cumsum(counts)
    wanted = ends[-1] * np.arange(1, n_blocks) / n_blocks
    cut = np.array([int(np.argmin(np.abs(ends - place))) + 1 for place in wanted])
    # leave at least one run for each block before and after a cut
    cut = np.maximum.accumulate(cut - np.arange(cut.size)) + np.arange(cut.size)
    cut = np.minimum(cut, counts.size - np.arange(cut.size, 0, -1))
    return np.searchsorted(cut, np.arange(counts.size), side="right")


class _NetworkDesign(SampledDesign):
    """A design that draws the training nodes of each split along the network."""

    @abstractmethod
    def _training(
        self, pool: Pool, n_train: int, rng: np.random.Generator
    ) -> NDArray[np.integer[Any]]:
        """Return the positions of the training nodes in the pool."""

    def _masks(self, pool: Pool) -> Iterator[tuple[Mask, Mask]]:
        n_splits = self.get_n_splits()
        n_train = self._training_size(pool)
        for i in range(n_splits):
            train = np.zeros(pool.size, dtype=bool)
            train[self._training(pool, n_train, seeds.generator(self.seed, i))] = True
            yield train, ~train


class Snowball(_NetworkDesign):
    """Snowball sampling: train on a random node and those around it, wave by wave.

    The last wave is sampled at random; where a component is exhausted, another random node
    starts anew. Nodes without label pass the wave on, but do not count. Links count without
    direction.

    Parameters
    ----------
    n_splits : int
        Number of splits, at least 2.
    labeled : float
        Proportion of the labeled nodes that the model sees.
    seed : int, SeedSequence or Generator
        Frozen when the design is made.

    Examples
    --------
    >>> net = Network([0, 1, 2], [1, 2, 3], n_nodes=4, labels=["a", "a", "b", "b"])
    >>> split = Snowball(labeled=0.5).split_network(net)[0]
    >>> int(split.train[1] - split.train[0])
    1
    """

    short: ClassVar[str] = "snowball"

    @check_arguments
    def __init__(self, *, n_splits: int = 10, labeled: float = 0.3, seed: seeds.Seed = 0) -> None:
        super().__init__(n_splits=n_splits, labeled=labeled, seed=seed)

    def _training(
        self, pool: Pool, n_train: int, rng: np.random.Generator
    ) -> NDArray[np.integer[Any]]:
        if pool.network is None:
            raise InputError(
                "snowball: follows links, so it needs a network; use split_network(network)"
            )
        starts = pool.nodes[sampling_order(pool.size, None, rng)]
        labeled = pool.network.labels != MISSING
        order = _waves(pool.network, starts, labeled, n_train, rng)
        return np.searchsorted(pool.nodes, order[:n_train])


def _waves(
    network: Network,
    starts: NDArray[np.intp],
    labeled: Mask,
    enough: int,
    rng: np.random.Generator,
) -> NDArray[np.intp]:
    """Return labeled nodes wave by wave, each wave shuffled, until there are enough.

    Whenever a wave dies out, the first of `starts` that was not reached begins anew.
    """
    indptr, indices, _ = network.neighbors("both")
    seen = np.zeros(network.n_nodes, dtype=bool)
    waves: list[NDArray[np.intp]] = []
    found = 0
    for start in starts:
        wave = np.array([] if seen[start] else [start], dtype=np.intp)
        while wave.size and found < enough:
            seen[wave] = True
            waves.append(rng.permutation(wave[labeled[wave]]))
            found += waves[-1].size
            degree = indptr[wave + 1] - indptr[wave]
            offset = np.repeat(indptr[wave] - (np.cumsum(degree) - degree), degree)
            reached = indices[offset + np.arange(offset.size)]
            wave = np.unique(reached[~seen[reached]]).astype(np.intp)
        if found >= enough:
            break
    return np.concatenate(waves)


class _CommunityDesign(_NetworkDesign):
    @check_arguments
    def __init__(
        self,
        *,
        n_splits: int = 10,
        labeled: float = 0.3,
        column: str | None = None,
        seed: seeds.Seed = 0,
    ) -> None:
        super().__init__(n_splits=n_splits, labeled=labeled, seed=seed)
        self.column = column

    def _communities(self, pool: Pool) -> Codes:
        if self.column is not None:
            return pool.column(self.column)[0]
        if pool.network is None:
            raise InputError(
                f"{self.short}: without a column, communities are found in the links; use "
                f"split_network(network), or give column= and {option('groups')}"
            )
        return louvain(pool.network, seed=seeds.derive(self.seed))[pool.nodes]


class CommunityStratified(_CommunityDesign):
    """Random resampling in which every community gives the same share of training nodes.

    Communities too small for that are sampled together with the others: a community of N
    nodes gives about labeled N of them.

    Parameters
    ----------
    n_splits : int
        Number of splits, at least 2.
    labeled : float
        Proportion of the labeled nodes that the model sees.
    column : str, optional
        Node column with the communities (with arrays, ``groups`` holds them); by default they
        are found by Louvain. Nodes without a value count as one community.
    seed : int, SeedSequence or Generator
        Frozen when the design is made.

    Examples
    --------
    >>> net = Network([0], [1], n_nodes=4, labels=["a", "a", "b", "b"],
    ...               attributes={"school": ["x", "x", "y", "y"]})
    >>> split = CommunityStratified(labeled=0.5, column="school").split_network(net)[0]
    >>> net.attributes["school"][split.train].tolist()
    ['x', 'y']
    """

    short: ClassVar[str] = "community-stratified"

    def _training(
        self, pool: Pool, n_train: int, rng: np.random.Generator
    ) -> NDArray[np.integer[Any]]:
        order = sampling_order(pool.size, self._communities(pool), rng, both_sides=False)
        return order[:n_train]


class CommunityBiased(_CommunityDesign):
    """Resampling by communities: whole communities are in the training or in the test set.

    Communities enter the training set in random order; only the last of them is divided, at
    random, so that sizes are exact.

    Parameters
    ----------
    n_splits, labeled, column, seed
        As for `CommunityStratified`.

    Examples
    --------
    >>> net = Network([0], [1], n_nodes=4, labels=["a", "a", "b", "b"],
    ...               attributes={"school": ["x", "x", "y", "y"]})
    >>> split = CommunityBiased(labeled=0.5, column="school").split_network(net)[0]
    >>> len(set(net.attributes["school"][split.train]))
    1
    """

    short: ClassVar[str] = "community-biased"

    def _training(
        self, pool: Pool, n_train: int, rng: np.random.Generator
    ) -> NDArray[np.integer[Any]]:
        _, codes = np.unique(self._communities(pool), return_inverse=True)
        turn = rng.permutation(codes.max() + 1)
        shuffled = rng.permutation(pool.size)
        return shuffled[np.argsort(turn[codes[shuffled]], kind="stable")][:n_train]
