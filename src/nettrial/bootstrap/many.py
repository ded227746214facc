"""Differences of several models on other networks, all pairs judged together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from ..communities import communities as find_communities
from ..errors import InputError, unknown_choice
from ..measured import check_measurable
from ..metrics.measures import MeasureName, measure_named
from ..models.base import Model
from ..progress import Progress
from ..seeds import Seed, Stream, derive, freeze
from ..splits.base import Design
from ..stats.comparisons import Comparisons
from ..stats.max_t import replicate_comparisons
from ..stats.result import check_confidence
from ..study import CrossLinks, Predictions
from .blocks import Blocks, take_apart
from .reference import spread_of
from .rerun import Rerun, as_it_is, check_replicates, community_details, judge
from .runs import values_of

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class BootstrapComparisons:
    """Several models on drawn networks.

    Attributes
    ----------
    pairs : Comparisons
        The differences; ``details`` has, one value a pair, what `bootstrap_test` has.
    low, high : ndarray, shape (n_models,)
        Interval of each model's measure (error rate) on other networks, one at a time.
    """

    pairs: Comparisons
    low: Floats
    high: Floats


def bootstrap_comparisons(
    predictions: Predictions,
    models: Mapping[str, Model],
    design: Design,
    *,
    first: Sequence[str],
    second: Sequence[str],
    communities: str | ArrayLike = "louvain",
    n_replicates: int = 200,
    cross_links: CrossLinks = "keep",
    confidence: float = 0.95,
    measure: MeasureName = "error",
    seed: Seed = 0,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> BootstrapComparisons:
    r"""Test differences of several models on other networks by one set of drawn networks.

    All models run on the same replicates of the network. From these come the correlation of the
    differences and, for each pair, one half of its standard error; the other half comes from
    replicates on which the two models of the pair are equal, as in `bootstrap_test`. So each
    pair alone has the p-value of `bootstrap_test`, up to the noise of the replicates, and the
    family is adjusted by the single-step max-t procedure.

    Parameters
    ----------
    predictions : Predictions
        Of the models on the splits of `design`.
    models : mapping of str to Model
        The models of `predictions`, in the same order.
    design : Design
        How the network and its replicates are split.
    first, second : sequence of str
        Names of the pairs.
    communities, n_replicates, cross_links, confidence, measure, seed, n_jobs, \
progress
        As for `bootstrap_test`; the number is that of the replicates that serve all pairs, and
        of those of each pair.

    Returns
    -------
    BootstrapComparisons

    Raises
    ------
    InputError
        As `bootstrap_test`, and for a name that is none of a model.

    Notes
    -----
    With :math:`R` the correlation matrix of the differences' means on the replicates and
    :math:`s_j` the standard errors with degrees of freedom :math:`\nu_j` of `spread_of`, the
    statistics are taken for multivariate t with correlation :math:`R`; pair j is judged with
    :math:`\nu_j`, see `max_t_comparisons`.

    Examples
    --------
    >>> from nettrial.models import NBC, WVRN, Prior
    >>> from nettrial.splits import RandomResampling
    >>> from nettrial.study import run
    >>> from nettrial.synth.latent_groups import latent_group_network
    >>> net, design = latent_group_network(120, seed=1), RandomResampling(n_splits=5, seed=1)
    >>> models = {"wvrn": WVRN(), "nbc": NBC(), "prior": Prior()}
    >>> found = bootstrap_comparisons(run(net, models, design.split_network(net)), models, design,
    ...     first=["wvrn", "wvrn"], second=["nbc", "prior"], n_replicates=20)
    >>> found.pairs.adjustment, bool((found.pairs.adjusted_pvalue >= found.pairs.pvalue).all())
    ('single-step max-t', True)
    """
    check_replicates(n_replicates, "bootstrap_comparisons")
    check_confidence(confidence)
    what = measure_named(measure)
    entropy, names = freeze(seed), tuple(models)
    if names != predictions.models:
        raise InputError(
            f"bootstrap_comparisons: received the models {', '.join(names)}, but predictions of "
            f"{', '.join(predictions.models)}; give the same ones in the same order"
        )
    pairs = [(_place(names, a), _place(names, b)) for a, b in zip(first, second, strict=True)]
    network = predictions.network
    group = find_communities(
        network, by=communities, seed=derive(entropy, Stream.BOOTSTRAP_COMMUNITIES)
    )
    blocks = take_apart(network, group)
    check_measurable(predictions, what)
    own = values_of(predictions, what)[0]
    total = (1 + len(pairs)) * n_replicates
    with Progress("drawn networks", total=total, enabled=progress) as bar:
        rerun = Rerun(
            network, blocks, tuple(models.values()), design, own.shape[1], n_replicates,
            cross_links, entropy, bar, what, n_jobs,
        )  # fmt: skip
        plain = rerun.draw(range(len(names)), as_it_is(blocks), 0)
        found = [
            judge(pair, plain, rerun.draw, place, own[pair[0]] - own[pair[1]], blocks)
            for place, pair in enumerate(pairs, start=1)
        ]
    means, centre = plain.values.mean(axis=2), own.mean(axis=1)
    i, j = np.array(pairs).T
    joint = replicate_comparisons(
        centre[i] - centre[j], means[:, i] - means[:, j], first=first, second=second,
        standard_error=[np.sqrt(one.spread.variance) for one in found],
        df=[one.spread.df for one in found], confidence=confidence,
        seed=derive(entropy, Stream.BOOTSTRAP_DIRECTIONS),
    )  # fmt: skip
    details = dict(joint.details) | community_details(blocks) | {
        "n_replicates": n_replicates,
        "n_splits": own.shape[1],
        "variance_at_estimate": np.array([one.spread.at_estimate for one in found]),
        "variance_at_null": np.array([one.spread.at_null for one in found]),
        "variance_splits": np.array([one.spread.splits for one in found]),
        "size_correction": found[0].spread.correction,
        "mean_at_null": np.array([one.mean_at_null for one in found]),
        "communities_in_play": np.array([one.communities_in_play for one in found]),
    }  # fmt: skip
    half = np.array([
        _half_width(drawn, row, blocks, plain.independent, confidence)
        for drawn, row in zip(np.moveaxis(plain.values, 1, 0), own)
    ])  # fmt: skip
    return BootstrapComparisons(
        replace(joint, method="community bootstrap, single-step max-t",
                details=MappingProxyType(details)),
        np.clip(centre - half, *what.bounds),
        np.clip(centre + half, *what.bounds),
    )  # fmt: skip


def _place(names: Sequence[str], name: str) -> int:
    if name not in names:
        raise unknown_choice("model", name, names)
    return list(names).index(name)


def _half_width(
    drawn: Floats, own: Floats, blocks: Blocks, independent: bool, confidence: float
) -> float:
    """Give half the t interval of one model's error rate, for which there is no null hypothesis."""
    sizes = blocks.sizes.astype(float)
    spread = spread_of(drawn, drawn, own, sizes, independent=independent)
    return float(special.stdtrit(spread.df, (1 + confidence) / 2) * np.sqrt(spread.variance))
