"""Two simulated classifiers that are equally good but fail on different groups of nodes.

The nodes belong to groups at random. In every split, some groups of the first half fail for
A, and as many of the second half for B: a node of a failing group is misclassified with a high
probability, any other with a low one. Both have the same error rate, so every rejection of
"A = B" is a Type I error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core import seeds
from ..core.errors import InputError, shown, unknown_choice
from ..core.results import Result
from ..splits.checks import check_count, round_half_up
from ..splits.design import SplitDesign
from ..splits.names import by_name, listed_design

Redraw: TypeAlias = Literal["fold", "trial"]
DESIGNS = ("rrs", "ers", "ncv")
MOST_SKEW = 10.0


@dataclass(frozen=True, slots=True)
class GroupClassifiers:
    """The simulated world.

    References
    ----------
    Neville, Gallagher and Eliassi-Rad (2009), ICDM, tables 6 and 7; Wang, Neville, Gallagher
    and Eliassi-Rad (2011), ECML PKDD, section 5.1, for failing groups that stay.

    Examples
    --------
    >>> world = GroupClassifiers(error=0.1, correlation=0.9)
    >>> world.n_failing, round(world.error_failing, 6), round(world.error_other, 6)
    (1, 0.91, 0.01)
    """

    # n_nodes, n_groups: each node is in one of the groups, drawn by `shares`
    n_nodes: int = 300
    n_groups: int = 10
    # error rate p of both classifiers, above 0 and at most 1/2; exact where p times `n_groups` is
    # whole
    error: float = 0.1
    # c, from 0 (all groups fail alike) to 1 (a failing group errs always, another never)
    correlation: float = 0.9
    # {"fold", "trial"}: whether the failing groups are drawn anew for every fold (table 7 of the
    # source), or stay for a trial. Errors are drawn anew for every fold in any case.
    redraw: Redraw = "fold"
    # B's error rate minus A's, from 0 to 1 - p: B's right predictions are turned wrong, each with
    # probability difference / (1 - p), wherever they are
    difference: float = 0.0
    # how many times as large, on average, a group is as the next of its half, from 1. Both halves
    # have the same sizes, so that both classifiers err equally often; their error rate is then p on
    # average over failing groups.
    skew: float = 1.0

    @property
    def shares(self) -> NDArray[np.float64]:
        """The probability of each group.

        Examples
        --------
        >>> GroupClassifiers(n_groups=4, skew=3.0).shares.tolist()
        [0.375, 0.125, 0.375, 0.125]
        """
        half = self.n_groups // 2
        sizes = self.skew ** -np.r_[np.arange(half), np.arange(self.n_groups - half)].astype(float)
        return np.asarray(sizes / sizes.sum())

    @property
    def n_failing(self) -> int:
        """Number of failing groups of each classifier, round(n_groups p)."""
        return round_half_up(self.n_groups * self.error)

    @property
    def error_failing(self) -> float:
        """P(error) in a failing group, q = p + c (1 - p)."""
        return self.error + self.correlation * (1 - self.error)

    @property
    def error_other(self) -> float:
        """P(error) in other groups, p (1 - q) / (1 - p).

        The source's table 7 prints a sum in place of the product; with it the overall error
        rate would not be p.
        """
        return self.error * (1 - self.error_failing) / (1 - self.error)

    def limits(self) -> NDArray[np.float64]:
        """P(error) of A and B, a row each, in failing and in other groups.

        Examples
        --------
        >>> GroupClassifiers(error=0.1, correlation=0.5, difference=0.09).limits().round(3).tolist()
        [[0.55, 0.05], [0.595, 0.145]]
        """
        a = np.array([self.error_failing, self.error_other])
        return np.stack([a, a + (1 - a) * self.difference / (1 - self.error)])

    def check(self) -> None:
        """Refuse settings outside what the simulation is defined for."""
        check_count("GroupClassifiers", "n_nodes", self.n_nodes, 2)
        check_count("GroupClassifiers", "n_groups", self.n_groups, 2)
        if not 0 < self.error <= 0.5 or not 1 <= self.n_failing <= self.n_groups // 2:
            raise InputError(
                expected=f"1 to {self.n_groups // 2} failing groups",
                got=f"{self.n_failing} by error={shown(self.error)} of {self.n_groups} groups",
                hint="use an error rate above 0 and at most 0.5, or more groups",
                where="GroupClassifiers",
            )
        if not 0 <= self.correlation <= 1:
            raise InputError(
                parameter="correlation",
                expected="a number from 0 to 1",
                got=shown(self.correlation),
                where="GroupClassifiers",
            )
        if not 0 <= self.difference <= 1 - self.error:
            raise InputError(
                parameter="difference",
                expected=f"a number from 0 to {1 - self.error:g}, 1 less the error rate",
                got=shown(self.difference),
                where="GroupClassifiers",
            )
        if not 1 <= self.skew <= MOST_SKEW or (self.skew > 1 and self.n_groups % 2):
            raise InputError(
                parameter="skew",
                expected=f"a number from 1 to {MOST_SKEW:g}, and an even number of groups above 1",
                got=f"{shown(self.skew)} for {self.n_groups} groups",
                where="GroupClassifiers",
            )
        if self.redraw not in ("fold", "trial"):
            raise unknown_choice("redraw", self.redraw, ("fold", "trial"))


@dataclass(frozen=True, slots=True, repr=False)
class GroupTrials(Result):
    """What the simulated classifiers did."""

    design: str  # "rrs", "ers" or "ncv"
    labeled: float  # proportion of training nodes
    sizes: NDArray[np.int64]  # shape (n_folds,): test set sizes
    errors: NDArray[np.int32]  # shape (n_trials, 2, n_folds): errors of A and B in every test set
    # shape (n_trials, 2, 3): for A and B, over ordered pairs of test nodes of one group and all
    # folds: pairs that both err, pairs whose first node errs, all pairs
    pairs: NDArray[np.int64]
    # shape (n_trials, 2, 2): for A and B, sum x (x - 1) and sum c (c - 1) over the nodes, each of
    # which erred x times in c tests
    repeats: NDArray[np.int64]
    # shape (n_trials, 2, n_groups): a's errors minus B's, and the tests, of the nodes of every
    # group over all folds
    by_group: NDArray[np.int64]

    @property
    def rates(self) -> NDArray[np.float64]:
        """Error rates in every test set, shape (n_trials, 2, n_folds)."""
        return self.errors / self.sizes

    def paired_t_rejections(self, alpha: float = 0.05) -> NDArray[np.bool_]:
        """Return whether the two-sided paired t-test over the folds rejects at `alpha`, by trial.

        Where all differences are equal, any other than zero is significant.
        """
        from scipy.special import stdtrit

        from ..kernels.group_simulation import paired_t_rejections

        rejected = np.empty(self.errors.shape[0], dtype=bool)
        critical = float(stdtrit(self.sizes.size - 1, 1 - alpha / 2))
        paired_t_rejections(self.errors, self.sizes, critical, rejected)
        return rejected

    def error_correlation(self) -> NDArray[np.float64]:
        """Phi coefficient of the errors over all pairs of one group, pooled; for A and B."""
        both, first, pairs = self.pairs.sum(axis=0).T
        p = first / pairs
        return np.asarray((both / pairs - p * p) / (p * (1 - p)))


def simulate_groups(
    design: str = "rrs",
    *,
    labeled: float = 0.1,
    n_folds: int | None = None,
    n_trials: int = 1000,
    first_trial: int = 0,
    world: GroupClassifiers | None = None,
    seed: seeds.Seed = 0,
) -> GroupTrials:
    """Run trials of the simulated classifiers, compiled.

    Parameters
    ----------
    design : {"rrs", "ers", "ncv"}
        How the nodes are split.
    labeled : float
        Proportion of training nodes. There is no training, so it sets the size of the test
        sets, except for "ncv", whose folds do not depend on it.
    n_folds : int, optional
        Number of splits: 30 by default, 10 for "ncv".
    n_trials, first_trial : int
        Trials `first_trial`, `first_trial` + 1, ...; each has its own stream, so that parts of
        a run put together are the run.
    world : GroupClassifiers, optional
        By default that of the source.
    seed : int, SeedSequence or Generator
        Random seed.

    Examples
    --------
    >>> trials = simulate_groups("rrs", labeled=0.1, n_trials=200, seed=1)
    >>> float(trials.paired_t_rejections().mean()) > 0.3
    True
    """
    from ..kernels.group_simulation import GroupCell, group_trials

    design = listed_design(design)
    world, sizes = _prepare(design, labeled, n_folds, world)
    entropy = seeds.freeze(seed)
    check_count("simulate_groups", "n_trials", n_trials, 1)
    errors = np.empty((n_trials, 2, sizes.size), dtype=np.int32)
    pairs = np.empty((n_trials, 2, 3), dtype=np.int64)
    repeats = np.empty((n_trials, 2, 2), dtype=np.int64)
    by_group = np.empty((n_trials, 2, world.n_groups), dtype=np.int64)
    high, low = np.rint(world.limits().T * 2**32).astype(np.uint64)
    cell = GroupCell(
        DESIGNS.index(design),
        world.n_nodes,
        np.ceil(np.cumsum(world.shares)[:-1] * 2**32).astype(np.uint64),
        world.n_failing,
        high,
        low,
        world.redraw == "trial",
        sizes,
        *seeds.key(entropy),
    )
    group_trials(cell, first_trial, errors, pairs, repeats, by_group)
    return GroupTrials(design, labeled, sizes, errors, pairs, repeats, by_group)


def _splitter(design: str, labeled: float, n_folds: int, seed: int) -> SplitDesign:
    return by_name(design, n_splits=n_folds, labeled=labeled, seed=seed)


def _prepare(
    design: str, labeled: float, n_folds: int | None, world: GroupClassifiers | None
) -> tuple[GroupClassifiers, NDArray[np.int64]]:
    """Check everything and give the world and the sizes of the test sets."""
    if design not in DESIGNS:
        raise unknown_choice("design", design, DESIGNS)
    world = GroupClassifiers() if world is None else world
    world.check()
    if n_folds is None:
        n_folds = 10 if design == "ncv" else 30
    splits = _splitter(design, labeled, n_folds, 0).split(np.zeros(world.n_nodes))
    return world, np.array([test.size for _, test in splits], dtype=np.int64)
