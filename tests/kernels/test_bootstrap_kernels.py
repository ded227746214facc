"""The compiled pipeline on small graphs does what the models do."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from numba import njit

from nettrial.kernels import designs, kinds, small_models
from nettrial.kernels.small_graphs import WIDTH, bits_by_split, graph_of, spread
from nettrial.kernels.streams import below, key_of, stream, uniform
from nettrial.models import NBC, WVRN
from nettrial.models.decide import predict_labels
from nettrial.network.network import Network

BETAS = WVRN().inference.weights().astype(np.float32)


def training_sets(labels, n_train, n_splits, key):
    train = np.zeros((designs.rows_for(n_splits), labels.size), dtype=np.uint16)
    test = np.zeros_like(train)
    designs.draw_resamples(labels, n_train, 0, n_splits, stream(key, 0, 1), train, test)
    return train, test


def probabilities(graph, labels, n_classes, train, kind, smoothing, betas):
    reached = train.copy()
    spread(graph.indptr, graph.indices, reached)
    order = graph.order
    labels, train, fixed = labels[order], train[order], (train | ~reached)[order]
    trains = bits_by_split(train)
    prior = small_models.class_shares(labels, n_classes, trains)
    first = small_models.first_guess(labels, trains, prior)
    return small_models.infer(
        graph, labels, n_classes, train, fixed, prior, first, kind, smoothing, betas
    )


def random_network(rng, number):
    n, k = int(rng.integers(3, 50)), int(rng.integers(2, 5))
    rows = int(rng.integers(0, 4 * n))
    labels = [None if rng.random() < 0.1 else int(rng.integers(k)) for _ in range(n)]
    labels[:2] = [0, 1]
    return Network(
        rng.integers(n, size=rows),
        rng.integers(n, size=rows),
        n_nodes=n,
        labels=labels,
        weight=rng.exponential(1, rows) + 0.01 if number % 2 else None,
        directed=number % 5 == 0,
    )


def bits(words, split):
    return (words >> split) & 1 == 1


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::nettrial.core.errors.ConvergenceWarning")
@pytest.mark.parametrize("kind", [kinds.WVRN, kinds.NBC])
def test_small_graphs_agree_with_the_models(kind):
    rng = np.random.default_rng(kind)
    model = (WVRN, NBC)[kind]
    for number in range(30):
        network = random_network(rng, number)
        direction = ("both", "out", "in")[number % 3]
        pool = network.labeled
        n_train = max(1, int(rng.uniform(0.1, 0.8) * pool.size))
        (train,), (test,) = training_sets(network.labels, n_train, WIDTH, np.uint64(number))
        sets = np.full((WIDTH, network.n_nodes), -1, dtype=np.int32)
        for split, row in enumerate(sets):
            chosen, tested = bits(train, split), bits(test, split)
            assert chosen.sum() == n_train
            assert np.flatnonzero(chosen | tested).tolist() == pool.tolist()
            assert not (chosen & tested).any()
            row[chosen] = network.labels[chosen]
        indptr, indices, weights = network.neighbors(direction)
        graph = graph_of(indptr, indices, np.empty(0) if weights is None else weights)
        assert (np.diff(np.diff(indptr)[graph.order]) >= 0).all()
        lines = probabilities(graph, network.labels, network.n_classes, train, kind, 1.0, BETAS)
        found = np.empty((network.n_nodes, network.n_classes - 1, WIDTH), dtype=np.float32)
        found[graph.order] = lines.reshape(-1, network.n_nodes, WIDTH).swapaxes(0, 1)
        hidden = network.mask_labels(np.empty(0, dtype=int))
        expected = model(direction=direction).predict_proba_batch(hidden, sets, [0] * WIDTH)
        np.testing.assert_allclose(found.transpose(2, 0, 1), expected[:, :, 1:], atol=1e-4)
        _check_labels(network, test, expected, found)


def _check_labels(network, test, expected, found):
    wrong = np.empty(network.n_nodes, dtype=np.uint16)
    flat = np.ascontiguousarray(found.swapaxes(0, 1)).ravel()
    small_models.wrong_predictions(flat, network.labels, network.n_classes, test, wrong)
    ordered = np.sort(expected, axis=2)
    clear = ordered[:, :, -1] - ordered[:, :, -2] > 1e-3
    for split in range(WIDTH):
        tested = bits(test, split) & clear[split]
        truth = predict_labels(expected[split]) != network.labels
        assert (bits(wrong, split)[tested] == truth[tested]).all()
        assert not bits(wrong, split)[~bits(test, split)].any()


@pytest.mark.filterwarnings("ignore::nettrial.core.errors.ConvergenceWarning")
@pytest.mark.parametrize("absent", [0, 1])
def test_hubs_and_classes_without_training_nodes(absent):
    # a star within a ring: one row has more neighbors than may be multiplied at once
    n = 400
    ring = np.arange(1, n)
    network = Network(
        np.concatenate([np.zeros(n - 1, dtype=int), ring]),
        np.concatenate([ring, np.roll(ring, 1)]),
        n_nodes=n,
        labels=[int(i % 3 == 0) for i in range(n)],
    )
    indptr, indices, _ = network.neighbors("both")
    graph = graph_of(indptr, indices, np.empty(0))
    train = np.zeros(n, dtype=np.uint16)
    for split in range(WIDTH):
        known = np.random.default_rng(split).choice(ring, 100, replace=False)
        if split == 0:
            known = known[network.labels[known] != absent]
        train[known] |= np.uint16(1 << split)
    sets = np.where((train >> np.arange(WIDTH)[:, None]) & 1, network.labels, -1).astype(np.int32)
    lines = probabilities(graph, network.labels, 2, train, kinds.NBC, 1.0, BETAS)
    found = np.empty((n, WIDTH), dtype=np.float32)
    found[graph.order] = lines.reshape(n, WIDTH)
    hidden = network.mask_labels(np.empty(0, dtype=int))
    expected = NBC().predict_proba_batch(hidden, sets, [0] * WIDTH)[:, :, 1]
    np.testing.assert_allclose(found.T, expected, atol=1e-4)
    assert (np.round(found[:, 0], 4) == 1 - absent).all()


def test_training_sets_are_uniform():
    counts = np.zeros(12)
    for key in range(200):
        (train,), _ = training_sets(np.arange(12), 3, WIDTH, np.uint64(key))
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


@pytest.mark.slow
@pytest.mark.timeout(400)  # compiles everything anew
def test_plain_kernels_agree_with_vectors(tmp_path):
    """The fallback is compiled in a process of its own; hardly a near tie falls otherwise."""
    code = """
