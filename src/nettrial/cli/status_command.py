"""`nettrial status`: how far a study has come."""

from __future__ import annotations

import click

from . import say, tell


@click.command("status")
@click.argument("path", metavar="FILE_OR_FOLDER")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(path: str, as_json: bool) -> None:
    """Print the progress of a study file or a folder of shards, and what failed with which
    traceback.

    It is only read, and may be in use. Of shards it says which are not complete and what is to be
    run next.

    \b
    nettrial status study.nettrial
    nettrial status shards/
    """
    import json

    from ..store import study_status

    found = study_status(path)
    (say if as_json else tell)(json.dumps(found.to_dict(), indent=1) if as_json else str(found))
