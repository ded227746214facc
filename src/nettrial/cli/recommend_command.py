"""`nettrial recommend`: which test fits a design."""

from __future__ import annotations

import json
from typing import Any

import click

from . import say, tell


@click.command("recommend")
@click.option(
    "--classifiers", type=int, help="How many; 1 is one against a given value.  [default: 2]"
)
@click.option("--test-sets", type=int, help="Folds or splits in each data set.  [default: 1]")
@click.option("--data-sets", type=int, help="Independent data sets or networks.  [default: 1]")
@click.option("--criteria", type=int, help="Measures that are tested at once.  [default: 1]")
@click.option(
    "--overlapping",
    is_flag=True,
    default=None,
    help="A case can be in several test sets, as in random splits.",
)
@click.option(
    "--separate-training",
    "shared_training",
    flag_value=False,
    default=None,
    help="The training sets share no cases.",
)
@click.option(
    "--grouped", is_flag=True, default=None, help="Cases depend on each other, as nodes do."
)
@click.option(
    "--scores-only",
    "predictions",
    flag_value=False,
    default=None,
    help="Only a score for each test set is known, not each case.",
)
@click.option(
    "--gaps", is_flag=True, default=None, help="Some classifiers lack results on some data sets."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(as_json: bool, **design: Any) -> None:
    """Describe which test fits a design, why, and which usual ones do not.

    \b
    nettrial recommend --classifiers 3 --data-sets 20
    nettrial recommend --test-sets 10 --overlapping --scores-only
    """
    from ..stats.recommendation import recommend

    found = recommend(**{name: value for name, value in design.items() if value is not None})
    if as_json:
        say(json.dumps(found.to_dict(), indent=2))
        return
    lines = str(found).split("\n")
    tell("\n".join([f"use nettrial test {found.test} (options: --list)", *lines[1:]]))
