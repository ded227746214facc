"""The page that leads from the papers and slides to nettrial: its commands run, its names exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import nettrial.stats
from nettrial.cli import main
from nettrial.experiments import experiment

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "lab" / "sources.md").read_text(encoding="utf-8")
COMMANDS = sorted(set(re.findall(r"`nettrial ((?:test|theory|experiment) [^`]+)`", PAGE)))
WORDS = (
    "recipe", "sample error", "true error", "simple random resampling", "equal-instance",
    "independent set size", "dependent set size", "collective classification", "f-measure",
    "credibility interval", "approximate normal test", "hypergeometric", "overfitting",
    "validation set", "maximum a posteriori",
)  # fmt: skip


@pytest.mark.parametrize("words", COMMANDS)
def test_commands_run(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    command, name, *rest = shlex.split(words)
    if command == "experiment":
        chosen = experiment(name)
        given = dict(text.split("=") for text in rest if text != "--option")
        assert chosen.read_options(given).items() >= given.items()
        return
    counts = [text for text in rest if not text.endswith(".csv")]
    # of a table: that the test is there
    whole = [command, name, *counts] if rest and counts == rest else [command, name, "--list"]
    with pytest.raises(SystemExit) as stop:
        main(whole)
    assert stop.value.code == 0, capsys.readouterr().err


def test_functions_are_there() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("|") and "nettrial test" in line]
    named = re.findall(r"`([a-z0-9_]+_(?:test|interval|posterior|anova|quantiles))`", str(rows))
    assert len(named) > 20
    assert [name for name in named if not hasattr(nettrial.stats, name)] == []


@pytest.mark.parametrize("word", WORDS)
def test_the_documents_words_are_in_the_glossary(word: str) -> None:
    assert word in (DOCS / "user" / "glossary.md").read_text(encoding="utf-8").lower()
