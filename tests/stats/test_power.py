"""Power against simulation, enumeration and published sample sizes."""

from __future__ import annotations

import contextlib
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

import nettrial.stats
from nettrial.core.errors import InputError
from nettrial.stats import two_proportion_test
from nettrial.stats.power import (
    mcnemar_power,
    mcnemar_sample_size,
    sign_power,
    sign_sample_size,
    t_power,
    t_sample_size,
    two_proportions_power,
    two_proportions_sample_size,
)

TRIALS = 20_000
SIX_SD = 6 * math.sqrt(0.25 / TRIALS)
sides = st.sampled_from(["two-sided", "less", "greater"])


@pytest.mark.parametrize("side", ["two-sided", "greater", "less"])
def test_t_power_equals_simulation(side):
    random = np.random.default_rng(1)
    x = random.normal(0.6, 1, (TRIALS, 12))
    share = np.mean(stats.ttest_1samp(x, 0, axis=1, alternative=side).pvalue <= 0.05)
    got = t_power(0.6, 12, alternative=side)
    assert abs(share - got.power) < SIX_SD
    y = random.normal(0, 1, (TRIALS, 9))
    share = np.mean(stats.ttest_ind(x, y, axis=1, alternative=side).pvalue <= 0.05)
    assert abs(share - t_power(0.6, 12, n_b=9, design="two-sample", alternative=side).power) < (
        SIX_SD
    )


def test_t_sample_sizes_equal_published_ones():
    # Cohen (1988), table 2.4.1, two-sided 0.05, power 0.80: 393, 64, 26 a group
    sizes = [t_sample_size(d, design="two-sample").n for d in (0.2, 0.5, 0.8)]
    assert sizes == [394, 64, 26]
    got = t_sample_size(0.5, power=0.9)
    assert got.power >= 0.9 > t_power(0.5, got.n - 1).power
    uneven = t_sample_size(0.5, design="two-sample", ratio=2)
    assert uneven.n_b == 2 * uneven.n
    assert uneven.power >= 0.8


@given(st.floats(-60, 60), st.integers(2, 3000), sides, st.sampled_from(["paired", "two-sample"]))
def test_t_power_is_a_probability_and_symmetric(d, n, side, design):
    got = t_power(d, n, alternative=side, design=design).power
    assert 0 <= got <= 1
    mirror = {"less": "greater", "greater": "less"}.get(side, side)
    assert got == pytest.approx(t_power(-d, n, alternative=mirror, design=design).power)


def test_power_without_effect_is_the_level():
    assert t_power(0, 7).power == pytest.approx(0.05)
    assert t_power(0, 7, alternative="less", alpha=0.01).power == pytest.approx(0.01)
    assert mcnemar_power(0.1, 0.1, 200).power <= 0.05
    assert sign_power(0.5, 30).power <= 0.05
    # the mid-p test may exceed its level a little, the corrected one stays far below
    assert mcnemar_power(0.1, 0.1, 200, method="midp").power < 0.055
    assert mcnemar_power(0.1, 0.1, 200, method="corrected").power < 0.05


def pvalues(x, m, method, side):
    """The p-value of x of m discordant cases by its definition."""
    if m == 0:
        return 1.0
    if method in ("exact", "midp"):
        lost = 0.5 * stats.binom.pmf(x, m, 0.5) if method == "midp" else 0.0
        less, greater = stats.binom.cdf(x, m, 0.5) - lost, stats.binom.sf(x - 1, m, 0.5) - lost
        both = min(1.0, 2 * min(less, greater))
    else:
        excess = max(abs(2 * x - m) - (method == "corrected"), 0)
        z = math.copysign(excess, 2 * x - m) / math.sqrt(m)
        less, greater, both = stats.norm.cdf(z), stats.norm.sf(z), 2 * stats.norm.sf(abs(z))
    return {"less": less, "greater": greater, "two-sided": both}[side]


@settings(max_examples=25, deadline=None)
@given(
    st.integers(1, 14),
    st.sampled_from([(0.1, 0.04), (0.5, 0.5), (0.6, 0.1), (0.2, 0.0), (0.0, 0.3)]),
    st.sampled_from(["exact", "midp", "corrected", "uncorrected"]),
    sides,
    st.sampled_from([0.01, 0.05, 0.2]),
)
def test_mcnemar_power_equals_enumeration(n, rates, method, side, alpha):
    a, b = rates
    total = sum(
        stats.multinomial.pmf([i, j, n - i - j], n, [a, b, 1 - a - b])
        for i in range(n + 1)
        for j in range(n + 1 - i)
        if pvalues(i, i + j, method, side) <= alpha + 1e-13
    )
    got = mcnemar_power(a, b, n, method=method, alternative=side, alpha=alpha).power
    assert got == pytest.approx(total, abs=1e-12)


