"""`--fail-if`: exit status 3, and why, for every kind of comparison; a page lists all statuses."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path

import pytest

import nettrial
from nettrial.cli import _said, main
from nettrial.cli.gates import FAILED
from nettrial.cli.process import Stopped

PAGE = Path(__file__).parents[2] / "docs" / "user" / "exit_codes.md"
QUICK = ("--splits", "4", "--test", "network_hac")


def ended(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[object, str, str]:
    capsys.readouterr()
    with pytest.raises(SystemExit) as end:
        main([str(argument) for argument in arguments])
    return end.value.code, *capsys.readouterr()


def compare(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[object, str, str]:
    return ended(capsys, "compare", "--example", *arguments, *QUICK)


def test_two_models(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = compare(capsys, "--a", "prior", "--b", "wvrn", "--fail-if", "worse-by=0.01")
    assert code == FAILED == 3
    assert out.startswith("wvrn beats prior")
    assert err.startswith("nettrial: failed: prior is worse than wvrn by more than 1.0 percent")
    assert err.count("\n") == 1
    code, _, err = compare(capsys, "--a", "wvrn", "--b", "prior", "--fail-if", "not-better")
    assert (code, err[:17]) == (0, "nettrial: passed:")


def test_several_models_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    models = ("--models", "wvrn,prior,nbc", "--control", "wvrn", "--json")
    code, out, err = compare(capsys, *models, "--fail-if", "worse")
    assert code == 3
    assert json.loads(out)["kind"] == "MultipleComparison"
    assert "failed: prior is worse than wvrn" in err


def test_undecided(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    table = tmp_path / "answers.csv"
    table.write_text("document,new,old\np,1,1\np,0,1\nq,1,0\nq,1,1\n")
    several = ("compare", table, "--groups", "document", "--models", "all", "--fail-if", "worse")
    assert "--fail-if needs --control" in ended(capsys, *several)[2]
    code, out, err = ended(capsys, *several, "--control", "old", "--json")
    assert (code, json.loads(out)["kind"]) == (3, "MultipleGroupedComparison")
    assert "cannot tell whether new is worse than old: 4 items in 2 groups are too few" in err
    grouped = ("compare", table, "--groups", "document", "--a", "new", "--b", "old")
    code, _, err = ended(capsys, *grouped, "--fail-if", "worse")
    assert code == 3
    assert err.startswith("nettrial: failed, as --on-unsettled fail says: cannot tell whether new ")
    code, _, err = ended(capsys, *grouped, "--fail-if", "worse", "--on-unsettled", "pass")
    assert code == 0
    assert err.startswith("nettrial: passed, as --on-unsettled pass says: cannot tell whether new ")
    code, _, err = ended(capsys, *grouped, "--fail-if", "check")
    assert (code, err[:41]) == (0, "nettrial: passed: Nothing unfair found in")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--fail-if", "wors"), "--fail-if: unknown 'wors'; did you mean 'worse'?"),
        (("--fail-if", "worse-by=1", "--measure", "auc"), "a margin below 1, the range of the"),
        (("--fail-if", "worse-by=-1"), "--fail-if: expected a margin above 0"),
        (("--on-unsettled", "pass"), "--on-unsettled needs --fail-if"),
        (("--models", "wvrn,nbc", "--fail-if", "worse"), "--fail-if needs --control"),
        (("--where", "a=b"), "--where needs --predictions"),
        (("--shard", "1/2", "--store", "x", "--fail-if", "check"), "cannot be combined with --sh"),
        (("--fail-if", "worse"), "--fail-if worse needs --a, the new model"),
        (("--fail-if", "check", "--fail-if", "not-better"), "--fail-if not-better needs --a"),
    ],
)
def test_what_cannot_be(
    arguments: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = ended(capsys, "compare", "--example", *arguments)
    assert (code, out) == (2, "")
    assert says in err


def test_links_and_predictions_and_numbers(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    links = tmp_path / "links.csv"
    rows = [
        f"0,{u},{v},{label},{label + 0.1 * (u % 3)},{0.1 * (v % 7)}"
        for u in range(1, 40)
        for v, label in ((u + 50, 1), (u + 100, 0))
    ]
    links.write_text("\n".join(["split,source,target,label,good,bad", *rows]) + "\n")
    code, _, err = ended(
        capsys, "compare", "--predictions", links, "--a", "bad", "--b", "good", "--fail-if",
        "not-better",
    )  # fmt: skip
    assert code == 3, err
    assert "bad is not shown to be better than good" in err
    folder = tmp_path / "numbers"
    folder.mkdir()
    (folder / "edges.csv").write_text(
        "source,target\n"
        + "".join(f"{i},{(i * 7 + 1) % 60}\n{i},{(i + 1) % 60}\n" for i in range(60))
    )
    (folder / "nodes.csv").write_text(
        "id,amount\n" + "".join(f"{i},{i / 10 + (i % 4)}\n" for i in range(60))
    )
    code, _, err = ended(
        capsys, "compare", folder, "--target", "amount", "--a", "ridge", "--b", "mean",
        "--fail-if", "worse-by=100", *QUICK,
    )  # fmt: skip
    assert code in (0, 3), err
    assert "squared error difference" in err


def test_several_models_of_predictions(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The old model is named by --control, the others are held against it."""
    network = nettrial.latent_group_network(300, seed=0)  # the example
    made = nettrial.compare_models(network, ["wvrn", "prior", "nbc"], n_splits=4, seed=1,
                                   test="network_hac").predictions  # fmt: skip
    rows = ["split,node,model,prediction"]
    rows += [
        f"{k},{node},{model},{network.classes[code]}"
        for model in made.models
        for k, split in enumerate(made.splits)
        for node, code in zip(split.test, made.predicted(model, k))
    ]
    (tmp_path / "predictions.csv").write_text("\n".join(rows))
    nettrial.write_splits(network, list(made.splits), tmp_path / "splits.npz")
    files = ("compare", "--example", "--predictions", tmp_path / "predictions.csv",
             "--split-file", tmp_path / "splits.npz")  # fmt: skip
    code, _, err = ended(capsys, *files, "--control", "wvrn", "--fail-if", "worse")
    assert (code, "failed: prior is worse than wvrn" in err) == (3, True)
    code, _, err = ended(capsys, *files, "--control", "prior", "--fail-if", "not-better")
    assert code == 0, err
    code, _, err = ended(capsys, *files, "--fail-if", "worse")
    assert (code, "--fail-if worse needs --a, the new model" in err) == (2, True)


