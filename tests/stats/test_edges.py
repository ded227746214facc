"""Right values at the edges: noise, labels, extreme rates, few clusters, bounded intervals."""

from __future__ import annotations

import json
import math
import re
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy import stats as scipy_stats

from nettrial import from_adjacency, metrics, stats
from nettrial.cli import cli
from nettrial.cli.power_command import command as power_command
from nettrial.cli.test_command import command
from nettrial.core.errors import AssumptionWarning, InputError
from nettrial.stats.catalog import CATALOG

NOISY, CLEAN = [0.1 + 0.2] * 12, [0.3] * 12


def test_noise_is_no_difference_of_twelve_pairs():
    # counted as data it was p = 0.0005 for Wilcoxon, sign and Friedman, 0.008 for Kruskal-Wallis
    wilcoxon = stats.wilcoxon_test(NOISY, CLEAN)
    assert (wilcoxon.pvalue, wilcoxon.details["median_difference"]) == (1, 0)
    assert stats.sign_test(NOISY, CLEAN).pvalue == 1
    assert stats.friedman_test(np.column_stack([NOISY, CLEAN])).pvalue == 1
    assert stats.kruskal_wallis_test([NOISY, CLEAN]).pvalue == 1
    assert stats.cliffs_delta(NOISY, CLEAN).estimate == 0


def test_signed_ranks_of_decimals():
    # differences -0.025, 0.05, 0.05, -0.05: ranks 1 and three times 3, so W+ = 6; of the 16 signs
    # 8 give at least 6
    a, b = [0.5, 0.825, 0.375, 0.5], [0.525, 0.775, 0.325, 0.55]
    result = stats.wilcoxon_test(a, b, alternative="greater")
    assert (result.statistic, result.pvalue) == (6, 0.5)


def test_effects_of_noise():
    assert stats.hedges_g([0.1 + 0.2] * 3 + [0.3], [0.3] * 4).estimate == 0
    x = np.random.default_rng(0).random(9)
    # a shift by 1e-6 throughout: the spread is that of rounding, and no unit
    assert math.isnan(stats.cohens_dz(x + 1e-6, x).estimate)


def test_a_posterior_of_noise_lies_in_the_rope():
    found = stats.bayesian_correlated_t_test(NOISY, CLEAN, rho=0.1)
    assert (found.prob_less, found.prob_rope, found.prob_greater) == (0, 1, 0)


def test_digits_say_what_the_values_hold(words):
    a, b = [0.301, 0.402, 0.2], [0.3, 0.4, 0.3]
    assert stats.sign_test(a, b).details["n_ties"] == 0
    assert stats.sign_test(a, b, digits=2).details["n_ties"] == 2
    assert stats.wilcoxon_test(a, b, digits=2).details["n_zero"] == 2
    assert stats.friedman_test([a, a], digits=1).details["mean_ranks"] == (2, 3, 1)
    assert stats.kruskal_wallis_test([a, b], digits=1).details["mean_ranks"] == (9.5 / 3, 11.5 / 3)
    with words.raises(InputError):
        stats.sign_test(a, b, digits=0)


@pytest.mark.parametrize("decimals", [2, 3, 4])
def test_the_command_line_reads_decimals_as_decimals(decimals, tmp_path):
    random = np.random.default_rng(decimals)
    whole = random.integers(0, 20, size=(15, 3))
    lines = [",".join(f"0.{value:0{decimals}d}" for value in row) for row in whole.tolist()]
    path = tmp_path / "table.csv"
    path.write_text("\n".join(["A,B,C", *lines]))

    def pvalue(*arguments: str) -> float:
        done = CliRunner().invoke(command, [*arguments, "--json"])
        assert done.exit_code == 0, done.output
        return float(json.loads(done.stdout)["pvalue"])

    pair = ("--a", "A", "--b", "B")
    exact = whole.astype(float)
    assert pvalue("wilcoxon", str(path), *pair) == stats.wilcoxon_test(*exact.T[:2]).pvalue
    assert pvalue("sign", str(path), *pair) == stats.sign_test(*exact.T[:2]).pvalue
    assert pvalue("friedman", str(path)) == stats.friedman_test(exact).pvalue
    assert pvalue("kruskal-wallis", str(path)) == stats.kruskal_wallis_test(list(exact.T)).pvalue
    rounded = stats.sign_test(exact[:, 0].round(), exact[:, 1], digits=1).pvalue
    assert pvalue("sign", str(path), *pair, "--set", "digits=1") == rounded


