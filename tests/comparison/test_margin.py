"""How verdicts end against a margin: better, equivalent, better by less than it, cannot tell."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.weightstats import DescrStatsW

import nettrial
from nettrial import cli
from nettrial.comparison.stored_runs import stored_comparison
from nettrial.core.errors import InputError
from nettrial.inference.margins import ending_of
from nettrial.io import write
from nettrial.network.network import Network
from nettrial.report.displays import PairsDisplay

QUICK: dict[str, Any] = {"n_splits": 5, "test": "cluster_robust_t"}


@pytest.fixture(scope="module")
def network() -> Network:
    return nettrial.latent_group_network(300, seed=0)


@pytest.mark.parametrize("mean", [-0.09, -0.04, -0.02, 0.0, 0.005, 0.03])
@pytest.mark.parametrize("margin", [0.01, 0.03, 0.06])
@pytest.mark.parametrize("scale", [0.01, 0.08])
def test_endings_are_those_of_statsmodels(mean: float, margin: float, scale: float) -> None:
    data = np.random.default_rng(8).normal(size=12)
    sample = DescrStatsW(mean + scale * (data - data.mean()))
    ends, inner = sample.tconfint_mean(alpha=0.05), sample.tconfint_mean(alpha=0.1)
    differs = bool(sample.ttest_mean(0)[1] < 0.05)
    equivalent = bool(sample.ttost_mean(-margin, margin)[0] < 0.05)
    beyond = min(sample.ttest_mean(margin, "larger")[1], sample.ttest_mean(-margin, "smaller")[1])
    name = ending_of(margin, ends, inner, 0.9, differs=differs, settled=True).name
    assert (name in ("equivalent", "better_by_less")) == equivalent
    assert name.startswith("better") == differs
    assert (name == "better_by_more") == (beyond < 0.025)
    few = ending_of(margin, ends, inner, 0.9, differs=differs, settled=False)
    assert few.name == "cannot_tell"


@pytest.mark.parametrize(
    ("test", "margin", "name", "said"),
    [
        ("cluster_robust_t", 0.001, "better_by_more", ", by more than the margin of 0.1 "),
        ("cluster_robust_t", 0.01, "better", ", perhaps by less than the margin of 1 percentage p"),
        ("cluster_robust_t", 0.2, "better_by_less", ", but by less than the margin of 20 "),
        ("network_hac", 0.2, "equivalent", "wvrn and nbc are equivalent on networks like this one"),
        ("network_hac", 0.02, "cannot_tell", ", nor that they differ by less than the margin of 2"),
    ],
)
def test_every_ending_stands_in_sentence_json_page_and_figure(
    network: Network, test: str, margin: float, name: str, said: str
) -> None:
    plain = nettrial.compare(network, "wvrn", "nbc", n_splits=5, test=test)
    found = nettrial.compare(network, "wvrn", "nbc", n_splits=5, test=test, margin=margin)
    values, best = found.to_dict(), found.test(test)
    assert (values["margin"], values["ending"]) == (margin, name)
    assert said in found.verdict
    assert said in (found.to_html() or "")
    assert [t.to_dict() for t in found.tests] == [t.to_dict() for t in plain.tests]
    half = stats.t.ppf(0.95, best.df) * best.standard_error
    within = found.ending
    assert within is not None
    assert (within.low, within.high) == pytest.approx((best.estimate - half, best.estimate + half))
    t = (best.estimate + np.array([margin, -margin])) / best.standard_error
    p = max(stats.t.sf(t[0], best.df), stats.t.cdf(t[1], best.df))
    assert (p < 0.05) == (name in ("equivalent", "better_by_less"))
    several = nettrial.compare_models(
        network, ["wvrn", "nbc"], n_splits=5, test=test, margin=margin
    )
    assert several.endings == (within,)
    assert said in several.verdict
    for drawn in (found.plot(), PairsDisplay(several).plot()):
        bands = [p for p in drawn.patches if p.get_width() == pytest.approx(200 * margin)]
        assert len(bands) == 1


def test_without_a_margin_nothing_is_said(network: Network) -> None:
    found = nettrial.compare(network, "wvrn", "nbc", **QUICK)
    assert found.ending is None
    assert not found.to_dict().keys() & {"margin", "ending"}
    assert "margin" not in str(found)


def test_several_pairs_and_earlier_comparisons_widen_both_tests(network: Network) -> None:
    models = ["wvrn", "nbc", "prior"]
    found = nettrial.compare_models(network, models, **QUICK, margin=0.1)
    again = nettrial.compare_models(network, models, **QUICK, margin=0.1, n_prior_tests=1)
    pairs = found.pairs
    assert pairs.df is not None
    for result, tests in ((found, 3), (again, 6)):
        half = stats.t.ppf(1 - 0.05 / tests, pairs.df) * pairs.standard_error
        assert [e.low for e in result.endings] == pytest.approx(pairs.estimate - half)
        assert {e.confidence for e in result.endings} == {round(1 - 0.1 / tests, 12)}
    values = found.to_dict()
    assert values["margin"] == 0.1
    names = [pair["ending"] for pair in values["pairs"]]
    assert names == ["cannot_tell", "better_by_more", "better_by_more"]
    text = " ".join(str(found).split())
    assert "margin of 10 percentage points: better by more (wvrn over prior and nbc over" in text
    assert "cannot tell (wvrn and nbc)" in text


def test_models_that_never_differ_are_not_called_equivalent(network: Network) -> None:
    found = nettrial.compare(
        network, "prior", nettrial.models.by_name("prior"), **QUICK, margin=0.1
    )
    assert found.ending is not None
    assert found.ending.name == "cannot_tell"


def test_links_and_numbers_take_a_margin_in_their_own_units(network: Network) -> None:
    links = nettrial.compare(network, "common_neighbors", "adamic_adar", n_splits=3, margin=0.05)
    assert links.to_dict()["margin"] == 0.05
    targets = np.random.default_rng(0).normal(size=300)
    numbers = Network(*network.simple_links()[:2], n_nodes=300, targets=targets)
    found = nettrial.compare(numbers, "mean", "relational_mean", **QUICK, margin=2.5)
    assert found.to_dict()["ending"] == "better_by_less"
    assert "the margin of 2.5 squared units of the target" in found.verdict


def test_what_cannot_settle_the_verdict_says_nothing_of_the_margin() -> None:
    ends = np.random.default_rng(0).integers(60, size=(2, 240))
    targets = np.random.default_rng(1).normal(size=60)
    numbers = Network(*ends, n_nodes=60, targets=targets)
    found = nettrial.compare(numbers, "mean", "relational_mean", **QUICK, margin=2.5)
    assert not found.settled
    assert found.to_dict()["ending"] == "cannot_tell"
    assert "margin" not in found.verdict


def test_a_study_file_keeps_the_margin(network: Network, tmp_path: Path) -> None:
    store = tmp_path / "study"
    found = nettrial.compare(network, "wvrn", "nbc", **QUICK, margin=0.2, store=store)
    assert stored_comparison(store).to_dict()["ending"] == found.to_dict()["ending"]


@pytest.mark.parametrize("margin", [0, -0.01, float("nan"), float("inf"), 1, 5])
def test_what_is_no_margin_is_refused_by_name(network: Network, margin: float) -> None:
    with pytest.raises(InputError, match="margin: expected a difference in error rate above 0 and"):
        nettrial.compare(network, "wvrn", "nbc", margin=margin)


def test_two_one_sided_tests_need_a_level_above_one_half(network: Network) -> None:
    with pytest.raises(InputError, match="confidence: expected a proportion above"):
        nettrial.compare(network, "wvrn", "nbc", margin=0.1, confidence=0.5)


def test_the_command_line_takes_a_margin(
    network: Network, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(network, tmp_path / "net.npz")
    words = ["compare", str(tmp_path / "net.npz"), "--a", "wvrn", "--b", "nbc", "--splits", "5"]
    words += ["--test", "cluster_robust_t", "--margin"]
    with pytest.raises(SystemExit):
        cli.main([*words, "0.2", "--json"])
    assert json.loads(capsys.readouterr().out)["ending"] == "better_by_less"
    with pytest.raises(SystemExit):
        cli.main([*words, "nan"])
    assert "--margin: expected a difference in error rate above 0" in capsys.readouterr().err
