"""What the tests are made from where simulated classifiers fail by groups."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..synth.simulated_classifiers import GroupClassifiers, GroupTrials
from .decisions import Trials


def group_trials(trials: GroupTrials, world: GroupClassifiers) -> Trials:
    """Estimate the parameters of the errors; rho is pooled over all pairs of one group."""
    rates = trials.rates
    p = rates.mean(axis=2)
    spread = p * (1 - p)
    scale = np.where(spread > 0, spread, 1.0)
    both, repeats = trials.repeats[:, :, 0], np.maximum(trials.repeats[:, :, 1], 1)
    within = np.where(trials.repeats[:, :, 1] > 0, (both / repeats - p**2) / scale, 0.0)
    q = np.minimum(p + (1 - p) * np.sqrt(np.maximum(within, 0.0)), 1.0)
    rho = np.nan_to_num(error_phi(trials))
    links = trials.pairs[:, :, 2] / trials.sizes.size
    n = float(trials.sizes.mean())
    return Trials(
        rates=rates, n=n, m=world.n_nodes, n_train=world.n_nodes - n,
        parameters=np.stack([p, q, rho, links], axis=2), sums=trials.by_group[:, 0].astype(float),
        sizes=trials.by_group[:, 1].astype(float),
    )  # fmt: skip


def error_phi(trials: GroupTrials) -> NDArray[np.float64]:
    """Correlation of the errors of two instances of one group, for A and B of every trial."""
    both, first, pairs = np.moveaxis(trials.pairs, 2, 0)
    mean = first / np.maximum(pairs, 1)
    spread = mean * (1 - mean)
    with np.errstate(invalid="ignore", divide="ignore"):
        phi = (both / np.maximum(pairs, 1) - mean**2) / np.where(spread > 0, spread, np.nan)
    return np.asarray(np.clip(phi, -1.0, 1.0))  # rounding
