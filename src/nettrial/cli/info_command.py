"""`nettrial info`: what a network is like."""

from __future__ import annotations

from typing import Any

import click

from ..core.errors import InputError
from . import say, tell
from .networks import read_network, reading_options
from .options import declared_option


@click.command("info")
@click.argument("path", metavar="LINKS_OR_FOLDER", required=False)
@reading_options
@declared_option("positive")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--report", metavar="FILE.html", help="Also write one self-contained page.")
@click.option(
    "--debug", is_flag=True, help="Describe nettrial and this machine instead, for reports of bugs."
)
def command(
    path: str | None,
    debug: bool,
    positive: str | None,
    as_json: bool,
    report: str | None,
    **options: Any,
) -> None:
    """Describe a network: what was read, sizes, components, classes, autocorrelation.

    \b
    nettrial info my_network/
    nettrial info my_network/ --report network.html
    nettrial info links.gml --label club --json
    nettrial info --debug
    """
    import json

    if debug:
        from .environment_info import surroundings

        note = surroundings()
        (say if as_json else tell)(json.dumps(note, indent=1) if as_json else lines(note))
        return
    if path is None:
        raise InputError("info: no network given; name a folder or a file of links, or --debug")

    from ..io import what_was_read
    from ..io.label_choice import LabelQuestionError
    from ..network.summary import summarize

    try:
        network = read_network(path, options)
    except LabelQuestionError as question:  # the rest can be described all the same
        say(f"nettrial: {question}", err=True)
        network = read_network(path, options | {"label": "none"})
    read = what_was_read(network)
    if positive is not None:
        network = network.one_against_rest(positive)
    summary = summarize(network)
    if report is not None:
        from ..report.describe import describe as page_of
        from ..report.files import write_whole
        from ..report.html import render

        write_whole(lambda: render(page_of(network)), report)
        say(f"report written to {report}", err=True)
    if as_json:
        details = {} if network.reading is None else network.reading.to_dict()
        say(json.dumps(summary.to_dict() | {"read": details | read.to_dict()}, indent=1))
        return
    parts = [read, summary] if network.reading is None else [read, network.reading, summary]
    tell("\n\n".join(map(str, parts)))


def lines(note: dict[str, str]) -> str:
    """Write names and values in two columns."""
    width = max(map(len, note))
    return "\n".join(f"{name:<{width}}  {value}" for name, value in note.items())
