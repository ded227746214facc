"""The simulated classifiers step by step, with the package's own designs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nettrial.core import seeds
from nettrial.synth.simulated_classifiers import GroupClassifiers, GroupTrials, _prepare, _splitter


def simulate_groups_plainly(
    design: str = "rrs",
    *,
    labeled: float = 0.1,
    n_folds: int | None = None,
    n_trials: int = 10,
    world: GroupClassifiers | None = None,
    seed: seeds.Seed = 0,
) -> GroupTrials:
    """Run the same simulation step by step with the package's own designs.

    It follows the source line by line and serves to check `simulate_groups`, which is several
    hundred times faster and equal in distribution, not in the random numbers.

    Parameters
    ----------
    design, labeled, n_folds, n_trials, world, seed
        As for `simulate_groups`.

    Returns
    -------
    GroupTrials

    Examples
    --------
    >>> simulate_groups_plainly("ncv", n_trials=2).errors.shape
    (2, 2, 10)
    """
    world, sizes = _prepare(design, labeled, n_folds, world)
    entropy = seeds.freeze(seed)
    errors = np.zeros((n_trials, 2, sizes.size), dtype=np.int32)
    pairs = np.zeros((n_trials, 2, 3), dtype=np.int64)
    repeats = np.zeros((n_trials, 2, 2), dtype=np.int64)
    by_group = np.zeros((n_trials, 2, world.n_groups), dtype=np.int64)
    limits = world.limits()
    for trial in range(n_trials):
        rng = seeds.generator(entropy, trial, 0)
        group = rng.choice(world.n_groups, size=world.n_nodes, p=world.shares)
        splitter = _splitter(design, labeled, sizes.size, seeds.derive(entropy, trial, 1))
        wrong = np.zeros((2, world.n_nodes), dtype=np.int64)
        tested = np.zeros(world.n_nodes, dtype=np.int64)
        failing = _failing_groups(world, rng)
        for fold, (_, test) in enumerate(splitter.split(group)):
            if world.redraw == "fold" and fold:
                failing = _failing_groups(world, rng)
            tested[test] += 1
            in_group = np.bincount(group[test], minlength=world.n_groups)
            for side in range(2):
                fails = np.isin(group[test], failing[side])
                limit = np.where(fails, *limits[side])
                wrongly = rng.random(test.size) < limit
                wrong[side, test] += wrongly
                errors[trial, side, fold] = wrongly.sum()
                x = np.bincount(group[test], weights=wrongly, minlength=world.n_groups)
                n = in_group
                counts = [(x * (x - 1)).sum(), (x * (n - 1)).sum(), (n * (n - 1)).sum()]
                pairs[trial, side] += np.array(counts, dtype=np.int64)
        repeats[trial, :, 0] = (wrong * (wrong - 1)).sum(axis=1)
        repeats[trial, :, 1] = (tested * (tested - 1)).sum()
        for row, values in zip(by_group[trial], (wrong[0] - wrong[1], tested)):
            np.add.at(row, group, values)
    return GroupTrials(design, labeled, sizes, errors, pairs, repeats, by_group)


def _failing_groups(world: GroupClassifiers, rng: np.random.Generator) -> list[NDArray[Any]]:
    half = world.n_groups // 2
    sides = (np.arange(half), np.arange(half, world.n_groups))
    return [rng.choice(side, world.n_failing, replace=False) for side in sides]
