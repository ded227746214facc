"""Mann-Whitney and Hodges-Lehmann against SciPy, enumeration, inversion and printed examples."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from nettrial.core.errors import InputError
from nettrial.stats import cliffs_delta, hodges_lehmann, mann_whitney_test

samples = st.tuples(
    st.lists(st.integers(0, 6), min_size=1, max_size=6),
    st.lists(st.integers(0, 6), min_size=1, max_size=6),
)
# Hollander and Wolfe (1973), tables 4.1 (69 f.) and 3.1 (29 f.), as in R's ?wilcox.test
PERMEABILITY = (
    [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46],
    [1.15, 0.88, 0.90, 0.74, 1.21],
)
DEPRESSION = (
    [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30],
    [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29],
)


def enumerated(a, b):
    """P(U <= u) and P(U >= u) over all ways to deal the values to both samples."""
    pooled = np.array([*a, *b])
    ranks = scipy.stats.rankdata(pooled)
    observed = ranks[: len(a)].sum()
    sums = [sum(ranks[list(c)]) for c in itertools.combinations(range(len(pooled)), len(a))]
    return np.mean(np.array(sums) <= observed), np.mean(np.array(sums) >= observed)


@given(samples)
@settings(max_examples=60, deadline=None)
def test_exact_tails_equal_enumeration_with_ties(pair):
    a, b = pair
    less, greater = enumerated(a, b)
    got = {
        side: mann_whitney_test(a, b, alternative=side).pvalue
        for side in ("less", "greater", "two-sided")
    }
    assert got["less"] == pytest.approx(less)
    assert got["greater"] == pytest.approx(greater)
    assert got["two-sided"] == pytest.approx(min(1, 2 * min(less, greater)))


@pytest.mark.parametrize("side", ["less", "greater", "two-sided"])
@pytest.mark.parametrize(("m", "n"), [(5, 9), (20, 25), (60, 80)])
def test_untied_samples_equal_scipy(side, m, n):
    rng = np.random.default_rng(m)
    a, b = rng.normal(0.2, 1, m), rng.normal(0, 1, n)
    for method, theirs in (("exact", "exact"), ("normal-corrected", "asymptotic")):
        want = scipy.stats.mannwhitneyu(a, b, alternative=side, method=theirs)
        got = mann_whitney_test(a, b, alternative=side, method=method)
        assert got.statistic == want.statistic
        assert got.pvalue == pytest.approx(want.pvalue, rel=1e-9)
    plain = scipy.stats.mannwhitneyu(
        a, b, alternative=side, method="asymptotic", use_continuity=False
    )
    assert mann_whitney_test(a, b, alternative=side, method="normal").pvalue == pytest.approx(
        plain.pvalue
    )


def test_ties_in_the_normal_form_equal_scipy():
    rng = np.random.default_rng(4)
    a, b = rng.integers(0, 5, 40), rng.integers(1, 6, 30)
    want = scipy.stats.mannwhitneyu(a, b, method="asymptotic")
    got = mann_whitney_test(a, b)
    assert not got.details["exact"]
    assert got.pvalue == pytest.approx(want.pvalue)


def test_printed_example():
    got = mann_whitney_test(*PERMEABILITY, alternative="greater")
    assert got.statistic == 35
    assert round(got.pvalue, 4) == 0.1272


def test_the_estimate_is_cliffs_delta_and_its_interval_agrees_with_the_test():
    a, b = PERMEABILITY
    got = mann_whitney_test(a, b)
    assert got.estimate == pytest.approx(cliffs_delta(a, b).estimate)
    for shift in np.linspace(-3, 3, 41):
        found = mann_whitney_test(np.add(a, shift), b, method="normal")
        assert (found.pvalue < 0.05) == (not found.ci_low <= 0 <= found.ci_high)
        assert -1 <= found.ci_low < found.ci_high <= 1


def test_coverage_of_the_interval():
    rng = np.random.default_rng(0)
    for m, n, shift in ((10, 10, 1.0), (30, 30, 0.5), (15, 40, 2.0)):
        true = 2 * scipy.stats.norm.cdf(shift / math.sqrt(2)) - 1
        got = mann_whitney_test(
            rng.normal(shift, 1, (4000, m)), rng.normal(0, 1, (4000, n)), method="normal"
        )
        inside = ((got.ci_low <= true) & (true <= got.ci_high)).mean()
        assert 0.935 < inside < 0.985


def test_rounding_noise_and_equal_values_say_nothing():
    got = mann_whitney_test([0.3] * 4, [0.3] * 3)
    assert (got.pvalue, got.degenerate, got.estimate) == (1.0, True, 0.0)


def test_axes_are_the_loop():
    rng = np.random.default_rng(2)
    a, b = rng.integers(0, 9, (2, 3, 7)), rng.integers(1, 9, (2, 3, 5))
    many = mann_whitney_test(np.moveaxis(a, -1, 0), np.moveaxis(b, -1, 0), axis=0)
    for trial in np.ndindex(2, 3):
        one = mann_whitney_test(a[trial], b[trial])
        for name in ("pvalue", "estimate", "statistic", "ci_low", "ci_high"):
            assert getattr(many, name)[trial] == pytest.approx(getattr(one, name))


def test_too_many_values_for_the_exact_form_are_refused(words):
    with words.raises(InputError):
        mann_whitney_test(np.arange(150), np.arange(100), method="exact")
    with words.raises(InputError):
        mann_whitney_test(np.ones((2, 3)), np.ones((4, 3)))


def test_hodges_lehmann_of_printed_examples():
    # Hollander and Wolfe (1973), sections 3.2, 3.3, 4.2 and 4.3
    pairs = hodges_lehmann(*DEPRESSION)
    assert [round(x, 3) for x in (pairs.estimate, pairs.ci_low, pairs.ci_high)] == [
        0.46,
        0.01,
        0.786,
    ]
    shift = hodges_lehmann(*PERMEABILITY, paired=False)
    assert [round(x, 3) for x in (shift.estimate, shift.ci_low, shift.ci_high)] == [
        0.305,
        -0.15,
        0.76,
    ]


@pytest.mark.parametrize("seed", range(4))
def test_the_interval_holds_the_shifts_that_scipys_test_does_not_reject(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.normal(0.5, 1, 9), rng.normal(0, 1, 9)
    shift = hodges_lehmann(a, b, paired=False, confidence=0.9)
    pairs = hodges_lehmann(a, b, confidence=0.9)

    def two_samples(x):
        return scipy.stats.mannwhitneyu(a - x, b, method="exact").pvalue

    def signed(x):
        return scipy.stats.wilcoxon(a - b - x, method="exact").pvalue

    for interval, pvalue in ((shift, two_samples), (pairs, signed)):
        for end, inward in ((interval.ci_low, 1), (interval.ci_high, -1)):
            assert pvalue(end + inward * 1e-6) > 0.1
            assert pvalue(end - inward * 1e-6) <= 0.1


def test_the_median_of_all_averages_by_hand():
    d = np.array([1.0, 4.0, -2.0, 3.0, 8.0])
    averages = [(d[i] + d[j]) / 2 for i in range(5) for j in range(i, 5)]
    assert hodges_lehmann(d).estimate == np.median(averages)
    other = [0.5, 2.5, 9.0]
    assert hodges_lehmann(d, other, paired=False).estimate == np.median(
        [x - y for x in d for y in other]
    )


@pytest.mark.parametrize("paired", [True, False])
def test_many_values_take_the_normal_form_with_the_right_coverage(paired):
    rng = np.random.default_rng(8)
    hits = 0
    for _ in range(400):
        a, b = rng.normal(0.3, 1, 60), rng.normal(0, 1, 60)
        found = hodges_lehmann(a, b, paired=paired)
        hits += found.ci_low <= 0.3 <= found.ci_high
    assert 0.9 < hits / 400 < 0.985
    assert "normal" in found.interval


def test_too_few_values_have_no_interval_at_the_level(words):
    found = hodges_lehmann([1.0, 2.0, 3.0])
    assert (found.ci_low, found.ci_high) == (-math.inf, math.inf)
    assert "needs more values" in found.notes[0]
    with words.raises(InputError):
        hodges_lehmann([1, 2, 3], [1, 2])
    with words.raises(InputError):
        hodges_lehmann(np.arange(10_000.0))
