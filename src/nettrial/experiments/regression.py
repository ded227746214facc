"""Numeric targets on fresh networks: Type I error of what `compare` does by default, and beside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ..comparison.judge import run_and_judge
from ..comparison.options import Options
from ..comparison.setup import Setup
from ..core import seeds
from ..core.seeds import Stream
from ..inference.choice import BOOTSTRAP, HALVES
from ..models.base import AnyModel
from ..models.regressors import RelationalMean
from ..models.targets import training_targets
from ..network.network import Network
from .base import BY_MODELS, Experiment, Option, Unit
from .records import DIFFERENCE, Record, Settings, measured, rejections_at
from .smooth import DOMAINS, smooth_network

Floats = NDArray[np.float64]
LABELED = 0.3
CONFIDENCE = 0.95
DEFAULT = "verdict of compare"
BESIDE = (
    "cluster_robust_t", "network_hac", "cluster_sign_flip", "nadeau_bengio", "paired_t", "wilcoxon",
)  # fmt: skip


class RidgeOnHalf:
    """Least squares with a penalty of 1 on the first or the second half of the features."""

    def __init__(self, side: int) -> None:
        self.side, self.name = side, f"ridge on half {side + 1}"

    def fit(self, network: Network, train: NDArray[np.intp]) -> Self:
        """Take the targets of the nodes `train`."""
        self.known_ = np.full((1, network.n_nodes), np.nan)
        self.known_[0, train] = training_targets(self.name, network, train)
        return self

    def predict(self, network: Network, nodes: NDArray[np.intp]) -> Floats:
        return np.asarray(self.predict_batch(network, self.known_, [0])[0, nodes])

    def predict_batch(self, network: Network, targets: Floats, seeds: Sequence[int]) -> Floats:
        """Learn from every row of `targets`, and return a number for each node."""
        half = np.split(network.features, 2, axis=1)[self.side]
        found = np.empty(targets.shape)
        for row, given in zip(found, targets):
            train = ~np.isnan(given)
            x, y = half[train], given[train]
            center, mean = x.mean(axis=0), y.mean()
            x = x - center
            weights = np.linalg.solve(x.T @ x + np.eye(x.shape[1]), x.T @ (y - mean))
            row[:] = (half - center) @ weights + mean
        return found


def pair_of(models: str) -> tuple[AnyModel, AnyModel]:
    """Return two models that are equally good by symmetry."""
    if models == "ridge":
        return RidgeOnHalf(0), RidgeOnHalf(1)
    return RelationalMean(direction="out"), RelationalMean(direction="in")


def run(unit: Unit) -> list[Record]:
    """Compare the models of one cell on fresh networks, and count what every test rejects."""
    cell, options = unit.cell, unit.options
    models, place = str(cell["models"]), DOMAINS[str(cell["domain"])]
    test, number = (
        (HALVES, options["halvings"]) if models == "ridge" else (BOOTSTRAP, options["replicates"])
    )
    estimates: list[float] = []
    pvalues: dict[str, list[float]] = {name: [] for name in (DEFAULT, *BESIDE)}
    for trial in range(unit.first, unit.first + unit.trials):
        entropy = seeds.derive(unit.seed, Stream.SMOOTH_TRIAL, trial)
        setup = Setup.of(
            smooth_network(place, seed=entropy),
            pair_of(models),
            Options(
                labeled=LABELED,
                test=test,  # as is chosen by default, but with a number that no clock decides
                n_replicates=number,
                seed=entropy,
                progress=False,
            ),
        )
        found = run_and_judge([setup])[0]
        tests = {each.name: each for each in found.all_tests()}
        estimates.append(float(found.tests[0].estimate))
        pvalues[DEFAULT].append(found.tests[0].pvalue)
        for name in BESIDE:
            pvalues[name].append(tests[name].pvalue)
    records = [measured(cell, DIFFERENCE, estimates)]
    for name, values in pvalues.items():
        records.append(rejections_at(1 - CONFIDENCE, cell, name, values))
    return records


def _cells(_options: Mapping[str, Any]) -> Iterable[Settings]:
    return [
        {"domain": domain, "models": models, "labeled": LABELED}
        for models in ("ridge", "relational mean")
        for domain in DOMAINS
    ]


EXPERIMENTS = {
    "regression": Experiment(
        name="regression",
        title="Numeric targets: Type I error of the verdict, and of the usual tests",
        source="our own",
        about="Networks of 300 nodes whose targets are smooth over communities, a latent space or "
        "a map, drawn anew for each trial. Two models that are equally good by symmetry "
        "are compared by their squared error as `compare` does it by default, on 10 random "
        "resamples with 30% labeled: ridge regression on either half of ten exchangeable features "
        "(judged by halves of the communities), and the relational mean along the links out of "
        "and into a node, whose direction is a fair coin (judged by the community bootstrap). "
        "Every rejection is a Type I error.",
        trials=200,
        chunk=10,
        cells=_cells,
        run=run,
        tests=(DEFAULT, *BESIDE),
        lacks="only these are made in this experiment",
        options={
            "halvings": Option(40, "halvings of the communities, for ridge"),
            "replicates": Option(30, "networks of either kind that the bootstrap draws"),
        },
        figure=BY_MODELS,
    )
}