def test_labels_of_other_types_are_not_all_wrong(words):
    with words.raises(InputError):
        metrics.error(["1", "0"], [1, 0])
    truth, a = np.arange(10) % 2, np.zeros(10, dtype=int)
    with words.raises(InputError):
        stats.mcnemar_test_predictions(truth.astype(str), a, truth)
    # only the second is always right: 2 / 2^5 for the five cases where the first errs
    assert stats.mcnemar_test_predictions(truth, a, truth).pvalue == 2 / 2**5
    # ten such cases: 0.002 (R's binom.test(10, 10)), and not 1
    twice = np.tile(truth, 2), np.tile(a, 2)
    assert stats.mcnemar_test_predictions(*twice, twice[0]).pvalue == 0.001953125


def test_highest_density_at_an_end():
    # Beta(1/2, 1) has the distribution function sqrt(x): 0.95 squared
    low = stats.beta_posterior(0, 0, prior=(0.5, 1))
    assert (low.hdi_low, low.hdi_high) == (0, pytest.approx(0.9025, rel=1e-12))
    high = stats.beta_posterior(0, 0, prior=(1, 0.5))
    assert (high.hdi_low, high.hdi_high) == (pytest.approx(0.0975, rel=1e-12), 1)
    for prior in ((1, 3), (0.5, 3), (3, 1), (3, 0.5)):
        found = stats.beta_posterior(0, 0, prior=prior)
        inside = scipy_stats.beta.cdf([found.hdi_low, found.hdi_high], *prior)
        assert np.diff(inside) == pytest.approx(0.95, rel=1e-10)
        assert 0 in (found.hdi_low, 1 - found.hdi_high)
    flat = stats.beta_posterior(0, 0)
    assert math.isnan(flat.hdi_low)


@pytest.mark.parametrize("rule", ["clusters", "satterthwaite", "effective", "joint"])
@pytest.mark.parametrize("correction", ["CR0", "CR1", "CR2"])
def test_no_degrees_of_freedom_above_one_less_than_clusters(rule, correction):
    random = np.random.default_rng(5)
    for g in (2, 3, 5):
        clusters = np.arange(30) % g
        for weights in (None, random.uniform(0.1, 5, 30)):
            found = stats.cluster_mean_test(
                random.normal(size=(200, 30)),
                clusters,
                weights=weights,
                df=rule,
                correction=correction,
            )
            assert (np.asarray(found.df) <= g - 1).all()
        parts = stats.cluster_contributions(random.normal(size=(50, 30)), clusters)
        assert (parts.df <= g - 1).all()
        assert parts.common_df <= g - 1


@pytest.mark.parametrize("rule", ["effective", "joint"])
def test_size_with_two_clusters(rule):
    # two independent cluster means are two values: t with 1 degree of freedom is exact
    random = np.random.default_rng(6)
    trials = 4000
    values = np.repeat(random.normal(size=(trials, 2)), 5, axis=1)
    p = stats.cluster_mean_test(values, np.repeat([0, 1], 5), df=rule).pvalue
    expected = scipy_stats.ttest_1samp(values[:, ::5], 0, axis=-1).pvalue
    np.testing.assert_allclose(p, expected, rtol=1e-9)


def test_rates_of_zero_and_one():
    found = stats.two_proportion_test(100, 100, 0, 100)
    # z = 1 / sqrt(1/4 (1/100 + 1/100)), the pooled test: R's prop.test without correction
    z = 1 / math.sqrt(0.25 * 0.02)
    assert found.statistic == pytest.approx(z, rel=1e-14)
    assert found.pvalue == pytest.approx(2 * scipy_stats.norm.sf(z), rel=1e-12)
    assert not found.degenerate
    # Newcombe (1998), method 10, from Wilson's 100/100: [0.963, 1] and 0/100: [0, 0.037]
    end = 100 / (100 + scipy_stats.norm.ppf(0.975) ** 2)
    low = 1 - math.hypot(1 - end, 1 - end)
    assert (found.ci_low, found.ci_high) == (pytest.approx(low, rel=1e-12), 1)
    for side, tail in (("less", 1.0), ("greater", 0.0)):
        one = stats.two_proportion_test(100, 100, 0, 100, alternative=side)
        assert one.pvalue == pytest.approx(tail, abs=1e-40)
    assert stats.two_proportions_power(1.0, 0.0, 1000).power == 1


