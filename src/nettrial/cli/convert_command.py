"""`nettrial convert`: write a network in another form."""

from __future__ import annotations

import click

from . import say


@click.command("convert")
@click.argument("source", metavar="IN")
@click.argument("out", metavar="OUT")
@click.option("--nodes", metavar="FILE", help="Node table, if it is not beside the links.")
@click.option("--label", metavar="COLUMN", help="Node column that holds the class.")
@click.option("--directed/--undirected", default=None, help="By default as the file says.")
@click.option("--format", "format_", metavar="NAME", help="By default as OUT's name says.")
def command(
    source: str,
    out: str,
    nodes: str | None,
    label: str | None,
    directed: bool | None,
    format_: str | None,
) -> None:
    """Read the network IN and write it to OUT: a folder of CSV files, .graphml or .npz.

    What the form of OUT cannot hold is refused or told; nothing is overwritten.
    """
    from ..io import convert

    say(str(convert(source, out, nodes=nodes, label=label, directed=directed, format=format_)))
