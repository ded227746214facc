"""Predictions measured: what every tested node contributes, and whether a measure can be had."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError
from ..core.option_names import option
from ..metrics.influence import SMALLEST
from ..metrics.measures import Measure, Predicted
from ..network.network import Network
from ..splits.base import Split
from .link_study import LinkPredictions
from .node_study import Predictions

Floats = NDArray[np.float64]


def tested(
    predictions: Predictions | LinkPredictions,
) -> tuple[NDArray[np.int64], list[NDArray[np.intp]]]:
    """Return the numbers of all items, and the places among them that each split tests."""
    tests = [split.test for split in predictions.splits]
    if not isinstance(predictions, LinkPredictions):
        return np.arange(predictions.network.n_nodes), tests
    numbers, place = np.unique(np.concatenate(tests), return_inverse=True)
    return numbers, np.split(place, np.cumsum([test.size for test in tests])[:-1])


def contributions(
    predictions: Predictions | LinkPredictions,
    model: str,
    number: int,
    measure: Measure,
    origin: NDArray[np.integer[Any]] | None = None,
) -> NDArray[np.float64]:
    """Return what every test node or pair of one split contributes to the measure of one model.

    NaN where the measure is not defined on the test set. On a replicate, `origin` holds the node
    of the network that each of its nodes is drawn from, for measures that look at nodes.
    """
    return measure.contributions(*handed_of(predictions, model, number, measure, origin))


def handed_of(
    predictions: Predictions | LinkPredictions,
    model: str,
    number: int,
    measure: Measure,
    origin: NDArray[np.integer[Any]] | None = None,
) -> tuple[Any, Any, Any, Any]:
    """Return what a measure is handed of one split and model: truth, what was said, and of whom.

    `origin` is as for `contributions`.
    """
    if isinstance(predictions, LinkPredictions):
        scores = predictions.scores[model][number]
        split = predictions.splits[number]
        table = np.stack([-scores, scores], axis=1)  # its second column ranks the pairs
        said: Any = scores if measure.is_custom else np.empty(0, dtype=np.int32)
        pairs = split.pairs(predictions.network.n_nodes)
        return split.is_link.astype(np.int32), table, said, pairs
    proba = predictions.probabilities[model][number]
    nodes = predictions.splits[number].test
    targets = predictions.network.targets
    if targets is not None:
        return targets[nodes], proba, proba, nodes
    labels = predictions.network.labels[nodes]
    known = nodes if origin is None else origin[nodes].astype(np.intp)
    return labels, proba.astype(np.float64), predictions.predicted(model, number), known


def pooled_contributions(
    runs: Sequence[Predictions], model: str, number: int, measure: Measure
) -> Floats:
    """Return what every test node of one split contributes to a measure of several labels pooled.

    The measure is that of all pairs of a node and a label; a node's contribution is the mean of
    those of its pairs. The predictions are of one label each, on the same splits.
    """
    nodes = runs[0].splits[number].test
    tables = [each.probabilities[model][number] for each in runs]
    psi = measure.contributions(
        np.concatenate([each.network.labels[nodes] for each in runs]),
        np.concatenate(tables).astype(np.float64),
        np.concatenate([each.predicted(model, number) for each in runs]),
        np.tile(nodes, len(runs)),
    )
    return np.asarray(psi.reshape(len(runs), nodes.size).mean(axis=0))


def kind_of(network: Network) -> Predicted:
    """Return what models of a network predict."""
    return "classes" if network.targets is None else "numbers"


def undefined(measure: Measure, model: str, number: int) -> InputError:
    """Build the error for a measure that is not defined for a model on one test set."""
    if measure.is_custom:
        why = "the function returned NaN"
    elif measure.of == "numbers":
        why = "its targets, or its predictions, are all alike"
    elif measure.name == "precision":
        why = "it predicts the positive class for no test node"
    else:
        why = "the test set lacks a class that it needs"
    strata = ", splits stratified by class," if measure.of == "classes" else ""
    return InputError(
        f"{measure.title} is not defined on split {number} for {model} ({why})",
        parameter="measure",
        hint=f"use larger test sets{strata} or another measure",
    )


def check_measurable(predictions: Predictions | LinkPredictions, measure: Measure) -> None:
    """Refuse a measure that the predictions do not allow.

    Raises
    ------
    InputError
        Where it needs probabilities and a model gives 0 and 1 only, or it needs test nodes of
        two classes and a test set has one.
    """
    if isinstance(predictions, LinkPredictions):
        return  # `LinkPredictions` were checked against it as they were made
    if measure.needs_probabilities:
        for model, tables in predictions.probabilities.items():
            if all(((table == 0) | (table == 1)).all() for table in tables):
                raise InputError(
                    f"{measure.name} needs probabilities, but {model} gives every class 0 or 1, "
                    "that is labels alone",
                    parameter="measure",
                    hint="use error, mcc or macro_f1, or predictions with probabilities",
                )
    check_defined(predictions.network, predictions.splits, measure)


def check_defined(network: Network, splits: Sequence[Split], measure: Measure) -> None:
    """Refuse a measure that is not defined on these test sets, whatever models predict.

    Raises
    ------
    InputError
        Where it needs a positive class and none is given, more classes than there are, a test set
        of two classes, one with a positive, or larger test sets than there are.
    """
    if measure.needs_positive and not network.is_one_against_rest:
        listed = ", ".join(str(c) for c in network.classes[:8])
        more = ", ..." * (network.n_classes > 8)
        raise InputError(
            f"{measure.title} judges one class against all others",
            parameter="measure",
            hint=f"expected {option('positive')} as one of {listed}{more}; "
            "mean_average_precision, macro_precision and macro_f1 are means over all "
            "classes",
        )
    if network.n_classes < measure.least_classes:
        raise InputError(
            f"{measure.name} is 100% for every model of {network.n_classes} classes",
            parameter="measure",
            hint=f"expected at least {measure.least_classes} classes, or a smaller number after @",
        )
    labels = [network.labels[split.test] for split in splits]
    if measure.needs_two_classes:
        _refuse(measure, [np.unique(part).size < 2 for part in labels], "of one class")
    if measure.needs_positive:
        _refuse(measure, [not (part == 1).any() for part in labels], "without a positive")
    if measure.least_nodes > 1:
        few = [part.size < measure.least_nodes for part in labels]
        _refuse(measure, few, f"of fewer than {measure.least_nodes} nodes")


def _refuse(measure: Measure, undefined: Sequence[bool], what: str) -> None:
    """Refuse a measure that some test sets do not define."""
    alone = [number for number, bad in enumerate(undefined) if bad]
    if alone:
        raise InputError(
            f"{measure.title} is not defined on a test set {what}, and {len(alone):,} of "
            f"{len(undefined):,} test sets are that (splits "
            f"{', '.join(map(str, alone[:8]))}{', ...' * (len(alone) > 8)})",
            parameter="measure",
            hint="use more test nodes, splits stratified by class, or another measure",
        )


def clipped(predictions: Predictions) -> dict[str, int]:
    """Count for every model the tests whose true class has a probability below eps.

    Their log loss depends on that bound alone.
    """
    labels = predictions.network.labels
    found = {}
    for model in predictions.models:
        found[model] = sum(
            int((table[np.arange(split.test.size), labels[split.test]] < SMALLEST).sum())
            for run in predictions.runs
            for split, table in zip(run.splits, run.probabilities[model])
        )
    return found
