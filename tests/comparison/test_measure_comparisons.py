"""Comparisons by every measure: scores, signs, texts, tests."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as t_distribution

import nettrial
from nettrial.inference.false_alarms import BY_MEASURE, SAME_AS_ERROR
from nettrial.inference.registry import on_predictions
from nettrial.inference.scores import Evidence, Scores
from nettrial.metrics.measures import MEASURES, custom_measure, measure_named
from nettrial.replicates.bootstrap_test import community_bootstrap_test
from nettrial.replicates.by_community import ERROR, by_communities, values_of
from nettrial.study.measured import contributions
from oracles.measures import by_sklearn

OF_CLASSES = tuple(name for name, measure in MEASURES.items() if measure.of == "classes")
NETWORK = nettrial.latent_group_network(120, seed=3)


@pytest.fixture(scope="module")
def run() -> nettrial.Comparison:
    return nettrial.compare(NETWORK, "wvrn", "nbc", n_splits=4, seed=2, test="cluster_robust_t")


def by(run: nettrial.Comparison, name: str, **given: str) -> nettrial.Comparison:
    """Compare the predictions of a run by another measure."""
    positive = "+" if MEASURES[name].needs_positive else None
    return nettrial.compare_predictions(
        run.predictions, measure=name, positive=positive, test="cluster_robust_t", seed=2, **given
    )


@pytest.fixture(scope="module", params=OF_CLASSES)
def found(request, run) -> nettrial.Comparison:
    return by(run, request.param)


def test_scores_are_those_of_scikit_learn(found) -> None:
    labels = found.predictions.network.labels
    for model in (found.a, found.b):
        wanted = [
            by_sklearn(found.measure.name, labels[split.test], proba)
            for split, proba in zip(
                found.predictions.splits, found.predictions.probabilities[model]
            )
        ]
        assert found.scores_by_split[model] == pytest.approx(wanted, rel=1e-6)
    assert found.difference == pytest.approx(found.scores[found.a] - found.scores[found.b])
    for test in found.tests:
        assert test.estimate == pytest.approx(found.difference, abs=1e-9), test.name


def test_swapping_the_models_turns_every_sign(run, found) -> None:
    other = by(run, found.measure.name, a="nbc", b="wvrn")
    assert (other.a, other.b) == ("nbc", "wvrn")
    for one, two in zip(found.tests, other.tests):
        assert one.estimate == pytest.approx(-two.estimate, abs=1e-9), one.name
        assert one.pvalue == pytest.approx(two.pvalue, rel=1e-6, nan_ok=True), one.name


def test_the_text_says_which_direction_is_better(found) -> None:
    word = {"lower": "lower is better", "higher": "higher is better"}[found.measure.better]
    assert word in str(found)
    read = json.loads(found.to_json())
    assert (read["measure"], read["better"]) == (found.measure.name, found.measure.better)
    better = found.a if found.a_is_better else found.b
    assert f"{better} beats" in found.verdict
    assert (found.scores[found.a] < found.scores[found.b]) == (
        (better == found.a) == (found.measure.better == "lower")
    )


def test_tests_that_are_made_for_errors_only_say_so(found) -> None:
    for name in ("rsc_paired", "rsc_unpaired"):
        test = found.test(name)
        if found.measure.name == "error":
            assert np.isfinite(test.pvalue)
        else:
            assert np.isnan(test.pvalue)
            note = str(test.warnings[0])
            assert note.startswith("could not be computed: it is made for the error rate")
            assert name not in note  # it stands beside the test's name


def test_a_test_that_fails_is_not_named_twice(run, monkeypatch) -> None:
    monkeypatch.setattr("nettrial.stats.network_hac.MOST_PAIRS", 10)
    note = str(by(run, "error").test("network_hac").warnings[0])
    assert note.startswith("could not be computed: expected at most 10 pairs of neighbors")


def test_the_report_names_the_measure(found) -> None:
    text = found.to_markdown()
    assert found.measure.title in text
    assert f"{found.measure.better} is better" in text


@pytest.mark.slow
@pytest.mark.parametrize("name", ["error", "squared_loss", "auc"])
def test_the_page_names_the_measure(run, name) -> None:
    found = by(run, name)
    page, title = found.to_html(), found.measure.title
    assert ("A gray cross marks a test" in page) == (name != "error")
    assert f"{title[:1].upper()}{title[1:]} of {found.a} minus that of" in page
    assert f"{found.measure.better} is better" in page


@pytest.mark.parametrize("name", ["auc", "macro_f1"])
def test_the_clustered_test_follows_from_influence_values_and_splits(run, name) -> None:
    found = by(run, name)
    predictions, groups = found.predictions, found.communities
    total, weight = np.zeros((2, NETWORK.n_nodes))
    for number, split in enumerate(predictions.splits):
        a, b = (contributions(predictions, m, number, MEASURES[name]) for m in predictions.models)
        total[split.test] += a - b
        weight[split.test] += 1
    mean = total.sum() / weight.sum()
    u = np.bincount(groups, total - mean * weight)
    used = np.unique(groups[weight > 0]).size
    nodes = (u**2).sum() * used / (used - 1) / weight.sum() ** 2
    # classes that are decided move at once from one training set to the next, ranks do not
    splits = np.var(found.scores_by_split["wvrn"] - found.scores_by_split["nbc"], ddof=1) / 4
    test = found.test("cluster_robust_t")
    assert test.standard_error**2 == pytest.approx(nodes + splits * (name == "macro_f1"))
    assert 0 < splits < test.standard_error**2 * 4
    if name == "macro_f1":
        assert min(3, used - 1) / 2 < test.df < used + 3
        assert test.pvalue == pytest.approx(
            2 * t_distribution.sf(abs(test.estimate) / test.standard_error, test.df)
        )


def test_every_test_of_the_registry_runs_by_itself(run) -> None:
    found, scores = run, Scores.of(run.predictions, MEASURES["error"])
    evidence = Evidence(scores, found.a, found.b, found.communities)
    for test in on_predictions():
        name = test.name
        if name != "cluster_sign_flip":  # draws at random
            assert test.make(evidence).pvalue == pytest.approx(found.test(name).pvalue), name
            assert test.question == found.test(name).question


@pytest.mark.slow
@pytest.mark.parametrize("name", ["log_loss", "auc"])
def test_the_bootstrap_takes_any_measure(name) -> None:
    found = community_bootstrap_test(
        NETWORK, "wvrn", "nbc", n_splits=4, n_replicates=12, seed=1, measure=name, progress=False
    )
    turned = community_bootstrap_test(
        NETWORK, "nbc", "wvrn", n_splits=4, n_replicates=12, seed=1, measure=name, progress=False
    )
    assert found.details["compiled"] is False
    assert found.estimate == pytest.approx(-turned.estimate)
    assert 0 < found.pvalue <= 1


def test_the_general_path_of_the_bootstrap_counts_errors_as_the_compiled_one(run) -> None:
    each = np.arange(NETWORK.n_nodes, dtype=np.int32)
    values, times, errors = by_communities(run.predictions, ERROR, each, each, each.size)
    assert values.tolist() == values_of(run.predictions).tolist()
    a, b = (run.predictions.errors(m) for m in (run.a, run.b))
    assert times.tolist() == (a >= 0).sum(axis=0).tolist()
    assert errors.tolist() == [(a == 1).sum(axis=0).tolist(), (b == 1).sum(axis=0).tolist()]
    assert values == pytest.approx(
        np.array([run.scores_by_split[run.a], run.scores_by_split[run.b]])
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["log_loss", "auc"])
def test_many_models_and_sweeps_rank_by_the_measure(name) -> None:
    models, options = ["wvrn", "nbc", "prior"], {"n_splits": 3, "seed": 1, "measure": name}
    many = nettrial.compare_models(NETWORK, models, **options)
    sign = 1 if name == "log_loss" else -1
    values = [sign * value for value in many.scores.values()]
    assert values == sorted(values)
    begins, named = {
        "log_loss": ("No significant differences among the models", "log loss difference"),
        "auc": ("wvrn and nbc beat prior", "AUC difference"),
    }[name]
    assert many.verdict.startswith(begins)
    assert named in many.verdict
    assert {"model", "score"} <= set(json.loads(many.to_json())["models"][0])
    curves = nettrial.sweep(NETWORK, models, labeled=[0.2, 0.5], **options)
    best = (sign * curves.scores).argmin(axis=1)
    assert curves.winners == tuple(models[i] for i in best)
    assert all(curves.letters[row][models[i]].startswith("a") for row, i in enumerate(best))
    if name == "auc":  # some are distinguished, so that the order of the letters shows
        assert any(set(one.values()) != {"a"} for one in curves.letters)
    assert MEASURES[name].title in str(curves)
    assert MEASURES[name].title in str(many)


def describe_level(run: nettrial.Comparison, measure: Any, positive: str | None = None) -> str:
    found = nettrial.compare_predictions(
        run.predictions, measure=measure, positive=positive, test="network_hac", seed=2
    )
    (note,) = {str(w) for w in found.test("network_hac").warnings if "cannot detect" in str(w)}
    return note.partition("models again. ")[2]


def test_the_level_that_is_told_is_that_of_the_measure(run) -> None:
    of_error = describe_level(run, "error")
    assert of_error.startswith("On generated networks its Type I error was up to 18% (cluster")
    assert describe_level(run, "accuracy") == describe_level(run, "micro_f1") == of_error
    levels = [math.ceil(round(100 * level, 6)) for level in BY_MEASURE["macro_f1"]]
    assert describe_level(run, "macro_f1") == (
        "On generated networks its Type I error by macro-F1 was up to {}% (cluster-robust t) and "
        "{}% (network HAC) with 30% labeled, instead of 5%".format(*levels)
    )


def test_a_measure_without_a_measured_level_has_none_told(run) -> None:
    unknown = "Its Type I error by {} was not measured with such models"
    by = "precision among the 7 highest scores"
    assert describe_level(run, "precision@7", "+") == unknown.format(by)
    own = custom_measure(lambda labels, said: (labels == said).mean(), better="higher", name="auc")
    assert describe_level(run, own) == unknown.format("auc")  # called as one that was measured
    of_labels = replace(measure_named("macro_f1"), title="macro-F1, mean over 3 labels")
    assert describe_level(run, of_labels) == unknown.format(of_labels.title)


def test_the_levels_told_are_the_largest_that_were_measured() -> None:
    lab = Path(__file__).parents[2] / "docs" / "lab"
    table = pd.read_csv(lab / "measures.csv")  # "nodes alone": before other training sets counted
    cells = table[(table["variance"] == "as it is") & ~table["measure"].isin(["accuracy", "kappa"])]
    largest = cells.groupby("measure")[["cluster_robust_t", "network_hac"]].max()
    found = {name: tuple(levels) for name, levels in largest.T.to_dict("list").items()}
    assert BY_MEASURE.keys() == found.keys()
    for name, levels in BY_MEASURE.items():
        assert levels == pytest.approx(found[name]), name
    assert set(OF_CLASSES) <= {*BY_MEASURE, *SAME_AS_ERROR}
