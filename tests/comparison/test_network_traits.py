"""What networks are like, which are the same one, and where the better model depends on them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import nettrial
from nettrial.comparison.across import AcrossNetworks
from nettrial.comparison.network_traits import repeated, traits_of
from nettrial.network.network import Network
from nettrial.network.summary import autocorrelation

QUICK: dict[str, Any] = {"n_splits": 4, "test": "cluster_robust_t"}
NETWORKS = {f"n{i}": nettrial.latent_group_network(150, seed=i) for i in range(6)}


@pytest.fixture(scope="module")
def found() -> AcrossNetworks:
    return nettrial.compare_across(NETWORKS, ["wvrn", "nbc"], **QUICK)


def renamed(network: Network, ids: list[str]) -> Network:
    order = np.random.default_rng(0).permutation(network.n_nodes)
    ends = [order[end] for end in network.simple_links()]
    return Network(*ends, n_nodes=network.n_nodes, ids=ids, directed=True)


def test_one_graph_under_other_names_and_with_a_direction_is_noticed() -> None:
    one, other = NETWORKS["n0"], NETWORKS["n1"]
    again = renamed(one, [f"x{i}" for i in range(150)])
    (warning,) = repeated({"one": one, "other": other, "again": again})
    assert str(warning).startswith("one and again have the same links, whatever their nodes are")


@pytest.mark.parametrize(("kept", "noticed"), [(0.9, True), (0.3, False)])
def test_years_of_one_network_are_noticed_by_ids_and_links(kept: float, noticed: bool) -> None:
    one, other = NETWORKS["n0"], NETWORKS["n1"]
    ends = [end[np.arange(end.size) < kept * end.size] for end in one.simple_links()]
    new = [end[: int((1 - kept) * end.size)] for end in other.simple_links()]
    ids = [f"pupil {i}" for i in range(150)]
    year_1 = Network(*one.simple_links(), n_nodes=150, ids=ids)
    year_2 = Network(*map(np.concatenate, zip(ends, new)), n_nodes=150, ids=ids)
    warned = [str(warning) for warning in repeated({"1": year_1, "2": year_2})]
    assert bool(warned) == noticed
    if noticed:
        assert "1 and 2 have 100% of their node ids and 9" in warned[0]


def test_networks_numbered_alike_are_not_one() -> None:
    assert repeated(NETWORKS) == ()


def test_results_say_what_each_network_is_like(found: AcrossNetworks) -> None:
    for name, network in NETWORKS.items():
        traits = found.to_dict()["traits"][name]
        assert traits == traits_of(network)
        assert traits["autocorrelation"] == autocorrelation(network)
    assert "not in the weights" in " ".join(str(found).split())


def test_heterogeneity_and_the_next_network_stand_in_the_text(found: AcrossNetworks) -> None:
    mean = found.over.pairs[0].hierarchical
    assert mean is not None
    details, text = mean.details, " ".join(str(found).split())
    low, high = (100 * details[f"prediction_{end}"] for end in ("low", "high"))
    assert f"on one more such network {low:.1f} to {high:.1f}" in found.verdict
    assert f"I-squared is {details['i_squared']:.0%}, and Cochran's Q is " in text


def turned(found: AcrossNetworks, p: float) -> AcrossNetworks:
    """Return the same with a difference on the first network that has the other sign."""
    networks = {}
    for place, (name, each) in enumerate(found.networks.items()):
        size = 0.1 if place else -0.1
        numbers = {"estimate": size, "ci_low": size - 0.05, "ci_high": size + 0.05, "pvalue": p,
                   "adjusted_pvalue": p}  # fmt: skip
        pairs = replace(each.pairs, **{key: np.array([v]) for key, v in numbers.items()})
        networks[name] = replace(each, pairs=pairs)
    return replace(found, networks=networks)


def test_the_headline_says_where_the_better_model_depends_on_the_network(
    found: AcrossNetworks,
) -> None:
    either = turned(found, 0.001)
    assert either.directions == (("wvrn", "nbc", 1, 5, True),)
    assert either.verdict.startswith("It depends on the network whether wvrn or nbc is better: ")
    said = "each network alone, wvrn is significantly better on 1 and nbc on 5"
    assert said in either.verdict
    assert either.to_dict()["directions"][0]["depends"]


def test_a_chance_difference_among_many_networks_is_counted_and_makes_no_headline(
    found: AcrossNetworks,
) -> None:
    either = turned(found, 0.04)
    assert not either.directions[0].depends
    assert "It depends" not in either.verdict
    assert "wvrn is significantly better on 1 and nbc on 5" in either.verdict
