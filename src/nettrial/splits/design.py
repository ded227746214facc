"""What all designs share: options, the three sets, and the scikit-learn side."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..core import seeds
from ..core.arguments import check_arguments
from ..network.canonical_order import canonical_order
from ..network.network import Network
from .base import ShowsOptions, Split, splits_in_order
from .checks import check_count, check_extent, training_size
from .order import check_strata
from .pool import Codes, Pool, pool_of_arrays

Mask = NDArray[np.bool_]


class SplitDesign(ShowsOptions, ABC):
    """A design gives, for each split, two masks over the labeled nodes: training and test."""

    short: ClassVar[str]

    @abstractmethod
    def _masks(self, pool: Pool) -> Iterator[tuple[Mask, Mask]]:
        """Check the options against the pool and give (train, test) for every split."""

    @abstractmethod
    @check_arguments
    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits; the arguments are not used."""

    @check_arguments
    def split_network(self, network: Network) -> list[Split]:
        """Split a network.

        Parameters
        ----------
        network : Network
            Nodes whose label is missing enter neither training nor test sets, but belong to
            every inference set.

        Returns
        -------
        list of Split
            The same for every call, and in every order of the nodes: they are drawn in the order
            of their ids.

        Raises
        ------
        InputError
            Where the options do not fit the network.
        """
        pool = Pool(network.labeled, network.n_nodes, network)
        order = canonical_order(network)
        if order is not None:
            return splits_in_order(self.split_network(order.network), order.back)
        check_extent(self.short, self.get_n_splits(), pool.size)
        complete = pool.size == pool.n_nodes
        splits = []
        for train, test in self._masks(pool):
            trained = pool.nodes[train]
            outside = np.ones(pool.n_nodes, dtype=bool)
            outside[trained] = False
            inference = np.flatnonzero(outside)
            # one array serves both where they are equal: large networks need the memory
            tested = inference if complete and (train | test).all() else pool.nodes[test]
            splits.append(Split(train=trained, inference=inference, test=tested))
        return splits

    @check_arguments
    def split(
        self, X: Any, y: Any = None, groups: Any = None
    ) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """Yield training and test indices, as scikit-learn's splitters do.

        Parameters
        ----------
        X : array_like or Network, n_samples rows
            Only the number of its rows is used.
        y : array_like, shape (n_samples,), optional
            Labels; samples whose label is None or NaN enter neither set.
        groups : array_like, shape (n_samples,), optional
            The node column that the design names, if it names one.

        Yields
        ------
        train, test : ndarray of int
        """
        if isinstance(X, Network):
            yield from ((split.train, split.test) for split in self.split_network(X))
            return
        pool = pool_of_arrays(X, y, groups)
        for train, test in self._masks(pool):
            yield pool.nodes[train], pool.nodes[test]


class SampledDesign(SplitDesign):
    """A design with the options of the papers: number of splits, proportion, strata, seed."""

    @check_arguments
    def __init__(
        self,
        *,
        n_splits: int = 10,
        labeled: float = 0.3,
        stratify: str | None = None,
        seed: seeds.Seed = 0,
    ) -> None:
        self.n_splits = n_splits
        self.labeled = labeled
        self.stratify = stratify
        self.seed = seeds.freeze(seed)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits; the arguments are not used."""
        return check_count(self.short, "n_splits", self.n_splits, 2)

    def _training_size(self, pool: Pool) -> int:
        return training_size(self.short, self.labeled, pool.size)

    def _strata(self, pool: Pool, least: int, sides: tuple[int, ...]) -> Codes | None:
        if self.stratify is None:
            return None
        strata, names = pool.column(self.stratify)
        check_strata(self.short, strata, names, least, sides)
        return strata
