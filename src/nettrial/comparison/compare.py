"""compare(): from a network and two models to a verdict."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict
from os import PathLike
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike

from ..bootstrap.test import bootstrap_test
from ..communities import communities as find_communities
from ..definiteness import ritz_ends
from ..errors import InputError
from ..estimates import QEstimator, check_q, estimate_errors, estimates_table
from ..measured import check_defined
from ..metrics.measures import MeasureName, measure_named
from ..models.adapted import as_model
from ..models.base import Model
from ..network import Network
from ..seeds import Seed, Stream, derive, freeze
from ..splits.base import Design, Split
from ..splits.given import given_splits
from ..splits.names import by_name as design_by_name
from ..splits.names import options as design_options
from ..stats.result import TestResult, check_confidence
from ..store.inputs import describe_drawing
from ..study import CrossLinks, Plan, Predictions, model_warnings, run
from ..summary import autocorrelation
from .battery import best_on_predictions, run_battery
from .evidence import evidence_of
from .rerun import (
    BOOTSTRAP,
    check_drawing,
    choose_on_predictions,
    choose_test,
    with_verdict,
    with_verdict_by,
)
from .result import Comparison
from .told import (
    clipping_told,
    communities_told,
    listed,
    rare_classes,
    versions,
)


def compare(
    network: Network,
    a: str | Model,
    b: str | Model,
    *,
    labeled: float | None = None,
    n_splits: int | None = None,
    design: str | Design | Sequence[Split] = "rrs",
    positive: Hashable | None = None,
    communities: str | ArrayLike = "louvain",
    measure: MeasureName = "error",
    cross_links: CrossLinks = "keep",
    q: QEstimator = "moment",
    confidence: float = 0.95,
    test: str = "auto",
    n_replicates: int = 200,
    seed: Seed = 0,
    n_jobs: int | None = None,
    store: str | PathLike[str] | None = None,
    retry: bool = False,
    progress: bool | None = None,
) -> Comparison:
    """Say whether model `a` really beats model `b` on networks like this one.

    Splits the network, runs both models on the same splits, tests the difference of their error
    rates (or of another measure) in every way that the predictions allow, and takes the verdict
    from the test that answers for other networks; the usual tests stay beside it as a contrast.

    Parameters
    ----------
    network : Network
        With labels on at least some nodes, of at least two classes.
    a, b : str, Model or scikit-learn classifier
        Names of built-in models, or anything with ``fit(network, train)`` and
        ``predict_proba(network, nodes)``. A scikit-learn classifier sees the node features; for
        more of the network, wrap it as ``FeatureClassifier(classifier, use=...)``.
    labeled : float, optional
        Proportion of the labelled nodes that the models are trained on, by default 0.3.
    n_splits : int, optional
        Number of splits, by default 10.
    design : {"rrs", "ers", "ncv", ...}, Design or sequence of Split
        How the network is split. `labeled` and `n_splits` go with a name whose design has them;
        a Design or splits that are given bring their own.
    positive : hashable, optional
        Take this class against all others together.
    communities : str or array_like of int, shape (n_nodes,)
        "louvain", a node column, or a partition: the groups within which errors depend.
    measure : {"error", "squared_loss", "log_loss", "auc", "macro_f1"}
        What is compared: the error rate; the squared distance of the probabilities from the
        truth summed over classes; minus the logarithm of the true class's probability, moved
        into [eps, 1 - eps] with eps = 2**-23 as scikit-learn does; the area under the ROC curve
        (of each class against the rest, their mean, for more than two classes); the mean of F1
        over the classes that occur. Of the last two higher values are better.
    cross_links : {"keep", "drop"}
        Whether links between training nodes and others stay in the network of a split.
    q : {"moment", "mean_of_failing", "mean_of_erring"}
        Estimator of q, see `estimate_q`.
    confidence : float
        Level of the intervals.
    test : str
        Which test gives the verdict: "auto", "bootstrap", or another that answers for other
        networks. "auto" takes the bootstrap, which re-runs both models on networks drawn from
        this one, where that is quick, and elsewhere the best test on the predictions
        ("network_hac", or "clustered_t" where that one can tell nothing); the result says why.
    n_replicates : int
        Networks that the bootstrap draws, of either of its two kinds.
    seed : int, SeedSequence or Generator
        Everything random derives from it.
    n_jobs : int, optional
        Worker processes, -1 for one a core; by default one process, or what an enclosing
        ``joblib.parallel_config`` says. The result does not depend on it.
    store : path, optional
        Study file in which every model's run on every split, and on every network that the
        bootstrap draws, is kept as it ends. Where the file exists, only what is missing in it is
        run.
    retry : bool
        Whether runs that failed before, and are recorded in the study file, are run again.
    progress : bool, optional
        By default a bar is shown on a terminal.

    Returns
    -------
    Comparison
        Verdict, tests, estimates and predictions.

    Raises
    ------
    InputError
        Where the network has no links or fewer than two classes, or a setting cannot be used;
        where the measure needs probabilities and a model gives labels alone, or is not defined
        on some test set.
    ModelError
        Where a model fails and there is no study file.
    IncompleteStudyError
        Where runs failed and are recorded in the study file, when all others have ended.

    Examples
    --------
    >>> import nettrial
    >>> net = nettrial.latent_group_network(120, seed=1)
    >>> found = nettrial.compare(net, "wvrn", "nbc", labeled=0.3, n_splits=5, seed=1)
    >>> found.recommended, len(found.tests)
    ('bootstrap', 10)
    """
    check_confidence(confidence)
    check_q(q)
    check_network(network)
    if positive is not None:
        network = network.one_against_rest(positive)
    check_comparable(network)
    entropy = freeze(seed)
    models = named_models((a, b))
    name, design = resolve_design(design, labeled, n_splits, entropy)
    splits = splits_of(design, network)
    chosen = choose_test(
        test, network, tuple(models.values()), design, cross_links=cross_links,
        n_replicates=n_replicates, measure=measure_named(measure),
    )  # fmt: skip
    check_defined(network, splits, measure_named(measure))
    groups = find_communities(network, by=communities, seed=derive(entropy, Stream.COMMUNITIES))
    check_drawing(chosen, groups, n_replicates)
    labeled_used = getattr(design, "labeled", None)
    analysis: dict[str, Any] = {
        "design": name, "labeled": labeled_used, "q": q, "confidence": confidence,
        "seed": entropy, "settings": {"cross_links": cross_links} | positive_told(positive),
        "communities": communities if isinstance(communities, str) else listed(communities),
        "measure": measure,
    }  # fmt: skip
    drawing, drawn = derive(entropy, Stream.REPLICATES), None
    if store is not None and chosen.name == BOOTSTRAP:
        # told at once, so that a file with other drawn networks is refused as it is
        drawn = describe_drawing(design, groups, measure, n_replicates, drawing)
    predictions = run(
        network, models, splits, seed=derive(entropy, Stream.MODELS), n_jobs=n_jobs,
        cross_links=cross_links, store=store, retry=retry, progress=progress,
        analysis=analysis | {"verdict": asdict(chosen)}, drawn=drawn,
    )  # fmt: skip

    def bootstrap(found: Comparison) -> TestResult:
        assert isinstance(design, Design)  # noqa: S101 - choose_test refused splits that were given
        plan = Plan(
            network, models, predictions.splits, derive(entropy, Stream.MODELS), cross_links
        )
        return bootstrap_test(
            network, *models.values(), communities=found.communities, design=design,
            n_replicates=n_replicates, predictions=predictions, cross_links=cross_links,
            measure=measure, confidence=confidence, seed=drawing, n_jobs=n_jobs, progress=progress,
            records=lambda units: plan.record(store, units, drawn=drawn),
        )  # fmt: skip

    return with_verdict_by(chosen, tests_on(predictions, **analysis), bootstrap)


def compare_predictions(
    predictions: Predictions,
    *,
    design: str = "given",
    labeled: float | None = None,
    communities: str | ArrayLike = "louvain",
    measure: MeasureName = "error",
    q: QEstimator = "moment",
    confidence: float = 0.95,
    test: str = "auto",
    seed: Seed = 0,
    settings: Mapping[str, Any] | None = None,
) -> Comparison:
    """Compare the two models whose predictions are given.

    Parameters
    ----------
    predictions : Predictions
        Of exactly two models on the same splits.
    design : str
        How the splits were drawn, for the report.
    labeled : float, optional
        Proportion of labelled nodes in training, for the report.
    test : str
        Which test gives the verdict: "auto", or one that answers for other networks and needs
        the predictions alone ("network_hac", "clustered_t", "sign_flip", ...).
    communities, measure, q, confidence, seed
        As for `compare`.
    settings : mapping, optional
        Further settings, kept in the result.

    Raises
    ------
    InputError
        Where there are not two models, the measure cannot be had from the predictions, or the
        test is not one of these.

    Examples
    --------
    >>> import nettrial
    >>> net = nettrial.latent_group_network(120, seed=1)
    >>> run = nettrial.compare(net, "wvrn", "nbc", n_splits=5, seed=1)
    >>> found = compare_predictions(run.predictions, test="clustered_t", seed=1)
    >>> found.recommended, found.test("clustered_t").pvalue == run.test("clustered_t").pvalue
    ('clustered_t', True)
    """
    chosen = choose_on_predictions(test, measure_named(measure))
    found = tests_on(
        predictions, design=design, labeled=labeled, communities=communities, measure=measure,
        q=q, confidence=confidence, seed=seed, settings=settings,
    )  # fmt: skip
    return with_verdict(chosen, found)


def tests_on(
    predictions: Predictions,
    *,
    design: str,
    labeled: float | None,
    communities: str | ArrayLike,
    measure: MeasureName,
    q: QEstimator,
    confidence: float,
    seed: Seed,
    settings: Mapping[str, Any] | None,
) -> Comparison:
    """Make every test on predictions, see `compare_predictions`; the best gives the verdict."""
    if len(predictions.models) != 2:
        raise InputError(
            f"compare: received {len(predictions.models)} models, needed are two: "
            "what is compared and what with"
        )
    entropy = freeze(seed)
    network = predictions.network
    a, b = predictions.models
    what = measure_named(measure)
    found = {model: estimate_errors(network, predictions.errors(model), q=q) for model in (a, b)}
    groups = find_communities(network, by=communities, seed=derive(entropy, Stream.COMMUNITIES))
    evidence = evidence_of(
        predictions, what, (found[a], found[b]), groups, confidence=confidence,
        seed=derive(entropy, Stream.FLIPS),
    )  # fmt: skip
    tests = run_battery(evidence)
    estimates = estimates_table(found) | {
        "autocorrelation": autocorrelation(network),
        "lemma1": {model: _lemma1(network, found[model].p, found[model].q, found[model].rho)
                   for model in (a, b)},
    }  # fmt: skip
    recommended, reason = best_on_predictions(tests)
    verdict_warnings = next(test.warnings for test in tests if test.name == recommended)
    return Comparison(
        a=a,
        b=b,
        predictions=predictions,
        design=design,
        labeled=labeled,
        seed=entropy,
        confidence=confidence,
        communities=groups,
        tests=tests,
        recommended=recommended,
        reason=reason,
        estimates=estimates,
        warnings=verdict_warnings + model_warnings(predictions)
        + clipping_told(predictions, what) + rare_classes(network),
        settings=dict(settings or {})
        | communities_told(communities, groups, network, entropy)
        | {"q": q, "versions": versions()},
        scores={a: evidence.scores_a, b: evidence.scores_b},
        measure=what,
    )  # fmt: skip


def positive_told(positive: Hashable | None) -> dict[str, str]:
    """Say which class was taken against all others."""
    return {} if positive is None else {"positive": str(positive)}


def check_network(network: Network) -> None:
    """Refuse what is no network."""
    if not isinstance(network, Network):
        raise InputError(
            f"network: received a {type(network).__name__}, needed is a nettrial.Network; "
            "nettrial.read(path) gives one from a file"
        )


def check_comparable(network: Network) -> None:
    """Refuse a network on which no two classifiers can be compared.

    Raises
    ------
    InputError
        Where there are no links, no labels, or fewer than two classes.
    """
    check_network(network)
    if network.n_links == 0:
        raise InputError(
            f"compare: the network has {network.n_nodes} nodes but no links; relational models "
            "need at least one"
        )
    present = np.unique(network.labels[network.labelled])
    if present.size == 0:
        raise InputError(
            "compare: no node has a label; name the column that holds the classes with label="
        )
    if present.size == 1:
        raise InputError(
            f"compare: all labelled nodes have the class {network.classes[present[0]]!r}; "
            "needed are at least two classes"
        )


def named_models(given: Sequence[Any]) -> dict[str, Model]:
    """Build the models and give each a name of its own."""
    if isinstance(given, str):
        raise InputError(f"models: received {given!r}, needed is a list such as ['wvrn', 'nbc']")
    models: dict[str, Model] = {}
    for one in given:
        model = as_model(one)
        name = one if isinstance(one, str) else getattr(model, "name", type(model).__name__)
        chosen, number = name, 2
        while chosen in models:
            chosen, number = f"{name} ({number})", number + 1
        models[chosen] = model
    return models


def draw_splits(
    network: Network,
    design: str | Design | Sequence[Split],
    labeled: float | None,
    n_splits: int | None,
    entropy: int,
) -> tuple[str, list[Split], float | None]:
    """Draw the splits; give the design's name and the proportion labelled with them."""
    name, found = resolve_design(design, labeled, n_splits, entropy)
    return name, splits_of(found, network), getattr(found, "labeled", None)


