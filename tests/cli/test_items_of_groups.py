"""`--groups`: true classes beside the classes that models predict are never taken for scores."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import nettrial
from nettrial.cli import main

NAMED = ("--a", "new", "--b", "old")


def table(folder: Path, classes: str, label: str = "label") -> Path:
    """Write predicted classes: the new model has 10% wrong, the old one 30%."""
    rows = [f"document,{label},new,old"]
    n = len(classes)
    for k in range(200):
        true, other = classes[k % n], classes[(k + 1) % n]
        rows.append(
            f"d{k // 5},{true},{other if k % 10 == 3 else true},{other if k % 10 < 3 else true}"
        )
    place = folder / f"{classes}.csv"
    place.write_text("\n".join(rows) + "\n")
    return place


def called(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[object, str, str]:
    capsys.readouterr()
    try:
        main([str(each) for each in arguments])
        code: object = 0
    except SystemExit as end:
        code = end.code
    return code, *capsys.readouterr()


@pytest.mark.parametrize("classes", ["01", "012", "ab"])
@pytest.mark.parametrize(
    "command", [("compare", "--groups", "document"), ("test", "mcnemar"), ("test", "paired-t")]
)
def test_classes_are_no_scores(
    classes: str,
    command: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    place = table(tmp_path, classes)
    code, out, err = called(capsys, *command, place, *NAMED)
    assert (code, out) == (2, "")
    assert "new and old seem to hold classes and not scores" in err
    assert "give --truth label" in err
    code, _, err = called(capsys, *command, place)  # no model named
    assert (code, "label" in err) == (2, classes != "ab")


@pytest.mark.parametrize("label", ["label", "y_true", "Gold", "class"])
@pytest.mark.parametrize("classes", ["01", "012", "ab"])
def test_truth(
    classes: str, label: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = table(tmp_path, classes, label)
    given = ("compare", place, "--groups", "document", "--truth", label, "--json")
    for named in (NAMED, ("--models", "new,old")):
        code, out, err = called(capsys, *given, *named)
        assert code == 0, err
        found = json.loads(out)
        each = found.get("models") or [
            {"model": found[side], "score": found[f"mean_{side}"]} for side in "ab"
        ]
        assert {row["model"]: round(row["score"], 9) for row in each} == {"new": 0.9, "old": 0.7}


def test_right_and_wrong_beside_more_classes_are_scores(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Logs of evaluations have the place of the right answer, 0 to 3, beside 0 and 1."""
    rows = [f"d{k // 5},{k % 4},{int(k % 10 != 3)},{int(k % 10 > 2)}" for k in range(200)]
    place = tmp_path / "answers.csv"
    place.write_text("\n".join(["document,label,new,old", *rows]) + "\n")
    code, out, err = called(capsys, "compare", place, "--groups", "document", *NAMED)
    assert code == 0, err
    assert "20.0 percentage points" in out


def test_in_python(words) -> None:
    columns = {"label": [0, 1] * 10, "new": [0, 1] * 10, "old": [1, 1] * 10, "page": [*range(20)]}
    with words.raises(nettrial.InputError):
        nettrial.compare_grouped(columns, groups="page")
    with words.raises(nettrial.InputError):
        nettrial.compare_grouped(columns, groups="page", models=["new", "old"])


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("--truth", "label", "--errors"), "--errors cannot be combined with --truth"),
        (("--truth", "lable", *NAMED), "did you mean 'label'?"),
        (("--truth", "label", "--a", "old", "--b", "nw"), "did you mean 'new'?"),
    ],
)
def test_what_cannot_be(
    more: tuple[str, ...], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = called(capsys, "compare", table(tmp_path, "01"), "--groups", "document", *more)
    assert (code, says in err) == (2, True), err
