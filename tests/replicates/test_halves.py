"""Halves of the communities: no copies, the variance, what is run and what is reported."""

from __future__ import annotations

import itertools
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import nettrial
from nettrial.comparison.stored_runs import stored_comparison
from nettrial.core.errors import InputError
from nettrial.inference import community_halves
from nettrial.models import NBC, WVRN
from nettrial.network.network import Network
from nettrial.replicates.blocks import BootstrapError, take_apart
from nettrial.replicates.half_sample_variance import spread_of_halves
from nettrial.replicates.half_samples import more_workers
from nettrial.replicates.halving import halve, may_see_copies, part_network, restricted
from nettrial.replicates.halving_plan import (
    FEWEST,
    FEWEST_SPLITS,
    MOST,
    HalvingPlan,
    plan_halvings,
    plan_splits,
    seconds_of_budget,
)
from nettrial.replicates.kept_plan import agreed, kept_plan, plan_to_read
from nettrial.splits import RandomResampling
from nettrial.store import IncompleteStudyError
from nettrial.store.file import settle
from timeless import timeless

NEAREST = KNeighborsClassifier(1)


def featured(n_nodes: int = 80, seed: int = 0) -> Network:
    """Return communities in a ring, a feature row of its own for every node."""
    rng = np.random.default_rng(seed)
    group = np.arange(n_nodes) // 8
    label = (group + (rng.random(n_nodes) < 0.2)) % 2
    same = group[:, None] == group
    source, target = np.nonzero(
        np.triu(rng.random((n_nodes, n_nodes)) < np.where(same, 0.5, 0.02), 1)
    )
    features = rng.normal(size=(n_nodes, 3)) + label[:, None]
    return Network(
        source, target, n_nodes=n_nodes, labels=label.tolist(), features=features,
        attributes={"group": group.tolist()},
    )  # fmt: skip


class Twins:
    """A model that fails where a node to be predicted has the features of a training node."""

    name = "twins"

    def fit(self, network: Network, train: np.ndarray) -> Twins:
        self.known = {row.tobytes() for row in np.asarray(network.features)[train]}
        return self

    def predict_proba(self, network: Network, nodes: np.ndarray) -> np.ndarray:
        rows = np.asarray(network.features)
        assert len({row.tobytes() for row in rows}) == network.n_nodes, "a node is there twice"
        assert not any(rows[i].tobytes() in self.known for i in nodes), "a twin is tested"
        return np.tile([0.4, 0.6], (len(nodes), 1))


@pytest.mark.parametrize("seed", range(5))
def test_the_parts_of_a_halving_hold_every_node_once(seed: int) -> None:
    network = featured(seed=seed)
    rng = np.random.default_rng(seed)
    blocks = take_apart(network, rng.integers(0, 12, network.n_nodes))
    splits = RandomResampling(n_splits=3, labeled=0.3, seed=seed).split_network(network)
    seen = []
    for side, part in enumerate(halve(blocks.sizes, seed, 0)):
        drawn = part_network(network, blocks, part, seed, side)
        origin = drawn.origin
        seen.append(origin)
        assert np.unique(origin).size == origin.size == drawn.network.n_nodes
        np.testing.assert_array_equal(drawn.network.features, network.features[origin])
        for whole, own in zip(splits, restricted(splits, origin, network.n_nodes)):
            for name in ("train", "inference", "test"):
                kept = origin[getattr(own, name)]
                expected = np.intersect1d(getattr(whole, name), origin)
                assert sorted(kept.tolist()) == expected.tolist()
            assert not set(own.train) & set(own.inference)
        inner = {(i, j) for i, j in links_of(network) if {i, j} <= set(origin.tolist())}
        group = blocks.community
        kept = {tuple(sorted((origin[i], origin[j]))) for i, j in links_of(drawn.network)}
        assert {e for e in inner if group[e[0]] == group[e[1]]} == {
            e for e in kept if group[e[0]] == group[e[1]]
        }
    assert sorted(np.concatenate(seen).tolist()) == list(range(network.n_nodes))


def links_of(network: Network) -> set[tuple[int, int]]:
    pairs = network.adjacency("out").tocoo()
    return {(int(i), int(j)) for i, j in zip(pairs.row, pairs.col) if i < j}


