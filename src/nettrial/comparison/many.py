"""compare_models(): any number of models on one network, all pairs judged together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..communities import communities as find_communities
from ..errors import AssumptionWarning, InputError, unknown_choice
from ..measured import check_defined
from ..metrics.measures import MeasureName, measure_named
from ..models.base import Model
from ..network import Network
from ..seeds import Seed, Stream, derive, freeze
from ..splits.base import Design, Split
from ..stats.letters import compact_letters
from ..stats.manova import manova_test
from ..stats.max_t import contribution_comparisons
from ..stats.multivariate import hotelling_paired_test
from ..stats.omnibus import OmnibusResult
from ..stats.result import check_confidence
from ..study import CrossLinks, Predictions, model_warnings, run
from .compare import (
    check_comparable,
    check_network,
    named_models,
    positive_told,
    resolve_design,
    splits_of,
)
from .many_rerun import with_verdict_by
from .many_result import MultipleComparison
from .pairs import one_at_a_time, pair_matrix, pairs_of, significant
from .rerun import BOOTSTRAP, check_drawing, choose_test
from .tested import (
    Loss,
    are_several,
    check_enough_communities,
    community_table,
    model_contributions,
)
from .told import (
    clipping_told,
    clustered_told,
    communities_told,
    rare_classes,
    versions,
)

CLUSTERED = "clustered_t"  # the test on predictions that takes all models together
MULTIVARIATE = AssumptionWarning(
    "the test of several measures takes every community as one equally heavy row, normal with one "
    "covariance matrix: trust it with some tens of communities of similar size (with about 20 of "
    "them and equal models, 3 to 8% false alarms instead of 5% were measured)"
)


def compare_models(
    network: Network,
    models: Sequence[str | Model],
    *,
    control: str | None = None,
    measure: MeasureName = "error",
    measures: Sequence[Loss] = ("error",),
    labeled: float | None = None,
    n_splits: int | None = None,
    design: str | Design | Sequence[Split] = "rrs",
    positive: Hashable | None = None,
    communities: str | ArrayLike = "louvain",
    cross_links: CrossLinks = "keep",
    confidence: float = 0.95,
    test: str = "auto",
    n_replicates: int = 200,
    seed: Seed = 0,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> MultipleComparison:
    """Say which of several models beat which on networks like this one.

    All models run on the same splits. The differences of all pairs, or with a control, are one
    family: its intervals hold together and its p-values are adjusted by the single-step max-t
    procedure, from one set of networks drawn out of this one's communities on which all models
    are run again, or from what each community contributes to every difference.

    Parameters
    ----------
    network : Network
        With labels on at least some nodes, of at least two classes.
    models : sequence of str, Model or scikit-learn classifier
        At least two.
    control : str, optional
        Name of a model fixed beforehand: compare only each other one with it.
    measure : {"error", "squared_loss", "log_loss", "auc", "macro_f1"}
        What the pairs are compared by, as for `compare`.
    measures : sequence of {"error", "squared_loss", "log_loss"}
        Two or more add one test of all these measures at once, on means within communities.
    test : {"auto", "bootstrap", "clustered_t"}
        What the intervals and p-values come from. "auto" takes the bootstrap where re-running
        the models is quick, by the rule of `compare`, and "clustered_t" elsewhere.
    n_replicates : int
        Networks that the bootstrap draws for all pairs, and again for each pair.
    labeled, n_splits, design, positive, communities, cross_links, confidence, seed, n_jobs, \
