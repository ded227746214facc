"""Scores of many language models on the items of one benchmark: a folder of logs, or a list."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from ..core.arguments import check_arguments
from ..core.errors import InputError
from .evaluations import Evaluation, read_evaluation

LOGS = (".eval", ".jsonl")
PLAIN = ".json"  # which may hold other things beside logs


@check_arguments
def read_evaluations(
    paths: str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    group: str,
    score: str | None = None,
) -> dict[str, Evaluation]:
    """Read what each of several models scored on each item of one benchmark.

    Parameters
    ----------
    paths : path or sequence of path
        A folder, or files and folders. Each file is the log of one model. A folder within it is
        one model, and its files are several seeds, as lm-evaluation-harness writes them. Files
        ending in ``.json`` are read only where a folder has no other logs.
    group, score : str
        As for `read_evaluation`.

    Returns
    -------
    dict of str to Evaluation
        What `compare_grouped` takes, by the name of the model in logs of Inspect, else that of the
        folder or file. Several logs of Inspect of one model are several seeds.

    Raises
    ------
    InputError
        As `read_evaluation`, and for fewer than two models.

    Examples
    --------
    >>> import json, pathlib, tempfile
    >>> line = {"doc_id": 0, "doc": {"passage": "p1"}, "target": "yes", "acc": 1.0}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("large", "small"):
    ...         path = pathlib.Path(folder, f"{name}.jsonl")
    ...         _ = path.write_text(json.dumps(line))
    ...     list(read_evaluations(folder, group="doc.passage"))
    ['large', 'small']
    """
    given = [paths] if isinstance(paths, (str, PathLike)) else list(paths)
    places = [Path(each) for each in given]
    if len(places) == 1 and places[0].is_dir():
        folders = [p for p in sorted(places[0].iterdir()) if p.is_dir() and _logs(p)]
        places = [*_logs(places[0]), *folders]
    files: dict[str, list[Path]] = {}
    found: dict[str, Evaluation] = {}
    for place in places:
        here = _logs(place) if place.is_dir() else [place]
        read = read_evaluation(here, group=group, score=score)
        name = read.model or (place.name if place.is_dir() else place.stem)
        if name in found and not read.model:
            name = str(place)
        files.setdefault(name, []).extend(here)
        seeds = files[name]
        again = len(seeds) > len(here)
        found[name] = read_evaluation(seeds, group=group, score=score) if again else read
    if len(found) < 2:
        raise InputError(
            parameter="paths",
            expected="logs of at least two models (.eval, .jsonl or .json)",
            got=", ".join(found) or f"none in {', '.join(map(str, given))}",
            where="read_evaluations",
        )
    return found


def _logs(folder: Path) -> list[Path]:
    """Return the logs that lie in a folder itself."""
    files = [p for p in sorted(folder.iterdir()) if p.is_file() and p.name[0] not in "._"]
    logs = [p for p in files if p.suffix.lower() in LOGS]
    return logs or [p for p in files if p.suffix.lower() == PLAIN]
