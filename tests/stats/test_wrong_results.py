"""Wrong results that users meet in other packages, each with its right value here."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from nettrial.stats.bayes_correlated import bayesian_correlated_t_test
from nettrial.stats.cluster_flips import sign_flip_test
from nettrial.stats.clustered import cluster_paired_test
from nettrial.stats.cross_validation import (
    corrected_repeated_kfold_t_test,
    corrected_resampled_t_test,
    cv5x2_f_test,
    cv5x2_t_test,
    kfold_t_test,
)
from nettrial.stats.delong import delong_test
from nettrial.stats.friedman import friedman_test, iman_davenport_test
from nettrial.stats.intervals import proportion_interval
from nettrial.stats.mcnemar import MCNEMAR_METHODS, mcnemar_test, mcnemar_test_predictions
from nettrial.stats.nemenyi import critical_difference
from nettrial.stats.paired import (
    one_sample_t_test,
    paired_t_test,
    paired_z_test,
    pooled_t_test,
    welch_t_test,
)
from nettrial.stats.proportions import binomial_test, proportion_z_test, two_proportion_test
from nettrial.stats.resampling import bootstrap_test, permutation_test
from nettrial.stats.sign import sign_test, sign_test_counts
from nettrial.stats.signed_rank import wilcoxon_test


def lines(data: Path, name: str) -> list[str]:
    return (data / "tables" / name).read_text().splitlines()


D = np.linspace(1, 2, 30)
SCORES = [0.1, 0.4, 0.35, 0.8, 0.5]
DEMSAR_RANKS = [[3.143, 2.0, 2.893, 1.964]] * 14  # the mean ranks of Table 6
PRINTED: dict[str, tuple[Callable[[], object], float, float]] = {
    # Demsar 2006, section 3.2.2, from the printed ranks of Table 6
    "Friedman of mean ranks": (
        lambda: friedman_test(DEMSAR_RANKS, ranked=True, ties="uncorrected").statistic,
        9.28,
        0.01,
    ),
    "Iman-Davenport of mean ranks": (
        lambda: iman_davenport_test(DEMSAR_RANKS, ranked=True, ties="uncorrected").statistic,
        3.69,
        0.01,
    ),
    # Demsar 2006, section 3.2.2 and Table 5a: 2.569 sqrt(4 * 5 / (6 * 4))
    "Nemenyi CD, k = N = 4": (lambda: critical_difference(4, 4), 2.345, 5e-4),
    # Dixon & Mood 1946: ties alone speak for neither side
    "sign test of ties only": (lambda: sign_test_counts(0, 0, 12).pvalue, 1, 0),
    # DeLong, DeLong & Clarke-Pearson 1988: identical scores have variance 0, not z = nan
    "DeLong of identical scores": (
        lambda: delong_test([0, 0, 1, 1, 0], SCORES, SCORES).pvalue,
        1,
        0,
    ),
    # Phipson & Smyth 2010: (0 + 1) / (B + 1) is the least, never 0
    "permutation, nothing as extreme": (
        lambda: permutation_test(D, n_resamples=999).pvalue,
        0.001,
        1e-15,
    ),
}


@pytest.mark.parametrize(("call", "value", "slack"), PRINTED.values(), ids=PRINTED)
def test_value_of_its_source(call, value, slack):
    assert call() == pytest.approx(value, rel=0, abs=slack)


def test_friedman_of_demsars_table_6(data):
    # Demsar 2006, Table 6: 9.857 from the printed values, where its printed ranks give 9.28
    rows = csv.DictReader(lines(data, "demsar2006_table6/demsar2006_table6.csv"))
    table = [[float(row[c]) for c in ("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")] for row in rows]
    result = friedman_test(table, higher_is_better=True, ties="uncorrected")
    assert round(result.statistic, 3) == 9.857


@pytest.mark.parametrize("method", MCNEMAR_METHODS)
def test_mcnemar_without_discordant_cases_has_p_one(method):
    # statsmodels and mlxtend: nan or ZeroDivisionError
    result = mcnemar_test([[3, 0], [0, 17]], method=method)
    assert result.pvalue == 1
    assert result.estimate == 0
    assert result.notes


@pytest.mark.parametrize("method", ["exact", "corrected", "uncorrected"])
def test_mcnemar_with_equal_discordant_counts_has_p_one(method):
    # the formula with correction gives chi2 = 1/6 and p = 0.683; doubling a tail gives 1.3125
    assert mcnemar_test([[0, 3], [3, 0]], method=method).pvalue == 1


def test_mcnemar_midp_and_edwards_keep_their_own_definition_at_equal_counts():
    # Fagerland, Lydersen & Laake 2013: 1 - f/2 with f = C(6, 3) / 64
    assert mcnemar_test([[0, 3], [3, 0]], method="midp").pvalue == pytest.approx(1 - 20 / 128)
    assert mcnemar_test([[0, 3], [3, 0]], method="edwards").statistic == pytest.approx(1 / 6)


def test_mcnemar_exact_counts_both_tails():
    # 0 against 4: 2 / 2^4
    assert mcnemar_test([[0, 0], [4, 9]]).pvalue == 0.125


def test_identical_predictions_have_p_one():
    y = np.array(["a", "b", "a", "b", "c"])
    wrong = np.array(["a", "b", "b", "b", "a"])
    assert mcnemar_test_predictions(y, wrong, wrong).pvalue == 1


def test_mcnemar_published_examples_of_mlxtend(data):
    rows = csv.DictReader(lines(data, "mlxtend_examples/mcnemar_2x2.csv"))
    seen = 0
    for row in rows:
        table = [
            [int(row["both_wrong"]), int(row["only_2_right"])],
            [int(row["only_1_right"]), int(row["both_right"])],
        ]
        corrected = mcnemar_test(table, method="corrected")
        assert corrected.statistic == pytest.approx(float(row["chi2_corrected"]), rel=1e-12)
        assert corrected.pvalue == pytest.approx(float(row["p_corrected"]), rel=1e-9)
        assert mcnemar_test(table).pvalue == pytest.approx(float(row["p_exact"]), rel=1e-9)
        seen += 1
    assert seen == 3


X = [0.21, 0.19, 0.25, 0.22, 0.18, 0.24, 0.20, 0.23, 0.26, 0.17]
TEN = [X, X[::-1], X, X[1:] + X[:1], X]
PAIRED = {
    "paired t": paired_t_test,
    "paired z": paired_z_test,
    "sign": sign_test,
    "wilcoxon": wilcoxon_test,
    "k-fold": kfold_t_test,
    "resampled": lambda a, b: corrected_resampled_t_test(a, b, n_train=90, n_test=10),
    "permutation": permutation_test,
    "clusters": lambda a, b: cluster_paired_test(a, b, list("aabbccddee")),
    "sign flip": lambda a, b: sign_flip_test(a, b, list("aabbccddee")),
    "bootstrap": bootstrap_test,
    "repeated k-fold": lambda a, b: corrected_repeated_kfold_t_test(
        np.reshape(a, (2, 5)), np.reshape(b, (2, 5))
    ),
    "5x2 t": lambda a, b: cv5x2_t_test(np.reshape(a, (5, 2)), np.reshape(b, (5, 2))),
    "5x2 F": lambda a, b: cv5x2_f_test(np.reshape(a, (5, 2)), np.reshape(b, (5, 2))),
}
MEANS = sorted(set(PAIRED) - {"sign", "wilcoxon", "permutation", "sign flip"})


@pytest.mark.parametrize("name", PAIRED)
def test_a_model_against_itself_has_p_one(name):
    # scipy.stats: nan for the t tests
    result = PAIRED[name](X, X)
    assert result.pvalue == 1
    assert result.notes


@pytest.mark.parametrize("name", MEANS)
@pytest.mark.parametrize("shift", [0.01, 0.05, 1e-6, 3.0])
def test_constant_differences_never_give_a_tiny_p(name, shift):
    # scipy.stats.ttest_rel: t = 1.7e16 and p = 0 on constant 0.01, also with rounding noise
    result = PAIRED[name](np.add(X, shift), X)
    assert math.isnan(result.pvalue)
    assert result.degenerate
    assert any("constant" in note or "no standard error" in note for note in result.notes)


def test_constant_samples_of_unpaired_tests():
    for test in (pooled_t_test, welch_t_test):
        assert math.isnan(test([0.2] * 3, [0.3] * 3).pvalue)
        assert test([0.2] * 3, [0.2] * 4).pvalue == 1
    assert math.isnan(one_sample_t_test([0.3] * 5, null_value=0.2).pvalue)
    assert one_sample_t_test([0.3] * 5, null_value=0.3).pvalue == 1


def test_unpooled_difference_of_90_and_80_of_100():
    # slides: z = 2.0; the pooled error, used in most packages, gives .0477
    assert round(two_proportion_test(90, 100, 80, 100).pvalue, 4) == 0.0455


def test_two_sided_question_gets_a_two_sided_p():
    # t = -7.667 with 9 degrees of freedom
    d = np.linspace(-1, 1, 10)
    d = d / d.std(ddof=1) * np.sqrt(10) - 7.667
    result = paired_t_test(d)
    assert result.statistic == pytest.approx(-7.667)
    assert result.pvalue == pytest.approx(3.10e-5, rel=2e-3)


@pytest.mark.parametrize("n_resamples", [1, 9, 99, 999])
@pytest.mark.parametrize("test", [permutation_test, bootstrap_test])
def test_resampling_p_is_never_zero(test, n_resamples):
    d = np.linspace(1, 2, 30)
    assert test(d, n_resamples=n_resamples).pvalue >= 1 / (n_resamples + 1)


def test_wilcoxon_of_demsars_table_2(data):
    # AUC of C4.5 and C4.5+m on 14 data sets: .0110 two-sided
    rows = list(csv.DictReader(lines(data, "demsar2006_table6/demsar2006_table6.csv")))
    d = [round(float(r["C4.5+m"]) - float(r["C4.5"]), 3) for r in rows]
    result = wilcoxon_test(d, method="normal", zeros="demsar", tie_correction=False)
    assert round(result.pvalue, 4) == 0.0110


@pytest.mark.parametrize(
    ("name", "t", "f"), [("logreg_vs_tree", -1.539, 1.053), ("logreg_vs_stump", 5.386, 34.934)]
)
def test_5x2cv_of_the_iris_example_of_mlxtend(data: Path, name: str, t: float, f: float):
    table = csv.DictReader(lines(data, "mlxtend_examples/iris_5x2cv_folds.csv"))
    rows = [r for r in table if r["comparison"] == name]
    a, b = (np.reshape([float(r[c]) for r in rows], (5, 2)) for c in ("acc_1", "acc_2"))
    assert cv5x2_t_test(a, b).statistic == pytest.approx(t, abs=1e-3)
    assert cv5x2_f_test(a, b).statistic == pytest.approx(f, abs=1e-2)


def test_5x2cv_signs_are_minus():
    d = np.array([[0.05, 0.051], [0.06, 0.058], [0.049, 0.05], [0.055, 0.052], [0.061, 0.06]])
    m = d.mean(axis=1, keepdims=True)
    printed = d[0, 0] / np.sqrt(((d + m) ** 2).sum(axis=1).mean())
    assert cv5x2_t_test(d).statistic == pytest.approx(39.528, abs=1e-3)
    assert abs(printed) < 1


def test_order_of_the_first_fold_matters_only_for_t():
    rng = np.random.default_rng(3)
    d = rng.normal(0.01, 0.02, (5, 2))
    assert cv5x2_t_test(d).pvalue != cv5x2_t_test(d[::-1]).pvalue
    assert cv5x2_f_test(d).pvalue == pytest.approx(cv5x2_f_test(d[::-1]).pvalue)


def test_bayesian_posterior_agrees_with_the_corrected_t():
    # rho = n_test / n makes P(mean < 0) the one-sided p-value
    rng = np.random.default_rng(5)
    d = rng.normal(0.01, 0.02, 10)
    posterior = bayesian_correlated_t_test(d, rho=0.1)
    p = corrected_resampled_t_test(d, n_train=90, n_test=10, alternative="greater").pvalue
    assert posterior.prob_negative == pytest.approx(p)


def test_interval_of_the_slides_covers_less_than_it_says():
    # [6, 16] errors of 40 at p = 0.3 covers 92.8%, [6, 17] covers 95.9%
    def between(low: int, high: int) -> float:
        below = binomial_test(low - 1, 40, null_value=0.3, alternative="less").pvalue
        return binomial_test(high, 40, null_value=0.3, alternative="less").pvalue - below

    assert round(between(6, 16), 3) == 0.928
    assert round(between(6, 17), 3) == 0.959


def test_clopper_pearson_for_tiny_rates():
    # SciPy's proportion_ci is off by 6e-9 here; the ends solve the binomial tails
    result = proportion_interval(3, 1_000_000, method="exact")
    upper = binomial_test(3, 1_000_000, null_value=result.ci_high, alternative="less").pvalue
    lower = binomial_test(3, 1_000_000, null_value=result.ci_low, alternative="greater").pvalue
    assert upper == pytest.approx(0.025, rel=1e-13)
    assert lower == pytest.approx(0.025, rel=1e-13)


def test_rules_of_thumb_are_told():
    assert proportion_z_test(1, 20, null_value=0.1).notes
    assert not proportion_z_test(12, 40, null_value=0.35).notes
    assert any("30" in note for note in paired_z_test(X, X[::-1]).notes)
