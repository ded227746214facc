"""The test of a difference on other networks."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from ..communities import communities as find_communities
from ..errors import InputError
from ..measured import check_measurable
from ..metrics.measures import MeasureName, measure_named
from ..models.base import Model
from ..models.names import by_name as model_by_name
from ..network import Network
from ..progress import Progress
from ..seeds import Seed, derive, freeze
from ..splits.base import Design
from ..splits.names import by_name as design_by_name
from ..stats.result import TestResult, check_confidence
from ..study import CrossLinks, Predictions, run
from .blocks import take_apart
from .reference import spread_of
from .runs import Drawn, differences_of, run_on_replicates
from .tilting import null_probabilities

Floats = NDArray[np.float64]
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
    measure: MeasureName = "error",
    confidence: float = 0.95,
    seed: Seed = 0,
    progress: bool | None = None,
) -> TestResult:
    """Test whether models `a` and `b` differ on other networks like this one.

    Draws networks out of the communities of this one, runs both models on each as on the
    network itself, and takes the variance of their mean difference for the variance that the
    difference has from network to network; once as the network is, and once with communities
    drawn such that the models come out equal.

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
        Number of replicates of either kind, at least 10.
    predictions : Predictions, optional
        Of the two models on the splits of `design`, if they were made before.
    cross_links : {"keep", "drop"}
        Whether links between training nodes and others stay in the network of a split.
    measure : {"error", "squared_loss", "log_loss", "auc", "macro_f1"}
        What is compared, as for `compare`. The compiled path serves error rates; other measures
        take the general one.
    confidence : float
        Level of the interval.
    seed : int, SeedSequence or Generator
        Everything random derives from it.
    progress : bool, optional
        By default a bar is shown on a terminal.

    Returns
    -------
    TestResult
        Two-sided. The estimate is the measure of a minus that of b.

    Raises
    ------
    InputError
        Where there are fewer than two communities or ten replicates, or the measure is not
        defined on a split of the network or of a replicate.

    Notes
    -----
    See `replicate_network` for the drawing, `null_probabilities` for the null hypothesis and
    `spread_of` for the standard error and its degrees of freedom. The interval takes the
    standard error for constant.

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
    what = measure_named(measure)
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
    check_measurable(predictions, what)
    own, _, _ = differences_of(predictions, what)

    def draw(probabilities: Floats, place: int) -> Drawn:
        return run_on_replicates(
            network, blocks._replace(cumulative=np.cumsum(probabilities)), (models[0], models[1]),
            design, n_replicates=n_replicates, cross_links=cross_links,
            entropy=derive(entropy, REPLICATES, place), progress=bar, measure=what,
        )  # fmt: skip

    with Progress("drawn networks", total=2 * n_replicates, enabled=progress) as bar:
        plain = draw(np.full(blocks.sizes.size, 1 / blocks.sizes.size), 0)
        chances = null_probabilities(plain.totals)
        null = draw(chances, 1)
    nodes = blocks.sizes.astype(float)
    spread = spread_of(
        plain.differences, null.differences, own, nodes, independent=plain.independent
    )
    estimate = float(own.mean())
    return finish(
        "community bootstrap", estimate, spread.variance, spread.df, level,
        {
            "n_replicates": n_replicates,
            "n_splits": own.size,
            "communities": int(nodes.size),
            "effective_communities": float(nodes.sum() ** 2 / (nodes**2).sum()),
            "largest_share": float(nodes.max() / nodes.sum()),
            "variance_at_estimate": spread.at_estimate,
            "variance_at_null": spread.at_null,
            "size_correction": spread.correction,
            "variance_splits": spread.splits,
            "shift": float(plain.differences.mean() - estimate),
            "mean_at_null": float(null.differences.mean()),
            "communities_in_play": float(1 / (chances**2).sum()),
            "compiled": plain.compiled,
        },
    )  # fmt: skip


def finish(
    method: str, estimate: float, variance: float, df: float, confidence: float,
    details: Mapping[str, Any],
) -> TestResult:  # fmt: skip
    """Make a two-sided t test and its interval of an estimate and its variance."""
    nan = float("nan")
    error = float(np.sqrt(variance))
    degenerate = error == 0
    if degenerate:
        statistic, pvalue, half = (0.0, 1.0, nan) if estimate == 0 else (nan, nan, nan)
    else:
        statistic = estimate / error
        pvalue = float(min(2 * special.stdtr(df, -abs(statistic)), 1.0))
        half = float(special.stdtrit(df, (1 + confidence) / 2)) * error
    notes = (
        "degenerate: the difference is the same on all of them, so there is no standard error",
    )
    return TestResult(
        method=method,
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
        details=MappingProxyType(dict(details)),
        notes=notes if degenerate else (),
    )