@pytest.mark.filterwarnings("ignore:with so few cases")
@pytest.mark.parametrize("kind", ["unpooled", "pooled"])
def test_larger_effects_need_no_larger_samples(kind):
    rates = (0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 1.0)
    needed = [stats.two_proportions_sample_size(p, 1 - p, standard_error=kind).n for p in rates]
    assert all(more <= less for less, more in pairwise(needed))
    # the smallest n at which 0 of n against n of n is rejected: z = sqrt(2 n) > 1.96
    assert needed[-1] == 2


@pytest.mark.filterwarnings("ignore:with so few cases")
@pytest.mark.parametrize(
    ("rates", "unpooled", "pooled", "formula"),
    [
        # it was 9 for the first and 81 for the second; the formula without correction, which is
        # normal throughout, is that of R's power.prop.test
        ((Fraction(9, 10), Fraction(1, 10)), 3, 4, 4.746808),
        ((Fraction(99, 100), Fraction(1, 100)), 2, 2, 2.35632),
    ],
)
def test_sample_sizes_of_two_proportions_by_enumeration(rates, unpooled, pooled, formula):
    def power(n: int, kind: str) -> Fraction:
        """Sum the chances of all outcomes that are rejected, in fractions."""
        mass = [[math.comb(n, x) * p**x * (1 - p) ** (n - x) for x in range(n + 1)] for p in rates]
        total = Fraction(0)
        for x, y in product(range(n + 1), repeat=2):
            a, b = Fraction(x, n), Fraction(y, n)
            both = (a + b) / 2
            variance = 2 * both * (1 - both) / n
            if kind == "unpooled" and a * (1 - a) + b * (1 - b) > 0:
                variance = (a * (1 - a) + b * (1 - b)) / n
            if variance > 0 and float((a - b) ** 2 / variance) > scipy_stats.norm.ppf(0.975) ** 2:
                total += mass[0][x] * mass[1][y]
        return total

    for kind, n in (("unpooled", unpooled), ("pooled", pooled)):
        found = stats.two_proportions_sample_size(*map(float, rates), standard_error=kind)
        assert found.n == n
        assert found.power == pytest.approx(float(power(n, kind)), rel=1e-12)
        assert power(n, kind) >= Fraction(4, 5) > power(n - 1, kind)
        assert abs(n - formula) < 4


def rejected_by_z(n: int) -> list[tuple[int, int]]:
    """Return the errors of two samples of n for which unpooled z is above 1.96, in fractions."""
    found = []
    for x, y in product(range(n + 1), repeat=2):
        a, b = Fraction(x, n), Fraction(y, n)
        variance = (a * (1 - a) + b * (1 - b)) / n or (a + b) * (2 - a - b) / (2 * n)
        if variance and float((a - b) ** 2 / variance) > scipy_stats.norm.ppf(0.975) ** 2:
            found.append((x, y))
    return found


def rejected_by_fisher(n: int) -> list[tuple[int, int]]:
    every = product(range(n + 1), repeat=2)
    tables = {(x, y): [[x, n - x], [y, n - y]] for x, y in every}
    return [at for at, table in tables.items() if scipy_stats.fisher_exact(table)[1] <= 0.05]


def chance(outcomes: list[tuple[int, int]], n: int, p: Fraction, q: Fraction) -> float:
    each = (
        math.comb(n, x) * p**x * (1 - p) ** (n - x) * math.comb(n, y) * q**y * (1 - q) ** (n - y)
        for x, y in outcomes
    )
    return float(sum(each))


@pytest.mark.parametrize(
    ("high", "n", "error", "fisher"), [("0.9", 3, 7 / 32, 7), ("0.99", 2, 1 / 8, 4)]
)
def test_few_cases_are_told_with_their_error_and_what_fishers_test_needs(high, n, error, fisher):
    p = Fraction(high)
    # the largest is at one half
    assert chance(rejected_by_z(n), n, Fraction(1, 2), Fraction(1, 2)) == error
    for exact in (fisher - 1, fisher):
        power = chance(rejected_by_fisher(exact), exact, p, 1 - p)
        assert (power >= 0.8) == (exact == fisher)
        if exact == fisher:
            continue
        with pytest.warns(AssumptionWarning, match=f"has a power of {power:.2g} there"):
            stats.two_proportions_power(float(p), float(1 - p), exact)
    with pytest.warns(AssumptionWarning, match="so few cases") as note:
        found = stats.two_proportions_sample_size(float(p), float(1 - p))
    assert found.n == n
    assert found.details["type_1_error"] == pytest.approx(error, rel=1e-12)
    assert found.notes[0] == str(note[0].message)
    assert f"up to {error:.2g}, not 0.05" in found.notes[0]
    assert f"needs {fisher} and {fisher}" in found.notes[0]
    done = CliRunner().invoke(power_command, ["two-proportions", high, str(float(1 - p))])
    assert found.notes[0] in " ".join(done.output.split())


