"""Resampling: random test sets that overlap."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from ..core import seeds
from ..core.errors import InputError
from .design import Mask, SampledDesign
from .order import sampling_order
from .pool import Codes, Pool


class RandomResampling(SampledDesign):
    """Simple random resampling (RRS).

    Each split tests on a uniform sample of round((1 - labeled) m) of the m labeled nodes and
    trains on the others, independently of the other splits, so test sets overlap and a test
    that takes them for independent is not valid.

    Parameters
    ----------
    n_splits : int
        Number of splits, at least 2.
    labeled : float
        Proportion of the labeled nodes that the model sees, above 0 and below 1.
    stratify : str, optional
        "label" or a node column: each of its values is in training and test set in proportion.
        Nodes without a value form a stratum of their own.
    seed : int, SeedSequence or Generator
        Frozen when the design is made, so that it gives the same splits each time; for the
        same seed, training sets of a smaller proportion are part of those of a larger one.

    References
    ----------
    Neville, Gallagher and Eliassi-Rad (2009), Evaluating statistical tests for within-network
    classifiers of relational data, ICDM, table 2.

    Examples
    --------
    >>> from nettrial.network.network import Network
    >>> net = Network([0, 1], [1, 2], n_nodes=5, labels=["a", "b", "a", "b", None])
    >>> split = RandomResampling(n_splits=2, labeled=0.5).split_network(net)[0]
    >>> len(split.train), len(split.test), len(split.inference)
    (2, 2, 3)
    """

    short: ClassVar[str] = "RRS"

    def _masks(self, pool: Pool) -> Iterator[tuple[Mask, Mask]]:
        n_splits = self.get_n_splits()
        n_train = self._training_size(pool)
        strata = self._strata(pool, 2, (n_train, pool.size - n_train))
        for i in range(n_splits):
            order = sampling_order(pool.size, strata, seeds.generator(self.seed, i))
            train = np.zeros(pool.size, dtype=bool)
            train[order[:n_train]] = True
            yield train, ~train


class EqualResampling(SampledDesign):
    """Equal instance resampling (ERS): every node is tested equally often.

    All test sets have round((1 - labeled) m) nodes. Each node has n_splits * size / m copies,
    and each copy goes to the smallest test set that does not hold the node yet, ties at random;
    where that number is not whole, some nodes drawn at random have one copy more. Test sets
    still overlap. Copies are dealt in the order of the nodes, as printed in the source, so nodes
    that follow each other meet in a test set less often than others.

    Parameters
    ----------
    n_splits, labeled
        As for `RandomResampling`.
    stratify : str, optional
        "label" or a node column: nodes are dealt stratum by stratum, so that a stratum's
        shares of two test sets differ by at most 2 nodes.
    seed : int, SeedSequence or Generator
        Frozen when the design is made, so that it gives the same splits each time.

    References
    ----------
    Neville, Gallagher and Eliassi-Rad (2009), ICDM, table 3.

    Examples
    --------
    >>> from nettrial.network.network import Network
    >>> net = Network([0, 1], [1, 2], n_nodes=4, labels=["a", "b", "a", "b"])
    >>> splits = EqualResampling(n_splits=4, labeled=0.5).split_network(net)
    >>> np.bincount(np.concatenate([split.test for split in splits])).tolist()
    [2, 2, 2, 2]
    """

    short: ClassVar[str] = "ERS"

    def _masks(self, pool: Pool) -> Iterator[tuple[Mask, Mask]]:
        from ..kernels.equal_allocation import deal_copies

        n_splits, size = self.get_n_splits(), pool.size
        n_train = self._training_size(pool)
        strata = self._strata(pool, 2, (n_train, size - n_train))
        # test copies to the smallest test sets are training copies to the smallest training
        # sets, so the fewer of the two are dealt
        by_train = 2 * n_train < size
        copies, more = divmod(n_splits * (n_train if by_train else size - n_train), size)
        rng = seeds.generator(self.seed)
        counts = np.full(size, copies)
        counts[sampling_order(size, strata, rng, both_sides=False)[:more]] += 1
        order = np.arange(size) if strata is None else np.argsort(strata, kind="stable")
        held = deal_copies(order, counts, n_splits, *seeds.key(self.seed, 1))
        if strata is not None:
            self._check_shares(held, strata)
        for row in held:
            yield (row, ~row) if by_train else (~row, row)

    def _check_shares(self, held: Mask, strata: Codes) -> None:
        _, code, total = np.unique(strata, return_inverse=True, return_counts=True)
        for row in held:
            share = np.bincount(code[row], minlength=total.size)
            if ((share == 0) | (share == total)).any():
                raise InputError(
                    f"{self.short}: a stratum of {total.min()} labeled nodes is too small to be "
                    "in every training and test set; merge small strata, or use stratify=None"
                )
