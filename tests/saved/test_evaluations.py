"""Logs of language-model evaluations: read, paired by item, compared by group."""

from __future__ import annotations

import json
import sys
import tracemalloc
import zipfile

import numpy as np
import pytest

import nettrial
from nettrial.cli import main
from nettrial.comparison.grouped import compare_grouped
from nettrial.core.errors import InputError
from nettrial.saved.evaluations import paired_items, read_evaluation

N = 40


def harness(seed, *, better=0.0, **more):
    """Lines as lm-evaluation-harness writes them, four questions a passage."""
    rng = np.random.default_rng(seed)
    return [
        {"doc_id": i, "doc": {"passage": f"p{i // 4}", "q": i}, "target": "yes", "arguments": {},
         "resps": [["yes"]], "filtered_resps": ["yes"], "doc_hash": f"h{i}",
         "acc": float(rng.random() < 0.5 + better), **more}
        for i in range(N)
    ]  # fmt: skip


def lines(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def inspect_log(seed, *, epochs=1):
    """A log as Inspect writes it."""
    rng = np.random.default_rng(seed)
    samples = [
        {"id": f"s{i}", "epoch": epoch, "input": f"question {i}",
         "metadata": {"document": {"name": i // 4}},
         "scores": {"choice": {"value": "C" if rng.random() < 0.6 else "I", "answer": "A"}}}
        for epoch in range(1, epochs + 1) for i in range(N)
    ]  # fmt: skip
    return {"version": 2, "status": "success", "eval": {"task": "t"}, "samples": samples}


def test_samples_of_the_harness_are_paired_by_item(tmp_path):
    first, second = harness(1, better=0.3), harness(2)
    a = read_evaluation(lines(tmp_path / "a.jsonl", first), group="doc.passage")
    b = read_evaluation(lines(tmp_path / "b.jsonl", second[::-1]), group="doc.passage")
    found = compare_grouped(a, b)
    by_hand = compare_grouped(
        [record["acc"] for record in first],
        [record["acc"] for record in second],
        [record["doc"]["passage"] for record in first],
    )
    assert found.n_groups == N // 4
    assert found.difference == pytest.approx(by_hand.difference)
    for one, two in zip(found.tests, by_hand.tests):
        assert one.pvalue == pytest.approx(two.pvalue)


def test_inspect_logs_average_their_epochs(tmp_path):
    log = inspect_log(3, epochs=3)
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log))
    found = read_evaluation(path, group="metadata.document.name")
    right = [s["scores"]["choice"]["value"] == "C" for s in log["samples"] if s["id"] == "s5"]
    assert found.times == 3 * N
    assert found.values["s5"] == pytest.approx(np.mean(right))
    with zipfile.ZipFile(tmp_path / "log.eval", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", "{}")
        for sample in log["samples"]:
            name = f"samples/{sample['id']}_epoch_{sample['epoch']}.json"
            archive.writestr(name, json.dumps(sample))
    packed = read_evaluation(tmp_path / "log.eval", group="metadata.document.name")
    assert (packed.values, packed.groups) == (found.values, found.groups)


def test_inspect_logs_are_packed_by_zstandard(tmp_path, monkeypatch, words):
    opener = pytest.importorskip("backports.zstd.zipfile")
    log, path = inspect_log(3), tmp_path / "log.eval"
    with opener.ZipFile(path, "w", opener.ZIP_ZSTANDARD) as archive:
        archive.writestr("header.json", "{}")
        for sample in log["samples"]:
            name = f"samples/{sample['id']}_epoch_{sample['epoch']}.json"
            archive.writestr(name, json.dumps(sample))
    (tmp_path / "log.json").write_text(json.dumps(log))
    found, plain = (
        read_evaluation(file, group="metadata.document.name")
        for file in (path, tmp_path / "log.json")
    )
    assert (found.values, found.groups) == (plain.values, plain.groups)
    whole = path.read_bytes()
    at = whole.index(b"\x28\xb5\x2f\xfd") + 8  # within the first frame
    path.write_bytes(whole[:at] + b"\xff" * 16 + whole[at + 16 :])
    with words.raises(InputError):
        read_evaluation(path, group="metadata.document.name")
    path.write_bytes(whole)
    only_zip = zipfile, (ValueError,)
    monkeypatch.setattr("nettrial.saved.inspect_archive._archives", lambda: only_zip)
    if sys.version_info < (3, 14):
        with words.raises(InputError):
            read_evaluation(path, group="metadata.document.name")


@pytest.fixture(scope="module")
def packed_log(tmp_path_factory) -> bytes:
    path = tmp_path_factory.mktemp("log") / "log.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps({"status": "success"}))
        for sample in inspect_log(3)["samples"]:
            archive.writestr(f"samples/{sample['id']}.json", json.dumps(sample))
    return path.read_bytes()


def flipped(whole: bytes, places, path) -> tuple[list[str], list[tuple[int, int]]]:
    """Return the errors of one-bit flips, and those flips that change what is read unnoticed."""
    path.write_bytes(whole)
    before, errors, silent = read_evaluation(path, group="metadata.document.name"), [], []
    for place, bit in places:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << bit
        path.write_bytes(damaged)
        try:
            found = read_evaluation(path, group="metadata.document.name")
        except InputError as error:
            errors.append(str(error))
        else:  # a date or an attribute
            if found != before:
                silent.append((place, bit))
    return errors, silent


def test_flipped_bits_of_an_archive_are_an_error_with_its_name_or_change_nothing(
    packed_log, tmp_path
):
    random, path = np.random.default_rng(0), tmp_path / "log.eval"
    # anywhere, and in the directory at the end, which is read first
    places = [*random.integers(0, len(packed_log), 200),
              *random.integers(len(packed_log) - 400, len(packed_log), 200)]  # fmt: skip
    errors, silent = flipped(packed_log, [(k, random.integers(8)) for k in places], path)
    assert not silent
    assert len(errors) > 200
    assert all(str(path) in each for each in errors)


@pytest.mark.slow
def test_every_bit_of_the_directory_of_an_archive_counts_or_changes_nothing(tmp_path):
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for sample in inspect_log(3)["samples"][:3]:
            archive.writestr(f"samples/{sample['id']}.json", json.dumps(sample))
        archive.writestr("header.json", json.dumps({"status": "success"}))
        archive.writestr("summaries.json", "[]")
    whole = path.read_bytes()
    directory = range(whole.index(b"PK\1\2"), len(whole))
    _, silent = flipped(whole, [(k, bit) for k in directory for bit in range(8)], path)
    assert not silent


def eval_file(path, samples, **header):
    with zipfile.ZipFile(path, "w") as archive:
        for k, sample in enumerate(samples):
            archive.writestr(f"samples/{k}.json", json.dumps(sample))
        if header:
            archive.writestr("header.json", json.dumps(header))
    return path


def test_a_log_that_lacks_its_header_or_samples_is_refused(tmp_path, words):
    samples, path = inspect_log(3)["samples"], tmp_path / "log.eval"
    with words.raises(InputError):
        read_evaluation(eval_file(path, samples), group="metadata")
    counted = {"status": "success", "results": {"completed_samples": N + 1}}
    with words.raises(InputError):
        read_evaluation(eval_file(path, samples, **counted), group="metadata")
    plain = tmp_path / "log.json"
    plain.write_text(json.dumps(counted | {"samples": samples}))
    with words.raises(InputError):
        read_evaluation(plain, group="metadata")
    with words.raises(InputError):
        read_evaluation(eval_file(path, [], status="success"), group="metadata")


@pytest.mark.parametrize("part", [0.1, 0.5, 0.99])
def test_an_archive_that_was_cut_off_is_refused_in_these_words(packed_log, tmp_path, part):
    path = tmp_path / "log.eval"
    path.write_bytes(packed_log[: int(part * len(packed_log))])
    with pytest.raises(InputError, match=r"log\.eval: is damaged or cut off"):
        read_evaluation(path, group="metadata.document.name")


def test_an_archive_that_expands_beyond_its_limits_is_refused_unread(tmp_path, words):
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("samples/s0.json", json.dumps({"id": 1, "input": " " * 50_000_000}))
    tracemalloc.start()
    with words.raises(InputError):
        read_evaluation(path, group="metadata.document.name")
    assert tracemalloc.get_traced_memory()[1] < 5_000_000
    tracemalloc.stop()


def test_several_files_are_several_seeds(tmp_path):
    paths = [lines(tmp_path / f"{seed}.jsonl", harness(seed)) for seed in range(3)]
    found = read_evaluation(paths, group="doc.passage")
    assert found.times == 3 * N
    assert found.shares  # right answers, so that their means are shares
    one = read_evaluation(paths[0], group="doc.passage")
    assert nettrial.compare_grouped(found, one).shares
    assert found.values["7"] == pytest.approx(np.mean([harness(s)[7]["acc"] for s in range(3)]))


def test_one_line_a_filter_gives_scores_with_its_name(tmp_path, words):
    both = [
        {**record, "filter": name, "metrics": ["acc"]}
        for name in ("strict-match", "flexible-extract")
        for record in harness(1)
    ]
    path = lines(tmp_path / "a.jsonl", both)
    with words.raises(InputError):
        read_evaluation(path, group="doc.passage")
    found = read_evaluation(path, group="doc.passage", score="acc,strict-match")
    assert len(found.values) == N
    with words.raises(InputError):
        read_evaluation(path, group="doc.passage", score="acc")
    alone = [{**record, "filter": "none", "metrics": ["acc"]} for record in harness(1)]
    one = lines(tmp_path / "b.jsonl", alone)
    assert read_evaluation(one, group="doc.passage", score="acc").score == "acc,none"


@pytest.mark.parametrize(
    "change",
    [
        lambda r: r[:-1],
        lambda r: [{**r[0], "doc_hash": "other"}, *r[1:]],
        lambda r: [{**r[0], "doc": {"passage": "x"}}, *r[1:]],
    ],
)
def test_models_that_answered_other_items_are_refused(tmp_path, change, words):
    a = read_evaluation(lines(tmp_path / "a.jsonl", harness(1)), group="doc.passage")
    b = read_evaluation(lines(tmp_path / "b.jsonl", change(harness(2))), group="doc.passage")
    with words.raises(InputError):
        paired_items(a, b)


@pytest.mark.parametrize(
    "text",
    [
        '{"doc_id": 0}',
        '{"doc_id": 0, "acc": NaN}',
        "not json",
        '{"x": 1}',
        '{"doc_id": 0, "acc": 1, "doc": {"text": "t"}}',
        '{"doc_id": 0, "acc": 1, "doc": {"passage": null}}',
        "",
        "[" * 100_000,
    ],
)
def test_what_is_no_log_is_refused(tmp_path, text, words):
    path = tmp_path / "bad.jsonl"
    path.write_text(text)
    with words.raises(InputError):
        read_evaluation(path, group="doc.passage")


def test_a_log_that_ended_in_errors_is_refused(tmp_path, words):
    log = inspect_log(1)
    log["samples"][3]["scores"] = None
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log))
    with words.raises(InputError):
        read_evaluation(path, group="metadata.document")


