"""Hotelling's T2 and multivariate analysis of variance."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from nettrial.core.errors import InputError
from nettrial.stats.manova import manova_test
from nettrial.stats.multivariate import hotelling_paired_test, hotelling_two_sample_test

STATISTICS = ("pillai", "wilks", "hotelling-lawley", "roy")


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(12)


def test_one_criterion_is_a_squared_t(rng):
    a, b = rng.normal(size=9), rng.normal(0.4, 1, 9)
    paired, two = hotelling_paired_test(a, b), hotelling_two_sample_test(a, b[:6])
    t = stats.ttest_rel(a, b)
    assert paired.statistic == pytest.approx(t.statistic**2, rel=1e-11)
    assert paired.pvalue == pytest.approx(t.pvalue, rel=1e-10)
    interval = t.confidence_interval()
    assert paired.details["simultaneous_low"][0] == pytest.approx(interval.low, rel=1e-9)
    assert paired.details["simultaneous_high"][0] == pytest.approx(interval.high, rel=1e-9)
    pooled = stats.ttest_ind(a, b[:6])
    assert two.statistic == pytest.approx(pooled.statistic**2, rel=1e-11)
    assert two.pvalue == pytest.approx(pooled.pvalue, rel=1e-10)


def test_equals_statsmodels(rng):
    multivariate = pytest.importorskip("statsmodels.stats.multivariate")
    a, b = rng.normal(size=(9, 3)), rng.normal(size=(9, 3))
    expected = multivariate.test_mvmean(a - b)
    result = hotelling_paired_test(a, b)
    assert result.details["f"] == pytest.approx(expected.statistic, rel=1e-10)
    assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-9)
    expected = multivariate.test_mvmean_2indep(a, b[:7])
    result = hotelling_two_sample_test(a, b[:7])
    assert result.details["f"] == pytest.approx(expected.statistic, rel=1e-10)
    assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-9)


def test_no_change_of_units_matters(rng):
    a, b = rng.normal(size=(9, 3)), rng.normal(size=(9, 3))
    mixing = rng.normal(size=(3, 3)) * [1e-6, 1, 1e6]
    for test in (hotelling_paired_test, hotelling_two_sample_test):
        plain, mixed, swapped = test(a, b), test(a @ mixing, b @ mixing), test(b, a)
        assert mixed.statistic == pytest.approx(plain.statistic, rel=1e-6)
        assert swapped.statistic == pytest.approx(plain.statistic, rel=1e-12)
        difference = np.array(plain.details["mean_difference"])
        np.testing.assert_allclose(swapped.details["mean_difference"], -difference, rtol=1e-12)
    groups = np.repeat([0, 1, 2], 3)
    for statistic in STATISTICS:
        plain = manova_test(a, groups, statistic=statistic)
        mixed = manova_test(a @ mixing, groups[::-1] * -7, statistic=statistic)
        reversed_rows = manova_test(a[::-1], groups, statistic=statistic)
        assert manova_test(a @ mixing, groups, statistic=statistic).pvalue == pytest.approx(
            plain.pvalue, rel=1e-6
        )
        assert mixed.pvalue == pytest.approx(plain.pvalue, rel=1e-6)
        assert reversed_rows.pvalue == pytest.approx(plain.pvalue, rel=1e-9)


@pytest.mark.slow
def test_simultaneous_intervals_cover_all_criteria(rng):
    trials = 1_500
    covered = 0
    for _ in range(trials):
        a = rng.normal(size=(8, 3)) @ [[1, 0.5, 0], [0, 1, 0.5], [0, 0, 1]]
        details = hotelling_paired_test(a, np.zeros((8, 3))).details
        low, high = details["simultaneous_low"], details["simultaneous_high"]
        covered += all(x <= 0 <= y for x, y in zip(low, high))
    assert covered >= stats.binom.ppf(1e-6, trials, 0.95)


def test_dependent_criteria_are_refused_even_with_rounding_noise(rng, words):
    a = rng.normal(size=(9, 2))
    b = rng.normal(size=(9, 2))
    for wide in (
        lambda x: np.column_stack([x, x[:, 0] * 0.1 + x[:, 1] / 3]),
        lambda x: np.column_stack([x, x[:, 0]]),
        lambda x: np.column_stack([x, np.full(len(x), 0.1)]),
    ):
        for test in (hotelling_paired_test, hotelling_two_sample_test):
            with words.raises(InputError):
                test(wide(a), wide(b))
        with words.raises(InputError):
            manova_test(wide(a), np.repeat([1, 2, 3], 3))
    with words.raises(InputError):
        hotelling_paired_test(a, a + np.array([0.1, 0.2]))
    with words.raises(InputError):
        hotelling_paired_test(a, a + 0.1)  # differences constant up to rounding


def test_refuses(words):
    with words.raises(InputError):
        hotelling_paired_test(np.ones((3, 2)), np.ones((4, 2)))
    with words.raises(InputError):
        hotelling_paired_test(np.eye(3), np.zeros((3, 3)))
    with words.raises(InputError):
        hotelling_two_sample_test([[1, 2]], [[2, 1], [3, 3]])
    with words.raises(InputError):
        hotelling_two_sample_test(np.ones((3, 2)), np.ones((3, 3)))
    with words.raises(InputError):
        hotelling_paired_test([[1, np.nan]] * 4, np.ones((4, 2)))
    values = np.arange(12.0).reshape(6, 2) ** 1.5
    with words.raises(InputError):
        manova_test(values[:, :1], [1, 1, 2, 2, 3, 3])
    with words.raises(InputError):
        manova_test(values, [1, 2])
    with words.raises(InputError):
        manova_test(values, [1] * 6)
    with words.raises(InputError):
        manova_test(values, [1, 1, 2, 2, 3, 3], blocks=[1, 1, 2, 2, 3, 3])
    with words.raises(InputError):
        manova_test(values[:4], [1, 2, 3, 3])
    with words.raises(InputError):
        manova_test(values, [1, 1, 2, 2, 3, 3], statistic="pilai")
    with words.raises(InputError):
        manova_test(values, [1, 1, 2, 2, 3, 3], approximation="sas")


def test_manova_equals_statsmodels(rng):
    module = pytest.importorskip("statsmodels.multivariate.manova")
    import pandas as pd

    names = {
        "pillai": "Pillai's trace",
        "wilks": "Wilks' lambda",
        "hotelling-lawley": "Hotelling-Lawley trace",
        "roy": "Roy's greatest root",
    }
    for p, sizes in ((2, (4, 5, 6)), (3, (6, 5, 7, 4)), (4, (9, 8))):
        groups = np.repeat(np.arange(len(sizes)), sizes)
        y = rng.normal(size=(groups.size, p)) + 0.5 * groups[:, None]
        frame = pd.DataFrame(y, columns=[f"y{i}" for i in range(p)]).assign(g=groups)
        formula = " + ".join(frame.columns[:-1]) + " ~ C(g)"
        table = module.MANOVA.from_formula(formula, frame).mv_test().results["C(g)"]["stat"]
        for statistic, label in names.items():
            result = manova_test(y, groups, statistic=statistic)
            expected = table.loc[label]
            assert result.statistic == pytest.approx(expected["Value"], rel=1e-9)
            assert result.details["f"] == pytest.approx(expected["F Value"], rel=1e-8)
            assert result.df == pytest.approx((expected["Num DF"], expected["Den DF"]), rel=1e-9)
            assert result.pvalue == pytest.approx(expected["Pr > F"], rel=1e-7)


@pytest.mark.parametrize("statistic", STATISTICS)
def test_two_groups_are_hotelling(rng, statistic):
    a, b = rng.normal(size=(8, 3)), rng.normal(size=(8, 3))
    y, groups = np.vstack([a, b]), ["wvrn"] * 8 + ["nbc"] * 8
    result = manova_test(y, groups, statistic=statistic)
    two = hotelling_two_sample_test(a, b)
    assert result.pvalue == pytest.approx(two.pvalue, rel=1e-9)
    assert result.details["eigenvalues"][0] * 14 == pytest.approx(two.statistic, rel=1e-9)
    blocked = manova_test(y, groups, blocks=[*range(8), *range(8)], statistic=statistic)
    paired = hotelling_paired_test(a, b)
    assert blocked.pvalue == pytest.approx(paired.pvalue, rel=1e-9)
    assert ("bound" in " ".join(result.notes)) == (statistic == "roy")


def test_too_few_rows_for_an_approximation_are_told(rng):
    y, groups = rng.normal(size=(5, 2)), [1, 1, 2, 2, 3]  # df of error 2, two criteria
    result = manova_test(y, groups, statistic="hotelling-lawley")
    assert np.isnan(result.pvalue)
    assert result.degenerate is True
    assert "degrees of freedom" in result.notes[0]


@given(
    hnp.array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=8).flatmap(
        lambda shape: hnp.arrays(
            float, shape, elements=st.one_of(st.integers(0, 3), st.floats(-100, 100, width=32))
        )
    ),
    st.sampled_from(STATISTICS),
    st.sampled_from(["mckeon", "pillai-samson"]),
)
@settings(max_examples=150, deadline=None)
def test_a_p_value_or_a_reason(y, statistic, approximation):
    groups = np.arange(len(y)) % 3
    try:
        result = manova_test(y, groups, statistic=statistic, approximation=approximation)
    except InputError:
        return
    assert 0 <= result.pvalue <= 1 or (np.isnan(result.pvalue) and result.notes)
    assert -1e-12 <= result.effect_size <= 1 or (result.degenerate and result.pvalue == 1)
    json.dumps(result.to_dict())
    assert len(result.to_frame()) == 1


@given(
    st.tuples(st.integers(1, 9), st.integers(1, 4)).flatmap(
        lambda shape: st.tuples(*[hnp.arrays(float, shape, elements=st.integers(-3, 3))] * 2)
    ),
    st.sampled_from([hotelling_paired_test, hotelling_two_sample_test]),
)
@settings(max_examples=150, deadline=None)
def test_hotelling_gives_a_p_value_or_a_reason(pair, test):
    try:
        result = test(*pair)
    except InputError:
        return
    assert 0 <= result.pvalue <= 1 or result.details["f"] == 0
    assert result.ci_low <= result.ci_high or (result.degenerate and result.pvalue == 1)


@pytest.mark.parametrize("statistic", STATISTICS)
def test_effect_sizes_agree_where_all_directions_are_alike(statistic):
    # three groups on a triangle, each a square about its center: equal eigenvalues
    turn = 2 * np.pi * np.arange(3) / 3
    centers = 3 * np.column_stack([np.cos(turn), np.sin(turn)])
    square = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])
    values = (centers[:, None] + square).reshape(12, 2)
    result = manova_test(values, np.repeat([1, 2, 3], 4), statistic=statistic)
    # H = 4 * 9 * 3/2 I, E = 3 * 4 I
    assert result.details["eigenvalues"] == pytest.approx((4.5, 4.5), rel=1e-12)
    assert result.effect_size == pytest.approx(4.5 / 5.5, rel=1e-12)
