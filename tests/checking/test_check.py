"""What is planted is found, by its code; clean networks have no problem."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nettrial
from nettrial.checking.check import Check
from nettrial.checking.inputs import gathered
from nettrial.checking.kinds import KINDS
from nettrial.checking.nodes import twins
from nettrial.cli import main
from nettrial.cli.check_command import command
from nettrial.core.errors import InputError
from nettrial.report.gate import gate
from nettrial.splits.base import Split
from unfair_cases import (
    CLOSE,
    COUNTS,
    DATA,
    KNOWN,
    PLANTED,
    PLANTED_IN_REAL,
    QUICK,
    TWINS,
    Case,
    board,
    codes,
    columns,
    found,
    masks,
    net,
    on_splits,
    one_hot,
    predictions,
    read,
    rebuilt,
    rng,
    rows_of,
    splits,
    with_splits,
    with_twins,
    wrong,
)

REAL = pytest.mark.skipif(not DATA.is_dir(), reason="the real networks are not here")
SMALLEST = 20  # labeled nodes of each class of a clean network


def test_every_kind_is_planted_and_most_twice() -> None:
    assert {case.code for case in PLANTED} == set(KINDS)
    assert (len(PLANTED), len(KNOWN)) >= (30, 10)


def test_codes_are_stable() -> None:
    """A code in use keeps its meaning: new kinds get new codes, and none is used again."""
    last = {1: 9, 2: 7, 3: 7, 4: 8, 5: 7}
    assert list(KINDS) == [f"NT{k}{n:02}" for k, of in last.items() for n in range(1, of + 1)]
    docs = Path(__file__).parents[2] / "docs"
    page = (docs / "user" / "check.md").read_text(encoding="utf-8")
    for part in page.split("\n### NT")[1:]:
        assert "- Example: " in part
        run = re.search(
            rf"^- Run: `nettrial check (.* --select NT{part[:3]})`$", part, re.MULTILINE
        )
        assert run, part
        command.make_context("check", run[1].split())  # refuses options that there are not
    assert re.findall(r"^### (NT\d+) ", page, re.MULTILINE) == list(KINDS)
    literature = (docs / "lab" / "check.md").read_text(encoding="utf-8")
    sources = r"^\| \[(NT\d+)\]\(\S+\) \| .*\(\d{4}[,)]"
    assert re.findall(sources, literature, re.MULTILINE) == list(KINDS)


def check_of(case: Case) -> Check:
    check = found(case.make())
    assert case.code in codes(check), check
    (each,) = (each for each in check.checked if each.code == case.code)
    assert each.problem is not None
    assert each.problem.serious is case.serious
    assert 0 < each.problem.size <= each.problem.of
    return check


@pytest.mark.slow
@pytest.mark.parametrize("case", PLANTED, ids=lambda case: f"{case.code} {case.name}")
def test_what_is_planted_is_found(case: Case) -> None:
    check_of(case)


@REAL
@pytest.mark.parametrize(
    "case", KNOWN + PLANTED_IN_REAL, ids=lambda case: f"{case.code} {case.name}"
)
def test_what_is_known_is_found(case: Case) -> None:
    check_of(case)


def real_networks() -> list[str]:
    if not DATA.is_dir():
        return []
    return [f"{kind}/{p.name}" for kind in ("neutral", "featured")
            for p in sorted((DATA / kind).iterdir()) if p.is_dir()]  # fmt: skip


@REAL
@pytest.mark.slow
def test_clean_real_networks_have_no_problem() -> None:
    """Every network of which each class has 20 labeled nodes: a random split is fair there."""
    alarms, seen = {}, 0
    for name in real_networks():
        network = read(name)
        labeled = network.labels[network.labeled]
        if network.n_classes < 2 or np.bincount(labeled).min() < SMALLEST:
            continue
        seen += 1
        if problems := nettrial.check(network, splits=splits(network)).problems:
            alarms[name] = [each.code for each in problems]
    assert seen >= 30
    assert len(alarms) <= 1, alarms


@REAL
@pytest.mark.parametrize(
    "name", ["karate", "polbooks", "cora_planetoid", "chameleon_filtered", "airports_europe"]
)
def test_some_real_networks_have_no_problem(name: str) -> None:
    network = read(f"neutral/{name}")
    assert nettrial.check(network, splits=splits(network)).problems == ()


@pytest.mark.parametrize("seed", range(3))
def test_clean_comparisons_have_no_problem(seed: int) -> None:
    network = net(np.random.default_rng(seed).normal(size=(200, 40)), seed=seed)
    compared = nettrial.compare(network, "wvrn", "nbc", n_seeds=1, **QUICK)
    check = nettrial.check(compared)
    assert codes(check) <= {"NT103"}
    assert check.verdict.startswith("Nothing unfair found in ")


@pytest.mark.slow
@pytest.mark.parametrize("case", PLANTED, ids=lambda case: f"{case.code} {case.name}")
def test_what_is_planted_raises_no_alarm_elsewhere(case: Case) -> None:
    # what is planted brings some others with it
    with_it = {
        "NT101": {"NT106", "NT107"}, "NT105": {"NT104"}, "NT109": {"NT104"},
        "NT404": {"NT401"}, "NT203": {"NT106"}, "NT304": {"NT301"}, "NT302": {"NT501"},
        "NT107": {"NT106"}, "NT503": {"NT501"}, "NT505": {"NT501"}, "NT407": {"NT506"},
        "NT306": {"NT506"}, "NT402": {"NT405"}, "NT401": {"NT402"}, "NT403": {"NT402"},
        "NT506": {"NT501", "NT402"}, "NT307": {"NT501", "NT506"},
    }  # fmt: skip
    problems = {each.code for each in found(case.make()).problems} - {case.code}
    assert problems <= with_it.get(case.code, set())


def test_the_sizes_are_those_of_what_was_planted() -> None:
    made = with_twins()
    check = nettrial.check(made, splits=splits(made))
    (twins,) = (each.problem for each in check.problems if each.code == "NT101")
    assert twins is not None
    # a twin is tested in 0.7 of the splits, with its copy in training in 0.3 of these
    assert twins.size == pytest.approx(2 * TWINS * 0.7 * 0.3, rel=0.4)
    assert "100% of them one of their class" in twins.text
    without = nettrial.check(made, select=["NT101"])
    assert without.notes[0].problem.size == 2 * TWINS  # type: ignore[union-attr]
    assert codes(nettrial.check(net(one_hot(net())))) == {"NT201"}


def test_points_of_the_measure_are_named_where_there_are_predictions() -> None:
    network = with_twins()
    compared = nettrial.compare(network, "wvrn", "nbc", design=splits(network), test="network_hac")
    check = nettrial.check(compared, select=["NT101"])
    errors = compared.predictions.errors("wvrn")
    assert f"not {errors[errors >= 0].mean():.1%}" in check.problems[0].effect or (
        "error rate of nbc" in check.problems[0].effect
    )
    assert check.to_dict()["problems"][0]["effect"] == check.problems[0].effect


def test_of_node_columns_only_the_recoded_one_is_named() -> None:
    (note,) = nettrial.check(rebuilt(net(), attributes=columns())).notes
    assert note.problem is not None
    assert note.problem.text == "each value of team goes with one class"


def test_a_model_below_the_baseline_is_a_note_while_another_is_above() -> None:
    check = nettrial.check(predictions(wvrn=wrong(1))["given"], select=["NT402"])
    assert (check.problems, len(check.notes)) == ((), 1)


def test_features_of_training_labels_alone_are_fair() -> None:
    network = net()
    split = splits(network)[0]
    hidden = np.where(np.isin(np.arange(200), split.train), network.labels, -1)
    counts = (network.adjacency() != 0).astype(float) @ (hidden == 1).astype(float)
    made = net(np.column_stack([rng().normal(size=200), counts]))
    assert nettrial.check(made, splits=[split], select=["NT205"]).problems == ()


def test_codes_are_selected_and_ignored(words) -> None:
    given = with_splits(net())
    assert [each.code for each in found(given | {"select": ["NT10"]}).checked] == [
        "NT102", "NT103", "NT104", "NT105", "NT106", "NT109",
    ]  # fmt: skip
    assert codes(found(given | {"ignore": ["NT103"]})) == set()
    with words.raises(nettrial.InputError):
        found(given | {"select": ["NT999"]})
    with words.raises(nettrial.InputError):
        nettrial.check(net(), select=["NT401"])
    with words.raises(nettrial.InputError):
        nettrial.check(board(CLOSE)["given"], splits=[])


def test_links_and_labels_are_checked_as_far_as_they_go() -> None:
    links = nettrial.compare(net(), "adamic_adar", "jaccard", n_splits=3, seed=1)
    assert {each.code for each in nettrial.check(links).checked} >= {"NT106", "NT202", "NT203"}
    assert nettrial.check(links).problems == ()


def test_of_numbers_the_splits_are_checked() -> None:
    made = net()
    network = nettrial.Network(*made.simple_links(), n_nodes=200, targets=np.arange(200.0))
    compared = nettrial.compare(network, "mean", "relational_mean", **QUICK)
    checked = [each.code for each in nettrial.check(compared).checked]
    assert checked == ["NT102", "NT103", "NT304", "NT504", "NT507"]


def test_a_gate_can_check() -> None:
    same = nettrial.compare(net(), "wvrn", "wvrn", **QUICK)
    reached = gate(same, ["worse-by=0.1", "check"])
    assert not reached.passed
    assert reached.sentence.startswith("failed: 1 problem found in ")
    assert "NT403 identical" in reached.sentence
    assert gate(nettrial.compare(net(), "wvrn", "nbc", **QUICK), ["check"]).passed
    answers = nettrial.compare_grouped([1, 0, 1, 1], [1, 1, 0, 1], list("ppqq"))
    reached = gate(answers, ["check"])
    assert reached.passed
    assert nettrial.check(answers).notes == ()


def test_a_node_is_no_twin_of_itself() -> None:
    """A test node that is in the training set too has a twin only where another one is there."""
    network, n = with_twins(), 200 + TWINS
    pairs = {(k, 200 + k) for k in range(TWINS)}
    assert {tuple(np.flatnonzero(twins(network) == k)) for k in range(TWINS)} == pairs
    texts = [f"{k % 200} words of a long title" for k in range(n)]
    network = rebuilt(network, attributes={"title": texts}, features=network.features)
    for train, test, size in (
        (np.arange(30), np.arange(60), 0),
        (np.arange(n), np.arange(60), TWINS),
        (np.append(np.arange(30), 200), np.arange(60), 1),
        (np.array([0, 0, 1]), np.arange(60), 0),
    ):
        split = Split(train, np.setdiff1d(np.arange(n), train), test)
        check = nettrial.check(network, splits=[split], select=["NT101", "NT108"])
        for each in check.checked:
            assert (each.problem.size if each.problem else 0) == size, each.code


def test_twins_without_splits_are_a_note_and_of_no_set() -> None:
    check = nettrial.check(with_twins())
    assert check.problems == ()
    titles = {each.code: each.title for each in check.checked}
    assert (titles["NT101"], titles["NT107"]) == ("twins", "near copies")
    assert "NT101" in {each.code for each in check.notes}
    split = nettrial.check(**with_splits(with_twins()))
    assert "NT101 twins in training and test set" in split.verdict


@pytest.mark.parametrize("features", ["all", "subject_code,w", "town,w"])
def test_columns_that_are_the_class_are_found_among_features(
    features: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Other commands leave such columns out, or refuse them."""
    network = net()
    lines = zip(*network.simple_links())
    (tmp_path / "edges.csv").write_text(
        "source,target\n" + "".join(f"{one},{two}\n" for one, two in lines)
    )
    (tmp_path / "nodes.csv").write_text(
        "node,label,subject_code,town,w\n"
        + "".join(
            f"{k},{c},{3 - 2 * c},{'uvw'[c]}b,{rng(k).normal()}\n"
            for k, c in enumerate(network.labels)
        )
    )
    assert ended(capsys, tmp_path, "--features", "w", "--select", "NT201")[0] == 0
    code, out, _ = ended(capsys, tmp_path, "--features", features, "--select", "nt201")
    assert (code, "NT201 a feature is the class" in out) == (3, True)
    assert "town=" in out if features.startswith("town") else "subject_code " in out


