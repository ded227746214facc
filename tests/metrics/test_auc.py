"""AUC and the DeLong test against their definitions, pair by pair."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.integrate import trapezoid
from sklearn.metrics import roc_auc_score

from nettrial import metrics
from nettrial.core.errors import InputError
from nettrial.stats.delong import delong_test

cases = st.integers(4, 30).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 1), min_size=n, max_size=n),
        st.lists(st.integers(-3, 3), min_size=n, max_size=n),
        st.lists(st.integers(-3, 3), min_size=n, max_size=n),
    )
)


def kernel(y, s):
    """1 where a positive (row) outranks a negative (column), 1/2 where they tie."""
    y, s = np.asarray(y), np.asarray(s)
    pos, neg = s[y == 1][:, None], s[y == 0][None, :]
    return (pos > neg) + 0.5 * (pos == neg)


def delong_covariance(y, s, t):
    """DeLong's covariance of two AUCs by its definition (their equations 5 to 7)."""
    a, b = kernel(y, s), kernel(y, t)
    m, n = a.shape
    by_positive = np.cov(a.mean(axis=1), b.mean(axis=1))
    by_negative = np.cov(a.mean(axis=0), b.mean(axis=0))
    return by_positive / m + by_negative / n


@given(cases)
def test_auc_and_variance_equal_the_definition(case):
    y, s, _ = case
    got = metrics.auc(y, s)
    m, n = sum(y), len(y) - sum(y)
    if min(m, n) == 0:
        assert math.isnan(got.auc)
        assert "both classes" in got.notes[0]
        return
    assert got.auc == pytest.approx(kernel(y, s).mean())
    assert got.auc == pytest.approx(roc_auc_score(y, s))
    assert got.u_statistic == pytest.approx(kernel(y, s).sum())
    if min(m, n) == 1:
        assert math.isnan(got.variance)
        assert "two of each" in got.notes[0]
    else:
        assert got.variance == pytest.approx(delong_covariance(y, s, s)[0, 0])


@given(cases)
def test_auc_is_the_area_under_the_curve(case):
    y, s, _ = case
    assume(0 < sum(y) < len(y))
    curve = metrics.roc_curve(y, s)
    area = trapezoid(curve.true_positive_rate, curve.false_positive_rate)
    assert metrics.auc(y, s).auc == pytest.approx(area)


@given(cases)
def test_reversed_scores_or_classes_mirror_the_auc(case):
    y, s, _ = case
    assume(0 < sum(y) < len(y))
    one = metrics.auc(y, s, interval="clipped")
    for other in (
        metrics.auc(y, [-x for x in s], interval="clipped"),
        metrics.auc([1 - x for x in y], s, interval="clipped"),
    ):
        assert other.auc == pytest.approx(1 - one.auc)
        assert other.ci_low == pytest.approx(1 - one.ci_high, nan_ok=True)


@given(cases, st.sampled_from(["normal", "clipped", "logit"]))
def test_intervals_hold_the_auc(case, kind):
    got = metrics.auc(case[0], case[1], interval=kind)
    if not math.isnan(got.ci_low):
        assert got.ci_low - 1e-12 <= got.auc <= got.ci_high + 1e-12
        if kind != "normal":
            assert 0 <= got.ci_low <= got.ci_high <= 1


@given(cases)
def test_delong_equals_the_definition(case):
    y, s, t = case
    got = delong_test(y, s, t)
    if min(sum(y), len(y) - sum(y)) < 2:
        assert math.isnan(got.pvalue)
        assert got.degenerate
        assert "two of each" in got.notes[0]
        return
    cov = delong_covariance(y, s, t)
    variance = cov[0, 0] + cov[1, 1] - 2 * cov[0, 1]
    assert got.details["covariance"] == pytest.approx(cov[0, 1])
    assert got.details["variance_difference"] == pytest.approx(variance, abs=1e-15)
    if got.degenerate:
        assert variance == pytest.approx(0, abs=1e-15)
        assert got.notes
        assert got.pvalue == 1 if abs(got.estimate) < 1e-12 else math.isnan(got.pvalue)
    else:
        z = got.estimate / math.sqrt(variance)
        assert got.pvalue == pytest.approx(math.erfc(abs(z) / math.sqrt(2)))


@given(cases)
def test_swapping_the_scorings_swaps_the_sides(case):
    y, s, t = case
    one = delong_test(y, s, t, alternative="greater")
    two = delong_test(y, t, s, alternative="less")
    assert one.pvalue == pytest.approx(two.pvalue, nan_ok=True)
    assert one.estimate == pytest.approx(-two.estimate, nan_ok=True)
    assert one.ci_low == pytest.approx(-two.ci_high, nan_ok=True)


@given(cases)
def test_only_ranks_matter(case):
    y, s, t = case
    one, two = delong_test(y, s, t), delong_test(y, np.exp(s), [3 * x - 7 for x in t])
    assert one.pvalue == pytest.approx(two.pvalue, nan_ok=True)


def test_identical_scores_have_p_one():
    random = np.random.default_rng(1)
    y, s = random.integers(0, 2, 100), random.normal(size=100)
    for other in (s, s**3, 5 - (5 - s)):
        got = delong_test(y, s, np.round(other, 12) if other is not s else s)
        assert got.pvalue == 1
    assert delong_test(y, s, s).degenerate


def test_no_spread_and_a_difference_is_not_a_small_p():
    got = delong_test([0, 0, 1, 1], [1, 2, 3, 4], [1, 1, 1, 1])
    assert got.estimate == 0.5
    assert math.isnan(got.pvalue)
    assert got.degenerate
    assert "do not vary" in got.notes[0]


def test_many_trials_are_one_call():
    random = np.random.default_rng(2)
    y = random.integers(0, 2, 40)
    s, t = random.integers(0, 9, (50, 40)), random.integers(0, 9, (50, 40))
    many = delong_test(y, s, t)
    for i in range(50):
        one = delong_test(y, s[i], t[i])
        assert one.pvalue == many.pvalue[i]
        assert one.ci_low == many.ci_low[i]
    against_one = delong_test(y, s, t[0])
    assert against_one.pvalue[3] == delong_test(y, s[3], t[0]).pvalue


def test_delong_holds_its_level():
    # 4,000 trials at 0.05: six standard deviations are 0.021, and the approximation is good
    # to about 0.005 for 100 of each class
    random = np.random.default_rng(3)
    y = np.repeat([0, 1], 100)
    truth = random.normal(size=(4000, 200)) + y
    s, t = (truth + random.normal(size=truth.shape) for _ in range(2))
    assert abs(np.mean(delong_test(y, s, t).pvalue <= 0.05) - 0.05) < 0.026


def test_large_samples_need_no_pairs():
    # 2e5 of each class would need 4e10 pairs
    random = np.random.default_rng(4)
    y = np.repeat([0, 1], 200_000)
    got = metrics.auc(y, random.normal(size=y.size) + y)
    # six standard errors around Φ(1/√2)
    assert abs(got.auc - 0.7602499) < 6 * got.standard_error < 0.006


@pytest.mark.parametrize(
    "arguments",
    [
        ([0, 1], [1, 2], [1, 2, 3]),
        ([0, 1], [1, math.nan], [1, 2]),
        ([0, 1], 1, [1, 2]),
        ([0, 1], np.ones((2, 2)), np.ones((3, 2))),
        (["a", "b"], [1, 2], [1, 2]),
    ],
)
def test_bad_input_is_refused_with_a_reason(arguments, words):
    with words.raises(InputError):
        delong_test(*arguments)
