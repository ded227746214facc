"""What large networks switch on - shared sweeps, an order of its own - changes no prediction."""

from __future__ import annotations

import os
import subprocess
import sys
import tracemalloc

import numba
import numpy as np
import pytest

from nettrial.kernels.neighbor_sums import AHEAD, at_once
from nettrial.kernels.reorder import local_order, permute
from nettrial.models import by_name, evidence, predict_labels, relaxation_blocks
from nettrial.network.network import Network


@pytest.fixture(scope="module")
def network():
    """30 groups in random node order, weighted, with a few isolates."""
    rng = np.random.default_rng(8)
    n, rows = 1500, 6000
    group = rng.integers(0, 30, n)
    members = [np.flatnonzero(group == g) for g in range(30)]
    source = rng.integers(0, n - 5, rows)
    inside = np.array([rng.choice(members[group[s]]) for s in source])
    target = np.where(rng.random(rows) < 0.85, inside, rng.integers(0, n, rows))
    weight = rng.choice([0.5, 1.0, 2.0], rows)
    labels = np.full((20, n), -1, dtype=np.int32)
    for row in labels:
        chosen = rng.choice(n, 150, replace=False)
        row[chosen] = group[chosen] % 3
    net = Network(source, target, n_nodes=n, weight=weight, classes=range(3), labels=[None] * n)
    return net, labels


def answers(network, name):
    net, labels = network
    return by_name(name).predict_proba_batch(net, labels, range(len(labels)))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["wvrn", "nbc", "nlb", "cdrn"])
def test_any_number_of_threads_and_shared_sweeps_give_the_same_bits(network, name, monkeypatch):
    before = numba.get_num_threads()
    found = set()
    try:
        for threads in {1, before}:
            numba.set_num_threads(threads)
            for large in (0, 10**9):
                monkeypatch.setattr(relaxation_blocks, "LARGE", large)
                found.add(answers(network, name).tobytes())
    finally:
        numba.set_num_threads(before)
    assert len(found) == 1


@pytest.mark.parametrize("name", ["wvrn+gibbs", "wvrn+ica", "nbc+none"])
def test_any_number_of_threads_gives_the_same_labeling(network, name):
    net, labels = network
    many, seeds = np.concatenate([labels] * 4), list(range(80))
    model = by_name(name)
    if name.endswith("gibbs"):
        model.inference = type(model.inference)(burn_in=2, samples=5)
    before = numba.get_num_threads()
    found = set()
    try:
        for threads in {1, before}:
            numba.set_num_threads(threads)
            found.add(model.predict_proba_batch(net, many, seeds).tobytes())
    finally:
        numba.set_num_threads(before)
    assert len(found) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["wvrn", "nbc", "nlb"])
def test_reordering_is_invisible(network, name, monkeypatch):
    net, labels = network
    plain = answers(network, name)
    monkeypatch.setattr(evidence, "REORDERED", 0)
    fresh = Network(
        *coo(net),
        n_nodes=net.n_nodes,
        weight=weights(net),
        classes=range(3),
        labels=[None] * net.n_nodes,
    )
    moved = answers((fresh, labels), name)
    assert evidence.Evidence(fresh, labels, "both", "test").order is not None
    np.testing.assert_allclose(moved, plain, atol=2e-5)
    assert np.array_equal(predict_labels(moved), predict_labels(plain))