def test_all_codes_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ended(capsys, "--select", "list")
    assert code == 0
    assert [line[:5] for line in out.splitlines()] == list(KINDS)


def test_a_table_is_judged_with_the_share_of_the_splits_beside_it() -> None:
    given = {"table": CLOSE, "n_splits": 10}
    own = nettrial.check(**with_splits(net()), **given)
    (found,) = (each for each in own.problems if each.code == "NT501")
    assert "that is the test share of 4 splits beside the table" in found.sentences
    named = nettrial.check(**with_splits(net()), **given, test_share=0.7)
    assert "beside the table" not in str(named.problems)
    alone = nettrial.check(**given)
    assert "best entries are not judged: that needs test_share=" in str(alone)


@pytest.mark.slow
def test_the_class_is_no_column_of_times(tmp_path: Path, words) -> None:
    network = nettrial.read(a_paper(tmp_path))
    with words.raises(InputError):
        nettrial.check(network, splits=splits(network), times="label")


@pytest.mark.parametrize(
    "arguments", [["check", ""], ["compare", "", "--groups", "page"], ["test", "mcnemar", ""]]
)
def test_an_empty_argument_is_not_the_current_folder(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    assert "got '', which is empty" in capsys.readouterr().err


def ended(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[object, str, str]:
    with pytest.raises(SystemExit) as end:
        main(["check", *map(str, arguments)])
    return end.value.code, *capsys.readouterr()


def a_paper(folder: Path) -> Path:
    """A folder of code: links, nodes, masks that overlap, predictions, results and runs."""
    network = net()
    ends = zip(*network.simple_links())
    lines = "".join(f"{one},{two}\n" for one, two in ends)
    (folder / "edges.csv").write_text("source,target\n" + lines, encoding="utf-8")
    nodes = "".join(f"{k},{network.classes[c]}\n" for k, c in enumerate(network.labels))
    (folder / "nodes.csv").write_text("node,label\n" + nodes, encoding="utf-8")
    np.savez(folder / "masks.npz", **masks(valid=0.3, leak=5))
    table = rows_of(lacking=7)["predictions"]
    rows = "\n".join(",".join(map(str, row)) for row in zip(*table.values()))
    (folder / "predictions.csv").write_text(f"{','.join(table)}\n{rows}\n", encoding="utf-8")
    text = "dataset,gcn,gat\ncora,81.5 ± 0.9,82.0 ± 0.7\n"
    (folder / "results.csv").write_text(text, encoding="utf-8")
    (folder / "train.py").write_text("import torch\n", encoding="utf-8")
    (folder / "README.md").write_text("# Our model\n\nRun train.py.\n", encoding="utf-8")
    return folder


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::nettrial.NettrialWarning")
def test_a_folder_of_code_is_checked_by_one_command(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, out, _ = ended(capsys, a_paper(tmp_path), "--splits", 10, "--json")
    made = json.loads(out)
    assert code == 3
    assert [each["code"] for each in made["problems"]] == ["NT102", "NT305", "NT501"]
    assert [each["code"] for each in made["notes"]] == ["NT103", "NT304"]
    assert made["models"] == ["wvrn", "nbc", "gcn", "gat"]
    assert nettrial.check(tmp_path, n_splits=10).to_dict()["problems"] == made["problems"]
    (tmp_path / "masks_old.npz").write_bytes((tmp_path / "masks.npz").read_bytes())
    code, out, err = ended(capsys, tmp_path)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "masks.npz and masks_old.npz may both be splits; name one by" in err


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, err = ended(capsys, "--example")
    assert (code, out[:22]) == (0, "Nothing unfair found i")
    assert err == "nettrial: passed: Nothing unfair found in 4 checks.\n"
    network = nettrial.latent_group_network(300, seed=0)  # the example
    nettrial.write_splits(network, splits(network), tmp_path / "splits.npz")
    with_file = ("--example", "--split-file", tmp_path / "splits.npz")
    assert ended(capsys, *with_file, "--labeled", 0.3)[0] == 0
    code, out, _ = ended(capsys, *with_file, "--labeled", 0.6)
    assert code == 3
    assert "Training sets hold 30% of the labeled nodes, not 60%" in " ".join(out.split())
    table = tmp_path / "table.csv"
    table.write_text("dataset,gcn,gat\ncora,81.5 ± 0.9,82.0 ± 0.7\n", encoding="utf-8")
    both = ("--table", table, "--test-share", 0.3, "--splits", 10)
    code, out, _ = ended(capsys, *both, "--json")
    assert code == 3
    assert [each["code"] for each in json.loads(out)["problems"]] == ["NT501"]
    assert ended(capsys, *both, "--ignore", "NT501")[0] == 0
    assert (
        "best entries are not judged: that needs --test-share" in ended(capsys, "--table", table)[1]
    )
    for arguments, says in (
        ((), "no"),
        (("--example", "--test-share", 0.3), "--test-share needs --table"),
        (("--table", table, "--labeled", 0.3, "--test-share", 0.3), "--labeled needs a network"),
        (("--table", table, "--select", "NT501"), "without a table of results with its test sha"),
        ((*both[:-1], 0), "--splits: expected a whole number of at least 1, got 0"),
        (("--example", "--select", "NT9"), "--select: "),
        (("--example", "--times", "year"), "--times: "),
        (("--example", "--runs", tmp_path / "none"), "none"),
        (("--example", "--sarif", tmp_path / "no" / "a.sarif"), "there is no such folder"),
    ):
        code, out, err = ended(capsys, *arguments)
        assert (code, out, err.count("\n")) == (2, "", 1), err
        assert says in err


def test_a_result_and_a_study_are_checked_by_their_files(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    options: dict[str, Any] = QUICK | {"store": tmp_path / "a.nettrial"}
    compared = nettrial.compare(net(), "wvrn", "wvrn", **options)
    (tmp_path / "a.json").write_text(compared.to_json(), encoding="utf-8")
    assert ended(capsys, tmp_path / "a.nettrial")[0] == 3
    code, out, _ = ended(capsys, tmp_path / "a.json", "--json")
    assert (code, json.loads(out)["checked"]) == (0, ["NT504", "NT507"])


def test_probabilities_of_a_file_that_do_not_sum_to_one_are_found(tmp_path: Path, words) -> None:
    network = nettrial.latent_group_network(120, seed=1)
    rows = ["split,node,model,p_-,p_+"]
    rows += [f"0,{node},{model},0.4,{other}" for model, other in (("a", 0.6), ("b", 0.5))
             for node in range(60)]  # fmt: skip
    (tmp_path / "predictions.csv").write_text("\n".join(rows))
    found = nettrial.check(network, predictions=tmp_path / "predictions.csv", select=["NT404"])
    assert [each.code for each in found.problems] == ["NT404"]
    with words.raises(InputError):
        nettrial.compare_predictions(tmp_path / "predictions.csv", network)


@pytest.mark.parametrize(
    "claim",
    [{"design": "stratifed"}, {"labeled": np.nan},
     {"labeled": 5.0}],
)  # fmt: skip
def test_a_claim_that_is_none_is_refused(claim: dict[str, Any], words) -> None:
    with words.raises(InputError):
        nettrial.check(nettrial.latent_group_network(60, seed=1), **claim)


def test_a_result_without_a_verdict_is_not_checked(tmp_path: Path, words) -> None:
    found = nettrial.check(nettrial.latent_group_network(60, seed=1))
    (tmp_path / "c.json").write_text(found.to_json())
    with words.raises(InputError):
        nettrial.check(tmp_path / "c.json")


@pytest.mark.parametrize(
    ("scale", "found"),
    [
        ((np.log, np.log), (0, 1, "Logarithms of probabilities, of which `compare`")),
        (
            (lambda p: 3 * np.log(p), lambda p: p),
            (0, 1, "Logits, of which `compare` takes the soft"),
        ),
        ((lambda p: p, lambda p: 2 * p), (1, 0, "do not sum to one: b")),
        ((lambda p: 3 * np.log(p), lambda p: p - 0.5), (0, 1, "each row: a and b")),
        ((lambda p: p, lambda p: p), (0, 0, "")),
    ],
)
def test_logits_are_read_as_such_and_said(scale: Any, found: tuple[int, int, str]) -> None:
    network, draw = nettrial.latent_group_network(120, seed=1), rng()
    first = 0.05 + 0.9 * draw.random((1, 120))
    tested = np.where(np.arange(120) < 60, 1.0, np.nan)[:, None] * np.stack([first, 1 - first], -1)
    given = {name: change(tested) for name, change in zip("ab", scale)}
    check = nettrial.check(network, predictions=given, select=["NT404"])
    problems, notes, said = found
    assert (len(check.problems), len(check.notes)) == (problems, notes)
    assert said in "".join(each.sentences for each in (*check.problems, *check.notes))


def test_logits_of_one_model_are_compared_with_probabilities_of_another() -> None:
    network, draw = nettrial.latent_group_network(120, seed=1), rng()
    first = 0.05 + 0.9 * draw.random((2, 120))
    tested = np.where(np.arange(120) < 60, 1.0, np.nan)[:, None] * np.stack([first, 1 - first], -1)
    both, notes = nettrial.read_predictions({"a": np.log(tested) + 1, "b": tested}, network)
    np.testing.assert_allclose(both.probabilities["a"], both.probabilities["b"], atol=1e-6)
    assert "logits of a were turned into probabilities: the softmax of each row" in notes


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", ["n_splits", "splits", "num_seeds", "# runs", "seeds"])
def test_a_table_of_means_is_no_table_of_runs(name: str) -> None:
    """How many splits or seeds are behind a mean is no number of a split."""
    table = {"dataset": ["cora"] * 2, "model": ["gcn", "gat"], "mean": [0.7, 0.9],
             "sd": [0.01, 0.01], name: [10, 3], "layers": [2, 3]}  # fmt: skip
    check = nettrial.check(table=table, test_share=0.1)
    assert "NT306" not in codes(check)
    of_runs = {"model": ["gcn"] * 2 + ["gat"], "splits": [0, 1, 0], "acc": [0.7, 0.8, 0.9]}
    assert "NT306" in codes(nettrial.check(table=of_runs))


def test_a_number_of_splits_does_not_hide_that_of_a_table() -> None:
    check = nettrial.check(table=dict(COUNTS), test_share=0.1, n_splits=10)
    assert "NT302" in codes(check)
    assert "NT302" in codes(nettrial.check(table=dict(COUNTS)))  # which needs no share


@pytest.mark.filterwarnings("error")
def test_a_folder_with_a_table_alone_is_no_network(tmp_path: Path) -> None:
    lines = [",".join(COUNTS), *(",".join(map(str, row)) for row in zip(*COUNTS.values()))]
    (tmp_path / "results.csv").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "README.md").write_text("# Our model\n", encoding="utf-8")
    check = nettrial.check(tmp_path, test_share=0.1)
    assert (check.network, check.models) == (None, ("gcn", "gat"))
    assert "NT302" in codes(check)
    assert "results were checked alone, without a network" in str(check.warnings[0])
    with pytest.raises(InputError, match="holds tables of results and no network"):
        nettrial.check(tmp_path, splits=tmp_path / "masks.npz")
    np.savez(tmp_path / "masks.npz", **masks())  # which would pass unseen
    with pytest.raises(InputError, match=r"masks\.npz cannot be checked without a network"):
        nettrial.check(tmp_path, test_share=0.1)
    (tmp_path / "results.csv").unlink()
    (tmp_path / "friends_table.csv").write_text("ann,bob\nbob,eve\neve,bob\n", encoding="utf-8")
    (tmp_path / "masks.npz").unlink()
    assert gathered(tmp_path, splits=None, predictions=None, table=None, runs=None,
                    test_share=None, n_splits=None).network is not None  # fmt: skip


def test_no_message_names_a_class_of_python(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    given: list[dict[str, Any]] = [
        {"given": tmp_path / "none"}, {"given": tmp_path}, {"table": tmp_path / "none.csv"},
        {"runs": tmp_path / "runs"}, {"select": ["NT4"]}, {"given": net(), "splits": 3},
        {"given": net(), "predictions": 3}, {"given": net(), "predictions": None, "runs": tmp_path},
        {"given": net(), "splits": tmp_path / "none.npz"}, {"given": net(), "times": "year"},
        {"given": on_splits(), "splits": []}, {"given": net(), "labeled": tmp_path},
    ]  # fmt: skip
    for each in given:
        with pytest.raises(InputError) as refused:
            nettrial.check(**each)
        assert not re.search(r"Path\(|NoneType|PosixPath|got an? (dict|int)\b", str(refused.value))


def test_the_sentences_of_a_finding_begin_with_capitals() -> None:
    network = with_twins()
    compared = nettrial.compare(network, "wvrn", "nbc", design=splits(network), test="network_hac")
    (twins,) = nettrial.check(compared, select=["NT101"]).problems
    assert re.match(r"Of .*\. Without them the error rate .*\. To do: keep ", twins.sentences)
