"""Nodes with several labels at once: measures, what nodes contribute, refusals, level."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp
from scipy.stats import ttest_rel
from sklearn.metrics import f1_score, roc_auc_score

import nettrial
from nettrial import cli
from nettrial.comparison.labels import joint_scores, label_networks
from nettrial.core.errors import InputError
from nettrial.inference.registry import PROCEDURES
from nettrial.inference.scores import Evidence
from nettrial.io import from_adjacency, read_several_labels
from nettrial.metrics.measures import MEASURES
from nettrial.network.network import Network
from nettrial.splits import RandomResampling
from nettrial.study.node_study import Predictions


def made(
    seed: int, n_nodes: int = 120, n_labels: int = 4
) -> tuple[Network, np.ndarray, list[Predictions]]:
    """Return labels, and two scorers that are equal in law; all go together over links and labels.

    Neighbors share noise, and so do the labels of one node.
    """
    network = nettrial.latent_group_network(n_nodes, seed=seed)
    rng, links = np.random.default_rng(1000 + seed), network.adjacency("both")
    degree = np.maximum(links.sum(axis=1), 1)

    def field(columns: int) -> np.ndarray:
        own = rng.normal(size=(n_nodes, columns))
        return 0.6 * own + 0.8 * (links @ own) / np.sqrt(degree)[:, None]

    table = (field(n_labels) + 0.7 * field(1) > 0.6).astype(int)
    splits = tuple(RandomResampling(n_splits=5, labeled=0.3, seed=seed).split_network(network))
    probabilities = {
        model: 1 / (1 + np.exp(0.4 - 0.8 * table - 0.7 * field(1) - 0.7 * field(n_labels)))
        for model in ("a", "b")
    }
    runs = [
        Predictions(
            one,
            splits,
            ("a", "b"),
            {
                model: tuple(
                    np.column_stack([1 - p, p])[split.test].astype(np.float32) for split in splits
                )
                for model, p in ((name, found[:, place]) for name, found in probabilities.items())
            },
        )
        for place, one in enumerate(label_networks(network, table).values())
    ]
    return network, table, runs


def note(runs: list[Predictions], number: int) -> np.ndarray:
    """Return the probabilities of model a on one split, one column per label."""
    return np.column_stack([each.probabilities["a"][number][:, 1] for each in runs])


@pytest.mark.parametrize("average", ["macro", "micro"])
@pytest.mark.parametrize("measure", ["f1", "auc", "error"])
def test_measures_are_those_of_scikit_learn(measure: str, average: str) -> None:
    _, table, runs = made(1)
    scores = joint_scores(runs, MEASURES[measure], average)
    for number, split in enumerate(runs[0].splits):
        truth, proba = table[split.test], note(runs, number)
        expected = {
            "f1": f1_score(truth, proba > 0.5, average=average),
            "auc": roc_auc_score(truth, proba, average=average),
            "error": np.mean(truth != (proba > 0.5)),
        }
        assert scores.values[0, number] == pytest.approx(expected[measure], abs=1e-12)
    means = (scores.weights * scores.means).sum(axis=1) / scores.weights.sum()
    assert means == pytest.approx(scores.values.mean(axis=1))


@pytest.mark.parametrize("average", ["macro", "micro"])
def test_a_node_contributes_what_more_of_it_would_change(average: str) -> None:
    """The derivative of scikit-learn's F1 by the weight of a node, with all its labels."""
    _, table, runs = made(2, n_nodes=40)
    runs = [
        Predictions(each.network, each.splits[:1], each.models,
                    {name: parts[:1] for name, parts in each.probabilities.items()})
        for each in runs
    ]  # fmt: skip
    scores = joint_scores(runs, MEASURES["f1"], average)
    nodes = runs[0].splits[0].test
    truth, guess = table[nodes], note(runs, 0) > 0.5
    for place in range(nodes.size):
        at = [
            f1_score(truth, guess, average=average,
                     sample_weight=1 + step * (np.arange(nodes.size) == place))
            for step in (-1e-4, 1e-4)
        ]  # fmt: skip
        expected = np.mean(at) + (at[1] - at[0]) / 2e-4 * nodes.size
        assert scores.means[0, np.searchsorted(scores.nodes, nodes[place])] == pytest.approx(
            expected, abs=1e-5
        )


def test_the_same_label_twice_tells_no_more_than_once() -> None:
    network = nettrial.latent_group_network(120, seed=1)
    models, options = ["wvrn", "nbc"], {"n_splits": 4, "seed": 1, "test": "cluster_robust_t"}
    once = nettrial.compare_models(network, models, measure="auc", **options)
    column = network.labels.astype(float)
    twice = nettrial.compare_labels(
        network, {"x": column, "again": column}, models, measure="auc", **options
    )
    for name in ("estimate", "standard_error", "pvalue", "ci_low"):
        assert getattr(twice.pairs, name) == pytest.approx(getattr(once.pairs, name), rel=1e-12)


