"""What lies in a folder of a paper's code, and which results of nettrial can be checked."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, shown
from ..core.finding import SCHEMA
from ..core.option_names import option
from ..core.wording import listed
from ..io.guards import fail, read_head, read_text
from ..published.table import read_entries
from ..splits.sets import KEYS
from .trials import table_runs

TABLES = (".csv", ".tsv", ".md", ".tex", ".xlsx", ".txt")
ARRAYS = (".npz", ".json", ".csv", ".gz", ".pt", ".pth")
OF_PREDICTIONS = (*ARRAYS, ".tsv", ".parquet", ".jsonl")
# what may be called like data, and holds none
CODE = (".py", ".ipynb", ".sh", ".r", ".m", ".jl", ".yaml", ".yml", ".toml", ".png", ".pdf", ".svg",
        ".html")  # fmt: skip
PREDICTED = re.compile(r"pred(iction)?s?([^a-z].*)?|.*[^a-z]pred(iction)?s?([^a-z].*)?")
SPLITS = re.compile(r"(.*[^a-z])?(splits?|masks?|folds?)([^a-z].*)?")
RESULTS = re.compile(r"(.*[^a-z])?(results?|leaderboard|scores?|accurac(y|ies)|table)([^a-z].*)?")
RUNS = re.compile(r"(.*[^a-z])?(runs|trials|sweeps?|multirun|tuning)([^a-z].*)?")
FORMS = {"predictions": PREDICTED, "splits": SPLITS, "runs": RUNS, "table": RESULTS}
# names of files with one set each, and the set
ONE_SET = {name: part for part, names in KEYS.items() for name in names if "_" in name}
CHECKED = ("Comparison", "MultipleComparison", "GroupedComparison", "Sweep")  # kinds of results
# others, and what to check in their place
NOT_CHECKED = {"Check": "check what it was made of", "Leaderboard": "check the table it is of"}


class Found(NamedTuple):
    """What lies in a folder of a paper's code; None where it is not there."""

    splits: Path | None
    predictions: Path | None
    table: Path | None
    runs: Path | None
    results: tuple[Path, ...]
    masks: tuple[Path, ...]  # in place of splits: a file for each set
    unread: tuple[Path, ...]  # called like one of these, and of a form that is not read

    @property
    def files(self) -> tuple[Path, ...]:
        """All that is read."""
        several = (*self[:4], *self.results, *self.masks)
        return tuple(path for path in several if path is not None)


def look_into(folder: Path, named: Mapping[str, Any]) -> Found:
    """Find splits, predictions, a table, runs and results in a folder, by the names of files.

    Parameters
    ----------
    named : mapping
        What the caller names, by the arguments of `check`; it is not looked for.
    """
    named = {name: value for name, value in named.items() if value is not None}
    aside = {Path(value).resolve() for value in named.values()
             if isinstance(value, (str, PathLike))}  # fmt: skip
    files = [p for p in sorted(folder.iterdir()) if p.name[0] not in "._"
             and p.resolve() not in aside]  # fmt: skip
    results = tuple(path for path in files if is_result(path))
    names = {path: path.name.lower().partition(".")[0] for path in files if path not in results}

    def one(word: str, endings: Sequence[str]) -> Path | None:
        hits = [p for p, name in names.items() if word not in named and FORMS[word].fullmatch(name)
                and (p.is_dir() if not endings else p.suffix.lower() in endings)]  # fmt: skip
        if len(hits) > 1:
            what = "tables of results" if word == "table" else word
            raise InputError(
                f"{folder}: {' and '.join(p.name for p in hits)} may both be {what}; name one by "
                f"{option(word)}"
            )
        for path in hits:
            del names[path]
        return hits[0] if hits else None

    predictions = one("predictions", OF_PREDICTIONS) or one("predictions", ())
    masks = () if "splits" in named else _masks(names)
    names = {path: name for path, name in names.items() if path not in masks}
    splits = None if masks else one("splits", ARRAYS)
    runs = one("runs", ()) or one("runs", TABLES)
    table = one("table", TABLES)
    if runs is None and "runs" not in named:
        runs = next((p for p, name in names.items() if p.is_dir() and RESULTS.fullmatch(name)
                     and unreadable(p) is None), None)  # fmt: skip
    unread = tuple(
        path for path, name in names.items() if path != runs and path.suffix.lower() not in CODE
        and any(word not in named and form.fullmatch(name) for word, form in FORMS.items())
    )  # fmt: skip
    return Found(splits, predictions, table, runs, results, masks, unread)


def _masks(names: Mapping[Path, str]) -> tuple[Path, ...]:
    """Return the files that hold a training, a test and perhaps a validation set each."""
    found = [path for path, name in names.items() if path.suffix == ".npy" and name in ONE_SET]
    sets = [ONE_SET[names[path]] for path in found]
    once = len(sets) == len(set(sets))
    return tuple(found) if once and {"train", "test"} <= set(sets) else ()


def read_masks(paths: Sequence[Path]) -> dict[str, NDArray[Any]]:
    """Return the sets of files that hold one each."""
    found = {}
    for path in paths:
        try:
            found[ONE_SET[path.stem.lower()]] = np.load(path, allow_pickle=False)
        except (ValueError, OSError) as error:
            fail(path, f"is no array of numpy ({error})")
    return found


def unreadable(table: Path) -> InputError | None:
    """Return why a file or folder is no table of results or runs."""
    try:
        if not table_runs(table):
            read_entries(table)
    except InputError as error:
        return error
    return None


def is_result(path: Path) -> bool:
    """Return whether a file is the JSON of a result, as `--json` and `to_json` write it."""
    if path.suffix.lower() != ".json" or not path.is_file():
        return False
    return re.match(rb'\s*\{\s*"schema": *\d+, *\s*"kind"', read_head(path, 200)) is not None


def read_result(path: Path) -> Mapping[str, Any]:
    """Read the JSON of a result."""
    try:
        found = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        fail(path, f"is no JSON ({error})")
    return checked_result(found, path)


def checked_result(found: Mapping[str, Any], where: str | Path) -> Mapping[str, Any]:
    """Return a result as `to_dict` gives it; refuse what is none, or has no verdict."""
    kind, schema, tests = found.get("kind"), found.get("schema"), found.get("tests")
    if kind not in CHECKED:
        how = NOT_CHECKED.get(str(kind), f"expected a {listed(CHECKED, 'or')}")
        fail(where, f"is of kind {shown(kind)}, which has no verdict that can be checked; {how}")
    if schema != SCHEMA:
        fail(where, f"has schema {shown(schema)}; this version of nettrial reads {SCHEMA}")
    if tests is not None and not (
        isinstance(tests, list) and all(isinstance(test, Mapping) for test in tests)
    ):
        fail(where, "has no list of tests; write it again by to_json")
    return found
