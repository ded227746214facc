"""What lies in a folder of a paper is read, or named as not read; results are refused by kind."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nettrial
from nettrial.core.errors import InputError
from unfair_cases import compared, masks, net, on_splits, rows_of, runs


def a_network(folder: Path) -> Path:
    network = net()
    lines = "".join(f"{one},{two}\n" for one, two in zip(*network.simple_links()))
    (folder / "edges.csv").write_text("source,target\n" + lines, encoding="utf-8")
    nodes = "".join(f"{k},{network.classes[c]}\n" for k, c in enumerate(network.labels))
    (folder / "nodes.csv").write_text("node,label\n" + nodes, encoding="utf-8")
    return folder


def written(table: dict[str, list[Any]], place: Path, between: str = ",") -> None:
    rows = [table, *zip(*table.values())]
    place.write_text("".join(between.join(map(str, row)) + "\n" for row in rows), encoding="utf-8")


def warned(check: Any) -> str:
    return " ".join(map(str, check.warnings))


def test_masks_in_files_of_their_own_are_splits(tmp_path: Path, words) -> None:
    for name, mask in masks(leak=5).items():
        np.save(a_network(tmp_path) / f"{name}.npy", mask[:, 0])
    check = nettrial.check(tmp_path)
    assert check.n_splits == 1
    assert [each.code for each in check.problems] == ["NT102"]
    np.save(tmp_path / "test_mask.npy", np.array([{}], dtype=object))
    with words.raises(InputError):
        nettrial.check(tmp_path)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::nettrial.NettrialWarning")
@pytest.mark.parametrize("ending", ["tsv", "parquet"])
def test_predictions_of_other_endings_are_read(ending: str, tmp_path: Path) -> None:
    np.savez(a_network(tmp_path) / "masks.npz", **masks())
    table, place = rows_of(lacking=7)["predictions"], tmp_path / f"predictions.{ending}"
    if ending == "tsv":
        written(table, place, "\t")
    else:
        pytest.importorskip("pandas").DataFrame(table).to_parquet(place)
    check = nettrial.check(tmp_path)
    assert (check.models, "NT305" in [each.code for each in check.problems]) == (
        ("wvrn", "nbc"), True,
    )  # fmt: skip


def test_a_folder_of_results_is_read_as_runs(tmp_path: Path) -> None:
    (a_network(tmp_path) / "results").mkdir()
    written(runs(splits_of={"gcn": 5, "gat": 3}), tmp_path / "results" / "all.csv")
    assert "NT306" in [each.code for each in nettrial.check(tmp_path).problems]


@pytest.mark.parametrize(
    ("name", "content"),
    [  # by number in words.json
        ("splits.pkl", pickle.dumps({"train": [1], "test": [2]})),
        ("masks/notes.txt", b"drawn by hand\n"),
        ("splits.npz", b"PK\x03\x04 cut off"),
        ("predictions/gcn.h5", b"\x89HDF\r\n"),
        ("results.csv", b""),
        ("results0.json", b"[[[{"),
        ("data/results.json", b"[[[{"),
        ("runs/gcn.json", b"{"),
        ("tables/main_results.tex", b"to be done"),
    ],
    ids=range(9),
)
def test_what_is_claimed_and_cannot_be_read_is_an_error(
    name: str, content: bytes, tmp_path: Path, words
) -> None:
    place = a_network(tmp_path) / name
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(content)
    with words.raises(InputError):
        nettrial.check(tmp_path)


def test_notes_and_code_are_no_claim(tmp_path: Path) -> None:
    a_network(tmp_path)
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "notes.txt").write_text("better", encoding="utf-8")
    (tmp_path / "make_splits.py").write_text("import numpy\n", encoding="utf-8")
    plan = {"schema": 1, "kind": "Plan", "tests": 3}
    (tmp_path / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    assert "plan.json is a result that has no verdict to check" in warned(nettrial.check(tmp_path))


@pytest.mark.slow
def test_of_two_files_of_one_kind_one_is_named(tmp_path: Path, words) -> None:
    for name in ("predictions.csv", "predictions_old.csv"):
        written(rows_of(lacking=7)["predictions"], a_network(tmp_path) / name)
    np.savez(tmp_path / "masks.npz", **masks())
    with words.raises(InputError):
        nettrial.check(tmp_path)
    check = nettrial.check(tmp_path, predictions=tmp_path / "predictions.csv")
    assert (check.models, check.n_splits) == (("wvrn", "nbc"), 4)


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "Plan"},
        {"kind": "Foo", "tests": 3},
        {"kind": ["Foo"]},
        {"schema": 99},
        {"tests": 3},
        {"tests": [3]},
    ],
)
def test_a_result_of_another_kind_is_refused(change: dict[str, Any], words, tmp_path: Path) -> None:
    made = json.loads(compared().to_json()) | change
    (tmp_path / "a.json").write_text(json.dumps(made), encoding="utf-8")
    for given in (made, tmp_path / "a.json"):
        with words.raises(InputError):
            nettrial.check(given)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"given": net(), "labeled": 0.3}, "labeled= needs a network with splits"),
        ({"given": net(), "design": "kfold"}, "design= needs a network with splits"),
        ({"given": on_splits(), "labeled": 0.3}, "labeled= needs a network with splits"),
        ({"table": runs(), "labeled": 0.3}, "labeled= needs a network with splits"),
        ({"table": runs(), "splits": masks()}, "splits= needs a network"),
        ({"given": net(), "n_splits": 3}, "n_splits= needs table="),
        ({"given": net(), "test_share": 0.3}, "test_share= needs table="),
        ({}, "nothing here can be checked; give a network with classes, splits"),
    ],
)
def test_a_claim_that_nothing_can_be_held_against_is_refused(
    given: dict[str, Any], says: str
) -> None:
    with pytest.raises(InputError, match=says):
        nettrial.check(**given)
