"""Independent instances: the simulation that the network papers build on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core import seeds
from ..inference.registry import label
from ..inference.trials import Trials
from ..kernels.independent_trials import independent_trials
from ..kernels.streams import key_of
from ..stats.cross_validation import cv5x2_f_test, cv5x2_t_test
from ..stats.mcnemar import mcnemar_test
from ..stats.paired import paired_t_test
from ..stats.proportions import two_proportion_test
from .base import Experiment, Figure, Option, Unit
from .decisions import pvalues
from .records import DIFFERENCE, Record, Settings, measured, rejections_at
from .statements import ELEVATED, HIGH, LOW, Statement, extreme

INSTANCES, ERROR = 300, 0.1
N_RESAMPLES, N_FOLDS = 30, 10
PERSISTENCE = (0.1, 0.3, 0.5, 0.7, 0.9, 1.0)
TRAINING_SD = (0.0, 0.02)
ALPHA = 0.05
RESAMPLED, KFOLD, FIVE, FIVE_F, MCNEMAR, PROPORTIONS = (
    "resampled t", "10-fold t", "5x2cv t", "5x2cv F", "McNemar", "difference of proportions",
)  # fmt: skip


def run(unit: Unit) -> list[Record]:
    """Run trials of one cell and apply the tests."""
    cell = unit.cell
    count = unit.trials
    resampled = np.empty((count, unit.options["resamples"], 4), dtype=np.int64)
    folds = np.empty((count, N_FOLDS, 4), dtype=np.int64)
    halves = np.empty((count, 5, 2, 4), dtype=np.int64)
    independent_trials(
        INSTANCES,
        ERROR,
        float(cell["q"]),
        float(cell["training sd"]),
        unit.first,
        key_of(seeds.derive(unit.seed, unit.number)),
        resampled,
        folds,
        halves,
    )
    once = resampled[:, 0]
    errors_a, errors_b = once[:, 0] + once[:, 1], once[:, 0] + once[:, 2]
    size = once.sum(axis=1)
    own = {
        RESAMPLED: lambda: paired_t_test(*_rates(resampled)).pvalue,
        KFOLD: lambda: paired_t_test(*_rates(folds)).pvalue,
        FIVE: lambda: cv5x2_t_test(*_rates(halves)).pvalue,
        FIVE_F: lambda: cv5x2_f_test(*_rates(halves)).pvalue,
        MCNEMAR: lambda: mcnemar_test(once.reshape(-1, 2, 2)).pvalue,
        PROPORTIONS: lambda: two_proportion_test(errors_a, size, errors_b, size).pvalue,
    }
    arrays = Trials(
        rates=np.stack(_rates(resampled), axis=1),
        n=float(size[0]),
        m=INSTANCES,
        n_train=float(INSTANCES - size[0]),
    )
    a, b = _rates(resampled)
    records = [measured(cell, DIFFERENCE, (a - b).mean(axis=1))]
    for name in unit.tests:
        p = own[name]() if name in own else pvalues(name, arrays)
        records.append(rejections_at(ALPHA, cell, label(name), p))
    return records


def _rates(table: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    size = table.sum(axis=-1)
    both, a, b = table[..., 0], table[..., 1], table[..., 2]
    return (both + a) / size, (both + b) / size


def _cells(_options: Mapping[str, Any]) -> Iterable[Settings]:
    return [{"training sd": sd, "q": q} for sd in TRAINING_SD for q in PERSISTENCE]


EXPERIMENTS = {
    "dietterich": Experiment(
        name="dietterich",
        title="Independent instances: Type I error of five tests",
        source="after Dietterich (1998), Neural Computation 10; the design is a reading of ours",
        about="300 independent instances, two algorithms that err on 10% of them. Each is weaker "
              "in one half of the instances. An algorithm's hard instances err with probability "
              "q in each test: 0.1 means that errors are drawn anew, 1 that they persist. The "
              "training set moves the error rate of an algorithm by a normal amount of the given "
              "standard deviation; training sets that overlap move it alike. Both algorithms are "
              "equally good on average over instances and training sets. McNemar's test and "
              "the difference of proportions take the first of the random splits, a third of the "
              "instances. Dietterich's statements are about simulations and data of his own.",
        trials=10_000, chunk=2_500, cells=_cells, run=run,
        tests=(RESAMPLED, KFOLD, FIVE, MCNEMAR, PROPORTIONS),
        extra=(FIVE_F,), keeps=("rates",),
        lacks="instances are independent here: there are no links and no communities",
        options={"resamples": Option(N_RESAMPLES, "number of random splits")},
        figure=Figure("q", "q: how much errors persist", "Type I error", lines=("test",),
                      panels="training sd", panel_title="sd of training: {}"),
        statements=(
            Statement("the resampled t test has a high Type I error",
                      extreme("max", test=RESAMPLED), "largest rate", **HIGH,
                      mark="other data"),
            Statement("the difference of proportions has a high Type I error in certain situations",
                      extreme("max", test=PROPORTIONS), "largest rate", **HIGH,
                      mark="other data"),
            Statement("the 10-fold t test has a somewhat elevated Type I error",
                      extreme("max", test=KFOLD), "largest rate", **ELEVATED,
                      mark="other data"),
            Statement("McNemar's test has a low Type I error", extreme("max", test=MCNEMAR),
                      "largest rate", **LOW, mark="other data"),
            Statement("the 5x2cv t test has an acceptable Type I error", extreme("max", test=FIVE),
                      "largest rate", **LOW, mark="other data"),
        ),
    )
}  # fmt: skip
