"""What can be refused without predictions is refused before any model runs."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import nettrial
from nettrial.cli import main
from nettrial.core.errors import InputError
from nettrial.io import write
from nettrial.splits import RandomResampling, Split


class Untouched:
    """Fails the test if it is ever fitted."""

    name = "untouched"

    def fit(self, network: Any, train: Any) -> Any:
        pytest.fail("a model was fitted")

    def predict_proba(self, network: Any, nodes: Any) -> Any:
        pytest.fail("a model was asked for predictions")


NETWORK, OTHER = (nettrial.latent_group_network(n, seed=n) for n in (60, 50))
# the last three nodes alone have the second class, so that few test sets hold it
LOPSIDED = nettrial.Network(*NETWORK.simple_links(), n_nodes=60, labels=["a"] * 57 + ["b"] * 3)
ONE_CLASS = nettrial.Network(*NETWORK.simple_links(), n_nodes=60, labels=["-"] * 60)
MODELS = [Untouched(), "wvrn"]


def compare(network: Any = NETWORK, **options: Any) -> Any:
    return nettrial.compare(network, *MODELS, **options)


def models(network: Any = NETWORK, **options: Any) -> Any:
    return nettrial.compare_models(network, MODELS, **options)


def sweep(network: Any = NETWORK, **options: Any) -> Any:
    return nettrial.sweep(network, MODELS, **options)


def transfer(network: Any = NETWORK, **options: Any) -> Any:
    return nettrial.compare_transfer(OTHER, network, MODELS, **options)


def across(network: Any = NETWORK, **options: Any) -> Any:
    return nettrial.compare_across({"first": OTHER, "last": network}, MODELS, **options)


def transfer_to_several(network: Any = NETWORK, **options: Any) -> Any:
    return across(network, train=nettrial.latent_group_network(40, seed=40), **options)


SEVERAL = (models, transfer)
DESIGNED = (compare, models, sweep, across)
ALL = (*DESIGNED, transfer, transfer_to_several)
TWO_GROUPS = np.arange(60) % 2
# calls, what they are given, and the facts of the error (or words in it, where it is a sentence)
CASES: list[tuple[tuple[Callable[..., Any], ...], dict[str, Any], str | dict[str, str]]] = [
    (ALL, {"measure": "accurate"}, {"parameter": "measure", "got": "'accurate'"}),
    (ALL, {"confidence": 95}, {"parameter": "confidence", "got": "95"}),
    (ALL, {"communities": "village"}, {"parameter": "communities", "got": "'village'"}),
    (ALL, {"communities": [0, 1]}, r"communities: expected .* got shape \(2,\)"),
    (
        ALL,
        {"cross_links": "some"},
        {"parameter": "cross_links", "expected": "one of keep, drop, inductive", "got": "'some'"},
    ),
    (ALL, {"seed": -1}, {"parameter": "seed", "got": "-1"}),
    (ALL, {"n_splits": 1}, {"parameter": "n_splits", "got": "1"}),
    (ALL, {"n_jobs": 0}, {"parameter": "n_jobs", "got": "0"}),
    (ALL, {"network": None}, "network.*: expected a .*Network, got (None|{)"),
    (DESIGNED, {"network": ONE_CLASS}, "all labeled nodes have the class '-'"),
    (DESIGNED, {"design": "zz"}, "design"),
    (ALL, {"positive": "zz"}, {"parameter": "positive", "got": "'zz'"}),
    (ALL, {"test": "zz"}, {"parameter": "test", "got": "'zz'"}),
    (ALL, {"test": "paired_t"}, "paired_t answers for other splits"),
    (DESIGNED, {"test": "bootstrap", "n_replicates": 5}, {"parameter": "n_replicates", "got": "5"}),
    (
        (compare, models, sweep),
        {"test": "bootstrap", "communities": [0] * 60},
        {"parameter": "communities", "expected": "at least two", "got": "1"},
    ),
    (DESIGNED, {"network": LOPSIDED, "measure": "auc", "n_splits": 60}, "AUC is not defined"),
    (ALL, {"q": "median"}, {"parameter": "q", "got": "'median'"}),
    (DESIGNED, {"test": "rsc_paired", "measure": "auc"}, "it is made for the error rate"),
    (
        SEVERAL,
        {"control": "nbc"},
        {"parameter": "control", "expected": "one of untouched, wvrn", "got": "'nbc'"},
    ),
    (SEVERAL, {"measures": ("error", "f1")}, {"parameter": "measures", "got": "'f1'"}),
    (SEVERAL, {"measures": ("error", "error")}, {"parameter": "measures", "got": "error, error"}),
    (SEVERAL, {"measures": ("log_loss",)}, {"parameter": "measures", "got": "log_loss"}),
    (SEVERAL, {"measures": ()}, {"parameter": "measures", "got": "none"}),
    (SEVERAL, {"measures": "error"}, {"parameter": "measures", "got": "'error'"}),
    (SEVERAL, {"measures": 2}, {"parameter": "measures", "got": "2"}),
    (
        SEVERAL,
        {"measures": ("error", "squared_loss"), "communities": TWO_GROUPS},
        "on 2 models needs at least 3 communities with test nodes, and there are 2",
    ),
    ((sweep,), {"labeled": [0.1, 2]}, {"parameter": "labeled", "got": "2.0"}),
    ((sweep,), {"labeled": []}, {"parameter": "labeled", "got": "none"}),
    (
        (across, transfer_to_several),
        {"rope": -1},
        {"parameter": "rope", "expected": "a half width of 0 or more", "got": "-1"},
    ),
    ((transfer_to_several,), {"design": "ncv"}, "design: cannot be used with train="),
    ((transfer_to_several,), {"n_replicates": 20}, "n_replicates: cannot be used with train="),
    ((transfer, transfer_to_several), {"test": "bootstrap"}, "learn on another network"),
    ((across,), {"known": 0.2}, "known=0.2 goes with train="),
    ((transfer, transfer_to_several), {"known": 1}, {"parameter": "known", "got": "1"}),
]


@pytest.mark.parametrize(
    ("call", "options", "words"),
    [
        pytest.param(call, options, words, id=f"{call.__name__}-{'-'.join(options)}-{place}")
        for place, (calls, options, words) in enumerate(CASES)
        for call in calls
    ],
)
def test_it_is_refused_before_any_model_runs(
    call: Callable[..., Any], options: dict[str, Any], words: str | dict[str, str]
) -> None:
    with pytest.raises(InputError) as refused:
        call(**options)
    if isinstance(words, str):
        assert re.search(words, str(refused.value))
    else:
        assert {fact: getattr(refused.value, fact) for fact in words} == words


def test_auc_in_given_splits_too(words) -> None:
    train, rest = np.arange(57), np.arange(57, 60)
    splits = [Split(train, rest, rest)] * 2
    for call in (compare, models):
        with words.raises(InputError):
            call(LOPSIDED, design=splits, measure="auc")


@pytest.mark.parametrize("count", [2, 3])
def test_as_many_communities_as_are_asked_for_are_enough(count: int) -> None:
    options: dict[str, Any] = {"n_splits": 3, "measures": ("error", "squared_loss", "log_loss")}
    names = ["wvrn", "nbc", "prior"][:count]
    needed = {2: 4, 3: 3}[count]
    with pytest.raises(InputError, match=f"needs at least {needed} communities"):
        nettrial.compare_models(
            NETWORK,
            names,
            communities=np.arange(60) % (needed - 1),
            test="cluster_robust_t",
            **options,
        )
    found = nettrial.compare_models(
        NETWORK, names, communities=np.arange(60) % needed, test="cluster_robust_t", **options
    )
    assert found.multivariate is not None


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Two networks, and a model that leaves a mark when it is fitted."""
    place = tmp_path_factory.mktemp("refused")
    write(NETWORK, place / "NET")
    write(OTHER, place / "OTHER")
    (place / "marking_model.py").write_text(
        "class Marking:\n"
        "    def fit(self, network, train):\n"
        f"        open({str(place / 'fitted')!r}, 'w').close()\n"
        "        raise RuntimeError\n\n"
        "    def predict_proba(self, network, nodes):\n"
        "        raise RuntimeError\n"
    )
    yield place
    # the tests of a file may be run with others between, and then this is made twice
    sys.modules.pop("marking_model", None)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("compare", "NET", "--a", "MODEL"),
            "--measure: unknown 'accurate'",
        ),
        (
            ("compare", "NET", "--models", "MODEL,wvrn"),
            "--measure: unknown 'accurate'",
        ),
        (
            ("sweep", "NET", "--models", "MODEL,wvrn"),
            "--measure: unknown 'accurate'",
        ),
        (
            ("across", "NET", "OTHER", "--models", "MODEL,wvrn"),
            "--measure: unknown 'accurate'",
        ),
        (
            ("transfer", "OTHER", "NET", "--models", "MODEL,wvrn"),
            "--measure: unknown 'accurate'",
        ),
        (
            ("compare", "NET", "--models", "MODEL,wvrn", "--measures", "error,accuracy"),
            "--measures: expected one of",
        ),
        (
            ("compare", "NET", "--models", "MODEL,wvrn", "--communities", "village"),
            "--communities: expected one of",
        ),
    ],
)
def test_so_it_is_on_the_command_line(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str
) -> None:
    stands_for = {name: str(folder / name) for name in ("NET", "OTHER")}
    model = f"{folder / 'marking_model.py'}:Marking"
    given = [stands_for.get(word, word).replace("MODEL", model) for word in arguments]
    if words.startswith("--measure:"):
        given += ["--measure", "accurate"]
    with pytest.raises(SystemExit) as ended:
        main(given)
    assert ended.value.code == 2
    assert words in capsys.readouterr().err
    assert not (folder / "fitted").exists()


