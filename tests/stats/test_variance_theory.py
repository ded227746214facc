"""Theorems 1 to 4, Lemma 1, phi and the edge cases of RS-C."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import sparse

from nettrial.core.errors import InputError
from nettrial.stats.lemma1 import ritz_ends
from nettrial.stats.paired import paired_t_test, pooled_t_test
from nettrial.stats.rsc import rsc_paired_t_test, rsc_unpaired_t_test
from nettrial.stats.theory import (
    variance_correction,
    variance_correlated,
    variance_observed,
    variance_resampled,
    variance_terms,
)
from oracles.theory import lemma1, phi_coefficient, smallest_covariance_eigenvalue

model = st.fixed_dictionaries(
    {
        "p": st.floats(0, 1),
        "q": st.floats(0, 1),
        "rho": st.floats(-1, 1),
        "n": st.integers(1, 200),
        "m": st.integers(200, 1000),
        "links": st.integers(0, 2000),
    }
)


@settings(max_examples=200, deadline=None)
@given(model)
def test_theorems_hold_together(i):
    sizes = {"n": i["n"], "m": i["m"]}
    assume(1 - 2 * i["p"] + i["p"] * i["q"] >= 1e-9)
    assume(i["rho"] * i["links"] / i["n"] >= -1)
    assume(i["links"] <= i["n"] * (i["m"] - 1))
    p, q, rho, links = i["p"], i["q"], i["rho"], i["links"]
    observed = variance_observed(p, q, rho, links=links, **sizes)
    fresh = variance_correlated(p, rho, n=i["n"], links=links)
    correction = variance_correction(p, q, rho, links=links, **sizes)
    scale = (1 + abs(rho) * links / i["n"]) / i["n"]
    assert correction == pytest.approx(fresh - observed, abs=1e-11 * scale)
    # Theorem 3 is Theorem 1 at q = p and Theorem 2 at rho = 0
    at_p = variance_observed(p, p, rho, links=links, **sizes)
    assert at_p == pytest.approx(fresh, rel=1e-9, abs=1e-15)
    assert variance_correction(p, p, rho, links=links, **sizes) == 0
    without = variance_observed(p, q, 0.0, links=links, **sizes)
    assert without == pytest.approx(variance_resampled(p, q, **sizes), rel=1e-12, abs=1e-18)
    if rho >= 0:
        assert correction >= 0
    # a second route: the covariance averaged over an explicit population
    if 0 < p < 1:
        r = p * (1 - q) / (1 - p)
        s1, s0 = math.sqrt(q * (1 - q)), math.sqrt(max(r * (1 - r), 0))
        total, squares = p * s1 + (1 - p) * s0, p * s1**2 + (1 - p) * s0**2
        m, n = i["m"], i["n"]
        linked = (m * total**2 - squares) / (m - 1)
        overlap = (n - 1) / (m - 1) * ((q - p) / (1 - p)) ** 2
        other = p * (1 - p) / n * (1 - overlap) + links * rho * linked / n**2
        assert observed == pytest.approx(other, rel=1e-6, abs=1e-9 * scale)


def test_theorem_2_is_the_variance_of_resampling_one_population():
    # m = 40 nodes of which p m = 8 err with q = 1: the count is hypergeometric
    n, m, p = 10, 40, 0.2
    expected = p * (1 - p) / n * (m - n) / (m - 1)
    assert variance_resampled(p, 1.0, n=n, m=m) == pytest.approx(expected, rel=1e-13)


def test_arrays_are_broadcast_and_equal_a_loop():
    q = np.linspace(0.2, 1, 5)
    rho = np.array([[0.0], [0.3]])
    got = variance_observed(0.2, q, rho, n=50, m=100, links=200)
    assert got.shape == (2, 5)
    for i, j in np.ndindex(2, 5):
        one = variance_observed(0.2, q[j], rho[i, 0], n=50, m=100, links=200)
        assert got[i, j] == one


@pytest.mark.parametrize(
    ("p", "q", "rho", "n", "m", "links"),
    [
        (0.75, 0.1, 0.2, 50, 100, 200),
        (0.2, 0.3, -0.2, 100, 300, 600),
        (1.2, 0.3, 0.2, 100, 300, 600),
        (0.2, math.nan, 0.2, 100, 300, 600),
        (0.2, 0.3, 0.2, 400, 300, 600),
        (0.2, 0.3, 0.2, 1, 1, 0),
        (0.2, 0.3, 0.2, 10, 20, -1),
    ],
)
def test_impossible_models_are_refused(p, q, rho, n, m, links, words):
    with words.raises(InputError):
        variance_observed(p, q, rho, n=n, m=m, links=links)


def test_certain_errors_have_no_variance():
    for p, q in ((0.0, 0.5), (1.0, 1.0), (0.0, 0.0)):
        terms = variance_terms(p, q, 0.3, n=50, m=100, links=100)
        assert terms.variance_observed == 0
        assert terms.variance_correction == 0


@settings(max_examples=100, deadline=None)
@given(*[st.integers(0, 40)] * 4)
def test_phi_is_the_correlation_of_the_expanded_pairs(n11, n10, n01, n00):
    assume(n11 + n10 + n01 + n00 > 0)
    pairs = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], [n11, n10, n01, n00], axis=0)
    for both in (False, True):
        x = np.concatenate([pairs, pairs[:, ::-1]]) if both else pairs
        phi = phi_coefficient(n11, n10, n01, n00, both_directions=both)
        if np.ptp(x[:, 0]) == 0 or np.ptp(x[:, 1]) == 0:
            assert math.isnan(phi)
        else:
            assert phi == pytest.approx(np.corrcoef(x.T)[0, 1], abs=1e-12)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32), st.floats(-1, 1))
def test_lemma_1_verdicts_agree_with_the_eigenvalues(seed, rho):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 9))
    edges = np.array([(u, v) for u in range(n) for v in range(u) if rng.random() < 0.4])
    sigma = rng.uniform(0.1, 1, n)
    verdict = lemma1(edges, sigma, rho)
    smallest = smallest_covariance_eigenvalue(edges, sigma, rho)
    assume(abs(smallest) > 1e-9)
    assert verdict.positive_definite == (smallest > 0)
    assert verdict.weyl_bound <= smallest + 1e-12
    if verdict.sufficient:
        assert verdict.positive_definite


def test_lemma_1_as_printed_is_reversed():
    # two nodes, sigma 1, rho 1.01: the printed condition holds, yet an eigenvalue is -0.01
    verdict = lemma1([[0, 1]], [1, 1], 1.01)
    assert verdict.printed_bound < 1.01
    assert not verdict.sufficient
    assert smallest_covariance_eigenvalue([[0, 1]], [1, 1], 1.01) < 0


@pytest.mark.parametrize(("n", "rel"), [(300, 1e-12), (700, 1e-5)])
def test_ends_of_the_spectrum_of_links(n, rel):
    rng = np.random.default_rng(4)
    ends = rng.integers(0, n, (2, 4 * n))
    links = sparse.coo_array((np.ones(4 * n), ends), shape=(n, n)).tocsr()
    links = links + links.T
    values = np.linalg.eigvalsh(links.toarray())
    low, high = ritz_ends(links)
    assert (low, high) == pytest.approx((values[0], values[-1]), rel=rel)
    assert values[0] <= low + 1e-12
    assert high <= values[-1] + 1e-12


ZA = [0.10, 0.12, 0.11, 0.13, 0.09]
ZB = [0.14, 0.11, 0.13, 0.12, 0.15]
SIZES = {"n": 210, "m": 300, "links": 1260}


def both(name: str, value: float) -> dict[str, float]:
    return {f"{name}_a": value, f"{name}_b": value}


def test_without_a_correction_rsc_is_the_ordinary_t():
    same = {**SIZES, **both("p", 0.1), **both("q", 0.1), **both("rho", 0.2)}
    assert rsc_paired_t_test(ZA, ZB, **same).pvalue == pytest.approx(
        paired_t_test(ZA, ZB).pvalue, rel=1e-9
    )
    assert rsc_unpaired_t_test(ZA, ZB, **same).pvalue == pytest.approx(
        pooled_t_test(ZA, ZB).pvalue, rel=1e-9
    )


@pytest.mark.parametrize("variance", ["sample", "theoretical"])
@pytest.mark.parametrize("test", [rsc_paired_t_test, rsc_unpaired_t_test])
def test_edge_cases_of_rsc_have_an_answer(test, variance):
    usual = {**SIZES, **both("p", 0.1), **both("q", 0.9), **both("rho", 0.2)}
    usual["variance"] = variance
    zero = {**usual, "p_a": 0.0}
    constant, other = [0.1] * 5, [0.2] * 5
    result = test([0.0] * 5, ZB, **zero)
    assert any("no variance to correct" in note for note in result.notes)
    assert 0 < result.pvalue < 1
    both_constant = test(constant, other, **usual)
    if test is rsc_unpaired_t_test and variance == "sample":
        # the correction alone is the variance
        delta = variance_correction(0.1, 0.9, 0.2, **SIZES)
        assert both_constant.standard_error == pytest.approx(math.sqrt(2 * delta / 5))
    else:
        assert math.isnan(both_constant.pvalue)
        assert both_constant.degenerate
    assert test(constant, constant, **usual).pvalue == 1
    assert test(ZA, ZA, **usual).pvalue == 1
    with pytest.raises(InputError):
        test(ZA, ZB, **{**usual, "p_a": 0.9, "q_a": 0.1})


def test_a_negative_correction_larger_than_the_variance_is_told():
    negative = {"n": 100, "m": 300, "links": 90, **both("p", 0.3), **both("q", 0.3)}
    # near q = p and rho < 0 the correction is negative only by the unseen link variance
    negative |= both("q", 0.0) | both("rho", -1.0)
    terms = variance_terms(0.3, 0.0, -1.0, n=100, m=300, links=90)
    assert terms.variance_correction < 0
    za, zb = np.full(6, 0.3), np.full(6, 0.3)
    za[0] += 1e-4
    zb[1] += 1e-4
    for test in (rsc_paired_t_test, rsc_unpaired_t_test):
        result = test(za, zb, **negative)
        assert math.isnan(result.pvalue)
        assert result.degenerate
        assert any("not positive" in note for note in result.notes)
