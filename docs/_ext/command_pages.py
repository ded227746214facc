"""A page for every command with all its options, made from the program."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import click
from made_pages import write
from sphinx.application import Sphinx

PIPE = "\\|"  # in a cell of a table


class Recorder(click.HelpFormatter):
    """Keeps what a command's help says, part by part."""

    def __init__(self) -> None:
        super().__init__(width=10_000)
        self.usage = ""
        self.texts: list[str] = []
        self.groups: list[tuple[str, list[tuple[str, str]]]] = []

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Keep how the command is called."""
        self.usage = f"{prog} {args}"

    def write_heading(self, heading: str) -> None:
        """Begin a group of options."""
        self.groups.append((heading, []))

    def write_text(self, text: str) -> None:
        """Keep paragraphs."""
        self.texts.append(text)

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        """Keep options and what they do."""
        self.groups[-1][1].extend(rows)


def recorded(name: str) -> Recorder:
    """Return the help of a command in parts."""
    from nettrial.cli import cli

    context = click.Context(cli, info_name="nettrial")
    command = cli.get_command(context, name)
    assert command is not None
    found = Recorder()
    own = click.Context(command, info_name=name, parent=context)
    command.format_help(own, found)
    return found


def split(texts: Sequence[str]) -> tuple[list[str], list[str]]:
    """Divide what help says into paragraphs and examples."""
    words, examples = [], []
    for paragraph in "\n\n".join(texts).split("\n\n"):
        lines = paragraph.replace("\b", "").strip("\n").splitlines()
        if "\b" in paragraph:  # what click leaves as it is written
            examples += [line.strip() for line in lines if line.strip()]
        else:
            words.append(" ".join(line.strip() for line in lines))
    return [each for each in words if each], examples


def cell(text: str) -> str:
    """Return text for a cell of a table, options as code."""
    plain = " ".join(text.split()).replace("|", PIPE).replace("<", "&lt;").replace("*", "\\*")
    return re.sub(r"(?<![\w`-])--?[a-z][a-z-]*", lambda option: f"`{option[0]}`", plain)


def page(name: str) -> str:
    """Return the page of a command."""
    found = recorded(name)
    words, examples = split(found.texts)
    parts = [f"# nettrial {name}", *map(cell, words[:1]), f"```text\n{found.usage}\n```"]
    parts += [cell(each) for each in words[1:]]
    if examples:
        parts.append("```bash\n" + "\n".join(examples) + "\n```")
    for title, rows in found.groups:
        lines = [f"| `{name.replace('|', PIPE)}` | {cell(text)} |" for name, text in rows]
        parts += [f"## {title}", "\n".join(["| option | what it does |", "|---|---|", *lines])]
    return "\n\n".join(parts) + "\n"


def write_pages(app: Sphinx) -> None:
    """Write all pages before they are read; those that are as they were keep their times."""
    from nettrial.cli import COMMANDS

    write(Path(app.srcdir, "cli"), {name: page(name) for name in COMMANDS})


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True}