import sys, numpy as np
from nettrial.kernels import lanes
from nettrial.kernels.kinds import ModelPair
from nettrial.kernels.small_graphs import graph_of
from nettrial.kernels.streams import stream
from nettrial.kernels.trials import run_resampled
from nettrial.network.network import Network
rng = np.random.default_rng(2)
betas = np.full((2, 20), 0.9, dtype=np.float32)
found = []
for classes in (2, 3):
    net = Network(rng.integers(80, size=200), rng.integers(80, size=200), n_nodes=80,
                  labels=rng.integers(classes, size=80).tolist(), weight=None if classes == 2
                  else rng.exponential(1, 200) + 0.1)
    indptr, indices, weights = net.neighbors("both")
    graph = graph_of(indptr, indices, np.empty(0) if weights is None else weights)
    pair = ModelPair(np.array([0, 1]), np.ones(2), betas)
    test, wrong = run_resampled(graph, net.labels, classes, 24, 20, pair, np.zeros((1, 2)),
                                stream(np.uint64(3), 0, 1), stream(np.uint64(3), 0, 2))
    found.append(wrong)
print(lanes.VECTORS)
np.save(sys.argv[1], np.stack(found))
"""
    found = {}
    for plain in ("0", "1"):
        file = tmp_path / f"{plain}.npy"
        env = os.environ | {"NETTRIAL_PLAIN_KERNELS": plain}
        done = subprocess.run(
            [sys.executable, "-c", code, str(file)], env=env, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        found[done.stdout.strip()] = np.load(file)
    assert set(found) == {"True", "False"}
    differ = np.unpackbits((found["True"] ^ found["False"]).view(np.uint8)).sum()
    assert np.unpackbits(found["True"].view(np.uint8)).sum() > 1000
    assert differ <= 2