def test_mcnemar_power_equals_simulation():
    random = np.random.default_rng(2)
    counts = random.multinomial(250, [0.12, 0.05, 0.83], size=TRIALS)
    p = stats.binom.cdf(counts[:, :2].min(axis=1), counts[:, 0] + counts[:, 1], 0.5) * 2
    assert abs(np.mean(p <= 0.05) - mcnemar_power(0.12, 0.05, 250).power) < SIX_SD


def test_sign_power_with_ties_equals_simulation():
    random = np.random.default_rng(3)
    counts = random.multinomial(40, [0.7 * 0.8, 0.3 * 0.8, 0.2], size=TRIALS)
    p = stats.binom.cdf(counts[:, :2].min(axis=1), counts[:, 0] + counts[:, 1], 0.5) * 2
    assert abs(np.mean(p <= 0.05) - sign_power(0.7, 40, ties=0.2).power) < SIX_SD


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:with so few cases")
@pytest.mark.parametrize("error", ["unpooled", "pooled"])
@pytest.mark.parametrize("sizes", [(1, 5), (9, 9), (31, 17)])
def test_two_proportions_power_equals_enumeration(error, sizes):
    m, n = sizes
    x, y = (grid.ravel() for grid in np.mgrid[: m + 1, : n + 1])
    for side in ("two-sided", "greater", "less"):
        pvalue = two_proportion_test(x, m, y, n, alternative=side, standard_error=error).pvalue
        for alpha in (0.001, 0.05, 0.6):
            for a, b in ((0.3, 0.15), (0.0, 1.0), (0.5, 0.5)):
                likely = stats.binom.pmf(x, m, a) * stats.binom.pmf(y, n, b)
                got = two_proportions_power(
                    a, b, m, n, standard_error=error, alternative=side, alpha=alpha
                )
                assert got.power == pytest.approx(likely[pvalue <= alpha].sum(), abs=1e-12)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:with so few cases")
@pytest.mark.parametrize(
    ("search", "power_at", "effects"),
    [
        (mcnemar_sample_size, mcnemar_power, [(0.2, 0.05), (0.1, 0.04), (0.5, 0.2), (0.3, 0)]),
        (sign_sample_size, sign_power, [(0.8,), (0.65,), (1.0,), (0.3,)]),
        (two_proportions_sample_size, two_proportions_power, [(0.3, 0.1), (0.5, 0.3)]),
    ],
)
def test_sample_sizes_are_the_smallest(search, power_at, effects):
    for effect in effects:
        for target in (0.5, 0.8):
            found = search(*effect, power=target)
            every = [n for n in range(1, found.n + 1) if power_at(*effect, n).power >= target]
            assert every == [found.n]
            assert found.power >= target


def rejected(n):
    """Return which numbers of n discordant cases SciPy's exact test rejects at 5%."""
    x = np.arange(n + 1)
    return 2 * stats.binom.cdf(np.minimum(x, n - x), n, 0.5) <= 0.05 + 1e-13


def sign_power_by_scipy(share, n):
    return stats.binom.pmf(np.arange(n + 1), n, share)[rejected(n)].sum()


def mcnemar_power_by_scipy(a, b, n):
    each = [sign_power_by_scipy(a / (a + b), m) for m in range(n + 1)]
    return stats.binom.pmf(np.arange(n + 1), n, a + b) @ each


@pytest.mark.filterwarnings("ignore:with so few cases")
@pytest.mark.parametrize(
    ("search", "power_at", "effects"),
    [
        (mcnemar_sample_size, mcnemar_power_by_scipy, [(0.2, 0.05), (0.5, 0.2), (0.3, 0)]),
        (sign_sample_size, sign_power_by_scipy, [(0.8,), (0.65,), (1.0,), (0.3,)]),
    ],
)
def test_sample_sizes_are_the_smallest_that_scipys_binomials_have(search, power_at, effects):
    for effect in effects:
        found = search(*effect, power=0.8)
        every = [n for n in range(1, found.n + 1) if power_at(*effect, n) >= 0.8]
        assert every == [found.n]
        assert found.power == pytest.approx(power_at(*effect, found.n), abs=1e-12)


@pytest.mark.slow
def test_large_sizes_are_quick_and_agree_with_the_normal_approximation():
    got = two_proportions_power(0.10, 0.11, 20_000)
    se = math.sqrt(0.10 * 0.90 / 20_000 + 0.11 * 0.89 / 20_000)
    assert got.power == pytest.approx(stats.norm.cdf(0.01 / se - 1.959964), abs=0.003)
    assert mcnemar_power(0.05, 0.045, 100_000, alternative="greater").power > 0.9
    # Fleiss, Levin and Paik, chapter 4: n = (z_a/2 + z_b)^2 (p_a q_a + p_b q_b) / (p_a - p_b)^2
    wanted = (stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) ** 2
    for a, b, found in (
        (0.5, 0.51, two_proportions_sample_size(0.5, 0.51)),
        (0.5, 0.501, two_proportions_sample_size(0.5, 0.501)),
    ):
        size = wanted * (a * (1 - a) + b * (1 - b)) / (a - b) ** 2
        assert found.n == pytest.approx(size, rel=0.002)
        assert ("somewhat smaller n" in found.notes[-1]) == (found.n > 200_000)


