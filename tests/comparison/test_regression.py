"""Numeric targets: read, predicted, measured, compared, stored and told as classes are."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import spearmanr
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.metrics import r2_score
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.preprocessing import StandardScaler

import nettrial
from nettrial.auditing.handicaps import noise_for, turned
from nettrial.auditing.source import Source
from nettrial.cli import main
from nettrial.comparison.stored_runs import stored_comparison, stored_predictions
from nettrial.core.errors import AssumptionWarning, InputError
from nettrial.inference.false_alarms import OF_NUMBERS, false_alarms
from nettrial.inference.registry import PROCEDURES
from nettrial.io import convert, from_frames, from_networkx, write
from nettrial.metrics.measures import MEASURES
from nettrial.models import (
    GCN,
    WVRN,
    FullBatch,
    Mean,
    RelationalMean,
    TorchModel,
    as_model,
    by_name,
    tuned,
)
from nettrial.models.neural_layers import wide
from nettrial.models.neural_regression import SquaredDistance
from nettrial.models.relaxation import RelaxationLabeling
from nettrial.models.validation import set_aside
from nettrial.network.network import Network
from nettrial.network.summary import autocorrelation
from nettrial.replicates import replicate_network
from nettrial.replicates.blocks import take_apart
from nettrial.report.disagreement import losses_by
from nettrial.saved.export import export_predictions
from nettrial.splits import RandomResampling
from nettrial.stats import cluster_mean_test, hotelling_paired_test, paired_t_test

QUICK: dict[str, Any] = {"n_splits": 3, "test": "cluster_robust_t", "progress": False}
PAIR = ("relational_mean", "ridge")


def smooth_network(n_nodes: int = 120, *, seed: int = 0, **more: Any) -> Network:
    """Draw groups of linked nodes with a mean of their own, and one informative feature."""
    rng = np.random.default_rng(seed)
    group = rng.integers(10, size=n_nodes)
    chance = np.where(group[:, None] == group, 0.35, 0.01)
    source, target = np.nonzero(np.triu(rng.random((n_nodes, n_nodes)) < chance, 1))
    targets = 1000 + 10 * (rng.normal(size=10)[group] + rng.normal(size=n_nodes))
    features = rng.normal(size=(n_nodes, 3))
    features[:, 0] += (targets - 1000) / 10
    made: dict[str, Any] = {"targets": targets, "features": features, "name": "smooth"} | more
    made |= {"attributes": {"group": group.tolist()}}
    return Network(source, target, n_nodes=n_nodes, **made)


NETWORK = smooth_network()


def written(folder: Path, network: Network = NETWORK) -> Path:
    folder.mkdir()
    source, target = network.simple_links()
    rows = "\n".join(map("{},{}".format, source, target))
    (folder / "edges.csv").write_text(f"source,target\n{rows}\n")
    assert network.targets is not None
    columns = zip(range(network.n_nodes), network.targets, network.attributes["group"])
    rows = "\n".join(f"{node},{'' if np.isnan(y) else y},{group}" for node, y, group in columns)
    (folder / "nodes.csv").write_text(f"node,income,group\n{rows}\n")
    return folder


def test_targets_are_kept_masked_and_counted_as_labels_are() -> None:
    net = Network([0, 1], [1, 2], n_nodes=3, targets=[1.5, None, 3])
    assert net.targets is not None
    assert_array_equal(net.targets, [1.5, np.nan, 3])
    assert (net.n_classes, net.labeled.tolist()) == (0, [0, 2])
    assert repr(net) == (
        "<Network: 3 nodes, 2 undirected links, a numeric target, 1 node without target>"
    )
    hidden = net.mask_labels(np.array([2]))
    assert_array_equal(hidden.targets, [np.nan, np.nan, 3])
    assert hidden.labeled.tolist() == [2]
    other = Network([0, 1], [1, 2], n_nodes=3, targets=[1.5, None, 4])
    assert len({each.fingerprint() for each in (net, hidden, other)}) == 3
    plain = Network([0, 1], [1, 2], n_nodes=3)
    assert (plain.targets, repr(plain)) == (
        None,
        "<Network: 3 nodes, 2 undirected links, 0 classes>",
    )


@pytest.mark.parametrize(
    ("given", "note"),
    [
        ({"targets": [1, 2, np.inf]}, "finite"),
        ({"targets": [1, 2]}, "one target for each"),
        ({"targets": ["x", 1, 2]}, "a number for each"),
        ({"targets": [1, 2, 3], "labels": list("aab")}, "labels or targets, got both"),
    ],
)
def test_wrong_targets_are_refused(given: dict[str, Any], note: str) -> None:
    with pytest.raises(InputError, match=note):
        Network([0, 1], [1, 2], n_nodes=3, **given)


def test_a_target_is_read_from_files_and_tables(tmp_path: Path, words) -> None:
    known = NETWORK.targets
    assert known is not None
    gaps = smooth_network(targets=np.where(np.arange(120) < 3, np.nan, known))
    folder = written(tmp_path / "net", gaps)
    net = nettrial.read(folder, target="income")
    assert_array_equal(net.targets, gaps.targets)
    assert list(net.attributes) == ["group"]
    assert "a numeric target from column 'income'; 3 nodes without a target" in str(
        nettrial.io.what_was_read(net)
    )
    (folder / "nodes.csv").write_text((folder / "nodes.csv").read_text() + "new,much,1\n")
    with words.raises(InputError):
        nettrial.read(folder, target="income")
    assert nettrial.read(folder, target="income", missing="much").labeled.size == 117
    with words.raises(InputError):
        nettrial.read(folder, target="income", label="group")
    with words.raises(InputError):
        nettrial.read(folder, target="wages")

    import networkx as nx
    import pandas as pd

    graph = nx.path_graph(3)
    nx.set_node_attributes(graph, {0: 1.5, 1: 2, 2: 4}, "income")
    assert_array_equal(from_networkx(graph, target="income").targets, [1.5, 2, 4])
    links = pd.DataFrame({"source": [1, 2], "target": [2, 3]})
    nodes = pd.DataFrame({"node": [1, 2, 3], "income": [1.5, 2, None]})
    assert_array_equal(from_frames(links, nodes, target="income").targets, [1.5, 2, np.nan])


def test_what_refuses_measurements_as_classes_leads_to_target(tmp_path: Path, words) -> None:
    folder = written(tmp_path / "net")
    table = (folder / "nodes.csv").read_text().replace("group", "wages")
    (folder / "nodes.csv").write_text(table.replace(",1\n", ",1.5\n"))
    with words.raises(InputError):
        nettrial.read(folder)


@pytest.mark.parametrize("form", ["net", "net.graphml", "net.npz", "net.nettrial-graph"])
def test_every_form_that_is_written_holds_targets(tmp_path: Path, form: str) -> None:
    gaps = smooth_network(targets=np.where(np.arange(120) < 3, np.nan, NETWORK.targets))
    source, out = written(tmp_path / "source", gaps), tmp_path / form
    whole = form.endswith("graph")
    report = convert(source, out, target="income")
    assert whole or "read it with target='income'" in " ".join(report.notes)
    again = nettrial.read(out, **({} if whole else {"target": "income"}))
    assert_array_equal(again.targets, gaps.targets)
    assert list(again.attributes) == ["group"]
    if form in ("net.npz", "net.nettrial-graph"):  # which hold features too
        made = tmp_path / f"made_{form}"
        write(gaps, made)
        options = {} if whole else {"target": "target"}
        assert nettrial.read(made, **options).fingerprint() == gaps.fingerprint()


def test_the_relational_mean_of_zeros_and_ones_is_the_vote_of_wvrn() -> None:
    rng = np.random.default_rng(3)
    ends = rng.integers(60, size=(2, 90))
    for directed in (False, True):
        weight, labels = rng.random(90) + 0.1, rng.integers(2, size=60)
        made: dict[str, Any] = {"n_nodes": 60, "weight": weight, "directed": directed}
        classes = Network(*ends, **made, labels=labels.tolist())
        numbers = Network(*ends, **made, targets=labels)
        train = rng.permutation(60)[:15]
        for direction in ("both", "out", "in"):
            options: Any = {"direction": direction, "inference": RelaxationLabeling(iterations=40)}
            vote = WVRN(**options).fit(classes.mask_labels(train), train)
            mean = RelationalMean(**options).fit(numbers.mask_labels(train), train)
            assert_allclose(
                mean.predict(numbers, np.arange(60)),
                vote.predict_proba(classes, np.arange(60))[:, 1],
                atol=2e-6,
            )


def test_built_in_regressors_are_what_their_formulas_say(words) -> None:
    train, test = np.arange(60), np.arange(60, 120)
    y, x = NETWORK.targets, NETWORK.features
    assert y is not None
    seen = NETWORK.mask_labels(train)
    assert_allclose(Mean().fit(seen, train).predict(seen, test), np.full(60, y[:60].mean()))
    scaler = StandardScaler().fit(x[:60])
    plain = Ridge().fit(scaler.transform(x[:60]), y[:60]).predict(scaler.transform(x[60:]))
    model: Any = by_name("ridge")
    assert_allclose(model.fit(seen, train, seed=1).predict(seen, test), plain)
    bare = smooth_network(features=None)
    with words.warns(AssumptionWarning):
        model.fit(bare.mask_labels(train), train)


def test_models_say_what_they_predict(words) -> None:
    classes = nettrial.latent_group_network(60, seed=1)
    with words.raises(InputError):
        nettrial.compare(NETWORK, "wvrn", "mean", **QUICK)
    with words.raises(InputError):
        nettrial.compare(classes, "wvrn", "mean", **QUICK)
    with words.raises(InputError):
        nettrial.compare(classes, "wvrn", "nbc", measure="squared_error", **QUICK)
    with words.raises(InputError):
        nettrial.compare(NETWORK, *PAIR, measure="accuracy", **QUICK)
    for measures, note in (
        (["error", "log_loss"], "log loss, which judges predicted classes"),
        (["error", "squared_error"], "error means squared_error"),
    ):
        with pytest.raises(InputError, match=note):
            nettrial.compare_models(NETWORK, PAIR, measures=measures, **QUICK)
    with words.raises(InputError):
        nettrial.compare(NETWORK, *PAIR, positive="x", **QUICK)
    with words.raises(InputError):
        nettrial.compare(classes, tuned(Ridge(), {"alpha": [1.0]}), "wvrn", **QUICK)
    for targets, note in (
        ([7, 7, 7], "all 3 targets are 7"),
        ([None, 7, None], "the only target is 7"),
        ([None, None, None], "no node has a target"),
        ([1e200, -1e200, 0], "in another unit"),
        ([1e-200, -1e-200, 0], "in another unit"),
    ):
        with pytest.raises(InputError, match=note):
            nettrial.compare(Network([0, 1], [1, 2], n_nodes=3, targets=targets), *PAIR, **QUICK)


def test_numbers_are_no_strata(words) -> None:
    for design in (RandomResampling(n_splits=2, stratify="label"), StratifiedKFold(3)):
        with words.raises(InputError):
            nettrial.compare(NETWORK, *PAIR, design=design, test="cluster_robust_t")
    found = nettrial.compare(NETWORK, *PAIR, design=KFold(3), test="cluster_robust_t")
    assert len(found.predictions.splits) == 3
    by_group = RandomResampling(n_splits=2, stratify="group", labeled=0.5).split_network(NETWORK)
    assert len(by_group) == 2


class Twice:
    """A user's own regressor, with neither base class nor seed."""

    def fit(self, network: Network, train: Any) -> Twice:
        assert network.targets is not None
        assert np.isnan(np.delete(network.targets, train)).all()
        self.value = 2 * network.targets[train].mean()
        return self

    def predict(self, _: Network, nodes: Any) -> Any:
        return np.full(len(nodes), self.value)


