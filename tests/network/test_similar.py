"""Communities of links and of similar features."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.neighbors import KNeighborsClassifier

import nettrial
from nettrial.core.errors import InputError
from nettrial.network.communities import adjusted_rand, communities
from nettrial.network.feature_links import allows_similarity, with_similar
from nettrial.network.network import Network


def grouped(n_nodes: int = 300, n_groups: int = 15, seed: int = 0) -> tuple[Network, np.ndarray]:
    """Return groups with as many links to others as inside, which features tell apart."""
    rng = np.random.default_rng(seed)
    group = rng.integers(n_groups, size=n_nodes)
    chance = np.where(group[:, None] == group, 0.1, 0.007)
    source, target = np.nonzero(np.triu(rng.random((n_nodes, n_nodes)) < chance, 1))
    features = rng.normal(size=(n_groups, 12))[group] + rng.normal(size=(n_nodes, 12))
    labels = ((group + (rng.random(n_nodes) < 0.2)) % 2).tolist()
    return Network(source, target, n_nodes=n_nodes, labels=labels, features=features), group


def with_features(network: Network, features: object) -> Network:
    source, target = network.simple_links()
    return Network(
        source, target, n_nodes=network.n_nodes, labels=network.labels.tolist(), features=features
    )


def test_nodes_are_linked_to_those_most_like_them() -> None:
    network, _ = grouped(60)
    table = np.column_stack([network.features, np.ones(60)])  # one that does not vary
    joined = with_similar(with_features(network, table)).adjacency("both").toarray()
    own = network.adjacency("both").toarray()
    rows = (table[:, :12] - table[:, :12].mean(0)) / table[:, :12].std(0)
    length = np.linalg.norm(rows, axis=1)
    likeness = rows @ rows.T / np.outer(length, length)
    np.fill_diagonal(likeness, -np.inf)
    many = round(np.count_nonzero(own) / 60)
    chosen = np.zeros((60, 60))
    np.put_along_axis(chosen, np.argsort(-likeness, axis=1)[:, :many], 1.0, axis=1)
    alike = chosen + chosen.T
    assert joined == pytest.approx(own + alike * own.sum() / alike.sum())
    assert joined.sum() == pytest.approx(2 * own.sum())


def test_sparse_and_missing_features_are_as_dense_and_mean_ones() -> None:
    network, _ = grouped(80)
    words = (np.asarray(network.features) > 0.8).astype(float)
    dense, sparse = (
        with_similar(with_features(network, each)) for each in (words, sp.csr_array(words))
    )
    assert dense.adjacency("both").toarray() == pytest.approx(sparse.adjacency("both").toarray())
    holes, filled = (np.array(network.features) for _ in range(2))
    holes[3, 2] = np.nan
    filled[3, 2] = np.delete(filled[:, 2], 3).mean()
    one, two = (with_similar(with_features(network, each)) for each in (holes, filled))
    assert one.adjacency("both").toarray() == pytest.approx(two.adjacency("both").toarray())


def test_weak_groups_are_found_by_their_features() -> None:
    network, group = grouped()
    by_links, by_both = (
        adjusted_rand(communities(network, by), group) for by in ("louvain", "links_and_features")
    )
    assert by_links < 0.3
    assert by_both > by_links + 0.3


def test_it_takes_features_and_not_too_many_nodes(words) -> None:
    network, _ = grouped(60)
    assert allows_similarity(network)
    plain = with_features(network, None)
    assert not allows_similarity(plain)
    with words.raises(InputError):
        communities(plain, "links_and_features")
    many = 100_000
    large = Network([0], [1], n_nodes=many, features=np.ones((many, 100), dtype=np.float32))
    assert not allows_similarity(large)


def test_models_of_features_are_judged_on_such_communities_and_others_are_not() -> None:
    network, group = grouped(120, 8)
    how = {"n_splits": 2, "n_replicates": 10, "progress": False}
    nearest = KNeighborsClassifier(1)
    found = nettrial.compare(network, nearest, "wvrn", **how)
    assert found.settings["communities"] == "links_and_features"
    assert found.communities.tolist() == communities_of(network, found).tolist()
    said = " ".join(str(found).split())
    assert "Louvain communities of links and similar features" in said
    blind = nettrial.compare(network, "wvrn", "nbc", **how)
    assert blind.settings["communities"] == "louvain"
    note = nettrial.compare(network, nearest, "wvrn", communities=group.tolist(), **how)
    assert adjusted_rand(note.communities, group) == 1


def communities_of(network: Network, found: nettrial.Comparison) -> np.ndarray:
    """Return what another comparison of the same seed finds by name."""
    again = nettrial.compare(
        network, "wvrn", "prior", n_splits=2, test="cluster_robust_t",
        communities="links_and_features", seed=found.seed,
    )  # fmt: skip
    return np.asarray(again.communities)
