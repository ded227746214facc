"""Comparisons before this one on one test set: what a verdict is then worth, and who says so."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

import nettrial
from nettrial import cli
from nettrial.comparison.prior_tests import adaptive_comparisons, bonferroni
from nettrial.comparison.stored_runs import stored_comparison
from nettrial.core.errors import InputError
from nettrial.core.wording import points, pvalue_text
from nettrial.inference.margins import detectable_difference
from nettrial.network.network import Network
from nettrial.report.describe import describe
from nettrial.store import merge_shards
from timeless import timeless

TESTS = ("cluster_robust_t", "network_hac", "cluster_sign_flip", "bootstrap", "halves")


@pytest.fixture(scope="module")
def network() -> Network:
    return nettrial.latent_group_network(120, seed=32)


@pytest.mark.slow
@pytest.mark.parametrize("test", TESTS)
def test_p_is_multiplied_and_the_interval_is_that_of_the_level(network: Network, test: str) -> None:
    options = {"n_splits": 3, "test": test, "seed": 1}
    if test in ("bootstrap", "halves"):
        options["n_replicates"] = 10
    plain = nettrial.compare(network, "wvrn", "nbc", **options)
    found = nettrial.compare(network, "wvrn", "nbc", n_prior_tests=3, **options)
    one, prior = plain.test(test), found.prior_tests
    assert found.test(test).to_dict() == one.to_dict()
    assert (prior.alone.pvalue, prior.alone.ci_low) == (one.pvalue, one.ci_low)
    for worth, times in ((prior.fixed, 4), (prior.adaptive, 15)):
        assert worth.comparisons == times
        assert worth.pvalue == min(1, times * one.pvalue)
        wider = nettrial.compare(
            network, "wvrn", "nbc", confidence=1 - (1 - 0.95) / times, **options
        ).test(test)
        assert (worth.ci_low, worth.ci_high) == (wider.ci_low, wider.ci_high)
        if test != "cluster_sign_flip":  # whose interval is not exactly its p-value's
            assert (worth.pvalue < 0.05) == (not worth.ci_low <= 0 <= worth.ci_high)


def test_the_verdict_claims_only_what_earlier_comparisons_leave(network: Network) -> None:
    options = {"n_splits": 4, "test": "cluster_robust_t"}
    claims = {
        number: nettrial.compare(network, "wvrn", "prior", n_prior_tests=number, **options)
        for number in (None, 0, 1, 6)
    }
    assert 0.05 / 7 < claims[None].test("cluster_robust_t").pvalue < 0.05 / 2
    plain = claims[None].verdict
    assert claims[0].verdict == plain
    assert "prior_tests" not in claims[None].to_dict()
    assert plain.startswith("wvrn beats prior")
    assert claims[1].verdict.startswith("wvrn beats prior")
    assert claims[6].verdict.startswith("No evidence that wvrn beats prior")
    assert "as one of 7 comparisons" in claims[6].verdict
    for number, alone in ((1, False), (6, False), (6, True)):
        worth = claims[number].prior_tests.alone if alone else claims[number].prior_tests.fixed
        ends = f"{points(worth.ci_low)} to {points(worth.ci_high)}, {pvalue_text(worth.pvalue)}"
        before = "as the only one" if alone else "95% confidence interval"
        assert f"{before} {ends}" in claims[number].verdict
    best = claims[6].test("cluster_robust_t")  # its power is that of one of 7, as its p-value is
    least = detectable_difference(best.standard_error, best.df, 1 - 0.05 / 7, 0.8)
    assert f"); a true difference of {points(least)} percentage" in claims[6].verdict
    note = claims[6].to_dict()["prior_tests"]
    assert (note["number"], note["adaptive"]["comparisons"]) == (6, 127.0)
    warned = [str(warning) for warning in claims[6].warnings if "comparison 7 on" in str(warning)]
    assert len(warned) == 1
    assert "labels that nobody has used" in " ".join(str(claims[6]).split())
    for text in (claims[6].to_markdown(), claims[6].to_latex()):
        assert "each chosen by yes or no before" in text
    cited = describe(claims[6]).methods(str)
    assert all(key in cited for key in ("dunn1961", "blum2015", "dwork2015"))


@pytest.mark.slow
def test_pairs_of_several_models_allow_for_earlier_comparisons(network: Network) -> None:
    models, options = ["wvrn", "nbc", "prior"], {"n_splits": 4, "test": "cluster_robust_t"}
    plain = nettrial.compare_models(network, models, **options)
    found = nettrial.compare_models(network, models, n_prior_tests=2, **options)
    before = plain.pairs.adjusted_pvalue
    assert np.array_equal(found.pairs.adjusted_pvalue, np.minimum(1, 3 * before))
    assert np.array_equal(found.prior_tests.alone.pvalue, before)
    assert np.array_equal(found.pairs.pvalue, plain.pairs.pvalue)
    assert (
        found.pairs.ci_high - found.pairs.ci_low > plain.pairs.ci_high - plain.pairs.ci_low
    ).all()
    wider = nettrial.compare_models(network, models, confidence=1 - (1 - 0.95) / 3, **options)
    assert np.array_equal(found.pairs.ci_low, wider.pairs.ci_low)
    assert "allows for 3 comparisons" in " ".join(found.verdict.split())
    assert json.loads(found.to_json())["prior_tests"]["fixed"]["comparisons"] == 3


def test_items_in_groups_take_prior_tests(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(2)
    groups = np.repeat(np.arange(20), 5)
    b = (rng.random(100) < 0.5).astype(int)
    a = np.where(rng.random(100) < 0.25, 1, b)
    plain = nettrial.compare_grouped(a, b, groups)
    p = plain.test(plain.recommended).pvalue
    assert 0.05 / 127 < p < 0.05 / 7
    found = nettrial.compare_grouped(a, b, groups, n_prior_tests=6)
    wider = nettrial.compare_grouped(a, b, groups, confidence=1 - (1 - 0.95) / 7)
    assert found.prior_tests.fixed.pvalue == 7 * p
    assert found.prior_tests.fixed.ci_low == wider.test(plain.recommended).ci_low > 0
    assert found.prior_tests.adaptive.ci_low < 0
    assert found.verdict.startswith("A beats B")
    assert "each chosen by yes or no before" in found.to_markdown()
    assert "prior_tests" not in plain.to_dict()
    rows = "".join(f"{g},{x},{y}\n" for g, x, y in zip(groups, a, b))
    (tmp_path / "answers.csv").write_text("document,A,B\n" + rows)
    words = ["compare", str(tmp_path / "answers.csv"), "--groups", "document", "--prior-tests", "6"]
    with pytest.raises(SystemExit):
        cli.main([*words, "--json"])
    assert json.loads(capsys.readouterr().out)["prior_tests"] == found.to_dict()["prior_tests"]


def test_prior_tests_stay_with_study_files_and_shards(network: Network, tmp_path: Path) -> None:
    options = {"n_splits": 3, "test": "cluster_robust_t", "n_prior_tests": 4}
    found = nettrial.compare(network, "wvrn", "nbc", store=tmp_path / "one", **options)
    assert timeless(stored_comparison(tmp_path / "one")) == timeless(found)
    nettrial.compare_shard(
        network, ["wvrn", "nbc"], shard="1/1", store=tmp_path / "shards", **options
    )
    merge_shards(tmp_path / "shards", tmp_path / "two")
    assert timeless(stored_comparison(tmp_path / "two")) == timeless(found)


def test_no_number_of_prior_tests_is_too_large_and_wrong_ones_are_refused(
    network: Network, words
) -> None:
    options = {"n_splits": 3, "test": "cluster_robust_t"}
    found = nettrial.compare(network, "wvrn", "nbc", n_prior_tests=100_000, **options).prior_tests
    assert found.adaptive.pvalue == 1
    assert (found.adaptive.ci_low, found.adaptive.ci_high) == (-np.inf, np.inf)
    assert np.isfinite([found.fixed.ci_low, found.fixed.ci_high]).all()
    assert (adaptive_comparisons(1023), adaptive_comparisons(2000)) == (2.0**1023 - 1, np.inf)
    assert np.isnan(bonferroni(np.nan, 7.0))
    assert np.isnan(bonferroni(np.nan, np.inf))
    for number in (-1, True, 2.5, "7"):
        with words.raises(InputError):
            nettrial.compare(network, "wvrn", "nbc", n_prior_tests=number, **options)
    with words.raises(InputError):
        nettrial.compare_models(
            network,
            ["wvrn", "nbc", "prior"],
            measures=["error", "log_loss"],
            n_prior_tests=1,
            **options,
        )


def test_who_chooses_by_looks_fools_bonferroni_but_not_the_bound() -> None:
    """One bit a look about coins: random guessers are kept or turned round, and all vote."""
    rng, looks, n, runs = np.random.default_rng(1), 15, 400, 400
    right = rng.choice(np.array([-1, 1], dtype=np.int8), size=(runs, looks - 1, n))
    kept = np.sign(right.sum(axis=2, keepdims=True) + 0.5)
    vote = np.sign((kept * right).sum(axis=1) + rng.choice([-0.5, 0.5], (runs, n)))
    p = 2 * norm.sf(np.abs(vote.sum(axis=1)) / np.sqrt(n))
    plain, fixed, chosen = (
        (bonferroni(p, c) < 0.05).mean() for c in (1.0, 15.0, adaptive_comparisons(looks))
    )
    assert plain > 0.5
    assert fixed > 0.15
    assert chosen <= 0.05


def test_no_interval_passes_what_a_difference_can_be(network: Network) -> None:
    options = {"n_splits": 3, "test": "cluster_robust_t", "n_prior_tests": 10**9, "seed": 1}
    two = nettrial.compare(network, "wvrn", "nbc", **options).prior_tests.fixed
    three = nettrial.compare_models(network, ["wvrn", "nbc", "prior"], **options).prior_tests.fixed
    assert min(two.ci_low, *three.ci_low) == -1
    assert max(two.ci_high, *three.ci_high) == 1
