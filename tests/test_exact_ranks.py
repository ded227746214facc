"""Tests on tables of decimals give what they give in exact arithmetic.

A table with d decimals times 10^d is a table of whole numbers, whose differences, ranks, ties and
zeros are exact in floats: that is rational arithmetic, in other units. No rank or sign test sees
the units, so both tables must have the same result, and that of the whole numbers must be that of
an independent implementation.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats as scipy_stats

from nettrial import metrics, stats
from public_functions import PUBLIC, call, example, measured_of, over_arrays

TABLES = 1000
DECIMALS = (2, 3, 4)


def tables(
    decimals: int, rows: int, columns: int, *, overlapping: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Return 1,000 tables as decimals, read as text is, and as whole numbers."""
    random = np.random.default_rng(decimals)
    # values near each other, so that there are ties and zeros with four decimals too
    levels = (TABLES, 1 if overlapping else rows, 1)
    level = random.integers(0, 10**decimals - 40, size=levels)
    whole = level + random.integers(0, 12, size=(TABLES, rows, columns))
    read = np.array([float(f"{value}e-{decimals}") for value in whole.ravel()])
    return read.reshape(whole.shape), whole.astype(float)


def test_differences_of_the_tables_are_not_exact_in_floats():
    decimal, whole = tables(3, 9, 2)
    ties = np.diff(np.sort(np.abs(decimal[..., 0] - decimal[..., 1])), axis=-1) == 0
    exact = np.diff(np.sort(np.abs(whole[..., 0] - whole[..., 1])), axis=-1) == 0
    assert (ties.sum(axis=-1) < exact.sum(axis=-1)).mean() > 0.2


@pytest.mark.parametrize("decimals", DECIMALS)
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_sign_test(decimals, alternative):
    decimal, whole = tables(decimals, 9, 2)
    got = stats.sign_test(decimal[..., 0], decimal[..., 1], alternative=alternative)
    wins, losses = (whole[..., 0] > whole[..., 1]).sum(-1), (whole[..., 0] < whole[..., 1]).sum(-1)
    expected = {
        (w, n): scipy_stats.binomtest(w, n, alternative=alternative).pvalue if n else 1.0
        for w, n in {(int(w), int(w + v)) for w, v in zip(wins, losses)}
    }
    np.testing.assert_allclose(
        got.pvalue, [expected[int(w), int(w + v)] for w, v in zip(wins, losses)], rtol=1e-12
    )


def signed_rank_tail(differences: list[Fraction], at_most: Fraction) -> Fraction:
    """Return P(W+ <= at_most) over all signs of differences that are not zero, in fractions."""
    sizes = sorted(map(abs, differences))
    ranks = [Fraction(2 * sizes.index(abs(d)) + 1 + sizes.count(abs(d)), 2) for d in differences]
    sums = Counter({Fraction(0): 1})
    for rank in ranks:
        sums = Counter(sums) + Counter({total + rank: n for total, n in sums.items()})
    total = sum(sums.values())
    return Fraction(sum(n for value, n in sums.items() if value <= at_most), total)


@pytest.mark.parametrize("decimals", DECIMALS)
def test_wilcoxon_by_enumeration_in_fractions(decimals):
    decimal, whole = tables(decimals, 9, 2)
    got = stats.wilcoxon_test(decimal[..., 0], decimal[..., 1], alternative="less")
    both = stats.wilcoxon_test(decimal[..., 0], decimal[..., 1])
    for i, table in enumerate(whole.astype(int).tolist()):
        d = [Fraction(a - b, 10**decimals) for a, b in table if a != b]
        sizes = sorted(map(abs, d))
        plus = sum(
            Fraction(2 * sizes.index(abs(x)) + 1 + sizes.count(abs(x)), 2) for x in d if x > 0
        )
        assert got.statistic[i] == float(plus)
        below = signed_rank_tail(d, Fraction(plus))
        assert got.pvalue[i] == pytest.approx(float(below), rel=1e-12)
        all_ranks = Fraction(len(d) * (len(d) + 1), 2)
        above = signed_rank_tail(d, all_ranks - plus)
        assert both.pvalue[i] == pytest.approx(float(min(1, 2 * min(below, above))), rel=1e-12)


@pytest.mark.parametrize("decimals", DECIMALS)
@pytest.mark.parametrize("zeros", ["drop", "pratt", "split", "demsar"])
@pytest.mark.parametrize("method", ["exact", "normal-corrected"])
def test_wilcoxon_of_every_kind(decimals, zeros, method):
    results = [
        stats.wilcoxon_test(table[..., 0], table[..., 1], zeros=zeros, method=method)
        for table in tables(decimals, 9, 2)
    ]
    np.testing.assert_array_equal(results[0].pvalue, results[1].pvalue)
    np.testing.assert_array_equal(results[0].estimate, results[1].estimate)
    for key in ("n_zero", "has_ties", "w_plus", "w_minus"):
        np.testing.assert_array_equal(results[0].details[key], results[1].details[key])


