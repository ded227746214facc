"""What lies in a folder of a paper's code, and which results of nettrial can be checked."""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from ..core.errors import InputError, shown
from ..core.finding import SCHEMA
from ..core.option_names import option
from ..core.wording import listed
from ..io.archive import members_of
from ..io.contents import contents_of
from ..io.folder import is_graph_folder
from ..io.guards import fail, read_head
from ..io.rows import first_rows
from ..io.vocabulary import (
    ID,
    LINK_FILES,
    MODEL_HEADS,
    NODE_FILES,
    POSITION,
    PREDICTION,
    SET,
    SET_OF,
    says,
    usual,
    words,
)
from ..published.table import read_entries
from ..splits.files import NO_DATA
from ..splits.forms import by_split, is_whole
from .trials import table_runs

CODE = tuple(ending for ending in NO_DATA if ending != ".md")  # may be called like data
TABLES = (".csv", ".tsv", ".md", ".tex", ".xlsx", ".txt", ".json", ".jsonl")
PROSE = (".md", ".tex", ".txt")  # in which no table of results is looked for unless they say so
LISTED = (".txt", ".npy", ".npz", ".pt", ".pth", ".csv", ".tsv", ".json")  # that hold one set each
OF_SETS = {"mask", "masks", "idx", "index", "indices", "ids", "nodes"}
PREDICTED = re.compile(r"pred(iction)?s?([^a-z].*)?|.*[^a-z]pred(iction)?s?([^a-z].*)?"
                       r"|(.*[^a-z])?vorhersagen?([^a-z].*)?")  # fmt: skip
SPLITS = re.compile(r"(.*[^a-z])?(splits?|masks?|folds?)([^a-z].*)?")
RUNS = re.compile(r"(.*[^a-z])?(runs|trials|sweeps?|multirun|tuning)([^a-z].*)?")
RESULTS = re.compile(
    r"(.*[^a-z])?(results?|leaderboard|scores?|accurac(y|ies)|table|ergebnisse?)([^a-z].*)?"
)
FORMS = {"predictions": PREDICTED, "splits": SPLITS, "runs": RUNS, "table": RESULTS}
CHECKED = ("Comparison", "MultipleComparison", "GroupedComparison", "Sweep")  # kinds of results
# others, and what to check in their place
NOT_CHECKED = {"Check": "check what it was made of", "Leaderboard": "check the table it is of"}


class Found(NamedTuple):
    """What lies in a folder of a paper's code; None where it is not there."""

    splits: tuple[Path, ...]  # files or a folder that hold them together
    predictions: Path | None
    table: Path | None
    runs: Path | None
    results: tuple[Path, ...]
    rest: tuple[Path, ...]  # which may be the network

    @property
    def files(self) -> tuple[Path, ...]:
        """All that is read."""
        several = (*self.splits, self.predictions, self.table, self.runs, *self.results)
        return tuple(path for path in several if path is not None)


def look_into(folder: Path, named: Mapping[str, Any]) -> Found:
    """Find splits, predictions, a table, runs and results in a folder and the folders in it.

    Names of files and folders say what they hold; where none is called like a table of results,
    predictions or splits, the heads of tables do.

    Parameters
    ----------
    named : mapping
        What the caller names, by the arguments of `check`; it is not looked for.

    Raises
    ------
    InputError
        Where two may both be the same.
    """
    named = {name: value for name, value in named.items() if value is not None}
    aside = {Path(value).resolve() for value in named.values()
             if isinstance(value, (str, PathLike))}  # fmt: skip
    paths = _candidates(folder, aside)
    results = tuple(path for path in paths if is_result(path))
    left = [path for path in paths if path not in results]
    lists = _one_set_each(left)
    found: dict[str, tuple[Path, ...]] = {}
    for word, form in FORMS.items():
        hits = tuple(p for p in left if form.fullmatch(_stem(p)) and p not in lists)
        if word == "splits":
            hits = (*lists, *hits)
        if word == "runs" and not hits:
            hits = tuple(p for p in left if p.is_dir() and RESULTS.fullmatch(_stem(p)))
        left = [path for path in left if path not in hits]
        found[word] = () if word in named else hits
    for path in (path for path in left if path.is_file()):
        seen = _seen_as(path)
        if seen is not None and seen not in named and not found[seen]:
            found[seen] = (path,)
    left = [path for path in left if not any(path in several for several in found.values())]
    for word, hits in found.items():
        if len(hits) > 1 and not (word == "splits" and _go_together(hits, lists)):
            names = [path.relative_to(folder).as_posix() for path in hits]
            what = "tables of results" if word == "table" else word
            raise InputError(
                f"{folder}: {' and '.join(names)} may both be {what}; name one by {option(word)}"
            )
    one = {word: hits[0] if hits else None for word, hits in found.items()}
    return Found(
        found["splits"], one["predictions"], one["table"], one["runs"], results, tuple(left)
    )


