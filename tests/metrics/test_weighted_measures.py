"""Weights in AUC, average precision and curves, against scikit-learn and against copies."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as reference

from nettrial import metrics
from nettrial.core.errors import InputError

observations = st.lists(
    st.tuples(st.integers(0, 1), st.integers(-3, 3), st.integers(0, 4)), min_size=4, max_size=25
).filter(lambda rows: {y for y, _, w in rows if w} == {0, 1})
fractions = st.floats(0.125, 8, width=16)


def columns(rows):
    return [np.array(column) for column in zip(*rows)]


@pytest.mark.slow
@settings(deadline=None)
@given(observations, fractions)
def test_weighted_measures_equal_those_of_scikit_learn(rows, scale):
    y, s, w = columns(rows)
    w = w * scale
    assert metrics.auc(y, s, weights=w).auc == pytest.approx(
        reference.roc_auc_score(y, s, sample_weight=w)
    )
    assert metrics.average_precision(y, s, weights=w) == pytest.approx(
        reference.average_precision_score(y, s, sample_weight=w)
    )
    fpr, tpr, cuts = reference.roc_curve(y, s, sample_weight=w, drop_intermediate=False)
    got = metrics.roc_curve(y, s, weights=w)
    np.testing.assert_allclose(got.false_positive_rate, fpr, atol=1e-12)
    np.testing.assert_allclose(got.true_positive_rate, tpr, atol=1e-12)
    np.testing.assert_array_equal(got.thresholds, cuts)
    precision, recall, _ = reference.precision_recall_curve(y, s, sample_weight=w)
    curve = metrics.precision_recall_curve(y, s, weights=w)
    np.testing.assert_allclose(curve.precision, precision[-2::-1], atol=1e-12)
    np.testing.assert_allclose(curve.recall, recall[-2::-1], atol=1e-12)


@settings(deadline=None)
@given(observations)
def test_whole_weights_are_copies(rows):
    y, s, w = columns(rows)
    many_y, many_s = np.repeat(y, w), np.repeat(s, w)
    got, copied = metrics.auc(y, s, weights=w), metrics.auc(many_y, many_s)
    assert got.u_statistic == pytest.approx(copied.u_statistic)
    for ties in ("grouped", "best", "worst"):
        assert metrics.average_precision(y, s, weights=np.ones(y.size), ties=ties) == (
            pytest.approx(metrics.average_precision(y, s, ties=ties))
        )
    assert metrics.average_precision(y, s, weights=w) == pytest.approx(
        metrics.average_precision(many_y, many_s)
    )


@settings(deadline=None)
@given(observations, fractions)
def test_equal_weights_of_any_size_leave_delongs_variance(rows, size):
    y, s, _ = columns(rows)
    plain, weighted = metrics.auc(y, s), metrics.auc(y, s, weights=np.full(y.size, size))
    for name in ("auc", "variance", "ci_low", "ci_high"):
        assert getattr(weighted, name) == pytest.approx(getattr(plain, name), nan_ok=True)
    assert math.isnan(weighted.hanley_mcneil_standard_error)


def test_the_weighted_variance_is_that_of_repeated_samples():
    rng = np.random.default_rng(1)
    areas, variances = [], []
    for _ in range(600):
        y = np.arange(60) < 30
        s = rng.normal(y * 1.0)
        w = rng.uniform(0.2, 3, 60)
        found = metrics.auc(y, s, weights=w)
        areas.append(found.auc)
        variances.append(found.variance)
    # the standard error of a variance from 600 samples is 6% of it
    assert np.mean(variances) == pytest.approx(np.var(areas), rel=0.25)


def test_weights_that_cannot_count_are_refused(words):
    for measure in (
        metrics.auc,
        metrics.average_precision,
        metrics.roc_curve,
        metrics.precision_recall_curve,
    ):
        for bad in ([1, -1, 1], [0, 0, 0], [1, 1], [1, np.nan, 1], ["a", "b", "c"]):
            with words.raises(InputError):
                measure([0, 1, 1], [1, 2, 3], weights=bad)
    with words.raises(InputError):
        metrics.average_precision([0, 1], [1, 1], ties="expected", weights=[1, 2])


def test_a_class_without_weight_leaves_the_area_undefined():
    found = metrics.auc([0, 1, 1], [1, 2, 3], weights=[0, 1, 1])
    assert math.isnan(found.auc)
    assert "0 negatives" in found.notes[0]
