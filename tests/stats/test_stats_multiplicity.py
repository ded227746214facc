"""Adjusted p-values against the definitions of the procedures."""

from __future__ import annotations

import time
from itertools import combinations, pairwise
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats
from statsmodels.stats.multitest import multipletests

from nettrial.core.errors import AssumptionWarning, InputError
from nettrial.stats.multiplicity import Adjustment, adjust

METHODS = get_args(Adjustment)
chances = st.one_of(st.floats(0, 1), st.integers(0, 20).map(lambda i: i / 20))
families = hnp.arrays(float, st.integers(1, 7), elements=chances)


def closed(p, local):
    """The largest local p-value of all intersections that hold a hypothesis."""
    places = range(len(p))
    subsets = [s for size in range(1, len(p) + 1) for s in combinations(places, size)]
    return [max(local(np.sort(p[list(s)])) for s in subsets if i in s) for i in places]


@given(families)
@settings(max_examples=100, deadline=None)
def test_holm_and_hommel_are_closed_tests(p):
    bonferroni = closed(p, lambda q: min(1, len(q) * q[0]))
    simes = closed(p, lambda q: min(1, (len(q) * q / np.arange(1, len(q) + 1)).min()))
    np.testing.assert_allclose(adjust(p, method="holm"), bonferroni, rtol=1e-12)
    np.testing.assert_allclose(adjust(p, method="hommel"), simes, rtol=1e-12)


def quadratic_hommel(p):
    """Hommel's adjustment of sorted p-values in one pass over the sizes of intersections."""
    m, adjusted = p.size, p
    for size in range(2, m + 1):
        simes = (size * p[m - size + 1 :] / np.arange(2, size + 1)).min()
        smallest = size * p[np.minimum(np.arange(m), m - size)]
        adjusted = np.maximum(adjusted, np.minimum(smallest, simes))
    return np.minimum(adjusted, 1)


@pytest.mark.parametrize("m", [1, 2, 3, 8, 31, 32, 33, 100, 1000])
def test_fast_hommel_equals_the_quadratic_one(m):
    random = np.random.default_rng(m)
    families = random.random((40, m)) ** random.choice([1, 3, 20], size=(40, 1))
    families[:10] = families[:10].round(1)  # ties, zeros and ones
    families[10:20] **= random.choice([1, 20], size=(10, m))  # some far below the others
    families.sort(axis=-1)
    wanted = [quadratic_hommel(p) for p in families]
    np.testing.assert_allclose(adjust(families, method="hommel"), wanted, rtol=1e-12, atol=0)


def test_hommels_adjustment_of_many_pvalues_takes_no_time():
    p = np.random.default_rng(0).random(200_000) ** 3
    start = time.process_time()
    adjust(p, method="hommel")
    # a quarter of a second; the quadratic form takes minutes
    assert time.process_time() - start < 5


def step_up(p, level, limits):
    """Reject up to the last sorted p-value that is within its limit."""
    order = np.argsort(p, kind="stable")
    within = np.flatnonzero(p[order] <= level * limits)
    rejected = np.zeros(len(p), dtype=bool)
    if within.size:
        rejected[order[: within[-1] + 1]] = True
    return rejected


@given(families, st.floats(0.001, 0.999))
@settings(max_examples=200, deadline=None)
def test_step_up_procedures_decide_as_published(p, level):
    m = len(p)
    rank = np.arange(1, m + 1)
    for method, limits in (
        ("hochberg", 1 / (m - rank + 1)),
        ("benjamini-hochberg", rank / m),
        ("benjamini-yekutieli", rank / (m * (1 / rank).sum())),
    ):
        adjusted = adjust(p, method=method)
        clear = np.abs(adjusted - level) > 1e-9
        expected = step_up(p, level, limits)
        assert ((adjusted <= level) == expected)[clear].all()


