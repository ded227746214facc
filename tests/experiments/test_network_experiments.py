"""Experiments with real classifiers: the compiled trials, the handicap, sets of networks."""

from __future__ import annotations

import numpy as np
import pytest

from nettrial.core.errors import InputError
from nettrial.experiments import run_experiment
from nettrial.experiments.decisions import made_from
from nettrial.experiments.model_pairs import (
    KEEPS,
    N_FOLDS,
    OPTIONS,
    Collector,
    Handicap,
    arrays,
    equalize,
    pair,
)
from nettrial.experiments.network_sets import movies, read_folder, schools
from nettrial.inference.estimates import Q_ESTIMATORS, estimate_errors, estimate_q, q_of_counts
from nettrial.io import write
from nettrial.kernels.network_trials import Runs, fold_rates, network_trial, network_words
from nettrial.kernels.streams import stream
from nettrial.kernels.trials import FLIP, SPLIT, run_resampled
from nettrial.network.summary import autocorrelation
from nettrial.synth import latent_group_network

N_SPLITS = 20  # more than one batch
CHANCES = np.array([[0.0, 0.0], [0.2, 0.1]])


@pytest.fixture(scope="module")
def network():
    return latent_group_network(120, seed=3)


@pytest.fixture(scope="module")
def errors(network):
    """Error matrices (handicap, model, split, node) from the bits of the same streams."""
    key = np.uint64(77)
    *task, (n_train,) = arrays(network, [0.3])
    test, wrong = run_resampled(
        *task, n_train, N_SPLITS, pair(1.0), CHANCES, stream(key, 5, SPLIT), stream(key, 5, FLIP)
    )
    found = np.full((2, 2, N_SPLITS, network.n_nodes), -1, dtype=np.int8)
    for split in range(N_SPLITS):
        batch, bit = split // 16, 1 << (split % 16)
        tested = (test[batch] & bit) > 0
        for h, model in np.ndindex(2, 2):
            found[h, model, split, tested] = (wrong[batch, h, model, tested] & bit) > 0
    return found


@pytest.fixture(scope="module")
def trials(network):
    """Two proportions at once; what is drawn at the second is what `errors` has."""
    group = np.arange(network.n_nodes) % 7
    keys = np.array([5, 77], dtype=np.uint64)
    return group, network_trial(
        Runs(*arrays(network, [0.6, 0.3]), N_SPLITS, N_FOLDS, pair(1.0), keys, 5),
        np.stack([CHANCES, CHANCES]),
        group,
        7,
        True,
    )


def test_a_trial_is_what_its_error_matrix_says(network, errors, trials):
    group, both = trials
    rates, folds, parameters, sums, sizes, tests, counts = (part[1] for part in both)
    assert (errors[0, 0] >= 0).sum(axis=1).tolist() == [84] * N_SPLITS
    assert folds.shape == (2, 2, N_FOLDS)
    for h, model in np.ndindex(2, 2):
        matrix = errors[h, model]
        assert rates[h, model] == pytest.approx((matrix == 1).sum(axis=1) / 84)
        assert counts[h, model].tolist() == (matrix == 1).sum(axis=0).tolist()
        expected = estimate_errors(network, matrix)
        assert parameters[h, model] == pytest.approx(
            [expected.p, expected.q, expected.rho, expected.links]
        )
        for method in Q_ESTIMATORS:
            found = q_of_counts(counts[h, model], tests, method=method)
            assert found == pytest.approx(estimate_q(matrix, method=method))
    for h in range(2):
        excess = ((errors[h, 0] == 1).astype(int) - (errors[h, 1] == 1)).sum(axis=0)
        assert sums[h] == pytest.approx(np.bincount(group, weights=excess))
    assert sizes == pytest.approx(np.bincount(group, weights=tests))


def test_a_proportion_does_not_depend_on_the_others(network, trials):
    group, both = trials
    task, key = arrays(network, [0.3]), np.array([77], dtype=np.uint64)
    chances = CHANCES[None]
    runs = Runs(*task, N_SPLITS, N_FOLDS, pair(1.0), key, 5)
    alone = network_trial(runs, chances, group, 7, True)
    for found, expected in zip(both, alone):
        assert (found[1] == expected[0]).all()


def test_turned_predictions_raise_the_error_as_expected(network):
    keys, chances = np.array([9], dtype=np.uint64), CHANCES[None]
    found = []
    for unit in range(40):
        runs = Runs(*arrays(network, [0.3]), 0, N_FOLDS, pair(1.0), keys, unit)
        found.append(fold_rates(runs, *network_words(runs), chances))
    e, turned = np.mean(found, axis=(0, 4))[0]
    expected = e + CHANCES[1] * (1 - 2 * e)
    # 4,800 turns of chance at most 0.2 a model
    assert np.abs(turned - expected).max() < 4.9 * np.sqrt(0.2 * 0.8 / 4800)


def test_the_handicap_makes_both_equal():
    networks = [latent_group_network(150, seed=i) for i in range(12)]
    handicaps = equalize(networks, (0.2, 0.4), smoothing=1.0, repeats=4, seed=2)
    for found in handicaps:
        assert min(found.chances) == 0 < max(found.chances) < 1
        assert found.chances[found.worse] == 0
        assert abs(found.left) < 0.01
    assert handicaps == equalize(networks, (0.2, 0.4), smoothing=1.0, repeats=4, seed=2)
    assert handicaps[:1] == equalize(networks, (0.2,), smoothing=1.0, repeats=4, seed=2)


def test_training_nodes_must_fit_beside_a_fold(words):
    with words.raises(InputError):
        arrays(latent_group_network(100, seed=1), [0.3, 0.95])