def test_tables_mappings_and_columns_are_the_same(words) -> None:
    network, table, _ = made(3)
    columns = {f"label {place}": column for place, column in enumerate(table.T)}
    with_columns = from_adjacency(network.adjacency("both"), attributes=columns, directed=False)
    options: dict[str, Any] = {"models": ["wvrn", "prior"], "n_splits": 3, "measure": "f1"}
    options |= {"average": "micro", "seed": 1}
    found = nettrial.compare_labels(network, table, **options)
    each = found.settings["labels"]
    assert list(found.predictions.labels) == list(columns)
    assert found.predictions.predicted("wvrn", 0).shape == (
        found.predictions.splits[0].test.size,
        4,
    )
    for place, name in enumerate(columns):
        one, frame = found.predictions[name], found.predictions.to_frame()
        rows = frame[(frame["label"] == name) & (frame["model"] == "wvrn") & (frame["split"] == 0)]
        nodes = one.splits[0].test
        assert rows["truth"].tolist() == table[nodes, place].tolist()
        assert rows["prediction"].tolist() == one.predicted("wvrn", 0).tolist()
        assert rows["probability"].to_numpy() == pytest.approx(one.probabilities["wvrn"][0][:, 1])
    with words.raises(InputError):
        found.predictions["nowhere"]
    assert [each[name]["nodes"] for name in columns] == table.sum(axis=0).tolist()
    assert found.measure.title == "F1, micro average over 4 labels"
    assert "4 labels, of which a node may have several" in " ".join(str(found).split())
    for network_of, labels in (
        (network, sp.csr_array(table)),
        (network, table.tolist()),
        (network, columns),
        (with_columns, list(columns)),
    ):
        again = nettrial.compare_labels(network_of, labels, **options)
        assert again.pairs.pvalue.tolist() == found.pairs.pvalue.tolist()
        assert again.scores == found.scores
    missing = table.astype(float)
    missing[:20] = np.nan
    found = nettrial.compare_labels(network, missing, **options)
    assert found.predictions["label 3"].network.labeled[0] == 20
    assert found.settings["read"]["unlabeled"] == 20
    found.to_latex(), found.to_markdown(), found.to_json()


def test_what_cannot_be_labels_is_refused(words) -> None:
    network, table, _ = made(1)
    other, partly = table * 2, table.astype(float)
    partly[3, 1] = np.nan
    empty, rare = table.copy(), table.copy()
    empty[:, 2], rare[:, 2] = 0, np.arange(120) == 0
    for labels, what in (
        (table[:50], "a table of 120 nodes"),
        (table[:, :1], "at least two labels"),
        (other, "expected 0 or 1"),
        ([["x", "y"]] * 120, "expected 0 or 1"),
        (partly, "'label 1' is missing for other nodes"),
        (empty, "no node has 'label 2'"),
        (rare, "label 2: measure: F1 is not defined"),
        (["sports", "news"], "node column 'sports' not found"),
    ):
        with pytest.raises(InputError, match=what):
            nettrial.compare_labels(network, labels, ["wvrn", "nbc"], n_splits=8, measure="f1")
    with words.raises(InputError):
        nettrial.compare_labels(network, table, ["wvrn", "nbc"], test="halves")


def test_the_command_line_takes_node_columns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    network, table, _ = made(1)
    links = "\n".join(f"{a},{b}" for a, b in zip(*network.simple_links()))
    (tmp_path / "edges.csv").write_text(f"source,target\n{links}\n")
    rows = "\n".join(f"{node},{','.join(map(str, row))}" for node, row in enumerate(table))
    (tmp_path / "nodes.csv").write_text(f"id,sports,news,music,art\n{rows}\n")
    words = ["compare", str(tmp_path), "--models", "wvrn,prior", "--splits", "3", "--undirected"]
    words += ["--measure", "f1", "--labels", "sports,news,music,art"]
    for average in ("macro", "micro"):
        with pytest.raises(SystemExit) as end:
            cli.main([*words, "--average", average, "--json"])
        said = capsys.readouterr()
        assert not end.value.code, said.err
        expected = nettrial.compare_labels(
            network, table, ["wvrn", "prior"], n_splits=3, measure="f1", average=average
        )
        p = expected.to_dict()["pairs"][0]["pvalue"]
        assert f'"pvalue": {p!r}' in said.out
        read = json.loads(said.out)["settings"]["read"]
        assert (read["label"], read["classes"], len(read["labels"])) == (None, 0, 4)
        assert "column 'sports'" not in read["text"]
    for more, what in (
        (["--store", "x"], "--store cannot be combined with --labels"),
        (["--labels", "all"], "got none; name node columns of 0 and 1, as --labels sports,news"),
        (["--budget", "1h"], "--budget cannot be combined with --labels"),
    ):
        with pytest.raises(SystemExit):
            cli.main([*words, *more])
        assert what in capsys.readouterr().err


