"""How many link ends leave the communities, and when a comparison warns of it."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

import nettrial
from nettrial.network.communities import communities, conductance
from nettrial.network.network import Network


def test_it_is_the_mean_over_nodes_of_networkx_conductances() -> None:
    network = nettrial.latent_group_network(200, seed=4)
    codes = communities(network)
    graph = nx.Graph(zip(*(ends.tolist() for ends in network.simple_links())))
    graph.add_nodes_from(range(200))
    expected = np.zeros(200)
    for code in np.unique(codes):
        nodes = set(np.flatnonzero(codes == code).tolist())
        cut, volume = nx.cut_size(graph, nodes), nx.volume(graph, nodes)
        expected[list(nodes)] = cut / volume if volume else 0
    assert conductance(network, codes) == pytest.approx(expected.mean())


def test_without_links_there_is_none() -> None:
    assert np.isnan(conductance(Network([], [], n_nodes=3), [0, 1, 1]))


@pytest.mark.parametrize(("apart", "warned"), [(False, False), (True, True)])
def test_communities_that_most_link_ends_leave_are_warned_of(apart: bool, warned: bool) -> None:
    network = nettrial.latent_group_network(200, seed=4)
    given = np.arange(200) % 20 if apart else communities(network)
    options = {"n_splits": 4, "test": "cluster_robust_t", "communities": given}
    found = nettrial.compare(network, "wvrn", "nbc", **options)
    assert found.settings["conductance"] == round(conductance(network, given), 6)
    assert ("link ends of the average node's community leave it" in str(found.warnings)) == warned
    several = nettrial.compare_models(network, ["wvrn", "nbc", "prior"], **options)
    assert ("link ends of the average node" in str(several.warnings)) == warned
    by_links = nettrial.compare(network, "wvrn", "nbc", **(options | {"test": "network_hac"}))
    assert "link ends of the average node" not in str(by_links.warnings)
