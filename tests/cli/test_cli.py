"""The command line: what it prints, and how it refuses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from nettrial.cli import main
from timeless import timeless


def call(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> tuple[str, str]:
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    out, err = capsys.readouterr()
    assert stop.value.code == code, err
    return out, err


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    edges = ["source,target"] + [f"n{i},n{(i + step) % 24}" for i in range(24) for step in (1, 2)]
    nodes = ["node,label"] + [f"n{i},{'x' if i < 12 else 'y'}" for i in range(24)]
    (tmp_path / "edges.csv").write_text("\n".join(edges) + "\n")
    (tmp_path / "nodes.csv").write_text("\n".join(nodes) + "\n")
    return tmp_path


def test_compare_prints_a_verdict_first(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = call(capsys, "compare", str(folder), "--a", "wvrn", "--b", "nbc")
    assert "on networks like this one" in " ".join(out.split())[:200]


def test_json_is_one_object_and_the_same_twice(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, _ = call(capsys, "compare", str(folder), "--json", "--seed", "4")
    second, _ = call(capsys, "compare", str(folder), "--json", "--seed", "4")
    assert timeless(first) == timeless(second)
    assert json.loads(first)["n_nodes"] == 24


@pytest.mark.slow
def test_report_is_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = folder / "report.html"
    call(capsys, "compare", str(folder), "--report", str(page))
    assert page.read_text().startswith("<!DOCTYPE html>")


def test_info_counts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = call(capsys, "info", str(folder), "--json")
    found = json.loads(out)
    assert found["nodes"] == 24
    assert found["rows"] == found["links_simple_undirected"] == 48
    assert found["class_counts"] == {"x": 12, "y": 12}


def replace(name: str, text: str) -> object:
    return lambda folder: (folder / name).write_text(text)


BAD = {
    "missing file": (None, ["{folder}/nothing.csv"], "nothing.csv"),
    "missing column": (
        None,
        ["{folder}", "--label", "labl"],
        "nodes.csv: --label: column 'labl' not found; did you mean 'label'?",
    ),
    "no labels": (
        replace("nodes.csv", "node,label\n" + "".join(f"n{i},\n" for i in range(24))),
        ["{folder}"],
        "no node has a label; name the column that holds the classes with --label",
    ),
    "one class": (
        replace("nodes.csv", "node,label\n" + "".join(f"n{i},x\n" for i in range(24))),
        ["{folder}"],
        "at least two classes",
    ),
    "labeled 0": (None, ["{folder}", "--labeled", "0"], "--labeled: expected"),
    "labeled 1": (None, ["{folder}", "--labeled", "1"], "--labeled: expected"),
    "labeled nan": (None, ["{folder}", "--labeled", "nan"], "--labeled: expected"),
    "too much for NCV": (
        None,
        ["{folder}", "--labeled", "0.95", "--design", "ncv"],
        "use --labeled <= 0.9",
    ),
    "one split": (None, ["{folder}", "--splits", "1"], "--splits: expected"),
    "non-numeric weight": (
        replace("edges.csv", "source,target,weight\nn0,n1,2\nn1,n2,heavy\n"),
        ["{folder}"],
        "edges.csv",
    ),
    "no rows": (replace("edges.csv", "source,target\n"), ["{folder}"], "no rows"),
    "no links": (replace("edges.csv", "source,target\nn1,n1\n"), ["{folder}"], "no links"),
    "unknown model": (None, ["{folder}", "--a", "wvrm"], "did you mean 'wvrn'"),
    "unknown design": (None, ["{folder}", "--design", "rss"], "did you mean 'rrs'"),
    "temporal without a column": (None, ["{folder}", "--design", "temporal"], "temporal:COLUMN"),
    "labeled with 5x2": (None, ["{folder}", "--design", "5x2", "--labeled", "0.2"], "stratify"),
    "unknown positive": (None, ["{folder}", "--positive", "z"], "--positive: expected"),
    "unknown community column": (
        None,
        ["{folder}", "--communities", "luvain"],
        "--communities: unknown",
    ),
    "confidence 95": (None, ["{folder}", "--confidence", "95"], "--confidence: expected"),
    "negative seed": (None, ["{folder}", "--seed", "-1"], "--seed: expected"),
    "unwritable report": (None, ["{folder}", "--report", "{folder}/no/such/r.html"], "r.html"),
    "not a number": (None, ["{folder}", "--splits", "ten"], "ten"),
    "no network": (None, [], "--example"),
    "unknown option": (None, ["{folder}", "--lable", "x"], "--label"),
}


@pytest.mark.parametrize("case", BAD, ids=[name.replace(" ", "_") for name in BAD])
def test_bad_input_is_one_clear_line_and_exit_code_2(
    case: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change, arguments, expected = BAD[case]
    if change is not None:
        change(folder)  # type: ignore[operator]
    before = sorted(folder.rglob("*"))
    filled = [argument.format(folder=folder) for argument in arguments]
    out, err = call(capsys, "compare", *filled, code=2)
    assert out == ""
    assert err.startswith("nettrial: ")
    assert err.count("\n") == 1, err
    assert expected in err
    assert sorted(folder.rglob("*")) == before


def test_unknown_command_is_refused_with_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    _, err = call(capsys, "compair", code=2)
    assert "did you mean 'compare'" in err


def test_names_from_files_cannot_steer_the_terminal(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    nodes = "node,label\n" + "".join(f"n{i},\x1b[31m{'x' if i < 12 else 'y'}\n" for i in range(24))
    (folder / "nodes.csv").write_text(nodes)
    monkeypatch.setattr("click.utils.should_strip_ansi", lambda *_: False)  # as on a terminal
    out, err = call(capsys, "info", str(folder))
    assert "\x1b" not in out + err
    assert "\\x1b[31mx" in out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = call(capsys, "--version")
    assert out.startswith("nettrial")


HEAVY = ("numpy", "scipy", "pandas", "numba", "sklearn", "networkx", "matplotlib", "rich", "click")


def test_importing_nettrial_loads_nothing_heavy() -> None:
    code = "import sys, nettrial; print(' '.join(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not set(HEAVY) & set(loaded)


def test_help_loads_nothing_heavy_but_click() -> None:
    code = (
        "import sys; from nettrial.cli import main\n"
        "try: main(['--help'])\nexcept SystemExit: print(' '.join(sys.modules))"
    )
    loaded = (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        .stdout.splitlines()[-1]
        .split()
    )
    assert "click" in loaded
    assert not set(HEAVY) - {"click"} & set(loaded)


def test_hints_name_options_and_no_parameters(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tmp_path = tmp_path / "other"
    tmp_path.mkdir()
    links = tmp_path / "edges.csv"
    links.write_text("source,target,p,q\n" + "".join(f"{k},{k + 1},{k % 3},4\n" for k in range(9)))
    (tmp_path / "labels.csv").write_text("name,label\n" + "".join(f"{k},x\n" for k in range(10)))
    out, err = call(capsys, "info", str(links))
    text = " ".join(out.split())
    assert "--column weight=NAME chooses one" in text
    assert f"--nodes {tmp_path / 'labels.csv'} reads it" in text
    assert "columns=" not in text
    assert not err  # a doubt is said once
    (tmp_path / "x.txt").write_text("{}")
    _, err = call(capsys, "info", str(tmp_path / "x.txt"), "--from", "table", code=2)
    assert "name its format with --from" in err
    out, _ = call(capsys, "convert", str(links), str(tmp_path / "copy"), "--from", "table")
    assert "copy" in out
    splits = ("--splits", "2", "--labeled", "0.5", "--from", "table")
    for name, form in (("s.npz", ()), ("m.npz", ("--format", "masks"))):
        call(capsys, "split", str(folder), "--out", str(tmp_path / name), *splits, *form)
    assert "test_mask" in np.load(tmp_path / "m.npz").files
    assert "test_mask" not in np.load(tmp_path / "s.npz").files
    _, err = call(capsys, "info", str(links), "--from", "tabel", code=2)
    assert "did you mean 'table'" in err
