"""`nettrial sweep`: several models at several proportions of labels."""

from __future__ import annotations

from typing import Any

import click

from ..errors import InputError
from .options import (
    DESIGN,
    MODELS,
    OUTPUT,
    REPLICATES,
    RUN,
    check_report,
    finish,
    models_of,
    running,
    warnings_told,
    with_options,
    words,
)


@click.command("sweep")
@click.argument("path", metavar="LINKS_OR_FOLDER")
@click.option("--models", metavar="LIST", required=True, help=MODELS)
@click.option("--labeled", metavar="LIST", default="0.1,0.2,0.3,0.4,0.5", show_default=True,
              help="Proportions of labeled nodes to learn from.")  # fmt: skip
@click.option("--nodes", metavar="FILE", help="Node table, if it is not beside the links.")
@click.option("--label", metavar="COLUMN", help="Node column that holds the class.")
@click.option("--directed/--undirected", default=None, help="By default as the file says.")
@with_options(DESIGN, REPLICATES, *RUN, *OUTPUT)
def command(
    path: str,
    models: str,
    labeled: str,
    nodes: str | None,
    label: str | None,
    directed: bool | None,
    paper: str | None,
    report: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Draw learning curves of several models and say where the winner changes.

    \b
    nettrial sweep my_network/ --models wvrn,nbc,nlb --labeled 0.1,0.3,0.5 --design ncv
    """
    from ..comparison.sweep import sweep
    from ..io import read

    check_report(report)
    network = read(path, nodes=nodes, label=label, directed=directed)
    with warnings_told():
        found = sweep(
            network, models_of(models), labeled=_rates(labeled), **running(options)
        )  # fmt: skip
    finish(found, paper, report, as_json)


def _rates(text: str) -> list[float]:
    try:
        return [float(word) for word in words(text, "--labeled")]
    except ValueError as error:
        raise InputError(
            f"--labeled: expected proportions such as 0.1,0.3,0.5, got {text!r}"
        ) from error
