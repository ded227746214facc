"""Logs of many language models on one benchmark: read from a folder, judged as one family."""

from __future__ import annotations

import json

import numpy as np
import pytest
from test_evaluations import eval_file, harness, inspect_log, lines

import nettrial
from nettrial.cli import main
from nettrial.core.errors import InputError


@pytest.fixture
def folder(tmp_path):
    """Five systems as lm-evaluation-harness writes them: files, and a folder of two seeds."""
    place = tmp_path / "logs"
    (place / "seeds").mkdir(parents=True)
    for k, better in enumerate((0.45, 0.3, 0.0, -0.3)):
        lines(place / f"s{k}.jsonl", harness(k, better=better))
    for seed in (7, 8):
        lines(place / "seeds" / f"samples_{seed}.jsonl", harness(seed, better=0.1))
    (place / "results.json").write_text("{}")
    (place / "empty").mkdir()
    return place


def test_every_file_and_every_folder_is_a_model(folder):
    found = nettrial.read_evaluations(folder, group="doc.passage")
    assert list(found) == ["s0", "s1", "s2", "s3", "seeds"]
    one = nettrial.read_evaluation(folder / "s1.jsonl", group="doc.passage")
    assert found["s1"].values == one.values
    assert found["seeds"].times == 80
    listed = nettrial.read_evaluations(
        [folder / "s1.jsonl", folder / "seeds"], group="doc.passage", score="acc"
    )
    assert list(listed) == ["s1", "seeds"]


def test_systems_are_judged_as_one_family_with_the_numbers_of_pairs(folder):
    read = nettrial.read_evaluations(folder, group="doc.passage")
    found = nettrial.compare_grouped(read)
    assert len(found.pairs.first) == 10
    assert "s0" in found.may_be_best
    assert "s3" not in found.may_be_best
    row = list(zip(found.pairs.first, found.pairs.second)).index(("s0", "s2"))
    two = nettrial.compare_grouped(read["s0"], read["s2"]).test("cluster_robust_t")
    assert found.pairs.pvalue[row] == pytest.approx(two.pvalue)
    assert found.pairs.standard_error[row] == pytest.approx(two.standard_error)
    assert found.measure.shares


def test_logs_of_inspect_are_called_by_their_models(tmp_path):
    for k, model in enumerate(("large", "small", "small")):
        header = {"status": "success", "eval": {"model": f"maker/{model}"}}
        eval_file(tmp_path / f"2026-01-0{k}.eval", inspect_log(k)["samples"], **header)
    found = nettrial.read_evaluations(tmp_path, group="metadata.document.name")
    assert list(found) == ["maker/large", "maker/small"]
    assert found["maker/small"].times == 80
    plain = inspect_log(4) | {"eval": {"model": "tiny"}}
    (tmp_path / "a.json").write_text(json.dumps(plain))
    one = nettrial.read_evaluation(tmp_path / "a.json", group="metadata.document.name")
    assert one.model == "tiny"


def test_files_of_one_name_are_called_by_their_paths(tmp_path):
    for k, name in enumerate("ab"):
        (tmp_path / name).mkdir()
        lines(tmp_path / name / "samples.jsonl", harness(k))
    paths = [tmp_path / name / "samples.jsonl" for name in "ab"]
    found = nettrial.read_evaluations(paths, group="doc.passage")
    assert list(found) == ["samples", str(paths[1])]


def test_what_is_no_benchmark_is_refused(folder, tmp_path, words):
    with words.raises(InputError):
        nettrial.read_evaluations(folder / "empty", group="doc.passage")
    with words.raises(InputError):
        nettrial.read_evaluations([folder / "s1.jsonl"], group="doc.passage")
    lines(folder / "short.jsonl", harness(9)[:-1])
    with words.raises(InputError):
        nettrial.compare_grouped(nettrial.read_evaluations(folder, group="doc.passage"))
    read = nettrial.read_evaluations(
        [folder / "s1.jsonl", folder / "s2.jsonl"], group="doc.passage"
    )
    with words.raises(InputError):
        nettrial.compare_grouped({**read, "array": np.zeros(40)})
    with words.raises(InputError):
        nettrial.compare_grouped(read, groups=list(range(40)))


def test_the_command_reads_a_folder_or_a_list(folder, capsys):
    common = ["--groups", "doc.passage", "--json"]

    def called(*arguments: str) -> dict:
        with pytest.raises(SystemExit) as stop:
            main(["compare", *arguments, *common])
        out, err = capsys.readouterr()
        assert stop.value.code in (0, 3), err
        return json.loads(out)

    found = called(str(folder))
    assert len(found["models"]) == 5
    chosen = called(str(folder), "--models", "s0,s2,seeds", "--control", "s2", "--fail-if", "worse")
    assert {pair["second"] for pair in chosen["pairs"]} == {"s2"}
    listed = called("--models", f"{folder}/s0.jsonl,{folder}/s1.jsonl", "--score", "acc")
    assert [row["model"] for row in listed["models"]] == ["s0", "s1"]
    with pytest.raises(SystemExit):
        main(["compare", str(folder), "--a", "s0", *common])
    assert "--a cannot be combined with a folder of logs" in capsys.readouterr().err
