"""A check in the forms that build servers read."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import numpy as np
import pytest

import nettrial
from nettrial.cli import main
from nettrial.report.check_formats import sarif_of, write_junit, write_sarif
from unfair_cases import masks, net, one_hot, overlapping

SCHEMA = {  # the part of SARIF 2.1.0 that its readers rely on, from the standard's own schema
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "version": {"const": "2.1.0"},
        "$schema": {"type": "string", "format": "uri"},
        "runs": {"type": "array", "items": {
            "type": "object",
            "required": ["tool"],
            "properties": {
                "tool": {"type": "object", "required": ["driver"], "properties": {
                    "driver": {"type": "object", "required": ["name"], "properties": {
                        "rules": {"type": "array", "items": {
                            "type": "object", "required": ["id"]}}}}}},
                "results": {"type": "array", "items": {
                    "type": "object",
                    "required": ["message"],
                    "properties": {
                        "level": {"enum": ["none", "note", "warning", "error"]},
                        "message": {"type": "object", "required": ["text"]},
                        "locations": {"type": "array", "items": {
                            "type": "object", "required": ["physicalLocation"]}}}}}}}},
    },
}  # fmt: skip


def test_sarif_has_a_result_for_each_finding() -> None:
    check = nettrial.check(net(one_hot(net())), splits=overlapping())
    log = sarif_of(check, about="my_network")
    jsonschema.validate(log, SCHEMA)
    (run,) = log["runs"]
    found = {each["ruleId"]: each["level"] for each in run["results"]}
    assert found == {"NT102": "error", "NT201": "error", "NT103": "note"}
    place = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": "my_network"}
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} >= set(found)


def test_junit_has_a_test_for_each_kind(tmp_path: Path) -> None:
    check = nettrial.check(net(), splits=overlapping())
    write_junit(check, tmp_path / "check.xml", about="my_network")
    suite = ET.parse(tmp_path / "check.xml").getroot()  # noqa: S314 - ours
    assert suite.attrib["failures"] == "1"
    cases = {case.attrib["name"][:5]: case for case in suite}
    assert len(cases) == int(suite.attrib["tests"])
    failure = cases["NT102"].find("failure")
    assert failure is not None
    assert "draw both sets from different nodes" in failure.attrib["message"]
    assert cases["NT103"].find("system-out") is not None
    assert cases["NT501"].find("skipped") is not None
    assert list(cases["NT104"]) == []


def test_the_command_writes_both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    places = tmp_path / "check.xml", tmp_path / "check.sarif"
    with pytest.raises(SystemExit) as end:
        main(["check", "--example", "--junit", str(places[0]), "--sarif", str(places[1])])
    assert end.value.code == 0
    capsys.readouterr()
    assert ET.parse(places[0]).getroot().tag == "testsuite"  # noqa: S314 - ours
    assert json.loads(places[1].read_text())["runs"][0]["results"] == []


def test_a_finding_is_located_in_its_file(tmp_path: Path) -> None:
    first, second = net().simple_links()
    lines = "".join(f"{a},{b}\n" for a, b in zip(first, second))
    (tmp_path / "edges.csv").write_text("source,target\n" + lines, encoding="utf-8")
    nodes = "".join(
        f"{k},{net().classes[c]},{2 * (k % 6) + c}.5\n" for k, c in enumerate(net().labels)
    )
    (tmp_path / "nodes.csv").write_text("node,label,code\n" + nodes, encoding="utf-8")
    np.savez(tmp_path / "all masks.npz", **masks(leak=5))
    text = "dataset,gcn,gat\ncora,81.5 ± 0.9,82.0 ± 0.7\n"
    (tmp_path / "results.csv").write_text(text, encoding="utf-8")
    network = nettrial.read(tmp_path, label="label", features=["code"])
    check = nettrial.check(tmp_path, n_splits=10, reader=lambda _: network)
    places = {
        each["ruleId"]: each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for each in sarif_of(check, about="my_paper")["runs"][0]["results"]
    }
    root = tmp_path.as_posix()
    assert places["NT102"] == f"{root}/all%20masks.npz"
    assert places["NT201"] == f"{root}/nodes.csv"
    assert places["NT501"] == f"{root}/results.csv"


def test_names_of_any_bytes_are_written(tmp_path: Path) -> None:
    check = nettrial.check(net(), splits=overlapping())
    for about in ("a\x1b[31m\x00", "a\udcff", "a\ufffe"):
        write_junit(check, tmp_path / "check.xml", about=about)
        assert ET.parse(tmp_path / "check.xml").getroot().tag == "testsuite"  # noqa: S314 - ours
        write_sarif(check, tmp_path / "check.sarif", about=about)
        log = json.loads((tmp_path / "check.sarif").read_text(encoding="utf-8"))
        jsonschema.validate(log, SCHEMA)


def test_what_is_read_is_not_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    places = {name: tmp_path / name for name in ("results.md", "graph.xml", "my.sarif")}
    text = "| dataset | gcn | gat |\n|---|---|---|\n| cora | 81.5 ± 0.9 | 82.0 ± 0.7 |\n"
    for place in places.values():
        place.write_text(text, encoding="utf-8")
    table = ("--table", str(places["results.md"]), "--test-share", "0.3", "--splits", "10")
    for arguments in (
        (*table, "--markdown", str(places["results.md"])),
        (*table, "--junit", str(places["results.md"])),
        (*table, "--sarif", str(places["results.md"])),
        (str(tmp_path), "--splits", "10", "--markdown", str(places["results.md"])),
        ("--table", str(places["graph.xml"]), "--junit", str(places["graph.xml"])),
        ("--table", str(places["my.sarif"]), "--sarif", str(places["my.sarif"])),
        (*table, "--sarif", ""),
    ):
        with pytest.raises(SystemExit) as end:
            main(["check", *arguments])
        out, err = capsys.readouterr()
        assert (end.value.code, out, err.count("\n")) == (2, "", 1), err
        assert "is read" in err or "is there already and is no" in err or "got ''" in err
    assert {place.read_text(encoding="utf-8") for place in places.values()} == {text}


def test_codes_may_be_given_twice(capsys: pytest.CaptureFixture[str]) -> None:
    twice = ["check", "--example", "--json", "--select", "NT1,NT204", "--select", "NT202"]
    for arguments, checked in (
        (twice, ["NT106", "NT202", "NT204"]),
        ([*twice, "--ignore", "NT106", "--ignore", "NT204"], ["NT202"]),
    ):
        with pytest.raises(SystemExit):
            main(arguments)
        assert json.loads(capsys.readouterr().out)["checked"] == checked