progress
        As for `compare`.

    Returns
    -------
    MultipleComparison

    Raises
    ------
    InputError
        For fewer than two models, an unknown control or measure, fewer communities than the
        measures at once need, and as `compare`.
    ModelError
        Where a model fails.

    Examples
    --------
    >>> import nettrial
    >>> net = nettrial.latent_group_network(120, seed=1)
    >>> found = nettrial.compare_models(net, ["wvrn", "nbc", "prior"], n_splits=5, seed=1)
    >>> len(found.pairs.first), found.letters["prior"]
    (3, 'a')
    """
    return ready_to_compare(
        network, models, control=control, measure=measure, measures=measures, labeled=labeled,
        n_splits=n_splits, design=design, positive=positive, communities=communities,
        cross_links=cross_links, confidence=confidence, test=test, n_replicates=n_replicates,
        seed=seed, n_jobs=n_jobs, progress=progress,
    )()  # fmt: skip


def ready_to_compare(
    network: Network,
    models: Sequence[str | Model],
    *,
    control: str | None,
    measure: MeasureName,
    measures: Sequence[Loss],
    labeled: float | None,
    n_splits: int | None,
    design: str | Design | Sequence[Split],
    positive: Hashable | None,
    communities: str | ArrayLike,
    cross_links: CrossLinks,
    confidence: float,
    test: str,
    n_replicates: int,
    seed: Seed,
    n_jobs: int | None,
    progress: bool | None,
) -> Callable[[], MultipleComparison]:
    """Check all that `compare_models` is given, and give what then runs the models.

    Raises
    ------
    InputError
        As `compare_models`, but for what only predictions can tell.
    """
    check_confidence(confidence)
    check_network(network)
    if positive is not None:
        network = network.one_against_rest(positive)
    check_comparable(network)
    entropy = freeze(seed)
    built = named_models(models)
    check_models(tuple(built), control)
    name, design = resolve_design(design, labeled, n_splits, entropy)
    splits = splits_of(design, network)
    chosen = choose_test(
        test, network, tuple(built.values()), design, cross_links=cross_links,
        measure=measure_named(measure), allowed=(BOOTSTRAP, CLUSTERED),
    )  # fmt: skip
    groups = check_evidence(
        network, splits, len(built), measure=measure, measures=measures, communities=communities,
        entropy=entropy,
    )  # fmt: skip
    check_drawing(chosen, groups, n_replicates)

    def compared() -> MultipleComparison:
        predictions = run(
            network, built, splits, seed=derive(entropy, Stream.MODELS), n_jobs=n_jobs,
            cross_links=cross_links, progress=progress,
        )  # fmt: skip
        found = compare_many_predictions(
            predictions, control=control, measure=measure, measures=measures, design=name,
            labeled=getattr(design, "labeled", None), communities=communities,
            confidence=confidence, seed=entropy,
            settings={"cross_links": cross_links} | positive_told(positive),
        )  # fmt: skip
        return with_verdict_by(
            chosen, found, built, design, n_replicates=n_replicates, cross_links=cross_links,
            seed=derive(entropy, Stream.REPLICATES), n_jobs=n_jobs, progress=progress,
        )  # fmt: skip

    return compared


def compare_many_predictions(
    predictions: Predictions,
    *,
    control: str | None = None,
    measure: MeasureName = "error",
    measures: Sequence[Loss] = ("error",),
    design: str = "given",
    labeled: float | None = None,
    communities: str | ArrayLike = "louvain",
    confidence: float = 0.95,
    seed: Seed = 0,
    settings: Mapping[str, Any] | None = None,
) -> MultipleComparison:
    """Compare all models whose predictions are given.

    Parameters
    ----------
    predictions : Predictions
        Of at least two models on the same splits.
    control, measure, measures
        As for `compare_models`.
    design, labeled, communities, confidence, seed, settings
        As for `compare_predictions`.

    Raises
    ------
    InputError
        As for `compare_models`.
    """
    names = predictions.models
    check_models(names, control)
    entropy = freeze(seed)
    network = predictions.network
    groups = check_evidence(
        network, predictions.splits, len(names), measure=measure, measures=measures,
        communities=communities, entropy=entropy,
    )  # fmt: skip
    what = measure_named(measure)
    parts = model_contributions(predictions, groups, what)
    first, second = pairs_of(names, control)
    pairs = contribution_comparisons(
        parts.contrast(pair_matrix(names, first, second)), first=first, second=second,
        confidence=confidence, seed=derive(entropy, Stream.DIRECTIONS),
    )  # fmt: skip
    order = np.argsort(what.sign * parts.estimate, kind="stable")
    ranked = [names[i] for i in order]
    low, high = one_at_a_time(parts, confidence, what)
    multivariate = None
    told = clustered_told(pairs, [predictions]) + model_warnings(predictions)
    told += clipping_told(predictions, what) + rare_classes(network)
    if are_several(measures):
        multivariate = _multivariate(predictions, groups, measures, confidence)
        told += (MULTIVARIATE,)
    return MultipleComparison(
        predictions=predictions,
        design=design,
        labeled=labeled,
        seed=entropy,
        confidence=confidence,
        communities=groups,
        control=control,
        scores={names[i]: float(parts.estimate[i]) for i in order},
        score_intervals={names[i]: (float(low[i]), float(high[i])) for i in order},
        pairs=pairs,
        letters=compact_letters(ranked, significant(pairs)) if control is None else {},
        test=CLUSTERED,
        reason=(
            "it answers for other networks, and lets the errors within a community depend on each "
            "other in any way."
        ),
        multivariate=multivariate,
        warnings=told,
        settings=dict(settings or {}) | communities_told(communities, groups, network, entropy)
        | {"measures": list(measures), "versions": versions()},
        measure=what,
    )  # fmt: skip


def check_models(names: Sequence[str], control: str | None) -> None:
    """Refuse fewer than two models, and a control that is none of them."""
    if len(names) < 2:
        raise InputError(f"compare: received {len(names)} models, needed are at least two")
    if control is not None and control not in names:
        raise unknown_choice("control", control, names)


def check_evidence(
    network: Network,
    splits: Sequence[Split],
    n_models: int,
    *,
    measure: MeasureName,
    measures: Sequence[Loss],
    communities: str | ArrayLike,
    entropy: int,
) -> NDArray[np.int32]:
    """Refuse what predictions on these splits could not be judged by; give the communities."""
    check_defined(network, splits, measure_named(measure))
    several = are_several(measures)
    groups = find_communities(network, by=communities, seed=derive(entropy, Stream.COMMUNITIES))
    if several:
        check_enough_communities(measures, n_models, groups, splits)
    return groups


def _multivariate(
    predictions: Predictions,
    groups: NDArray[np.int32],
    measures: Sequence[Loss],
    confidence: float,
) -> OmnibusResult:
    table = community_table(predictions, groups, measures)
    n_models, n_groups, _ = table.shape
    if n_models == 2:
        return hotelling_paired_test(table[0], table[1], confidence=confidence)
    return manova_test(
        table.reshape(n_models * n_groups, -1),
        np.repeat(np.arange(n_models), n_groups),
        blocks=np.tile(np.arange(n_groups), n_models),
    )
