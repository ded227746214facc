"""Friedman, Iman-Davenport, Nemenyi, Kruskal-Wallis, Dunn, Cochran."""

from __future__ import annotations

import json
from itertools import combinations, permutations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from nettrial.core.errors import InputError
from nettrial.numeric.rounding import sizes, without_noise
from nettrial.stats.cochran import cochran_q_test
from nettrial.stats.friedman import friedman_test, iman_davenport_test
from nettrial.stats.kruskal import dunn_test, kruskal_wallis_test
from nettrial.stats.nemenyi import control_comparisons, critical_difference, nemenyi_test

grid = st.integers(0, 6).map(lambda i: i / 10)
errors = st.one_of(grid, st.floats(allow_nan=False, allow_infinity=True))
tables = hnp.array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=7).flatmap(
    lambda shape: hnp.arrays(float, shape, elements=errors)
)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(31)


@pytest.fixture(scope="module")
def demsar(data):
    """Demsar (2006), Table 6: AUC of four algorithms on 14 data sets, and their printed ranks."""
    folder = data / "tables" / "demsar2006_table6"
    values = pd.read_csv(folder / "demsar2006_table6.csv", index_col=0)
    ranks = pd.read_csv(folder / "demsar2006_table6_published_ranks.csv", index_col=0)
    return values, ranks


def test_demsar_from_printed_ranks(demsar):
    _, ranks = demsar
    result = friedman_test(ranks, ranked=True, ties="uncorrected")
    assert round(result.statistic, 2) == 9.28
    assert np.round(result.details["mean_ranks"], 3).tolist() == [3.143, 2.0, 2.893, 1.964]
    f = iman_davenport_test(ranks, ranked=True, ties="uncorrected")
    assert round(f.statistic, 2) == 3.69
    assert f.df == (3, 39)


def test_demsar_from_printed_values(demsar):
    values, _ = demsar
    result = friedman_test(values, higher_is_better=True, ties="uncorrected")
    assert round(result.statistic, 3) == 9.857
    corrected = friedman_test(values, higher_is_better=True)
    assert corrected.statistic == pytest.approx(10.952380952380956, rel=1e-12)
    assert corrected.pvalue == pytest.approx(0.011986176325417788, rel=1e-10)
    f = iman_davenport_test(values, higher_is_better=True, ties="uncorrected")
    assert f.statistic == pytest.approx(3.9866666666666495, rel=1e-12)


def test_demsar_post_hoc(demsar):
    _, ranks = demsar
    names = list(ranks.columns)
    result = nemenyi_test(ranks, ranked=True, names=names)
    assert round(result.details["critical_difference"], 2) == 1.25
    assert result.details["groups"] == (("C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5"),)
    # the paper: at level .10 C4.5 is worse than C4.5+m and C4.5+m+cf, C4.5+cf is undecided
    wider = nemenyi_test(ranks, ranked=True, names=names, confidence=0.9)
    assert round(wider.details["critical_difference"], 2) == 1.12
    assert wider.details["groups"] == (
        ("C4.5+m+cf", "C4.5+m", "C4.5+cf"),
        ("C4.5+cf", "C4.5"),
    )
    control = control_comparisons(ranks, ranked=True, names=names, control="C4.5")
    # the paper's table: z = 2.416 for C4.5+m+cf, 2.343 for C4.5+m, .512 for C4.5+cf
    assert dict(zip(control.second, control.statistic.round(2))) == {
        "C4.5+m": 2.34,
        "C4.5+cf": 0.51,
        "C4.5+m+cf": 2.42,
    }
    assert dict(zip(control.second, control.pvalue.round(3))) == {
        "C4.5+m": 0.019,
        "C4.5+cf": 0.608,
        "C4.5+m+cf": 0.016,
    }


def test_critical_values_of_demsars_table_5():
    nemenyi_05 = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]
    nemenyi_10 = [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]
    dunn_05 = [1.960, 2.241, 2.394, 2.498, 2.576, 2.638, 2.690]
    for k, q in enumerate(nemenyi_05, 2):
        unit = np.sqrt(k * (k + 1) / 60)
        assert critical_difference(k, 10) / unit == pytest.approx(q, abs=1e-3)
    for k, q in enumerate(nemenyi_10, 2):
        unit = np.sqrt(k * (k + 1) / 60)
        assert critical_difference(k, 10, confidence=0.9) / unit == pytest.approx(q, abs=1e-3)
    for k, q in enumerate(dunn_05, 2):
        unit = np.sqrt(k * (k + 1) / 60)
        got = critical_difference(k, 10, method="bonferroni-dunn") / unit
        assert got == pytest.approx(q, abs=1e-3)
    assert round(critical_difference(4, 4), 3) == 2.345


