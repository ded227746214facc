"""compare_labels(): nodes with several labels at once, each label against the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeAlias, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.errors import AssumptionWarning, InputError, error_about, not_found, shown
from ..core.seeds import Stream, derive
from ..inference.choice import checked, on_predictions
from ..inference.on_links import NETWORK_HAC
from ..inference.scores import Scores
from ..io.report import what_was_read
from ..metrics.measures import Measure, measure_named
from ..models.base import Model
from ..network.canonical_order import canonical_order
from ..network.network import Network
from ..network.node_values import MISSING
from ..study.in_order import predictions_in_order
from ..study.measured import contributions, pooled_contributions
from ..study.node_study import Predictions, model_warnings, run
from ..study.tasks import CLASSES, LABELS
from .judge import Cell, judge
from .label_predictions import LabelPredictions
from .multiple import MultipleComparison, multiple_of
from .options import Asked, Options, takes_options
from .setup import Setup
from .setup_checks import check_question

Average: TypeAlias = Literal["macro", "micro"]
Labels: TypeAlias = Sequence[str] | Mapping[str, Any] | ArrayLike
# they work on what nodes contribute; the others on the errors or predictions of one label
ON_NODES = ("network_hac", "cluster_robust_t", "cluster_sign_flip")


# measured: docs/lab/predictions.md
CAREFUL = AssumptionWarning(
    "with several labels network HAC is conservative and may miss a difference: on generated "
    "networks of 300 nodes it raised false alarms in 1% to 3% instead of 5%, the cluster-robust "
    "t-test in 5% to 6%"
)


@takes_options
def compare_labels(
    network: Network,
    labels: Any,
    models: Sequence[str | Model] | Mapping[str, str | Model],
    *,
    average: Average = "macro",
    labeled: float | None = None,
    **options: Unpack[Asked],
) -> MultipleComparison:
    """Compare models on nodes that may have several labels at once, as groups or functions.

    Each label is a problem of its own, the label against its absence, on the same splits. What a
    node contributes to the measure is the mean over the labels, so that however the errors on
    its labels go together is in the variance; tests then work on nodes as for one label.

    Parameters
    ----------
    network : Network
        Its own classes and targets play no role.
    labels : array_like of 0 and 1, shape (n_nodes, n_labels), mapping, or sequence of str
        Which node has which label: a table, dense or sparse; a mapping of names to columns of it;
        or names of node columns of the network that hold 0 and 1. A node whose labels are not
        known is NaN for all of them.
    models : sequence of str, Model or scikit-learn classifier, or mapping of names to them
        At least two.
    average : {"macro", "micro"}
        The mean of the measure over the labels, or the measure of all pairs of a node and a label
        pooled (micro-F1).
    measure : str or Measure
        For example "error" (the Hamming loss), "f1", "auc", "average_precision". A label is
        predicted where its probability is above one half.
    test : str
        "auto", "network_hac", "cluster_robust_t" or "cluster_sign_flip": tests on predictions.

    Returns
    -------
    MultipleComparison
        Also of two models. ``settings["labels"]`` has the measure of every model on each label;
        `predictions` are `LabelPredictions`: those of all labels, of each by its name.

    Raises
    ------
    InputError
        As `compare_models`; where there are fewer than two labels, one that no node or every node
        has, or the measure is not defined on a label in some test set (leave such a label out).

    Examples
    --------
    >>> import nettrial
    >>> net = nettrial.latent_group_network(120, seed=1)
    >>> second = (np.arange(120) % 3 == 0) ^ (net.labels == 1)
    >>> table = np.column_stack([net.labels, second]).astype(int)
    >>> found = nettrial.compare_labels(net, table, ["wvrn", "prior"], n_splits=4, seed=1)
    >>> list(found.settings["labels"]), found.recommended
    (['label 0', 'label 1'], 'cluster_robust_t')
    >>> found.predictions.predicted("wvrn", 0).shape, found.predictions["label 1"].models
    ((84, 2), ('wvrn', 'prior'))
    """
    check_question(network, models, "several labels")
    given = label_networks(network, labels)
    asked = Options(labeled=labeled, **options)
    what = measure_named(asked.measure)
    # pooled, a measure may be defined where it is not on a label alone
    asked = asked.but(
        measure=what if average == "macro" else "error", test=checked(asked.test, ON_NODES, what)
    )
    orders = [canonical_order(each) for each in given.values()]
    named = {
        name: each if order is None else order.network
        for (name, each), order in zip(given.items(), orders)
    }
    first, *others = named.values()
    with error_about(next(iter(named))):
        setup = Setup.of(next(iter(given.values())), models, asked)
    alone = asked.but(
        design=setup.splits, labeled=None, n_splits=None, test=ON_NODES[1],
        communities=setup.analysis.groups,
    )  # fmt: skip
    for name, each in zip(list(named)[1:], others):
        with error_about(name):
            Setup.of(each, models, alone)  # checks the label
    runs = [
        run(
            each,
            setup.models,
            setup.splits,
            seed=derive(derive(setup.analysis.entropy, Stream.MODELS), place),
            n_jobs=asked.n_jobs,
            cross_links=asked.links_shown,
            progress=asked.progress,
            task=LABELS,
        )
        for place, each in enumerate(named.values())
    ]
    note = f"{what.title}, {average} average over {len(named)} labels"
    choice = setup.analysis.choice
    if not choice.forced:
        because = "no model was run again, since each label would need networks of its own"
        choice = on_predictions(CLASSES, first, setup.analysis.groups, because)
    analysis = replace(setup.analysis, choice=choice, measure=replace(what, title=note))
    scores = replace(joint_scores(runs, what, average), measure=analysis.measure)
    found = multiple_of(
        judge([Cell(runs[0], analysis, scores=scores)])[0],
        average=average,
        labels=dict(zip(named, (_of_label(each, what) for each in runs))),
    )
    more = tuple(
        type(warning)(f"{name}: {warning}")
        for name, each in list(zip(named, runs))[1:]
        for warning in model_warnings(each)
    )
    careful = (CAREFUL,) if choice.name == NETWORK_HAC.name else ()
    without = np.full(network.n_nodes, MISSING, dtype=np.int32)
    read = replace(
        what_was_read(network),
        label=None, label_choice="", missing={}, classes=0, numeric=False, labels=tuple(named),
        unlabeled=int(np.count_nonzero(first.labels == MISSING)),
    )  # fmt: skip
    return replace(
        found,
        predictions=LabelPredictions(
            network._with_labels(without, ()),
            {
                name: predictions_in_order(each, order and order.back)
                for name, each, order in zip(named, runs, orders)
            },
        ),
        warnings=found.warnings + careful + more,
        settings={**found.settings, "read": read.to_dict()},
    )


def _of_label(predictions: Predictions, measure: Measure) -> dict[str, float]:
    """Return how many nodes have a label, and the measure of every model on it, mean over splits.

    NaN where the measure is not defined on some test set, as it may be where labels are pooled.
    """
    found = {"nodes": float((predictions.network.labels == 1).sum())}
    for model in predictions.models:
        parts = [
            contributions(predictions, model, number, measure).mean()
            for number in range(len(predictions.splits))
        ]
        found[model] = float(np.mean(parts))
    return found


def joint_scores(runs: Sequence[Predictions], measure: Measure, average: Average) -> Scores:
    """Score predictions of several labels together: a node contributes its mean over them.

    Parameters
    ----------
    runs : sequence of Predictions
        One a label, of the same models on the same splits.
    average : {"macro", "micro"}
    """
    if average == "macro":
        for each in runs:
            each.task.check_measurable(each, measure)

    def part(_: Any, model: str, number: int) -> NDArray[np.float64]:
        if average == "micro":
            return pooled_contributions(runs, model, number, measure)
        parts = [contributions(each, model, number, measure) for each in runs]
        return np.asarray(np.mean(parts, axis=0))

    return Scores.of_parts(runs[0], measure, part)


def label_networks(network: Network, labels: Any) -> dict[str, Network]:
    """Return the network once for each label: the nodes that have it against those that do not."""
    columns = _columns(network, labels)
    if len(columns) < 2:
        raise InputError(
            parameter="labels",
            expected="at least two labels",
            got=f"{len(columns)}",
            hint="compare_models takes one",
        )
    found: dict[str, Network] = {}
    known: NDArray[np.bool_] | None = None
    for name, column in columns.items():
        values = _zeros_and_ones(name, column, network.n_nodes)
        here = ~np.isnan(values)
        if known is not None and (here != known).any():
            raise InputError(
                f"{shown(name)} is missing for other nodes than the label before it",
                parameter="labels",
                hint="give NaN for all labels of a node, or leave the label out",
            )
        known = here
        ones = int(np.nansum(values))
        if ones in (0, int(here.sum())):
            which = "no node" if ones == 0 else "every node"
            raise InputError(f"{which} has {shown(name)}", parameter="labels", hint="leave it out")
        codes = np.where(here, values, MISSING).astype(np.int32)
        one = network._with_labels(codes, (f"not {name}", name))
        one._set(targets=None)
        found[name] = one
    return found


def labels_by_column(network: Network, names: Sequence[str], own: str) -> dict[str, Any]:
    """Return node columns by name; the column `own` was read as the network's classes."""
    found: dict[str, Any] = {}
    for name in names:
        if name == own:
            classes = np.array([*network.classes, np.nan], dtype=object)
            found[name] = classes[network.labels]  # a missing label is the last of them
        elif name in network.attributes:
            found[name] = network.attributes[name]
        else:
            raise not_found("node column", name, [*filter(None, [own]), *network.attributes])
    return found


