"""A check in the forms that build servers read."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest

import nettrial
from nettrial.cli import main
from nettrial.report.check_formats import sarif_of, write_junit
from unfair_cases import net, one_hot, overlapping

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
    assert (end.value.code, capsys.readouterr().err) == (0, "")
    assert ET.parse(places[0]).getroot().tag == "testsuite"  # noqa: S314 - ours
    assert json.loads(places[1].read_text())["runs"][0]["results"] == []
