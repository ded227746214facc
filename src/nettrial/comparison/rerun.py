"""Which test gives the verdict, and the bootstrap among the tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..bootstrap.runs import is_compiled
from ..bootstrap.test import bootstrap_test
from ..errors import AssumptionWarning, InputError, unknown_choice
from ..metrics.measures import MEASURES, Measure
from ..models.base import Model
from ..models.relational import RelationalClassifier
from ..network import Network
from ..splits.base import Design, Split
from ..study import CrossLinks
from .battery import BATTERY, NAIVE, check_holds
from .result import OTHER_NETWORKS, Comparison, NetworkTest

BOOTSTRAP, PREDICTION_ONLY = "bootstrap", "clustered_t"
FEW_COMMUNITIES = 10
VERDICT_TESTS = (BOOTSTRAP, *(name for name in BATTERY if name not in NAIVE))
# up to so many links re-running hundreds of times takes well under a minute: with the compiled
# path, and with one model call a drawn network
QUICK_COMPILED, QUICK = 20_000, 2_000


@dataclass(frozen=True, slots=True)
class Choice:
    """The test that gives the verdict, and why; `forced` where the user named it."""

    name: str
    reason: str
    forced: bool


def choose_test(
    test: str,
    network: Network,
    models: Sequence[Model],
    design: Design | Sequence[Split],
    *,
    cross_links: CrossLinks = "keep",
    stored: bool = False,
    measure: Measure = MEASURES["error"],
) -> Choice:
    """Choose the test that gives the verdict.

    Raises
    ------
    InputError
        For a name that is not one of a test for other networks, a test that is not made for the
        measure, or the bootstrap where models cannot be re-run.
    """
    if test not in ("auto", *VERDICT_TESTS):
        if test in NAIVE:
            raise InputError(
                f"test: {test} answers for other splits of this network only and is no verdict; "
                f"allowed are auto, {', '.join(VERDICT_TESTS)}"
            )
        raise unknown_choice("test", test, ("auto", *VERDICT_TESTS))
    check_holds(test, measure)
    obstacle = ""
    if stored:
        obstacle = "a study file keeps the predictions on this network only"
    elif not isinstance(design, Design):
        obstacle = "the splits were given, so drawn networks cannot be split in the same way"
    if test == BOOTSTRAP and obstacle:
        raise InputError(f"test: the bootstrap re-runs the models, but {obstacle}; use auto")
    if test not in ("auto", BOOTSTRAP):
        return Choice(test, "it was asked for.", True)
    if test == "auto" and not obstacle and isinstance(design, Design):
        if not all(isinstance(model, RelationalClassifier) for model in models):
            obstacle = "re-running models that are not built in may take long"
        else:
            compiled = is_compiled(network, (models[0], models[1]), design, cross_links, measure)
            quick = QUICK_COMPILED if compiled else QUICK
            if network.n_links > quick:
                also = "" if measure.name == "error" else " and this measure"
                obstacle = f"with these models and splits{also} more than {quick:,} links take long"
    if obstacle:
        hint = "" if stored or not isinstance(design, Design) else " (ask with test='bootstrap')"
        return Choice(
            PREDICTION_ONLY,
            f"no bootstrap, since {obstacle}{hint}. Of the tests on predictions it answers for "
            "other networks, does not depend on the number of splits, and lets the errors within "
            "a community depend on each other in any way.",
            False,
        )
    return Choice(
        BOOTSTRAP,
        "it answers for other networks and sees all that varies between them: both models were "
        "run again on networks drawn from the communities of this one.",
        test == BOOTSTRAP,
    )


def with_verdict(choice: Choice, found: Comparison) -> Comparison:
    """Let a test on the predictions give the verdict."""
    own, before = found.test(choice.name).warnings, found.test(found.recommended).warnings
    others = tuple(warning for warning in found.warnings if warning not in before)
    return replace(found, recommended=choice.name, reason=choice.reason, warnings=own + others)


def with_verdict_by(
    choice: Choice,
    found: Comparison,
    models: tuple[Model, ...],
    design: Design | Sequence[Split],
    *,
    n_replicates: int,
    cross_links: CrossLinks,
    seed: int,
    progress: bool | None = None,
) -> Comparison:
    """Let the chosen test give the verdict, making the bootstrap first if it is that."""
    if choice.name != BOOTSTRAP:
        return with_verdict(choice, found)
    assert isinstance(design, Design)  # noqa: S101 - choose_test refused splits that were given
    network = found.predictions.network
    try:
        result = bootstrap_test(
            network, models[0], models[1], communities=found.communities, design=design,
            n_replicates=n_replicates, predictions=found.predictions, cross_links=cross_links,
            measure=found.measure.name, confidence=found.confidence, seed=seed, progress=progress,
        )  # fmt: skip
    except InputError as error:
        if choice.forced:
            raise
        return replace(found, reason=f"no bootstrap, since it could not be made: {error}")
    warned = tuple(community_warnings(found.communities))
    bootstrap = NetworkTest.of(BOOTSTRAP, result, OTHER_NETWORKS, warned)
    clustered = found.test(found.recommended).warnings
    return replace(
        found,
        tests=(bootstrap, *found.tests),
        recommended=BOOTSTRAP,
        reason=choice.reason,
        warnings=warned + tuple(w for w in found.warnings if w not in clustered),
        settings=dict(found.settings) | {"n_replicates": n_replicates},
    )


def community_warnings(communities: NDArray[np.int32]) -> list[Warning]:
    """Warn where a standard error from communities rests on few, or on one giant."""
    sizes = np.unique(communities, return_counts=True)[1]
    share = sizes.max() / sizes.sum()
    if sizes.size < FEW_COMMUNITIES:
        which = f"there are only {sizes.size} communities"
    elif share > 0.3:
        which = f"the largest community holds {share:.0%} of the nodes"
    else:
        return []
    return [AssumptionWarning(f"{which}: the standard error is unsure, and the p-value with it")]
