"""One-way and repeated-measures analysis of variance."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from nettrial.core.errors import InputError
from nettrial.stats.anova import oneway_anova, repeated_measures_anova
from nettrial.stats.omnibus import noncentrality_interval

ONE_IN_A_MILLION = 1 - 1e-6
errors = st.one_of(
    st.integers(0, 20).map(lambda i: i / 20),
    st.floats(-1e6, 1e6, allow_nan=False, width=32),
)
tables = hnp.array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=6).flatmap(
    lambda shape: hnp.arrays(float, shape, elements=errors)
)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20240611)


def is_probability(p: float) -> bool:
    return bool(np.isnan(p)) or 0 <= p <= 1


def test_oneway_equals_scipy_and_statsmodels(rng):
    oneway = pytest.importorskip("statsmodels.stats.oneway")
    groups = [rng.normal(m, s, n) for m, s, n in ((0, 1, 7), (0.5, 2, 12), (1, 0.5, 4))]
    fisher, welch = oneway_anova(groups), oneway_anova(groups, method="welch")
    expected = stats.f_oneway(*groups)
    assert fisher.statistic == pytest.approx(expected.statistic, rel=1e-12)
    assert fisher.pvalue == pytest.approx(expected.pvalue, rel=1e-11)
    other = oneway.anova_oneway(groups, use_var="unequal", welch_correction=True)
    assert welch.statistic == pytest.approx(other.statistic, rel=1e-12)
    assert welch.df == pytest.approx(other.df, rel=1e-12)
    assert welch.pvalue == pytest.approx(other.pvalue, rel=1e-10)


def test_oneway_of_two_groups_is_the_squared_t(rng):
    a, b = rng.normal(size=8), rng.normal(size=11)
    for method, equal in (("fisher", True), ("welch", False)):
        t = stats.ttest_ind(a, b, equal_var=equal)
        result = oneway_anova([a, b], method=method)
        assert result.statistic == pytest.approx(t.statistic**2, rel=1e-11)
        assert result.pvalue == pytest.approx(t.pvalue, rel=1e-10)


def test_omega_squared_is_unbiased_where_eta_squared_is_not(rng):
    groups = list(rng.normal(size=(3, 20_000, 5)))
    result = oneway_anova(groups)
    omega, eta = result.details["omega_squared"], result.effect_size
    # no effect: eta squared is Beta(1, 6), mean 1/7; omega squared is near 0
    assert abs(eta.mean() - 1 / 7) < 5 * eta.std() / np.sqrt(eta.size)
    assert abs(omega.mean()) < 0.02


@pytest.mark.parametrize("method", ["fisher", "welch"])
def test_oneway_over_leading_axes_is_the_loop(rng, method):
    groups = [rng.normal(size=(3, 2, n)) for n in (4, 6, 5)]
    whole = oneway_anova(groups, method=method)
    for place in np.ndindex(3, 2):
        one = oneway_anova([group[place] for group in groups], method=method)
        for name in ("statistic", "pvalue", "effect_size", "ci_low", "ci_high"):
            np.testing.assert_allclose(getattr(whole, name)[place], getattr(one, name), rtol=1e-9)
    assert len(whole.to_frame()) == 6
    assert len(oneway_anova([[1, 2], [3, 5]], method=method).to_frame()) == 1


def test_noncentrality_interval_covers_at_its_level(rng):
    noncentrality, n = 9.0, 4_000
    numerator = rng.noncentral_chisquare(3, noncentrality, n) / 3
    f = numerator / (rng.chisquare(20, n) / 20)
    low, high = noncentrality_interval(f, 3, 20, 0.95)
    covered = int(((low <= noncentrality) & (noncentrality <= high)).sum())
    band = stats.binom.ppf([1e-6, ONE_IN_A_MILLION], n, 0.95)
    assert band[0] <= covered <= band[1]


def test_noncentrality_interval_inverts_the_distribution():
    f = np.array([0.0, 1e-9, 0.3, 1, 4, 60, 1e4, 2e7])
    for df1, df2 in ((1, 1), (3, 36), (9, 4), (2.3, 17.7)):
        low, high = noncentrality_interval(f, df1, df2, 0.9)
        for value, end, below in [*zip(f, low, [0.95] * 8), *zip(f, high, [0.05] * 8)]:
            if end == 0:
                assert stats.f.cdf(value, df1, df2) <= below
            elif end < 1e8:
                got = stats.ncf.cdf(value, df1, df2, end)
                assert got == pytest.approx(below, abs=1e-7)
        assert (low <= high).all()
        assert (np.diff(high) >= 0).all()
    # SciPy's distribution function is NaN at single places here
    low, high = noncentrality_interval(45.67, 27.3, 21168.3, 0.95)
    assert stats.ncf.cdf(45.67, 27.3, 21168.3, float(low)) == pytest.approx(0.975, abs=1e-9)
    assert stats.ncf.cdf(45.67, 27.3, 21168.3, float(high)) == pytest.approx(0.025, abs=1e-9)
    far = noncentrality_interval([1e7, 3e7, 4e7, 9e7], 3, 36, 0.95)
    for end in far:  # no step where the approximation for large F begins
        np.testing.assert_allclose(end / end[0], [1, 3, 4, 9], rtol=1e-3)


def test_constant_groups_are_told():
    differ = oneway_anova([[1, 1, 1], [2, 2, 2]])
    assert np.isnan(differ.statistic)
    assert np.isnan(differ.pvalue)  # 0 / 0 within: nothing to judge the difference by
    assert differ.degenerate is True
    assert "constant" in differ.notes[0]
    noise = oneway_anova([[0.1, 0.3 - 0.2, 0.1], [0.1, 0.1, 1.1 - 1.0]])
    assert noise.pvalue == 1
    assert noise.degenerate is True
    assert noise.notes
    welch = oneway_anova([[0.1, 0.3 - 0.2, 0.1], [0.2, 0.25, 0.3]], method="welch")
    assert np.isnan(welch.pvalue)
    assert welch.degenerate is True


@given(tables, st.sampled_from(["fisher", "welch"]))
@settings(max_examples=150, deadline=None)
def test_oneway_never_breaks(table, method):
    result = oneway_anova(list(table), method=method)
    assert is_probability(result.pvalue)
    if np.isnan(result.pvalue) or result.pvalue == 0:
        assert result.degenerate
        assert result.notes
    again = oneway_anova(list(table[::-1, ::-1]), method=method)
    np.testing.assert_allclose(again.pvalue, result.pvalue, rtol=1e-3, atol=1e-9)
    json.dumps(result.to_dict())
    assert str(result)


def test_oneway_refuses(words):
    with words.raises(InputError):
        oneway_anova([[1, 2]])
    with words.raises(InputError):
        oneway_anova([[1, 2], []])
    with words.raises(InputError):
        oneway_anova([[1, 2], [3, np.nan]])
    for size in (1e200, 1e-200):
        with words.raises(InputError):
            oneway_anova([[size, 2 * size], [3 * size, size]])
    with words.raises(InputError):
        oneway_anova([[1], [2]])
    with words.raises(InputError):
        oneway_anova([[1, 2], [2]], method="welch")
    with words.raises(InputError):
        oneway_anova([[1, 2], [2, 3]], method="welsh")
    with words.raises(InputError):
        oneway_anova([np.ones((2, 3)), np.ones((3, 3))])


def test_repeated_measures_equal_statsmodels(rng):
    anova = pytest.importorskip("statsmodels.stats.anova")
    import pandas as pd

    x = rng.normal(size=(9, 4)) + rng.normal(size=(9, 1)) + [0, 0.3, 0.6, 1]
    long = pd.DataFrame(
        [(i, j, x[i, j]) for i in range(9) for j in range(4)], columns=["fold", "model", "y"]
    )
    table = anova.AnovaRM(long, "y", "fold", within=["model"]).fit().anova_table
    result = repeated_measures_anova(x, correction="none")
    assert result.statistic == pytest.approx(table["F Value"].iloc[0], rel=1e-9)
    assert result.pvalue == pytest.approx(table["Pr > F"].iloc[0], rel=1e-8)


@pytest.mark.parametrize("correction", ["none", "greenhouse-geisser", "huynh-feldt"])
def test_repeated_measures_of_two_columns_is_the_squared_paired_t(rng, correction):
    x = rng.normal(size=(7, 2))
    t = stats.ttest_rel(x[:, 0], x[:, 1])
    result = repeated_measures_anova(x, correction=correction)
    assert result.statistic == pytest.approx(t.statistic**2, rel=1e-10)
    assert result.pvalue == pytest.approx(t.pvalue, rel=1e-10)


def test_greenhouse_geisser_epsilon_from_orthonormal_contrasts(rng):
    x = rng.normal(size=(8, 5)) @ rng.normal(size=(5, 5))
    contrasts = np.linalg.svd(np.eye(5) - 1 / 5)[0][:, :4]
    roots = np.linalg.eigvalsh(contrasts.T @ np.cov(x.T) @ contrasts)
    expected = roots.sum() ** 2 / (4 * (roots**2).sum())
    got = repeated_measures_anova(x).details["greenhouse_geisser_epsilon"]
    assert got == pytest.approx(expected, rel=1e-12)


def test_the_default_correction_holds_the_level_where_none_does_not(rng):
    spread = np.array([0.1, 0.1, 0.1, 3.0])  # far from spherical
    x = rng.normal(size=(6_000, 10, 4)) * spread
    limit = stats.binom.ppf(ONE_IN_A_MILLION, 6_000, 0.05)
    assert (repeated_measures_anova(x).pvalue < 0.05).sum() <= limit
    assert (repeated_measures_anova(x, correction="none").pvalue < 0.05).sum() > limit


def test_repeated_measures_over_leading_axes_is_the_loop(rng):
    x = rng.normal(size=(3, 2, 6, 4))
    for correction in ("none", "greenhouse-geisser", "huynh-feldt"):
        whole = repeated_measures_anova(x, correction=correction)
        for place in np.ndindex(3, 2):
            one = repeated_measures_anova(x[place], correction=correction)
            for name in ("statistic", "pvalue", "effect_size", "ci_low", "ci_high"):
                np.testing.assert_allclose(
                    getattr(whole, name)[place], getattr(one, name), rtol=1e-9
                )


@given(tables, st.sampled_from(["none", "greenhouse-geisser", "huynh-feldt"]))
@settings(max_examples=150, deadline=None)
def test_repeated_measures_never_break(table, correction):
    result = repeated_measures_anova(table, correction=correction)
    assert is_probability(result.pvalue)
    if np.isnan(result.pvalue):
        assert result.notes
    if np.isnan(result.statistic):
        assert result.degenerate
        assert result.notes
    moved = repeated_measures_anova(table[::-1, ::-1], correction="none")
    plain = repeated_measures_anova(table, correction="none")
    np.testing.assert_allclose(moved.pvalue, plain.pvalue, rtol=1e-3, atol=1e-9)


def test_identical_algorithms_are_degenerate_not_significant(words):
    column = np.array([0.1, 0.3 - 0.2, 0.7, 0.123456789])
    nine = repeated_measures_anova(np.tile(column[:, None], 9))
    assert nine.pvalue == 1
    assert nine.degenerate is True
    shifted = repeated_measures_anova(column[:, None] + [0, 0.01, 0.02])
    assert np.isnan(shifted.pvalue)
    assert shifted.degenerate is True
    with words.raises(InputError):
        repeated_measures_anova([[1, 2, 3]])
    with words.raises(InputError):
        repeated_measures_anova([[1, 2], [2, 1]], correction="gg")


def test_effect_size_intervals_put_f_at_their_tails(rng):
    groups = [rng.normal(m, 1, n) for m, n in ((0, 6), (1, 9), (2, 5))]
    table = rng.normal(size=(10, 3)) + np.array([0, 1, 2])
    for result, cases in (
        (oneway_anova(groups, confidence=0.9), 20),
        (repeated_measures_anova(table, correction="none", confidence=0.9), 2 + 18 + 1),
    ):
        for end, below in ((result.ci_low, 0.95), (result.ci_high, 0.05)):
            noncentrality = cases * end / (1 - end)
            got = stats.ncf.cdf(result.statistic, *result.df, noncentrality)
            assert got == pytest.approx(below, abs=1e-9)
        assert result.ci_low < result.effect_size < result.ci_high
