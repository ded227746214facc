"""Settings are chosen inside training sets, by nothing else, and what was chosen is reported."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

import nettrial
from nettrial import tuned
from nettrial.core.errors import InputError
from nettrial.models import WVRN, BatchModel, FeatureClassifier, Tuned
from nettrial.network.network import Network
from nettrial.splits import NetworkCrossValidation, RandomResampling
from nettrial.study.node_study import run
from nettrial.synth.planted import planted_network


class Share:
    """Gives the true class a fixed probability where it may see it, and learns nothing."""

    def __init__(self, right: float, seen: list[Any] | None = None) -> None:
        self.right = right

    def fit(self, network: Network, train: np.ndarray) -> Share:
        LOG.append((self.right, tuple(train.tolist()), tuple((network.labels >= 0).nonzero()[0])))
        return self

    def predict_proba(self, network: Network, nodes: np.ndarray) -> np.ndarray:
        proba = np.full((len(nodes), network.n_classes), 1.0 - self.right)
        proba[np.arange(len(nodes)), TRUTH[nodes]] = self.right
        return proba / proba.sum(axis=1, keepdims=True)


LOG: list[tuple[float, tuple[int, ...], tuple[int, ...]]] = []
NET = planted_network(120, seed=3)
TRUTH = NET.labels


def test_the_best_on_nodes_set_aside_learns_again_from_all() -> None:
    LOG.clear()
    train = np.arange(0, 120, 3)
    model = tuned(Share(0.0), {"right": [0.1, 0.9, 0.6]}).fit(NET.mask_labels(train), train)
    assert model.chosen_ == {"right": 0.9}
    *tried, last = LOG
    assert [right for right, _, _ in tried] == [0.1, 0.9, 0.6]
    assert last == (0.9, tuple(train), tuple(train))
    fitted = {nodes for _, nodes, _ in tried}
    assert len(fitted) == 1
    assert all(labels == nodes for _, nodes, labels in tried)  # no other label is shown
    assert len(fitted.pop()) == 32
    assert model.predict_proba(NET, np.array([1])).argmax() == TRUTH[1]


def test_of_equal_errors_the_likelier_wins_and_then_the_first() -> None:
    train = np.arange(60)
    model = tuned(Share(0.0), {"right": [0.8, 0.9, 0.9]}).fit(NET, train)
    assert model.chosen_ == {"right": 0.9}
    same = tuned(WVRN(), {"direction": ["in", "both", "out"]}).fit(NET, train)  # undirected
    assert same.chosen_ == {"direction": "in"}


@pytest.mark.parametrize("design", [NetworkCrossValidation, RandomResampling])
def test_test_labels_have_no_say(design: type) -> None:
    split = design(n_splits=2, labeled=0.3, seed=4).split_network(NET)[0]
    labels = NET.labels.copy()
    labels[split.test] = np.roll(labels[split.test], 7)
    other = NET._with_labels(labels)
    model = tuned("nbc", {"smoothing": [0.01, 1.0, 10.0]})
    one, two = (run(n, {"m": model}, [split]) for n in (NET, other))
    assert one.probabilities["m"][0].tobytes() == two.probabilities["m"][0].tobytes()
    assert one.chosen("m") == two.chosen("m")


def test_what_was_chosen_is_told_and_does_not_depend_on_workers() -> None:
    model = tuned("gcn", {"hidden": [4, 16], "epochs": [5, 20]})
    rng = np.random.default_rng(1)
    source, target = NET.simple_links()
    network = Network(
        source,
        target,
        n_nodes=120,
        features=rng.normal(size=(120, 4)) + NET.labels[:, None],
        labels=NET.labels.tolist(),
    )
    found = nettrial.compare(network, model, "wvrn", n_splits=4, test="cluster_robust_t")
    chosen = found.predictions.chosen("tuned gcn")
    assert sum(chosen.values()) == 4
    assert all("hidden=" in key and "epochs=" in key for key in chosen)
    assert found.predictions.chosen("wvrn") == {}
    note = next(str(w) for w in found.warnings if "tuned gcn" in str(w))
    assert note.startswith("tuned gcn chose inside 4 training sets: ")
    most, count = next(iter(chosen.items()))
    assert f"{most} on {count}" in note
    assert " ".join(note.split()[:5]) in " ".join(str(found).split())
    splits = found.predictions.splits
    one, two = (run(network, {"m": model}, splits, n_jobs=jobs) for jobs in (1, 2))
    assert one.warnings == two.warnings
    assert one.chosen("m") == two.chosen("m")


def test_a_study_file_keeps_what_was_chosen(tmp_path: Any, words) -> None:
    splits = RandomResampling(n_splits=2, labeled=0.3).split_network(NET)
    models = {"m": tuned("nbc", {"smoothing": [0.1, 1.0]})}
    path = tmp_path / "study.nettrial"
    first = run(NET, models, splits, store=path).chosen("m")
    assert sum(first.values()) == 2
    assert run(NET, models, splits, store=path).chosen("m") == first
    models = {"m": tuned("nbc", {"smoothing": [0.1, 2.0]})}
    with words.raises(InputError):
        run(NET, models, splits, store=path)


def test_settings_of_scikit_learn_classifiers() -> None:
    network = Network(
        [0], [1], n_nodes=120, features=np.eye(3)[NET.labels], labels=NET.labels.tolist()
    )
    model = tuned(LogisticRegression(), {"C": [1e-6, 1.0], "use": ["features"]})
    assert model.fit(network, np.arange(60)).chosen_ == {"C": 1.0, "use": "features"}
    assert model.model.estimator.C == 1.0 != 1e-6  # the default: the model itself stays
    inner = FeatureClassifier(DecisionTreeClassifier())
    assert "max_depth" in str(tuned(inner, {"max_depth": [1, 2]}))


@pytest.mark.parametrize(
    ("grid", "options"),
    [
        ({}, {}),
        ({"smoothin": [1.0]}, {}),
        ({"smoothing": []}, {}),
        ({"smoothing": "abc"}, {}),
        ({"smoothing": [1.0]}, {"by": "test"}),
        ({"smoothing": [1.0]}, {"validation": 0.0}),
    ],
)
def test_what_cannot_be_tuned_is_refused(grid: Any, options: Any, words) -> None:
    with words.raises(InputError):
        tuned("nbc", grid, **options)


def test_too_few_training_nodes_are_refused(words) -> None:
    with words.raises(InputError):
        tuned("nbc", {"smoothing": [1.0]}).fit(NET, np.array([0, 1]))
    assert isinstance(tuned("nbc", {"smoothing": [1.0]}), Tuned)
    assert not isinstance(tuned("nbc", {"smoothing": [1.0]}), BatchModel)
