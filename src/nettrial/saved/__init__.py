"""Predictions made elsewhere, read from files and tables and checked against the network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown, unknown_choice
from ..network.network import Network
from ..splits.base import Split
from ..splits.given import given_splits
from ..study.node_study import Predictions
from .evaluation_folder import read_evaluations
from .evaluations import Evaluation, read_evaluation
from .rows import by_split, inferred_splits, of_models, scored, stacked
from .sources import by_training_seed, check_source, parts_of
from .tables import rows_of

__all__ = ["Evaluation", "check_source", "read_evaluation", "read_evaluations", "read_predictions"]


@check_arguments
def read_predictions(
    source: Any,
    network: Network,
    *,
    models: Sequence[str] | None = None,
    splits: Any = None,
    where: Mapping[str, object] | str | None = None,
) -> tuple[Predictions, tuple[str, ...]]:
    """Read the predictions of any number of models and check them against the network.

    Parameters
    ----------
    source : path, table, dict or Predictions
        A file (CSV or other delimited text, also compressed; Parquet; .npz without pickles; .pt
        with tensors, of which nothing runs), a table of pandas, polars or Arrow, or a dict of
        columns: one row per split, node and model.
        Or arrays, in a dict or an .npz, one per model: classes (n_splits, n_nodes), -1 where a node
        is not tested, or probabilities (n_splits, n_nodes, n_classes), NaN there; `ids`,
        `classes`, `test_mask` and `label` may stand beside them. Or a dict of any of these by
        model.

        Columns go by their usual names: ``split`` (fold, seed, run, ...), ``node`` (node_id, id,
        index, ...), ``model`` (method, classifier, ...), and either ``prediction`` (pred,
        predicted, y_pred, ...) or one probability column per class, called ``p_CLASS`` (prob_CLASS)
        or as the class. Without a model column, columns that hold classes alone are one model
        each. Where `splits` are given, a column ``seed`` beside one of splits (or
        files that are called ``gcn_split0_seed1``) holds training seeds, over which scores are
        averaged. Classes are
        written by name, or by number in the network's order. A column ``label`` (y_true, target,
        ...) is compared with the network's labels. One probability per row (``p_true``, ``proba``,
        ...) is used where there are two classes, else set aside.

        For a network with a numeric target predictions are numbers, NaN in an array where a node
        is not tested; a column of true targets is compared with the network's.
    network : Network
        With the labels or targets of all predicted nodes.
    models : sequence of str, optional
        The models to read, in this order; by default all, as they come.
    splits : object, optional
        What the models were trained on: whatever `compare` takes as ``design=`` of its own, such
        as splits, masks, a dict of sets or a path to a file of splits. ``split`` then holds their
        numbers from 0. Without them all labeled nodes that a split does not test are taken for
        its training set.
    where : mapping or str, optional
        Columns, and the value that rows must have there to be read: ``{"design": "rrs"}`` or
        ``"design=rrs"``.

    Returns
    -------
    predictions : Predictions
    notes : tuple of str
        What was left out or assumed.

    Raises
    ------
    InputError
        Naming the file and the count: columns that are missing, nodes that the network does not
        hold, test nodes without prediction, nodes that one model predicts and another does not,
        rows that repeat, classes that the network does not know, labels that differ from the
        network's, probabilities that are none or do not add up to 1 within 0.001, and
        several experiments in one table. And another network, conditions or other splits beside
        `Predictions`.

    Examples
    --------
    >>> net = Network([0, 1], [1, 2], n_nodes=4, labels=["x", "y", "x", "y"])
    >>> table = {"fold": [0, 0, 1, 1], "node_id": [2, 3, 0, 3]}
    >>> found, notes = read_predictions(table | {"A": list("xyxy"), "B": list("xxyy")}, net)
    >>> found.models, found.errors("B").tolist()
    (('A', 'B'), [[-1, -1, 0, 1], [1, -1, -1, 0]])
    """
    if isinstance(source, Predictions):
        _check_same(source.network, network)
    notes: list[str] = []
    given = None if splits is None else given_splits(splits, network, called="splits")
    chosen = conditions(where)
    if isinstance(source, Predictions):
        _check_whole(source, given, chosen)
        return _of_models(source, models), ()
    parts = parts_of(source, network, notes)
    runs: list[Predictions] = []
    one = given is None or "seed" in chosen
    for seed, own in [({}, parts)] if one else by_training_seed(parts, len(given or ())):
        options: dict[str, Any] = {"where": {**chosen, **seed}, "splits": given, "notes": notes}
        rows = [rows_of(part, network, models=models, **options) for part in own]
        table, names = of_models(stacked(rows), models)
        table = scored(table, given, notes)
        used = inferred_splits(table, names, notes) if given is None else given
        if runs and names != runs[0].models:
            raise InputError(
                parameter="predictions",
                expected=f"the same models of every training seed ({', '.join(runs[0].models)})",
                got=f"{', '.join(names)} of seed {shown(seed['seed'])}",
            )
        probabilities = {name: by_split(table, name, used) for name in names}
        runs.append(Predictions(network, tuple(used), names, probabilities))
    found = replace(runs[0], reseeded=tuple(runs[1:]))
    if len(runs) > 1:
        notes.append(f"{len(runs)} training seeds of each split: scores are their means")
    return found, tuple(dict.fromkeys(notes))


def _check_same(of: Network, network: Network) -> None:
    """Refuse another network than that of predictions; an equal one will do."""
    if network is not of and network.fingerprint() != of.fingerprint():
        raise InputError(
            parameter="network",
            expected=f"the one that the predictions are of, {of!r}",
            got=f"another, {network!r}",
            hint="links, labels, ids and features must be the same (`.network` of the "
            "predictions is it)",
        )


def _check_whole(
    found: Predictions, splits: Sequence[Split] | None, where: Mapping[str, object]
) -> None:
    """Refuse to choose rows of predictions, or to give them other splits than theirs."""
    if where:
        raise InputError(
            parameter="where",
            expected="a table of predictions to choose rows from",
            got="Predictions, which have no columns",
            hint="leave it out",
        )
    sets = [
        [(split.train.tolist(), split.test.tolist()) for split in of]
        for of in (found.splits, found.splits if splits is None else splits)
    ]
    if sets[0] != sets[1]:
        raise InputError(
            parameter="splits",
            expected=f"those of the predictions, {len(sets[0])} of them",
            got=f"{len(sets[1])} that are not the same",
            hint="leave splits= out",
        )


def _of_models(found: Predictions, models: Sequence[str] | None) -> Predictions:
    if models is None:
        return found
    for name in models:
        if name not in found.models:
            raise unknown_choice("model", name, found.models)
    return replace(
        found,
        models=tuple(models),
        probabilities={name: found.probabilities[name] for name in models},
        decided={name: found.decided[name] for name in models if found.decided},
    )


def conditions(where: Mapping[str, object] | str | None) -> Mapping[str, object]:
    """Return columns and the values that rows must have there.

    Examples
    --------
    >>> conditions("design=rrs")
    {'design': 'rrs'}
    """
    if not isinstance(where, str):
        return where or {}
    name, sign, value = where.partition("=")
    if not sign:
        raise InputError(parameter="where", expected="COLUMN=VALUE", got=shown(where))
    return {name.strip(): value.strip()}
