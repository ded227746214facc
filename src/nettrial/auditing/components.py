"""Components of the variance of a mean difference, and the power that they leave."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special

from ..inference.variance_sources import Effects
from ..network.communities import effective_number
from ..replicates.bootstrap_variance import size_correction
from ..replicates.half_sample_variance import HalfSampleVariance
from ..stats.power import _above
from .audit_result import LEVEL

Floats = NDArray[np.float64]
TEST_REPLICATES = 200  # of the bootstrap in `compare`
FARTHEST = 1e6  # standard errors beyond which no difference is looked for
PLACES = (np.arange(200) + 0.5) / 200  # of the quantiles by which the Monte Carlo error is reported
MIXED = (PLACES.size * PLACES * (np.sqrt(5) - 1) / 2) % 1  # the same in an order of their own


class Components(NamedTuple):
    """What the variance of a mean difference is made of, for one size and share of labels."""

    networks: float  # variance from network to network
    splits: float  # variance from split to split of one network
    effective: float  # communities in the network, counted as equal ones
    # shape (n_draws, 2): what `networks` and `splits` may be as well, by their Monte Carlo error
    draws: Floats
    # variance from training seed to training seed on one split, where `splits` is without it
    seeds: float = 0.0
    # what a number of halvings adds to the inverse of the degrees of freedom; 0 where networks are
    # drawn with replacement
    halvings: float = 0.0

    @classmethod
    def of(cls, differences: Floats, sizes: Floats, multiple: int) -> Components:
        """Take the components from differences on replicates, shape (n_replicates, r)."""
        n, r = differences.shape
        each = differences.var(axis=1, ddof=1)
        within, between = float(each.mean()), float(differences.mean(axis=1).var(ddof=1))
        error = float(each.var(ddof=1)) / n
        between_draws = between * _chances(PLACES, n - 1)
        # as many degrees of freedom as a variance has that is known so well
        known = 2 * within**2 / error if error > 0 else np.inf
        within_draws = within * _chances(MIXED, known)
        correction = size_correction(sizes)

        def networks(between: Any, within: Any) -> Any:
            return np.maximum(between - within / r, 0.0) * correction

        return cls(
            networks=float(networks(between, within)),
            splits=within,
            effective=multiple * effective_number(sizes),
            draws=np.column_stack([networks(between_draws, within_draws), within_draws]),
        )

    @classmethod
    def of_halves(
        cls,
        spread: HalfSampleVariance,
        effects: Effects,
        n_splits: int,
        n_seeds: int,
        sizes: Floats,
    ) -> Components:
        """Take the components from the variance by halves and the network's own splits.

        Parameters
        ----------
        effects : Effects
            Variance from split to split and from seed to seed of the network's own.
        n_splits, n_seeds : int
            Over which `spread` is the variance of the mean.
        sizes : ndarray, shape (n_communities,)
        """
        noise = effects.split / n_splits + effects.seed / (n_splits * n_seeds)
        variances = spread.variance * _chances(PLACES, 1 / spread.chance)
        draws = np.maximum(variances - noise, 0.0)
        return cls(
            networks=max(spread.variance - noise, 0.0),
            splits=effects.split,
            effective=effective_number(sizes),
            draws=np.column_stack([draws, np.full(draws.size, effects.split)]),
            seeds=effects.seed,
            halvings=spread.chance,
        )

    def times(self, multiple: int) -> Components:
        """Return the components for a network with so many times the communities of this kind.

        What adds up over nodes and communities varies by so much less. What the training seed
        moves may move all nodes alike, and stays.
        """
        return self._replace(
            networks=self.networks / multiple,
            splits=self.splits / multiple,
            effective=self.effective * multiple,
            draws=self.draws / multiple,
        )

    def of_shares(self, whole: float) -> Components:
        """Return the components of differences that are reported as shares of a whole."""
        return self._replace(
            networks=self.networks / whole**2,
            splits=self.splits / whole**2,
            draws=self.draws / whole**2,
            seeds=self.seeds / whole**2,
        )

    def power(self, difference: float, n_splits: float, n_seeds: float = 1) -> float:
        return t_power(difference, self.error(n_splits, n_seeds), self.df(n_splits))

    def interval(
        self, difference: float, n_splits: float, n_seeds: float = 1
    ) -> tuple[float, float]:
        """Return the 95% interval of the power by the Monte Carlo error of the components.

        A generalized confidence interval (Weerahandi 1993): quantiles of the power that the
        components' draws have. The power need not rise or fall with either of them, since the
        degrees of freedom change too.
        """
        found = []
        for networks, splits in self.draws.tolist():
            moved = self._replace(networks=networks, splits=splits)
            found.append(moved.power(difference, n_splits, n_seeds))
        point = self.power(difference, n_splits, n_seeds)
        low, high = np.quantile(found, [LEVEL / 2, 1 - LEVEL / 2])
        return min(float(low), point), max(float(high), point)

    def error(self, n_splits: float, n_seeds: float = 1) -> float:
        """Return the standard error of the mean difference over so many splits and seeds."""
        return float(np.sqrt(self.networks + (self.splits + self.seeds / n_seeds) / n_splits))

    def df(self, n_splits: float) -> float:
        """Return the degrees of freedom of the test, after Satterthwaite."""
        communities = max(self.effective - 1, 1.0)
        if self.halvings:
            return 1 / (1 / communities + self.halvings)
        rest = self.splits / n_splits
        total = self.networks + rest
        if total == 0:
            return communities
        inverse = (self.networks / total) ** 2 * (1 / communities + 1 / (TEST_REPLICATES - 1))
        return 1 / (inverse + (rest / total) ** 2 / (n_splits - 1))

    def detectable(self, power: float, n_splits: float, n_seeds: float = 1) -> float:
        """Return the smallest difference that is seen with some power."""
        error, df = self.error(n_splits, n_seeds), self.df(n_splits)
        if error == 0 or power <= LEVEL:
            return 0.0
        most = 30 * error
        while t_power(most, error, df) < power and most < FARTHEST * error:
            most *= 2
        if t_power(most, error, df) < power:
            return float("inf")
        return float(optimize.brentq(lambda d: t_power(d, error, df) - power, 0.0, most))


def _chances(places: Floats, df: float) -> Floats:
    """Return quantiles of what a variance may be, over its estimate with so many degrees."""
    return np.asarray(df / special.chdtri(df, places)) if np.isfinite(df) else np.ones(places.size)


def t_power(difference: float, error: float, df: float) -> float:
    """Return the power of a two-sided t test at the 0.05 level.

    Examples
    --------
    >>> round(t_power(0.028, 0.01, 1e6), 3), round(t_power(0.028, 0.01, 10), 3)
    (0.8, 0.714)
    """
    if error == 0:
        return 1.0
    point = float(special.stdtrit(df, 1 - LEVEL / 2))
    shift = difference / error
    return min(_above(point, df, shift) + _above(point, df, -shift), 1.0)
