"""A check as JUnit tests and as SARIF, which build servers show beside code.

JUnit has no standard; this is the part that Jenkins, GitLab and GitHub's actions read. SARIF is
version 2.1.0 of OASIS.
"""

from __future__ import annotations

import json
import os
from os import PathLike
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree as ET

from ..checking.check import Check
from ..checking.kinds import KINDS
from ..core.atomic import whole_file
from ..core.plain_text import printable
from ..core.version import __version__

SARIF = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def write_junit(found: Check, path: str | PathLike[str], *, about: str = "") -> None:
    """Write a test for each kind that was checked: a problem fails, a note is its output.

    Kinds for which an input is missing are skipped.
    """
    suite = ET.Element("testsuite", name="nettrial check")
    for each in found.checked:
        case = ET.SubElement(suite, "testcase", classname=f"nettrial.check.{each.code}",
                             name=f"{each.code} {each.title}",
                             file=printable(each.file or about))  # fmt: skip
        if each.problem is None:
            continue
        if each.problem.serious:
            said = printable(each.sentences)
            ET.SubElement(case, "failure", type=each.code, message=said).text = said
        else:
            ET.SubElement(case, "system-out").text = f"Note. {printable(each.sentences)}"
    for code in found.left_out:
        case = ET.SubElement(suite, "testcase", classname=f"nettrial.check.{code}",
                             name=f"{code} {KINDS[code].title}", file=printable(about))  # fmt: skip
        ET.SubElement(case, "skipped", message="not checked for lack of input")
    counts = {"tests": len(found.checked) + len(found.left_out), "errors": 0,
              "failures": len(found.problems), "skipped": len(found.left_out)}  # fmt: skip
    suite.attrib.update({name: str(count) for name, count in counts.items()})
    ET.indent(suite)
    text = ET.tostring(suite, encoding="unicode", xml_declaration=False)
    _write(f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n', path)


def sarif_of(found: Check, *, about: str = "") -> dict[str, Any]:
    """Return the findings as one SARIF log: problems are errors, notes are notes.

    Parameters
    ----------
    about : str
        The file or folder that was checked. A finding is located there where no file is known
        to hold what it is about.

    Examples
    --------
    >>> import nettrial
    >>> log = sarif_of(nettrial.check(nettrial.latent_group_network(200, seed=1)))
    >>> log["version"], log["runs"][0]["results"]
    ('2.1.0', [])
    """
    codes = [*(each.code for each in found.checked), *found.left_out]
    rules = [
        {
            "id": code,
            "name": "".join(word.capitalize() for word in KINDS[code].title.split()),
            "shortDescription": {"text": KINDS[code].title},
            "help": {"text": f"To do: {KINDS[code].advice}."},
        }
        for code in sorted(codes)
    ]

    def place(file: str) -> dict[str, Any]:
        uri = quote(os.fsencode(Path(file or about).as_posix()))
        return {"physicalLocation": {"artifactLocation": {"uri": uri}}}

    results = [
        {
            "ruleId": each.code,
            "level": "error" if each.problem.serious else "note",
            "message": {"text": printable(each.sentences)},
            "locations": [place(each.file)],
            "properties": {"size": each.problem.size, "of": each.problem.of,
                           "unit": each.problem.unit, "sure": each.problem.sure},
        }
        for each in (*found.problems, *found.notes)
        if each.problem is not None
    ]  # fmt: skip
    driver = {"name": "nettrial", "version": __version__, "rules": rules}
    return {
        "$schema": SARIF,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }


def write_sarif(found: Check, path: str | PathLike[str], *, about: str = "") -> None:
    """Write the findings as SARIF, see `sarif_of`."""
    _write(json.dumps(sarif_of(found, about=about), indent=1), path)


def _write(text: str, path: str | PathLike[str]) -> None:
    with whole_file(path) as draft:
        draft.write_text(text, encoding="utf-8")