@pytest.mark.parametrize("packed", [False, True])
def test_a_log_whose_status_is_no_success_is_refused(tmp_path, packed):
    log = {**inspect_log(1), "status": "error"}
    path = tmp_path / ("log.eval" if packed else "log.json")
    if packed:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("samples/s0_epoch_1.json", json.dumps(log.pop("samples")[0]))
            archive.writestr("header.json", json.dumps(log))
    else:
        path.write_text(json.dumps(log))
    with pytest.raises(InputError, match="status 'success', got 'error'; run it to its end"):
        read_evaluation(path, group="metadata.document.name")


def test_an_item_without_score_or_record_of_groups_is_told(tmp_path, words):
    records = harness(1)
    records[3]["acc"] = None
    path = lines(tmp_path / "a.jsonl", records)
    with words.raises(InputError):
        read_evaluation(path, group="doc.passage", score="acc")
    records = harness(1)
    records[3]["doc"] = {}
    path = lines(tmp_path / "b.jsonl", records)
    with words.raises(InputError):
        read_evaluation(path, group="doc.passage", score="acc")


def test_two_logs_without_groups_are_told_of_the_option(capsys):
    with pytest.raises(SystemExit):
        main(["compare", "--a", "x.jsonl", "--b", "y.jsonl"])
    assert "add --groups" in capsys.readouterr().err


