"""Links are kept once, in their own order or in another, and nobody sees it."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import nettrial
from nettrial.models import evidence
from nettrial.models.nbc import NBC
from nettrial.models.wvrn import WVRN
from nettrial.network.network import Network


def graph(n=400, *, directed=False, weighted=False, seed=3):
    rng = np.random.default_rng(seed)
    source, target = rng.integers(0, n, (2, 5 * n))
    # some links both ways
    source, target = (np.concatenate(x) for x in ((source, target[:n]), (target, source[:n])))
    return Network(
        source,
        target,
        n_nodes=n,
        directed=directed,
        labels=rng.integers(0, 3, n),
        weight=rng.random(source.size) + 0.5 if weighted else None,
    )


def same(first, second):
    return all(
        (a is None and b is None) or np.array_equal(a, b)
        for a, b in zip(first, second, strict=True)
    )


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("direction", ["both", "out", "in"])
def test_turned_and_turned_back(weighted, direction):
    net = graph(directed=True, weighted=weighted)
    before = tuple(None if x is None else x.copy() for x in net.neighbors(direction))
    order = np.random.default_rng(0).permutation(net.n_nodes).astype(np.int32)
    stored = net.stored_links(direction)
    turned = stored.in_order(order)
    assert stored.in_order(order) is turned
    for place in (0, 7, net.n_nodes - 1):
        row = slice(*turned.indptr[place : place + 2])
        own = slice(*before[0][order[place] : order[place] + 2])
        assert order[turned.indices[row]].tolist() == before[1][own].tolist()
        if before[2] is not None:
            assert turned.weights[row].tolist() == before[2][own].tolist()
    assert same(net.neighbors(direction), before)
    stored.in_order(order)
    assert same(pickle.loads(pickle.dumps(net)).neighbors(direction), before)  # noqa: S301
    stored.in_order(order)
    assert net.fingerprint() == graph(directed=True, weighted=weighted).fingerprint()


def test_links_are_kept_once():
    net = graph()
    order = np.arange(net.n_nodes, dtype=np.int32)[::-1].copy()
    turned = net.stored_links().in_order(order)
    kept = net.stored_links()._kept
    assert kept[1] is turned
    assert net.stored_links()._mapped is None


def test_links_of_a_file_stay_mapped(tmp_path):
    net = graph()
    nettrial.io.write(net, tmp_path / "net.npz")
    nettrial.io.convert(tmp_path / "net.npz", tmp_path / "net.nettrial-graph")
    opened = nettrial.read(tmp_path / "net.nettrial-graph")
    links = opened.links
    opened.stored_links().in_order(np.arange(net.n_nodes, dtype=np.int32)[::-1].copy())
    assert opened.links is links


@pytest.mark.parametrize("model", [WVRN, NBC])
def test_links_both_ways_weigh_two_in_any_order(model, monkeypatch):
    answers = []
    for least in (0, 10**9):
        monkeypatch.setattr(evidence, "SORTED", least)
        net = graph(directed=True)
        labels = np.where(np.random.default_rng(1).random((16, 400)) < 0.3, net.labels, -1)
        answers.append(model().predict_proba_batch(net, labels.astype(np.int32), list(range(16))))
    np.testing.assert_array_equal(*answers)
