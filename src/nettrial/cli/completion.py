"""What a shell completes after an option: names that the product knows, columns of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
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


def designs() -> list[str]:
    """Return the names of designs."""
    from ..splits.names import DESIGNS

    return list(DESIGNS)


def models() -> list[str]:
    """Return the names of models."""
    from ..models.links import LINK_PREDICTORS
    from ..models.names import ADAPTED, CLASSIFIERS, REGRESSORS

    return [*CLASSIFIERS, *ADAPTED, *REGRESSORS, *LINK_PREDICTORS]


def tests() -> list[str]:
    """Return the names of tests that can give the verdict."""
    from ..inference.registry import verdict_names

    return ["auto", *dict.fromkeys(verdict_names() + verdict_names("pairs"))]


def measures() -> list[str]:
    """Return the names of measures."""
    from ..metrics.measures import MEASURES

    return [name.replace("_", "-") for name in MEASURES]


def classical() -> list[str]:
    """Return the names of classical tests."""
    from ..stats.catalog import CATALOG

    return list(CATALOG)


def columns(context: click.Context, _parameter: click.Parameter, text: str) -> list[CompletionItem]:
    """Complete the columns of the table that was named, or of the nodes of the network."""
    # what stands before an unfinished option is still among the arguments
    places = [context.params.get("nodes"), context.params.get("path"), *context.args]
    places += context.params.get("table") or ()
    done, comma, begun = text.rpartition(",")
    for place in filter(None, places):
        found = _header(Path(place))
        if found:
            return [
                CompletionItem(f"{done}{comma}{name}") for name in found if name.startswith(begun)
            ]
    return []


def _header(path: Path) -> list[str]:
    """Return the names of the columns of a table, or of nodes.csv in a folder."""
    try:
        with (path / "nodes.csv" if path.is_dir() else path).open("rb") as file:
            first = file.read(HEAD).splitlines()[0].decode("utf-8-sig")
    except (OSError, IndexError, UnicodeDecodeError):
        return []
    return [name.strip().strip('"') for name in first.split("\t" if "\t" in first else ",")]


COMPLETED: dict[str, Any] = {
    "--design": choices(designs),
    "--a": choices(models),
    "--b": choices(models),
    "--models": choices(models, listed=True),
    "--control": choices(models),
    "--measure": choices(measures),
    "--measures": choices(measures, listed=True),
    "--test": choices(tests),
    "--label": columns,
    "--communities": columns,
    "--groups": columns,
    "--truth": columns,
    "--scores": columns,
}


# where a command means something else by a word
OF_COMMANDS: dict[str, dict[str, Any]] = {
    "test": {
        "name": choices(classical),
        **dict.fromkeys(("--a", "--b", "--columns", "--value", "--classifier", "--rows"), columns),
    },
}


def complete_options(command: click.Command) -> None:
    """Give the options and arguments of a command what completes them."""
    completed = COMPLETED | OF_COMMANDS.get(command.name or "", {})
    for parameter in command.params:
        for word in parameter.opts:
            if word in completed:
                parameter._custom_shell_complete = completed[word]
