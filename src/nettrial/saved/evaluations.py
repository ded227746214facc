"""Scores of language models on single items, as evaluation programs write them.

Two layouts are read: the samples of lm-evaluation-harness (``--log_samples``; one JSON object a
line) and logs of Inspect (``.json``, or ``.eval``, which is a zip archive of JSON). Each gives an
item's identity, its score and the record in which its group is found.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError, not_found, shown
from ..core.option_names import option, written
from ..core.wording import shorten
from ..io.guards import fail, read_bytes
from ..io.jsongraph import constant, load
from .inspect_archive import begins_as_archive, check_ended, members

# what lm-evaluation-harness writes beside the scores
NO_SCORE = {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics",
            "doc_hash", "prompt_hash", "target_hash"}  # fmt: skip
LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}  # of Inspect: correct, partial, not, no answer
LARGEST_SCORE = 1e300
SHOWN = 5

Record = Mapping[str, Any]


class Item(NamedTuple):
    """One item as one model answered it: who it is, its scores by name, and where its group is."""

    identity: str
    content: str  # tells whether two models saw the same item; empty where that is not kept
    scores: dict[str, float]
    record: Record
    model: str = ""  # where the program keeps its name


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What one model scored on each item.

    Attributes
    ----------
    source : str
        The files.
    score : str
        Which score.
    values : dict of str to float
        Score by item; the mean where an item was answered several times (epochs, seeds).
    groups : dict of str to str
        Group by item.
    contents : dict of str to str
        A digest of the item, where the program keeps one.
    times : int
        Answers in all.
    shares : bool
        Whether every answer is scored 0 or 1, so that means are shares.
    model : str
        The model's name; empty where the program does not keep it.
    """

    source: str
    score: str
    values: dict[str, float]
    groups: dict[str, str]
    contents: dict[str, str]
    times: int
    shares: bool = False
    model: str = ""


@check_arguments
def read_evaluation(
    paths: str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    group: str,
    score: str | None = None,
) -> Evaluation:
    """Read what one model scored on each item.

    Parameters
    ----------
    paths : path or sequence of path
        Samples of lm-evaluation-harness (``samples_*.jsonl``) or logs of Inspect (``.json``,
        ``.eval``) of one model on one task; several for several seeds.
    group : str
        Where an item's group is found in its record, names joined by dots: ``doc.passage``,
        ``metadata.document``.
    score : str, optional
        Which score: ``acc``, ``exact_match,strict-match`` (with the filter, where there are
        several), or of Inspect the scorer; needed where there are several.

    Returns
    -------
    Evaluation

    Raises
    ------
    InputError
        For another layout, a log whose evaluation did not end, several scores and none named, an
        item without score or group, or a group that differs between files.

    Examples
    --------
    >>> import json, pathlib, tempfile
    >>> line = {"doc_id": 0, "doc": {"passage": "p1"}, "target": "yes", "acc": 1.0}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "samples_boolq.jsonl")
    ...     _ = path.write_text(json.dumps(line))
    ...     read_evaluation(path, group="doc.passage").values
    {'0': 1.0}
    """
    several = [paths] if isinstance(paths, (str, PathLike)) else list(paths)
    if not several:
        raise InputError(parameter="paths", expected="at least one file", got="none")
    total: dict[str, list[float]] = {}
    groups: dict[str, str] = {}
    contents: dict[str, str] = {}
    chosen, models = score, set()
    for place in map(Path, several):
        items = list(_items(place))
        if not items:
            fail(place, "holds no sample")
        chosen = _with_filter(chosen, items) if chosen else _only_score(place, items)
        models |= {item.model for item in items}
        for item in items:
            if not item.scores:
                fail(place, f"item {shown(item.identity)} has no score; expected "
                     f"{shown(chosen)} as a finite "
                            "number, got none or no number; run this item again or leave it out of "
                            "both models' files")  # fmt: skip
            if chosen not in item.scores:
                raise not_found(
                    "score", chosen, item.scores, f"{place}, item {shown(item.identity)}"
                )
            found = _group_of(place, item, group)
            if groups.setdefault(item.identity, found) != found:
                fail(place, f"item {shown(item.identity)} is in another group than before")
            if contents.setdefault(item.identity, item.content) != item.content:
                fail(place, f"item {shown(item.identity)} is another item than in the files before")
            total.setdefault(item.identity, []).append(item.scores[chosen])
    return Evaluation(
        source=", ".join(map(str, several)),
        score=str(chosen),
        values={identity: float(np.mean(values)) for identity, values in total.items()},
        shares=all(value in (0, 1) for values in total.values() for value in values),
        groups=groups,
        contents=contents,
        times=sum(map(len, total.values())),
        model=models.pop() if len(models) == 1 else "",
    )


def paired_items(*evaluations: Evaluation) -> tuple[list[NDArray[np.float64]], list[str]]:
    """Return the scores of two or more models on the same items, and the items' groups.

    Returns
    -------
    values : list of ndarray of float, each (n_items,)
    groups : list of str
        What `nettrial.compare_grouped` takes.
    """
    a = evaluations[0]
    for b in evaluations[1:]:
        _check_paired(a, b)
    order = list(a.values)
    values = [np.array([one.values[identity] for identity in order]) for one in evaluations]
    return values, [a.groups[identity] for identity in order]