class Wrong(Twice):
    """A regressor that predicts what is no number."""

    def predict(self, _: Network, nodes: Any) -> Any:
        return np.full(len(nodes), np.nan)


def test_regressors_of_users_and_scikit_learn_run(words) -> None:
    found = nettrial.compare(NETWORK, Twice(), LinearRegression(), **QUICK)
    y = NETWORK.targets
    assert y is not None
    for number, split in enumerate(found.predictions.splits):
        assert_allclose(found.predictions.probabilities["Twice"][number], 2 * y[split.train].mean())
        plain = LinearRegression().fit(NETWORK.features[split.train], y[split.train])
        loss = (plain.predict(NETWORK.features[split.test]) - y[split.test]) ** 2
        assert_allclose(found.scores_by_split["LinearRegression"][number], loss.mean())
    assert repr(as_model(LinearRegression())) == "FeatureRegressor(LinearRegression(), use=None)"
    with words.raises(nettrial.study.node_study.ModelError):
        nettrial.compare(NETWORK, Wrong(), "mean", **QUICK)


def weighted_r2(y: Any, f: Any, w: Any) -> float:
    return float(r2_score(y, f, sample_weight=w))


def weighted_spearman(y: Any, f: Any, w: Any) -> float:
    """Spearman's correlation of a weighted sample, by comparing all nodes with each other."""
    w = w / w.sum()
    u, v = (((a[:, None] < a) + 0.5 * (a[:, None] == a)).T @ w for a in (y, f))
    u, v = u - u @ w, v - v @ w
    return float((w * u) @ v / np.sqrt((w * u) @ u * ((w * v) @ v)))


