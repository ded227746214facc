"""What a shell completes after an option: names that the product knows, columns of a table."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

HEAD = 1 << 16  # bytes of a table in which its header is looked for


def choices(
    names: Callable[[], Iterable[str]], *, listed: bool = False
) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    """Return a completer of names; of the last word of a list, if `listed`."""

    def complete(
        _context: click.Context, _parameter: click.Parameter, text: str
    ) -> list[CompletionItem]:
        done, comma, begun = text.rpartition(",") if listed else ("", "", text)
        return [
            CompletionItem(f"{done}{comma}{name}") for name in names() if name.startswith(begun)
        ]

    return complete


def designs(context: click.Context, parameter: click.Parameter, text: str) -> list[CompletionItem]:
    """Complete designs, and after a colon the columns that they may take."""
    from ..splits.names import DESIGNS, options

    design, colon, begun = text.partition(":")
    if not colon:
        return _items(DESIGNS, text)
    if design not in DESIGNS or "column" not in options(design):
        return []
    return [CompletionItem(f"{design}:{item.value}") for item in columns(context, parameter, begun)]


def models() -> list[str]:
    """Return the names of models."""
    from ..models.link_predictors import LINK_PREDICTORS
    from ..models.names import ADAPTED, CLASSIFIERS, REGRESSORS

    return [*CLASSIFIERS, *ADAPTED, *REGRESSORS, *LINK_PREDICTORS]


def tests() -> list[str]:
    """Return the names of tests that can give the verdict."""
    from ..inference.registry import verdict_names

    return ["auto", *dict.fromkeys(verdict_names() + verdict_names("pairs"))]


def measures(
    context: click.Context, _parameter: click.Parameter, text: str
) -> list[CompletionItem]:
    """Complete measures of what is predicted here, in the spelling that was begun."""
    from ..metrics.measures import MEASURES

    predicted = _predicted(context)
    done, comma, begun = text.rpartition(",")
    names = [name for name, each in MEASURES.items() if predicted in (None, each.of)]
    if "-" in begun:
        names = [name.replace("_", "-") for name in names]
    return _items(names, begun, done + comma)


def _predicted(context: click.Context) -> str | None:
    """Return what is predicted as far as the line tells: classes, numbers, links, or None."""
    from ..models.link_predictors import LINK_PREDICTORS
    from ..models.names import REGRESSORS, is_name

    named = [context.params.get(key) or "" for key in ("a", "b", "models")]
    for name in filter(None, ",".join(named).split(",")):
        if name in LINK_PREDICTORS:
            return "links"
        if is_name(name):
            return "numbers" if name in REGRESSORS else "classes"
    if context.params.get("target"):
        return "numbers"
    found = next(_tables(context), {})
    if context.params.get("label") or "label" in found:
        return "classes"
    return "numbers" if "target" in found else None


def _items(names: Iterable[str], begun: str, before: str = "") -> list[CompletionItem]:
    return [CompletionItem(before + name) for name in names if name.startswith(begun)]


def communities(
    context: click.Context, parameter: click.Parameter, text: str
) -> list[CompletionItem]:
    """Complete how communities are found, and the columns that may give them."""
    from ..network.communities import BY_LOUVAIN

    return _items(BY_LOUVAIN, text) + kinds(context, parameter, text)


def classical() -> list[str]:
    """Return the names of classical tests."""
    from ..stats.catalog import CATALOG

    return list(CATALOG)


def columns(context: click.Context, _parameter: click.Parameter, text: str) -> list[CompletionItem]:
    """Complete the columns of the table that was named, or of the nodes of the network."""
    done, comma, begun = text.rpartition(",")
    return _items(next(_tables(context), {}), begun, done + comma)


def kinds(context: click.Context, parameter: click.Parameter, text: str) -> list[CompletionItem]:
    """Complete columns of kinds of things: those whose values all differ, as ids do, come last."""
    table = next(_tables(context), {})
    ids = {name for name, values in table.items() if 1 < len(values) == len(set(values))}
    found = columns(context, parameter, text)
    return sorted(found, key=lambda item: item.value.rpartition(",")[2] in ids)


def _tables(context: click.Context) -> Iterator[dict[str, list[str]]]:
    """Yield the columns of each table or network that was named and has some."""
    places: list[str] = []
    for key in ("nodes", "path", "table", "paths"):
        given = context.params.get(key) or ()
        places += [given] if isinstance(given, str) else given
    # what stands before an unfinished option is still among the arguments
    for place in filter(None, [*places, *context.args]):
        if found := _columns(Path(place)):
            yield found


def _columns(path: Path) -> dict[str, list[str]]:
    """Return the columns of a table, or of nodes.csv in a folder, with values of its first rows.

    Of a table in Markdown too, if it begins with it.
    """
    try:
        with (path / "nodes.csv" if path.is_dir() else path).open("rb") as file:
            first, *rest = file.read(HEAD).splitlines()
        lines = [first.decode("utf-8-sig")]
        lines += [row.decode("utf-8", "replace") for row in rest[:-1]]  # the last may be cut
        between = "|" if lines[0].startswith("|") else "\t" if "\t" in lines[0] else ","
        table = csv.reader((line.strip("| ") for line in lines), delimiter=between)
        names, *rows = ([cell.strip() for cell in row] for row in table)
    except (OSError, ValueError, csv.Error):
        return {}
    whole = [row for row in rows if len(row) == len(names)]
    return {name: [row[place] for row in whole] for place, name in enumerate(names)}


COMPLETED: dict[str, Any] = {
    "--design": designs,
    "--a": choices(models),
    "--b": choices(models),
    "--models": choices(models, listed=True),
    "--control": choices(models),
    "--measure": measures,
    "--measures": measures,
    "--test": choices(tests),
    "--label": kinds,
    "--target": columns,
    "--communities": communities,
    "--groups": kinds,
    "--truth": kinds,
    "--scores": columns,
}


# where a command means something else by a word
OF_COMMANDS: dict[str, dict[str, Any]] = {
    "test": {
        "name": choices(classical),
        **dict.fromkeys(("--a", "--b", "--columns", "--value", "--classifier", "--rows"), columns),
    },
    "leaderboard": dict.fromkeys(("--dataset", "--model", "--mean", "--sd", "--value"), columns),
}


def complete_options(command: click.Command) -> None:
    """Give the options and arguments of a command what completes them."""
    completed = COMPLETED | OF_COMMANDS.get(command.name or "", {})
    for parameter in command.params:
        for word in parameter.opts:
            if word in completed:
                parameter._custom_shell_complete = completed[word]
