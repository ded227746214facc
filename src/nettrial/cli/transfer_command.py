"""`nettrial transfer`: learn on one network and test on others."""

from __future__ import annotations

from typing import Any

import click

from .across_command import network_names
from .options import (
    MODELS,
    OUTPUT,
    RUN,
    check_report,
    finish,
    models_of,
    running,
    warnings_told,
    with_options,
)


@click.command("transfer")
@click.argument("train", metavar="TRAIN")
@click.argument("tests", metavar="TEST...", nargs=-1, required=True)
@click.option("--models", metavar="LIST", required=True, help=MODELS)
@click.option("--labeled", type=float, default=1.0, show_default=True,
              help="Proportion of the labels of TRAIN to learn from.")  # fmt: skip
@click.option("--known", type=float, default=0.0, show_default=True,
              help="Proportion of the labels of TEST that are known; 0 for none.")  # fmt: skip
@click.option("--label", metavar="COLUMN", help="Node column that holds the class.")
@with_options(*RUN, *OUTPUT)
def command(
    train: str,
    tests: tuple[str, ...],
    models: str,
    labeled: float,
    known: float,
    label: str | None,
    paper: str | None,
    report: str | None,
    as_json: bool,
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
    from ..io import read

    check_report(report)
    names = network_names((train, *tests))
    learned, *tested = [read(path, label=label) for path in (train, *tests)]
    given = running(options)
    with warnings_told():
        if len(tests) == 1:
            found: Any = compare_transfer(
                learned, tested[0], models_of(models), labeled=labeled, known=known, **given
            )
        else:
            found = compare_across(
                dict(zip(names[1:], tested)), models_of(models), train=learned, known=known,
                labeled=labeled, **given,
            )  # fmt: skip
    finish(found, paper, report, as_json)
