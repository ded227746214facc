"""Exact Friedman, Siegel, Conover and Quade against enumeration, tables and other packages."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from nettrial.core.errors import InputError
from nettrial.stats import (
    conover_test,
    friedman_test,
    nemenyi_test,
    quade_comparisons,
    quade_test,
    siegel_test,
)

# Conover (1999), p. 375, and R's ?quade.test: sales of five brands of lotion in seven shops
LOTION = np.array([
    [5, 4, 7, 10, 12],
    [1, 3, 1, 0, 2],
    [16, 12, 22, 22, 35],
    [5, 4, 3, 5, 4],
    [10, 9, 7, 13, 10],
    [19, 18, 28, 37, 58],
    [10, 7, 6, 8, 7],
])  # fmt: skip
UPPER = np.triu_indices(5, 1)


def enumerated(table):
    """P(statistic >= observed) over all orders of the values within the rows."""
    ranks = scipy.stats.rankdata(table, axis=1)
    orders = [list(itertools.permutations(row)) for row in ranks]
    sums = np.array([np.sum(rows, axis=0) for rows in itertools.product(*orders)])
    observed = (ranks.sum(axis=0) ** 2).sum()
    return ((sums**2).sum(axis=1) >= observed - 1e-9).mean()


tables = st.integers(2, 4).flatmap(
    lambda k: st.lists(
        st.lists(st.integers(0, 4), min_size=k, max_size=k), min_size=2, max_size=3 if k > 3 else 4
    )
)


@given(tables)
@settings(max_examples=50, deadline=None)
def test_exact_friedman_equals_enumeration_with_ties(rows):
    found = friedman_test(rows, method="exact")
    if found.degenerate:
        # nothing differs (p = 1), or one data set shows no variation
        assert found.pvalue == 1 or (len(rows) == 1 and math.isnan(found.pvalue))
        return
    assert found.pvalue == pytest.approx(enumerated(np.array(rows)))


@pytest.mark.parametrize(
    ("n", "k", "statistic", "p"),
    [
        # Friedman (1937), tables V and VI; Siegel and Castellan (1988), table M
        (3, 3, 6.0, 0.028),
        (4, 3, 6.5, 0.042),
        (4, 3, 8.0, 0.0046),
        (5, 3, 6.4, 0.039),
        (9, 3, 6.222, 0.048),
        (4, 4, 7.8, 0.036),
        (3, 4, 7.4, 0.033),
    ],
)
def test_printed_tables_of_friedmans_statistic(n, k, statistic, p):
    rng = np.random.default_rng(0)
    for _ in range(4000):
        table = rng.permuted(np.tile(np.arange(k), (n, 1)), axis=1)
        found = friedman_test(table, method="exact")
        if found.statistic == pytest.approx(statistic, abs=1e-3):
            assert float(f"{found.pvalue:.2g}") == pytest.approx(p, abs=6e-4)
            return
    pytest.fail("no table with this statistic was drawn")


def test_two_columns_are_the_two_sided_sign_test():
    a = np.array([[1, 2]] * 8 + [[2, 1]] * 3)
    want = scipy.stats.binomtest(3, 11).pvalue
    assert friedman_test(a, method="exact").pvalue == pytest.approx(want)


def test_large_tables_approach_the_chi_square_form_and_larger_ones_are_refused(words):
    table = np.random.default_rng(1).random((150, 3))
    exact, rough = friedman_test(table, method="exact"), friedman_test(table)
    assert exact.pvalue == pytest.approx(rough.pvalue, abs=0.01)
    assert exact.statistic == rough.statistic
    with words.raises(InputError):
        friedman_test(np.random.default_rng(1).random((30, 8)), method="exact")
    with words.raises(InputError):
        friedman_test(table, method="exacd")


def test_pairs_equal_those_of_scikit_posthocs():
    # scikit-posthocs 0.17.1: posthoc_conover_friedman, posthoc_siegel_friedman,
    # posthoc_quade(dist="t"), each without adjustment
    want = {
        conover_test: [
            0.226802459468859, 0.226802459468859, 0.398965109538095, 0.263490278883149, 1.0,
            0.046497425713549, 0.025301393839579, 0.046497425713549, 0.025301393839579,
            0.777138730323457,
        ],
        siegel_test: [
            0.271898710819648, 0.271898710819648, 0.446872820710831, 0.310494434317235, 1.0,
            0.062979051214455, 0.034610557515707, 0.062979051214455, 0.034610557515707,
            0.799846105662474,
        ],
        quade_comparisons: [
            0.208656531760156, 0.840072109765725, 0.147685653212313, 0.041552242467649,
            0.287396850320304, 0.01020903675603, 0.002108496441584, 0.102053812644551,
            0.026899150655293, 0.51721806441001,
        ],
    }  # fmt: skip
    for test, pvalues in want.items():
        np.testing.assert_allclose(test(LOTION).pvalue, pvalues, rtol=1e-9)
    holm = [
        0.834626127040623, 1.0, 0.738428266061563, 0.29086569727354, 0.862190550960912,
        0.091881330804268, 0.021084964415843, 0.612322875867307, 0.215193205242345, 1.0,
    ]  # fmt: skip
    np.testing.assert_allclose(quade_comparisons(LOTION).adjusted_pvalue, holm, rtol=1e-9)


def test_quade_of_a_printed_example():
    # Conover (1999) and R's ?quade.test: F = 3.8293, df 4 and 24, p = 0.01519
    found = quade_test(LOTION)
    assert round(found.statistic, 4) == 3.8293
    assert found.df == (4.0, 24.0)
    assert round(found.pvalue, 5) == 0.01519


@pytest.mark.parametrize("seed", range(3))
def test_conover_is_the_two_way_analysis_of_ranks(seed):
    """Residual of a least-squares fit of rows and columns to the ranks, pair by pair."""
    table = np.random.default_rng(seed).integers(0, 6, (8, 4))
    n, k = table.shape
    ranks = scipy.stats.rankdata(table, axis=1)
    rows, columns = np.repeat(np.eye(n), k, axis=0), np.tile(np.eye(k), (n, 1))
    design = np.hstack([rows, columns[:, 1:]])
    _, squares, *_ = np.linalg.lstsq(design, ranks.ravel(), rcond=None)
    df = (n - 1) * (k - 1)
    error = np.sqrt(2 * squares[0] / df / n)
    i, j = np.triu_indices(k, 1)
    means = ranks.mean(axis=0)
    t = (means[i] - means[j]) / error
    found = conover_test(table, confidence=0.9)
    np.testing.assert_allclose(found.statistic, t)
    np.testing.assert_allclose(found.pvalue, 2 * scipy.stats.t.sf(abs(t), df))
    reach = scipy.stats.t.isf(0.05 / i.size, df) * error
    np.testing.assert_allclose(found.ci_high, means[i] - means[j] + reach)
    one = conover_test(table, confidence=0.9, adjustment="none")
    np.testing.assert_allclose(
        one.ci_low, means[i] - means[j] - scipy.stats.t.isf(0.05, df) * error
    )


def test_siegel_has_the_statistics_of_nemenyi():
    mine, other = siegel_test(LOTION, adjustment="bonferroni"), nemenyi_test(LOTION)
    np.testing.assert_allclose(mine.statistic, other.statistic)
    np.testing.assert_allclose(mine.pvalue, other.pvalue)
    np.testing.assert_allclose(mine.adjusted_pvalue, np.minimum(1, 10 * mine.pvalue))


@pytest.mark.parametrize("test", [conover_test, quade_comparisons, quade_test])
def test_tables_without_residual_are_degenerate(test):
    alike = np.tile([1.0, 2.0, 3.0], (5, 1)) + np.arange(5)[:, None]
    found = test(alike)
    assert np.all(found.degenerate)
    assert np.isnan(found.pvalue).all()
    tied = test(np.ones((5, 3)))
    assert np.all(tied.degenerate)
    assert test(LOTION[:1]).notes[-1].startswith("one data set")
    assert np.isnan(test(LOTION[:1]).pvalue).all()


def test_directions():
    for test in (siegel_test, conover_test, quade_comparisons):
        up, down = test(LOTION), test(-LOTION, higher_is_better=True)
        np.testing.assert_allclose(up.pvalue, down.pvalue)
        np.testing.assert_allclose(up.estimate, down.estimate)
    assert quade_test(LOTION).pvalue == pytest.approx(
        quade_test(-LOTION, higher_is_better=True).pvalue
    )