@pytest.fixture
def links(tmp_path: Path) -> Path:
    """A table of links whose old model, which is the better one, stands first."""
    rows = [
        f"0,{u},{v},{label},{label + 0.1 * (u % 3)},{0.1 * (v % 7)}"
        for u in range(1, 40)
        for v, label in ((u + 50, 1), (u + 100, 0))
    ]
    place = tmp_path / "links.csv"
    place.write_text("\n".join(["split,source,target,label,old,new", *rows]) + "\n")
    return place


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    """Answers of which the old model has more right."""
    rows = [f"d{k // 5},{int(k % 7 > 0)},{int(k % 2 > 0)}" for k in range(100)]
    place = tmp_path / "answers.csv"
    place.write_text("\n".join(["document,old,new", *rows]) + "\n")
    return place


@pytest.mark.parametrize("kind", ["links", "answers"])
def test_the_order_of_columns_does_not_say_which_model_is_new(
    kind: str, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    place = request.getfixturevalue(kind)
    files = ("--predictions", place) if kind == "links" else (place, "--groups", "document")
    code, out, err = ended(capsys, "compare", *files, "--fail-if", "not-better")
    assert (code, out) == (2, "")
    assert "needs --a, the new model" in err
    for named in (("--a", "new"), ("--b", "old")):
        code, _, err = ended(capsys, "compare", *files, *named, "--fail-if", "not-better")
        assert (code, "failed: new is not shown to be better than old" in err) == (3, True)
    code, _, err = ended(capsys, "compare", *files, "--a", "old", "--fail-if", "worse-by=0.9")
    assert "old is not worse than new by" in err
    code, _, err = ended(capsys, "compare", *files, "--fail-if", "check")
    assert err.startswith("nettrial: passed: Nothing unfair found")


def test_several_models_need_no_control_for_check(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = compare(capsys, "--models", "wvrn,nbc", "--fail-if", "check")
    assert (code, err[:17]) == (0, "nettrial: passed:")


def test_the_page_lists_every_exit_status(capsys: pytest.CaptureFixture[str]) -> None:
    listed = set(re.findall(r"^\| (\d+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    found = {
        ended(capsys, "--version")[0],
        ended(capsys, "compare", "--no-such-option")[0],
        FAILED,
        _said(KeyboardInterrupt(), [])[1],
        *(_said(Stopped(number), [])[1] for number in (signal.SIGHUP, signal.SIGTERM)),
    }
    assert listed == set(map(str, found))
