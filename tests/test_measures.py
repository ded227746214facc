"""Any measure: values, influence values, and comparisons by them."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata
from sklearn import metrics as sk

import nettrial
from nettrial.bootstrap.runs import values_of
from nettrial.bootstrap.test import community_bootstrap_test
from nettrial.errors import InputError
from nettrial.inference.registry import on_predictions
from nettrial.inference.scores import Evidence, Scores
from nettrial.measured import check_measurable, contributions
from nettrial.metrics.influence import SMALLEST
from nettrial.metrics.measures import MEASURES, custom_measure, measure_named
from nettrial.models.decide import predict_labels
from nettrial.network import Network
from nettrial.splits.base import Split
from nettrial.study import Predictions

OF_CLASSES = {name: measure for name, measure in MEASURES.items() if measure.of == "classes"}
NAMES = tuple(name for name, measure in OF_CLASSES.items() if not measure.needs_positive)
OF_ONE_CLASS = ("recall", "f1", "average_precision")  # precision: where it is predicted at all
SMOOTH = ("auc", "macro_f1", "weighted_f1", "balanced_accuracy", "mcc", "mean_average_precision",
          "macro_precision", "precision", *OF_ONE_CLASS)  # fmt: skip


def psi_of(name, labels, proba):
    measure = measure_named(name)
    return measure.contributions(labels, proba, predict_labels(proba), np.arange(labels.size))


def by_sklearn(name, labels, proba, weight=None):
    """The measure of a weighted sample, as scikit-learn has it."""
    k, predicted = proba.shape[1], predict_labels(proba)
    present, options = np.unique(labels), {"sample_weight": weight}
    weight = np.ones(labels.size) if weight is None else weight
    if name == "error":
        return 1 - sk.accuracy_score(labels, predicted, **options)
    if name in ("accuracy", "micro_f1"):
        return sk.f1_score(labels, predicted, average="micro", **options)
    if name == "squared_loss":
        return np.average(((proba - np.eye(k)[labels]) ** 2).sum(axis=1), weights=weight)
    if name == "log_loss":
        return sk.log_loss(labels, proba, labels=range(k), **options)
    if name == "mrr":
        rank = rankdata(-proba, axis=1)[np.arange(labels.size), labels]  # ties: their mean rank
        return np.average(1 / rank, weights=weight)
    if name == "balanced_accuracy":
        return sk.balanced_accuracy_score(labels, predicted, **options)
    if name == "mcc":
        return sk.matthews_corrcoef(labels, predicted, **options)
    if name in ("macro_f1", "weighted_f1"):
        average = name.partition("_")[0]
        return sk.f1_score(labels, predicted, average=average, zero_division=0, **options)
    if name == "macro_precision":
        return sk.precision_score(labels, predicted, average="macro", zero_division=0, **options)
    if name in ("precision", "recall", "f1"):
        of = {"precision": sk.precision_score, "recall": sk.recall_score, "f1": sk.f1_score}[name]
        return of(labels, predicted, pos_label=1, **options)
    if name == "average_precision":
        return sk.average_precision_score(labels == 1, proba[:, 1], **options)
    if name == "mean_average_precision":
        of_each = [sk.average_precision_score(labels == c, proba[:, c], **options) for c in present]
        return np.mean(of_each)
    if name == "ece":
        confidence, total = proba[np.arange(labels.size), predicted], 0.0
        for low in range(15):
            inside = (confidence > low / 15) & (confidence <= (low + 1) / 15)
            total += abs((weight * (confidence - (predicted == labels)))[inside].sum())
        return total / weight.sum()
    if k == 2:
        return sk.roc_auc_score(labels, proba[:, 1], **options)
    return np.mean([sk.roc_auc_score(labels == c, proba[:, c], **options) for c in present])


@st.composite
def tables(draw, *, all_classes=True):
    k, n = draw(st.integers(2, 4)), draw(st.integers(8, 40))
    rng = np.random.default_rng(draw(st.integers(0, 2**31)))
    labels = rng.integers(k, size=n).astype(np.int32)
    if all_classes:
        labels[:k] = np.arange(k)
    proba = rng.dirichlet(np.full(k, draw(st.sampled_from([0.3, 1.0, 5.0]))), size=n)
    return labels, np.round(proba, draw(st.sampled_from([1, 12])))  # one digit makes ties


@settings(max_examples=60, deadline=None)
@given(tables(), st.sampled_from(NAMES))
def test_the_mean_of_the_influence_values_is_the_measure(made, name):
    labels, proba = made
    proba = proba / proba.sum(axis=1, keepdims=True)
    if (
        name == "log_loss"
    ):  # scikit-learn clips at the epsilon of its input; ours is that of float32
        proba = np.clip(proba, SMALLEST, 1)
        proba = proba / proba.sum(axis=1, keepdims=True)
    assert psi_of(name, labels, proba).mean() == pytest.approx(
        by_sklearn(name, labels, proba), rel=1e-6, abs=1e-9
    )


def test_log_loss_clips_as_scikit_learn_does_on_32_bit_predictions() -> None:
    labels = np.array([0, 0, 1, 1], dtype=np.int32)
    proba = np.array([[0, 1], [0.5, 0.5], [0.2, 0.8], [0, 1]], dtype=np.float32)
    mine = psi_of("log_loss", labels, proba.astype(np.float64)).mean()
    assert mine == pytest.approx(sk.log_loss(labels, proba), rel=1e-6)


@pytest.mark.slow
@settings(max_examples=120, deadline=None)
@given(tables(), st.sampled_from(SMOOTH))
def test_influence_values_are_derivatives_by_the_weight_of_a_node(made, name):
    labels, proba = made
    if measure_named(name).needs_positive:
        labels, proba = np.minimum(labels, 1), np.column_stack([proba[:, 0], 1 - proba[:, 0]])
    predicted = predict_labels(proba)
    if name in ("precision", "mcc", "f1"):
        assume(np.unique(predicted).size > 1)
    n, step = labels.size, 1e-6
    psi = psi_of(name, labels, proba)
    assert psi.mean() == pytest.approx(by_sklearn(name, labels, proba), abs=1e-9)
    for i in range(n):
        # mixing a point mass at node i into the sample, in both directions
        ends = []
        for eps in (step, -step):
            weight = np.full(n, (1 - eps) / n)
            weight[i] += eps
            ends.append(by_sklearn(name, labels, proba, weight))
        assert psi[i] - psi.mean() == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-5)


@pytest.mark.parametrize("name", ["auc", "macro_f1", "mcc", "average_precision"])
def test_the_jackknife_gives_the_same_variance_on_many_nodes(name):
    rng = np.random.default_rng(0)
    labels = rng.integers(2, size=400).astype(np.int32)
    score = np.clip(0.5 + 0.2 * (2 * labels - 1) + 0.3 * rng.normal(size=400), 0.01, 0.99)
    proba = np.column_stack([1 - score, score])
    psi = psi_of(name, labels, proba)
    left = np.array(
        [psi_of(name, np.delete(labels, i), np.delete(proba, i, axis=0)).mean() for i in range(400)]
    )
    jackknife = 399 / 400 * ((left - left.mean()) ** 2).sum()
    assert psi.var(ddof=1) / 400 == pytest.approx(jackknife, rel=0.02)


def test_auc_of_one_class_is_not_defined() -> None:
    assert np.isnan(psi_of("auc", np.zeros(3, np.int32), np.full((3, 2), 0.5))).all()


def test_the_mean_over_classes_leaves_out_those_that_the_test_set_lacks() -> None:
    rng = np.random.default_rng(1)
    labels = rng.integers(2, size=30).astype(np.int32)
    proba = rng.dirichlet(np.ones(3), size=30)
    areas = [sk.roc_auc_score(labels == c, proba[:, c]) for c in (0, 1)]
    assert psi_of("auc", labels, proba).mean() == pytest.approx(np.mean(areas))


@pytest.fixture(scope="module")
def network() -> Network:
    return nettrial.latent_group_network(120, seed=3)


@pytest.fixture(scope="module", params=NAMES)
def found(request, network) -> nettrial.Comparison:
    return nettrial.compare(
        network, "wvrn", "nbc", n_splits=4, seed=2, measure=request.param, test="cluster_robust_t"
    )


def test_scores_are_those_of_scikit_learn(found) -> None:
    labels = found.predictions.network.labels
    for model in (found.a, found.b):
        wanted = [
            by_sklearn(found.measure.name, labels[split.test], proba)
            for split, proba in zip(
                found.predictions.splits, found.predictions.probabilities[model]
            )
        ]
        assert found.scores[model] == pytest.approx(wanted, rel=1e-6)
    assert found.difference == pytest.approx(found.score_a - found.score_b)
    for test in found.tests:
        assert test.estimate == pytest.approx(found.difference, abs=1e-9), test.name


def test_swapping_the_models_turns_every_sign(network, found) -> None:
    other = nettrial.compare(
        network,
        "nbc",
        "wvrn",
        n_splits=4,
        seed=2,
        measure=found.measure.name,
        test="cluster_robust_t",
    )
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
    assert (found.score_a < found.score_b) == (
        (better == found.a) == (found.measure.better == "lower")
    )


def test_tests_that_are_made_for_errors_only_say_so(found) -> None:
    for name in ("rsc_paired", "rsc_unpaired"):
        test = found.test(name)
        if found.measure.name == "error":
            assert np.isfinite(test.pvalue)
        else:
            assert np.isnan(test.pvalue)
            told = str(test.warnings[0])
            assert told.startswith("could not be computed: it is made for the error rate")
            assert name not in told  # it stands beside the test's name


def test_a_test_that_fails_is_not_named_twice(network, monkeypatch) -> None:
    monkeypatch.setattr("nettrial.stats.network_hac.MOST_PAIRS", 10)
    found = nettrial.compare(network, "wvrn", "nbc", n_splits=2, n_replicates=20)
    told = str(found.test("network_hac").warnings[0])
    assert told.startswith("could not be computed: the ")


def test_no_loss_leaves_the_bounds_of_its_measure() -> None:
    labels = np.array([0], dtype=np.int32)
    for measure in OF_CLASSES.values():
        for proba in ([[0.0, 1.0]], [[1.0, 0.0]]):
            loss = psi_of(measure.name, labels, np.array(proba))
            low, high = measure.bounds
            assert np.isnan(loss).all() or (low <= loss[0] <= high and high < 20)
    assert MEASURES["squared_loss"].bounds == (0, 2)


def test_the_page_names_the_measure(found) -> None:
    page = found.to_html()
    assert ("A gray cross marks a test" in page) == (found.measure.name != "error")
    title = found.measure.title
    assert f"{title[:1].upper()}{title[1:]} of {found.a} minus that of" in page
    assert f"{found.measure.better} is better" in page


def test_a_test_for_errors_cannot_give_the_verdict_on_another_measure(network) -> None:
    with pytest.raises(
        InputError, match="rsc_paired cannot be used, since it is made for the error rate"
    ):
        nettrial.compare(network, "wvrn", "nbc", measure="auc", test="rsc_paired")


def test_an_unknown_measure_names_those_that_there_are(network) -> None:
    with pytest.raises(InputError, match="macro_f1"):
        nettrial.compare(network, "wvrn", "nbc", measure="f2")


def _of_tables(network, tables, test):
    splits = tuple(Split(np.setdiff1d(np.arange(network.n_nodes), t), t, t) for t in test)
    return Predictions(network, splits, tuple(tables), tables)


def small() -> Network:
    return Network(*zip(*pairwise(range(8))), n_nodes=8, labels=list("aabbaabb"))


@pytest.mark.parametrize("name", ["squared_loss", "log_loss", "auc"])
def test_labels_alone_refuse_what_needs_probabilities(name) -> None:
    hard = np.eye(2, dtype=np.float32)[[0, 1, 1, 0]]
    predictions = _of_tables(small(), {"A": (hard,), "B": (np.full((4, 2), 0.5),)}, [np.arange(4)])
    with pytest.raises(InputError, match="A gives every class 0 or 1"):
        check_measurable(predictions, measure_named(name))
    for other in ("error", "macro_f1", "mcc", "accuracy"):
        check_measurable(predictions, measure_named(other))


def test_a_test_set_of_one_class_is_told_by_its_number() -> None:
    even = np.full((2, 2), 0.5, dtype=np.float32)
    test = [np.array([0, 2]), np.array([0, 1]), np.array([2, 3])]
    predictions = _of_tables(small(), {"A": (even,) * 3, "B": (even,) * 3}, test)
    with pytest.raises(InputError, match=r"2 of 3 test sets are that \(splits 1, 2\)"):
        check_measurable(predictions, measure_named("auc"))


def test_clipped_log_losses_are_counted() -> None:
    net = small()
    one = np.array([[1, 0], [0.9, 0.1], [1, 0], [0, 1]], dtype=np.float32)
    tables = {"A": (one, one), "B": (np.full((4, 2), 0.5, dtype=np.float32),) * 2}
    predictions = _of_tables(net, tables, [np.arange(4), np.arange(4)])
    found = nettrial.compare_predictions(predictions, measure="log_loss", communities=[0, 1] * 4)
    # node 2 of class b has probability 0 in both splits
    told = [str(w) for w in found.warnings if "2 of 8 tests (A)" in str(w)]
    assert len(told) == 1
    assert "(B)" not in told[0]


def test_the_clustered_test_of_auc_follows_from_its_influence_values(network) -> None:
    found = nettrial.compare(
        network, "wvrn", "nbc", n_splits=4, seed=2, measure="auc", test="cluster_robust_t"
    )
    predictions, groups = found.predictions, found.communities
    total, weight = np.zeros((2, network.n_nodes))
    for number, split in enumerate(predictions.splits):
        a, b = (contributions(predictions, m, number, MEASURES["auc"]) for m in predictions.models)
        total[split.test] += a - b
        weight[split.test] += 1
    mean = total.sum() / weight.sum()
    u = np.bincount(groups, total - mean * weight)
    used = np.unique(groups[weight > 0]).size
    error = np.sqrt((u**2).sum() * used / (used - 1)) / weight.sum()
    assert found.test("cluster_robust_t").standard_error == pytest.approx(error)


def test_every_test_of_the_registry_runs_by_itself(network) -> None:
    found = nettrial.compare(network, "wvrn", "nbc", n_splits=4, seed=2, test="cluster_robust_t")
    scores = Scores.of(found.predictions, MEASURES["error"])
    evidence = Evidence(scores, found.a, found.b, found.communities)
    for test in on_predictions():
        name = test.name
        if name != "cluster_sign_flip":  # draws at random
            assert test.make(evidence).pvalue == pytest.approx(found.test(name).pvalue), name
            assert test.question == found.test(name).question


@pytest.mark.parametrize("name", ["log_loss", "auc"])
def test_the_bootstrap_takes_any_measure(network, name) -> None:
    found = community_bootstrap_test(
        network, "wvrn", "nbc", n_splits=4, n_replicates=12, seed=1, measure=name, progress=False
    )
    turned = community_bootstrap_test(
        network, "nbc", "wvrn", n_splits=4, n_replicates=12, seed=1, measure=name, progress=False
    )
    assert found.details["compiled"] is False
    assert found.estimate == pytest.approx(-turned.estimate)
    assert 0 < found.pvalue <= 1


def test_the_general_path_of_the_bootstrap_counts_errors_as_the_compiled_one(network) -> None:

    found = nettrial.compare(network, "wvrn", "nbc", n_splits=4, seed=2, test="cluster_robust_t")
    values, times, errors = values_of(found.predictions)
    a, b = (found.predictions.errors(m) for m in (found.a, found.b))
    assert times.tolist() == (a >= 0).sum(axis=0).tolist()
    assert errors.tolist() == [(a == 1).sum(axis=0).tolist(), (b == 1).sum(axis=0).tolist()]
    assert values == pytest.approx(np.array([found.scores[found.a], found.scores[found.b]]))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["log_loss", "auc"])
def test_many_models_and_sweeps_rank_by_the_measure(network, name) -> None:
    models, options = ["wvrn", "nbc", "prior"], {"n_splits": 3, "seed": 1, "measure": name}
    many = nettrial.compare_models(network, models, **options)
    sign = 1 if name == "log_loss" else -1
    values = [sign * value for value in many.scores.values()]
    assert values == sorted(values)
    word = "lowest log loss" if sign == 1 else "highest AUC"
    assert word in many.verdict or "beats" in many.verdict
    assert {"model", "score"} <= set(json.loads(many.to_json())["models"][0])
    curves = nettrial.sweep(network, models, labeled=[0.2, 0.5], **options)
    best = (sign * curves.scores).argmin(axis=1)
    assert curves.winners == tuple(models[i] for i in best)
    assert all(curves.letters[row][models[i]].startswith("a") for row, i in enumerate(best))
    if name == "auc":  # some are told apart, so that the order of the letters shows
        assert any(set(one.values()) != {"a"} for one in curves.letters)
    assert MEASURES[name].title in str(curves)
    assert MEASURES[name].title in str(many)


def test_hits_and_ranks_by_hand() -> None:
    labels = np.array([0, 0, 0], dtype=np.int32)
    proba = np.array([[0.5, 0.3, 0.2], [0.3, 0.5, 0.2], [0.25, 0.5, 0.25]])
    assert psi_of("hits@1", labels, proba).tolist() == [1, 0, 0]
    assert psi_of("hits@2", labels, proba).tolist() == [1, 1, 0.5]  # a tie for the second place
    assert psi_of("mrr", labels, proba).tolist() == [1, 1 / 2, 1 / 2.5]


def test_precision_and_recall_among_the_highest_by_hand() -> None:
    score = np.array([0.9, 0.8, 0.7, 0.7, 0.1])
    labels, proba = np.array([1, 0, 1, 0, 1], dtype=np.int32), np.column_stack([1 - score, score])
    assert psi_of("precision@2", labels, proba).mean() == pytest.approx(1 / 2)
    assert psi_of("precision@3", labels, proba).mean() == pytest.approx(1.5 / 3)  # half of the tie
    assert psi_of("recall@0.4", labels, proba).mean() == pytest.approx(1 / 3)
    assert np.isnan(psi_of("precision@6", labels, proba)).all()


@pytest.mark.parametrize("name", ["precision@60", "recall@0.15"])
def test_the_variance_at_a_moving_threshold_is_that_of_fresh_samples(name) -> None:
    rng, values, expected = np.random.default_rng(4), [], []
    for _ in range(2000):
        labels = (rng.random(400) < 0.3).astype(np.int32)
        score = rng.normal(labels * 1.2)
        proba = np.column_stack([-score, score])
        psi = psi_of(name, labels, proba)
        values.append(psi.mean())
        expected.append(psi.var(ddof=1) / 400)
    # the sampling error of a variance of 2,000 values is 3%
    assert np.mean(expected) == pytest.approx(np.var(values), rel=0.12)


@pytest.mark.parametrize("name", ["precision", "recall", "f1", "average_precision", "precision@9"])
def test_one_class_against_the_others_has_to_be_named(network, name) -> None:
    with pytest.raises(InputError, match=r"expected positive= \(--positive\), one of -, \+"):
        nettrial.compare(network, "wvrn", "nbc", measure=name)
    found = nettrial.compare(
        network, "wvrn", "nbc", measure=name, positive="+", n_splits=3, test="cluster_robust_t"
    )
    assert 0 <= found.score_a <= 1
    assert found.settings["positive"] == "+"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("precision@0", "whole number from 1"),
        ("precision@1.5", "whole number"),
        ("recall@1", "above 0 and below 1"),
        ("hits@", "expected one of"),
        ("precision@\u0663", "expected one of"),
        (3, "measure: expected .* got 3"),
        (np.mean, "custom_measure"),
    ],
)
def test_measures_with_a_number_are_checked(network, name, told) -> None:
    with pytest.raises(InputError, match=told):
        nettrial.compare(network, "wvrn", "nbc", measure=name)


def test_more_nodes_than_a_test_set_has_cannot_be_taken(network) -> None:
    with pytest.raises(InputError, match="of fewer than 5000 nodes"):
        nettrial.compare(network, "wvrn", "nbc", measure="precision@5000", positive="+")


def test_precision_without_a_predicted_positive_is_told(network) -> None:
    with pytest.raises(InputError, match=r"split 0 for prior .*predicts the positive"):
        nettrial.compare(
            network,
            "prior",
            "wvrn",
            positive="+",
            measure="precision",
            test="cluster_robust_t",
        )


@pytest.mark.parametrize("name", ["macro_f1", "log_loss"])
def test_a_function_has_the_influence_values_of_its_formula(network, name) -> None:
    def by_hand(labels, said):
        if name == "log_loss":
            return -np.log(said[np.arange(labels.size), labels]).mean()
        return sk.f1_score(labels, said, average="macro")

    known = measure_named(name)
    own = custom_measure(by_hand, better=known.better, probabilities=known.needs_probabilities)
    options = {"n_splits": 3, "seed": 2, "test": "cluster_robust_t"}
    one, two = (
        nettrial.compare(network, "wvrn", "nbc", measure=m, **options) for m in (known, own)
    )
    assert two.difference == pytest.approx(one.difference, rel=1e-5)
    errors = [found.test("cluster_robust_t").standard_error for found in (one, two)]
    assert errors[1] == pytest.approx(errors[0], rel=0.03)
    assert "by hand" in str(two)


def test_a_function_may_look_at_nodes_and_cannot_be_stored(network, tmp_path) -> None:
    weight = np.arange(network.n_nodes) + 1.0
    own = custom_measure(
        lambda labels, said, nodes: np.average(labels == said, weights=weight[nodes]),
        better="higher", name="weighted \x1b[31maccuracy", takes_nodes=True, bounds=(0, 1),
    )  # fmt: skip
    assert "\x1b" not in own.title
    found = nettrial.compare(network, "wvrn", "nbc", n_splits=2, measure=own, n_replicates=10)
    assert 0 <= found.score_a <= 1
    with pytest.raises(InputError, match="cannot hold the function"):
        nettrial.compare(network, "wvrn", "nbc", measure=own, store=tmp_path / "s.sqlite")


def test_a_function_that_gives_no_number_is_told(network) -> None:
    own = custom_measure(lambda labels, said: "high", better="higher")
    with pytest.raises(InputError, match="expected a number from the function, got 'high'"):
        nettrial.compare(network, "wvrn", "nbc", n_splits=2, measure=own)
