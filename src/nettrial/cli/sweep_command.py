"""`nettrial sweep`: several models at several proportions of labels."""

from __future__ import annotations

from typing import Any

import click

from .grouped_help import GroupedCommand
from .networks import EXAMPLE, network_of, reading_options
from .options import (
    MODELS_OPTION,
    declared_options,
    described_warnings,
    models_of,
    numbers,
    running,
    with_options,
)
from .outputs import OUTPUT, check_outputs, finish


@click.command("sweep", cls=GroupedCommand)
@click.argument("path", required=False, metavar="[LINKS_OR_FOLDER]")
@with_options(EXAMPLE)
@with_options(MODELS_OPTION)
@click.option(
    "--labeled",
    metavar="LIST",
    default="0.1,0.2,0.3,0.4,0.5",
    show_default=True,
    help="Proportions of labeled nodes to learn from.",
)
@reading_options
@with_options(*declared_options("sweep", "labeled"), *OUTPUT)
def command(
    path: str | None,
    models: str,
    labeled: str,
    **options: Any,
) -> None:
    """Draw learning curves of several models and say where the winner changes.

    \b
    nettrial sweep my_network/ --models wvrn,nbc,nlb --labeled 0.1,0.3,0.5 --design ncv
    """
    from ..comparison.sweep import sweep

    check_outputs(options)
    network = network_of("sweep", path, options)
    rates = numbers(labeled, "labeled", "proportions such as 0.1,0.3,0.5")
    with described_warnings():
        found = sweep(network, models_of(models), labeled=rates, **running(options))
    finish(found, options)