@pytest.mark.parametrize(
    ("name", "n_classes"),
    [
        ("wvrn", 2),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in [
                ("wvrn", 8),
                ("nbc", 2),
                ("nbc", 8),
                ("nlb", 8),
                ("cdrn", 8),
                ("wvrn", 4),
                ("nbc", 6),
            ]
        ),
    ],
)
@pytest.mark.parametrize("weighted", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_looking_ahead_and_several_lines_at_once_change_no_bit(
    name, n_classes, weighted, monkeypatch
):
    """With hubs of several blocks of links at both ends of the links, and with hardly any links."""
    rng = np.random.default_rng(4)
    hub = np.arange(1, 899)
    crowd = Network(
        np.concatenate([rng.integers(0, 900, 2000), hub * 0, hub * 0 + 899]),
        np.concatenate([rng.integers(0, 900, 2000), hub, hub]),
        n_nodes=900,
        classes=range(n_classes),
        weight=rng.choice([0.5, 1.0, 2.0], 2000 + 2 * hub.size) if weighted else None,
    )
    few = Network([0, 1, 4], [1, 2, 5], n_nodes=900, classes=range(n_classes))
    labels = rng.integers(-1, n_classes, (3, 900)).astype(np.int32)
    for net in (crowd, few):
        found = set()
        for cached in (0, 2**63):
            monkeypatch.setattr(relaxation_blocks, "CACHED", cached)
            found.add(answers((net, labels), name).tobytes())
        assert len(found) == 1


def test_no_index_past_the_last_link_is_read():
    size, most = 1000, 256
    for link in range(0, size, 7):
        for stop in range(link, size + 1, 11):
            calm = at_once.py_func(link, stop, most, size - AHEAD, True)
            assert calm == (stop - link <= most and stop + AHEAD <= size)
            assert at_once.py_func(link, stop, most, size - AHEAD, None) == (stop - link <= most)


def coo(net):
    upper = net.adjacency().tocoo()
    keep = upper.row < upper.col
    return upper.row[keep], upper.col[keep]


def weights(net):
    upper = net.adjacency().tocoo()
    return upper.data[upper.row < upper.col]


def test_order_brings_neighbors_together_and_permutes_the_links(network):
    net, _ = network
    indptr, indices, weight = net.links
    order = local_order(indptr, indices, most=64)
    assert sorted(order.tolist()) == list(range(net.n_nodes))
    rows, targets, moved = permute(indptr, indices, weight, order)
    dense = net.adjacency().toarray()[np.ix_(order, order)]
    again = np.zeros_like(dense)
    again[np.repeat(np.arange(net.n_nodes), np.diff(rows)), targets] = moved
    assert np.array_equal(again, dense)
    source = np.repeat(np.arange(net.n_nodes), np.diff(indptr))
    apart = np.abs(source - indices)
    source = np.repeat(np.arange(net.n_nodes), np.diff(rows))
    assert np.median(np.abs(source - targets)) < 0.3 * np.median(apart)


def test_no_order_where_there_are_no_groups():
    rng = np.random.default_rng(0)
    net = Network(rng.integers(0, 3000, 30000), rng.integers(0, 3000, 30000), n_nodes=3000)
    assert local_order(net.links.indptr, net.links.indices, most=64) is None


@pytest.mark.slow
@pytest.mark.timeout(400)  # compiles everything anew
def test_plain_kernels_agree_with_vectors(tmp_path):
    """The fallback is compiled in a process of its own and compared within rounding."""
    code = """
import sys, numpy as np
from nettrial.kernels import lanes
from nettrial.models import by_name
from nettrial.network.network import Network
rng = np.random.default_rng(2)
net = Network(rng.integers(0, 60, 150), rng.integers(0, 60, 150), n_nodes=60,
              classes=range(3), labels=[None] * 60)
labels = rng.integers(-1, 3, (3, 60)).astype(np.int32)
print(lanes.VECTORS)
np.save(sys.argv[1], np.stack([by_name(n).predict_proba_batch(net, labels, [1, 2, 3])
                               for n in ("wvrn", "nbc")]))
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
    np.testing.assert_allclose(found["True"], found["False"], atol=2e-5)


def test_memory_beside_the_lines_is_bounded():
    """wvRN on a binary network: two arrays of lines, the answer, and a fifth beside them."""
    rng = np.random.default_rng(0)
    n = 60_000
    net = Network(
        rng.integers(0, n, 4 * n),
        rng.integers(0, n, 4 * n),
        n_nodes=n,
        classes=[0, 1],
        labels=[None] * n,
    )
    labels = rng.integers(-1, 2, (16, n)).astype(np.int32)
    model = by_name("wvrn")
    model.inference = type(model.inference)(iterations=2, tolerance=9.0)
    model.predict_proba_batch(net, labels, range(16))
    tracemalloc.start()
    try:
        model.predict_proba_batch(net, labels, range(16))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    lines, answer = 2 * 64 * n, 16 * n * 2 * 4
    graph = net.links.indptr.nbytes + net.links.indices.nbytes
    assert peak < 1.2 * (lines + graph) - graph + answer
