"""Training seeds and splits are distinguished."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import nettrial
from nettrial import seed_variance
from nettrial.core.errors import InputError
from nettrial.network.network import Network

NET = Network(np.arange(399), np.arange(1, 400), n_nodes=400, labels=(np.arange(400) % 2).tolist())


class Lucky:
    """Errs on a share of the nodes that depends on the split and on the seed."""

    def __init__(self, error: float, by_split: float, by_seed: float) -> None:
        self.error, self.by_split, self.by_seed = error, by_split, by_seed

    def fit(self, network: Network, train: np.ndarray, *, seed: int) -> Lucky:
        split = np.random.default_rng(train).normal(scale=self.by_split)
        self.share = self.error + split + np.random.default_rng(seed).normal(scale=self.by_seed)
        return self

    def predict_proba(self, network: Network, nodes: np.ndarray) -> np.ndarray:
        wrong = np.arange(len(nodes)) < self.share * len(nodes)
        return np.eye(2)[(nodes % 2) ^ wrong]


def test_both_standard_deviations_are_found() -> None:
    found = seed_variance(
        NET, [Lucky(0.3, 0.06, 0.02), "prior"], n_splits=60, n_seeds=6, labeled=0.5, seed=3
    )
    assert found.errors.shape == (2, 60, 6)
    # 59 and 300 degrees of freedom; five standard errors
    assert found.split_deviation[0] == pytest.approx(0.06, rel=5 * 0.1)
    assert found.seed_deviation[0] == pytest.approx(0.02, rel=5 * 0.045)
    assert found.seed_deviation[1] == 0
    wanted = np.sqrt(found.split_deviation[0] ** 2 / 10 + found.seed_deviation[0] ** 2 / 40)
    assert found.standard_error("Lucky", 10, 4) == pytest.approx(wanted)
    assert found.to_frame()["error"][0] == pytest.approx(0.3, abs=0.05)


def test_a_seed_that_moves_more_than_models_differ_is_told() -> None:
    pair = [Lucky(0.3, 0.0, 0.05), Lucky(0.301, 0.0, 0.0)]
    note = seed_variance(NET, pair, n_splits=10, n_seeds=4)
    assert "The training seed alone moves the error rate of Lucky by" in note.verdict
    assert "of Lucky (2) by" not in note.verdict
    assert note.verdict in str(note)
    apart = seed_variance(NET, [Lucky(0.1, 0.0, 0.01), Lucky(0.4, 0.0, 0.01)], n_splits=3)
    assert apart.verdict.startswith("No model's seed moves")


def test_results_do_not_depend_on_workers_and_seeds_differ() -> None:
    made = nettrial.latent_group_network(60, seed=1)
    source, target = made.simple_links()
    features = np.eye(2)[made.labels] + np.random.default_rng(1).normal(size=(60, 2))
    network = Network(source, target, n_nodes=60, labels=made.labels.tolist(), features=features)
    one, two = (
        seed_variance(network, ["mlp", "wvrn"], n_splits=2, n_seeds=3, n_jobs=jobs)
        for jobs in (1, 2)
    )
    assert one.errors.tolist() == two.errors.tolist()
    assert one.seed_deviation[0] > 0 == one.seed_deviation[1]


@pytest.mark.slow
def test_a_comparison_tells_networks_splits_and_seeds_apart() -> None:
    pair = [Lucky(0.3, 0.06, 0.02), Lucky(0.31, 0.0, 0.0)]
    found = nettrial.compare(
        NET, *pair, labeled=0.5, n_splits=40, n_seeds=4, test="cluster_robust_t", seed=3
    )
    moved, still, both = found.sources
    # 39 and 120 degrees of freedom; five standard errors
    assert moved.split**0.5 == pytest.approx(0.06, rel=5 * 0.12)
    assert moved.seed**0.5 == pytest.approx(0.02, rel=5 * 0.07)
    assert (still.split, still.seed) == (0, 0)
    assert both.name == f"{found.a} - {found.b}"
    # the parts add up to the variance of the test that gives the verdict
    assert both.standard_error() == pytest.approx(found.test(found.recommended).standard_error)
    assert both.standard_error(networks=2) == pytest.approx(both.standard_error() / 2**0.5)
    assert both.standard_error(splits=2) < both.standard_error(seeds=2) < both.standard_error()
    assert sum(both.shares.values()) == pytest.approx(1)
    note = str(found)
    assert "Three sources of variance" in note
    assert any("the training seed alone moves" in str(warning) for warning in found.warnings)
    assert found.to_dict()["sources"][2]["n_seeds"] == 4
    # every seed counts: in the estimate, the errors and the table of predictions
    assert found.scores[found.a] == pytest.approx(found.estimates["p"][found.a])
    rows = found.predictions.to_frame()
    assert sorted(rows["seed"].unique()) == [0, 1, 2, 3]
    wrong = rows["prediction"] != rows["label"]
    assert wrong[rows["model"] == found.a].mean() == pytest.approx(found.scores[found.a])


def test_one_seed_has_no_sources_and_is_the_first_of_several() -> None:
    pair = [Lucky(0.3, 0.06, 0.02), "prior"]
    how = {"n_splits": 3, "test": "cluster_robust_t"}
    one, two = (nettrial.compare_models(NET, pair, n_seeds=n, **how) for n in (1, 2))
    assert (len(one.sources), len(two.sources)) == (0, 3)
    assert one.predictions.probabilities["Lucky"][0].tolist() == (
        two.predictions.probabilities["Lucky"][0].tolist()
    )


@pytest.mark.slow
def test_halves_run_every_seed_and_their_noise_falls() -> None:
    made = nettrial.latent_group_network(80, seed=1)
    fits: list[int] = []

    class Counted(Lucky):
        def fit(self, network: Network, train: np.ndarray, *, seed: int) -> Lucky:
            fits.append(seed)
            return super().fit(network, train, seed=seed)

    pair = [Counted(0.3, 0.0, 0.1), "prior"]
    how = {"n_splits": 4, "labeled": 0.5, "test": "halves", "n_replicates": 10}
    few, many = (nettrial.compare(made, *pair, n_seeds=n, **how).test("halves") for n in (2, 8))
    assert few.details["fits"] == 2 * 10 * 4 * 2 * 2
    assert len(fits) == (2 + 8) * (4 + 2 * 10 * 4)
    assert len(set(fits)) == 8 * (4 + 2 * 10 * 4)  # the two seeds are the first of the eight
    assert many.standard_error < few.standard_error


def test_several_seeds_do_not_go_into_a_study_file(tmp_path: Path, words) -> None:
    with words.raises(InputError):
        nettrial.compare(NET, "mlp", "wvrn", n_seeds=2, store=tmp_path / "study")
    with words.raises(InputError):
        nettrial.compare(NET, "mlp", "wvrn", n_seeds=0)


def test_one_seed_is_refused(words) -> None:
    with words.raises(InputError):
        seed_variance(NET, ["wvrn"], n_seeds=1)