def test_links_between_communities_keep_their_number() -> None:
    network = featured(160, seed=3)
    blocks = take_apart(network, network.groups("group")[0])
    group = blocks.community
    between = sum(group[i] != group[j] for i, j in links_of(network))
    found = []
    for number in range(200):
        part = halve(blocks.sizes, 1, number)[0]
        drawn = part_network(network, blocks, part, 1, number)
        origin = drawn.origin
        found.append(sum(group[origin[i]] != group[origin[j]] for i, j in links_of(drawn.network)))
    # half of the nodes, each with its number of links, of which those to its own community, one
    # in 10 now and one in 20 before, are not drawn
    expected = between / 2 * (1 - 1 / 10) / (1 - 1 / 20)
    assert np.mean(found) == pytest.approx(expected, abs=4 * np.std(found) / 200**0.5)


def test_over_all_halvings_the_odd_part_is_the_variance_of_a_mean() -> None:
    values = np.array([3.0, -1.0, 0.5, 4.0, 0.0, 2.0])
    halvings = list(itertools.combinations(range(6), 3))
    parts = np.array([
        [[values[list(first)].mean()], [np.delete(values, first).mean()]] for first in halvings
    ])  # fmt: skip
    found = spread_of_halves(
        parts, np.full(20, 0.5), values[:1], np.full(6, 10.0), independent=False
    )
    assert found.odd == pytest.approx(values.var(ddof=1) / 6, rel=1e-12)
    assert found.even == pytest.approx(0, abs=1e-12)
    assert found.df == pytest.approx(1 / (1 / 5 + 1 / 20))


@pytest.mark.parametrize("independent", [True, False])
def test_the_variance_is_that_of_its_definition(independent: bool) -> None:
    rng = np.random.default_rng(2)
    number, r = 9, 3
    parts, own = rng.normal(size=(number, 2, r)), rng.normal(size=6)
    parts[4, :, 1] = np.nan  # a split that could not be used
    shares = rng.uniform(0.4, 0.6, number)
    odd, evens, used = 0.0, [], []
    for (first, second), f in zip(parts, shares):
        good = [s for s in range(r) if not np.isnan(first[s])]
        a, b = (sum(side[s] for s in good) / len(good) for side in (first, second))
        odd += f * (1 - f) * (a - b) ** 2 / number
        evens.append(f * a + (1 - f) * b)
        used.append(1 / len(good))
    even = sum((e - sum(evens) / number) ** 2 for e in evens) / (number - 1)
    expected = odd + even
    if independent:
        noise = own.var(ddof=1)
        expected = max(expected - 2 * noise * (sum(used) / number - 1 / 6), noise / 6)
    found = spread_of_halves(parts, shares, own, np.array([4.0, 4, 2]), independent=independent)
    shares = np.array([0.4, 0.4, 0.2])
    square = (shares**2).sum()
    factor = 1 / (1 - 2 * (shares**3).sum() / square + square)
    assert found.correction == pytest.approx(factor, rel=1e-12)
    assert found.variance == pytest.approx(factor * expected, rel=1e-12)
    assert (found.moves**2).sum() == pytest.approx(odd + even, rel=1e-12)


def test_only_models_that_cannot_notice_copies_may_see_them() -> None:
    class Own(WVRN):
        pass

    assert may_see_copies(WVRN())
    assert may_see_copies(NBC())
    assert not may_see_copies(Own())
    assert not may_see_copies(WVRN(local=GaussianNB()))
    assert not may_see_copies(nettrial.models.by_name("nlb"))


@pytest.mark.parametrize(
    ("test", "design"), [("auto", "rrs"), ("bootstrap", "ers"), ("halves", "ncv")]
)
def test_a_model_of_features_never_meets_a_copy(test: str, design: str) -> None:
    found = nettrial.compare(
        featured(), Twins(), "prior", design=design, n_splits=3, n_replicates=10, test=test,
        communities="group",
    )  # fmt: skip
    assert found.recommended == "halves"
    assert "copies" in found.reason
    details = found.test("halves").details
    assert (details["n_halvings"], details["n_splits"], details["fits"]) == (10, 3, 120)
    assert found.settings["n_replicates"] == 10