def _stem(path: Path) -> str:
    return path.name.lower().partition(".")[0]


def _candidates(folder: Path, aside: Collection[Path]) -> list[Path]:
    """List what may hold data, in a folder and in those folders in it that no name stands for.

    A folder of results that holds no runs is looked into, too.
    """
    found = []
    for path in sorted(folder.iterdir()):
        if path.name[0] in "._" or path.resolve() in aside or path.suffix.lower() in CODE:
            continue
        if not path.is_dir() or is_graph_folder(path):
            found.append(path)
            continue
        inside = [p for p in sorted(path.iterdir()) if p.name[0] not in "._" and p.is_file()
                  and p.suffix.lower() not in CODE and p.resolve() not in aside]  # fmt: skip
        claims = [word for word, form in FORMS.items() if form.fullmatch(_stem(path))]
        tables = claims == ["table"] and (
            _claimed(inside) or (any(map(_is_table, inside)) and unreadable(path) is not None)
        )
        found += inside if tables or not claims else [path]
        found += [path] if not claims else []
    return [p for p in found if not p.is_dir() or _holds_data(p)]


def _claimed(paths: Sequence[Path]) -> bool:
    forms = (PREDICTED, SPLITS)
    return any(form.fullmatch(_stem(path)) for form in forms for path in paths)


def _is_table(path: Path) -> bool:
    return path.suffix.lower() in TABLES and path.suffix.lower() not in PROSE


def _holds_data(folder: Path) -> bool:
    """Return whether anything but notes and pictures lies in a folder."""
    aside = NO_DATA if SPLITS.fullmatch(_stem(folder)) else (*NO_DATA, *PROSE)
    return any(p.is_file() and p.suffix.lower() not in aside for p in folder.rglob("*"))


def _one_set_each(paths: Sequence[Path]) -> tuple[Path, ...]:
    """Return the files in one folder that hold a training, a test and perhaps a validation set."""
    found: list[Path] = []
    for folder in dict.fromkeys(path.parent for path in paths):
        stems = {_stem(p): p for p in paths if p.parent == folder and p.suffix.lower() in LISTED
                 and (OF_SETS & set(words(_stem(p))) or _is_list(p))}  # fmt: skip
        for sets in by_split(stems, files=True).values():
            found += [stems[name] for name in sets.values()] if is_whole(sets) else []
    return tuple(found)


def _is_list(path: Path) -> bool:
    """Return whether a file called after a set holds nothing but one list of nodes."""
    if not SET_OF.keys() & set(words(_stem(path))) or path.suffix.lower() not in LISTED:
        return False
    try:
        held = contents_of(path)
    except InputError:
        return False
    return getattr(held, "ndim", 0) == 1


def _go_together(paths: Sequence[Path], lists: Sequence[Path]) -> bool:
    """Return whether files hold the sets of one another's splits, or a split each by number."""
    if lists:
        return set(paths) == set(lists)
    return len({(path.parent, re.sub(r"\d+", "", path.name)) for path in paths}) == 1


def _seen_as(path: Path) -> str | None:
    """Return what the head of a file shows that it holds, of a name that says nothing."""
    suffix = path.suffix.lower()
    if says(path.name, (*LINK_FILES, *NODE_FILES)) or suffix not in (".csv", ".tsv", ".npz"):
        return None
    if suffix == ".npz":
        names = set(members_of(read_head(path, 16), path) or ())
        names = {name.removesuffix(".npy") for name in names}
        of = any(map(is_whole, by_split(names).values()))
        return "splits" if of and not names & {"edge_index", "x", "adj_data"} else None
    try:
        heads, *rows = first_rows(read_head(path))
    except (ValueError, csv.Error):
        return None
    model = usual(heads, MODEL_HEADS)
    if usual(heads, (*ID, *POSITION)) is None:
        return "table" if model is not None and unreadable(path) is None else None
    if usual(heads, PREDICTION) is not None:
        return "predictions"
    sets = any(SET_OF.get(cell.lower()) for row in rows for cell in row)
    return "splits" if usual(heads, SET) is not None and sets else None


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
    return checked_result(contents_of(path), path)


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
