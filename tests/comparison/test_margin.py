"""How verdicts end against a margin: better, equivalent, better by less than it, cannot tell."""

from __future__ import annotations

import json
import math
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
from nettrial.inference.data_sets import over_data_sets
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


@pytest.mark.slow
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


@pytest.mark.slow
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
    assert "margin of 10 percentage points: better by more (wvrn over prior, nbc over" in text
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


@pytest.mark.slow
def test_every_proportion_of_a_sweep_ends_against_the_margin(network: Network) -> None:
    models, rates = ["wvrn", "nbc", "prior"], [0.1, 0.4]
    found = nettrial.sweep(network, models, labeled=rates, **QUICK, margin=0.2)
    pairs = found.pairs
    assert pairs.df is not None
    half = stats.t.ppf(1 - 0.05 / 6, pairs.df) * pairs.standard_error  # 3 pairs, 2 proportions
    assert [e.low for e in found.endings] == pytest.approx(pairs.estimate - half)
    assert [e.high for e in found.endings] == pytest.approx(pairs.estimate + half)
    won = [e.name.startswith("better") for e in found.endings]
    assert won == pairs.significant.tolist()
    values = found.to_dict()
    assert values["margin"] == 0.2
    assert [row["ending"] for row in values["pairs"]] == [e.name for e in found.endings]
    assert "equivalent (nbc and prior at 10%, wvrn and nbc at 40%)" in found.verdict
    assert "better (wvrn over prior at 40%, nbc over prior at 40%)" in (found.to_html() or "")
    best = 100 * found.scores.min(axis=1)
    (band,) = [c for c in found.plot().collections if c.get_zorder() == 0]
    ends = band.get_paths()[0].get_extents()
    assert (ends.y0, ends.y1) == pytest.approx((best.min(), best.max() + 20))
    assert "within the margin of 20 percentage points of the best" in (found.to_html() or "")


def test_the_mean_over_networks_ends_against_the_margin() -> None:
    scores = np.tile(np.linspace(0.2, 0.4, 8)[:, np.newaxis], 3)
    scores[:, 1] += np.linspace(0.05, 0.02, 8)
    scores[:, 2] += np.linspace(-0.02, 0.021, 8)
    errors = np.full((8, 3), 0.01)
    for margin, names in (
        (0.01, ["better_by_more", "cannot_tell", "better"]),
        (0.2, ["better_by_less", "equivalent", "better_by_less"]),
    ):
        found = over_data_sets(
            scores, models=["a", "b", "c"], data_sets=[*"stuvwxyz"], standard_errors=errors,
            rope=None, margin=margin,
        )  # fmt: skip
        assert [e.name for e in found.endings] == names
        assert [row["ending"] for row in found.to_dict()["pairs"]] == names
        for pair, ending in zip(found.pairs, found.endings):
            mean = pair.hierarchical
            assert mean is not None
            half = stats.t.ppf(1 - 0.05 / 3, 7) * float(mean.standard_error)
            assert ending.high == pytest.approx(float(mean.estimate) + half)
    assert "By the random-effects mean over data sets: against the margin of 20" in found.verdict


def test_networks_end_against_the_margin_one_by_one_and_together(network: Network) -> None:
    networks = {f"n{i}": nettrial.latent_group_network(150, seed=i) for i in range(6)}
    found = nettrial.compare_across(networks, ["wvrn", "nbc"], **QUICK, margin=0.05)
    assert found.to_dict()["margin"] == 0.05
    assert all(each.endings for each in found.networks.values())
    (ending,) = found.over.endings
    (pair,) = found.over.pairs
    assert pair.hierarchical is not None
    mean, error = float(pair.hierarchical.estimate), float(pair.hierarchical.standard_error)
    assert ending.low == pytest.approx(mean - stats.t.ppf(0.95, 5) * error)
    bands = [p for p in found.plot().patches if p.get_width() == pytest.approx(10)]
    assert len(bands) == 1
    assert "margin of 5 percentage points" in " ".join((found.to_html() or "").split())
    known = found.over.to_dict()
    assert known["pairs"][0]["ending"] == ending.name