def files(folder: Path, network: Network, table: np.ndarray) -> list[Path]:
    """Write a network and labels as BlogCatalog, PPI and ogbn-proteins have them."""
    links = network.adjacency("both")
    scipy.io.savemat(folder / "blog.mat", {"network": links, "group": sp.csc_array(table)})
    parts = {f"adj_matrix.{key}": getattr(links, key) for key in ("data", "indices", "indptr")}
    np.savez(folder / "ppi.npz", **parts, **{"adj_matrix.shape": links.shape}, labels=table)
    ogb = folder / "proteins"
    ogb.mkdir()
    ends = zip(*network.simple_links())
    for name, rows in (
        ("edge", ends), ("num-node-list", [[network.n_nodes]]), ("node-label", table)
    ):  # fmt: skip
        text = "".join(",".join(map(str, row)) + "\n" for row in rows)
        (ogb / f"{name}.csv").write_text(text)
    sage = folder / "sage"
    sage.mkdir()
    graph = {
        "directed": False, "multigraph": False, "graph": {"name": "disjoint_union( ,  )"},
        "nodes": [{"id": node, "test": False, "val": node > 99} for node in range(len(table))],
        "links": [
            {"source": int(a), "target": int(b), "test_removed": False, "train_removed": False}
            for a, b in zip(*network.simple_links())
        ],
    }  # fmt: skip
    (sage / "ppi-G.json").write_text(json.dumps(graph))
    mapped = {str(node): row for node, row in reversed([*enumerate(table.tolist())])}
    (sage / "ppi-class_map.json").write_text(json.dumps(mapped))
    (sage / "ppi-id_map.json").write_text(json.dumps({str(node): node for node in mapped}))
    np.save(sage / "ppi-feats.npy", np.zeros((len(table), 2)))
    return [folder / "blog.mat", folder / "ppi.npz", ogb, sage]


def test_files_with_a_matrix_of_labels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words
) -> None:
    network, table, _ = made(1)
    options = {"n_splits": 3, "measure": "auc", "average": "micro"}
    expected = nettrial.compare_labels(network, table, ["wvrn", "prior"], **options)
    for path in files(tmp_path, network, table):
        with words.raises(InputError):
            nettrial.read(path)
        found, labels = read_several_labels(path, directed=False)
        assert labels.toarray().tolist() == table.tolist()
        assert (found.n_links, found.n_classes, found.labeled.size) == (network.n_links, 0, 0)
        again = nettrial.compare_labels(found, labels, ["wvrn", "prior"], **options)
        assert again.pairs.pvalue.tolist() == expected.pairs.pvalue.tolist()
        assert (
            "; 4 labels, of which a node may have several; 0 nodes without"
            in (again.settings["read"]["text"])
        )
        careful = sum("network HAC is conservative" in str(warning) for warning in again.warnings)
        assert careful == (again.recommended == "network_hac")
        with pytest.raises(SystemExit) as end:
            cli.main(
                ["compare", str(path), "--undirected", "--models", "wvrn,prior", "--labels", "all",
                 "--splits", "3", "--measure", "auc", "--average", "micro", "--json"]
            )  # fmt: skip
        said = capsys.readouterr()
        assert not end.value.code, said.err
        assert f'"pvalue": {float(expected.pairs.pvalue[0])!r}' in said.out
    beside = tmp_path / "sage" / "ppi-class_map.json"
    given = json.loads(beside.read_text())
    for changed, note in (
        ({"0": given["0"]}, "has no class of 119 nodes, such as '1'"),
        (given | {"7": [1, 0]}, "expected 4 zeros and ones of each node, got others of node 8"),
        (given | {"7": [2, 0, 0, 0]}, "expected zeros and ones in the map"),
        ({**dict.fromkeys(given, "a"), "7": []}, "expected one class for each node"),
        ([given], "expected an object"),
    ):
        beside.write_text(json.dumps(changed))
        with pytest.raises(InputError, match=note):
            nettrial.read(tmp_path / "sage")
    beside.write_text(json.dumps({node: "ab"[int(node) % 2] for node in given}))
    assert nettrial.read(tmp_path / "sage").classes == ("a", "b")
    np.savez(tmp_path / "one.npz", edges=[[0, 1], [1, 2]], node_labels=[0, 1, 1])
    with words.raises(InputError):
        read_several_labels(tmp_path / "one.npz")


@pytest.mark.slow
@pytest.mark.parametrize(("measure", "average"), [("auc", "macro"), ("f1", "micro")])
def test_the_level_holds_where_labels_of_a_node_go_together(measure: str, average: str) -> None:
    """200 networks of 300 nodes, 6 labels, scorers equal in law."""
    tests, naive = [], []
    for seed in range(200):
        network, _, runs = made(seed, 300, 6)
        scores = joint_scores(runs, MEASURES[measure], average)
        groups = nettrial.network.communities.communities(network, seed=seed)
        evidence = Evidence(scores, "a", "b", groups)
        tests.append(
            [PROCEDURES[name].run(evidence).pvalue for name in ("network_hac", "cluster_robust_t")]
        )
        naive.append(ttest_rel(*scores.values).pvalue)
    hac, clustered = (np.array(tests) < 0.05).mean(axis=0)
    assert hac <= 0.09
    assert 0.02 <= clustered <= 0.09
    assert np.mean(np.array(naive) < 0.05) > 0.5
