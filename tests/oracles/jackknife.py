"""The jackknife over communities: another standard error for the community bootstrap's estimate."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nettrial.core.seeds import Seed, Stream, derive, freeze
from nettrial.metrics.measures import MeasureLike, measure_named
from nettrial.models.adapted import as_model
from nettrial.models.base import Model
from nettrial.network.arrays import object_array
from nettrial.network.communities import communities as find_communities
from nettrial.network.communities import effective_number
from nettrial.network.network import Network
from nettrial.network.node_values import MISSING
from nettrial.replicates.blocks import BootstrapError, take_apart
from nettrial.replicates.bootstrap_test import finish
from nettrial.replicates.by_community import values_of
from nettrial.splits.base import Design, Split
from nettrial.splits.names import by_name as design_by_name
from nettrial.stats.result import TestResult, check_confidence
from nettrial.study.node_study import CrossLinks, run

Floats = NDArray[np.float64]


def jackknife_test(
    network: Network,
    a: str | Model,
    b: str | Model,
    *,
    communities: str | ArrayLike = "louvain",
    labeled: float = 0.3,
    n_splits: int = 10,
    design: str | Design = "rrs",
    cross_links: CrossLinks = "keep",
    measure: MeasureLike = "error",
    confidence: float = 0.95,
    seed: Seed = 0,
) -> TestResult:
    """Test whether two models differ on other networks, leaving out one community at a time.

    Runs both models on the network, and once more for each community on the network without
    it, with the same splits of the nodes that are left.

    Parameters
    ----------
    network, a, b, communities, labeled, n_splits, design, cross_links, measure, confidence, seed
        As for `community_bootstrap_test`.

    Returns
    -------
    TestResult
        Two-sided, with effective communities less one degrees of freedom.

    Notes
    -----
    With d the difference, d_g the one without community g, n_g its nodes of n, h_g = n / n_g
    and the pseudo-values p_g = h_g d - (h_g - 1) d_g, whose mean with bias removed is
    p = G d - sum (1 - n_g / n) d_g, the variance is (1/G) sum (p_g - p)^2 / (h_g - 1).

    References
    ----------
    F. M. T. A. Busing, E. Meijer, R. van der Leeden (1999), Delete-m jackknife for unequal m,
    Statistics and Computing 9.

    Examples
    --------
    >>> from nettrial.synth.latent_groups import latent_group_network
    >>> net = latent_group_network(120, seed=1)
    >>> found = jackknife_test(net, "wvrn", "nbc", n_splits=5, seed=1)
    >>> found.method, 0 < found.pvalue < 1
    ('community jackknife', True)
    """
    level = check_confidence(confidence)
    what = measure_named(measure)
    entropy = freeze(seed)
    models = {name: as_model(model) for name, model in (("a", a), ("b", b))}
    if isinstance(design, str):
        options: dict[str, Any] = {"n_splits": n_splits, "labeled": labeled}
        design = design_by_name(design, **options, seed=derive(entropy, Stream.BOOTSTRAP_SPLITS))
    splits = design.split_network(network)
    group = find_communities(
        network, by=communities, seed=derive(entropy, Stream.BOOTSTRAP_COMMUNITIES)
    )
    blocks = take_apart(network, group)

    def difference(part: Network, divided: list[Split]) -> float:
        predictions = run(
            part,
            models,
            divided,
            seed=derive(entropy, Stream.BOOTSTRAP_MODELS),
            cross_links=cross_links,
            progress=False,
        )
        predictions.task.check_measurable(predictions, what)
        a, b = values_of(predictions, what)
        return float((a - b).mean())

    estimate = difference(network, splits)
    without = np.array(
        [
            difference(*leave_out(network, splits, blocks.community == g))
            for g in range(blocks.sizes.size)
        ]
    )
    sizes = blocks.sizes.astype(float)
    variance = delete_groups(estimate, without, sizes)
    effective = effective_number(sizes)
    return finish(
        "community jackknife", estimate, variance, max(effective - 1, 1.0), level,
        MappingProxyType(
            {
                "n_splits": len(splits),
                "communities": int(sizes.size),
                "effective_communities": effective,
                "largest_share": float(sizes.max() / sizes.sum()),
            }
        ),
    )  # fmt: skip


def delete_groups(whole: float, without: Floats, sizes: Floats) -> float:
    """Return the variance of a statistic from its values without each group.

    Examples
    --------
    >>> values = np.array([1.0, 2, 4, 9])
    >>> without = (values.sum() - values) / 3
    >>> found = delete_groups(values.mean(), without, np.ones(4))
    >>> round(found, 6), round(float(values.var(ddof=1)) / 4, 6)
    (3.166667, 3.166667)
    """
    share = sizes / sizes.sum()
    pseudo = whole / share - (1 / share - 1) * without
    center = sizes.size * whole - float(((1 - share) * without).sum())
    return float(((pseudo - center) ** 2 / (1 / share - 1)).mean())


def leave_out(
    network: Network, splits: list[Split], gone: NDArray[np.bool_]
) -> tuple[Network, list[Split]]:
    """Return the network and its splits without some nodes."""
    kept = np.flatnonzero(~gone)
    place = np.cumsum(~gone) - 1
    links = network.adjacency("out")[kept][:, kept].tocoo()
    once = np.ones(links.nnz, dtype=bool) if network.directed else links.row < links.col
    names = object_array([*network.classes, None])
    codes = network.labels[kept]
    part = Network(
        links.row[once],
        links.col[once],
        n_nodes=kept.size,
        weight=links.data[once] if network.weighted else None,
        directed=network.directed,
        labels=names[np.where(codes == MISSING, network.n_classes, codes)],
        classes=network.classes,
        ids=network.ids[kept],
        features=None if network.features is None else network.features[kept],
        attributes={name: column[kept] for name, column in network.attributes.items()},
        name=network.name,
    )

    def left(nodes: NDArray[np.intp]) -> NDArray[np.intp]:
        return np.asarray(place[nodes[~gone[nodes]]])

    divided = [Split(left(s.train), left(s.inference), left(s.test)) for s in splits]
    if not all(split.train.size and split.test.size for split in divided):
        raise BootstrapError(
            f"jackknife: without one of the communities ({np.count_nonzero(gone)} nodes) a split "
            "has no training or no test node; use more even communities, or another proportion "
            "labeled"
        )
    return part, divided
