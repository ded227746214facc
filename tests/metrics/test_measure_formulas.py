"""What nodes contribute to a measure: its mean is the measure, and its derivative."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk

from nettrial.metrics.influence import SMALLEST
from nettrial.metrics.measures import MEASURES, measure_named
from nettrial.models.decide import predict_labels
from oracles.measures import by_sklearn, psi_of

OF_CLASSES = {name: measure for name, measure in MEASURES.items() if measure.of == "classes"}
NAMES = tuple(name for name, measure in OF_CLASSES.items() if not measure.needs_positive)
OF_ONE_CLASS = ("recall", "f1", "average_precision")  # precision: where it is predicted at all
SMOOTH = ("auc", "macro_f1", "weighted_f1", "balanced_accuracy", "mcc", "mean_average_precision",
          "macro_precision", "precision", *OF_ONE_CLASS)  # fmt: skip


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


def test_no_loss_leaves_the_bounds_of_its_measure() -> None:
    labels = np.array([0], dtype=np.int32)
    for measure in OF_CLASSES.values():
        for proba in ([[0.0, 1.0]], [[1.0, 0.0]]):
            loss = psi_of(measure.name, labels, np.array(proba))
            low, high = measure.bounds
            assert np.isnan(loss).all() or (low <= loss[0] <= high and high < 20)
    assert MEASURES["squared_loss"].bounds == (0, 2)


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
