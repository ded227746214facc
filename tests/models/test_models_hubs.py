"""nBC multiplies many small factors: hubs, bounds of the class table, classes never seen."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import dense_models as dense
from nettrial.core.errors import SlowWarning
from nettrial.kernels.reorder import by_degree
from nettrial.models import NBC, WVRN, RelaxationLabeling, evidence, relaxation_blocks
from nettrial.network.network import Network

pytestmark = pytest.mark.filterwarnings("ignore::nettrial.core.errors.ConvergenceWarning")
ONE_SWEEP = RelaxationLabeling(iterations=1)


def star(n_leaves, leaf_labels, k, *, pairs=()):
    """A hub, which is node 0, and pairs of further nodes that teach the class table."""
    n = 1 + n_leaves + 2 * len(pairs)
    source = [0] * n_leaves + [1 + n_leaves + 2 * p for p in range(len(pairs))]
    target = list(range(1, 1 + n_leaves)) + [2 + n_leaves + 2 * p for p in range(len(pairs))]
    labels = np.array([-1, *leaf_labels, *(c for pair in pairs for c in pair)], dtype=np.int32)
    net = Network(source, target, n_nodes=n, classes=range(k), labels=[None] * n)
    return net, labels


def hub_in_log_space(net, labels, k, smoothing):
    """The first sweep's estimate for node 0, in float64."""
    A = net.adjacency().toarray()
    prior, T = dense.class_prior(labels, k), dense.bayes_table(A, labels, k, smoothing)
    seen = labels[A[0] > 0]
    with np.errstate(divide="ignore"):
        score = np.log(prior) + np.log(T[:, seen]).sum(axis=1)
    odds = np.exp(score - score.max())
    return prior + 0.99 * (odds / odds.sum() - prior)


@pytest.mark.slow
@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("shift", [-3, -1, 0, 1, 3])
def test_hub_between_two_classes_as_in_log_space(k, shift):
    """600 factors of up to a million to one each way, whose whole is near even odds."""
    leaves = np.array([0] * (300 + shift) + [1] * (300 - shift))
    pairs = [(0, 0)] * 40 + [(1, 1)] * 40 + ([(2, 2)] * 5 if k == 3 else [])
    net, labels = star(600, leaves, k, pairs=pairs)
    for smoothing in (0.0, 0.5):
        model = NBC(smoothing=smoothing, inference=ONE_SWEEP)
        proba = model.predict_proba_batch(net, labels[None], [0])[0, 0]
        np.testing.assert_allclose(proba, hub_in_log_space(net, labels, k, smoothing), atol=2e-4)


@pytest.mark.parametrize(("k", "seen"), [(2, 0), (2, 1), (3, 0), (3, 1), (3, 2)])
def test_a_class_never_seen_gets_nothing_whatever_the_neighbors(k, seen):
    net, labels = star(700, [seen] * 700, k, pairs=[(seen, seen)] * 3)
    proba = NBC(inference=ONE_SWEEP).predict_proba_batch(net, labels[None], [0])[0, 0]
    np.testing.assert_allclose(proba, np.eye(k)[seen], atol=1e-7)


@pytest.mark.parametrize("k", [2, 4])
def test_products_and_logarithms_agree(k):
    """Weights of 1 take the way through logarithms, no weights that of products."""
    rng = np.random.default_rng(k)
    n = 300
    source, target = rng.integers(0, n, 1500), rng.integers(0, 40, 1500)
    pairs = np.unique(np.sort(np.column_stack([source, target])[source != target], axis=1), axis=0)
    plain = Network(*pairs.T, n_nodes=n, classes=range(k), labels=[None] * n)
    # a further pair with another weight, apart from all labels, makes the network weighted
    weight = np.append(np.ones(len(pairs)), 2.0)
    more = np.vstack([pairs, [n, n + 1]])
    weighted = Network(
        *more.T, n_nodes=n + 2, weight=weight, classes=range(k), labels=[None] * (n + 2)
    )
    labels = rng.integers(-1, k, (16, n)).astype(np.int32)
    wide = np.pad(labels, ((0, 0), (0, 2)), constant_values=-1)
    assert not plain.weighted
    assert weighted.weighted
    found = NBC().predict_proba_batch(plain, labels, range(16))
    other = NBC().predict_proba_batch(weighted, wide, range(16))[:, :n]
    np.testing.assert_allclose(found, other, atol=3e-5)


def test_the_price_of_many_classes_is_told(monkeypatch):
    net, labels = star(4, [0, 1, 2, 2], 3)
    steps = 5 * 3**2 * 99
    for limit, note in ((steps, True), (steps + 1, False)):
        monkeypatch.setattr(relaxation_blocks, "SLOW", limit)
        with warnings.catch_warnings(record=True) as given:
            warnings.simplefilter("always")
            NBC().predict_proba_batch(net, labels[None], [0])
            WVRN().predict_proba_batch(net, labels[None], [0])
        found = [w for w in given if issubclass(w.category, SlowWarning)]
        assert len(found) == note
        assert all("square of the number of classes" in str(w.message) for w in found)


def test_nodes_sorted_by_their_links_give_the_same_bits(monkeypatch):
    rng = np.random.default_rng(5)
    n = 2500
    source, target = rng.integers(0, n, 9000), (n * rng.random(9000) ** 3).astype(int)
    labels = rng.integers(-1, 3, (5, n)).astype(np.int32)
    found = set()
    for least in (0, 10**9):
        monkeypatch.setattr(evidence, "SORTED", least)
        net = Network(source, target, n_nodes=n, classes=range(3), labels=[None] * n)
        order = evidence.Evidence(net, labels, "both", "test").order
        assert (order is None) == (least > n)
        found.add(b"".join(
            model.predict_proba_batch(net, labels, range(5)).tobytes() for model in (WVRN(), NBC())
        ))  # fmt: skip
    assert len(found) == 1


def test_sorting_keeps_nodes_in_their_block():
    rng = np.random.default_rng(0)
    indptr = np.concatenate([[0], np.cumsum(rng.integers(0, 9, 1000))])
    order = rng.permutation(1000).astype(np.int32)
    found = by_degree(indptr, order, block=128)
    degree = np.diff(indptr)
    for start in range(0, 1000, 128):
        part = found[start : start + 128]
        assert sorted(part) == sorted(order[start : start + 128])
        assert np.all(np.diff(degree[part]) >= 0)
