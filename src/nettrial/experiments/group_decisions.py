"""What the tests are made from where simulated classifiers fail by groups."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..inference.trials import Trials
from ..synth.simulated_classifiers import GroupClassifiers, GroupTrials

Floats = NDArray[np.float64]
RhoReading: TypeAlias = Literal["pooled", "zero", "within"]
QReading: TypeAlias = Literal["moment", "known", "p"]


def group_trials(
    trials: GroupTrials,
    world: GroupClassifiers,
    *,
    rho: RhoReading = "pooled",
    q: QReading = "moment",
) -> Trials:
    """Estimate the parameters of the errors, by one of the readings of rho and of q."""
    p = trials.rates.mean(axis=2)
    links = trials.pairs[:, :, 2] / trials.sizes.size
    n = float(trials.sizes.mean())
    parameters = np.stack([p, _q(trials, world, p, q), _rho(trials, rho, links, n), links], axis=2)
    return Trials(
        rates=trials.rates,
        n=n,
        m=world.n_nodes,
        n_train=world.n_nodes - n,
        parameters=parameters,
        sums=trials.by_group[:, 0].astype(float),
        sizes=trials.by_group[:, 1].astype(float),
    )


def _q(trials: GroupTrials, world: GroupClassifiers, p: Floats, reading: QReading) -> Floats:
    """Return the error rate of instances that fail, of A and B in every trial."""
    if reading == "p":
        return p
    if reading == "known":
        return np.asarray(np.maximum(world.limits()[:, 0], p))
    spread = p * (1 - p)
    scale = np.where(spread > 0, spread, 1.0)
    both, repeats = trials.repeats[:, :, 0], np.maximum(trials.repeats[:, :, 1], 1)
    within = np.where(trials.repeats[:, :, 1] > 0, (both / repeats - p**2) / scale, 0.0)
    return np.asarray(np.minimum(p + (1 - p) * np.sqrt(np.maximum(within, 0.0)), 1.0))


def _rho(trials: GroupTrials, reading: RhoReading, links: Floats, n: float) -> Floats:
    """Return the correlation of errors of two instances of one group.

    Within one group and test set of g instances the phi coefficient over all pairs is
    -1 / (g - 1), however many of them are errors. Its mean over groups, weighted by their pairs,
    is -n / |L|: the lowest value for which Theorem 1 has a variance, which is then 0.
    """
    if reading == "pooled":
        return np.nan_to_num(error_phi(trials))
    if reading == "zero":
        return np.zeros_like(links)
    least = 1 - 1e-12  # rounding must not lead below the lowest value
    return np.where(links > 0, -n / np.where(links > 0, links, 1.0) * least, 0.0)


def error_phi(trials: GroupTrials) -> NDArray[np.float64]:
    """Return the correlation of the errors of two instances of a group, for A and B by trial."""
    both, first, pairs = np.moveaxis(trials.pairs, 2, 0)
    mean = first / np.maximum(pairs, 1)
    spread = mean * (1 - mean)
    with np.errstate(invalid="ignore", divide="ignore"):
        phi = (both / np.maximum(pairs, 1) - mean**2) / np.where(spread > 0, spread, np.nan)
    return np.asarray(np.clip(phi, -1.0, 1.0))  # rounding
