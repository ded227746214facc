"""Input that is not numbers is refused with a reason by every test, never bent or let through."""

from __future__ import annotations

import numpy as np
import pytest

from nettrial import metrics, stats
from nettrial.core.errors import InputError

FINE = [0.2, 0.3, 0.25, 0.1, 0.22, 0.31]
GROUPS = list("aabbcc")
BAD = {
    "text": list("abcdef"),
    "numbers as text": list("123456"),
    "one word": "abc",
    "ragged": [[1, 2], [3]],
    "complex": np.array([1j] * 6),
    "dates": np.array(["2020-01-01"] * 6, dtype="datetime64[D]"),
    "masked": np.ma.array(FINE, mask=[0, 1, 0, 0, 0, 0]),
    "dict": {"a": 1},
    "None": None,
    "nan": [np.nan, *FINE[1:]],
    "empty": [],
    "whole number beyond doubles": [10**400] * 6,
}
HUGE = [1e308, -1e308, 1e308, -1e307, 1e300, 1e308]
RANKS = {
    "sign_test",
    "wilcoxon_test",
    "mann_whitney_test",
    "hodges_lehmann",
    "cliffs_delta",
    "rank_biserial",
}
PAIRS = {
    "paired_t_test": {},
    "paired_z_test": {},
    "pooled_t_test": {},
    "welch_t_test": {},
    "sign_test": {},
    "wilcoxon_test": {},
    "mann_whitney_test": {},
    "hodges_lehmann": {},
    "almost_stochastic_order": {"n_resamples": 9},
    "kfold_t_test": {},
    "corrected_resampled_t_test": {"n_train": 90, "n_test": 10},
    "permutation_test": {"n_resamples": 9},
    "bootstrap_test": {"n_resamples": 9},
    "bayesian_correlated_t_test": {"rho": 0.1},
    "bayesian_sign_test": {},
    "bayesian_signed_rank_test": {"n_samples": 9},
    "cohens_d": {},
    "cohens_dz": {},
    "cliffs_delta": {},
    "rank_biserial": {},
    "hotelling_paired_test": {},
    "hotelling_two_sample_test": {},
    "cluster_paired_test": {"clusters": GROUPS},
    "sign_flip_test": {"clusters": GROUPS},
}
SEVERAL = ["oneway_anova", "kruskal_wallis_test", "dunn_test", "tukey_hsd", "games_howell"]
TABLES = [
    "friedman_test",
    "iman_davenport_test",
    "nemenyi_test",
    "control_comparisons",
    "siegel_test",
    "conover_test",
    "quade_test",
    "quade_comparisons",
    "repeated_measures_anova",
    "paired_comparisons",
    "cochran_q_test",
]
SCORES = ["auc", "average_precision", "roc_curve", "log_loss", "squared_loss", "calibration"]


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("name", PAIRS)
def test_pairs(name, bad):
    for a, b in ((FINE, BAD[bad]), (BAD[bad], FINE)):
        if bad == "None" and b is None:
            continue
        with pytest.raises(InputError):
            getattr(stats, name)(a, b, **PAIRS[name])


@pytest.mark.parametrize("name", PAIRS)
def test_squares_beyond_doubles_are_refused_not_warned_of(name, words):
    with words.raises(InputError):
        getattr(stats, name)(HUGE, FINE, **PAIRS[name])


@pytest.mark.parametrize("name", sorted(set(PAIRS) - RANKS - {"sign_flip_test"}))
def test_sizes_whose_squares_vanish_are_refused_not_called_equal(name, words):
    with words.raises(InputError):
        getattr(stats, name)(np.array(FINE) * 1e-170, np.zeros(6), **PAIRS[name])


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("name", SEVERAL)
def test_groups(name, bad):
    with pytest.raises(InputError):
        getattr(stats, name)([FINE, BAD[bad], FINE])
    with pytest.raises(InputError):
        getattr(stats, name)(None)


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("name", TABLES)
def test_tables(name, bad):
    with pytest.raises(InputError):
        getattr(stats, name)([FINE, BAD[bad]] if bad != "masked" else np.ma.stack([BAD[bad]] * 3))
    with pytest.raises(InputError):
        getattr(stats, name)(BAD[bad])


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("name", SCORES)
def test_scores(name, bad):
    with pytest.raises(InputError):
        getattr(metrics, name)([0, 1, 0, 1, 0, 1], BAD[bad])


@pytest.mark.parametrize(
    "call",
    [
        lambda x: stats.paired_t_test(FINE, FINE, confidence=x),
        lambda x: stats.paired_t_test(FINE, FINE, axis=x),
        lambda x: stats.corrected_resampled_t_test(FINE, FINE, n_train=x, n_test=1),
        lambda x: stats.bayesian_correlated_t_test(FINE, FINE, rho=x),
        lambda x: stats.bayesian_signed_rank_test(FINE, FINE, rope=x),
        lambda x: stats.permutation_test(FINE, FINE, n_resamples=x),
        lambda x: stats.t_sample_size(x),
        lambda x: stats.risk_difference(1, x, 1, 2),
        lambda x: stats.odds_ratio(x, 2, 1, 2),
        lambda x: stats.critical_difference(3, x),
        lambda x: stats.t_power(x, 10),
        lambda x: stats.t_power(0.5, x),
        lambda x: stats.mcnemar_power(0.1, x, 10),
        lambda x: stats.sign_power(0.8, x),
        lambda x: stats.sign_sample_size(x),
        lambda x: stats.two_proportions_power(0.1, 0.2, x, 10),
        lambda x: stats.recommend(data_sets=x),
        lambda x: metrics.log_loss([0, 1], [0.1, 0.9], clip=x),
        lambda x: metrics.calibration([0, 1], [0.1, 0.9], bins=x),
        lambda x: metrics.binary_rates(1, 1, 1, 1, beta=x),
    ],
)
@pytest.mark.parametrize("bad", ["3", None, [], [[1], [2, 3]], 10**400, np.nan, 1j, "x"])
def test_single_values(call, bad):
    with pytest.raises(InputError):
        call(bad)


def test_counts_of_unequal_shapes(words):
    with words.raises(InputError):
        stats.sign_test_counts([1, 2, 3], [1, 2], 0)


def test_rates_of_unequal_shapes_and_queries_that_are_no_pairs(words):
    with words.raises(InputError):
        metrics.binary_rates([1, 2], [1, 2, 3], 1, 1)
    with words.raises(InputError):
        metrics.mean_average_precision([([0, 1], [1, 2], 3)])
    with words.raises(InputError):
        stats.manova_test(np.random.default_rng(0).random((6, 2)), [None, *"abbaa"])


@pytest.mark.parametrize("bad", ["3", None, [[1], [2, 3]], 10**400, 1e300, np.nan, 1j, -1, 1.5])
@pytest.mark.parametrize("name", ["binomial_test", "proportion_z_test", "proportion_interval"])
def test_counts(name, bad):
    with pytest.raises(InputError):
        getattr(stats, name)(1, bad)
