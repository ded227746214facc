"""`nettrial export`: the predictions of a study file as a table."""

from __future__ import annotations

import click

from . import say


@click.command("export")
@click.argument("path", metavar="FILE")
@click.argument("out", metavar="OUT.csv|OUT.parquet")
def command(path: str, out: str) -> None:
    """Write the predictions of a finished study file.

    One row per split, test node and model; of link predictors one row per split and pair.

    \b
    nettrial export study.nettrial predictions.csv
    """
    from ..saved.export import export_predictions

    rows = export_predictions(path, out)
    say(f"{rows} rows written to {out}", err=True)
