"""Effect sizes against their definitions, published values and coverage."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from nettrial.core.errors import InputError
from nettrial.stats.effect_size import (
    cliffs_delta,
    cohens_d,
    cohens_dz,
    hedges_g,
    odds_ratio,
    rank_biserial,
    risk_difference,
)

values = st.lists(st.integers(-5, 5).map(float), min_size=2, max_size=15)


@given(values, values)
def test_d_is_t_in_units_of_sample_size_and_its_interval_inverts_the_test(a, b):
    got = cohens_d(a, b)
    if math.isnan(got.estimate) or got.notes:
        assert np.var(a) == np.var(b) == 0
        return
    unit = math.sqrt(1 / len(a) + 1 / len(b))
    t = stats.ttest_ind_from_stats(
        np.mean(a), np.std(a, ddof=1), len(a), np.mean(b), np.std(b, ddof=1), len(b)
    )
    assert got.estimate / unit == pytest.approx(t.statistic, abs=1e-12)
    df = len(a) + len(b) - 2
    for end, tail in ((got.ci_low, 0.975), (got.ci_high, 0.025)):
        t, shift = got.estimate / unit, end / unit
        # by the mirror image where the distribution function is more exact
        below = stats.nct.cdf(t, df, shift) if t >= 0 else 1 - stats.nct.cdf(-t, df, -shift)
        assert below == pytest.approx(tail, abs=1e-8)


@settings(deadline=None)
@given(values, values)
def test_swapping_the_samples_turns_every_effect_round(a, b):
    for measure in (cohens_d, hedges_g, cliffs_delta):
        one, two = measure(a, b), measure(b, a)
        assert one.estimate == pytest.approx(-two.estimate, nan_ok=True)
        assert one.ci_low == pytest.approx(-two.ci_high, nan_ok=True)


@given(values)
def test_effects_of_pairs_are_in_range_or_undefined_with_a_reason(d):
    dz, r = cohens_dz(d), rank_biserial(d)
    if math.isnan(dz.estimate) or math.isnan(dz.ci_low):
        assert dz.notes
    else:
        assert dz.ci_low <= dz.estimate <= dz.ci_high
        t = stats.ttest_1samp(d, 0)
        if abs(t.pvalue - 0.05) > 1e-6:
            assert (dz.ci_low > 0 or dz.ci_high < 0) == (t.pvalue < 0.05)
    assert -1 <= r.estimate <= 1
    assert rank_biserial([-x for x in d]).estimate == -r.estimate


def test_hedges_factor_removes_the_bias():
    # 40,000 pairs of samples of 4 with d = 1: the mean of g has standard error 0.006
    random = np.random.default_rng(1)
    a, b = random.normal(1, 1, (40_000, 4)), random.normal(0, 1, (40_000, 4))
    pooled = np.sqrt((a.var(axis=1, ddof=1) + b.var(axis=1, ddof=1)) / 2)
    d = (a.mean(axis=1) - b.mean(axis=1)) / pooled
    factor = hedges_g(a[0], b[0]).estimate / cohens_d(a[0], b[0]).estimate
    assert abs(np.mean(d) * factor - 1) < 0.036
    assert np.mean(d) > 1.1


@given(values, values)
def test_delta_counts_pairs(a, b):
    signs = [np.sign(x - y) for x, y in itertools.product(a, b)]
    got = cliffs_delta(a, b)
    assert got.estimate == pytest.approx(np.mean(signs))
    assert -1 <= got.ci_low <= got.estimate + 1e-12
    assert got.estimate - 1e-12 <= got.ci_high <= 1


def test_delta_at_complete_separation_keeps_a_width():
    got = cliffs_delta([4, 5, 6], [1, 2, 3])
    assert got.estimate == got.ci_high == 1
    # (1-θ)² = z² θ(1-θ)(1 + 2((1-θ)/(2-θ) + θ/(1+θ)))/9 at θ = (1 + low)/2
    theta = (1 + got.ci_low) / 2
    spread = theta * (1 - theta) * (1 + 2 * ((1 - theta) / (2 - theta) + theta / (1 + theta))) / 9
    assert (1 - theta) ** 2 == pytest.approx(1.959964**2 * spread, rel=1e-5)
    assert -0.5 < got.ci_low < 0.5
    assert cliffs_delta([1, 2, 3], [4, 5, 6]).ci_high == pytest.approx(-got.ci_low)


def test_delta_interval_covers():
    # 2,000 trials; P(a > b) = Φ(0.8/√2); six standard deviations at 0.95 are 0.029
    random = np.random.default_rng(2)
    true = 2 * stats.norm.cdf(0.8 / math.sqrt(2)) - 1
    inside = 0
    for _ in range(2000):
        got = cliffs_delta(random.normal(0.8, 1, 15), random.normal(0, 1, 20))
        inside += got.ci_low <= true <= got.ci_high
    assert inside / 2000 > 0.95 - 0.029


def test_rank_biserial_by_hand():
    # ranks of |d|: 1, 2.5, 2.5, 4; the zero is dropped
    got = rank_biserial([1, -2, 2, 3, 0])
    assert got.estimate == pytest.approx((1 + 2.5 + 4 - 2.5) / 10)
    assert rank_biserial([0, 0]).notes == ("degenerate: all differences are zero",)
    assert rank_biserial([1, 2], [0, 0]).estimate == 1


def test_newcombe_interval_equals_the_published_table():
    # Newcombe (1998), Statistics in Medicine 17, 873-890, table II, method 10
    for counts, low, high in (
        ((56, 70, 48, 80), 0.0524, 0.3339),
        ((9, 10, 3, 10), 0.1705, 0.8090),
        ((10, 10, 0, 20), 0.6791, 1.0000),
        ((0, 10, 0, 20), -0.1611, 0.2775),
    ):
        got = risk_difference(*counts)
        assert got.ci_low == pytest.approx(low, abs=6e-5)
        assert got.ci_high == pytest.approx(high, abs=6e-5)


def test_wald_interval_is_the_hand_formula():
    got = risk_difference(15, 100, 9, 100, interval="wald")
    half = 1.959963984540054 * math.sqrt(0.15 * 0.85 / 100 + 0.09 * 0.91 / 100)
    assert (got.ci_low, got.ci_high) == pytest.approx((0.06 - half, 0.06 + half))


def test_odds_ratio_equals_scipy_and_handles_empty_cells():
    table = [[10, 30], [5, 45]]
    got = odds_ratio(10, 40, 5, 50)
    want = stats.contingency.odds_ratio(table, kind="sample")
    limits = want.confidence_interval()
    assert got.estimate == want.statistic
    assert (got.ci_low, got.ci_high) == pytest.approx((limits.low, limits.high))
    filled = odds_ratio(0, 10, 5, 10)
    assert filled.estimate == pytest.approx(0.5 * 5.5 / (10.5 * 5.5))
    assert "1/2" in filled.notes[0]
    left = odds_ratio(0, 10, 5, 10, zero_cells="leave")
    assert left.estimate == 0
    assert math.isnan(left.ci_low)
    assert math.isnan(odds_ratio(0, 10, 0, 10, zero_cells="leave").estimate)


def test_no_spread_has_no_unit():
    got = cohens_dz([0.01] * 5)
    assert math.isnan(got.estimate)
    assert "degenerate" in got.notes[0]
    assert cohens_dz([0.2, 0.4], [0.2, 0.4]).estimate == 0


def test_enormous_effects_say_that_there_is_no_interval():
    got = cohens_dz(1e6 + np.random.default_rng(3).normal(size=5))
    assert got.estimate > 1e5
    assert math.isnan(got.ci_low)
    assert "too large" in got.notes[0]


@pytest.mark.parametrize(
    "call",
    [
        lambda: cohens_d([1], [1, 2]),
        lambda: cohens_d([1, math.nan], [1, 2]),
        lambda: cohens_d(["a", "b"], [1, 2]),
        lambda: cohens_dz([1, 2], [1, 2, 3]),
        lambda: rank_biserial([1, 2], [1, 2, 3]),
        lambda: cliffs_delta([], [1]),
        lambda: risk_difference(5, 4, 1, 2),
        lambda: risk_difference(1, 4, 1, 2, interval="score"),
        lambda: odds_ratio(1, 4, 1, 2, zero_cells="drop"),
        lambda: odds_ratio(1.5, 4, 1, 2),
        lambda: cohens_d([1, 2], [1, 3], confidence=95),
    ],
)
def test_bad_input_is_refused_with_a_reason(call, words):
    with words.raises(InputError):
        call()
