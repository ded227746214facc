"""The page that leads from the papers and slides to nettrial: its commands run, its names exist."""

from __future__ import annotations

import re
import shlex
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import nettrial.stats
from nettrial.cli import main
from nettrial.experiments import experiment

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "lab" / "sources.md").read_text(encoding="utf-8")
COMMANDS = sorted(set(re.findall(r"`nettrial ((?:test|theory|experiment|measure) [^`]+)`", PAGE)))
WORDS = (
    "recipe", "sample error", "true error", "simple random resampling", "equal-instance",
    "independent set size", "dependent set size", "collective classification", "f-measure",
    "credibility interval", "approximate normal test", "hypergeometric", "overfitting",
    "validation set", "maximum a posteriori", "effective sample size", "null hypothesis", "bias",
    "type ii error", "latent group model",
)  # fmt: skip


def write_tables(words: list[str]) -> None:
    """Write what a printed command reads: the columns that it names, else of two models."""
    named = [after for option, after in pairwise(words) if option in ("--a", "--b")]
    models = named or (["a"] if "one-sample-t" in words else ["a", "b"])
    values = np.random.default_rng(0).normal(0.3, 0.1, (12, len(models)))
    table = pd.DataFrame(values, columns=models).iloc[: 10 if "5x2cv-t" in words else 12]
    if "--groups" in words:
        table[words[words.index("--groups") + 1]] = [f"g{i // 3}" for i in range(len(table))]
    table.to_csv("table.csv", index=False)
    scores = {"label": [1, 0, 1, 0], "score": [0.9, 0.8, 0.7, 0.1], "query": ["x", "x", "y", "y"]}
    pd.DataFrame(scores).to_csv("scores.csv", index=False)


@pytest.mark.parametrize("words", COMMANDS)
def test_commands_run(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command, name, *rest = whole = shlex.split(words)
    if command == "experiment":
        chosen = experiment(name)
        given = dict(text.split("=") for text in rest if text != "--option")
        assert chosen.read_options(given).items() >= given.items()
        return
    if not rest:  # only named: that the test is there
        whole.append("--list")
    monkeypatch.chdir(tmp_path)
    write_tables(whole)
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
