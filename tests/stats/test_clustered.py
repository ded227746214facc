"""Cluster-robust tests against matrices, enumeration and other packages."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from nettrial.core.errors import InputError
from nettrial.core.wording import pvalue_text
from nettrial.stats.cluster_flips import sign_flip_test
from nettrial.stats.clustered import cluster_mean_test, cluster_paired_test
from nettrial.stats.contributions import cluster_contributions

samples = st.integers(2, 25).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(-4, 4).map(lambda x: x / 8), min_size=n, max_size=n),
        st.lists(st.integers(0, 5), min_size=n, max_size=n),
    )
)
corrections = st.sampled_from(["CR0", "CR1", "CR2"])
rules = st.sampled_from(["clusters", "satterthwaite", "effective"])
sides = st.sampled_from(["two-sided", "less", "greater"])


def power_of(matrix, exponent):
    values, vectors = np.linalg.eigh(matrix)
    return vectors @ np.diag(values**exponent) @ vectors.T


def by_matrices(y, clusters, weights, correction):
    """Sandwich variance and Satterthwaite degrees of freedom of a weighted mean, in full.

    Pustejovsky & Tipton (2018), section 2, with the identity as working model: what R's
    clubSandwich computes for lm(y ~ 1, weights = w).
    """
    y, clusters = np.asarray(y), np.asarray(clusters)
    bread = 1 / weights.sum()
    outside = np.eye(y.size) - np.outer(np.ones(y.size), weights) * bread
    residual = outside @ y
    names = np.unique(clusters)
    total, columns = 0.0, []
    for name in names:
        member = clusters == name
        adjust = np.eye(member.sum())
        if correction == "CR1":
            adjust *= math.sqrt(names.size / (names.size - 1))
        if correction == "CR2":
            adjust = power_of((outside @ outside.T)[np.ix_(member, member)], -0.5)
        weight = adjust @ weights[member] * bread
        total += (weight @ residual[member]) ** 2
        columns.append(outside[member].T @ weight)
    spread = np.linalg.eigvalsh(np.array(columns) @ np.array(columns).T)
    return total, spread.sum() ** 2 / (spread**2).sum()


@pytest.mark.parametrize("correction", ["CR0", "CR1", "CR2"])
@pytest.mark.parametrize("weighted", [False, True])
def test_variance_and_satterthwaite_equal_full_matrices(correction, weighted):
    random = np.random.default_rng(11)
    for n, g in ((12, 3), (30, 7), (40, 2)):
        clusters = np.concatenate((np.arange(g), random.integers(0, g, n - g)))
        y = random.normal(size=n)
        w = random.uniform(0.2, 3, n) if weighted else np.ones(n)
        got = cluster_mean_test(y, clusters, weights=w, correction=correction, df="satterthwaite")
        variance, df = by_matrices(y, clusters, w, correction)
        assert got.details["variance"] == pytest.approx(variance, rel=1e-10)
        assert got.df == pytest.approx(min(df, g - 1), rel=1e-9)
        assert got.estimate == pytest.approx(np.average(y, weights=w))


def test_weighted_cr2_is_the_form_of_clubsandwich_without_inverse_variances():
    # R 4.2.2, clubSandwich 0.5.8: vcovCR(lm(y ~ 1, weights = w), cluster, "CR2"), which is
    # D' (D (I - H) V (I - H)' D')^(-1/2) D for each cluster, V = D'D the identity by default
    # (inverse_var = FALSE) or 1 / w; and coef_test(test = "Satterthwaite")
    y = np.array([0.3, 0.1, 0.7, 0.45, 0.35, 0.6, 0.8, 0.2, 0.15, 0.55])
    w = np.array([5.0, 3, 8, 1, 2, 7, 7, 4, 3, 6])
    clusters = np.repeat(np.arange(5), 2)
    outside = np.eye(10) - np.outer(np.ones(10), w) / w.sum()

    def error(model: np.ndarray) -> float:
        total = 0.0
        for member in (clusters == name for name in range(5)):
            d = np.diag(np.sqrt(model[member]))
            inner = d @ (outside * model @ outside.T)[np.ix_(member, member)] @ d
            adjust = d @ power_of(inner, -0.5) @ d
            total += (w[member] @ adjust @ (outside @ y)[member] / w.sum()) ** 2
        return math.sqrt(total)

    assert error(np.ones(10)) == pytest.approx(0.07041079501666088, rel=1e-12)
    assert error(1 / w) == pytest.approx(0.07117631967859868, rel=1e-12)
    options = {"weights": w, "df": "satterthwaite"}
    got = cluster_mean_test(y, clusters, correction="CR2", **options)
    assert got.standard_error == pytest.approx(0.07041079501666088, rel=1e-12)
    assert got.df == pytest.approx(3.76738918905928744, rel=1e-12)
    assert got.pvalue == pytest.approx(0.00263705821419022, rel=1e-12)
    # clusters of 3, 2, 1 and 4; its CR1 has the same factor G / (G - 1)
    for correction, wanted in (
        ("CR0", (0.02159099276351745, 2.02495707627170285, 0.00176298036274838)),
        ("CR1", (0.02493113096817613, 2.02495707627170241, 0.00235682529054559)),
        ("CR2", (0.02536783492819182, 1.87717457153755676, 0.00345107216698192)),
    ):
        got = cluster_mean_test(y, list("aaabbcdddd"), correction=correction, **options)
        assert (got.standard_error, got.df, got.pvalue) == pytest.approx(wanted, rel=1e-10)


@pytest.mark.parametrize("rule", ["clusters", "satterthwaite", "effective", "joint"])
@pytest.mark.parametrize("correction", ["CR0", "CR1", "CR2"])
def test_one_cluster_with_nearly_all_weight_is_as_good_as_one(correction, rule):
    y, clusters = [0.3, 0.1, 0.7, 0.45, 0.35, 0.6], list("aabbcc")
    for heavy in (1e5, 1e9, 1e12, 1e16):
        weights = [heavy, heavy, 1, 1, 1, 1]
        got = cluster_mean_test(y, clusters, weights=weights, correction=correction, df=rule)
        assert math.isnan(got.pvalue)
        assert got.degenerate
        assert "nearly all weight" in got.notes[-1]
    parts = cluster_contributions(np.array([y, y]), clusters, weights=weights)
    assert np.isnan(parts.covariance).all()


def test_bell_and_mccaffrey_hold_the_level_beside_a_giant_cluster():
    # ten cluster means that vary alike; 3,000 trials have a standard error of 0.4%
    random = np.random.default_rng(17)
    sizes = np.array([45, *[5] * 9])
    values = np.repeat(random.normal(size=(3000, 10)), sizes, axis=1)
    clusters = np.repeat(np.arange(10), sizes)
    usual = cluster_mean_test(values, clusters)
    adjusted = cluster_mean_test(values, clusters, correction="CR2", df="satterthwaite")
    assert np.mean(usual.pvalue < 0.05) > 0.15
    assert np.mean(adjusted.pvalue < 0.05) < 0.065


def test_statsmodels_agrees():
    api = pytest.importorskip("statsmodels.api", reason="statsmodels is a test dependency")
    random = np.random.default_rng(12)
    y, clusters = random.normal(size=60), random.integers(0, 9, 60)
    fit = api.OLS(y, np.ones(60)).fit(
        cov_type="cluster", cov_kwds={"groups": clusters, "df_correction": True}, use_t=True
    )
    b = random.normal(size=60)
    for got in (cluster_mean_test(y, clusters), cluster_paired_test(y + b, b, clusters)):
        assert got.standard_error == pytest.approx(fit.bse[0])
        assert got.pvalue == pytest.approx(fit.pvalues[0])


def test_singletons_are_the_ordinary_t_test():
    y = np.random.default_rng(13).normal(size=15)
    want = stats.ttest_1samp(y, 0.1)
    for correction in ("CR1", "CR2"):
        got = cluster_mean_test(y, range(15), null_value=0.1, correction=correction)
        assert got.pvalue == pytest.approx(want.pvalue)
        assert got.ci_low == pytest.approx(want.confidence_interval().low)
        assert got.details["df_satterthwaite"] == pytest.approx(14)
    assert got.details["design_effect"] == pytest.approx(1)


def test_effective_numbers_by_hand():
    # sums of deviations from the mean 0: 3, -2, -1; sizes 1, 2, 3
    got = cluster_mean_test([3, -1, -1, -1, 0, 0], list("abbccc"), df="effective")
    assert got.df == pytest.approx((9 + 4 + 1) ** 2 / (81 + 16 + 1))
    assert got.details["effective_clusters"] == pytest.approx(36 / (1 + 4 + 9))
    assert got.details["df_effective"] == got.df
    assert got.details["df_clusters"] == 2


@given(samples, corrections, rules, sides)
def test_results_are_in_range_or_degenerate(sample, correction, df, side):
    got = cluster_mean_test(*sample, correction=correction, df=df, alternative=side)
    assert math.isfinite(got.estimate)
    if got.degenerate:
        assert any("degenerate" in note for note in got.notes)
        assert got.pvalue == 1 or math.isnan(got.pvalue)
    else:
        assert 0 <= got.pvalue <= 1
        assert got.ci_low <= got.estimate <= got.ci_high
        rejects = not got.ci_low <= 0 <= got.ci_high
        if abs(got.pvalue - 0.05) > 1e-9:
            assert rejects == (got.pvalue < 0.05)


@given(samples, corrections, rules)
def test_names_and_order_of_clusters_do_not_matter(sample, correction, df):
    y, clusters = sample
    order = np.random.default_rng(len(y)).permutation(len(y))
    one = cluster_mean_test(y, clusters, correction=correction, df=df)
    two = cluster_mean_test(
        np.take(y, order), [("cluster", clusters[i]) for i in order], correction=correction, df=df
    )
    assert one.pvalue == pytest.approx(two.pvalue, nan_ok=True)
    assert one.standard_error == pytest.approx(two.standard_error, nan_ok=True, abs=1e-15)


@given(samples)
def test_swapping_a_and_b_changes_the_sign_only(sample):
    a, clusters = sample
    b = [x**2 for x in a]
    for test in (cluster_paired_test, sign_flip_test):
        one = test(a, b, clusters, alternative="greater")
        two = test(b, a, clusters, alternative="less")
        assert one.estimate == -two.estimate
        assert one.pvalue == pytest.approx(two.pvalue, nan_ok=True)
        assert one.ci_low == pytest.approx(-two.ci_high, nan_ok=True)


def test_pairs_are_the_mean_of_differences():
    random = np.random.default_rng(14)
    a, b, g = random.random(20), random.random(20), random.integers(0, 4, 20)
    assert cluster_paired_test(a, b, g).pvalue == cluster_mean_test(a - b, g).pvalue
    against = cluster_mean_test(a, g, null_value=0.3)
    assert cluster_paired_test(a, 0.3, g).statistic == pytest.approx(against.statistic)


@pytest.mark.parametrize("df", ["clusters", "satterthwaite", "effective"])
def test_many_trials_are_one_call(df):
    random = np.random.default_rng(15)
    y, g = random.integers(-1, 2, (30, 4, 25)) / 1.0, random.integers(0, 6, 25)
    y[3, 1] = 0
    many = cluster_mean_test(y, g, df=df, correction="CR2")
    swapped = cluster_mean_test(np.moveaxis(y, 2, 0), g, df=df, correction="CR2", axis=0)
    flips = sign_flip_test(y, 0, g)
    for i, j in itertools.product(range(30), range(4)):
        one = cluster_mean_test(y[i, j], g, df=df, correction="CR2")
        for name in ("estimate", "standard_error", "pvalue", "ci_low", "ci_high"):
            want = pytest.approx(getattr(one, name), nan_ok=True, rel=1e-12)
            assert getattr(many, name)[i, j] == want
            assert getattr(swapped, name)[i, j] == want
        assert many.degenerate[i, j] == one.degenerate
        flip = sign_flip_test(y[i, j], 0, g)
        assert flips.pvalue[i, j] == flip.pvalue
        assert flips.ci_low[i, j] == pytest.approx(flip.ci_low, nan_ok=True)


def test_weights_of_two_are_two_copies():
    y, g = [0.1, 0.5, 0.2, 0.9], ["a", "a", "b", "c"]
    one = cluster_mean_test(y, g, weights=[2, 1, 1, 2])
    two = cluster_mean_test([0.1, 0.1, 0.5, 0.2, 0.9, 0.9], list("aaabcc"))
    assert one.pvalue == pytest.approx(two.pvalue)
    flipped = sign_flip_test(y, 0.3, g, weights=[2, 1, 1, 2])
    assert (
        flipped.pvalue == sign_flip_test([0.1, 0.1, 0.5, 0.2, 0.9, 0.9], 0.3, list("aaabcc")).pvalue
    )


def test_one_cluster_is_undefined_and_says_so():
    got = cluster_mean_test([0, 1, 1], [4, 4, 4])
    assert got.estimate == pytest.approx(2 / 3)
    assert got.degenerate
    assert math.isnan(got.pvalue)
    assert "takes at least two" in got.notes[0]
    many = cluster_mean_test(np.eye(3), [4, 4, 4])
    assert many.pvalue.shape == many.degenerate.shape == (3,)


def test_constant_values_never_give_a_tiny_p():
    g = [1, 1, 2, 2, 3]
    away = cluster_mean_test([0.01] * 5, g)
    assert away.degenerate
    assert math.isnan(away.pvalue)
    noisy = cluster_mean_test(np.array([0.05, 0.05, 0.05, 0.05 + 1e-17, 0.1 - 0.05]), g)
    assert noisy.degenerate
    at = cluster_mean_test([0.01] * 5, g, null_value=0.01)
    assert (at.pvalue, math.isnan(at.statistic), at.degenerate) == (1.0, True, True)
    b = np.random.default_rng(20).random(50)
    shifted = cluster_paired_test(b + 0.01, b, np.arange(50) % 9)
    assert len(set((b + 0.01 - b).tolist())) > 1  # the differences differ by rounding
    assert shifted.degenerate
    assert math.isnan(shifted.pvalue)
    same = cluster_paired_test([0.3, 0.1, 0.2], [0.3, 0.1, 0.2], [1, 2, 3])
    assert same.pvalue == sign_flip_test([0, 0, 0], 0, [1, 2, 3]).pvalue == 1


def test_scale_does_not_matter_even_far_out():
    y, g = np.array([1.0, 2, 4, 3, 9, 1]), [1, 1, 2, 2, 3, 3]
    want = cluster_mean_test(y, g, df="effective")
    for scale in (1e-120, 1e120):
        got = cluster_mean_test(y * scale, g, df="effective")
        assert got.df == pytest.approx(want.df)
        assert got.pvalue == pytest.approx(want.pvalue)


def test_notes_tell_of_few_and_of_giant_clusters():
    y = np.random.default_rng(16).normal(size=60)
    few = cluster_mean_test(y, np.arange(60) % 4).notes
    assert any("only 4 clusters" in note for note in few)
    giant = cluster_mean_test(y, [0] * 40 + list(range(1, 21))).notes
    assert any("67% of the weight" in note for note in giant)
    assert cluster_mean_test(y, np.arange(60) % 20).notes == ()
    assert any("cannot reject" in note for note in sign_flip_test(y, 0, np.arange(60) % 4).notes)


def flips_by_hand(values, clusters, side):
    names = sorted(set(clusters))
    sums = [sum(v for v, c in zip(values, clusters) if c == name) for name in names]
    every = [
        sum(s * t for s, t in zip(signs, sums))
        for signs in itertools.product((1, -1), repeat=len(sums))
    ]
    greater = np.mean([x >= sum(sums) for x in every])
    less = np.mean([x <= sum(sums) for x in every])
    return {"greater": greater, "less": less, "two-sided": min(1, 2 * min(greater, less))}[side]


@settings(max_examples=60)
@given(samples, sides)
def test_exact_flips_equal_enumeration(sample, side):
    y, g = sample
    got = sign_flip_test(y, 0, g, alternative=side)
    assert got.details["exact"]
    assert got.pvalue == pytest.approx(flips_by_hand(y, g, side))


@settings(max_examples=60)
@given(samples, sides, st.sampled_from([31, 9999]))
def test_the_interval_holds_what_the_test_does_not_reject(sample, side, draws):
    y, g = np.array(sample[0]), sample[1]
    got = sign_flip_test(y, 0, g, alternative=side, confidence=0.8, n_resamples=draws)

    def p(theta):
        again = sign_flip_test(y, theta, g, alternative=side, n_resamples=draws)
        return again.pvalue

    for end, outward in ((got.ci_low, -1), (got.ci_high, 1)):
        if math.isfinite(end):
            assert p(end - outward * 1e-6) > 0.2 or got.ci_low == got.ci_high
            assert p(end) > 0.2
            assert p(end + outward * 1e-6) <= 0.2 + 1e-12


def test_random_flips_are_near_the_exact_ones_and_never_zero():
    random = np.random.default_rng(17)
    y, g = random.normal(0.3, 1, 36), np.arange(36) % 12
    exact = sign_flip_test(y, 0, g)
    drawn = sign_flip_test(y, 0, g, n_resamples=4000)
    assert exact.details["exact"]
    assert not drawn.details["exact"]
    # six standard deviations of the doubled share of 4,000 draws
    spread = 12 * math.sqrt(exact.pvalue / 2 / 4000) + 2 / 4001
    assert abs(exact.pvalue - drawn.pvalue) < spread
    sure = sign_flip_test(np.ones(400), 0, range(400), n_resamples=99, alternative="greater")
    assert sure.pvalue == 1 / 100
    assert sign_flip_test(y, 0, g, n_resamples=99, seed=5).pvalue == (
        sign_flip_test(y, 0, g, n_resamples=99, seed=5).pvalue
    )


@pytest.mark.slow
def test_very_many_clusters_fit_into_memory():
    # all flips at once would be 20 million numbers
    y = np.random.default_rng(21).normal(0.01, 1, 20_000)
    got = sign_flip_test(y, 0, range(20_000), n_resamples=999)
    t = stats.ttest_1samp(y, 0)
    # for so many clusters flips and t agree up to the spread of 999 draws
    assert abs(got.pvalue - t.pvalue) < 12 * math.sqrt(t.pvalue / 2 / 999) + 0.002
    assert got.ci_low == pytest.approx(t.confidence_interval().low, abs=0.003)


def test_effect_size_is_the_mean_in_standard_deviations():
    y, g = np.random.default_rng(22).normal(1, 2, 40), np.arange(40) % 11
    for got in (cluster_mean_test(y, g), sign_flip_test(y, 0, g)):
        assert got.details["effect_size"] == pytest.approx(y.mean() / y.std(ddof=1))
        assert got.details["effect_size_low"] == pytest.approx(got.ci_low / y.std(ddof=1))


def dependent_trials(trials, seed, groups=40, size=6):
    """Trials with a shared shift in each cluster: intra-cluster correlation one half."""
    random = np.random.default_rng(seed)
    shift = random.normal(size=(trials, groups, 1))
    noise = random.normal(size=(trials, groups, size))
    return (shift + noise).reshape(trials, -1), np.repeat(np.arange(groups), size)


def test_clustered_tests_hold_the_level_that_the_plain_test_loses():
    # 3,000 trials at 0.05: six standard deviations are 0.024
    y, g = dependent_trials(3000, seed=18)
    assert np.mean(stats.ttest_1samp(y, 0, axis=1).pvalue <= 0.05) > 0.25
    for result in (
        cluster_mean_test(y, g),
        cluster_mean_test(y, g, correction="CR2", df="satterthwaite"),
        sign_flip_test(y, 0, g, n_resamples=499),
    ):
        assert abs(np.mean(result.pvalue <= 0.05) - 0.05) < 0.024


def test_exact_flips_hold_their_level_with_uneven_clusters():
    y, g = dependent_trials(3000, seed=19, groups=9, size=4)
    y, g = np.concatenate((y, y[:, :12]), axis=1), np.concatenate((g, g[:12]))
    assert np.mean(sign_flip_test(y, 0, g).pvalue <= 0.05) < 0.05 + 0.024


@pytest.mark.parametrize(
    "call",
    [
        lambda: cluster_mean_test([1, math.nan], [1, 2]),
        lambda: cluster_mean_test([], []),
        lambda: cluster_mean_test(3, [1]),
        lambda: cluster_mean_test(["x", "y"], [1, 2]),
        lambda: cluster_mean_test([1, 2], [1]),
        lambda: cluster_mean_test([1, 2], [1, None]),
        lambda: cluster_mean_test([1, 2], [1.0, math.nan]),
        lambda: cluster_mean_test([1, 2], [1, pandas.NA]),
        lambda: cluster_mean_test([1, 2], [[1], [2]]),
        lambda: cluster_mean_test([1, 2], 5),
        lambda: cluster_mean_test([1, 2], np.ones((2, 1))),
        lambda: cluster_mean_test([1, 2], [1, 2], weights=[1, 0]),
        lambda: cluster_mean_test([1, 2], [1, 2], weights=[1]),
        lambda: cluster_mean_test([1, 2], [1, 2], correction="CR3"),
        lambda: cluster_mean_test([1, 2], [1, 2], df="residual"),
        lambda: cluster_mean_test([1, 2], [1, 2], null_value=math.inf),
        lambda: cluster_mean_test([1, 2], [1, 2], confidence=95),
        lambda: cluster_paired_test([1, 2], [1], [1, 2]),
        lambda: cluster_paired_test(np.ones((3, 2)), np.ones((2, 2)), [1, 2]),
        lambda: sign_flip_test([1, 2], math.nan, [1, 2]),
        lambda: sign_flip_test([1, 2], 0, [1, 2], n_resamples=0),
        lambda: sign_flip_test([1, 2], 0, [1, 2], seed=-1),
        lambda: sign_flip_test([1, 2], 0, [1, 2], alternative="more"),
    ],
)
def test_bad_input_is_refused_with_a_reason(call, words):
    with words.raises(InputError):
        call()


def test_unequal_clusters_are_told_what_compare_would_have_said():
    sizes = [45, *[5] * 9]
    clusters = np.repeat(np.arange(10), sizes)
    values = np.repeat(np.random.default_rng(1).normal(0.4, 1.0, size=10), sizes)
    usual, joint = (cluster_mean_test(values, clusters, df=df) for df in ("clusters", "joint"))
    assert f"gives {joint.df:.1f} and {pvalue_text(joint.pvalue)}" in " ".join(usual.notes)
    assert "joint" not in " ".join(joint.notes)
    even = cluster_mean_test(values[:50], np.repeat(np.arange(10), 5))
    assert "joint" not in " ".join(even.notes)
