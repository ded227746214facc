"""The terminal: widths, completion, help, and ways to call the command line."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from comparison_factory import make_comparison
from nettrial import cli
from nettrial.cli.outputs import MORE, painted
from nettrial.core.progress import Progress
from nettrial.experiments import names
from nettrial.io import write
from nettrial.network.communities import BY_LOUVAIN
from nettrial.report.layout import Column, laid_out
from nettrial.report.lines import fitted, width, wrapped
from nettrial.splits import DESIGNS
from nettrial.synth import latent_group_network


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


@pytest.mark.parametrize("columns", range(40, 100))
def test_numbers_stay_with_what_they_are(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    said = "wvrn beats nbc by -7.3 percentage points (wvrn minus nbc), p = 0.0094 and p < 0.0001."
    lines = wrapped(said).split("\n")
    assert " ".join(lines) == said
    for together in ("-7.3 percentage", "p = 0.0094", "p < 0.0001"):
        assert any(together in line for line in lines)


NETS = [f"net_{number}" for number in range(3)]
SHOWN = [
    "info net_0",
    "test --list",
    "test wilcoxon --list",
    "test mcnemar 7 5 13 75",
    "recommend --grouped",
    "recommend --classifiers 3 --data-sets 20",
    "recommend --test-sets 10 --overlapping --scores-only",
    "experiment --list",
    "power t 0.5",
    "leaderboard table.md --splits 10 --test-share 0.3",
    "across net_0 net_1 net_2 --models wvrn,nbc",
    "sweep net_0 --models wvrn,nbc,prior --labeled 0.2,0.5",
    "compare net_0 --a wvrn --b nbc",
    "compare net_0 --a nbc --b prior --prior-tests 2",
    "compare net_0 --models wvrn,nbc,prior",
    "compare net_0/edges.csv --a adamic_adar --b katz",
    "transfer net_0 net_1 --models wvrn,nbc",
    pytest.param("audit net_0 --a wvrn --b nbc --replicates 20 --inner 0", marks=pytest.mark.slow),
    pytest.param(
        "plan net_0 --a wvrn --b nbc --difference 0.01 --replicates 20", marks=pytest.mark.slow
    ),
    "--help",
    *(f"{name} --help" for name in cli.COMMANDS),
]
BY_COMMUNITIES = ("across", "sweep", "compare net_0 ", "transfer")
RUN = ("across", "audit", "compare", "plan", "sweep", "transfer")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shown")
    for number, name in enumerate(NETS):
        write(latent_group_network(60, seed=number), folder / name)
    (folder / "table.md").write_text(
        "| dataset | gcn | gat | sage |\n|---|---|---|---|\n"
        "| cora | 81.5 ± 0.6 | 83.0 ± 0.7 | 79.2 ± 1.0 |\n"
        "| citeseer | 70.3 ± 0.8 | 72.5 ± 0.7 | 68.1 ± 1.1 |\n"
    )
    return folder


@pytest.mark.parametrize("line", SHOWN)
def test_what_is_printed_keeps_to_the_width(
    line: str, written: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(written)
    words = line.split()
    if line.startswith(RUN) and "--help" not in words:
        words += ["--splits", "2"]
    if line.startswith(BY_COMMUNITIES) and "--help" not in words:
        words += ["--test", "cluster_robust_t"]
    for columns in (80, 60):
        monkeypatch.setenv("COLUMNS", str(columns))
        with pytest.raises(SystemExit) as end:
            cli.main(words)
        note = capsys.readouterr()
        assert end.value.code == 0, note.err
        wide = [line for line in note.out.split("\n") if len(line) > columns]
        assert wide == []
        assert len(note.out) > columns


def printed(line: str, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as end:
        cli.main(line.split())
    said = capsys.readouterr()
    assert end.value.code == 0, said.err
    return said.out


MEASURED = "--splits 3 --test cluster_robust_t"


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        f"compare --example {MEASURED}",
        f"compare --example --models wvrn,nbc,prior {MEASURED}",
        "compare net_0/edges.csv --a adamic_adar --b katz",
        f"sweep --example --models wvrn,nbc --labeled 0.2,0.5 {MEASURED}",
        f"across net_0 net_1 net_2 --models wvrn,nbc {MEASURED}",
        "transfer net_0 net_1 --models wvrn,nbc --test cluster_robust_t",
    ],
)
def test_the_default_is_short_and_the_whole_is_one_option_away(
    line: str, written: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(written)
    monkeypatch.delenv("COLUMNS", raising=False)
    short, full = printed(line, capsys), printed(f"{line} --full", capsys)
    verdict, whole = (" ".join(said.split("\n\n")[0].split()) for said in (short, full))
    assert whole.startswith(verdict)
    assert "\n\nRead: " in short
    assert short.endswith(f"\n\n{MORE}\n")
    assert "--full" not in full
    assert len(full.splitlines()) > len(short.splitlines())
    assert len(short.splitlines()) <= 16
    assert "\x1b" not in short + full  # what is piped is plain


def test_a_terminal_shows_the_verdict_bold_and_warnings_yellow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = f"a beats b\n\nRead: c! d\n\n! only 3\n\n{MORE}"
    bold, yellow, dim, plain = "\x1b[1m", "\x1b[33m", "\x1b[2m", "\x1b[0m"
    wanted = (
        f"{bold}a beats b{plain}\n\nRead: c! d\n\n{yellow}!{plain} only 3\n\n{dim}{MORE}{plain}"
    )
    shown: list[str] = []
    monkeypatch.setattr(click, "echo", lambda text, err: shown.append(text))
    monkeypatch.delenv("NO_COLOR", raising=False)
    cli.tell(text, look=painted)
    monkeypatch.setenv("NO_COLOR", "1")
    cli.tell(text, look=painted)
    assert shown == [wanted, text]


def test_help_is_as_wide_as_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    wide = printed("compare --help", capsys)
    assert 100 < max(map(len, wide.splitlines())) <= 120


def test_short_help_names_every_option_and_long_help_says_what_they_do(
    capsys: pytest.CaptureFixture[str],
) -> None:
    short, long = printed("compare -h", capsys), printed("compare --help", capsys)
    assert len(short.splitlines()) <= 45 < len(long.splitlines())
    heads = re.findall(r"^  (?:-h, )?(--[a-z0-9-]+)", long.partition("Models:")[2], re.MULTILINE)
    assert len(heads) > 50
    assert set(heads) <= set(short.split())
    titles = [line for line in long.splitlines() if re.fullmatch(r"[A-Z][\w ,]+:", line)]
    assert titles[:2] == ["Models:", "Predictions made elsewhere:"]


def test_only_a_name_longer_than_a_line_reaches_beyond_it() -> None:
    name = "a_name_of_a_model_that_is_longer_than_a_line"
    tests = Column("model", (name, "b"), flush=False)
    shown = laid_out([tests, Column("error rate", ("12.5", "3.1"), flush=True)], 40)
    assert shown == f"{name}\n  error rate: 12.5\nb\n  error rate: 3.1"
    assert fitted(f"written to folder/{name}/{name}").split("\n")[-1] == f"folder/{name}/{name}"


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
    assert completed("compare", "--measure", "macro_f") == ["macro_f1"]
    assert completed("compare", "--measure", "macro-f") == ["macro-f1"]
    assert "error,average_precision" in completed("compare", "--measures", "error,a")
    assert completed("compare", str(tmp_path), "--label", "s") == ["school", "smokes"]
    assert completed("compare", str(tmp_path / "no"), "--label", "s") == []
    folder = str(tmp_path)
    assert completed("compare", folder, "--communities", "l") == [
        "louvain",
        "links_and_features",
        "label",
    ]
    assert completed("compare", folder, "--communities", "s") == ["school", "smokes"]
    assert completed("compare", folder, "--design", "temporal:s") == [
        "temporal:school",
        "temporal:smokes",
    ]
    assert completed("compare", folder, "--design", "rrs:") == []
    rows = "".join(f"{node},{node % 2},x{node // 2},no\n" for node in range(8))
    (tmp_path / "nodes.csv").write_text(f"node,label,school,smokes\n{rows}")
    for option, before in (
        ("--label", []),
        ("--communities", list(BY_LOUVAIN)),
    ):  # the id comes last
        found = completed("compare", folder, option, "")
        assert found == [*before, "label", "school", "smokes", "node"]
    # only measures of what is predicted
    numbers, classes = "absolute_error", "accuracy"
    for words, offered in (
        ((), (True, True)),
        ((folder,), (False, True)),
        ((folder, "--target", "smokes"), (True, False)),
        (("--a", "ridge"), (True, False)),
        (("--models", "katz,jaccard"), (False, False)),
    ):
        found = completed("compare", *words, "--measure", "")
        assert (numbers in found, classes in found) == offered, words
    (tmp_path / "table.md").write_text("| Model | cora |\n|---|---|\n")
    assert completed("leaderboard", str(tmp_path / "table.md"), "--model", "") == ["Model", "cora"]
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
    places = [text.index(f"\n{title}:\n") for title in ("Splits", "Tests", "Output", "Options")]
    assert places == sorted(places)
    assert places[0] < text.index("--design") < places[1]
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
    note = {}
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
                note[name, parameter.name] = said
                word = [parameter.opts[0]] if parameter.opts[0].startswith("-") else []
                given += [*word, "0.1" if parameter.name == "test_share" else "x"]
    assert len(note) > 15
    assert note["leaderboard", "test_share"].endswith(
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


def test_the_time_left_counts_the_work_before_the_bar_was_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [1000.0]
    monkeypatch.setattr(time, "time", lambda: now[0])
    with Progress("running", total=80, enabled=False) as progress:
        progress.advance(30)
        now[0] += 15
        progress._show()
        assert progress._bar.eta == 25
        now[0] += 5
        progress.advance(10)
        assert progress._bar.eta == pytest.approx(20, abs=1)
