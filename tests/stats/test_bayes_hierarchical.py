"""The hierarchical Bayesian test against direct integration of the published model."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from scipy import special, stats
from scipy.integrate import trapezoid

from nettrial.core.errors import InputError
from nettrial.stats import bayesian_hierarchical_test


def draw(q, k, *, center=-0.02, spread=0.01, noise=0.02, seed=0):
    rng = np.random.default_rng(seed)
    data_sets = np.repeat(np.arange(q), k)
    b = rng.normal(0.25, 0.03, q * k)
    a = b + center + rng.normal(0, spread, q)[data_sets] + rng.normal(0, noise, q * k)
    return a, b, data_sets


def prior_of_nu(x):
    """Density of nu - 1 with its prior's parameters integrated out on a grid."""
    alpha = np.linspace(0.5, 5, 91)[:, None, None]
    beta = np.linspace(0.05, 0.15, 41)[None, :, None]
    density = stats.gamma.pdf(x, alpha, scale=1 / beta)
    return trapezoid(trapezoid(density, beta[0, :, 0], axis=1), alpha[:, 0, 0], axis=0)


def integrated(a, b, data_sets, rho, rope):
    """Shares of lower, equal and higher by integrating over delta0, sigma0, nu and each delta."""
    d = np.asarray(a) - np.asarray(b)
    groups = [d[data_sets == i] for i in np.unique(data_sets)]
    means = np.array([g.mean() for g in groups])
    deltas0 = np.linspace(-1, 1, 41) * np.abs(d).max()
    among, within = means.std(), np.mean([g.std() for g in groups])
    sigmas0 = np.geomspace(1e-2 * min(among, within), 1000 * among, 40)
    nu = 1 + np.geomspace(1e-2, 500, 15)
    wide = np.sinh(np.linspace(-7, 7, 81)) / 40
    log_like = np.zeros((deltas0.size, sigmas0.size, nu.size))
    for g in groups:
        k, s = g.size, g.std(ddof=1) / math.sqrt(g.size) + 1e-9
        for i, center in enumerate(deltas0):
            for j, scale in enumerate(sigmas0):
                x = np.sort(np.concatenate([center + scale * wide, g.mean() + s * wide]))
                # sigma_i, flat, integrated out: (x - mean)' M^-1 (x - mean) to the power -(k-1)/2
                form = ((g - g.mean()) ** 2).sum() / (1 - rho)
                form = form + (g.mean() - x) ** 2 * k / (1 + (k - 1) * rho)
                like = (form / form.min()) ** (-(k - 1) / 2)
                above = stats.t.pdf((x - center) / scale, nu[:, None]) / scale
                log_like[i, j] += np.log(trapezoid(like * above, x, axis=1))
    weight = np.exp(log_like - log_like.max())
    weight *= sigmas0[:, None] * (prior_of_nu(nu - 1) * (nu - 1))  # of logarithmic steps
    weight /= weight.sum()
    grid = (-rope - deltas0[:, None, None]) / sigmas0[:, None], (deltas0[:, None, None] - rope)
    less = (weight * special.stdtr(nu, grid[0])).sum()
    greater = (weight * special.stdtr(nu, grid[1] / sigmas0[:, None])).sum()
    by_delta0 = weight.sum(axis=(1, 2))
    mean0 = by_delta0 @ deltas0
    return less, greater, mean0, math.sqrt(by_delta0 @ (deltas0 - mean0) ** 2)


@pytest.mark.slow
@pytest.mark.parametrize(("q", "k", "seed"), [(3, 5, 1), (4, 10, 2)])
def test_shares_equal_direct_integration(q, k, seed):
    a, b, data_sets = draw(q, k, seed=seed)
    less, greater, mean0, sd0 = integrated(a, b, data_sets, 0.2, 0.01)
    found = bayesian_hierarchical_test(a, b, data_sets, rho=0.2, rope=0.01)
    assert found.share_less == pytest.approx(less, abs=0.01)
    assert found.share_greater == pytest.approx(greater, abs=0.01)
    assert found.share_rope == pytest.approx(1 - less - greater, abs=0.015)
    assert found.estimate == pytest.approx(mean0, abs=0.35 * sd0)
    assert found.ci_low < mean0 < found.ci_high
    assert found.r_hat < 1.05