def test_enough_cases_hold_the_level():
    found = stats.two_proportions_sample_size(0.3, 0.2)
    assert found.n == 291
    assert 0.05 <= found.details["type_1_error"] < 0.055
    assert len(found.notes) == 1


def test_series_with_other_indexes_are_not_paired_by_position(words):
    # one set of rows in two orders: by position p is 0.99, by row 0.0000002
    a = pd.Series([0.31, 0.22, 0.45, 0.37, 0.28, 0.40], index=list("uvwxyz"))
    b = (a - [0.020, 0.021, 0.019, 0.020, 0.022, 0.021]).iloc[[3, 5, 0, 1, 2, 4]]
    by_position = stats.paired_t_test(a.to_numpy(), b.to_numpy()).pvalue
    by_row = stats.paired_t_test(*a.align(b)).pvalue
    assert by_position > 0.5 > 1e-6 > by_row
    assert by_row == pytest.approx(scipy_stats.ttest_rel(a, b[a.index]).pvalue, rel=1e-10)
    with words.raises(InputError):
        stats.paired_t_test(a, b)


def test_max_t_tells_its_own_error_and_keeps_it_small():
    # all pairs of k equal independent means: the studentized range is exact
    k = 8
    i, j = np.triu_indices(k, 1)
    contrasts = np.eye(k)[i] - np.eye(k)[j]
    estimate = np.linspace(0.5, 4.5, i.size)
    names = {"first": [f"a{n}" for n in i], "second": [f"a{n}" for n in j]}
    exact = scipy_stats.studentized_range.sf(estimate, k, np.inf)
    for seed in range(4):
        found = stats.max_t_comparisons(estimate, contrasts @ contrasts.T, seed=seed, **names)
        error = found.details["monte_carlo_error"]
        assert (error <= 0.0005).all()
        # 5 standard errors from 16 blocks (t with 15 df, one in 6,000), and the bins' bias
        assert (np.abs(found.adjusted_pvalue - exact) <= 5 * error + 1e-5).all()
    one = stats.max_t_comparisons([2.0], [[1.0]], first=["a"], second=["b"])
    assert one.details["monte_carlo_error"].tolist() == [0]


def test_one_interval_of_the_rank_biserial_correlation():
    random = np.random.default_rng(7)
    a, b = random.normal(0.4, 1, 25), random.normal(size=25)
    effect, test = stats.rank_biserial(a, b), stats.wilcoxon_test(a, b)
    assert (effect.estimate, effect.ci_low, effect.ci_high) == (
        test.estimate,
        test.ci_low,
        test.ci_high,
    )
    assert effect.ci_low < effect.ci_high <= 1
    perfect = stats.rank_biserial([1, 2, 3, 4])
    assert perfect.estimate == 1
    assert perfect.ci_low < perfect.ci_high == 1
    # all tied, all but one tied, one pair: no pair left is the whole range
    for pairs, ends in (
        ((NOISY, CLEAN), (-1, 1)),
        (([0.5, *NOISY], [0.4, *CLEAN]), None),
        (([0.3], [0.3]), (-1, 1)),
        (([0.4], [0.3]), None),
    ):
        effect, test = stats.rank_biserial(*pairs), stats.wilcoxon_test(*pairs)
        assert (effect.estimate, effect.ci_low, effect.ci_high, effect.degenerate) == (
            test.estimate,
            test.ci_low,
            test.ci_high,
            test.degenerate,
        )
        assert ends is None or (effect.ci_low, effect.ci_high) == ends
    for function in (stats.rank_biserial, stats.wilcoxon_test):
        with pytest.raises(InputError):
            function([], [])


