"""Generated networks: their laws, and the measures that go with their readings."""

from __future__ import annotations

import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from nettrial.core.errors import InputError
from nettrial.network.summary import autocorrelation
from nettrial.synth.blocks import block_network
from nettrial.synth.latent_groups import latent_group_network
from nettrial.synth.pairs import bernoulli_positions

ONE_IN_A_MILLION = 4.9  # standard errors, two-sided


# 150 networks of the authors' first implementation of each reading, rounded to two places
def random_network(n_nodes, **options):
    """Draw a network without communities, whose classes have nothing to do with its links."""
    return block_network(n_nodes, n_classes=2, n_blocks=1, purity=0.5, **options)


@pytest.mark.parametrize(
    ("between", "stated"),
    [("mean", 0.34), ("geometric", 0.37), ("smaller", 0.44), ("larger", 0.27)],
)
def test_autocorrelation_and_class_prior_of_each_reading(between, stated):
    networks = [latent_group_network(between=between, seed=seed) for seed in range(150)]
    measured = np.array([autocorrelation(network) for network in networks])
    prior = np.array([network.labels.mean() for network in networks])
    error = measured.std(ddof=1) / math.sqrt(150)
    # both sides are means of 150 networks
    band = ONE_IN_A_MILLION * math.sqrt(2) * error + 0.005
    assert abs(measured.mean() - stated) < band
    assert 0.04 < measured.std() < 0.11
    assert abs(prior.mean() - 0.7) < ONE_IN_A_MILLION * prior.std(ddof=1) / math.sqrt(150)


@pytest.mark.parametrize(
    ("between", "mixed"),
    [("mean", 0.008), ("geometric", math.sqrt(0.003 * 0.013)), ("smaller", 0.003),
     ("larger", 0.013)],
)  # fmt: skip
def test_link_and_class_probabilities(between, mixed):
    expected = {"AA": 0.003, "AB": mixed, "BB": 0.013, "A": 0.6, "B": 0.4}
    linked = dict.fromkeys(expected, 0)
    pairs = dict.fromkeys(expected, 0)
    positive = {"A": [], "B": []}
    for seed in range(60):
        network = latent_group_network(between=between, group_sizes="equal", seed=seed)
        kind = network.attributes["type"].astype(str)
        group = network.attributes["group"].astype(int)
        for k in "AB":
            positive[k].extend(network.labels[kind == k].tolist())
        upper = np.triu_indices(300, 1)
        has = network.adjacency().toarray()[upper] > 0
        same = group[upper[0]] == group[upper[1]]
        b = (kind[upper[0]] == "B").astype(int) + (kind[upper[1]] == "B")
        for name, which in (
            ("AA", ~same & (b == 0)),
            ("AB", ~same & (b == 1)),
            ("BB", ~same & (b == 2)),
            ("A", same & (b == 0)),
            ("B", same & (b == 2)),
        ):
            linked[name] += int(has[which].sum())
            pairs[name] += int(which.sum())
    for name, p in expected.items():
        error = math.sqrt(p * (1 - p) / pairs[name])
        assert abs(linked[name] / pairs[name] - p) < ONE_IN_A_MILLION * error, name
    for k, p in (("A", 0.9), ("B", 0.1)):
        error = math.sqrt(p * (1 - p) / len(positive[k]))
        assert abs(np.mean(positive[k]) - p) < ONE_IN_A_MILLION * error


@settings(max_examples=60, deadline=None)
@given(
    n=st.integers(2, 80),
    mean=st.floats(1, 30),
    sizes=st.sampled_from(["uniform", "equal", "geometric"]),
    seed=st.integers(0, 10**6),
)
def test_latent_groups_hold_together(n, mean, sizes, seed):
    network = latent_group_network(n, mean_group_size=mean, group_sizes=sizes, seed=seed)
    assert network.n_nodes == n
    assert network.tally.duplicate_rows == network.tally.self_loops == 0
    group = network.attributes["group"].astype(int)
    kind = network.attributes["type"]
    assert all(len(set(kind[group == g])) == 1 for g in np.unique(group))
    again = latent_group_network(n, mean_group_size=mean, group_sizes=sizes, seed=seed)
    assert network.fingerprint() == again.fingerprint()
    if sizes == "equal":
        counts = np.bincount(group)
        assert counts.max() - counts.min() <= 1


def test_group_sizes_average_ten():
    for sizes in ("uniform", "equal", "geometric"):
        means = [
            300
            / np.unique(latent_group_network(group_sizes=sizes, seed=s).attributes["group"]).size
            for s in range(40)
        ]
        assert 9 < np.mean(means) < 11


def test_latent_groups_refuse(words):
    for options in (
        {"between": "median"},
        {"group_sizes": "big"},
        {"share_a": 2},
        {"positive": (0.5, -1)},
        {"link_inside": (1.5, 0)},
        {"mean_group_size": 0},
    ):
        with pytest.raises(InputError):
            latent_group_network(**options)
    with words.raises(InputError):
        latent_group_network(1)


