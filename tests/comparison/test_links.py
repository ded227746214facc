"""Link predictors, designs of links, their measures and tests, each against a plain way to it."""

from __future__ import annotations

import json
import os
import warnings
from itertools import combinations
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import nettrial
from nettrial import Network
from nettrial.cli import main
from nettrial.comparison.stored_runs import stored_comparison
from nettrial.core import seeds
from nettrial.core.errors import InputError, ModelWarning
from nettrial.experiments import link_predictors
from nettrial.experiments.base import Unit
from nettrial.metrics.measures import LINK_MEASURES, link_measure_named
from nettrial.models.link_predictors import LINK_PREDICTORS, as_link_predictor, is_link_predictor
from nettrial.saved.export import export_predictions
from nettrial.splits.link_designs import LinkFolds, RandomLinks, TemporalLinks, link_design
from nettrial.stats._dyadic import (
    block_bootstrap_test,
    cluster_ends_test,
    dyadic_robust_test,
    node_jackknife_test,
)
from nettrial.store import merge_shards
from nettrial.store.blobs import pack_indices
from nettrial.store.splits import pack_split, unpack_split
from nettrial.store.units import IncompleteStudyError
from nettrial.study.fitting import ModelError
from nettrial.study.node_study import run
from timeless import timeless

N = 40
MEASURES = [*LINK_MEASURES, "hits@3", "precision@10", "recall@0.2"]


def small(seed: int = 0, **more: Any) -> Network:
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(N, 3))
    return Network(*rng.integers(N, size=(2, 130)), n_nodes=N, features=features, **more)


NETWORK = small()
PAIRS = np.array(list(combinations(range(N), 2)))
GRAPH = nx.from_numpy_array(NETWORK.adjacency("both").toarray() > 0)


def by_hand(name: str) -> np.ndarray:
    """Score all pairs one by one."""
    links = nx.to_numpy_array(GRAPH)
    degree = links.sum(axis=1)
    common = [[k for k in range(N) if links[u, k] and links[v, k]] for u, v in PAIRS]
    if name in ("jaccard", "preferential_attachment"):
        made = {"jaccard": nx.jaccard_coefficient,
                "preferential_attachment": nx.preferential_attachment}[name]  # fmt: skip
        return np.array([score for *_, score in made(GRAPH, PAIRS.tolist())])
    if name == "katz":
        walks = sum(0.05**k * np.linalg.matrix_power(links, k) for k in range(1, 5))
    elif name == "spectral":
        values, vectors = np.linalg.eigh(links)
        best = np.argsort(-np.abs(values))[:16]
        walks = vectors[:, best] @ np.diag(values[best]) @ vectors[:, best].T
    elif name == "features":
        unit = NETWORK.features / np.linalg.norm(NETWORK.features, axis=1, keepdims=True)
        walks = unit @ unit.T
    else:
        weight = {"common_neighbors": lambda k: 1.0,
                  "adamic_adar": lambda k: 1 / np.log(degree[k]),
                  "resource_allocation": lambda k: 1 / degree[k]}[name]  # fmt: skip
        return np.array([sum(weight(k) for k in each) for each in common])
    return np.array([walks[u, v] for u, v in PAIRS])


@pytest.mark.parametrize("name", LINK_PREDICTORS)
def test_every_link_predictor_scores_as_by_hand(name: str) -> None:
    found = as_link_predictor(name).fit(NETWORK).score(PAIRS)
    np.testing.assert_allclose(found, by_hand(name), atol=1e-12)


@pytest.mark.parametrize("name", ["katz", "common_neighbors"])
def test_scores_do_not_depend_on_how_many_pairs_are_worked_on_at_once(name, monkeypatch) -> None:
    whole = as_link_predictor(name).fit(NETWORK).score(PAIRS)
    monkeypatch.setattr("nettrial.models.link_predictors.MOST_ENTRIES", 50)
    assert (as_link_predictor(name).fit(NETWORK).score(PAIRS) == whole).all()


def test_a_large_spectral_embedding_is_that_of_the_dense_matrix(monkeypatch) -> None:
    monkeypatch.setattr("nettrial.models.link_predictors.DENSE", 0)
    rng = np.random.default_rng(3)
    network = Network(*rng.integers(90, size=(2, 400)), n_nodes=90)
    values, vectors = np.linalg.eigh((network.adjacency("both").toarray() > 0).astype(float))
    best = np.argsort(-np.abs(values))[:16]
    dense = vectors[:, best] @ np.diag(values[best]) @ vectors[:, best].T
    found = as_link_predictor("spectral").fit(network).score(PAIRS)
    np.testing.assert_allclose(found, dense[tuple(PAIRS.T)], atol=1e-8)


def test_what_is_a_link_predictor(words) -> None:
    class Own:
        def fit(self, network: Network) -> Own:
            return self

        def score(self, pairs: np.ndarray) -> np.ndarray:
            return pairs.sum(axis=1)

    assert is_link_predictor("common-neighbours")
    assert is_link_predictor(Own())
    assert is_link_predictor(lambda network, pairs: pairs[:, 0])
    from sklearn.linear_model import LinearRegression

    assert not any(map(is_link_predictor, ("wvrn", LinearRegression(), Own)))
    with words.raises(InputError):
        as_link_predictor("kats")
    with words.raises(InputError):
        as_link_predictor("features").fit(Network([0], [1], n_nodes=3))