def test_the_command_line_takes_two_logs(tmp_path, capsys):
    paths = [str(lines(tmp_path / f"{n}.jsonl", harness(s))) for n, s in (("new", 1), ("old", 2))]
    options = ["compare", "--a", paths[0], "--b", paths[1], "--groups", "doc.passage"]
    with pytest.raises(SystemExit) as ended:
        main([*options, "--score", "acc"])
    assert ended.value.code == 0
    note = capsys.readouterr().out
    assert "new" in note
    assert "old" in note
    assert "10 groups" in note


def test_groups_needed_is_where_the_power_is_reached():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(30), 10)
    shift = rng.normal(0, 0.2, 30)[groups]
    a, b = (np.round(rng.normal(mean + shift, 0.3), 3) for mean in (0.1, 0.0))
    found = nettrial.compare_grouped(a, b, groups)
    needed = found.groups_needed(found.smallest_detectable)
    assert needed in (found.n_groups, found.n_groups + 1)
    # the power with that many groups, by drawing whole studies from these groups
    per_group = np.bincount(groups, a - b) / 10
    wanted, rejected = 0.08, 0
    needed = found.groups_needed(wanted)
    for _ in range(2000):
        drawn = rng.choice(per_group - per_group.mean() + wanted, needed)
        error = drawn.std(ddof=1) / np.sqrt(needed)
        rejected += abs(drawn.mean()) / error > 2.05
    assert rejected / 2000 == pytest.approx(0.8, abs=0.06)
