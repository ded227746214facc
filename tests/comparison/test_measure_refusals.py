"""Measures that predictions or test sets do not allow: what is said, and what to do instead."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from sklearn.metrics import f1_score

import nettrial
from nettrial.core.errors import InputError
from nettrial.metrics.measures import FAMILIES, MEASURES, measure_named
from nettrial.network.network import Network
from nettrial.splits.base import Split
from nettrial.study.node_study import Predictions
from nettrial.synth.planted import planted_network

NETWORK = nettrial.latent_group_network(120, seed=3)


def _of_tables(network, tables, test):
    splits = tuple(Split(np.setdiff1d(np.arange(network.n_nodes), t), t, t) for t in test)
    return Predictions(network, splits, tuple(tables), tables)


def small() -> Network:
    return Network(*zip(*pairwise(range(8))), n_nodes=8, labels=list("aabbaabb"))


@pytest.mark.parametrize("name", ["squared_loss", "log_loss", "auc"])
def test_labels_alone_refuse_what_needs_probabilities(name) -> None:
    hard = np.eye(2, dtype=np.float32)[[0, 1, 1, 0]]
    predictions = _of_tables(small(), {"A": (hard,), "B": (np.full((4, 2), 0.5),)}, [np.arange(4)])
    with pytest.raises(InputError, match="A gives every class 0 or 1"):
        predictions.task.check_measurable(predictions, measure_named(name))
    for other in ("error", "macro_f1", "mcc", "accuracy"):
        predictions.task.check_measurable(predictions, measure_named(other))


def test_a_test_set_of_one_class_is_told_by_its_number(words) -> None:
    even = np.full((2, 2), 0.5, dtype=np.float32)
    test = [np.array([0, 2]), np.array([0, 1]), np.array([2, 3])]
    predictions = _of_tables(small(), {"A": (even,) * 3, "B": (even,) * 3}, test)
    with words.raises(InputError):
        predictions.task.check_measurable(predictions, measure_named("auc"))


def test_clipped_log_losses_are_counted() -> None:
    net = small()
    one = np.array([[1, 0], [0.9, 0.1], [1, 0], [0, 1]], dtype=np.float32)
    tables = {"A": (one, one), "B": (np.full((4, 2), 0.5, dtype=np.float32),) * 2}
    predictions = _of_tables(net, tables, [np.arange(4), np.arange(4)])
    found = nettrial.compare_predictions(predictions, measure="log_loss", communities=[0, 1] * 4)
    # node 2 of class b has probability 0 in both splits
    note = [str(w) for w in found.warnings if "2 of 8 tests (A)" in str(w)]
    assert len(note) == 1
    assert "(B)" not in note[0]


def test_a_test_for_errors_cannot_give_the_verdict_on_another_measure(words) -> None:
    with words.raises(InputError):
        nettrial.compare(NETWORK, "wvrn", "nbc", measure="auc", test="rsc_paired")


def test_an_unknown_measure_names_those_that_there_are(words) -> None:
    with words.raises(InputError):
        nettrial.compare(NETWORK, "wvrn", "nbc", measure="f2")


@pytest.mark.parametrize("name", ["precision", "recall", "f1", "average_precision", "precision@9"])
def test_one_class_against_the_others_has_to_be_named(name) -> None:
    with pytest.raises(InputError, match=r"expected positive= as one of -, \+"):
        nettrial.compare(NETWORK, "wvrn", "nbc", measure=name)
    found = nettrial.compare(
        NETWORK, "wvrn", "nbc", measure=name, positive="+", n_splits=3, test="cluster_robust_t"
    )
    assert 0 <= found.scores[found.a] <= 1
    assert found.settings["positive"] == "+"


@pytest.mark.parametrize(
    "name",
    [
        "precision@0",
        "precision@1.5",
        "recall@1",
        "hits@",
        "precision@\u0663",
        3,
        np.mean,
    ],
)
def test_measures_with_a_number_are_checked(name, words) -> None:
    with words.raises(InputError):
        nettrial.compare(NETWORK, "wvrn", "nbc", measure=name)


def test_more_nodes_than_a_test_set_has_cannot_be_taken(words) -> None:
    with words.raises(InputError):
        nettrial.compare(NETWORK, "wvrn", "nbc", measure="precision@5000", positive="+")


@pytest.mark.parametrize("name", ["hits@2", "hits@99"])
def test_hits_among_all_classes_say_nothing(name) -> None:
    with pytest.raises(InputError, match=f"{name} is 100% for every model of 2 classes; expected"):
        nettrial.compare(NETWORK, "wvrn", "nbc", measure=name)


def test_an_unknown_measure_is_told_all_measures() -> None:
    with pytest.raises(InputError) as note:
        nettrial.compare(NETWORK, "wvrn", "nbc", measure="everything")
    assert "the name 'list' gives all" in str(note.value)
    with pytest.raises(InputError) as note:
        nettrial.compare(NETWORK, "wvrn", "nbc", measure="list")
    assert all(name in str(note.value) for name in (*MEASURES, *FAMILIES))


def test_precision_without_a_predicted_positive_is_told(words) -> None:
    with words.raises(InputError):
        nettrial.compare(
            NETWORK,
            "prior",
            "wvrn",
            positive="+",
            measure="precision",
            test="cluster_robust_t",
        )


@pytest.mark.slow
def test_predictions_of_all_classes_are_judged_by_one_that_is_named(tmp_path, words) -> None:
    net = planted_network(120, seed=1)
    run = nettrial.compare(net, "wvrn", "nbc", n_splits=2, seed=1, test="cluster_robust_t")
    with words.raises(InputError):
        nettrial.compare_predictions(run.predictions, measure="f1")
    found = nettrial.compare_predictions(run.predictions, measure="f1", positive="1")
    wanted = []
    for split, proba in zip(run.predictions.splits, run.predictions.probabilities["wvrn"]):
        wanted.append(f1_score(net.labels[split.test] == 1, proba[:, 1] > 0.5))
    assert found.scores[found.a] == pytest.approx(np.mean(wanted))
    run.predictions.to_frame().to_csv(tmp_path / "all.csv", index=False)
    found.predictions.to_frame().to_csv(tmp_path / "two.csv", index=False)
    for name in ("all", "two"):  # of all classes, and of this one and the others
        read = nettrial.compare_predictions(
            tmp_path / f"{name}.csv", net, measure="f1", positive=1, splits=run.predictions.splits
        )
        assert read.scores_by_split["wvrn"] == pytest.approx(found.scores_by_split["wvrn"])
        assert read.settings["positive"] == "1"
