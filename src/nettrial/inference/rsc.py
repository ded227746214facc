"""The resampled t-tests with corrected variance (RS-C) of Wang et al. 2011."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ..core.errors import AssumptionWarning, OverlappingTestSetsWarning
from ..stats.catalog import CATALOG
from ..stats.result import TestResult
from ..stats.rsc import INCREASING, rsc_paired_t_test, rsc_unpaired_t_test
from ..stats.theory import variance_terms
from .on_communities import labeled_share
from .outcome import OTHER_NETWORKS, NetworkTest
from .procedure import Procedure
from .scores import Evidence, Floats
from .trials import InTrials, Trials

# Measured Type I error of RS-C paired at the 0.05 level on latent group networks of 300 nodes:
# proportion labeled -> number of splits -> rate; docs/user/methods.md says how.
RSC_LEVEL = {0.1: {10: 0.10, 30: 0.33, 100: 0.65}, 0.3: {10: 0.06, 30: 0.24, 100: 0.46}}
WHY = "it answers for other networks by a model of the variance of error rates."


def _arguments(e: Evidence) -> dict[str, Any]:
    a, b = (e.scores.estimates(model, e.q) for model in (e.a, e.b))
    return {
        "n": a.n, "m": a.m, "links": a.links,
        "p_a": a.p, "q_a": a.q, "rho_a": a.rho,
        "p_b": b.p, "q_b": b.q, "rho_b": b.rho,
        "confidence": e.confidence,
    }  # fmt: skip


def _warnings(e: Evidence) -> tuple[Warning, ...]:
    if e.scores.overlap <= 1:
        return (
            AssumptionWarning(
                "made for overlapping random resamples; these test sets are disjoint"
            ),
        )
    near = min(RSC_LEVEL, key=lambda share: abs(share - labeled_share(e)))
    sizes = ", ".join(str(size) for size in RSC_LEVEL[near])
    levels = ", ".join(f"{level:.0%}" for level in RSC_LEVEL[near].values())
    return (
        OverlappingTestSetsWarning(
            f"takes the {e.scores_a.size:,} overlapping test sets for independent ones, so that "
            f"its Type I error grows with their number: {levels} instead of 5% were measured with "
            f"{sizes} splits at {near:.0%} labeled"
        ),
    )


def _noted_once(found: TestResult) -> TestResult:
    """Leave out the note that `_warnings` gives with numbers."""
    return replace(found, notes=tuple(note for note in found.notes if note != INCREASING))


def _paired(e: Evidence) -> NetworkTest:
    found = _noted_once(rsc_paired_t_test(e.scores_a, e.scores_b, **_arguments(e)))
    return NetworkTest.of("rsc_paired", found, OTHER_NETWORKS, _warnings(e))


def _unpaired(e: Evidence) -> NetworkTest:
    found = _noted_once(rsc_unpaired_t_test(e.scores_a, e.scores_b, **_arguments(e)))
    return NetworkTest.of("rsc_unpaired", found, OTHER_NETWORKS, _warnings(e))


def _in_trials(test: Callable[..., TestResult]) -> InTrials:
    """Return how it is made of many trials; it refuses where the variance model does not hold."""

    def pvalues(trials: Trials) -> Floats:
        assert trials.parameters is not None  # noqa: S101 - `reads` says so
        p, q, rho, links = np.moveaxis(trials.parameters, 2, 0)
        known = variance_terms(p, q, rho, n=trials.n, m=trials.m, links=links).valid
        inside = (np.asarray(known) | (p == 0) | (p == 1)).all(axis=1)
        found = np.full(inside.size, np.nan)
        if not inside.any():
            return found
        (pa, pb), (qa, qb), (ra, rb) = (x[inside].T for x in (p, q, rho))
        found[inside] = test(
            trials.rates[inside, 0],
            trials.rates[inside, 1],
            n=trials.n,
            m=trials.m,
            links=links[inside].mean(axis=1),
            p_a=pa,
            p_b=pb,
            q_a=qa,
            q_b=qb,
            rho_a=ra,
            rho_b=rb,
        ).pvalue
        return found

    return InTrials(("rates", "parameters"), pvalues)


RSC_PAIRED = Procedure(
    name="rsc_paired",
    question=OTHER_NETWORKS,
    make=_paired,
    words="the RS-C paired t-test",
    label="RS-C paired t",
    measures=("error",),
    aliases=("rsc",),
    table=CATALOG["rsc-paired"],
    references=("wang2011",),
    why=WHY,
    in_trials=_in_trials(rsc_paired_t_test),
)
RSC_UNPAIRED = Procedure(
    name="rsc_unpaired",
    question=OTHER_NETWORKS,
    make=_unpaired,
    words="the RS-C unpaired t-test",
    label="RS-C unpaired t",
    measures=("error",),
    why=WHY,
    references=("wang2011",),
    table=CATALOG["rsc-unpaired"],
    in_trials=_in_trials(rsc_unpaired_t_test),
)
