"""The simulated classifiers as a domain of the calibration grid.

They are no models that could be run again, so the bootstrap has no rows here, and network HAC has
none since there are no links: the groups of instances serve the tests on predictions.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..core import seeds
from ..inference.trials import Trials
from ..synth.simulated_classifiers import GroupClassifiers, simulate_groups
from .calibration import SPLITS
from .calibration_tests import Table, oracles, tabulate
from .decisions import made_from, pvalues
from .group_decisions import group_trials

Floats = NDArray[np.float64]
WORLD = "simulated"


def rows(labeled: float, differences: tuple[float, ...], n_trials: int, *, seed: int) -> Table:
    """Run the trials and tabulate them as `calibration_tests.rows` does.

    The failing groups stay for a trial, as the classifiers' own mistakes would; true differences
    are given to half of the trials.
    """
    table: Table = []
    for k in SPLITS:
        null: dict[str, Floats] = {}
        truth: Floats = np.empty(0)
        for h, difference in enumerate(differences):
            world = GroupClassifiers(redraw="trial", difference=difference)
            n = n_trials if h == 0 else -(-n_trials // 2)
            drawn = {
                design: group_trials(
                    simulate_groups(
                        design,
                        labeled=labeled,
                        n_folds=k,
                        n_trials=n,
                        world=world,
                        seed=seeds.derive(seed, k, h),
                    ),
                    world,
                )
                for design in ("rrs", "ncv")
                if design == "rrs" or labeled <= (k - 1) / k
            }
            gap = _gap(drawn["rrs"])
            if h == 0:
                truth = gap
            # a test that refuses does not reject
            found = {
                name: np.nan_to_num(pvalues(name, drawn["rrs"]), nan=1.0)
                for name in made_from("rates", "parameters", "sums", "sizes")
            }
            if "ncv" in drawn:
                found["ncv_paired_t"] = np.nan_to_num(pvalues("paired_t", drawn["ncv"]), nan=1.0)
            found |= oracles(gap, truth)
            where = {"world": WORLD, "labeled": labeled, "n_splits": k, "difference": difference}
            table += tabulate(where, gap, found, null)
    return table


def _gap(trials: Trials) -> Floats:
    return np.asarray((trials.rates[:, 1] - trials.rates[:, 0]).mean(axis=1))
