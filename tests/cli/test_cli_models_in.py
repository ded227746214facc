"""The command line for users' own models, splits to files, saved predictions, grouped tables."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import nettrial
from nettrial.cli import main
from nettrial.comparison.grouped import compare_grouped
from timeless import timeless

CODE = """
import numpy as np
from sklearn.naive_bayes import GaussianNB

class Prior:
    def fit(self, network, train):
        self.shares = np.bincount(network.labels[train], minlength=network.n_classes) / len(train)
        return self

    def predict_proba(self, network, nodes):
        return np.tile(self.shares, (len(nodes), 1))

def make():
    return Prior()

class Space:
    ready = Prior()

class Broken:
    def __init__(self):
        raise RuntimeError("no luck")

NUMBER = 3
"""


def call(capsys: pytest.CaptureFixture[str], *arguments: object, code: int = 0) -> tuple[str, str]:
    with pytest.raises(SystemExit) as stop:
        main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    assert stop.value.code == code, err
    return out, err


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A network of files and a file with models, in the current folder."""
    made = nettrial.latent_group_network(60, seed=1)
    source, target = made.simple_links()
    place = tmp_path / "net"
    place.mkdir()
    pd.DataFrame({"source": source, "target": target}).to_csv(place / "edges.csv", index=False)
    labels = [made.classes[c] for c in made.labels]
    nodes = pd.DataFrame({"node": range(60), "label": labels})
    nodes.to_csv(place / "nodes.csv", index=False)
    (tmp_path / "own_models_of_test.py").write_text(CODE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "own_models_of_test", raising=False)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("place", ["own_models_of_test.py", "own_models_of_test"])
@pytest.mark.parametrize("name", ["Prior", "make", "Space.ready"])
def test_a_users_own_model_runs(
    folder: Path, capsys: pytest.CaptureFixture[str], place: str, name: str
) -> None:
    arguments = ("compare", "net", "--b", "wvrn", "--splits", 3, "--json")
    own = json.loads(call(capsys, *arguments, "--a", f"{place}:{name}")[0])
    built_in = json.loads(call(capsys, *arguments, "--a", "prior")[0])
    assert own["a"] == "Prior"
    assert own["scores"]["Prior"] == built_in["scores"]["prior"]


@pytest.mark.slow
def test_other_processes_find_a_users_own_model(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("compare", "net", "--a", "own_models_of_test.py:Prior", "--json", "--splits", 2,
                 "--replicates", 10)  # fmt: skip
    one, two = (call(capsys, *arguments, "--jobs", jobs)[0] for jobs in (1, 2))
    assert timeless(one) == timeless(two)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("own_models_of_test.py:Prio", "did you mean 'Prior'"),
        ("own_models_of_test.py:Broken", "RuntimeError: no luck"),
        ("own_models_of_test.py:NUMBER", "got 3"),
        ("own_models_of_test.py:", "MODULE:OBJECT"),
        ("nothing.py:Prior", "no such file"),
        ("no_module_of_this_name:Prior", "ModuleNotFoundError"),
        ("syntax.py:Prior", "SyntaxError"),
        ("json.py:Prior", "another module is called json"),
        ("wvrm", "did you mean 'wvrn'"),
    ],
)
def test_what_is_no_model_is_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], model: str, words: str
) -> None:
    (folder / "syntax.py").write_text("class:\n")
    (folder / "json.py").write_text(CODE)
    out, err = call(capsys, "compare", "net", "--a", model, code=2)
    assert words in err
    assert (out, err.count("\n")) == ("", 1)


def test_the_help_says_that_a_file_is_run(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = call(capsys, "compare", "--help")
    assert "is your own code and is run as such" in " ".join(out.split())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["s.npz", "s.csv", "s.json"])
