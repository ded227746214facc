"""Which test gives the verdict, and the bootstrap among the tests."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..bootstrap.blocks import BootstrapError, check_several
from ..bootstrap.rerun import check_replicates
from ..bootstrap.runs import is_compiled, is_independent
from ..communities import effective_number
from ..errors import AssumptionWarning, InputError, SlowWarning, unknown_choice
from ..metrics.measures import MEASURES, Measure
from ..models.base import Model
from ..models.link_based import NLB
from ..models.relational import RelationalClassifier
from ..network import Network
from ..splits.base import Design, Split
from ..stats.result import TestResult
from ..study import CrossLinks
from .battery import BATTERY, NAIVE, check_holds
from .result import OTHER_NETWORKS, Comparison, NetworkTest

BOOTSTRAP, ON_PREDICTIONS = "bootstrap", "predictions"
FEW_COMMUNITIES = 10
VERDICT_TESTS = (BOOTSTRAP, *(name for name in BATTERY if name not in NAIVE))
# up to so many links re-running hundreds of times takes about a minute or less: with the compiled
# path, and with one model call a drawn network
QUICK_COMPILED, QUICK = 20_000, 2_000
# a link costs something for every class but one, and with nBC a node for every two classes: up to
# 5 classes with 20,000 links, or 11 with 8,000
QUICK_CLASSES = 80_000


@dataclass(frozen=True, slots=True)
class Choice:
    """The test that gives the verdict, and why.

    Attributes
    ----------
    name, reason : str
        "predictions" stands for the best of those that need the predictions alone.
    forced : bool
        Whether the user named it.
    n_replicates : int
        Networks that the bootstrap draws, of either of its two kinds.
    independent, compiled : bool
        How they are split, and whether both models are run on them in one compiled loop.
    """

    name: str
    reason: str
    forced: bool
    n_replicates: int = 0
    independent: bool = False
    compiled: bool = False


def choose_test(
    test: str,
    network: Network,
    models: Sequence[Model],
    design: Design | Sequence[Split],
    *,
    cross_links: CrossLinks = "keep",
    n_replicates: int = 200,
    measure: Measure = MEASURES["error"],
    allowed: Sequence[str] = VERDICT_TESTS,
) -> Choice:
    """Choose the test that gives the verdict.

    Raises
    ------
    InputError
        For a name that is not one of a test for other networks, a test that is not made for the
        measure, or the bootstrap where models cannot be re-run.

    Warns
    -----
    SlowWarning
        Where the bootstrap is asked for on a network of many classes and links.
    """
    _check_allowed(test, allowed, measure)
    obstacle, compiled = "", False
    if not isinstance(design, Design):
        obstacle = "the splits were given, so drawn networks cannot be split in the same way"
    if test == BOOTSTRAP and obstacle:
        raise InputError(f"test: the bootstrap re-runs the models, but {obstacle}; use auto")
    if test not in ("auto", BOOTSTRAP):
        return Choice(test, "it was asked for.", True)
    many = network.n_links * (network.n_classes - 1) > QUICK_CLASSES
    size = f"{network.n_classes} classes and {network.n_links:,} links"
    if isinstance(design, Design):
        compiled = is_compiled(network, models, design, cross_links, measure)
    if test == "auto" and not obstacle:
        quick = QUICK_COMPILED if compiled else QUICK
        if not all(isinstance(model, RelationalClassifier) for model in models):
            obstacle = "re-running models that are not built in may take long"
        elif any(isinstance(model, NLB) for model in models):
            obstacle = "re-running a model that fits a regression takes minutes"
        elif network.n_links > quick:
            also = "" if measure.name == "error" else " and this measure"
            obstacle = f"with these models and splits{also} more than {quick:,} links take long"
        elif many:
            obstacle = f"re-running models with {size} takes long"
    if obstacle:
        hint = " (name the test bootstrap to have it)" if isinstance(design, Design) else ""
        return Choice(ON_PREDICTIONS, f"no bootstrap, since {obstacle}{hint}.", False)
    if many:
        warnings.warn(
            f"the bootstrap runs the models on {2 * n_replicates} or more networks like this one, "
            f"which with {size} may take hours; test=network_hac needs the predictions alone",
            SlowWarning,
            stacklevel=3,
        )
    return Choice(
        BOOTSTRAP,
        f"it answers for other networks and sees all that varies between them: "
        f"{'both' if len(models) == 2 else 'all'} models were run again on networks drawn from "
        "the communities of this one.",
        test == BOOTSTRAP,
        n_replicates,
        is_independent(design) if isinstance(design, Design) else False,
        compiled,
    )


def choose_on_predictions(test: str, measure: Measure = MEASURES["error"]) -> Choice:
    """Choose the test that gives the verdict where there are predictions only.

    Raises
    ------
    InputError
        For a name that is not one of a test on predictions for other networks, or a test that is
        not made for the measure.
    """
    allowed = tuple(name for name in VERDICT_TESTS if name != BOOTSTRAP)
    none = "there are predictions only, and no models to run again"
    if test == BOOTSTRAP:
        raise InputError(
            f"test: the bootstrap re-runs the models, but {none}; allowed are auto, "
            f"{', '.join(allowed)}"
        )
    _check_allowed(test, allowed, measure)
    if test == "auto":
        return Choice(ON_PREDICTIONS, f"no bootstrap, since {none}.", False)
    return Choice(test, "it was asked for.", True)


def _check_allowed(test: str, allowed: Sequence[str], measure: Measure) -> None:
    if test not in ("auto", *allowed):
        if test in NAIVE:
            raise InputError(
                f"test: {test} answers for other splits of this network only and is no verdict; "
                f"allowed are auto, {', '.join(allowed)}"
            )
        raise unknown_choice("test", test, ("auto", *allowed))
    check_holds(test, measure)


def check_drawing(choice: Choice, communities: NDArray[np.int32], n_replicates: int) -> None:
    """Refuse, where the bootstrap is chosen, what no networks worth having can be drawn from.

    Raises
    ------
    InputError
        For fewer than ten replicates; for fewer than two communities where the user named the
        bootstrap (else another test takes its place).
    """
    if choice.name != BOOTSTRAP:
        return
    check_replicates(n_replicates, "compare")
    if choice.forced:
        check_several(communities)


def with_verdict(choice: Choice, found: Comparison) -> Comparison:
    """Let a test on the predictions give the verdict."""
    if choice.name == ON_PREDICTIONS:
        return replace(found, reason=f"{choice.reason} {found.reason}")
    own, before = found.test(choice.name).warnings, found.test(found.recommended).warnings
    others = tuple(warning for warning in found.warnings if warning not in before)
    return replace(found, recommended=choice.name, reason=choice.reason, warnings=own + others)


def with_verdict_by(
    choice: Choice, found: Comparison, bootstrap: Callable[[Comparison], TestResult]
) -> Comparison:
    """Let the chosen test give the verdict; `bootstrap` makes that one if it is chosen."""
    if choice.name != BOOTSTRAP:
        return with_verdict(choice, found)
    try:
        result = bootstrap(found)
    except BootstrapError as error:
        if choice.forced:
            raise
        because = f"no bootstrap, since it could not be made: {error}."
        return with_verdict(Choice(ON_PREDICTIONS, because, False), found)
    warned = tuple(community_warnings(found.communities))
    test = NetworkTest.of(BOOTSTRAP, result, OTHER_NETWORKS, warned)
    before = found.test(found.recommended).warnings
    return replace(
        found,
        tests=(test, *found.tests),
        recommended=BOOTSTRAP,
        reason=choice.reason,
        warnings=warned + tuple(w for w in found.warnings if w not in before),
        settings=dict(found.settings) | {"n_replicates": choice.n_replicates},
    )


def community_warnings(communities: NDArray[np.int32]) -> list[Warning]:
    """Warn where a standard error from communities rests on few, on one giant, or on none."""
    sizes = np.unique(communities, return_counts=True)[1]
    share, worth = sizes.max() / sizes.sum(), effective_number(sizes)
    if sizes.size < FEW_COMMUNITIES:
        number = "is only 1 community" if sizes.size == 1 else f"are only {sizes.size} communities"
        which = f"there {number}"
        if worth < sizes.size - 0.5:
            which += f", worth {worth:.1f} equal ones"
    elif worth < FEW_COMMUNITIES:
        which = f"the {sizes.size} communities are worth only {worth:.1f} equal ones"
    elif sizes.size > sizes.sum() / 2:
        which = (
            f"the {sizes.sum()} nodes are in {sizes.size} communities, so that most nodes count as "
            "independent of the others; the p-value is too small if their errors are not"
        )
        return [AssumptionWarning(which)]
    elif share > 0.3:
        which = f"the largest community holds {share:.0%} of the nodes"
    else:
        return []
    return [AssumptionWarning(f"{which}: the standard error is unsure, and the p-value with it")]