def linked(network: Network) -> set[tuple[int, int]]:
    return set(zip(*(ends.tolist() for ends in network.simple_links())))


@pytest.mark.parametrize("design", ["rrs", "kfold", "rrs+degree:2", "kfold+all", "rrs+ends:3"])
def test_splits_hide_links_and_draw_pairs_without(design: str) -> None:
    made = link_design(design, n_splits=4, seed=3)
    splits, all_links = made.split_links(NETWORK), linked(NETWORK)
    for split, again in zip(splits, made.split_links(NETWORK)):
        assert (split.test == again.test).all()
        pairs = list(map(tuple, split.pairs(N).tolist()))
        assert pairs == sorted(set(pairs))
        hidden = {pair for pair, yes in zip(pairs, split.is_link) if yes}
        others = set(pairs) - hidden
        seen = set(zip(*(e[split.train].tolist() for e in NETWORK.simple_links())))
        assert hidden | seen == all_links
        assert not hidden & seen
        assert not others & all_links
        assert all(u < v for u, v in pairs)
        all_others = len(PAIRS) - len(all_links)
        if "ends" in design:
            assert len(hidden) < len(others) <= 3 * len(hidden)
            kept = {node for pair in hidden for node in pair}
            assert all(kept & set(pair) for pair in others)
            assert all(any(set(p) & set(q) for q in others) for p in hidden)
        else:
            assert len(others) == (all_others if "all" in design else len(hidden) * made.per_link)
    if design.startswith("kfold"):
        together = np.concatenate([split.test[split.is_link] for split in splits])
        assert np.unique(together).size == together.size == len(all_links)


def test_pairs_by_degree_are_as_well_linked_as_those_of_links() -> None:
    rng = np.random.default_rng(1)
    hubs = np.minimum(rng.geometric(0.02, size=(2, 1500)), 400) - 1
    network = Network(*hubs, n_nodes=400)
    degree = np.bincount(np.concatenate(network.simple_links()), minlength=400)

    def gap(negatives: str) -> float:
        split = RandomLinks(n_splits=1, labeled=0.5, negatives=negatives).split_links(network)[0]
        ends = degree[split.pairs(400)].sum(axis=1)
        return float(ends[split.is_link].mean() / ends[~split.is_link].mean())

    assert gap("degree") < 1.5 < 4 < gap("uniform")


def test_time_goes_forward_and_later_links_are_no_pairs_without(tmp_path: Path, words) -> None:
    source, target = NETWORK.simple_links()
    time = np.random.default_rng(2).permutation(source.size) + 2000.0
    for directed in (False, True):
        network = Network(source, target, n_nodes=N, weight=time, directed=directed)
        last = 0.0
        for split in TemporalLinks(n_splits=3).split_links(network):
            places = {pair: i for i, pair in enumerate(zip(source.tolist(), target.tolist()))}
            tested = [places[p] for p in map(tuple, split.pairs(N)[split.is_link].tolist())]
            assert max(time[split.train]) < min(time[tested])
            assert last < min(time[tested])
            last = max(time[tested])
            assert not set(map(tuple, split.pairs(N)[~split.is_link].tolist())) & linked(network)
    found = nettrial.compare(network, "katz", "jaccard", design="temporal", n_splits=2)
    for of in (nettrial.audit, nettrial.plan):  # this network has no labels either
        with words.raises(InputError):
            of(network, "katz", "jaccard")
    file = tmp_path / "links.csv"
    for written, note in (
        ("2031-05-28", "time of a link, columns="),
        ("", "missing_weight='drop'"),
    ):
        file.write_text(f"source,target,time\na,b,2030\nb,c,{written}\n")
        with pytest.raises(InputError, match=note):
            nettrial.read(file, columns={"weight": "time"})
    timed = Network(source, target, n_nodes=N, times=time - 3000, directed=directed)
    as_weights = TemporalLinks(n_splits=3).split_links(network)
    for one, other in zip(as_weights, TemporalLinks(n_splits=3).split_links(timed)):
        assert one.train.tolist() == other.train.tolist()
    plain = nettrial.compare(network.with_links(source, target), "katz", "jaccard", n_splits=2)
    assert (found.communities == plain.communities).all()  # times are no weights
    with words.raises(InputError):
        TemporalLinks().split_links(NETWORK)