@pytest.mark.slow
def test_given_splits_and_any_measure_take_the_same_road() -> None:
    network = featured()
    splits = RandomResampling(n_splits=3, labeled=0.4, seed=1).split_network(network)
    options = {"n_replicates": 10, "communities": "group", "test": "bootstrap"}
    given = nettrial.compare(network, "wvrn", "nbc", design=splits, **options)
    assert given.recommended == "halves"
    assert "splits were given" in given.reason
    for measure in ("auc", "log_loss"):
        found = nettrial.compare(
            network, GaussianNB(), "wvrn", n_splits=3, measure=measure, **options
        )
        assert found.test("halves").standard_error > 0


@pytest.mark.slow
def test_workers_and_study_files_change_nothing(tmp_path: Path) -> None:
    def verdict(**options: object) -> str:
        found = nettrial.compare(
            featured(), NEAREST, GaussianNB(), n_splits=2, n_replicates=10, seed=4, **options
        )
        return timeless(found)

    alone, file = verdict(), tmp_path / "study.nettrial"
    assert verdict(n_jobs=2) == alone
    assert verdict(store=file) == alone
    assert timeless(stored_comparison(file)) == alone


class Slow(GaussianNB):
    """A model that takes its time."""

    def fit(self, *args: Any) -> Slow:
        time.sleep(0.004)
        super().fit(*args)
        return self


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.* are expected to leave")
def test_all_who_share_a_study_file_follow_the_plan_of_the_first(tmp_path: Path) -> None:
    file = tmp_path / "study.nettrial"

    def verdict(**options: Any) -> nettrial.Comparison:
        options = {"n_splits": 3, "seed": 4, "store": file, "test": "halves"} | options
        return nettrial.compare(featured(), Slow(), "prior", **options)

    first = verdict(budget="0.03s")
    assert first.settings["n_replicates"] == FEWEST
    # another budget, another number of workers: what is in the file stands
    assert timeless(verdict(budget="1h")) == timeless(verdict(n_jobs=2)) == timeless(first)
    assert timeless(stored_comparison(file)) == timeless(first)
    assert first.test("halves").details["budget_seconds"] == 0.03
    with pytest.raises(InputError, match="number was by the budget, is 12"):
        verdict(n_replicates=12)
    # a file with a number of halvings is followed likewise
    other = tmp_path / "other.nettrial"
    given = verdict(store=other, n_replicates=10)
    assert timeless(verdict(store=other)) == timeless(given)


def test_one_of_two_processes_is_the_first_to_plan(tmp_path: Path, words) -> None:
    file = tmp_path / "study.nettrial"
    nettrial.compare(featured(), "wvrn", "prior", n_splits=3, store=file, test="cluster_robust_t")
    refused, small, large = (HalvingPlan(n, 2, 1.0, 9.0, 3.0, 2.0) for n in (0, 6, 40))
    with words.raises(IncompleteStudyError):
        plan_to_read(file)
    assert agreed(file, refused) == refused
    with words.raises(BootstrapError):
        plan_to_read(file)
    assert agreed(file, small) == small  # what did not fit gives way
    assert agreed(file, large) == agreed(file, refused) == plan_to_read(file) == small
    settle(file, "halvings", '{"n_halvings": 50, "n_splits": 2}', lambda _: False)
    with words.raises(InputError):
        kept_plan(file)


@pytest.mark.slow
def test_several_models_are_one_family_with_the_pairs_own_numbers() -> None:
    network, options = featured(), {"n_splits": 3, "n_replicates": 12, "seed": 2}
    three = nettrial.compare_models(network, [NEAREST, GaussianNB(), "wvrn"], **options)
    two = nettrial.compare(network, NEAREST, GaussianNB(), **options)
    assert three.recommended == two.recommended == "halves"
    assert three.pairs.standard_error[0] == pytest.approx(two.test("halves").standard_error)
    assert (three.pairs.adjusted_pvalue >= three.pairs.pvalue).all()
    text = str(three)
    assert "halves of the communities" in text
    for model, score in three.scores.items():
        low, high = three.score_intervals[model]
        assert 0 <= low < score < high <= 1


