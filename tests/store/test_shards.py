"""Shards: shares of a study in plain files, joined to what a run in one piece gives."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nettrial
from nettrial import cli
from nettrial.comparison.stored_runs import stored_comparison
from nettrial.core.errors import InputError
from nettrial.network.network import Network
from nettrial.store import IncompleteStudyError, merge_shards, study_status
from nettrial.store.database import row_digest
from nettrial.store.sealed_lines import _value
from nettrial.store.shard_record import ShardRecord
from nettrial.store.shards import Shard
from study_models import Failing, Guessing
from timeless import timeless

ROOT = Path(__file__).parents[2]
SLURM = ROOT / "examples" / "slurm"
PAIR = ["wvrn", "nbc"]


@pytest.fixture(scope="module")
def network() -> Network:
    return nettrial.latent_group_network(60, seed=3)


def run(network: Network, folder: Path, shards: str, models: list[Any], **options: Any) -> Any:
    """Run shards such as "1/3 3/3"; return the status after the last one."""
    found = None
    options = {"n_splits": 4, "seed": 5} | options
    for shard in shards.split():
        found = nettrial.compare_shard(network, models, shard=shard, store=folder, **options)
    return found


def as_asked(models: list[Any]) -> list[Any]:
    """Return what `compare` is given: two models, or one list of more."""
    return models if len(models) == 2 else [models]


ALL_THREE = "2/3 3/3 1/3"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("models", "options", "rounds"),
    [
        (PAIR, {"test": "cluster_robust_t", "measure": "log_loss", "confidence": 0.9}, 1),
        ([Guessing("a"), "nbc"], {"n_replicates": 10}, 1),  # halves
        (PAIR, {"n_replicates": 21}, 2),  # the bootstrap, compiled
        pytest.param(
            ["wvrn", "nbc", "prior"],
            {"n_replicates": 10, "test": "bootstrap"},
            2,
            marks=pytest.mark.slow,
        ),
        (PAIR, {"communities": [0] * 60}, 1),  # cannot be run again: a test on predictions
    ],
)
def test_merged_shards_have_every_bit_of_a_run_in_one_piece(
    network: Network, tmp_path: Path, models: list[Any], options: dict[str, Any], rounds: int
) -> None:
    one = nettrial.compare(
        network, *as_asked(models), n_splits=4, seed=5, store=tmp_path / "one", **options
    )
    expected = timeless(one)
    shards, file = tmp_path / "shards", tmp_path / "study"
    for number in range(rounds):
        found = run(network, shards, ALL_THREE, models, **options)
        assert (found.open > 0) == (number + 1 < rounds)
    status = merge_shards(shards, file)
    assert (status.done, status.open, status.seed) == (found.done, 0, 5)
    assert timeless(stored_comparison(file)) == expected
    merged = file.stat().st_mtime_ns
    again = nettrial.compare(network, *as_asked(models), n_splits=4, seed=5, store=file, **options)
    assert timeless(again) == expected
    assert timeless(stored_comparison(tmp_path / "one")) == expected
    assert study_status(tmp_path / "one").units == status.units
    assert file.stat().st_mtime_ns >= merged


def test_networks_that_cannot_be_used_need_no_second_round(
    network: Network, tmp_path: Path
) -> None:
    # so few labeled nodes that most drawn networks have one class, or none to test
    few = network.mask_labels(
        np.concatenate([np.flatnonzero(network.labels == code)[:2] for code in (0, 1)])
    )
    options: dict[str, Any] = {"n_replicates": 10, "n_splits": 2, "labeled": 0.5}
    expected = timeless(nettrial.compare(few, *PAIR, seed=5, store=tmp_path / "one", **options))
    assert json.loads(expected)["recommended"] != "bootstrap"
    found = run(few, tmp_path / "shards", ALL_THREE, PAIR, **options)
    assert (found.open, found.next_step) == (0, "")
    merge_shards(tmp_path / "shards", tmp_path / "study")
    assert timeless(stored_comparison(tmp_path / "study")) == expected


def test_merging_and_status_name_the_shards_that_have_to_run(
    network: Network, tmp_path: Path, words
) -> None:
    shards, options = tmp_path / "shards", {"n_replicates": 10}
    found = run(network, shards, "1/3 3/3", PAIR, **options)
    assert set(found.wanting) == {1, 2, 3}
    with words.raises(IncompleteStudyError):
        merge_shards(shards, tmp_path / "study")
    found = run(network, shards, "2/3", PAIR, **options)  # the last one begins the second round
    assert found.next_step.startswith("the second round of drawn networks is due")
    assert "--shard) 1/3, 3/3" in found.next_step
    assert "1 of 3 shards complete" in str(found)
    with words.raises(IncompleteStudyError):
        merge_shards(shards, tmp_path / "study")
    run(network, shards, "1/3 3/3", PAIR, **options)
    merge_shards(shards, tmp_path / "study")
    with words.raises(InputError):
        merge_shards(shards, tmp_path / "study")


def test_a_shard_runs_only_what_is_left_in_it(network: Network, tmp_path: Path, words) -> None:
    log, bad = tmp_path / "log", tmp_path / "bad"
    bad.write_text("0 1")
    models = [Failing("a", str(bad), str(log)), "wvrn"]
    options = {"test": "cluster_robust_t", "n_splits": 12}
    with words.raises(IncompleteStudyError):
        run(network, tmp_path / "shards", "1/2", models, **options)
    failed = study_status(tmp_path / "shards").failed
    assert 0 < failed < 6
    assert len(log.read_text().splitlines()) == 6
    with words.raises(IncompleteStudyError):
        merge_shards(tmp_path / "shards", tmp_path / "study")
    bad.unlink()
    with pytest.raises(IncompleteStudyError):  # nothing is left
        run(network, tmp_path / "shards", "1/2", models, **options)
    found = run(network, tmp_path / "shards", "1/2", models, retry=True, **options)
    assert (found.failed, found.open) == (0, 12)
    assert len(log.read_text().splitlines()) == 6 + failed


def test_an_interrupted_shard_keeps_what_was_done(
    network: Network, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    keep, kept = ShardRecord.keep, []

    def stop(self: ShardRecord, outcomes: Any) -> None:
        keep(self, outcomes)
        kept.append(outcomes)
        if len(kept) == 2:
            raise KeyboardInterrupt

    models = [Guessing("a", log=str(log)), Guessing("b", log=str(log))]
    options = {"test": "cluster_robust_t", "n_splits": 6}
    monkeypatch.setattr(ShardRecord, "keep", stop)
    with pytest.raises(KeyboardInterrupt):
        run(network, tmp_path / "shards", "1/2", models, **options)
    monkeypatch.undo()
    done = study_status(tmp_path / "shards").done
    assert done == sum(map(len, kept)) < 6
    fits = len(log.read_text().splitlines())
    run(network, tmp_path / "shards", "1/2", models, **options)
    assert len(log.read_text().splitlines()) == fits + 6 - done


def test_shards_of_another_study_are_refused_before_anything_runs(
    network: Network, tmp_path: Path, words
) -> None:
    shards, test = tmp_path / "shards", {"test": "cluster_robust_t"}
    run(network, shards, "1/2", PAIR, **test)
    for options, note in (
        ({"seed": 6}, "seed was"),
        ({"confidence": 0.9}, "confidence was 0.95, is 0.9"),
        ({"n_splits": 5}, "splits number was 4, is 5"),
        ({"test": "network_hac"}, "cluster_robust_t"),
    ):
        with pytest.raises(InputError, match=note):
            run(network, shards, "2/2", PAIR, **(test | options))
    with words.raises(InputError):
        run(network, shards, "2/3", PAIR, **test)
    with words.raises(InputError):
        run(network, shards, "2/2", PAIR, budget="1min", **test)
    for shard in ("0/2", "3/2", "2", "a/b", "1/2/3"):
        with words.raises(InputError):
            run(network, shards, shard, PAIR, **test)
    other = tmp_path / "other"
    run(network, other, "2/2", PAIR, seed=6, **test)
    shutil.copy(Shard(other, 2, 2).path, shards)
    with words.raises(InputError):
        merge_shards(shards, tmp_path / "study")


def test_folders_from_two_places_are_put_together(network: Network, tmp_path: Path, words) -> None:
    test = {"test": "cluster_robust_t"}
    run(network, tmp_path / "x", "1/2", PAIR, **test)
    run(network, tmp_path / "y", "2/2", PAIR, **test)
    shutil.copy(Shard(tmp_path / "y", 2, 2).path, tmp_path / "x")
    merge_shards(tmp_path / "x", tmp_path / "study")
    run(network, tmp_path / "z", "1/3", PAIR, **test)
    shutil.copy(Shard(tmp_path / "z", 1, 3).path, tmp_path / "x")
    with words.raises(InputError):
        study_status(tmp_path / "x")


def test_damage_is_found(network: Network, tmp_path: Path) -> None:
    shards = tmp_path / "shards"
    run(network, shards, "1/1", PAIR, test="cluster_robust_t")
    for path in (Shard(shards, 1, 1).path, shards / "plan.jsonl"):
        whole = path.read_bytes()
        lines = whole.splitlines(keepends=True)
        position = whole.index(b'{"bytes": "') + 30
        for broken in (
            b"".join(lines[:-1]),  # without its end
            b"".join(lines[:1] + lines[2:]),  # without a row
            whole[: len(whole) // 2],
            whole[:position] + (b"B" if whole[position] == 65 else b"A") + whole[position + 1 :],
            lines[0].replace(b'"layout": 2', b'"layout": 9') + b"".join(lines[1:]),
            b"\x00\xff" + whole,
            b"[" * 100_000,
            b"",
        ):
            path.write_bytes(broken)
            with pytest.raises(InputError, match=path.name):
                merge_shards(shards, tmp_path / "study")
        path.write_bytes(whole)
    assert not (tmp_path / "study").exists()
    merge_shards(shards, tmp_path / "study")


def test_a_unit_that_two_files_hold_differently_is_refused(
    network: Network, tmp_path: Path, words
) -> None:
    shards, test = tmp_path / "shards", {"test": "cluster_robust_t"}
    run(network, shards, "1/2 2/2", PAIR, **test)
    first, second = (Shard(shards, number, 2).path for number in (1, 2))
    lines, others = (path.read_text().splitlines() for path in (first, second))
    end = json.dumps({"rows": len(lines) - 1})
    first.write_text("\n".join([*lines[:-1], others[1], end]) + "\n")
    merge_shards(shards, tmp_path / "study")  # twice the same is no harm
    row = json.loads(others[1])
    row[11] = json.loads(others[2])[11]  # the result of another split
    row[13] = row_digest(*map(_value, row[1:13]))
    first.write_text("\n".join([*lines[:-1], json.dumps(row), end]) + "\n")
    with words.raises(InputError):
        merge_shards(shards, tmp_path / "other")


def test_the_command_line_runs_merges_and_refuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def call(*words: str) -> tuple[int, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            cli.main([*words])
        said = capsys.readouterr()
        return end.value.code or 0, said.out + said.err

    shards, file = str(tmp_path / "shards"), str(tmp_path / "study")
    compare = ["compare", "--example", "--splits", "3", "--test", "cluster_robust_t"]
    for number in "12":
        code, said = call(*compare, "--store", shards, "--shard", f"{number}/2")
        assert code == 0, said
    assert "all is done" in call("status", shards)[1]
    assert json.loads(call("status", shards, "--json")[1])["shards"] == 2
    assert call("merge", shards, file)[0] == 0
    assert timeless(call("report", file, "--json")[1]) == timeless(call(*compare, "--json")[1])
    for words, note in (
        (["--shard", "1/2"], "--shard needs --store FOLDER"),
        (["--shard", "1/2", "--store", shards, "--budget", "1h"], "--budget cannot be combined"),
        (["--shard", "1/2", "--store", shards, "--report", "x.html"], "--report cannot"),
        (["--shard", "1/2", "--store", shards, "--control", "nbc"], "--control needs --models"),
        (["--shard", "3/2", "--store", shards], "--shard: expected I/N"),
    ):
        code, said = call(*compare, *words)
        assert code == 2
        assert note in said


@pytest.mark.slow
def test_the_page_of_the_array_runs_with_the_stand_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (ROOT / "docs" / "user" / "distributed.md").read_text()
    blocks = [block.partition("\n")[2] for block in page.split("```bash")[1:]]
    scripts = [block.partition("```")[0] for block in blocks]
    for name, script in zip(("shards.sbatch", "merge.sbatch"), scripts):
        assert script == (SLURM / name).read_text()
        # what the page runs takes hours
        script = script.replace("=1-16", "=1-2").replace("/16", "/2").replace("100", "3")
        script = script.replace("gcn", "nbc").replace("--replicates 40", "--replicates 10")
        (tmp_path / name).write_text(script)
    network = nettrial.latent_group_network(60, seed=3)
    nettrial.io.write(network, tmp_path / "my_network")
    program = tmp_path / "bin" / "nettrial"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m nettrial "$@"\n')
    program.chmod(0o755)
    path = os.pathsep.join([str(program.parent), str(SLURM), os.environ["PATH"]])
    environment = os.environ | {"PATH": path, "PYTHONPATH": str(ROOT / "src")}

    def shell(text: str) -> str:
        done = subprocess.run(
            ["bash", "-eu", "-c", text],
            cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        logs = [log.read_text() for log in sorted(tmp_path.glob("slurm-*.out"))]
        assert done.returncode == 0, (done.stderr, *logs)
        return done.stdout

    assert shell(scripts[2]) == "Submitted batch job 3\n"
    assert [(tmp_path / f"slurm-{job}.exit").read_text() for job in (1, 2, 3)] == ["0\n"] * 3
    monkeypatch.chdir(tmp_path)
    again = nettrial.read("my_network")
    expected = nettrial.compare(again, "nbc", "wvrn", n_splits=3, n_replicates=10, seed=1)
    assert expected.recommended == "bootstrap"
    merged = stored_comparison(tmp_path / "study.nettrial")
    assert timeless(merged) == timeless(expected)
    printed = (tmp_path / "slurm-3.out").read_text().split()
    assert " ".join(merged.verdict.partition(":")[0].split()) in " ".join(printed)
    assert (tmp_path / "report.html").exists()
    # some tasks again, and what depends on a job that failed
    shell("rm shards/shard-2-of-2.jsonl; sbatch --array=2 shards.sbatch")
    assert study_status(tmp_path / "shards").next_step == ""
    (tmp_path / "shards" / "shard-2-of-2.jsonl").unlink()
    (tmp_path / "study.nettrial").unlink()
    shell("mv my_network away; sbatch shards.sbatch; mv away my_network")
    shell("sbatch --dependency=afterok:5 merge.sbatch; sbatch --dependency=afterany:5 merge.sbatch")
    ended = [(tmp_path / f"slurm-{job}.exit").read_text() for job in (4, 5, 6, 7)]
    assert ended == ["0\n", "1\n", "1\n", "1\n"]
    assert not (tmp_path / "slurm-6.out").exists()  # left waiting
    assert "shard (--shard) 2/2" in (tmp_path / "slurm-7.out").read_text()
