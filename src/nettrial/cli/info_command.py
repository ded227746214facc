"""`nettrial info`: what a network is like."""

from __future__ import annotations

from typing import Any

import click

from . import say
from .networks import read_network, reading_options
from .options import POSITIVE
from .spelling import spelled


@click.command("info")
@click.argument("path", metavar="LINKS_OR_FOLDER")
@reading_options
@POSITIVE
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(path: str, positive: str | None, as_json: bool, **options: Any) -> None:
    """Describe a network: what was read, sizes, components, classes, autocorrelation."""
    import json

    from ..io import what_was_read
    from ..summary import summarize

    network = read_network(path, options)
    told = what_was_read(network)
    if positive is not None:
        network = network.one_against_rest(positive)
    summary = summarize(network)
    if as_json:
        details = {} if network.reading is None else network.reading.to_dict()
        say(json.dumps(summary.to_dict() | {"read": details | told.to_dict()}, indent=1))
        return
    parts = [told, summary] if network.reading is None else [told, network.reading, summary]
    command = click.get_current_context().command
    say(spelled("\n\n".join(map(str, parts)), command))