def test_friedman_equals_scipy(rng):
    for ties in (False, True):
        x = rng.normal(size=(12, 5))
        x = x.round(0) if ties else x
        expected = stats.friedmanchisquare(*x.T)
        result = friedman_test(x)
        assert result.statistic == pytest.approx(expected.statistic, rel=1e-11)
        assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-10)


def test_friedman_of_two_is_the_normal_sign_test(rng):
    x = rng.normal(size=(20, 2)) + np.array([0, 0.5])
    wins = (x[:, 0] < x[:, 1]).sum()
    result = friedman_test(x)
    assert result.statistic == pytest.approx((2 * wins - 20) ** 2 / 20, rel=1e-12)


def test_iman_davenport_is_the_analysis_of_variance_of_ranks(rng):
    from nettrial.stats.anova import repeated_measures_anova

    x = rng.normal(size=(9, 4)).round(1)
    ranks = stats.rankdata(x, axis=1)
    anova = repeated_measures_anova(ranks, correction="none")
    result = iman_davenport_test(x)
    assert result.statistic == pytest.approx(anova.statistic, rel=1e-11)
    assert result.pvalue == pytest.approx(anova.pvalue, rel=1e-10)


def test_friedman_is_near_its_exact_distribution():
    # all (3!)^5 orders of three algorithms on five data sets
    orders = list(map(list, permutations((1, 2, 3))))
    every = np.array(list(product(orders, repeat=5)))
    statistic = friedman_test(every, ranked=True).statistic
    # Friedman's exact table: P(chi2 >= 6.4) = .039 for N = 5, k = 3
    assert round(float((statistic >= 6.4 - 1e-9).mean()), 3) == 0.039
    assert statistic.mean() == pytest.approx(2, rel=1e-12)  # the mean of chi-square with 2 df


@pytest.mark.slow
@given(tables, st.sampled_from(["corrected", "uncorrected"]))
@settings(max_examples=200, deadline=None)
def test_friedman_never_breaks_and_sees_only_order(table, ties):
    for test in (friedman_test, iman_davenport_test):
        result = test(table, ties=ties)
        p = result.pvalue
        assert 0 <= p <= 1 if not np.isnan(p) else result.degenerate and result.notes
        assert p > 0 or result.degenerate
        moved = test(table[::-1, ::-1], ties=ties)
        assert moved.pvalue == pytest.approx(p, rel=1e-9, nan_ok=True)
        ranks = stats.rankdata(without_noise(table, sizes(table)), axis=1)
        assert test(ranks, ranked=True, ties=ties).pvalue == pytest.approx(p, nan_ok=True)
        flipped = test(-table, higher_is_better=True, ties=ties)
        assert flipped.details["mean_ranks"] == result.details["mean_ranks"]
        json.dumps(result.to_dict())
        assert str(result)
    w = friedman_test(table).effect_size
    assert np.isnan(w) or -1e-12 <= w <= 1 + 1e-12


@pytest.mark.parametrize("test", [friedman_test, iman_davenport_test])
def test_friedman_over_leading_axes_is_the_loop(rng, test):
    x = rng.normal(size=(2, 3, 6, 4)).round(1)
    x[0, 1] = 0.5
    whole = test(x)
    for place in np.ndindex(2, 3):
        one = test(x[place])
        np.testing.assert_allclose(whole.statistic[place], one.statistic, rtol=1e-12)
        np.testing.assert_allclose(whole.pvalue[place], one.pvalue, rtol=1e-12)
        assert whole.degenerate[place] == one.degenerate
    assert len(whole.to_frame()) == 6


def test_nine_identical_algorithms():
    x = np.tile(np.random.default_rng(0).random((12, 1)), 9)
    for test in (friedman_test, iman_davenport_test):
        result = test(x)
        assert result.pvalue == 1
        assert np.isnan(result.statistic)
        assert result.degenerate is True
        assert "tie" in result.notes[0]
        assert test(x, ties="uncorrected").pvalue == 1
    assert (nemenyi_test(x).adjusted_pvalue == 1).all()
    assert len(nemenyi_test(x).details["groups"]) == 1
    assert (control_comparisons(x).adjusted_pvalue == 1).all()


def test_friedman_refuses(words):
    with words.raises(InputError):
        friedman_test([[1, 2, 3], [1, 1, 3]], ranked=True)
    with words.raises(InputError):
        friedman_test([[1, 2, 3]], ranked=True, higher_is_better=True)
    with words.raises(InputError):
        friedman_test([[1, 2], [np.nan, 2]])
    with words.raises(InputError):
        friedman_test([[1], [2]])
    with words.raises(InputError):
        friedman_test([[1, 2], [2, 1]], ties="none")


