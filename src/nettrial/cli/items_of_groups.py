"""`nettrial compare --groups`: models on the items of a table, or of logs of evaluations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.errors import InputError, shown
from ..io.columns import refuse_truth
from .options import running, words
from .tables import Table, read_table

if TYPE_CHECKING:
    from ..core.finding import Finding


def compare_items(path: str | None, options: dict[str, Any]) -> Finding:
    """Compare models on the items of a table, or of logs of evaluations."""
    from ..comparison.grouped import compare_grouped

    if path is None or Path(path).is_dir():
        return _evaluations(path, options)
    if options["score"] is not None:
        raise InputError("compare: --score needs logs of evaluations, --a FILE --b FILE")
    if options["errors"] and options["truth"] is not None:
        raise InputError("compare: --errors cannot be combined with --truth; leave it out")
    table, groups, data_sets = read_table(path), options["groups"], options["data_sets"]
    table.text(groups)
    names = _models_of_items(table, options)
    given = running(options) | {"errors": options["errors"]}
    columns = _scores_of_items(table, names, options["truth"])
    if options["models"] is None:
        a, b = names
        pair = (columns[a], columns[b])
        return compare_grouped(*pair, table.text(groups), names=(a, b), **given)
    own = None if data_sets is None else table.text(data_sets)
    found: Finding = compare_grouped(columns, None, table.text(groups), data_sets=own, **given)
    return found


def _models_of_items(table: Table, options: dict[str, Any]) -> list[str]:
    """Return the columns of the models that are compared, A before B."""
    named = {options[name] for name in ("groups", "data_sets", "truth")}
    others = [name for name in table.columns if name not in named.union(table.rows_named_by)]
    if options["models"] is not None:
        all_of_them = options["models"] == "all"
        names = others if all_of_them else words(options["models"], "models")
    else:
        names = [options[side] for side in ("a", "b") if options[side] is not None]
        all_of_them = len(names) < 2
        rest = [name for name in others if name not in names]
        if all_of_them:
            names = [*names, *rest] if options["b"] is None else [*rest, *names]
        if len(names) != 2:
            raise InputError(
                "compare: name the columns of two models by --a and --b, or of several by "
                f"--models; beside {shown(options['groups'])} the table has "
                f"{', '.join(others) or 'none'}"
            )
    if options["truth"] is None:
        refuse_truth(table.columns, names, named=not all_of_them)
    return names


def _scores_of_items(table: Table, names: list[str], truth: str | None) -> dict[str, Any]:
    """Return the scores of items: those of the table, or 1 where the true class is predicted."""
    if truth is None:
        return {name: table.complete(name) for name in names}
    true, *predicted = table.labels([truth, *names])
    return {
        name: [float(one == other) for one, other in zip(column, true)]
        for name, column in zip(names, predicted)
    }


def _evaluations(folder: str | None, options: dict[str, Any]) -> Finding:
    """Compare the logs of evaluations; several files of one model are several seeds."""
    from ..comparison.grouped import compare_grouped
    from ..saved.evaluation_folder import read_evaluations
    from ..saved.evaluations import read_evaluation

    for name in ("data_sets", "truth"):
        if options[name] is not None:
            word = f"--{name.replace('_', '-')}"
            raise InputError(f"compare: {word} needs a table, as in nettrial compare TABLE")
    where = {"group": options["groups"], "score": options["score"]}
    given = running(options) | {"errors": options["errors"]}
    models = options["models"]
    if folder is not None or models is not None:
        several = read_evaluations(folder or words(models, "models"), **where)
        chosen = None if folder is None or models in (None, "all") else words(models, "models")
        found: Finding = compare_grouped(several, models=chosen, **given)
        return found
    if options["a"] is None or options["b"] is None:
        raise InputError(
            "compare: --groups needs a table (nettrial compare TABLE --groups COLUMN), a folder of "
            "logs of evaluations, or two of them (--a FILE --b FILE --groups doc.passage)"
        )
    read = [read_evaluation(options[side].split(","), **where) for side in ("a", "b")]
    stems = [Path(options[side].split(",")[0]).stem for side in ("a", "b")]
    names = stems if stems[0] != stems[1] else [options["a"], options["b"]]
    return compare_grouped(read[0], read[1], names=(names[0], names[1]), **given)
