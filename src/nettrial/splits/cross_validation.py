"""Cross-validation: test sets that do not overlap."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..core import seeds
from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..core.option_names import option, option_name
from .checks import check_count, check_labeled, round_half_up
from .design import Mask, SampledDesign, SplitDesign
from .order import check_strata, deal_folds, sampling_order
from .pool import Codes, Pool


class NetworkCrossValidation(SampledDesign):
    """Network cross-validation (NCV): disjoint test sets with any proportion of labels.

    The labeled nodes are divided into `n_splits` folds, each of which is a test set. The
    model trains on a uniform sample of round(labeled m) nodes of the other folds and predicts
    all nodes outside that sample together, but only the fold is evaluated.

    Parameters
    ----------
    n_splits : int
        Number of folds, at least 2.
    labeled : float
        Proportion of the labeled nodes that the model sees: above 0, and at most
        (n_splits - 1) / n_splits, where a fold of one node more leaves one node less.
    stratify : str, optional
        "label" or a node column: its values are spread evenly over folds and training samples.
        Nodes without a value form a stratum of their own.
    seed : int, SeedSequence or Generator
        Frozen when the design is made. The folds depend on `seed`, `n_splits` and `stratify`
        only, so one set of folds serves all proportions, and a fold's training sample of a
        smaller proportion is part of that of a larger one.

    References
    ----------
    Neville, Gallagher and Eliassi-Rad (2009), ICDM, table 4.

    Examples
    --------
    >>> from nettrial.network.network import Network
    >>> net = Network([0, 1], [1, 2], n_nodes=5, labels=["a", "b", "a", "b", None])
    >>> splits = NetworkCrossValidation(n_splits=2, labeled=0.25).split_network(net)
    >>> np.sort(np.concatenate([split.test for split in splits])).tolist()
    [0, 1, 2, 3]
    >>> [(split.train.size, split.inference.size) for split in splits]
    [(1, 4), (1, 4)]
    """

    short: ClassVar[str] = "NCV"

    def _training_size(self, pool: Pool) -> int:
        labeled, k, size = check_labeled(self.short, self.labeled), self.get_n_splits(), pool.size
        _check_folds(self.short, k, size)
        n_train = round_half_up(labeled * size)
        outside = size - math.ceil(size / k)
        if n_train < 1:
            raise InputError(
                f"NCV: {option('labeled', labeled)} of {size:,} labeled nodes gives no training "
                f"node; use {option_name('labeled')} >= {math.ceil(500 / size) / 1000:g}, or a "
                "network with more labels"
            )
        if n_train > outside and labeled > (k - 1) / k + 1e-9:
            most = math.floor(1000 * (k - 1) / k) / 1000
            raise InputError(
                f"NCV: {option('labeled', labeled)} needs {n_train} labeled nodes, but only "
                f"{outside} lie outside each of {k} folds; use {option_name('labeled')} <= "
                f"{most:g} or more folds"
            )
        return n_train

    def _masks(self, pool: Pool) -> Iterator[tuple[Mask, Mask]]:
        n_train = self._training_size(pool)
        strata = self._strata(pool, self.n_splits, (n_train,))
        folds = deal_folds(pool.size, self.n_splits, strata, seeds.generator(self.seed))
        for fold in range(self.n_splits):
            test = folds == fold
            others = np.flatnonzero(~test)
            inside = None if strata is None else strata[others]
            order = sampling_order(others.size, inside, seeds.generator(self.seed, fold))
            train = np.zeros(pool.size, dtype=bool)
            train[others[order[:n_train]]] = True
            yield train, test


class RepeatedKFold(SplitDesign):
    """Repeated k-fold cross-validation: trains on all folds but one, tests on that one.

    The splits of one repetition follow each other. Test sets are disjoint inside a
    repetition and overlap between repetitions.

    Parameters
    ----------
    n_splits : int
        Number of folds, at least 2.
    n_repeats : int
        Number of repetitions; 1 is plain k-fold cross-validation.
    stratify : str, optional
        "label" or a node column, spread evenly over the folds.
    seed : int, SeedSequence or Generator
        Frozen when the design is made.

    Examples
    --------
    >>> RepeatedKFold(n_splits=5, n_repeats=2).get_n_splits()
    10
    """

    short: ClassVar[str] = "k-fold"

    @check_arguments
    def __init__(
        self,
        *,
        n_splits: int = 10,
        n_repeats: int = 10,
        stratify: str | None = None,
        seed: seeds.Seed = 0,
    ) -> None:
        self.n_splits = n_splits
        self.n_repeats = n_repeats
        self.stratify = stratify
        self.seed = seeds.freeze(seed)

    @check_arguments
    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of folds times repetitions; the arguments are not used."""
        folds = check_count(self.short, "n_splits", self.n_splits, 2)
        return folds * check_count(self.short, "n_repeats", self.n_repeats, 1)

    def _masks(self, pool: Pool) -> Iterator[tuple[Mask, Mask]]:
        self.get_n_splits()
        _check_folds(self.short, self.n_splits, pool.size)
        strata: Codes | None = None
        if self.stratify is not None:
            strata, names = pool.column(self.stratify)
            check_strata(self.short, strata, names, self.n_splits, ())
        for repeat in range(self.n_repeats):
            rng = seeds.generator(self.seed, repeat)
            folds: NDArray[np.intp] = deal_folds(pool.size, self.n_splits, strata, rng)
            for fold in range(self.n_splits):
                yield folds != fold, folds == fold


class FiveByTwo(RepeatedKFold):
    """Five repetitions of two-fold cross-validation, for the 5x2cv tests.

    Splits 2i and 2i + 1 are the two halves of repetition i.

    Parameters
    ----------
    stratify : str, optional
        "label" or a node column, spread evenly over the halves.
    seed : int, SeedSequence or Generator
        Frozen when the design is made.

    References
    ----------
    Dietterich (1998), Approximate statistical tests for comparing supervised classification
    learning algorithms, Neural Computation 10(7).

    Examples
    --------
    >>> FiveByTwo().get_n_splits()
    10
    """

    short: ClassVar[str] = "5x2cv"

    @check_arguments
    def __init__(self, *, stratify: str | None = None, seed: seeds.Seed = 0) -> None:
        super().__init__(n_splits=2, n_repeats=5, stratify=stratify, seed=seed)


def _check_folds(design: str, n_folds: int, size: int) -> None:
    if size < n_folds:
        raise InputError(
            expected=f"at least {n_folds} labeled nodes for {n_folds} folds",
            got=f"{size}",
            hint="use fewer folds",
            where=design,
        )
