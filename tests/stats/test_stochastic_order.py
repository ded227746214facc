"""Almost stochastic order against integrals on a fine grid and what is known of normal samples."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import integrate, stats

from nettrial.core.errors import InputError
from nettrial.stats import almost_stochastic_order


def on_a_grid(a, b, points=200_000):
    """Violation ratio by sampling both quantile functions, as other packages do."""
    t = (np.arange(points) + 0.5) / points
    f, g = (np.sort(x)[np.ceil(t * len(x)).astype(int) - 1] for x in (a, b))
    square = (f - g) ** 2
    return square[f > g].sum() / square.sum()


@pytest.mark.parametrize(("m", "n"), [(5, 5), (7, 12), (30, 11)])
def test_the_ratio_is_the_integral_over_both_quantile_functions(m, n):
    rng = np.random.default_rng(m)
    a, b = rng.normal(0, 1, m), rng.normal(0.2, 1.5, n)
    found = almost_stochastic_order(a, b, n_resamples=20)
    assert found.estimate == pytest.approx(on_a_grid(a, b), abs=1e-3)
    other = almost_stochastic_order(a, b, alternative="greater", n_resamples=20)
    assert other.estimate == pytest.approx(1 - found.estimate)
    swapped = almost_stochastic_order(b, a, n_resamples=20)
    assert swapped.estimate == pytest.approx(1 - found.estimate)


def test_large_normal_samples_have_the_ratio_of_their_distributions():
    def square(t, sign):
        d = stats.norm.ppf(t) - stats.norm.ppf(t, 0.5, 2)
        return d**2 if sign * d > 0 else 0.0

    with np.errstate(invalid="ignore"):
        wrong, right = (
            integrate.quad(square, 1e-9, 1 - 1e-9, args=(s,), limit=500)[0] for s in (1, -1)
        )
    rng = np.random.default_rng(0)
    found = almost_stochastic_order(
        rng.normal(0, 1, 20_000), rng.normal(0.5, 2, 20_000), n_resamples=50
    )
    assert found.estimate == pytest.approx(wrong / (wrong + right), abs=4 * found.standard_error)
    assert found.ci_high == pytest.approx(found.estimate + 1.6449 * found.standard_error, abs=1e-4)


def test_the_bootstraps_standard_error_is_that_of_repeated_samples():
    rng = np.random.default_rng(1)
    found = [
        almost_stochastic_order(rng.normal(0, 1, 150), rng.normal(0.3, 1.6, 150), n_resamples=100)
        for _ in range(150)
    ]
    ratios = [one.estimate for one in found]
    assert np.mean([one.standard_error for one in found]) == pytest.approx(np.std(ratios), rel=0.25)


def test_level_for_one_distribution_and_power():
    rng = np.random.default_rng(2)
    for n in (10, 50):
        null = [
            almost_stochastic_order(*rng.normal(0, 1, (2, n)), n_resamples=100).pvalue < 0.05
            for _ in range(300)
        ]
        assert np.mean(null) < 0.09
    power = [
        almost_stochastic_order(
            rng.normal(0, 1, 50), rng.normal(1.2, 1, 50), n_resamples=100
        ).pvalue
        < 0.05
        for _ in range(50)
    ]
    assert np.mean(power) > 0.9


def test_samples_without_order_or_without_doubt():
    equal = almost_stochastic_order([1, 2, 3], [3, 1, 2])
    assert (equal.pvalue, equal.degenerate) == (1.0, True)
    assert math.isnan(equal.estimate)
    apart = almost_stochastic_order([1, 2, 3], [11, 12, 13])
    assert (apart.estimate, apart.ci_high) == (0.0, 0.0)
    assert apart.pvalue == pytest.approx(1 / 20)  # one of 20 ways to deal six values
    assert "no resample violates" in apart.notes[0]
    assert almost_stochastic_order([11, 12, 13], [1, 2, 3]).pvalue == 1.0
    noise = almost_stochastic_order([0.1 + 0.2, 0.5], [0.3, 0.5])
    assert noise.degenerate
    sure = almost_stochastic_order(np.arange(20), np.arange(20) + 3.5, n_resamples=99)
    assert sure.pvalue >= 0.01


def test_seeds_repeat():
    a, b = np.random.default_rng(0).normal(size=(2, 9))
    one, two, three = (almost_stochastic_order(a, b, seed=s, n_resamples=50) for s in (3, 3, 4))
    assert one.standard_error == two.standard_error != three.standard_error


@pytest.mark.parametrize(
    "options",
    [{"alternative": "two-sided"}, {"threshold": 0}, {"threshold": 0.6}, {"n_resamples": 1}],
)
def test_bad_options_are_refused(options):
    with pytest.raises(InputError, match=next(iter(options))):
        almost_stochastic_order([1, 2, 3], [2, 3, 4], **options)
