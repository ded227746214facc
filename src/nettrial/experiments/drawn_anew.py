"""The community bootstrap in many trials: both models on networks drawn anew from each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

from .. import seeds
from ..bootstrap.reference import spread_of
from ..kernels.small_graphs import WIDTH
from ..seeds import Stream

Floats = NDArray[np.float64]
REPLICATE_SPLITS = WIDTH  # one vector of splits; the variance for any other number follows


def bootstrap_pvalue(own: Floats, plain: Floats, null: Floats, sizes: Floats) -> float:
    """Return the p-value of `nettrial.bootstrap.test.community_bootstrap_test`, NaN without spread.

    Parameters
    ----------
    own : ndarray, shape (k,)
        Difference on every split of the network itself.
    plain, null : ndarray, shape (n_replicates, r)
        The same on the replicates of either kind.
    sizes : ndarray, shape (n_communities,)
        Nodes in each community.
    """
    spread = spread_of(plain, null, own, sizes, independent=True)
    if spread.variance == 0:
        return np.nan
    statistic = own.mean() / np.sqrt(spread.variance)
    return float(min(2 * special.stdtr(spread.df, -abs(statistic)), 1.0))


def trial_seeds(seed: int) -> tuple[int, int]:
    """Derive the seeds of the two kinds of replicates of one trial."""
    return seeds.derive(seed, Stream.TRIAL_PLAIN), seeds.derive(seed, Stream.TRIAL_NULL)