def test_many_data_sets_recover_what_they_were_drawn_from():
    a, b, data_sets = draw(20, 10, center=-0.03, spread=0.015, noise=0.01)
    found = bayesian_hierarchical_test(a, b, data_sets, rho=0.0, n_samples=3200)
    assert found.ci_low < -0.03 < found.ci_high
    assert 0.006 < found.spread < 0.02
    truth = stats.norm.cdf((-0.01 + 0.03) / 0.015)
    assert found.share_less == pytest.approx(truth, abs=0.1)
    # single data sets are drawn toward the mean
    assert np.std(found.shrunken) < np.std(found.differences)
    assert np.all(np.array(found.shrunken_low) < found.shrunken)


@pytest.mark.slow
def test_coverage_of_the_mean_difference():
    inside = 0
    for seed in range(25):
        a, b, data_sets = draw(6, 5, center=0.01, spread=0.02, seed=seed)
        found = bayesian_hierarchical_test(a, b, data_sets, rho=0.0, n_samples=640, seed=seed)
        inside += found.ci_low < 0.01 < found.ci_high
    assert inside >= 20


def test_sides_turn_and_sums_are_one():
    a, b, data_sets = draw(4, 6)
    one = bayesian_hierarchical_test(a, b, data_sets, rho=0.1, n_samples=3200)
    other = bayesian_hierarchical_test(b, a, data_sets, rho=0.1, n_samples=3200)
    for mine, theirs in (("less", "greater"), ("rope", "rope")):
        got, want = getattr(one, f"share_{mine}"), getattr(other, f"share_{theirs}")
        assert got == pytest.approx(want, abs=6 * one.monte_carlo_error + 0.005)
    assert one.prob_less + one.prob_rope + one.prob_greater == pytest.approx(1)
    assert one.share_less + one.share_rope + one.share_greater == pytest.approx(1)
    none = bayesian_hierarchical_test(a, b, data_sets, rho=0.1, rope=0, n_samples=640)
    assert none.prob_rope == 0
    json.dumps(one.to_dict(), allow_nan=False)


def test_seeds_repeat_and_the_order_of_splits_does_not_matter():
    a, b, data_sets = draw(3, 5)
    one = bayesian_hierarchical_test(a, b, data_sets, rho=0.1, n_samples=640, seed=4)
    again = bayesian_hierarchical_test(a, b, data_sets, rho=0.1, n_samples=640, seed=4)
    assert one == again
    assert one.n_samples == 640
    order = np.concatenate([[0], 1 + np.random.default_rng(0).permutation(14)])
    mixed = bayesian_hierarchical_test(
        a[order], b[order], data_sets[order], rho=0.1, n_samples=6400
    )
    assert mixed.share_less == pytest.approx(one.share_less, abs=0.04)


def test_a_data_set_without_variation_counts_as_known():
    a, b, data_sets = draw(3, 5)
    a[:5], b[:5] = 0.3, 0.25
    found = bayesian_hierarchical_test(a, b, data_sets, rho=0.1, n_samples=640)
    assert "counts as known" in found.notes[-1]
    assert found.shrunken[0] == pytest.approx(0.05)


@pytest.mark.parametrize(
    "change",
    [
        {"rho": 1.0},
        {"rho": -0.1},
        {"rope": -1},
        {"data_sets": [0] * 15},
        {"data_sets": [0] * 13 + [1] * 2},
        {"data_sets": [0, 1]},
        {"data_sets": [None] * 15},
        {"b": None},
        {"n_samples": 3},
    ],
)
def test_bad_input_is_refused(change, words):
    a, b, data_sets = draw(3, 5)
    given = {"a": a, "b": b, "data_sets": data_sets, "rho": 0.1} | change
    if given["b"] is None:
        given["b"] = a
    with words.raises(InputError):
        bayesian_hierarchical_test(given.pop("a"), given.pop("b"), given.pop("data_sets"), **given)
