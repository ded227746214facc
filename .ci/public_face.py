"""Write docs/lab/public_face.md: every public name and option, at an earlier commit and now.

    python .ci/public_face.py 7d974e9

Exits with 1 where a name or an option is gone and `GONE` does not say where to.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "lab" / "public_face.md"
MODULES = (
    "", "bootstrap", "experiments", "io", "metrics", "models", "report", "splits", "stats",
    "store", "synth", "theory",
)  # fmt: skip
COMMAND = "$ nettrial"
# what is gone, and what stands in its place
GONE = {
    "nettrial.ModelsComparison": "nettrial.MultipleComparison",
    "nettrial.compare_many_predictions": "nettrial.compare_predictions",
    "nettrial.compare_saved": "nettrial.compare_predictions",
    "nettrial.compare_predictions.predictions": "source",
    "nettrial.read_predictions.path": "source",
    "nettrial.read_predictions.a": "models",
    "nettrial.read_predictions.b": "models",
    "nettrial.Network..labelled": ".labeled",
    "nettrial.Network..neighbours": ".neighbors",
    "nettrial.Sweep.errors": "scores",
    "nettrial.models.gcn": 'nettrial.models.GCN, or the name "gcn"',
    "nettrial.models.mlp": 'nettrial.models.MLP, or the name "mlp"',
    "nettrial.stats.cluster_mean_test.p0": "null_value",
    "nettrial.stats.one_sample_t_test.p0": "null_value",
    "nettrial.stats.replicate_comparisons.options": "first, second, confidence, seed",
    "nettrial.experiments.Experiment.senseless": "lacks",
    "$ nettrial leaderboard.path": "paths",
    "$ nettrial convert.--format": "--from",
}


def face() -> dict[str, list[str]]:
    """Return every public name with its parameters, and every command with its options."""
    import nettrial.cli

    found: dict[str, list[str]] = {}
    for module in MODULES:
        name = f"nettrial.{module}".rstrip(".")
        try:
            loaded = importlib.import_module(name)
        except ImportError:
            continue
        for word in getattr(loaded, "__all__", ()):
            if not word.startswith("_"):
                found |= parameters(f"{name}.{word}", getattr(loaded, word))
    group = nettrial.cli.group if hasattr(nettrial.cli, "group") else nettrial.cli.cli
    import click

    context = click.Context(group)
    for word in sorted(group.list_commands(context)):
        command = group.get_command(context, word)
        options = [max(each.opts, key=len) for each in command.params]
        found[f"{COMMAND} {word}"] = sorted(options)
    return found


def parameters(name: str, value: Any) -> dict[str, list[str]]:
    """Return the parameters of a function, or of a class and of its public methods."""
    if inspect.isfunction(value):
        return {name: list(inspect.signature(value).parameters)}
    if not inspect.isclass(value):
        return {name: []}
    try:
        given = list(inspect.signature(value).parameters)
    except ValueError:
        given = []
    methods = [
        word
        for word in dir(value)
        if not word.startswith("_") and word not in given and not hasattr(object, word)
    ]
    return {name: given + [f".{word}" for word in methods]}


def at_commit(commit: str) -> dict[str, list[str]]:
    """Return the face of an earlier commit."""
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(
            ["git", "archive", commit, "src"], cwd=ROOT, capture_output=True, check=True
        )
        subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)
        told = subprocess.run(
            [sys.executable, __file__],
            env={**os.environ, "PYTHONPATH": f"{folder}/src"},
            capture_output=True,
            check=True,
        )
    return dict(json.loads(told.stdout))


def told(name: str, was: list[str] | None, has: list[str] | None) -> tuple[str, list[str]]:
    """Return a cell on what became of a name, and what is gone without a word."""
    if was is None:
        return "new: " + (", ".join(has or ()) or "no options"), []
    if has is None:
        return f"**gone**: {GONE.get(name, '?')}", [] if name in GONE else [name]
    lost = [word for word in was if word not in has]
    cells = [f"{word} → {GONE.get(f'{name}.{word}', '?')}" for word in lost]
    cells += [f"+ {word}" for word in has if word not in was]
    return "; ".join(cells) or "the same", [
        f"{name}.{word}" for word in lost if f"{name}.{word}" not in GONE
    ]


def page(commit: str, before: dict[str, list[str]], after: dict[str, list[str]]) -> list[str]:
    """Write the page; return what is gone without a word."""
    lines = [
        "# Every public name and option, before and after the one engine",
        "",
        f"Made by `python .ci/public_face.py {commit}`: names in the `__all__` of the public",
        "modules with their parameters (of results the fields, with a dot the methods), and",
        f"commands with their options, at commit {commit} and now.",
        "",
        "| name | before | after |",
        "|---|---|---|",
    ]
    missing: list[str] = []
    for name in sorted({*before, *after}):
        was, has = before.get(name), after.get(name)
        cell, gone = told(name, was, has)
        missing += gone
        shown = "" if was is None else ", ".join(was) or "no options"
        lines.append(f"| `{name}` | {shown} | {cell} |")
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return missing


def kept() -> dict[str, list[str]]:
    """Return the face of the earlier commit, as the page holds it."""
    rows = [line.split(" | ") for line in PAGE.read_text(encoding="utf-8").splitlines()]
    return {
        row[0].strip("|` "): [] if row[1] == "no options" else row[1].split(", ")
        for row in rows
        if row[0].startswith("| `") and row[1]
    }


def main() -> int:
    if len(sys.argv) < 2:
        print(json.dumps(face()))
        return 0
    missing = page(sys.argv[1], at_commit(sys.argv[1]), face())
    print("\n".join(missing) or "nothing is gone without a word")
    return int(bool(missing))


if __name__ == "__main__":
    sys.exit(main())
