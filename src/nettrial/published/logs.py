"""Training logs turned into a table of results, one row per run."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path

from ..core.errors import InputError, shown
from ..io.guards import read_text
from ..io.vocabulary import STEP

FIELD = re.compile(r"\{(\w+)\}")


def read_logs(
    paths: Sequence[str | Path], patterns: Sequence[str]
) -> tuple[dict[str, list[str]], str]:
    """Read the results of runs from the lines of logs that have a pattern.

    `paths` is one log of several models, where a pattern has {model}, or one of each, named by its
    file. A pattern has names in braces for what is read and "..." for anything, such as "Epoch:
    {epoch}, Loss: ..., Test: {value}". Lines of the last one are results; those of the others say
    what holds for the results below them: "Model: {model}, run {run}". Of results that have {epoch}
    (or step, iteration) the last of each run counts; a run ends where the epoch goes back or a line
    of another pattern follows. Runs are numbered from 0 where the names in braces do not tell them
    apart. Also returns what was read, in words.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "gcn.log")
    >>> _ = path.write_text("Epoch: 1, Test: 0.7\\nEpoch: 2, Test: 0.8\\nEpoch: 1, Test: 0.6\\n")
    >>> read_logs([path], ["Epoch: {epoch}, Test: {value}"])[0]
    {'model': ['gcn', 'gcn'], 'run': ['0', '1'], 'value': ['0.8', '0.6']}
    >>> folder.cleanup()
    """
    names = [name for pattern in patterns for name in FIELD.findall(pattern)]
    if len(set(names)) != len(names):
        raise InputError(
            "a name stands in braces twice", parameter="pattern", hint="give each its own"
        )
    compiled = [_compiled(pattern) for pattern in patterns]
    found: list[dict[str, str]] = []
    skipped = 0
    for path in paths:
        rows, left = _runs(Path(path), compiled)
        skipped += left
        found += [{"model": Path(path).stem} | row for row in rows]
    if len({row["run"] for row in found}) == 1 and len(found) > len(paths):
        found = [{name: word for name, word in row.items() if name != "run"} for row in found]
    present = dict.fromkeys(["model", *names[:-1], "run", *names])
    columns = [name for name in present if name in found[0]]
    note = f"{len(found)} runs read, {skipped} lines without results left out"
    return {name: [row.get(name, "") for row in found] for name in columns}, note


def _compiled(pattern: str) -> re.Pattern[str]:
    """Turn a pattern with names in braces into a regular expression."""
    if not FIELD.search(pattern):
        raise InputError(
            parameter="pattern",
            expected="names in braces, such as 'Epoch: {epoch}, Test: {value}'",
            got=shown(pattern),
        )
    parts = []
    for piece in re.split(r"(\{\w+\}|\.\.\.|\s+)", pattern.strip()):
        if FIELD.fullmatch(piece):
            parts.append(rf"(?P<{piece[1:-1]}>[^\s,;|]+)")
        elif piece == "...":
            parts.append(r".*?")
        elif piece.isspace():
            parts.append(r"\s+")
        else:
            parts.append(re.escape(piece))
    try:
        return re.compile("".join(parts))
    except re.error as error:
        raise InputError(
            f"{shown(pattern)} cannot be used ({error})", parameter="pattern"
        ) from error


def _runs(path: Path, patterns: Sequence[re.Pattern[str]]) -> tuple[list[dict[str, str]], int]:
    """Return the last result of each run of a log, and how many lines hold none."""
    lines = read_text(path).decode().splitlines()
    around: dict[str, str] = {}
    runs: list[dict[str, str]] = []
    last, skipped, counts = math.inf, 0, dict.fromkeys(patterns, 0)
    numbers: dict[tuple[str, ...], int] = {}
    for line in lines:
        for pattern in patterns[:-1]:
            said = pattern.search(line)
            if said:
                counts[pattern] += 1
                around |= said.groupdict()
                last = math.inf
        result = patterns[-1].search(line)
        if result is None:
            skipped += 1
            continue
        counts[patterns[-1]] += 1
        row = around | result.groupdict()
        step = _step(path, row)
        if step <= last:
            place = tuple(around.values())
            numbers[place] = numbers.get(place, -1) + 1
            runs.append({})
        last = step
        runs[-1] = {"run": str(numbers[tuple(around.values())])} | row
    for pattern, count in counts.items():
        if count == 0:
            start = f"; it begins with {shown(lines[0])}" if lines else "; it is empty"
            raise InputError(f"{path}: no line has the pattern {shown(_shown(pattern))}{start}")
    return runs, skipped


def _step(path: Path, row: dict[str, str]) -> float:
    """Take the epoch out of a row; without one, each row is a run."""
    name = next((name for name in row if name.lower() in STEP), None)
    if name is None:
        return -math.inf
    word = row.pop(name)
    try:
        return float(word.partition("/")[0])
    except ValueError as error:
        raise InputError(
            expected=f"a number for {shown(name)}", got=shown(word), where=f"{path}"
        ) from error


def _shown(pattern: re.Pattern[str]) -> str:
    text = re.sub(r"\(\?P<(\w+)>[^()]*\)", r"{\1}", pattern.pattern)
    return re.sub(r"\\(.)", r"\1", text.replace(r"\s+", " ").replace(".*?", "..."))
