"""A test, a measure, a design, a model and a task are one entry of a registry each."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

import nettrial
from nettrial.cli import main
from nettrial.core.errors import InputError
from nettrial.experiments import run_experiment
from nettrial.inference.outcome import OTHER_NETWORKS, NetworkTest
from nettrial.inference.procedure import Procedure
from nettrial.inference.registry import PROCEDURES, canonical
from nettrial.inference.trials import InTrials
from nettrial.metrics import measures
from nettrial.models import names
from nettrial.network.network import Network
from nettrial.splits import names as designs
from nettrial.splits.resampling import RandomResampling
from nettrial.stats import cluster_paired_test
from nettrial.stats.catalog import CATALOG, TestSpecification
from nettrial.study import tasks
from nettrial.study.fitting import ModelError
from nettrial.study.node_task import NodeTask

NETWORK, OTHER = (nettrial.latent_group_network(80, seed=seed) for seed in (1, 2))
QUICK: dict[str, Any] = {"n_splits": 3, "progress": False}
PAIR = ("wvrn", "nbc")


def toy_make(evidence: Any) -> NetworkTest:
    empty = NetworkTest.missing("toy", OTHER_NETWORKS, evidence.estimate, "")
    return replace(
        empty, standard_error=0.5, ci_low=-1.0, ci_high=1.0, df=7.0, pvalue=0.25, warnings=()
    )


TOY = Procedure(
    name="toy",
    question=OTHER_NETWORKS,
    make=toy_make,
    words="the toy test",
    label="toy's label",
    aliases=("plaything",),
    why="it is a toy.",
    table=TestSpecification(
        "toy", "clustered pairs", "clustered.cluster_paired_test", "to show how a test is added"
    ),
    on_groups=lambda a, b, groups, _, __: cluster_paired_test(a, b, groups),
    in_trials=InTrials(("rates",), lambda trials: np.full(len(trials.rates), 0.01)),
)


@pytest.fixture
def toy_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PROCEDURES, "toy", TOY)


@pytest.mark.slow
@pytest.mark.usefixtures("toy_test")
def test_a_toy_test_stands_in_every_comparison(capsys: pytest.CaptureFixture[str]) -> None:
    options = QUICK | {"test": "plaything"}
    two = nettrial.compare(NETWORK, *PAIR, **options)
    assert (two.recommended, two.test("toy").pvalue) == ("toy", 0.25)
    assert "toy" in str(two)
    assert "toy" in [test["name"] for test in two.to_dict()["tests"]]
    several = nettrial.compare_models(NETWORK, [*PAIR, "prior"], **options)
    assert several.recommended == "toy"
    assert (several.pairs.pvalue == 0.25).all()
    assert (several.pairs.adjusted_pvalue == 0.75).all()  # Holm's, without a correlation
    assert "the toy test" in str(several)
    swept = nettrial.sweep(NETWORK, PAIR, labeled=[0.2, 0.4], **options)
    assert (swept.pairs.pvalue == 0.25).all()
    across = nettrial.compare_across({"x": NETWORK, "y": OTHER}, PAIR, **options)
    assert {each.recommended for each in across.networks.values()} == {"toy"}
    moved = nettrial.compare_transfer(NETWORK, OTHER, PAIR, known=0.2, **options)
    assert moved.recommended == "toy"
    saved = nettrial.compare_predictions(two.predictions, test="toy")
    assert saved.recommended == "toy"
    audited = nettrial.audit(
        NETWORK, *PAIR, n_splits=3, n_replicates=20, n_inner=0, differences=[0.05], n_jobs=1
    )
    assert "toy" in {test.name for test in audited.tests}
    with pytest.raises(SystemExit) as stop:
        main(["compare", "--example", "--splits", "2", "--test", "toy", "--json"])
    assert stop.value.code == 0
    assert json.loads(capsys.readouterr().out)["recommended"] == "toy"


@pytest.mark.usefixtures("toy_test")
def test_a_toy_test_stands_in_groups_tables_experiments_and_calibration(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    a, b, groups = [1, 1, 0, 1, 1, 0], [0, 1, 0, 0, 1, 0], list("ppqqrr")
    grouped = nettrial.compare_grouped(a, b, groups)
    assert grouped.test("toy").pvalue == pytest.approx(cluster_paired_test(a, b, groups).pvalue)
    written = tmp_path / "table.csv"
    written.write_text("A,B,group\n" + "\n".join(map("{},{},{}".format, a, b, groups)))
    for arguments in (["--list"], ["plaything", str(written), "--groups", "group", "--json"]):
        with pytest.raises(SystemExit) as stop:
            main(["test", *arguments])
        assert stop.value.code == 0
    note = capsys.readouterr().out
    assert "to show how a test is added" in note
    assert '"test": "toy"' in note
    # the tables of experiments name tests by their labels, the calibration's by their names
    short: Any = {"grid": "short", "replicates": 10, "networks": 5}
    for name, options, label in (
        ("icdm09-fig1a", {}, "toy's label"),
        ("calibration", {"trials": 3, "options": short}, "toy"),
    ):
        added = {} if options else {"tests": ["plaything"], "trials": 10}
        table = run_experiment(name, **options, **added).table
        rows = table[table["test"] == label]
        rejected = rows[rows["measure"] == "rejections"]
        assert len(rejected)
        assert (rejected["rate"] == (0 if options else 1)).all()


def test_a_test_of_networks_is_no_test_of_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["test", "network_hac", "table.csv"])
    assert stop.value.code == 2
    assert "network_hac needs a network" in capsys.readouterr().err


def test_every_other_name_leads_to_one_test() -> None:
    note = [name for each in PROCEDURES.values() for name in each.names]
    assert len(set(note)) == len(note)
    for each in PROCEDURES.values():
        for name in each.names:
            assert canonical(name.replace("_", "-").upper()) == each.name
    # a name of a test of tables is no name of another test of networks, but for the old one
    # of the bootstrap of pairs
    for name, spec in CATALOG.items():
        for word in (name, *spec.aliases):
            found = PROCEDURES.get(canonical(word))
            assert found is None or found.table is spec or word == "bootstrap"


def test_a_toy_measure_is_compared_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    def right(labels: Any, _: Any, predicted: Any, __: Any) -> Any:
        return (labels == predicted).astype(float)

    toy = measures.Measure("rightness", "rightness", "rightness", "higher", False, True, 1.0, right)
    monkeypatch.setitem(measures.MEASURES, "rightness", toy)
    options: Any = QUICK | {"measure": "rightness", "test": "cluster_robust_t"}
    two = nettrial.compare(NETWORK, *PAIR, **options)
    assert two.scores[two.a] == pytest.approx(1 - two.estimates["p"][two.a])
    assert "rightness" in two.verdict
    several = nettrial.compare_models(NETWORK, [*PAIR, "prior"], **options)
    assert list(several.scores.values()) == sorted(several.scores.values(), reverse=True)
    swept = nettrial.sweep(NETWORK, PAIR, labeled=[0.3], **options)
    assert swept.pairs.pvalue[0] == pytest.approx(two.test("cluster_robust_t").pvalue)


def test_a_toy_design_is_drawn_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    class Twice(RandomResampling):
        """Random resampling under another name."""

    toy = MappingProxyType({**designs.DESIGNS, "twice": Twice})
    monkeypatch.setattr(designs, "DESIGNS", toy)
    found = nettrial.compare(NETWORK, *PAIR, design="twice", test="cluster_robust_t", **QUICK)
    plain = nettrial.compare(NETWORK, *PAIR, test="cluster_robust_t", **QUICK)
    assert found.design == "twice"
    assert found.scores[found.a] == plain.scores[plain.a]


def test_a_toy_model_runs_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(names.CLASSIFIERS, "toy", names.CLASSIFIERS["wvrn"])
    found = nettrial.compare(NETWORK, ["toy", "wvrn", "nbc"], test="cluster_robust_t", **QUICK)
    assert found.scores["toy"] == found.scores["wvrn"]


class Width:
    """Predicts that the target lies within so much of the mean of the training nodes."""

    def __init__(self, width: float) -> None:
        self.name, self._width = f"within {width:g}", width

    def fit(self, network: Network, train: Any) -> Width:
        mean = network.targets[train].mean()
        self._ends = np.array([mean - self._width, mean + self._width])
        return self

    def predict(self, network: Network, nodes: Any) -> Any:
        return np.tile(self._ends, (nodes.size, 1))


class Intervals(NodeTask):
    """The toy: models predict an interval for the number of each node."""

    name = "intervals"
    models = "models of intervals"
    without = MappingProxyType({"q": "no errors of classes are estimated"})
    baseline_words = "always the middle half"

    def takes(self, network: Any, model: Any) -> bool:
        return isinstance(model, Width)

    def of_splits(self, network: Any, splits: Any) -> bool:
        return False  # not what a network has by default

    def model(self, given: Any) -> Any:
        return given

    def check_models(self, network: Network, models: Any) -> None:
        assert network.targets is not None

    def in_batches(self, network: Network, model: Any, cross_links: Any) -> bool:
        return False

    def predict(self, network: Any, model: Any, split: Any, seed: int, cross_links: Any) -> Any:
        seen = network.mask_labels(split.train)
        return copy.deepcopy(model).fit(seen, split.train).predict(seen, split.test)

    def shape(self, network: Network, split: Any) -> tuple[int, ...]:
        return split.test.size, 2

    def checked(self, said: Any, network: Network, split: Any, name: str, where: str) -> Any:
        if np.shape(said) != self.shape(network, split):
            raise ModelError(f"model {name}, {where}: expected two ends for each node")
        return np.asarray(said, dtype=np.float64)

    def measure(self, given: Any) -> Any:
        return replace(
            measures.MEASURES["error"], name="missed", title="share outside the interval",
            of="intervals", contributions=lambda truth, ends, *_: 1.0 * self._outside(truth, ends),
        )  # fmt: skip

    def _outside(self, truth: Any, ends: Any) -> Any:
        return (truth < ends[:, 0]) | (truth > ends[:, 1])

    def handed(self, predictions: Any, model: str, number: int, *_: Any) -> Any:
        nodes, ends = predictions.splits[number].test, predictions.probabilities[model][number]
        return predictions.network.targets[nodes], ends, ends, nodes

    def truth(self, network: Network) -> Any:
        return network.targets[network.labeled]

    def _constant(self, network: Network, split: Any) -> Any:
        ends = np.quantile(network.targets[split.train], [0.25, 0.75])
        return np.tile(ends, (split.test.size, 1))

    def _columns(self, predictions: Any, model: str, number: int) -> dict[str, Any]:
        return dict(zip(("low", "high"), predictions.probabilities[model][number].T))


def test_a_toy_task_is_one_file_and_is_compared_everywhere(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words
) -> None:
    monkeypatch.setattr(tasks, "TASKS", [Intervals(), *tasks.TASKS])
    source, target = NETWORK.simple_links()
    numbers = np.random.default_rng(3).normal(size=NETWORK.n_nodes) + NETWORK.labels
    network = Network(source, target, n_nodes=NETWORK.n_nodes, targets=numbers, name="toy")
    models, narrow = [Width(0.5), Width(2)], {"test": "network_hac"} | QUICK
    two = nettrial.compare(network, *models, **narrow)
    assert two.predictions.task.name == "intervals"
    assert two.scores["within 0.5"] > two.scores["within 2"]
    assert two.baseline is not None
    assert "always the middle half" in " ".join(map(str, two.warnings))
    assert "share outside the interval" in two.to_markdown()
    two.to_html(tmp_path / "toy.html")
    assert "share outside the interval" in (tmp_path / "toy.html").read_text(encoding="utf-8")
    assert list(two.predictions.to_frame().columns) == ["split", "node", "model", "low", "high"]
    halves = nettrial.compare(network, *models, test="halves", n_replicates=10, **QUICK)
    assert halves.scores == two.scores
    three = nettrial.compare_models(network, [*models, Width(1)], **narrow)
    assert three.to_dict()["measure"] == "missed"
    assert nettrial.sweep(network, models, labeled=[0.3, 0.5], **narrow).scores.shape == (2, 2)
    across = nettrial.compare_across({"x": network, "y": network}, models, **narrow)
    assert "share outside the interval" in str(across)
    saved = nettrial.compare_predictions(two.predictions, test="network_hac")
    assert saved.test("network_hac").pvalue == two.test("network_hac").pvalue
    with words.raises(InputError):
        nettrial.compare(network, *models, q="mean_of_failing", **narrow)
    with words.raises(InputError):
        nettrial.compare(network, models[0], "mean", **narrow)
