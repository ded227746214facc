"""Replicates keep what they promise, and the test follows from them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nettrial.core.errors import InputError
from nettrial.models import NBC, WVRN
from nettrial.network.network import Network
from nettrial.replicates.blocks import shrunk, take_apart
from nettrial.replicates.bootstrap_test import community_bootstrap_test
from nettrial.replicates.bootstrap_variance import size_correction, spread_of
from nettrial.replicates.compiled_pair import compiled_pair
from nettrial.replicates.replicate import replicate_network
from nettrial.replicates.tilting import null_probabilities
from nettrial.splits.resampling import RandomResampling
from nettrial.synth.latent_groups import latent_group_network
from oracles.jackknife import delete_groups, jackknife_test, leave_out


class Plain(WVRN):
    """The same classifier under another name, so that it takes the generic path."""


@pytest.fixture(scope="module")
def network():
    return latent_group_network(150, seed=3)


@pytest.fixture(scope="module")
def groups(network):
    return network.groups("group")[0]


def dense(network):
    return network.adjacency("out").toarray()


@st.composite
def networks(draw):
    n = draw(st.integers(4, 30))
    rng = np.random.default_rng(draw(st.integers(0, 2**31)))
    rows = draw(st.integers(0, 80))
    return Network(
        rng.integers(n, size=rows), rng.integers(n, size=rows), n_nodes=n,
        labels=[None if rng.random() < 0.2 else int(rng.integers(3)) for _ in range(n)],
        classes=range(3), directed=draw(st.booleans()),
        weight=rng.random(rows) + 0.1 if draw(st.booleans()) else None,
        features=rng.random((n, 2)), attributes={"node": range(n)},
    ), rng.integers(draw(st.integers(2, 6)), size=n)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(networks(), st.integers(0, 1000))
def test_a_replicate_is_made_of_whole_communities(made, seed):
    network, group = made
    if np.unique(group).size < 2:
        with pytest.raises(InputError, match="at least two"):
            replicate_network(network, group)
        return
    drawn = replicate_network(network, group, seed=seed)
    copy, origin, slot = drawn.network, drawn.origin, drawn.community
    before, after = dense(network), dense(copy)
    for s in np.unique(slot):
        nodes = np.flatnonzero(slot == s)
        source = origin[nodes]
        assert sorted(source) == np.flatnonzero(group == group[source[0]]).tolist()
        np.testing.assert_allclose(after[np.ix_(nodes, nodes)], before[np.ix_(source, source)])
    assert (copy.labels == network.labels[origin]).all()
    assert (copy.features == network.features[origin]).all()
    assert (copy.attributes["node"] == network.attributes["node"][origin]).all()
    assert copy.classes == network.classes
    assert copy.directed == network.directed
    largest = np.bincount(group).max()
    assert np.unique(slot).size >= 2
    assert copy.n_nodes <= network.n_nodes + 2 * largest


def test_links_between_communities_keep_their_number_and_classes(network, groups):
    def between(net, group):
        s, t = net.simple_links()
        apart = group[s] != group[t]
        pairs = np.sort(np.stack([net.labels[s], net.labels[t]]), axis=0)[:, apart]
        return np.array([(pairs[0] == a) & (pairs[1] == b) for a, b in ((0, 0), (0, 1), (1, 1))])

    truth = between(network, groups).sum(axis=1)
    found = []
    for number in range(300):
        drawn = replicate_network(network, groups, seed=5, number=number)
        found.append(between(drawn.network, drawn.community).sum(axis=1))
    mean, sd = np.mean(found, axis=0), np.std(found, axis=0)
    # multiple links merge and the mixture of communities varies: a tenth, and the mean's error
    assert (abs(mean - truth) < 0.1 * truth + 5.5 * sd / np.sqrt(300)).all()


def test_replicates_of_one_seed_are_equal_and_of_two_differ(network, groups):
    def digest(seed, number):
        drawn = replicate_network(network, groups, seed=seed, number=number)
        return drawn.network.fingerprint()

    assert digest(1, 2) == digest(1, 2)
    assert len({digest(1, 2), digest(1, 3), digest(2, 2)}) == 3


def test_activities_keep_their_sum_and_lasting_differences():
    group, sizes = np.repeat([0, 1], 500), np.array([500, 500])
    rng = np.random.default_rng(0)
    same = rng.poisson(4.0, size=1000).astype(float)
    assert shrunk(same, group, sizes).std() < 0.5 * same.std()
    lasting = rng.poisson(rng.pareto(2.5, size=1000) * 20).astype(float)
    assert shrunk(lasting, group, sizes).std() > 0.9 * lasting.std()
    for counts in (same, lasting):
        assert np.isclose(shrunk(counts, group, sizes).sum(), counts.sum())


@given(st.lists(st.floats(-5, 5), min_size=2, max_size=40))
@example([0.3125, -2.2250738585e-313])
def test_tilting_reaches_zero_or_ends(values):
    totals = np.array(values)
    p = null_probabilities(totals)
    assert np.isclose(p.sum(), 1)
    assert (p >= 0).all()
    before, after = totals.mean(), float(p @ totals)
    scale = abs(totals).max() + 1e-12
    assert abs(after) <= abs(before) + 1e-6 * scale
    assert before * after >= -1e-6 * scale**2
    if abs(after) > 1e-6 * scale:
        least = totals.size / min(1 + 2.5**2 / totals.size, 2)
        one_sign = (totals >= 0).all() or (totals <= 0).all()  # zero only in the limit
        assert one_sign or 1 / (p**2).sum() <= least * (1 + 1e-6)


@pytest.mark.parametrize("k", [2, 10, 64])
def test_the_spread_of_made_up_replicates(k):
    rng = np.random.default_rng(k)
    networks, splits = 0.03**2, 0.08**2
    found = []
    for _ in range(200):
        drawn = rng.normal(0, networks**0.5, (2, 200, 1)) + rng.normal(0, splits**0.5, (2, 200, 16))
        own = rng.normal(0, splits**0.5, k)
        found.append(spread_of(drawn[0], drawn[0], own, np.full(1000, 1.0), independent=True))
    truth = networks * 1000 / 999 + splits / k
    variance = np.array([one.variance for one in found])
    assert abs(variance.mean() - truth) < 5.5 * variance.std() / np.sqrt(200)


def test_size_correction_makes_clustered_sums_unbiased():
    rng = np.random.default_rng(1)
    sizes = np.array([2.0, 3, 5, 8, 13])
    effects = rng.normal(size=(200_000, sizes.size))
    mean = effects @ sizes / sizes.sum()
    u = sizes * (effects - mean[:, None]) / sizes.sum()
    variance = (u**2).sum(axis=1) * size_correction(sizes)
    assert abs(variance.mean() / mean.var() - 1) < 0.02


def test_built_in_models_are_compiled_and_others_are_not(network):
    assert compiled_pair(network, (WVRN(), NBC())) is not None
    assert compiled_pair(network, (Plain(), NBC())) is None
    assert compiled_pair(network, (WVRN(), NBC(smoothing=0))) is None


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::nettrial.core.errors.ConvergenceWarning")
def test_both_paths_see_the_same_variance(network, groups, monkeypatch):
    monkeypatch.setattr("nettrial.replicates.bootstrap_test.may_see_copies", lambda _model: True)
    options = {"communities": groups, "n_splits": 10, "n_replicates": 150, "seed": 4}
    fast = community_bootstrap_test(network, WVRN(), NBC(), **options)
    slow = community_bootstrap_test(network, Plain(), NBC(), **options)
    assert fast.details["compiled"]
    assert not slow.details["compiled"]
    assert fast.estimate == slow.estimate
    # the networks are the same, the splits are not; a standard error of 150 replicates has a
    # relative error of about 6%, and this is the difference of two
    assert abs(np.log(fast.standard_error / slow.standard_error)) < 0.45


def test_the_result_is_whole_and_turns_with_its_models(network):
    options = {"n_splits": 5, "n_replicates": 40, "seed": 2}
    found = community_bootstrap_test(network, "wvrn", "nbc", **options)
    turned = community_bootstrap_test(network, "nbc", "wvrn", **options)
    assert found.estimate == -turned.estimate
    assert np.isclose(found.pvalue, turned.pvalue)
    assert found.ci_low < found.estimate < found.ci_high
    assert (found.pvalue < 0.05) == (found.ci_low > 0 or found.ci_high < 0)


def test_a_model_against_itself_is_never_different(network):
    found = community_bootstrap_test(network, "wvrn", "wvrn", n_splits=5, n_replicates=10)
    assert found.estimate == 0
    assert found.pvalue == 1
    assert found.degenerate


def test_bad_input_is_refused(network, words):
    with words.raises(InputError):
        community_bootstrap_test(network, "wvrn", "nbc", n_replicates=3)
    with words.raises(InputError):
        community_bootstrap_test(network, "wvrn", "nbc", communities=np.zeros(150, dtype=int))
    with words.raises(InputError):
        take_apart(network, np.zeros(3, dtype=int))


@pytest.mark.filterwarnings("ignore::nettrial.core.errors.ConvergenceWarning")
def test_leaving_out_a_community_leaves_the_rest_alone(network, groups):
    design = RandomResampling(n_splits=3, labeled=0.3, seed=1)
    splits = design.split_network(network)
    gone = groups == groups[0]
    part, divided = leave_out(network, splits, gone)
    kept = np.flatnonzero(~gone)
    assert (dense(part) == dense(network)[np.ix_(kept, kept)]).all()
    assert (part.labels == network.labels[kept]).all()
    assert part.ids.tolist() == network.ids[kept].tolist()
    for before, after in zip(splits, divided):
        assert kept[after.train].tolist() == [i for i in before.train if not gone[i]]
        assert kept[after.test].tolist() == [i for i in before.test if not gone[i]]


def test_the_jackknife_of_unequal_groups_is_unbiased_for_a_mean():
    rng = np.random.default_rng(2)
    sizes = np.array([4.0, 5, 6, 7, 8, 10, 12])
    effects = rng.normal(size=(20_000, sizes.size)) / np.sqrt(sizes)
    whole = effects @ sizes / sizes.sum()
    without = (whole[:, None] * sizes.sum() - effects * sizes) / (sizes.sum() - sizes)
    found = [delete_groups(w, row, sizes) for w, row in zip(whole[:4000], without)]
    assert abs(np.mean(found) / whole.var() - 1) < 0.08


@pytest.mark.filterwarnings("ignore::nettrial.core.errors.ConvergenceWarning")
def test_the_jackknife_gives_the_estimate_of_the_bootstrap(network):
    options = {"n_splits": 5, "seed": 2}
    found = jackknife_test(network, "wvrn", "nbc", **options)
    other = community_bootstrap_test(network, "wvrn", "nbc", n_replicates=10, **options)
    assert np.isclose(found.estimate, other.estimate)
    assert found.standard_error > 0


def test_bits_do_not_depend_on_the_number_of_threads(network):
    import numba

    def result():
        found = community_bootstrap_test(
            network, "wvrn", "nbc", n_splits=5, n_replicates=12, seed=6
        )
        return found.standard_error, found.details["variance_at_null"]

    before = numba.get_num_threads()
    many = result()
    numba.set_num_threads(1)
    try:
        assert result() == many
    finally:
        numba.set_num_threads(before)


def test_a_model_that_may_notice_copies_is_refused(network, words):
    with words.raises(InputError):
        community_bootstrap_test(network, Plain(), "nbc", n_splits=4, n_replicates=10)


def test_a_network_with_hardly_any_labels_is_refused(words):
    network = Network([0, 2, 4], [1, 3, 5], n_nodes=6, labels=["a", "b", "a", None, None, None])
    with words.raises(InputError):
        community_bootstrap_test(
            network, "wvrn", "nbc", communities=[0, 0, 1, 1, 2, 2], n_splits=2, n_replicates=50
        )