@pytest.mark.parametrize("shift", [0.0, 0.5, 3.0])
def test_one_interval_of_cliffs_delta(shift):
    random = np.random.default_rng(8)
    a, b = random.normal(shift, 1, 12).round(1), random.normal(size=9).round(1)
    for first, second in ((a, b), (NOISY, CLEAN)):
        effect, test = stats.cliffs_delta(first, second), stats.mann_whitney_test(first, second)
        area = metrics.auc([1] * len(first) + [0] * len(second), np.concatenate([first, second]))
        for found in (test, area):
            ends = (found.ci_low, found.ci_high)
            ends = tuple(2 * end - 1 for end in ends) if found is area else ends
            assert (effect.ci_low, effect.ci_high) == pytest.approx(ends, abs=1e-12)


def test_intervals_of_the_area_are_bounded_and_have_width():
    perfect = metrics.auc([0, 0, 0, 1, 1], [1, 2, 3, 4, 5])
    assert perfect.ci_low < perfect.ci_high == 1
    worst = metrics.auc([0, 0, 0, 1, 1], [5, 4, 3, 2, 1])
    assert 0 == worst.ci_low < worst.ci_high
    assert worst.ci_high == pytest.approx(1 - perfect.ci_low, rel=1e-9)
    # Newcombe (2006), method 5: each end solves (A - t)^2 = z^2 var(t)
    found = metrics.auc([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6])
    for end in (found.ci_low, found.ci_high):
        spread = 1 + 2 * ((1 - end) / (2 - end) + end / (1 + end))
        variance = end * (1 - end) * spread / 9
        z = abs(found.auc - end) / math.sqrt(variance)
        assert z == pytest.approx(scipy_stats.norm.ppf(0.975), rel=1e-9)
    delta = stats.cliffs_delta([3, 5, 6], [1, 2, 4])
    assert (delta.ci_low + 1) / 2 == pytest.approx(found.ci_low, rel=1e-12)


def test_weights_widen_the_bounded_interval_of_the_area():
    labels, scores = np.arange(40) % 2, np.random.default_rng(3).normal(size=40)
    plain, equal = (metrics.auc(labels, scores, weights=w) for w in (None, np.full(40, 7.0)))
    assert equal.ci_low == pytest.approx(plain.ci_low, rel=1e-12)
    uneven = np.where(np.arange(40) < 8, 10.0, 1.0)
    found = metrics.auc(labels, scores, weights=uneven)
    # 4 tens and 16 ones a class are worth 56² / 416 = 7.5 equal cases
    assert found.ci_high - found.ci_low > 1.3 * (plain.ci_high - plain.ci_low)
    assert 0 <= found.ci_low <= found.auc <= found.ci_high <= 1


def test_coverage_of_the_bounded_intervals():
    random = np.random.default_rng(8)
    shift, trials = 1.2, 400
    truth = scipy_stats.norm.cdf(shift / math.sqrt(2))
    labels = np.arange(40) < 20
    hits = 0
    for _ in range(trials):
        found = metrics.auc(labels, random.normal(size=40) + shift * labels)
        hits += found.ci_low <= truth <= found.ci_high
    # binomial(400, 0.95): below 363 with a chance under one in a thousand
    assert hits >= 363


def test_the_normal_form_of_a_large_wilcoxon_test_and_its_error():
    random = np.random.default_rng(9)
    for n in (100, 300, 500):
        d = random.normal(0.05, 1, n)
        exact = stats.wilcoxon_test(d, method="exact")
        normal = stats.wilcoxon_test(d, method="normal-corrected")
        assert exact.details["exact"]
        assert exact.details["normal_error"] == 0
        # the bound is a first term; the next one is below a tenth of it here
        assert abs(exact.pvalue - normal.pvalue) <= 1.1 * normal.details["normal_error"]
    large = stats.wilcoxon_test(random.normal(0.05, 1, 3000), method="exact")
    assert large.details["exact"] is False
    assert 0 < large.details["normal_error"] < 1e-4
    assert "500" in large.notes[0]


def test_what_was_an_error_of_python_is_a_refusal(words):
    for call in (
        lambda: stats.beta_posterior(1, 2, prior=(1, 2, 3)),
        lambda: stats.adjust([0.1, 0.2], axis=2),
        lambda: stats.random_effects([1e200, 1e200], [1e200, 1e200]),
        lambda: stats.cluster_contributions([["1", "2"]], ["a", "b"]),
        lambda: stats.max_t_comparisons([1j], [[1.0]], first=["a"], second=["b"]),
        lambda: stats.max_t_comparisons(
            np.ma.masked_array([1.0], mask=[True]), [[1.0]], first=["a"], second=["b"]
        ),
    ):
        with pytest.raises(InputError):
            call()
    torch = pytest.importorskip("torch")
    with words.raises(InputError):
        stats.sign_test(torch.ones(3, requires_grad=True))


