"""`nettrial transfer`: learn on one network and test on others."""

from __future__ import annotations

from typing import Any

import click

from .across_command import network_names
from .grouped_help import GroupedCommand
from .networks import read_network, several_reading_options
from .options import (
    MODELS_OPTION,
    declared_option,
    declared_options,
    described_warnings,
    models_of,
    running,
    with_options,
)
from .outputs import OUTPUT, check_outputs, finish


@click.command("transfer", cls=GroupedCommand)
@click.argument("train", metavar="TRAIN")
@click.argument("tests", metavar="TEST...", nargs=-1, required=True)
@with_options(MODELS_OPTION)
@with_options(
    declared_option(
        "labeled", show_default="1.0", help="Proportion of the labels of TRAIN to learn from."
    )
)
@click.option(
    "--known",
    type=float,
    default=0.0,
    show_default=True,
    help="Proportion of the labels of TEST that are known; 0 for none.",
)
@several_reading_options
@with_options(*declared_options("compare_transfer", "labeled"), *OUTPUT)
def command(
    train: str,
    tests: tuple[str, ...],
    models: str,
    known: float,
    **options: Any,
) -> None:
    """Compare models that learn on the network TRAIN and are tested on the network TEST.

    With several test networks these are the observations, as with `nettrial across`.

    \b
    nettrial transfer school_1/ school_2/ --models wvrn,nbc,gcn --known 0.1
    nettrial transfer year_1/ year_2/ year_3/ year_4/ --models nbc,nlb
    """
    from ..comparison.across import compare_across
    from ..comparison.transfer import compare_transfer

    check_outputs(options)
    names = network_names((train, *tests))
    learned, *tested = [read_network(path, options) for path in (train, *tests)]
    given = running(options)
    with described_warnings():
        if len(tests) == 1:
            found: Any = compare_transfer(
                learned, tested[0], models_of(models), known=known, **given
            )
        else:
            found = compare_across(
                dict(zip(names[1:], tested)),
                models_of(models),
                train=learned,
                known=known,
                **given,
            )
    finish(found, options)