def _columns(network: Network, labels: Any) -> dict[str, Any]:
    if isinstance(labels, Mapping):
        return {str(name): column for name, column in labels.items()}
    if isinstance(labels, (list, tuple)) and labels and all(isinstance(x, str) for x in labels):
        return labels_by_column(network, labels, "")
    try:
        table = labels.toarray() if hasattr(labels, "toarray") else np.asarray(labels)
    except (ValueError, MemoryError):  # rows of different lengths, or endless ones
        table = np.empty(0)
    if table.ndim != 2 or table.shape[0] != network.n_nodes:
        raise InputError(
            parameter="labels",
            expected=f"a table of {network.n_nodes:,} nodes and one column per label, a mapping of "
            "names to columns, or names of node columns",
            got=f"shape {table.shape}",
        )
    return {f"label {place}": column for place, column in enumerate(table.T)}


def _zeros_and_ones(name: str, column: Any, n_nodes: int) -> NDArray[np.float64]:
    try:
        values = np.asarray(column).astype(np.float64)
    except (TypeError, ValueError):
        values = np.full(1, 2.0)
    if values.shape != (n_nodes,) or not np.isin(values[~np.isnan(values)], (0, 1)).all():
        raise InputError(
            parameter="labels",
            expected=f"0 or 1 (NaN for unknown) for each of {n_nodes:,} nodes in {shown(name)}",
        )
    return values
