"""What a verdict may say: what holds, or that nothing does, what is excluded, what settles it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import nettrial
from nettrial.auditing.audit import _recommended
from nettrial.auditing.audit_result import AuditedTest, Rate
from nettrial.inference import choice
from nettrial.inference.data_sets import over_data_sets
from nettrial.inference.outcome import OTHER_NETWORKS, OTHER_SPLITS
from nettrial.inference.registry import PROCEDURES
from nettrial.metrics.amounts import NO_USE
from nettrial.network.network import Network
from nettrial.report.describe.claims import claim, uneven
from nettrial.report.pair_displays import IntervalsDisplay
from nettrial.study.node_study import Predictions
from nettrial.study.tasks import CLASSES
from nettrial.synth.latent_groups import latent_group_network


def wide() -> Network:
    """A network whose nodes are so few links apart that network HAC has few degrees of freedom."""
    return latent_group_network(120, seed=2)


def predictions_apart(network: Network, a: float, b: float) -> Predictions:
    """Return predictions of two models that err on so many nodes, whole communities at a time."""
    design = nettrial.splits.RandomResampling(n_splits=4, labeled=0.3, seed=1)
    splits = design.split_network(network)
    place = network.attributes.get("group", network.labels)
    rank = np.argsort(np.argsort(place, kind="stable"), kind="stable") / network.n_nodes
    tables = {}
    for name, share in (("gat", a), ("mlp", b)):
        said = np.where(rank < share, 1 - network.labels, network.labels)
        tables[name] = tuple(np.eye(2)[said[split.test]] for split in splits)
    return Predictions(network, tuple(splits), tuple(tables), tables)


def test_a_test_on_predictions_with_few_degrees_of_freedom_is_no_verdict() -> None:
    made = predictions_apart(wide(), 0.15, 0.42)
    found = nettrial.compare_predictions(made, test="network_hac", seed=1)
    assert found.test("network_hac").df < 4
    assert not found.settled
    assert found.to_dict()["settled"] is False
    assert found.verdict.startswith("These predictions cannot settle whether gat beats mlp")
    assert "hand in the models themselves" in found.verdict
    listed = nettrial.compare_predictions(made, test="network_hac", control="mlp", seed=1)
    assert np.isnan(listed.pairs.adjusted_pvalue).all()
    assert listed.verdict.startswith("These predictions cannot settle whether gat beats mlp")


def test_what_another_test_says_stands_beside_it_with_its_measured_level() -> None:
    network = latent_group_network(300, seed=2)
    found = nettrial.compare(network, "wvrn", "nlb", n_splits=4, test="network_hac", seed=1)
    few = replace(found.test("network_hac"), df=1.02, ci_low=-1.0, ci_high=1.0)
    tests = tuple(few if test.name == few.name else test for test in found.tests)
    said = replace(found, tests=tests).verdict
    assert f"{NO_USE}" in said
    assert "The cluster-robust t-test over communities gives 95% confidence interval" in said
    assert "it rejected up to 18% of true null hypotheses instead of 5%" in said


def _chosen(network: Network) -> choice.TestChoice:
    return choice.on_predictions(
        CLASSES, network, np.zeros(network.n_nodes, dtype=np.int32), "none"
    )


def test_the_choice_is_by_the_network_alone_at_the_reach_of_its_classes() -> None:
    assert _chosen(latent_group_network(300, seed=2)).name == "network_hac"
    assert _chosen(wide()).name == "cluster_robust_t"
    # classes that go together all along a path: hardly any nodes are farther apart
    n = 60
    path = Network(
        np.arange(n - 1), np.arange(1, n), n_nodes=n, labels=["a"] * (n // 2) + ["b"] * (n // 2)
    )
    chosen = _chosen(path)
    assert chosen.name == "cluster_robust_t"
    assert "degrees of freedom" in chosen.reason


def test_an_interval_as_wide_as_the_measure_never_sets_an_axis() -> None:
    found = nettrial.compare(wide(), "wvrn", "nbc", n_splits=4, test="network_hac", seed=1)
    narrow = IntervalsDisplay(found).plot().get_xlim()
    useless = [
        replace(test, ci_low=-1.0, ci_high=0.9) if test.name == "nadeau_bengio" else test
        for test in found.tests
    ]
    drawn = IntervalsDisplay(replace(found, tests=tuple(useless))).plot()
    assert drawn.get_xlim()[1] <= narrow[1]
    assert NO_USE in [each.get_text() for each in drawn.texts]


def rare(share: float = 0.05) -> Network:
    rng = np.random.default_rng(3)
    labels = (np.arange(160) < 160 * share).astype(int)
    source, target = np.nonzero(np.triu(rng.random((160, 160)) < 0.05, 1))
    return Network(source, target, n_nodes=160, labels=labels.tolist())


@pytest.mark.slow
def test_the_commonest_class_stands_beside_models_and_warns_where_they_do_not_beat_it() -> None:
    network = rare()
    options = {"n_splits": 4, "test": "cluster_robust_t", "seed": 1}
    found = nettrial.compare(network, "wvrn", "nlb", **options)
    prior = nettrial.compare_models(network, ["wvrn", "nlb", "prior"], **options)
    assert found.baseline is not None
    assert found.baseline.score == pytest.approx(prior.scores["prior"])
    assert found.to_dict()["baseline"]["score"] == pytest.approx(found.baseline.score)
    assert "always the commonest class" in str(found)
    assert "always the commonest class" in str(prior)
    assert "always the commonest class" in found.to_html()
    note = " ".join(map(str, found.warnings))
    assert "not beat always the commonest class" in note
    assert "predict one class only on every split" in note
    assert "measure='average_precision' does" in note
    assert "average_precision" not in " ".join(
        map(str, nettrial.compare(rare(0.4), "wvrn", "nlb", **options).warnings)
    )


def test_numbers_and_links_have_a_baseline_too() -> None:
    rng = np.random.default_rng(1)
    net = latent_group_network(120, seed=1)
    source, target = net.simple_links()
    numbers = Network(source, target, n_nodes=120, targets=rng.normal(size=120))
    options = {"n_splits": 4, "seed": 1}
    found = nettrial.compare_models(
        numbers, ["relational_mean", "mean"], test="cluster_robust_t", **options
    )
    assert found.baseline is not None
    assert found.baseline.words == "always the mean"
    assert found.baseline.score == pytest.approx(found.scores["mean"])
    links = nettrial.compare(net, "jaccard", "preferential_attachment", **options)
    assert links.baseline is not None
    assert links.baseline.score == pytest.approx(links.scores["preferential_attachment"])
    other = nettrial.compare(net, "jaccard", "common_neighbors", **options)
    assert other.baseline == links.baseline


def test_headlines_say_what_holds() -> None:
    assert claim(["a", "b", "c"], []) == ""
    assert claim(["a", "b", "c"], [("a", "c")]) == "a beats c"
    assert uneven(["a", "b", "c"], [("b", "c"), ("a", "c")]) == ""
    net = latent_group_network(300, seed=2)
    swept = nettrial.sweep(
        net, ["wvrn", "nbc"], labeled=[0.1, 0.3], n_splits=4, test="cluster_robust_t", seed=1
    )
    assert not swept.pairs.significant.any()
    assert swept.verdict.startswith("No significant differences among the models at any proportion")
    assert "is excluded" in swept.verdict
    over = over_data_sets(
        [[0.1, 0.2, 0.3], [0.2, 0.1, 0.3], [0.1, 0.3, 0.2]],
        models=list("abc"),
        data_sets=list("xyz"),
    )
    assert over.iman_davenport.pvalue > 0.05
    assert over.verdict.startswith("No significant difference among 3 models over 3 data sets")
    alone = nettrial.compare(net, "wvrn", "nbc", n_splits=4, test="cluster_robust_t", seed=1)
    assert "had 80% power" in alone.verdict


def test_a_verdict_gives_the_numbers_of_the_pair_that_it_names() -> None:
    net = latent_group_network(300, seed=2)
    found = nettrial.compare_models(
        net, ["prior", "nlb", "wvrn"], n_splits=4, test="cluster_robust_t", seed=1
    )
    first, second = found.pairs.first, found.pairs.second
    p = np.where([{a, b} == {"prior", "wvrn"} for a, b in zip(first, second)], 0.001, 0.5)
    won = replace(found, pairs=replace(found.pairs, adjusted_pvalue=p)).verdict
    assert won.startswith("wvrn beats prior")
    assert "(prior minus wvrn)" in won


def test_models_that_never_differ_are_said_to_be_so_in_words() -> None:
    net = rare()
    found = nettrial.compare_models(
        net, ["nlb", "prior", "wvrn"], n_splits=4, test="cluster_robust_t", seed=1
    )
    assert "no interval (the two never differ)" in found.verdict
    assert "simultaneous no interval" not in found.verdict
    assert "never differ" in str(found)


def test_what_usual_tests_would_have_said_stands_beside_lists_too() -> None:
    net = latent_group_network(300, seed=2)
    options = {"n_splits": 10, "test": "cluster_robust_t", "seed": 1}
    found = nettrial.compare_models(net, ["wvrn", "nbc", "nlb"], **options)
    pair = nettrial.compare(net, "wvrn", "nbc", **options)
    usual = found.to_frame().set_index(["first", "second"]).usual_pvalue
    assert usual["wvrn", "nbc"] == pytest.approx(pair.test("paired_t").pvalue)
    assert "The usual paired t-tests would have said that" in found.verdict
    assert np.allclose(found.scores_by_split["wvrn"], pair.scores_by_split["wvrn"])


def test_an_audit_never_recommends_a_test_that_answers_another_question() -> None:
    def one(name: str, power: float, question: str, design: str = "rrs") -> AuditedTest:
        rates = (Rate(0.0, 0.04, 0.02, 0.06, 0), Rate(0.05, power, power, power, 0))
        return AuditedTest(name, design, question, rates)

    tests = [
        one("bootstrap", 0.5, OTHER_NETWORKS),
        one("cluster_robust_t", 0.52, OTHER_NETWORKS),
        one("paired_t", 0.9, OTHER_SPLITS, "ncv"),
    ]
    assert _recommended(tests, 120) == "bootstrap"


def test_expected_degrees_of_freedom_are_said_before_models_run_again() -> None:
    from nettrial.replicates.blocks import take_apart
    from nettrial.replicates.half_samples import HalfSamples
    from nettrial.replicates.halving_plan import HalvingPlan

    net = latent_group_network(120, seed=1)
    blocks = take_apart(net, (np.arange(120) // 6).astype(np.int32))
    names = tuple("abcdefg")
    planned = HalvingPlan(7, 2, 0.11, 90.0, 90.0, 1.5)
    said = HalfSamples(blocks, names, [], 2, True, 0, None, planned).shortfall(4.0)
    assert "expected to leave 0.11 degrees of freedom" in said
    assert "fewer models or control=" in said
    halves = take_apart(net, (np.arange(120) // 60).astype(np.int32))
    few = HalfSamples(halves, names[:2], [], 2, True, 0, None, HalvingPlan(7, 2, 0.9))
    assert "no budget brings 4" in few.shortfall(4.0)
    assert PROCEDURES["halves"].settles(1.0)
    assert not PROCEDURES["halves"].settles(0.11)


def test_ranks_and_the_set_that_may_hold_the_best_follow_from_all_pairs() -> None:
    net = latent_group_network(300, seed=2)
    found = nettrial.compare_models(
        net, ["prior", "nlb", "wvrn"], n_splits=4, test="cluster_robust_t", seed=1
    )
    first, second = found.pairs.first, found.pairs.second
    p = np.where([{a, b} == {"prior", "wvrn"} for a, b in zip(first, second)], 0.001, 0.5)
    won = replace(found, pairs=replace(found.pairs, adjusted_pvalue=p))
    assert won.ranks == {"wvrn": (1, 2), "nlb": (1, 3), "prior": (2, 3)}
    assert won.may_be_best == ("wvrn", "nlb")
    assert won.to_dict()["may_be_best"] == ["wvrn", "nlb"]
    assert "1 to 2" in str(won)


def test_the_next_network_is_foretold_where_models_were_run_again() -> None:
    net = latent_group_network(100, seed=2)
    found = nettrial.compare(net, "wvrn", "nbc", n_splits=4, n_replicates=20, seed=1)
    turned = nettrial.compare(net, "nbc", "wvrn", n_splits=4, n_replicates=20, seed=1)
    coming, other = found.next_network, turned.next_network
    assert coming is not None
    assert other is not None
    assert coming.a_better == pytest.approx(1 - other.a_better)
    assert (coming.low, coming.high) == pytest.approx((-other.high, -other.low))
    best = found.test(found.recommended)
    assert coming.low < best.ci_low
    assert coming.high > best.ci_high
    assert found.to_dict()["next_network"]["a_better"] == coming.a_better
    assert "On networks like this one" in str(found)
    alone = nettrial.compare(net, "wvrn", "nbc", n_splits=4, test="cluster_robust_t", seed=1)
    assert alone.next_network is None
