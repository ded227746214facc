"""`nettrial checklist`: what a paper should say, filled in from a result."""

from __future__ import annotations

from pathlib import Path

import click

from ..core.errors import InputError
from . import say

LARGEST = 1 << 28  # bytes of JSON that are read


@click.command("checklist")
@click.argument("path", metavar="RESULT.json")
def command(path: str) -> None:
    """Print a reporting checklist in Markdown, filled in from a result.

    \b
    nettrial compare my_network/ --json > result.json
    nettrial checklist result.json
    """
    import json

    from ..report.survey import checklist

    place = Path(path)
    if place.stat().st_size > LARGEST:
        raise InputError(expected=f"a result of at most {LARGEST >> 20} MiB", where=f"{path}")
    try:
        values = json.loads(place.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError(
            expected="the JSON of a result, as nettrial compare --json prints it", where=f"{path}"
        ) from error
    say(checklist(values))