def test_pairs_without_a_mean_over_networks_cannot_tell() -> None:
    scores = [[0.1, 0.2], [0.2, 0.3], [0.1, 0.3]]
    found = over_data_sets(scores, models=["a", "b"], data_sets=["x", "y", "z"], margin=0.5)
    assert [e.name for e in found.endings] == ["cannot_tell"]


def test_leads_of_a_leaderboard_end_against_the_margin(words) -> None:
    table = {
        "dataset": ["cora", "citeseer", "dblp"],
        "gcn": ["81.5 ± 0.5", "70.3 ± 0.7", "75.1 ± 0.1"],
        "gat": ["86.0 ± 0.7", "72.5 ± 2.0", "75.2 ± 0.1"],
    }
    options: dict[str, Any] = {"n_splits": 100, "test_share": 0.2}
    found = nettrial.leaderboard(table, **options, margin=0.01)
    assert [e.name for e in found.endings] == ["better_by_more", "cannot_tell", "equivalent"]
    lead, error = 0.045, math.hypot(0.005, 0.007) * math.sqrt(1 / 100 + 0.2 / 0.8)
    half = stats.t.ppf(1 - 0.05 / 3, 99) * error
    assert found.endings[0].low == pytest.approx(lead - half)
    values = found.to_dict()
    assert values["margin"] == 0.01
    assert [claim["ending"] for claim in values["claims"]] == [e.name for e in found.endings]
    said = "Against the margin of 1 percentage point: better by more (gat over gcn on cora); equi"
    assert said in found.verdict
    assert said in " ".join((found.to_html() or "").split())
    assert "ending" not in nettrial.leaderboard(table, **options).to_frame()
    with words.raises(InputError):
        nettrial.leaderboard(table, **options, margin=1.0)


def test_grouped_items_end_against_the_margin(words) -> None:
    draws = np.random.default_rng(0)
    groups, a = np.repeat(np.arange(40), 5), (draws.random(200) < 0.7).astype(float)
    b = np.where(draws.random(200) < 0.05, 1 - a, a)
    found = nettrial.compare_grouped(a, b, groups, margin=0.1)
    test = found.test(found.recommended)
    half = stats.t.ppf(0.95, test.df) * test.standard_error
    assert found.ending is not None
    assert found.ending.high == pytest.approx(test.estimate + half)
    assert found.to_dict()["ending"] == "equivalent"
    said = "A and B are equivalent on groups like these, within the margin of 10 percentage points"
    assert said in found.verdict
    assert said in " ".join((found.to_html() or "").split())
    bands = [p for p in found.plot().patches if p.get_width() == pytest.approx(20)]
    assert len(bands) == 1
    again = nettrial.compare_grouped(a, b, groups, margin=0.1, n_prior_tests=2).ending
    assert again is not None
    assert again.confidence == pytest.approx(1 - 0.1 / 3)
    with words.raises(InputError):
        nettrial.compare_grouped(a, b, groups, margin=-1)


def test_a_study_file_keeps_the_margin(network: Network, tmp_path: Path) -> None:
    store = tmp_path / "study"
    found = nettrial.compare(network, "wvrn", "nbc", **QUICK, margin=0.2, store=store)
    assert stored_comparison(store).to_dict()["ending"] == found.to_dict()["ending"]


@pytest.mark.parametrize("margin", [0, -0.01, float("nan"), float("inf"), 1, 5])
def test_what_is_no_margin_is_refused_by_name(network: Network, margin: float) -> None:
    with pytest.raises(InputError, match="margin: expected a difference in error rate above 0 and"):
        nettrial.compare(network, "wvrn", "nbc", margin=margin)


def test_two_one_sided_tests_need_a_level_above_one_half(network: Network, words) -> None:
    with words.raises(InputError):
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
