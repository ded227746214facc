"""wvRN and nBC with relaxation labeling against loops over dense matrices."""

from __future__ import annotations

import numpy as np
import pytest

import dense_models as dense
from nettrial.core.errors import InputError
from nettrial.models import (
    CDRN,
    NBC,
    WVRN,
    BatchModel,
    Model,
    NoInference,
    RelaxationLabeling,
    by_name,
)
from nettrial.models.decide import predict_labels
from nettrial.network.network import Network
from random_cases import adjacency, build, learn, random_case

SWEEPS = RelaxationLabeling(iterations=12)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::nettrial.core.errors.ConvergenceWarning")
@pytest.mark.parametrize("block", range(4))
def test_equal_to_dense_loops(block):
    for seed in range(50 * block, 50 * block + 50):
        case = random_case(seed)
        A, net = adjacency(case), build(case)
        smoothing = [0.1, 0.5, 1.0][seed % 3]
        options = {"inference": SWEEPS, "direction": case["direction"]}
        models = {"wvrn": WVRN(**options), "nbc": NBC(smoothing=smoothing, **options)}
        for name, atol in (("wvrn", 2e-6), ("nbc", 2e-5)):
            seeds = [0] * len(case["labels"])
            proba = models[name].predict_proba_batch(net, case["labels"], seeds)
            for row, labels in enumerate(case["labels"]):
                estimate, learnt = learn(name, A, labels, case["k"], smoothing)
                expected, sweeps, residual = dense.relax(
                    A, labels, case["k"], estimate, learnt, SWEEPS.weights()
                )
                np.testing.assert_allclose(proba[row], expected, atol=atol)
                end = models[name].convergence_
                assert end.iterations[row] == sweeps
                np.testing.assert_allclose(end.residual[row], residual, atol=2 * atol)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["wvrn", "nbc"])
def test_one_split_equals_its_row_in_a_batch_to_the_bit(name):
    case = random_case(5)
    rng = np.random.default_rng(0)
    labels = rng.integers(-1, case["k"], (40, case["n"])).astype(np.int32)
    labels[:, 0] = 0
    net = build(case)
    together = by_name(name).predict_proba_batch(net, labels, range(40))
    for row in (0, 17, 39):
        alone = by_name(name).predict_proba_batch(net, labels[row : row + 1], [row])
        assert alone.tobytes() == together[row].tobytes()


def test_component_without_labels_and_isolates_get_the_prior():
    labels = ["a", "a", "b", None, None, None]
    net = Network([0, 1, 3], [1, 2, 4], n_nodes=6, labels=labels)
    for name in ("wvrn", "nbc"):
        proba = by_name(name).fit(net, np.arange(3)).predict_proba(net, np.array([3, 4, 5]))
        np.testing.assert_allclose(proba, [[2 / 3, 1 / 3]] * 3, rtol=1e-6)


@pytest.mark.parametrize("classes", ["abcd", "dabc", "adbc"])
@pytest.mark.parametrize("inference", [SWEEPS, NoInference()])
def test_cdrn_gives_the_prior_to_a_node_that_resembles_no_class(classes, inference):
    """Only d has a usual neighbor, and the node has none of that class, up to rounding."""
    labels = ["d", "d", None, "c", "a", "a", "b", "c"]
    net = Network([0, *[2] * 5], [1, *range(3, 8)], n_nodes=8, labels=labels, classes=[*classes])
    known = np.array([0, 1, 3, 4, 5, 6, 7])
    found = CDRN(inference=inference).fit(net, known).predict_proba(net, np.array([2]))[0]
    prior = [labels.count(c) / len(known) for c in classes]
    np.testing.assert_allclose(found, prior, atol=1e-6)


def test_hidden_labels_do_not_reach_the_model():
    rng = np.random.default_rng(3)
    source, target = rng.integers(0, 30, 80), rng.integers(0, 30, 80)
    truth = rng.integers(0, 3, 30)
    other = truth.copy()
    other[10:] = rng.permutation(truth[10:])
    train, nodes = np.arange(10), np.arange(30)
    for name in ("wvrn", "nbc"):
        answers = []
        for labels in (truth, other):
            net = Network(source, target, n_nodes=30, labels=labels.tolist(), classes=[0, 1, 2])
            answers.append(by_name(name).fit(net, train).predict_proba(net, nodes).tobytes())
        assert answers[0] == answers[1]


def test_training_nodes_keep_their_labels_and_rows_add_up_to_one():
    case = random_case(11)
    net = build(case)
    for name in ("wvrn", "nbc"):
        proba = by_name(name).predict_proba_batch(net, case["labels"], [0] * len(case["labels"]))
        np.testing.assert_allclose(proba.sum(axis=2), 1, atol=1e-5)
        known = case["labels"] >= 0
        assert np.array_equal(predict_labels(proba)[known], case["labels"][known])
        assert proba.dtype == np.float32


def test_tolerance_stops_where_the_dense_loops_stop():
    case = random_case(21)
    A, net = adjacency(case), build(case)
    model = WVRN(inference=RelaxationLabeling(tolerance=1e-3), direction=case["direction"])
    model.predict_proba_batch(net, case["labels"], [0] * len(case["labels"]))
    for row, labels in enumerate(case["labels"]):
        _, sweeps, residual = dense.relax(
            A, labels, case["k"], dense.wvrn_estimate, None, RelaxationLabeling().weights(), 1e-3
        )
        assert model.convergence_.iterations[row] == sweeps
        np.testing.assert_allclose(model.convergence_.residual[row], residual, atol=1e-6)


def test_models_follow_the_protocols_and_names_are_checked(words):
    assert isinstance(by_name("wvrn"), Model)
    assert isinstance(by_name("nbc"), BatchModel)
    with words.raises(InputError):
        by_name("wvrm")


@pytest.mark.parametrize(
    "model",
    [
        lambda: WVRN(inference=RelaxationLabeling(beta=0.0)),
        lambda: WVRN(inference=RelaxationLabeling(decay=1.5)),
        lambda: WVRN(inference=RelaxationLabeling(iterations=0)),
        lambda: WVRN(inference=RelaxationLabeling(tolerance=-1.0)),
        lambda: WVRN(direction="up"),
        lambda: NBC(smoothing=-1.0),
    ],
)
def test_bad_options_are_refused(model, words):
    net = Network([0], [1], n_nodes=2, labels=["a", "b"])
    with words.raises(InputError):
        model().fit(net, np.array([0])).predict_proba(net, np.array([1]))


def test_a_set_without_labels_and_use_before_fit_are_refused(words):
    net = Network([0], [1], n_nodes=2, labels=["a", None])
    with words.raises(InputError):
        WVRN().fit(net, np.array([1])).predict_proba(net, np.array([0]))
    with words.raises(InputError):
        WVRN().predict_proba(net, np.array([0]))
