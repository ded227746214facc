"""Simultaneous inference: max-t, contributions of clusters, compact letters, random effects."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from equal_models import NULL, TWO_WORSE, rejections
from nettrial.core.errors import InputError
from nettrial.stats import (
    adjust,
    cluster_contributions,
    cluster_mean_test,
    compact_letters,
    contribution_comparisons,
    max_t_comparisons,
    random_effects,
    replicate_comparisons,
)
from nettrial.stats.max_t import MOST_DF, _farthest, _Reach


def all_pairs(k: int) -> np.ndarray:
    rows = np.zeros((k * (k - 1) // 2, k))
    for row, (i, j) in zip(rows, itertools.combinations(range(k), 2)):
        row[i], row[j] = 1, -1
    return rows


def names(n: int) -> dict[str, list[str]]:
    return {"first": [f"a{i}" for i in range(n)], "second": [f"b{i}" for i in range(n)]}


@pytest.mark.parametrize(("k", "df"), [(3, 5), (5, 8.5), (5, None), (8, 30)])
def test_all_pairs_of_independent_means_are_tukeys(k: int, df: float | None) -> None:
    means = np.linspace(0, 2.2, k) ** 1.3
    matrix = all_pairs(k)
    found = max_t_comparisons(matrix @ means, matrix @ matrix.T, df=df, **names(len(matrix)))
    q = np.abs(matrix @ means)  # sqrt(2) |t|, since the standard error is sqrt(2)
    wanted = stats.studentized_range.sf(q, k, np.inf if df is None else df)
    np.testing.assert_allclose(found.adjusted_pvalue, wanted, atol=1.5e-3)
    half = stats.studentized_range.ppf(0.95, k, np.inf if df is None else df)
    np.testing.assert_allclose(found.ci_high - found.estimate, half, rtol=4e-3)


def test_comparisons_with_a_control_are_dunnetts() -> None:
    rng = np.random.default_rng(3)
    groups = [rng.normal(mean, 1, size=9) for mean in (0.2, 1.1, 0.4)]
    control = rng.normal(0, 1, size=9)
    reference = stats.dunnett(*groups, control=control, rng=np.random.default_rng(1))
    spread = np.mean([values.var(ddof=1) for values in (*groups, control)])
    covariance = spread / 9 * (np.eye(3) + 1)
    estimate = [values.mean() - control.mean() for values in groups]
    found = max_t_comparisons(estimate, covariance, df=32, **names(3))
    np.testing.assert_allclose(found.statistic, reference.statistic, rtol=1e-10)
    np.testing.assert_allclose(found.adjusted_pvalue, reference.pvalue, atol=2e-3)


def test_one_pair_is_a_t_test() -> None:
    found = max_t_comparisons([0.3], [[0.01]], df=7, **names(1))
    assert found.adjusted_pvalue[0] == pytest.approx(2 * stats.t.sf(3, 7), rel=1e-12)
    assert found.ci_low[0] == pytest.approx(0.3 - 0.1 * stats.t.ppf(0.975, 7), rel=1e-8)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 6), st.floats(1.5, 60))
def test_between_the_single_pvalue_and_bonferroni_and_dual_to_the_intervals(
    seed: int, m: int, df: float
) -> None:
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(m, rng.integers(1, m + 1)))
    estimate = rng.normal(size=m) * 2
    found = max_t_comparisons(estimate, root @ root.T, df=df, **names(m))
    assert (found.adjusted_pvalue >= found.pvalue - 1e-12).all()
    assert (found.adjusted_pvalue <= np.minimum(1, m * found.pvalue) * 1.01 + 1e-3).all()
    excluded = (found.ci_low > 0) | (found.ci_high < 0)
    clear = np.abs(found.adjusted_pvalue - 0.05) > 1e-6
    np.testing.assert_array_equal(excluded[clear], (found.adjusted_pvalue < 0.05)[clear])
    np.testing.assert_allclose(found.details["holm_pvalue"], adjust(found.pvalue, method="holm"))
    turned = max_t_comparisons(-estimate, root @ root.T, df=df, **names(m))
    np.testing.assert_allclose(turned.adjusted_pvalue, found.adjusted_pvalue, rtol=1e-9)


def test_pairs_without_spread_are_told_and_leave_the_family() -> None:
    found = max_t_comparisons([0.3, 0.0, 0.1], np.diag([0.01, 0, 0]), df=7, **names(3))
    np.testing.assert_array_equal(found.adjusted_pvalue[1], 1)
    assert np.isnan(found.adjusted_pvalue[2])
    assert found.adjusted_pvalue[0] == pytest.approx(2 * stats.t.sf(3, 7))
    assert found.notes
    assert found.degenerate.tolist() == [False, True, True]


@pytest.mark.parametrize(
    ("estimate", "covariance", "df"),
    [
        ([1.0, 2.0], [[1.0]], 3),
        ([1.0, 2.0], [[1, 2], [2, 1]], 3),
        ([1.0, 2.0], [[1, 0.5], [0.2, 1]], 3),
        ([1.0], [[1.0]], 0),
        ([np.nan], [[1.0]], 3),
        ([1.0, 2.0], [[1, np.nan], [np.nan, 1]], 3),
        ([1.0], [[-1.0]], 3),
    ],
)
def test_what_is_no_covariance_is_refused(
    estimate: list[float], covariance: list[list[float]], df: float, words
) -> None:
    with words.raises(InputError):
        max_t_comparisons(estimate, covariance, df=df, **names(len(estimate)))


def test_contributions_give_the_clustered_standard_error() -> None:
    rng = np.random.default_rng(0)
    values, clusters = rng.random((4, 200)), rng.integers(12, size=200)
    weights = rng.integers(1, 5, size=200)
    parts = cluster_contributions(values, clusters, weights=weights)
    for row, mean, variance, df in zip(values, parts.estimate, np.diag(parts.covariance), parts.df):
        test = cluster_mean_test(row, clusters, weights=weights, df="effective")
        assert mean == pytest.approx(test.estimate, rel=1e-12)
        assert np.sqrt(variance) == pytest.approx(test.standard_error, rel=1e-10)
        assert df == pytest.approx(test.df, rel=1e-10)
    matrix = all_pairs(4)
    direct = cluster_contributions(matrix @ values, clusters, weights=weights)
    np.testing.assert_allclose(parts.contrast(matrix).covariance, direct.covariance, atol=1e-15)


def test_comparisons_by_clusters_equal_statsmodels_and_scipys_multivariate_t() -> None:
    api = pytest.importorskip("statsmodels.api", reason="statsmodels is a test dependency")
    rng = np.random.default_rng(7)
    clusters = rng.integers(9, size=120)
    base = rng.normal(size=120) + rng.normal(size=9)[clusters]
    pairs = np.stack([base + 0.3, base / 2 + rng.normal(size=120) + 0.1])
    parts = cluster_contributions(pairs, clusters)
    found = contribution_comparisons(parts, first=["a", "a"], second=["b", "c"], seed=3)
    groups = {"groups": clusters, "df_correction": True}
    for i, row in enumerate(pairs):
        fit = api.OLS(row, np.ones(120)).fit(cov_type="cluster", cov_kwds=groups)
        assert found.estimate[i] == pytest.approx(fit.params[0])
        assert found.standard_error[i] == pytest.approx(fit.bse[0])
    size, df = np.abs(found.estimate / found.standard_error), parts.common_df
    np.testing.assert_allclose(found.pvalue, 2 * stats.t.sf(size, df))
    scale = np.sqrt(np.diag(parts.covariance))
    both = stats.multivariate_t(shape=parts.covariance / np.outer(scale, scale), df=df)
    for one, adjusted in zip(size, found.adjusted_pvalue):
        inside = both.cdf([one] * 2, lower_limit=[-one] * 2, random_state=0)
        assert adjusted == pytest.approx(1 - inside, abs=0.003)


def test_observations_without_weight_and_their_clusters_do_not_count() -> None:
    rng = np.random.default_rng(1)
    values, clusters = rng.random((2, 60)), rng.integers(6, size=60)
    weights = (clusters != 2).astype(float)
    with_zero = cluster_contributions(values, clusters, weights=weights)
    without = cluster_contributions(values[:, clusters != 2], clusters[clusters != 2])
    np.testing.assert_allclose(with_zero.covariance, without.covariance, rtol=1e-12)
    assert with_zero.effective_clusters == pytest.approx(without.effective_clusters)


def test_one_cluster_shows_no_spread() -> None:
    parts = cluster_contributions([[0.0, 1.0], [1.0, 1.0]], [0, 0])
    found = contribution_comparisons(parts.contrast([[1, -1]]), first=["a"], second=["b"])
    assert np.isnan(found.adjusted_pvalue[0])
    assert "one cluster" in found.notes[0]


@pytest.mark.parametrize(
    ("values", "weights"), [([[1.0, np.nan]], None), ([1.0, 2.0], None), ([[1.0, 2.0]], [0, 0])]
)
def test_contributions_refuse_what_cannot_be_weighted(values: object, weights: object) -> None:
    with pytest.raises(InputError):
        cluster_contributions(values, [0, 1], weights=weights)  # type: ignore[arg-type]


def test_replicates_give_their_covariance(words) -> None:
    replicates = np.random.default_rng(0).normal(size=(30, 3)) @ np.diag([1, 2, 3])
    one = replicate_comparisons([1, 1, 1], replicates, **names(3))
    two = max_t_comparisons([1, 1, 1], np.cov(replicates.T), df=29, **names(3))
    np.testing.assert_array_equal(one.adjusted_pvalue, two.adjusted_pvalue)
    with words.raises(InputError):
        replicate_comparisons([1], [[1.0]], **names(1))
    with words.raises(InputError):
        replicate_comparisons([1], [[1e200], [2.0]], **names(1), standard_error=[1.0])


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_models_share_a_letter_exactly_if_they_do_not_differ(data: st.DataObject) -> None:
    models = [f"m{i}" for i in range(data.draw(st.integers(1, 7)))]
    pairs = list(itertools.combinations(models, 2))
    differ = [pair for pair in pairs if data.draw(st.booleans())]
    letters = compact_letters(models, differ)
    for one, other in pairs:
        shared = set(letters[one]) & set(letters[other])
        assert bool(shared) == ((one, other) not in differ)
    assert all(letters.values())


def test_letters_refuse_unknown_names(words) -> None:
    with words.raises(InputError):
        compact_letters(["a", "b"], [("a", "c")])


def test_random_effects_agree_with_statsmodels() -> None:
    from statsmodels.stats.meta_analysis import combine_effects

    d = np.array([2.0, 8.0, -1.0, 5.0, 3.0, 11.0])
    s = np.array([1.0, 2.0, 1.5, 2.0, 1.0, 3.0])
    found = random_effects(d, s)
    reference = combine_effects(d, s**2, method_re="iterated", use_t=True)
    assert found.details["tau"] ** 2 == pytest.approx(reference.tau2, rel=1e-5)
    assert found.estimate == pytest.approx(reference.mean_effect_re, rel=1e-5)
    assert found.standard_error == pytest.approx(reference.sd_eff_w_re_hksj, rel=1e-5)


def test_random_effects_without_spread_are_the_weighted_mean() -> None:
    found = random_effects([0.1, 0.1, 0.1], [0.1, 0.2, 0.3])
    weights = 1 / np.array([0.1, 0.2, 0.3]) ** 2
    assert found.details["tau"] == 0
    assert found.standard_error == pytest.approx(1 / np.sqrt(weights.sum()))
    assert found.notes
    with pytest.raises(InputError):
        random_effects([0.1], [0.1])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "trials", "most"),
    # binomial with 60 or 10 trials: 0.07 gives more than 16 or 7 with a chance below 1e-6
    [({"test": "cluster_robust_t"}, 60, 16), ({"test": "bootstrap", "n_replicates": 16}, 10, 7)],
)
def test_family_wise_error_and_power_in_short(
    options: dict[str, object], trials: int, most: int
) -> None:
    """`tests/equal_models.py` is the full form; docs/user/methods.md has its results."""
    assert rejections(0, trials, NULL, **options)[:, 0].any(axis=1).sum() <= most
    found = rejections(1000, trials // 2, TWO_WORSE, **options)
    assert (found[:, 0].any(axis=1) >= found[:, 1].any(axis=1)).all()  # on every network
    assert found[:, 0].sum() >= found[:, 1].sum()
    assert found[:, 0].any()


def test_critical_values_of_many_degrees_of_freedom_are_those_of_each() -> None:
    reach = _Reach(9, [_farthest(np.eye(9), np.random.default_rng(seed)) for seed in range(2)])
    df = np.append(np.linspace(1.5, 60, MOST_DF + 6), np.inf)
    one_by_one = [reach.critical(0.05, each) for each in df]
    np.testing.assert_allclose(reach.criticals(0.05, df), one_by_one, rtol=1e-7)
