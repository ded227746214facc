"""The test of a difference on other networks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from ..core.option_names import option
from ..core.progress import Progress
from ..core.seeds import Seed, Stream, derive, freeze
from ..metrics.measures import Measure, MeasureLike
from ..models.adapted import as_model
from ..models.base import AnyModel
from ..network.communities import communities as find_communities
from ..network.network import Network
from ..splits.base import Design
from ..splits.names import by_name as design_by_name
from ..stats.result import TestResult, check_confidence
from ..study.node_study import CrossLinks, Predictions, run
from ..study.records import MemoryRecord
from ..study.tasks import task_of
from .base import Records, ReplicateRunner, Rerun, community_details
from .blocks import Blocks, take_apart
from .bootstrap import Bootstrap, check_replicates
from .bootstrap_variance import BootstrapVariance, spread_of
from .by_community import values_of
from .compiled_pair import is_compiled, is_independent
from .halving import may_see_copies

Floats = NDArray[np.float64]

QUESTION = "Does the difference hold on other networks like this one?"
ROUNDING = 1e-13  # of a mean of measures


@check_arguments
def community_bootstrap_test(
    network: Network,
    a: str | AnyModel,
    b: str | AnyModel,
    *,
    communities: str | ArrayLike = "louvain",
    labeled: float = 0.3,
    n_splits: int = 10,
    design: str | Design = "rrs",
    n_replicates: int = 200,
    predictions: Predictions | None = None,
    cross_links: CrossLinks = "keep",
    measure: MeasureLike = "error",
    confidence: float = 0.95,
    seed: Seed = 0,
    n_jobs: int | None = None,
    records: Records = MemoryRecord,
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
        Proportion of the labeled nodes that is trained on, where `design` is a name.
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
    measure : str or Measure
        What is compared, as for `compare`. The compiled path serves error rates; other measures
        take the general one.
    confidence : float
        Level of the interval.
    seed : int, SeedSequence or Generator
        Everything random derives from it.
    n_jobs : int, optional
        Worker processes for models that are not compiled together, as for `compare`.
    records : callable
        Gives what keeps the outcomes of units, by default memory; `compare` gives a study file.
    progress : bool, optional
        By default a bar is shown on a terminal.

    Returns
    -------
    TestResult
        Two-sided. The estimate is the measure of a minus that of b.

    Raises
    ------
    InputError
        Where there are fewer than two communities or ten replicates, a model may notice copies of
        a node, or the measure is not defined on a split of the network or of a replicate.

    Notes
    -----
    See `replicate_network` for the drawing, `null_probabilities` for the null hypothesis and
    `spread_of` for the standard error and its degrees of freedom. The interval takes the
    standard error for constant.

    Examples
    --------
    >>> from nettrial.synth.latent_groups import latent_group_network
    >>> net = latent_group_network(120, seed=1)
    >>> found = community_bootstrap_test(net, "wvrn", "nbc", n_splits=5, n_replicates=20, seed=1)
    >>> found.details["n_replicates"], 0 < found.pvalue < 1
    (20, True)
    """
    check_replicates(n_replicates, "community_bootstrap_test")
    level = check_confidence(confidence)
    what = task_of(network).measure(measure)
    entropy = freeze(seed)
    models = {"a": as_model(a), "b": as_model(b)}
    for name, model in models.items():
        if not may_see_copies(model):
            raise InputError(
                expected="models that cannot notice copies of a node (wvrn, nbc, cdrn, prior, "
                "relational_mean, mean)",
                got=f"{name}={shown(model)}",
                hint=f"use {option('test', 'halves')}",
                where="community_bootstrap_test",
            )
    if isinstance(design, str):
        options: dict[str, Any] = {"n_splits": n_splits, "labeled": labeled}
        design = design_by_name(design, **options, seed=derive(entropy, Stream.BOOTSTRAP_SPLITS))
    if predictions is None:
        predictions = run(
            network,
            models,
            design.split_network(network),
            seed=derive(entropy, Stream.BOOTSTRAP_MODELS),
            cross_links=cross_links,
            progress=False,
        )
    _check_fit(predictions, network)
    predictions.task.check_measurable(predictions, what)
    group = find_communities(
        network, by=communities, seed=derive(entropy, Stream.BOOTSTRAP_COMMUNITIES)
    )
    blocks, pair = take_apart(network, group), tuple(models.values())
    drawn = Bootstrap(
        blocks,
        predictions.models,
        [(0, 1)],
        len(predictions.splits),
        is_independent(design),
        entropy,
        Rerun(dict(zip(predictions.models, pair)), design, cross_links, what, predictions.task),
        n_replicates,
        (is_compiled(network, pair, design, cross_links, what),),
    )
    own = values_of(predictions, what)
    with Progress(drawn.title, total=2 * n_replicates, enabled=progress) as bar:
        found = drawn.results(own, ReplicateRunner(network, bar, n_jobs, records))
    a, b = predictions.models
    return conclude(
        own,
        found.variance(BootstrapVariance, a, b),
        blocks,
        n_replicates=n_replicates,
        confidence=level,
        size=size_of(own, what),
    )


