"""Intervals of the effect sizes that go beside tests of "all k are alike"."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from nettrial.stats.cochran import cochran_q_test
from nettrial.stats.friedman import friedman_test, iman_davenport_test
from nettrial.stats.kruskal import kruskal_wallis_test
from nettrial.stats.manova import manova_test
from nettrial.stats.multivariate import hotelling_two_sample_test
from nettrial.stats.omnibus import chi_square_noncentrality

TRIALS = 2000
# 5 standard errors of a binomial share: one false alarm in a million
SLACK = 5 * np.sqrt(0.95 * 0.05 / TRIALS)


@pytest.mark.parametrize("df", [1, 2, 9])
@pytest.mark.parametrize("x", [0.1, 3.0, 40.0, 900.0])
def test_ends_put_the_statistic_at_their_tails(df, x):
    low, high = chi_square_noncentrality(x, df, 0.9)
    assert stats.ncx2.cdf(x, df, float(high)) == pytest.approx(0.05) or high == 0
    if low > 0:
        assert stats.ncx2.cdf(x, df, float(low)) == pytest.approx(0.95)
    else:
        assert stats.chi2.cdf(x, df) <= 0.95


def covers(result, truth):
    return ((result.ci_low <= truth) & (truth <= result.ci_high)).mean()


@pytest.mark.parametrize("shift", [0.0, 0.3, 2.0])
def test_kendalls_w_is_covered(shift):
    rng = np.random.default_rng(1)
    means = shift * np.arange(4)
    chance = stats.norm.cdf((means[:, None] - means) / np.sqrt(2))
    ranks = chance.sum(axis=1) + 0.5  # expected ranks: its own 1/2, and 1
    truth = 12 * ((ranks - 2.5) ** 2).sum() / (4 * 15)
    x = rng.normal(means, 1, (TRIALS, 20, 4))
    assert covers(friedman_test(x), truth) > 0.95 - 0.01 - SLACK
    np.testing.assert_array_equal(friedman_test(x).ci_low, iman_davenport_test(x).ci_low)


@pytest.mark.parametrize("shift", [0.0, 0.3, 2.0])
def test_epsilon_squared_is_covered(shift):
    rng = np.random.default_rng(2)
    means, n = shift * np.arange(3), 20
    chance = stats.norm.cdf((means[:, None] - means) / np.sqrt(2))
    ranks = n * chance.sum(axis=1) + 0.5
    total = 3 * n
    noncentrality = 12 / (total * (total + 1)) * n * ((ranks - (total + 1) / 2) ** 2).sum()
    groups = [rng.normal(m, 1, (TRIALS, n)) for m in means]
    truth = noncentrality / (total - 1)
    assert covers(kruskal_wallis_test(groups), truth) > 0.95 - 0.01 - SLACK


@pytest.mark.parametrize("rates", [(0.3, 0.3, 0.3, 0.3), (0.2, 0.3, 0.4, 0.5)])
def test_cochrans_effect_is_covered(rates):
    p, k, n = np.array(rates), len(rates), 100
    spread = k * p.sum() - (p * (1 - p)).sum() - p.sum() ** 2
    truth = k * ((p - p.mean()) ** 2).sum() / spread
    x = np.random.default_rng(3).random((TRIALS, n, k)) < p
    assert covers(cochran_q_test(x), truth) > 0.95 - 0.01 - SLACK


@pytest.mark.parametrize("statistic", ["pillai", "wilks", "hotelling-lawley"])
def test_two_groups_have_one_interval_whatever_the_statistic(statistic):
    rng = np.random.default_rng(4)
    a, b = rng.normal(0, 1, (9, 3)), rng.normal(0.8, 1, (12, 3))
    result = manova_test(np.vstack([a, b]), [0] * 9 + [1] * 12, statistic=statistic)
    distance = hotelling_two_sample_test(a, b)
    for end, d in (("ci_low", distance.ci_low), ("ci_high", distance.ci_high)):
        noncentrality = d**2 * 9 * 12 / 21
        expected = noncentrality / (noncentrality + 21)
        assert getattr(result, end) == pytest.approx(expected, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("statistic", ["pillai", "wilks", "hotelling-lawley"])
def test_several_groups_have_an_interval_that_narrows(statistic):
    rng = np.random.default_rng(5)
    widths = []
    for n in (10, 100):
        groups = np.repeat(np.arange(4), n)
        values = rng.normal(0, 1, (4 * n, 3)) + 0.6 * groups[:, None]
        result = manova_test(values, groups, statistic=statistic)
        assert 0 <= result.ci_low < result.effect_size < result.ci_high <= 1
        widths.append(result.ci_high - result.ci_low)
    assert widths[1] < widths[0] / 2


def test_roys_root_has_no_interval():
    values = np.random.default_rng(6).normal(size=(12, 2))
    result = manova_test(values, list("aaaabbbbcccc"), statistic="roy")
    assert np.isnan([result.ci_low, result.ci_high]).all()


def test_nothing_to_judge_has_no_interval():
    tied = friedman_test(np.ones((5, 3)))
    assert np.isnan([tied.ci_low, tied.ci_high]).all()
    assert np.isnan(kruskal_wallis_test([[1, 1], [1, 1]]).ci_low)
    assert np.isnan(cochran_q_test([[1, 1], [0, 0]]).ci_high)
