"""Tests on tables of decimals give what they give in exact arithmetic.

A table with d decimals times 10^d is a table of whole numbers, whose differences, ranks, ties and
zeros are exact in floats: that is rational arithmetic, in other units. No rank or sign test sees
the units, so both tables must have the same result, and that of the whole numbers must be that of
an independent implementation.
"""

from __future__ import annotations

import inspect
import math
import re
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations, product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats

from nettrial import metrics, stats
from public_functions import PUBLIC, UNIT_COUNTS, call, example, measured_of, over_arrays

TABLES = 1000
DECIMALS = (pytest.param(2, marks=pytest.mark.slow), 3, pytest.param(4, marks=pytest.mark.slow))


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


def unit_free(name: str) -> bool:
    """Return whether a function reads values in a unit of their own choice."""
    return name not in UNIT_COUNTS and bool(measured_of(name, example(name)))


def decimals_and_whole(name: str, seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return arguments with random values of three decimals, and the same times a thousand."""
    random = np.random.default_rng(seed)
    # each row about its own level, as paired values lie, or all about one
    levels = random.integers(0, 960, size=20 if seed % 2 == 0 else 1)
    whole = example(name)
    keys = [key for key in measured_of(name, whole) if key not in ("covariance", "pvalues")]
    for key in keys:
        whole[key] = over_arrays(
            lambda x: (
                np.resize(levels, len(x)).reshape(-1, *[1] * (x.ndim - 1))
                + random.integers(1, 13, x.shape).astype(float)
            ),
            whole[key],
        )
    read = np.vectorize(lambda value: float(f"{value:.0f}e-3"))
    decimals = whole | {key: over_arrays(read, whole[key]) for key in keys}
    if "covariance" in whole:
        decimals["covariance"] = whole["covariance"] / 1e6
    return decimals, whole


def without_units(result: Any) -> dict[str, Any]:
    """Return the numbers of a result that do not depend on the unit of the values."""
    if isinstance(result, float):
        return {"value": result}
    fields = ("pvalue", "adjusted_pvalue", "effect_size", "degenerate", "auc", "prob_less")
    return {
        field: np.asarray(getattr(result, field), dtype=float)
        for field in fields
        if getattr(result, field, None) is not None
    }


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


@pytest.mark.slow
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


def doubled_ranks(whole: np.ndarray) -> np.ndarray:
    """Return twice the ranks along the last axis as whole numbers, by counting."""
    one, other = whole[..., :, None], whole[..., None, :]
    return 2 * (other < one).sum(axis=-1) + (other == one).sum(axis=-1) + 1


def quotients(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    """Divide whole numbers, by way of fractions; NaN for a zero below."""
    shape = np.broadcast_shapes(above.shape, below.shape)
    both = zip(*(np.broadcast_to(x, shape).ravel().tolist() for x in (above, below)))
    return np.array([float(Fraction(a, b)) if b else math.nan for a, b in both]).reshape(shape)


def holm(p: np.ndarray) -> np.ndarray:
    """Adjust each row by Holm's steps, one p-value after the other."""
    out = np.empty_like(p)
    for row, adjusted in zip(p, out):
        reached = 0.0
        for seen, place in enumerate(np.argsort(row, kind="stable")):
            reached = max(reached, min(1.0, (row.size - seen) * row[place]))
            adjusted[place] = reached
    return out


def same_pairs(found, p: np.ndarray, adjusted: np.ndarray) -> None:
    np.testing.assert_allclose(found.pvalue, p, rtol=1e-10)
    np.testing.assert_allclose(found.adjusted_pvalue, adjusted, rtol=1e-7)


@pytest.mark.parametrize("decimals", DECIMALS)
def test_friedman_and_what_follows_it(decimals):
    """All but the last step, a tail probability by SciPy, is arithmetic of whole numbers."""
    n, k = 7, 4
    decimal, whole = tables(decimals, n, k)
    ranks = doubled_ranks(whole)
    centered = ranks - (k + 1)
    sums = centered.sum(axis=1)
    between, total = (sums**2).sum(axis=1), n * (centered**2).sum(axis=(1, 2))
    tied = total == 0
    got = stats.friedman_test(decimal)
    chi_square = quotients(n * (k - 1) * between, total)
    expected = np.where(tied, 1.0, scipy_stats.chi2.sf(chi_square, k - 1))
    np.testing.assert_allclose(got.pvalue, expected, rtol=1e-10)
    df = k - 1, (k - 1) * (n - 1)
    f = quotients((n - 1) * between, total - between)
    expected = np.where(tied, 1.0, scipy_stats.f.sf(f, *df))
    np.testing.assert_allclose(stats.iman_davenport_test(decimal).pvalue, expected, rtol=1e-10)
    i, j = np.triu_indices(k, 1)
    gaps = np.abs(sums[:, i] - sums[:, j])
    # z² = (gap / 2n)² 6n / (k (k + 1))
    z = np.sqrt(quotients(3 * gaps**2, np.array(2 * n * k * (k + 1))))
    p = 2 * scipy_stats.norm.sf(z)
    different, place = np.unique(z, return_inverse=True)
    spans = scipy_stats.studentized_range.sf(math.sqrt(2) * different, k, math.inf)
    same_pairs(stats.nemenyi_test(decimal), p, spans[place.reshape(z.shape)])
    same_pairs(stats.siegel_test(decimal), p, holm(p))
    first = p[:, :3]
    same_pairs(stats.control_comparisons(decimal), first, np.minimum(1.0, 3 * first))
    flat = (total == between)[:, None]
    t = np.sqrt(quotients(df[1] * gaps**2, 2 * (total - between)[:, None]))
    p = np.where(flat, np.where(gaps == 0, 1.0, np.nan), 2 * scipy_stats.t.sf(t, df[1]))
    same_pairs(stats.conover_test(decimal), p, holm(p))
    # Quade: the same with each row times the rank of its range
    weighted = doubled_ranks(np.ptp(whole, axis=2))[..., None] * centered
    sums = weighted.sum(axis=1)
    between, total = (sums**2).sum(axis=1), n * (weighted**2).sum(axis=(1, 2))
    f = quotients((n - 1) * between, total - between)
    expected = np.where(tied, 1.0, scipy_stats.f.sf(f, *df))
    np.testing.assert_allclose(stats.quade_test(decimal).pvalue, expected, rtol=1e-10)
    gaps = np.abs(sums[:, i] - sums[:, j])
    flat = (total == between)[:, None]
    t = np.sqrt(quotients(df[1] * gaps**2, 2 * (total - between)[:, None]))
    p = np.where(flat, np.where(gaps == 0, 1.0, np.nan), 2 * scipy_stats.t.sf(t, df[1]))
    same_pairs(stats.quade_comparisons(decimal), p, holm(p))


@pytest.mark.parametrize("decimals", DECIMALS)
def test_kruskal_and_what_follows_it(decimals):
    n, k = 3, 6
    decimal, whole = tables(decimals, n, k, overlapping=True)
    groups = list(np.moveaxis(decimal, 1, 0))  # three groups of six
    m = n * k
    centered = doubled_ranks(whole.reshape(TABLES, m)).reshape(whole.shape) - (m + 1)
    sums, squares = centered.sum(axis=2), (centered**2).sum(axis=(1, 2))
    tied = squares == 0
    h = quotients((m - 1) * (sums**2).sum(axis=1), k * squares)
    expected = np.where(tied, 1.0, scipy_stats.chi2.sf(h, n - 1))
    np.testing.assert_allclose(stats.kruskal_wallis_test(groups).pvalue, expected, rtol=1e-10)
    i, j = np.triu_indices(n, 1)
    # z² = (gap / 2k)² / (squares / 4 (m - 1) * 2 / k)
    z = quotients((m - 1) * (sums[:, i] - sums[:, j]) ** 2, 2 * k * squares[:, None])
    p = np.where(tied[:, None], 1.0, 2 * scipy_stats.norm.sf(np.sqrt(z)))
    same_pairs(stats.dunn_test(groups), p, holm(p))


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
    # exact: all ways to deal the doubled ranks, which are whole numbers, to the samples
    got = stats.mann_whitney_test(decimal[:, 0], decimal[:, 1], alternative=alternative)
    ranks = np.rint(2 * scipy_stats.rankdata(whole.reshape(TABLES, 14), axis=1)).astype(int)
    dealt = np.zeros((math.comb(14, 7), 14), dtype=int)
    for row, chosen in zip(dealt, combinations(range(14), 7)):
        row[list(chosen)] = 1
    sums, seen = ranks @ dealt.T, ranks[:, :7].sum(axis=1)
    below = (sums <= seen[:, None]).sum(axis=1)
    above = (sums >= seen[:, None]).sum(axis=1)
    ways = {
        "less": below, "greater": above,
        "two-sided": np.minimum(2 * np.minimum(below, above), len(dealt)),
    }[alternative]  # fmt: skip
    np.testing.assert_allclose(got.pvalue, ways / len(dealt), rtol=1e-12)


@pytest.mark.parametrize("decimals", DECIMALS)
def test_exact_friedman_by_all_orders(decimals):
    decimal, whole = tables(decimals, 4, 3)
    got = stats.friedman_test(decimal, method="exact")
    ranks = np.rint(2 * scipy_stats.rankdata(whole, axis=2)).astype(int)
    orders = np.array(list(permutations(range(3))))
    # column sums of every order of every row: 6^4 of each table
    sums = np.zeros((TABLES, 1, 3), dtype=int)
    for row in np.moveaxis(ranks, 1, 0):
        sums = (sums[:, :, None] + row[:, orders][:, None]).reshape(TABLES, -1, 3)
    seen = (ranks.sum(axis=1) ** 2).sum(axis=1)
    ways = ((sums**2).sum(axis=2) >= seen[:, None]).sum(axis=1)
    np.testing.assert_allclose(got.pvalue, ways / 6**4, rtol=1e-12)


@pytest.mark.parametrize("decimals", DECIMALS)
def test_hodges_lehmann_in_fractions(decimals):
    decimal, whole = tables(decimals, 9, 2)
    i, j = np.triu_indices(9)
    unit = 10**decimals
    # of the 2^9 sets of the ranks 1 to 9: those whose sum is at most w, for a tail of 0.025
    signs = np.array(list(product((0, 1), repeat=9))) @ np.arange(1, 10)
    outside = max(w for w in range(46) if (signs <= w).sum() * 40 <= 2**9)
    for (a, b), (first, second) in zip(np.moveaxis(decimal, 2, 1), np.moveaxis(whole, 2, 1)):
        d = (first - second).astype(int)
        for found, doubled, rank in (
            (stats.hodges_lehmann(a, b), np.sort(d[i] + d[j]), outside + 1),
            (
                stats.hodges_lehmann(a, b, paired=False),
                2 * np.sort(first[:, None] - second, None),
                0,
            ),
        ):
            half = doubled.size // 2
            middle = doubled[half] + doubled[(doubled.size - 1) // 2]
            assert found.estimate == pytest.approx(
                float(Fraction(int(middle), 4 * unit)), abs=1e-15
            )
            if rank and doubled[0] < doubled[-1]:
                ends = [float(Fraction(int(doubled[k]), 2 * unit)) for k in (rank - 1, -rank)]
                assert (found.ci_low, found.ci_high) == pytest.approx(tuple(ends), abs=1e-15)


def chance_of_largest(a: int, b: int, c: int) -> Fraction:
    """Return P(X > Y, X > Z) of gamma variables with whole shapes a, b and c, in fractions."""

    def tail(first: int, *others: int) -> Fraction:
        n, ways = first - 1, Fraction(math.factorial(first - 1 + sum(others)))
        for k in (n, *others):
            ways /= math.factorial(k)
        return ways / (1 + len(others)) ** (first + sum(others))

    if a == 0:
        return Fraction(0)
    found = Fraction(1)
    found -= sum(tail(a, j) for j in range(b)) + sum(tail(a, k) for k in range(c))
    return found + sum(tail(a, j, k) for j in range(b) for k in range(c))


@pytest.mark.parametrize("decimals", DECIMALS)
def test_bayesian_sign_test_in_fractions(decimals):
    decimal, whole = tables(decimals, 9, 2)
    a, b = decimal[..., 0], decimal[..., 1]
    got = stats.bayesian_sign_test(a, b, rope=3 / 10**decimals)
    d = (whole[..., 0] - whole[..., 1]).astype(int)
    counts = [(d < -3).sum(axis=1), (np.abs(d) <= 3).sum(axis=1) + 1, (d > 3).sum(axis=1)]
    for k, found in enumerate((got.prob_less, got.prob_rope, got.prob_greater)):
        order = [k, *(i for i in range(3) if i != k)]
        wanted = {
            key: float(chance_of_largest(*key))
            for key in {tuple(int(counts[i][t]) for i in order) for t in range(TABLES)}
        }
        expected = [wanted[tuple(int(counts[i][t]) for i in order)] for t in range(TABLES)]
        np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-11)


@pytest.mark.parametrize("decimals", DECIMALS)
@pytest.mark.parametrize("rope", [0, 3])
def test_bayesian_signed_rank_test_in_fractions(decimals, rope):
    decimal, whole = tables(decimals, 9, 2)
    options = {"n_samples": 200, "prior_strength": 1.0}
    got = stats.bayesian_signed_rank_test(
        decimal[..., 0], decimal[..., 1], rope=rope / 10**decimals, **options
    )
    same = stats.bayesian_signed_rank_test(whole[..., 0], whole[..., 1], rope=rope, **options)
    for field in ("prob_less", "prob_rope", "prob_greater"):
        np.testing.assert_array_equal(getattr(got, field), getattr(same, field))
    # the mean of w_i w_j is 2 / 110 for i = j and 1 / 110 else, of ten weights with a flat prior
    z = np.concatenate([np.zeros((TABLES, 1)), whole[..., 0] - whole[..., 1]], axis=1).astype(int)
    pairs = z[:, :, None] + z[:, None]
    weight = (1 + np.eye(10, dtype=int)) / 110
    below = (weight * (pairs < -2 * rope)).sum(axis=(1, 2))
    if rope == 0:
        below += (weight * (pairs == 0)).sum(axis=(1, 2)) / 2
    # a share has a standard deviation below 0.3, so a mean of 200 below 0.022
    assert np.abs(got.share_less - below).max() < 5 * 0.022


@pytest.mark.parametrize("decimals", DECIMALS)
def test_stochastic_order_in_fractions(decimals):
    decimal, whole = tables(decimals, 2, 7, overlapping=True)
    for (a, b), (first, second) in zip(decimal, whole.astype(int)):
        d = np.sort(first) - np.sort(second)
        found = stats.almost_stochastic_order(a, b, n_resamples=2)
        if not d.any():
            assert found.degenerate
            continue
        wanted = Fraction(int((d[d > 0] ** 2).sum()), int((d**2).sum()))
        assert found.estimate == pytest.approx(float(wanted), abs=1e-12)


@pytest.mark.slow
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


@pytest.mark.parametrize("rounds", [8, pytest.param(60, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", [n for n in PUBLIC if unit_free(n)])
def test_every_function_is_the_same_in_whole_numbers(name, rounds):
    """No function escapes by what it calls: a comparison of doubles differs in some table."""
    for seed in range(rounds):
        found, exact = (call(name, given) for given in decimals_and_whole(name, seed))
        # rounding may turn the random directions of max-t, which tells its own error
        drawn = np.max(getattr(exact, "details", {}).get("monte_carlo_error", 0))
        for field, value in without_units(exact).items():
            np.testing.assert_allclose(
                without_units(found)[field], value, rtol=1e-9, atol=1e-12 + drawn, err_msg=field
            )


def signed_ranks_of_doubles(a, b):
    """Forget that 0.825 - 0.775 is 0.375 - 0.325."""
    d = np.subtract(a, b)
    ranks = scipy_stats.rankdata(np.abs(d))
    return SimpleNamespace(pvalue=float(ranks[d > 0].sum() / ranks.sum()))


def normal_signed_ranks(a, b):
    return scipy_stats.wilcoxon(a, b, method="asymptotic")


def ranges_of_doubles(values):
    """Rank the ranges of the rows as Quade does, but as doubles."""
    ranks = scipy_stats.rankdata(np.ptp(values, axis=1))
    return SimpleNamespace(pvalue=float((ranks**2).sum()))


@pytest.mark.parametrize(
    "careless", [signed_ranks_of_doubles, normal_signed_ranks, ranges_of_doubles]
)
def test_ranks_of_doubles_are_caught(careless, monkeypatch):
    monkeypatch.setitem(PUBLIC, "stats.toy", careless)
    with pytest.raises(AssertionError):
        test_every_function_is_the_same_in_whole_numbers("stats.toy", 8)


@pytest.mark.parametrize("decimals", DECIMALS)
def test_aligned_ranks_and_ranks_with_gaps(decimals):
    """Ranks are those of whole numbers; the rest is arithmetic of few small ones."""
    n, k = 7, 4
    decimal, whole = tables(decimals, n, k)
    aligned = k * whole - whole.sum(axis=2, keepdims=True)
    d = scipy_stats.rankdata(aligned.reshape(TABLES, -1), axis=-1).reshape(whole.shape)
    d = np.rint(2 * k * (d - d.mean(axis=2, keepdims=True)))  # whole
    q = (k - 1) * (d.sum(axis=1) ** 2).sum(axis=1) / (d**2).sum(axis=(1, 2))
    found = stats.aligned_friedman_test(decimal)
    np.testing.assert_allclose(found.statistic, q, rtol=1e-10)
    gaps = np.random.default_rng(0).random((n, k)) < 0.2
    gaps[0] = False
    for one, other in zip(decimal[:100].copy(), whole[:100].copy()):
        one[gaps], other[gaps] = np.nan, np.nan
        found, expected = stats.skillings_mack_test(one), stats.skillings_mack_test(other)
        assert found.statistic == pytest.approx(expected.statistic, rel=1e-12, nan_ok=True)
        assert found.pvalue == pytest.approx(expected.pvalue, rel=1e-12, nan_ok=True)


# tests of ranks and signs take `digits`; each is in a test above
RANKED = {name for name in PUBLIC if "digits" in inspect.signature(PUBLIC[name]).parameters}
# scores are compared with each other alone, and tie by their own sizes
OF_SCORES = {
    f"stats.delong_{name}"
    for name in (
        "test", "omnibus_test", "comparisons", "unpaired_test", "multiclass_test", "partial_test",
    )
}  # fmt: skip


def is_step(name: str) -> bool:
    """Return whether a result stays the same for other values in the same order.

    It is what ranks and signs have in common, whatever they are computed with.
    """
    random = np.random.default_rng(0)
    arguments = example(name)
    moved = dict(arguments)
    for key in measured_of(name, arguments):
        if key != "covariance":
            arguments[key] = over_arrays(lambda x: random.random(x.shape), arguments[key])
            moved[key] = over_arrays(
                lambda x: x * (1 + 1e-9 * random.random(x.shape)), arguments[key]
            )
    first, second = call(name, arguments), call(name, moved)
    fields = ("estimate", "statistic", "pvalue", "effect_size", "prob_less", "tau", "correlation")
    seen = [field for field in fields if getattr(first, field, None) is not None]
    return bool(seen) and all(
        np.array_equal(getattr(first, field), getattr(second, field), equal_nan=True)
        for field in seen
    )


def held(name: str) -> bool:
    text = Path(__file__).read_text(encoding="utf-8").partition("\nRANKED = ")[0]
    return re.search(rf"\b{name}\b", text) is not None


@pytest.mark.parametrize(
    "name", [n for n in PUBLIC if n.startswith("stats.") and measured_of(n, example(n))]
)
def test_every_rank_test_takes_digits_and_is_held_to_exact_arithmetic(name):
    if is_step(name):
        assert name in RANKED | OF_SCORES, f"{name}: a test of ranks or signs without digits="
    if name in RANKED:
        assert held(name), f"{name} is not held to exact arithmetic in this file"


def test_a_rank_test_is_known_by_what_it_does(monkeypatch, words):
    def hidden(a, b):
        return SimpleNamespace(pvalue=float(np.mean(np.asarray(a)[:, None] > b)))

    assert {"stats.wilcoxon_test", "stats.friedman_test", "stats.hodges_lehmann"} < RANKED
    assert is_step("stats.wilcoxon_test")
    assert not is_step("stats.paired_t_test")
    monkeypatch.setitem(PUBLIC, "stats.hidden", hidden)
    with words.raises(AssertionError):
        test_every_rank_test_takes_digits_and_is_held_to_exact_arithmetic("stats.hidden")
