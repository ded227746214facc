"""The compiled pipeline on small graphs does what the models do."""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit

from nettrial.kernels import small_graphs
from nettrial.kernels.lanes_small import WIDTH
from nettrial.kernels.streams import below, key_of, stream, uniform
from nettrial.models import NBC, WVRN
from nettrial.models.decide import predict_labels
from nettrial.network import Network

BETAS = WVRN().inference.weights().astype(np.float32)


@njit
def training_sets(pool, n_train, n_splits, key, n):
    train = np.empty(n, dtype=np.uint16)
    small_graphs.draw_training(
        pool, n_train, n_splits, stream(key, 0, 1), np.arange(pool.size), train
    )
    return train


@njit
def probabilities(indptr, indices, weights, labels, n_classes, train, kind, smoothing, betas):
    prior = np.empty(n_classes * WIDTH, dtype=np.float32)
    small_graphs.class_shares(labels, n_classes, train, prior)
    fixed = train.copy()
    small_graphs.spread(indptr, indices, fixed)
    for i in range(labels.size):
        fixed[i] = train[i] | ~fixed[i]
    first = np.empty(labels.size * (n_classes - 1) * WIDTH, dtype=np.float32)
    second = np.empty_like(first)
    return small_graphs.infer(
        indptr, indices, weights, labels, n_classes, train, fixed, prior, kind, smoothing, betas,
        first, second,
    )  # fmt: skip


def random_network(rng, number):
    n, k = int(rng.integers(3, 50)), int(rng.integers(2, 5))
    rows = int(rng.integers(0, 4 * n))
    labels = [None if rng.random() < 0.1 else int(rng.integers(k)) for _ in range(n)]
    labels[:2] = [0, 1]
    return Network(
        rng.integers(n, size=rows), rng.integers(n, size=rows), n_nodes=n, labels=labels,
        weight=rng.exponential(1, rows) + 0.01 if number % 2 else None,
        directed=number % 5 == 0,
    )  # fmt: skip


def bits(words, split):
    return (words >> split) & 1 == 1


@pytest.mark.filterwarnings("ignore::nettrial.errors.ConvergenceWarning")
@pytest.mark.parametrize("kind", [small_graphs.WVRN, small_graphs.NBC])
def test_small_graphs_agree_with_the_models(kind):
    rng = np.random.default_rng(kind)
    model = (WVRN, NBC)[kind]
    for number in range(30):
        network = random_network(rng, number)
        direction = ("both", "out", "in")[number % 3]
        pool = network.labelled
        n_train = max(1, int(rng.uniform(0.1, 0.8) * pool.size))
        train = training_sets(pool, n_train, WIDTH, np.uint64(number), network.n_nodes)
        sets = np.full((WIDTH, network.n_nodes), -1, dtype=np.int32)
        for split, row in enumerate(sets):
            chosen = bits(train, split)
            assert chosen.sum() == n_train
            assert np.isin(np.flatnonzero(chosen), pool).all()
            row[chosen] = network.labels[chosen]
        indptr, indices, weights = network.neighbours(direction)
        found = probabilities(
            indptr, indices, np.empty(0) if weights is None else weights, network.labels,
            network.n_classes, train, kind, 1.0, BETAS,
        )  # fmt: skip
        found = found.reshape(network.n_nodes, network.n_classes - 1, WIDTH).transpose(2, 0, 1)
        hidden = network.mask_labels(np.empty(0, dtype=int))
        expected = model(direction=direction).predict_proba_batch(hidden, sets, [0] * WIDTH)
        np.testing.assert_allclose(found, expected[:, :, 1:], atol=1e-4)
        _check_labels(network, train, expected, found)


def _check_labels(network, train, expected, found):
    test = np.zeros(network.n_nodes, dtype=np.uint16)
    test[network.labelled] = ~train[network.labelled]
    wrong = np.empty(network.n_nodes, dtype=np.uint16)
    flat = np.ascontiguousarray(found.transpose(1, 2, 0)).ravel()
    small_graphs.wrong_predictions(flat, network.labels, network.n_classes, test, wrong)
    ordered = np.sort(expected, axis=2)
    clear = ordered[:, :, -1] - ordered[:, :, -2] > 1e-3
    for split in range(WIDTH):
        tested = bits(test, split) & clear[split]
        truth = predict_labels(expected[split]) != network.labels
        assert (bits(wrong, split)[tested] == truth[tested]).all()
        assert not bits(wrong, split)[~bits(test, split)].any()


def test_training_sets_are_uniform():
    counts = np.zeros(12)
    for key in range(200):
        train = training_sets(np.arange(12), 3, WIDTH, np.uint64(key), 12)
        counts += [sum(bits(train, split)[i] for split in range(WIDTH)) for i in range(12)]
    expected = 200 * WIDTH * 3 / 12
    # the number of times that a node is drawn is binomial; 5.5 deviations for 12 nodes
    assert (abs(counts - expected) < 5.5 * np.sqrt(expected * 0.75)).all()


def test_streams_differ_by_key_unit_and_purpose():
    @njit
    def draw(key, unit, purpose):
        state = stream(key, unit, purpose)
        return [below(state, 1000) for _ in range(5)], uniform(state)

    first = draw(key_of(1), 0, 0)
    assert first == draw(key_of(1), 0, 0)
    assert len({str(draw(key_of(k), u, p)) for k in (1, 2) for u in (0, 1) for p in (0, 1)}) == 8
    assert 0 < first[1] < 1
