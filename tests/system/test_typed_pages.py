"""The Python of README and guide passes mypy: results have the types that the pages use."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(python|pycon)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# what pages take for granted, each with its type
GIVEN = {
    "network": "network: nettrial.Network",
    "found": "found: nettrial.Comparison",
    "mlflow": "mlflow: Any",
    "wandb": "wandb: Any",
}
# what readers write themselves has no annotations there; all that nettrial gives is checked
STRICT = [
    "--strict",
    "--allow-untyped-defs",
    "--allow-untyped-calls",
    "--allow-redefinition",
    "--allow-subclassing-any",
]


def python_of(page: Path) -> str:
    """Return the Python of a page, after declarations of what it takes for granted."""
    parts = [
        "".join(each.source for each in doctest.DocTestParser().get_examples(text))
        if kind == "pycon"
        else text
        for kind, text in BLOCK.findall(page.read_text(encoding="utf-8"))
    ]
    text = "\n".join(parts)
    made = re.compile(r"^(\w+)(?:, \w+)* = ", re.MULTILINE).findall(text)
    given = [line for name, line in GIVEN.items() if name not in made and name in text]
    return "\n".join(["from typing import Any", "import nettrial", *given, text]) if text else ""


@pytest.mark.slow
def test_pages_pass_a_strict_type_checker(tmp_path: Path) -> None:
    pytest.importorskip("mypy", reason="needs mypy")
    files = []
    modules = ROOT / "docs/lab/reading.md"  # whose blocks belong into the package and the tests
    for page in [ROOT / "README.md", *sorted({*(ROOT / "docs").rglob("*.md")} - {modules})]:
        if text := python_of(page):
            name = re.sub(r"\W", "_", str(page.relative_to(ROOT).with_suffix("")))
            files.append(tmp_path / f"{name}.py")
            files[-1].write_text(text, encoding="utf-8")
    assert len(files) > 20
    files.append(tmp_path / "faces.py")
    files[-1].write_text(FACES, encoding="utf-8")
    ended = subprocess.run(
        [sys.executable, "-m", "mypy", *STRICT, "--config-file", str(ROOT / "pyproject.toml"),
         "--cache-dir", str(tmp_path / "cache"), *map(str, files)],
        cwd=tmp_path, capture_output=True, text=True, check=False,
        env=os.environ | {"MYPYPATH": str(ROOT / "src")},
    )  # fmt: skip
    said = [line for line in ended.stdout.splitlines() if ": error:" in line]
    assert not said, "\n".join(said)
    assert ended.returncode == 0, ended.stdout + ended.stderr


# which question gives which result; what is wrong is an error that mypy expects
FACES = """
from typing import assert_type
import nettrial as nt

net = nt.latent_group_network(60, seed=1)
assert_type(nt.compare(net, "wvrn", "nbc"), nt.Comparison)
assert_type(nt.compare(net, "wvrn", "nbc", labeled=0.3, seed=1), nt.Comparison)
assert_type(nt.compare(net, ["wvrn", "nbc", "prior"]), nt.MultipleComparison)
assert_type(nt.compare(net, "wvrn", "nbc", labeled=[0.1, 0.3]), nt.Sweep)
assert_type(nt.compare(net, ["wvrn", "nbc"], labeled=[0.1, 0.3]), nt.Sweep)
assert_type(nt.compare({"a": net, "b": net}, "wvrn", "nbc"), nt.AcrossNetworks)
assert_type(nt.compare([net, net], ["wvrn", "nbc"]), nt.AcrossNetworks)
found = nt.compare(net, "wvrn", "nbc")
assert_type(found.scores["wvrn"], float)
assert_type(found.difference, float)
assert_type(found.test("bootstrap").pvalue, float)
nt.compare(net, "wvrn", "nbc", n_splits="3")  # type: ignore[call-overload]
nt.compare(net, "wvrn", "nbc", n_split=3)  # type: ignore[call-overload]
nt.compare_predictions(found.predictions, n_jobs=2)  # type: ignore[call-arg]
"""
