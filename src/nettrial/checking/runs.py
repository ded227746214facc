"""Splits, models and tests against what is claimed of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ..core.wording import listed
from ..network.network import Network
from ..published.leaderboard import SUPPORTED, Leaderboard
from ..splits.base import Split
from ..study.node_study import NOT_TESTED, Predictions
from .identical import same_predictions
from .problem import Problem

OFF = 0.02  # of the training share, from what is claimed
SUMS = 1e-3  # of probabilities, from 1
TESTS = 50  # of nodes, from which a perfect score is suspicious
NAMED = 4


def check_training_share(
    network: Network, splits: Sequence[Split], labeled: float
) -> Problem | None:
    """Find training sets of another size than is claimed."""
    shares = np.array([split.train.size for split in splits]) / network.labeled.size
    wrong = np.abs(shares - labeled) > OFF
    if not wrong.any():
        return None
    text = (
        f"training sets hold {shares.mean():.0%} of the labeled nodes, not {labeled:.0%}; "
        "validation nodes count as training, since models have used their labels"
    )
    return Problem(True, float(wrong.sum()), float(wrong.size), "splits", text)


def check_same_splits(board: Leaderboard) -> Problem | None:
    """Find models of a table that were measured on different numbers of splits."""
    numbers: dict[str, set[int]] = {}
    for entry in board.entries:
        if entry.n_splits:
            numbers.setdefault(entry.data_set, set()).add(entry.n_splits)
    wrong = [name for name, several in numbers.items() if len(several) > 1]
    if not wrong:
        return None
    text = f"models have different numbers of splits on {_names(wrong)}"
    return Problem(True, float(len(wrong)), float(len(numbers)), "data sets", text)


def _names(names: list[str]) -> str:
    more = [f"{len(names) - NAMED} more"] if len(names) > NAMED else []
    return listed(names[:NAMED] + more)


def _of_models(found: Predictions, names: list[str], text: str) -> Problem | None:
    total = float(len(found.models))
    if not names:
        return None
    return Problem(True, float(len(names)), total, "models", text.format(_names(names)))


def _one_class(found: Predictions) -> list[str]:
    constant = []
    for model in found.models:
        seen: set[int] = set()
        for number in range(len(found.splits)):
            seen |= set(np.unique(found.predicted(model, number)).tolist())
        if len(seen) == 1:
            constant.append(model)
    return constant


def check_one_class(found: Predictions) -> Problem | None:
    """Find models that give all nodes the same class."""
    text = "one class for all test nodes: {}"
    return _of_models(found, _one_class(found), text)


def check_baseline(found: Predictions) -> Problem | None:
    """Find models with no fewer errors than the commonest class of the training set makes.

    It is a note while another model has fewer.
    """
    labels = found.network.labels
    wrong = []
    for split in found.splits:
        known = labels[split.train]
        if not known.size:
            return None
        commonest = np.bincount(known[known >= 0], minlength=1).argmax()
        wrong.append(float((labels[split.test] != commonest).mean()))
    baseline, constant = float(np.mean(wrong)), _one_class(found)
    poor = [
        model
        for model in found.models
        if model not in constant and np.mean(list(_error_rates(found, model))) >= baseline
    ]
    text = f"error rate no lower than the {baseline:.1%} of always the commonest class: {{}}"
    problem = _of_models(found, poor, text)
    all_poor = len(poor) + len(constant) == len(found.models)
    return problem if problem is None else replace(problem, serious=all_poor)


def _error_rates(found: Predictions, model: str) -> Iterator[float]:
    for row in found.errors(model):
        yield float(row[row != NOT_TESTED].mean())


def check_identical(found: Predictions) -> Problem | None:
    """Find models that predict the same."""
    names: dict[str, str] = {}
    for i, first in enumerate(found.models):
        for second in found.models[i + 1 :]:
            if second not in names and same_predictions(found, first, second):
                names[second] = first
    pairs = [f"{second} as {first}" for second, first in names.items()]
    return _of_models(found, pairs, "the same predictions, to the last bit: {}")


def check_sums(found: Predictions) -> Problem | None:
    """Find probabilities that are none."""
    bad = [
        model
        for model in found.models
        if any(
            not ((p >= 0).all() and (np.abs(p.sum(axis=1) - 1) <= SUMS).all())
            for p in found.probabilities[model]
        )
    ]
    return _of_models(found, bad, "probabilities that are negative or do not sum to one: {}")


def check_perfect(found: Predictions) -> Problem | None:
    """Find models without a single error."""
    perfect = []
    for model in found.models:
        errors = found.errors(model)
        tested = errors != NOT_TESTED
        if tested.sum() >= TESTS and not errors[tested].any():
            perfect.append(model)
    return _of_models(found, perfect, "not one error: {}")


def check_seeds(found: Predictions) -> Problem | None:
    """Note models to which the training seed makes no difference."""
    same = [
        model
        for model in found.models
        if found.reseeded
        and all(
            np.array_equal(first, other)
            for run in found.reseeded
            for first, other in zip(found.probabilities[model], run.probabilities[model])
        )
    ]
    problem = _of_models(found, same, "the same predictions with every training seed: {}")
    return problem if problem is None else replace(problem, serious=False)


def check_leaders(board: Leaderboard) -> Problem | None:
    """Find best entries of a table that its numbers do not support."""
    open_claims = [claim for claim in board.claims if claim.reading != SUPPORTED]
    if not open_claims:
        return None
    text = (
        f"{len(open_claims):,} of {len(board.claims):,} best entries are not "
        f"supported at a correlation of {board.correlation:.2g} between splits "
        f"({_names([f'{claim.best} on {claim.data_set}' for claim in open_claims])})"
    )
    return Problem(True, float(len(open_claims)), float(len(board.claims)), "best entries", text)
