"""The terminal: widths, completion, help, and ways to call the command line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from comparison_factory import make_comparison
from nettrial import cli
from nettrial.experiments import names
from nettrial.report.text import width, wrapped
from nettrial.splits import DESIGNS


@pytest.mark.parametrize(
    ("columns", "wanted"), [("", 80), ("60", 60), ("100", 100), ("10", 40), ("400", 120)]
)
def test_lines_follow_the_terminal(
    columns: str, wanted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert width() == wanted
    lines = wrapped("word " * 100).splitlines()
    assert wanted - 5 < max(map(len, lines)) <= wanted


def test_text_in_pipes_has_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    verdict = str(make_comparison()).split("\n\n")[0]
    assert max(map(len, verdict.splitlines())) <= 80


def completed(*words: str) -> list[str]:
    shell = ShellComplete(cli.cli, {}, "nettrial", "_NETTRIAL_COMPLETE")
    return [item.value for item in shell.get_completions(list(words[:-1]), words[-1])]


def test_names_and_columns_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_NETTRIAL_COMPLETE", "bash_complete")
    (tmp_path / "nodes.csv").write_text("node,label,school,smokes\n")
    assert completed("comp") == ["compare"]
    assert completed("compare", "--design", "") == list(DESIGNS)
    assert "network_hac" in completed("compare", "--test", "net")
    assert completed("sweep", "--models", "wvrn,cd") == ["wvrn,cdrn"]
    assert "macro-f1" in completed("compare", "--measure", "macro")
    assert completed("compare", str(tmp_path), "--label", "s") == ["school", "smokes"]
    assert completed("compare", str(tmp_path / "no"), "--label", "s") == []
    assert completed("test", "mcn") == ["mcnemar"]
    table = str(tmp_path / "nodes.csv")
    assert completed("test", "wilcoxon", table, "--columns", "label,s") == [
        "label,school",
        "label,smokes",
    ]
    assert completed("test", "wilcoxon", table, "--a", "sc") == ["school"]
    assert completed("experiment", "") == list(names())
    assert completed("experiment", "icdm09-fig1f", "--option", "fol") == ["folder="]
    assert "between=geometric" in completed("experiment", "icdm09-fig1c", "--option", "be")
    assert completed("experiment", "folds", "--tests", "cluster_r") == ["cluster_robust_t"]


def test_every_command_stands_in_one_group_of_the_help() -> None:
    grouped = [name for names in cli.GROUPS.values() for name in names]
    assert sorted(grouped) == sorted(cli.COMMANDS)


def test_options_stand_in_groups(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["compare", "--help"])
    text = capsys.readouterr().out
    places = [text.index(f"\n{title}:\n") for title in ("Options", "Splits", "Tests", "Output")]
    assert places == sorted(places)
    assert places[1] < text.index("--design") < places[2]
    assert text.count("--seed ") == 1
    assert "nettrial compare my_network/" in text


@pytest.mark.parametrize(
    "words", [["--a", "x", "--b", "x"], ["--a", "nbc"], ["--b", "wvrn", "--predictions", "no"]]
)
def test_a_model_is_not_compared_with_itself(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["compare", "--example", *words])
    assert end.value.code == 2
    refused = "two different models" in capsys.readouterr().err
    assert refused == ("--predictions" not in words)


def test_what_is_missing_is_told_with_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    told = {}
    for name in cli.COMMANDS:
        given: list[str] = []
        for parameter in cli.cli.get_command(None, name).params:  # type: ignore[arg-type, union-attr]
            if parameter.required:
                with pytest.raises(SystemExit) as end:
                    cli.main([name, *given])
                said = " ".join(capsys.readouterr().err.split())
                assert end.value.code == 2
                assert f"{name}: expected " in said
                assert f", got none; as in nettrial {name} " in said
                assert "--help" not in said
                told[name, parameter.name] = said
                word = [parameter.opts[0]] if parameter.opts[0].startswith("-") else []
                given += [*word, "0.1" if parameter.name == "test_share" else "x"]
    assert len(told) > 15
    assert told["leaderboard", "test_share"].endswith(
        "(test size over training and test size of a split: the assumed correlation between the "
        "scores of two splits), got none; as in nettrial leaderboard results.csv --splits 10 "
        "--test-share 0.2"
    )


def test_the_package_runs_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "nettrial", "--version"],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": str(Path(cli.__file__).parents[2])},
    )
    assert done.stdout.startswith("nettrial, version ")
