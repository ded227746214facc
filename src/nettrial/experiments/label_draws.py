"""Labels that are not drawn at random: correlation of errors and Type I error by inference.

The second open question of the ICDM paper's section 7, and what the splits of its first do to the
Type I error.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core import seeds
from ..core.seeds import Stream
from ..inference.estimates import estimate_errors
from ..inference.registry import label
from ..inference.trials import Trials
from ..models import by_name
from ..network.communities import louvain
from ..network.network import Network
from ..splits.base import Split
from ..splits.checks import training_size
from ..splits.names import by_name as design_by_name
from ..study.node_study import NOT_TESTED
from ..study.node_study import run as run_models
from ..synth.latent_groups import latent_group_network
from .base import Experiment, Figure, Option, Unit
from .decisions import decide, is_kept
from .error_correlation import PHI
from .model_pairs import computed_once
from .records import DIFFERENCE, Record, Settings, measured, rejections
from .simulated import ICDM
from .statements import COMPARABLE, LOW, Statement, extreme, ratio

Floats = NDArray[np.float64]
NODES, N_SPLITS, MOST = 300, 10, 80  # at most this many communities are kept of a trial
RANDOM = "at random"
DRAWS = {
    RANDOM: "rrs",
    "by degree": "",
    "snowball": "snowball",
    "in each community": "community-stratified",
    "whole communities": "community-biased",
}
INFERENCE = ("none", "relaxation", "ica")
LABELED = (0.1, 0.3)
PERTURBED = ("turned", "moved")
MODELS = ("wvrn", "nbc")


class Errors(NamedTuple):
    """What both models got wrong on the splits of one network."""

    wrong: NDArray[np.int8]  # shape (2, n_splits, n_nodes): 1 wrong, 0 right, -1 not tested
    # probability that a prediction changes its class once it is chosen, by how it is perturbed
    turns: dict[str, Floats]


def by_degree(network: Network, labeled: float, seed: int) -> list[Split]:
    """Draw training nodes one after the other with chances that go with their degree."""
    size = training_size("experiment", labeled, network.n_nodes)
    chances = np.diff(network.neighbors("both")[0]) + 0.01  # a node without links can be drawn
    splits = []
    for number in range(N_SPLITS):
        rng = seeds.generator(seed, number)
        train = np.sort(rng.choice(chances.size, size, replace=False, p=chances / chances.sum()))
        rest = np.setdiff1d(np.arange(chances.size), train)
        splits.append(Split(train, rest, rest))
    return splits


def run_both(network: Network, cell: Settings, seed: int) -> Errors:
    """Run both models on splits of a network.

    A prediction "turned" changes its class. One "moved" goes a share of the way to the opposite
    class that is uniform from 0 to 1: of probability a for the predicted class it changes its
    class with probability 1 / (2 a).
    """
    labeled, design = float(cell["labeled"]), DRAWS[str(cell["labels"])]
    splits = (
        design_by_name(design, n_splits=N_SPLITS, labeled=labeled, seed=seed).split_network(network)
        if design
        else by_degree(network, labeled, seed)
    )
    names = [f"{name}+{cell['inference']}" for name in MODELS]
    models = {name: by_name(name) for name in names}
    found = run_models(network, models, splits, seed=seed, progress=False)
    wrong = np.stack([found.errors(name) for name in names])
    moved = np.ones(wrong.shape)
    for model, name in enumerate(names):
        for row, split, table in zip(moved[model], splits, found.probabilities[name]):
            row[split.test] = 1 / (2 * table.max(axis=1))
    return Errors(wrong, {"turned": np.ones(wrong.shape), "moved": moved})


@computed_once
def chances_of(
    labels: str, inference: str, labeled: float, n_networks: int, seed: int
) -> dict[str, Floats]:
    """Find how often the predictions of each model are perturbed to make both equally good."""
    cell: Settings = {"labels": labels, "inference": inference, "labeled": labeled}
    errors, gains = np.zeros(2), dict.fromkeys(PERTURBED, np.zeros(2))
    for number in range(n_networks):
        own = seeds.derive(seed, Stream.LATENT_CALIBRATION, NODES, number)
        wrong, turns = run_both(latent_group_network(NODES, seed=own), cell, own)
        tested = wrong != NOT_TESTED
        weight = tested / tested.sum(axis=2, keepdims=True)
        errors += (weight * (wrong == 1)).sum(axis=2).mean(axis=1)
        for how, each in turns.items():
            gained = (weight * each * np.where(wrong == 1, -1, 1)).sum(axis=2).mean(axis=1)
            gains[how] = gains[how] + gained
    gap = errors.max() - errors
    return {
        how: np.clip(gap / np.where(gain > 0, gain, np.inf), 0, 1) for how, gain in gains.items()
    }


def run(unit: Unit) -> list[Record]:
    """Run trials of one cell and apply the tests, with either kind of handicap."""
    cell = unit.cell
    chances = chances_of(
        cell["labels"], cell["inference"], cell["labeled"], unit.options["calibration"], unit.seed
    )
    phis: list[list[float]] = []
    kept: dict[str, list[tuple[Any, ...]]] = {how: [] for how in PERTURBED}
    for number in range(unit.first, unit.first + unit.trials):
        own = seeds.derive(unit.seed, Stream.LATENT_TRIAL, NODES, number, unit.number)
        drawn = seeds.derive(unit.seed, Stream.LATENT_EVALUATION, NODES, number)
        network = latent_group_network(NODES, seed=drawn)
        wrong, turns = run_both(network, cell, own)
        phis.append([_phi(network, matrix) for matrix in wrong])
        group = np.minimum(louvain(network, seed=own), MOST - 1)
        chance = seeds.generator(own, Stream.LATENT_TRIAL).random(wrong.shape)
        for how, each in turns.items():
            turned = chance < each * chances[how].reshape(2, 1, 1)
            perturbed = np.where(turned & (wrong != NOT_TESTED), 1 - wrong, wrong).astype(np.int8)
            kept[how].append(_kept(network, perturbed, group))
    records = [
        measured(cell, f"{PHI} of {name}", np.array(phis)[:, i]) for i, name in enumerate(MODELS)
    ]
    for how, rows in kept.items():
        rates, parameters, sums, sizes, tests = (np.array(part) for part in zip(*rows))
        n, where = float(tests.mean()), {**cell, "perturbed": how}
        trials = Trials(rates, n, float(NODES), NODES - n, parameters, sums, sizes)
        records.append(measured(where, DIFFERENCE, (rates[:, 0] - rates[:, 1]).mean(axis=1)))
        for test in unit.tests:
            if is_kept(test, trials):
                records.append(rejections(where, label(test), *decide(test, trials)))
    return records


def _phi(network: Network, matrix: NDArray[np.int8]) -> float:
    found = estimate_errors(network, matrix)
    return found.rho if found.rho_splits else float("nan")


def _kept(network: Network, wrong: NDArray[np.int8], group: NDArray[Any]) -> tuple[Any, ...]:
    """Return what the tests of one trial are made from."""
    tested = wrong != NOT_TESTED
    excess = (wrong[0] == 1).sum(axis=0) - (wrong[1] == 1).sum(axis=0)
    found = [estimate_errors(network, matrix) for matrix in wrong]
    return (
        (wrong == 1).sum(axis=2) / tested.sum(axis=2),
        [(each.p, each.q, each.rho, each.links) for each in found],
        np.bincount(group, weights=excess, minlength=MOST),
        np.bincount(group, weights=tested[0].sum(axis=0), minlength=MOST),
        tested[0].sum(axis=1).mean(),
    )


def _cells(_options: Mapping[str, Any]) -> Iterable[Settings]:
    return [
        {"labels": labels, "inference": inference, "labeled": labeled}
        for inference in INFERENCE for labels in DRAWS for labeled in LABELED
    ]  # fmt: skip


def _statements() -> Iterable[Statement]:
    """Yield what holds of every draw if it is as good as one at random."""
    for labels in DRAWS:
        here: dict[str, Any] = {"labels": labels, "perturbed": "turned"}
        of = {"labels": labels, "measure": f"{PHI} of {MODELS[0]}"}
        if labels != RANDOM:
            yield Statement(
                f"labels {labels}: errors are correlated as with labels at random",
                ratio({**of, "inference": "relaxation"},
                      {**of, "labels": RANDOM, "inference": "relaxation"}),
                f"{MODELS[0]}, relaxation labeling: mean correlation over that at random",
                mark="own result", **COMPARABLE,
            )  # fmt: skip
            paired = {**here, "test": label("paired_t")}
            yield Statement(
                f"labels {labels}: the Type I error of the paired t is as with labels at random",
                ratio(paired, {**paired, "labels": RANDOM}),
                "mean rate over that at random", mark="own result", **COMPARABLE,
            )  # fmt: skip
        for test in ("rsc_paired", "cluster_robust_t"):
            yield Statement(
                f"labels {labels}: the Type I error of the {label(test)} is acceptable",
                extreme("max", **here, test=label(test)),
                "largest rate over inference and proportion", mark="own result", **LOW,
            )  # fmt: skip


EXPERIMENTS = {
    "labels": Experiment(
        name="labels",
        same_networks=True,
        title="How labels are drawn: Type I error by draw and inference",
        source="asked for without numbers in " + ICDM + ", section 7 (1, 2)",
        about="Latent group networks of 300 nodes, wvRN against nBC without collective inference, "
        "with relaxation labeling and with iterative classification, on 10 splits. The labeled "
        "nodes are drawn at random, by degree, as snowballs, in each community, or as whole "
        "communities. The better model is handicapped on other networks, by draw and inference, so "
        "that rejections are Type I errors up to the difference that is left. Both readings of "
        '"perturbing probabilities toward the opposite class" are run: the class is '
        "*turned*, as in the other experiments, or the "
        "probability is *moved* a random share of the way, and the class changes where it passes "
        "one half. Figure and statements show the first. Nothing was published: a statement "
        "says that a draw is as good as one at random. What it allows follows the same words as "
        "published statements and was written before this run.",
        trials=200, chunk=20, cells=_cells, run=run,
        tests=("paired_t", "rsc_paired", "cluster_robust_t"),
        keeps=("rates", "parameters", "sums", "sizes"), lacks="trials keep no links",
        options={
            "calibration": Option(100, "networks on which the models are made equal"),
        },
        figure=Figure("labeled", "proportion of labeled nodes", "Type I error of the paired t",
                      lines=("labels",), panels="inference",
                      only=("test", label("paired_t")), fixed={"perturbed": "turned"}),
        statements=tuple(_statements()),
    )
}  # fmt: skip
