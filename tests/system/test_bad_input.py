"""What cannot be used is refused in one line with exit code 2; what can be is reported truly."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import nettrial
from nettrial.cli import main
from nettrial.core.errors import InputError, unknown_choice
from nettrial.models.names import by_name
from nettrial.network.network import Network
from nettrial.splits import EqualResampling, RandomResampling

N = 24


@pytest.fixture
def ring(tmp_path: Path) -> Path:
    write_ring(tmp_path, "")
    return tmp_path


def write_ring(folder: Path, weight: str) -> None:
    """A ring of nodes of two classes in turn, every link of the same weight, if any."""
    head, end = (",weight", f",{weight}") if weight else ("", "")
    links = [f"n{i},n{(i + 1) % N}{end}" for i in range(N)]
    (folder / "edges.csv").write_text("\n".join([f"source,target{head}", *links]) + "\n")
    nodes = [f"n{i},c{i % 2}" for i in range(N)]
    (folder / "nodes.csv").write_text("\n".join(["node,label", *nodes]) + "\n")


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    with pytest.raises(SystemExit) as end:
        main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    assert (end.value.code, out) == (2, "")
    assert err.startswith("nettrial: ")
    assert err.count("\n") == 1
    return err


def shown(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    with pytest.raises(SystemExit) as end:
        main([str(argument) for argument in arguments])
    assert end.value.code == 0
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("options", "note"),
    [
        (["--a", ""], "model: expected"),
        (["--b", ""], "model: expected"),
        (["--design", ""], "design: expected one of"),
        (["--splits", 10**30], "too many to keep"),
        (["--splits", 10**8, "--design", "ers"], "use at most 41,666,666"),
        (["--positive", "c2"], "positive"),
        (["--a", "os:nothing"], "gives all"),
    ],
)
def test_options_that_cannot_be_used(
    options: list[object], note: str, ring: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    err = refused(capsys, "compare", ring, *options)
    assert note in err
    assert len(err) < 600


@pytest.mark.parametrize("weight", ["1e300", "1e31", "1e-31", "1e-310"])
def test_weights_that_cannot_be_added_up(
    weight: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_ring(tmp_path, weight)
    assert "expected a weight of 0, or from 1e-30 to 1e+30" in refused(capsys, "compare", tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("model", ["wvrn", "nbc", "nlb", "cdrn", "wvrn+ica", "nbc-netkit"])
@pytest.mark.parametrize("largest", [1e30, 6e-30])
def test_models_give_probabilities_for_weights_of_any_allowed_size(
    model: str, largest: float
) -> None:
    found = predicted(model, largest)
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-5)
    if model.startswith("wvrn"):
        np.testing.assert_allclose(found, predicted(model, 3.0), atol=2e-5)


def predicted(model: str, largest: float) -> np.ndarray:
    weight = np.minimum(largest / 3 * (1 + np.arange(N) % 3), largest)
    labels = ["a", "a", "b"] * (N // 3)
    source, target = np.arange(N), (np.arange(N) + 1) % N
    network = Network(source, target, weight=weight, n_nodes=N, labels=labels)
    splits = RandomResampling(n_splits=2).split_network(network)
    found = nettrial.run(network, {model: by_name(model)}, splits)
    return np.concatenate(found.probabilities[model])


def test_a_report_never_replaces_the_network(
    ring: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (ring / "edges.csv").read_text()
    assert "name another" in refused(capsys, "compare", ring, "--report", ring / "edges.csv")
    assert (ring / "edges.csv").read_text() == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_that_cannot_be_written(ring: Path) -> None:
    with open("/dev/full", "w") as full:
        code = "from nettrial.cli import main; main()"
        done = subprocess.run(
            [sys.executable, "-c", code, "info", str(ring)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == "nettrial: the output cannot be written (No space left on device)\n"


@pytest.mark.parametrize("design", [RandomResampling, EqualResampling])
def test_too_many_splits_are_refused_before_memory_is_taken(
    design: type[RandomResampling | EqualResampling],
) -> None:
    labels = ["a", "b"] * 50
    network = Network([0], [1], n_nodes=100, labels=labels)
    splitter = design(n_splits=10**12)
    with pytest.raises(InputError, match="use at most 10,000,000"):
        splitter.split_network(network)


def test_long_lists_of_names_are_cut() -> None:
    note = str(unknown_choice("class", "zz", range(1000)))
    assert note.endswith("4, 5, ... (the name 'list' gives all 1,000), got 'zz'")
    assert "did you mean 'c777'" in str(unknown_choice("x", "c7777", [f"c{i}" for i in range(999)]))


@pytest.mark.parametrize(("confidence", "words"), [("0.999", "99.9%"), ("0.975", "97.5%")])
def test_levels_are_not_rounded(
    confidence: str, words: str, ring: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    note = shown(capsys, "compare", ring, "--confidence", confidence)
    assert note.count(f"{words} interval") == note.count(f"{words} confidence interval") == 1


def test_no_interval_is_said_in_words(ring: Path) -> None:
    note = " ".join(str(nettrial.compare(nettrial.read(ring), "wvrn", "wvrn")).split())
    assert "no interval (the two never differ)" in note
    assert "- to -" not in note
    assert "degenerate: no community sum differs" in note


@pytest.mark.slow
def test_the_design_is_named_in_one_way(ring: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = []
    for given in ("NCV", "ncv"):
        with pytest.raises(SystemExit):
            main(["compare", str(ring), "--design", given, "--json"])
        names.append(json.loads(capsys.readouterr().out)["design"])
    assert names == ["ncv", "ncv"]


def test_the_class_taken_against_the_others_is_a_setting() -> None:
    network = nettrial.latent_group_network(60, seed=1)
    positive = network.classes[0]
    found = nettrial.compare(network, "wvrn", "nbc", positive=positive, n_splits=2)
    assert found.settings["positive"] == str(positive)


@pytest.mark.slow
@pytest.mark.parametrize("design", ["rrs", "ers", "ncv"])
def test_every_test_is_about_the_difference_that_the_verdict_states(design: str) -> None:
    # 97 nodes do not divide into 10 folds of one size
    network = nettrial.latent_group_network(97, seed=3)
    found = nettrial.compare(network, "wvrn", "nbc", design=design)
    for test in found.tests:
        assert test.estimate == pytest.approx(
            found.estimates["p"][found.a] - found.estimates["p"][found.b], abs=1e-12
        )


def test_what_a_test_notes_is_told_everywhere() -> None:
    network = nettrial.latent_group_network(80, seed=2)
    groups = np.arange(80) % 3
    found = nettrial.compare(network, "wvrn", "nbc", communities=groups, n_splits=4)
    note = [str(warning) for warning in found.warnings]
    assert any("only 3 communities: " in text for text in note)
    assert "only 3 communities" in str(found)
    assert "only 3 communities" in " ".join(found.to_dict()["warnings"])
    assert all("notes" not in test.details for test in found.tests)


@pytest.mark.parametrize(
    "given",
    [
        {0: 1},
        {0, 1},
        None,
        3,
        [[1], [2, 3], [1], [2]],
        np.ma.array([0, 0, 1, 1], mask=[0, 1, 0, 1]),
    ],
)  # fmt: skip
def test_communities_are_one_plain_value_a_node(given) -> None:
    from nettrial.network.communities import communities

    net = nettrial.Network([0], [1], n_nodes=4)
    with pytest.raises(InputError, match=r"communities: expected a list or array"):
        communities(net, given)
    # missing values stay missing beside strings, and 1 is not "1"
    nan = float("nan")
    assert communities(net, ["x", nan, "x", nan]).tolist() == [0, 1, 0, 2]
    assert communities(net, [1, "1", 1, "1"]).tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize("weight", [1e200, 1e308, 1e-200])
def test_weights_of_clusters_whose_squares_are_lost(weight) -> None:
    for test in (nettrial.stats.cluster_mean_test, nettrial.stats.sign_flip_test):
        rest = () if test is nettrial.stats.cluster_mean_test else (0.0,)
        with pytest.raises(InputError, match=r"^weights: .* whose square cannot be represented"):
            test([1.0, 0, 1, 0, 1, 1], *rest, list("aabbcc"), weights=[weight] * 6)


def test_settings_that_are_no_numbers(words) -> None:
    for iterations in ("1", 2.5, True, 0):
        with words.raises(InputError):
            nettrial.models.RelaxationLabeling(iterations=iterations).weights()
    net = nettrial.latent_group_network(60, seed=1)
    for differences in (0.05, None):
        with words.raises(InputError):
            nettrial.audit(net, "wvrn", "nbc", differences=differences)
    for n_jobs in ("2", 1.5, True, 0):
        with words.raises(InputError):
            nettrial.audit(net, "wvrn", "nbc", n_jobs=n_jobs)
        with words.raises(InputError):
            nettrial.compare(net, "wvrn", "nbc", n_jobs=n_jobs)
