"""The community bootstrap in many trials: both models on networks drawn anew from each."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from .. import seeds
from ..bootstrap.blocks import Blocks, take_apart
from ..bootstrap.reference import spread_of
from ..bootstrap.runs import totals_of
from ..bootstrap.tilting import null_probabilities
from ..kernels.small_graphs import WIDTH
from ..kernels.streams import key_of
from ..kernels.trials import run_replicates
from ..network import Network

Floats = NDArray[np.float64]
REPLICATE_SPLITS = WIDTH  # one vector of splits; the variance for any other number follows


class Replicates(NamedTuple):
    """Differences of the error rates on replicates.

    Attributes
    ----------
    plain, null : ndarray, shape (n_replicates, n_handicaps, r)
        On every split of the replicates of the network as it is, and of those whose communities
        were drawn such that the models come out equal.
    play : ndarray, shape (n_handicaps,)
        Share of the communities that are in play in the latter.
    """

    plain: Floats
    null: Floats
    play: Floats


def draw_anew(
    network: Network,
    group: NDArray[Any],
    labeled: float,
    models: tuple[Any, ...],
    chances: Floats,
    *,
    n_replicates: int,
    seeds_of: tuple[int, int],
) -> Replicates:
    """Run two models on replicates of a network of either kind.

    Parameters
    ----------
    network : Network
    group : ndarray of int, shape (n_nodes,)
        Communities.
    labeled : float
        Proportion of labelled nodes.
    models : tuple
        Kinds, smoothing and weights of the sweeps, see `nettrial.kernels.small_models`.
    chances : ndarray, shape (n_handicaps, 2)
        Probability that a prediction is turned.
    n_replicates : int
        Replicates of either kind.
    seeds_of : tuple of int
        Frozen seeds of the two kinds.
    """
    blocks = take_apart(network, group)
    kinds, smoothing, betas = models

    def run(taken: Blocks, chances: Floats, seed: int) -> tuple[Floats, Floats, Floats]:
        return run_replicates(
            tuple(taken), blocks.community, network.weighted, True, True, network.labels,
            network.n_classes, labeled, REPLICATE_SPLITS, kinds, smoothing, betas, chances,
            key_of(seed), np.arange(n_replicates),
        )  # fmt: skip

    rates, times, more = run(blocks, chances, seeds_of[0])
    plain = rates[:, :, 0] - rates[:, :, 1]
    null, play = np.empty_like(plain), np.empty(len(chances))
    for h in range(len(chances)):
        weights = null_probabilities(totals_of(blocks, times, more[:, h]))
        tilted = blocks._replace(cumulative=np.cumsum(weights))
        rates, _, _ = run(tilted, chances[h : h + 1], seeds_of[1])
        null[:, h] = rates[:, 0, 0] - rates[:, 0, 1]
        play[h] = 1 / (weights**2).sum() / blocks.sizes.size
    return Replicates(plain, null, play)


def bootstrap_pvalue(own: Floats, plain: Floats, null: Floats, sizes: Floats) -> float:
    """Give the p-value of `nettrial.bootstrap.test.bootstrap_test`; NaN without a spread.

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
    return seeds.derive(seed, 1), seeds.derive(seed, 2)
