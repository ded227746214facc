"""What is said of a release in several places is the same in all."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import nettrial

ROOT = Path(__file__).parents[1]


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
