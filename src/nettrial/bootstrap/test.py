"""The test of a difference on other networks."""

from __future__ import annotations

import copy
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from ..communities import communities as find_communities
from ..errors import InputError
from ..models.base import Model
from ..models.names import by_name as model_by_name
from ..network import Network
from ..seeds import Seed, derive, freeze
from ..splits.base import Design
from ..splits.names import by_name as design_by_name
from ..stats.result import TestResult, check_confidence
from ..study import CrossLinks, Predictions, run
from .blocks import take_apart
from .reference import contributions, degrees_of_freedom, spread_of
from .runs import replicate_rates

QUESTION = "Does the difference hold on other networks like this one?"
FEWEST = 10  # replicates below which a variance is not worth having
SPLITTING, MODELS, COMMUNITIES, REPLICATES = 0, 1, 2, 3  # what the derived seeds are for


def bootstrap_test(
    network: Network,
    a: str | Model,
    b: str | Model,
    *,
    communities: str | ArrayLike = "louvain",
    labeled: float = 0.3,
    n_splits: int = 10,
    design: str | Design = "rrs",
    n_replicates: int = 200,
    predictions: Predictions | None = None,
    cross_links: CrossLinks = "keep",
    confidence: float = 0.95,
    seed: Seed = 0,
) -> TestResult:
    """Test whether models `a` and `b` differ on other networks like this one.

    Draws networks out of the communities of this one, runs both models on each as on the
    network itself, and takes the variance of their mean difference for the variance that the
    difference has from network to network.

    Parameters
    ----------
    network : Network
    a, b : str or Model
        Names of built-in models, or anything that `compare` takes.
    communities : str or array_like of int, shape (n_nodes,)
        "louvain", a node column, or a partition.
    labeled : float
        Proportion of the labelled nodes that is trained on, where `design` is a name.
    n_splits : int
        Number of splits, where `design` is a name.
    design : str or Design
        How the network and its replicates are split.
    n_replicates : int
        Number of replicates, at least 10.
    predictions : Predictions, optional
        Of the two models on the splits of `design`, if they were made before.
    cross_links : {"keep", "drop"}
        Whether links between training nodes and others stay in the network of a split.
    confidence : float
        Level of the interval.
    seed : int, SeedSequence or Generator
        Everything random derives from it.

    Returns
    -------
    TestResult
        Two-sided. The estimate is the error rate of a minus that of b.

    Raises
    ------
    InputError
        Where there are fewer than two communities or ten replicates.

    Notes
    -----
    See `replicate_network` for the drawing and `degrees_of_freedom` for the reference
    distribution.

    Examples
    --------
    >>> from nettrial.synth.latent_groups import latent_group_network
    >>> net = latent_group_network(120, seed=1)
    >>> found = bootstrap_test(net, "wvrn", "nbc", n_splits=5, n_replicates=20, seed=1)
    >>> found.details["n_replicates"], 0 < found.pvalue < 1
    (20, True)
    """
    if isinstance(n_replicates, bool) or n_replicates < FEWEST:
        raise InputError(
            f"bootstrap_test: n_replicates={n_replicates!r}, allowed is an integer of at least "
            f"{FEWEST}; 200 is a good number"
        )
    level = check_confidence(confidence)
    entropy = freeze(seed)
    models = tuple(model_by_name(m) if isinstance(m, str) else m for m in (a, b))
    if isinstance(design, str):
        options: dict[str, Any] = {"n_splits": n_splits, "labeled": labeled}
        design = design_by_name(design, **options, seed=derive(entropy, SPLITTING))
    if predictions is None:
        predictions = run(
            network, {"a": models[0], "b": models[1]}, design.split_network(network),
            seed=derive(entropy, MODELS), cross_links=cross_links, progress=False,
        )  # fmt: skip
    group = find_communities(network, by=communities, seed=derive(entropy, COMMUNITIES))
    blocks = take_apart(network, group)
    found = replicate_rates(
        network, blocks, (models[0], models[1]), copy.copy(design), n_replicates=n_replicates,
        cross_links=cross_links, entropy=derive(entropy, REPLICATES),
    )  # fmt: skip
    errors = [predictions.errors(name) for name in predictions.models]
    tests = (errors[0] >= 0).sum(axis=0).astype(float)
    excess = (errors[0] == 1).sum(axis=0) - (errors[1] == 1).sum(axis=0).astype(float)
    sizes = (errors[0] >= 0).sum(axis=1)
    rates = [(e == 1).sum(axis=1) / sizes for e in errors]
    estimate = float((rates[0] - rates[1]).mean())
    drawn = found.rates[:, 0] - found.rates[:, 1]
    spread = spread_of(drawn, len(sizes), independent=found.independent)
    shares = contributions(tests, excess, blocks.community)
    df = degrees_of_freedom(shares, blocks.sizes.astype(float), n_replicates)
    return _result(
        estimate, float(np.sqrt(spread.variance)), df, level,
        {
            "n_replicates": n_replicates,
            "n_splits": len(sizes),
            "communities": int(blocks.sizes.size),
            "effective_communities": float(blocks.sizes.sum() ** 2 / (blocks.sizes**2.0).sum()),
            "communities_that_matter": _matter(shares),
            "largest_share": float(blocks.sizes.max() / blocks.sizes.sum()),
            "replicate_shift": float(drawn.mean() - estimate),
            "variance_networks": spread.networks,
            "variance_splits": spread.splits,
            "compiled": found.compiled,
        },
    )  # fmt: skip


def _matter(shares: Any) -> float:
    fourth = float((shares**4).sum())
    return float((shares**2).sum() ** 2 / fourth) if fourth > 0 else float("nan")


def _result(
    estimate: float, error: float, df: float, confidence: float, details: dict[str, Any]
) -> TestResult:
    degenerate = error == 0
    if degenerate:
        statistic, pvalue = (0.0, 1.0) if estimate == 0 else (float("nan"), float("nan"))
        half = float("nan")
    else:
        statistic = estimate / error
        pvalue = float(min(2 * special.stdtr(df, -abs(statistic)), 1.0))
        half = float(special.stdtrit(df, (1 + confidence) / 2)) * error
    notes = ("the replicates do not differ: there is no standard error",) if degenerate else ()
    return TestResult(
        method="community bootstrap",
        question=QUESTION,
        estimate=estimate,
        standard_error=error,
        statistic=statistic,
        df=df,
        pvalue=pvalue,
        ci_low=estimate - half,
        ci_high=estimate + half,
        confidence=confidence,
        alternative="two-sided",
        degenerate=degenerate,
        details=MappingProxyType(details),
        notes=notes,
    )
