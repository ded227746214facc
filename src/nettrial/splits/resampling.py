"""Random resampling: independent splits, test sets that overlap."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from .. import seeds
from .design import Mask, SampledDesign
from .order import sampling_order
from .pool import Pool


class RandomResampling(SampledDesign):
    """Simple random resampling (RRS).

    Each split tests on a uniform sample of round((1 - labeled) m) of the m labelled nodes and
    trains on the others, independently of the other splits, so test sets overlap and a test
    that takes them for independent is not valid.

    Parameters
    ----------
    n_splits : int
        Number of splits, at least 2.
    labeled : float
        Proportion of the labelled nodes that the model sees, above 0 and below 1.
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
    >>> from nettrial.network import Network
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
