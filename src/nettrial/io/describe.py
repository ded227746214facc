"""Write down how a network is read: as ``network.toml``, with the reasons beside each line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from ..core.arguments import check_arguments
from ..core.atomic import whole_file
from .description import KEYS, NAME
from .guards import fail, read_head
from .label_choice import LabelQuestionError
from .members import split_member
from .read import read_with_report
from .report import ReadReport

GUIDE = (
    "# How nettrial reads this network. Change a line and it counts; a line that is left out is\n"
    "# decided anew. The keys are those of nettrial.read; `links` is the file itself.\n"
)


@check_arguments
def describe(path: str | PathLike[str], **options: Any) -> str:
    """Return the description of a network: what was understood of its files, and why.

    Written as ``network.toml`` into the folder of the files, it is what `read` and all commands
    go by.

    Parameters
    ----------
    path : path
        As for `read`.
    **options
        As for `read`; they stand in the description.

    Returns
    -------
    str
        TOML, in which doubts are comments.

    Raises
    ------
    InputError
        As for `read`, but not where the class is open: the question is a comment.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "links.csv").write_text("from,to\\nann,bob\\nbob,eve\\n")
    ...     print(describe(folder))
    # How nettrial reads this network. Change a line and it counts; ...
    links = "links.csv"
    label = "none"  # no node column
    directed = false  # guessed: no link is listed in both directions
    format = "table"
    <BLANKLINE>
    [columns]
    source = "from"
    target = "to"
    weight = "none"
    <BLANKLINE>
    """
    from .registry import recognize  # loads the module of every format

    question = ""
    try:
        report = read_with_report(path, **options)[1]
    except LabelQuestionError as error:
        question = str(error)
        report = read_with_report(path, **{**options, "label": "none"})[1]
    file, member = split_member(Path(path))
    given = {key: value for key, value in options.items() if value not in (None, False, {}, ())}
    links = Path(report.files[0])
    if "format" not in given:
        found = recognize(links, read_head(links))
        given |= {} if found is None else {"format": found.name}
    if file.name == NAME:
        member = None
    home = file if file.is_dir() else file.parent
    values = {"links": links.name if member is None else f"{links.name}#{member}"} | given
    if links.parent != home:
        values["links"] = _relative(links, home)
    if report.node_files and report.roles:
        values["nodes"] = [_relative(Path(node), home) for node in report.node_files]
    if "target" not in given and not question:
        values["label"] = report.label or "none"
    values.setdefault("directed", report.directed)
    if report.roles:
        values["columns"] = dict(report.roles) | dict(given.get("columns", {}))
    why = {"label": report.label_choice, "directed": report.direction_choice}
    return written(values, why, report, question)


def _relative(path: Path, home: Path) -> str:
    try:
        return path.resolve().relative_to(home.resolve()).as_posix()
    except ValueError:
        return path.resolve().as_posix()


def written(
    values: Mapping[str, Any], why: Mapping[str, str], report: ReadReport, question: str
) -> str:
    """Write a description as TOML, its tables last."""
    lines = [GUIDE.rstrip()]
    lines += [f"# {text}" for text in (*report.notes, *report.doubts)]
    lines += [f"# {question}", "# label = "] if question else []
    for key in KEYS:
        if key in values and not isinstance(values[key], Mapping):
            reason = f"  # {why[key]}" if why.get(key) else ""
            lines.append(f"{key} = {toml(values[key])}{reason}")
    for key in KEYS:
        table = values.get(key)
        if isinstance(table, Mapping) and table:
            lines += ["", f"[{key}]"]
            named = {report.label if name is None else name: value for name, value in table.items()}
            lines += [f"{quoted(str(name))} = {toml(value)}" for name, value in named.items()]
    return "\n".join(lines) + "\n"


def toml(value: Any) -> str:
    """Write a value as TOML does."""
    if isinstance(value, (bool, int, float)):
        return json.dumps(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(toml, value))}]"
    return json.dumps(str(value), ensure_ascii=False)


def quoted(name: str) -> str:
    plain = name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    return name if plain else json.dumps(name, ensure_ascii=False)


def write_description(path: Path, text: str) -> None:
    """Write a description; one that is there already is left."""
    if path.exists():
        fail(path, "is there already; remove it, or name another file with --out")
    with whole_file(path, replace=False) as draft:
        draft.write_text(text, encoding="utf-8")