@pytest.mark.parametrize(("name", "brute"), [("r2", weighted_r2), ("spearman", weighted_spearman)])
@pytest.mark.parametrize("tied", [False, True])
def test_influence_values_are_the_derivatives_by_node_weights(
    name: str, brute: Any, tied: bool
) -> None:
    rng = np.random.default_rng(5)
    y = rng.normal(size=40)
    f = y + rng.normal(size=40)
    if tied:
        y, f = np.round(y), np.round(2 * f) / 2
    psi = MEASURES[name].contributions(y, f, f, np.arange(40))
    value, step = brute(y, f, np.ones(40)), 1e-5
    if name == "spearman":
        assert value == pytest.approx(spearmanr(y, f).statistic)
    assert psi.mean() == pytest.approx(value)
    for node in range(40):
        ends = []
        for sign in (1, -1):
            w = np.ones(40)
            w[node] += sign * step
            ends.append(brute(y, f, w))
        # one node of 40 is a share of 1 / 40 more or less
        assert (psi[node] - value) / 40 == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-7)


def test_measures_that_nothing_defines_say_why(words) -> None:
    with words.raises(InputError):
        nettrial.compare(NETWORK, "ridge", "mean", measure="spearman", **QUICK)
    step = smooth_network(targets=[0] * 110 + [1] * 10)
    psi = MEASURES["r2"].contributions(np.zeros(3), np.arange(3.0), np.arange(3.0), np.arange(3))
    assert np.isnan(psi).all()
    found = nettrial.compare(step, *PAIR, measure="r2", labeled=0.5, **QUICK)
    assert "R² difference" in found.verdict
    assert "higher is better" in found.verdict
    own = nettrial.metrics.custom_measure(
        lambda y, f: float(np.mean(np.abs(y - f))), better="lower", name="mae"
    )
    by_name_ = nettrial.compare(NETWORK, *PAIR, measure="absolute_error", **QUICK)
    by_hand = nettrial.compare(NETWORK, *PAIR, measure=own, **QUICK)
    assert_allclose(by_hand.difference, by_name_.difference)


