"""Ranks and placements by SciPy, one row after the other."""

import numpy as np
from scipy import stats

from nettrial.numeric.rounding import sizes, without_noise


def rankdata(values, axis):
    """Rank in double precision: from 1.18 on SciPy ranks single precision in single precision."""
    return stats.rankdata(np.asarray(values, dtype=np.float64), axis=axis)


def ranks(values, *samples):
    return rankdata(without_noise(values, sizes(*samples) if samples else None), axis=-1)


def placements(truth, scores, noise=True):
    """By Sun and Xu's equations 6 to 8: ranks among all less ranks within the class."""
    scores = without_noise(scores) if noise else scores
    m, n = truth.sum(), (~truth).sum()
    among_all = rankdata(scores, axis=-1)
    above = among_all[..., truth] - rankdata(scores[..., truth], axis=-1)
    below = among_all[..., ~truth] - rankdata(scores[..., ~truth], axis=-1)
    return above / n, 1 - below / m