def test_with_less_time_there_are_fewer_halvings() -> None:
    common = {"k": 10, "communities": 15.0, "noise": 2.0, "budget": 300.0}
    plans = [plan_halvings(left, 1.0, **common) for left in (5.0, 20.0, 60.0, 250.0, 1e6)]
    assert [plan.df for plan in plans] == sorted(plan.df for plan in plans)
    assert plans[0][:2] == (FEWEST, 1)
    assert plans[-1].n_halvings == MOST
    assert all(plan.seconds <= left for plan, left in zip(plans[1:], (20, 60, 250, 1e6)))
    assert all(plan.df_at_twice >= plan.df - 0.05 * plan.df for plan in plans)
    assert plan_halvings(1e6, 1.0, **common, whole=True).n_splits == 10


class Slower(GaussianNB):
    """A model that takes longer than what surrounds a fit."""

    def fit(self, *args: Any) -> Slower:
        time.sleep(0.05)
        super().fit(*args)
        return self


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.* are expected to leave")
def test_fewer_splits_leave_time_for_halvings_where_nobody_said_how_many() -> None:
    options = {"budget": "2s", "seed": 4, "test": "halves", "communities": "group"}
    found = nettrial.compare(featured(), Slower(), "prior", **options)
    few = found.test("halves").details
    assert len(found.predictions.splits) == FEWEST_SPLITS
    assert "The budget left time for 3 splits in place of 10" in found.reason
    assert few["n_halvings"] * few["n_splits"] >= FEWEST
    # the first three of the ten, with their bits
    given = nettrial.compare(featured(), Slower(), "prior", n_splits=10, **options)
    assert len(given.predictions.splits) == 10
    for name, values in found.scores_by_split.items():
        assert values.tolist() == given.scores_by_split[name][:3].tolist()
    assert "splits in place of" not in given.reason


@pytest.mark.slow
def test_a_budget_that_does_not_bind_leaves_all_splits() -> None:
    options = {"seed": 4, "test": "halves", "communities": "group"}
    found = nettrial.compare(featured(), NEAREST, "prior", **options)
    given = nettrial.compare(featured(), NEAREST, "prior", n_splits=10, **options)
    assert len(found.predictions.splits) == 10
    assert timeless(found) == timeless(given)
    # nor does one that would not reach for halvings with fewer splits
    assert plan_splits(8.0, k=10, communities=20.0) == 10


@pytest.mark.filterwarnings("ignore:.* are expected to leave")
def test_a_budget_is_told_and_too_small_a_one_does_not_change_the_question() -> None:
    options = {"n_splits": 3, "communities": "group", "test": "halves"}
    small = nettrial.compare(featured(), Twins(), "prior", budget="0.001s", **options)
    large = nettrial.compare(featured(), Twins(), "prior", budget="30s", **options)
    few, many = (found.test("halves") for found in (small, large))
    assert few.question == many.question
    assert few.details["n_halvings"] == FEWEST < many.details["n_halvings"]
    assert few.details["n_halvings"] * few.details["n_splits"] < 20
    assert few.df < many.df
    assert many.details["budget_seconds"] == 30
    assert "the fewest that are run, took longer" in small.reason
    assert "fitted into the budget of 30 seconds" in large.reason
    assert f"{many.details['fits']} fits" in str(large)


def test_what_twice_the_budget_would_bring_is_told() -> None:
    plan = HalvingPlan(10, 2, 6.0, 20.0, 30.0, 9.1)
    assert plan.account(2) == (
        "10 halvings with 2 splits each (80 fits) were planned for the budget of 30 seconds; twice "
        "the budget would bring about 9 degrees of freedom in place of 6."
    )
    idle = plan._replace(more_workers=2).account(2)
    assert "twice the budget, or 2 worker processes (n_jobs=) on cores" in idle


def test_workers_are_advised_where_cores_are_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("joblib.cpu_count", lambda: 4)
    assert more_workers(1, 1.0) == 2
    assert more_workers(2, 0.1) == 4
    assert more_workers(3, 0.1) == 0
    assert more_workers(1, 3.5) == 0  # its threads keep them busy