def test_equals_statsmodels_and_scipy():
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    p = np.random.default_rng(3).random(30) ** 3
    for ours, theirs in {
        "bonferroni": "bonferroni",
        "sidak": "sidak",
        "holm": "holm",
        "hochberg": "simes-hochberg",
        "hommel": "hommel",
        "benjamini-hochberg": "fdr_bh",
        "benjamini-yekutieli": "fdr_by",
        "holm-sidak": "holm-sidak",
        "benjamini-hochberg-two-stage": "fdr_tsbky",
        "BH": "fdr_bh",
        "fdr": "fdr_bh",
        "BY": "fdr_by",
    }.items():
        expected = multitest.multipletests(p, method=theirs)[1]
        np.testing.assert_allclose(adjust(p, method=ours), expected, rtol=1e-10)
    by = stats.false_discovery_control(p, method="by")
    np.testing.assert_allclose(adjust(p, method="benjamini-yekutieli"), by, rtol=1e-12)


TWO_STAGES = ("benjamini-hochberg-two-stage", "fdr_tsbh", "fdr_tsbky")


@given(families, st.sampled_from(METHODS), st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_order_does_not_matter_and_nothing_gets_smaller(p, method, random):
    adjusted = adjust(p, method=method)
    if method not in TWO_STAGES:  # which estimates how many hypotheses hold
        assert ((adjusted >= p * (1 - 1e-15)) & (adjusted <= 1)).all()
    order = list(range(len(p)))
    random.shuffle(order)
    np.testing.assert_array_equal(adjust(p[order], method=method), adjusted[order])
    assert (np.diff(adjusted[np.argsort(p)]) >= 0).all()


@given(families)
@settings(max_examples=100, deadline=None)
def test_power_is_ordered(p):
    adjusted = [adjust(p, method=m) for m in ("bonferroni", "holm", "hochberg", "hommel")]
    adjusted.append(adjust(p, method="benjamini-hochberg"))
    for weaker, stronger in pairwise(adjusted):
        assert (stronger <= weaker + 1e-12).all()


@pytest.mark.parametrize("method", METHODS)
def test_families_lie_along_the_axis(method):
    p = np.random.default_rng(1).random((3, 5, 4))
    by_axis = adjust(p, method=method, axis=1)
    for i, j in np.ndindex(3, 4):
        np.testing.assert_array_equal(by_axis[i, :, j], adjust(p[i, :, j], method=method))


@pytest.mark.parametrize("method", METHODS)
def test_nan_stays_and_does_not_count(method):
    p = np.array([[0.01, np.nan, 0.04, 0.02], [np.nan] * 4, [0.3, 0.2, 0.1, 0.5]])
    with pytest.warns(AssumptionWarning, match="5 of 12 p-values are NaN"):
        adjusted = adjust(p, method=method)
    np.testing.assert_array_equal(adjusted[0, [0, 2, 3]], adjust([0.01, 0.04, 0.02], method=method))
    np.testing.assert_array_equal(np.isnan(adjusted), np.isnan(p))
    np.testing.assert_array_equal(adjusted[2], adjust(p[2], method=method))


def test_refuses(words):
    with words.raises(InputError):
        adjust([0.1, 1.2])
    with words.raises(InputError):
        adjust(0.1)
    with words.raises(InputError):
        adjust([0.1], method="holn")
    assert adjust([]).shape == (0,)


def test_input_is_left_alone():
    p = np.array([0.2, 0.1])
    adjust(p, method="none")[0] = 0.9
    assert p.tolist() == [0.2, 0.1]


@pytest.mark.parametrize("method", ["fdr_bh", "fdr_by", "fdr_tsbh", "fdr_tsbky"])
def test_names_of_statsmodels_give_its_numbers(method):
    for m in (2, 5, 20):
        p = np.random.default_rng(m).random(m) ** 3
        np.testing.assert_allclose(adjust(p, method=method), multipletests(p, method=method)[1])


def test_a_shorter_name_of_statsmodels_suggests_no_other_procedure(words):
    with words.raises(InputError):
        adjust([0.1], method="tsbh")
