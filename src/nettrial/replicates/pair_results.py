"""Pairs of several models on replicates: each pair gets what it would get alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .blocks import Blocks
from .bootstrap_variance import Spread, spread_of
from .replicate_runner import PLAIN, Draw, PairResult, as_it_is, judge
from .replicate_runs import ReplicateScores

Floats = NDArray[np.float64]


class PairOnReplicates(NamedTuple):
    """Two models on replicates.

    Attributes
    ----------
    judged : PairResult
        Standard error of their difference.
    means : ndarray, shape (n_replicates,)
        Their mean difference on each replicate of the network as it is.
    compiled : bool
        Whether they ran in one compiled loop.
    """

    judged: PairResult
    means: Floats
    compiled: bool


class OnReplicates(NamedTuple):
    """All pairs of a study on replicates of one network.

    Attributes
    ----------
    pairs : list of PairOnReplicates
    spreads : dict of int to Spread
        For the measure of each model alone, which has no null hypothesis.
    """

    pairs: list[PairOnReplicates]
    spreads: dict[int, Spread]


class Sets(NamedTuple):
    """Numbers of the sets of replicates of one pair in a study file."""

    plain: int
    null: int


def sets_of(pairs: Sequence[tuple[int, int]], compiled: Sequence[bool]) -> list[Sets]:
    """Number the sets of replicates: 0 serves all pairs that are not compiled.

    Examples
    --------
    >>> sets_of([(0, 1)], [True])
    [Sets(plain=0, null=1)]
    >>> sets_of([(0, 1), (0, 2), (1, 2)], [True, False, False])
    [Sets(plain=4, null=1), Sets(plain=0, null=2), Sets(plain=0, null=3)]
    """
    number = len(pairs)
    return [
        Sets(0 if number == 1 or not one else 1 + number + i, 1 + i)
        for i, one in enumerate(compiled)
    ]


def plain_sets(
    pairs: Sequence[tuple[int, int]], compiled: Sequence[bool]
) -> dict[int, tuple[int, ...]]:
    """Return which models run on each set of replicates of the network as it is.

    The models of all pairs that have no compiled loop run together on set 0; a pair with one has
    a set of its own.

    Examples
    --------
    >>> plain_sets([(0, 1), (0, 2), (1, 2)], [True, False, False])
    {0: (0, 1, 2), 4: (0, 1)}
    """
    together = sorted({i for pair, one in zip(pairs, compiled) if not one for i in pair})
    found: dict[int, tuple[int, ...]] = {0: tuple(together)} if together else {}
    for pair, one, sets in zip(pairs, compiled, sets_of(pairs, compiled)):
        if one:
            found[sets.plain] = pair
    return found


def pairs_on_replicates(
    own: Floats,
    pairs: Sequence[tuple[int, int]],
    blocks: Blocks,
    draw: Draw,
    is_compiled: Callable[[Sequence[int]], bool],
) -> OnReplicates:
    """Run models on replicates and judge every pair as if it were alone.

    See `plain_sets` for which models run together. Sets are drawn from the same random numbers,
    so that the means of two pairs vary together from replicate to replicate.

    Parameters
    ----------
    own : ndarray, shape (n_models, k)
        The measure of every model on every split of the network.
    pairs : sequence of (int, int)
        Places of two models.
    blocks : Blocks
        The network taken apart.
    draw : callable
        Runs models on a set of replicates.
    is_compiled : callable
        Whether some of the models run in one compiled loop.
    """
    compiled = [is_compiled(pair) for pair in pairs]
    together = plain_sets(pairs, compiled)
    drawn = {
        number: draw(models, as_it_is(blocks), number, PLAIN) for number, models in together.items()
    }
    found: list[PairOnReplicates] = []
    spreads: dict[int, Spread] = {}
    for pair, sets in zip(pairs, sets_of(pairs, compiled)):
        first, second = pair
        at = together[sets.plain]
        plain = drawn[sets.plain].of(at.index(first), at.index(second))
        judged = judge(pair, plain, draw, sets.null, own[first] - own[second], blocks)
        means = plain.values.mean(axis=2)
        found.append(PairOnReplicates(judged, means[:, 0] - means[:, 1], plain.compiled))
        for column, model in enumerate(pair):
            if model not in spreads:
                spreads[model] = _alone(plain, column, own[model], blocks)
    return OnReplicates(found, spreads)


def _alone(plain: ReplicateScores, column: int, own: Floats, blocks: Blocks) -> Spread:
    values, sizes = plain.values[:, column], blocks.sizes.astype(float)
    return spread_of(values, values, own, sizes, independent=plain.independent)
