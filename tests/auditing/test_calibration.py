"""The calibration harness: handicaps hit their mark, files resume, tests hold where they must."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import nettrial
from nettrial.experiments import calibration, experiment, run_experiment
from nettrial.experiments.calibration import SPLITS, CalibrationCell, evidence, run_trial, stacked
from nettrial.experiments.calibration_grid import markdown
from nettrial.experiments.calibration_simulated import rows
from nettrial.experiments.calibration_tests import Trials, names, pvalues_of
from nettrial.experiments.domains import WORLDS, draw
from nettrial.experiments.featured import MODELS, error_rates, errors_of_halves, featured_network
from nettrial.inference.registry import on_predictions
from nettrial.network.summary import autocorrelation
from nettrial.replicates.handicaps import pair_handicaps
from nettrial.splits import RandomResampling, Split


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("errors", [(0.2, 0.3), (0.3, 0.2), (0.25, 0.25)])
def test_handicaps_give_the_wanted_differences(n_classes, errors):
    wanted = (0.0, 0.02, 0.06, -0.02, -0.06)
    chances = pair_handicaps(np.array(errors), n_classes, wanted)
    assert (chances >= 0).all()
    assert (chances < 1).all()
    for difference, row in zip(wanted, chances):
        # a turned prediction is right with probability 1 / (n_classes - 1) where it was wrong
        after = [
            e * (1 - c) + c * (1 - e) + c * e * (1 - 1 / (n_classes - 1))
            for e, c in zip(errors, row)
        ]
        assert np.isclose(after[0] - after[1], difference)
    # who is called a and who b makes no difference
    mirrored = pair_handicaps(np.array(errors[::-1]), n_classes, tuple(-d for d in wanted))
    np.testing.assert_array_equal(mirrored[:, ::-1][1:], chances[1:])
    np.testing.assert_allclose(mirrored[0, ::-1], chances[0])


def _trials(seed, n, k, shared):
    rng = np.random.default_rng(seed)
    own = rng.normal(0, shared, (n, 1))
    rates = np.stack(
        [0.3 + own + rng.normal(0, 0.03, (n, k)), 0.3 + rng.normal(0, 0.03, (n, k))], 1
    )
    r = 16
    drawn = rng.normal(0, shared, (2, n, 60, 1)) + rng.normal(0, 0.03 * 2**0.5, (2, n, 60, r))
    sizes = np.full((n, 20), 15.0)
    truth = (rates[:, 0] - rates[:, 1]).mean(axis=1)
    paired = stats.ttest_rel(rates[:, 0], rates[:, 1], axis=1).pvalue
    return Trials(rates, rates, {"paired_t": paired}, sizes, drawn[0], drawn[1], truth)


def test_the_test_of_folds_equals_scipy():
    trials = _trials(0, 20, 10, 0.0)
    found = pvalues_of(trials)
    np.testing.assert_allclose(found["ncv_paired_t"], found["paired_t"])


@pytest.mark.parametrize("k", [5, 100])
def test_tests_on_gaussian_networks(k):
    """Where replicates vary as networks do, the bootstrap holds its level and the t test fails."""
    trials = _trials(k, 1000, k, 0.03)
    rejected = {name: (p < 0.05).mean() for name, p in pvalues_of(trials).items()}
    # five deviations of a binomial share of 1000 trials are 0.035
    assert rejected["bootstrap"] < 0.085
    assert rejected["paired_t"] > 0.2
    assert 0.015 < rejected["oracle_z"] < 0.085


@pytest.mark.slow
def test_a_trial_makes_the_tests_as_compare_makes_them(monkeypatch):
    seen = []

    def watched(*args, **options):
        seen.append(evidence(*args, **options))
        return seen[-1]

    monkeypatch.setattr(calibration, "evidence", watched)
    cell = CalibrationCell("weak600", 0.1, 1, 10, (0.0,))
    found = run_trial(cell, np.array([[0.02, 0.0]]), number=0, seed=11)
    for k, given, pvalues in zip(SPLITS[:2], seen, found["pvalues"][:, 0]):
        compared = nettrial.compare_predictions(
            given.scores.predictions, communities=given.communities
        )
        assert [split.test.size for split in given.scores.predictions.splits] == [540] * k
        made = dict(zip([each.name for each in on_predictions()], pvalues))
        for test in compared.tests:
            if test.name != "cluster_sign_flip":  # flips are drawn with another seed
                assert made[test.name] == pytest.approx(test.pvalue, rel=1e-9, nan_ok=True)
        # what the test of folds, the oracles and the bootstrap are made from
        np.testing.assert_allclose(given.scores_a, found["rates"][0, 0, :k])


SHORT = {"grid": "short", "replicates": 10, "networks": 5}


@pytest.mark.slow
def test_the_grid_is_an_experiment_that_goes_on_where_it_stopped(tmp_path):
    first = run_experiment("calibration", trials=3, options=SHORT, out=tmp_path)
    kept = (tmp_path / "units.jsonl").read_bytes()
    again = run_experiment("calibration", trials=3, options=SHORT, out=tmp_path)
    assert (tmp_path / "units.jsonl").read_bytes() == kept
    pd.testing.assert_frame_equal(first.table, again.table)
    rejected = first.table[first.table["measure"] == "rejections"]
    assert len(rejected) == len(SPLITS) * len(names()) * 2
    # with a size-adjusted threshold the share under the null hypothesis is what it must be
    adjusted = first.table[first.table["measure"] == "size-adjusted rejections"]
    null = adjusted[adjusted["difference"] == 0]
    assert (null["mean"] <= 1 / null["trials"] + 1e-9).all()
    for name in ("results.csv", "figure.png", "figure.svg", "summary.md"):
        assert (tmp_path / name).stat().st_size > 0
    read = pd.read_csv(tmp_path / "results.csv")
    assert markdown(read) == markdown(first.table)
    assert len(markdown(read).splitlines()) == 2 + len(names())


def test_the_full_grid_holds_every_world_at_every_label_rate():
    cells = list(experiment("calibration").cells({"grid": "full"}))
    assert {cell["world"] for cell in cells} == {*WORLDS, "simulated"}
    assert len(cells) == 4 * (len(WORLDS) + 1)


@pytest.mark.slow
def test_simulated_classifiers_are_a_domain_of_the_grid():
    table = pd.DataFrame(rows(0.3, (0.0, 0.06), 200, seed=0))
    shares = table.set_index(["n_splits", "difference", "test"])["rejected"]
    # the failing groups stay, so what looks like more and more evidence is none
    assert shares[100, 0.0, "paired_t"] > 0.8
    # five deviations of a binomial share of 200 trials are 0.077
    assert shares[10, 0.0, "cluster_robust_t"] < 0.05 + 0.077
    assert abs(shares[10, 0.0, "oracle_z"] - 0.05) < 0.077
    assert shares[10, 0.06, "oracle_z"] > 0.5
    assert set(table["n_trials"]) == {200, 100}


def test_what_later_trials_lack_is_marked_and_left_out():
    first = {"rates": np.ones((4, 2, 3)), "play": np.ones(4)}
    found = stacked([first, {"rates": np.ones((1, 2, 3)), "play": np.ones(1)}])
    assert np.isfinite(found["rates"][1, 0]).all()
    assert np.isnan(found["rates"][1, 1:]).all()
    assert np.isnan(found["play"]).tolist() == [[False] * 4, [False] + [True] * 3]


def test_worlds_are_what_they_are_called():
    values = {name: autocorrelation(draw(name, 1)) for name in WORLDS}
    assert values["hetero600"] < -0.05
    assert values["blocks600"] > values["weak600"] > 0
    assert draw("blocks600", 1).n_classes == 3
    assert draw("lgm300", 1).n_nodes == 300


def test_the_core_world_has_a_giant_community() -> None:
    from nettrial.network.communities import GIANT, divided_louvain, largest_share, louvain

    network = draw("core300", 1)
    assert largest_share(louvain(network, seed=1)) > GIANT
    assert largest_share(divided_louvain(network, seed=1)) < GIANT


@pytest.mark.slow
@pytest.mark.parametrize("model", ["ridge", "gcn"])
def test_errors_of_halves_are_those_of_the_model_on_each_half_of_the_features(model):
    network = featured_network(60, n_groups=6, seed=4)
    splits = RandomResampling(n_splits=2, labeled=0.3, seed=1).split_network(network)
    empty = Split(splits[0].train[:0], splits[0].test, splits[0].test)
    found = errors_of_halves(network, [*splits, empty], MODELS[model])
    for half, columns in enumerate((slice(0, 10), slice(10, 20))):
        features = np.asarray(network.features, dtype=float)[:, columns]
        alone = MODELS[model](network, features, splits)
        for errors, predicted, split in zip(found, alone, splits):
            assert (errors[half] == (predicted != network.labels[split.test])).all()
    assert found[2].shape == (2, 0)
    assert np.isnan(error_rates(found)[:, 2]).all()