def test_nemenyi_equals_the_range_of_normal_values(rng):
    x = rng.normal(size=(15, 5))
    result = nemenyi_test(x)
    draws = np.ptp(rng.normal(size=(200_000, 5)), axis=1)
    for z, p in zip(np.abs(result.statistic), result.adjusted_pvalue):
        low, high = stats.binom.ppf([1e-6, 1 - 1e-6], draws.size, p)
        assert low <= (draws > z * np.sqrt(2)).sum() <= high
    two = nemenyi_test(x[:, :2])
    assert two.adjusted_pvalue[0] == pytest.approx(two.pvalue[0], rel=1e-9)


@given(tables)
@settings(max_examples=80, deadline=None)
def test_nemenyi_groups_p_values_and_intervals_agree(table):
    result = nemenyi_test(table)
    limit = result.details["critical_difference"]
    means = result.details["mean_ranks"]
    near = {
        subset
        for size in range(2, len(means) + 1)
        for subset in combinations(sorted(means), size)
        if max(means[i] for i in subset) - min(means[i] for i in subset) < limit
    }
    largest = {s for s in near if not any(set(s) < set(other) for other in near)}
    got = [tuple(sorted(group)) for group in result.details["groups"]]
    # equal mean ranks may stand in any order, but a group is listed once
    assert len(got) == len(set(got))
    assert set(got) == largest
    clear = np.abs(np.abs(result.estimate) - limit) > 1e-9
    by_p = result.adjusted_pvalue < 0.05
    by_interval = (result.ci_low > 0) | (result.ci_high < 0)
    assert (by_p == by_interval)[clear].all()
    assert ((result.adjusted_pvalue >= result.pvalue) & (result.adjusted_pvalue <= 1)).all()
    json.dumps(result.to_dict())


def test_control_comparisons_leave_the_others_alone(rng):
    x = rng.normal(size=(15, 5))
    pairs, control = nemenyi_test(x), control_comparisons(x, control=2, adjustment="none")
    table = dict(zip(zip(pairs.first, pairs.second), pairs.pvalue))
    for other, p in zip(control.second, control.pvalue):
        key = ("2", other) if ("2", other) in table else (other, "2")
        assert table[key] == pytest.approx(p, rel=1e-12)
    assert list(control.adjusted_pvalue) == list(control.pvalue)
    bonferroni = control_comparisons(x, control=2)
    np.testing.assert_allclose(bonferroni.adjusted_pvalue, np.minimum(1, 4 * control.pvalue))
    holm = control_comparisons(x, control="2", adjustment="holm")
    assert (holm.adjusted_pvalue <= bonferroni.adjusted_pvalue).all()


def test_rank_comparisons_refuse(words):
    with words.raises(InputError):
        control_comparisons([[1, 2], [2, 1]], names=["wvrn", "nbc"], control="nbx")
    with words.raises(InputError):
        control_comparisons([[1, 2], [2, 1]], control=-1)
    with words.raises(InputError):
        nemenyi_test(np.zeros(3))
    with words.raises(InputError):
        critical_difference(1, 10)
    with words.raises(InputError):
        critical_difference(3, 10, method="tukey")
    with words.raises(InputError):
        critical_difference(3, 10, confidence=95)


def test_kruskal_equals_scipy(rng):
    groups = [rng.normal(m, 1, n).round(1) for m, n in ((0, 6), (0.5, 9), (1, 4))]
    expected = stats.kruskal(*groups)
    result = kruskal_wallis_test(groups)
    assert result.statistic == pytest.approx(expected.statistic, rel=1e-12)
    assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-11)


def test_kruskal_over_leading_axes_is_the_loop(rng):
    groups = [rng.normal(size=(3, 2, n)).round(1) for n in (4, 6, 5)]
    whole = kruskal_wallis_test(groups)
    for place in np.ndindex(3, 2):
        one = kruskal_wallis_test([group[place] for group in groups])
        assert whole.statistic[place] == pytest.approx(one.statistic, rel=1e-12)
        assert whole.effect_size[place] == pytest.approx(one.effect_size, rel=1e-12)
    shared = kruskal_wallis_test([groups[0], groups[1][0, 0], groups[2]])
    assert shared.pvalue.shape == (3, 2)