@pytest.mark.parametrize("design", ["ncv", "rrs"])
def test_splits_of_a_file_give_the_comparison_of_the_design(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, design: str
) -> None:
    call(
        capsys,
        "split",
        "net",
        "--design",
        design,
        "--labeled",
        0.4,
        "--splits",
        4,
        "--seed",
        3,
        "--out",
        name,
    )
    drawn, _ = call(
        capsys,
        "compare",
        "net",
        "--design",
        design,
        "--labeled",
        0.4,
        "--splits",
        4,
        "--seed",
        3,
        "--json",
    )
    options = ("--split-file", name, "--seed", 3, "--replicates", 10, "--json")
    read, _ = call(capsys, "compare", "net", *options)
    found = json.loads(read)["tests"]
    assert found.pop(0)["name"] == "halves"  # given splits cannot be drawn again
    assert found == [test for test in json.loads(drawn)["tests"] if test["name"] != "bootstrap"]


def test_split_says_how_many_nodes_each_set_holds(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    network = nettrial.read(folder / "net")
    options = ("--labeled", 0.5, "--splits", 4, "--validation", 0.25, "--out", "s.json")
    out, _ = call(capsys, "split", "net", *options)
    sets = json.loads(Path("s.json").read_text())["splits"][0]
    note = [f"{len(sets[part])} {word}" for part, word in
            (("train", "training"), ("valid", "validation"), ("test", "test"))]  # fmt: skip
    assert f"in each split {note[0]}, {note[1]} and {note[2]} nodes" in out
    assert f"4 splits by random resampling (RRS) of {network.labeled.size} labeled" in out
    out, _ = call(capsys, "split", "net", "--design", "kfold", "--out", "s.json")
    sizes = {len(split["test"]) for split in json.loads(Path("s.json").read_text())["splits"]}
    note = f"{min(sizes)} to {max(sizes)}" if len(sizes) > 1 else f"{min(sizes)}"
    assert f"and {note} test nodes" in out
    assert "validation and" not in out


def test_predictions_made_elsewhere_give_a_verdict(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call(capsys, "split", "net", "--design", "ncv", "--out", "s.npz")
    network = nettrial.read(folder / "net")
    splits = nettrial.read_splits("s.npz", network)
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        [
            (number, node, model, network.classes[network.labels[node] ^ int(rng.random() < p)])
            for model, p in (("good", 0.1), ("bad", 0.45), ("other", 0.5))
            for number, split in enumerate(splits)
            for node in split.test
        ],
        columns=["split", "node", "model", "prediction"],
    )
    frame.to_csv("p.csv", index=False)
    common = ("--predictions", "p.csv", "--a", "good", "--b", "bad", "--json")
    found, _ = call(
        capsys,
        "compare",
        "--network",
        "net",
        *common,
        "--split-file",
        "s.npz",
        "--report",
        "r.html",
    )
    table = json.loads(found)
    wrong = frame.prediction != np.array(network.classes)[network.labels[frame.node]]
    assert table["scores"]["good"] == pytest.approx(wrong[frame.model == "good"].mean())
    assert table["recommended"] == "cluster_robust_t"
    assert "good beats bad" in table["verdict"]
    assert (folder / "r.html").read_text().startswith("<!DOCTYPE html>")
    guessed, _ = call(capsys, "compare", "net", *common)
    assert "training sets were not given" in json.loads(guessed)["warnings"][0]


def test_groups_give_a_verdict_without_a_network(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"id": range(60), "document": np.repeat(np.arange(12), 5)})
    frame["new"], frame["old"] = rng.integers(0, 2, size=(2, 60))
    frame.to_csv("t.csv", index=False)
    want = compare_grouped(frame.new, frame.old, frame.document, names=("new", "old"), seed=2)
    plain, _ = call(capsys, "compare", "t.csv", "--groups", "document", "--seed", 2, "--json")
    assert json.loads(plain)["tests"] == want.to_dict()["tests"]
    frame.assign(third=1).to_csv("t.csv", index=False)
    chosen, _ = call(
        capsys, "compare", "t.csv", "--groups", "document", "--a", "old", "--b", "new", "--errors"
    )
    assert "lower is better" in " ".join(chosen.split())