SHARED = {
    "two files": (["--report", "x.html", "--markdown", "./x.html"], "--report and --markdown"),
    "a file of the paper": (["--paper", "b", "--latex", "b/verdict.tex"], "--paper and --latex"),
    "its figure": (["--figure", "figure.pdf", "--paper", "."], "--paper and --figure"),
    "the paper and a file": (["--paper", "b.tex", "--latex", "b.tex"], "--paper and --latex"),
}


@pytest.mark.parametrize("command", ["compare", "check", "plan", "audit"])
@pytest.mark.parametrize("kind", SHARED)
def test_outputs_that_no_two_files_could_be_are_refused_before_the_run(
    command, kind, tmp_path, monkeypatch, capsys
):
    given, which = SHARED[kind]
    monkeypatch.chdir(tmp_path)
    for asked, said in (
        (given, f"{which}: expected different files, got"),
        (["--report", "-"], "--report: expected a file, got '-'"),
    ):
        with pytest.raises(SystemExit):
            main([command, "--example", *asked])
        assert said in capsys.readouterr().err
        assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "given",
    [
        ["check", "--example", "--junit", "a.xml", "--sarif", "a.xml"],
        ["check", "--example", "--junit", "b/table.tex", "--paper", "b"],
        ["compare", "--example", "--store", "s.html", "--report", "s.html"],
        ["test", "friedman", "t.csv", "--qq", "a.png", "--figure", "./a.png"],
    ],
)
def test_files_that_some_commands_write_are_no_other_files(given, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        main(given)
    assert "expected different files" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


class Says(Untouched):
    """A model that says the same of every node, in some form."""

    name = "says"

    def __init__(self, form: Any) -> None:
        self.form = form

    def fit(self, network: Any, train: Any) -> Any:
        return self

    def predict_proba(self, network: Any, nodes: Any) -> Any:
        sure = np.zeros((len(nodes), network.n_classes))
        sure[:, 0] = 1
        return self.form(sure, network)


@pytest.mark.parametrize(
    ("form", "said"),
    [
        (lambda sure, _: sure + 0.1j, "complex128"),
        (lambda sure, _: sure.astype(str), "they are text"),
        (lambda sure, _: sure.astype(str).astype(object), "some are text"),
        (lambda sure, _: [list(row)[: 1 + k % 2] for k, row in enumerate(sure)], "inhomogeneous"),
        (lambda sure, _: np.ma.masked_array(sure, mask=sure > 0), "masked"),
        (lambda sure, net: pd.DataFrame(sure, columns=[f"x{c}" for c in net.classes]), "called as"),
    ],
)
def test_what_is_no_table_of_class_probabilities_is_refused(form, said):
    with pytest.raises(nettrial.core.errors.NettrialError, match=f"model 'says'.*{said}"):
        nettrial.compare(NETWORK, Says(form), "wvrn", n_splits=2)


def test_columns_of_a_model_are_paired_with_classes_by_name():
    def turned(sure: Any, network: Any) -> Any:
        return pd.DataFrame(sure, columns=network.classes)[list(network.classes)[::-1]]

    splits = RandomResampling(n_splits=2).split_network(NETWORK)
    expected, found = (
        nettrial.run(NETWORK, {"m": Says(form)}, splits) for form in (lambda sure, _: sure, turned)
    )
    np.testing.assert_array_equal(found.probabilities["m"], expected.probabilities["m"])
