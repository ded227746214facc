"""`nettrial compare`: the main job."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import InputError
from . import say
from .many import (
    MEASURE,
    PAPER,
    check_report,
    finish,
    measure_word,
    models_of,
    warnings_told,
    words,
)
from .networks import network_of
from .tables import equation

if TYPE_CHECKING:
    from ..comparison.grouped import GroupedComparison
    from ..comparison.result import Comparison

MODEL = (
    "Model {}: a built-in name; or MODULE:OBJECT or FILE.py:OBJECT, which is your own code and is "
    "run as such; or a name from the file of predictions or a column of the table of groups."
)


@click.command("compare")
@click.argument("path", required=False, metavar="[LINKS_OR_FOLDER]")
@click.option("--example", is_flag=True, help="Use a generated network instead of a file.")
@click.option("--network", metavar="LINKS_OR_FOLDER", help="The same as the argument.")
@click.option("--nodes", metavar="FILE", help="Node table, if it is not beside the links.")
@click.option("--label", metavar="COLUMN", help="Node column that holds the class.")
@click.option("--positive", metavar="VALUE", help="Take one class against all others.")
@click.option("--directed/--undirected", default=None, help="By default as the file says.")
@click.option("--a", "a", metavar="MODEL", show_default="wvrn", help=MODEL.format("A"))
@click.option("--b", "b", metavar="MODEL", show_default="nbc", help="Model B, likewise.")
@click.option("--models", metavar="LIST",
              help="Instead of --a and --b: several models, separated by commas.")  # fmt: skip
@click.option("--control", metavar="MODEL",
              help="With --models: compare only each other one with this one.")  # fmt: skip
@click.option("--measures", metavar="LIST",
              help="With --models: test several of error, squared_loss, log_loss at "
                   "once.")  # fmt: skip
@click.option("--labeled", type=float,
              help="Proportion of labelled nodes to learn from.  [default: 0.3]")  # fmt: skip
@click.option("--splits", "n_splits", type=int, help="Number of splits.  [default: 10]")
@click.option("--design", metavar="NAME", show_default="rrs",
              help="How to split: rrs (random resampling), ers (equal resampling), ncv "
                   "(network cross-validation), ...")  # fmt: skip
@click.option("--split-file", metavar="FILE", help="Splits as `nettrial split` writes them.")
@click.option("--predictions", metavar="FILE",
              help="Run nothing, but compare predictions made elsewhere: a table (CSV, Parquet, "
                   "npz) with columns split, node, model, and prediction or a probability column "
                   "p_CLASS for each class; or a column a model, or arrays of splits x "
                   "nodes.")  # fmt: skip
@click.option("--where", multiple=True, metavar="COLUMN=VALUE",
              help="With --predictions: read only these rows.")  # fmt: skip
@click.option("--groups", metavar="COLUMN",
              help="No network: the file is a CSV table with one row an item, COLUMN holds its "
                   "group, --a and --b name columns of scores.")  # fmt: skip
@click.option("--errors", is_flag=True, help="With --groups: lower values are better.")
@click.option("--communities", metavar="NAME", default="louvain", show_default=True,
              help="Groups of dependent nodes: louvain, or a node column.")  # fmt: skip
@MEASURE
@click.option("--test", metavar="NAME", default="auto", show_default=True,
              help="Which test gives the verdict: auto, bootstrap, clustered_t, ...")  # fmt: skip
@click.option("--replicates", "n_replicates", type=int, default=200, show_default=True,
              help="Networks that the bootstrap draws, of either of its two kinds.")  # fmt: skip
@click.option("--drop-cross-links", is_flag=True,
              help="Leave out links between training nodes and others.")  # fmt: skip
@click.option("--confidence", type=float, default=0.95, show_default=True,
              help="Level of the intervals.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--jobs", "n_jobs", type=int, default=1, show_default=True,
              help="Worker processes; -1 is one a core.")  # fmt: skip
@click.option("--store", metavar="FILE", help="Keep every finished run in a study file; "
              "the same command again runs only what is missing.")  # fmt: skip
@click.option("--retry", is_flag=True, help="Run again what failed, as the study file says.")
@click.option("--report", metavar="FILE.html", help="Also write one self-contained page.")
@PAPER
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(
    context: click.Context,
    /,
    path: str | None,
    network: str | None,
    report: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Say whether one classifier really beats another on networks like this one.

    LINKS_OR_FOLDER is a folder with edges.csv and nodes.csv, or a file in any format that
    nettrial reads.

    \b
    nettrial compare --example --report report.html
    nettrial compare my_network/ --a gcn --b wvrn --labeled 0.3
    nettrial compare my_network/ --a my_models.py:MyModel --b wvrn
    nettrial compare my_network/ --models wvrn,nbc,nlb,gcn --paper folder/
    nettrial compare my_network/ --predictions predictions.csv --split-file splits.npz
    nettrial compare answers.csv --groups document --a new --b old
    """
    from ..report.html import write_report

    if path is not None and network is not None:
        raise InputError(f"compare: received the networks {path!r} and {network!r}; give one")
    if options["groups"] is not None:
        _refuse_set(context, "groups", GROUPED)
        say(_shown(_grouped(path, options), as_json))
        return
    if options["models"] is not None:
        _refuse_set(context, "--models", MANY)
        check_report(report)
        _compare_many(path if network is None else network, options, report, as_json)
        return
    _refuse_set(context, "network", RUN | FROM_FILE, but=("errors",))
    check_report(report)
    with warnings_told():
        found = _compare(context, path if network is None else network, options)
    if report is not None:
        write_report(found, report)
    say(_shown(found, as_json))
    if report is not None:
        say(f"report written to {Path(report)}", err=True)