def _check_fit(predictions: Predictions, network: Network) -> None:
    """Refuse predictions that are not those of two models on this network."""
    of = predictions.network
    if of.n_nodes != network.n_nodes or not np.array_equal(of.labels, network.labels):
        raise InputError(
            expected=f"predictions on this network, {network!r}",
            got=f"predictions on another, {of!r}",
            hint="their nodes and labels must be the same; leave the predictions out to have "
            "them made",
            where="community_bootstrap_test",
        )
    if len(predictions.models) != 2:
        raise InputError(
            expected="predictions of two models",
            got=f"{len(predictions.models)}",
            where="community_bootstrap_test",
        )


def size_of(values: Floats, measure: Measure) -> float:
    """Return how large values of a measure are, for `finish`.

    A measure that is at most 1, or another number, has no unit, and is computed from numbers of
    that size; one without a limit may be in any unit, so that only its own values tell.

    Examples
    --------
    >>> from ..metrics.measures import measure_of
    >>> size_of(np.array([[0.25], [0.5]]), measure_of("error", "classes"))
    1.0
    >>> size_of(np.array([[2e-9], [5e-9]]), measure_of("squared_error", "numbers"))
    5e-09
    """
    unit = measure.largest if np.isfinite(measure.largest) else 0.0
    return float(max(np.abs(values).max(initial=0.0), unit))


def conclude(
    own: Floats,
    found: BootstrapVariance,
    blocks: Blocks,
    *,
    n_replicates: int,
    confidence: float,
    size: float,
) -> TestResult:
    """Make the test of two models from what they did on the network and on replicates.

    Parameters
    ----------
    own : ndarray, shape (2, k)
        The measure of both on every split of the network.
    blocks : Blocks
        The network taken apart.
    n_replicates : int
        In each set.
    size : float
        As for `finish`.
    """
    estimate = float((own[0] - own[1]).mean())
    return finish(
        "community bootstrap", estimate, found.variance, found.df, confidence,
        community_details(blocks) | {
            "n_replicates": n_replicates,
            "n_splits": own.shape[1],
            "variance_at_estimate": found.at_estimate,
            "variance_at_null": found.at_null,
            "size_correction": found.correction,
            "variance_splits": found.splits,
            **details_of_chance(estimate, found, found.noise),
            "shift": found.mean_at_estimate - estimate,
            "mean_at_null": found.mean_at_null,
            "communities_in_play": found.communities_in_play,
            "compiled": found.compiled,
        },
        size=size,
    )  # fmt: skip


def details_of_chance(estimate: float, found: Any, noise: float) -> dict[str, float]:
    """Return what splits have of a variance, and how far chance alone moves the p-value.

    Another seed has other splits, which move the estimate, and other re-runs, which move the
    logarithm of V with variance 2 chance. The statistic t so has the Monte Carlo variance
    u² = noise / V + t² chance / 2, and the error of p is the root mean square of its change from
    t to t + u and to t - u.

    Parameters
    ----------
    noise : float
        Part of the variance that comes from splits; NaN where that is not known.

    Examples
    --------
    >>> from types import SimpleNamespace as Like
    >>> found = details_of_chance(0.02, Like(variance=1e-4, df=20.0, chance=0.01), 1e-5)
    >>> {name: round(value, 4) for name, value in found.items()}
    {'share_splits': 0.1, 'pvalue_error': 0.044}
    """
    if not found.variance > 0:
        return {"share_splits": math.nan, "pvalue_error": math.nan}
    share, t = noise / found.variance, estimate / math.sqrt(found.variance)
    u = math.sqrt(share + t**2 * found.chance / 2)
    p, *moved = 2 * scipy.special.stdtr(found.df, -np.abs([t, t + u, t - u]))
    error = float(np.sqrt(np.mean((np.array(moved) - p) ** 2)))
    return {"share_splits": share, "pvalue_error": error}


def pvalue_of(own: Floats, plain: Floats, null: Floats, sizes: Floats) -> float:
    """Return the p-value from differences of error rates alone, NaN where they do not vary.

    Parameters
    ----------
    own : ndarray, shape (k,)
        Difference on every split of the network itself; splits are independent of each other.
    plain, null : ndarray, shape (n_replicates, r)
        The same on the replicates of either kind.
    sizes : ndarray, shape (n_communities,)
        Nodes in each community.
    """
    spread = spread_of(plain, null, own, sizes, independent=True)
    test = finish("community bootstrap", float(own.mean()), spread.variance, spread.df, 0.95, {})
    return float(test.pvalue)


def finish(
    method: str,
    estimate: float,
    variance: float,
    df: float,
    confidence: float,
    details: Mapping[str, Any],
    *,
    size: float = 1.0,
) -> TestResult:
    """Make a two-sided t test and its interval of an estimate and its variance.

    `size` is how large the numbers are that the estimate was computed from, which says how much
    of it may be rounding; by default that of shares.
    """
    nan = float("nan")
    error = float(np.sqrt(variance))
    # a variance of differences that are the same but for rounding is no variance
    dust = ROUNDING * max(abs(estimate), size)
    degenerate = error <= dust
    if degenerate:
        error = 0.0
        none = abs(estimate) <= dust
        statistic, pvalue, half = (0.0, 1.0, nan) if none else (nan, nan, nan)
    else:
        statistic = estimate / error
        pvalue = float(min(2 * scipy.special.stdtr(df, -abs(statistic)), 1.0))
        half = float(scipy.special.stdtrit(df, (1 + confidence) / 2)) * error
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
