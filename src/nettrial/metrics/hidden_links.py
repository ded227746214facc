"""Influence values of measures that rank hidden links among pairs without a link.

Labels are 1 for a link and 0 for a pair without; the scores stand in the second column of what
takes the place of probabilities. As in `influence`, psi has the mean M.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .influence import Codes, Floats

FEWEST_NEAR = 5  # pairs without link on either side, from which densities at a threshold are taken


def hits_above(k: int, labels: Codes, probabilities: Floats, _predicted: Codes) -> Floats:
    """Return the influence values of the share of links scored above the k-th best other pair.

    Where ties make that a matter of their order, a link counts by the share of orders in which
    fewer than k pairs without link are ahead of it. With f = k / n0 the share of the n0 pairs
    without link that are let through and r the density of links over that of other pairs at the
    threshold, such a pair adds -r (1[let through] - f) over the share of its kind: the more there
    are, the higher the threshold. The densities are those among the pairs that tie with the k-th
    one, or if these are few, among those within k / 2 ranks of it, at least five on either side.
    NaN where there are no links or fewer than k other pairs.

    Examples
    --------
    >>> scores = np.array([0.9, 0.4, 0.8, 0.3, 0.2, 0.1])
    >>> psi = hits_above(2, np.array([1, 1, 0, 0, 0, 0]), np.c_[-scores, scores], np.empty(0))
    >>> round(float(psi.mean()), 4)
    1.0
    """
    link, scores = labels == 1, probabilities[:, 1]
    n1, n0 = int(link.sum()), int((~link).sum())
    if n1 == 0 or n0 < k:
        return np.full(labels.size, np.nan)
    others = -np.sort(-scores[~link])
    threshold = others[k - 1]
    above, level = scores > threshold, scores == threshold
    free, tied = k - int(above[~link].sum()), int(level[~link].sum())
    hit = above + level * (free / (tied + 1))
    value = float(hit[link].mean())
    through = above + level * (free / tied)
    reach, near = max(FEWEST_NEAR, k // 2), level
    if tied <= 2 * reach:
        highest, lowest = others[max(0, k - 1 - reach)], others[min(n0 - 1, k - 1 + reach)]
        near = (scores >= lowest) & (scores <= highest)
    ratio = float(near[link].sum()) / n1 / (float(near[~link].sum()) / n0)
    psi = np.empty(labels.size)
    psi[link] = value + (hit[link] - value) * (labels.size / n1)
    psi[~link] = value - ratio * (through[~link] - k / n0) * (labels.size / n0)
    return psi


def rank_at_its_ends(
    labels: Codes, probabilities: Floats, _predicted: Codes, pairs: NDArray[np.intp]
) -> Floats:
    """Return the influence values of the mean over links of one over the rank at the link's ends.

    A link's rank r is one more than the number of pairs without link that have a node with it in
    common and are scored higher, ties counting half; other links do not count. A pair without
    link moves the ranks of the links at its nodes: with m such pairs beside a link it adds
    -(1[ahead of it] - (r - 1) / m) / r^2 over the share of the links, which is 0 on average, since
    their number is the design's. NaN where some link has no such pair.

    Examples
    --------
    >>> scores, pairs = np.array([0.5, 0.9, 0.1, 0.8]), np.array([[0, 1], [0, 2], [1, 3], [4, 5]])
    >>> psi = rank_at_its_ends(np.array([1, 0, 0, 0]), np.c_[-scores, scores], np.empty(0), pairs)
    >>> psi.tolist(), float(psi.mean())
    ([0.5, 0.0, 1.0, 0.5], 0.5)
    """
    link = labels == 1
    _, level = np.unique(probabilities[:, 1], return_inverse=True)
    step = int(level.max(initial=0)) + 1
    keys = pairs.astype(np.int64) * step + level[:, None]  # a pair at each of its two nodes
    others = np.sort(keys[~link], axis=None)
    own, nodes = keys[link], pairs[link].astype(np.int64)
    first, last = (np.searchsorted(others, (nodes + end) * step) for end in (0, 1))
    at_most = np.searchsorted(others, own, side="right")
    below = np.searchsorted(others, own, side="left")
    beside = (last - first).sum(axis=1)
    if not link.any() or not beside.all():
        return np.full(labels.size, np.nan)
    ahead = (last - (below + at_most) / 2).sum(axis=1)
    reciprocal = 1 / (1 + ahead)
    value = float(reciprocal.mean())
    psi = np.full(labels.size, value)
    scale = labels.size / reciprocal.size
    psi[link] += (reciprocal - value) * scale
    psi[~link] -= _moved(own, keys[~link], step, reciprocal**2, ahead / beside) * scale
    return psi


def _moved(
    links: NDArray[np.int64], others: NDArray[np.int64], step: int, weight: Floats, share: Floats
) -> Floats:
    """Return how far each pair without link lowers the links at its nodes, beyond the mean.

    That is the sum over these links of the weight times 1[ahead] - share. Links and pairs come as
    keys, one for each end: the node's number times `step`, plus the rank of the score.
    """
    order = np.argsort(links, axis=None)
    keys, ends = links.ravel()[order], np.repeat(weight, 2)[order]
    sums = np.concatenate([[0.0], np.cumsum(ends)])
    expected = np.concatenate([[0.0], np.cumsum(ends * np.repeat(share, 2)[order])])
    node = others // step * step
    first, last = np.searchsorted(keys, node), np.searchsorted(keys, node + step)
    below = np.searchsorted(keys, others, side="left")
    at_most = np.searchsorted(keys, others, side="right")
    ahead = (sums[below] + sums[at_most]) / 2 - sums[first]
    return np.asarray((ahead - (expected[last] - expected[first])).sum(axis=1))
