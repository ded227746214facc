"""What every design guarantees, for any network."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2_contingency

from nettrial.core.errors import InputError
from nettrial.network.network import Network
from nettrial.splits import (
    DESIGNS,
    CommunityBiased,
    CommunityStratified,
    EqualResampling,
    FiveByTwo,
    NetworkCrossValidation,
    RandomResampling,
    RepeatedKFold,
    Snowball,
    Temporal,
    by_name,
)
from nettrial.splits.checks import round_half_up
from nettrial.splits.names import describe_splits, described

SAMPLED = [
    RandomResampling, EqualResampling, NetworkCrossValidation, Snowball, CommunityStratified,
    CommunityBiased,
]  # fmt: skip
proportions = st.floats(0.05, 0.95)
seeds = st.integers(0, 2**32)


@st.composite
def networks(draw):
    n = draw(st.integers(2, 60))
    label = draw(st.lists(st.sampled_from(["a", "b", "c", None]), min_size=n, max_size=n))
    rows = draw(st.integers(0, 3 * n))
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    return Network(
        rng.integers(n, size=rows),
        rng.integers(n, size=rows),
        n_nodes=n,
        labels=label,
        directed=draw(st.booleans()),
        attributes={"year": rng.integers(2000, 2010, size=n).tolist()},
    )


def full_network(n, n_classes=2, **options):
    labels = [f"c{i % n_classes}" for i in range(n)]
    return Network(np.arange(n - 1), np.arange(1, n), n_nodes=n, labels=labels, **options)


def check_three_sets(network, splits):
    labeled = set(network.labeled.tolist())
    for split in splits:
        train, inference, test = (
            set(x.tolist()) for x in (split.train, split.inference, split.test)
        )
        assert train <= labeled
        assert test <= labeled
        assert test <= inference
        assert not train & inference
        assert train | inference == set(range(network.n_nodes))
        assert train
        assert test
        for array in (split.train, split.inference, split.test):
            assert np.all(np.diff(array) > 0)


@pytest.mark.slow
@pytest.mark.parametrize("design", SAMPLED)
@settings(max_examples=60, deadline=None)
@given(network=networks(), labeled=proportions, k=st.integers(2, 12), seed=seeds)
def test_three_sets(design, network, labeled, k, seed):
    splitter = design(n_splits=k, labeled=labeled, seed=seed)
    try:
        splits = splitter.split_network(network)
    except InputError:
        # the refusals have their own tests; here only that there was a reason
        m = network.labeled.size
        n_train = round_half_up(labeled * m)
        assert (
            m < k
            or n_train < 1
            or m - round_half_up((1 - labeled) * m) in (0, m)
            or (design is NetworkCrossValidation and n_train > m - math.ceil(m / k))
        )
        return
    assert len(splits) == splitter.get_n_splits() == k
    check_three_sets(network, splits)
    again = splitter.split_network(network)
    for a, b in zip(splits, again):
        assert np.array_equal(a.train, b.train)
        assert np.array_equal(a.test, b.test)


@settings(max_examples=150, deadline=None)
@given(m=st.integers(2, 80), labeled=proportions, k=st.integers(2, 30), seed=seeds)
def test_random_resampling_has_exact_sizes(m, labeled, k, seed):
    size = round_half_up((1 - labeled) * m)
    if not 0 < size < m:
        return
    network = full_network(m)
    for split in RandomResampling(n_splits=k, labeled=labeled, seed=seed).split_network(network):
        assert (split.test.size, split.train.size) == (size, m - size)
        assert np.array_equal(split.test, split.inference)


@settings(max_examples=150, deadline=None)
@given(m=st.integers(2, 80), labeled=proportions, k=st.integers(2, 30), seed=seeds)
def test_equal_resampling_tests_every_node_equally_often(m, labeled, k, seed):
    size = round_half_up((1 - labeled) * m)
    if not 0 < size < m:
        return
    network = full_network(m)
    splits = EqualResampling(n_splits=k, labeled=labeled, seed=seed).split_network(network)
    assert {split.test.size for split in splits} == {size}
    tested = np.bincount(np.concatenate([split.test for split in splits]), minlength=m)
    assert set(tested) <= {k * size // m, -(-k * size // m)}
    for split in splits:
        assert np.array_equal(np.union1d(split.train, split.test), np.arange(m))


@settings(max_examples=150, deadline=None)
@given(m=st.integers(2, 80), labeled=proportions, k=st.integers(2, 20), seed=seeds)
def test_ncv_partitions_and_serves_all_proportions_with_one_set_of_folds(m, labeled, k, seed):
    network = full_network(m)
    n_train = round_half_up(labeled * m)
    if m < k or n_train < 1:
        return
    outside = m - math.ceil(m / k)
    design = NetworkCrossValidation(n_splits=k, labeled=labeled, seed=seed)
    if labeled > (k - 1) / k and n_train > outside:
        with pytest.raises(InputError, match=rf"only {outside} lie outside each of {k} folds"):
            design.split_network(network)
        return
    splits = design.split_network(network)
    assert np.array_equal(np.sort(np.concatenate([s.test for s in splits])), np.arange(m))
    assert max(s.test.size for s in splits) - min(s.test.size for s in splits) <= 1
    least = NetworkCrossValidation(n_splits=k, labeled=max(1 / m, labeled / 2), seed=seed)
    for split, smaller in zip(splits, least.split_network(network)):
        assert split.train.size == min(n_train, m - split.test.size)
        assert not np.intersect1d(split.train, split.test).size
        assert np.array_equal(split.test, smaller.test)
        assert np.isin(smaller.train, split.train).all()


def test_ncv_says_what_labeled_may_be():
    network = full_network(300)
    message = (
        "NCV: labeled=0.95 needs 285 labeled nodes, but only 270 lie outside each of 10 folds; "
        "use labeled <= 0.9 or more folds"
    )
    with pytest.raises(InputError) as error:
        NetworkCrossValidation(labeled=0.95).split_network(network)
    assert str(error.value) == message
    assert len(NetworkCrossValidation(labeled=0.9).split_network(network)) == 10
    # 305 nodes: folds of 31 leave 274, one less than round(0.9 * 305)
    sizes = {
        s.train.size for s in NetworkCrossValidation(labeled=0.9).split_network(full_network(305))
    }
    assert sizes == {274, 275}


@pytest.mark.parametrize("design", [RandomResampling, EqualResampling])
def test_resampling_is_uniform(design):
    network = full_network(6)
    pairs = np.zeros((6, 6))
    for seed in range(1500):
        for split in design(n_splits=2, labeled=0.5, seed=seed).split_network(network):
            pairs[np.ix_(split.test, split.test)] += 1
    # each of 3000 test sets holds a node with probability 1/2, a pair with 1/5
    assert np.abs(np.diag(pairs) - 1500).max() < 5.5 * math.sqrt(3000 / 4)
    pair = pairs[~np.eye(6, dtype=bool)]
    if design is RandomResampling:
        assert np.abs(pair - 600).max() < 5.5 * math.sqrt(3000 * 0.2 * 0.8)
    else:
        # as printed, the pool is in the order of nodes: the second copy of a pair of nodes that
        # follow each other finds one set smaller
        assert pairs[0, 1] == pairs[2, 3] == pairs[4, 5] == 0


def test_equal_resampling_equals_the_printed_procedure():
    # table 3, copy by copy, against the compiled dealing: how often two sets share a node
    def literally(m, k, copies, rng):
        sets = [set() for _ in range(k)]
        for node in range(m):
            for _ in range(copies):
                open_sets = [s for s in sets if node not in s]
                least = min(map(len, open_sets))
                smallest = [s for s in open_sets if len(s) == least]
                smallest[rng.integers(len(smallest))].add(node)
        return sets

    m, k, copies, runs = 10, 5, 3, 2000
    rng = np.random.default_rng(3)
    network = full_network(m)
    seen = np.zeros((2, m + 1))
    for run in range(runs):
        first, second = literally(m, k, copies, rng)[:2]
        seen[0, len(first & second)] += 1
        splits = EqualResampling(n_splits=k, labeled=1 - copies / k, seed=run)
        a, b = (split.test for split in splits.split_network(network)[:2])
        seen[1, np.intersect1d(a, b).size] += 1
    used = seen.sum(axis=0) > 20
    assert chi2_contingency(seen[:, used]).pvalue > 1e-6


@pytest.mark.parametrize("design", [RandomResampling, EqualResampling, NetworkCrossValidation])
@settings(max_examples=80, deadline=None)
@given(
    sizes=st.lists(st.integers(20, 60), min_size=1, max_size=4),
    labeled=st.floats(0.2, 0.7),
    seed=seeds,
)
def test_strata_keep_their_share(design, sizes, labeled, seed):
    labels = np.repeat([f"c{i}" for i in range(len(sizes))], sizes)
    network = Network([0], [1], n_nodes=sum(sizes), labels=labels.tolist())
    splits = design(n_splits=4, labeled=labeled, stratify="label", seed=seed)
    for split in splits.split_network(network):
        for part, whole in ((split.train, labels), (split.test, labels)):
            for name, size in zip(np.unique(labels), sizes):
                got = np.count_nonzero(whole[part] == name)
                assert abs(got - part.size * size / sum(sizes)) <= 2.5


def test_strata_of_nodes_without_a_value_and_by_column():
    schools = ["x", "y", None] * 10
    network = full_network(30, attributes={"school": schools})
    for split in RandomResampling(labeled=0.5, stratify="school").split_network(network):
        for school in ("x", "y", None):
            assert sum(schools[i] == school for i in split.train) == 5


@pytest.mark.parametrize("name", ["rrs", "ers", "ncv"])
def test_small_strata_are_refused(name):
    labels = ["a"] * 30 + ["b"]
    network = Network([0], [1], n_nodes=31, labels=labels)
    with pytest.raises(InputError, match="labeled nodes in each stratum, got 1 in 'b'"):
        by_name(name, stratify="label").split_network(network)
    many = Network([0], [1], n_nodes=40, labels=[i // 2 for i in range(40)])
    with pytest.raises(InputError, match="strat"):
        by_name(name, stratify="label", labeled=0.1, n_splits=2).split_network(many)


def test_equal_resampling_refuses_strata_that_miss_a_set(words):
    labels = ["a"] * 57 + ["b"] * 3
    network = Network([0], [1], n_nodes=60, labels=labels)
    with words.raises(InputError):
        EqualResampling(labeled=0.1, stratify="label").split_network(network)


@pytest.mark.parametrize("design", SAMPLED)
@pytest.mark.parametrize("labeled", [0, 1, -0.1, 1.5, float("nan"), True])
def test_proportions_outside_the_unit_interval(design, labeled):
    with pytest.raises(InputError, match=r"labeled: expected a (proportion|number)"):
        design(labeled=labeled).split_network(full_network(20))


@pytest.mark.parametrize("design", [*SAMPLED, RepeatedKFold])
@pytest.mark.parametrize("n_splits", [1, 0, -3, 2.5, True])
def test_fewer_than_two_splits(design, n_splits):
    with pytest.raises(InputError, match=r"n_splits: expected an integer"):
        design(n_splits=n_splits).split_network(full_network(20))


@pytest.mark.parametrize("name", ["rrs", "ers", "ncv", "kfold", "snowball", "5x2"])
def test_too_few_nodes(name):
    for labels in ([None] * 5, ["a", None, None, None, None]):
        network = Network([0], [1], n_nodes=5, labels=labels)
        with pytest.raises(InputError, match="labeled nodes"):
            by_name(name).split_network(network)


def test_seeds(words):
    network = full_network(50)
    rng = np.random.default_rng(1)
    design = RandomResampling(seed=rng)
    first = [s.test.tolist() for s in design.split_network(network)]
    rng.random(10)
    assert first == [s.test.tolist() for s in design.split_network(network)]
    assert first != [s.test.tolist() for s in RandomResampling(seed=1).split_network(network)]
    # a split's stream depends on its number only
    more = RandomResampling(n_splits=20, seed=5).split_network(network)
    few = RandomResampling(n_splits=5, seed=5).split_network(network)
    assert all(np.array_equal(a.test, b.test) for a, b in zip(more, few))
    with words.raises(InputError):
        RandomResampling(seed=None)


@settings(max_examples=60, deadline=None)
@given(m=st.integers(10, 60), k=st.integers(2, 10), repeats=st.integers(1, 4), seed=seeds)
def test_repeated_k_fold(m, k, repeats, seed):
    network = full_network(m)
    design = RepeatedKFold(n_splits=k, n_repeats=repeats, seed=seed)
    splits = design.split_network(network)
    assert len(splits) == k * repeats == design.get_n_splits()
    check_three_sets(network, splits)
    for r in range(repeats):
        tests = [s.test for s in splits[r * k : (r + 1) * k]]
        assert np.array_equal(np.sort(np.concatenate(tests)), np.arange(m))


def test_five_by_two():
    splits = FiveByTwo(seed=3).split_network(full_network(21))
    assert len(splits) == 10
    for a, b in zip(splits[::2], splits[1::2]):
        assert np.array_equal(a.train, b.test)
        assert np.array_equal(a.test, b.train)
    assert len({tuple(s.test) for s in splits}) == 10


@settings(max_examples=100, deadline=None)
@given(years=st.lists(st.integers(1990, 2010), min_size=3, max_size=60), k=st.integers(2, 8))
def test_temporal_trains_on_the_past(years, k):
    n = len(years)
    network = full_network(n, attributes={"year": years})
    design = Temporal(column="year", n_splits=k)
    if len(set(years)) < k + 1:
        with pytest.raises(InputError, match="different times"):
            design.split_network(network)
        return
    year = np.array(years)
    splits = design.split_network(network)
    check_three_sets(network, splits)
    for split, following in itertools.pairwise(splits):
        assert year[split.train].max() < year[split.test].min()
        assert np.array_equal(following.train, np.union1d(split.train, split.test))
    assert np.array_equal(np.union1d(splits[-1].train, splits[-1].test), np.arange(n))


def test_temporal_refuses_missing_times_and_columns(words):
    network = full_network(4, attributes={"year": [1, 2, None, 3]})
    with words.raises(InputError):
        Temporal(column="year", n_splits=2).split_network(network)
    with words.raises(InputError):
        Temporal(column="yaer").split_network(network)


def test_snowball_is_connected_where_the_network_is():
    from scipy.sparse.csgraph import connected_components

    rng = np.random.default_rng(0)
    s = np.arange(1, 100)
    network = Network(s, [rng.integers(i) for i in s], n_nodes=100, labels=["a", "b"] * 50)
    for split in Snowball(labeled=0.3).split_network(network):
        inside = network.adjacency()[split.train][:, split.train]
        assert connected_components(inside)[0] == 1


def test_snowball_goes_on_elsewhere_and_passes_through_unlabeled_nodes():
    # a path whose middle has no label, and two isolates
    network = Network([0, 1, 2], [1, 2, 3], n_nodes=6, labels=["a", None, None, "b", "a", "b"])
    for split in Snowball(labeled=0.5, n_splits=20).split_network(network):
        pair = set(split.train.tolist())
        assert len(pair) == 2
        assert (0 in pair) == (3 in pair) or pair & {4, 5}


def test_community_designs():
    school = np.repeat(np.arange(5), 20)
    network = full_network(100, attributes={"school": school.tolist()})
    for split in CommunityStratified(labeled=0.25, column="school").split_network(network):
        assert np.bincount(school[split.train], minlength=5).tolist() == [5] * 5
    firsts = set()
    for split in CommunityBiased(labeled=0.5, column="school").split_network(network):
        counts = np.bincount(school[split.train], minlength=5)
        assert sorted(counts.tolist()) == [0, 0, 10, 20, 20]
        firsts.add(tuple(counts))
    assert len(firsts) > 1
    blocks = Network([0, 0, 1, 3, 3, 4], [1, 2, 2, 4, 5, 5], n_nodes=6, labels=["a", "b"] * 3)
    for split in CommunityBiased(labeled=0.5).split_network(blocks):
        assert split.train.tolist() in ([0, 1, 2], [3, 4, 5])


@pytest.mark.parametrize("name", sorted(DESIGNS))
def test_by_name_and_copies(name):
    import pickle

    options = {"column": "year"} if name == "temporal" else {}
    design = by_name(name.upper(), **options)
    network = full_network(60, attributes={"year": [i // 6 for i in range(60)]})
    splits = design.split_network(network)
    again = pickle.loads(pickle.dumps(design)).split_network(network)  # noqa: S301 - our own bytes
    assert all(np.array_equal(a.test, b.test) for a, b in zip(splits, again))
    assert type(design).__name__ in repr(design)


@pytest.mark.parametrize("name", sorted(DESIGNS))
def test_every_design_has_words_for_people(name):
    assert described(name) == described(DESIGNS[name].__name__)
    assert described(name) != name
    assert describe_splits(1, name).startswith("1 split by ")
    assert described("MyOwn") == "MyOwn"


def test_by_name_refuses(words):
    with words.raises(InputError):
        by_name("rss")
    with words.raises(InputError):
        by_name("rrs", labelled=0.1)
