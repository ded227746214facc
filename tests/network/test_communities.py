"""Communities against networkx and planted truth."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from nettrial.core.errors import InputError
from nettrial.io.objects import from_adjacency
from nettrial.network.communities import (
    communities,
    describe_division,
    divided_louvain,
    louvain,
    number,
    split_giant,
)
from nettrial.network.louvain import find_groups
from nettrial.network.network import Network
from nettrial.synth.blocks import block_network


@st.composite
def weighted(draw):
    n = draw(st.integers(1, 25))
    rng = np.random.default_rng(draw(st.integers(0, 10000)))
    rows = draw(st.integers(0, 60))
    return Network(
        rng.integers(n, size=rows),
        rng.integers(n, size=rows),
        n_nodes=n,
        weight=rng.uniform(0.1, 5, size=rows),
        directed=draw(st.booleans()),
    )


def graph_of(network):
    return nx.from_scipy_sparse_array(network.adjacency("both"))


def modularity(network, codes):
    sets = [set(np.flatnonzero(codes == c).tolist()) for c in np.unique(codes)]
    return nx.community.modularity(graph_of(network), sets)


@settings(max_examples=80, deadline=None)
@given(network=weighted(), seed=st.integers(0, 100))
def test_louvain_is_deterministic_and_leaves_isolates_alone(network, seed):
    codes = louvain(network, seed=seed)
    fresh = Network(
        *_rows(network),
        n_nodes=network.n_nodes,
        weight=_weights(network),
        directed=True,
    )
    assert codes.shape == (network.n_nodes,)
    first = [codes.tolist().index(c) for c in range(codes.max() + 1)]
    assert first == sorted(first)
    isolated = np.flatnonzero(np.diff(network.neighbors("both").indptr) == 0)
    counts = np.bincount(codes)
    assert np.all(counts[codes[isolated]] == 1)
    assert np.array_equal(louvain(fresh, seed=seed), codes)
    if network.n_links:
        # never worse than all nodes apart, or all together
        apart = modularity(network, np.arange(network.n_nodes))
        assert modularity(network, codes) >= max(apart, 0) - 1e-6


def _rows(network):
    # the upper half of the symmetrised matrix, handed over as directed links
    matrix = np.triu(network.adjacency("both").toarray())
    return np.nonzero(matrix)


def _weights(network):
    matrix = np.triu(network.adjacency("both").toarray())
    return matrix[np.nonzero(matrix)]


def test_louvain_is_as_good_as_networkx_on_real_shapes():
    for seed in range(5):
        network = block_network(300, mean_degree=8, seed=seed)
        ours = modularity(network, louvain(network))
        sets = nx.community.louvain_communities(graph_of(network), seed=seed)
        assert ours > nx.community.modularity(graph_of(network), sets) - 0.03


def test_louvain_uses_weights_and_both_directions():
    # a cycle of six, whose heavy links form three pairs
    s, t = np.arange(6), (np.arange(6) + 1) % 6
    weight = np.where(s % 2 == 0, 10.0, 0.1)
    network = Network(s, t, n_nodes=6, weight=weight, directed=True)
    assert louvain(network).tolist() == [0, 0, 1, 1, 2, 2]
    reverse = Network(t, s, n_nodes=6, weight=weight, directed=True)
    assert louvain(reverse).tolist() == [0, 0, 1, 1, 2, 2]


def test_resolution(words):
    network = block_network(300, seed=1)
    sizes = [louvain(network, resolution=r).max() for r in (0.2, 1, 5)]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[2]
    for bad in (0, -1, float("nan"), float("inf")):
        with words.raises(InputError):
            louvain(network, resolution=bad)


def test_split_giant_finds_what_the_resolution_limit_hides():
    # a ring of 30 cliques of 5, merged in pairs by modularity (Fortunato and Barthelemy 2007)
    graph = nx.ring_of_cliques(30, 5)
    s, t = np.array(graph.edges).T
    network = Network(s, t, n_nodes=150)
    merged = np.arange(150) // 50
    fine = split_giant(network, merged, share=0.04)
    assert np.array_equal(fine, np.arange(150) // 5)
    kept = split_giant(network, merged, share=0.5)
    assert np.array_equal(kept, merged)


def test_split_giant_only_refines_and_leaves_what_does_not_divide(words):
    network = block_network(400, mean_degree=6, seed=2)
    coarse = louvain(network, resolution=0.1)
    fine = split_giant(network, coarse, share=0.05)
    assert fine.max() > coarse.max()
    for code in range(fine.max() + 1):
        nodes = np.flatnonzero(fine == code)
        assert np.unique(coarse[nodes]).size == 1
        if nodes.size > 0.05 * network.n_nodes:
            # still too large: then its own links show no communities
            inside = from_adjacency(network.adjacency()[nodes][:, nodes])
            assert louvain(inside).max() == 0
    clique = Network(*np.triu_indices(8, 1), n_nodes=8)
    assert split_giant(clique, [0] * 8, share=0.2).tolist() == [0] * 8
    with words.raises(InputError):
        split_giant(clique, [0] * 8, share=0)
    empty = Network([], [], n_nodes=3)
    assert split_giant(empty, [0, 0, 0], share=0.5).tolist() == [0, 1, 2]


def test_the_front(words):
    nan = float("nan")
    network = Network([0], [1], n_nodes=4, attributes={"school": ["y", "x", None, "y"]})
    assert communities(network, "school").tolist() == [0, 1, 2, 0]
    assert communities(network, np.array([7.0, nan, nan, 7.0])).tolist() == [0, 1, 2, 0]
    assert communities(network).tolist() == [0, 0, 1, 2]
    with words.raises(InputError):
        communities(network, "schol")
    with words.raises(InputError):
        communities(network, [1, 2, 3])


def core_network(seed: int) -> Network:
    """Half of the groups are linked densely with each other, the others hardly at all."""
    rng = np.random.default_rng(seed)
    group = rng.integers(30, size=300)
    same = group[:, None] == group[None]
    core = (group < 15)[:, None] & (group < 15)[None]
    chance = np.where(same, 0.8, np.where(core, 0.4, 0.002))
    source, target = np.nonzero(np.triu(rng.random((300, 300)) < chance, 1))
    return Network(source, target, n_nodes=300, labels=(group % 2).tolist())


def test_a_giant_community_is_divided_and_the_result_says_so():
    network = core_network(0)
    whole, parts = louvain(network, seed=1), divided_louvain(network, seed=1)
    assert np.bincount(whole).max() > 0.3 * 300 >= np.bincount(parts).max()
    # parts lie within Louvain's communities, and those that are no giants stay as they are
    pairs = np.unique(np.column_stack([whole, parts]), axis=0)
    assert len(pairs) == parts.max() + 1
    small = np.flatnonzero(np.bincount(whole) <= 0.3 * 300)
    assert all((pairs[:, 0] == code).sum() == 1 for code in small)
    assert communities(network, seed=1).tolist() == parts.tolist()
    note = describe_division(network, parts, seed=1)
    assert note.startswith("Louvain's largest community held")
    assert "it was divided" in note


def test_a_giant_without_parts_stays_and_is_told():
    clique = Network(*np.nonzero(np.triu(np.ones((12, 12)), 1)), n_nodes=12, labels=[0, 1] * 6)
    parts = divided_louvain(clique)
    assert parts.max() == 0
    assert "stays" in describe_division(clique, parts)


def test_communities_that_are_given_are_never_divided():
    network = core_network(0)
    assert communities(network, np.zeros(300, dtype=int)).max() == 0


def test_a_comparison_records_the_division():
    import nettrial

    found = nettrial.compare(
        core_network(0), "wvrn", "nbc", n_splits=2, seed=1, test="cluster_robust_t"
    )
    assert "it was divided" in found.settings["division"]
    loose = nettrial.latent_group_network(100, seed=1)
    plain = nettrial.compare(loose, "wvrn", "nbc", n_splits=2, test="cluster_robust_t")
    assert "division" not in plain.settings


@pytest.mark.parametrize("resolution", [0.5, 1.0, 3.0])
def test_groups_are_those_of_scikit_network(resolution):
    clustering = pytest.importorskip("sknetwork.clustering")
    rng = np.random.default_rng(1)
    for k in range(40):
        n, rows = int(rng.integers(2, 300)), int(rng.integers(1, 1200))
        ends = rng.integers(n, size=(2, rows))
        weight = (None, rng.uniform(0.1, 5, rows), 10 ** rng.uniform(-20, 20, rows))[k % 3]
        network = Network(*ends, n_nodes=n, weight=weight, directed=k % 2 == 0)
        links = network.adjacency("both")
        if links.nnz:
            rival = clustering.Louvain(resolution, shuffle_nodes=True, random_state=k)
            theirs = rival.fit_predict(sp.csr_matrix(links))
            ours = find_groups(links, np.random.RandomState(k).permutation(n), resolution)
            assert number(ours).tolist() == number(theirs).tolist()
