"""No number depends on the order in which nodes, links, classes and node columns came."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import KFold

import nettrial
from nettrial import Network
from nettrial.network.canonical_order import canonical_order
from nettrial.network.communities import adjusted_rand, communities
from nettrial.splits.base import Split, splits_in_order
from nettrial.splits.names import by_name
from timeless import timeless

N = 90
OPTIONS: dict[str, Any] = {"n_splits": 3, "seed": 1, "n_replicates": 12}


def ordered(ids: bool = True, **changes: Any) -> Network:
    """Return a network in canonical order, whose ids are numbers written as text."""
    rng = np.random.default_rng(5)
    made = nettrial.latent_group_network(N, seed=2)
    source, target = made.simple_links()
    columns = {
        "group": [f"g{number}" for number in communities(made)],
        "year": rng.integers(2000, 2012, N).tolist(),
        "age": (rng.normal(size=N) + made.labels).round(3).tolist(),
        "height": (rng.normal(size=N) - made.labels).round(3).tolist(),
    }
    given: dict[str, Any] = {
        "ids": [str(number) for number in range(N)],
        "labels": np.where(rng.random(N) < 0.1, "c", np.array(["a", "b"])[made.labels]).tolist(),
        "weight": rng.integers(1, 9, source.size).astype(float),
        "attributes": columns,
    }
    return Network(source, target, n_nodes=N, **given | changes)


def shuffled(network: Network, seed: int = 0) -> Network:
    """Return the same network with everything in another order."""
    rng = np.random.default_rng(seed)
    nodes = rng.permutation(network.n_nodes)
    place = np.argsort(nodes)
    links = network.adjacency("out").tocoo()
    rows = rng.permutation(np.flatnonzero(links.row < links.col))
    known: dict[str, Any] = {}
    if network.targets is not None:
        known = {"targets": network.targets[nodes]}
    elif network.n_classes:
        named = [network.classes[code] for code in network.labels[nodes]]
        known = {"labels": named, "classes": network.classes[::-1]}
    return Network(
        place[links.row[rows]],
        place[links.col[rows]],
        n_nodes=network.n_nodes,
        weight=links.data[rows],
        ids=network.ids[nodes].tolist(),
        attributes={k: v[nodes].tolist() for k, v in reversed(network.attributes.items())},
        **known,
    )


def numbers(found: Any) -> Any:
    """Return all numbers of a result, rounded, without what only names the run."""
    kept = json.loads(timeless(found))
    kept["settings"].pop("read", None)

    def rounded(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: rounded(each) for key, each in value.items()}
        if isinstance(value, list):
            return [rounded(each) for each in value]
        return float(f"{value:.9g}") if isinstance(value, float) else value

    return rounded(kept)


def agree(ask: Callable[[Network], Any], network: Network | None = None) -> None:
    network = ordered() if network is None else network
    other = shuffled(network)
    assert canonical_order(network) is None
    assert canonical_order(other) is not None
    assert numbers(ask(network)) == numbers(ask(other))


@pytest.mark.slow
@pytest.mark.parametrize("test", ["bootstrap", "halves", "network_hac", "cluster_robust_t"])
def test_of_two_models(test: str) -> None:
    agree(lambda net: nettrial.compare(net, "wvrn", "nbc", test=test, **OPTIONS))


@pytest.mark.slow
@pytest.mark.parametrize(
    "design",
    ["ers", "ncv", "kfold", "5x2", "temporal:year", "snowball", "community-stratified",
     "community-stratified:group", "community-biased"],
)  # fmt: skip
def test_of_every_design(design: str) -> None:
    options = {} if design == "5x2" else {"n_splits": 3}
    agree(lambda net: nettrial.compare(net, "wvrn", "nbc", design=design, seed=1,
                                       test="network_hac", **options))  # fmt: skip


@pytest.mark.slow
def test_of_models_that_draw_and_learn_from_named_columns() -> None:
    def ask(net: Network) -> Any:
        net = net.derive(features=[name for name in net.attributes if name in ("age", "height")])
        models = [RandomForestClassifier(5, random_state=1), "mlp"]
        return nettrial.compare_models(net, models, **OPTIONS | {"n_splits": 2})

    agree(ask)


def test_of_numbers() -> None:
    values = np.random.default_rng(1).normal(size=N)
    network = ordered(labels=None, targets=values)
    agree(lambda net: nettrial.compare(net, "relational_mean", "mean", **OPTIONS), network)


@pytest.mark.parametrize("design", ["rrs", "kfold+degree", "rrs+ends:3", "temporal"])
def test_of_links(design: str) -> None:
    agree(lambda net: nettrial.compare(net, "adamic_adar", "katz", design=design, seed=1,
                                       n_splits=2))  # fmt: skip


@pytest.mark.slow
def test_of_proportions_and_one_class_against_the_rest() -> None:
    def ask(net: Network) -> Any:
        options = OPTIONS | {"positive": "c", "measure": "average_precision"}
        return nettrial.sweep(net, ["wvrn", "nbc"], labeled=[0.3, 0.5], **options)

    agree(ask)


def test_of_several_labels() -> None:
    def ask(net: Network) -> Any:
        year = np.array(net.attributes["year"].tolist())
        labels = {"early": year < 2004, "late": year > 2008}
        return nettrial.compare_labels(net, labels, ["wvrn", "prior"], n_splits=3, seed=1)

    agree(ask)


@pytest.mark.filterwarnings("ignore:nbc warned")
def test_of_transfer() -> None:
    other = nettrial.latent_group_network(60, seed=4)
    ends = other.simple_links()
    train = Network(*ends, n_nodes=60, labels=[("a", "b", "c")[i % 3] for i in range(60)],
                    weight=np.ones(ends[0].size))  # fmt: skip
    for learned in (train, shuffled(train)):
        agree(
            lambda net, learned=learned: nettrial.compare_transfer(
                learned, net, ["nbc", "wvrn"], labeled=0.5, known=0.2, n_splits=3, seed=1
            )
        )


@pytest.mark.slow
def test_of_audits() -> None:
    def ask(net: Network) -> Any:
        return nettrial.audit(
            net, "wvrn", "nbc", n_splits=3, differences=[0.05], n_replicates=20, n_inner=10, seed=1
        )

    agree(ask)


@pytest.mark.slow
def test_splits_and_communities_are_handed_back_in_the_order_given() -> None:
    network = ordered()
    other = shuffled(network)
    order = canonical_order(other)
    assert order is not None
    one, two = (
        nettrial.compare(net, "wvrn", "nbc", communities=net.attributes["group"],
                         design=by_name("rrs", n_splits=3, labeled=0.3, seed=3), seed=1)
        for net in (network, other)
    )  # fmt: skip
    assert two.predictions.network is other
    assert (two.communities == one.communities[order.nodes.argsort()]).all()
    frames = [
        found.predictions.to_frame().sort_values(["split", "model", "node"], ignore_index=True)
        for found in (one, two)
    ]
    columns = ["split", "model", "node", "label", "prediction", "p_a", "p_b", "p_c"]
    assert frames[0][columns].equals(frames[1][columns])
    drawn = by_name("rrs", n_splits=3, labeled=0.3, seed=3).split_network(other)
    for given, used in zip(drawn, two.predictions.splits):
        assert (given.test == used.test).all()
    assert adjusted_rand(communities(other)[order.nodes], communities(network)) == 1


def test_given_splits_and_predictions() -> None:
    network = ordered()
    other = shuffled(network)
    order = canonical_order(other)
    assert order is not None
    splits = by_name("rrs", n_splits=3, labeled=0.3, seed=3).split_network(network)
    moved = splits_in_order(splits, order.back)
    assert all(isinstance(each, Split) for each in moved)
    found = [
        nettrial.compare(net, "wvrn", "nbc", design=given, test="network_hac", seed=1)
        for net, given in ((network, splits), (other, moved))
    ]
    assert numbers(found[0]) == numbers(found[1])
    agree(lambda net: nettrial.compare(net, "wvrn", "nbc", test="network_hac", seed=1,
                                       design=KFold(3, shuffle=True, random_state=0)))  # fmt: skip
    again = [nettrial.compare_predictions(each.predictions, seed=1) for each in found]
    assert numbers(again[0]) == numbers(again[1])
    assert again[1].predictions.network is other


def test_a_network_and_its_own_files(tmp_path: Path) -> None:
    network = shuffled(ordered())
    for name in ("net.graphml", "net.npz"):
        nettrial.io.write(network, tmp_path / name)
        read = nettrial.read(tmp_path / name, label=None if name.endswith("npz") else "label")
        one, two = (nettrial.compare(net, "wvrn", "nbc", **OPTIONS) for net in (network, read))
        assert one.test("bootstrap").pvalue == two.test("bootstrap").pvalue


def test_a_network_without_ids_keeps_its_order() -> None:
    network = nettrial.latent_group_network(60, seed=1)
    assert canonical_order(network) is None
    mixed = Network([0], [1], n_nodes=5, ids=["b", "10", "a", "9", "-1"])
    order = canonical_order(mixed)
    assert order is not None
    assert order.network.ids.tolist() == ["-1", "9", "10", "a", "b"]
