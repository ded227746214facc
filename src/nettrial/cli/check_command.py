"""`nettrial check`: is this comparison fair?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

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
@click.option(
    "--select",
    metavar="CODES",
    multiple=True,
    help="Check only these, as NT1,NT405; list prints all. May be repeated.",
)
@click.option(
    "--ignore",
    metavar="CODES",
    multiple=True,
    help="Do not check these, as NT103. May be repeated.",
)
@click.option("--junit", metavar="FILE.xml", help="Also write the checks as JUnit tests.")
@click.option("--sarif", metavar="FILE.sarif", help="Also write the findings as SARIF.")
@with_options(*OUTPUT)
def command(
    path: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
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
    check_outputs(options, inputs=_inputs(path, options))
    from ..checking.check import check
    from ..checking.kinds import KINDS
    from ..report.check_formats import write_junit, write_sarif
    from ..report.files import check_writable

    if "list" in (*_codes(select, "select"), *_codes(ignore, "ignore")):
        say("\n".join(f"{kind.code} {kind.title}" for kind in KINDS.values()))
        return
    for name, what, ending in (("junit", "JUnit", ".xml"), ("sarif", "SARIF", ".sarif")):
        if options[name] is not None:
            check_writable(options[name], what=f"{what} file", endings=(ending,))
    with described_warnings():
        given, more = _given(path, options)
        found = check(
            given,
            select=_codes(select, "select") or None,
            ignore=_codes(ignore, "ignore"),
            **more,
        )
    for write, place in ((write_junit, options["junit"]), (write_sarif, options["sarif"])):
        if place is not None:
            write(found, place, about=path or options["table"] or options["runs"] or "")
    finish(found, options)
    say(f"nettrial: {'failed' if found.problems else 'passed'}: {found.verdict}", err=True)
    if found.problems:
        raise click.exceptions.Exit(FAILED)


OF_NETWORKS = ("splits", "predictions", "labeled", "design", "times")
TABLES = ("table", "runs")
FILES = ("splits", "predictions", *TABLES)


def _codes(several: tuple[str, ...], what: str) -> list[str]:
    return [code for text in several for code in words(text, what)]


def _inputs(path: str | None, options: dict[str, Any]) -> tuple[Path, ...]:
    """Return the files that are read, so that none of them is written."""
    named = {name: options[name] for name in FILES if options[name] is not None}
    found = [Path(place) for place in named.values()]
    if path is None:
        return tuple(found)
    if Path(path).is_dir():
        from ..checking.paper_folder import look_into

        found += look_into(Path(path), named).files
    return (*found, Path(path))


def _given(path: str | None, options: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Return what is checked, and what belongs to it."""
    more = {name: options[name] for name in (*OF_NETWORKS, *TABLES, "n_splits", "test_share")}
    alone = path is None and not options["example"]
    if alone and any(options[name] is not None for name in TABLES):
        return None, more
    from ..saved import check_source

    check_source(options["predictions"])
    if path is None or options["example"]:
        return network_of("check", path, options), more
    import numpy as np

    from ..io import read
    from ..network.network import Network
    from ..network.node_values import MISSING

    given = reading(options)
    features = given.pop("features", None)

    def reader(place: Path) -> Network:
        """Read a network, and take as features what is looked for too: columns of the class."""
        network = read(place, **given)
        unknown = np.full(network.n_nodes, MISSING, dtype=np.int32)
        return network if features is None else network._with_features(features, unknown)

    return Path(path), more | {"reader": reader}