@pytest.mark.parametrize(
    "call",
    [
        lambda: t_power(0.5, 1),
        lambda: t_power(0.5, 10, n_b=5),
        lambda: t_power(0.5, 10, design="welch"),
        lambda: t_power(math.nan, 10),
        lambda: t_power(0.5, 10, alpha=0),
        lambda: t_sample_size(0.0),
        lambda: t_sample_size(0.5, alternative="less"),
        lambda: t_sample_size(0.5, power=1),
        lambda: t_sample_size(0.5, ratio=0),
        lambda: mcnemar_power(0.7, 0.4, 10),
        lambda: mcnemar_power(0.7, 0.1, 10, method="fisher"),
        lambda: mcnemar_sample_size(0.1, 0.1),
        lambda: sign_power(1.2, 10),
        lambda: sign_power(0.7, 10.5),
        lambda: two_proportions_power(0.1, 0.2, 10, standard_error="score"),
        lambda: two_proportions_sample_size(0.1, 0.2, ratio=-1),
    ],
)
def test_bad_input_is_refused_with_a_reason(call, words):
    with words.raises(InputError):
        call()


LEVELS = (1e-12, 1e-6, 1e-3, 0.5, 1 - 1e-6, 1 - 1e-12)
PLANNED = {
    "t_power": lambda alpha, way: nettrial.stats.t_power(0.7, 2, alpha=alpha, alternative=way),
    "t_power of a large effect": lambda alpha, way: nettrial.stats.t_power(
        1e6, 3, alpha=alpha, alternative=way
    ),
    "t_effect_size": lambda alpha, way: nettrial.stats.t_effect_size(
        3, power=1 - 1e-13, alpha=alpha, alternative=way
    ),
    "mcnemar_power": lambda alpha, way: nettrial.stats.mcnemar_power(
        0.1, 0.05, 40, alpha=alpha, alternative=way
    ),
    "sign_power": lambda alpha, way: nettrial.stats.sign_power(
        0.6, 40, alpha=alpha, alternative=way
    ),
    "two_proportions_power": lambda alpha, way: nettrial.stats.two_proportions_power(
        0.1, 0.2, 40, alpha=alpha, alternative=way
    ),
}


@pytest.mark.filterwarnings("error", "ignore:with so few cases")
@pytest.mark.parametrize("way", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("name", PLANNED)
def test_no_level_that_is_taken_makes_a_library_warn(name, way):
    for alpha in LEVELS:
        with contextlib.suppress(InputError):  # of a power that no effect, or any, has
            assert 0 <= PLANNED[name](alpha, way).power <= 1


@pytest.mark.parametrize("name", PLANNED)
def test_levels_without_digits_are_refused(name, words):
    for alpha in (1e-300, 1e-13, 1 - 1e-14):
        with words.raises(InputError):
            PLANNED[name](alpha, "two-sided")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("n", "alpha"), [(2, 1e-6), (3, 1e-9), (5, 1e-12)])
def test_an_effect_at_a_small_level_has_the_power_wanted(n, alpha):
    found = nettrial.stats.t_effect_size(n, alpha=alpha)
    assert found.power == pytest.approx(0.8, rel=1e-9)
    # P(T > t) is the chance that chi-square lies below df (Z + shift)^2 / t^2, on average over Z
    df, shift = n - 1, found.details["noncentrality"]
    point = stats.t.isf(alpha / 2, df)
    below = integrate.quad(
        lambda z: stats.norm.pdf(z) * stats.chi2.cdf(df * ((z + shift) / point) ** 2, df),
        -9, 9, epsabs=1e-13, limit=400,
    )[0]  # fmt: skip
    assert below == pytest.approx(0.8, rel=1e-9)


def test_an_effect_that_is_too_large_to_be_one_is_refused(words):
    for n, alpha in ((2, 1e-12), (2, 1e-10)):
        with words.raises(InputError):
            nettrial.stats.t_effect_size(n, alpha=alpha)


def test_a_covariance_whose_squares_vanish_is_refused(words):
    with words.raises(InputError):
        nettrial.stats.max_t_comparisons(
            [1, 2, 3], np.eye(3) * 5e-324, first=["a", "a", "b"], second=["b", "c", "c"]
        )
