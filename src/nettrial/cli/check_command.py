"""`nettrial check`: is this comparison fair?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..core.errors import InputError
from . import say
from .gates import FAILED
from .grouped_help import GroupedCommand
from .networks import EXAMPLE, network_of, reading, reading_options
from .options import described_warnings, with_options, words
from .outputs import OUTPUT, check_outputs, finish


@click.command("check", cls=GroupedCommand)
@click.argument("path", required=False, metavar="[PATH]")
@with_options(EXAMPLE)
@reading_options
@click.option(
    "--split-file",
    "splits",
    metavar="FILE",
    help="Splits as `nettrial split` writes them, or masks of other programs.",
)
@click.option("--predictions", metavar="FILE", help="Predictions, as for `nettrial compare`.")
@click.option("--table", metavar="FILE", help="A table of results, or of single runs.")
@click.option("--runs", metavar="FOLDER", help="Runs of models, as JSON or tables.")
@click.option(
    "--labeled", type=float, help="Claimed proportion of labeled nodes in the training sets."
)
@click.option("--design", metavar="NAME", help="Claimed design, such as kfold or stratified.")
@click.option(
    "--times", metavar="COLUMN", help="Node column with times; weight for those of links."
)
@click.option(
    "--test-share",
    type=float,
    help="With --table: test size over training and test size of a split.",
)
@click.option(
    "--splits",
    "n_splits",
    type=int,
    help="With --table: number of splits behind the means of which no column says it.",
)
@click.option("--select", metavar="CODES", help="Check only these, as NT1,NT405.")
@click.option("--ignore", metavar="CODES", help="Do not check these, as NT103.")
@click.option("--junit", metavar="FILE.xml", help="Also write the checks as JUnit tests.")
@click.option("--sarif", metavar="FILE.sarif", help="Also write the findings as SARIF.")
@with_options(*OUTPUT)
def command(
    path: str | None,
    select: str | None,
    ignore: str | None,
    **options: Any,
) -> None:
    """Check whether a comparison is fair: nodes, features, splits, models and the test.

    PATH is a network, a study file, the JSON of a result, or a folder of code: files called
    splits or masks, predictions, results and runs are read beside the network. Ends with status
    3 where there is a problem; notes do not count.

    \b
    nettrial check my_paper/
    nettrial check my_network/ --split-file splits.npz --labeled 0.3
    nettrial check my_network/ --predictions predictions.csv --ignore NT103
    nettrial check --table results.csv --splits 10 --test-share 0.2
    nettrial check my_paper/ --junit check.xml --sarif check.sarif
    """
    check_outputs(options)
    from ..checking.check import check
    from ..core.atomic import check_place
    from ..report.check_formats import write_junit, write_sarif

    for place in (options["junit"], options["sarif"]):
        if place is not None:
            check_place(place)
    with described_warnings():
        given, more = _given(path, options)
        found = check(
            given,
            select=None if select is None else words(select, "select"),
            ignore=() if ignore is None else words(ignore, "ignore"),
            **more,
        )
    for write, place in ((write_junit, options["junit"]), (write_sarif, options["sarif"])):
        if place is not None:
            write(found, place, about=path or options["table"] or options["runs"] or "")
    finish(found, options)
    say(f"nettrial: {'failed' if found.problems else 'passed'}: {found.verdict}", err=True)
    if found.problems:
        raise click.exceptions.Exit(FAILED)


OF_TABLES = {"n_splits": "--splits", "test_share": "--test-share"}
OF_NETWORKS = {"splits": "--split-file", "predictions": "--predictions", "labeled": "--labeled",
               "design": "--design", "times": "--times"}  # fmt: skip
TABLES = ("table", "runs")


def _given(path: str | None, options: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Return what is checked, and what belongs to it."""
    alone = path is None and not options["example"]
    for name, word in OF_NETWORKS.items() if alone else ():
        if options[name] is not None:
            raise InputError(f"check: {word} needs a network; leave it out or name one")
    for name in ("n_splits", "test_share"):
        if options[name] is not None and options["table"] is None and path is None:
            raise InputError(f"check: {OF_TABLES[name]} needs --table; leave it out")
    more = {name: options[name] for name in (*OF_NETWORKS, *TABLES, *OF_TABLES)}
    if alone and any(options[name] is not None for name in TABLES):
        return None, more
    from ..saved import check_source

    for name in ("predictions", "splits"):
        check_source(options[name])
    if path is None or options["example"]:
        return network_of("check", path, options), more
    from ..io import read

    return Path(path), more | {"reader": lambda place: read(place, **reading(options))}
