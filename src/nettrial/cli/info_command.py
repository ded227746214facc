"""`nettrial info`: what a network is like."""

from __future__ import annotations

import click

from . import say


@click.command("info")
@click.argument("path", metavar="LINKS_OR_FOLDER")
@click.option("--nodes", metavar="FILE", help="Node table, if it is not beside the links.")
@click.option("--label", metavar="COLUMN", help="Node column that holds the class.")
@click.option("--positive", metavar="VALUE", help="Take one class against all others.")
@click.option("--directed/--undirected", default=None, help="By default as the file says.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    path: str,
    nodes: str | None,
    label: str | None,
    positive: str | None,
    directed: bool | None,
    as_json: bool,
) -> None:
    """Describe a network: sizes, components, classes, autocorrelation, what was left out."""
    import json

    from ..io import read_with_report
    from ..summary import summarize

    network, told = read_with_report(path, nodes=nodes, label=label, directed=directed)
    if positive is not None:
        network = network.one_against_rest(positive)
    summary = summarize(network)
    if as_json:
        say(json.dumps(summary.to_dict() | {"read": told.to_dict()}, indent=1))
        return
    say(str(told))
    say("")
    say(str(summary))