@settings(max_examples=60, deadline=None)
@given(total=st.integers(0, 500), p=st.floats(0, 1), seed=st.integers(0, 1000))
def test_bernoulli_positions_are_distinct_and_in_range(total, p, seed):
    found = bernoulli_positions(total, p, np.random.default_rng(seed))
    assert np.all(np.diff(found) > 0)
    assert found.size == 0 or (found[0] >= 0 and found[-1] < total)


def test_bernoulli_positions_have_the_law():
    rng = np.random.default_rng(0)
    for p in (0.01, 0.3, 0.9):
        runs = 4000
        hits = np.zeros(30)
        for _ in range(runs):
            hits[bernoulli_positions(30, p, rng)] += 1
        assert np.abs(hits / runs - p).max() < 5.5 * math.sqrt(p * (1 - p) / runs)


@settings(max_examples=50, deadline=None)
@given(
    n=st.integers(30, 150),
    classes=st.integers(1, 4),
    blocks=st.integers(1, 8),
    degree=st.floats(0, 5),
    seed=st.integers(0, 1000),
    inside=st.floats(0, 1),
)
def test_block_networks_have_exactly_the_links_asked_for(n, classes, blocks, degree, seed, inside):
    options = {"n_classes": classes, "n_blocks": blocks, "mean_degree": degree, "tail": 3.0,
               "inside": inside, "seed": seed}  # fmt: skip
    assume(n >= 15 * blocks)  # few places are left in small blocks, which is refused
    network = block_network(n, **options)
    assert network.n_links == round(n * degree / 2)
    assert network.tally.duplicate_rows == network.tally.self_loops == 0
    assert network.classes == tuple(range(classes))
    assert network.fingerprint() == block_network(n, **options).fingerprint()


def test_block_networks_are_what_they_say():
    options = {"n_nodes": 2000, "n_classes": 2, "n_blocks": 10, "seed": 3}
    network = block_network(**options, inside=0.7, purity=0.9, tail=None)
    block = network.attributes["block"].astype(int)
    s, t = network.simple_links()
    share = np.mean(block[s] == block[t])
    assert abs(share - 0.7) < ONE_IN_A_MILLION * math.sqrt(0.21 / s.size) + 0.02
    counts = [np.bincount(network.labels[block == b], minlength=2).max() for b in range(10)]
    assert abs(sum(counts) / 2000 - 0.9) < ONE_IN_A_MILLION * math.sqrt(0.09 / 2000)
    # communities and classes agree, they do not matter, they repel each other
    assert autocorrelation(network) > 0.3
    assert abs(autocorrelation(random_network(2000, seed=1))) < ONE_IN_A_MILLION / math.sqrt(8000)
    assert autocorrelation(block_network(**options, same_class=0.1)) < -0.2
    assert autocorrelation(block_network(2000, n_blocks=2, inside=0.1, seed=3)) < -0.2
    five = block_network(2000, n_classes=5, n_blocks=50, same_class=0.05, purity=0.2, seed=1)
    assert autocorrelation(five) < -0.05


def test_degrees_have_a_heavy_tail_where_asked_for():
    heavy = np.diff(block_network(5000, tail=2.5, seed=1).links.indptr)
    even = np.diff(block_network(5000, tail=None, seed=1).links.indptr)
    assert heavy.mean() == even.mean() == 8
    assert heavy.max() > 100 > 30 > even.max()
    # the largest hundred follow the exponent (Hill's estimator; the cut-off lifts it a little)
    top = np.sort(heavy)[-150:]
    hill = 1 + 1 / np.mean(np.log(top / top[0]))
    assert 2.0 < hill < 3.4


def test_random_networks_are_uniform():
    runs, n, links = 600, 8, 7
    times = np.zeros((n, n))
    for seed in range(runs):
        times += random_network(n, mean_degree=2 * links / n, seed=seed).adjacency().toarray()
    p = links / math.comb(n, 2)
    rate = times[np.triu_indices(n, 1)] / runs
    assert np.abs(rate - p).max() < 5.5 * math.sqrt(p * (1 - p) / runs)
    assert nx.is_empty(nx.from_numpy_array(random_network(5, mean_degree=0).adjacency().toarray()))


def test_block_networks_refuse(words):
    for options in (
        {"n_classes": 0},
        {"n_blocks": 0},
        {"mean_degree": 5000},
        {"tail": 2},
        {"inside": 1.2},
        {"purity": -1},
        {"same_class": -1},
        {"shares": (0.5, 0.6)},
        {"shares": (1,)},
    ):
        with pytest.raises(InputError):
            block_network(**options)
    with words.raises(InputError):
        # two blocks of about ten nodes cannot hold all links of a dense network
        block_network(20, n_blocks=2, inside=1.0, mean_degree=18, tail=None)


def test_shares_of_classes():
    network = block_network(4000, n_classes=3, n_blocks=100, purity=1.0, shares=(0.6, 0.3, 0.1))
    assert np.abs(np.bincount(network.labels) / 4000 - (0.6, 0.3, 0.1)).max() < 0.04