def _check_paired(a: Evaluation, b: Evaluation) -> None:
    if a.score != b.score:
        raise InputError(
            parameter="score",
            expected="the same one of both models",
            got=f"{a.score} of {a.source} and {b.score} of {b.source}",
        )
    for one, other in ((a, b), (b, a)):
        lacking = [identity for identity in one.values if identity not in other.values]
        if lacking:
            listed = ", ".join(map(written, lacking[:SHOWN])) + ", ..." * (len(lacking) > SHOWN)
            raise InputError(
                f"{other.source}: lacks {len(lacking):,} of the {len(one.values):,} items of "
                f"{one.source} ({listed}); both models have to answer the same items"
            )
    for identity in a.values:
        for what, first, second in (
            ("content", a.contents, b.contents),
            ("group", a.groups, b.groups),
        ):
            if first[identity] != second[identity]:
                raise InputError(
                    f"{b.source}: item {shown(identity)} has another {what} than in {a.source}; "
                    "both models have to answer the same items of the same version of a task"
                )


def _items(path: Path) -> Iterator[Item]:
    """Read the items of a file in either layout."""
    if path.suffix.lower() == ".eval" or begins_as_archive(path):
        yield from _inspect_items(path, members(path))
        return
    if path.suffix.lower() == ".jsonl":
        yield from _harness_items(path, _lines(path))
        return
    value = load(path)
    if isinstance(value, dict) and isinstance(value.get("samples"), list):
        check_ended(path, value, len(value["samples"]))
        yield from _inspect_items(path, ((value, each) for each in value["samples"]))
    elif isinstance(value, list):
        yield from _harness_items(path, value)
    else:
        fail(path, "expected samples of lm-evaluation-harness (JSON lines) or a log of Inspect "
                   "with its samples, got other JSON")  # fmt: skip


def _lines(path: Path) -> Iterator[Any]:
    for number, line in enumerate(io.BytesIO(read_bytes(path, text=True)), 1):
        if line.strip():
            try:
                yield json.loads(line, parse_constant=constant)
            except (ValueError, RecursionError) as error:
                fail(path, f"is no JSON ({shorten(error, 100)})", number)


def _harness_items(path: Path, records: Iterator[Any] | list[Any]) -> Iterator[Item]:
    merged: dict[str, Item] = {}
    for record in records:
        if not isinstance(record, dict) or "doc_id" not in record:
            fail(path, "expected samples of lm-evaluation-harness, objects with doc_id, got others")
        named = record.get("metrics")
        names = named if isinstance(named, list) else [key for key in record if key not in NO_SCORE]
        by_filter = record.get("filter")
        scores: dict[str, float] = {}
        for name in names:
            value = _number(record.get(name))
            if value is not None:
                scores[f"{name},{by_filter}" if by_filter else str(name)] = value
        identity = str(record["doc_id"])
        content = str(record.get("doc_hash") or record.get("prompt_hash") or "")
        if identity in merged:  # one line per filter
            if set(merged[identity].scores) & set(scores):
                fail(path, f"holds item {shown(identity)} twice; expected one file per seed")
            merged[identity].scores.update(scores)
        else:
            merged[identity] = Item(identity, content, scores, record)
    yield from merged.values()


def _inspect_items(path: Path, records: Iterator[tuple[Any, Any]]) -> Iterator[Item]:
    for header, record in records:
        if not isinstance(record, dict) or "id" not in record:
            fail(path, "expected samples of Inspect, objects with id and scores, got others")
        scores: dict[str, float] = {}
        given = record.get("scores")
        for scorer, found in (given if isinstance(given, dict) else {}).items():
            value = found.get("value") if isinstance(found, dict) else found
            parts = value if isinstance(value, dict) else {"": value}
            for key, part in parts.items():
                number = LETTERS.get(part) if isinstance(part, str) else _number(part)
                if number is not None:
                    scores[f"{scorer}.{key}" if key else str(scorer)] = number
        if not scores:
            fail(path, f"item {shown(record['id'])} has no score that is a number or C, P, I, N; "
                       "an evaluation that ended in errors cannot be compared")  # fmt: skip
        named = header.get("eval") if isinstance(header, dict) else None
        model = named.get("model") if isinstance(named, dict) else None
        name = model if isinstance(model, str) else ""
        yield Item(str(record["id"]), _digest(record.get("input")), scores, record, name)


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True).encode()
    return hashlib.blake2b(text, digest_size=12).hexdigest()


def _number(value: Any) -> float | None:
    """Return a score as a float; None for what is no finite number."""
    if isinstance(value, (bool, int, float)) and abs(value) < LARGEST_SCORE:
        return float(value)
    return None


def _only_score(path: Path, items: Sequence[Item]) -> str:
    names = sorted({name for item in items for name in item.scores})
    if len(names) != 1:
        listed = "; ".join(names) if names else "none that is a number"
        fail(
            path,
            (f"expected {option('score')}, which of the scores is compared; there are {listed}"),
        )
    return names[0]


def _with_filter(score: str, items: Sequence[Item]) -> str:
    """Return the name of a score with the filter that lm-evaluation-harness adds, if it is one."""
    names = {name for item in items for name in item.scores}
    filtered = [name for name in names if name.partition(",")[0] == score]
    return filtered[0] if score not in names and len(filtered) == 1 else score


def _group_of(path: Path, item: Item, group: str) -> str:
    value: Any = item.record
    for depth, key in enumerate(group.split(".")):
        if not isinstance(value, Mapping) or key not in value:
            where = ".".join(group.split(".")[:depth]) or "the record"
            present = value if isinstance(value, Mapping) else ()
            if not present:
                fail(path, f"item {shown(item.identity)}: expected {shown(group)}, got nothing "
                           f"under {where}; name a place that every record has")  # fmt: skip
            raise not_found("group", key, present, f"{path}, item {shown(item.identity)}, {where}")
        value = value[key]
    if value is None or value == "":
        fail(path, f"item {shown(item.identity)} has no {group}")
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)
