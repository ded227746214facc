"""Comparisons of all pairs of means, and the studentized range."""

from __future__ import annotations

import inspect
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from nettrial.core.errors import InputError
from nettrial.stats.anova_posthoc import games_howell, paired_comparisons, tukey_hsd
from nettrial.stats.studentized import range_quantile, range_tail

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


def test_tukey_equals_scipy(rng):
    groups = [rng.normal(m, 1, n) for m, n in ((0, 6), (0.5, 9), (1.5, 5), (1, 7))]
    expected = stats.tukey_hsd(*groups)
    interval = expected.confidence_interval(0.9)
    result = tukey_hsd(groups, confidence=0.9)
    pairs = np.triu_indices(4, 1)
    np.testing.assert_allclose(result.estimate, expected.statistic[pairs], rtol=1e-12)
    np.testing.assert_allclose(result.adjusted_pvalue, expected.pvalue[pairs], rtol=1e-8)
    np.testing.assert_allclose(result.ci_low, interval.low[pairs], rtol=1e-8)
    np.testing.assert_allclose(result.ci_high, interval.high[pairs], rtol=1e-8)


def test_games_howell_equals_scipy(rng):
    if "equal_var" not in inspect.signature(stats.tukey_hsd).parameters:
        pytest.skip("this SciPy has no Games-Howell test to compare with")
    groups = [rng.normal(m, s, n) for m, s, n in ((0, 1, 6), (0.5, 3, 9), (1.5, 0.5, 5))]
    expected = stats.tukey_hsd(*groups, equal_var=False)
    result = games_howell(groups)
    pairs = np.triu_indices(3, 1)
    np.testing.assert_allclose(result.adjusted_pvalue, expected.pvalue[pairs], rtol=1e-8)
    np.testing.assert_allclose(result.ci_low, expected.confidence_interval().low[pairs], rtol=1e-8)


def test_two_groups_need_no_adjustment(rng):
    a, b = rng.normal(size=6), rng.normal(1, 2, 8)
    assert tukey_hsd([a, b]).adjusted_pvalue[0] == pytest.approx(
        stats.ttest_ind(a, b).pvalue, rel=1e-8
    )
    assert games_howell([a, b]).adjusted_pvalue[0] == pytest.approx(
        stats.ttest_ind(a, b, equal_var=False).pvalue, rel=1e-8
    )


def test_paired_comparisons_are_paired_t_tests(rng):
    x = rng.normal(size=(8, 4)) + np.array([0, 0, 1, 2])
    result = paired_comparisons(x, names=list("ABCD"), adjustment="none")
    bonferroni = paired_comparisons(x, adjustment="bonferroni")
    for place, (i, j) in enumerate(zip(*np.triu_indices(4, 1))):
        t = stats.ttest_rel(x[:, i], x[:, j])
        assert (result.first[place], result.second[place]) == ("ABCD"[i], "ABCD"[j])
        assert result.pvalue[place] == pytest.approx(t.pvalue, rel=1e-10)
        assert bonferroni.adjusted_pvalue[place] == pytest.approx(min(1, 6 * t.pvalue), rel=1e-10)
        np.testing.assert_allclose(
            (result.ci_low[place], result.ci_high[place]), t.confidence_interval(), rtol=1e-9
        )
        np.testing.assert_allclose(
            (bonferroni.ci_low[place], bonferroni.ci_high[place]),
            t.confidence_interval(1 - 0.05 / 6),
            rtol=1e-9,
        )
    assert list(result.to_frame()["first"]) == list("AAABBC")
    assert "A      B" in str(result)
    assert "<td>A</td>" in result._repr_html_()


def test_names_are_escaped_in_notebooks(rng):
    result = paired_comparisons(rng.normal(size=(4, 2)), names=["<script>", "B"])
    assert "<script>" not in result._repr_html_()


def test_holm_keeps_nine_equal_algorithms_and_an_outlier_at_the_level(rng):
    trials = 1_500
    equal = np.triu_indices(10, 1)[1] < 9  # the last algorithm is the outlier
    holm = none = 0
    for _ in range(trials):
        x = rng.normal(size=(12, 10)) + rng.normal(size=(12, 1))
        x[:, 9] += 5
        result = paired_comparisons(x, adjustment="holm")
        holm += bool((result.adjusted_pvalue[equal] <= 0.05).any())
        none += bool((result.pvalue[equal] <= 0.05).any())
        assert (result.adjusted_pvalue[~equal] < 0.05).all()
    limit = stats.binom.ppf(ONE_IN_A_MILLION, trials, 0.05)
    assert holm <= limit
    assert none > limit


