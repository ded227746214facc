"""Halves of the communities on fresh networks with features: level and size of the variance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core import seeds
from ..core.seeds import Stream
from ..network.communities import LINKS_AND_FEATURES, communities
from ..network.network import Network
from ..replicates.blocks import take_apart
from ..replicates.bootstrap_test import finish
from ..replicates.half_sample_variance import HalfSampleVariance, not_below, spread_of_halves
from ..replicates.halving import halve, part_network, restricted
from ..splits.base import Split
from ..splits.resampling import RandomResampling
from ..stats.clustered import cluster_mean_test
from .base import BY_MODELS, Experiment, Option, Unit
from .featured import (
    DOMAINS,
    MODELS,
    PLAIN,
    SHIPPED,
    Predictor,
    Wrong,
    error_rates,
    errors_of_halves,
)
from .records import DIFFERENCE, Record, Settings, measured, rejections_at

Floats = NDArray[np.float64]
LABELED = (0.1, 0.3, 0.5)
N_SPLITS = 10
HALVES, CLUSTERED = "halves", "cluster_robust_t"
VARIANCE = "variance of the mean difference"
CONFIDENCE = 0.95


class HalvesTrial(NamedTuple):
    """What was found on one network."""

    estimate: float
    spread: HalfSampleVariance  # by halves, not below the clustered variance
    pvalue: float
    # without the factor for few or unequal communities, not below the clustered variance either
    raw: HalfSampleVariance
    clustered: float  # p-value of the clustered test


def run_trial(
    network: Network, model: Predictor, labeled: float, n_halvings: int, entropy: int
) -> HalvesTrial:
    """Test a model on either half of the features, which make it equally good, on one network."""
    design = RandomResampling(n_splits=N_SPLITS, labeled=labeled, seed=entropy)
    splits = design.split_network(network)
    blocks = take_apart(network, communities(network, LINKS_AND_FEATURES, seed=entropy))
    sizes = blocks.sizes.astype(float)
    differences = np.empty((n_halvings, 2, N_SPLITS))
    shares = np.empty(n_halvings)
    for number in range(n_halvings):
        parts = halve(blocks.sizes, entropy, number)
        shares[number] = sizes[parts[0]].sum() / sizes.sum()
        for side, part in enumerate(parts):
            drawn = part_network(network, blocks, part, entropy, 2 * number + side)
            own = restricted(splits, drawn.origin, network.n_nodes)
            a, b = error_rates(errors_of_halves(drawn.network, own, model))
            differences[number, side] = a - b
    differences[np.isnan(differences).any(axis=1, keepdims=True).repeat(2, axis=1)] = np.nan
    errors = errors_of_halves(network, splits, model)
    a, b = error_rates(errors)
    clustered = _clustered_test(network, splits, errors, blocks.community)
    least = clustered.standard_error**2, float(clustered.df)
    by_halves = spread_of_halves(differences, shares, a - b, sizes, independent=True)
    spread = not_below(by_halves, *least)
    variance = by_halves.variance / by_halves.correction
    raw = not_below(by_halves._replace(variance=variance, correction=1.0), *least)
    estimate = float((a - b).mean())
    found = finish(HALVES, estimate, spread.variance, spread.df, CONFIDENCE, {})
    return HalvesTrial(estimate, spread, float(found.pvalue), raw, float(clustered.pvalue))


def _clustered_test(
    network: Network, splits: list[Split], errors: list[Wrong], group: NDArray[Any]
) -> Any:
    """Test the difference by sums over communities of the nodes' errors."""
    times, excess = np.zeros(network.n_nodes), np.zeros(network.n_nodes)
    for split, (first, second) in zip(splits, errors):
        times[split.test] += 1
        excess[split.test] += first.astype(float) - second
    tested = np.flatnonzero(times)
    return cluster_mean_test(
        excess[tested] / times[tested], group[tested], weights=times[tested], df="joint"
    )


def run(unit: Unit) -> list[Record]:
    """Run trials of one cell and count what both tests reject."""
    cell, model = unit.cell, MODELS[str(unit.cell["models"])]
    found = []
    for number in range(unit.first, unit.first + unit.trials):
        entropy = seeds.derive(unit.seed, Stream.FEATURE_TRIAL, number)
        network = DOMAINS[str(cell["domain"])](seed=entropy)
        found.append(
            run_trial(network, model, float(cell["labeled"]), unit.options["halvings"], entropy)
        )
    records = [
        measured(cell, DIFFERENCE, [each.estimate for each in found]),
        measured(cell, VARIANCE, [each.spread.variance for each in found]),
    ]
    for test, values in (
        (HALVES, [each.pvalue for each in found]),
        (CLUSTERED, [each.clustered for each in found]),
    ):
        records.append(rejections_at(1 - CONFIDENCE, cell, test, values))
    return records


def _cells(options: Mapping[str, Any]) -> Iterable[Settings]:
    return [
        {"domain": domain, "models": model, "labeled": labeled}
        for domain in DOMAINS
        for model in (SHIPPED if options["models"] == "shipped" else PLAIN)
        for labeled in LABELED
    ]


EXPERIMENTS = {
    "halves": Experiment(
        name="halves",
        title="Halves of the communities: Type I error with models that learn from features",
        source="our own",
        about="Networks of groups with a class and a feature vector of their own, drawn anew for "
        "each trial; communities are Louvain's, of links and similar features. A model on the "
        "first half of the features is compared with the same model on the second half, which is "
        "as good by symmetry, on 10 random resamples: 1-nearest-neighbor, a ridge classifier, and "
        "SGC (the ridge classifier on features that were propagated twice); or the package's own "
        "networks. The mean of the estimated variances, over that of the differences, says how far "
        "the standard error is right.",
        trials=200,
        chunk=10,
        cells=_cells,
        run=run,
        tests=(HALVES, CLUSTERED),
        lacks="only these are made in this experiment",
        options={
            "halvings": Option(20, "halvings of the communities"),
            "models": Option(
                "plain",
                "models that take moments, or the package's gcn, sgc and mlp",
                ("plain", "shipped"),
            ),
        },
        figure=BY_MODELS,
    )
}
