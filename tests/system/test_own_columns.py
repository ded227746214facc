"""A bank's folder and a school's GraphML, from the files to a verdict on the command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import nettrial
from nettrial import cli

N = 120


def bank() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Transfers, and accounts with a flag that has blanks, ages and days of opening."""
    base = nettrial.latent_group_network(N, seed=2)
    source, target = base.simple_links()
    rng = np.random.default_rng(2)
    names = np.array([f"A{node:03d}" for node in range(N)])
    transfers = pd.DataFrame(
        {"from": names[source], "to": names[target], "amount": rng.integers(1, 90, source.size)}
    )
    age = (rng.normal(45, 12, N) + 10 * base.labels).round().astype(object)
    age[5] = None
    accounts = pd.DataFrame(
        {
            "account_id": names,
            "age": age,
            "opened": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, N), "D"),
            "region": rng.choice(["north", "south", "west"], N),
            "fraud": [None if node == 7 else float(c) for node, c in enumerate(base.labels)],
        }
    )
    return transfers, accounts


def said(words: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    with pytest.raises(SystemExit) as end:
        cli.main([*words, "--splits", "3", "--test", "network_hac", "--json"])
    output = capsys.readouterr()
    assert not end.value.code, output.err
    found: dict[str, Any] = json.loads(output.out)
    return found


@pytest.mark.parametrize(
    "names", [("transactions", "accounts"), ("transfers", "customers"), ("payments", "people")]
)
def test_a_folder_of_a_firm_gives_boosting_with_and_without_the_network(
    names: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, table in zip(names, bank()):
        table.to_csv(tmp_path / f"{name}.csv", index=False)
    if names[0] != "transactions":  # the names alone
        network = nettrial.read(tmp_path, label="fraud")
        assert set(network.attributes) == {"age", "opened", "region"}
        return
    found = said(
        ["compare", str(tmp_path), "--label", "fraud", "--positive", "1", "--features", "all",
         "--a", "boosting", "--b", "boosting+graph", "--measure", "average_precision"],
        capsys,
    )  # fmt: skip
    assert "boosting" in found["verdict"]
    assert "boosting+graph" in found["verdict"]
    notes = " ".join(found["settings"]["read"]["notes"])
    assert "age (1 missing, filled in from training nodes and flagged)" in notes
    assert "opened (dates as days)" in notes


def test_sheets_of_a_firm_are_told_apart(tmp_path: Path) -> None:
    pytest.importorskip("openpyxl")
    path = tmp_path / "export.xlsx"
    with pd.ExcelWriter(path) as book:
        for name, table in zip(("Transactions", "Accounts"), bank()):
            table.to_excel(book, sheet_name=name, index=False)
    network = nettrial.read(path, label="fraud", features=["age", "region"])
    regions = ("region=north", "region=south", "region=west")
    assert network.feature_columns.names == ("age", *regions)
    assert network.one_against_rest("1").classes[1] in (1, 1.0, "1", "1.0")


def test_a_school_gives_a_relational_model_against_logistic_regression(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nx = pytest.importorskip("networkx")
    base = nettrial.latent_group_network(N, seed=4)
    rng, graph = np.random.default_rng(4), nx.Graph()
    for node, code in enumerate(base.labels.tolist()):
        graph.add_node(node, sex="fm"[rng.integers(2)], age=int(13 + rng.integers(3) + code),
                       smoking="yes" if code else "no")  # fmt: skip
    graph.add_edges_from(zip(*(ends.tolist() for ends in base.simple_links())))
    nx.write_graphml(graph, tmp_path / "school.graphml")
    words = ["compare", str(tmp_path / "school.graphml"), "--label", "smoking"]
    found = said([*words, "--features", "sex,age", "--models", "wvrn,logistic"], capsys)
    assert "features from the columns sex (2 categories), age" in str(found)


def test_a_measure_may_be_written_as_a_name_of_python() -> None:
    from nettrial.metrics.measures import measure_named

    assert measure_named("precision_at_50").name == "precision@50"
    assert measure_named("hits_at_3").name == "hits@3"


BAD = """
import numpy as np
import torch
from nettrial.models import TorchModel


def one_number(data, seed):
    return torch.zeros(data.num_nodes)


def training_nodes(data, seed):
    return torch.zeros(int(data.train_mask.sum()), data.num_classes)


def not_a_number(data, seed):
    return torch.full((data.num_nodes, data.num_classes), torch.nan)


def five_classes(data, seed):
    return torch.zeros(data.num_nodes, 5)


def own_features(module, data):
    return module(data.x)


def lost_card():
    return TorchModel(torch.nn.Linear, forward=own_features, device="cuda:7", name="lost")


def module_of_five():
    return TorchModel(lambda n, k: torch.nn.Linear(n, 5), forward=own_features, name="five")


def diverged():
    return TorchModel(torch.nn.Linear, train=lambda *_: None, name="diverged",
                      forward=lambda module, data: module(data.x) * torch.nan)


class Rows:
    name = "rows"

    def __init__(self, make):
        self.make = make

    def fit(self, network, train):
        return self

    def predict_proba(self, network, nodes):
        return self.make(len(nodes))


three_classes = Rows(lambda n: np.full((n, 3), 1 / 3))
missing = Rows(lambda n: np.full((n, 2), np.nan))
"""


@pytest.mark.parametrize(
    ("words", "note"),
    [
        ("--features aeg --models wvrn,logistic", "column 'aeg' not found; did you mean 'age'?"),
        ("--features age,one --models wvrn,logistic", "column 'one' has one value only; leave it"),
        ("--features copy --models wvrn,logistic", "column 'copy' equals the class; leave it out"),
        ("--a bad.py:one_number", "got shape (60,); return a score for each class"),
        ("--a bad.py:training_nodes", "2), got shape (14, 2); return the scores of all nodes"),
        ("--a bad.py:not_a_number", "the scores of 60 of 60 nodes are missing or infinite"),
        ("--a bad.py:five_classes", "got shape (60, 5); data.num_classes"),
        ("--a bad.py:lost_card", "device: expected auto or one that is there (cpu"),
        ("--a bad.py:module_of_five", "expected 2 scores for each node, one for each class, got"),
        ("--a bad.py:diverged", "the scores of 60 of 60 nodes are missing or infinite"),
        ("--a bad.py:three_classes", "expected probabilities of shape (42, 2), got (42, 3)"),
        ("--a bad.py:missing", "rows of predict_proba must be probabilities that add up to 1"),
        ("--a bad.py:five_clases", "did you mean 'five_classes'?"),
    ],
)
@pytest.mark.filterwarnings("ignore::nettrial.NettrialWarning")
def test_bad_columns_and_models_are_refused_in_one_line(
    words: str,
    note: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if ".py" in words:
        pytest.importorskip("torch_geometric")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "bad", raising=False)
    monkeypatch.setattr(sys, "path", [*sys.path])
    base = nettrial.latent_group_network(60, seed=3)
    columns = {"age": np.arange(60.0), "one": np.ones(60), "copy": base.labels}
    nettrial.io.write(
        nettrial.from_adjacency(base.adjacency(), base.labels.tolist(), attributes=columns), "net"
    )
    Path("bad.py").write_text(BAD)
    features = [] if "--features" in words else ["--b", "wvrn", "--features", "age"]
    options = ["--splits", "3", "--test", "network_hac"]
    with pytest.raises(SystemExit) as end:
        cli.main(["compare", "net", *words.split(), *features, *options])
    error = capsys.readouterr().err
    last = error.splitlines()[-1]
    assert end.value.code == 2
    assert last.startswith("nettrial: ")
    assert note in last
    assert "Error" not in last  # no name of a class in place of a sentence
    sys.modules.pop("bad", None)
