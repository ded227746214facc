"""`nettrial convert`: write a network in another form."""

from __future__ import annotations

from typing import Any

import click

from . import tell
from .networks import read_warnings_shown, reading, reading_options


@click.command("convert")
@click.argument("source", metavar="IN")
@click.argument("out", metavar="OUT")
@reading_options
def command(source: str, out: str, **options: Any) -> None:
    """Read the network IN and write it to OUT: a folder of CSV files, .graphml, .npz or
    .nettrial-graph, a folder of arrays on disk for networks that are larger than memory.

    What the form of OUT cannot hold is refused or reported; nothing is overwritten.

    \b
    nettrial convert links.gml my_network/
    nettrial convert my_network/ my_network.graphml
    """
    from ..io import convert

    with read_warnings_shown():
        report = convert(source, out, **reading(options))
    tell(str(report))