def test_the_variance_model_reads_numbers_alone(words):
    from nettrial.stats.theory import variance_terms

    for p in ("0.1", 0.1 + 0j, np.ma.masked_array([0.1], mask=[True]), [0.1, [0.2]]):
        with words.raises(InputError):
            variance_terms(p, 0.9, 0.2, n=210, m=300, links=1260)
    with words.raises(InputError):
        variance_terms(0.1, 0.9, 0.2, n=[1, 2], m=[300] * 3, links=1260)


def test_the_unit_of_weights_does_not_count():
    """Dense matrices of clubSandwich's form give the same at every scale (numpy, by hand)."""
    v = [0.3, 0.1, 0.7, 0.45, 0.35, 0.6, 0.8, 0.2, 0.15, 0.55]
    w, c = np.array([5, 3, 8, 1, 2, 7, 7, 4, 3, 6.0]), list("aabbccddee")
    for correction in ("CR0", "CR1", "CR2"):
        for df in ("clusters", "satterthwaite", "effective", "joint"):
            wanted = stats.cluster_mean_test(v, c, weights=w, correction=correction, df=df)
            for unit in (1e-60, 1e-8, 1e6, 1e60):
                found = stats.cluster_mean_test(
                    v, c, weights=unit * w, correction=correction, df=df
                )
                assert found.standard_error == pytest.approx(wanted.standard_error, rel=1e-9)
                assert found.pvalue == pytest.approx(wanted.pvalue, rel=1e-9)


def test_decimal_weights_make_no_negative_counts():
    rng = np.random.default_rng(0)
    for _ in range(300):
        truth, said = rng.integers(0, 3, (2, 5))
        weights = rng.choice([0.1, 0.2, 0.3, 0.5, 0.7, 1.1], 5)
        for measure in (metrics.precision, metrics.recall, metrics.balanced_accuracy):
            found = measure(truth, said, weights=weights)
            wanted = measure(truth, said, weights=np.round(10 * weights))
            assert found == pytest.approx(wanted, nan_ok=True)


def test_labels_that_only_look_alike(words):
    for a, b in (
        ([Decimal("0.1"), Decimal("0.2")], [0.1, 0.2]),
        ([Fraction(1, 10), Fraction(1, 5)], [0.1, 0.2]),
        (np.array([0.1, 0.2], dtype=np.float32), [0.1, 0.2]),
        (np.array(["2020-01-01", "2020-01-02"], dtype="M8[ns]"), [18262, 18263]),
    ):
        with words.raises(InputError):
            metrics.error(a, b)
    assert metrics.error([Decimal("0.1")], [Decimal("0.10")]) == 0
    assert metrics.error(np.array([0, 1], dtype=np.float32), [0, 1]) == 0
    days, times = (np.array(["2020-01-01", "2020-01-02"], dtype=f"M8[{u}]") for u in ("D", "ns"))
    assert metrics.error(days, times) == 0
    missing = np.array(["2020-01-01", "NaT"], dtype="M8[D]")
    with words.raises(InputError):
        metrics.error(missing, missing)


def test_shapiro_and_wilks_test_has_no_unit():
    x = np.random.default_rng(0).random(9)
    wanted = scipy_stats.shapiro(x)
    for unit in (1e-22, 1e-100, 1e100):
        found = stats.normal_quantiles(unit * x)
        assert found.statistic == pytest.approx(wanted.statistic, rel=1e-9)
        assert found.pvalue == pytest.approx(wanted.pvalue, rel=1e-7)


