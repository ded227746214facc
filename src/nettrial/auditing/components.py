"""Components of the variance of a mean difference, and the power that they leave."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..bootstrap.reference import size_correction
from ..communities import effective_number
from ..stats.power import _above
from .audit_result import LEVEL

Floats = NDArray[np.float64]
TEST_REPLICATES = 200  # of the bootstrap in `compare`


class Components(NamedTuple):
    """What the variance of a mean difference is made of, for one size and share of labels.

    Attributes
    ----------
    networks : float
        Variance from network to network.
    splits : float
        Variance from split to split of one network.
    effective : float
        Communities in the network, counted as equal ones.
    unsure : float
        Monte Carlo standard error of `networks`.
    """

    networks: float
    splits: float
    effective: float
    unsure: float

    @classmethod
    def of(cls, differences: Floats, sizes: Floats, multiple: int) -> Components:
        """Take the components from differences on replicates, shape (n_replicates, r)."""
        within = float(differences.var(axis=1, ddof=1).mean())
        between = float(differences.mean(axis=1).var(ddof=1))
        spread = max(between - within / differences.shape[1], 0.0)
        correction = size_correction(sizes)
        return cls(
            networks=spread * correction,
            splits=within,
            effective=multiple * effective_number(sizes),
            # a variance of R values is known to sqrt(2 / (R - 1)) of itself
            unsure=between * correction * float(np.sqrt(2 / (len(differences) - 1))),
        )

    def power(self, difference: float, n_splits: float, shift: float = 0.0) -> float:
        """Return the power of the bootstrap, `shift` Monte Carlo errors of `networks` away."""
        moved = self._replace(networks=max(self.networks + shift * self.unsure, 0.0))
        return t_power(difference, moved.error(n_splits), moved.df(n_splits))

    def error(self, n_splits: float) -> float:
        """Return the standard error of the mean difference over so many splits."""
        return float(np.sqrt(self.networks + self.splits / n_splits))

    def df(self, n_splits: float) -> float:
        """Return the degrees of freedom of the bootstrap, after Satterthwaite."""
        rest = self.splits / n_splits
        total = self.networks + rest
        communities = max(self.effective - 1, 1.0)
        if total == 0:
            return communities
        inverse = (self.networks / total) ** 2 * (1 / communities + 1 / (TEST_REPLICATES - 1))
        return 1 / (inverse + (rest / total) ** 2 / (n_splits - 1))


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
