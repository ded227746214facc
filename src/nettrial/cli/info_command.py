"""`nettrial info`: what a network is like."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..core.errors import InputError
from ..core.results import show
from . import say, tell
from .networks import read_network, reading_options
from .options import declared_option

if TYPE_CHECKING:
    from ..network.summary import Summary


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
        network = read_network(path, options, said=True)
    except LabelQuestionError as question:  # the rest can be described all the same
        say(f"nettrial: {question}", err=True)
        network = read_network(path, options | {"label": "none"}, said=True)
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
    files = {} if network.reading is None else network.reading.to_dict()
    tell(f"{read}\n\n{lines(beyond(files, summary))}")


def beyond(files: Mapping[str, Any], summary: Summary) -> dict[str, str]:
    """Return what the line on what was read does not say, but for zeros."""
    from ..io.report import first_names
    from ..network.summary import WORDS

    found: dict[str, str] = {}
    if files:
        names = [Path(file).name for file in files["files"]]
        aside = [name for name in names if any(f"{name} is not read" in n for n in files["notes"])]
        used = ", ".join(name for name in names if name not in aside)
        found["format"] = f"{files['format']} ({used})"
        found["other columns"] = ", ".join(first_names(files["columns"]))
        found["notes"] = "; ".join(files["notes"])
    if summary.links_simple_undirected != summary.rows:
        found[WORDS["links_simple_undirected"]] = f"{summary.links_simple_undirected:,}"
    found["class sizes"] = show(summary.class_counts)
    found["autocorrelation"] = show(summary.autocorrelation)
    found["connected components"] = f"{summary.components:,}"
    found["nodes without links"] = f"{summary.isolates:,}" * (summary.isolates > 0)
    return {name: value for name, value in found.items() if value}


def lines(note: dict[str, str]) -> str:
    """Write names and values in two columns."""
    width = max(map(len, note))
    return "\n".join(f"{name:<{width}}  {value}" for name, value in note.items())
