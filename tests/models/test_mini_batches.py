"""Modules that train on samples of neighbors and predict part by part."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nettrial
from nettrial import InputError
from nettrial.models import FullBatch, NeighborBatches, TorchModel
from nettrial.models.mini_batches import Links
from nettrial.models.torch_adapter import call_with_links

torch = pytest.importorskip("torch")
pyg = pytest.importorskip("torch_geometric.nn.models")

BASE = nettrial.latent_group_network(300, seed=8)
FEATURES = np.random.default_rng(8).normal(size=(300, 6)) + BASE.labels[:, None]
NETWORK = nettrial.from_adjacency(
    BASE.adjacency(), BASE.labels.tolist(), features=FEATURES.astype(np.float32)
)
TRAIN, TEST = np.arange(0, 300, 3), np.setdiff1d(np.arange(300), np.arange(0, 300, 3))


def factory(kind: str) -> Any:
    def make(n_features: int, n_classes: int) -> Any:
        return getattr(pyg, kind)(n_features, 8, 2, n_classes)

    return make


def weighted(module: Any, data: Any) -> Any:
    return module(data.x, data.edge_index, edge_weight=data.edge_weight)


@pytest.mark.parametrize("kind", ["GCN", "GraphSAGE", "GAT"])
def test_prediction_by_parts_is_that_of_the_whole(kind: str) -> None:
    whole = TorchModel(factory(kind), train=FullBatch(epochs=5)).fit(NETWORK, TRAIN, seed=1)
    parts = TorchModel(factory(kind), train=NeighborBatches([5, 5], batch_size=37))
    parts.module_, parts.device_ = whole.module_, whole.device_
    found = [model.predict_proba(NETWORK, np.arange(300)) for model in (whole, parts)]
    np.testing.assert_allclose(found[0], found[1], atol=1e-5)


def test_weights_go_along() -> None:
    network = nettrial.from_adjacency(
        BASE.adjacency() * 2.5, BASE.labels.tolist(), features=FEATURES
    )
    whole = TorchModel(factory("GCN"), train=FullBatch(epochs=3), forward=weighted)
    whole.fit(network, TRAIN, seed=1)
    parts = TorchModel(
        factory("GCN"), train=NeighborBatches([-1, -1], batch_size=50), forward=weighted
    )
    parts.module_, parts.device_ = whole.module_, whole.device_
    one, other = (model.predict_proba(network, TEST) for model in (whole, parts))
    np.testing.assert_allclose(one, other, atol=1e-5)


def test_samples_hold_at_most_so_many_links_to_a_node() -> None:
    data = TorchModel(factory("GCN"))._data(NETWORK, TRAIN, TRAIN[:0])
    links, rng = Links.of(data), np.random.default_rng(0)
    batch = np.array([3, 77, 150])
    part = links.sampled(batch, [2, 3], rng)
    source, target = part.data.edge_index.numpy()
    degree = np.diff(NETWORK.links.indptr)
    assert np.bincount(target, minlength=3)[:3].tolist() == np.minimum(degree[batch], 2).tolist()
    assert np.bincount(target).max() <= 3
    nodes = [int(np.flatnonzero((data.x == row).all(dim=1))[0]) for row in part.data.x]
    assert nodes[:3] == batch.tolist()
    assert len(set(nodes)) == len(nodes)
    matrix = NETWORK.adjacency()
    assert all(matrix[nodes[s], nodes[t]] for s, t in zip(source, target))
    again = [links.sampled(batch, [2, 3], np.random.default_rng(1)).data.x for _ in range(2)]
    assert (again[0] == again[1]).all()


@pytest.mark.parametrize("mixed", [False, True])
def test_training_on_samples_learns_as_much_as_on_the_whole(mixed: bool) -> None:
    batches = NeighborBatches([5, 5], batch_size=32, epochs=20, mixed_precision=mixed)
    both = [
        TorchModel(factory("GraphSAGE"), train=train).fit(NETWORK, TRAIN, seed=3)
        for train in (batches, FullBatch(epochs=60, mixed_precision=mixed))
    ]
    rates = [
        (model.predict_proba(NETWORK, TEST).argmax(axis=1) != NETWORK.labels[TEST]).mean()
        for model in both
    ]
    assert rates[0] < 0.3
    assert abs(rates[0] - rates[1]) < 0.08
    again = TorchModel(factory("GraphSAGE"), train=batches).fit(NETWORK, TRAIN, seed=3)
    one, other = (model.predict_proba(NETWORK, TEST) for model in (both[0], again))
    assert (one == other).all()


def test_it_is_compared_as_any_model_and_can_be_inductive() -> None:
    model = TorchModel(
        factory("GraphSAGE"), train=NeighborBatches([4, 4], batch_size=40, epochs=4), name="batches"
    )
    found = nettrial.compare(
        NETWORK, model, "wvrn", n_splits=2, test="network_hac", setting="inductive"
    )
    assert found.scores["batches"] < 0.45


def test_settings_that_cannot_be_are_refused() -> None:
    data = TorchModel(factory("GCN"))._data(NETWORK, TRAIN, TRAIN[:0])
    module = factory("GCN")(6, 2)
    for train, note in (
        (NeighborBatches([]), "neighbors"),
        (NeighborBatches([0]), "neighbors"),
        (NeighborBatches(batch_size=0), "batch_size"),
    ):
        with pytest.raises(InputError, match=note):
            train(module, data, call_with_links)