def resolve_design(
    design: str | Design | Sequence[Split],
    labeled: float | None,
    n_splits: int | None,
    entropy: int,
) -> tuple[str, Design | Sequence[Split]]:
    """Give the name of a design and the design itself, or the splits that were given."""
    given = {k: v for k, v in (("labeled", labeled), ("n_splits", n_splits)) if v is not None}
    if isinstance(design, str):
        if "seed" in design_options(design):
            given["seed"] = entropy
        return design.lower(), design_by_name(design, **given)
    if given:
        raise InputError(
            f"compare: received {' and '.join(given)} beside a design that brings its own; "
            "give a design's name, or set them on the design"
        )
    return type(design).__name__ if isinstance(design, Design) else "given", design


def splits_of(design: Design | Sequence[Split], network: Network) -> list[Split]:
    """Split a network, or take the splits that were given."""
    if isinstance(design, Design):
        splits = design.split_network(network)
    else:
        splits = given_splits(design, network)
    if len(splits) < 2:
        raise InputError(f"compare: received {len(splits)} splits, needed are at least 2")
    return splits


def _lemma1(network: Network, p: float, q: float, rho: float) -> dict[str, Any]:
    """Judge whether the estimates allow the variance model (Lemma 1, corrected form).

    Its covariance is positive definite if and only if -1/lambda_max < rho < -1/lambda_min, with
    lambda the extreme eigenvalues of the links, and no kind of node has error variance 0.
    """
    low, high = network.derive("spectrum", lambda: ritz_ends(_simple(network)))
    bounds = (-1 / high, -1 / low)
    if p in (0, 1) or q == 1:
        word = "not positive definite: some nodes' errors never vary"
    else:
        word = "positive definite" if bounds[0] < rho < bounds[1] else "not positive definite"
    return {"verdict": word, "rho": rho, "rho_low": bounds[0], "rho_high": bounds[1]}


def _simple(network: Network) -> sp.csr_array:
    """Links without weight or direction."""
    source, target = network.simple_links()
    ends = (np.concatenate([source, target]), np.concatenate([target, source]))
    shape = (network.n_nodes, network.n_nodes)
    return sp.csr_array((np.ones(ends[0].size), ends), shape=shape)