def test_designs_that_a_network_does_not_allow_are_refused(words) -> None:
    full = Network(*PAIRS.T, n_nodes=N)
    for negatives in ("uniform", "degree", "ends", "all"):
        with words.raises(InputError):
            RandomLinks(negatives=negatives).split_links(full)
    nearly = Network(*PAIRS[30:].T, n_nodes=N)
    split = RandomLinks(labeled=0.97).split_links(nearly)[0]
    assert (~split.is_link).sum() == split.is_link.sum() == 23
    for wrong, note in (
        ({"labeled": 1.0}, "labeled"), ({"n_splits": 0}, "n_splits"), ({"per_link": 0}, "per_link"),
        ({"negatives": "some"}, "expected one of uniform"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=note):
            RandomLinks(**wrong).split_links(NETWORK)
    with words.raises(InputError):
        LinkFolds(n_splits=1000).split_links(NETWORK)
    for name in ("ers", "rrs+some", "rrs+uniform:0", "rrs+all:3"):
        with pytest.raises(InputError):
            link_design(name)


def scored(seed: int = 0, n: int = 60, levels: int = 25) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    labels = (rng.random(n) < 0.4).astype(int)
    return labels, (rng.integers(levels, size=n) + 6 * labels).astype(float)  # with ties


ENDS = np.array(list(combinations(range(12), 2)))[:60]


def value_by_hand(name: str, labels: np.ndarray, scores: np.ndarray) -> float:
    own, others = scores[labels == 1], scores[labels == 0]
    if name == "auc":
        return float(np.mean([(a > b) + 0.5 * (a == b) for a in own for b in others]))
    if name == "mrr":
        ranks = []
        for link, a in zip(ENDS[labels == 1], own):
            near = [b for pair, b in zip(ENDS[labels == 0], others) if set(pair) & set(link)]
            ranks.append(1 + sum((b > a) + 0.5 * (b == a) for b in near))
        return float(np.mean(1 / np.array(ranks)))
    if name == "hits@3":
        hits = []  # in any order of what ties
        for a in own:
            ahead, level = (others > a).sum(), (others == a).sum()
            hits.append(np.mean([ahead + before < 3 for before in range(level + 1)]))
        return float(np.mean(hits))
    if name == "average_precision":
        found = []
        for a in own:
            taken = scores >= a
            found.append(labels[taken].mean())
        return float(np.mean(found))
    k = 10 if name == "precision@10" else round(0.2 * labels.size)
    threshold = np.sort(scores)[-k]
    above, level = scores > threshold, scores == threshold
    hits = labels[above].sum() + (k - above.sum()) * labels[level].mean()
    return float(hits / (k if name == "precision@10" else labels.sum()))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", MEASURES)
def test_measures_are_those_counted_pair_by_pair(name: str, seed: int) -> None:
    labels, scores = scored(seed)
    table = np.stack([-scores, scores], axis=1)
    psi = link_measure_named(name).contributions(labels, table, np.empty(0), ENDS)
    assert psi.mean() == pytest.approx(value_by_hand(name, labels, scores), abs=1e-12)


def weighted_reciprocal_rank(weights: np.ndarray, labels: np.ndarray, scores: np.ndarray) -> float:
    """Count a pair without link as often as its weight says, of as many beside each link."""
    total = 0.0
    for i in np.flatnonzero(labels):
        near = [j for j in np.flatnonzero(labels == 0) if set(ENDS[i]) & set(ENDS[j])]
        ahead = (scores[near] > scores[i]) + 0.5 * (scores[near] == scores[i])
        share = weights[near] @ ahead / weights[near].sum()
        total += weights[i] / (1 + len(near) * share)
    return total / weights[labels == 1].sum()


@pytest.mark.parametrize("seed", range(2))
def test_influence_on_reciprocal_ranks_is_what_more_of_a_pair_changes(seed: int) -> None:
    labels, scores = scored(seed)
    psi = link_measure_named("mrr").contributions(
        labels, np.stack([-scores, scores], axis=1), np.empty(0), ENDS
    )
    one, step = np.ones(labels.size), 1e-5
    for i, own in enumerate(psi):
        more, less = (
            weighted_reciprocal_rank(one + sign * step * (np.arange(one.size) == i), labels, scores)
            for sign in (1, -1)
        )
        slope = (more - less) / (2 * step)
        assert own - psi.mean() == pytest.approx(labels.size * slope, abs=1e-6)


@pytest.mark.parametrize("name", ["hits@20", "auc"])
def test_influence_values_have_the_variance_of_fresh_samples(name: str) -> None:
    """Independent pairs, so that only the measure's own variance counts."""
    rng = np.random.default_rng(11)
    values, variances = [], []
    for _ in range(1000):
        labels = np.repeat([1, 0], 200)
        scores = rng.normal(size=400) + 1.2 * labels
        table = np.stack([-scores, scores], axis=1)
        psi = link_measure_named(name).contributions(labels, table, np.empty(0), np.empty(0))
        values.append(psi.mean())
        # the numbers of links and of other pairs are fixed
        variances.append(sum(psi[part].var() * part.size for part in np.split(np.arange(400), 2)))
    ratio = np.mean(variances) / 400**2 / np.var(values)
    assert 0.87 < ratio < 1.15  # three standard errors


def test_a_function_is_a_measure_of_pairs(found: Any, tmp_path: Path, words) -> None:
    given = {"better": "higher", "bounds": (0, 1)}
    own = nettrial.metrics.custom_measure(roc_auc_score, **given)
    again = nettrial.compare(NETWORK, *PAIR, n_splits=4, seed=3, measure=own)
    assert again.difference == pytest.approx(found.difference, abs=1e-12)
    errors = [each.test("cluster_ends_t").standard_error for each in (found, again)]
    assert errors[1] == pytest.approx(errors[0], rel=0.05)
    shapes = set()

    def look(labels: np.ndarray, scores: np.ndarray, pairs: np.ndarray) -> float:
        shapes.add((labels.size - scores.size, len(pairs) - labels.size, pairs.shape[1]))
        return float(scores[labels == 1].mean())

    looked = nettrial.metrics.custom_measure(look, better="higher", takes_nodes=True)
    nettrial.compare(NETWORK, *PAIR, n_splits=2, measure=looked)
    assert shapes == {(0, 0, 2)}
    unfit = nettrial.metrics.custom_measure(roc_auc_score, better="higher", probabilities=True)
    with words.raises(InputError):
        nettrial.compare(NETWORK, *PAIR, measure=unfit)
    with words.raises(InputError):
        nettrial.compare(NETWORK, *PAIR, measure=own, store=tmp_path / "x")
    with words.raises(InputError):
        nettrial.compare(NETWORK, *PAIR, measure=roc_auc_score)


@pytest.mark.parametrize("name", ["error", "log_loss", "hits@0", 3])
def test_measures_that_do_not_fit_links_are_refused(name: Any) -> None:
    with pytest.raises(InputError, match="measure"):
        link_measure_named(name)


def items(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    ends = PAIRS[rng.choice(len(PAIRS), 70, replace=False)]
    node = rng.normal(size=N)
    return node[ends].sum(axis=1) + rng.normal(size=70), ends, rng.integers(1, 4, size=70) * 1.0


@pytest.mark.parametrize("seed", range(3))
def test_the_jackknife_leaves_out_one_node_after_the_other(seed: int) -> None:
    values, ends, weights = items(seed)
    found = node_jackknife_test(values, ends, weights, 0.95)
    nodes = np.unique(ends)
    without = []
    for node in nodes:
        rest = (ends != node).all(axis=1)
        without.append(np.average(values[rest], weights=weights[rest]))
    variance = (nodes.size - 1) / nodes.size * ((without - np.mean(without)) ** 2).sum()
    assert found.standard_error == pytest.approx(np.sqrt(variance))
    assert found.estimate == pytest.approx(np.average(values, weights=weights))


@pytest.mark.parametrize("seed", range(3))
def test_the_dyadic_variance_adds_up_all_pairs_that_share_a_node(seed: int) -> None:
    values, ends, weights = items(seed)
    found = dyadic_robust_test(values, ends, weights, 0.95)
    u = weights * (values - np.average(values, weights=weights))
    total = 0.0
    for e in range(len(ends)):
        for f in range(len(ends)):
            total += bool(set(ends[e]) & set(ends[f])) * u[e] * u[f]
    assert found.standard_error == pytest.approx(np.sqrt(total) / weights.sum())


def test_the_bootstrap_draws_blocks_one_by_one() -> None:
    values, ends, weights = items(1)
    block = np.random.default_rng(0).integers(6, size=N)
    found = block_bootstrap_test(values, ends, weights, block[ends], 0.95, 7)
    rng, drawn = np.random.default_rng(1), []
    for _ in range(4000):
        picked = np.bincount(rng.integers(6, size=6), minlength=6)
        times = [
            picked[block[u]] * (1 if block[u] == block[v] else picked[block[v]]) for u, v in ends
        ]
        mean = np.average(values, weights=weights)
        drawn.append((times * weights) @ (values - mean) / weights.sum())
    assert found.standard_error == pytest.approx(np.std(drawn) * np.sqrt(6 / 5), rel=0.06)
    renamed = block_bootstrap_test(values, ends, weights, (5 - block)[ends], 0.95, 7)
    assert renamed.standard_error == found.standard_error


def test_the_clustered_test_sums_the_pairs_of_each_block_once() -> None:
    values, ends, weights = items(2)
    block = np.random.default_rng(0).integers(6, size=N)
    u = weights * (values - np.average(values, weights=weights))
    sums = [sum(x for x, pair in zip(u, ends) if k in block[pair]) for k in range(6)]
    at = np.array([weights @ (block[ends] == k).sum(axis=1) for k in range(6)])
    n = at.sum() ** 2 / (at**2).sum()
    found = cluster_ends_test(values, ends, weights, block[ends], 0.95)
    error = np.sqrt(np.square(sums).sum() * n / (n - 1)) / weights.sum()
    assert (found.standard_error, found.df) == pytest.approx((error, n - 1))
    assert np.isnan(cluster_ends_test(values, ends, weights, 0 * ends, 0.95).pvalue)
    # every node by itself: what the jackknife and the dyadic variance lie about
    alone = cluster_ends_test(values, ends, weights, ends, 0.95).standard_error
    dyadic = dyadic_robust_test(values, ends, weights, 0.95).standard_error
    assert dyadic < alone < 1.3 * node_jackknife_test(values, ends, weights, 0.95).standard_error


def test_differences_between_communities_are_told() -> None:
    rng = np.random.default_rng(0)
    group = np.arange(120) // 20
    links = np.triu(rng.random((120, 120)) < np.where(group[:, None] == group, 0.4, 0.01), 1)
    network = Network(*np.nonzero(links), n_nodes=120)
    good = np.array([1, 1, 1, -1, -1, -1])

    def first(network: Network, pairs: np.ndarray) -> np.ndarray:
        same = group[pairs[:, 0]] == group[pairs[:, 1]]
        return same * good[group[pairs[:, 0]]] + 0.5 * same

    def second(network: Network, pairs: np.ndarray) -> np.ndarray:
        same = group[pairs[:, 0]] == group[pairs[:, 1]]
        return same * -good[group[pairs[:, 0]]] + 0.5 * same

    found = nettrial.compare(network, first, second, n_splits=10, communities=group)
    assert "depends on the community" in str(found.test("node_jackknife").warnings[0])
    errors = [found.test(name).standard_error for name in ("cluster_ends_t", "node_jackknife")]
    assert errors[0] > 1.5 * errors[1]


def test_pairs_that_do_not_differ_have_p_one() -> None:
    values, ends, weights = items(0)
    for test in (node_jackknife_test, dyadic_robust_test):
        assert test(values * 0, ends, weights, 0.95).pvalue == 1
        assert np.isnan(test(values * 0 + 1, ends, weights, 0.95).pvalue)


def test_models_see_the_links_of_the_split_alone_and_are_checked(words) -> None:
    seen = []

    def look(network: Network, pairs: np.ndarray) -> np.ndarray:
        seen.append(network.n_links)
        return pairs[:, 0].astype(float)

    splits = RandomLinks(n_splits=2).split_links(NETWORK)
    found = run(NETWORK, {"look": as_link_predictor(look)}, splits)
    assert seen == [split.train.size for split in splits]
    frame = found.to_frame()
    assert list(frame.columns) == ["split", "source", "target", "label", "look"]
    assert len(frame) == sum(split.test.size for split in splits)
    unfit = (lambda n, p: p, lambda n, p: p[:, 0] * np.nan, lambda n, p: p[:, 0] * 1j)
    for wrong in (*unfit, lambda n, p: 1 / 0):
        with words.raises(ModelError):
            run(NETWORK, {"wrong": as_link_predictor(wrong)}, splits)


PAIR = ("adamic_adar", "katz")


@pytest.fixture(scope="module")
def found() -> Any:
    return nettrial.compare(NETWORK, *PAIR, n_splits=4, seed=3)


def test_two_link_predictors_are_compared_by_their_auc(found: Any) -> None:
    splits = RandomLinks(n_splits=4, seed=3).split_links(NETWORK)
    for model in PAIR:
        by_hand = []
        for split in splits:
            pairs, source = split.pairs(N), np.stack(NETWORK.simple_links(), axis=1)
            seen = Network(*source[split.train].T, n_nodes=N)
            scores = as_link_predictor(model).fit(seen).score(pairs)
            by_hand.append(value_by_hand("auc", split.is_link.astype(int), scores))
        np.testing.assert_allclose(found.scores_by_split[model], by_hand)
    assert found.recommended == "cluster_ends_t"
    names = {test.name for test in found.tests}
    assert {
        "cluster_ends_t",
        "node_jackknife",
        "dyadic_robust_t",
        "node_bootstrap",
        "paired_t",
    } <= names
    for test in found.tests[:4]:
        assert test.estimate == pytest.approx(found.difference)
    assert "AUC" in found.verdict
    assert "pairs without link" in str(found)
    assert json.loads(found.to_json())["kind"] == "Comparison"
    assert "over both ends" in found.to_html()
    assert "katz" in found.to_latex() + found.to_markdown()


def test_the_standard_error_is_that_of_all_splits_without_one_node_after_the_other(found) -> None:
    """The oracle: every pair's influence on the mean over splits, nodes left out one by one."""
    total: dict[tuple[int, int], list[float]] = {}
    size = np.mean([split.test.size for split in found.predictions.splits])
    for number, split in enumerate(found.predictions.splits):
        psi = []
        for model in PAIR:
            scores = found.predictions.probabilities[model][number]
            table = np.stack([-scores, scores], axis=1)
            labels = split.is_link.astype(int)
            psi.append(link_measure_named("auc").contributions(labels, table, None, None))
        for pair, gap in zip(map(tuple, split.pairs(N).tolist()), psi[0] - psi[1]):
            total.setdefault(pair, []).append(gap * size / split.test.size)
    without = []
    for node in range(N):
        rest = [gaps for pair, gaps in total.items() if node not in pair]
        without.append(sum(map(sum, rest)) / sum(map(len, rest)))
    tested = {node for pair in total for node in pair}
    n = len(tested)
    moved = np.array(without)[sorted(tested)]
    error = np.sqrt((n - 1) / n * ((moved - moved.mean()) ** 2).sum())
    assert found.test("node_jackknife").standard_error == pytest.approx(error)


def test_with_next_to_one_community_nodes_are_left_out_one_by_one() -> None:
    most = np.array([0] * 36 + [1] * 4)
    found = nettrial.compare(NETWORK, *PAIR, n_splits=3, communities=most)
    assert found.recommended == "node_jackknife"
    assert "too few for a test over communities" in found.reason
    assert "weigh as 1.22 of equal size" in str(found.warnings[0])
    one = nettrial.compare(NETWORK, *PAIR, n_splits=3, communities=0 * most)
    assert np.isnan(one.test("cluster_ends_t").pvalue)


def test_swapping_the_models_and_renaming_the_nodes_changes_signs_alone(found) -> None:
    turned = nettrial.compare(NETWORK, *PAIR[::-1], n_splits=4, seed=3)
    for mine, theirs in zip(found.tests, turned.tests):
        assert theirs.estimate == pytest.approx(-mine.estimate)
        assert theirs.pvalue == pytest.approx(mine.pvalue)
    order = np.random.default_rng(0).permutation(N)
    splits = []
    for split in found.predictions.splits:
        pairs = np.sort(order[split.pairs(N)], axis=1)
        keys = pairs[:, 0] * N + pairs[:, 1]
        places = np.argsort(keys)
        seen = np.stack(NETWORK.simple_links(), axis=1)[split.train]
        kept = np.sort(order[seen], axis=1)
        moved = Network(*order[np.stack(NETWORK.simple_links(), axis=1)].T, n_nodes=N)
        now = {pair: i for i, pair in enumerate(zip(*map(np.ndarray.tolist, moved.simple_links())))}
        train = np.sort([now[pair] for pair in map(tuple, kept.tolist())])
        splits.append(type(split)(train, keys[places], split.is_link[places]))
    again = nettrial.compare(moved, *PAIR, design=splits, seed=3)
    for name in ("node_jackknife", "dyadic_robust_t", "paired_t"):
        assert again.test(name).pvalue == pytest.approx(found.test(name).pvalue)


@pytest.mark.slow
def test_several_link_predictors_give_the_answers_of_the_pair_alone(found: Any) -> None:
    several = nettrial.compare(NETWORK, [*PAIR, "spectral"], n_splits=4, seed=3)
    alone = found.test("cluster_ends_t")
    assert several.pairs.pvalue[0] == pytest.approx(alone.pvalue)
    assert several.pairs.standard_error[0] == pytest.approx(alone.standard_error)
    assert "drawn with equal chances" in str(several)
    assert "<html" in several.to_html()
    seven = nettrial.compare(NETWORK, *PAIR, n_splits=4, seed=3, n_prior_tests=6)
    assert seven.prior_tests.fixed.pvalue == pytest.approx(min(1, 7 * alone.pvalue))
    assert "one of 7 comparisons" in " ".join(str(seven).split())
    beside = nettrial.compare_models(NETWORK, [*PAIR, "spectral"], control="katz", n_splits=4)
    assert beside.pairs.second == ("katz", "katz")


@pytest.mark.parametrize(
    ("measure", "design"),
    [("average_precision", "kfold"), ("hits@5", "rrs+degree"), ("mrr", "rrs+ends:5"),
     ("precision@5", "rrs+all")],
)  # fmt: skip
def test_other_measures_and_designs_are_compared(measure: str, design: str) -> None:
    found = nettrial.compare(NETWORK, *PAIR, measure=measure, design=design, n_splits=5)
    assert found.measure.name == measure
    assert found.test("cluster_ends_t").estimate == pytest.approx(found.difference, abs=1e-9)
    assert np.isfinite(found.test("cluster_ends_t").pvalue)


@pytest.mark.parametrize(
    ("given", "note"),
    [
        ({"measure": "mrr"}, "rrs\\+ends"), ({"measure": "log_loss"}, "expected one of auc"),
        ({"measure": "hits@500"}, "hits above the 500th"), ({"positive": "x"}, "positive"),
        ({"test": "network_hac"}, "expected one of auto, cluster_ends_t"),
        ({"test": "paired_t"}, "cannot give the verdict"), ({"design": "ers"}, "design of links"),
        ({"retry": True}, "store"), ({"budget": "2min"}, "budget"),
        ({"cross_links": "drop"}, "cross_links"), ({"labeled": [0.8, 0.9]}, "no learning curve"),
        ({"control": "katz"}, "control"), ({"measures": ["error"]}, "measures"),
    ],
)  # fmt: skip
def test_what_has_no_meaning_for_links_is_refused(given: dict[str, Any], note: str) -> None:
    with pytest.raises(InputError, match=note):
        nettrial.compare(NETWORK, *PAIR, **given)


def test_models_of_nodes_and_of_links_are_not_mixed(words) -> None:
    labeled = nettrial.latent_group_network(60, seed=1)
    with words.raises(InputError):
        nettrial.compare(labeled, "katz", "wvrn")
    with words.raises(InputError):
        nettrial.compare(labeled, "jaccard", "kats")
    with words.raises(InputError):
        nettrial.sweep(labeled, ["katz", "jaccard"], labeled=[0.2, 0.3])


class Broken:
    """Fails on some splits for as long as its surroundings are broken, and warns."""

    def fit(self, network: Network) -> Broken:
        self._seen = network.n_links
        return self

    def score(self, pairs: np.ndarray) -> np.ndarray:
        warnings.warn("too few links", stacklevel=1)
        if "BROKEN" in os.environ and pairs.sum() % 2:
            raise ValueError("odd")
        return (pairs[:, 0] * 7 + pairs[:, 1]) % 11 * 1.0


def test_a_study_file_runs_again_what_failed_and_gives_the_same_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words
) -> None:
    store, given = tmp_path / "links.nettrial", {"n_splits": 4, "seed": 3}
    monkeypatch.setenv("BROKEN", "1")
    with words.raises(IncompleteStudyError):
        nettrial.compare(NETWORK, Broken(), "katz", store=store, **given)
    monkeypatch.delenv("BROKEN")
    with words.warns(ModelWarning):
        again = nettrial.compare(NETWORK, Broken(), "katz", store=store, retry=True, **given)
    with words.warns(ModelWarning):
        alone = nettrial.compare(NETWORK, Broken(), "katz", **given)
    kept = stored_comparison(store)
    assert timeless(again) == timeless(alone) == timeless(kept)
    assert kept.summary() == alone.summary()
    assert "too few links" in str(kept)
    export_predictions(store, tmp_path / "scores.csv")
    written = nettrial.compare_predictions(tmp_path / "scores.csv", NETWORK, seed=3)
    assert written.difference == pytest.approx(alone.difference, abs=1e-12)
    with words.raises(InputError):
        nettrial.compare(NETWORK, "katz", "jaccard", store=store, **given)


def test_several_in_a_study_file_and_in_shards_are_as_in_one_run(tmp_path: Path) -> None:
    names, given = ["katz", "jaccard", "features"], {"n_splits": 3, "design": "kfold+degree:2"}
    features = np.random.default_rng(0).random((NETWORK.n_nodes, 3))
    network = Network(*NETWORK.simple_links(), n_nodes=NETWORK.n_nodes, features=features)
    whole = nettrial.compare(network, names, **given)
    for shard in ("1/2", "2/2"):
        found = nettrial.compare_shard(
            network, names, shard=shard, store=tmp_path / "shards", **given
        )
    assert found.done == 9
    merge_shards(tmp_path / "shards", tmp_path / "study.nettrial")
    assert timeless(stored_comparison(tmp_path / "study.nettrial")) == timeless(whole)


def test_over_networks_each_has_the_answer_that_it_has_alone(tmp_path: Path, words) -> None:
    networks = {f"net {i}": nettrial.latent_group_network(60, seed=i) for i in range(3)}
    given = {"n_splits": 3, "measure": "average_precision", "seed": 5}
    found = nettrial.compare_across(networks, PAIR, store=tmp_path, **given)
    for name, network in networks.items():
        alone = nettrial.compare_models(network, PAIR, **given)
        assert timeless(found.networks[name]) == timeless(alone)
    assert found.over.measure.name == "average_precision"
    assert "average precision" in str(found)
    assert "<html" in found.to_html()
    with words.raises(InputError):
        nettrial.compare_across(networks, PAIR, train=NETWORK)


def test_damaged_splits_of_links_are_refused(words) -> None:
    split = RandomLinks(n_splits=1).split_links(NETWORK)[0]
    kept = dict(pack_split(split, 0))

    def read(name: str, expand: Any) -> Any:
        return expand(kept[name])

    again = unpack_split(0, True, read)
    for part in ("train", "test", "is_link"):
        np.testing.assert_array_equal(getattr(again, part), getattr(split, part))
    kept["hidden 0"] = pack_indices(np.array([split.test.size]))
    with words.raises(ValueError):
        unpack_split(0, True, read)


@pytest.mark.slow
def test_a_link_predictor_is_held_to_its_time(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "slow_scorer.py").write_text(
        "import time\ndef slow(network, pairs):\n    time.sleep(60)\n"
    )
    given = ["--example", "--a", f"{tmp_path / 'slow_scorer.py'}:slow", "--b", "katz"]
    with pytest.raises(SystemExit) as stop:
        main(["compare", *given, "--splits", "2", "--timeout", "0.5"])
    assert stop.value.code != 0
    assert "longer than the 0.5 seconds" in capsys.readouterr().err


def test_directions_and_weights_are_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rows = [f"{u},{v},{1 + u % 3}" for u, v in zip(*map(np.ndarray.tolist, NETWORK.simple_links()))]
    (tmp_path / "links.csv").write_text("source,target,weight\n" + "\n".join(rows))
    given = [str(tmp_path / "links.csv"), "--directed", "--a", "jaccard", "--b", "katz"]
    with pytest.raises(SystemExit) as stop:
        main(["compare", *given, "--splits", "3", "--json"])
    assert stop.value.code == 0
    note = json.loads(capsys.readouterr().out)
    first = [text.split()[0] for text in note["warnings"]]
    assert first.index("directions") < first.index("weights")


def table(found: Any) -> Any:
    return found.predictions.to_frame()


def check_same(again: Any, found: Any) -> None:
    for name in ("node_jackknife", "dyadic_robust_t", "paired_t"):
        assert again.test(name).estimate == pytest.approx(found.test(name).estimate)
        assert again.test(name).pvalue == pytest.approx(found.test(name).pvalue)


def test_scores_made_elsewhere_give_the_same_answer(found: Any, tmp_path: Path) -> None:
    rows, file = table(found), tmp_path / "scores.csv"
    rows.sample(frac=1, random_state=0).to_csv(file, index=False)
    check_same(nettrial.compare_predictions(file, NETWORK), found)
    turned = rows.rename(columns={"source": "target", "target": "source"})
    check_same(nettrial.compare_predictions(turned, NETWORK, a=PAIR[0]), found)
    long = rows.melt(["split", "source", "target", "label"], var_name="model", value_name="score")
    check_same(nettrial.compare_predictions(long, NETWORK), found)
    check_same(nettrial.compare_predictions(found.predictions), found)
    check_same(nettrial.compare_predictions(file), found)  # no network at all
    three = rows.assign(third=rows["katz"] * 2, note="x")
    several = nettrial.compare_predictions(three, NETWORK, seed=3)
    assert "left out: note" in str(several.warnings[0])
    assert several.pairs.pvalue[0] == pytest.approx(found.test("cluster_ends_t").pvalue)
    again = nettrial.compare_predictions(three, NETWORK, a="third", b="adamic_adar")
    assert again.difference == pytest.approx(-found.difference)


def test_the_command_reads_scores_of_links(
    found: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table(found).to_csv(tmp_path / "scores.csv", index=False)
    with pytest.raises(SystemExit) as stop:
        main(["compare", "--predictions", str(tmp_path / "scores.csv"), "--json"])
    assert stop.value.code == 0
    note = json.loads(capsys.readouterr().out)
    assert note["tests"][1]["pvalue"] == pytest.approx(found.test("node_jackknife").pvalue)


def changed(rows: Any, column: str, value: Any) -> Any:
    rows = rows.astype({column: object}) if column in rows else rows
    rows.loc[0, column] = value
    return rows


@pytest.mark.parametrize(
    "change",
    [
        lambda t: changed(t, "label", 2),
        lambda t: changed(t, "katz", np.nan),
        lambda t: changed(t, "source", 999),
        lambda t: t.assign(target=t["source"]),
        lambda t: t.iloc[[0, *range(len(t))]],
        lambda t: t.drop(columns=["katz", "adamic_adar"]),
        lambda t: t.drop(columns="label"),
        lambda t: t.assign(katz="high"),
        lambda t: t.assign(label=1),
        lambda t: t.iloc[:0],
        lambda t: t.melt(["split", "source", "target", "label"], var_name="model",
                          value_name="score").iloc[1:],
    ],
)  # fmt: skip
def test_tables_of_links_that_cannot_be_used_are_refused(found, change, words) -> None:
    with words.raises(InputError):
        nettrial.compare_predictions(change(table(found)), NETWORK)


def test_labels_that_the_network_does_not_bear_out_are_told(found: Any, words) -> None:
    rows = table(found)
    rows.loc[0, "label"] = 1 - rows.loc[0, "label"]
    again = nettrial.compare_predictions(rows, NETWORK)
    assert "1 pair of label" in str(again.warnings[0])
    with words.raises(InputError):
        nettrial.compare_predictions(rows, NETWORK, splits=[])


def test_the_experiment_makes_every_test_of_pairs_by_the_road_of_compare() -> None:
    cell = {"domain": "latent space", "models": "places seen with noise", "splits": 3}
    records = link_predictors.run(Unit(cell, 0, 4, 1, 7, (), {}))
    entropy = seeds.derive(7, seeds.Stream.LINK_TRIAL, 4)
    network, models = link_predictors.trial_of(cell["domain"], cell["models"], entropy)
    found = nettrial.compare(network, *models, n_splits=3, seed=entropy)
    gap = next(each for each in records if each.measure == "mean difference")
    assert gap.total == pytest.approx(found.difference)
    note = [each.test for each in records if each.where["compared by"] == "mrr" and each.test]
    assert set(note) == {test.name for test in found.tests}


OWN = """
import numpy as np
class Degrees:
    def fit(self, network):
        self.degrees = np.diff(network.links.indptr)
        return self
    def score(self, pairs):
        return self.degrees[pairs].prod(axis=1)
def product(network, pairs):
    return np.diff(network.links.indptr)[pairs].prod(axis=1)
"""


@pytest.mark.parametrize("name", ["Degrees", "product"])
def test_the_command_takes_scorers_of_ones_own(name: str, tmp_path: Path, capsys) -> None:
    (tmp_path / f"own_{name}.py").write_text(OWN)
    given = ["compare", "--example", "--b", "katz", "--splits", "2", "--json"]
    values = []
    for model in (f"{tmp_path}/own_{name}.py:{name}", "preferential_attachment"):
        with pytest.raises(SystemExit) as stop:
            main([*given, "--a", model])
        assert stop.value.code == 0
        note = json.loads(capsys.readouterr().out)
        values.append(note["scores"][note["a"]])
    assert values[0] == values[1]
