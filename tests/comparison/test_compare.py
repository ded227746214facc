"""The main job: what must hold for every comparison."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nettrial
from nettrial.core.errors import InputError, OverlappingTestSetsWarning, SlowWarning
from nettrial.inference.choice import choose
from nettrial.models import NBC, WVRN
from nettrial.network.communities import communities
from nettrial.network.network import Network
from nettrial.splits import RandomResampling
from nettrial.study.node_study import ModelError, run
from nettrial.study.tasks import CLASSES
from timeless import timeless


@pytest.fixture(scope="module")
def network() -> Network:
    return nettrial.latent_group_network(150, seed=3)


def test_swapping_the_models_negates_the_difference_and_keeps_p(network: Network) -> None:
    one = nettrial.compare(network, "wvrn", "nbc", seed=5)
    two = nettrial.compare(network, "nbc", "wvrn", seed=5)
    assert one.difference == pytest.approx(-two.difference, abs=1e-12)
    for first in one.tests:
        second = two.test(first.name)
        assert first.estimate == pytest.approx(-second.estimate, abs=1e-12), first.name
        assert first.pvalue == pytest.approx(second.pvalue, rel=1e-9), first.name
        assert first.ci_low == pytest.approx(-second.ci_high, abs=1e-9, nan_ok=True), first.name


def test_the_order_and_names_of_nodes_do_not_matter(network: Network) -> None:
    rng = np.random.default_rng(0)
    order = rng.permutation(network.n_nodes)  # new node i is old node order[i]
    place = np.argsort(order)
    source, target = network.simple_links()
    labels = [network.classes[c] for c in network.labels]
    other = Network(
        place[source],
        place[target],
        n_nodes=network.n_nodes,
        classes=network.classes,
        labels=[labels[i] for i in order],
        ids=[f"node {i}" for i in order],
    )
    splits = RandomResampling(n_splits=5, labeled=0.3, seed=1).split_network(network)
    moved = [
        type(s)(*(np.sort(place[part]) for part in (s.train, s.inference, s.test))) for s in splits
    ]
    groups = network.groups("group")[0]
    given = {"test": "network_hac", "communities": groups}
    one = nettrial.compare(network, "wvrn", "nbc", design=splits, **given)
    given["communities"] = groups[order]
    two = nettrial.compare(other, "wvrn", "nbc", design=moved, **given)
    for first in one.tests:
        second = two.test(first.name)
        assert first.estimate == pytest.approx(second.estimate, abs=1e-12), first.name
        assert first.pvalue == pytest.approx(second.pvalue, rel=1e-6), first.name


def test_hidden_labels_do_not_reach_a_model(network: Network) -> None:
    splits = RandomResampling(n_splits=4, labeled=0.3, seed=2).split_network(network)
    rng = np.random.default_rng(1)
    for split in splits:
        labels = network.labels.copy()
        labels[split.test] = rng.permutation(labels[split.test])
        other = network._with_labels(labels)
        for model in (WVRN(), NBC()):
            one = run(network, {"m": model}, [split]).probabilities["m"][0]
            two = run(other, {"m": model}, [split]).probabilities["m"][0]
            assert one.tobytes() == two.tobytes()


class Peeking:
    """A model that looks for labels that it should not see."""

    def __init__(self) -> None:
        self.seen: list[int] = []

    def fit(self, network: Network, train: np.ndarray) -> Peeking:
        assert set(network.labeled) == set(train)
        return self

    def predict_proba(self, network: Network, nodes: np.ndarray) -> np.ndarray:
        assert not set(network.labeled) & set(nodes)
        return np.full((len(nodes), network.n_classes), 1 / network.n_classes)


def test_any_object_with_two_methods_is_a_model_and_sees_training_labels_only(
    network: Network,
) -> None:
    found = nettrial.compare(network, Peeking(), "wvrn", n_splits=3)
    assert found.a == "Peeking"


@pytest.mark.slow
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_same_seed_gives_the_same_bytes_for_any_number_of_workers(
    network: Network, n_jobs: int
) -> None:
    model = Peeking()
    one = timeless(nettrial.compare(network, model, "nbc", n_splits=3, seed=9, n_jobs=n_jobs))
    two = timeless(nettrial.compare(network, model, "nbc", n_splits=3, seed=9, n_jobs=1))
    assert one == two


def test_overlapping_designs_carry_the_warning_by_type(network: Network) -> None:
    pair = partial(nettrial.compare, network, "wvrn", "nbc", test="network_hac")
    overlapping = pair(design="rrs").test("paired_t")
    assert any(isinstance(w, OverlappingTestSetsWarning) for w in overlapping.warnings)
    disjoint = pair(design="ncv").test("paired_t")
    assert not any(isinstance(w, OverlappingTestSetsWarning) for w in disjoint.warnings)


def test_a_model_against_itself_has_no_difference(network: Network) -> None:
    found = nettrial.compare(network, "wvrn", "wvrn", n_replicates=20)
    assert (found.a, found.b) == ("wvrn", "wvrn (2)")
    assert found.difference == 0
    assert found.verdict.startswith("No evidence")
    for test in found.tests:
        assert test.pvalue == 1, test.name


def test_one_against_rest_counts_two_classes(network: Network) -> None:
    found = nettrial.compare(network, "wvrn", "nbc", positive="+")
    assert found.to_dict()["n_classes"] == 2


class Broken(Peeking):
    def predict_proba(self, network: Network, nodes: np.ndarray) -> np.ndarray:
        raise RuntimeError("out of luck")


class Unnormalized(Peeking):
    def predict_proba(self, network: Network, nodes: np.ndarray) -> np.ndarray:
        return np.ones((len(nodes), network.n_classes))


def test_a_failing_model_is_named_with_its_split(network: Network, words) -> None:
    with words.raises(ModelError):
        nettrial.compare(network, Broken(), "wvrn")


def test_probabilities_must_add_up_to_one(network: Network, words) -> None:
    with words.raises(ModelError):
        nettrial.compare(network, Unnormalized(), "wvrn")


@pytest.mark.parametrize(
    "build",
    [
        lambda: Network([], [], n_nodes=3, labels=["a", "b", "a"]),
        lambda: Network([0], [1], n_nodes=3),
        lambda: Network([0], [1], n_nodes=3, labels=["a", "a", None]),
    ],
)
def test_networks_without_a_question_are_refused(build: object, words) -> None:
    with words.raises(InputError):
        nettrial.compare(build(), "wvrn", "nbc")  # type: ignore[operator]


def test_the_frame_has_a_row_for_each_split_test_node_and_model(network: Network) -> None:
    found = nettrial.compare(network, "wvrn", "nbc", n_splits=3, labeled=0.4)
    frame = found.predictions.to_frame()
    assert len(frame) == 2 * 3 * round(0.6 * network.n_nodes)
    wrong = (frame.label != frame.prediction)[frame.model == "wvrn"].mean()
    assert wrong == pytest.approx(found.estimates["p"][found.a])


def test_json_has_the_promised_keys(network: Network) -> None:
    found = json.loads(nettrial.compare(network, "wvrn", "nbc").to_json())
    assert {
        "a", "b", "n_nodes", "n_links", "n_classes", "design", "labeled", "n_splits", "seed",
        "scores", "difference", "recommended", "tests", "estimates", "warnings",
    } <= set(found)  # fmt: skip
    assert {
        "name", "question", "estimate", "standard_error", "ci_low", "ci_high", "df", "pvalue",
        "warnings",
    } <= set(found["tests"][0])  # fmt: skip
    assert {
        "p", "q", "rho", "links", "n", "m", "effective_n", "autocorrelation", "lemma1",
    } <= set(found["estimates"])  # fmt: skip
    assert found["recommended"] in {test["name"] for test in found["tests"]}


REAL = [
    ("glasgow_w2", None), ("polbooks", None), ("polbooks", "n"), ("cora_linqs", None),
    ("s50_w1", None), ("faux_mesa_high", None), ("twitch_ENGB", None), ("webkb_texas_linqs", None),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::nettrial.core.errors.ModelWarning")
@pytest.mark.parametrize("design", ["rrs", "ers", "ncv"])
@pytest.mark.parametrize(("name", "positive"), REAL)
def test_real_networks_give_a_verdict(
    data: Path, name: str, positive: str | None, design: str
) -> None:
    network = nettrial.read(data / "neutral" / name)
    found = nettrial.compare(
        network, "wvrn", "nbc", positive=positive, design=design, n_replicates=20
    )
    assert 0 <= found.test(found.recommended).pvalue <= 1
    assert str(found).startswith(found.verdict[:40])


def test_many_classes_are_not_re_run_unless_asked_for(words) -> None:
    rng = np.random.default_rng(0)
    ends = rng.integers(0, 1000, (2, 3000))
    models, design = (WVRN(), NBC()), RandomResampling()

    def network_of(n_classes: int) -> Network:
        labels = [f"c{i % n_classes}" for i in range(1000)]
        return Network(*ends, n_nodes=1000, labels=labels)

    def chosen_for(test: str, network: Network) -> Any:
        return choose(test, CLASSES, network, models, [(0, 1)], design, communities(network))

    assert chosen_for("auto", network_of(5)).name == "bootstrap"
    many = network_of(60)
    chosen = chosen_for("auto", many)
    assert chosen.name == "halves"
    assert "60 classes and" in chosen.reason
    with words.warns(SlowWarning):
        assert chosen_for("bootstrap", many).name == "bootstrap"


def test_class_tables_that_no_memory_holds_are_refused(words) -> None:
    n = 6000
    many = Network(np.arange(n - 1), np.arange(n - 1) + 1, n_nodes=n, labels=range(n))
    with words.raises(InputError):
        NBC().predict_proba_batch(many, np.tile(many.labels, (16, 1)), [0] * 16)
