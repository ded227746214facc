"""`nettrial across`: several models on several networks of one kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..core.errors import InputError
from .grouped_help import GroupedCommand
from .networks import read_network, several_reading_options
from .options import (
    MODELS_OPTION,
    declared_options,
    described_warnings,
    models_of,
    running,
    with_options,
)
from .outputs import OUTPUT, check_outputs, finish


@click.command("across", cls=GroupedCommand)
@click.argument("paths", metavar="LINKS_OR_FOLDER...", nargs=-1, required=True)
@with_options(MODELS_OPTION)
@several_reading_options
@click.option(
    "--rope",
    type=float,
    show_default="0.01, and none for errors in units of a target",
    help="Half width of practical equivalence: models that differ by no more in the "
    "measure are equal.",
)
@click.option(
    "--moderator",
    metavar="NAME",
    help="By what the difference may change from network to network: autocorrelation, n_nodes, "
    "n_links, n_classes, n_features or labeled_share.",
)
@with_options(*declared_options("compare_across"), *OUTPUT)
def command(
    paths: tuple[str, ...],
    models: str,
    rope: float | None,
    moderator: str | None,
    **options: Any,
) -> None:
    """Compare models on several networks of one kind: schools, years, countries.

    \b
    nettrial across school_1/ school_2/ school_3/ --models wvrn,nbc
    """
    from ..comparison.across import compare_across

    check_outputs(options)
    names = network_names(paths)
    networks = {name: read_network(path, options) for name, path in zip(names, paths)}
    with described_warnings():
        found = compare_across(
            networks, models_of(models), rope=rope, moderator=moderator, **running(options)
        )
    finish(found, options)


def network_names(paths: tuple[str, ...]) -> list[str]:
    """Return names of networks: the last parts of their paths, or the paths where those repeat."""
    if len({Path(path).resolve() for path in paths}) < len(paths):
        raise InputError("one network is given twice; it would count as two")
    short = [Path(path).resolve().name for path in paths]
    return short if len(set(short)) == len(short) else list(paths)
