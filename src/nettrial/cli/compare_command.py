"""`nettrial compare`: the main job."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..comparison.options import offered
from ..core.errors import InputError, shown
from ..io.options import declared as read_options
from . import gates, say, tell
from .grouped_help import GroupedCommand
from .items_of_groups import compare_items
from .networks import EXAMPLE, network_of, reading_options
from .options import (
    declared_option,
    declared_options,
    described_warnings,
    models_of,
    running,
    with_options,
    words,
)
from .outputs import NAMES, OUTPUT, check_outputs, finish
from .tables import equation

if TYPE_CHECKING:
    from ..core.finding import Finding

MODEL = (
    "Model {}: a built-in name; or MODULE:OBJECT or FILE.py:OBJECT, which is your own code and is "
    "run as such; or a name from the file of predictions or a column of the table of groups."
)


@click.command("compare", cls=GroupedCommand)
@click.argument("path", required=False, metavar="[LINKS_OR_FOLDER]")
@with_options(EXAMPLE)
@click.option("--network", metavar="LINKS_OR_FOLDER", help="The same as the argument.")
@reading_options
@with_options(declared_option("positive"))
@click.option("--a", "a", metavar="MODEL", help=f"{MODEL.format('A')}  [default: wvrn]")
@click.option("--b", "b", metavar="MODEL", help="Model B, likewise.  [default: nbc]")
@click.option(
    "--models", metavar="LIST", help="Instead of --a and --b: several models, separated by commas."
)
@click.option(
    "--labels",
    metavar="LIST",
    help="With --models: nodes may have several labels at once, each a node column of 0 and 1; "
    "all for those of a file with a matrix of them.",
)
@click.option(
    "--average",
    type=click.Choice(["macro", "micro"]),
    help="With --labels: the mean of the measure over labels, or all pooled.  [default: macro]",
)
@click.option(
    "--split-file",
    metavar="FILE",
    help="Splits as `nettrial split` writes them, or masks of other programs.",
)
@click.option(
    "--predictions",
    metavar="FILE",
    help="Run nothing, but compare predictions made elsewhere: a table (CSV, Parquet, "
    "npz) with columns split, node, model, and prediction or a probability column "
    "p_CLASS for each class; or one column per model, or arrays of splits x "
    "nodes. Of links: columns source, target, label (1 or 0), split, and a column of scores a "
    "model; a network is not needed.",
)
@click.option(
    "--where",
    multiple=True,
    metavar="COLUMN=VALUE",
    help="With --predictions: read only these rows.",
)
@click.option(
    "--groups",
    metavar="COLUMN",
    help="No network: the file is a CSV table with one row per item, COLUMN holds its "
    "group, --a and --b (or --models) name columns of scores. Of a folder of logs of "
    "lm-evaluation-harness or Inspect, or without a file of the logs that --a and --b (or "
    "--models) name, COLUMN is as doc.passage or metadata.document.",
)
@click.option(
    "--score",
    metavar="NAME",
    help="With --groups and logs of evaluations: which of their scores, as acc.",
)
@click.option(
    "--data-sets",
    metavar="COLUMN",
    help="With --groups and --models: this column holds the data set of each item; data sets are "
    "then the observations.",
)
@click.option(
    "--truth",
    metavar="COLUMN",
    help="With --groups: this column holds the true class of each item, and those of models hold "
    "classes that they predict.",
)
@click.option("--errors", is_flag=True, help="With --groups: lower values are better.")
@with_options(*declared_options("compare", "positive"))
@click.option(
    "--shard",
    metavar="I/N",
    help="Run share I of N only and keep it in the folder --store, as one job of an array; "
    "`nettrial merge` joins all shares.",
)
@with_options(*gates.GATE)
@with_options(*OUTPUT)
@click.pass_context
def command(
    context: click.Context,
    /,
    path: str | None,
    network: str | None,
    **options: Any,
) -> None:
    """Test whether one classifier really beats another on networks like this one.

    LINKS_OR_FOLDER is a folder with edges.csv and nodes.csv, or a file in any format that
    nettrial reads.

    \b
    nettrial compare --example --report report.html
    nettrial compare my_network/ --a gcn --b wvrn --labeled 0.3
    nettrial compare my_network/ --a my_models.py:MyModel --b wvrn
    nettrial compare my_network/ --models wvrn,nbc,nlb,gcn --paper folder/
    nettrial compare my_network/ --predictions predictions.csv --split-file splits.npz
    nettrial compare answers.csv --groups document --a new --b old
    nettrial compare logs/ --groups metadata.document
    nettrial compare my_network/ --a gcn --b wvrn --store shards/ --shard 3/16
    nettrial compare my_network/ --a new.py:Model --b old.py:Model --fail-if worse-by=0.01
    """
    if path is not None and network is not None:
        raise InputError(
            expected="one network", got=f"{shown(path)} and {shown(network)}", where="compare"
        )
    _refuse_one_model(options)
    place = path if network is None else network
    logs = options["groups"] is not None and path is not None and Path(path).is_dir()
    gates.check_gate(options, several=logs or options["models"] is not None)
    if options["groups"] is not None:
        if options["data_sets"] is not None:
            _refuse_set(context, "--data-sets", OF_GROUPS - {*gates.NAMES})
        if options["models"] is not None:
            _refuse_set(context, "--models", OF_GROUPS)
        elif logs:
            _refuse_set(context, "a folder of logs", OF_GROUPS)
        else:
            _refuse_set(context, "--groups", GROUPED)
        check_outputs(options)
        found: Finding = compare_items(path, options)
    elif options["shard"] is not None:
        allowed = (RUN if options["models"] is None else MANY) - NOT_SHARDED
        _refuse_set(context, "--shard", allowed | {"shard"})
        with described_warnings():
            _run_shard(place, options)
        return
    elif options["labels"] is not None:
        _refuse_set(context, "--labels", OF_LABELS)
        check_outputs(options)
        with described_warnings():
            found = _compare_labels(place, options)
    elif options["models"] is not None:
        _refuse_set(context, "--models", MANY)
        check_outputs(options)
        with described_warnings():
            found = _compare_many(place, options)
    else:
        made = options["predictions"] is not None
        _refuse_set(context, "--predictions" if made else "", FROM_FILE if made else RUN)
        check_outputs(options)
        with described_warnings():
            found = _compare_predictions(place, options) if made else _compare(place, options)
    finish(found, options)
    gates.end(found, options)


DEFAULTS = (("a", "wvrn"), ("b", "nbc"))
COMMON = {"path", "a", "b", "confidence", "seed", *gates.NAMES, *NAMES}
GROUPED = COMMON | {"groups", "truth", "errors", "score", "n_prior_tests", "margin"}
OF_GROUPS = GROUPED - {"a", "b"} | {"models", "control", "data_sets"}
NETWORK = COMMON | {"network", "example", "split_file", *read_options()}
RUN = NETWORK | set(offered("compare")) - {"control", "measures"} | {"timeout", "memory"}
FROM_FILE = (
    NETWORK | set(offered("compare_predictions")) - {"labeled", "design"} | {"predictions", "where"}
)
MANY = RUN - {"a", "b", "split_file"} | {"models", "control", "measures"}
OF_LABELS = MANY & {*NETWORK, *offered("compare_labels"), "models", "timeout", "memory"} - {
    "target"
} | {"labels", "average"}
NOT_SHARDED = {"budget", *gates.NAMES, *NAMES} - {"as_json"}


ONLY_WITH = {
    "control": "--models", "measures": "--models", "errors": "--groups", "score": "--groups",
    "truth": "--groups",
    "data_sets": "--models",
    "where": "--predictions", "average": "--labels",
}  # fmt: skip


def _refuse_set(context: click.Context, what: str, allowed: set[str]) -> None:
    """Refuse options that would be ignored."""
    for parameter in context.command.params:
        name = str(parameter.name)
        source = context.get_parameter_source(name)
        given = source is click.core.ParameterSource.COMMANDLINE
        if given and name not in allowed:
            word = parameter.opts[0] if parameter.opts[0].startswith("-") else name
            needs = ONLY_WITH.get(name)
            if needs is not None and needs != what:
                raise InputError(f"compare: {word} needs {needs}")
            raise InputError(f"compare: {word} cannot be combined with {what}; leave it out")


def _refuse_one_model(options: dict[str, Any]) -> None:
    """Refuse to compare a model with itself."""
    given = [options[name] for name, _ in DEFAULTS]
    if options["predictions"] is None and options["groups"] is None:
        given = [default if one is None else one for one, (_, default) in zip(given, DEFAULTS)]
    if given[0] is not None and given[0] == given[1] and options["models"] is None:
        raise InputError(
            f"compare: --a and --b are both {shown(given[0])}; expected two different models"
        )


def _compare(path: str | None, options: dict[str, Any]) -> Any:
    from ..comparison.compare import compare

    network, models, given = _to_run(path, options)
    return compare(network, *models, **given)


def _network_and_splits(path: str | None, options: dict[str, Any]) -> tuple[Any, Any]:
    """Read the network, and the file of splits if one was given."""
    from ..comparison.halves_files import manifest_in
    from ..saved import check_source

    if options["split_file"] is not None and options["design"] is not None:
        raise InputError("compare: got both --design and --split-file; give one of them")
    for name in ("predictions", "split_file"):
        if manifest_in(options[name]) is None:
            check_source(options[name])
    network = network_of("compare", path, options)
    if options["split_file"] is None or manifest_in(options["split_file"]) is not None:
        return network, options["split_file"]
    from ..splits.files import read_splits

    return network, read_splits(options["split_file"], network)


def _to_run(path: str | None, options: dict[str, Any]) -> tuple[Any, list[Any], dict[str, Any]]:
    """Return the network, the models and how they are to be compared."""
    from .user_models import user_model

    network, splits = _network_and_splits(path, options)
    given = running(options)
    if splits is not None:
        given["design"] = splits
    if options["models"] is not None:
        return network, models_of(options["models"]), given
    models = [
        user_model(default if options[name] is None else options[name])
        for name, default in DEFAULTS
    ]
    return network, models, given


def _compare_predictions(path: str | None, options: dict[str, Any]) -> Any:
    from ..comparison.predictions import compare_predictions
    from ..saved import check_source
    from ..saved.links import link_table

    check_source(options["predictions"])
    network, splits = None, None
    # a table of links names its own nodes
    if path is not None or options["example"] or link_table(options["predictions"]) is None:
        network, splits = _network_and_splits(path, options)
    return compare_predictions(
        options["predictions"],
        network,
        a=options["a"],
        b=options["b"],
        splits=splits,
        where=dict(equation(text, "where", "COLUMN") for text in options["where"]),
        **running(options),
    )


def _run_shard(path: str | None, options: dict[str, Any]) -> None:
    """Run one share of a comparison of two or more models, and say how far all have come."""
    import json

    from ..comparison.sharded import compare_shard

    if options["store"] is None:
        raise InputError("compare: --shard needs --store FOLDER, in which all shards are kept")
    network, models, given = _to_run(path, options)
    found = compare_shard(network, models, shard=options["shard"], **given)
    if options["as_json"]:
        say(json.dumps(found.to_dict(), indent=1))
    else:
        tell(str(found))


def _compare_many(path: str | None, options: dict[str, Any]) -> Any:
    from ..comparison.multiple import compare_models

    network, models, given = _to_run(path, options)
    return compare_models(network, models, **given)


def _compare_labels(path: str | None, options: dict[str, Any]) -> Any:
    from ..comparison.labels import compare_labels, labels_by_column
    from ..io.multilabel import taking_matrices

    if options["models"] is None:
        raise InputError("compare: --labels needs --models, as --models wvrn,nbc")
    labels: Any
    if options["labels"] == "all":
        with taking_matrices() as matrices:
            try:
                network, models, given = _to_run(path, options)
            except InputError as refused:
                no_class = refused.parameter == "label" and not refused.got
                if not no_class or matrices:
                    raise
        if len(matrices) != 1:
            raise InputError(
                f"compare: --labels all needs a file with one matrix of labels, got "
                f"{len(matrices) or 'none'}; name node columns of 0 and 1, as --labels sports,news"
            )
        labels = matrices[0]
    else:
        names = words(options["labels"], "labels")
        if options["label"] is None:
            options["label"] = names[0]  # or reading would ask which column holds the class
        network, models, given = _to_run(path, options)
        labels = labels_by_column(network, names, options["label"])
    return compare_labels(
        network,
        labels,
        models,
        average=options["average"] or "macro",
        **given,
    )