@pytest.mark.parametrize("budget", ["soon", "", "-3min", 0, "5 fortnights", "nan"])
def test_what_is_no_time_is_refused(budget: object) -> None:
    with pytest.raises(InputError, match="budget: expected seconds"):
        seconds_of_budget(budget)  # type: ignore[arg-type]


class Shy:
    """A model that needs five training nodes of each class."""

    def fit(self, network: Network, train: np.ndarray) -> Shy:
        if np.bincount(network.labels[train], minlength=2).min() < 5:
            raise ValueError("too few")
        return self

    def predict_proba(self, network: Network, nodes: np.ndarray) -> np.ndarray:
        return np.tile([0.4, 0.6], (len(nodes), 1))


def test_a_model_that_fails_on_halves_is_told_and_leaves_a_test_on_predictions() -> None:
    options = {"labeled": 0.25, "n_splits": 3, "n_replicates": 10, "communities": "group"}
    found = nettrial.compare(featured(seed=1), Shy(), "wvrn", **options)
    assert found.recommended in ("network_hac", "cluster_robust_t")
    assert "could not be run again" in found.reason
    assert "too few" in found.reason


@pytest.mark.slow
def test_communities_that_louvain_does_not_find_again_are_told() -> None:
    rng = np.random.default_rng(1)
    source, target = np.nonzero(np.triu(rng.random((120, 120)) < 0.035, 1))
    noise = Network(source, target, n_nodes=120, labels=rng.integers(0, 2, 120).tolist())
    options = {"n_splits": 3, "n_replicates": 10}
    # the Type I error that was measured with communities of that kind
    for test, level in (("halves", "up to 14%"), ("bootstrap", "up to 9%")):
        found = nettrial.compare(noise, "wvrn", "nbc", test=test, **options)
        warned = [str(w) for w in found.warnings if "hardly finds the same communities" in str(w)]
        assert len(warned) == 1
        assert level in warned[0]
        given = nettrial.compare(
            noise, "wvrn", "nbc", test=test, communities=np.arange(120) // 6, **options
        )
        assert not any("Louvain" in str(w) for w in given.warnings)
    features = Network(
        source, target, n_nodes=120, labels=noise.labels.tolist(),
        features=rng.normal(size=(120, 9)),
    )  # fmt: skip
    both = nettrial.compare(features, "wvrn", "nbc", test="halves", **options)
    assert both.settings["communities"] == "links_and_features"
    assert any("5% on average" in str(w) for w in both.warnings)
    clear = nettrial.compare(featured(), "wvrn", "nbc", test="halves", **options)
    assert not any("hardly finds" in str(w) for w in clear.warnings)


def test_the_variance_is_never_less_than_that_of_the_clustered_test() -> None:
    network = featured()
    options = {"n_splits": 3, "n_replicates": 10, "communities": "group", "seed": 3}
    found = nettrial.compare(network, NEAREST, GaussianNB(), **options)
    halves, clustered = found.test("halves"), found.test("cluster_robust_t")
    assert halves.details["variance_clustered"] == pytest.approx(clustered.standard_error**2)
    assert halves.standard_error >= clustered.standard_error * (1 - 1e-12)
    if halves.details["variance_clustered"] >= halves.standard_error**2 * (1 - 1e-12):
        assert halves.df == pytest.approx(clustered.df)  # they go with the variance


def test_next_to_no_degrees_of_freedom_settle_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = community_halves.not_below
    monkeypatch.setattr(
        community_halves, "not_below", lambda *given: plain(*given)._replace(df=0.05)
    )
    found = nettrial.compare(
        featured(16), NEAREST, GaussianNB(), communities="group", n_splits=2, labeled=0.5,
        test="halves", n_replicates=10,
    )  # fmt: skip
    test = found.test("halves")
    assert test.df == 0.05  # on the whole page, with no silent floor
    assert (test.ci_low, test.ci_high) == (-1, 1)
    assert not found.settled
    assert found.verdict.startswith("So few re-runs cannot settle whether")
    assert "no usable interval" in found.verdict
    assert any("leave 0.05 degrees of freedom, so the interval" in str(w) for w in test.warnings)