@pytest.mark.slow
def test_forest_and_graph_networks_learn_numbers(words) -> None:
    net = smooth_network(300, seed=2)
    assert net.targets is not None
    options: dict[str, Any] = QUICK | {"labeled": 0.5, "measure": "r2"}
    found = nettrial.compare_models(net, ["forest", "gcn-regression", "mean"], **options)
    again = nettrial.compare_models(net, ["mean", "gcn-regression"], **options)
    assert found.scores["forest"] > 0.2
    assert found.scores["gcn_regression"] > 0.2
    assert found.scores["mean"] < 0.01
    assert again.scores["gcn_regression"] == found.scores["gcn_regression"]
    with words.raises(InputError):
        GCN().fit(net, np.arange(10))


def test_least_squares_of_a_graph_network_has_the_gradient_of_its_loss() -> None:
    loss, width = SquaredDistance(np.array([1.0, -2.0])), wide(1)
    scores = np.zeros(2 * width, dtype=np.float32)
    scores[[0, width]] = 0.5, 1.0
    gradient = np.ones_like(scores)
    value = loss(scores, gradient)
    assert value == pytest.approx((0.25 + 9) / 2)
    expected = np.zeros_like(scores)
    for place in (0, width):
        moved = scores.copy()
        moved[place] += 1e-2
        expected[place] = (loss(moved, None) - value) / 1e-2
    assert_allclose(gradient, expected, atol=0.02)


