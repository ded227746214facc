"""`nettrial describe`: write down how a network is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from . import say, tell
from .networks import read_warnings_shown, reading, reading_options


@click.command("describe")
@click.argument("path", metavar="LINKS_OR_FOLDER")
@reading_options
@click.option(
    "--out",
    metavar="FILE",
    help="Where to write it; by default network.toml beside the links, - for the terminal.",
)
def command(path: str, out: str | None, **options: Any) -> None:
    """Write network.toml: which file holds what, which columns, which direction, and why.

    All commands read a folder as its network.toml says. Change a line of it and it counts; what
    may be wrong stands there as a comment.

    \b
    nettrial describe my_network/
    nettrial describe links.csv --nodes people.csv --label team
    """
    from ..io.describe import describe, write_description
    from ..io.description import NAME

    with read_warnings_shown():
        text = describe(path, **reading(options))
    if out == "-":
        say(text.rstrip())
        return
    folder = Path(path) if Path(path).is_dir() else Path(path).parent
    place = folder / NAME if out is None else Path(out)
    write_description(place, text)
    tell(f"Written: {place}")
    say(text.rstrip())
