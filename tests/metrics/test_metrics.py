"""Measures of predictions against scikit-learn, enumeration and each other."""

from __future__ import annotations

import itertools
import json
import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as reference

from nettrial import metrics
from nettrial.core.errors import InputError

labels_and_guesses = st.integers(1, 40).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 3), min_size=n, max_size=n),
        st.lists(st.integers(0, 3), min_size=n, max_size=n),
    )
)
# few distinct values, so that ties are common
labels_and_scores = st.integers(1, 40).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 1), min_size=n, max_size=n),
        st.lists(st.sampled_from([0.0, 0.1, 0.5, 0.7, 1.0]), min_size=n, max_size=n),
    )
)


@given(labels_and_guesses)
def test_confusion_matrix_equals_scikit_learn(pair):
    y, g = pair
    got = metrics.confusion_matrix(y, g, classes=range(4))
    want = reference.confusion_matrix(y, g, labels=list(range(4)))
    assert np.array_equal(got.counts, want)


@settings(max_examples=50)
@given(labels_and_guesses, st.sampled_from(["macro", "micro", "weighted"]))
def test_averages_equal_scikit_learn(pair, average):
    y, g = pair
    p, r, f, _ = reference.precision_recall_fscore_support(
        y, g, beta=2, average=average, zero_division=0
    )
    assert metrics.precision(y, g, average=average, undefined="zero") == pytest.approx(p)
    assert metrics.recall(y, g, average=average, undefined="zero") == pytest.approx(r)
    assert metrics.f_beta(y, g, beta=2, average=average, undefined="zero") == pytest.approx(f)