def collected(tests, power=False, **options):
    settings = {name: option.default for name, option in OPTIONS.items()} | options
    handicaps = (Handicap((0.2, 0.3), (0.1, 0.0), 0.0), Handicap((0.3, 0.2), (0.0, 0.1), 0.0))
    collector = Collector((0.2, 0.3), handicaps, power, tests, settings)
    for number in range(4):
        collector.add(latent_group_network(80 + 20 * (number % 2), seed=number), 9, number)
    return collector.records({})


def test_collected_trials_of_networks_of_unequal_size():
    records = collected((*made_from(*KEEPS["keeps"]), *KEEPS["extra"]), replicates=10)
    resampled = {"paired t", "unpaired t", "RS-C paired t", "RS-C unpaired t", "Wilcoxon",
                 "Nadeau-Bengio", "clustered t", "sign flips", "bootstrap"}  # fmt: skip
    folds = {"paired t", "unpaired t", "Wilcoxon", "Nadeau-Bengio"}
    for labeled in (0.2, 0.3):
        found = {
            (r.where.get("design"), r.test): r for r in records if r.where["labeled"] == labeled
        }
        assert set(found) == {
            (None, ""),
            *(("RRS", test) for test in resampled),
            *(("NCV", test) for test in folds),
        }
        assert all(record.trials == 4 for record in found.values())
        assert found["RRS", "bootstrap"].undefined == 0


def test_the_worse_model_is_made_worse():
    gaps = [r for r in collected(("paired_t",), power=True) if r.measure == "mean difference"]
    by_labeled = {0.2: [], 0.3: []}
    for record in gaps:
        by_labeled[record.where["labeled"]].append(record.total)
    assert all(row == sorted(row) and len(row) == 4 for row in by_labeled.values())


def test_the_bootstrap_needs_a_network(words):
    with words.raises(InputError):
        run_experiment("icdm09-fig1a", trials=2, tests=["bootstrap"])


def table(name, **options):
    return run_experiment(name, trials=30, options={"calibration": 6, **options}).table


def test_latent_group_experiments():
    fresh, four = table("icdm09-fig1c"), table("icdm09-fig1c", networks="four")
    for found in (fresh, four):
        assert set(found["design"].dropna()) == {"RRS", "NCV"}
        assert set(found["test"]) == {"", "paired t", "unpaired t"}
        assert set(found["labeled"].dropna()) == {0.1, 0.2, 0.3, 0.4}

    def spread(found):
        row = found[found["measure"] == "autocorrelation"].iloc[0]
        return row["high"] - row["low"]

    assert spread(fresh) != spread(four)
    smaller = table("icdm09-fig1c", between="smaller")
    higher, lower = (x[x["measure"] == "autocorrelation"]["mean"].iloc[0] for x in (smaller, fresh))
    assert higher > lower


def test_power_rises_with_the_difference():
    found = table("ecml11-fig2b")
    gaps = found[found["measure"] == "mean difference"]["mean"]
    assert gaps.is_monotonic_increasing
    for test in ("paired t", "RS-C paired t"):
        power = found[(found["test"] == test) & (found["design"] == "RRS")]["rate"]
        assert power.is_monotonic_increasing
        assert power.iloc[-1] > 0.9


def test_stand_ins_have_the_stated_properties():
    many = [network for seed in range(20) for network in schools(seed)]
    assert {network.n_nodes for network in many} == {300, 380, 460, 540, 620, 700}
    assert 7 <= np.mean([2 * n.simple_links()[0].size / n.n_nodes for n in many]) <= 8
    assert 0.25 <= np.mean([autocorrelation(n) for n in many]) <= 0.35
    many = [network for seed in range(20) for network in movies(seed)]
    assert np.mean([n.n_nodes for n in many]) == 257
    degree = np.mean([2 * n.simple_links()[0].size / n.n_nodes for n in many])
    assert degree == pytest.approx(16, abs=0.5)
    assert np.mean([autocorrelation(n) for n in many]) == pytest.approx(0.35, abs=0.02)


@pytest.mark.slow
def test_a_folder_of_networks(tmp_path, words):
    networks = [latent_group_network(90 + 10 * i, seed=i) for i in range(3)]
    for i, network in enumerate(networks):
        write(network, tmp_path / f"network {i}")
    assert [n.n_nodes for n in read_folder(tmp_path)] == [90, 100, 110]
    result = run_experiment(
        "icdm09-fig1f", trials=6, options={"folder": str(tmp_path), "repeats": 2}
    )
    nodes = result.table[result.table["measure"] == "nodes"]
    assert nodes["mean"].tolist() == [100.0]
    found = run_experiment("icdm09-table1", trials=2, options={"folder": str(tmp_path)}).table
    assert set(found["task"]) == {f"network {i}" for i in range(3)}
    write(latent_group_network(60, seed=1).mask_labels(np.arange(0)), tmp_path / "unlabeled")
    with words.raises(InputError):
        read_folder(tmp_path)


@pytest.mark.slow
def test_names_from_files_are_harmless(tmp_path):
    folder = tmp_path / "networks"
    folder.mkdir()
    for i, name in enumerate(("=1+1", "a|<b>")):
        write(latent_group_network(80, seed=i), folder / name)
    out = tmp_path / "out"
    run_experiment("icdm09-table1", trials=2, options={"folder": str(folder)}, out=out)
    assert "\n" + "icdm09-table1,'=1+1," in (out / "results.csv").read_text()
    assert "| a&#124;&lt;b&gt; |" in (out / "summary.md").read_text()