@pytest.mark.slow
@given(tables, st.sampled_from(["corrected", "uncorrected"]))
@settings(max_examples=150, deadline=None)
def test_kruskal_and_dunn_never_break(table, ties):
    result = kruskal_wallis_test(list(table), ties=ties)
    p = result.pvalue
    assert 0 <= p <= 1 if not np.isnan(p) else result.degenerate and result.notes
    again = kruskal_wallis_test(list(table[::-1, ::-1]), ties=ties)
    assert again.pvalue == pytest.approx(p, rel=1e-9, nan_ok=True)
    assert np.isnan(result.effect_size) or -1e-12 <= result.effect_size <= 1 + 1e-12
    pairs = dunn_test(list(table))
    assert ((pairs.adjusted_pvalue >= pairs.pvalue) & (pairs.adjusted_pvalue <= 1)).all()
    if len(table) == 2 and not result.degenerate and ties == "corrected":
        assert pairs.statistic[0] ** 2 == pytest.approx(result.statistic, rel=1e-9, abs=1e-12)


def test_dunn_by_its_published_formula(rng):
    groups = [rng.normal(m, 1, n).round(1) for m, n in ((0, 6), (0.5, 9), (1, 4))]
    pooled = np.concatenate(groups)
    n = pooled.size
    ranks = np.split(stats.rankdata(pooled), [6, 15])
    counts = np.unique(pooled, return_counts=True)[1]
    variance = n * (n + 1) / 12 - (counts**3 - counts).sum() / (12 * (n - 1))
    result = dunn_test(groups, adjustment="none")
    for place, (i, j) in enumerate(((0, 1), (0, 2), (1, 2))):
        spread = np.sqrt(variance * (1 / len(groups[i]) + 1 / len(groups[j])))
        z = (ranks[i].mean() - ranks[j].mean()) / spread
        assert result.statistic[place] == pytest.approx(z, rel=1e-12)
        assert result.pvalue[place] == pytest.approx(2 * stats.norm.sf(abs(z)), rel=1e-11)
    assert result.interval == "one pair"


def test_kruskal_refuses(words):
    with words.raises(InputError):
        kruskal_wallis_test([[1, np.nan], [2]])
    with words.raises(InputError):
        kruskal_wallis_test([[1], [2]], ties="yes")
    with words.raises(InputError):
        dunn_test([np.ones((2, 2)), np.ones((3, 2))])


def test_cochran_equals_statsmodels_friedman_and_mcnemar(rng):
    contingency = pytest.importorskip("statsmodels.stats.contingency_tables")
    x = (rng.random((60, 4)) < [0.2, 0.3, 0.35, 0.5]).astype(int)
    expected = contingency.cochrans_q(x)
    result = cochran_q_test(x)
    assert result.statistic == pytest.approx(expected.statistic, rel=1e-12)
    assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-10)
    assert result.statistic == pytest.approx(friedman_test(x).statistic, rel=1e-11)
    b, c = ((x[:, 0] > x[:, 1]).sum(), (x[:, 0] < x[:, 1]).sum())
    assert cochran_q_test(x[:, :2]).statistic == pytest.approx((b - c) ** 2 / (b + c), rel=1e-12)


@pytest.mark.slow
@given(hnp.arrays(bool, hnp.array_shapes(min_dims=2, max_dims=3, min_side=2, max_side=6)))
@settings(max_examples=150, deadline=None)
def test_cochran_never_breaks(x):
    result = cochran_q_test(x)
    p, degenerate = np.asarray(result.pvalue), np.asarray(result.degenerate)
    assert (p[degenerate] == 1).all()
    assert ((p >= 0) & (p <= 1)).all()
    assert result.notes or not degenerate.any()
    swapped = cochran_q_test(~x[..., ::-1, ::-1])
    np.testing.assert_allclose(swapped.pvalue, p, rtol=1e-12)
    if x.ndim == 3:
        np.testing.assert_array_equal(p, [cochran_q_test(one).pvalue for one in x])


def test_cochran_of_identical_classifiers_says_so(words):
    result = cochran_q_test([[1, 1, 1], [0, 0, 0]])
    assert result.degenerate is True
    assert result.pvalue == 1
    assert "agree on every case" in result.notes[0]
    with words.raises(InputError):
        cochran_q_test([[0, 2], [1, 1]])


def test_effect_sizes_reach_one_where_order_is_perfect():
    assert friedman_test([[1, 2, 3]] * 5).effect_size == 1
    assert kruskal_wallis_test([[1, 1, 1], [2, 2, 2]]).effect_size == pytest.approx(1, rel=1e-12)
    assert cochran_q_test([[1, 0]] * 7).effect_size == 1
