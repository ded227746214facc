"""What is said of a release in several places is the same in all."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

import nettrial

ROOT = Path(__file__).parents[2]


def test_the_citation_has_the_version() -> None:
    assert f"\nversion: {nettrial.__version__}\n" in (ROOT / "CITATION.cff").read_text()


def test_the_recipe_asks_for_what_the_package_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    recipe = (ROOT / ".ci" / "recipe.yaml").read_text()
    run = re.search(r"  run:\n    - python .*\n((?:    - .*\n)+)", recipe)
    assert run
    asked = re.findall(r"- (\S+) (\S+)", run[1].replace("matplotlib-base", "matplotlib"))
    assert ["".join(each) for each in asked] == project["dependencies"]
    assert f'python_min: "{project["requires-python"].removeprefix(">=")}"' in recipe
    assert project["description"].startswith(re.findall("summary: (.*)", recipe)[0])


def test_the_start_page_names_the_extras_that_users_install() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    start = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    sentence = re.search(r"\nExtras: (.*?), as in", start, re.DOTALL)
    assert sentence
    named = re.findall(r"`(\w+)`", sentence[1])
    assert sorted(named) == sorted(
        set(project["optional-dependencies"]) - {"test", "docs", "browser", "dev"}
    )


def test_the_tests_that_hold_what_security_promises_are_there() -> None:
    named = re.findall(r"`([\w/]+\.py)`", (ROOT / "SECURITY.md").read_text())
    assert named
    for name in named:
        assert (ROOT / name).is_file() or (ROOT / "tests" / name).is_file(), name


@pytest.mark.slow
def test_no_module_can_open_a_connection() -> None:
    forbidden = {
        "socket",
        "ssl",
        "http",
        "urllib.request",
        "ftplib",
        "smtplib",
        "requests",
        "httpx",
        "aiohttp",
    }
    found = set()
    for file in sorted(Path(nettrial.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            found |= {(file.name, n) for n in names if forbidden & {n, n.split(".")[0]}}
    # the name of this machine, which tells whether workers of Dask are on others
    assert found == {("shared_network.py", "socket")}
