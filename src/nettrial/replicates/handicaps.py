"""Replicates on which one model is made worse by chance, so that the true difference is known."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.keys import key_of
from ..network.network import Network
from .blocks import Blocks
from .by_community import totals_of
from .compiled_pair import CompiledPair
from .tilting import null_probabilities

Floats = NDArray[np.float64]


class Rates(NamedTuple):
    """What two models did on replicates, for every pair of handicaps."""

    rates: Floats  # shape (n_replicates, n_handicaps, 2, n_splits): error rates of every split
    # shape (n_replicates, n_communities): tests of the nodes that copy each community
    tests: Floats
    # shape (n_replicates, n_handicaps, n_communities): their errors by the first model minus errors
    # by the second
    excess: Floats

    @property
    def differences(self) -> Floats:
        """Difference of the error rates, shape (n_replicates, n_handicaps, n_splits)."""
        return np.asarray(self.rates[:, :, 0] - self.rates[:, :, 1])


class BothKinds(NamedTuple):
    """Differences on replicates as the network is, and under the null hypothesis."""

    # plain, null: shape (n_replicates, n_handicaps, n_splits)
    plain: Floats
    null: Floats
    in_play: Floats  # shape (n_handicaps,): communities in play under the null hypothesis, of one


def pair_handicaps(errors: Floats, n_classes: int, differences: tuple[float, ...]) -> Floats:
    """Return the chances of turned predictions that make differences of a minus b true.

    The better model is made as bad as the other one. The difference is then made by helping the one
    that is to be better as far as it goes, and making the other one worse.

    Parameters
    ----------
    errors : ndarray, shape (2,)
        Mean error rates without handicap.
    differences : tuple of float
        Wanted differences, a minus b: below 0 where a is to be the better one.

    Returns
    -------
    ndarray, shape (len(differences), 2)
    """
    worst = float(errors.max())

    def chance(error: float, wanted: float) -> float:
        return (wanted - error) / (1 - error - error / (n_classes - 1))

    chances = np.empty((len(differences), 2))
    for row, difference in zip(chances, differences):
        worse, better = (0, 1) if difference >= 0 else (1, 0)
        wanted = max(float(errors[better]), worst - abs(difference))
        row[better] = chance(float(errors[better]), wanted)
        row[worse] = chance(float(errors[worse]), wanted + abs(difference))
    return chances


def run_handicapped(
    network: Network,
    blocks: Blocks,
    pair: CompiledPair,
    chances: Floats,
    *,
    labeled: float,
    n_splits: int,
    n_replicates: int,
    entropy: int,
    first: int = 0,
) -> Rates:
    """Draw replicates of a network and run both built-in models on random splits of each.

    Parameters
    ----------
    network, blocks
        The network, and it taken apart (or enlarged).
    pair : CompiledPair
        The models.
    chances : ndarray, shape (n_handicaps, 2)
        Probability with which a prediction of each model is turned into another class.
    labeled, n_splits
        Of the random splits of a replicate.
    n_replicates, entropy, first
        How many replicates; with `entropy` the number of a replicate, from `first` on, decides
        everything in it.
    """
    from ..kernels.trials import Replicating, run_replicates

    community = np.empty(network.n_nodes, dtype=np.int64)
    # in an enlarged network the copies of a community count as one
    places = np.repeat(np.arange(blocks.sizes.size), blocks.sizes)
    community[blocks.members[: network.n_nodes]] = places[: network.n_nodes]
    task = Replicating(
        blocks,
        community,
        pair.row_form(network),
        network.labels,
        network.n_classes,
        labeled,
        n_splits,
        pair.models,
        chances,
        key_of(entropy),
    )
    return Rates(*run_replicates(task, np.arange(first, first + n_replicates)))


def run_both_kinds(
    network: Network,
    blocks: Blocks,
    pair: CompiledPair,
    chances: Floats,
    *,
    labeled: float,
    n_splits: int,
    n_replicates: int,
    entropies: tuple[int, int],
) -> BothKinds:
    """Draw replicates of both kinds, as the community bootstrap does, for several handicaps.

    Replicates of the network as it is serve all handicaps; each has replicates of its own in
    which the communities are drawn such that the models come out equal.
    """
    plain = run_handicapped(
        network,
        blocks,
        pair,
        chances,
        labeled=labeled,
        n_splits=n_splits,
        n_replicates=n_replicates,
        entropy=entropies[0],
    )
    null, in_play = np.empty_like(plain.differences), np.empty(len(chances))
    for h in range(len(chances)):
        weights = null_probabilities(totals_of(blocks, plain.tests, plain.excess[:, h]))
        drawn = run_handicapped(
            network,
            blocks._replace(cumulative=np.cumsum(weights)),
            pair,
            chances[h : h + 1],
            labeled=labeled,
            n_splits=n_splits,
            n_replicates=n_replicates,
            entropy=entropies[1],
        )
        null[:, h] = drawn.differences[:, 0]
        in_play[h] = 1 / (weights**2).sum() / weights.size
    return BothKinds(plain.differences, null, in_play)


def enlarged(blocks: Blocks, multiple: int) -> Blocks:
    """Make replicates `multiple` times as large: as if every community were there that often.

    The rates of links between communities fall by that factor, so that a node keeps its
    expected number of links while the number of communities grows.

    Examples
    --------
    >>> from .blocks import take_apart
    >>> net = Network([0, 1, 2], [1, 2, 3], n_nodes=4, labels=["a", "b", "a", "b"])
    >>> more = enlarged(take_apart(net, [0, 0, 1, 1]), 3)
    >>> more.sizes.tolist(), more.members.size
    ([2, 2, 2, 2, 2, 2], 12)
    """

    def starts(values: NDArray[np.int64]) -> NDArray[np.int64]:
        steps = np.tile(np.diff(values), multiple)
        return np.concatenate([[0], np.cumsum(steps)])

    number = multiple * blocks.sizes.size
    return blocks._replace(
        sizes=np.tile(blocks.sizes, multiple),
        member_start=starts(blocks.member_start),
        members=np.tile(blocks.members, multiple),
        inner_start=starts(blocks.inner_start),
        inner_s=np.tile(blocks.inner_s, multiple),
        inner_t=np.tile(blocks.inner_t, multiple),
        inner_w=np.tile(blocks.inner_w, multiple),
        rates=blocks.rates / multiple,
        cumulative=np.arange(1.0, number + 1) / number,
    )