COMMON = {"path", "a", "b", "confidence", "seed", "as_json"}
GROUPED = COMMON | {"groups", "errors"}
NETWORK = COMMON | {
    "network", "example", "nodes", "label", "positive", "directed", "communities", "report",
    "split_file", "measure",
}  # fmt: skip
RUN = NETWORK | {
    "design", "labeled", "n_splits", "drop_cross_links", "n_jobs", "store", "retry", "test",
    "n_replicates",
}  # fmt: skip
FROM_FILE = NETWORK | {"predictions", "test", "where"}
MANY = RUN - {"a", "b", "split_file", "store", "retry"} | {
    "models",
    "control",
    "measures",
    "paper",
}


def _refuse_set(
    context: click.Context, what: str, allowed: set[str], but: tuple[str, ...] = ()
) -> None:
    """Refuse options that would be ignored."""
    for parameter in context.command.params:
        name = str(parameter.name)
        source = context.get_parameter_source(name)
        given = source is click.core.ParameterSource.COMMANDLINE
        if given and (name not in allowed or name in but):
            word = parameter.opts[0] if parameter.opts[0].startswith("-") else name
            raise InputError(f"compare: {word} has no use with {what}; leave it out")


def _compare(context: click.Context, path: str | None, options: dict[str, Any]) -> Comparison:
    from ..saved import check_source

    if options["predictions"] is not None:
        _refuse_set(context, "--predictions", FROM_FILE)
    if options["split_file"] is not None and options["design"] is not None:
        raise InputError("compare: received both --design and --split-file; give one of them")
    for name in ("predictions", "split_file"):
        check_source(options[name])
    network = network_of("compare", path, options)
    common = {name: options[name] for name in ("communities", "measure", "confidence", "seed")}
    splits = None
    if options["split_file"] is not None:
        from ..splits.files import read_splits

        splits = read_splits(options["split_file"], network)
    if options["predictions"] is not None:
        from ..comparison.saved import compare_saved

        if options["positive"] is not None:
            network = network.one_against_rest(options["positive"])
        return compare_saved(
            options["predictions"], network, a=options["a"], b=options["b"], splits=splits,
            where=dict(equation(text, "where", "COLUMN") for text in options["where"]),
            design="given", test=options["test"], **common,
        )  # fmt: skip
    if options["retry"] and options["store"] is None:
        raise InputError("compare: --retry needs --store FILE, the study file whose runs failed")
    from ..comparison.compare import compare
    from .user_models import user_model

    return compare(
        network, user_model(_given(options, "a", "wvrn")), user_model(_given(options, "b", "nbc")),
        labeled=options["labeled"], n_splits=options["n_splits"], positive=options["positive"],
        design=splits or _given(options, "design", "rrs"), n_jobs=options["n_jobs"],
        cross_links="drop" if options["drop_cross_links"] else "keep", store=options["store"],
        retry=options["retry"], test=options["test"],
        n_replicates=options["n_replicates"], **common,
    )  # fmt: skip


def _compare_many(
    path: str | None, options: dict[str, Any], report: str | None, as_json: bool
) -> None:
    from ..comparison.many import compare_models

    measures = [measure_word(word) for word in words(options["measures"] or "error", "--measures")]
    with warnings_told():
        found = compare_models(
            network_of("compare", path, options), models_of(options["models"]),
            control=options["control"],
            measures=measures,  # type: ignore[arg-type]  # other words are refused there
            measure=options["measure"],
            labeled=options["labeled"], n_splits=options["n_splits"], positive=options["positive"],
            design=_given(options, "design", "rrs"), n_jobs=options["n_jobs"],
            cross_links="drop" if options["drop_cross_links"] else "keep",
            communities=options["communities"], confidence=options["confidence"],
            test=options["test"], n_replicates=options["n_replicates"], seed=options["seed"],
        )  # fmt: skip
    finish(found, options["paper"], report, as_json)


def _given(options: dict[str, Any], name: str, default: str) -> str:
    return default if options[name] is None else str(options[name])


def _grouped(path: str | None, options: dict[str, Any]) -> GroupedComparison:
    from ..comparison.grouped import compare_grouped
    from .tables import read_table

    if path is None:
        raise InputError("compare: --groups needs a CSV table: nettrial compare TABLE --groups ...")
    table, groups = read_table(path), options["groups"]
    table.text(groups)
    others = [name for name in table.columns if name not in (groups, *table.rows_named_by)]
    chosen = [name for name in (options["a"], options["b"]) if name is not None]
    names = chosen if len(chosen) == 2 else others
    if len(names) != 2:
        raise InputError(
            f"compare: name the columns of the two models by --a and --b; beside {groups!r} the "
            f"table has {', '.join(others) or 'none'}"
        )
    return compare_grouped(
        table.complete(names[0]), table.complete(names[1]), table.text(groups),
        names=(names[0], names[1]), errors=options["errors"], confidence=options["confidence"],
        seed=options["seed"],
    )  # fmt: skip


def _shown(found: Comparison | GroupedComparison, as_json: bool) -> str:
    return found.to_json() if as_json else str(found)
