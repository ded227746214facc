"""`nettrial schema`: the JSON Schema of what commands print with --json."""

from __future__ import annotations

import json

import click

from . import say


@click.command("schema")
@click.argument("name", metavar="NAME")
def command(name: str) -> None:
    """Print the JSON Schema of a kind of result, of what a command prints, or of an error.

    \b
    nettrial schema compare > compare.schema.json
    nettrial schema TestResult
    nettrial schema error       # the last line on stderr, with --json
    """
    from ..report.schema import schema

    say(json.dumps(schema(name), indent=1))
