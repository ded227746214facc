"""Splits, models and tests against what is claimed of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..core.wording import listed, plural
from ..network.network import Network
from ..published.leaderboard import SUPPORTED, Leaderboard
from ..published.table import Entry
from ..saved.classes import unnormalized
from ..splits.base import Split
from ..study.node_study import NOT_TESTED, Predictions
from .identical import same_predictions
from .problem import Problem
from .trials import Run, unmoved_by_seeds

OFF = 0.02  # of the training share, from what is claimed
SUMS = 1e-3  # of probabilities, from 1
PERCENT = "percentages, which sum to 100: {}"
NO_PROBABILITIES = "probabilities that are negative or do not sum to one: {}"
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


def check_same_splits(entries: Sequence[Entry]) -> Problem | None:
    """Find models of a table that were measured on different numbers of splits."""
    numbers: dict[str, set[int]] = {}
    for entry in entries:
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


def check_sums(found: Predictions, tested: Mapping[str, NDArray[np.bool_]]) -> Problem | None:
    """Find probabilities that are none.

    Logits are a note where they were read from a file or a table, as `compare` reads them too.
    """
    kinds: dict[str, list[str]] = {}
    for model in found.models:
        values = np.concatenate(found.probabilities[model])
        below = bool((values < 0).any())
        if below or (np.abs(values.sum(axis=1) - 1) > SUMS).any():
            percent = not below and bool((np.abs(values.sum(axis=1) - 100) <= 100 * SUMS).all())
            what = unnormalized(values) if below else PERCENT * percent
            kinds.setdefault(what, []).append(model)
    bad = [model for of in kinds.values() for model in of]
    said = [
        PERCENT.format(_names(of))
        if what == PERCENT
        else f"{what}, of which `compare` takes the softmax of each row: {_names(of)}"
        if what and tested
        else NO_PROBABILITIES.format(_names(of))
        for what, of in sorted(kinds.items())
    ]
    problem = _of_models(found, bad, "; ".join(said))
    return problem and replace(
        problem, serious=not tested or not kinds.keys().isdisjoint(("", PERCENT))
    )


def check_perfect(found: Predictions) -> Problem | None:
    """Find models without a single error."""
    perfect = []
    for model in found.models:
        errors = found.errors(model)
        tested = errors != NOT_TESTED
        if tested.sum() >= TESTS and not errors[tested].any():
            perfect.append(model)
    return _of_models(found, perfect, "not one error: {}")


def check_seeds(found: Predictions | None, runs: Sequence[Run]) -> Problem | None:
    """Note models to which the training seed makes no difference."""
    models = () if found is None else found.models
    same = [
        model
        for model in models
        if found is not None
        and found.reseeded
        and all(
            np.array_equal(first, other)
            for run in found.reseeded
            for first, other in zip(found.probabilities[model], run.probabilities[model])
        )
    ]
    scores = [f"{m} ({n} seeds)" for m, n in unmoved_by_seeds(runs).items() if m not in models]
    said = [f"the same {what} with every training seed: {_names(names)}"
            for what, names in (("predictions", same), ("score", scores)) if names]  # fmt: skip
    if not said:
        return None
    size, of = len(same) + len(scores), len({*models, *(run.model for run in runs)})
    return Problem(False, float(size), float(of), "models", "; ".join(said))


def check_leaders(board: Leaderboard, shared: int) -> Problem | None:
    """Find best entries of a table that its numbers do not support.

    `shared` is the number of splits whose test share stands for that of the table; 0 where that
    is given.
    """
    open_claims = [claim for claim in board.claims if claim.reading != SUPPORTED]
    if not open_claims:
        return None
    text = (
        f"{len(open_claims):,} of {len(board.claims):,} best entries are not "
        f"supported at a correlation of {board.correlation:.2g} between splits "
        f"({_names([f'{claim.best} on {claim.data_set}' for claim in open_claims])})"
    )
    if shared:
        text += (
            f"; that is the test share of {plural(shared, 'split')} beside the table, as none is "
            "given for it"
        )
    return Problem(True, float(len(open_claims)), float(len(board.claims)), "best entries", text)


def check_validation(
    network: Network,
    splits: Sequence[Split],
    valid: Sequence[NDArray[np.intp]],
    labeled: float | None,
) -> Problem | None:
    """Find validation nodes that the claimed training share leaves out; else note how many."""
    if not any(each.size for each in valid):
        return None
    total = network.labeled.size
    with_them = float(np.mean([split.train.size for split in splits])) / total
    theirs = float(np.mean([each.size for each in valid]))
    without = with_them - theirs / total
    left_out = labeled is not None and abs(without - labeled) <= OFF < abs(with_them - labeled)
    text = (
        f"{theirs:,.0f} validation nodes of a split count as training: models have used "
        f"{with_them:.0%} of the labels, {without:.0%} without them"
    )
    if left_out:
        text += f", which is the {labeled:.0%} that is claimed"
    return Problem(left_out, theirs, with_them * total, "training nodes", text)


EQUAL_TESTS = ("kfold", "ncv", "5x2", "ers")  # designs that test every node as often as any other


def check_design(network: Network, splits: Sequence[Split], design: str) -> Problem | None:
    """Find splits that are not of the design that is claimed."""
    name = design.partition(":")[0].lower()
    labeled, wrong = network.labeled, 0.0
    if name in EQUAL_TESTS:
        times = np.zeros(network.n_nodes, dtype=np.intp)
        for split in splits:
            times[split.test] += 1
        often = times[labeled]
        usual = int(np.bincount(often).argmax())
        wrong = float((np.abs(often - usual) > (name == "ers")).sum())
        what = (
            f"labeled nodes are tested {often.min():,} to {often.max():,} times, not equally often"
        )
        of, unit = float(labeled.size), "labeled nodes"
    elif name in CLAIMS:
        shares = [np.bincount(network.labels[s.train], minlength=network.n_classes) for s in splits]
        counts = np.array(shares, dtype=float)
        whole = np.bincount(network.labels[labeled], minlength=network.n_classes)
        expected = counts.mean(axis=1, keepdims=True) * np.ones_like(counts)
        if name == "stratified":
            expected = counts.sum(axis=1, keepdims=True) * whole / whole.sum()
        apart = np.abs(counts - np.minimum(expected, whole)).max(axis=1)
        wrong = float((apart > 1.5).sum())
        what = f"the classes of a training set are up to {apart.max():,.0f} nodes off"
        of, unit = float(len(splits)), "splits"
    else:
        sizes = {split.train.size for split in splits}
        wrong = float(len(sizes) - 1) if name in ("rrs",) else 0.0
        what = f"training sets have {len(sizes)} different sizes"
        of, unit = float(len(splits)), "splits"
    return Problem(True, wrong, of, unit, f"not {design}: {what}") if wrong else None


CLAIMS = ("stratified", "balanced")  # claims on the classes of training sets


def check_tested(tested: Mapping[str, NDArray[np.bool_]]) -> Problem | None:
    """Find models that predict other test nodes than their rivals, or fewer."""
    everywhere = np.any(list(tested.values()), axis=0)
    lacking = {name: int((everywhere & ~mask).sum()) for name, mask in tested.items()}
    short = [f"{name} ({n:,} fewer)" for name, n in lacking.items() if n]
    if not short:
        return None
    text = f"models without some of the predictions that others have: {_names(short)}"
    return Problem(True, float(max(lacking.values())), float(everywhere.sum()), "tests", text)