def test_whole_numbers_are_exact_or_refused(words):
    for a, b in (([10**16 + 1] * 6, [10**16] * 6), ([2**70] * 6, [2**70 + 5] * 6)):
        for test in (stats.sign_test, stats.wilcoxon_test, stats.mann_whitney_test):
            with words.raises(InputError):
                test(a, b)
    # as integers the values are exact, and six wins of six have p = 2 / 2^6
    assert stats.sign_test([10**14 + 1] * 6, [10**14] * 6).pvalue == 2 / 2**6
    # as floats they are what floats hold
    assert stats.sign_test([1e16 + 2] * 6, [1e16] * 6).details["n_ties"] == 6
    for labels in ([2**53 + 1, 0.5], [float(2**53 + 2), 1.0]):
        with words.raises(InputError):
            metrics.error(labels, [2**53, 0])
    assert metrics.error([2**53 + 1, 0], [2**53, 0]) == 0.5
    # weights are not compared
    heavy = stats.cluster_mean_test([0.1, 0.2, 0.4], list("abc"), weights=[2**60, 2**61, 2**60])
    assert heavy.estimate == pytest.approx(0.225)
    from_adjacency(np.array([[0, 2**60], [2**60, 0]]), ["x", "y"])  # is not refused
    assert metrics.error([0, 1], [0, 0], weights=[2**60, 2**60]) == 0.5


def test_the_command_line_refuses_whole_numbers_that_it_cannot_tell_apart(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("A,B\n" + "10000000000000001,10000000000000000\n" * 6)
    done = CliRunner().invoke(cli, ["test", "sign", str(path), "--a", "A", "--b", "B"])
    assert done.exit_code != 0
    assert "whole numbers up to 2^47" in done.output


# what a test needs besides columns A and B, by its name or the shape of its table
RSC = ("n=4", "m=8", "links=4", "q_a=0.9", "q_b=0.9", "rho_a=0.1", "rho_b=0.1")
NEEDED = {
    **{
        f"rsc-{kind}": [word for each in RSC for word in ("--set", each)]
        for kind in ("paired", "unpaired")
    },
    "corrected-resampled-t": ["--set", "n_train=90", "--set", "n_test=10"],
    "corrected-repeated-kfold-t": ["--folds", "5"],
    "bayesian-correlated-t": ["--set", "rho=0.1"],
    "scores": ["--truth", "truth", "--a", "A", "--b", "B"],
    "several scores": ["--truth", "truth", "--columns", "A,B,C"],
    "groups": ["--columns", "A,B,C"],
    "table": ["--columns", "A,B,C"],
    "table with gaps": ["--columns", "A,B,C"],
    "sample": ["--columns", "A", "--set", "null_value=0.3"],
    "clustered sample": ["--columns", "A", "--groups", "cluster", "--set", "null_value=0.3"],
    "clustered pairs": ["--groups", "cluster", "--a", "A", "--b", "B"],
}
TOLD = [
    spec
    for spec in CATALOG.values()
    if spec.shape in {*NEEDED, "pairs", "two samples", "five by two", "pairs by replicate"}
    if spec.name != "cochran-q"
]


@pytest.mark.parametrize("spec", TOLD, ids=[spec.name for spec in TOLD])
@pytest.mark.parametrize("step", [0.0, 0.1])
def test_words_of_the_command_line_claim_nothing_without_variation(spec, step, tmp_path):
    path = tmp_path / "table.csv"
    rows = [["A,B,C,truth,cluster"]]
    for i in range(10):
        # 0.3 and its neighbor, which a program writes
        noisy = [f"{0.3 + j * step + (i * j % 2) * 5.6e-17!r}" for j in range(3)]
        rows.append([*noisy, str(i % 2), "abcde"[i // 2]])
    path.write_text("\n".join(",".join(row) for row in rows))
    pair = ["--a", "A", "--b", "B"]
    options = NEEDED.get(spec.name, []) + NEEDED.get(spec.shape, pair)
    arguments = [spec.name, str(path), *options]
    done = CliRunner().invoke(command, arguments)
    assert done.exit_code == 0, done.output
    found = json.loads(CliRunner().invoke(command, [*arguments, "--json"]).stdout)
    p = np.ravel([found.get("adjusted_pvalue", found.get("pvalue", []))]).tolist()
    assert 0 not in p
    words = " ".join(done.output.split())
    if spec.name.startswith("bayesian"):
        assert step or "equal" in words or "No decision" in words
    elif step == 0 or spec.shape.endswith("scores") or spec.shape == "sample":
        assert re.search("No (evidence|answer)", words), words
    elif set(p) == {None} or spec.name == "hodges-lehmann":
        assert words.startswith("No answer"), words


def test_one_data_set_is_no_answer_on_others(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("A,B\n0.3,0.4\n")
    for name in ("bayesian-sign", "bayesian-signed-rank"):
        done = CliRunner().invoke(command, [name, str(path)])
        assert done.output.startswith("No answer on A and B over data sets like these, one does")