def test_constant_differences_have_no_p_value():
    column = np.array([0.21, 0.19, 0.25, 0.22])
    x = np.column_stack([column, column, column + 0.01, column * 1.3])
    result = paired_comparisons(x)
    by_pair = dict(zip(zip(result.first, result.second), result.adjusted_pvalue))
    assert by_pair["0", "1"] == 1
    assert np.isnan(by_pair["0", "2"])
    assert np.isnan(by_pair["1", "2"])
    assert list(result.degenerate) == [True, True, False, True, False, False]
    assert result.notes
    for procedure in (tukey_hsd, games_howell):
        constant = procedure([[1, 1], [1, 1], [2, 2]])
        assert constant.adjusted_pvalue[0] == 1
        assert np.isnan(constant.adjusted_pvalue[1:]).all()
        assert list(constant.degenerate) == [True, True, True]


@given(tables, st.sampled_from([tukey_hsd, games_howell, "paired"]))
@settings(max_examples=60, deadline=None)
def test_pairs_never_break(table, procedure):
    result = paired_comparisons(table) if procedure == "paired" else procedure(list(table))
    p = result.adjusted_pvalue
    assert (np.isnan(p) | (p == 1))[result.degenerate].all()
    assert not np.isnan(p[~result.degenerate]).any()
    assert ((p >= 0) & (p <= 1) | np.isnan(p)).all()
    assert ((p >= result.pvalue) | np.isnan(p)).all()
    assert str(result)
    json.dumps(result.to_dict())


def test_pairs_refuse(words):
    with words.raises(InputError):
        tukey_hsd([[1, 2], [3, 4]], names=["a", "a"])
    with words.raises(InputError):
        tukey_hsd([np.ones((2, 2)), np.ones((3, 2))])
    with words.raises(InputError):
        games_howell([[1, 2], [3, 4]], axis=1)
    with words.raises(InputError):
        tukey_hsd([[1], [3]])
    with words.raises(InputError):
        games_howell([[1, 2], [3]])
    with words.raises(InputError):
        paired_comparisons([[1, 2]])
    with words.raises(InputError):
        paired_comparisons([[1, 2], [2, 1]], adjustment="hulm")


def test_studentized_range_equals_scipy_and_student():
    for k, df in ((2, 1.0), (3, 2.5), (5, 27), (20, 8), (10, 400)):
        q = np.array([0.0, 0.1, 1, 3, 5, 12, 60])
        np.testing.assert_allclose(
            range_tail(q, k, df), stats.studentized_range.sf(q, k, df), atol=1e-11
        )
        assert range_tail(range_quantile(0.99, k, df), k, df) == pytest.approx(0.01, rel=1e-10)
    extreme = range_quantile(1 - 1e-16, 3, 1)  # where nothing but rounding is left
    assert np.isfinite(extreme)
    assert extreme > range_quantile(1 - 1e-9, 3, 1) > range_quantile(1e-9, 3, 1) > 0
    t = np.array([0.5, 3, 40, 4_000])  # the range of two is the root of two times |t|
    for df in (1, 1.3, 6, 90):
        expected = 2 * stats.t.sf(t, df)
        np.testing.assert_allclose(range_tail(np.sqrt(2) * t, 2, df), expected, atol=1e-13)


def test_studentized_range_of_many_groups_with_one_degree_of_freedom(rng):
    # few degrees of freedom and many groups, against draws
    draws = np.ptp(rng.normal(size=(400_000, 40)), axis=1) / np.abs(rng.normal(size=400_000))
    for q in (5.0, 20.0, 68.9):
        p = float(range_tail(q, 40, 1.0))
        low, high = stats.binom.ppf([1e-6, ONE_IN_A_MILLION], draws.size, p)
        assert low <= (draws > q).sum() <= high


def test_far_tails_are_adjusted_too():
    # where the integral has no digits left, the bound of Bonferroni holds: all three pairs
    groups = [np.array([0.0, 0.01, 0.02, 0.01, 0.005]) + shift for shift in (0, 10, 30)]
    for test in (tukey_hsd, games_howell):
        found = test(groups)
        assert (found.pvalue < 1e-12).all()
        np.testing.assert_allclose(found.adjusted_pvalue, 3 * found.pvalue, rtol=1e-12)
        near = test([group / 1000 for group in groups[:2]] + [groups[2] / 1000 + 0.001])
        assert (near.adjusted_pvalue >= near.pvalue).all()
        assert (near.adjusted_pvalue <= 3 * near.pvalue).all()