@pytest.mark.parametrize("decimals", DECIMALS)
def test_wilcoxon_by_scipy(decimals):
    decimal, whole = tables(decimals, 9, 2)
    got = stats.wilcoxon_test(decimal[..., 0], decimal[..., 1], method="normal")
    some = np.flatnonzero(np.asarray(got.details["n_used"]) > 0)
    expected = scipy_stats.wilcoxon(
        whole[some, :, 0], whole[some, :, 1], axis=-1, method="asymptotic"
    )
    np.testing.assert_allclose(np.asarray(got.pvalue)[some], expected.pvalue, rtol=1e-10)


@pytest.mark.parametrize("decimals", DECIMALS)
def test_friedman_and_what_follows_it(decimals):
    decimal, whole = tables(decimals, 7, 4)
    got = stats.friedman_test(decimal)
    expected = [
        scipy_stats.friedmanchisquare(*table.T) if np.ptp(table, axis=1).any() else None
        for table in whole
    ]
    for i, one in enumerate(expected):
        assert got.pvalue[i] == pytest.approx(1.0 if one is None else one.pvalue, rel=1e-10)
    for test in (
        stats.iman_davenport_test,
        stats.nemenyi_test,
        stats.control_comparisons,
        stats.siegel_test,
        stats.conover_test,
        stats.quade_test,
        stats.quade_comparisons,
    ):
        first, second = test(decimal), test(whole)
        np.testing.assert_array_equal(first.pvalue, second.pvalue)


@pytest.mark.parametrize("decimals", DECIMALS)
def test_kruskal_and_what_follows_it(decimals):
    decimal, whole = tables(decimals, 3, 6, overlapping=True)
    groups = [list(np.moveaxis(table, 1, 0)) for table in (decimal, whole)]
    got = stats.kruskal_wallis_test(groups[0])
    expected = scipy_stats.kruskal(*groups[1], axis=-1)
    varied = np.ptp(whole, axis=(1, 2)) > 0
    np.testing.assert_allclose(np.asarray(got.pvalue)[varied], expected.pvalue[varied], rtol=1e-10)
    assert (np.asarray(got.pvalue)[~varied] == 1).all()
    np.testing.assert_array_equal(
        stats.dunn_test(groups[0]).pvalue, stats.dunn_test(groups[1]).pvalue
    )


@pytest.mark.parametrize("decimals", DECIMALS)
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_mann_whitney(decimals, alternative):
    decimal, whole = tables(decimals, 2, 7, overlapping=True)
    got = stats.mann_whitney_test(
        decimal[:, 0], decimal[:, 1], method="normal-corrected", alternative=alternative
    )
    expected = scipy_stats.mannwhitneyu(
        whole[:, 0], whole[:, 1], method="asymptotic", alternative=alternative, axis=-1
    )
    np.testing.assert_array_equal(got.statistic, expected.statistic)
    np.testing.assert_allclose(got.pvalue, expected.pvalue, rtol=1e-10)
    exact = [stats.mann_whitney_test(t[:50, 0], t[:50, 1]).pvalue for t in (decimal, whole)]
    np.testing.assert_array_equal(*exact)


@pytest.mark.parametrize("decimals", DECIMALS)
def test_effects_of_ranks(decimals):
    for decimal, whole in zip(*tables(decimals, 9, 2)):
        a, b = whole.T
        pairs = np.sign(a[:, None] - b).mean()
        assert stats.cliffs_delta(*decimal.T).estimate == pytest.approx(pairs, abs=1e-12)
        d = (a - b)[a != b]
        ranks = scipy_stats.rankdata(np.abs(d))
        expected = (np.sign(d) * ranks).sum() / max(ranks.sum(), 1)
        assert stats.rank_biserial(*decimal.T).estimate == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("decimals", DECIMALS)
def test_areas_under_curves(decimals):
    decimal, whole = tables(decimals, 10, 1)
    labels = np.arange(10) % 2
    # scores that were computed: one minus one minus the score
    noisy = 1 - (1 - decimal[..., 0])
    for scores, exact in zip(noisy, whole[..., 0]):
        gaps = exact[labels == 1][:, None] - exact[labels == 0]
        expected = ((gaps > 0) + 0.5 * (gaps == 0)).mean()
        assert metrics.auc(labels, scores).auc == pytest.approx(expected, abs=1e-12)


# where the units of the values matter: a region of practical equivalence, a model of error
# rates, probabilities, scores that are compared with each other only
UNITS = {"stats.rsc_paired_t_test", "stats.rsc_unpaired_t_test", "stats.adjusted_pvalues"}
TESTS = [
    name
    for name in PUBLIC
    if name not in UNITS
    and hasattr(call(name, example(name)), "pvalue")
    and "probabilities" not in example(name)
    and measured_of(name, example(name))
]


@pytest.mark.parametrize("name", TESTS)
def test_every_test_is_the_same_in_whole_numbers(name):
    arguments = example(name)
    whole = dict(arguments)
    for key in measured_of(name, arguments):
        factor = 10_000 if key == "covariance" else 100
        whole[key] = over_arrays(lambda x, by=factor: np.rint(x * by * 1e4) / 1e4, whole[key])
    first, second = call(name, arguments), call(name, whole)
    np.testing.assert_allclose(first.pvalue, second.pvalue, rtol=1e-9)