def test_several_columns_and_data_sets(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"id": range(60), "document": np.repeat(np.arange(12), 5)})
    for name in ("new", "old", "third"):
        frame[name] = rng.integers(0, 2, 60)
    frame["task"] = np.where(frame.id < 30, "first", "second")
    frame.to_csv("t.csv", index=False)
    groups = ("compare", "t.csv", "--groups", "document")
    names = ["new", "old", "third"]
    want = compare_grouped(frame, groups="document", models=names, seed=2, margin=0.1)
    chosen = ("--models", "new,old,third", "--seed", 2, "--margin", 0.1, "--json")
    plain, _ = call(capsys, *groups, *chosen)
    assert json.loads(plain)["pairs"] == want.to_dict()["pairs"]
    over, _ = call(capsys, *groups, "--models", "all", "--data-sets", "task", "--json")
    assert json.loads(over)["data_sets"] == ["first", "second"]
    assert json.loads(over)["models"] == names


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--data-sets", "task", "--a", "new"), "--a cannot be combined with --data-sets"),
        (("--control", "new"), "--control needs --models"),
        (("--models", "new,old", "--a", "new"), "--a cannot be combined with --models"),
        (("--models", "new,oldd"), "did you mean 'old'"),
        (("--models", "all", "--data-sets", "tusk"), "did you mean 'task'"),
        (
            (
                "--models",
                "new,old",
                "--data-sets",
                "task",
                "--control",
                "old",
                "--fail-if",
                "worse",
            ),
            "--fail-if cannot be combined with --data-sets",
        ),
    ],
)
def test_what_several_columns_cannot_have(
    folder: Path, more: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("t.csv").write_text("document,task,new,old\nx,s,1,0\ny,t,0,1\n")
    assert words in call(capsys, "compare", "t.csv", "--groups", "document", *more, code=2)[1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("net", "--network", "net"), "expected one network"),
        (
            ("net", "--predictions", "p.csv", "--labeled", "0.3"),
            "--labeled cannot be combined with --predictions",
        ),
        (
            ("net", "--predictions", "p.csv", "--design", "ncv"),
            "--design cannot be combined with --predictions",
        ),
        (("net", "--predictions", "none.csv"), "no such file"),
        (("net", "--split-file", "none.npz"), "no such file"),
        (("net", "--split-file", "s.npz", "--design", "ncv"), "--design and --split-file"),
        (("net", "--errors"), "--errors needs --groups"),
        (
            ("t.csv", "--groups", "document", "--splits", "3"),
            "--splits cannot be combined with --groups",
        ),
        (("t.csv", "--groups", "documen"), "did you mean 'document'"),
        (("t.csv", "--groups", "document"), "beside 'document' the table has a, b, c"),
        (("t.csv", "--groups", "document", "--a", "a", "--b", "d"), "'d'"),
        (("t.csv", "--groups", "document", "--a", "a", "--b", "c"), "row 2 (document y): no value"),
        (("--groups", "document"), "needs a table"),
    ],
)
def test_requests_that_do_not_fit_are_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str
) -> None:
    (folder / "t.csv").write_text("document,a,b,c\nx,1,0,1\ny,1,1,\nz,0,0,1\n")
    out, err = call(capsys, "compare", *arguments, code=2)
    assert words in err
    assert (out, err.count("\n")) == ("", 1)


def test_split_refuses_what_it_cannot_write(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments, words in (
        (("--out", "s.txt"), "says no format"),
        (("--out", "s.npz", "--format", "mask"), "did you mean 'masks'"),
        (("--out", "s.npz", "--design", "nvc"), "did you mean 'ncv'"),
        (("--out", "s.npz", "--labeled", "1"), "labeled"),
        (("--out", "no/such/s.npz"), "there is no such folder"),
    ):
        assert words in call(capsys, "split", "net", *arguments, code=2)[1]
        assert not (folder / "s.npz").exists()
