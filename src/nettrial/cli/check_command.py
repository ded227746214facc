"""`nettrial check`: is this comparison fair?"""

from __future__ import annotations

from typing import Any

import click

from ..core.errors import InputError
from .gates import FAILED
from .grouped_help import GroupedCommand
from .networks import EXAMPLE, network_of, reading_options
from .options import described_warnings, with_options, words
from .outputs import OUTPUT, check_outputs, finish


@click.command("check", cls=GroupedCommand)
@click.argument("path", required=False, metavar="[LINKS_OR_FOLDER]")
@with_options(EXAMPLE)
@reading_options
@click.option(
    "--split-file",
    metavar="FILE",
    help="Splits as `nettrial split` writes them, or masks of other programs.",
)
@click.option("--predictions", metavar="FILE", help="Predictions, as for `nettrial compare`.")
@click.option(
    "--labeled", type=float, help="Claimed proportion of labeled nodes in the training sets."
)
@click.option("--study", metavar="FILE", help="Instead of a network: a finished study file.")
@click.option("--table", metavar="FILE", help="Instead of a network: a table of results.")
@click.option(
    "--test-share",
    type=float,
    help="With --table: test size over training and test size of a split.",
)
@click.option("--splits", "n_splits", type=int, help="With --table: splits behind every mean.")
@click.option("--select", metavar="CODES", help="Check only these, as NT1,NT405.")
@click.option("--ignore", metavar="CODES", help="Do not check these, as NT103.")
@with_options(*OUTPUT)
def command(
    path: str | None,
    select: str | None,
    ignore: str | None,
    **options: Any,
) -> None:
    """Check whether a comparison is fair: nodes, features, splits, models and the test.

    Ends with status 3 where there is a problem; notes do not count.

    \b
    nettrial check my_network/
    nettrial check my_network/ --split-file splits.npz --labeled 0.3
    nettrial check my_network/ --predictions predictions.csv --ignore NT103
    nettrial check --table results.csv --splits 10 --test-share 0.2
    """
    check_outputs(options)
    from ..checking.check import check

    with described_warnings():
        given, more = _given(path, options)
        found = check(
            given,
            select=None if select is None else words(select, "select"),
            ignore=() if ignore is None else words(ignore, "ignore"),
            **more,
        )
    finish(found, options)
    if found.problems:
        raise click.exceptions.Exit(FAILED)


OF_TABLES = {"n_splits": "--splits", "test_share": "--test-share"}
OF_NETWORKS = {"split_file": "--split-file", "predictions": "--predictions", "labeled": "--labeled"}


def _given(path: str | None, options: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Return what is checked, and what belongs to it."""
    table, study = options["table"], options["study"]
    several = [path is not None or options["example"], table is not None, study is not None]
    if sum(several) > 1:
        raise InputError("check: give one of a network, --table and --study")
    unused = {} if table is not None else OF_TABLES
    if table is not None or study is not None:
        unused = unused | OF_NETWORKS
    for name, word in unused.items():
        if options[name] is not None:
            needs = "--table" if name in OF_TABLES else "a network"
            raise InputError(f"check: {word} needs {needs}; leave it out")
    if table is not None:
        from ..published.leaderboard import leaderboard

        if options["test_share"] is None:
            raise InputError("check: --table needs --test-share, such as 0.2")
        return leaderboard(
            table, test_share=options["test_share"], n_splits=options["n_splits"]
        ), {}
    if study is not None:
        from ..comparison.stored_runs import stored_comparison

        return stored_comparison(study), {}
    from ..saved import check_source

    for name in ("predictions", "split_file"):
        check_source(options[name])
    network = network_of("check", path, options)
    more = {name: options[name] for name in ("predictions", "labeled")}
    return network, more | {"splits": options["split_file"]}