@settings(max_examples=50)
@given(labels_and_guesses)
def test_skip_equals_scikit_learn_with_nan(pair):
    y, g = pair
    want = reference.precision_score(y, g, average="macro", zero_division=np.nan)
    got = metrics.precision(y, g, undefined="skip")
    assert got == pytest.approx(want, nan_ok=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        want = reference.balanced_accuracy_score(y, g)
    assert metrics.balanced_accuracy(y, g) == pytest.approx(want)


@settings(max_examples=50)
@given(labels_and_guesses)
def test_error_and_matthews_equal_scikit_learn(pair):
    y, g = pair
    assert metrics.error(y, g) == pytest.approx(1 - reference.accuracy_score(y, g))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        want = reference.matthews_corrcoef(y, g)
    assert metrics.matthews_correlation(y, g, undefined="zero") == pytest.approx(want)


@given(labels_and_guesses)
def test_renaming_the_classes_changes_nothing(pair):
    y, g = pair
    names = ["zoe", "adam", "mia", "bo"]
    y2, g2 = [names[i] for i in y], [names[i] for i in g]
    for measure in (metrics.error, metrics.recall, metrics.f_beta, metrics.matthews_correlation):
        assert measure(y, g) == pytest.approx(measure(y2, g2), nan_ok=True)


@given(labels_and_guesses)
def test_weights_count_copies(pair):
    y, g = pair
    w = [1 + i % 3 for i in range(len(y))]
    y2, g2 = np.repeat(y, w), np.repeat(g, w)
    for measure in (metrics.error, metrics.precision, metrics.matthews_correlation):
        assert measure(y, g, weights=w) == pytest.approx(measure(y2, g2), nan_ok=True)


def test_the_positive_class_and_the_two_by_two_table_agree():
    y, g = [1, 1, 1, 0, 0, 0, 0], [1, 1, 0, 1, 0, 0, 0]
    rates = metrics.binary_rates(2, 1, 1, 3)
    assert metrics.precision(y, g, positive=1) == rates.precision
    assert metrics.specificity(y, g, positive=1) == rates.specificity == 0.75
    assert metrics.matthews_correlation(y, g) == pytest.approx(float(rates.mcc))
    assert metrics.recall(y, g, positive=0) == rates.specificity


def test_rates_of_many_tables_are_one_call():
    counts = np.random.default_rng(0).integers(0, 5, size=(4, 200))
    many = metrics.binary_rates(*counts, beta=0.5)
    for i in range(200):
        one = metrics.binary_rates(*counts[:, i], beta=0.5)
        for name in ("error", "precision", "recall", "f_beta", "mcc"):
            assert np.array_equal(getattr(many, name)[i], getattr(one, name), equal_nan=True)


@given(*(st.integers(0, 6) for _ in range(4)))
def test_rates_are_in_range_or_nan_for_a_reason(tp, fp, fn, tn):
    rates = metrics.binary_rates(tp, fp, fn, tn)
    zero = metrics.binary_rates(tp, fp, fn, tn, undefined="zero")
    assert math.isnan(rates.precision) == (tp + fp == 0)
    assert math.isnan(rates.recall) == (tp + fn == 0)
    assert math.isnan(rates.f_beta) == (tp + fp + fn == 0)
    assert math.isnan(rates.mcc) == (0 in (tp + fp, tp + fn, tn + fp, tn + fn))
    for name in ("error", "precision", "recall", "specificity", "f_beta", "balanced_accuracy"):
        assert 0 <= float(getattr(zero, name)) <= 1
    assert -1 - 1e-12 <= float(zero.mcc) <= 1 + 1e-12


def test_labels_of_different_types_are_refused(words):
    y = np.array(["x", 3, 3], dtype=object)
    for vectors in ((y, y), (["0", "1"], [0, 1]), (["x", 3], ["x", "3"]), ([b"x"], ["x"])):
        with words.raises(InputError):
            metrics.confusion_matrix(*vectors)
    assert metrics.error([True, False], np.array([1.0, 1.0])) == 0.5


@settings(max_examples=50)
@given(labels_and_scores)
def test_curves_equal_scikit_learn(pair):
    y, s = pair
    if len(set(y)) < 2:
        return
    fpr, tpr, thresholds = reference.roc_curve(y, s, drop_intermediate=False)
    got = metrics.roc_curve(y, s)
    assert np.allclose(got.false_positive_rate, fpr)
    assert np.allclose(got.true_positive_rate, tpr)
    assert np.array_equal(got.thresholds, thresholds)
    p, r, t = reference.precision_recall_curve(y, s)
    ours = metrics.precision_recall_curve(y, s)
    assert np.allclose(ours.precision, p[:-1][::-1])
    assert np.allclose(ours.recall, r[:-1][::-1])
    assert np.array_equal(ours.thresholds, t[::-1])
    assert metrics.average_precision(y, s) == pytest.approx(reference.average_precision_score(y, s))


def orders(y, s):
    """Average precision of every order that the scores allow."""
    values = []
    for order in itertools.permutations(range(len(y))):
        ranked = [s[i] for i in order]
        if ranked == sorted(ranked, reverse=True):
            hits = np.array([y[i] for i in order])
            ranks = np.flatnonzero(hits) + 1
            values.append(np.mean(np.arange(1, ranks.size + 1) / ranks))
    return values


@settings(max_examples=40)
@given(
    st.integers(1, 6).flatmap(
        lambda n: st.tuples(
            st.lists(st.integers(0, 1), min_size=n, max_size=n),
            st.lists(st.integers(0, 2), min_size=n, max_size=n),
        )
    )
)
def test_tie_rules_equal_enumeration(pair):
    y, s = pair
    if not any(y):
        assert math.isnan(metrics.average_precision(y, s, ties="expected"))
        return
    every = orders(y, s)
    assert metrics.average_precision(y, s, ties="expected") == pytest.approx(np.mean(every))
    assert metrics.average_precision(y, s, ties="best") == pytest.approx(max(every))
    assert metrics.average_precision(y, s, ties="worst") == pytest.approx(min(every))
    shuffled = np.random.default_rng(len(y)).permutation(len(y))
    for rule in ("grouped", "expected", "best", "worst"):
        again = metrics.average_precision(np.take(y, shuffled), np.take(s, shuffled), ties=rule)
        assert again == pytest.approx(metrics.average_precision(y, s, ties=rule))


def test_no_query_with_positives_leaves_no_mean(words):
    queries = [([0, 0], [1, 2])]
    assert math.isnan(metrics.mean_average_precision(queries))
    assert metrics.mean_average_precision(queries, without_positives="zero") == 0
    with words.raises(InputError):
        metrics.mean_average_precision([([0, 1], [1, 2]), ([0, 1], [1, math.nan])])


def test_losses_equal_scikit_learn():
    random = np.random.default_rng(3)
    y, p = random.integers(0, 2, 200), random.random(200)
    assert metrics.squared_loss(y, p) == pytest.approx(reference.brier_score_loss(y, p))
    assert metrics.squared_loss(y, p, scale="all") == pytest.approx(2 * metrics.squared_loss(y, p))
    assert metrics.log_loss(y, p) == pytest.approx(reference.log_loss(y, p))
    each = [reference.log_loss([label], [q], labels=[0, 1]) for label, q in zip(y, p)]
    np.testing.assert_allclose(metrics.log_losses(y, p), each, rtol=1e-9)
    squares = [reference.brier_score_loss([1, label], [1, q]) * 2 for label, q in zip(y, p)]
    np.testing.assert_allclose(metrics.squared_losses(y, p), squares, rtol=1e-9)
    table, classes = random.dirichlet(np.ones(3), 200), np.array(["c", "a", "b"])
    truth = classes[random.integers(0, 3, 200)]
    w = random.random(200)
    ordered = table[:, [1, 2, 0]]  # columns c, a, b in sorted order
    want = reference.log_loss(truth, ordered, labels=["a", "b", "c"], sample_weight=w)
    got = metrics.log_loss(truth, table, classes=classes.tolist(), weights=w)
    assert got == pytest.approx(want)
    assert metrics.squared_losses(truth, ordered).max() <= 2


def test_a_certain_mistake_costs_what_clip_says():
    assert metrics.log_loss([1], [0.0]) == pytest.approx(52 * math.log(2))
    assert metrics.log_loss([1], [0.0], clip=0) == math.inf
    assert metrics.log_loss([1, 1], [0.0, 1.0], clip=0, weights=[0, 1]) == 0


def test_reliability_table_by_hand():
    result = metrics.calibration([0, 1, 1, 1, 0], [0.1, 0.1, 0.6, 0.8, 1.0], bins=5, n_resamples=9)
    assert result.count.tolist() == [2, 1, 1, 1]
    assert np.allclose(result.lower, [0, 0.4, 0.6, 0.8])
    assert np.allclose(result.observed, [0.5, 1, 1, 0])
    assert result.ece == pytest.approx((2 * 0.4 + 0.4 + 0.2 + 1) / 5)
    assert result.maximum == pytest.approx(1)
    assert list(result.table().columns)[:3] == ["lower", "upper", "count"]


def test_calibration_of_tables_takes_the_predicted_class():
    table = [[0.7, 0.2, 0.1], [0.1, 0.6, 0.3], [0.2, 0.2, 0.6]]
    result = metrics.calibration([0, 0, 2], table, classes=[0, 1, 2], bins=1, n_resamples=9)
    assert result.predicted.tolist() == pytest.approx([1.9 / 3])
    assert result.observed.tolist() == pytest.approx([2 / 3])


def test_calibration_interval_covers():
    # 60 trials at 0.95 of a conservative interval: 8 misses or more have probability 1e-2 at
    # exactly 0.95 only; 12 or more 1e-5, 14 or more 3e-7
    random = np.random.default_rng(5)
    misses = rejected = 0
    for shift, true in ((0.0, 0.0), (0.1, 0.095)):
        for trial in range(60):
            p = random.random(300)
            y = random.random(300) < np.clip(p + shift, 0, 1)
            got = metrics.calibration(y, p, n_resamples=99, seed=trial)
            misses += not got.ci_low <= true <= got.ci_high
            rejected += shift == 0 and got.pvalue <= 0.05
    assert misses < 14 + 6
    assert rejected < 14


def test_calibration_is_the_same_bits_again():
    y, p = [0, 1, 1, 0, 1], [0.2, 0.4, 0.8, 0.4, 0.7]
    one, two = (metrics.calibration(y, p, seed=3, n_resamples=50) for _ in range(2))
    assert (one.ci_low, one.pvalue) == (two.ci_low, two.pvalue)
    assert one.seed == 3


@pytest.mark.parametrize(
    "call",
    [
        lambda: metrics.error([0, 1], [0]),
        lambda: metrics.error([0, None], [0, 1]),
        lambda: metrics.error([0.0, math.nan], [0, 1]),
        lambda: metrics.precision([0, 1], [0, 1], positive=2),
        lambda: metrics.precision([0, 1], [0, 1], average="mean"),
        lambda: metrics.auc(["a", "b"], [1, 2]),
        lambda: metrics.auc([0, 1], [1, math.nan]),
        lambda: metrics.average_precision([0, 1], [1, 2], ties="group"),
        lambda: metrics.squared_loss([0, 1], [0.5, 1.5]),
        lambda: metrics.log_loss([0, 1], [[0.5, 0.4], [0.5, 0.5]]),
        lambda: metrics.log_loss([0, 2], [[0.5, 0.5]] * 2, classes=[0, 1]),
        lambda: metrics.log_loss([0, 0], [[0.5, 0.5]] * 2),
        lambda: metrics.log_loss([0, 1], [0.5, 0.5], clip=0.5),
        lambda: metrics.binary_rates(-1, 0, 0, 0),
        lambda: metrics.binary_rates(1, 0, 0, 0, beta=0),
        lambda: metrics.calibration([0, 1], [0.1, 0.2], bins=0),
        lambda: metrics.confusion_matrix([0, 1], [0, 1], classes=[0]),
        lambda: metrics.confusion_matrix([0], [0], weights=[-1]),
        lambda: metrics.mean_average_precision([]),
    ],
)
def test_bad_input_is_refused_with_a_reason(call, words):
    with words.raises(InputError):
        call()


def test_nothing_to_measure_is_nan():
    assert math.isnan(metrics.error([], []))
    assert math.isnan(metrics.squared_loss([], []))
    assert math.isnan(metrics.calibration([], []).ece)
    assert math.isnan(metrics.matthews_correlation([], []))
    assert math.isnan(metrics.average_precision([], []))
    assert math.isnan(metrics.auc([], []).auc)


def test_pandas_columns_are_taken_and_missing_labels_refused(words):
    pandas = pytest.importorskip("pandas", reason="pandas is a dependency")
    frame = pandas.DataFrame({"y": ["a", "b", "b"], "g": ["a", "b", "a"], "s": [0.1, 0.7, 0.4]})
    assert metrics.error(frame["y"], frame["g"]) == pytest.approx(1 / 3)
    assert metrics.auc(frame["y"], frame["s"], positive="b").auc == 1
    for missing in (None, math.nan, pandas.NA):
        gone = pandas.Series(["a", missing, "b"], dtype=object)
        with words.raises(InputError):
            metrics.error(gone, frame["g"])


@pytest.mark.parametrize(
    "result",
    [
        metrics.binary_rates([1, 2], [3, 4], [5, 6], [7, 8]),
        metrics.confusion_matrix(["a", "b"], ["b", "b"]),
        metrics.roc_curve([0, 1, 1], [1, 2, 3]),
        metrics.precision_recall_curve([0, 1, 1], [1, 2, 3]),
        metrics.auc([0, 1, 1, 0], [1, 2, 3, 4]),
        metrics.calibration([0, 1], [0.2, 0.9], n_resamples=9),
    ],
    ids=lambda result: type(result).__name__,
)
def test_results_become_text_tables_and_json(result):
    names = list(result.to_dict())
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False)).keys() == set(names)
    assert len(str(result).splitlines()) >= len(names) - 1
    assert len(result.to_frame()) >= 1
    assert "<table>" in result._repr_html_()
