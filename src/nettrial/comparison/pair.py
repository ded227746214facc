"""From the judgment of one pair of models to a Comparison."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import scipy.sparse as sp

from ..core.errors import InputError, not_found, shown
from ..core.option_names import option
from ..inference.estimates import estimates_table
from ..inference.scores import Scores, scores_by_model
from ..io.report import what_was_read
from ..network.link_arrays import starts
from ..network.network import Network
from ..network.summary import autocorrelation
from ..stats.lemma1 import ritz_ends
from ..study.in_order import predictions_in_order
from ..study.node_study import model_warnings
from .analysis import Analysis
from .baseline import baseline_notes, baseline_of
from .endings import ending_of_pair
from .judge import Judgement, prior_tests_of_pair
from .notes import communities_note, versions
from .prior_tests import prior_tests_note
from .result import Comparison


def comparison_of(judgment: Judgement) -> Comparison:
    """Return the comparison of the first pair of a judgment."""
    how, scores = judgment.analysis, judgment.scores
    predictions, prior = scores.predictions, prior_tests_of_pair(judgment)
    baseline = baseline_of(scores, how)
    estimated = ESTIMATES.get(predictions.task.name)
    estimates, kept = estimated(scores, how) if estimated else ({}, {})
    return Comparison(
        **shared_by_two(judgment),
        estimates=estimates,
        warnings=prior_tests_note(prior)
        + judgment.tests[0].warnings
        + judgment.of_communities()
        + judgment.moved_by_seeds()
        + notes_of(scores)
        + baseline_notes(scores, baseline),
        settings=settings_of(predictions.network, how)
        | kept
        | test_sets_note(judgment)
        | predictions.task.settings(predictions),
        sources=judgment.sources(),
        prior_tests=prior,
        ending=ending_of_pair(judgment, prior),
        baseline=baseline,
    )


def shared(judgment: Judgement) -> dict[str, Any]:
    """Return what the results on two and on several models keep of how they were judged.

    Nodes and classes stand in the order in which they were given.
    """
    how = judgment.analysis
    back = None if how.order is None else how.order.back
    return {
        "predictions": predictions_in_order(judgment.scores.predictions, back),
        "design": how.design,
        "labeled": how.labeled,
        "seed": how.entropy,
        "confidence": how.confidence,
        "communities": how.groups if back is None else how.groups[back.nodes],
        "reason": how.choice.reason,
        "measure": how.measure,
    }


def shared_by_two(judgment: Judgement) -> dict[str, Any]:
    """Return what the results on the first pair keep, of nodes and of links."""
    a, b = judgment.scores.models
    return shared(judgment) | {
        "a": a,
        "b": b,
        "tests": judgment.all_tests(),
        "recommended": judgment.analysis.choice.name,
        "scores_by_split": scores_by_model(judgment.scores),
    }


def notes_of(scores: Scores) -> tuple[Warning, ...]:
    """Return warnings that bear on every test on these predictions."""
    predictions = scores.predictions
    task = predictions.task
    return (
        model_warnings(predictions)
        + task.cautions(predictions, scores.measure)
        + task.doubts(predictions.network)
    )


def settings_of(network: Network, how: Analysis) -> dict[str, Any]:
    """Return the settings that a result keeps, and the versions on which its numbers depend."""
    replicates = {"n_replicates": how.choice.n_replicates} if how.choice.n_replicates else {}
    return (
        dict(how.settings)
        | communities_note(
            how.communities,
            how.groups,
            network,
            how.entropy,
            None if how.similar is None else how.similar.division,
        )
        | {"read": what_was_read(network).to_dict(), "versions": versions()}
        | replicates
    )


def test_sets_note(judgment: Judgement) -> dict[str, str]:
    """Return whether test sets share nodes, where splits were given and no design says it."""
    if judgment.analysis.design != "given":
        return {}
    return {"test_sets": "overlap" if judgment.scores.overlap > 1 else "are disjoint"}


Estimated: TypeAlias = tuple[dict[str, Any], dict[str, Any]]  # and what settings keep of it


def _of_numbers(scores: Scores, _: Analysis) -> Estimated:
    network, splits = scores.predictions.network, scores.predictions.splits
    known = {"n": float(np.mean([split.test.size for split in splits]))}
    return known | {"m": int(network.labeled.size), "autocorrelation": autocorrelation(network)}, {}


def _of_classes(scores: Scores, how: Analysis) -> Estimated:
    network = scores.predictions.network
    found = {model: scores.estimates(model, how.q) for model in scores.models}
    estimates = estimates_table(found) | {
        "autocorrelation": autocorrelation(network),
        "lemma1": {
            model: _lemma1(network, each.p, each.q, each.rho) for model, each in found.items()
        },
    }
    return estimates, {"q": how.q}


ESTIMATES = {"classes": _of_classes, "numbers": _of_numbers}


def _lemma1(network: Network, p: float, q: float, rho: float) -> dict[str, Any]:
    """Judge whether the estimates allow the variance model (Lemma 1, corrected form).

    Its covariance is positive definite if and only if -1/lambda_max < rho < -1/lambda_min, with
    lambda the extreme eigenvalues of the links, and no kind of node has error variance 0.
    """
    low, high = network.cached("spectrum", lambda: ritz_ends(_simple(network)))
    bounds = (-1 / high, -1 / low)
    if p in (0, 1) or q == 1:
        word = "not positive definite: some nodes' errors never vary"
    else:
        word = "positive definite" if bounds[0] < rho < bounds[1] else "not positive definite"
    return {"verdict": word, "rho": rho, "rho_low": bounds[0], "rho_high": bounds[1]}


def _simple(network: Network) -> sp.csr_array:
    """Links without weight or direction."""
    indptr, indices, _ = network.neighbors("both")
    shape = (network.n_nodes, network.n_nodes)
    return sp.csr_array((np.ones(indices.size), indices, starts(indptr)), shape=shape)


def named_pair(models: Sequence[str], a: str | None, b: str | None) -> tuple[str, str]:
    """Return the two models of predictions, the one that is named in its place."""
    named = a if a is not None else b
    if named is not None and named not in models:
        raise not_found("model", named, models)
    rest = [name for name in models if name != named]
    if len(rest) != 1:
        raise InputError(
            expected="two models",
            got=f"{shown(named)} of {len(models)} ({', '.join(models[:8])})",
            hint=f"name both by {option('a')} and {option('b')}",
            where="compare",
        )
    return (str(a), rest[0]) if a is not None else (rest[0], str(b))
