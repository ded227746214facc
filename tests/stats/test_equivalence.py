"""Equivalence and non-inferiority against statsmodels, and score tests against the likelihood."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import norm, ttest_1samp
from statsmodels.stats import weightstats

from nettrial import stats
from nettrial.core.errors import InputError

RNG = np.random.default_rng(7)
A, B = RNG.normal(0.2, 0.05, 12), RNG.normal(0.2, 0.05, 12)


@pytest.mark.parametrize("margin", [0.02, 0.05, (-0.01, 0.04)])
def test_paired_and_unpaired_equal_statsmodels(margin):
    low, high = margin if isinstance(margin, tuple) else (-margin, margin)
    p, above, below = weightstats.ttost_paired(A, B, low, high)
    found = stats.equivalence_test(stats.paired_t_test(A, B), margin=margin)
    assert found.pvalue == pytest.approx(p)
    assert found.details["p_above"] == pytest.approx(above[1])
    assert found.details["p_below"] == pytest.approx(below[1])
    for usevar, test in (("pooled", stats.pooled_t_test), ("unequal", stats.welch_t_test)):
        p, *_ = weightstats.ttost_ind(A, B, low, high, usevar=usevar)
        found = stats.equivalence_test(test(A, B[:9]), margin=margin)
        p, *_ = weightstats.ttost_ind(A, B[:9], low, high, usevar=usevar)
        assert found.pvalue == pytest.approx(p)


def test_the_interval_lies_inside_the_margin_where_the_test_rejects():
    for shift in np.linspace(-0.06, 0.06, 25):
        found = stats.equivalence_test(stats.paired_t_test(A + shift, B), margin=0.04)
        inside = found.ci_low > -0.04 and found.ci_high < 0.04
        assert (found.pvalue < 0.05) == inside


def test_non_inferiority_is_one_of_the_two_tests():
    result = stats.paired_t_test(A, B)
    both = stats.equivalence_test(result, margin=0.03)
    found = stats.noninferiority_test(result, margin=0.03)
    assert found.pvalue == both.details["p_below"]
    assert (found.ci_low, found.alternative) == (-math.inf, "less")
    better = stats.noninferiority_test(result, margin=0.03, higher_is_better=True)
    assert better.pvalue == both.details["p_above"]
    assert better.ci_high == math.inf


def test_non_inferiority_is_a_t_test_against_the_margin():
    differences = np.subtract(A, B)
    for margin in (0.001, 0.03):
        for higher, side, edge in ((False, "less", margin), (True, "greater", -margin)):
            found = stats.noninferiority_test(
                stats.paired_t_test(A, B), margin=margin, higher_is_better=higher
            )
            expected = ttest_1samp(differences, edge, alternative=side)
            assert found.pvalue == pytest.approx(expected.pvalue, rel=1e-9)


CLUSTERS = list("aabbccddeeff")
FITS = {
    "one sample": lambda: stats.one_sample_t_test(A, null_value=0.2),
    "z": lambda: stats.paired_z_test(A, B),
    "less": lambda: stats.paired_t_test(A, B, alternative="less"),
    "k-fold": lambda: stats.kfold_t_test(A, B),
    "resampled": lambda: stats.corrected_resampled_t_test(A, B, n_train=90, n_test=10),
    "clusters": lambda: stats.cluster_paired_test(A, B, CLUSTERS),
    "proportions": lambda: stats.two_proportion_test(10, 40, 12, 40),
    "delong": lambda: stats.delong_test([0, 1] * 6, A, B),
    "meta": lambda: stats.random_effects(A - B, np.full(12, 0.1)),
}


@pytest.mark.parametrize("name", FITS)
def test_every_test_by_estimate_and_standard_error_can_be_turned(name):
    result = FITS[name]()
    null = result.details.get("null_value", 0.0)
    size = 5 * abs(result.estimate - null) + 3 * result.standard_error
    found = stats.equivalence_test(result, margin=size)
    t = [(result.estimate - null + sign * size) / result.standard_error for sign in (1, -1)]
    assert found.statistic in (pytest.approx(t[0]), pytest.approx(t[1]))
    assert found.details["p_difference"] == result.pvalue
    # a margin that only just holds the estimate has p = 1/2
    edge = max(abs(result.estimate - null), 1e-9)
    assert stats.equivalence_test(result, margin=edge).pvalue == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize(
    "result",
    [
        lambda: stats.wilcoxon_test(A, B),
        lambda: stats.sign_test(A, B),
        lambda: stats.mcnemar_test([[10, 4], [6, 20]]),
        lambda: stats.sign_flip_test(A, B, CLUSTERS),
        lambda: stats.permutation_test(A, B, n_resamples=99),
        lambda: stats.mann_whitney_test(A, B),
        lambda: stats.two_proportion_test(10, 40, 22, 40, standard_error="pooled"),
        lambda: stats.friedman_test(np.column_stack([A, B])),
        lambda: 0.03,
    ],
)
def test_tests_of_other_kinds_are_refused(result):
    for turn in (stats.equivalence_test, stats.noninferiority_test):
        with pytest.raises(InputError, match="result: expected"):
            turn(result(), margin=0.1)


@pytest.mark.parametrize("margin", [0, -0.1, math.nan, math.inf, "x", (0.1, -0.1), (1, 2, 3)])
def test_margins_must_be_positive(margin):
    with pytest.raises(InputError, match="margin"):
        stats.equivalence_test(stats.paired_t_test(A, B), margin=margin)


def test_without_variation_there_is_no_pvalue():
    for constant in (stats.paired_t_test(A, A), stats.paired_t_test([0.3] * 4, [0.2] * 4)):
        found = stats.equivalence_test(constant, margin=0.2)
        assert math.isnan(found.pvalue)
        assert found.degenerate
        assert "no variation" in found.notes[-1]


def test_many_trials_are_the_loop():
    a, b = RNG.normal(0.2, 0.1, (3, 4, 8)), RNG.normal(0.2, 0.1, (3, 4, 8))
    many = stats.equivalence_test(stats.paired_t_test(a, b), margin=0.1)
    for trial in np.ndindex(3, 4):
        one = stats.equivalence_test(stats.paired_t_test(a[trial], b[trial]), margin=0.1)
        assert many.pvalue[trial] == pytest.approx(one.pvalue)
        assert many.ci_low[trial] == pytest.approx(one.ci_low)


def most_likely(xa, na, xb, nb, delta):
    """Rate of a that maximizes the likelihood where the rates differ by delta."""

    def minus(p):
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = [xa * np.log(p), (na - xa) * np.log1p(-p)]
            terms += [xb * np.log(p - delta), (nb - xb) * np.log1p(-p + delta)]
        return -np.nansum(terms)

    ends = (max(0, delta) + 1e-12, min(1, 1 + delta) - 1e-12)
    return minimize_scalar(minus, bounds=ends, method="bounded", options={"xatol": 1e-12}).x


# statsmodels 0.15 has a count of errors where the cubic of Miettinen and Nurminen (1985) has the
# sample size, so that its restricted rates are not the most likely ones
@pytest.mark.parametrize("seed", range(25))
def test_score_statistic_has_the_most_likely_rates(seed):
    rng = np.random.default_rng(seed)
    na, nb = rng.integers(3, 80, 2)
    xa, xb = rng.integers(0, na + 1), rng.integers(0, nb + 1)
    delta = rng.uniform(-0.4, 0.4)
    p = most_likely(xa, na, xb, nb, delta)
    z = xa / na - xb / nb - delta
    z /= math.sqrt(p * (1 - p) / na + (p - delta) * (1 - p + delta) / nb)
    found = stats.two_proportion_score_test(xa, na, xb, nb, null=delta)
    assert found.statistic == pytest.approx(z, rel=1e-4)
    assert found.pvalue == pytest.approx(2 * norm.sf(abs(z)), rel=1e-2, abs=1e-9)
    # the interval is the test turned round
    for end, inward in ((found.ci_low, 1), (found.ci_high, -1)):
        if -0.999 < end < 0.999:
            rejected = stats.two_proportion_score_test(xa, na, xb, nb, null=end - inward * 1e-4)
            kept = stats.two_proportion_score_test(xa, na, xb, nb, null=end + inward * 1e-4)
            assert rejected.pvalue < 0.05 < kept.pvalue


def test_at_no_difference_it_is_the_pooled_test():
    pooled = stats.two_proportion_test(90, 100, 80, 100, standard_error="pooled")
    found = stats.two_proportion_score_test(90, 100, 80, 100)
    assert found.pvalue == pytest.approx(pooled.pvalue)
    assert stats.two_proportion_score_test(100, 100, 0, 100).pvalue < 1e-40
    assert stats.two_proportion_score_test(0, 10, 0, 20).pvalue == 1.0


@pytest.mark.slow
def test_equivalence_of_proportions_holds_its_level_at_the_margin():
    rng = np.random.default_rng(0)
    xa, xb = rng.binomial(200, 0.2, 20_000), rng.binomial(200, 0.1, 20_000)
    found = stats.proportion_equivalence_test(xa, 200, xb, 200, margin=0.1)
    assert 0.04 < (found.pvalue < 0.05).mean() < 0.06
    inside = (found.ci_low > -0.1) & (found.ci_high < 0.1)
    assert ((found.pvalue < 0.05) == inside).mean() > 0.9999
    near = stats.equivalence_test(stats.two_proportion_test(500, 5000, 505, 5000), margin=0.02)
    score = stats.proportion_equivalence_test(500, 5000, 505, 5000, margin=0.02)
    assert score.pvalue == pytest.approx(near.pvalue, rel=0.1)


def test_non_inferiority_of_proportions_is_a_one_sided_score_test():
    rng = np.random.default_rng(1)
    xa, xb = rng.binomial(150, 0.15, 20_000), rng.binomial(150, 0.1, 20_000)
    p = stats.two_proportion_score_test(xa, 150, xb, 150, null=0.05, alternative="less").pvalue
    assert 0.04 < (p < 0.05).mean() < 0.06


@pytest.mark.parametrize("null", [-1, 1, 2, math.nan, "x"])
def test_differences_that_rates_cannot_have_are_refused(null):
    with pytest.raises(InputError, match="null"):
        stats.two_proportion_score_test(1, 10, 2, 10, null=null)
