"""Decisions of the registered tests in many trials at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError
from ..inference.registry import PROCEDURES, procedure
from ..inference.trials import Floats, Trials

Flags = NDArray[np.bool_]


def made_from(*arrays: str) -> tuple[str, ...]:
    """Return the names of the registered tests that are made from no more than these arrays."""
    return tuple(
        name
        for name, each in PROCEDURES.items()
        if each.in_trials is not None and set(each.in_trials.reads) <= set(arrays)
    )


def is_kept(test: str, trials: Trials) -> bool:
    """Return whether trials hold what a test is made from."""
    how = procedure(test).in_trials
    return test in trials.pvalues or (
        how is not None and all(getattr(trials, name) is not None for name in how.reads)
    )


def decide(test: str, trials: Trials, *, alpha: float = 0.05) -> tuple[Flags, Flags]:
    """Return in which trials a two-sided test rejects, and in which it refuses.

    A test that refuses does not reject.
    """
    pvalue = pvalues(test, trials)
    return pvalue < alpha, np.isnan(pvalue)


def pvalues(test: str, trials: Trials) -> Floats:
    """Return the two-sided p-value of a registered test in every trial; NaN where it refuses."""
    if test in trials.pvalues:
        return trials.pvalues[test]
    chosen = procedure(test)
    if chosen.in_trials is None or not is_kept(test, trials):
        raise InputError(f"{test}: trials do not keep what it is made from")
    return chosen.in_trials.pvalues(trials)