FORMS: dict[str, Any] = {
    "rows": lambda split, node, a, b, y: {
        "fold": np.repeat(split, 2),
        "node": np.repeat(node, 2),
        "model": np.tile(["A", "B"], a.size),
        "y_pred": np.column_stack([a, b]).ravel(),
        "y_true": np.repeat(y, 2),
    },
    "wide": lambda split, node, a, b, y: {
        "split": split, "node": node, "y_true": y, "pred_A": a, "pred_B": b, "age": node,
    },
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_predictions_from_elsewhere_are_numbers(form: str, tmp_path: Path, words) -> None:
    import pandas as pd

    found = nettrial.compare(NETWORK, *PAIR, **QUICK)
    splits, y = found.predictions.splits, NETWORK.targets
    assert y is not None
    node = np.concatenate([split.test for split in splits])
    split = np.repeat(np.arange(3), [each.test.size for each in splits])
    a, b = (np.concatenate(found.predictions.probabilities[m]) for m in PAIR)
    table = pd.DataFrame(FORMS[form](split, node, a, b, y[node]))
    file = tmp_path / "predictions.csv"
    table.to_csv(file, index=False)
    read = nettrial.compare_predictions(file, NETWORK, splits=list(splits), test="cluster_robust_t")
    assert (read.a, read.b) == ("A", "B")
    assert not any("go along with" in str(warning) for warning in read.warnings)
    assert_allclose(read.difference, found.difference)
    ours, theirs = (each.test("cluster_robust_t").pvalue for each in (found, read))
    assert_allclose(ours, theirs)
    wrong = table.assign(y_true=table["y_true"].where(table.index != 2, 7.0))
    with pytest.raises(InputError, match="the target of 1 rows is not the network's, first row 3"):
        nettrial.read_predictions(wrong, NETWORK)
    column = "y_pred" if form == "rows" else "pred_A"
    for value in (np.inf, 1e200):
        with words.raises(InputError):
            nettrial.read_predictions(table.assign(**{column: value}), NETWORK)


def test_arrays_of_numbers_are_not_tested_where_they_are_nan(words) -> None:
    rng = np.random.default_rng(1)
    arrays = {name: rng.normal(size=(2, 120)) for name in "AB"}
    for table in arrays.values():
        table[0, :60] = table[1, 60:] = np.nan
    found, _ = nettrial.read_predictions(arrays, NETWORK)
    assert [split.test.size for split in found.splits] == [60, 60]
    assert_array_equal(found.probabilities["A"][1], arrays["A"][1, :60])
    kept, _ = nettrial.read_predictions(found, NETWORK, models=["B"])
    assert kept.models == ("B",)
    with words.raises(InputError):
        nettrial.read_predictions(found, NETWORK, models=["C"])
    with words.raises(InputError):
        nettrial.read_predictions({"A": np.full((2, 120), "x")}, NETWORK)
    with words.raises(InputError):
        nettrial.read_predictions({"node": [1, 2], "words": ["x", "y"]}, NETWORK)


@pytest.mark.parametrize("measure", ["squared_error", "absolute_error"])
def test_losses_and_their_tests_are_those_of_the_plain_numbers(measure: str) -> None:
    found = nettrial.compare(NETWORK, *PAIR, measure=measure, communities="group", **QUICK)
    y, sums, times = NETWORK.targets, np.zeros(120), np.zeros(120)
    assert y is not None
    means = []
    for number, split in enumerate(found.predictions.splits):
        losses = []
        for model in PAIR:
            gap = found.predictions.probabilities[model][number] - y[split.test]
            losses.append(gap**2 if measure == "squared_error" else abs(gap))
        sums[split.test] += losses[0] - losses[1]
        times[split.test] += 1
        means.append([loss.mean() for loss in losses])
    assert_allclose(np.transpose(means), [found.scores_by_split[model] for model in PAIR])
    tested = times > 0
    clustered = cluster_mean_test(
        sums[tested] / times[tested],
        NETWORK.attributes["group"][tested],
        weights=times[tested],
        df="joint",
    )
    assert_allclose(found.test("cluster_robust_t").pvalue, clustered.pvalue)
    assert_allclose(found.test("paired_t").pvalue, paired_t_test(*np.transpose(means)).pvalue)
    assert np.isnan(found.test("rsc").pvalue)
    unit = "squared units of the target" if measure == "squared_error" else "units of the target"
    assert f"{unit} (relational_mean minus ridge; lower is better)" in found.verdict
    assert "percentage" not in found.verdict


def test_predictions_in_another_unit_are_told_where_it_matters() -> None:
    assert NETWORK.targets is not None
    found = nettrial.compare(NETWORK, *PAIR, **QUICK).predictions
    tests = [NETWORK.targets[split.test] for split in found.splits]
    wide = tuple(100 * each for each in found.probabilities["ridge"])
    small = tuple(each / 1000 for each in tests)
    both = replace(found, probabilities={"relational_mean": small, "ridge": wide})
    quick: dict[str, Any] = {"test": "cluster_robust_t", "communities": "group"}
    for measure, note in (("absolute_error", True), ("r2", True), ("spearman", False)):
        read = nettrial.compare_predictions(both, measure=measure, **quick)
        text = " ".join(map(str, read.warnings))
        for each in ("predictions of relational_mean go along with the targets, but are spread "
                     "0.001 times as widely", "predictions of ridge go along"):  # fmt: skip
            assert (each in text) == note


def targets_times(factor: float) -> Network:
    """Return the network with its targets in another unit."""
    assert NETWORK.targets is not None
    return smooth_network(targets=NETWORK.targets * factor)


@pytest.mark.slow
def test_both_tests_that_run_models_again_take_numbers(words) -> None:
    quick: dict[str, Any] = {"n_splits": 3, "progress": False, "n_replicates": 10}
    drawn = nettrial.compare(NETWORK, "relational_mean", "mean", **quick)
    halved = nettrial.compare(NETWORK, *PAIR, **quick)
    assert (drawn.recommended, halved.recommended) == ("bootstrap", "halves")
    assert 0 < drawn.test("bootstrap").pvalue < 1
    assert 0 < halved.test("halves").pvalue < 1
    tiny = targets_times(1e-9)  # squared differences far below rounding noise of numbers near 1
    for found, models in ((drawn, ("relational_mean", "mean")), (halved, PAIR)):
        again = nettrial.compare(tiny, *models, **quick)
        assert_allclose(
            [test.pvalue for test in again.tests], [test.pvalue for test in found.tests], rtol=1e-6
        )
    # what is said to test numbers is what has a p-value for them
    made = {test.name for found in (drawn, halved) for test in found.tests if test.pvalue >= 0}
    assert made == {each.name for each in PROCEDURES.values() if "numbers" in each.predicted}
    with words.raises(InputError):
        nettrial.replicates.community_bootstrap_test(NETWORK, *PAIR)


def test_drawn_networks_carry_targets_and_links_go_by_fifths_of_them() -> None:
    gaps = smooth_network(targets=[None, *range(1, 120)])
    groups = gaps.groups("group")[0]
    blocks = take_apart(gaps, groups)
    assert np.bincount(blocks.kinds).tolist() == [24, 24, 23, 24, 24, 1]
    assert blocks.kinds[0] == 5
    drawn = replicate_network(gaps, groups, seed=1)
    assert gaps.targets is not None
    assert_array_equal(drawn.network.targets, gaps.targets[drawn.origin])


@pytest.mark.slow
def test_several_models_rates_networks_and_transfer_take_the_same_road(words) -> None:
    three = [*PAIR, "mean"]
    two = nettrial.compare(NETWORK, *PAIR, **QUICK)
    several = nettrial.compare_models(NETWORK, three, **QUICK)
    assert several.scores["ridge"] == pytest.approx(two.scores[two.b])
    assert list(several.scores.values()) == sorted(several.scores.values())
    assert "squared error" in str(several)
    swept = nettrial.sweep(NETWORK, PAIR, labeled=[0.3, 0.5], **QUICK)
    assert swept.pairs.pvalue[0] == pytest.approx(two.test("cluster_robust_t").pvalue)
    other = smooth_network(seed=1)
    across = nettrial.compare_across({"x": NETWORK, "y": other}, three, **QUICK)
    assert across.networks["x"].scores == several.scores
    assert all(pair.bayes is None for pair in across.over.pairs)
    assert "squared error" in str(across)
    moved = nettrial.compare_transfer(NETWORK, other, PAIR, n_splits=2, progress=False)
    y, x = NETWORK.targets, NETWORK.features
    assert y is not None
    scaler = StandardScaler().fit(x)
    plain = Ridge().fit(scaler.transform(x), y).predict(scaler.transform(other.features))
    assert moved.scores["ridge"] == pytest.approx(np.mean((plain - other.targets) ** 2))
    classes = nettrial.latent_group_network(60, seed=1)
    with words.raises(InputError):
        nettrial.compare_across({"x": NETWORK, "y": classes}, PAIR, **QUICK)
    again = nettrial.compare_predictions(two.predictions, test="cluster_robust_t")
    assert again.difference == two.difference


@pytest.mark.parametrize("n_jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_study_files_and_workers_hold_numbers_as_they_are(n_jobs: int, tmp_path: Path) -> None:
    plain = nettrial.compare(NETWORK, "relational_mean", "mean", n_splits=3, n_replicates=10)
    file = tmp_path / "study.nettrial"
    options: dict[str, Any] = {"n_splits": 3, "n_replicates": 10, "progress": False}
    nettrial.compare(NETWORK, "relational_mean", "mean", store=file, n_jobs=n_jobs, **options)
    kept = stored_predictions(file)
    for model, tables in plain.predictions.probabilities.items():
        for table, own in zip(tables, kept.probabilities[model], strict=True):
            assert own.dtype == np.float64
            assert_array_equal(table, own)
    assert stored_comparison(file).to_dict()["tests"] == plain.to_dict()["tests"]
    export_predictions(file, tmp_path / "predictions.csv")
    assert (tmp_path / "predictions.csv").read_text().startswith("split,node,model,target,pred")
    changed = smooth_network(targets=np.arange(120.0))
    with pytest.raises(InputError, match="targets was"):
        nettrial.compare(changed, "relational_mean", "mean", store=file, **options)


def test_autocorrelation_of_numbers_is_the_correlation_over_both_orders() -> None:
    source, target = NETWORK.simple_links()
    ends = np.concatenate([source, target]), np.concatenate([target, source])
    assert NETWORK.targets is not None
    plain = np.corrcoef(NETWORK.targets[ends[0]], NETWORK.targets[ends[1]])[0, 1]
    assert autocorrelation(NETWORK) == pytest.approx(plain)
    assert autocorrelation(Network([0], [1], n_nodes=2, targets=[1, 1])) is None


def test_noise_adds_its_variance_and_makes_the_difference_that_is_wanted() -> None:
    found = nettrial.compare(NETWORK, *PAIR, **QUICK)
    errors = np.array([found.scores[found.a], found.scores[found.b]])
    for at in (errors, errors[::-1], np.array([115.15987, 60.0]), np.array([0.3, 0.7])):
        noise = noise_for(at, (0.0, 0.1, 0.9))
        assert (noise >= 0).all()
        gaps = np.ptp(at + noise, axis=1)
        assert_allclose(gaps, np.array([0.0, 0.1, 0.9]) * at.max(), atol=1e-9)
    variances = np.array([[0.0, 0.0], [50.0, 200.0]])
    plain, more = turned(found.predictions, variances, 7)
    moved = [
        np.concatenate(more.probabilities[m]) - np.concatenate(plain.probabilities[m]) for m in PAIR
    ]
    assert_array_equal(plain.probabilities["ridge"][0], found.predictions.probabilities["ridge"][0])
    assert_allclose([np.var(each) for each in moved], [50, 200], rtol=0.3)
    assert abs(np.corrcoef(*moved)[0, 1]) < 0.2


@pytest.mark.slow
def test_an_audit_of_numbers_makes_models_equal_and_tells_it_in_shares() -> None:
    options: dict[str, Any] = {"n_splits": 3, "n_replicates": 40, "n_jobs": 1, "progress": False}
    found = nettrial.audit(NETWORK, "relational_mean", "mean", differences=[0.3], **options)
    assert np.abs(found.measured - [0, 0.3]).max() < 4 * found.measured_error.max()
    assert found.test("cluster_robust_t").rates[1].rejected > 0.3
    assert "% of the squared error" in str(found)
    assert "percentage points, and" not in str(found)
    assert "the squared errors are" in str(found)
    assert "rsc_paired" not in {test.name for test in found.tests}
    halves = nettrial.audit(NETWORK, *PAIR, differences=[0.3], **options)
    assert halves.settings["halves"]


@pytest.mark.slow
def test_a_plan_of_numbers_is_in_shares_of_the_squared_error() -> None:
    options: dict[str, Any] = {"n_splits": 2, "n_replicates": 20, "progress": False}
    small = smooth_network(60)
    large = smooth_network(60, targets=5000 + 10 * np.asarray(small.targets))
    halved, found = (
        [nettrial.plan(each, *pair, difference=0.3, **options) for each in (small, large)]
        for pair in (PAIR, ("relational_mean", "mean"))
    )
    for plain, other in (halved, found):
        assert_allclose([s.power for s in plain.spots], [s.power for s in other.spots], rtol=1e-6)
        assert plain.measure.name == "squared_error"
    (halved, _), (found, _) = halved, found
    assert (halved.test, found.test) == ("halves", "bootstrap")
    # halves: the standard error is that of the comparison, as a share
    compared = nettrial.compare(
        small, *PAIR, n_splits=2, n_replicates=20, test="halves", progress=False
    )
    share = compared.test("halves").standard_error / max(
        compared.scores[compared.a], compared.scores[compared.b]
    )
    assert halved.now.standard_error == pytest.approx(share, rel=1e-6)
    assert 0.05 < found.now.power < 1
    assert found.spots[-1].power > found.now.power
    assert 0.05 < found.detectable < 3
    words = str(found) + found.to_latex()
    assert "30.0% of the squared error" in " ".join(words.split())
    assert "percentage points of power" in " ".join(words.split())
    assert words.count("percentage points") == 1
    # what noise of known variance does: the difference that is planned for is there
    source = Source.of(NETWORK, "relational_mean", "mean", "louvain", 0)
    few: dict[str, Any] = {"labeled": 0.3, "n_splits": 3, "n_replicates": 60}
    errors = source.rates(np.zeros((1, 2)), 0, **few)[:, 0].mean(axis=(0, 2))
    made = source.rates(noise_for(errors, (0.3,)), 0, **few)[:, 0].mean(axis=(0, 2))
    assert np.ptp(made) / errors.max() == pytest.approx(0.3, abs=0.1)


def test_seeds_and_splits_vary_squared_errors() -> None:
    found = nettrial.seed_variance(NETWORK, [Twice(), "forest"], n_splits=2, n_seeds=2, seed=1)
    splits = RandomResampling(n_splits=2, seed=1).split_network(NETWORK)
    y = np.asarray(NETWORK.targets)
    for errors, split in zip(found.errors[0], splits, strict=True):
        assert_allclose(errors, np.mean((y[split.test] - 2 * y[split.train].mean()) ** 2))
    assert (found.seed_deviation[0], found.to_dict()["measure"]) == (0, "squared_error")
    assert found.seed_deviation[1] > 0
    assert "Squared units of the target, from 2 splits" in str(found)


def test_settings_are_chosen_by_the_squared_error_of_nodes_set_aside() -> None:
    train = np.arange(0, 120, 2)
    model = tuned(Ridge(), {"alpha": [1e-3, 1e6, 1.0]}).fit(NETWORK.mask_labels(train), train)
    fitted, choosing = set_aside("", NETWORK, train, 0.2, 0)
    x, y = np.asarray(NETWORK.features), np.asarray(NETWORK.targets)
    losses = {
        alpha: np.mean(
            (Ridge(alpha=alpha).fit(x[fitted], y[fitted]).predict(x[choosing]) - y[choosing]) ** 2
        )
        for alpha in (1e-3, 1e6, 1.0)
    }
    best = min(losses, key=lambda alpha: losses[alpha])
    assert model.chosen_ == {"alpha": best}
    assert_allclose(
        model.predict(NETWORK, np.arange(120)), Ridge(alpha=best).fit(x[train], y[train]).predict(x)
    )
    found = nettrial.compare(NETWORK, model, "mean", **QUICK)
    assert any("tuned Ridge chose inside 3 training sets" in str(w) for w in found.warnings)


def test_modules_of_torch_predict_numbers() -> None:
    torch = pytest.importorskip("torch")
    seen: list[Any] = []

    def watched(module: Any, data: Any, forward: Any) -> None:
        seen.append(data)
        FullBatch(epochs=400, learning_rate=0.1, weight_decay=0)(module, data, forward)

    train = np.arange(0, 120, 2)
    options: dict[str, Any] = {"forward": lambda m, d: m(d.x), "validation": 0}
    model = TorchModel(torch.nn.Linear, train=watched, **options).fit(
        NETWORK.mask_labels(train), train, seed=1
    )
    y = np.asarray(NETWORK.targets)
    (data,) = seen
    assert (data.n_classes, torch.isnan(data.y).sum()) == (1, 60)
    standard = (y[train] - y[train].mean()) / y[train].std()
    assert_allclose(data.y[train].numpy(), standard, rtol=1e-4, atol=1e-5)
    plain = LinearRegression().fit(NETWORK.features[train], y[train]).predict(NETWORK.features)
    assert_allclose(model.predict(NETWORK, np.arange(120)), plain, atol=0.01 * y.std())
    none = TorchModel(
        torch.nn.Linear, train=lambda *_: None, forward=lambda _, d: torch.zeros(len(d.x))
    ).fit(NETWORK.mask_labels(train), train)
    assert_allclose(none.predict(NETWORK, np.array([1, 3])), y[train].mean())


def test_several_measures_of_numbers_are_tested_at_once() -> None:
    both = ["error", "absolute_error"]
    found = nettrial.compare_models(NETWORK, PAIR, measures=both, communities="group", **QUICK)
    tables = []
    for model in found.predictions.models:
        sums, times = np.zeros((2, 120)), np.zeros(120)
        for split, table in zip(
            found.predictions.splits, found.predictions.probabilities[model], strict=True
        ):
            gap = np.abs(table - np.asarray(NETWORK.targets)[split.test])
            sums[:, split.test] += gap**2, gap
            times[split.test] += 1
        group = np.unique(NETWORK.attributes["group"], return_inverse=True)[1]
        tables.append([np.bincount(group, row) / np.bincount(group, times) for row in sums])
    expected = hotelling_paired_test(*(np.transpose(table) for table in tables))
    assert_allclose(found.multivariate.pvalue, expected.pvalue)


def test_what_was_measured_of_numbers_is_told_of_numbers() -> None:
    import pandas as pd

    table = pd.read_csv(Path(__file__).parents[2] / "docs" / "lab" / "regression.csv")
    for name, levels in OF_NUMBERS.items():
        assert levels == {0.3: table[name].max()}
    (note,) = false_alarms([0.3], MEASURES["squared_error"])
    found = nettrial.compare(NETWORK, *PAIR, **QUICK)
    assert str(note) in {str(warning) for warning in found.warnings}
    (resampled,) = found.test("nadeau_bengio").warnings
    relational = table["models"] == "relational mean"
    worst = table.groupby(relational)["nadeau_bengio"].max()
    assert f"was {worst[True]:.0%} where" in str(resampled)
    assert f"up to {worst[False]:.0%} where" in str(resampled)


@pytest.mark.parametrize("by", ["community", "degree"])
def test_losses_of_groups_add_up_to_the_loss_of_all(by: Any) -> None:
    found = nettrial.compare(NETWORK, *PAIR, measure="absolute_error", **QUICK)
    groups, y = losses_by(found, by), NETWORK.targets
    assert y is not None
    tests = np.array([group.tests for group in groups])
    assert tests.sum() == sum(split.test.size for split in found.predictions.splits)
    for side, model in (("loss_a", found.a), ("loss_b", found.b)):
        parts = zip(found.predictions.splits, found.predictions.probabilities[model], strict=True)
        gaps = np.concatenate([np.abs(y[split.test] - table) for split, table in parts])
        means = [getattr(group, side) for group in groups]
        assert np.average(means, weights=tests) == pytest.approx(gaps.mean())


@pytest.mark.slow
def test_the_command_line_compares_a_target(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(written(tmp_path / "net"))
    begin = ["compare", folder, "--target", "income", "--a", "relational_mean", "--b", "mean"]
    common = ["--splits", "3", "--test", "network_hac"]
    page = tmp_path / "page.html"
    with pytest.raises(SystemExit) as stop:
        main([*begin, *common, "--json", "--report", str(page)])
    assert stop.value.code == 0
    note = json.loads(capsys.readouterr().out)
    assert (note["measure"], "p" in note["estimates"], note["n_classes"]) == (
        *("squared_error", False, 0),
    )
    assert note["settings"]["read"]["label"] == "income"
    html = page.read_text()
    assert "squared units of the target" in html
    assert "percentage points" not in html
    assert "classes" not in html.replace("their classes", "")
    with pytest.raises(SystemExit) as stop:
        main(["compare", folder, "--target", "income", *common])
    assert stop.value.code == 2
    assert "model 'wvrn' predicts classes" in capsys.readouterr().err
    with pytest.raises(SystemExit) as stop:
        main(["info", folder, "--target", "income"])
    assert stop.value.code == 0
    assert "a numeric target from column 'income'" in capsys.readouterr().out


def test_a_set_of_targets_is_predicted_the_same_alone_and_among_others() -> None:
    known = NETWORK.targets
    assert known is not None
    rows = np.array([np.where(np.arange(120) % k == 0, known, np.nan) for k in (2, 3, 5)])
    hidden, model = NETWORK.mask_labels(np.array([], dtype=int)), RelationalMean()
    together = model.predict_batch(hidden, rows, [0, 0, 0])
    for row, found in zip(rows, together, strict=True):
        assert_array_equal(model.predict_batch(hidden, row[None], [0])[0], found)
        train = np.flatnonzero(~np.isnan(row))
        seen = NETWORK.mask_labels(train)
        assert_array_equal(model.fit(seen, train).predict(seen, np.arange(120)), found)


def test_one_model_has_one_name_and_the_same_random_numbers() -> None:
    ours, theirs = (
        nettrial.compare(NETWORK, "mean", name, n_splits=2, test="cluster_robust_t")
        for name in ("gcn_regression", "gcn-regression")
    )
    assert (theirs.b, theirs.difference) == ("gcn_regression", ours.difference)
